"""All code points that a text can hold, plane by plane."""

from collections.abc import Iterable, Iterator

import pytest

WITH_CHARACTERS = (0, 1, 2, 3, 14)
"""The planes of Unicode that have characters."""
WITHOUT = tuple(plane for plane in range(17) if plane not in WITH_CHARACTERS)
"""Unassigned, or for private use: every code point of them is treated alike."""
PLANES = [
    pytest.param(WITH_CHARACTERS, id="with characters"),
    pytest.param(WITHOUT, id="without", marks=pytest.mark.matrix),
]


def code_points(planes: Iterable[int]) -> Iterator[list[str]]:
    """Give the code points of planes, but for surrogates, at most 4096 at a time."""
    for plane in planes:
        for start in range(plane * 0x10000, (plane + 1) * 0x10000, 4096):
            yield [chr(code) for code in range(start, start + 4096) if not 0xD800 <= code < 0xE000]
