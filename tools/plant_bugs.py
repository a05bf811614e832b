"""Plant bugs into the package, one at a time, and report how many of them the tests detect.

    python tools/plant_bugs.py                     plant all of them, and write bench/results/planted_bugs.md
    python tools/plant_bugs.py --kind kernel       plant those of one kind, and update their rows
    python tools/plant_bugs.py --only ID ID        plant these
    python tools/plant_bugs.py --list              list them, and plant none

``planted_bugs.toml`` holds the bugs and says how to adapt them after a refactoring. A bug is detected if the tests
named there pass on the clean tree and fail, crash or hang with the bug. Bugs are planted in this working tree, whose
``src``, ``kernel`` and ``tests`` must be as committed; each file is restored, also after Ctrl-C. A bug in ``kernel``
takes a build, and the compiled kernel from before is put back afterwards.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
BUGS = ROOT / "tools/planted_bugs.toml"
RESULTS = ROOT / "bench/results/planted_bugs.json"
REPORT = RESULTS.with_suffix(".md")
CLEAN = ("src", "kernel", "tests")
PYTEST = (sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", "not extended or needs")
BUILD = (sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "-e", str(ROOT))
EXAMPLES = "examples in docstrings"
PATIENCE, SHORTEST_TIMEOUT = 5, 120
"""A hang is a run that takes so many times as long as on the clean tree, and at least so many seconds."""


class Bug(NamedTuple):
    """A bug: what it breaks for a user, the edit that makes it, and the targets whose tests should notice."""

    id: str
    kind: str
    breaks: str
    file: str
    old: str
    new: str
    tests: list[str]

    @property
    def path(self) -> Path:
        """The file that it is planted in."""
        return ROOT / self.file

    @property
    def is_compiled(self) -> bool:
        """Whether the kernel must be built to plant it."""
        return self.file.startswith("kernel/")

    @property
    def doctests(self) -> list[str]:
        """The file itself, if it may have examples."""
        return [self.file] if self.file.endswith(".py") else []


class TestRun(NamedTuple):
    """How a run of pytest ended."""

    __test__ = False
    passed: bool
    by: str
    """the first test that failed, or how the run ended instead"""
    seconds: float
    output: str


Targets = Mapping[str, list[str]]


def read_bugs() -> tuple[Targets, list[Bug]]:
    """Read the targets and the bugs."""
    data = tomllib.loads(BUGS.read_text(encoding="utf-8"))
    return data["targets"], [Bug(**entry) for entry in data["bug"]]


def find_problems(targets: Targets, bugs: Sequence[Bug]) -> Iterator[str]:
    """Find what must be adapted before these bugs can be planted."""
    ids = [bug.id for bug in bugs]
    for bug in bugs:
        if ids.count(bug.id) > 1:
            yield f"{bug.id}: several bugs have this id."
        if bug.old == bug.new:
            yield f"{bug.id}: old and new are equal."
        yield from (f"{bug.id}: no such target: {name}" for name in bug.tests if name not in targets)
        if not bug.path.is_file():
            yield f"{bug.id}: no such file: {bug.file}"
        elif (found := read(bug.path).count(bug.old)) != 1:
            yield f"{bug.id}: its snippet occurs {found} times in {bug.file}, expected once: {bug.old.strip()}"
    for name, paths in targets.items():
        yield from (f"target {name}: no such file: {path}" for path in paths if not (ROOT / path).exists())
    changed = run("git", "status", "--porcelain", "--", *CLEAN)
    if changed:
        yield f"the tree has changes in {', '.join(CLEAN)}; commit them, or undo them with git checkout:\n{changed}"
    package = importlib.util.find_spec("bleuprint")
    if package is None or not Path(package.origin or "").is_relative_to(ROOT):
        yield f"{sys.executable} does not import bleuprint from this tree: pip install -e ."


def run(*command: str) -> str:
    """Run a command that must succeed, and return what it printed."""
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def read(path: Path) -> str:
    """Read a file with its line ends."""
    return path.read_bytes().decode("utf-8")


def write(path: Path, content: bytes) -> None:
    """Replace a file at once: a compiled kernel may be in use. Bytecode of the old text must not be taken for new."""
    beside = path.with_name(f".{path.name}.planted")
    beside.write_bytes(content)
    if path.exists():
        beside.chmod(path.stat().st_mode)
    beside.replace(path)
    if path.suffix == ".py":
        Path(importlib.util.cache_from_source(str(path))).unlink(missing_ok=True)


def build() -> str:
    """Build and install the kernel; return what went wrong. Ctrl-C waits for pip, which has uninstalled the old one."""
    process = subprocess.Popen(BUILD, cwd=ROOT, stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        _, complaints = process.communicate()
    except KeyboardInterrupt:
        process.communicate()
        raise
    return complaints or "no reason given" if process.returncode else ""


@contextmanager
def planted(bug: Bug) -> Iterator[None]:
    """Plant a bug, and restore everything afterwards."""
    clean = {bug.path: bug.path.read_bytes()}
    if bug.is_compiled:
        compiled = importlib.util.find_spec("bleuprint._kernel")
        if compiled is None or compiled.origin is None:
            raise SystemExit("There is no compiled kernel: pip install -e .")
        clean[Path(compiled.origin)] = Path(compiled.origin).read_bytes()
    try:
        write(bug.path, read(bug.path).replace(bug.old, bug.new).encode("utf-8"))
        if bug.is_compiled:
            failure = build()
            if failure or all(path.read_bytes() == before for path, before in clean.items() if path != bug.path):
                raise SystemExit(f"{bug.id}: the build made no kernel with this bug:\n{failure}")
        yield
    finally:
        for path, before in clean.items():
            write(path, before)


def run_tests(paths: Iterable[str], timeout: float | None = None) -> TestRun:
    """Run tests until the first fails."""
    started = time.monotonic()
    process = subprocess.Popen(
        [*PYTEST, *paths], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    try:
        output, _ = process.communicate(timeout=timeout)
        failed = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", output, re.MULTILINE)
        crashed = re.search(r'File ".*?(tests/\S+)", line \d+ in (test_\w+)', output)
        by = f"crash in {crashed[1]}::{crashed[2]}" if crashed else f"exit code {process.returncode}"
        by = failed[1] if failed else by
        passed = process.returncode == 0
    except subprocess.TimeoutExpired:
        passed, by, output = False, f"hang: ended after {timeout:.0f} s", ""
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    return TestRun(passed, "" if passed else by, time.monotonic() - started, output)


def time_clean_tests(targets: Targets, bugs: Sequence[Bug]) -> dict[str, float]:
    """See that the tests pass without any bug; return how long each target takes."""
    names = dict.fromkeys(name for bug in bugs for name in bug.tests)
    examples = dict.fromkeys(file for bug in bugs for file in bug.doctests)
    runs = {name: targets[name] for name in names} | ({EXAMPLES: [*examples]} if examples else {})
    seconds = {}
    for name, paths in runs.items():
        clean = run_tests(paths)
        passed = clean.passed or (name == EXAMPLES and "no tests ran" in clean.output)
        print(f"clean: {name}: {'passed' if passed else clean.by} ({clean.seconds:.0f} s)", flush=True)
        if not passed:
            raise SystemExit(f"These tests fail without a bug, so that they detect none:\n{clean.output}")
        seconds[name] = clean.seconds
    return seconds


def measure(bug: Bug, targets: Targets, seconds: Mapping[str, float]) -> dict[str, object]:
    """Plant one bug, and see whether its tests detect it."""
    started = time.monotonic()
    paths = [path for name in bug.tests for path in targets[name]] + bug.doctests
    timeout = max(SHORTEST_TIMEOUT, PATIENCE * sum(seconds[name] for name in bug.tests))
    with planted(bug):
        tested = run_tests(dict.fromkeys(paths), timeout)
    return {"detected": not tested.passed, "by": tested.by, "seconds": round(time.monotonic() - started, 1)}


def read_results(bugs: Sequence[Bug]) -> dict[str, dict[str, object]]:
    """Read the earlier results of bugs that are still planted."""
    known = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    return {bug.id: known[bug.id] for bug in bugs if bug.id in known}


def write_results(bugs: Sequence[Bug], results: Mapping[str, Mapping[str, object]]) -> None:
    """Write the results as JSON and as Markdown."""
    RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    REPORT.write_text(render_report([bug for bug in bugs if bug.id in results], results), encoding="utf-8")


def render_report(bugs: Sequence[Bug], results: Mapping[str, Mapping[str, object]]) -> str:
    """Write how many bugs were detected, of each kind, and which."""
    found = {bug.id: bool(results[bug.id]["detected"]) for bug in bugs}
    lines = [
        "# Planted bugs",
        "",
        f"{sum(found.values())} of {len(bugs)} planted bugs detected. `python tools/plant_bugs.py` plants them again.",
        "",
        "| kind | planted | detected |",
        "|---|---:|---:|",
    ]
    for kind in dict.fromkeys(bug.kind for bug in bugs):
        own = [found[bug.id] for bug in bugs if bug.kind == kind]
        lines.append(f"| {kind} | {len(own)} | {sum(own)} |")
    lines += ["", "| id | kind | what it breaks | detected | by | commit |", "|---|---|---|---|---|---|"]
    for bug in bugs:
        by, commit = str(results[bug.id]["by"]).replace("`", "").replace("|", ""), results[bug.id]["commit"]
        verdict, by = ("yes", f"`{by}`") if found[bug.id] else ("**no**", "")
        lines.append(f"| {bug.id} | {bug.kind} | {escape(bug.breaks)} | {verdict} | {by} | {commit} |")
    return "\n".join([*lines, ""])


def escape(text: str) -> str:
    """Keep marks in a text from becoming Markdown."""
    return re.sub(r"[|<>&`*_\[\]]", r"\\\g<0>", text)


def main() -> int:
    """Read the command line, and plant."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", metavar="ID", help="plant these bugs")
    parser.add_argument("--kind", help="plant the bugs of this kind")
    parser.add_argument("--list", action="store_true", help="list the bugs, and plant none")
    chosen = parser.parse_args()
    targets, bugs = read_bugs()
    wanted = [bug for bug in bugs if bug.id in (chosen.only or [bug.id]) and bug.kind == (chosen.kind or bug.kind)]
    if not wanted or (chosen.only and len(wanted) < len(set(chosen.only))):
        parser.error("no such bug, or no such kind; --list shows them")
    if chosen.list:
        for bug in wanted:
            print(f"{bug.kind:<12}  {bug.id:<40}  {bug.breaks}")
        return 0
    problems = list(find_problems(targets, wanted))
    if problems:
        print("\n".join(problems), file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    commit, results, seconds = run("git", "rev-parse", "--short", "HEAD").strip(), read_results(bugs), {}
    try:
        seconds = time_clean_tests(targets, wanted)
        for number, bug in enumerate(wanted, start=1):
            results[bug.id] = measure(bug, targets, seconds) | {"commit": commit}
            write_results(bugs, results)
            own = results[bug.id]
            verdict = f"detected by {own['by']}" if own["detected"] else "NOT DETECTED"
            print(f"{number:>3}/{len(wanted)}  {own['seconds']:>5} s  {bug.id}: {verdict}", flush=True)
    except KeyboardInterrupt:
        print("\nInterrupted; everything is restored.", file=sys.stderr)
        return 130
    detected = sum(bool(results[bug.id]["detected"]) for bug in wanted)
    print(f"{detected} of {len(wanted)} bugs detected; see {REPORT.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
