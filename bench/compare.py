"""`bleuprint compare` beside sacreBLEU's paired tests, the whole commands.

    .venv/bin/python bench/compare.py [--rounds 3] > bench/results/compare.md

Ours and theirs take turns, and the best time of each counts. sacreBLEU compares systems with a baseline; so do we, and
beside that all pairs. Ours makes both tests for that, randomisation and bootstrap, with as many resamples each, where
theirs makes one. sacreBLEU 2.6.0 cannot write the bootstrap of chrF and TER as JSON, so it prints text. Where the
systems of WMT22 are not there, made ones take their place.
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
SEGMENTS = 2_037
GOAL = 20


class Timing(NamedTuple):
    """How long a command took: on the clock, and on the processors."""

    wall: float
    cpu: float


class Contest(NamedTuple):
    """Systems to compare, the metrics and the test of sacreBLEU's, and how often is resampled."""

    title: str
    systems: int
    metrics: tuple[str, ...]
    test: str
    resamples: int

    def commands(self, reference: Path, systems: list[Path]) -> dict[str, list[str]]:
        """Write the commands; theirs is the last."""
        ours = [str(BIN / "bleuprint"), "compare", "-r", str(reference), "--resamples", str(self.resamples)]
        ours += [part for metric in self.metrics for part in ("-m", metric)]
        ours += [part for number, system in enumerate(systems) for part in ("-s", f"{number}={system}")]
        theirs = [str(BIN / "sacrebleu"), str(reference), "-i", *map(str, systems), "-m", *self.metrics, "-f", "text"]
        pairs = self.systems * (self.systems - 1) // 2
        return {
            "bleuprint compare --baseline": [*ours, "--baseline", "0"],
            f"bleuprint compare, all {pairs} pairs": ours,
            f"sacrebleu {self.test}": [*theirs, self.test, f"{self.test}-n", str(self.resamples)],
        }


CONTESTS = {
    "bleu": Contest("Nine systems, 10,000 randomisations", 9, ("bleu",), "--paired-ar", 10_000),
    "metrics": Contest(
        "Six systems under BLEU, chrF and TER, 1,000 bootstrap samples",
        6,
        ("bleu", "chrf", "ter"),
        "--paired-bs",
        1_000,
    ),
}


def gather_files(folder: Path, count: int, segments: int) -> tuple[Path, list[Path], str]:
    """Write a reference and so many systems into files: those of WMT22, or made ones."""
    found = sorted(texts.WMT.glob("generaltest2022.en-de.hyp.*.de"))[:count]
    if len(found) == count:
        files = [texts.WMT / "generaltest2022.en-de.ref.A.de", *found]
        written = [_write(folder, file.name, texts.read_lines(file)[:segments]) for file in files]
        return written[0], written[1:], f"WMT22 English to German, {segments:,} segments"
    candidates, references = texts.made_corpus(segments)
    chance, systems = random.Random(1), []
    for number in range(count):
        share = 0.01 * number
        lines = [" ".join(word for word in text.split() if chance.random() > share) for text in candidates]
        systems.append(_write(folder, f"system-{number}", lines))
    return _write(folder, "reference", references), systems, f"made text, {segments:,} segments"


def _write(folder: Path, name: str, lines: list[str]) -> Path:
    file = folder / name
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def measure(command: list[str]) -> Timing:
    """Run a command once."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Timing(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def run_contest(contest: Contest, rounds: int, segments: int) -> None:
    """Measure, and print a table in Markdown."""
    with tempfile.TemporaryDirectory() as name:
        reference, systems, what = gather_files(Path(name), contest.systems, segments)
        best = time_all(contest.commands(reference, systems), rounds)
    first, *_, last = best
    theirs = best[last]
    print(f"\n## {contest.title}\n\n{what}, best of {rounds}\n")
    print("| command | on the clock | on the processors | faster, clock | faster, processors |")
    print("|---|---:|---:|---:|---:|")
    for command, (wall, cpu) in best.items():
        ratios = f"{theirs.wall / wall:.1f} | {theirs.cpu / cpu:.1f}"
        print(f"| `{command}` | {wall:.2f} s | {cpu:.2f} s | {ratios} |")
    reached = theirs.wall / best[first].wall
    verdict = "met" if reached >= GOAL else "**missed**"
    print(f"\nGoal, {GOAL} times as fast on the clock: {verdict} ({reached:.0f} times).", flush=True)


def time_all(commands: dict[str, list[str]], rounds: int) -> dict[str, Timing]:
    """Let commands take turns, and give the best of each."""
    taken: dict[str, list[Timing]] = {command: [] for command in commands}
    for _ in range(rounds):
        for command, parts in commands.items():
            taken[command].append(measure(parts))
    return {command: Timing(*map(min, zip(*times, strict=True))) for command, times in taken.items()}


def main() -> None:
    """Hold all contests, or those asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=CONTESTS, action="append")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--segments", type=int, default=SEGMENTS, help="fewer for a quick look")
    options = parser.parse_args()
    print(f"# Comparing systems\n\n{machine.describe('sacrebleu', 'numpy')}")
    for name in options.only or CONTESTS:
        run_contest(CONTESTS[name], options.rounds, options.segments)


if __name__ == "__main__":
    main()
