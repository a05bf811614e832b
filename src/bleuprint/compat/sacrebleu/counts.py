"""What counting for sacreBLEU's metrics has in common: references that are kept, and when the engines may count.

What is said of a metric here holds for the drop-in's and for sacreBLEU's own, which is accelerated. A module for each
metric says how its rows of statistics are laid out, and which of its settings the engines know.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from itertools import chain, islice
from typing import Any, ClassVar

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


def list_texts(entries: Entries) -> list[Any]:
    """Give the references of all segments in a line."""
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


class KeptReferences(Sequence[Any]):
    """The reference side, one entry per segment, that many candidates may be counted against.

    References are prepared with the settings of the moment in which they were given, candidates with those of the
    moment in which they are scored. Whoever looks inside finds what sacreBLEU puts there.
    """

    def __init__(self, metric: Any, entries: Entries) -> None:
        self.then: Any = copy.copy(metric)
        self.entries: Entries = entries
        self.texts: Entries = entries
        """what the engine counts with; the prepared references, up to white space"""
        self.lines: Entries | None = None
        """what the metric makes of the references, where that is not to be had from it later"""
        self.is_plain: bool = True
        """whether the engine can read ``texts``"""
        self._prepared: Any = None

    def __len__(self) -> int:
        return len(self.entries)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[place] for place in range(len(self))[index]]
        return self.then._extract_reference_info(list(self.split()[index]))

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_prepared": None}

    def split(self) -> Entries:
        """Give the references as the metric prepares them."""
        if self.lines is None:
            self.lines = [tuple(map(self.then._preprocess_segment, own)) for own in self.entries]
        return self.lines

    def count_texts(self, texts: list[Any], layout: Layout[Any], *, keep: bool) -> StatsTable[Any]:
        """Count candidates, at most as many as there are entries; ``keep`` what was split, for the next ones."""
        if not keep or len(texts) != len(self):
            return find_engine().count(Segments(texts, self.texts[: len(texts)]), layout)
        if self._prepared is None or self._prepared[0] != layout:
            self._prepared = layout, find_engine().prepare(self.texts, layout)
        counted: StatsTable[Any] = self._prepared[1].count(texts)
        return counted


class MetricCounts(ABC):
    """How the engines count for a metric, and when: where nobody has overridden what they take the place of."""

    COUNTING: ClassVar[tuple[str, ...]]
    """The methods that count: if one is somebody else's, the engines stay out of it."""
    SCORING: ClassVar[tuple[str, ...]]
    """The methods that make a score of statistics."""

    def __init__(self, kind: Any) -> None:
        self.own: dict[str, Any] = {name: getattr(kind, name) for name in (PREPARING, *self.COUNTING, *self.SCORING)}
        """The methods as the tool has them."""

    def counts_itself(self, metric: Any) -> bool:
        """Whether a metric counts as the tool does, and so as the engines do."""
        return has_own(metric, self.COUNTING, self.own)

    def scores_itself(self, metric: Any) -> bool:
        """Whether a metric makes scores of statistics as the tool does, with settings that are known here."""
        return has_own(metric, self.SCORING, self.own)

    def keep(self, metric: Any, rows: list[tuple[Any, ...]]) -> KeptReferences | None:
        """Keep the references of every segment and tell the metric their number; None where the engine cannot."""
        entries = drop_missing(rows)
        if not self.counts_itself(metric) or not all(entries) or not are_plain(list_texts(entries)):
            return None
        metric.num_refs = number_of_references(entries)
        return self.keep_entries(metric, entries)

    def count(self, metric: Any, hypotheses: Any, side: Any) -> tuple[list[Any], list[Row]] | None:
        """Count candidates, and give those with their rows; None where the metric is to do it itself."""
        texts = list(islice(hypotheses, len(side))) if isinstance(side, KeptReferences) else []
        if not texts or not are_plain(texts) or not self.counts_itself(metric):
            return None
        rows = self.count_rows(metric, texts, side, keep=side is metric._ref_cache)
        return None if rows is None else (texts, rows)

    def count_sentence(self, metric: Any, candidate: Any, references: Any) -> Row | None:
        """Count a single segment at once, where there is a shorter way; its references are streams of one text."""
        return None

    def count_each(self, metric: Any, texts: list[Any], side: Any) -> list[Row]:
        """Let the metric count candidates that are prepared."""
        return [metric._compute_segment_statistics(text, own) for text, own in zip(texts, side)]

    @abstractmethod
    def keep_entries(self, metric: Any, entries: Entries) -> KeptReferences | None:
        """Keep references that are plain."""

    @abstractmethod
    def count_rows(self, metric: Any, texts: list[Any], side: Any, *, keep: bool) -> list[Row] | None:
        """Count candidates that are plain."""

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
