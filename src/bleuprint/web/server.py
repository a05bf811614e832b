"""The local server: the page, the bridge and the JSON API, for programs and people on this machine.

The guard checks Host and Origin, so that a foreign web page cannot reach this server through the browser. Bodies have
limits, and a few processes with a bounded queue compute the answers. Every error is JSON, in four parts.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import mimetypes
import os
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

import bleuprint
from bleuprint.errors import quote
from bleuprint.web import api
from bleuprint.web.answers import LONGEST_QUOTE, Answer, RequestError, answer_http_exception
from bleuprint.web.guard import Guard
from bleuprint.web.limits import ServerLimits
from bleuprint.web.page import page_files, render_page
from bleuprint.web.work import BRIDGE, answer, answer_at_once
from bleuprint.web.workers import Work, Workers
from bleuprint.wording import SUMMARY

_MEDIA_TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".html": "text/html",
                ".json": "application/json", ".svg": "image/svg+xml", ".png": "image/png", ".txt": "text/plain",
                ".woff2": "font/woff2", ".webmanifest": "application/manifest+json"}  # fmt: skip


def make_app(allowed_hosts: Iterable[str] = (), limits: ServerLimits | None = None, work: Work = answer) -> FastAPI:
    """Build the application; ``allowed_hosts`` are names beside those of this machine that Host may have."""
    limits = limits or ServerLimits()
    app = FastAPI(
        title="bleuprint",
        version=bleuprint.__version__,
        summary=SUMMARY,
        description="Every answer carries its recipe as a signature. Every error says why, in four parts.",
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


class _BodyRoute(APIRoute):
    """A route whose function reads the body and makes the response itself.

    Bodies are parsed and validated in the workers, because several megabytes of JSON would block all other requests.
    """

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the function as it is: FastAPI has nothing to inject."""
        function: Callable[[Request], Coroutine[Any, Any, Response]] = self.endpoint
        return function


@dataclass(frozen=True, slots=True)
class _Asset:
    """A file of the page, held in memory."""

    content: bytes
    compressed: bytes
    media_type: str
    tag: str

    @classmethod
    def of(cls, name: str, content: bytes) -> _Asset:
        ending = os.path.splitext(name)[1]  # noqa: PTH122  (a name in a URL, not a path)
        kind = _MEDIA_TYPES.get(ending) or mimetypes.guess_type(name)[0] or "application/octet-stream"
        return cls(content, gzip.compress(content, mtime=0), kind, f'W/"{hashlib.sha256(content).hexdigest()[:32]}"')

    def answer(self, request: Request) -> Response:
        """Send the file, or say that the browser has it already."""
        headers = {"ETag": self.tag, "Vary": "Accept-Encoding"}
        if self.tag in map(str.strip, request.headers.get("if-none-match", "").split(",")):
            return Response(status_code=304, headers=headers)
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(self.content, media_type=self.media_type, headers=headers)
        return Response(self.compressed, media_type=self.media_type, headers={**headers, "Content-Encoding": "gzip"})


