"""Token ids: rows of integers as texts, without padding."""

from __future__ import annotations

from collections.abc import Sequence

from bleuprint.text.segments import Segments

IdRow = Sequence[int]


def trim_row(row: IdRow, length: int | None = None, *, pad: int | None = None, eos: int | None = None) -> IdRow:
    """Return the ids of a row without padding: the first ``length`` ids, or those within ``pad`` and ``eos``.

    Leading pads are dropped, then the row ends before the first ``eos``, then trailing pads are dropped. A pad in
    between counts. Both may be the same id.

    >>> trim_row([0, 0, 7, 0, 8, 0, 2, 9], pad=0, eos=2)
    [7, 0, 8]
    >>> trim_row([2, 2, 7, 8, 2, 2], pad=2, eos=2)
    [7, 8]
    """
    if length is not None:
        return row[:length]
    first, last = 0, len(row)
    while pad is not None and first < last and row[first] == pad:
        first += 1
    if eos is not None:
        last = next((index for index in range(first, last) if row[index] == eos), last)
    while pad is not None and last > first and row[last - 1] == pad:
        last -= 1
    return row[first:last]


def segments_of_ids(candidates: Sequence[IdRow], references: Sequence[Sequence[IdRow]], sharing: int = 1) -> Segments:
    """Pair rows of ids; ``sharing`` consecutive candidates share each entry of references."""
    texts: list[Sequence[int]] = [tuple(row) for row in candidates]
    entries = [tuple(tuple(row) for row in rows) for rows in references for _ in range(sharing)]
    return Segments(list(texts), list(entries))


def pairs_of_ids(texts: Sequence[IdRow], group: int) -> Segments:
    """Pair every row with every row of its group, including itself, as its only reference."""
    rows = [tuple(row) for row in texts]
    groups = [rows[first : first + group] for first in range(0, len(rows), group)]
    pairs = [(row, (other,)) for group in groups for row in group for other in group]
    return Segments([row for row, _ in pairs], [other for _, other in pairs])
