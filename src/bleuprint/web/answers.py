"""Answers of the server: JSON, the headers that every response carries, and errors with their status."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from bleuprint.errors import BleuprintError, quote
from bleuprint.web.bridge import as_error, describe_error
from bleuprint.web.page import HEADERS as PAGE_HEADERS
from bleuprint.web.page import POLICY_SERVED

HEADERS = {"Content-Security-Policy": POLICY_SERVED, **PAGE_HEADERS, "Cache-Control": "no-cache"}
"""What every response carries."""
_LOG = logging.getLogger("bleuprint.web")
_SHOWN = "/openapi.json shows what may be sent."


class RequestError(BleuprintError):
    """A request that is refused because of its form or its timing, with the HTTP status."""

    def __init__(
        self, status: int, where: str, message: str, fix: str = _SHOWN, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message, fix, where=where)
        self.status: int = status
        self.headers: Mapping[str, str] = headers or {}


class EncodedAnswer(NamedTuple):
    """An answer as JSON in bytes, with its HTTP status: what a worker returns to the server."""

    content: bytes
    status: int = 200
    headers: Mapping[str, str] = {}

    @classmethod
    def of(cls, data: object, status: int = 200, headers: Mapping[str, str] | None = None) -> EncodedAnswer:
        """Encode data as JSON. A lone surrogate becomes its JSON escape."""
        text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return cls(text.encode("utf-8", "backslashreplace"), status, headers or {})

    def as_response(self) -> Response:
        """Return it as an HTTP response."""
        return Response(self.content, self.status, self.headers, "application/json")


def encode_error(error: Exception) -> EncodedAnswer:
    """Encode an error as an answer. An exception that is a defect is logged and becomes status 500."""
    status, headers = 422, {}
    if not isinstance(error, BleuprintError | RecursionError | MemoryError):
        _LOG.error("a request failed", exc_info=error)
        fix = "This is a fault in bleuprint. The terminal of `bleuprint serve` shows more."
        error = RequestError(500, "server", f"{type(error).__name__} while computing the answer.", fix)
    if isinstance(error, RequestError):
        status, headers = error.status, dict(error.headers)
    elif isinstance(error, MemoryError):
        status = 413
    return EncodedAnswer.of({"error": describe_error(as_error(error))}, status, headers)


def busy(message: str, seconds: int) -> RequestError:
    """Return the error of status 503: the server is too busy at the moment."""
    fix = "Try again later with fewer or shorter texts, or use the command line."
    return RequestError(503, "server", message, fix, {"Retry-After": str(seconds)})


async def answer_http_exception(request: Request, error: Exception) -> Response:
    """Answer a request for a path or a method that does not exist."""
    assert isinstance(error, HTTPException)
    what = "method" if error.status_code == 405 else "path"
    name = request.method if error.status_code == 405 else request.url.path
    message, fix = f"No such {what}: {quote(name)}.", "/openapi.json lists paths and methods."
    return encode_error(RequestError(error.status_code, what, message, fix, error.headers)).as_response()


def decode(body: bytes) -> object:
    """Read JSON."""
    try:
        return json.loads(body.decode("utf-8"), parse_constant=_refuse_constant, object_pairs_hook=_gather)
    except RequestError:
        raise
    except (ValueError, RecursionError) as error:
        nested = isinstance(error, RecursionError)
        message = "The body is nested too deeply." if nested else f"expected JSON in UTF-8, got {quote(body[:200])}."
        raise RequestError(400, "body", message) from None


def _gather(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise RequestError(400, "body", f"The key {quote(key)} is there twice.", "Leave one of them out.")
        found[key] = value
    return found


def _refuse_constant(name: str) -> object:
    raise ValueError(f"JSON has no {name}")
