"""sacreBLEU's own tests: against the drop-in, and unchanged against sacreBLEU accelerated."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from peer_sources import bring_source_once

OF_METRICS = ("test_bleu.py", "test_sentence_bleu.py", "test_chrf.py", "test_ter.py", "test_tokenizer_ter.py")
TESTS = (*OF_METRICS, "test_api.py")
NEEDS_NETWORK = ("test_api_get_source", "test_api_get_reference")
"""These download test sets; all others work with what is in the archive."""
SIGNIFICANCE = "test_significance.py"
SIGNIFICANCE_TESTS = 30
"""What a plain run passed (sacreBLEU 2.6.0, 2026-11-15): 15 systems in two tests. It takes a minute of computing, so
only the accelerated run is repeated here."""

ACCELERATED = """
from bleuprint.compat import accelerate
from sacrebleu.metrics import bleu, chrf, ter

accelerate("sacrebleu")
counted = []


def watch(module, name):
    own = getattr(module, name)
    setattr(module, name, lambda *arguments: counted.append(1) or own(*arguments))


watch(bleu, "extract_all_word_ngrams")
watch(chrf, "extract_all_char_ngrams")
watch(ter, "translation_edit_rate")


def pytest_sessionfinish():
    print(f"\\nsacreBLEU itself counted {len(counted)} texts")
"""
PASSED = {TESTS: 103, OF_METRICS: 100}
"""What sacreBLEU 2.6.0 passes of them; the matrix asks it again."""
EXCHANGED = {
    r"^import sacrebleu$": "from bleuprint.compat import sacrebleu",
    r"^from sacrebleu\.": "from bleuprint.compat.sacrebleu.",
}
"""The lines that a user exchanges; nothing else in sacreBLEU's tests is touched."""
ALONE = "import sys\n\nsys.modules['sacrebleu'] = None\n"
"""So that whatever is still imported from sacreBLEU itself is an error."""


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """The archive, without its package: the installed one is tested."""
    folder = tmp_path_factory.mktemp("sacrebleu") / "archive"
    unwanted = shutil.ignore_patterns("sacrebleu", "pytest.ini")
    shutil.copytree(bring_source_once("sacrebleu"), folder, ignore=unwanted)
    (folder / "accelerated.py").write_text(ACCELERATED, encoding="utf-8")
    (folder / "alone.py").write_text(ALONE, encoding="utf-8")
    return folder


def run_tests(folder, names, *options):
    """Run tests of the archive in a process of their own; give what passed, and what was printed."""
    deselected = [f"--deselect=test/test_api.py::{name}" for name in NEEDS_NETWORK]
    command = [sys.executable, "-P", "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", *deselected, *options]
    done = subprocess.run(
        [*command, *(f"test/{name}" for name in names)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "yes"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    [summary] = re.findall(r"^=*\s*(\d+ passed.*?) in ", done.stdout, re.MULTILINE)
    assert re.fullmatch(r"\d+ passed(, \d+ deselected)?", summary), "nothing may be skipped or expected to fail"
    return int(summary.split()[0]), done.stdout


@pytest.mark.extended
@pytest.mark.parametrize("names", PASSED)
def test_sacrebleu_passes_what_is_recorded(source, names):
    assert run_tests(source, names)[0] == PASSED[names]


@pytest.mark.extended
def test_accelerated_sacrebleu_passes_as_many(source):
    passed, printed = run_tests(source, TESTS, "-p", "accelerated")
    assert passed == PASSED[TESTS]
    assert "sacreBLEU itself counted 0 texts" in printed


def test_the_drop_in_passes_as_many_with_nothing_but_the_imports_exchanged(source):
    folder = source.parent / "exchanged"
    shutil.copytree(source, folder)
    exchanged = 0
    for name in OF_METRICS:
        path = Path(folder, "test", name)
        text = path.read_text(encoding="utf-8")
        for theirs, ours in EXCHANGED.items():
            text, lines = re.subn(theirs, ours, text, flags=re.MULTILINE)
            exchanged += lines
        path.write_text(text, encoding="utf-8")
    assert exchanged == 6, "five modules, and the class of BLEU"
    passed, _ = run_tests(folder, OF_METRICS, "-p", "alone")
    assert passed == PASSED[OF_METRICS]


@pytest.mark.extended
def test_accelerated_significance_tests_pass(source):
    passed, printed = run_tests(source, [SIGNIFICANCE], "-p", "accelerated")
    assert passed == SIGNIFICANCE_TESTS
    assert "sacreBLEU itself counted 0 texts" in printed
