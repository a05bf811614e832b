"""NLTK's own tests of BLEU, from its source distribution: plain, against the drop-in, and accelerated.

Every run must end as the plain one does, test by test, so that a test that was skipped or lost cannot count as passed.
"""

import doctest
import os
import re
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bleuprint.compat import accelerate
from bleuprint.compat import nltk as compat
from peer_sources import bring_source_once

UNIT = "nltk/test/unit/translate/test_bleu.py"
DOCTEST = "nltk/test/bleu.doctest"
NEEDS_DATA = "test_corpus_bleu"
"""It reads files that NLTK's downloader brings from elsewhere, and fails without them, here as in plain NLTK."""
PASSING = 15
"""How many of NLTK's tests pass without that data: 14 unit tests, and the file of examples."""
IMPORT = "from nltk.translate.bleu_score import"
OURS = "from bleuprint.compat.nltk import"
ACCELERATE = """
from pathlib import Path

from bleuprint.compat import accelerate
from bleuprint.compat.nltk import acceleration as nltk

count = nltk.count_quickly


def count_and_say_so(*arguments):
    counts = count(*arguments)
    with Path(__file__).with_name("counted").open("a") as file:
        file.write("" if counts is None else "x")
    return counts


nltk.count_quickly = count_and_say_so
accelerate("nltk")
"""


@pytest.fixture(scope="session")
def source():
    return bring_source_once("nltk")


def run_suite(folder, source, change=lambda text: text, conftest=""):
    """Run a copy of both files in a process of its own; give each test's outcome, and the examples of the doctest."""
    folder.mkdir()
    for name in (UNIT, DOCTEST):
        (folder / Path(name).name).write_text(change((source / name).read_text(encoding="utf-8")), encoding="utf-8")
    (folder / "conftest.py").write_text(conftest, encoding="utf-8")
    (folder / "pytest.ini").write_text(
        "[pytest]\ndoctest_optionflags = ELLIPSIS NORMALIZE_WHITESPACE\n", encoding="utf-8"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--junit-xml=result.xml"]
    run = subprocess.run(
        [*command, "test_bleu.py", "--doctest-glob=*.doctest", "bleu.doctest"],
        cwd=folder,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "yes"},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert run.returncode in (0, 1), run.stdout + run.stderr
    cases = ElementTree.parse(folder / "result.xml").iter("testcase")
    return {case.get("name"): tuple(child.tag for child in case) or ("passed",) for case in cases}


@pytest.fixture(scope="session")
def plain(source, tmp_path_factory):
    outcomes = run_suite(tmp_path_factory.mktemp("nltk-suites") / "plain", source)
    passed = [name for name, outcome in outcomes.items() if outcome == ("passed",)]
    assert len(passed) == PASSING
    assert {name: outcome for name, outcome in outcomes.items() if name not in passed} == {NEEDS_DATA: ("failure",)}
    return outcomes


def use_the_drop_in(text):
    """Change the import line, and nothing else."""
    changed, times = re.subn(f"^(>>> )?{re.escape(IMPORT)}", rf"\g<1>{OURS}", text, flags=re.MULTILINE)
    assert times == 1
    # The doctest also takes sentence_bleu by its other name.
    return changed.replace("from nltk.translate import bleu\n", f"{OURS} sentence_bleu as bleu\n")


def test_the_drop_in_passes_what_nltk_passes(source, plain, tmp_path):
    seen = []

    def change(text):
        seen.append(use_the_drop_in(text))
        return seen[-1]

    assert run_suite(tmp_path / "drop-in", source, change) == plain
    assert not any("from nltk.translate" in text for text in seen)


@pytest.mark.extended
def test_the_accelerated_nltk_passes_what_nltk_passes(source, plain, tmp_path):
    assert run_suite(tmp_path / "accelerated", source, conftest=ACCELERATE) == plain
    assert len((tmp_path / "accelerated/counted").read_text(encoding="utf-8")) > 10


def run_examples(module, names):
    """Run the examples in the docstrings of a module, with other functions of the same names; count what ran."""
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    report = []
    for test in doctest.DocTestFinder().find(module, extraglobs=names):
        runner.run(test, out=report.append)
    return runner.summarize(verbose=False), "".join(report)


@pytest.mark.filterwarnings(r"ignore:\sThe hypothesis contains 0 counts:UserWarning")
def test_the_examples_in_nltks_docstrings(source):
    spec = spec_from_file_location("bleu_score_as_published", source / "nltk/translate/bleu_score.py")
    published = module_from_spec(spec)
    spec.loader.exec_module(published)
    (_, attempted), _ = run_examples(published, {})
    ours, report = run_examples(published, {name: getattr(compat, name) for name in compat.__all__})
    assert (ours.failed, ours.attempted) == (0, attempted), report
    assert attempted > 70


@pytest.mark.filterwarnings(r"ignore:\sThe hypothesis contains 0 counts:UserWarning")
def test_the_examples_in_nltks_docstrings_under_acceleration():
    from nltk.translate import bleu_score

    (failed, attempted), report = run_examples(bleu_score, {})
    assert not failed, report
    with accelerate("nltk"):
        ours, report = run_examples(bleu_score, {"corpus_bleu": bleu_score.corpus_bleu})
    assert (ours.failed, ours.attempted) == (0, attempted), report
