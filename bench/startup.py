"""Measure how long `bleuprint score` takes from start to end, in terms of what an empty Python takes.

    .venv/bin/python bench/startup.py [--rounds 25] [--here]

The two take turns, and medians count: of the clock, and of the processor's time, which other work on the machine
disturbs less. An editable installation, as developers have it, starts more slowly than what users install. So the
package is built, too, and measured in a fresh environment with click alone; --here leaves that out.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import NamedTuple

import machine
import texts

ROOT = Path(__file__).parents[1]
SEGMENTS = 2_000
IMPORTED = re.compile(r"import time:\s+(\d+) \|\s+\d+ \|\s*(\S+)")


class Taken(NamedTuple):
    """What a process took, in milliseconds."""

    clock: float
    processor: float


def run(*command: object) -> Taken:
    """Run a command to its end."""
    started = time.perf_counter()
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    clock = time.perf_counter() - started
    process.returncode = status
    assert status == 0
    return Taken(1e3 * clock, 1e3 * (usage.ru_utime + usage.ru_stime))


def compare(title: str, bin_folder: Path, files: list[Path], rounds: int, *options: str) -> None:
    """Let an empty Python and the command take turns."""
    empty, ours = [], []
    for _ in range(rounds):
        empty.append(run(bin_folder / "python", "-c", "pass"))
        ours.append(run(bin_folder / "bleuprint", "score", *files, *options))
    for kind in Taken._fields:
        bare, whole = (median(getattr(taken, kind) for taken in each) for each in (empty, ours))
        print(f"| {title} | {kind} | {bare:.1f} ms | {whole:.1f} ms | {whole / bare:.1f} × |", flush=True)


def each_import(bin_folder: Path, *command: object) -> Iterator[tuple[str, float]]:
    """Name what a Python program imports, with the time that each module takes for itself."""
    line = [bin_folder / "python", "-X", "importtime", *command]
    told = subprocess.run(list(map(str, line)), capture_output=True, text=True, check=True).stderr
    return ((found[2], int(found[1]) / 1e3) for found in IMPORTED.finditer(told))


def show_imports(bin_folder: Path, files: list[Path], rounds: int = 5) -> None:
    """Say what is imported beyond an empty Python, the most expensive first; the best of a few runs counts."""
    empty = {name for name, _ in each_import(bin_folder, "-c", "pass")}
    best: dict[str, float] = {}
    for _ in range(rounds):
        for name, taken in each_import(bin_folder, bin_folder / "bleuprint", "score", *files):
            if name not in empty:
                best[name] = min(taken, best.get(name, taken))
    own = {name: taken for name, taken in best.items() if name.split(".")[0] == "bleuprint"}
    print(
        f"\nBeyond an empty Python {len(best)} modules are imported in {sum(best.values()):.1f} ms "
        f"(Python's clock for imports makes them slower): {len(own)} of bleuprint in {sum(own.values()):.1f} ms.\n"
    )
    print("| module | ms, without what it imports |\n|---|---|")
    for name, taken in sorted(best.items(), key=lambda entry: -entry[1])[:20]:
        print(f"| `{name}` | {taken:.1f} |")


def install_wheel(folder: Path) -> Path:
    """Build the package and install it with click alone; give the folder of its programs."""
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, ROOT], check=True
    )
    [wheel] = folder.glob("bleuprint-*.whl")
    venv.create(folder / "venv", with_pip=True)
    pip = [folder / "venv/bin/python", "-m", "pip", "install", "--quiet"]
    subprocess.run([*pip, "click"], check=True)
    subprocess.run([*pip, "--no-deps", wheel], check=True)
    return folder / "venv/bin"


def main() -> None:
    """Measure here, and where asked for in an environment such as users have."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--here", action="store_true")
    options = parser.parse_args()
    candidates, references, origin = texts.corpus(SEGMENTS)
    print(f"{machine.describe()}\n")
    print(f"`bleuprint score` on {SEGMENTS:,} segments ({origin}), {options.rounds} runs each in turns, medians\n")
    print("| installation | time | `python -c pass` | `bleuprint score` | ratio |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = [folder / "candidate.txt", folder / "reference.txt"]
        for file, lines in zip(files, (candidates, references), strict=True):
            file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        measured = Path(sys.executable).parent
        compare("editable", measured, files, options.rounds)
        compare("editable, with click", measured, files, options.rounds, "--format", "text")
        if not options.here:
            measured = install_wheel(folder)
            compare("wheel", measured, files, options.rounds)
            compare("wheel, with click", measured, files, options.rounds, "--format", "text")
        show_imports(measured, files)


if __name__ == "__main__":
    main()
