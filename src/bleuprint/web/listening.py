"""Listening: a port on this machine, and uvicorn behind it until Ctrl-C."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import Callable
from ipaddress import ip_address

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from bleuprint.errors import BleuprintError, quote
from bleuprint.web.answers import HEADERS, RequestError, encode
from bleuprint.web.bridge import describe_error


def open_socket(host: str, port: int) -> socket.socket:
    """Take a port; what the system refuses becomes an error that says what to do."""
    try:
        family, kind, number, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise BleuprintError(
            where="--host", wanted="a name or address of this machine", got=f"{quote(host)} ({error.strerror})",
            next_step="Leave --host away to serve this machine alone.",
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
    """Answer requests until Ctrl-C."""
    sys.setswitchinterval(0.001)  # the loop gets its turn beside computing threads sooner than after 5 ms
    config = uvicorn.Config(
        app, http=_Connection, ws="none", lifespan="off", log_config=None, log_level="critical", access_log=False,
        server_header=False, proxy_headers=False, timeout_graceful_shutdown=1,
    )  # fmt: skip
    try:
        _Server(config, when_ready).run(sockets=[listener])
    except KeyboardInterrupt:
        return


class _Server(uvicorn.Server):
    """uvicorn's server, which also says when it is ready."""

    def __init__(self, config: uvicorn.Config, when_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._when_ready = when_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then say so."""
        await super().startup(sockets)
        self._when_ready()


class _Connection(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """uvicorn's connection (httptools where it is installed), which answers what is not HTTP as any other error."""

    transport: asyncio.Transport

    def send_400_response(self, msg: str) -> None:
        """Refuse bytes that are not HTTP."""
        refusal = RequestError(
            400, where="request", wanted="HTTP/1.1", got="something else", next_step="Use a browser."
        )
        content = encode({"error": describe_error(refusal)})
        headers = {"Content-Type": "application/json", "Content-Length": str(len(content)), "Connection": "close"}
        lines = [f"{name}: {value}\r\n" for name, value in (headers | HEADERS).items()]
        self.transport.write(f"HTTP/1.1 400 Bad Request\r\n{''.join(lines)}\r\n".encode("ascii") + content)
        self.transport.close()
