"""Counting for sacreBLEU's metrics: references that are kept, and when the engine may count.

A metric is the drop-in's or sacreBLEU's own, which is accelerated. A module for each metric defines how its rows of
statistics are laid out, and which of its settings the engine supports.
"""

from __future__ import annotations

import copy
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from itertools import chain, islice
from typing import Any, ClassVar, NamedTuple

from bleuprint.counting.layout import Layout
from bleuprint.counting.rows import StatsTable
from bleuprint.engines import find_engine
from bleuprint.text.segments import Segments, are_plain

Row = list[Any]
Entries = list[tuple[Any, ...]]
"""The references of each segment."""
Change = Callable[[str], str]
PREPARING = "_preprocess_segment"
STEPS = ("_cache_references", "_extract_corpus_statistics", "_aggregate_and_compute")
"""The methods of a metric that the engine's take the place of."""
MANY = 100
"""sacreBLEU warns of so many candidates that end in a full stop with a space before it: they look tokenized."""


def has_own(metric: Any, names: Sequence[str], methods: Mapping[str, Any]) -> bool:
    """Whether these methods of a metric are the tool's own: not of a subclass, not put into class or object."""
    kind, inside = type(metric), vars(metric)
    return all(getattr(kind, name, None) is methods[name] and name not in inside for name in names)


def map_texts(change: Change, entries: Entries) -> Entries:
    """Change every reference of every segment."""
    return [tuple(map(change, own)) for own in entries]


def list_texts(entries: Entries) -> list[Any]:
    """Return the references of all segments in one list."""
    return list(chain.from_iterable(entries))


def drop_missing(entries: Sequence[tuple[Any, ...]]) -> Entries:
    """Leave out the references that are None."""
    return [tuple(text for text in entry if text is not None) if None in entry else entry for entry in entries]


def number_of_references(entries: Sequence[tuple[Any, ...]]) -> int:
    """Give the number of references that every segment has, or -1 where it varies."""
    numbers = set(map(len, entries))
    return numbers.pop() if len(numbers) == 1 else -1


def sum_rows(rows: Any) -> Row | None:
    """Add rows of whole numbers; None where they are of anything else, which may round, or of different lengths."""
    if type(rows) is not list or len(rows) < 2:
        return None
    try:
        sums = list(map(sum, zip(*rows, strict=True)))
    except (TypeError, ValueError):
        return None
    return sums if sums and all(type(number) is int for number in sums) else None


class Plan(NamedTuple):
    """How the engine counts under the settings of a metric."""

    layout: Layout[Any]
    change: Change | None
    """what ``_preprocess_segment`` does, except for white space; None if the metric itself has to do it"""


class KeptReferences(Sequence[Any]):
    """The reference side, one entry per segment, that many candidates may be counted against.

    References are prepared with the settings of the moment in which they were given, candidates with those of the
    moment in which they are scored. Code that reads the entries finds what sacreBLEU puts there.
    """

    def __init__(self, metric: Any, entries: Entries, layout: Layout[Any]) -> None:
        self.then: Any = copy.copy(metric)
        self.entries: Entries = entries
        self.layout: Layout[Any] = layout
        self.texts: Entries = entries
        """what the engine counts with: the prepared references, up to white space"""
        self.is_plain: bool = True
        """whether the engine can read ``texts``"""
        self._lines: Entries | None = None
        self._prepared: Any = None

    def __len__(self) -> int:
        return len(self.entries)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[position] for position in range(len(self))[index]]
        return self.then._extract_reference_info(list(self.lines()[index]))

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_prepared": None}

    def lines(self) -> Entries:
        """Return the references as the metric prepares them."""
        if self._lines is None:
            self._lines = map_texts(self.then._preprocess_segment, self.entries)
        return self._lines

    def count_texts(self, texts: list[Any], *, keep: bool) -> StatsTable[Any]:
        """Count candidates, at most as many as there are entries; ``keep`` prepares the references for the next."""
        if not keep or len(texts) != len(self):
            return find_engine().count(Segments(texts, self.texts[: len(texts)]), self.layout)
        self._prepared = self._prepared or find_engine().prepare(self.texts, self.layout)
        counted: StatsTable[Any] = self._prepared.count(texts)
        return counted


