"""Every test file has its room, so that whoever changes a part of the package finds its tests."""

import subprocess
import sys
from pathlib import Path

import rooms

ROOT = Path(__file__).parent.parent


def test_every_test_file_belongs_to_one_room():
    named = [path for room in rooms.ROOMS for path in rooms.files_of(room)]
    there = {*rooms.HERE.glob("test_*.py"), *(path.parent for path in rooms.HERE.glob("*/test_*.py"))}
    assert sorted(named) == sorted(there)


def test_a_room_that_is_none_is_refused_with_the_names_of_all():
    done = subprocess.run([sys.executable, rooms.__file__, "nonsense"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == f"ROOM: expected one of {', '.join(rooms.ROOMS)}, got nonsense.\n"


def test_the_guide_names_every_room():
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert [room for room in rooms.ROOMS if f"| `{room}` |" not in guide] == []
