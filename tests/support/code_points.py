"""All code points that a text can hold: those that have others of another kind nearby, and those amid their own."""

import unicodedata
from collections.abc import Iterator
from functools import cache

import pytest

BLOCK = 256
AT_A_TIME = 4096
WITH_CHARACTERS = (0, 1, 2, 3, 14)
"""The planes of Unicode that have characters; all others are unassigned, or for private use."""
PLACES = ["near others", pytest.param("amid their kind", marks=pytest.mark.extended)]


def code_points(place: str) -> Iterator[list[str]]:
    """Give the code points of a place, but for surrogates, at most 4096 at a time."""
    blocks = [start for start in range(0, 0x110000, BLOCK) if (start in _near_others()) == (place == "near others")]
    codes = [code for start in blocks for code in range(start, start + BLOCK) if not 0xD800 <= code < 0xE000]
    for first in range(0, len(codes), AT_A_TIME):
        yield [chr(code) for code in codes[first : first + AT_A_TIME]]


@cache
def _near_others() -> set[int]:
    """Find the blocks that have several kinds, or one that is not that of the blocks before and after them."""
    starts = [start for plane in WITH_CHARACTERS for start in range(plane << 16, (plane + 1) << 16, BLOCK)]
    kinds = {start: _kinds(start) for start in starts}
    return {
        start
        for start, own in kinds.items()
        if len(own) > 1 or not kinds.get(start - BLOCK, own) == own == kinds.get(start + BLOCK, own)
    }


def _kinds(start: int) -> set[tuple[str, str]]:
    """List the classes of a block's characters, with the script of the first and of the last one."""
    characters = [chr(code) for code in range(start, start + BLOCK)]
    scripts = [unicodedata.name(end, "").partition(" ")[0] for end in (characters[0], characters[-1])]
    return {(unicodedata.category(character), script) for character in characters for script in scripts}
