"""What a test set by name costs beside the same file, in each place where it may be.

    .venv/bin/python bench/testsets.py [--rounds 50] | tee bench/results/testsets.md

The commands take turns, and medians of the processor's time count, which other work on the machine disturbs less than
the clock. What a set has to have read and hashed is measured apart: its files are those of the plain command, and for a
manifest the TOML; signatures carry the hash of the references. The goal is for what is beyond that.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path
from statistics import median

import machine
import startup
from compare import BIN, SEGMENTS, gather_files

GOAL = 3.0
PLAIN = "score FILE REFERENCE"
MANIFEST = "score FILE --testset, in a manifest"
FOLDERS = ("BLEUPRINT_TESTSETS", "SACREBLEU", "MT_METRICS_EVAL")
READ = "import sys; texts = [[line] for line in open(sys.argv[1], encoding='utf-8', newline='\\n')]"
HASH = "from bleuprint.io.testset import hash_references"


def lay_out(folder: Path, reference: Path) -> None:
    """Put one set into the folders of sacreBLEU and mt-metrics-eval, and beside a manifest."""
    text = reference.read_bytes()
    files = {
        "cached/cached.a-b.src": text,
        "cached/cached.a-b.ref": text,
        "metrics/sources/a-b.txt": text,
        "metrics/references/a-b.refA.txt": text,
        "a-b.txt": text,
        "described.toml": b'[pairs.a-b]\nreferences = "a-b.txt"\n',
    }
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def measure(commands: dict[str, list[str]], rounds: int) -> dict[str, float]:
    """Let commands take turns; give the median of each."""
    taken: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            taken[name].append(startup.run(*command).processor)
    return {name: median(each) for name, each in taken.items()}


def run_all(rounds: int, segments: int) -> None:
    """Measure a set in each place beside its file, and the parts that are needed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        reference, [system], what = gather_files(folder, 1, segments)
        lay_out(folder / "sets", reference)
        os.environ.update(dict.fromkeys(FOLDERS, str(folder / "sets")))
        score, python = [str(BIN / "bleuprint"), "score", str(system)], [sys.executable, "-c"]
        scores = {
            PLAIN: [*score, str(reference)],
            "score FILE --testset, in sacreBLEU's folder": [*score, "--testset", "cached/a-b"],
            "score FILE --testset, in mt-metrics-eval's": [*score, "--testset", "metrics/a-b"],
            MANIFEST: [*score, "--testset", "described/a-b"],
        }
        parts = {
            "read": [*python, f"{HASH}; {READ}", str(reference)],
            "hash": [*python, f"{HASH}; {READ}; hash_references(texts)", str(reference)],
            "usual": [*python, "import re, typing"],  # which every command has
            "toml": [*python, "import re, typing, tomllib"],
        }
        taken = measure(scores | parts, rounds)
    print(f"\n{what}, medians of {rounds}\n")
    hashing, parsing = taken["hash"] - taken["read"], taken["toml"] - taken["usual"]
    needed = {PLAIN: 0.0, **dict.fromkeys(list(scores)[1:], hashing), MANIFEST: hashing + parsing}
    print(f"| command | on the processors | more than `{PLAIN}` | beyond hash and TOML |\n|---|---:|---:|---:|")
    beyond = {command: taken[command] - taken[PLAIN] - needed[command] for command in scores}
    for command in scores:
        more = taken[command] - taken[PLAIN]
        print(f"| `{command}` | {taken[command]:.1f} ms | {more:.1f} ms | {beyond[command]:.1f} ms |")
    print(f"\nHashing the references takes {hashing:.1f} ms, and importing tomllib for a manifest {parsing:.1f} ms.")
    most = max(beyond.values())
    print(f"Goal, at most {GOAL:g} ms beyond that: {'met' if most <= GOAL else '**missed**'} ({most:.1f} ms).")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--segments", type=int, default=SEGMENTS, help="fewer for a quick look")
    options = parser.parse_args()
    print(f"# A test set by name\n\n{machine.describe()}")
    run_all(options.rounds, options.segments)


if __name__ == "__main__":
    main()
