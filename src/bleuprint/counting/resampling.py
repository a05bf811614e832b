"""Resampling: which segments a bootstrap draws and which coins a randomisation flips, from a seed.

The generator is SplitMix64 (Steele, Lea and Flood 2014) used by counting: every resample has a key of its own, and its
words follow from key and position alone. So the samples do not depend on the machine, on the number of threads or on
which resample is computed first. ``docs/comparing.md`` specifies it in five lines, for other programs to repeat.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import compress

from bleuprint.counting.rows import StatsTable

MASK = (1 << 64) - 1
GAMMA = 0x9E3779B97F4A7C15
BOOTSTRAP, RANDOMISATION, EXERCISES = 1, 2, 3
"""The purposes of streams: tests and exercises share seeds, but must not share random numbers."""
MOST_SEGMENTS = (1 << 32) - 1


def mix(word: int) -> int:
    """Scramble 64 bits: SplitMix64's last step."""
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB & MASK
    return word ^ (word >> 31)


def make_key(seed: int, purpose: int, number: int) -> int:
    """Return the key of a resample; resamples are numbered from 0."""
    return mix((mix((seed + purpose * GAMMA) & MASK) + (number + 1) * GAMMA) & MASK)


def draw_words(key: int) -> Iterator[int]:
    """Yield words of 64 random bits without end."""
    while True:
        key = (key + GAMMA) & MASK
        yield mix(key)


def draw_indices(size: int, key: int) -> list[int]:
    """Draw ``size`` of ``size`` segments with replacement, each equally likely.

    Words are cut in halves, the lower one first. A half x of 32 bits gives the index x·size / 2³², rounded down, but is
    thrown away where that would favour some index (Lemire 2019).
    """
    unfair = (1 << 32) % size
    indices: list[int] = []
    for word in draw_words(key):
        for half in (word & 0xFFFFFFFF, word >> 32):
            product = half * size
            if product & 0xFFFFFFFF >= unfair:
                indices.append(product >> 32)
                if len(indices) == size:
                    return indices
    raise AssertionError("words never end")


def flip_coins(size: int, key: int) -> list[int]:
    """Flip a coin for each segment: bit i of a word is the coin of its i-th segment, from the lowest bit on."""
    coins: list[int] = []
    for word in draw_words(key):
        coins += [word >> bit & 1 for bit in range(64)]
        if len(coins) >= size:
            break
    return coins[:size]


class PackedRows:
    """Rows of several tables side by side, each as one big number, because Python adds those fastest.

    Every column has room for the sum of all segments, so columns never run into each other. A negative number borrows
    from the next column; ``unpack`` lifts all columns above 0 before it takes them apart.
    """

    def __init__(self, tables: Sequence[StatsTable]) -> None:
        self.size: int = len(tables[0])
        self._widths = [table.width for table in tables]
        self._bits = 64 + self.size.bit_length()
        self._lift = self._pack([1 << self._bits - 1] * sum(self._widths))
        self.rows: list[int] = [
            self._pack(number for table in tables for number in table.row(place)) for place in range(self.size)
        ]

    def _pack(self, numbers: Iterable[int]) -> int:
        return sum(number << place * self._bits for place, number in enumerate(numbers))

    def unpack(self, packed: int) -> list[tuple[int, ...]]:
        """Take a sum apart again: a row for each table."""
        half, numbers = 1 << self._bits - 1, []
        packed += self._lift
        for place in range(sum(self._widths)):
            numbers.append((packed >> place * self._bits & 2 * half - 1) - half)
        rows, start = [], 0
        for width in self._widths:
            rows.append(tuple(numbers[start : start + width]))
            start += width
        return rows


def bootstrap_sums(
    tables: Sequence[StatsTable], seed: int, resamples: int, start: int = 0
) -> Iterator[list[tuple[int, ...]]]:
    """Sum the drawn segments: for every resample, from number ``start`` on, a row per table, all from the same draw.

    >>> from bleuprint.metrics.bleu.counting import bleu_layout
    >>> table = StatsTable(bleu_layout(1), [5, 6, 3, 5, 1, 1, 1, 1])
    >>> list(bootstrap_sums([table], seed=12345, resamples=3))
    [[(2, 2, 2, 2)], [(10, 12, 6, 10)], [(6, 7, 4, 6)]]
    """
    packed = PackedRows(tables)
    for number in range(start, start + resamples):
        drawn = draw_indices(packed.size, make_key(seed, BOOTSTRAP, number))
        yield packed.unpack(sum(map(packed.rows.__getitem__, drawn)))


def swap_sums(
    first: StatsTable, second: StatsTable, seed: int, trials: int, start: int = 0
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Sum both systems after swapping rows where a coin says so: for every trial, from number ``start`` on, a row each.

    >>> from bleuprint.metrics.bleu.counting import bleu_layout
    >>> first = StatsTable(bleu_layout(1), [5, 6, 3, 5, 1, 1, 1, 1])
    >>> second = StatsTable(bleu_layout(1), [6, 6, 6, 6, 2, 1, 0, 2])
    >>> list(swap_sums(first, second, seed=12345, trials=2))
    [((8, 7, 6, 8), (6, 7, 4, 6)), ((7, 7, 3, 7), (7, 7, 7, 7))]
    """
    packed, turned = PackedRows([first, second]), PackedRows([second, first])
    whole, changes = sum(packed.rows), [after - before for before, after in zip(packed.rows, turned.rows, strict=True)]
    for number in range(start, start + trials):
        coins = flip_coins(packed.size, make_key(seed, RANDOMISATION, number))
        one, other = packed.unpack(whole + sum(compress(changes, coins)))
        yield one, other
