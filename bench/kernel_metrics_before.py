"""Measure chrF, TER, pairs and resampling side by side with an earlier commit.

    .venv/bin/python bench/kernel_metrics_before.py [--before COMMIT]

The earlier package is built from its commit into a temporary folder (a minute or two). Each of the two has a process of
its own; they take turns on one thread, and the best processor time of each counts.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path

import machine
import texts
from compare import SEGMENTS, gather_files
from old_kernel import BEFORE, Row, Worker, build, package_in, serve_times, show_rows

ROWS = {
    "chrf": Row("chrF", 1.3, 2, 40),
    "chrf++": Row("chrF++, the same", 1.3, 2, 40),
    "ter": Row("TER, the same", 1.3, 2, 40),
    "ter-mixed": Row("TER without lower-casing", 1.3, 2, 40),
    "pairwise": Row("pairwise, 2,000 × 2,000", 1.2, 2, 8),
    "self_bleu": Row("self_bleu, 2,000 texts", 1.2, 2, 40),
    "self_bleu-lists": Row("self_bleu, 500 lists of strings", 1.2, 2, 40),
} | {
    f"{test}-{metric}": Row(f"{metric}, four systems compared by {test}", 1.1, 1.2, 20)
    for test in ("bootstrap", "randomisation")
    for metric in ("sacrebleu", "chrf", "ter")
}


def make_work(name: str) -> Callable[[], float]:
    """Give a work, which ends in a number that shows whether two came to the same."""
    import bleuprint as bp

    candidates, references, _ = texts.corpus()
    metric, _, form = name.partition("-")
    if metric in ("bootstrap", "randomisation"):
        return compare_work(metric, form)
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


def compare_work(test: str, metric: str) -> Callable[[], float]:
    """Give a work that compares four systems by their counts. Either test has a bootstrap, for the intervals."""
    import bleuprint as bp
    from bleuprint.findings.comparison import compare_statistics

    with tempfile.TemporaryDirectory() as folder:
        reference, systems, _ = gather_files(Path(folder), 4, SEGMENTS)
        references = texts.read_lines(reference)
        tables = {file.name: bp.statistics(texts.read_lines(file), references, metric) for file in systems}
    return lambda: sum(pair.p for pair in compare_statistics(tables, metric, test=test, threads=1).results[0].pairs)


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
        print(f"{machine.describe()}; before: {name}\n")
        print(f"{len(candidates):,} segments, {source}, one thread, processor time of whole calls.\n")
        workers = [Worker(__file__, str(package_in(folder))), Worker(__file__)]
        show_rows(workers, {work: ROWS[work] for work in options.only or ROWS})
        for worker in workers:
            worker.close()


if __name__ == "__main__":
    main()
