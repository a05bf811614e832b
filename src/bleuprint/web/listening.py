"""Listening: a port on this machine, and uvicorn behind it until Ctrl-C, or until the system ends it."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from ipaddress import ip_address

import uvicorn
from fastapi import FastAPI

from bleuprint.errors import BleuprintError, quote
from bleuprint.web.limits import ServerLimits


def open_socket(host: str, port: int) -> socket.socket:
    """Open a port, or raise an error that names the fix."""
    try:
        family, kind, number, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError) as error:  # UnicodeError: a..b is no name of a host
        reason = getattr(error, "strerror", None) or "no name of a host"
        message = f"expected a name or address of this machine, got {quote(host)} ({reason})."
        raise BleuprintError(message, "Leave --host out to serve this machine alone.", where="--host") from None
    listener = socket.socket(family, kind, number)
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(128)
    except OSError as error:
        listener.close()
        message = f"Port {port} on {quote(host)} cannot be opened ({error.strerror})."
        raise BleuprintError(message, "Choose another one, or --port 0 for any that is free.", where="--port") from None
    return listener


def is_loopback(listener: socket.socket) -> bool:
    """Return whether only programs on this machine can reach a listening socket."""
    return ip_address(listener.getsockname()[0]).is_loopback


def address_of(listener: socket.socket, host: str) -> str:
    """Return the URL of the page."""
    name = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://{f'[{name}]' if ':' in name else name}:{listener.getsockname()[1]}/"


def serve(listener: socket.socket, app: FastAPI, announce: Callable[[], None]) -> None:
    """Answer requests until Ctrl-C, ``kill``, or until the terminal is closed."""
    limits: ServerLimits = app.state.limits
    server = uvicorn.Server(
        uvicorn.Config(
            app, ws="none", lifespan="off", log_config=None, log_level="critical", access_log=False,
            server_header=False, proxy_headers=False, limit_concurrency=limits.connections,
            timeout_keep_alive=limits.idle_seconds, timeout_graceful_shutdown=1,
        )
    )  # fmt: skip
    # uvicorn ends its loop at a signal and then hands the signal on. The default handler would end Python before
    # multiprocessing removes its files from the temporary folder.
    for name in ("SIGTERM", "SIGHUP", "SIGBREAK"):
        number = getattr(signal, name, None)  # each system has its own
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:  # nohup has SIGHUP ignored
            signal.signal(number, server.handle_exit)
    with suppress(KeyboardInterrupt):
        announce()  # the port is open already: who connects now waits a moment
        server.run(sockets=[listener])
