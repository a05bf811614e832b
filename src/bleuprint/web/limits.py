"""What a request, a connection, and all of them together may take."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

_MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """How much may be taken, for how long, and by how many at once."""

    connections: int = 256
    headers: int = 100
    header_bytes: int = 64 * 1024
    header_seconds: float = 10
    """A connection may be silent between requests for as long, too."""
    body_bytes: int = 8 * _MIB
    body_seconds: float = 10
    framing_bytes: int = _MIB
    """What may come with a body without being part of it: sizes of chunks, trailers."""
    bodies_bytes: int = 64 * _MIB
    """All bodies together, until they are answered."""
    answers_bytes: int = 256 * _MIB
    """All answers together, until they are read; a larger one is sent only when no other waits."""
    answer_seconds: float = 60
    workers: int = field(default_factory=lambda: min(4, os.cpu_count() or 1))
    worker_bytes: int = 2048 * _MIB
    """The memory of one worker, where the system can limit it (Linux)."""
    compute_seconds: float = 30
    """From the whole body to the answer, the time in the queue included."""
    waiting: int = 64
    direct_bytes: int = 4096
    """A request smaller than this is scored at once, without a worker: that is faster than handing it over."""
    direct_order: int = 4

    @property
    def request_seconds(self) -> float:
        """The longest time from the first byte of a request to the last byte of its answer."""
        return self.header_seconds + self.body_seconds + self.compute_seconds + self.answer_seconds
