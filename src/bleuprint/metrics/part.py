"""A part: one of the numbers that a score is made of, as grids show it beside the score."""

from typing import NamedTuple


class Part(NamedTuple):
    """A title, the number as it is printed, and what it is of a whole, for a bar."""

    title: str
    text: str
    share: float | None = None
