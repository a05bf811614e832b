"""A short command starts fast, because it imports nothing heavy, and ends with everything written."""

import subprocess
from pathlib import Path

import pytest

import bleuprint
import bleuprint._kernel
from command_line import PROGRAM, R1, A, read_texts
from imported_modules import HEAVY, imports_of


@pytest.mark.parametrize("options", [(), ("--recipe", "nltk", "-b")], ids=["default", "by name"])
def test_a_plain_score_imports_nothing_heavy(options):
    assert imports_of("score", A, R1, *options) & HEAVY == set()


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
    assert b"Standard output" in unwritten.stderr