def _add_page(app: FastAPI) -> None:
    page = _Asset.of("index.html", render_page("served").encode("utf-8"))
    files = {name: _Asset.of(name, content) for name, content in page_files().items()}
    icon = files.get("icon.svg")

    async def show_page(request: Request) -> Response:
        return page.answer(request)

    async def show_file(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in files:
            raise HTTPException(404)
        return files[name].answer(request)

    async def show_icon(request: Request) -> Response:
        return icon.answer(request) if icon else Response(status_code=204)

    for path, function in (("/", show_page), ("/static/{name:path}", show_file), ("/favicon.ico", show_icon)):
        app.add_api_route(path, function, methods=["GET", "HEAD"], include_in_schema=False)


def _add_api(app: FastAPI, limits: ServerLimits, workers: Workers) -> None:
    dialects = api.list_dialects()

    async def bridge(request: Request) -> Response:
        body = await _read_body(request, limits)
        return await _unless_left(request, workers.run(BRIDGE, body))

    def respond_to(call: api.Call) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        async def respond(request: Request) -> Response:
            body = await _read_body(request, limits)
            if (at_once := answer_at_once(call, body)) is not None:
                return at_once.as_response()
            return await _unless_left(request, workers.run(call.name, body))

        return respond

    async def list_dialects() -> list[api.Dialect]:
        return dialects

    calls = APIRouter(route_class=_BodyRoute)
    calls.add_api_route("/bridge", bridge, methods=["POST"], include_in_schema=False)
    prefix = f"/api/{api.API_VERSION}"
    for call in api.CALLS:
        schema = {"content": {"application/json": {"schema": call.answer_schema}}}
        calls.add_api_route(
            f"{prefix}/{call.name}", respond_to(call), methods=["POST"], operation_id=call.name, summary=call.summary,
            description=call.description, openapi_extra=call.request_schema(),
            responses={200: {"description": call.description, **schema}, **_REFUSALS},
        )  # fmt: skip
    app.include_router(calls)
    app.add_api_route(
        f"{prefix}/dialects", list_dialects, methods=["GET"], operation_id="dialects", summary="List the dialects",
        description="The named recipes: each gives the numbers of an existing tool.",
        responses={421: _REFUSALS[421]},
    )  # fmt: skip


async def _read_body(request: Request, limits: ServerLimits) -> bytes:
    """Read a JSON body, within the limits for its size and its time."""
    _check_kind(request)
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
            raise RequestError(
                408, where="body", wanted=f"the whole body within {limits.body_seconds:g} seconds",
                got="a part of it", next_step="Send it again.", headers={"Connection": "close"},
            ) from None  # fmt: skip
    if max(size, announced) > limits.body_bytes:
        raise _too_large(limits, max(size, announced))
    return b"".join(pieces)


def _check_kind(request: Request) -> None:
    kind = request.headers.get("content-type", "")
    if kind.partition(";")[0].strip().lower() != "application/json":
        raise RequestError(
            415, where="Content-Type", wanted="application/json", got=quote(kind, LONGEST_QUOTE),
            next_step="Send the body as JSON and say so in the header.",
        )  # fmt: skip
    encoding = request.headers.get("content-encoding", "identity")
    if encoding.lower() != "identity":
        raise RequestError(
            415, where="Content-Encoding", wanted="a body as it is", got=quote(encoding, LONGEST_QUOTE),
            next_step="Send the body without compressing it.",
        )  # fmt: skip


def _too_large(limits: ServerLimits, size: int) -> RequestError:
    most, got = (f"{number / 1024 / 1024:,.1f} MB".replace(".0 MB", " MB") for number in (limits.body_bytes, size))
    return RequestError(
        413, where="the texts", wanted=f"at most {most} together", got="more" if got == most else got,
        next_step="Use fewer or shorter texts; the command line takes more.", headers={"Connection": "close"},
    )  # fmt: skip


async def _unless_left(request: Request, computation: Coroutine[Any, Any, Answer]) -> Response:
    """Compute an answer, but stop when the client closes the connection."""

    async def wait_until_left() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    computing, leaving = asyncio.create_task(computation), asyncio.create_task(wait_until_left())
    try:
        await asyncio.wait((computing, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not computing.done():
            raise ClientDisconnect
        return computing.result().as_response()
    finally:
        computing.cancel()
        leaving.cancel()


def _refusal(description: str, *headers: str) -> dict[str, Any]:
    answer: dict[str, Any] = {"description": description, "model": api.ErrorAnswer}
    if headers:
        answer["headers"] = {name: {"required": True, "schema": {"type": "string"}} for name in headers}
    return answer


_REFUSALS: dict[int | str, dict[str, Any]] = {
    400: _refusal("The body is not JSON."),
    403: _refusal("The request comes from a page of another origin."),
    408: _refusal("The body did not arrive in time."),
    413: _refusal("The body is too large."),
    415: _refusal("The body's Content-Type is not application/json."),
    421: _refusal("The Host header names another machine."),
    422: _refusal("The body is JSON, but nothing that can be scored."),
    503: _refusal("Too many requests wait, or this one takes too long.", "Retry-After"),
}
