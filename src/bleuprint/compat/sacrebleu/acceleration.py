"""sacreBLEU with bleuprint's kernel under it.

Two things take sacreBLEU's time, and only these are replaced: counting n-grams, and summing and scoring thousands of
resamples. Its checks, its formula, its p-values, its messages and everything that it prints stay its own code.

Counting has three ways. Where text, tokenizer and methods are sacreBLEU's own, the kernel splits and counts. Where only
the splitting is somebody else's (a subclass, another tokenizer object), that code splits and the kernel counts. Where a
method that counts was overridden, everything is left to it.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache, partial
from importlib.metadata import version
from itertools import islice
from types import SimpleNamespace
from typing import Any

from bleuprint.compat.sacrebleu.counts import (
    COUNTING,
    SCORING,
    TOKENIZERS,
    CachedReferences,
    are_plain,
    count_sentence,
    has_own,
    sum_rows,
)
from bleuprint.text.tokenizers import unicode_classes
from bleuprint.text.tokenizers.unicode_classes import NUMBER, PUNCTUATION, SYMBOL

MODULES = (
    "sacrebleu.metrics.bleu",
    "sacrebleu.significance",
    *(f"sacrebleu.tokenizers.tokenizer_{name}" for name in TOKENIZERS),
)
_MANY = 100
"""How many candidates must look tokenised before sacreBLEU warns."""
_NOTHING = [[0]]
"""The statistics of one segment, which stands for a corpus whose resamples are known already."""
_MOST_KEPT = 2**26
"""Up to how many bytes of draws are kept for the next system of a paired test; more are drawn again."""

_originals: list[tuple[Any, str, Any]] = []
"""What was replaced: where, by which name, and what stood there (ABSENT where the name was inherited)."""
_ABSENT = object()
_methods: dict[str, Any] = {}
"""sacreBLEU's own methods, before anything was replaced."""
_tokenizers: dict[type, tuple[str, Any]] = {}
"""Its tokenizers: the name here, and the method that splits."""


def apply() -> None:
    """Put the kernel under sacreBLEU."""
    bleu = importlib.import_module("sacrebleu.metrics.bleu")
    significance = importlib.import_module("sacrebleu.significance")
    replaced = ("_cache_references", "_extract_corpus_statistics", "_aggregate_and_compute")
    for name in ("_preprocess_segment", *COUNTING, *SCORING, *replaced):
        _methods[name] = getattr(bleu.BLEU, name)
    for theirs, ours in TOKENIZERS.items():
        kind = bleu._get_tokenizer(theirs)
        _tokenizers[kind] = (ours, kind.__call__)
    for name in replaced:
        _replace(bleu.BLEU, name)
    for name in ("_bootstrap_resample", "_paired_bs_test", "_paired_ar_test"):
        _methods[name] = getattr(significance, name)
        _replace(significance, name)


def undo() -> None:
    """Put back what stood there."""
    while _originals:
        place, name, original = _originals.pop()
        if original is _ABSENT:
            delattr(place, name)
        else:
            setattr(place, name, original)
    _draw_bootstrap.cache_clear()
    _draw_swaps.cache_clear()


def _replace(place: Any, name: str) -> None:
    """Put this module's function of that name there."""
    _originals.append((place, name, vars(place).get(name, _ABSENT)))
    setattr(place, name, globals()[name])


# Counting


class _Ready:
    """References that are cached already, on their way through sacreBLEU's own code."""

    def __init__(self, cached: Any) -> None:
        self.cached = cached


def _cache_references(self: Any, references: Any) -> Any:
    if isinstance(references, _Ready):
        return references.cached
    rows = list(zip(*references))
    kept = CachedReferences.of(self, rows, _engine_tokenizer(self)) if _counts_itself(self) else None
    return _methods["_cache_references"](self, zip(*rows)) if kept is None else kept


