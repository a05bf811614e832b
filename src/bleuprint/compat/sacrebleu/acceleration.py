"""sacreBLEU with bleuprint's counting, and with thousands of resamples summed and scored at once.

Only these two are replaced, because they take sacreBLEU's time. Its checks, formulas, p-values, messages and output are
its own. A subclass or a tokenizer object with its own preparation prepares, and bleuprint counts. If a method that
counts is overridden, nothing is replaced for that metric.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache, partial, wraps
from importlib import import_module
from importlib.metadata import version
from threading import get_ident
from types import ModuleType, SimpleNamespace
from typing import Any

from bleuprint.compat.sacrebleu.bleu_counts import TOKENIZERS, BleuCounts, name_tokenizers
from bleuprint.compat.sacrebleu.chrf_counts import ChrfCounts
from bleuprint.compat.sacrebleu.counts import MetricCounts, has_own, make_steps
from bleuprint.compat.sacrebleu.resampled_scores import score_lazily
from bleuprint.compat.sacrebleu.resampling import draw_resamples, draw_swaps, seed_name, seed_number
from bleuprint.compat.sacrebleu.ter_counts import TerCounts
from bleuprint.text.tokenizers import unicode_classes
from bleuprint.text.tokenizers.unicode_classes import NUMBER, PUNCTUATION, SYMBOL

Replacement = tuple[Any, str, Callable[..., Any]]
Resample = Callable[[Any], Iterator[Any]]
"""Yields tables of a system's resampled sums, in the order in which sacreBLEU scores them."""
METRICS = ("sacrebleu.metrics.bleu", "sacrebleu.metrics.chrf", "sacrebleu.metrics.ter")
TESTS = "sacrebleu.significance"
_NOTHING = [[0]]
"""The statistics of a corpus of one segment, which sacreBLEU's tests resample in no time."""
_MOST_KEPT = 2**26
"""Draws of up to so many bytes are kept for the next system of a paired test."""


def replacements() -> Iterator[Replacement]:
    """Make the new methods and functions."""
    bleu, chrf, ter = map(import_module, METRICS)
    name = name_tokenizers({bleu._get_tokenizer(theirs): ours for theirs, ours in TOKENIZERS.items()})

    def name_tokenizer(tokenizer: Any) -> str | None:
        found = name(tokenizer)
        return None if found == "intl" and not _has_same_unicode() else found

    counted: dict[type, MetricCounts] = {
        bleu.BLEU: BleuCounts(bleu.BLEU, name_tokenizer),
        chrf.CHRF: ChrfCounts(chrf.CHRF),
        ter.TER: TerCounts(ter.TER, ter.TercomTokenizer),
    }
    for kind, counts in counted.items():
        yield from ((kind, name, step) for name, step in make_steps(counts, kind).items())
    yield from _make_tests(import_module(TESTS), counted)


@cache
def _has_same_unicode() -> bool:
    """Whether the installed ``regex``, which sacreBLEU's intl uses, classifies characters as the kernel does."""
    return f"regex {version('regex')} " in str(unicode_classes.__doc__) or _compare_classes()


def _compare_classes() -> bool:
    """Compare every character; those above the third plane are no numbers, punctuation or symbols."""
    import regex  # type: ignore[import-untyped]

    characters = "".join(map(chr, range(0x40000)))
    return all(
        re.sub(f"[^{ours}]+", "", characters) == regex.sub(rf"\P{{{name}}}+", "", characters)
        for name, ours in zip("NPS", (NUMBER, PUNCTUATION, SYMBOL), strict=True)
    )


class _Replay:
    """A stand-in for a metric in sacreBLEU's paired tests: returns scores that bleuprint computes.

    The tests count, draw, sum and score. Then they compare the scores. With one segment of nothing instead of the
    corpus the first half costs nothing, and the second half runs as it is, on the right scores.
    """

    def __init__(self, scores: Iterator[Any]) -> None:
        self._scores = scores

    def _extract_corpus_statistics(self, hypotheses: Any, references: Any) -> list[list[int]]:
        next(self._scores)
        return _NOTHING

    def _aggregate_and_compute(self, stats: Any) -> Any:
        return SimpleNamespace(score=next(self._scores))

    _compute_score_from_stats = _aggregate_and_compute


def _replay(metric: Any, counts: MetricCounts, corpus: tuple[Any, Any], resample: Resample) -> Iterator[Any]:
    """Count, compute the score, then those of resamples, each when it is asked for: sacreBLEU logs in between."""
    stats = metric._extract_corpus_statistics(*corpus)
    yield None
    yield metric._aggregate_and_compute(stats).score
    for sums in resample(stats):
        yield from counts.score_sums(sums, metric)


