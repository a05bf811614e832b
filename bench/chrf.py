"""Measure chrF and chrF++ beside sacreBLEU, on one thread.

    .venv/bin/python bench/chrf.py

Ours and theirs take turns, and the best processor time of each counts. Needs the dependency group `bench`.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import machine
import texts
from sacrebleu.metrics import CHRF

import bleuprint as bp

TURNS, OURS_PER_TURN = 5, 20
LEAST, AIM = 60, 150


def measure(work: Callable[[], object]) -> float:
    """Give the processor time of a call in milliseconds."""
    start = time.process_time()
    work()
    return 1000 * (time.process_time() - start)


def main() -> None:
    """Print a table."""
    corpus = texts.real_corpus()
    if corpus is None:
        raise SystemExit(f"expected the texts of WMT22 in {texts.WMT}, got nothing.")
    candidates, references = corpus
    print(machine.describe("sacrebleu"))
    print(f"\n{len(candidates):,} segments of WMT22 English to German, one thread, processor time.\n")
    print("| work | ours | sacreBLEU | times | goal |\n|---|---|---|---|---|")
    for recipe, word_order in (("chrf", 0), ("chrf++", 2)):
        ours, theirs = float("inf"), float("inf")
        for _ in range(TURNS):
            metric = CHRF(word_order=word_order)
            theirs = min(theirs, measure(lambda m=metric: m.corpus_score(candidates, [references])))  # type: ignore[misc]
            for _ in range(OURS_PER_TURN):
                ours = min(ours, measure(lambda r=recipe: bp.score(candidates, references, r, threads=1)))  # type: ignore[misc]
        print(f"| {recipe} | {ours:.2f} ms | {theirs:.0f} ms | {theirs / ours:.0f} | {LEAST} to {AIM} |")


if __name__ == "__main__":
    main()
