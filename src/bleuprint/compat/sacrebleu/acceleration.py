"""sacreBLEU with bleuprint's kernel under it.

Two things take sacreBLEU's time, and only these are replaced: counting, and summing and scoring thousands of
resamples. Its checks, its formula, its p-values, its messages and everything that it prints stay its own code.

Counting has three ways. Where texts, preparation and methods are sacreBLEU's own, the kernel prepares and counts. Where
only the preparation is somebody else's (a subclass, another tokenizer object), that code prepares and the kernel
counts. Where a method that counts was overridden, everything is left to it.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.metadata import version
from types import SimpleNamespace
from typing import Any

from bleuprint.compat.sacrebleu import accelerated_significance as significance
from bleuprint.compat.sacrebleu.bleu_counts import TOKENIZERS, BleuCounts
from bleuprint.compat.sacrebleu.chrf_counts import ChrfCounts
from bleuprint.compat.sacrebleu.counts import MetricCounts, sum_rows
from bleuprint.compat.sacrebleu.ter_counts import TerCounts
from bleuprint.text.tokenizers import unicode_classes
from bleuprint.text.tokenizers.unicode_classes import NUMBER, PUNCTUATION, SYMBOL

MODULES = (
    "sacrebleu.metrics.bleu",
    "sacrebleu.metrics.chrf",
    "sacrebleu.metrics.ter",
    "sacrebleu.significance",
    *(f"sacrebleu.tokenizers.tokenizer_{name}" for name in (*TOKENIZERS, "ter")),
)
_STEPS = ("_cache_references", "_extract_corpus_statistics", "_aggregate_and_compute")
"""The methods of a metric that are replaced."""
_MANY = 100
"""How many candidates must look tokenised before sacreBLEU warns."""

_originals: list[tuple[Any, str, Any]] = []
"""What was replaced: where, by which name, and what stood there (ABSENT where the name was inherited)."""
_ABSENT = object()
_tokenizers: dict[type, tuple[str, Any]] = {}
"""BLEU's tokenizers: the name here, and the method that splits."""


def apply() -> None:
    """Put the kernel under sacreBLEU."""
    bleu, chrf, ter, tests = map(importlib.import_module, MODULES[:4])
    for theirs, ours in TOKENIZERS.items():
        kind = bleu._get_tokenizer(theirs)
        _tokenizers[kind] = (ours, kind.__call__)
    _put_under(bleu.BLEU, BleuCounts(bleu.BLEU, _name_tokenizer))
    _put_under(chrf.CHRF, ChrfCounts(chrf.CHRF))
    _put_under(ter.TER, TerCounts(ter.TER, ter.TercomTokenizer))
    for function in significance.FUNCTIONS:
        significance.theirs[function.__name__] = getattr(tests, function.__name__)
        _replace(tests, function.__name__, function)


def undo() -> None:
    """Put back what stood there."""
    while _originals:
        place, name, original = _originals.pop()
        if original is _ABSENT:
            delattr(place, name)
        else:
            setattr(place, name, original)
    significance.forget()


def _put_under(kind: type, counts: MetricCounts) -> None:
    """Let a metric count by the engines."""
    steps = _make_steps(counts, {name: getattr(kind, name) for name in _STEPS})
    for name, step in steps.items():
        _replace(kind, name, step)
    counts.own |= steps
    significance.accelerated[kind] = counts


def _replace(place: Any, name: str, function: Any) -> None:
    _originals.append((place, name, vars(place).get(name, _ABSENT)))
    setattr(place, name, function)


class _Ready:
    """References that are cached already, on their way through sacreBLEU's own code."""

    def __init__(self, cached: Any) -> None:
        self.cached = cached


def _make_steps(counts: MetricCounts, theirs: Mapping[str, Callable[..., Any]]) -> dict[str, Callable[..., Any]]:
    """Write the steps of a metric anew; ``theirs`` are the ones that it has."""

    def cache_references(self: Any, references: Any) -> Any:
        if isinstance(references, _Ready):
            return references.cached
        rows = list(zip(*references))
        kept = counts.keep(self, rows)
        return theirs["_cache_references"](self, zip(*rows)) if kept is None else kept

    def extract_corpus_statistics(self: Any, hypotheses: Any, references: Any) -> Any:
        original = theirs["_extract_corpus_statistics"]
        if not counts.counts_itself(self) or not isinstance(hypotheses, Sequence):
            return original(self, hypotheses, references)
        if references and len(hypotheses) == 1:
            row = counts.count_sentence(self, hypotheses[0], references)
            if row is not None:
                return [row]
        side = self._cache_references(references) if references else self._ref_cache
        counted = counts.count(self, hypotheses, side)
        if counted is None:
            return original(self, hypotheses, _Ready(side) if references else references)
        texts, rows = counted
        if not self._force and sum(1 for text in texts if text.endswith(" .")) >= _MANY:
            _let_sacrebleu_warn(original)
        return rows

    def aggregate_and_compute(self: Any, stats: Any) -> Any:
        sums = sum_rows(stats)
        return theirs["_aggregate_and_compute"](self, stats) if sums is None else self._compute_score_from_stats(sums)

    return dict(zip(_STEPS, (cache_references, extract_corpus_statistics, aggregate_and_compute), strict=True))


def _let_sacrebleu_warn(extract: Callable[..., Any]) -> None:
    """Run sacreBLEU's own loop over nothing but endings, so that it says what it says of tokenised candidates."""
    nothing = SimpleNamespace(
        _ref_cache=[None] * _MANY,
        _force=False,
        _preprocess_segment=lambda text: text,
        _compute_segment_statistics=lambda text, references: None,
    )
    extract(nothing, [" ."] * _MANY, None)


def _name_tokenizer(tokenizer: Any) -> str | None:
    """Name what the kernel splits with as a tokenizer of sacreBLEU's does; None where it is not one, unchanged."""
    name, method = _tokenizers.get(type(tokenizer), (None, None))
    own = method is type(tokenizer).__call__
    return name if own and (name != "intl" or _has_same_unicode()) else None


@cache
def _has_same_unicode() -> bool:
    """Whether the installed ``regex``, which sacreBLEU's intl asks, classifies characters as the kernel does."""
    return f"regex {version('regex')} " in str(unicode_classes.__doc__) or _compare_classes()


def _compare_classes() -> bool:
    """Compare every character; what lies above the third plane has no numbers, punctuation or symbols."""
    import regex  # type: ignore[import-untyped]

    characters = "".join(map(chr, range(0x40000)))
    return all(
        re.sub(f"[^{ours}]+", "", characters) == regex.sub(rf"\P{{{name}}}+", "", characters)
        for name, ours in zip("NPS", (NUMBER, PUNCTUATION, SYMBOL), strict=True)
    )
