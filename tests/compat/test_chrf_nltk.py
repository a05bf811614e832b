"""NLTK's chrF: the drop-in, and NLTK itself with the kernel under it, against NLTK as it is."""

import functools
import inspect
import subprocess
import sys
from collections import deque
from fractions import Fraction

import nltk.translate
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.translate import bleu_score, chrf_score
from nltk.translate.chrf_score import corpus_chrf, sentence_chrf

from accelerated_calls import accelerated
from bleuprint.compat import accelerate
from bleuprint.compat import nltk as compat
from bleuprint.compat.acceleration import AccelerationError
from bleuprint.compat.nltk import acceleration
from nltk_calls import note_counted, odd_corpora, outcome

pytestmark = pytest.mark.usefixtures("unaccelerated")
NAMES = ("sentence_chrf", "corpus_chrf", "chrf_precision_recall_fscore_support")
CHARACTERS = st.text(alphabet="abA .\t\x1c\x85\u00a0\u3000é\u0301中\ud800", max_size=9)
TEXTS = st.one_of(CHARACTERS, st.lists(st.sampled_from(["the", "cat", "", "a b"]), max_size=5))
ORDINARY = st.fixed_dictionaries(
    {},
    optional={
        "min_len": st.integers(1, 3),
        "max_len": st.integers(3, 8),
        "beta": st.sampled_from([0, 1, 2.0, 3, 0.3, 1.1, 1e200]),
        "ignore_whitespace": st.booleans(),
    },
)
ODD = st.fixed_dictionaries(
    {},
    optional={
        "min_len": st.sampled_from([0, -1, 1, 7, True, 1.0, None, "1", np.int64(2)]),
        "max_len": st.sampled_from([0, 3, 101, True, 2.5, None]),
        "beta": st.sampled_from([-1, float("nan"), Fraction(1, 3), np.float64(2), "x", None]),
        "ignore_whitespace": st.sampled_from([0, "", "yes", None, []]),
    },
)


@pytest.fixture
def counted(monkeypatch):
    """Which corpora were counted by the engine."""
    return note_counted(monkeypatch, "score_quickly")


def check(name, *arguments, **options):
    """Call NLTK, the drop-in, and NLTK with the kernel under it."""
    theirs = outcome(getattr(chrf_score, name), *arguments, **options)
    assert outcome(getattr(compat, name), *arguments, **options) == theirs
    with accelerated("nltk"):
        assert outcome(getattr(chrf_score, name), *arguments, **options) == theirs


@settings(max_examples=300)
@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=4), ORDINARY)
def test_corpora(pairs, options):
    check("corpus_chrf", [reference for reference, _ in pairs], [text for _, text in pairs], **options)


@settings(max_examples=200)
@given(TEXTS, TEXTS, ORDINARY)
def test_sentences(reference, hypothesis, options):
    check("sentence_chrf", reference, hypothesis, **options)


@settings(max_examples=200)
@given(odd_corpora(), st.one_of(ODD, ORDINARY))
def test_odd_corpora(corpus, options):
    check("corpus_chrf", *corpus, **options)


@settings(max_examples=200)
@given(st.tuples(TEXTS, TEXTS), ODD)
def test_odd_arguments(texts, options):
    check("sentence_chrf", *texts, **options)


@given(
    TEXTS, TEXTS, st.sampled_from([1, 2, 3, 9, 0, -1, True, 1.0, None]), st.sampled_from([0, 1.5, 3.0]), st.floats(0, 1)
)
def test_one_order(reference, hypothesis, n, beta, epsilon):
    check("chrf_precision_recall_fscore_support", reference, hypothesis, n, beta, epsilon)


@pytest.mark.parametrize("container", [iter, deque, np.array])
def test_containers(container):
    for texts in (
        (["the cat", "a b c"], ["the mat", "a c"]),
        ([["the", "cat"]], [["cat", "5"]]),
        ([b"the cat"], ["the cat"]),
        ([5], ["the cat"]),
    ):
        theirs = outcome(chrf_score.corpus_chrf, *map(container, texts))
        assert outcome(compat.corpus_chrf, *map(container, texts)) == theirs


def test_tokens_that_can_be_read_once():
    def both_generators():
        return [iter(["the", "cat"])], [iter(["the", "mat"])]

    assert compat.corpus_chrf(*both_generators()) == chrf_score.corpus_chrf(*both_generators())


@pytest.mark.parametrize("name", NAMES)
def test_signatures(name):
    ours, theirs = (inspect.signature(getattr(module, name)).parameters for module in (compat, chrf_score))
    assert [(p.name, p.default, p.kind) for p in ours.values()] == [
        (p.name, p.default, p.kind) for p in theirs.values()
    ]


def test_unequal_corpora_are_refused_with_both_numbers():
    with pytest.raises(AssertionError, match=r"expected 1 entries, .* got 2"):
        compat.corpus_chrf(["a", "b"], ["a"])


def test_all_functions_profit(counted):
    with accelerate("nltk"):
        counted.clear()
        chrf_score.corpus_chrf(references=["a b"], hypotheses=["a c"], max_len=3)
        corpus_chrf(["a b"], ["a c"])
        sentence_chrf("a b", "a c")
        nltk.translate.chrf("a b", ["a", "c"])
    assert counted == [True] * 4
    corpus_chrf(["a"], ["a"])
    assert counted == [True] * 4


PARTS_HERE = [name for name in acceleration.CHRF_PARTS if hasattr(chrf_score, name)]
"""Releases differ in the module of regular expressions that they use."""


@pytest.mark.parametrize("name", PARTS_HERE)
def test_parts_that_somebody_replaced_are_used(name, monkeypatch, counted):
    with accelerate("nltk"):
        counted.clear()
        part = getattr(chrf_score, name)
        monkeypatch.setattr(
            chrf_score, name, functools.partial(part) if callable(part) else type("Own", (), vars(part))
        )
        assert corpus_chrf(["a b"], ["a b"]) == pytest.approx(2 / 6)
    assert counted == []


def test_a_function_that_computes_something_else_is_refused_and_nothing_is_replaced(monkeypatch):
    before = dict(vars(bleu_score))
    monkeypatch.setattr(chrf_score, "corpus_chrf", lambda *arguments, **options: 0.5)
    with pytest.raises(AccelerationError):
        accelerate("nltk")
    assert dict(vars(bleu_score)) == before


def test_odd_input_runs_nltks_own_function(counted):
    with accelerate("nltk"):
        counted.clear()
        with pytest.raises(AssertionError, match="should be the same"):
            corpus_chrf(["a", "b"], ["a"])
        with pytest.raises(ZeroDivisionError):
            corpus_chrf([], [])
    assert counted == [False, False]


@pytest.mark.parametrize("engine", ["native", "python"])
def test_without_nltk_and_with_either_engine(engine):
    program = (
        "import sys\n"
        "sys.modules['nltk'] = None\n"
        "from bleuprint.compat.nltk import sentence_chrf\n"
        "print(sentence_chrf('the cat sat', 'the cat'))\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={"BLEUPRINT_ENGINE": engine, "PATH": ""},
    )
    assert float(run.stdout) == sentence_chrf("the cat sat", "the cat")
