"""Answers: how the server speaks. JSON, the headers that every response carries, and refusals in four parts."""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from bleuprint.errors import BleuprintError, quote
from bleuprint.web.bridge import describe_error, refuse_depth
from bleuprint.web.page import HEADERS as PAGE_HEADERS
from bleuprint.web.page import POLICY_SERVED

LONGEST_QUOTE = 80
"""Characters of somebody's input that an error may repeat."""
HEADERS = {"Content-Security-Policy": POLICY_SERVED, **PAGE_HEADERS, "Cache-Control": "no-cache"}
"""What every response carries."""
_LOG = logging.getLogger("bleuprint.web")


class RequestError(BleuprintError):
    """A request that is refused for its form or its moment, with the status that says so."""

    def __init__(
        self,
        status: int,
        *,
        where: str,
        wanted: str,
        got: str,
        next_step: str,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(where=where, wanted=wanted, got=got, next_step=next_step)
        self.status: int = status
        self.headers: Mapping[str, str] = headers or {}


def encode(data: object) -> bytes:
    """Write JSON; a lone surrogate becomes the escape that JSON has for it."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace")


class Answer(NamedTuple):
    """What is to be answered, as a worker hands it over: JSON that is written already."""

    content: bytes
    status: int = 200
    headers: Mapping[str, str] = {}

    def as_response(self) -> Response:
        """Give the response that sends it."""
        return Response(self.content, self.status, self.headers, "application/json")


def describe_failure(error: Exception) -> Answer:
    """Say why there is no answer: a refusal with its reason, a fault with the advice to report it."""
    if isinstance(error, RecursionError):
        error = refuse_depth()
    elif isinstance(error, MemoryError):
        error = RequestError(
            413, where="texts", wanted="what can be computed in the memory that this server gives to one request",
            got="more", next_step="Use shorter or fewer texts, or the command line.",
        )  # fmt: skip
    elif not isinstance(error, BleuprintError):
        _LOG.error("a request failed", exc_info=error)
        error = RequestError(
            500, where="server", wanted="an answer", got=type(error).__name__,
            next_step="This is a fault in bleuprint; the terminal of `bleuprint serve` shows more.",
        )  # fmt: skip
    status, headers = (error.status, error.headers) if isinstance(error, RequestError) else (422, {})
    return Answer(encode({"error": describe_error(_shortened(error))}), status, headers)


def busy(got: str, seconds: str) -> RequestError:
    """Refuse what would be too much at this moment."""
    return RequestError(
        503, where="server", wanted="a request that can be computed soon", got=got,
        next_step="Try again later, or use the command line for large corpora.",
        headers={"Retry-After": seconds},
    )  # fmt: skip


async def answer_http_exception(request: Request, error: Exception) -> Response:
    """Answer what the framework refuses: paths and methods that do not exist."""
    assert isinstance(error, HTTPException)
    where, wanted = {404: ("path", "a path that this server has"), 405: ("method", "a method that this path has")}.get(
        error.status_code, ("request", "a request that this server can answer")
    )
    got = quote(request.method if error.status_code == 405 else request.url.path, LONGEST_QUOTE)
    refusal = RequestError(error.status_code, where=where, wanted=wanted, got=got,
                      next_step="/openapi.json lists paths and methods.", headers=error.headers)  # fmt: skip
    return describe_failure(refusal).as_response()


def _shortened(error: BleuprintError) -> BleuprintError:
    """Cut what may repeat input in full."""
    if len(error.got) <= LONGEST_QUOTE and len(error.where) <= LONGEST_QUOTE:
        return error
    return error.reworded(where=_cut(error.where), got=_cut(error.got))


def _cut(text: str) -> str:
    half = (LONGEST_QUOTE - 3) // 2
    return text if len(text) <= LONGEST_QUOTE else f"{text[:half]}...{text[-half:]}"


def decode(body: bytes) -> object:
    """Read JSON; what is none is refused."""
    try:
        return json.loads(body.decode("utf-8"), parse_constant=_refuse_constant, object_pairs_hook=_gather)
    except RequestError:
        raise
    except (ValueError, RecursionError) as error:
        got = "nesting too deep to read" if isinstance(error, RecursionError) else quote(body[:200], LONGEST_QUOTE)
        raise RequestError(
            400, where="body", wanted="JSON in UTF-8", got=got, next_step="/openapi.json shows what may be sent."
        ) from None


def _gather(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        [(twice, _)] = Counter(key for key, _ in pairs).most_common(1)
        raise RequestError(
            400,
            where="body",
            wanted="every key once",
            got=f"{quote(twice)} more than once",
            next_step="Only one of the two would be read: leave the other out.",
        )
    return found


def _refuse_constant(name: str) -> object:
    raise ValueError(f"JSON has no {name}")
