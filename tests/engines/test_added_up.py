"""A corpus that is checked, counted and added up in one call: what the steps one by one give, and no other texts."""

import copy
import pickle
import random
import sys
import threading

import pytest

import bleuprint as bp
from bleuprint.engines import find_engine
from bleuprint.errors import BleuprintError
from bleuprint.text.segments import Segments, pair_segments
from score_values import values_of

RECIPES = [
    bp.Recipe.named("sacrebleu"),
    bp.Recipe.named("paper"),
    bp.Recipe.named("sacrebleu").replace(tokenizer="char", order=2),
    bp.Recipe.named("sacrebleu").replace(tokenizer="intl", segment_totals="at-least-1"),
]


def draw_texts(count: int, seed: int) -> list[str]:
    """Draw texts of a few words, some empty, some of more tokens than fit into a short one's memory."""
    rng = random.Random(seed)
    words = ["a", "b,", "c.", "ü", "東京", "d 1,5", ""]
    return [" ".join(rng.choices(words, k=rng.choice((0, 1, 3, 8, 100)))) for _ in range(count)]


@pytest.mark.parametrize("threads", [None, 1, 2, 5])
@pytest.mark.parametrize("count", [1, 31, 32, 33, 1024, 1025, 3000])
def test_it_adds_up_to_what_the_rows_add_up_to(count, threads):
    candidates, references = draw_texts(count, 1), draw_texts(count, 2)
    for recipe in RECIPES:
        segments, sums = find_engine().add_up(candidates, tuple(references), recipe.layout, threads)
        assert sums == bp.statistics(candidates, references, recipe).sums()
        assert segments == pair_segments(candidates, references)


TOKENISED = [
    bp.Recipe.named("nltk").replace(tokenizer="pretokenized"),
    bp.Recipe.named("paper").replace(tokenizer="pretokenized", order=2, reference_length="shortest"),
]


def draw_tokens(count: int, seed: int) -> list[list[str]]:
    """Draw lists of strings: empty ones, of any length and width, and more than fit into a short one's memory."""
    rng = random.Random(seed)
    words = ["a", "b", "", "ü", "東京", "a word", "w" * 8, "w" * 16, "w" * 17, "ü" * 20]
    return [rng.choices(words, k=rng.choice((0, 1, 3, 8, 100))) for _ in range(count)]


@pytest.mark.parametrize("threads", [None, 1, 2, 5])
@pytest.mark.parametrize("count", [1, 33, 3000])
def test_tokens_add_up_to_what_their_rows_add_up_to(count, threads):
    candidates = draw_tokens(count, 1)
    references = [[first, tuple(second)] for first, second in zip(draw_tokens(count, 2), draw_tokens(count, 3))]
    for recipe in TOKENISED:
        segments, sums = find_engine().add_up(tuple(candidates), references, recipe.layout, threads)
        assert sums == bp.statistics(candidates, references, recipe).sums()
        assert segments == pair_segments(candidates, references, pretokenized=True)
        assert bp.score(candidates, references, recipe).table == bp.statistics(candidates, references, recipe)


UNUSUAL_TOKENS = {
    "one more reference": lambda tokens: (tokens, [*([one] for one in tokens), [["a"]]]),
    "no segments": lambda tokens: ([], []),
    "no candidates": lambda tokens: ([], [[one] for one in tokens]),
    "a segment without references": lambda tokens: (tokens, [*([one] for one in tokens[:-1]), []]),
    "references that are texts": lambda tokens: (tokens, tokens),
    "a number among the tokens": lambda tokens: ([*tokens[:-1], [1]], [[one] for one in tokens]),
    "a lone surrogate": lambda tokens: ([*tokens[:-1], ["\ud800"]], [[one] for one in tokens]),
    "a missing text": lambda tokens: ([*tokens[:-1], None], [[one] for one in tokens]),
    "an iterator": lambda tokens: (iter(tokens), [[one] for one in tokens]),
    "nothing": lambda tokens: (None, None),
}


@pytest.mark.parametrize("make", UNUSUAL_TOKENS.values(), ids=UNUSUAL_TOKENS)
def test_unusual_tokens_are_left_to_the_steps(make):
    tokens = draw_tokens(50, 4)
    candidates, references = make(tokens)
    assert find_engine().add_up(candidates, references, TOKENISED[0].layout, 1) is None
    if not isinstance(candidates, (list, type(None))):
        assert list(candidates) == tokens


