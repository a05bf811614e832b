"""The ways of four calls through the house lead through as many files and rooms as docs/design.md says, and no more."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROW = re.compile(r"\| (?P<way>[^|]+) \| (?P<files>\d+), before (?P<most>\d+) \| (?P<rooms>\d+), before \d+ \| [^|]+ \|")
TOLD = [match.groups() for match in ROW.finditer((ROOT / "docs/design.md").read_text(encoding="utf-8"))]


def test_the_design_tells_of_four_ways_and_none_has_more_files_than_before():
    assert len(TOLD) == 4
    assert [way for way, files, most, _ in TOLD if int(files) > int(most)] == []


@pytest.mark.parametrize(
    ("way", "files", "rooms"),
    [(way, int(files), int(rooms)) for way, files, _, rooms in TOLD],
    ids=[way for way, *_ in TOLD],
)
def test_a_way_leads_through_what_the_design_says(way: str, files: int, rooms: int):
    program = [sys.executable, "bench/ways.py", "--walk", way, ""]
    visits = json.loads(subprocess.run(program, cwd=ROOT, check=True, capture_output=True, text=True).stdout)
    seen = {file.partition("/")[0] for file in visits}
    assert (len(set(visits)), len(seen)) == (files, rooms), sorted(set(visits))
