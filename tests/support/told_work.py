"""Work that does what the tests of the server tell it: give a sign, wait, never end, fail or take memory.

A worker imports it by name, so it is a module; the calls of the API are answered as ever.
"""

import os
import time
from pathlib import Path

from bleuprint.web import api


def obey(request):
    if "fail" in request:
        raise ZeroDivisionError(request["fail"])
    if "bytes" in request:
        bytearray(request["bytes"])
    while "forever" in request:
        with Path(request["forever"]).open("a") as file:
            file.write("still here\n")
        time.sleep(0.01)
    if "begun" in request:
        Path(request["begun"]).touch()
    while "until" in request and not Path(request["until"]).exists():
        time.sleep(0.01)
    time.sleep(request.get("seconds", 0))
    return {"ok": True, "process": os.getpid()}


api._HANDLERS = {**api._HANDLERS, api.BRIDGE: obey}


def answer(name, body):
    return api.answer(name, body)
