"""The kernel as a browser runs it: the classes and functions of ``bleuprint._kernel``, done by its WebAssembly build.

Texts are handed over as UTF-8, and rows of integers come back. Nothing on the page needs the methods that are left out,
and ``NativeEngine`` falls back to Python for them.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain
from types import ModuleType
from typing import Any

from bleuprint.engines.browser import PageInstance, Room, StoppedError, check_size
from bleuprint.engines.kernel_plans import write_as_numbers
from bleuprint.text.segments import Text
from bleuprint.text.tokenizers import apply_case

FAILURES: dict[str, type[Exception]] = {"overflow_error": OverflowError, "bad_alloc": MemoryError}
"""What the kernel throws, by the end of its name. Everything else means a wrong call."""


class BrowserKernel(ModuleType):
    """Replaces the compiled module: ``native_kernel`` finds it under the same name."""

    def __init__(self, instance: PageInstance) -> None:
        super().__init__("bleuprint._kernel")
        self._instance = instance
        self.started: int = 0
        """the number of instances before this one, in which nothing is left"""

    # What pairs texts; the rest of it is quick enough in Python.

    def are_plain_texts(self, texts: list[object]) -> bool:
        """Whether there is nothing but strings that can be written down; they are looked at together."""
        if any(kind is not str for kind in set(map(type, texts))):
            return False
        try:
            "".join(texts).encode()  # type: ignore[arg-type]
        except UnicodeEncodeError:
            return False
        return True

    def pair_texts(self, references: list[object]) -> list[tuple[Text, ...]] | None:
        """Return every entry as a tuple if each is a text or a list of texts. None means: check them one by one."""
        entries = [(entry,) if type(entry) is str else entry for entry in references]
        if any(kind not in (list, tuple) for kind in set(map(type, entries))) or not all(entries):
            return None
        paired: list[tuple[Text, ...]] = [tuple(entry) for entry in entries]  # type: ignore[arg-type]
        return paired if self.are_plain_texts(list(chain.from_iterable(paired))) else None

    class TokenSnapshot:
        """Tokens are handed over when they are counted."""

        @staticmethod
        def take(candidates: object, references: object) -> None:
            """Return None: each of them must be checked."""

    TokenIds = TokenSnapshot

    def BleuKernel(self, names: Sequence[str], numbers: Sequence[float]) -> BleuInside:  # noqa: N802
        """Make BLEU from a recipe's options."""
        return BleuInside(self, "make_bleu", names, numbers)

    def ChrfKernel(self, names: Sequence[str], numbers: Sequence[float]) -> NgramsInside:  # noqa: N802
        """Make chrF from a recipe's options."""
        return NgramsInside(self, "make_chrf", names, numbers)

    def TerKernel(self, names: Sequence[str], numbers: Sequence[float]) -> TerInside:  # noqa: N802
        """Make TER from a recipe's options."""
        return TerInside(self, "make_ter", names, numbers)

    # Rows of any metric.

    def sum_rows(self, numbers: array[int], width: int) -> tuple[int, ...]:
        """Sum every column."""
        sums = array("q", bytes(8 * width))
        with self.room() as room:
            into = room.reserve(sums)
            self.call("sum_rows", room.put(numbers), len(numbers), width, into)
            room.fetch(into, sums)
        return tuple(sums)

    def take_census(self, numbers: array[int], width: int, thresholds: Sequence[tuple[int, int]]) -> tuple[int, ...]:
        """Count the rows below each threshold."""
        census = array("q", bytes(8 * len(thresholds)))
        with self.room() as room:
            pairs, into = room.put(array("q", chain(*thresholds))), room.reserve(census)
            self.call("take_census", room.put(numbers), len(numbers), width, pairs, len(thresholds), into)
            room.fetch(into, census)
        return tuple(census)

    def sum_groups(
        self,
        numbers: array[int],
        width: int,
        thresholds: Sequence[tuple[int, int]],
        groups: memoryview | array[int],
        sums: memoryview,
        census: array[int],
    ) -> None:
        """Sum the rows of each group, and count what its census asks."""
        if len(numbers) != len(groups) * width:
            raise ValueError("every row needs a group")
        with self.room() as room:
            pairs = room.put(array("q", chain(*thresholds)))
            given, places = room.put(numbers), room.put(groups)
            into, census_into = room.put(sums), room.put(census)
            self.call(
                "sum_groups", given, len(groups), width, pairs, len(thresholds), places, len(sums) // width, into,
                census_into,
            )  # fmt: skip
            room.fetch(into, sums)
            room.fetch(census_into, census)

    def bootstrap_sums(
        self, tables: list[memoryview], width: int, seed: int, start: int, sums: array[int], threads: int
    ) -> None:
        """Sum the rows of resamples."""
        resamples = len(sums) // width // len(tables)
        with self.room() as room:
            given, into = room.put_tables(tables, width), room.reserve(sums)
            self.call("bootstrap_sums", *given, *_halves(seed), start, resamples, into)
            room.fetch(into, sums)

    def swap_sums(
        self, first: memoryview, second: memoryview, width: int, seed: int, start: int, sums: array[int], threads: int
    ) -> None:
        """Sum the rows of swapped systems."""
        trials = len(sums) // width // 2
        with self.room() as room:
            (numbers, _, *size), into = room.put_tables([first, second], width), room.reserve(sums)
            self.call("swap_sums", numbers, *size, *_halves(seed), start, trials, into)
            room.fetch(into, sums)

    # How everything is handed over.

    def call(self, name: str, *arguments: float) -> int:
        """Call a function of the instance, and raise what it throws."""
        try:
            return self._instance.call(name, *arguments)
        except StoppedError as stopped:
            self.started += 1  # everything that was made in the instance is gone
            kind, _, words = str(stopped).partition(" ")
            failure = next((error for end, error in FAILURES.items() if kind.endswith(end)), ValueError)
            raise failure(words or kind) from None

    @contextmanager
    def room(self) -> Iterator[Room]:
        """Lend memory of the instance."""
        room, started = Room(self._instance), self.started
        try:
            yield room
        finally:
            if started == self.started:
                room.give_back()


