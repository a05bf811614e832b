"""Count the files and rooms that a call visits, beside those of an earlier commit.

    .venv/bin/python bench/ways.py [--before COMMIT] | tee bench/results/ways.md

The earlier package is built from its commit into a temporary folder (a minute). Each call is made twice on the texts of
``examples/``, and the functions that run the second time are counted; templates are files, too.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from earlier import ROOT
from old_kernel import build, come_first, package_in

BEFORE = "526fdf0ddcd391b82c9e1794c767a45ed9debc4f"
"""The commit for which the house was planned: modules and folders side by side, in alphabetical order."""
CANDIDATES = [f"examples/candidate-{name}.txt" for name in "ab"]
REFERENCES = [f"examples/reference-{number}.txt" for number in (1, 2)]


class Way(NamedTuple):
    """What a call visited: files, one after the other."""

    visits: list[str]

    @property
    def files(self) -> list[str]:
        """Every file once."""
        return sorted(set(self.visits))

    @property
    def rooms(self) -> list[str]:
        """The rooms in the sequence of their visits."""
        return [room for room, _ in groupby(map(room_of, self.visits))]


def room_of(file: str) -> str:
    """Name the folder below the package that a file is in; those at the top are each their own."""
    return file.split("/")[0]


# What is called.


def score_files() -> None:
    """Score a corpus of files."""
    call_command("score", CANDIDATES[0], *REFERENCES)


def compare_systems() -> None:
    """Write the report of a comparison."""
    systems = [part for name in CANDIDATES for part in ("-s", f"{Path(name).stem}={name}")]
    with tempfile.TemporaryDirectory() as folder:
        call_command("compare", "-r", REFERENCES[0], *systems, "--html", str(Path(folder, "report.html")))


def call_command(*arguments: str) -> None:
    """Do what the program does, without its output."""
    from bleuprint.cli import main

    sys.argv = ["bleuprint", *arguments]
    code: object = 0
    try:
        with contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO(), encoding="utf-8")):
            main()
    except SystemExit as end:
        code = end.code
    assert not code, f"{arguments}: ended with {code}"


def show_page_corpus() -> None:
    """Read, count and show a corpus as the page does."""
    from bleuprint.web.bridge import handle

    recipe = {"base": "sacrebleu"}
    names = [CANDIDATES[0], *REFERENCES]
    files = [{"name": Path(name).name, "text": Path(name).read_text(encoding="utf-8")} for name in names]
    corpus = handle({"action": "corpus-read", "files": files, "recipe": recipe})
    segments, documents = corpus["segments"], corpus["documents"]
    counted = handle({"action": "corpus-count", "segments": segments, "recipe": recipe})
    held = {"segments": segments, "documents": documents, "rows": counted["rows"], "plain": counted["plain"]}
    assert handle({"action": "corpus-result", "recipe": recipe, **held})["ok"]


def score_arrow() -> None:
    """Score a table of Arrow."""
    import pyarrow as pa

    from bleuprint.adapters import arrow

    columns = zip(("candidate", "references"), (CANDIDATES[0], REFERENCES[0]), strict=True)
    arrow.score(pa.table({name: Path(file).read_text(encoding="utf-8").splitlines() for name, file in columns}))


WAYS: dict[str, Callable[[], None]] = {
    "`bleuprint score C R R`": score_files,
    "`bleuprint compare … --html FILE`": compare_systems,
    "the page's corpus: read, count, show": show_page_corpus,
    "`arrow.score(table)`": score_arrow,
}


# How it is watched.


def walk(call: Callable[[], None]) -> Way:
    """Make a call twice; give what it visits the second time."""
    import bleuprint

    home = str(Path(bleuprint.__file__).parent) + os.sep
    visits: list[str] = []

    def watch(frame: FrameType, event: str, _: object) -> None:
        name = frame.f_code.co_filename
        if event == "call" and name.startswith(home) and not frame.f_code.co_name.startswith("<"):
            visits.append(name[len(home) :].replace(os.sep, "/"))

    call()
    sys.setprofile(watch)
    call()
    sys.setprofile(None)
    return Way(visits)


def walk_in(folder: str, title: str) -> Way:
    """Walk in a process of its own, with the package of a folder or the one that is installed."""
    command = [sys.executable, __file__, "--walk", title, folder]
    said = subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.PIPE, text=True).stdout
    return Way(json.loads(said))


# What is shown.


def list_rooms(way: Way) -> str:
    """Name the files of a way by their rooms."""
    rooms: dict[str, list[str]] = defaultdict(list)
    for file in way.files:
        rooms[room_of(file)].append(f"`{file}`")
    return "; ".join(", ".join(files) for files in rooms.values())


def show(before: dict[str, Way], now: dict[str, Way], commit: str) -> None:
    """Print how many files each way has, and which."""
    print(f"Before is the commit {commit}. Steps are those from room to room.\n")
    print("| way | files before | files | rooms before | rooms | steps before | steps |\n|---|---|---|---|---|---|---|")
    for title in WAYS:
        old, new = before[title], now[title]
        pairs = zip(*((len(way.files), len(set(way.rooms)), len(way.rooms)) for way in (old, new)), strict=True)
        print(f"| {title} | " + " | ".join(f"{number:,}" for pair in pairs for number in pair) + " |")
    for title in WAYS:
        print(f"\n## {title}\n")
        print(f"Before: {list_rooms(before[title])}.\n\nNow: {list_rooms(now[title])}.")


def main() -> None:
    """Count the ways of both, or those of one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", default=BEFORE)
    parser.add_argument("--walk", nargs=2, metavar=("WAY", "FOLDER"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.walk:
        title, folder = options.walk
        come_first(folder)
        print(json.dumps(walk(WAYS[title]).visits))
        return
    with tempfile.TemporaryDirectory() as folder:
        commit = build(options.before, folder)
        before = {title: walk_in(str(package_in(folder)), title) for title in WAYS}
    show(before, {title: walk_in("", title) for title in WAYS}, commit)


if __name__ == "__main__":
    main()
