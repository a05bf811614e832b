"""A note: one remark on a score, as data."""

from typing import NamedTuple

from bleuprint.text.faults import Faults
from bleuprint.wording import count_of


class Note(NamedTuple):
    """One remark on a score: a code to test for, and a sentence to read."""

    code: str
    text: str

    def __str__(self) -> str:
        return self.text


def note_skipped(skipped: Faults) -> list[Note]:
    """Say what was left out of the data, and why."""
    if not skipped:
        return []
    return [Note("skipped-rows", f"{count_of(skipped.total, 'malformed row')} left out: {skipped}")]
