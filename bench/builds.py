"""Measure builds of the kernel beside each other: for one Python, for the stable ABI, for older and newer processors.

    .venv/bin/python bench/builds.py --python python3.12 [--against baseline] [--rounds 9] [--wheels FOLDER]

Each build is a wheel, made by the Python that is asked for and unpacked into a folder of its own. Processes with one
build each take turns, and the least time of the processor counts, which other work on the machine disturbs least.
Wheels are kept in FOLDER, and made again only where they are missing or of another kernel: that takes most of the time.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import texts
from compare import SEGMENTS, gather_files

ROOT = Path(__file__).parents[1]


class Build(NamedTuple):
    """A way to build the package."""

    options: tuple[str, ...] = ()
    environment: Mapping[str, str] = {}


BASE = "one Python"
BUILDS = {
    BASE: Build(),
    "stable ABI": Build(("--config-settings=wheel.py-api=cp312",)),
    "baseline": Build(environment={"CXXFLAGS": "-DBLEUPRINT_BASELINE_ONLY"}),
    "x86-64-v3": Build(environment={"CXXFLAGS": "-march=x86-64-v3"}),
}
"""For this Python alone; for all from this one on; without AVX2 where the processor has it; with AVX2, BMI2 and FMA
throughout, which not every processor has."""


def works() -> dict[str, Callable[[], object]]:
    """What is measured: every way on which texts, tokens and numbers reach the kernel."""
    import bleuprint as bp

    candidates, references, _ = texts.corpus()
    tokens, reference_tokens = [text.split() for text in candidates], [[text.split()] for text in references]
    words = bp.Recipe.named("nltk").replace(tokenizer="pretokenized")
    pairs = list(zip(candidates[:300], references[:300]))
    token_pairs = list(zip(tokens[:300], reference_tokens[:300]))
    assert bp.engine().name == "native"
    return {
        "score, 13a": lambda: bp.score(candidates, references, threads=1),
        "score, already tokenised": lambda: bp.score(tokens, reference_tokens, words, threads=1),
        "score_segments": lambda: bp.score_segments(candidates, references, threads=1).scores,
        "300 × score_sentence": lambda: [bp.score_sentence(*pair) for pair in pairs],
        "300 × score_sentence, tokens": lambda: [bp.score_sentence(*pair, words) for pair in token_pairs],
        "pairwise, 300 × 300": lambda: bp.pairwise(candidates[:300], references[:300], threads=1),
        "score, chrF": lambda: bp.score(candidates, references, "chrf", threads=1),
        "score, TER": lambda: bp.score(candidates[:500], references[:500], "ter", threads=1),
        "bootstrap of four systems, BLEU": bootstrap("sacrebleu"),
        "bootstrap of four systems, chrF": bootstrap("chrf"),
        "bootstrap of four systems, TER": bootstrap("ter"),
    }


def bootstrap(name: str) -> Callable[[], object]:
    """Resample the counts of four systems on the same segments."""
    import bleuprint as bp
    from bleuprint.engines import find_engine

    with tempfile.TemporaryDirectory() as folder:
        reference, systems, _ = gather_files(Path(folder), 4, SEGMENTS)
        references = texts.read_lines(reference)
        tables = [bp.statistics(texts.read_lines(file), references, name) for file in systems]
    recipe = bp.Recipe.of(name)
    return lambda: find_engine().resample(tables, recipe, seed=1, resamples=1_000, threads=1)


def measure(rounds: int) -> dict[str, float]:
    """Give the least time of each work in milliseconds; all of them take turns."""
    least: dict[str, float] = {}
    measured = works()
    for _ in range(rounds):
        for name, work in measured.items():
            started = time.process_time()
            work()
            least[name] = min(least.get(name, float("inf")), 1e3 * (time.process_time() - started))
    return least


def kernel_hash() -> str:
    """Tell kernels apart by their sources and by how they are built."""
    sources = sorted([*(ROOT / "kernel").rglob("*.?pp"), ROOT / "CMakeLists.txt", ROOT / "pyproject.toml"])
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:12]


def unpack(name: str, python: str, wheels: Path, folder: Path) -> Path:
    """Give the folder that a build is unpacked in."""
    kept, build = wheels / kernel_hash() / name.replace(" ", "-"), BUILDS[name]
    if not list(kept.glob("*.whl")):
        options = ("--no-deps", f"--wheel-dir={kept}", f"--config-settings=build-dir={folder}/{name}-objects")
        command = [python, "-m", "pip", "wheel", "--quiet", *options, *build.options, str(ROOT)]
        subprocess.run(command, env=os.environ | dict(build.environment), check=True)
    [wheel] = kept.glob("*.whl")
    shutil.unpack_archive(wheel, folder / name, "zip")
    return folder / name


def measure_all(builds: list[str], python: str, wheels: Path, rounds: int) -> dict[str, dict[str, float]]:
    """Give the least times of builds; processes of all of them take turns."""
    least: dict[str, dict[str, float]] = {name: {} for name in builds}
    with tempfile.TemporaryDirectory() as scratch:
        folders = {name: unpack(name, python, wheels, Path(scratch)) for name in builds}
        for _ in range(rounds):
            for name, folder in folders.items():
                command = [python, __file__, "--measure"]
                done = subprocess.run(
                    command, env=os.environ | {"PYTHONPATH": str(folder)}, stdout=subprocess.PIPE, check=True
                )
                for work, taken in json.loads(done.stdout).items():
                    least[name][work] = min(least[name].get(work, float("inf")), taken)
    return least


def report(python: str, least: dict[str, dict[str, float]]) -> None:
    """Print the table."""
    import machine

    version = subprocess.run([python, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    print(f"{machine.describe()}\nThe builds are of {version}.\n")
    first, *others = least
    print(f"| work, one thread | {first} |", *(f"{name} | speed |" for name in others))
    print("|---|---|" + "---|---|" * len(others))
    for work, taken in least[first].items():
        cells = [f"{least[name][work]:.3g} ms | {taken / least[name][work]:.0%} |" for name in others]
        print(f"| {work} | {taken:.3g} ms |", *cells)
    print()
    for name in others:
        speeds = {work: taken / least[name][work] for work, taken in least[first].items()}
        slowest, fastest = (choose(speeds, key=speeds.__getitem__) for choose in (min, max))
        print(f"- {name}: from {speeds[slowest]:.0%} ({slowest}) to {speeds[fastest]:.0%} ({fastest}) of the speed.")


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", default="python3.12", help="at least 3.12, with pip")
    others = [name for name in BUILDS if name != BASE]
    parser.add_argument(
        "--against", nargs="+", choices=others, default=others, help="what is measured beside the first"
    )
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--wheels", type=Path, default=ROOT / "build/builds")
    parser.add_argument("--measure", action="store_true", help="print the times of the build that is imported")
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(measure(rounds=15)))
    else:
        builds = [BASE, *options.against]
        report(options.python, measure_all(builds, options.python, options.wheels, options.rounds))


if __name__ == "__main__":
    main()