def _extract_corpus_statistics(self: Any, hypotheses: Any, references: Any) -> Any:
    original = _methods["_extract_corpus_statistics"]
    if not _counts_itself(self) or not isinstance(hypotheses, Sequence):
        return original(self, hypotheses, references)
    if references and len(hypotheses) == 1:
        row = count_sentence(self, hypotheses[0], references, _engine_tokenizer(self))
        if row is not None:
            return [row]
    side = self._cache_references(references) if references else self._ref_cache
    texts = list(islice(hypotheses, len(side))) if isinstance(side, CachedReferences) else []
    if not texts or not are_plain(texts):
        return original(self, hypotheses, _Ready(side) if references else references)
    if not self._force and sum(1 for text in texts if text.endswith(" .")) >= _MANY:
        _let_sacrebleu_warn()
    return side.count_rows(self, texts, _engine_tokenizer(self), keep=side is self._ref_cache)


def _aggregate_and_compute(self: Any, stats: Any) -> Any:
    sums = sum_rows(stats)
    return _methods["_aggregate_and_compute"](self, stats) if sums is None else self._compute_score_from_stats(sums)


def _let_sacrebleu_warn() -> None:
    """Run sacreBLEU's own loop over nothing but endings, so that it says what it says of tokenised candidates."""
    nothing = SimpleNamespace(
        _ref_cache=[None] * _MANY,
        _force=False,
        _preprocess_segment=lambda text: text,
        _compute_segment_statistics=lambda text, references: None,
    )
    _methods["_extract_corpus_statistics"](nothing, [" ."] * _MANY, None)


def _counts_itself(metric: Any) -> bool:
    """Whether a metric counts as sacreBLEU does, and so as the kernel does."""
    return has_own(metric, COUNTING, {**_methods, "_cache_references": _cache_references})


def _engine_tokenizer(metric: Any) -> str | None:
    """Name the tokenizer that the kernel can use in place of the metric's own way to split, if it can."""
    tokenizer = metric.tokenizer
    name, method = _tokenizers.get(type(tokenizer), (None, None))
    own = method is type(tokenizer).__call__ and has_own(metric, ("_preprocess_segment",), _methods)
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


# Resampling


class _Replay:
    """A metric that answers sacreBLEU's tests with scores that are known already.

    The tests draw, sum and score; then they estimate and count. With one segment of nothing in place of the corpus the
    first half costs nothing, and the second half runs as it is, on the right scores.
    """

    def __init__(self, count: Callable[[], Any], score: Callable[[Any], Any], resample: Callable[[Any], Any]) -> None:
        self._count, self._score, self._resample = count, score, resample
        self._stats: Any = None
        self._scores: Iterator[Any] | None = None

    def _extract_corpus_statistics(self, hypotheses: Any, references: Any) -> list[list[int]]:
        self._stats = self._count()
        return _NOTHING

    def _aggregate_and_compute(self, stats: Any) -> Any:
        if self._scores is not None:
            return self._compute_score_from_stats(stats)
        score = self._score(self._stats)
        self._scores = iter(self._resample(self._stats))
        return score

    def _compute_score_from_stats(self, stats: Any) -> Any:
        if self._scores is None:
            self._scores = iter(self._resample(None))
        return SimpleNamespace(score=next(self._scores))

    def finish(self) -> None:
        """Make sure that sacreBLEU asked for every score, no more and no less."""
        if self._scores is None or next(self._scores, None) is not None:
            raise AssertionError("sacreBLEU's test asked for other scores than the tested releases do")


def _bootstrap_resample(stats: Any, metric: Any, n_samples: int = 1000) -> Any:
    original = _methods["_bootstrap_resample"]
    if not _resamples(metric) or not stats:
        return original(stats, metric, n_samples)

    from bleuprint.compat.sacrebleu import resampling as resampling

    sums = _draw_bootstrap(resampling.seed_number(), len(stats), n_samples).sums(stats)
    scores = resampling.score_lazily(sums, metric)
    replay = _Replay(list, list, lambda _: scores)
    seed, _ = original(_NOTHING, replay, n_samples)
    replay.finish()
    return seed, scores


def _paired_bs_test(
    baseline_info: Any,
    sys_name: str,
    hypotheses: Any,
    references: Any,
    metrics: Any,
    n_samples: int = 1000,
    n_ar_confidence: int = -1,
    seed: int | None = None,
) -> Any:
    from bleuprint.compat.sacrebleu import resampling as resampling

    def resample(metric: Any, baseline: Any, system: Any) -> list[float]:
        resamples = _draw_bootstrap(seed, len(hypotheses), n_samples)
        return [score for stats in (baseline, system) for score in resampling.score_sums(resamples.sums(stats), metric)]

    settings = (n_samples, n_ar_confidence, seed)
    return _test("_paired_bs_test", resample, baseline_info, sys_name, hypotheses, references, metrics, settings)


