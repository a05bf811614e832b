"""The kernel as a browser runs it: the functions of ``bleuprint._kernel``, done by its WebAssembly build.

Texts go over as UTF-8, rows of whole numbers come back. What the instance has no function for raises
``BeyondKernelError``, as everything does that the kernel cannot do.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from types import ModuleType
from typing import Any

from bleuprint.engines.browser_memory import Instance, Room, StoppedError, check_size
from bleuprint.engines.native_metric import BeyondKernelError
from bleuprint.text.segments import Text

FAILURES: dict[str, type[Exception]] = {"overflow_error": OverflowError, "bad_alloc": MemoryError}
"""What the kernel throws, by the end of its name; anything else tells of a wrong call."""
TER_WIDTH = 6


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
        """Whether there is nothing but strings that can be written down."""
        return all(map(_is_plain, texts))

    def pair_texts(self, references: list[object]) -> list[tuple[Text, ...]] | None:
        """Look at each of them."""
        return None

    class TokenSnapshot:
        """Tokens are handed over as they are."""

        @staticmethod
        def take(candidates: list[object], references: list[object]) -> None:
            """Look at each of them."""

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
        *,
        clipped: bool = True,
    ) -> None:
        """Split and count every segment into its row."""
        with self._room() as room:
            texts = room.put_segments(candidates, references)
            names = room.put_names(tokenizer, rule)
            rows = room.put(check_size(numbers, len(candidates) * (2 + 2 * order)))
            self._call("count_texts", *texts, *names, at_least_one, clipped, order, rows)
            room.fetch(rows, numbers)

    def count_plain(
        self,
        candidates: list[str],
        references: list[tuple[str, ...]],
        tokenizer: str,
        order: int,
        numbers: memoryview,
        threads: int,
    ) -> None:
        """Count matches without clipping."""
        self.count_texts(candidates, references, tokenizer, "closest", False, order, numbers, threads, clipped=False)

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
        """Count tokens, of which Python says what is equal: each becomes a number, with spaces between."""
        known: dict[object, str] = {}

        def write(tokens: tuple[Any, ...]) -> str:
            return " ".join([known.setdefault(token, str(len(known))) for token in tokens])

        written = [tuple(map(write, texts)) for texts in references]
        self.count_texts(
            list(map(write, candidates)), written, "whitespace", rule, at_least_one, order, numbers, threads
        )

    def Formula(self, *recipe: Any) -> FormulaInside:  # noqa: N802 - the module has a class of this name
        """Settle how counts combine."""
        return FormulaInside(self, *recipe)

    def score_table(self, numbers: memoryview, table_order: int, formula: FormulaInside, scores: array[float]) -> None:
        """Score every row."""
        with self._room() as room:
            given, into = room.put(check_size(numbers, len(scores) * (2 + 2 * table_order))), room.reserve(scores)
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
            "bootstrap", tables, 2 + 2 * table_order, (table_order, formula.address()), seed, resamples, scores
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
        return self._swap("randomise", first, second, 2 + 2 * table_order, settled, seed, trials, threshold)

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


class MadeInside:
    """Something that is made in the instance once, and again when another instance takes its place."""

    make: str
    drop: str

    def __init__(self, kernel: BrowserKernel) -> None:
        self.kernel = kernel
        self._made = (-1, 0)

    def address(self) -> int:
        """Say where it is."""
        started, address = self._made
        if started != self.kernel._started:
            with self.kernel._room() as room:
                address = self.kernel._call(self.make, *self.arguments(room))
            self._made = (self.kernel._started, address)
        return address

    def arguments(self, room: Room) -> Sequence[float]:
        """Say of what it is made."""
        raise NotImplementedError

    def __del__(self) -> None:
        started, address = self._made
        if started == self.kernel._started and not sys.is_finalizing():
            self.kernel._instance.call(self.drop, address)


class FormulaInside(MadeInside):
    """How BLEU's counts combine."""

    make: str = "make_formula"
    drop: str = "drop_formula"

    def __init__(
        self,
        kernel: BrowserKernel,
        weights: Sequence[float],
        smoothing: str,
        value: float,
        absent: str,
        unmatched: str,
        nothing: str,
    ) -> None:
        super().__init__(kernel)
        self._weights, self._value = array("d", weights), value
        self._names = (smoothing, absent, unmatched, nothing)
        self.address()

    def arguments(self, room: Room) -> Sequence[float]:
        """Give weights and names."""
        smoothing, *others = room.put_names(*self._names)
        return (room.put(self._weights), len(self._weights), smoothing, self._value, *others)