class MetricInside:
    """A metric that is made in the instance, and again if another instance takes its place."""

    def __init__(self, kernel: BrowserKernel, make: str, names: Sequence[str], numbers: Sequence[float]) -> None:
        self.kernel = kernel
        self._make, self._names, self._numbers = make, names, array("d", numbers)
        self._made = (-1, 0)
        self._width = kernel.call("row_width_of", self.address())

    def address(self) -> int:
        """Return where it is in the instance."""
        started, address = self._made
        if started != self.kernel.started:
            with self.kernel.room() as room:
                names = room.put_bytes(b"".join(name.encode() + b"\0" for name in self._names))
                numbers = room.put(self._numbers)
                address = self.kernel.call(self._make, names, len(self._names), numbers, len(self._numbers))
            self._made = (self.kernel.started, address)
        return address

    def __del__(self) -> None:
        started, address = self._made
        if started == self.kernel.started and not sys.is_finalizing():
            self.kernel.call("drop_metric", address)

    def count(
        self, candidates: list[str], references: list[tuple[str, ...]], case: str, numbers: memoryview, threads: int
    ) -> None:
        """Count every segment into its row. Python changes the case, because only Python has all letters."""
        if case != "mixed":
            lower = partial(apply_case, case=case)
            candidates, references = list(map(lower, candidates)), [tuple(map(lower, texts)) for texts in references]
        with self.kernel.room() as room:
            self._count("count", room, candidates, references, numbers)

    def _count(
        self,
        function: str,
        room: Room,
        candidates: list[str],
        references: list[tuple[str, ...]],
        numbers: memoryview,
        *plain: int,
    ) -> int:
        texts = room.put_segments(candidates, references)
        rows = room.put(check_size(numbers, len(candidates) * self._width))
        found = self.kernel.call(function, self.address(), *texts, rows, *plain)
        room.fetch(rows, numbers)
        return found

    def score_rows(self, numbers: memoryview, width: int, scores: array[float]) -> None:
        """Score every row."""
        with self.kernel.room() as room:
            given, into = room.put(check_size(numbers, len(scores) * width)), room.reserve(scores)
            self.kernel.call("score_rows", self.address(), given, len(scores), width, into)
            room.fetch(into, scores)

    def bootstrap(
        self, tables: list[memoryview], width: int, seed: int, resamples: int, scores: array[float], threads: int
    ) -> None:
        """Score every table on every resample."""
        with self.kernel.room() as room:
            given, into = room.put_tables(tables, width), room.reserve(check_size(scores, len(tables) * resamples))
            self.kernel.call("bootstrap", self.address(), *given, *_halves(seed), resamples, into)
            room.fetch(into, scores)

    def randomise(
        self,
        first: memoryview,
        second: memoryview,
        width: int,
        seed: int,
        trials: int,
        threshold: float,
        threads: int,
    ) -> int:
        """Count the trials in which the systems are at least the threshold apart."""
        with self.kernel.room() as room:
            numbers, _, *size = room.put_tables([first, second], width)
            return self.kernel.call("randomise", self.address(), numbers, *size, *_halves(seed), trials, threshold)


class NgramsInside(MetricInside):
    """A metric of n-grams: BLEU or chrF."""

    def count_with_plain(
        self, candidates: list[str], references: list[tuple[str, ...]], numbers: memoryview, threads: int
    ) -> tuple[int, ...]:
        """Count every segment into its row, and return the sums of matches without clipping."""
        with self.kernel.room() as room:
            plain = room.take(8 * self._width)  # there are fewer orders than columns
            orders = self._count("count_with_plain", room, candidates, references, numbers, plain)
            return tuple(room.read_numbers(plain, orders))


class BleuInside(NgramsInside):
    """BLEU, which counts tokens as well."""

    def count_tokens(
        self,
        candidates: list[tuple[Any, ...]],
        references: list[tuple[tuple[Any, ...], ...]],
        numbers: memoryview,
        threads: int,
    ) -> None:
        """Count tokens as numbers with spaces between them."""
        self.count(*write_as_numbers(candidates, references), "mixed", numbers, threads)


class TerInside(MetricInside):
    """TER, which traces its shifts as well."""

    def trace(
        self, moved: array[int], staying: array[int], distinct: int
    ) -> tuple[int, list[tuple[int, ...]], bytes, int]:
        """Return how words become others: edits before any shift, shifts, steps, and moves that were tried."""
        with self.kernel.room() as room:
            words, others = (room.put(array("I", text)) for text in (moved, staying))
            found = self.kernel.call("trace", self.address(), words, len(moved), others, len(staying), distinct)
            room.adopt(found)
            shifts, steps, left, tried = room.read_numbers(found, 4)
            numbers = room.read_numbers(found + 32, 4 * shifts + steps)
        made = [tuple(numbers[place : place + 4]) for place in range(0, 4 * shifts, 4)]
        return left, made, bytes(list(numbers[4 * shifts :])), tried


def _halves(seed: int) -> tuple[int, int]:
    """Divide a 64-bit number: JavaScript's usual numbers have 53 bits."""
    return seed & 0xFFFFFFFF, seed >> 32
