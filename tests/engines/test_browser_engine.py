"""The kernel for browsers: the tests of the engines, run on the WebAssembly build outside a browser, with ``==``."""

from __future__ import annotations

import pytest

pytest.importorskip("wasmtime")

import os
import re
import shutil
import subprocess
import sys
from array import array
from pathlib import Path

from bleuprint import Recipe, score
from bleuprint.engines import kernel_plans
from bleuprint.engines.browser_kernel import BrowserKernel
from bleuprint.engines.native import NativeEngine
from bleuprint.native_kernel import find_kernel
from bleuprint.text.segments import Segments
from browser_engine import BUILD, WasmtimeInstance
from score_values import values_of

pytestmark = pytest.mark.needs("wasmtime")


ROOT = Path(__file__).parents[2]
FILES = (
    "engines/test_engines.py",
    "engines/test_engines_chrf.py",
    "engines/test_engines_ter.py",
    "scoring/test_pairs.py",
)
ENOUGH = {"one": (20, 12, 18, 15), "all": (30, 50, 25, 30)}
"""How many tests of each file the build passes at least: of each its first case, or every case."""


@pytest.mark.parametrize("cases", ["one", pytest.param("all", marks=pytest.mark.extended)])
def test_the_build_for_browsers_passes_the_tests_of_the_engines(cases):
    plugins = [
        "-p",
        "_hypothesis_pytestplugin",
        "-p",
        "browser_engine",
        "-p",
        "no:faulthandler",
        "-p",
        "no:cacheprovider",
    ]
    command = [sys.executable, "-m", "pytest", "-rspf", *plugins, "-m", "not extended"]
    ran = subprocess.run(
        [*command, *(["--one-case"] if cases == "one" else []), *(ROOT / "tests" / name for name in FILES)],
        cwd=ROOT,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "yes"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-1000:]
    for name, enough in zip(FILES, ENOUGH[cases], strict=True):
        assert len(re.findall(rf"^PASSED tests/{name}::", ran.stdout, re.MULTILINE)) >= enough, name
    skipped = re.findall(r"^SKIPPED.*", ran.stdout, re.MULTILINE)
    assert all("WMT22" in line for line in skipped), skipped


@pytest.fixture(scope="module")
def kernel():
    return BrowserKernel(WasmtimeInstance(BUILD))


CANDIDATES = ["the cat is on mat", "a dog", "", "eins zwei drei vier fünf", "a b c d e f"] * 7
REFERENCES = [
    ("the cat is on the mat", "a mat"),
    ("a dog",),
    ("nothing",),
    ("eins zwei vier drei fünf",),
    ("a b c d e g",),
] * 7
BLEU = ["13a", "closest", "exact", "exp", "zero", "zero", "zero"], [4, 0.0, *[0.25] * 4]
CHRF = ["removed", "where-reference-has", "counted", "effective-order"], [6, 0, 2.0]
TER = ["candidate", "insertions"], [10]
METRICS = {"BleuKernel": (BLEU, 10), "ChrfKernel": (CHRF, 20), "TerKernel": (TER, 6)}


def count(metric, width=10):
    numbers = memoryview(array("q", bytes(8 * width * len(CANDIDATES))))
    metric.count(CANDIDATES, REFERENCES, "mixed", numbers, 1)
    return numbers


@pytest.mark.parametrize("name", METRICS)
def test_bulk_work_gives_what_the_compiled_kernel_gives(kernel, name):
    options, width = METRICS[name]
    results = []
    for one in (kernel, find_kernel()):
        metric = getattr(one, name)(*options)
        numbers = count(metric, width)
        other = memoryview(array("q", reversed_rows(numbers, width)))
        scores, drawn = array("d", bytes(8 * len(CANDIDATES))), array("d", bytes(8 * 2 * 50))
        metric.score_rows(numbers, width, scores)
        metric.bootstrap([numbers, other], width, 2**63 + 5, 50, drawn, 1)
        extreme = metric.randomise(numbers, other, width, 2**40 + 1, 200, 0.5, 1)
        results.append((numbers.tolist(), extreme, scores.tolist(), drawn.tolist()))
    assert results[0] == results[1]
    assert any(results[0][0])
    assert max(results[0][2]) > 49


def test_texts_of_any_size_and_script_end_where_they_do(kernel):
    """Sizes go over in characters; texts are as long as a block that is skipped at once, or a bit more or less."""
    texts = [f"{letter * size} {letter}" for letter in "aß中😀" for size in (0, 1, 13, 14, 15, 16, 29, 30, 31, 47)]
    texts += ["", *reversed(texts), ""]
    references = [(text, "", "x" + text) for text in reversed(texts)]
    results = []
    for one in (kernel, find_kernel()):
        numbers = memoryview(array("q", bytes(8 * 6 * len(texts))))
        bleu = one.BleuKernel(["char", "closest", "exact"], [2])
        plain = bleu.count_with_plain(texts, references, numbers, 1)
        results.append((numbers.tolist(), plain))
    assert results[0] == results[1]
    assert results[0][0][::6] == [len(text.replace(" ", "")) for text in texts]


