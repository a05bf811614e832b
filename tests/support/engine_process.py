"""Python in a process of its own, as the choice of the engine holds for the life of a process."""

import json
import os
import subprocess
import sys

ENGINES = ("python", "native")


def run(*arguments, **environment):
    """Run this Python with arguments; the output comes back as it was printed."""
    known = {name: value for name, value in os.environ.items() if name != "BLEUPRINT_ENGINE"}
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", env=known | environment, timeout=300
    )


def answer(program, engine, *arguments):
    """Run a program, given as text, with one engine; give what it printed, read as JSON."""
    done = run("-X", "utf8", "-c", program, *arguments, BLEUPRINT_ENGINE=engine)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
