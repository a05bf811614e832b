"""sacreBLEU with bleuprint's kernel under it.

Two things take sacreBLEU's time, and only these are replaced: counting n-grams, and summing and scoring thousands of
resamples. Its checks, its formula, its p-values, its messages and everything that it prints stay its own code.

Counting has three ways. Where text, tokenizer and methods are sacreBLEU's own, the kernel splits and counts. Where only
the splitting is somebody else's (a subclass, another tokenizer object), that code splits and the kernel counts. Where a
method that counts was overridden, everything is left to it.
"""

from __future__ import annotations

import copy
import importlib
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache, partial
from importlib.metadata import version
from itertools import islice
from types import SimpleNamespace
from typing import Any

from bleuprint.compat.sacrebleu_counts import (
    TOKENIZERS,
    References,
    are_plain,
    count_quickly,
    drop_missing,
    number_of_references,
)
from bleuprint.tokenizers import unicode_classes
from bleuprint.tokenizers.unicode_classes import NUMBER, PUNCTUATION, SYMBOL

_COUNTING = ("_extract_reference_info", "_compute_segment_statistics", "_get_closest_ref_len")
_SCORING = ("_compute_score_from_stats", "compute_bleu")
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
    for name in ("_preprocess_segment", *_COUNTING, *_SCORING, *replaced):
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


class CachedReferences(Sequence[Any]):
    """References that the kernel has split; whoever looks inside finds what sacreBLEU would have put there."""

    def __init__(self, metric: Any, entries: list[tuple[Any, ...]]) -> None:
        self._metric = copy.copy(metric)  # with the settings of this moment, as sacreBLEU's own cache has them
        self._entries = entries
        self.references = References(
            entries, _engine_tokenizer(metric), bool(metric.lowercase), self._metric._preprocess_segment
        )

    def fits(self, metric: Any) -> bool:
        """Whether the candidates of a metric will be split and counted as these references were."""
        return all(
            getattr(metric, setting) is getattr(self._metric, setting)
            for setting in ("tokenizer", "lowercase", "max_ngram_order")
        )

    def __len__(self) -> int:
        return len(self._entries)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[place] for place in range(len(self))[index]]
        lines = [self._metric._preprocess_segment(line) for line in self._entries[index]]
        return self._metric._extract_reference_info(lines)


class _Ready:
    """References that are cached already, on their way through sacreBLEU's own code."""

    def __init__(self, cached: Any) -> None:
        self.cached = cached


def _cache_references(self: Any, references: Any) -> Any:
    if isinstance(references, _Ready):
        return references.cached
    if not _has_own(self, _COUNTING):
        return _methods["_cache_references"](self, references)
    rows = list(zip(*references))
    entries = drop_missing(rows)
    if not all(entries) or not are_plain([text for own in entries for text in own]):
        return _methods["_cache_references"](self, list(zip(*rows)))
    self.num_refs = number_of_references(entries)
    return CachedReferences(self, entries)


def _extract_corpus_statistics(self: Any, hypotheses: Any, references: Any) -> Any:
    original = _methods["_extract_corpus_statistics"]
    own = _has_own(self, _COUNTING) and type(self)._cache_references is _cache_references
    if not own or not isinstance(hypotheses, Sequence):
        return original(self, hypotheses, references)
    if references and len(hypotheses) == 1:
        row = _count_sentence(self, hypotheses[0], references)
        if row is not None:
            return [row]
    side = self._cache_references(references) if references else self._ref_cache
    texts = list(islice(hypotheses, len(side))) if isinstance(side, CachedReferences) and side.fits(self) else []
    if not texts or not are_plain(texts):
        return original(self, hypotheses, _Ready(side) if references else references)
    if not self._force and sum(1 for text in texts if text.endswith(" .")) >= _MANY:
        _let_sacrebleu_warn()
    return side.references.count(texts, self.max_ngram_order, keep=side is self._ref_cache)


