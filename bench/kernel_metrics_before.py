"""Measure chrF, TER and pairs side by side with an earlier commit.

    .venv/bin/python bench/kernel_metrics_before.py [--before COMMIT]

The earlier package is built from its commit into a temporary folder (a minute or two). Each of the two has a process of
its own; they take turns on one thread, and the best processor time of each counts.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from typing import NamedTuple

import machine
import texts
from old_kernel import Worker, build, in_turns, judge, package_in, serve_times

BEFORE = "f5763a937962e0792e44470fed850ed8929e02c0"
"""The commit before sets of places in pairs, and n-grams of pairs that are numbered once."""


class Row(NamedTuple):
    """What is measured, and how many times faster it should have become."""

    title: str
    least: float
    aim: float
    rounds: int = 40


ROWS = {
    "chrf": Row("chrF, {segments:,} segments", 1.3, 2),
    "chrf++": Row("chrF++, the same", 1.3, 2),
    "ter": Row("TER, the same", 1.3, 2),
    "ter-mixed": Row("TER without lower-casing", 1.3, 2),
    "pairwise": Row("pairwise, 2,000 × 2,000", 1.2, 2, 8),
    "self_bleu": Row("self_bleu, 2,000 texts", 1.2, 2),
    "self_bleu-lists": Row("self_bleu, 500 lists of strings", 1.2, 2),
}


def make_work(name: str) -> Callable[[], float]:
    """Give a work, which ends in a number that shows whether two came to the same."""
    import bleuprint as bp

    candidates, references, _ = texts.corpus()
    metric, _, form = name.partition("-")
    if metric == "pairwise":
        return lambda: sum(bp.pairwise(candidates[:2000], references[:2000], threads=1)[7])
    if form == "lists":
        tokens = [text.split() for text in candidates[:500]]
        recipe = bp.Recipe.named("nltk-method1").replace(tokenizer="pretokenized")
        return lambda: bp.self_bleu(tokens, recipe, threads=1).mean
    if metric == "self_bleu":
        return lambda: bp.self_bleu(candidates[:2000], threads=1).mean
    wanted = bp.Recipe.named(metric)
    if form == "mixed":
        wanted = wanted.replace(case="mixed")
    return lambda: bp.score(candidates, references, wanted, threads=1).score


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", default=BEFORE, help="the commit to compare with")
    parser.add_argument("--only", choices=[*ROWS], action="append")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve is not None:
        serve_times(options.serve, make_work)
        return
    candidates, _, source = texts.corpus()
    with tempfile.TemporaryDirectory() as folder:
        name = build(options.before, folder)
        print(f"{machine.describe()}; before: {name}\n\n{source}, one thread, processor time of whole calls.\n")
        print("| work | before | now | ratio | at least | aim | verdict |\n|---|---|---|---|---|---|---|")
        workers = [Worker(__file__, str(package_in(folder))), Worker(__file__)]
        for work in options.only or ROWS:
            row = ROWS[work]
            before, now = in_turns(workers, work, row.rounds)
            ratio = before.milliseconds / now.milliseconds
            title = row.title.format(segments=len(candidates))
            print(
                f"| {title} | {before.milliseconds:.2f} ms | {now.milliseconds:.2f} ms "
                f"| {ratio:.2f} × | {row.least:g} × | {row.aim:g} × | {judge(ratio, row.least, row.aim)} |",
                flush=True,
            )
        for worker in workers:
            worker.close()


if __name__ == "__main__":
    main()
