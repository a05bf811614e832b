"""sacreBLEU's own tests of BLEU: against the drop-in, and unchanged against sacreBLEU accelerated."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from peer_sources import bring_source

TESTS = ("test_bleu.py", "test_sentence_bleu.py", "test_api.py")
NEEDS_NETWORK = ("test_api_get_source", "test_api_get_reference")
"""These download test sets; all others work with what is in the archive."""
SIGNIFICANCE = "test_significance.py"
SIGNIFICANCE_TESTS = 30
"""What a plain run passed (sacreBLEU 2.6.0, 2026-11-15): 15 systems in two tests. It takes a minute of computing, so
only the accelerated run is repeated here."""

ACCELERATED = """
import bleuprint
from sacrebleu.metrics import bleu

bleuprint.accelerate("sacrebleu")
own, counted = bleu.extract_all_word_ngrams, []
bleu.extract_all_word_ngrams = lambda *arguments: counted.append(1) or own(*arguments)


def pytest_sessionfinish():
    print(f"\\nsacreBLEU itself counted {len(counted)} texts")
"""
DROP_IN = (
    "from types import SimpleNamespace; from bleuprint.compat import sacrebleu as _own; "
    "sacrebleu = SimpleNamespace(**vars(_own), compat=_own, metrics=_own)"
)


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """The archive, without its package: the installed one is tested."""
    folder = bring_source("sacrebleu", tmp_path_factory.mktemp("sacrebleu"))
    shutil.rmtree(folder / "sacrebleu")
    (folder / "pytest.ini").unlink(missing_ok=True)
    (folder / "accelerated.py").write_text(ACCELERATED, encoding="utf-8")
    return folder


def run_tests(folder, names, *options):
    """Run tests of the archive in a process of their own; give what passed, and what was printed."""
    deselected = [f"--deselect=test/test_api.py::{name}" for name in NEEDS_NETWORK]
    command = [sys.executable, "-P", "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", *deselected, *options]
    done = subprocess.run(
        [*command, *(f"test/{name}" for name in names)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    [summary] = re.findall(r"^=*\s*(\d+ passed.*?) in ", done.stdout, re.MULTILINE)
    assert re.fullmatch(r"\d+ passed(, \d+ deselected)?", summary), "nothing may be skipped or expected to fail"
    return int(summary.split()[0]), done.stdout


@pytest.fixture(scope="module")
def plain(source):
    """How many tests sacreBLEU itself passes."""
    passed, _ = run_tests(source, TESTS)
    assert passed >= 60
    return passed


def test_accelerated_sacrebleu_passes_as_many(source, plain):
    passed, printed = run_tests(source, TESTS, "-p", "accelerated")
    assert passed == plain
    assert "sacreBLEU itself counted 0 texts" in printed


def test_the_drop_in_passes_as_many(source, plain):
    folder = source.parent / "rewritten"
    shutil.copytree(source, folder)
    rewritten = 0
    for name in TESTS:
        path = Path(folder, "test", name)
        text = path.read_text(encoding="utf-8")
        text, imports = re.subn(r"^import sacrebleu$", DROP_IN, text, flags=re.MULTILINE)
        text, names = re.subn(
            r"^from sacrebleu\.metrics import", "from bleuprint.compat.sacrebleu import", text, flags=re.M
        )
        path.write_text(text, encoding="utf-8")
        rewritten += imports + names
    assert rewritten == 3, "two modules, and the class"
    assert run_tests(folder, TESTS)[0] == plain


def test_accelerated_significance_tests_pass(source):
    passed, printed = run_tests(source, [SIGNIFICANCE], "-p", "accelerated")
    assert passed == SIGNIFICANCE_TESTS
    assert "sacreBLEU itself counted 0 texts" in printed
