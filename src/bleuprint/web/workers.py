"""A small pool of processes with a bounded queue.

``concurrent.futures`` cannot stop one task. Here, work that takes too long, or whose client has left, ends with its
process. The next request starts a new one.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from bleuprint.web.answers import EncodedAnswer, busy
from bleuprint.web.limits import ServerLimits

Work = Callable[[str, bytes], EncodedAnswer]
"""A function of a module, so that a process can import it."""
_Worker = tuple[BaseProcess, Connection]

_HAS_FORKSERVER = "forkserver" in multiprocessing.get_all_start_methods()
"""A fork server has imported everything, so that a new process starts within milliseconds."""
_PROCESSES = multiprocessing.get_context("forkserver") if _HAS_FORKSERVER else multiprocessing.get_context("spawn")


class Workers:
    """Computes answers in processes, a limited number at a time."""

    def __init__(self, limits: ServerLimits, work: Work) -> None:
        self._limits, self._work = limits, work
        self._turns = asyncio.Semaphore(limits.workers)
        self._requests = 0
        self._idle: list[_Worker] = []
        if _HAS_FORKSERVER:
            from multiprocessing.forkserver import ensure_running

            multiprocessing.set_forkserver_preload([work.__module__, __name__])
            ensure_running()

    async def run(self, name: str, body: bytes) -> EncodedAnswer:
        """Compute an answer. Too many requests, or one that takes too long, raise an error; cancel to end the work."""
        if self._requests >= self._limits.workers + self._limits.waiting:
            raise busy("Too many requests are waiting.", 1)
        self._requests += 1
        try:
            async with asyncio.timeout(self._limits.compute_seconds), self._turns:
                return await self._compute(name, body)
        except TimeoutError:
            raise busy(f"Computing this takes longer than {self._limits.compute_seconds:g} seconds.", 10) from None
        finally:
            self._requests -= 1

    async def _compute(self, name: str, body: bytes) -> EncodedAnswer:
        process, connection = worker = self._find_worker()

        def send_and_receive() -> EncodedAnswer:
            connection.send((name, body))
            answer: EncodedAnswer = connection.recv()
            return answer

        try:
            answer = await asyncio.to_thread(send_and_receive)
        except BaseException as error:  # the time is over, the client has left, or the process has ended
            process.kill()
            if not isinstance(error, EOFError | OSError):
                raise
            raise busy("The computation was ended before it was done.", 10) from None
        self._idle.append(worker)
        return answer

    def _find_worker(self) -> _Worker:
        while self._idle:
            worker = self._idle.pop()
            if worker[0].is_alive():
                return worker
        connection, other = _PROCESSES.Pipe()
        arguments = other, self._work, self._limits.worker_bytes
        process: BaseProcess = _PROCESSES.Process(target=_serve, args=arguments, daemon=True)
        process.start()
        other.close()
        return process, connection


def _serve(connection: Connection, work: Work, most_bytes: int) -> None:
    """Answer one request after the other, in a process of the pool."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends its workers
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _limit_memory(most_bytes)
    with suppress(EOFError, OSError):
        while True:
            connection.send(work(*connection.recv()))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


def _limit_memory(most_bytes: int) -> None:
    """Let the system refuse more memory (Linux): a MemoryError is better than a full machine."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (most_bytes, resource.getrlimit(resource.RLIMIT_DATA)[1]))