def _make_tests(tests: ModuleType, counted: Mapping[type, MetricCounts]) -> Iterator[Replacement]:
    """Make sacreBLEU's resampling functions: the same draws, sums and scores, a thousand resamples at a time."""
    draw_sets, draw_coins = _keep_last(draw_resamples, 8), _keep_last(draw_swaps, 1)
    bootstrap_theirs = tests._bootstrap_resample

    @wraps(bootstrap_theirs)
    def bootstrap_resample(stats: Any, metric: Any, n_samples: int = 1000) -> Any:
        counts = _find_counts(metric, counted)
        if counts is None or not stats:
            return bootstrap_theirs(stats, metric, n_samples)
        sums = draw_sets(seed_number(), len(stats), n_samples).sums(stats)
        return seed_name(), score_lazily(counts.score_sums(sums, metric), sums, metric)

    def bootstrap(n_samples: int, _: int, seed: int | None, baseline: Any, stats: Any) -> Iterator[Any]:
        sets = draw_sets(seed, len(stats), n_samples)
        yield sets.sums(baseline)
        yield sets.sums(stats)

    def randomize(n_samples: int, resamples: int, seed: int | None, baseline: Any, stats: Any) -> Iterator[Any]:
        coins, sets = draw_coins(seed, len(stats), n_samples, resamples)
        yield from coins.sums(baseline, stats)
        if sets:
            yield sets.sums(stats)

    yield tests, "_bootstrap_resample", bootstrap_resample
    yield tests, "_paired_bs_test", _make_test(tests._paired_bs_test, 1000, bootstrap, counted)
    yield tests, "_paired_ar_test", _make_test(tests._paired_ar_test, 10000, randomize, counted)


def _make_test(
    theirs: Callable[..., Any], usual: int, resample: Callable[..., Iterator[Any]], counted: Mapping[type, MetricCounts]
) -> Callable[..., Any]:
    """Make a paired test that resamples sacreBLEU's metrics, and leaves other metrics to sacreBLEU's test."""

    @wraps(theirs)
    def test(
        baseline_info: Any,
        sys_name: str,
        hypotheses: Any,
        references: Any,
        metrics: Any,
        n_samples: int = usual,
        n_ar_confidence: int = -1,
        seed: int | None = None,
    ) -> Any:
        settings, results = (n_samples, n_ar_confidence, seed), {}
        for key, metric in metrics.items():
            baseline, result = baseline_info[key]
            counts = _find_counts(metric, counted)
            if counts and len(baseline) == len(hypotheses):
                scores = _replay(metric, counts, (hypotheses, references), partial(resample, *settings, baseline))
                tested = theirs({key: (_NOTHING, result)}, sys_name, [""], None, {key: _Replay(scores)}, *settings)
            else:
                tested = theirs(baseline_info, sys_name, hypotheses, references, {key: metric}, *settings)
            results.update(tested[1])
        return sys_name, results

    return test


def _find_counts(metric: Any, counted: Mapping[type, MetricCounts]) -> MetricCounts | None:
    """Return who scores resamples as a metric does; None if the metric has somebody else's methods."""
    for kind, counts in counted.items():
        if isinstance(metric, kind):
            own = counts.scores_itself(metric) and has_own(metric, ("_aggregate_and_compute",), counts.own)
            return counts if own else None
    return None


def _keep_last(draw: Callable[..., Any], size_of_each: int) -> Callable[..., Any]:
    """Keep the last draw if it is small and has a seed: all systems of a paired test use the same one."""
    kept = lru_cache(maxsize=1)(draw)

    def draw_or_keep(seed: int | None, size: int, *samples: int) -> Any:
        is_small = seed is not None and size * max(samples) * size_of_each <= _MOST_KEPT
        return (kept if is_small else draw)(seed, size, *samples)

    return draw_or_keep


def samples(candidates: list[str], references: list[list[str]]) -> Iterator[tuple[str, object]]:
    """Compute scores with every metric, tokenizer and smoothing method, and with every test."""
    logger, here = logging.getLogger("sacrebleu"), get_ident()

    def is_from_elsewhere(record: logging.LogRecord) -> bool:
        return record.thread != here

    logger.addFilter(is_from_elsewhere)
    try:
        yield from _sample(candidates, references)
    finally:
        logger.removeFilter(is_from_elsewhere)


def _sample(candidates: list[str], references: list[list[str]]) -> Iterator[tuple[str, object]]:
    bleu, chrf, ter, tests = map(import_module, (*METRICS, TESTS))
    streams: list[Any] = list(zip(*references, strict=True))
    streams[1] = [text if place % 3 else None for place, text in enumerate(streams[1])]
    for tokenize in TOKENIZERS:
        metric = bleu.BLEU(tokenize=tokenize, lowercase=tokenize == "intl")
        yield f"BLEU with {tokenize}", metric.corpus_score(candidates, streams).format(9)
    metrics = [bleu.BLEU(smooth_method=smoothing) for smoothing in ("exp", "floor", "add-k", "none")]
    metrics += [ter.TER(), ter.TER(True, True, True, True), chrf.CHRF(), chrf.CHRF(6, 2, 3, True, True, True)]
    is_repeatable = seed_number() is not None
    for metric in metrics:
        sentence = metric.sentence_score(candidates[0], references[0])
        corpus = metric.corpus_score(candidates[:5], streams, 10 if is_repeatable else 1)
        yield f"{type(metric).__name__} with {metric.get_signature()}", (sentence.format(9), corpus.format(9))
    systems = [("a", candidates[:4]), ("b", candidates[3::-1])]
    for kind in ("bs", "ar") if is_repeatable else ():
        tested = tests.PairedTest(systems, {"BLEU": metrics[0], "TER": metrics[4]}, streams, kind, 10, 10)()
        yield f"PairedTest with {kind}", repr(tested)