UNUSUAL = {
    "one more reference": lambda texts: (texts, [*texts, "a"]),
    "no segments": lambda texts: ([], []),
    "several references": lambda texts: (texts, [*texts[:-1], ["a", "b"]]),
    "a missing text at the end": lambda texts: ([*texts[:-1], None], texts),
    "a lone surrogate at the end": lambda texts: (texts, [*texts[:-1], "\ud800"]),
    "a string of another type": lambda texts: (texts, [*texts[:-1], type("Text", (str,), {})("a")]),
    "a text for a list": lambda texts: ("abc", "abc"),
    "an iterator": lambda texts: (iter(texts), texts),
    "nothing": lambda texts: (None, None),
}


@pytest.mark.parametrize("make", UNUSUAL.values(), ids=UNUSUAL)
def test_whatever_is_unusual_is_left_to_the_steps_and_as_it_was(make):
    texts = draw_texts(2500, 3)
    candidates, references = make(texts)
    held = list(map(sys.getrefcount, texts))
    assert find_engine().add_up(candidates, references, RECIPES[0].layout, 2) is None
    assert list(map(sys.getrefcount, texts)) == held
    if not isinstance(candidates, (list, str, type(None))):
        assert list(candidates) == texts


@pytest.mark.parametrize("recipe", ["chrf", "ter", RECIPES[0].replace(case="lower")], ids=str)
def test_what_the_kernel_does_not_add_up_is_scored_step_by_step(recipe):
    assert find_engine().add_up(["A b"], ["a b"], bp.Recipe.of(recipe).layout) is None
    assert bp.score(["A b"], ["a b"], recipe).table == bp.statistics(["A b"], ["a b"], recipe)


def test_texts_are_held_as_long_as_the_score_and_no_longer():
    texts = [f"the cat {place}" for place in range(100)]
    before = list(map(sys.getrefcount, texts))
    score = bp.score(texts, texts)
    assert list(map(sys.getrefcount, texts)) == [count + 2 for count in before]
    del score
    assert list(map(sys.getrefcount, texts)) == before


def test_what_happens_to_the_lists_afterwards_changes_nothing():
    candidates, references = ["the cat sat .", "b"], ["the cat sat .", ""]
    score = bp.score(candidates, references)
    candidates.clear()
    references[:] = ["x", "y"]
    assert score.segments == Segments(["the cat sat .", "b"], [("the cat sat .",), ("",)])
    assert score.table == bp.statistics(["the cat sat .", "b"], ["the cat sat .", ""])
    assert [note.code for note in score.notes] == [note.code for note in score.with_texts(score.segments, None).notes]


def test_a_score_and_its_rows_can_be_copied_and_pickled():
    score = bp.score(["the cat", "a"], ["the cat sat", "b"])
    for copied in (copy.copy(score.table), copy.deepcopy(score.table), pickle.loads(pickle.dumps(score.table))):
        assert copied == score.table == bp.statistics(["the cat", "a"], ["the cat sat", "b"])
    for copied in (copy.deepcopy(score.segments), pickle.loads(pickle.dumps(score.segments))):
        assert copied == score.segments
    assert values_of(pickle.loads(pickle.dumps(score))) == values_of(score)


def test_what_is_wrong_is_said_as_ever():
    texts = ["a"] * 5000
    with pytest.raises(BleuprintError, match=r"candidates\[4999\].*None"):
        bp.score([*texts[1:], None], texts)
    with pytest.raises(BleuprintError, match="threads"):
        bp.score(texts, texts, threads=0)


def test_other_threads_may_change_the_lists_meanwhile():
    """Each call sees lists of one moment."""
    texts = [f"the cat sat on mat {place} , said nobody" for place in range(20_000)]
    candidates, references, ended = list(texts), list(texts), threading.Event()

    def churn() -> None:
        while not ended.is_set():
            candidates[:] = reversed(texts)
            references[:] = reversed(texts)

    churning = threading.Thread(target=churn)
    churning.start()
    try:
        lengths = {bp.score(candidates, references, threads=2).stats.candidate_length for _ in range(20)}
    finally:
        ended.set()
        churning.join()
    assert lengths == {bp.score(texts, texts).stats.candidate_length}