class ChrfInside(MadeInside):
    """What decides chrF's rows, and what is done with it."""

    make: str = "make_chrf"
    drop: str = "drop_chrf"

    def __init__(
        self,
        kernel: BrowserKernel,
        char_order: int,
        word_order: int,
        white_space: str,
        candidate_totals: str,
        unmatched_segment: str,
        beta: float,
        averaging: str,
    ) -> None:
        super().__init__(kernel)
        self._orders, self._beta = (char_order, word_order), beta
        self._names = (white_space, candidate_totals, unmatched_segment, averaging)
        self._width = 2 + 3 * (char_order + word_order)
        self.address()

    def arguments(self, room: Room) -> Sequence[float]:
        """Give orders and names."""
        *names, averaging = room.put_names(*self._names)
        return (*self._orders, *names, self._beta, averaging)

    def count(
        self, candidates: list[str], references: list[tuple[str, ...]], numbers: memoryview, threads: int
    ) -> None:
        """Count every segment into its row."""
        with self.kernel._room() as room:
            texts = room.put_segments(candidates, references)
            rows = room.put(check_size(numbers, len(candidates) * self._width))
            self.kernel._call("count_chrf", *texts, self.address(), rows)
            room.fetch(rows, numbers)

    def count_plain(
        self, candidates: list[str], references: list[tuple[str, ...]], numbers: array[int], threads: int
    ) -> None:
        """Count matches without clipping, against the best reference."""
        with self.kernel._room() as room:
            texts = room.put_segments(candidates, references)
            known = room.put(check_size(numbers, len(candidates) * sum(self._orders)))
            self.kernel._call("count_plain_chrf", *texts, self.address(), known)
            room.fetch(known, numbers)

    def count_arrow(self, *columns: Any) -> list[tuple[int, int]]:
        """Leave Arrow's memory to others."""
        raise BeyondKernelError

    def score(self, candidate: object, references: object) -> None:
        """Single segments are scored step by step."""

    def score_rows(self, numbers: memoryview, scores: array[float]) -> None:
        """Score every row."""
        with self.kernel._room() as room:
            given, into = room.put(check_size(numbers, len(scores) * self._width)), room.reserve(scores)
            self.kernel._call("score_chrf_rows", given, len(scores), self.address(), into)
            room.fetch(into, scores)

    def bootstrap(
        self, tables: list[memoryview], seed: int, resamples: int, scores: array[float], threads: int
    ) -> None:
        """Score every table on every resample."""
        self.kernel._resample("bootstrap_chrf", tables, self._width, (self.address(),), seed, resamples, scores)

    def randomise(
        self, first: memoryview, second: memoryview, seed: int, trials: int, threshold: float, threads: int
    ) -> int:
        """Count the trials that are as far apart."""
        settled = (self.address(),)
        return self.kernel._swap("randomise_chrf", first, second, self._width, settled, seed, trials, threshold)

    def score_pairs(
        self, candidates: list[str], references: list[tuple[str, ...]], scores: array[float], threads: int
    ) -> None:
        """Score every candidate against every entry of references."""
        with self.kernel._room() as room:
            texts = room.put_corpus(candidates, references)
            into = room.reserve(check_size(scores, len(candidates) * len(references)))
            self.kernel._call("score_chrf_pairs", *texts, self.address(), into)
            room.fetch(into, scores)

    def score_among_themselves(self, texts: list[str], scores: array[float], threads: int) -> None:
        """Score every text against all others."""
        with self.kernel._room() as room:
            given, into = room.put_corpus(texts, [])[:3], room.reserve(check_size(scores, len(texts)))
            self.kernel._call("score_chrf_among_themselves", *given, self.address(), into)
            room.fetch(into, scores)


class TerInside:
    """What decides TER's rows."""

    def __init__(self, kernel: BrowserKernel, counting: tuple[bool, int, bool]) -> None:
        self._kernel, self._counting = kernel, counting

    def count(
        self, candidates: list[str], references: list[tuple[str, ...]], numbers: memoryview, threads: int
    ) -> None:
        """Count edits and shifts."""
        with self._kernel._room() as room:
            texts = room.put_segments(candidates, references)
            rows = room.put(check_size(numbers, len(candidates) * TER_WIDTH))
            self._kernel._call("count_ter", *texts, *self._counting, rows)
            room.fetch(rows, numbers)

    def count_arrow(self, *columns: Any) -> list[tuple[int, int]]:
        """Leave Arrow's memory to others."""
        raise BeyondKernelError

    def score(self, candidate: object, references: object) -> None:
        """Single segments are scored step by step."""


class StepByStep:
    """Scores no segment at once."""

    def score(self, candidate: object, references: object) -> None:
        """Ask to do it step by step."""


class HeldReferences:
    """References for several systems; splitting them again costs less than keeping them apart would."""

    def __init__(self, kernel: BrowserKernel, references: list[tuple[str, ...]], tokenizer: str) -> None:
        self._kernel, self._references, self._tokenizer = kernel, references, tokenizer

    def count(
        self, candidates: list[str], rule: str, at_least_one: bool, order: int, numbers: memoryview, threads: int
    ) -> None:
        """Count candidate i against the references of segment i."""
        self._kernel.count_texts(
            candidates, self._references, self._tokenizer, rule, at_least_one, order, numbers, threads
        )


def _is_plain(text: object) -> bool:
    if type(text) is not str:
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _halves(seed: int) -> tuple[int, int]:
    """Part a 64-bit number: JavaScript's usual ones hold 53."""
    return seed & 0xFFFFFFFF, seed >> 32
