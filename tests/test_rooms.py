"""Every test file has its room, so that whoever changes a part of the package finds its tests.

And what is left to the matrix is still tried there.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import rooms

ROOT = Path(__file__).parent.parent
PYTEST = [sys.executable, "-m", "pytest", "-c", "pyproject.toml", "-p", "no:cacheprovider", "-p", "conftest", "-s"]
ALONE = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "yes"}
PROPERTY = """
from hypothesis import given, settings, strategies

@settings(max_examples=100)
@given(strategies.integers())
def test_property(number):
    print("tried")
"""

LONG = """
import os, time
from pathlib import Path

def test_long():
    Path(os.environ["HF_HOME"]).mkdir()
    print("under way", flush=True)
    time.sleep(600)
"""


def test_every_test_file_belongs_to_one_room():
    named = [path for room in rooms.ROOMS for path in rooms.files_of(room)]
    there = {*rooms.HERE.glob("test_*.py"), *(path.parent for path in rooms.HERE.glob("*/test_*.py"))}
    assert sorted(named) == sorted(there)


def test_every_module_with_examples_belongs_to_one_room():
    named = [path for room in rooms.ROOMS for path in rooms.source_of(room)]
    there = [path for path in rooms.PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()]
    assert sorted(named) == sorted(there)


def ask_for(*names):
    return subprocess.run([sys.executable, rooms.__file__, *names], capture_output=True, text=True, check=False)


def test_no_test_file_takes_anything_from_another():
    """What several need stands in a file without tests, and fixtures in conftest.py."""
    lines = {path: path.read_text(encoding="utf-8") for path in rooms.HERE.rglob("*.py")}
    taken = re.compile(r"^ *(?:from|import) (?:page\.)?test_\w+", re.MULTILINE)
    assert {path.name: taken.findall(text) for path, text in lines.items() if taken.search(text)} == {}


def test_a_room_is_its_tests_and_its_part_of_the_package():
    done = ask_for("lessons", "files")
    names = [Path(path).relative_to(ROOT).as_posix() for path in done.stdout.split()]
    assert names == [
        "tests/test_exercises.py",
        "src/bleuprint/lessons",
        "tests/test_arrow_files.py",
        "tests/test_formats.py",
        "tests/test_io.py",
        "src/bleuprint/files",
    ]
    assert "\n" not in done.stdout, "a shell on Windows would take half of the end of a line for part of a name"
    assert ask_for().stdout == "", "pytest then tries all that pyproject.toml names"


def test_of_the_modules_in_no_folder_the_examples_alone_are_tests():
    sources = [*map(str, rooms.source_of("house"))]
    done = subprocess.run(
        [*PYTEST, "--collect-only", "-q", *sources], cwd=ROOT, env=ALONE, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    found = [line.rpartition("::")[2] for line in done.stdout.splitlines() if "::" in line]
    assert found
    assert {name.partition(".")[0] for name in found} == {"bleuprint"}


@pytest.mark.parametrize(
    ("name", "meant"), [("nonsense", ""), ("texts", " Did you mean 'text'?"), ("metric", " Did you mean 'metrics'?")]
)
def test_a_room_that_is_none_is_refused_with_the_names_of_all(name, meant):
    done = ask_for(name)
    assert done.returncode == 1
    assert done.stderr == f"ROOM: expected one of {', '.join(rooms.ROOMS)}, got {name}.{meant}\n"


def test_the_guide_names_every_room():
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert [room for room in rooms.ROOMS if f"| `{room}` |" not in guide] == []


@pytest.mark.parametrize(
    ("chosen", "count"), [("not matrix", 20), pytest.param("matrix", 100, marks=pytest.mark.matrix)]
)
def test_a_property_is_tried_with_a_fifth_of_its_examples_and_in_the_matrix_with_all(tmp_path, chosen, count):
    program = tmp_path / "test_property.py"
    program.write_text(PROPERTY, encoding="utf-8")
    command = [*PYTEST, "-p", "_hypothesis_pytestplugin", "-m", chosen, str(program)]
    done = subprocess.run(command, cwd=ROOT, env=ALONE, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.count("tried")) == (0, count), done.stdout + done.stderr


SURROUNDINGS = """
import io
import bleuprint
from rich.console import Console

def test_surroundings():
    console = Console(file=io.StringIO())
    assert (bleuprint.engine().name, console.is_terminal, console.width) == ("native", False, 80)
"""


def test_what_somebody_has_chosen_for_other_work_does_not_reach_the_tests(tmp_path):
    program = tmp_path / "test_surroundings.py"
    program.write_text(SURROUNDINGS, encoding="utf-8")
    chosen = {**ALONE, "BLEUPRINT_ENGINE": "python", "COLUMNS": "40", "FORCE_COLOR": "1", "LINES": "9", "NO_COLOR": "1"}
    done = subprocess.run([*PYTEST, str(program)], cwd=ROOT, env=chosen, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_run_that_is_ended_leaves_nothing_in_the_temporary_folder(tmp_path):
    program, folder = tmp_path / "test_long.py", tmp_path / "temporary"
    program.write_text(LONG, encoding="utf-8")
    folder.mkdir()
    command, environment = [*PYTEST, "-q", str(program)], {**ALONE, "TMPDIR": str(folder)}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        assert "under way" in run.stdout.readline()
        assert len(list(folder.iterdir())) == 1
        run.terminate()
    assert list(folder.iterdir()) == []