def _paired_ar_test(
    baseline_info: Any,
    sys_name: str,
    hypotheses: Any,
    references: Any,
    metrics: Any,
    n_samples: int = 10000,
    n_ar_confidence: int = -1,
    seed: int | None = None,
) -> Any:
    from bleuprint.compat.sacrebleu import resampling as resampling

    def resample(metric: Any, baseline: Any, system: Any) -> list[float]:
        swaps, resamples = _draw_swaps(seed, len(hypotheses), n_samples, n_ar_confidence)
        sums: list[Any] = [*swaps.sums(baseline, system)]
        if resamples:
            sums.append(resamples.sums(system))
        return [score for own in sums for score in resampling.score_sums(own, metric)]

    settings = (n_samples, n_ar_confidence, seed)
    return _test("_paired_ar_test", resample, baseline_info, sys_name, hypotheses, references, metrics, settings)


def _test(
    name: str,
    resample: Callable[[Any, Any, Any], list[float]],
    baseline_info: Any,
    sys_name: str,
    hypotheses: Any,
    references: Any,
    metrics: Any,
    settings: tuple[int, int, int | None],
) -> Any:
    """Run one of sacreBLEU's paired tests, metric by metric: BLEU's scores are replayed, all others computed there."""
    original, results = _methods[name], {}
    for key, metric in metrics.items():
        baseline, result = baseline_info[key]
        if not _resamples(metric) or not _counts(metric) or len(baseline) != len(hypotheses):
            answer = original(baseline_info, sys_name, hypotheses, references, {key: metric}, *settings)
        else:
            replay = _Replay(
                partial(metric._extract_corpus_statistics, hypotheses, references),
                metric._aggregate_and_compute,
                partial(resample, metric, baseline),
            )
            answer = original({key: (_NOTHING, result)}, sys_name, [""], None, {key: replay}, *settings)
            replay.finish()
        results.update(answer[1])
    return sys_name, results


def _resamples(metric: Any) -> bool:
    """Whether the scores of a metric's resamples are sacreBLEU's own BLEU."""
    return (
        hasattr(metric, "compute_bleu")
        and has_own(metric, SCORING, _methods)
        and type(metric)._aggregate_and_compute is _aggregate_and_compute
        and "_aggregate_and_compute" not in vars(metric)
        and type(metric.max_ngram_order) is int
        and metric.max_ngram_order >= 1
    )


def _counts(metric: Any) -> bool:
    """Whether a metric's statistics are sacreBLEU's own whole numbers, which round nowhere."""
    own = type(metric)._extract_corpus_statistics is _extract_corpus_statistics
    return own and "_extract_corpus_statistics" not in vars(metric) and _counts_itself(metric)


def _keep_small(bytes_each: int) -> Callable[[Callable[..., Any]], Any]:
    """Keep the last draw if it is small and has a seed: the systems of a paired test are held to the same one."""

    def decorate(draw: Callable[..., Any]) -> Any:
        kept = lru_cache(maxsize=1)(draw)

        def draw_again(seed: int | None, size: int, *samples: int) -> Any:
            small = seed is not None and size * max(samples) * bytes_each <= _MOST_KEPT
            return (kept if small else draw)(seed, size, *samples)

        draw_again.cache_clear = kept.cache_clear  # type: ignore[attr-defined]
        return draw_again

    return decorate


@_keep_small(bytes_each=8)
def _draw_bootstrap(seed: int | None, size: int, samples: int) -> Any:
    from bleuprint.compat.sacrebleu.resampling import draw_resamples

    return draw_resamples(seed, size, samples)


@_keep_small(bytes_each=1)
def _draw_swaps(seed: int | None, size: int, trials: int, samples: int) -> Any:
    from bleuprint.compat.sacrebleu.resampling import draw_swaps

    return draw_swaps(seed, size, trials, samples)
