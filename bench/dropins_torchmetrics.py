"""Measure accelerated torchmetrics, and bleuprint's own metric, beside plain torchmetrics.

    .venv/bin/python bench/dropins_torchmetrics.py | tee bench/results/dropins_torchmetrics.md

Each row makes a metric, updates it with all batches and computes the score. The three take turns, and the best time of
each counts. Times are of the processor, all threads together: plain torchmetrics takes seconds, in which other work on
the machine would be counted against it. Before anything is timed, the accelerated metric must give the very tensors of
the plain one. torchmetrics' chrF and TER are too slow for the whole corpus; their rows say how many segments they take.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

import machine
import texts
import torch
from torchmetrics import Metric
from torchmetrics.text import BLEUScore, CHRFScore, SacreBLEUScore, TranslationEditRate
from turns import Accelerated, best_milliseconds

import bleuprint as bp
from bleuprint.adapters.torchmetrics import BleuMetric, ChrfMetric, RecipeMetric, TerMetric

ROUNDS = 3
FEW = 200


class Row(NamedTuple):
    """A kind of work: how torchmetrics' metric and ours are made, how many segments come at once, and in all."""

    title: str
    make_theirs: Callable[[], Metric]
    make_ours: Callable[[], RecipeMetric]
    batch: int
    segments: int


def own_tokenizer() -> BLEUScore:
    """Make a metric with a tokenizer that torchmetrics does not have."""
    metric = SacreBLEUScore()
    metric.tokenizer = str.split
    return metric


def of_bleu(recipe: bp.Recipe) -> Callable[[], RecipeMetric]:
    """Say how our metric is made."""
    return lambda: BleuMetric(recipe, as_fraction=True)


def feed(metric: Metric, candidates: list[str], references: list[list[str]], batch: int) -> Metric:
    """Update a metric batch by batch, and compute its score."""
    for start in range(0, len(candidates), batch):
        metric.update(candidates[start : start + batch], references[start : start + batch])
    metric.compute()
    return metric


def measure(row: Row, candidates: list[str], references: list[list[str]]) -> str:
    """Measure one row, and write it as Markdown."""
    corpus = candidates[: row.segments], references[: row.segments]

    def plain() -> Metric:
        return feed(row.make_theirs(), *corpus, row.batch)

    def adapter() -> Metric:
        return feed(row.make_ours(), *corpus, row.batch)

    accelerated = Accelerated("torchmetrics", plain)
    theirs, ours = plain(), accelerated()
    assert all(torch.equal(state, getattr(ours, name)) for name, state in theirs.metric_state.items())
    assert abs(adapter().compute().item() - theirs.compute().item()) < 1e-6
    times = best_milliseconds(plain, accelerated, adapter, rounds=ROUNDS, clock=time.process_time)
    ratios = [times[0] / taken for taken in times[1:]]
    cells = [f"{taken:,.0f} ms" if taken >= 100 else f"{taken:.1f} ms" for taken in times] + [
        f"{ratio:,.0f} ×" for ratio in ratios
    ]
    return f"| {row.title} | {' | '.join(cells)} |"


def main() -> None:
    """Measure all rows."""
    candidates, plain_references, name = texts.corpus()
    references = [[text] for text in plain_references]
    words, sacre = bp.Recipe.named("torchmetrics"), bp.Recipe.named("torchmetrics").replace(tokenizer="13a")
    everything = len(candidates)
    rows = [
        Row("BLEUScore, one batch", BLEUScore, of_bleu(words), everything, everything),
        Row("BLEUScore, batches of 32", BLEUScore, of_bleu(words), 32, everything),
        Row("SacreBLEUScore (13a), one batch", SacreBLEUScore, of_bleu(sacre), everything, everything),
        Row("SacreBLEUScore (13a), batches of 32", SacreBLEUScore, of_bleu(sacre), 32, everything),
        Row("SacreBLEUScore, a tokenizer of the user's own", own_tokenizer, of_bleu(words), everything, everything),
        Row(
            f"CHRFScore, {FEW} segments", CHRFScore, lambda: ChrfMetric("torchmetrics-chrf", as_fraction=True), FEW, FEW
        ),
        Row(
            f"TranslationEditRate, {FEW} segments",
            TranslationEditRate,
            lambda: TerMetric("torchmetrics-ter", as_fraction=True),
            FEW,
            FEW,
        ),
    ]
    print(f"{machine.describe('torchmetrics', 'torch')}, engine {bp.engine()}")
    print(f"{everything:,} segments ({name}), one reference, update and compute; processor time\n")
    print(
        "| work | torchmetrics | accelerated | our metric | accelerated is | our metric is |\n|---|---|---|---|---|---|"
    )
    for row in rows:
        print(measure(row, candidates, references), flush=True)
    print("\nBeside the tokenizer of the user's own BleuMetric splits at white space itself, which is what that does.")


if __name__ == "__main__":
    main()
