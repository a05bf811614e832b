"""Listening: a port on this machine, and uvicorn behind it until Ctrl-C, or until the system ends it."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import Callable
from functools import partial
from ipaddress import ip_address
from typing import cast

import uvicorn
from fastapi import FastAPI

from bleuprint.errors import BleuprintError, quote
from bleuprint.web.connections import Connection


def open_socket(host: str, port: int) -> socket.socket:
    """Take a port; what the system refuses becomes an error that says what to do."""
    try:
        family, kind, number, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError) as error:  # UnicodeError: a..b is no name of a host
        reason = getattr(error, "strerror", None) or "no name of a host"
        raise BleuprintError(
            where="--host", wanted="a name or address of this machine", got=f"{quote(host)} ({reason})",
            next_step="Leave --host out to serve this machine alone.",
        ) from None  # fmt: skip
    listener = socket.socket(family, kind, number)
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise BleuprintError(
            where="--port", wanted="a port that can be taken", got=f"{port} on {quote(host)} ({error.strerror})",
            next_step="Give another one, or --port 0 for any that is free.",
        ) from None  # fmt: skip
    return listener


def is_loopback(listener: socket.socket) -> bool:
    """Tell whether only programs on this machine can reach a listening socket."""
    return ip_address(listener.getsockname()[0]).is_loopback


def address_of(listener: socket.socket, host: str) -> str:
    """Give the URL of the page."""
    name = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://{f'[{name}]' if ':' in name else name}:{listener.getsockname()[1]}/"


def serve(listener: socket.socket, app: FastAPI, when_ready: Callable[[], None]) -> None:
    """Answer requests until Ctrl-C, ``kill``, or until the terminal is closed."""
    config = uvicorn.Config(
        app, http=cast(type[asyncio.Protocol], partial(Connection, limits=app.state.limits)), ws="none", lifespan="off",
        log_config=None, log_level="critical", access_log=False, server_header=False, proxy_headers=False,
        timeout_graceful_shutdown=1,
    )  # fmt: skip
    running = _Server(config, when_ready)
    _end_in_order(running)
    try:
        running.run(sockets=[listener])
    except KeyboardInterrupt:
        return


def _end_in_order(running: uvicorn.Server) -> None:
    """Keep signals from ending Python at once: what multiprocessing has in the temporary folder would stay there.

    uvicorn ends its loop at a signal, but hands it on afterwards to whoever was there before, which was the system.
    """
    for name in ("SIGTERM", "SIGHUP", "SIGBREAK"):
        number = getattr(signal, name, None)  # each system has its own
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:  # nohup has SIGHUP ignored
            signal.signal(number, running.handle_exit)


class _Server(uvicorn.Server):
    """uvicorn's server, which also says when it is ready and looks after its connections."""

    def __init__(self, config: uvicorn.Config, when_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._when_ready = when_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then say so."""
        await super().startup(sockets)
        self._when_ready()

    async def on_tick(self, counter: int) -> bool:
        """End the connections that take too long; this is called ten times a second."""
        now = asyncio.get_running_loop().time()
        for connection in list(self.server_state.connections):
            cast(Connection, connection).end_if_overdue(now)
        return await super().on_tick(counter)
