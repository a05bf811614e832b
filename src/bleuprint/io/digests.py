"""The SHA-256 of references, which signatures carry.

The public modules, json and hashlib with OpenSSL, take longer to import than to write and hash the references of a set.
Where Python has the parts that they are made of, these are used, as its own ``random`` does; the bytes are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

try:
    from _json import encode_basestring as _quote
except ImportError:
    from json.encoder import encode_basestring as _quote

HASHED_AT_ONCE = 4096
"""So many segments are written out and hashed at a time."""


def hash_references(references: Sequence[Sequence[str]]) -> str:
    """Hash a line for every segment: a JSON list of its references, sorted, without spaces.

    >>> hash_references([["b", "a"], ["c"]])[:16]
    '5d16647e3dd437c9'
    """
    digest = _sha256()()
    for start in range(0, len(references), HASHED_AT_ONCE):
        lines = [
            _quote(texts[0]) if len(texts) == 1 else ",".join(map(_quote, sorted(texts)))
            for texts in references[start : start + HASHED_AT_ONCE]
        ]
        digest.update(("[" + "]\n[".join(lines) + "]\n").encode())
    return str(digest.hexdigest())


def _sha256() -> Callable[[], Any]:
    try:
        from _sha2 import sha256  # type: ignore[import-not-found]  # since Python 3.12
    except ImportError:
        try:
            from _sha256 import sha256  # type: ignore[import-not-found]
        except ImportError:
            from hashlib import sha256
    found: Callable[[], Any] = sha256
    return found
