"""The local server: the page, the bridge and the JSON API, for programs and people on this machine.

The guard checks Host and Origin, so that a foreign web page cannot reach this server through the browser. Bodies have
limits, and a few processes with a bounded queue compute the answers. Every error is JSON.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
from collections.abc import Callable, Coroutine, Iterable
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

import bleuprint
from bleuprint.errors import quote
from bleuprint.web import api
from bleuprint.web.answers import EncodedAnswer, RequestError, answer_http_exception
from bleuprint.web.guard import Guard
from bleuprint.web.limits import ServerLimits
from bleuprint.web.page import page_files, render_page
from bleuprint.web.workers import Work, Workers
from bleuprint.wording import SUMMARY

_MEDIA_TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".svg": "image/svg+xml"}


def make_app(allowed_hosts: Iterable[str] = (), limits: ServerLimits | None = None, work: Work = api.answer) -> FastAPI:
    """Build the application; ``allowed_hosts`` are names other than those of this machine that Host may have."""
    limits = limits or ServerLimits()
    app = FastAPI(
        title="bleuprint",
        version=bleuprint.__version__,
        summary=SUMMARY,
        description="Every answer carries its recipe as a signature. Every error names the problem and the fix.",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.add_middleware(Guard, allowed_hosts=tuple(allowed_hosts))
    app.add_exception_handler(HTTPException, answer_http_exception)
    _add_page(app)
    _add_api(app, limits, Workers(limits, work))
    app.state.limits = limits
    return app


class _Asset(NamedTuple):
    """A file of the page, held in memory."""

    content: bytes
    compressed: bytes
    media_type: str
    tag: str

    @classmethod
    def of(cls, name: str, content: bytes) -> _Asset:
        kind = _MEDIA_TYPES[PurePosixPath(name).suffix]
        return cls(content, gzip.compress(content, mtime=0), kind, f'W/"{hashlib.sha256(content).hexdigest()[:32]}"')

    def answer(self, request: Request) -> Response:
        """Send the file, or status 304 if the browser has it already."""
        headers = {"ETag": self.tag, "Vary": "Accept-Encoding"}
        if self.tag in map(str.strip, request.headers.get("if-none-match", "").split(",")):
            return Response(status_code=304, headers=headers)
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(self.content, media_type=self.media_type, headers=headers)
        return Response(self.compressed, media_type=self.media_type, headers={**headers, "Content-Encoding": "gzip"})


def _add_page(app: FastAPI) -> None:
    assets = {f"/static/{name}": _Asset.of(name, content) for name, content in page_files().items()}
    assets["/"] = _Asset.of("index.html", render_page("served").encode("utf-8"))
    assets["/favicon.ico"] = assets["/static/icon.svg"]

    async def show(request: Request) -> Response:
        if request.url.path not in assets:
            raise HTTPException(404)
        return assets[request.url.path].answer(request)

    for path in ("/", "/favicon.ico", "/static/{name:path}"):
        app.add_api_route(path, show, methods=["GET", "HEAD"], include_in_schema=False)


def _add_api(app: FastAPI, limits: ServerLimits, workers: Workers) -> None:
    def respond_to(name: str) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        async def respond(request: Request) -> Response:
            body = await _read_body(request, limits)
            answer = api.answer_at_once(name, body) or await _run_while_connected(request, workers.run(name, body))
            return answer.as_response()

        return respond

    prefix = f"/api/{api.API_VERSION}"
    app.add_api_route("/bridge", respond_to(api.BRIDGE), methods=["POST"], include_in_schema=False)
    for call in api.CALLS:
        app.add_api_route(f"{prefix}/{call.name}", respond_to(call.name), methods=["POST"], **call.document())
    app.add_api_route(
        f"{prefix}/dialects", api.list_dialects, methods=["GET"], operation_id="dialects", summary="List the dialects",
        description="The named recipes: each gives the numbers of an existing tool.",
        responses={421: api.REFUSALS[421]},
    )  # fmt: skip


async def _read_body(request: Request, limits: ServerLimits) -> bytes:
    """Read a JSON body, within the limits for its size and its time.

    It is parsed and validated in a worker, because several megabytes of JSON would block all other requests.
    """
    _check_header(request, "Content-Type", "application/json", "")
    _check_header(request, "Content-Encoding", "identity", "identity")
    announced, size, pieces = int(request.headers.get("content-length", 0)), 0, []
    if announced > limits.body_bytes and "expect" in request.headers:
        raise _too_large(limits, announced)
    try:
        async with asyncio.timeout(limits.body_seconds):
            async for piece in request.stream():
                size += len(piece)
                # The rest of a body that is too large is read as well. Otherwise, its sender would not read the answer.
                if max(size, announced) <= limits.body_bytes:
                    pieces.append(piece)
    except TimeoutError:
        if size <= limits.body_bytes:
            message = f"Only a part of it came within {limits.body_seconds:g} seconds."
            raise RequestError(408, "body", message, "Send it again.", {"Connection": "close"}) from None
    if max(size, announced) > limits.body_bytes:
        raise _too_large(limits, max(size, announced))
    return b"".join(pieces)


def _check_header(request: Request, name: str, expected: str, default: str) -> None:
    value = request.headers.get(name, default)
    if value.partition(";")[0].strip().lower() != expected:
        message = f"expected {expected}, got {quote(value)}."
        raise RequestError(415, name, message, "Send the body as JSON, not compressed, and say so in the header.")


def _too_large(limits: ServerLimits, size: int) -> RequestError:
    most, given = (f"{number / 1024 / 1024:,.1f} MB" for number in (limits.body_bytes, size))
    message = f"expected at most {most} together, got {'more' if given == most else given}."
    fix = "Use fewer or shorter texts. The command line accepts more."
    return RequestError(413, "the texts", message, fix, {"Connection": "close"})


async def _run_while_connected(request: Request, computation: Coroutine[Any, Any, EncodedAnswer]) -> EncodedAnswer:
    """Compute an answer. Cancel the computation if the client closes the connection."""

    async def wait_for_disconnect() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    computing, waiting = asyncio.create_task(computation), asyncio.create_task(wait_for_disconnect())
    try:
        await asyncio.wait((computing, waiting), return_when=asyncio.FIRST_COMPLETED)
        if not computing.done():
            raise ClientDisconnect
        return computing.result()
    finally:
        computing.cancel()
        waiting.cancel()
