"""From the body of a request to its answer: at once for a small score, otherwise in a process of the pool."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from bleuprint.web.answers import Answer, decode, describe_failure, encode
from bleuprint.web.api import CALLS, Call, is_light
from bleuprint.web.bridge import handle

BRIDGE = "bridge"
_SMALL_BODY = 4096
"""Bytes; a larger request goes to a worker."""
_VERBS: Mapping[str, Callable[[object], Mapping[str, Any]]] = {
    BRIDGE: lambda data: handle(cast(Mapping[str, Any], data)),
    **{call.name: call.answer for call in CALLS},
}


def answer(verb: str, body: bytes) -> Answer:
    """Answer a body. Errors become answers, too."""
    try:
        return Answer(encode(_VERBS[verb](decode(body))))
    except Exception as error:
        return describe_failure(error)


def answer_at_once(call: Call, body: bytes) -> Answer | None:
    """Compute a small score: this takes less time than a worker. Return None for anything else."""
    if not call.is_quick or len(body) >= _SMALL_BODY:
        return None
    request = call.read(decode(body))
    return Answer(encode(call.compute(request))) if is_light(request) else None
