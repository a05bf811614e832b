"""The accelerated NLTK: the same results, warnings and errors."""

import functools
import inspect
import pickle
import subprocess
import sys

import nltk.translate
import pytest
from hypothesis import given, settings
from nltk.translate import bleu_score
from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, sentence_bleu

from accelerated_calls import both_ways
from bleuprint.compat import accelerate
from bleuprint.compat.acceleration import AccelerationError
from bleuprint.compat.nltk import acceleration
from bleuprint.compat.nltk.formula import UNIFORM
from nltk_calls import (
    AUTO,
    METHODS,
    ORDINARY_WEIGHTS,
    SMOOTHINGS,
    WEIGHTS,
    Method,
    note_counted,
    odd_corpora,
    odd_segments,
    outcome,
)
from strategies import corpora

pytestmark = pytest.mark.usefixtures("unaccelerated")
TOKENS = ["the", "cat", "is", "on", "the", "mat"]


@pytest.fixture
def counted(monkeypatch):
    """Which corpora were counted by the engine."""
    return note_counted(monkeypatch, "count_quickly")


def check(name, *arguments, smoothing=None, **options):
    """Call NLTK with and without the engine."""
    own = {"smoothing_function": smoothing.of(bleu_score)} if smoothing else {}
    ours, theirs = both_ways(lambda: outcome(getattr(bleu_score, name), *arguments, **options, **own), "nltk")
    assert ours == theirs


@settings(max_examples=200)
@given(corpora(), ORDINARY_WEIGHTS, SMOOTHINGS, AUTO)
def test_ordinary_corpora(corpus, weights, smoothing, auto_reweigh):
    check("corpus_bleu", corpus[1], corpus[0], weights, smoothing=smoothing, auto_reweigh=auto_reweigh)


@settings(max_examples=200)
@given(odd_corpora(), WEIGHTS, SMOOTHINGS, AUTO)
def test_odd_corpora(corpus, weights, smoothing, auto_reweigh):
    check("corpus_bleu", *corpus, weights, smoothing=smoothing, auto_reweigh=auto_reweigh)


@given(odd_segments(), WEIGHTS, SMOOTHINGS, AUTO)
def test_odd_segments(segment, weights, smoothing, auto_reweigh):
    check("sentence_bleu", *segment, weights, smoothing=smoothing, auto_reweigh=auto_reweigh)


def test_the_whole_warning_is_nltks_own():
    def warn():
        with pytest.warns(UserWarning, match="0 counts") as caught:
            bleu_score.corpus_bleu([[TOKENS]], [TOKENS[::-1]])
        return [(str(warning.message), warning.filename, warning.lineno) for warning in caught]

    ours, theirs = both_ways(warn, "nltk")
    assert ours == theirs
    assert len(ours) == 3


def test_all_functions_profit(counted):
    with accelerate("nltk"):
        counted.clear()
        bleu_score.corpus_bleu(list_of_references=[[TOKENS]], hypotheses=[TOKENS])
        bleu_score.corpus_bleu([[TOKENS]], [TOKENS], auto_reweigh=True)
        sentence_bleu([TOKENS], TOKENS)
        nltk.translate.bleu([TOKENS], TOKENS, (1,))
        corpus_bleu([[TOKENS]], [TOKENS])
    assert counted == [True] * 5
    bleu_score.corpus_bleu([[TOKENS]], [TOKENS])
    assert counted == [True] * 5


def test_the_new_function_looks_like_the_old_one():
    original = [bleu_score.corpus_bleu]
    with accelerate("nltk"):
        new = bleu_score.corpus_bleu
        assert new is not original[0]
        assert (inspect.signature(new), new.__doc__) == (inspect.signature(original[0]), original[0].__doc__)
        assert pickle.loads(pickle.dumps(new)) is new


@pytest.mark.parametrize("name", acceleration.BLEU_PARTS)
def test_parts_that_somebody_replaced_are_used(name, monkeypatch, counted):
    with accelerate("nltk"):
        counted.clear()
        monkeypatch.setattr(bleu_score, name, functools.partial(getattr(bleu_score, name)))
        assert bleu_score.corpus_bleu([[TOKENS]], [TOKENS]) == 1.0
    assert counted == []


def test_a_method_that_somebody_replaced_is_used(monkeypatch):
    with accelerate("nltk"):
        monkeypatch.setattr(SmoothingFunction, "method0", lambda self, p_n, **options: [0.25] * len(p_n))
        assert bleu_score.corpus_bleu([[TOKENS]], [TOKENS]) == pytest.approx(0.25, rel=1e-12)


DIFFERENT = {
    "corpus_bleu": (bleu_score, lambda own: lambda *arguments, **options: 0.5),
    "closest_ref_length": (bleu_score, lambda own: lambda references, length: max(map(len, references))),
    "modified_precision": (bleu_score, lambda own: lambda references, *rest: own(references[:1], *rest)),
    "method1": (SmoothingFunction, lambda own: lambda self, p_n, *rest, **options: [p + 0.1 for p in p_n]),
    "method2": (SmoothingFunction, lambda own: lambda self, p_n, *rest, **options: p_n),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_a_tool_that_computes_something_else_is_refused(name, monkeypatch):
    owner, change = DIFFERENT[name]
    monkeypatch.setattr(owner, name, change(getattr(owner, name)))
    before = dict(vars(bleu_score))
    with pytest.raises(AccelerationError) as refused:
        accelerate("nltk")
    assert f"nltk {nltk.__version__}" in str(refused.value)
    assert dict(vars(bleu_score)) == before


def test_a_function_with_another_argument_is_refused(monkeypatch):
    def corpus_bleu(list_of_references, hypotheses, weights=UNIFORM, smoothing=None, auto_reweigh=False, more=None):
        return original[0](list_of_references, hypotheses, weights, smoothing, auto_reweigh)

    original = [bleu_score.corpus_bleu]
    monkeypatch.setattr(bleu_score, "corpus_bleu", corpus_bleu)
    with pytest.raises(AccelerationError):
        accelerate("nltk")


def test_odd_input_runs_nltks_own_function(counted):
    with accelerate("nltk"):
        counted.clear()
        with pytest.raises(KeyError):
            bleu_score.corpus_bleu([[]], [TOKENS])
        with pytest.raises(AssertionError, match="should be the same"):
            bleu_score.corpus_bleu([[TOKENS], [TOKENS]], [TOKENS])
    assert counted == [False]


@pytest.mark.parametrize("size", [1, 2, 300])
def test_longer_corpora(size):
    hypotheses = [TOKENS[place % 3 :] * (1 + place % 4) for place in range(size)]
    references = [[TOKENS[place % 5 :] * 2, TOKENS * (place % 3)] for place in range(size)]
    for name in METHODS:
        check("corpus_bleu", references, hypotheses, smoothing=Method(name, {}))


def test_with_the_python_engine():
    program = (
        "from bleuprint.compat import accelerate; accelerate('nltk')\n"
        "from nltk.translate.bleu_score import sentence_bleu\n"
        f"print(sentence_bleu([{TOKENS!r}], {TOKENS[:5]!r}))"
    )
    run = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={"BLEUPRINT_ENGINE": "python", "PATH": ""},
    )
    assert float(run.stdout) == sentence_bleu([TOKENS], TOKENS[:5])
