"""What one request may take: a body of some size within some time, a place among those who wait, a thread."""

from __future__ import annotations

import asyncio
import os
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field

from starlette.requests import ClientDisconnect, Request

from bleuprint.errors import quote
from bleuprint.web.answers import LONGEST_QUOTE, RequestError


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one request may take, and how many may wait."""

    body_bytes: int = 8 * 1024 * 1024
    body_seconds: float = 10
    compute_seconds: float = 30
    threads: int = field(default_factory=lambda: os.cpu_count() or 1)
    waiting: int = 64
    direct_bytes: int = 4096
    """A request smaller than this is scored at once, without a thread: that is faster than handing it over."""
    direct_order: int = 4


class Threads:
    """A few threads that compute, and a bounded queue before them.

    A computation that outlives its time is not waited for any longer, but keeps its thread and its place until it ends.
    The threads are daemons: Ctrl-C does not wait for them.
    """

    def __init__(self, limits: Limits) -> None:
        self._seconds = limits.compute_seconds
        self._places = threading.BoundedSemaphore(limits.threads + limits.waiting)
        self._jobs: queue.SimpleQueue[tuple[Future[bytes], Callable[[], bytes]]] = queue.SimpleQueue()
        for number in range(limits.threads):
            threading.Thread(target=self._work, name=f"bleuprint-{number}", daemon=True).start()

    async def run(self, job: Callable[[], bytes]) -> bytes:
        """Compute in a thread; refused at once when too many wait, and after a while when it takes too long."""
        if not self._places.acquire(blocking=False):
            raise _busy("more than it can queue", "1")
        future: Future[bytes] = Future()
        self._jobs.put((future, job))
        try:
            async with asyncio.timeout(self._seconds):
                return await asyncio.wrap_future(future)
        except TimeoutError:
            raise _busy(f"one that takes longer than {self._seconds:g} seconds", "10") from None

    def _work(self) -> None:
        while True:
            future, job = self._jobs.get()
            result, failure = b"", None
            alive = future.set_running_or_notify_cancel()
            try:
                result = job() if alive else b""
            except Exception as error:
                failure = error
            self._places.release()
            if alive and failure:
                future.set_exception(failure)
            elif alive:
                future.set_result(result)


async def read_body(request: Request, limits: Limits) -> bytes:
    """Read a JSON body, no longer and no slower than the limits allow."""
    kind = request.headers.get("content-type", "")
    if kind != "application/json" and kind.partition(";")[0].strip().lower() != "application/json":
        raise RequestError(
            415, where="Content-Type", wanted="application/json", got=quote(kind, LONGEST_QUOTE),
            next_step="Send the body as JSON and say so in the header.",
        )  # fmt: skip
    length = request.headers.get("content-length", "")
    if length.isdecimal() and (len(length) > 15 or int(length) > limits.body_bytes):
        await _refuse_size(request, limits, more="expect" not in request.headers)
    try:
        async with asyncio.timeout(limits.body_seconds):
            return await _receive_body(request, limits)
    except TimeoutError:
        raise RequestError(
            408, where="body", wanted=f"the whole body within {limits.body_seconds:g} seconds", got="a part of it",
            next_step="Send it again.", headers={"Connection": "close"},
        ) from None  # fmt: skip


async def _receive_body(request: Request, limits: Limits) -> bytes:
    chunks, size = [], 0
    while True:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        chunks.append(message.get("body", b""))
        size += len(chunks[-1])
        more = message.get("more_body", False)
        if size > limits.body_bytes:
            chunks.clear()
            await _refuse_size(request, limits, more)
        if not more:
            return b"".join(chunks)


async def _refuse_size(request: Request, limits: Limits, more: bool) -> None:
    """Refuse a body; first let what is under way pass by for a moment, or the sender would never read the answer."""
    with suppress(TimeoutError):
        async with asyncio.timeout(min(2, limits.body_seconds)):
            while more:
                more = (await request.receive()).get("more_body", False)
    raise RequestError(
        413, where="body", wanted=f"at most {limits.body_bytes:,} bytes", got="more",
        next_step="Send the corpus in parts, or use the command line: bleuprint score.",
        headers={"Connection": "close"},
    )  # fmt: skip


def _busy(got: str, seconds: str) -> RequestError:
    return RequestError(
        503, where="server", wanted="a request that can be computed soon", got=got,
        next_step="Try again later, or use the command line for large corpora: bleuprint score.",
        headers={"Retry-After": seconds},
    )  # fmt: skip
