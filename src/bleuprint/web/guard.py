"""The guard around the server: it checks the origin of requests and adds headers to every response."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bleuprint.errors import quote
from bleuprint.web.answers import HEADERS, RequestError, encode_error

LOOPBACK = ("localhost", "127.0.0.1", "::1")
EVERY_ADDRESS = ("0.0.0.0", "::")
_HOST = re.compile(r"([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::([1-9][0-9]{0,4}))?")
"""A host name, an IPv4 address or an IPv6 address in brackets, and perhaps a port."""
_HIGHEST_PORT = 65535


class Guard:
    """Middleware: checks Host and Origin, adds headers to responses, and turns exceptions into answers."""

    def __init__(self, app: ASGIApp, allowed_hosts: Iterable[str]) -> None:
        self._app = app
        hosts = {host.lower() for host in (*LOOPBACK, *allowed_hosts)}
        self._any_address = not hosts.isdisjoint(EVERY_ADDRESS)  # an address cannot be rebound, only a name can
        if self._any_address:
            hosts.add(socket.gethostname().lower())
        self._hosts = frozenset(f"[{host}]" if ":" in host else host for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, whatever happens."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        started = False

        async def complete(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        try:
            self._check(scope)
            return await self._app(scope, receive, complete)
        except ClientDisconnect:
            return None
        except Exception as error:
            if started:
                raise
            return await encode_error(error).as_response()(scope, receive, complete)

    def _check(self, scope: Scope) -> None:
        """Raise an error for other Host names (DNS rebinding) and for writing requests from other origins."""
        headers = Headers(scope=scope)
        hosts, origins = headers.getlist("host"), headers.getlist("origin")
        name = _read_name(hosts[0]) if len(hosts) == 1 else None
        if name is None or not (name in self._hosts or (self._any_address and _is_address(name))):
            message = f"This server does not answer to {quote(', '.join(hosts))}."
            raise RequestError(421, "Host", message, "Use the address that `bleuprint serve` printed.")
        if scope["method"] in ("GET", "HEAD") or not origins:
            return
        # The port must be the one in Host. Behind a tunnel or a proxy the server listens on another one.
        own = {f"{scheme}://{hosts[0].lower()}" for scheme in ("http", "https")}
        if len(origins) > 1 or origins[0].lower() not in own:
            message = f"Other sites may not use this server, and {quote(', '.join(origins))} is not its own page."
            raise RequestError(403, "Origin", message, "Call it from a program without the header Origin.")


def _read_name(host: str) -> str | None:
    """Return the name or address in a Host header in lower case, or None if the header is malformed."""
    found = _HOST.fullmatch(host.lower())
    return found[1] if found and int(found[2] or 1) <= _HIGHEST_PORT else None


def _is_address(name: str) -> bool:
    try:
        IPv6Address(name[1:-1]) if name.startswith("[") else IPv4Address(name)
    except ValueError:
        return False
    return True