def _count_sentence(metric: Any, candidate: Any, references: Any) -> list[int] | None:
    """Count a single segment at once, where nothing is unusual about it."""
    own: list[Any] = [stream[0] if type(stream) is list and len(stream) == 1 else None for stream in references]
    if metric.lowercase:
        if not all(type(text) is str for text in (candidate, *own)):
            return None
        candidate, own = candidate.lower(), [text.lower() for text in own]
    counted = None if None in own else count_quickly(candidate, own, _engine_tokenizer(metric), metric.max_ngram_order)
    if counted is None:
        return None
    row, metric.num_refs = counted
    return row


def _aggregate_and_compute(self: Any, stats: Any) -> Any:
    if type(stats) is list and len(stats) > 1 and all(type(number) is int for number in stats[0]):
        return self._compute_score_from_stats(list(map(sum, zip(*stats))))
    return _methods["_aggregate_and_compute"](self, stats)


def _let_sacrebleu_warn() -> None:
    """Run sacreBLEU's own loop over nothing but endings, so that it says what it says of tokenised candidates."""
    nothing = SimpleNamespace(
        _ref_cache=[None] * _MANY,
        _force=False,
        _preprocess_segment=lambda text: text,
        _compute_segment_statistics=lambda text, references: None,
    )
    _methods["_extract_corpus_statistics"](nothing, [" ."] * _MANY, None)


def _has_own(metric: Any, names: Sequence[str]) -> bool:
    """Whether these methods of a metric are sacreBLEU's own: not of a subclass, not put into the object."""
    kind, inside = type(metric), vars(metric)
    return all(getattr(kind, name, None) is _methods[name] and name not in inside for name in names)


def _engine_tokenizer(metric: Any) -> str | None:
    """Name the tokenizer that the kernel can use in place of the metric's own way to split, if it can."""
    tokenizer = metric.tokenizer
    name, method = _tokenizers.get(type(tokenizer), (None, None))
    own = method is type(tokenizer).__call__ and _has_own(metric, ("_preprocess_segment",))
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


class ResampledScore:
    """The score of one resample; the rest of sacreBLEU's score is computed when somebody asks for it."""

    def __init__(self, score: float, metric: Any, row: Any) -> None:
        self.score, self._metric, self._row = score, metric, row

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name in ("_metric", "_row"):
            raise AttributeError(name)
        return getattr(self._whole(), name)

    def __repr__(self) -> str:
        return repr(self._whole())

    def _whole(self) -> Any:
        return self._metric._compute_score_from_stats(self._row.copy())


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

    from bleuprint.compat import sacrebleu_resampling as resampling

    sums = _draw_bootstrap(resampling.seed_number(), len(stats), n_samples).sums(stats)
    scores = resampling.score_sums(sums, metric)
    replay = _Replay(list, list, lambda _: scores)
    seed, _ = original(_NOTHING, replay, n_samples)
    replay.finish()
    return seed, [ResampledScore(score, metric, row) for score, row in zip(scores, sums, strict=True)]


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
    from bleuprint.compat import sacrebleu_resampling as resampling

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
    from bleuprint.compat import sacrebleu_resampling as resampling

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
        if not _resamples(metric) or len(baseline) != len(hypotheses):
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
        and _has_own(metric, _SCORING)
        and type(metric)._aggregate_and_compute is _aggregate_and_compute
        and "_aggregate_and_compute" not in vars(metric)
        and type(metric.max_ngram_order) is int
        and metric.max_ngram_order >= 1
    )


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
    from bleuprint.compat.sacrebleu_resampling import draw_resamples

    return draw_resamples(seed, size, samples)


@_keep_small(bytes_each=1)
def _draw_swaps(seed: int | None, size: int, trials: int, samples: int) -> Any:
    from bleuprint.compat.sacrebleu_resampling import draw_swaps

    return draw_swaps(seed, size, trials, samples)
