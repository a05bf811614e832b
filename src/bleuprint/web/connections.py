"""Connections: what comes over one before and beside a body, how long each part may take, and how many may be open."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from bleuprint.web.answers import HEADERS, RequestError, busy, describe_failure
from bleuprint.web.limits import ServerLimits


class Connection(HttpToolsProtocol):
    """uvicorn's connection, within limits; what it refuses is answered as any other error.

    One request is answered at a time: if another comes before the answer, the connection is closed after the answer,
    and the client sends it again (RFC 9112, 9.3.2).
    """

    def __init__(self, *arguments: Any, limits: ServerLimits, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._limits = limits
        self._since = self.loop.time()
        """when the part began that goes on now"""
        self._in_head = self._in_body = False
        self._is_deaf = False
        """whether the rest that comes is ignored"""
        self._beside_body = 0
        """bytes of this request that are not its body"""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, unless there are too many."""
        super().connection_made(transport)
        if len(self.connections) > self._limits.connections:
            self._refuse(busy("too many open connections", "1"))

    def data_received(self, data: bytes) -> None:
        """Read what comes, and see that nothing grows without end."""
        if self._is_deaf:
            return
        self._beside_body += len(data)
        super().data_received(data)
        if self._is_deaf:
            return
        most = self._limits.header_bytes + (self._limits.framing_bytes if self._in_body else 0)
        if self._beside_body > most or len(self.headers or ()) > self._limits.headers:
            self._refuse_headers()

    def on_message_begin(self) -> None:
        """Begin a request: from now its headers are waited for."""
        super().on_message_begin()
        if not self._is_answering:
            self._since, self._in_head = self.loop.time(), True

    def on_headers_complete(self) -> None:
        """Answer a request, unless one is being answered or there is too much of it."""
        if self._is_answering:
            self._is_deaf, self.cycle.keep_alive = True, False
        elif len(self.headers) > self._limits.headers:
            self._refuse_headers()
        if self._is_deaf:
            return
        self._since, self._in_head, self._in_body = self.loop.time(), False, True
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Pass on a piece of the body."""
        self._beside_body -= len(body)
        if not self._is_deaf:
            super().on_body(body)

    def on_message_complete(self) -> None:
        """Note that the whole request is there."""
        self._beside_body = 0
        if not self._is_deaf:
            self._in_body = False
            super().on_message_complete()

    def on_response_complete(self) -> None:
        """Wait for the next request, or for the rest of a body that nobody reads."""
        self._since = self.loop.time()
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse bytes that are not HTTP."""
        self._refuse(RequestError(400, where="request", wanted="HTTP/1.1", got="something else",
                                  next_step="Use a browser."))  # fmt: skip

    def end_if_overdue(self, now: float) -> None:
        """Close a connection whose present part takes too long; one that does not even close is cut."""
        limits = self._limits
        if self.transport.is_closing():
            if now - self._since > limits.header_seconds:
                self.transport.abort()
        elif self._is_answering:
            if now - self._since > limits.request_seconds:
                self.transport.abort()
        elif now - self._since > (limits.body_seconds if self._in_body else limits.header_seconds):
            self._end_waiting()

    @property
    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _end_waiting(self) -> None:
        if self._in_head:
            self._refuse(
                RequestError(
                    408, where="request", wanted=f"all headers within {self._limits.header_seconds:g} seconds",
                    got="a part of them", next_step="Send it again.",
                )
            )  # fmt: skip
        else:
            self._since = self.loop.time()
            self.transport.close()

    def _refuse_headers(self) -> None:
        most = f"{self._limits.headers} headers of {self._limits.header_bytes:,} bytes"
        self._refuse(
            RequestError(
                431, where="headers", wanted=f"at most {most}", got="more", next_step="Send fewer and shorter headers."
            )
        )

    def _refuse(self, error: RequestError) -> None:
        """Answer and close; in the middle of another answer nothing can be said, only closed."""
        self._is_deaf = True
        if self.transport.is_closing():
            return
        if self._is_answering and self.cycle.response_started:
            self.transport.abort()
            return
        answer = describe_failure(error)
        headers = {
            "Content-Type": "application/json",
            "Content-Length": str(len(answer.content)),
            "Connection": "close",
            **answer.headers,
            **HEADERS,
        }
        status = f"HTTP/1.1 {answer.status} {HTTPStatus(answer.status).phrase}\r\n"
        lines = [f"{name}: {value}\r\n" for name, value in headers.items()]
        self.transport.write(f"{status}{''.join(lines)}\r\n".encode("ascii") + answer.content)
        self._since = self.loop.time()
        self.transport.close()
