"""What more metrics and scores of others add to the plainest comparison.

    .venv/bin/python bench/compare_growth.py [--rounds 9] | tee bench/results/compare_growth.md

The commands take turns, and the best time of each counts.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from pathlib import Path

import machine
from compare import BIN, SEGMENTS, Timing, gather_files, time_all

SYSTEMS, GOAL = 6, 3.0


def run_growth(rounds: int, segments: int) -> None:
    """Measure what three metrics and scores of another one cost."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        reference, systems, what = gather_files(folder, SYSTEMS, segments)
        chance = random.Random(2)
        rows = "".join(f"{number}\t{chance.random():.6f}\n" for number in range(len(systems)) for _ in range(segments))
        scores = folder / "given.seg.score"
        scores.write_text(rows, encoding="utf-8")
        ours = [str(BIN / "bleuprint"), "compare", "-r", str(reference)]
        ours += [part for number, system in enumerate(systems) for part in ("-s", f"{number}={system}")]
        compared = {
            "compare -m bleu": [*ours, "-m", "bleu"],
            "compare -m bleu -m chrf -m ter": [*ours, "-m", "bleu", "-m", "chrf", "-m", "ter"],
            "compare -m bleu --scores external": [*ours, "-m", "bleu", "--scores", f"external={scores}"],
        }
        growth = _print_growth("Six systems, 10,000 randomisations", what, time_all(compared, rounds), rounds)
        verdict = "met" if growth <= GOAL else "**missed**"
        print(f"\nGoal, three metrics at most {GOAL:g} times BLEU alone on the clock: {verdict} ({growth:.2f}).")


def _print_growth(title: str, what: str, best: dict[str, Timing], rounds: int) -> float:
    """Print a table, and give how many times as long as the first command the second takes."""
    first, second, *_ = best
    print(f"\n## {title}\n\n{what}, best of {rounds}\n")
    print(f"| command | on the clock | on the processors | times `{first}`, clock |\n|---|---:|---:|---:|")
    for command, (wall, cpu) in best.items():
        print(f"| `{command}` | {wall:.2f} s | {cpu:.2f} s | {wall / best[first].wall:.2f} |")
    return best[second].wall / best[first].wall


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--segments", type=int, default=SEGMENTS, help="fewer for a quick look")
    options = parser.parse_args()
    print(f"# What more metrics add to a comparison\n\n{machine.describe('numpy')}")
    run_growth(options.rounds, options.segments)


if __name__ == "__main__":
    main()
