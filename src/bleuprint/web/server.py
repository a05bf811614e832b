"""The local server: the page, the bridge and the JSON API, for programs and people on this machine.

Whatever arrives is first asked where it comes from (Host and Origin: a foreign web page must not reach this server
through the browser), read up to a limit, and then computed by a few processes with a bounded queue before them.
Everything that is refused, and everything that goes wrong, is answered as JSON in the four parts of an error.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import os
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass
from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

import bleuprint
from bleuprint.web import api
from bleuprint.web.answers import Answer, Answers, answer_http_exception, encode
from bleuprint.web.api_answers import DialectAnswer, ErrorAnswer
from bleuprint.web.bodies import Bodies
from bleuprint.web.guard import Guard
from bleuprint.web.limits import ServerLimits
from bleuprint.web.page import page_files, render_page
from bleuprint.web.shortcut import answer_at_once
from bleuprint.web.work import BRIDGE, answer
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
        description="Every answer carries its recipe as a signature. Whatever is refused says why, in four parts.",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.router.route_class = _PlainRoute
    app.add_middleware(Guard, allowed_hosts=tuple(allowed_hosts))
    app.add_exception_handler(HTTPException, answer_http_exception)
    _add_page(app)
    _add_api(app, limits, Workers(limits, work))
    app.state.limits = limits
    return app


class _PlainRoute(APIRoute):
    """A documented route whose function takes the request and gives the response itself: the shortest way."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Give the function as it is."""
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
    prefix, dialects = f"/api/{api.API_VERSION}", Answer(encode(api.list_dialects()))
    bodies, answers = Bodies(limits), Answers(limits)

    async def compute(verb: str, body: bytes, request: Request) -> Response:
        return answers.respond(await workers.run(verb, body, lambda: _wait_until_left(request)))

    async def bridge(request: Request) -> Response:
        async with bodies.read(request, for_page=True) as body:
            return await compute(BRIDGE, body, request)

    def respond_to(call: api.Call) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        async def respond(request: Request) -> Response:
            async with bodies.read(request) as body:
                if (at_once := answer_at_once(call, body)) is not None:
                    return at_once.as_response()
                return await compute(call.name, body, request)

        return respond

    async def list_dialects(request: Request) -> Response:
        return dialects.as_response()

    app.add_api_route("/bridge", bridge, methods=["POST"], include_in_schema=False)
    for call in api.CALLS:
        app.add_api_route(
            f"{prefix}/{call.name}", respond_to(call), methods=["POST"], operation_id=call.name, summary=call.summary,
            description=call.description, openapi_extra=api.request_schema(*call.requests),
            responses={200: {"description": call.result, **call.response}, **_REFUSALS},
        )  # fmt: skip
    app.add_api_route(
        f"{prefix}/dialects", list_dialects, methods=["GET"], operation_id="dialects", summary="List the dialects",
        description="The named recipes: each gives the numbers of an existing tool.",
        responses={200: {"description": "All dialects.", "model": list[DialectAnswer]}, 421: _REFUSALS[421]},
    )  # fmt: skip


async def _wait_until_left(request: Request) -> None:
    """Wait until the client closes the connection; its body has been read."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _refusal(description: str, *headers: str) -> dict[str, Any]:
    answer: dict[str, Any] = {"description": description, "model": ErrorAnswer}
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
