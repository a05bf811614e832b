"""The kernel as a browser runs it: the functions of ``bleuprint._kernel``, done by its WebAssembly build.

Texts go over as UTF-8, rows of whole numbers come back. What the instance has no function for raises
``BeyondKernelError``, as everything does that the kernel cannot do.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from types import ModuleType
from typing import Any

from bleuprint.engines.browser_memory import Instance, Room, StoppedError, check_size
from bleuprint.engines.browser_objects import (
    TER_WIDTH,
    ChrfInside,
    FormulaInside,
    HeldReferences,
    StepByStep,
    TerInside,
    bleu_width,
    lowered,
)
from bleuprint.engines.native_metric import BeyondKernelError, write_as_numbers
from bleuprint.text.segments import Text

FAILURES: dict[str, type[Exception]] = {"overflow_error": OverflowError, "bad_alloc": MemoryError}
"""What the kernel throws, by the end of its name; anything else tells of a wrong call."""


class MissingFunctionError(BeyondKernelError, AttributeError):
    """The build has no such function."""


class BrowserKernel(ModuleType):
    """Stands where the compiled module would: ``native_kernel`` finds it under the same name."""

    def __init__(self, instance: Instance) -> None:
        super().__init__("bleuprint._kernel")
        self._instance = instance
        self._started = 0

    def __getattr__(self, name: str) -> Any:
        raise MissingFunctionError(name)

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
        """Give every entry as a tuple, where each is a text or a list of texts; else ask to look at each of them."""
        entries = [(entry,) if type(entry) is str else entry for entry in references]
        if any(kind not in (list, tuple) for kind in set(map(type, entries))) or not all(entries):
            return None
        paired: list[tuple[Text, ...]] = [tuple(entry) for entry in entries]  # type: ignore[arg-type]
        return paired if self.are_plain_texts(list(chain.from_iterable(paired))) else None

    class TokenSnapshot:
        """Tokens are handed over as they are."""

        @staticmethod
        def take(candidates: list[object], references: list[object]) -> None:
            """Look at each of them."""

        @staticmethod
        def take_and_sum(candidates: object, references: object, *rules: object) -> None:
            """Go step by step."""

    TokenIds = TokenSnapshot

    def count_one(self, candidate: object, references: object, rule: str, at_least_one: bool, order: int) -> None:
        """Ask for the way that a corpus takes."""

    # Counting and combining BLEU.

    def count_texts(
        self,
        candidates: list[str],
        references: list[tuple[str, ...]],
        tokenizer: str,
        rule: str,
        at_least_one: bool,
        order: int,
        numbers: memoryview,
        threads: int,
    ) -> None:
        """Split and count every segment into its row."""
        with self._room() as room:
            self._count(room, "count_texts", candidates, references, (tokenizer, rule), at_least_one, order, numbers)

    def _count(
        self,
        room: Room,
        function: str,
        candidates: list[str],
        references: list[tuple[str, ...]],
        names: tuple[str, str],
        at_least_one: bool,
        order: int,
        numbers: memoryview,
        *beside: int,
    ) -> None:
        texts, named = room.put_segments(candidates, references), room.put_names(*names)
        rows = room.put(check_size(numbers, len(candidates) * bleu_width(order)))
        self._call(function, *texts, *named, at_least_one, order, rows, *beside)
        room.fetch(rows, numbers)

    def count_lowered(
        self,
        candidates: list[str],
        references: list[tuple[str, ...]],
        ascii_alone: bool,
        tokenizer: str,
        rule: str,
        at_least_one: bool,
        order: int,
        numbers: memoryview,
        threads: int,
    ) -> None:
        """Lower texts, and count them."""
        texts = lowered(candidates, references, ascii_alone)
        self.count_texts(*texts, tokenizer, rule, at_least_one, order, numbers, threads)

    def count_with_plain(
        self,
        candidates: list[str],
        references: list[tuple[str, ...]],
        tokenizer: str,
        rule: str,
        at_least_one: bool,
        order: int,
        numbers: memoryview,
        threads: int,
    ) -> tuple[int, ...]:
        """Do the same, and give the sums of matches without clipping."""
        with self._room() as room:
            plain = room.take(8 * order)
            given = candidates, references, (tokenizer, rule), at_least_one, order, numbers
            self._count(room, "count_with_plain", *given, plain)
            return tuple(room.read_numbers(plain, order))

    def count_tokens(
        self,
        candidates: list[tuple[Any, ...]],
        references: list[tuple[tuple[Any, ...], ...]],
        rule: str,
        at_least_one: bool,
        order: int,
        numbers: memoryview,
        threads: int,
    ) -> None:
        """Count tokens, as numbers with spaces between."""
        texts = write_as_numbers(candidates, references)
        self.count_texts(*texts, "whitespace", rule, at_least_one, order, numbers, threads)

    def Formula(self, *recipe: Any) -> FormulaInside:  # noqa: N802 - the module has a class of this name
        """Settle how counts combine."""
        return FormulaInside(self, *recipe)

    def score_table(self, numbers: memoryview, table_order: int, formula: FormulaInside, scores: array[float]) -> None:
        """Score every row."""
        with self._room() as room:
            given, into = room.put(check_size(numbers, len(scores) * bleu_width(table_order))), room.reserve(scores)
            self._call("score_rows", given, len(scores), table_order, formula.address(), into)
            room.fetch(into, scores)

    def bootstrap(
        self,
        tables: list[memoryview],
        table_order: int,
        formula: FormulaInside,
        seed: int,
        resamples: int,
        scores: array[float],
        threads: int,
    ) -> None:
        """Score every table on every resample."""
        self._resample(
            "bootstrap", tables, bleu_width(table_order), (table_order, formula.address()), seed, resamples, scores
        )

    def randomise(
        self,
        first: memoryview,
        second: memoryview,
        table_order: int,
        formula: FormulaInside,
        seed: int,
        trials: int,
        threshold: float,
        threads: int,
    ) -> int:
        """Count the trials that are as far apart."""
        settled = (table_order, formula.address())
        return self._swap("randomise", first, second, bleu_width(table_order), settled, seed, trials, threshold)

    def pairwise(
        self,
        candidates: list[str],
        references: list[tuple[str, ...]],
        tokenizer: str,
        rule: str,
        at_least_one: bool,
        formula: FormulaInside,
        scores: array[float],
        threads: int,
    ) -> None:
        """Score every candidate against every entry of references."""
        with self._room() as room:
            texts, names, into = (
                room.put_corpus(candidates, references),
                room.put_names(tokenizer, rule),
                room.reserve(check_size(scores, len(candidates) * len(references))),
            )
            self._call("score_pairs", *texts, *names, at_least_one, formula.address(), into)
            room.fetch(into, scores)

    def among_themselves(
        self,
        texts: list[str],
        tokenizer: str,
        rule: str,
        at_least_one: bool,
        formula: FormulaInside,
        scores: array[float],
        threads: int,
    ) -> None:
        """Score every text against all others."""
        with self._room() as room:
            given, names, into = (
                room.put_corpus(texts, [])[:3],
                room.put_names(tokenizer, rule),
                room.reserve(check_size(scores, len(texts))),
            )
            self._call("score_among_themselves", *given, *names, at_least_one, formula.address(), into)
            room.fetch(into, scores)

    def SegmentScorer(self, *recipe: Any) -> StepByStep:  # noqa: N802
        """Single segments are scored step by step."""
        return StepByStep()

    def PreparedReferences(  # noqa: N802
        self, references: list[tuple[str, ...]], tokenizer: str
    ) -> HeldReferences:
        """Keep references for several systems."""
        return HeldReferences(self, references, tokenizer)

    # Rows of any metric.

    def sum_rows(self, numbers: array[int], width: int) -> tuple[int, ...]:
        """Sum every column."""
        sums = array("q", bytes(8 * width))
        with self._room() as room:
            into = room.reserve(sums)
            self._call("sum_rows", room.put(numbers), len(numbers), width, into)
            room.fetch(into, sums)
        return tuple(sums)

    def take_census(self, numbers: array[int], width: int, thresholds: Sequence[tuple[int, int]]) -> tuple[int, ...]:
        """Count the rows below each threshold."""
        census = array("q", bytes(8 * len(thresholds)))
        with self._room() as room:
            pairs, into = room.put(array("q", chain(*thresholds))), room.reserve(census)
            self._call("take_census", room.put(numbers), len(numbers), width, pairs, len(thresholds), into)
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
        with self._room() as room:
            pairs = room.put(array("q", chain(*thresholds)))
            given, places = room.put(numbers), room.put(groups)
            into, census_into = room.put(sums), room.put(census)
            self._call(
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
        self._resample("bootstrap_sums", tables, width, (width,), seed, resamples, sums, (start,))

    def swap_sums(
        self,
        first: memoryview,
        second: memoryview,
        width: int,
        seed: int,
        start: int,
        sums: array[int],
        threads: int,
    ) -> None:
        """Sum the rows of swapped systems."""
        with self._room() as room:
            numbers, into = room.put(first, check_size(second, len(first))), room.reserve(sums)
            trials = len(sums) // width // 2
            self._call("swap_sums", numbers, len(first) // width, width, *_halves(seed), start, trials, into)
            room.fetch(into, sums)

    # chrF and TER.

    def Chrf(self, *counting: Any) -> ChrfInside:  # noqa: N802
        """Settle what decides chrF's rows."""
        return ChrfInside(self, *counting)

    def Ter(  # noqa: N802
        self, shift_references: bool, longest_shift: int, free_empty_candidate: bool
    ) -> TerInside:
        """Settle what decides TER's rows."""
        return TerInside(self, (shift_references, longest_shift, free_empty_candidate))

    def trace_ter(
        self, moved: array[int], staying: array[int], distinct: int, longest_shift: int
    ) -> tuple[int, list[tuple[int, ...]], bytes, int]:
        """Tell how words become others: edits before any shift, shifts, steps, and moves that were tried."""
        with self._room() as room:
            words, others = (room.put(array("I", text)) for text in (moved, staying))
            found = self._call("trace_ter", words, len(moved), others, len(staying), distinct, longest_shift)
            room.adopt(found)
            shifts, steps, left, tried = room.read_numbers(found, 4)
            numbers = room.read_numbers(found + 32, 4 * shifts + steps)
        made = [tuple(numbers[place : place + 4]) for place in range(0, 4 * shifts, 4)]
        return left, made, bytes(list(numbers[4 * shifts :])), tried

    def score_ter(self, numbers: memoryview, scores: array[float]) -> None:
        """Score every row."""
        with self._room() as room:
            given, into = room.put(check_size(numbers, len(scores) * TER_WIDTH)), room.reserve(scores)
            self._call("score_ter_rows", given, len(scores), into)
            room.fetch(into, scores)

    def bootstrap_ter(
        self, tables: list[memoryview], seed: int, resamples: int, scores: array[float], threads: int
    ) -> None:
        """Score every table on every resample."""
        self._resample("bootstrap_ter", tables, TER_WIDTH, (), seed, resamples, scores)

    def randomise_ter(
        self, first: memoryview, second: memoryview, seed: int, trials: int, threshold: float, threads: int
    ) -> int:
        """Count the trials that are as far apart."""
        return self._swap("randomise_ter", first, second, TER_WIDTH, (), seed, trials, threshold)

    # How all of them go over.

    def _call(self, name: str, *arguments: float) -> int:
        try:
            return self._instance.call(name, *arguments)
        except StoppedError as stopped:
            self._started += 1  # and with the instance went what was settled in it
            kind, _, words = str(stopped).partition(" ")
            failure = next((error for end, error in FAILURES.items() if kind.endswith(end)), ValueError)
            raise failure(words or kind) from None

    def _resample(
        self,
        name: str,
        tables: list[memoryview],
        width: int,
        settled: tuple[int, ...],
        seed: int,
        resamples: int,
        into: array[Any],
        start: tuple[int, ...] = (),
    ) -> None:
        with self._room() as room:
            numbers, made = room.put(*tables), room.reserve(into)
            rows = len(tables[0]) // width
            for table in tables:
                check_size(table, rows * width)
            self._call(name, numbers, len(tables), rows, *settled, *_halves(seed), *start, resamples, made)
            room.fetch(made, into)

    def _swap(
        self,
        name: str,
        first: memoryview,
        second: memoryview,
        width: int,
        settled: tuple[int, ...],
        seed: int,
        trials: int,
        threshold: float,
    ) -> int:
        with self._room() as room:
            numbers = room.put(first, check_size(second, len(first)))
            return self._call(name, numbers, len(first) // width, *settled, *_halves(seed), trials, threshold)

    @contextmanager
    def _room(self) -> Iterator[Room]:
        room, started = Room(self._instance), self._started
        try:
            yield room
        finally:
            if started == self._started:
                room.give_back()


def _halves(seed: int) -> tuple[int, int]:
    """Part a 64-bit number: JavaScript's usual ones hold 53."""
    return seed & 0xFFFFFFFF, seed >> 32
