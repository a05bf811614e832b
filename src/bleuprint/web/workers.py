"""Workers: a few processes that compute, each with a thread that waits for it, and a bounded queue before them.

A process can be ended while it computes, whatever it is doing. So work whose answer nobody waits for any more ends, its
memory goes back to the system, and its place is free for the next.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import queue
import signal
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from starlette.requests import ClientDisconnect

from bleuprint.web.answers import Answer, RequestError, busy, describe_failure
from bleuprint.web.limits import ServerLimits

Work = Callable[[str, bytes], Answer]
"""What a process runs; it is found there by its name, so it must be a function of a module."""

_HAS_FORKSERVER = "forkserver" in multiprocessing.get_all_start_methods()
"""Where there is one, a process starts in a moment, from one that has imported everything already."""
_PROCESSES = multiprocessing.get_context("forkserver") if _HAS_FORKSERVER else multiprocessing.get_context("spawn")


class _Job:
    """A request on its way: what is asked, and the process that works on it, if one does."""

    def __init__(self, verb: str, body: bytes) -> None:
        self.verb, self.body = verb, body
        self.answer: Future[Answer] = Future()
        self.was_ended: bool = False
        """whether the process that worked on it was told to end, as nobody waited"""
        self._process: BaseProcess | None = None
        self._is_left = False
        self._lock = threading.Lock()

    def start_on(self, process: BaseProcess) -> bool:
        """Note who works on it; tells whether anybody still waits for the answer."""
        with self._lock:
            self._process = None if self._is_left else process
        return self._process is not None

    def finish(self, answer: Answer) -> None:
        """Hand the answer over."""
        with self._lock:
            self._process = None
            if not self._is_left:
                self.answer.set_result(answer)

    def leave(self) -> None:
        """End the work: nobody waits for the answer."""
        with self._lock:
            self._is_left = True
            if self._process is not None:
                self._process.kill()
                self.was_ended = True


class Workers:
    """Hands requests to processes, and ends those that nobody waits for."""

    def __init__(self, limits: ServerLimits, work: Work) -> None:
        self._limits, self._work = limits, work
        self._places = threading.BoundedSemaphore(limits.workers + limits.waiting)
        self._jobs: queue.SimpleQueue[_Job] = queue.SimpleQueue()
        for number in range(limits.workers):
            name = f"bleuprint-{number}"
            threading.Thread(target=self._serve, args=(number == 0,), name=name, daemon=True).start()

    async def run(self, verb: str, body: bytes, client_leaves: Callable[[], Awaitable[None]]) -> Answer:
        """Compute in a process; refused at once when too many wait, and ended when it takes too long."""
        if not self._places.acquire(blocking=False):
            raise busy("more than it can queue", "1")
        job = _Job(verb, body)
        self._jobs.put(job)
        answer = asyncio.ensure_future(asyncio.wrap_future(job.answer))
        leaving = asyncio.ensure_future(client_leaves())
        try:
            await asyncio.wait(
                (answer, leaving), timeout=self._limits.compute_seconds, return_when=asyncio.FIRST_COMPLETED
            )
            if answer.done():
                return answer.result()
            if leaving.done():
                raise ClientDisconnect
            raise busy(f"one that takes longer than {self._limits.compute_seconds:g} seconds", "10")
        finally:
            leaving.cancel()
            job.leave()
            answer.cancel()

    def _serve(self, at_once: bool) -> None:
        """Wait for jobs, and for the process that works on them; the first process is started before it is needed."""
        worker = _Worker(self._work, self._limits) if at_once else None
        while True:
            job = self._jobs.get()
            try:
                worker = worker if worker and worker.is_alive else _Worker(self._work, self._limits)
                job.finish(worker.do(job))
            except Exception as error:
                job.finish(describe_failure(error))
            if job.was_ended:
                worker = None  # it may look alive for a moment more
            self._places.release()


class _Worker:
    """One process, and the connection to it."""

    def __init__(self, work: Work, limits: ServerLimits) -> None:
        if _HAS_FORKSERVER:
            multiprocessing.set_forkserver_preload([work.__module__, __name__])
        self._connection, other = _PROCESSES.Pipe()
        self._process = _PROCESSES.Process(target=_work_on, args=(other, work, limits.worker_bytes), daemon=True)
        self._process.start()
        other.close()

    @property
    def is_alive(self) -> bool:
        """Whether it can take a job."""
        return self._process.is_alive()

    def do(self, job: _Job) -> Answer:
        """Have a job done; a process that is ended on the way gives a refusal."""
        try:
            if job.start_on(self._process):
                self._connection.send((job.verb, job.body))
                return Answer(*self._connection.recv())
        except (EOFError, OSError):
            self._process.join()
        return describe_failure(
            RequestError(
                503, where="server", wanted="an answer", got="a computation that was ended on the way",
                next_step="Use shorter or fewer texts, or the command line.",
                headers={"Retry-After": "10"},
            )
        )  # fmt: skip


def _work_on(connection: Connection, work: Work, most_bytes: int) -> None:
    """Answer one job after the other; this is what a process runs."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends its workers
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _limit_memory(most_bytes)
    with suppress(EOFError, OSError):
        while True:
            connection.send(tuple(work(*connection.recv())))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


def _limit_memory(most_bytes: int) -> None:
    """Let the system refuse more memory, where it can; then there is a MemoryError instead of a full machine."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (most_bytes, resource.getrlimit(resource.RLIMIT_DATA)[1]))
