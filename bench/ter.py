"""Measure TER beside sacreBLEU's.

    .venv/bin/python bench/ter.py

Ours and theirs take turns in one run, and the best time of each counts, in processor time: sacreBLEU has one thread,
and so have we. Needs the dependency group `bench`.
"""

from __future__ import annotations

import time

import machine
import texts
from sacrebleu.metrics import TER
from speed import Goal, Result, forget_tokens
from turns import best_milliseconds

import bleuprint as bp


def main() -> None:
    """Measure a corpus, and one segment after the other."""
    candidates, references, name = texts.corpus()
    recipe = bp.Recipe.named("ter")
    metric = TER()

    def theirs() -> float:
        forget_tokens()
        score: float = TER().corpus_score(candidates, [references]).score
        return score

    def theirs_one_by_one() -> list[float]:
        return [metric.sentence_score(c, [r]).score for c, r in zip(candidates, references, strict=True)]

    scores = list(bp.score_segments(candidates, references, recipe).scores)
    assert max(abs(a - b) for a, b in zip(scores, theirs_one_by_one(), strict=True)) < 1e-9
    assert abs(theirs() - bp.score(candidates, references, recipe).score) < 1e-9
    corpus, segments, sacre, sacre_segments = best_milliseconds(
        lambda: bp.score(candidates, references, recipe, threads=1).score,
        lambda: bp.score_segments(candidates, references, recipe, threads=1).scores,
        theirs,
        theirs_one_by_one,
        rounds=5,
        clock=time.process_time,
    )
    print(f"{machine.describe('sacrebleu')}, engine {bp.engine()}\n")
    print("| work | against | ours | theirs | ratio | at least | aim | verdict |\n|---|---|---|---|---|---|---|---|")
    title = f"TER, {len(candidates):,} segments ({name}), one thread"
    print(Result(title, "sacreBLEU, cold", corpus, sacre, Goal(60, 200)).line())
    print(
        Result(
            "score_segments(...).scores", "sacreBLEU sentence_score loop", segments, sacre_segments, Goal(60, 200)
        ).line()
    )


if __name__ == "__main__":
    main()
