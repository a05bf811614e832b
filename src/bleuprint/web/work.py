"""What a worker does: the body of a request in, its answer out, nothing kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from bleuprint.web.answers import Answer, decode, describe_failure, encode
from bleuprint.web.api import CALLS
from bleuprint.web.bridge import handle

BRIDGE = "bridge"
_VERBS: Mapping[str, Callable[[object], Mapping[str, Any]]] = {
    BRIDGE: lambda data: handle(cast(Mapping[str, Any], data)),
    **{call.name: call.answer for call in CALLS},
}


def answer(verb: str, body: bytes) -> Answer:
    """Answer a body; whatever goes wrong is an answer, too."""
    try:
        return Answer(encode(_VERBS[verb](decode(body))))
    except Exception as error:
        return describe_failure(error)
