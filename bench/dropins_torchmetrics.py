"""Measure torchmetrics with the kernel under it, and bleuprint's own metric, beside plain torchmetrics.

    .venv/bin/python bench/dropins_torchmetrics.py | tee bench/results/dropins_torchmetrics.md

Each row makes a metric, updates it with all batches and computes the score. The three take turns, and the best time of
each counts. Times are of the processor, all threads together: plain torchmetrics takes seconds, in which other work on
the machine would be counted against it. Before anything is timed, the accelerated metric must give the very tensors of
the plain one.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

import machine
import texts
import torch
from torchmetrics.text import BLEUScore, SacreBLEUScore

import bleuprint as bp
from bleuprint.adapters.torchmetrics import BleuMetric
from bleuprint.compat.torchmetrics import acceleration

ROUNDS = 3
SUMS = ("numerator", "denominator", "preds_len", "target_len")


class Row(NamedTuple):
    """A kind of work: how torchmetrics' metric and ours are made, and how many segments come at once."""

    title: str
    make_theirs: Callable[[], BLEUScore]
    recipe: bp.Recipe
    batch: int


def own_tokenizer() -> BLEUScore:
    """Make a metric with a tokenizer that torchmetrics does not have."""
    metric = SacreBLEUScore()
    metric.tokenizer = str.split
    return metric


def feed(metric: torch.nn.Module, candidates: list[str], references: list[list[str]], batch: int) -> torch.nn.Module:
    """Update a metric batch by batch, and compute its score."""
    for start in range(0, len(candidates), batch):
        metric.update(candidates[start : start + batch], references[start : start + batch])
    metric.compute()
    return metric


def best_of(*works: Callable[[], object]) -> list[float]:
    """Time works in turns; give the best processor time of each in milliseconds."""
    best = [float("inf")] * len(works)
    for _ in range(ROUNDS):
        for place, work in enumerate(works):
            started = time.process_time()
            work()
            best[place] = min(best[place], 1000 * (time.process_time() - started))
    return best


def measure(row: Row, candidates: list[str], references: list[list[str]]) -> str:
    """Measure one row, and write it as Markdown."""

    def plain() -> torch.nn.Module:
        return feed(row.make_theirs(), candidates, references, row.batch)

    def accelerated() -> torch.nn.Module:
        acceleration.apply()
        try:
            return plain()
        finally:
            acceleration.undo()

    def adapter() -> torch.nn.Module:
        return feed(BleuMetric(row.recipe, as_fraction=True), candidates, references, row.batch)

    theirs, ours = plain(), accelerated()
    assert all(torch.equal(getattr(theirs, name), getattr(ours, name)) for name in SUMS)
    assert abs(adapter().compute().item() - theirs.compute().item()) < 1e-6
    times = best_of(plain, accelerated, adapter)
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
        Row("BLEUScore, one batch", BLEUScore, words, everything),
        Row("BLEUScore, batches of 32", BLEUScore, words, 32),
        Row("SacreBLEUScore (13a), one batch", SacreBLEUScore, sacre, everything),
        Row("SacreBLEUScore (13a), batches of 32", SacreBLEUScore, sacre, 32),
        Row("SacreBLEUScore, a tokenizer of the user's own", own_tokenizer, words, everything),
    ]
    print(f"{machine.describe('torchmetrics', 'torch')}, engine {bp.engine()}")
    print(f"{everything:,} segments ({name}), one reference, update and compute; processor time\n")
    print(
        "| work | torchmetrics | accelerated | BleuMetric | accelerated is | BleuMetric is |\n|---|---|---|---|---|---|"
    )
    for row in rows:
        print(measure(row, candidates, references), flush=True)
    print("\nIn the last row BleuMetric splits at white space itself, which is what that tokenizer does.")


if __name__ == "__main__":
    main()
