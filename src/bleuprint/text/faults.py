"""Faults: malformed rows, counted by kind, with the locations of the first ones."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from bleuprint.errors import BleuprintError, Location, unknown_name
from bleuprint.values import Value, keep
from bleuprint.wording import count_of, join_words

KINDS = {
    "null-candidate": "a null candidate",
    "broken-candidate": "a candidate that is not UTF-8",
    "broken-reference": "a reference that is not UTF-8",
    "no-reference": "no reference (null, an empty list, or nulls only)",
}
"""The kinds of faults, in the order in which they are checked; a row counts under the first of them."""
CHOICES = ("fail", "skip")
PLACES = 5
"""The number of locations that are kept for each kind."""


class RowFault(NamedTuple):
    """A row that cannot be counted, and the kind of its fault."""

    row: int
    kind: str


class Faults(Value):
    """The number of malformed rows by kind, with the locations of the first ones. They add.

    >>> found = Faults.of([RowFault(3, "null-candidate")], "a.parquet") + Faults.of([RowFault(0, "no-reference")])
    >>> found.total, found.counts["no-reference"], found.places["null-candidate"]
    (2, 1, ('a.parquet, row 3',))
    """

    __match_args__ = ("counts", "places")
    __slots__ = __match_args__
    counts: Mapping[str, int]
    places: Mapping[str, tuple[str, ...]]

    def __init__(
        self, counts: Mapping[str, int] | None = None, places: Mapping[str, tuple[str, ...]] | None = None
    ) -> None:
        keep(self, "counts", {} if counts is None else counts)
        keep(self, "places", {} if places is None else places)

    @classmethod
    def of(cls, rows: Iterable[RowFault], source: str = "", first_row: int = 0) -> "Faults":
        """Count the faults of a batch that begins at this row of its source."""
        counts: dict[str, int] = {}
        places: dict[str, tuple[str, ...]] = {}
        for row, kind in rows:
            counts[kind] = counts.get(kind, 0) + 1
            if counts[kind] <= PLACES:
                places[kind] = (*places.get(kind, ()), name_place(source, first_row + row))
        return cls({kind: counts[kind] for kind in KINDS if kind in counts}, places)

    @property
    def total(self) -> int:
        """The number of rows."""
        return sum(self.counts.values())

    def __bool__(self) -> bool:
        return bool(self.counts)

    def __add__(self, other: "Faults") -> "Faults":
        if not (self and other):
            return self or other
        kinds = [kind for kind in KINDS if kind in self.counts or kind in other.counts]
        return Faults(
            {kind: self.counts.get(kind, 0) + other.counts.get(kind, 0) for kind in kinds},
            {kind: (*self.places.get(kind, ()), *other.places.get(kind, ()))[:PLACES] for kind in kinds},
        )

    def __str__(self) -> str:
        parts = []
        for kind, number in self.counts.items():
            places = list(self.places.get(kind, ()))
            where = "; ".join(places + ["…"] * (number > len(places)))
            parts.append(f"{number:,} with {KINDS[kind]} ({where})")
        return join_words(parts) if parts else "none"

    def to_dict(self) -> dict[str, dict[str, object]]:
        """Return counts and locations as plain data."""
        return {
            kind: {"rows": number, "first": list(self.places.get(kind, ()))} for kind, number in self.counts.items()
        }


NO_FAULTS = Faults()
"""No malformed rows. Code compares with ``is``, so return this value and not an equal one."""


def name_place(source: str, row: int) -> str:
    """Name a row, counted from 0 as Arrow does."""
    return f"{source}, row {row}" if source else f"row {row}"


def check_choice(on_error: object) -> None:
    """Raise an error unless this is a way to treat malformed rows."""
    if on_error not in CHOICES:
        fix = 'Use "fail" to raise an error about malformed rows, or "skip" to leave them out and count them.'
        raise unknown_name("choice", on_error, CHOICES, fix, location=Location("on_error"))


def refuse_faults(found: Faults, where: str, *, may_skip: bool = True) -> None:
    """Raise an error that reports all faults, if there are any; ``may_skip`` if such rows may be skipped."""
    if found:
        leave = ' with `on_error="skip"`' if may_skip else ""
        message = f"There {'is' if found.total == 1 else 'are'} {count_of(found.total, 'malformed row')}: {found}."
        raise BleuprintError(message, f"Correct these rows, or leave them out{leave}.", where=where)
