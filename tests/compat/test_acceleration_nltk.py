"""The installed NLTK with the kernel under it: nobody can tell, but by the clock."""

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

from bleuprint.compat.nltk import acceleration
from bleuprint.errors import BleuprintError
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

pytestmark = pytest.mark.usefixtures("nltk_as_it_was")
TOKENS = ["the", "cat", "is", "on", "the", "mat"]
held_elsewhere = functools.partial(corpus_bleu, weights=(0.5, 0.5))


@pytest.fixture
def counted(monkeypatch):
    """Which corpora were counted by the engine."""
    return note_counted(monkeypatch, "count_quickly")


def check(function, *arguments, smoothing=None, **options):
    """Call NLTK with and without the engine."""
    own = {"smoothing_function": smoothing.of(bleu_score)} if smoothing else {}
    acceleration.apply()
    try:
        ours = outcome(function, *arguments, **options, **own)
    finally:
        acceleration.undo()
    assert ours == outcome(function, *arguments, **options, **own)


@settings(max_examples=200)
@given(corpora(), ORDINARY_WEIGHTS, SMOOTHINGS, AUTO)
def test_ordinary_corpora(corpus, weights, smoothing, auto_reweigh):
    check(corpus_bleu, corpus[1], corpus[0], weights, smoothing=smoothing, auto_reweigh=auto_reweigh)


@settings(max_examples=200)
@given(odd_corpora(), WEIGHTS, SMOOTHINGS, AUTO)
def test_odd_corpora(corpus, weights, smoothing, auto_reweigh):
    check(corpus_bleu, *corpus, weights, smoothing=smoothing, auto_reweigh=auto_reweigh)


@given(odd_segments(), WEIGHTS, SMOOTHINGS, AUTO)
def test_odd_segments(segment, weights, smoothing, auto_reweigh):
    check(sentence_bleu, *segment, weights, smoothing=smoothing, auto_reweigh=auto_reweigh)


def test_the_whole_warning_is_nltks_own():
    texts = []
    for act in (acceleration.apply, acceleration.undo):
        act()
        with pytest.warns(UserWarning, match="0 counts") as caught:
            corpus_bleu([[TOKENS]], [TOKENS[::-1]])
        texts.append([(str(warning.message), warning.filename, warning.lineno) for warning in caught])
    assert texts[0] == texts[1]
    assert len(texts[0]) == 3


def test_everyone_who_holds_the_function_profits(counted):
    acceleration.apply()
    held_elsewhere([[TOKENS]], [TOKENS])
    corpus_bleu(list_of_references=[[TOKENS]], hypotheses=[TOKENS])
    sentence_bleu([TOKENS], TOKENS)
    nltk.translate.bleu([TOKENS], TOKENS, (1,))
    bleu_score.corpus_bleu([[TOKENS]], [TOKENS], auto_reweigh=True)
    assert counted == [True] * 5


def test_the_function_stays_itself_and_is_given_back(counted):
    before = (bleu_score.corpus_bleu, corpus_bleu.__code__, dict(vars(bleu_score)), inspect.signature(corpus_bleu))
    documentation = corpus_bleu.__doc__
    acceleration.apply()
    assert corpus_bleu.__code__ is not before[1]
    assert (bleu_score.corpus_bleu, dict(vars(bleu_score)), inspect.signature(corpus_bleu)) == (
        before[0],
        before[2],
        before[3],
    )
    assert corpus_bleu.__doc__ is documentation
    assert pickle.loads(pickle.dumps(corpus_bleu)) is corpus_bleu
    acceleration.undo()
    assert corpus_bleu.__code__ is before[1]
    corpus_bleu([[TOKENS]], [TOKENS])
    assert counted == []


def test_twice_is_once():
    code = corpus_bleu.__code__
    acceleration.apply()
    acceleration.apply()
    acceleration.undo()
    assert corpus_bleu.__code__ is code
    acceleration.undo()
    assert corpus_bleu.__code__ is code


@pytest.mark.parametrize("name", acceleration.PARTS)
def test_parts_that_somebody_replaced_are_used(name, monkeypatch, counted):
    acceleration.apply()
    monkeypatch.setattr(bleu_score, name, functools.partial(getattr(bleu_score, name)))
    assert corpus_bleu([[TOKENS]], [TOKENS]) == 1.0
    assert counted == []


def test_a_method_that_somebody_replaced_is_used(monkeypatch):
    acceleration.apply()
    monkeypatch.setattr(SmoothingFunction, "method0", lambda self, p_n, **options: [0.25] * len(p_n))
    assert corpus_bleu([[TOKENS]], [TOKENS]) == pytest.approx(0.25, rel=1e-12)


def test_a_function_that_is_not_nltks_is_refused(monkeypatch):
    def own(list_of_references, hypotheses):
        return 0.5

    code = own.__code__
    monkeypatch.setattr(bleu_score, "corpus_bleu", own)
    with pytest.raises(BleuprintError, match=r"nltk\.translate\.bleu_score\.corpus_bleu: expected NLTK's own function"):
        acceleration.apply()
    assert own.__code__ is code


def test_odd_input_runs_nltks_own_body(counted):
    acceleration.apply()
    with pytest.raises(KeyError):
        corpus_bleu([[]], [TOKENS])
    with pytest.raises(AssertionError, match="should be the same"):
        corpus_bleu([[TOKENS], [TOKENS]], [TOKENS])
    assert counted == [False]


@pytest.mark.parametrize("size", [1, 2, 300])
def test_longer_corpora(size):
    hypotheses = [TOKENS[place % 3 :] * (1 + place % 4) for place in range(size)]
    references = [[TOKENS[place % 5 :] * 2, TOKENS * (place % 3)] for place in range(size)]
    for name in METHODS:
        check(corpus_bleu, references, hypotheses, smoothing=Method(name, {}))


def test_with_the_python_engine():
    program = (
        "from bleuprint.compat.nltk import acceleration; acceleration.apply()\n"
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
