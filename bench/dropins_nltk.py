"""Measure NLTK's BLEU and chrF as a drop-in, and accelerated, beside NLTK.

    .venv/bin/python bench/dropins_nltk.py

Every ratio comes from one run: ours and theirs take turns, and the best time of each counts, so that whatever else the
machine does meets both.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import machine
import texts
from nltk.translate import bleu_score, chrf_score
from speed import Goal, Result
from turns import Accelerated, best_milliseconds

import bleuprint as bp
from bleuprint.compat import nltk as compat

CORPUS, SENTENCE = Goal(15, 60), Goal(5, 15)


def three_ways(make: Callable[[Any], Callable[[], object]], nltk: ModuleType, rounds: int) -> list[float]:
    """Time the drop-in, the accelerated NLTK and plain NLTK in turns, after a look that they agree.

    Each is the first in every third round: what comes after NLTK finds none of its texts in the processor's caches.
    """
    works = [make(compat), Accelerated("nltk", make(nltk)), make(nltk)]
    ours, under, theirs = (work() for work in works)
    assert ours == under == theirs
    best = [float("inf")] * len(works)
    for turn in range(rounds):
        places = [(turn + place) % len(works) for place in range(len(works))]
        for place, taken in zip(places, best_milliseconds(*(works[place] for place in places), rounds=1), strict=True):
            best[place] = min(best[place], taken)
    return best


def bench() -> Iterator[Result]:
    """The corpus scores, and a loop over the segments."""
    candidates, references, name = texts.corpus()
    tokens = [text.split() for text in candidates]
    reference_tokens = [[text.split()] for text in references]
    pairs = list(zip(reference_tokens, tokens, strict=True))
    title = f"{len(tokens):,} segments ({name})"

    def corpus(module: Any) -> Callable[[], object]:
        return lambda: module.corpus_bleu(reference_tokens, tokens)

    def sentences(method: str) -> Callable[[Any], Callable[[], object]]:
        def make(module: Any) -> Callable[[], object]:
            smooth = getattr(module.SmoothingFunction(), method)
            return lambda: [module.sentence_bleu(own, text, smoothing_function=smooth) for own, text in pairs]

        return make

    def chrf(module: Any) -> Callable[[], object]:
        return lambda: module.corpus_chrf(references, candidates)

    def chrf_of_each(module: Any) -> Callable[[], object]:
        return lambda: [module.sentence_chrf(own, text) for own, text in zip(references, candidates, strict=True)]

    for work, make, nltk, goal, rounds in (
        (f"`corpus_bleu`, {title}", corpus, bleu_score, CORPUS, 9),
        ("`sentence_bleu` of each segment, `method1`", sentences("method1"), bleu_score, SENTENCE, 6),
        ("the same, `method2`", sentences("method2"), bleu_score, SENTENCE, 6),
        ("the same without smoothing, warnings silenced", sentences("method0"), bleu_score, SENTENCE, 6),
        (f"`corpus_chrf`, {title}", chrf, chrf_score, CORPUS, 6),
        ("`sentence_chrf` of each segment", chrf_of_each, chrf_score, SENTENCE, 6),
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ours, under, theirs = three_ways(make, nltk, rounds)
        yield Result(f"{work}: drop-in", "NLTK", ours, theirs, goal)
        yield Result(f"{work}: accelerated NLTK", "NLTK", under, theirs, goal)


def main() -> None:
    """Measure everything."""
    print(f"{machine.describe('nltk')}, engine {bp.engine()}\n")
    print("| work | against | ours | theirs | ratio | at least | aim | verdict |\n|---|---|---|---|---|---|---|---|")
    for result in bench():
        print(result.line(), flush=True)


if __name__ == "__main__":
    main()