class Watched(WasmtimeInstance):
    """Remembers what it is asked to do."""

    def __init__(self):
        super().__init__(BUILD)
        self.calls, self.written = 0, []

    def call(self, name, *arguments):
        self.calls += 1
        return super().call(name, *arguments)

    def write(self, address, content):
        self.written.append(bytes(content))
        super().write(address, content)


@pytest.fixture
def count_with(monkeypatch):
    """Let the native engine count with another kernel."""

    def use(kernel):
        monkeypatch.setattr(kernel_plans, "find_kernel", lambda: kernel)
        monkeypatch.setattr("bleuprint.engines.native.find_kernel", lambda: kernel)
        monkeypatch.setattr("bleuprint.text.segments.find_kernel", lambda: kernel)
        forget()

    def forget():
        for cached in (kernel_plans.plan_counting, kernel_plans.plan_scoring):
            cached.cache_clear()

    yield use
    forget()


def test_a_chunk_goes_over_once_in_as_many_calls_whatever_its_size(count_with):
    asked = []
    for size in (1, 50):
        instance = Watched()
        count_with(BrowserKernel(instance))
        segments = Segments(["one and another"] * size, [("the other", "one")] * size)
        table, plain = NativeEngine().count_with_plain(segments, Recipe.named("sacrebleu").layout)
        assert (len(table), plain) == (size, (size, 0, 0, 0))
        assert sum(content.count(b"another") for content in instance.written) == size
        asked.append((instance.calls, len(instance.written)))
    assert asked[0] == asked[1]


def test_tokens_score_as_with_the_compiled_kernel(kernel, count_with):
    tokens, references = [text.split() for text in CANDIDATES], [[one.split() for one in own] for own in REFERENCES]
    recipe = Recipe.named("sacrebleu").replace(tokenizer="pretokenized")
    compiled = score(tokens, references, recipe)
    count_with(kernel)
    assert values_of(score(tokens, references, recipe)) == values_of(compiled)


def reversed_rows(numbers, width):
    rows = [numbers[start : start + width].tolist() for start in range(0, len(numbers), width)]
    return [number for row in reversed(rows) for number in row]


def test_an_instance_that_stops_says_why_and_another_takes_its_place(kernel):
    bleu, row = kernel.BleuKernel(*BLEU), memoryview(array("q", bytes(80)))
    numbers, scores = count(bleu), array("d", bytes(8 * len(CANDIDATES)))
    bleu.score_rows(numbers, 10, scores)
    with pytest.raises(OverflowError, match="a sum has more than 64 bits"):
        kernel.sum_rows(array("q", [2**62, 2**62]), 1)
    with pytest.raises(ValueError, match="the kernel has no tokenizer 13b"):
        kernel.BleuKernel(["13b", "closest", "exact"], [4])
    with pytest.raises(ValueError, match="every segment needs a reference"):
        bleu.count(["a"], [()], "mixed", row, 1)
    with pytest.raises(ValueError, match="differ in number"):
        bleu.count(["a"], [], "mixed", row, 1)
    with pytest.raises(ValueError, match="a buffer of another size"):
        bleu.score_rows(numbers, 10, scores[:-1])
    again = array("d", bytes(8 * len(CANDIDATES)))
    bleu.score_rows(count(bleu), 10, again)
    assert again.tolist() == scores.tolist()
    assert kernel.sum_rows(array("q", [2**62, 1]), 1) == (2**62 + 1,)


def score_corpus(kernel, run):
    """Do what the page does with a corpus, under one metric after the other; what is settled for it goes with it."""
    texts = CANDIDATES[:2], REFERENCES[:2]
    name = list(METRICS)[run % 3]
    options, width = METRICS[name]
    rows, metric = memoryview(array("q", bytes(8 * width * 2))), getattr(kernel, name)(*options)
    metric.count(*texts, "mixed", rows, 1)
    metric.bootstrap([rows, rows], width, 12345, 10, array("d", bytes(8 * 20)), 1)
    return kernel.sum_rows(array("q", rows), width)


def test_memory_does_not_grow_over_a_thousand_corpora(kernel):
    for run in range(6):  # a second time each, among what the first has left behind
        score_corpus(kernel, run)
    instance = kernel._instance
    size = instance._exports["memory"].data_len(instance._store)
    for run in range(1000):
        score_corpus(kernel, run)
    assert instance._exports["memory"].data_len(instance._store) == size


@pytest.mark.extended
def test_built_in_another_folder_it_has_the_same_bytes(tmp_path):
    shutil.copytree(ROOT / "kernel", tmp_path / "kernel")
    nothing_known = {f"ZIG_{kind}_CACHE_DIR": str(tmp_path / "cache") for kind in ("LOCAL", "GLOBAL")}
    command = ["sh", ROOT / "tools" / "build_wasm.sh", sys.executable, tmp_path / "kernel.wasm"]
    ran = subprocess.run(command, cwd=tmp_path, env=os.environ | nothing_known, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert (tmp_path / "kernel.wasm").read_bytes() == BUILD.read_bytes()
