"""The guard around the server: where a request comes from, and what every response must carry."""

from __future__ import annotations

import socket
from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bleuprint.errors import quote
from bleuprint.web.answers import HEADERS, LONGEST_QUOTE, RequestError, describe_failure

LOOPBACK = ("localhost", "127.0.0.1", "::1")
EVERY_ADDRESS = ("0.0.0.0", "::")
_RAW_HEADERS = [(name.lower().encode("ascii"), value.encode("ascii")) for name, value in HEADERS.items()]


class Guard:
    """Around the whole application: checks where a request comes from, and completes every response."""

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
                message["headers"] = [*message["headers"], *_RAW_HEADERS]
            await send(message)

        try:
            self._check(scope)
            return await self._app(scope, receive, complete)
        except ClientDisconnect:
            return None
        except Exception as error:
            if started:
                raise
            return await describe_failure(error).as_response()(scope, receive, complete)

    def _check(self, scope: Scope) -> None:
        """Refuse other Host names (DNS rebinding) and writing requests from other origins."""
        headers = dict(scope["headers"])
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        host = b", ".join(hosts).decode("latin-1")
        name = host.lower() if host.endswith("]") else host.lower().rpartition(":")[0] or host.lower()
        if name not in self._hosts and not (self._any_address and _is_address(name)):
            raise RequestError(
                421, where="Host", wanted="localhost, 127.0.0.1, [::1] or the name that the server was started with",
                got=quote(host, LONGEST_QUOTE), next_step="Use the address that `bleuprint serve` printed.",
            )  # fmt: skip
        origin = headers.get(b"origin")
        if origin is not None and scope["method"] not in ("GET", "HEAD"):
            _check_origin(origin.decode("latin-1"), host)


def _check_origin(origin: str, host: str) -> None:
    try:
        same = urlsplit(origin).netloc.lower() == host.lower()
    except ValueError:
        same = False
    if not same:
        raise RequestError(
            403, where="Origin", wanted="the page of this very server", got=quote(origin, LONGEST_QUOTE),
            next_step="Other sites may not use this server; call it from a program without the header Origin.",
        )  # fmt: skip


def _is_address(name: str) -> bool:
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
