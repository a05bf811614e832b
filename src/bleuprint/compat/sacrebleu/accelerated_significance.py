"""sacreBLEU's resampling and its paired tests, with the scores of resamples computed a thousand at a time.

Draws, sums and scores are those of sacreBLEU, to the last bit; what it makes of them is left to its own functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from types import SimpleNamespace
from typing import Any

from bleuprint.compat.sacrebleu.counts import MetricCounts, has_own

NOTHING = [[0]]
"""The statistics of one segment, which stands for a corpus whose resamples are known already."""
MOST_KEPT = 2**26
"""Up to how many bytes of draws are kept for the next system of a paired test; more are drawn again."""

accelerated: dict[type, MetricCounts] = {}
"""sacreBLEU's metrics, each with how the engines count and score for it."""
theirs: dict[str, Callable[..., Any]] = {}
"""sacreBLEU's own functions."""


def forget() -> None:
    """Forget the metrics and the last draws; sacreBLEU's functions may still be at work in another thread."""
    accelerated.clear()
    _draw_bootstrap.cache_clear()
    _draw_swaps.cache_clear()


Score = Callable[[Any], list[Any]]
"""Gives the score of every row of sums."""


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
        return NOTHING

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
    original = theirs["_bootstrap_resample"]
    counts = _find_counts(metric)
    if counts is None or not stats:
        return original(stats, metric, n_samples)

    from bleuprint.compat.sacrebleu.resampled_scores import score_lazily
    from bleuprint.compat.sacrebleu.resampling import seed_number

    sums = _draw_bootstrap(seed_number(), len(stats), n_samples).sums(stats)
    scores = score_lazily(counts.score_sums(sums, metric), sums, metric)
    replay = _Replay(list, list, lambda _: scores)
    seed, _ = original(NOTHING, replay, n_samples)
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
    def resample(score: Score, baseline: Any, system: Any) -> list[Any]:
        resamples = _draw_bootstrap(seed, len(hypotheses), n_samples)
        return [*score(resamples.sums(baseline)), *score(resamples.sums(system))]

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
    def resample(score: Score, baseline: Any, system: Any) -> list[Any]:
        swaps, resamples = _draw_swaps(seed, len(hypotheses), n_samples, n_ar_confidence)
        sums: list[Any] = [*swaps.sums(baseline, system)]
        if resamples:
            sums.append(resamples.sums(system))
        return [number for own in sums for number in score(own)]

    settings = (n_samples, n_ar_confidence, seed)
    return _test("_paired_ar_test", resample, baseline_info, sys_name, hypotheses, references, metrics, settings)


def _test(
    name: str,
    resample: Callable[[Score, Any, Any], list[Any]],
    baseline_info: Any,
    sys_name: str,
    hypotheses: Any,
    references: Any,
    metrics: Any,
    settings: tuple[int, int, int | None],
) -> Any:
    """Run one of sacreBLEU's paired tests, metric by metric: its own are replayed, all others computed there."""
    original, results = theirs[name], {}
    for key, metric in metrics.items():
        baseline, result = baseline_info[key]
        counts = _find_counts(metric)
        if counts is None or not _counts_itself(metric, counts) or len(baseline) != len(hypotheses):
            answer = original(baseline_info, sys_name, hypotheses, references, {key: metric}, *settings)
        else:
            replay = _Replay(
                partial(metric._extract_corpus_statistics, hypotheses, references),
                metric._aggregate_and_compute,
                partial(resample, partial(counts.score_sums, metric=metric), baseline),
            )
            answer = original({key: (NOTHING, result)}, sys_name, [""], None, {key: replay}, *settings)
            replay.finish()
        results.update(answer[1])
    return sys_name, results


def _find_counts(metric: Any) -> MetricCounts | None:
    """Give who scores resamples as a metric does: None where it is not sacreBLEU's own, or has methods of others."""
    for kind, counts in list(accelerated.items()):  # another thread may restore
        if isinstance(metric, kind):
            own = counts.scores_itself(metric) and has_own(metric, ("_aggregate_and_compute",), counts.own)
            return counts if own else None
    return None


def _counts_itself(metric: Any, counts: MetricCounts) -> bool:
    """Whether a metric's statistics are sacreBLEU's own."""
    return has_own(metric, ("_extract_corpus_statistics",), counts.own) and counts.counts_itself(metric)


def _keep_small(bytes_each: int) -> Callable[[Callable[..., Any]], Any]:
    """Keep the last draw if it is small and has a seed: the systems of a paired test are held to the same one."""

    def decorate(draw: Callable[..., Any]) -> Any:
        kept = lru_cache(maxsize=1)(draw)

        def draw_again(seed: int | None, size: int, *samples: int) -> Any:
            small = seed is not None and size * max(samples) * bytes_each <= MOST_KEPT
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


FUNCTIONS = (_bootstrap_resample, _paired_bs_test, _paired_ar_test)
