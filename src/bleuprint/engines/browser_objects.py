"""What the browser's kernel settles once, and what is asked of it then: formulas, chrF's and TER's counting."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bleuprint.engines.browser_memory import Room, check_size
from bleuprint.engines.native_metric import BeyondKernelError, cased
from bleuprint.text.segments import Segments

if TYPE_CHECKING:
    from bleuprint.engines.browser_kernel import BrowserKernel

TER_WIDTH = 6
"""How many numbers a row of TER has."""


def bleu_width(order: int) -> int:
    """Say how many numbers a row of BLEU has."""
    return 2 + 2 * order


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

    def count_lowered(
        self,
        candidates: list[str],
        references: list[tuple[str, ...]],
        ascii_alone: bool,
        numbers: memoryview,
        threads: int,
    ) -> None:
        """Lower texts, and count them."""
        self.count(*lowered(candidates, references, ascii_alone), numbers, threads)

    def count_arrow(self, *columns: Any) -> list[tuple[int, int]]:
        """Leave Arrow's memory to others."""
        raise BeyondKernelError

    def score(self, candidate: object, references: object) -> None:
        """Single segments are scored step by step."""


def lowered(candidates: list[Any], references: list[Any], ascii_alone: bool) -> tuple[list[Any], list[Any]]:
    """Lower texts here: what letters become only Python knows."""
    return cased(Segments(candidates, references), "lower-ascii" if ascii_alone else "lower")


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
