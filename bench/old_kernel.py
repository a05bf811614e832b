"""Packages of two commits side by side: the earlier is built into a folder, and each has a process that measures."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from earlier import ROOT, unpack

BEFORE = "f5763a937962e0792e44470fed850ed8929e02c0"
"""The commit before the kernel split in blocks, listed places, and numbered the n-grams of pairs once."""


def build(commit: str, folder: str) -> str:
    """Build the package of a commit into a folder; give its short name."""
    print(f"building {commit} ...", file=sys.stderr)
    sources = unpack(commit, Path(folder, "sources"))
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    subprocess.run([*install, "--target", str(package_in(folder)), str(sources)], check=True)
    name = ["git", "-C", str(ROOT), "rev-parse", "--short", commit]
    return subprocess.run(name, capture_output=True, check=True, text=True).stdout.strip()


def package_in(folder: str) -> Path:
    """Give where a package is built."""
    return Path(folder, "package")


def come_first(folder: str) -> None:
    """Let an earlier package, if a folder has one, come before the one that is installed."""
    if folder:
        sys.meta_path[:] = [finder for finder in sys.meta_path if "editable" not in type(finder).__module__]
        sys.path.insert(0, folder)
    import bleuprint

    assert not folder or str(bleuprint.__file__).startswith(folder)


IN_A_ROW = 5
"""Calls of a turn, of which the best counts: the first finds in the caches what the other process left there."""


def serve_times(folder: str, make: Callable[[str], Callable[[], object]], wall: bool = False) -> None:
    """Do what is asked for, line by line; tell the best milliseconds of a turn, and what came out.

    Of processor time, or of the clock on the wall, which a work that has all cores is asked for once a turn.
    """
    come_first(folder)
    clock = time.perf_counter if wall else time.process_time
    asked, work = "", None
    for line in sys.stdin:
        if line != asked:
            asked, work = line, make(line.strip())
            work()
        assert work
        took = float("inf")
        for _ in range(1 if wall else IN_A_ROW):
            started = clock()
            result = work()
            took = min(took, clock() - started)
        print(1000 * took, result, flush=True)


class Measured(NamedTuple):
    """A time in milliseconds, and what came out."""

    milliseconds: float
    result: float


class Worker:
    """A process that measures: a script, called with ``--serve FOLDER``, that calls ``serve_times``."""

    def __init__(self, script: str, folder: str = "", *options: str) -> None:
        command = [sys.executable, script, "--serve", folder, *options]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, line: str) -> None:
        """Begin a work."""
        assert self._process.stdin
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def answer(self) -> Measured:
        """Wait for its end."""
        return Measured(*self.numbers())

    def numbers(self) -> list[float]:
        """Wait for its end; give the milliseconds, and all numbers that came out."""
        assert self._process.stdout
        return list(map(float, self._process.stdout.readline().split()))

    def measure(self, line: str) -> Measured:
        """Have a work done."""
        self.ask(line)
        return self.answer()

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait()


def in_turns(workers: list[Worker], line: str, rounds: int) -> list[Measured]:
    """Let processes do the same in turns; give the best of each, which must have come to the same result."""
    best = [Measured(float("inf"), 0.0)] * len(workers)
    for _ in range(rounds):
        best = [min(known, worker.measure(line)) for known, worker in zip(best, workers, strict=True)]
    assert len({one.result for one in best}) == 1, f"{line}: the results differ"
    return best


def judge(value: float, least: float, aim: float) -> str:
    """Say which of two goals a ratio reaches."""
    return "aim met" if value >= aim else "met" if value >= least else "**missed**"


class Row(NamedTuple):
    """What is measured, and how many times faster it should have become."""

    title: str
    least: float
    aim: float
    rounds: int = 15


def show_rows(workers: list[Worker], rows: Mapping[str, Row]) -> None:
    """Print what each work took before and takes now; the words that ask for it are the keys."""
    print("| work | before | now | ratio | at least | aim | verdict |\n|---|---|---|---|---|---|---|")
    for work, row in rows.items():
        before, now = in_turns(workers, work, row.rounds)
        ratio = before.milliseconds / now.milliseconds
        print(
            f"| {row.title} | {before.milliseconds:.2f} ms | {now.milliseconds:.2f} ms | {ratio:.2f} × "
            f"| {row.least:g} × | {row.aim:g} × | {judge(ratio, row.least, row.aim)} |",
            flush=True,
        )