class MetricCounts(ABC):
    """How the engine counts for a metric, unless a subclass or an object overrides a method that counts."""

    COUNTING: ClassVar[tuple[str, ...]]
    """The methods that count. The engine does not replace them if one of them is overridden."""
    SCORING: ClassVar[tuple[str, ...]]
    """The methods that compute a score from statistics."""
    MOST_REFERENCES: ClassVar[float] = math.inf
    """The most references of a segment with which the engine computes the tool's numbers."""
    PREPARES_TWICE: ClassVar[bool] = False
    """Whether the tool prepares references twice, and candidates once."""

    def __init__(self, kind: Any) -> None:
        self.own: dict[str, Any] = {name: getattr(kind, name) for name in (PREPARING, *self.COUNTING, *self.SCORING)}
        """The methods as the tool has them."""

    def counts_itself(self, metric: Any) -> bool:
        """Whether a metric counts as the tool does, and so as the engine does."""
        return has_own(metric, self.COUNTING, self.own)

    def scores_itself(self, metric: Any) -> bool:
        """Whether a metric computes scores from statistics as the tool does, with settings that are known here."""
        return has_own(metric, self.SCORING, self.own) and self.find_plan(metric) is not None

    def keep(self, metric: Any, rows: list[tuple[Any, ...]]) -> KeptReferences | None:
        """Keep the references of every segment and set their number in the metric; None if the engine cannot count."""
        entries = drop_missing(rows)
        if not self.counts_itself(metric) or not all(entries) or not are_plain(list_texts(entries)):
            return None
        plan = self.find_plan(metric)
        if plan is None or max(map(len, entries), default=0) > self.MOST_REFERENCES:
            return None
        metric.num_refs = number_of_references(entries)
        kept = KeptReferences(metric, entries, plan.layout)
        if plan.change is None:
            lines = kept.lines()
            kept.texts = map_texts(metric._preprocess_segment, lines) if self.PREPARES_TWICE else lines
            kept.is_plain = are_plain(list_texts(kept.texts))
        elif plan.change is not str:
            kept.texts = map_texts(plan.change, entries)
        return kept

    def count(self, metric: Any, hypotheses: Any, side: Any) -> tuple[list[Any], list[Row]] | None:
        """Count candidates, and return them with their rows; None if the metric has to do it itself."""
        texts = list(islice(hypotheses, len(side))) if isinstance(side, KeptReferences) else []
        if not texts or not are_plain(texts) or not self.counts_itself(metric):
            return None
        plan = self.find_plan(metric)
        if plan is None or plan.layout != side.layout:  # settings changed since the references were given
            return None
        changed = texts if plan.change is str else list(map(plan.change or metric._preprocess_segment, texts))
        if not side.is_plain or not are_plain(changed):
            return texts, [metric._compute_segment_statistics(text, own) for text, own in zip(changed, side)]
        table = side.count_texts(changed, keep=side is metric._ref_cache)
        return texts, self.as_rows(table.numbers.tolist(), plan.layout)

    def find_change(self, metric: Any, *, lowers: bool) -> Change | None:
        """Return what ``_preprocess_segment`` does to the case of a text; None if it is overridden."""
        if not has_own(metric, (PREPARING,), self.own):
            return None
        return str.lower if lowers else str

    def count_sentence(self, metric: Any, candidate: Any, references: Any) -> Row | None:
        """Optional hook: count a single segment faster; its references are streams of one text."""
        return None

    @abstractmethod
    def find_plan(self, metric: Any) -> Plan | None:
        """Return how the engine counts under the metric's settings; None if it cannot."""

    @abstractmethod
    def as_rows(self, numbers: list[int], layout: Layout[Any]) -> list[Row]:
        """Lay out the numbers of a table as the tool does."""

    @abstractmethod
    def score_sums(self, sums: Any, metric: Any) -> list[Any]:
        """Score every row of sums, as the metric would one by one, to the last bit."""


class _Cached:
    """References that are cached already, on their way through the tool's code.

    If another thread restores the tool meanwhile, its own code reads them as streams and caches them again.
    """

    def __init__(self, entries: Any, streams: Any) -> None:
        self.entries, self._streams = entries, streams

    def __iter__(self) -> Iterator[Any]:
        return iter(self._streams)


def _warn(metric: Any, extract: Callable[..., Any]) -> None:
    """Run the tool's loop over texts that are only endings, so that it warns of tokenized candidates."""
    nothing = copy.copy(metric)
    nothing._ref_cache, nothing._preprocess_segment = [None] * MANY, str
    nothing._compute_segment_statistics = lambda text, references: None
    extract(nothing, [" ."] * MANY, None)


def make_steps(counts: MetricCounts, kind: Any) -> dict[str, Callable[..., Any]]:
    """Make methods for a class of metrics that let the engine count and add, and fall back to those that it has."""
    cache_theirs, extract_theirs, aggregate_theirs = (getattr(kind, name) for name in STEPS)

    @wraps(cache_theirs)
    def cache_references(self: Any, references: Any) -> Any:
        if isinstance(references, _Cached):
            return references.entries
        rows = list(zip(*references))  # as long as the shortest stream
        kept = counts.keep(self, rows)
        return cache_theirs(self, zip(*rows)) if kept is None else kept

    @wraps(extract_theirs)
    def extract_corpus_statistics(self: Any, hypotheses: Any, references: Any) -> Any:
        if not counts.counts_itself(self):
            return extract_theirs(self, hypotheses, references)
        if references and type(hypotheses) is list and len(hypotheses) == 1:
            row = counts.count_sentence(self, hypotheses[0], references)
            if row is not None:
                return [row]
        if not isinstance(hypotheses, Sequence):
            return extract_theirs(self, hypotheses, references)
        side = self._cache_references(references) if references else self._ref_cache
        counted = counts.count(self, hypotheses, side)
        if counted is None:
            return extract_theirs(self, hypotheses, _Cached(side, references) if references else references)
        texts, rows = counted
        if not self._force and sum(1 for text in texts if text.endswith(" .")) >= MANY:
            _warn(self, extract_theirs)
        return rows

    @wraps(aggregate_theirs)
    def aggregate_and_compute(self: Any, stats: Any) -> Any:
        sums = sum_rows(stats)
        return aggregate_theirs(self, stats) if sums is None else self._compute_score_from_stats(sums)

    made: tuple[Callable[..., Any], ...] = (cache_references, extract_corpus_statistics, aggregate_and_compute)
    steps = dict(zip(STEPS, made, strict=True))
    counts.own |= steps
    return steps
