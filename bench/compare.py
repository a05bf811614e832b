"""Nine systems with 10,000 randomisations each: `bleuprint compare` beside `sacrebleu --paired-ar`, the whole commands.

    .venv/bin/python bench/compare.py [--rounds 3] > bench/results/compare.md

Ours and theirs take turns, and the best time of each counts. sacreBLEU compares eight systems with a baseline; so do
we, and beside that all 36 pairs. Ours also draws 10,000 bootstrap samples for the intervals, which theirs does not.
Where the systems of WMT22 are not there, nine made ones take their place.
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import machine
import texts

BIN = Path(sys.executable).parent
TRIALS = 10_000
GOAL = 20


class Timing(NamedTuple):
    """How long a command took: on the clock, and on the processors."""

    wall: float
    cpu: float


def gather_files(folder: Path) -> tuple[Path, list[Path], str]:
    """Find a reference and nine systems, or make them."""
    found = sorted(texts.WMT.glob("generaltest2022.en-de.hyp.*.de"))
    if len(found) == 9:
        return texts.WMT / "generaltest2022.en-de.ref.A.de", found, "WMT22 English to German, 2,037 segments"
    candidates, references = texts.made_corpus(2_037)
    chance, systems = random.Random(1), []
    for number in range(9):
        share = 0.01 * number
        lines = [" ".join(word for word in text.split() if chance.random() > share) for text in candidates]
        systems.append(folder / f"system-{number}")
        systems[-1].write_text("\n".join(lines) + "\n", encoding="utf-8")
    reference = folder / "reference"
    reference.write_text("\n".join(references) + "\n", encoding="utf-8")
    return reference, systems, "made text, 2,037 segments"


def measure(command: list[str]) -> Timing:
    """Run a command once."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Timing(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def main() -> None:
    """Measure, and print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as name:
        reference, systems, what = gather_files(Path(name))
        ours = [str(BIN / "bleuprint"), "compare", "-r", str(reference), "--resamples", str(TRIALS)]
        ours += [part for number, system in enumerate(systems) for part in ("-s", f"{number}={system}")]
        theirs = [str(BIN / "sacrebleu"), str(reference), "-i", *map(str, systems), "-m", "bleu", "--paired-ar"]
        commands = {
            "bleuprint compare --baseline": [*ours, "--baseline", "0"],
            "bleuprint compare, all 36 pairs": ours,
            "sacrebleu --paired-ar": [*theirs, "--paired-ar-n", str(TRIALS)],
        }
        head = machine.describe("sacrebleu", "numpy")
        taken: dict[str, list[Timing]] = {command: [] for command in commands}
        for _ in range(rounds):
            for command, parts in commands.items():
                taken[command].append(measure(parts))
    best = {command: Timing(*map(min, zip(*times, strict=True))) for command, times in taken.items()}
    slowest = best["sacrebleu --paired-ar"]
    print(f"# Nine systems, {TRIALS:,} randomisations\n\n{head}\n{what}, best of {rounds}\n")
    print("| command | on the clock | on the processors | faster, clock | faster, processors |")
    print("|---|---:|---:|---:|---:|")
    for command, (wall, cpu) in best.items():
        ratios = f"{slowest.wall / wall:.1f} | {slowest.cpu / cpu:.1f}"
        print(f"| `{command}` | {wall:.2f} s | {cpu:.2f} s | {ratios} |")
    reached = slowest.wall / best["bleuprint compare --baseline"].wall
    verdict = "met" if reached >= GOAL else "**missed**"
    print(f"\nGoal, {GOAL} times as fast on the clock: {verdict} ({reached:.0f} times).")


if __name__ == "__main__":
    main()
