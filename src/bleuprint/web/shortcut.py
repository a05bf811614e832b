"""What is answered at once: a small score takes less time than handing it to a worker."""

from __future__ import annotations

from bleuprint.web import api
from bleuprint.web.answers import Answer, decode, encode

SMALL_BODY = 4096
"""Bytes; a larger request goes to a worker."""


def answer_at_once(call: api.Call, body: bytes) -> Answer | None:
    """Answer a request that is small enough; None sends it to a worker."""
    if not call.is_quick or len(body) >= SMALL_BODY:
        return None
    data = decode(body)
    return Answer(encode(call.answer(data))) if api.is_light(data) else None
