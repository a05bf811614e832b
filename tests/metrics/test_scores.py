"""A score is a number with reasons: it compares, rounds, reckons, copies and pickles like one, and never changes."""

import copy
import pickle
import statistics

import numpy as np
import pytest

import bleuprint as bp
from bleuprint.errors import InputTypeError
from bleuprint.metrics.bleu.metric import Bleu
from bleuprint.metrics.bleu.recipe import BleuRecipe
from bleuprint.recipes.registry import METRICS

LOW, HIGH = (bp.score(["the cat is on mat"], [text], "paper") for text in ("the cat is on a mat", "the cat is on mat"))
ONE = bp.score_sentence("the cat is on mat", "the cat is on the mat")
KINDS = [LOW, HIGH, ONE]


def test_scores_are_ordered_as_their_numbers():
    assert LOW < HIGH
    assert HIGH > LOW
    assert LOW <= HIGH >= LOW <= LOW
    assert [*map(float, sorted(KINDS))] == sorted(map(float, KINDS))
    assert max(KINDS) is HIGH


@pytest.mark.parametrize("number", [0, 57, 57.9, 100])
def test_a_score_compares_with_a_number(number):
    assert (number > LOW, number >= LOW, number < LOW, number <= LOW) == (
        LOW.score < number, LOW.score <= number, LOW.score > number, LOW.score >= number,
    )  # fmt: skip
    assert (number < LOW) == (number < LOW.score)


def test_scores_add_subtract_and_round():
    assert sum(KINDS) == sum(map(float, KINDS))
    assert HIGH.score - LOW.score == HIGH - LOW
    assert 100 - LOW.score == 100 - LOW
    assert (round(LOW), round(LOW, 1), round(LOW, 2)) == (58, 57.9, 57.89)
    assert statistics.fmean(KINDS) == pytest.approx(sum(KINDS) / 3)
    assert f"{LOW:.1f}" == "57.9"


def test_scores_are_weighted_and_ordered_by_their_negatives():
    assert 0.3 * LOW.score + HIGH.score * 0.7 == 0.3 * LOW + HIGH * 0.7
    assert 100 / LOW.score == 100 / LOW
    assert sorted(KINDS, key=lambda score: -score) == sorted(KINDS, reverse=True)
    assert (int(LOW), f"{int(HIGH):d}") == (57, "100")
    assert (np.array([0.5, 2.0]) * LOW).tolist() == [LOW.score / 2, LOW.score * 2]
    for other in ("2", None, True):
        with pytest.raises(TypeError):
            LOW * other
        with pytest.raises(TypeError):
            other / LOW


def test_a_score_is_less_than_any_number_beyond_floats():
    for highest in (10**400, 2 * 10**308):
        assert (highest > LOW, highest >= LOW, -highest < LOW, -highest <= LOW) == (True,) * 4
        assert (highest < LOW, highest <= LOW, -highest > LOW, -highest >= LOW) == (False,) * 4


def test_numpy_takes_the_mean_of_one_score_as_of_several():
    for scores in ([LOW], [LOW, HIGH], bp.score_segments(["a b c d"], ["a b c e"])):
        assert np.mean(scores) == np.mean([score.score for score in scores])
    assert (LOW.score / 2, 1.0) == (LOW / 2, LOW / LOW)
    with pytest.raises(TypeError):
        LOW / "2"


def test_equal_means_the_same_statistics_under_the_same_recipe():
    again = bp.score(["the cat is on mat"], ["the cat is on a mat"], "paper")
    assert again == LOW
    assert hash(again) == hash(LOW)
    assert bp.score(["the cat is on mat"], ["the cat is on a mat"], "huggingface") != LOW
    assert LOW.score != LOW


@pytest.mark.parametrize("other", ["57", None, True, [1]])
def test_what_is_no_number_compares_with_no_score(other):
    with pytest.raises(TypeError):
        assert other > LOW
    with pytest.raises(TypeError):
        LOW + other


def test_scores_of_different_metrics_cannot_be_compared(monkeypatch):
    class Other(Bleu):
        key, name = "other", "Other"

    class OtherRecipe(BleuRecipe):
        __slots__ = ()
        metric_key = "other"

    monkeypatch.setitem(METRICS, "other", Other)

    other = type(HIGH)(HIGH.stats, OtherRecipe(tokenizer="whitespace"))
    with pytest.raises(InputTypeError, match=r"another score of BLEU.*one of Other"):
        LOW + other
    with pytest.raises(InputTypeError, match=r"another score of Other.*one of BLEU"):
        min(LOW, other)


@pytest.mark.parametrize("score", KINDS)
@pytest.mark.parametrize("name", ["score", "stats", "recipe", "level", "anything"])
def test_a_score_never_changes(score, name):
    with pytest.raises(AttributeError, match="never changes"):
        setattr(score, name, 1)
    with pytest.raises(AttributeError, match="never changes"):
        delattr(score, name)


@pytest.mark.parametrize("score", KINDS)
def test_a_score_copies_and_pickles(score):
    assert copy.copy(score) is copy.deepcopy(score) is score
    again = pickle.loads(pickle.dumps(score))
    assert again == score
    assert (again.score, str(again), again.notes) == (score.score, str(score), score.notes)
    with pytest.raises(AttributeError, match="never changes"):
        again.level = "corpus"
