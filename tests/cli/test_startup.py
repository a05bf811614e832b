"""A short command starts fast because it imports little; what it imports is listed here, so that nothing creeps in."""

import subprocess
import sys
from pathlib import Path

import pytest

import bleuprint
import bleuprint._kernel
from command_line import PROGRAM, R1, A, read_texts
from imported_modules import HEAVY, imports_of

MOST_OWN = 59
"""There are 57 modules of bleuprint between a command line and its score; a few may come."""


def test_a_plain_score_imports_nothing_heavy():
    found = imports_of("score", A, R1)
    assert {name.partition(".")[0] for name in found} & HEAVY == set()
    assert found & HEAVY == set()
    assert [name for name in found if name.startswith("compiled:")] == []
    assert "bleuprint._kernel" in found
    assert not [name for name in found if name.startswith("bleuprint.metrics.chrf")]
    tokenizers = {name for name in found if name.startswith("bleuprint.text.tokenizers.")}
    assert tokenizers == {"bleuprint.text.tokenizers.registry"}
    own = {name for name in found if name.startswith("bleuprint")}
    assert len(own) <= MOST_OWN, sorted(own)


def test_one_recipe_by_name_is_as_plain():
    assert imports_of("score", A, R1, "--recipe", "nltk", "-b") == imports_of("score", A, R1)


def test_the_program_has_written_everything_when_it_ends(tmp_path):
    printed = subprocess.run([PROGRAM, "score", A, R1], capture_output=True, text=True, check=True)
    score = bleuprint.score(*read_texts(A, R1))
    assert printed.stdout.startswith(score.summary())
    assert printed.stdout.endswith(f"{score.notes[-1]}\n")
    assert printed.stderr == ""
    refused = subprocess.run([PROGRAM, "score", A, tmp_path / "none"], capture_output=True, text=True, check=False)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.startswith("bleuprint: ")
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        unwritten = subprocess.run([PROGRAM, "score", A, R1], stdout=full, stderr=subprocess.PIPE, check=False)
    assert unwritten.returncode == 2
    assert b"standard output" in unwritten.stderr


MODULES = """
import sys
sys.argv = ["bleuprint", *{arguments!r}]
from bleuprint.cli import main
try:
    main()
except SystemExit as stop:
    assert stop.code == 0
print(*sorted(name for name in sys.modules if name.startswith(("bleuprint.metrics.", "click.shell_completion"))))
"""


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["testsets", "--help"]], ids=" ".join)
def test_commands_without_recipes_load_no_metric(arguments):
    command = [sys.executable, "-c", MODULES.format(arguments=arguments)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert printed.splitlines()[-1] == ""
