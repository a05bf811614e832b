"""Measure how long it takes to try every reading of a reported number, and what counting only once saves.

    .venv/bin/python bench/identify.py | tee bench/results/identify.md

Both sides run in turns in one process, and the best time of each counts. The other side scores every recipe of the
search with ``bp.score``, which counts the corpus anew each time, and the means with ``bp.score_segments``.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import machine
import texts

import bleuprint as bp
from bleuprint.findings.identification.results import Reading
from bleuprint.findings.identification.search import Search
from bleuprint.scoring.verbs import pair_for

SEGMENTS = 2_000
METRIC = "bleu"
"""What the number was reported as: no other metric is tried."""
ROUNDS = 3
UNHEARD_OF = "99.9876"
"""A number that nothing gives, so that every accident is tried as well."""


def measure(work: Callable[[], object]) -> float:
    """Time a work once, in seconds of the processor: one thread, and others may share the machine."""
    started = time.process_time()
    work()
    return time.process_time() - started


def score_separately(candidates: list[str], references: list[str], readings: list[Reading]) -> list[float]:
    """Score every reading on its own."""
    scores = []
    for reading in readings:
        if reading.applied:
            own = bp.score_segments(candidates, references, reading.recipe, threads=1).scores
            scores.append(math.fsum(own) / len(own))
        else:
            scores.append(bp.score(candidates, references, reading.recipe, threads=1).score)
    return scores


def main() -> None:
    """Measure, check that both sides agree to the last bit, and print a table."""
    candidates, references, name = texts.corpus(SEGMENTS)
    corpus = pair_for(candidates, references, [bp.Recipe.named("sacrebleu")])
    search = Search([corpus], 1)
    readings = search.read(search.plain)
    assert [reading.scores[0] for reading in readings] == score_separately(candidates, references, readings)
    usual = f"{bp.score(candidates, references).score:.2f}"
    recipes = len({reading.recipe for reading in readings})
    found, nothing = (bp.identify(candidates, references, number, METRIC) for number in (usual, UNHEARD_OF))
    assert found.tried == len(readings)
    assert not nothing.found
    works: dict[str, Callable[[], object]] = {
        f"`identify`, a number that sacreBLEU gives: {found.tried:,} readings": lambda: bp.identify(
            candidates, references, usual, METRIC, threads=1
        ),
        f"`identify`, a number that nothing gives: {nothing.tried:,} readings, with accidents": lambda: bp.identify(
            candidates, references, UNHEARD_OF, METRIC, threads=1
        ),
        f"the same {found.tried:,} readings, each scored by itself": lambda: score_separately(
            candidates, references, readings
        ),
    }
    best = dict.fromkeys(works, math.inf)
    for _ in range(ROUNDS):
        for title, work in works.items():
            best[title] = min(best[title], measure(work))
    first = next(iter(best.values()))
    where = machine.describe().replace("\n", ".\n")
    print(f"# identify: every reading of one number\n\n{where}, engine {bp.engine()}.\n")
    print(f"{len(candidates):,} segments ({name}), one reference, {recipes:,} recipes, one thread, best of {ROUNDS}.\n")
    print("| work | seconds of the processor | relative to the first |\n|---|---|---|")
    for title, seconds in best.items():
        print(f"| {title} | {seconds:.2f} | {seconds / first:.1f} × |")


if __name__ == "__main__":
    main()
