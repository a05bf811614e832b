"""Reading bodies: how large, how slow, and how many bytes of all of them the server holds at one time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import NoReturn

from starlette.requests import ClientDisconnect, Request

from bleuprint.errors import quote
from bleuprint.web.answers import LONGEST_QUOTE, Held, RequestError, busy
from bleuprint.web.limits import ServerLimits

_DISCARD_SECONDS = 2
"""How long a body that is refused may pass by before the connection is closed."""


class Bodies:
    """Reads the bodies of requests, within the limits of each and of all together."""

    def __init__(self, limits: ServerLimits) -> None:
        self._limits = limits
        self.held: Held = Held(limits.bodies_bytes)

    @asynccontextmanager
    async def read(self, request: Request, *, for_page: bool = False) -> AsyncIterator[bytes]:
        """Read a JSON body; its bytes count as held until the block ends."""
        _check_kind(request)
        length = request.headers.get("content-length", "")
        announced = int(length) if length.isdecimal() and len(length) <= 15 else 10**15 if length else 0
        more = "expect" not in request.headers
        if announced > self._limits.body_bytes:
            await self._refuse(request, _too_large(self._limits, announced, for_page), more)
        if not self.held.has_room_for(announced):
            await self._refuse(request, _too_many(), more)
        received: list[bytes] = []
        try:
            yield await self._receive_in_time(request, received, for_page)
        finally:
            self.held.release(sum(map(len, received)))

    async def _receive_in_time(self, request: Request, received: list[bytes], for_page: bool) -> bytes:
        try:
            async with asyncio.timeout(self._limits.body_seconds):
                return await self._receive(request, received, for_page)
        except TimeoutError:
            raise RequestError(
                408, where="body", wanted=f"the whole body within {self._limits.body_seconds:g} seconds",
                got="a part of it", next_step="Send it again.", headers={"Connection": "close"},
            ) from None  # fmt: skip

    async def _receive(self, request: Request, received: list[bytes], for_page: bool) -> bytes:
        size = 0
        while True:
            message = await request.receive()
            if message["type"] == "http.disconnect":
                raise ClientDisconnect
            piece, more = message.get("body", b""), message.get("more_body", False)
            if size + len(piece) > self._limits.body_bytes:
                await self._refuse(request, _too_large(self._limits, None, for_page), more, received)
            if not self.held.has_room_for(len(piece)):
                await self._refuse(request, _too_many(), more, received)
            size += len(piece)
            self.held.take(len(piece))
            received.append(piece)
            if not more:
                return b"".join(received)

    async def _refuse(
        self, request: Request, refusal: RequestError, more: bool, received: list[bytes] | None = None
    ) -> NoReturn:
        """Refuse a body; first let what is under way pass by for a moment, or the sender would not read the answer."""
        if received:
            self.held.release(sum(map(len, received)))
            received.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(min(_DISCARD_SECONDS, self._limits.body_seconds)):
                while more:
                    more = (await request.receive()).get("more_body", False)
        raise refusal


def _check_kind(request: Request) -> None:
    kind = request.headers.get("content-type", "")
    if kind != "application/json" and kind.partition(";")[0].strip().lower() != "application/json":
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


def _too_large(limits: ServerLimits, size: int | None, for_page: bool) -> RequestError:
    most = _in_megabytes(limits.body_bytes)
    got = "more" if size is None else _in_megabytes(size)
    if for_page:
        return RequestError(
            413, where="the texts", wanted=f"at most {most} together", got=got,
            next_step="Take fewer or shorter texts; the command line takes more.",
            headers={"Connection": "close"},
        )  # fmt: skip
    return RequestError(
        413, where="body", wanted=f"at most {limits.body_bytes:,} bytes ({most})", got=got,
        next_step="Send the corpus in parts, or use the library or the command line: bleuprint score.",
        headers={"Connection": "close"},
    )  # fmt: skip


def _too_many() -> RequestError:
    return busy("more texts at once than it can hold", "1", close=True)


def _in_megabytes(size: int) -> str:
    return f"{size / 1024 / 1024:,.1f} MB".replace(".0 MB", " MB")
