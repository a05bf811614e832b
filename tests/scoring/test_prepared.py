"""References prepared once: every system gets the score it would get without preparing."""

import json
import pickle
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleuprint as bp
import engine_process
from bleuprint.metrics.bleu.recipe import AXES
from bleuprint.text.tokenizers import FUNCTIONS
from random_recipes import letters
from refusals import refuse
from score_values import values_of
from strategies import CORPUS_SMOOTHINGS, WORDS, as_columns, as_text, word_corpora

TOKENS = bp.Recipe.named("paper").replace(tokenizer="pretokenized", order=2)


RECIPES = st.builds(
    bp.Recipe,
    tokenizer=st.sampled_from((*FUNCTIONS, letters)),
    weights=st.lists(st.sampled_from((0, 0.25, 1 / 3, 1)), min_size=1, max_size=9).map(tuple).filter(any),
    smoothing=st.sampled_from(CORPUS_SMOOTHINGS),
    **{field: st.sampled_from([*axis.choices]) for field, axis in AXES.items() if axis.choices},
).filter(lambda recipe: not recipe.is_for_one_segment)


def assert_equal(references, candidates, recipe, threads=None):
    prepared = bp.References(references, recipe)
    for _ in range(2):  # nothing of the first system is left for the second
        expected = bp.score(candidates, references, recipe)
        assert values_of(prepared.score(candidates, threads=threads)) == values_of(expected)
        assert prepared.statistics(candidates, threads=threads) == bp.statistics(candidates, references, recipe)
        expected = bp.score_segments(candidates, references, recipe)
        assert prepared.score_segments(candidates, threads=threads).scores == expected.scores
        candidates = candidates[::-1]


@given(word_corpora().map(as_text), RECIPES, st.sampled_from((None, 1, 2, 3)))
def test_prepared_references_score_as_unprepared_ones(corpus, recipe, threads):
    candidates, references = corpus
    assert_equal(references, candidates, recipe, threads)


@given(st.lists(st.tuples(st.text(), st.lists(st.text(), min_size=1, max_size=3)), min_size=1, max_size=3), RECIPES)
def test_any_text_scores_as_unprepared(pairs, recipe):
    candidates, references = as_columns(pairs)
    assert_equal(references, candidates, recipe)


@pytest.mark.parametrize("threads", [1, 5, 64, *(pytest.param(more, marks=pytest.mark.extended) for more in (2, None))])
def test_scores_do_not_depend_on_the_number_of_threads(threads):
    chance = random.Random(3)
    texts = [" ".join(chance.choices(WORDS, k=chance.choice((0, 1, 9, 40)))) for _ in range(150)]
    references = [texts[place : place + 1 + place % 2] for place in range(150)]
    for tokenizer in FUNCTIONS:
        recipe = bp.Recipe.named("sacrebleu").replace(tokenizer=tokenizer)
        assert_equal(references, chance.sample(texts, 150), recipe, threads)


PROGRAM = """
import json, random
import bleuprint as bp
from bleuprint.metrics.bleu.recipe import AXES, ONE_SEGMENT_ONLY, SMOOTHINGS

chance = random.Random(78)
words = json.loads(WORDS)
answers = []
for _ in range(200):
    texts = [" ".join(chance.choices(words[:chance.randint(2, 20)], k=chance.randint(0, 9))) for _ in range(6)]
    recipe = bp.Recipe(
        tokenizer=chance.choice(["whitespace", "13a", "intl", "zh", "zh-corrected", "char", str.split]),
        weights=[chance.choice((0, 0.25, 1 / 3, 1)) for _ in range(chance.randint(0, 5))] + [0.5],
        smoothing=chance.choice([kind for kind in SMOOTHINGS if kind not in ONE_SEGMENT_ONLY]),
        **{field: chance.choice([*axis.choices]) for field, axis in AXES.items() if axis.choices},
    )
    if recipe.is_for_one_segment:
        continue
    prepared = bp.References([texts[:2], texts[2], texts[3:]], recipe)
    for system in (texts[1:4], texts[:3]):
        scores = [prepared.score(system).score, *prepared.score_segments(system).scores]
        answers.append([*prepared.statistics(system).total().to_row(), *map(float.hex, scores)])
print(json.dumps(answers))
"""


def test_both_engines_give_the_same_bits():
    program = PROGRAM.replace("WORDS)", f"{json.dumps(json.dumps(WORDS))})")
    left, right = (engine_process.answer(program, name) for name in engine_process.ENGINES)
    assert left == right
    assert len({row[-1] for row in left}) > 100


def test_already_tokenised_references_are_prepared():
    assert_equal([[["a", "b"], [1, 2]], [[]]], [["a", 1.0], []], TOKENS)
    assert_equal([[["A", "b"]]], [["a", "B"]], TOKENS.replace(case="lower"))
    assert bp.References([[["a", "b"]]], TOKENS).score([["a", "b"]]).score == 100.0


def test_an_own_tokenizer_splits_references_once():
    split = []

    def tokenizer(text):
        split.append(text)
        return text.split()

    prepared = bp.References(["a b", ["c", "d"]], TOKENS.replace(tokenizer=tokenizer))
    assert split == ["a b", "c", "d"]
    assert prepared.score(["a b", "c"]).score == prepared.score(["a b", "c"]).score > 0
    assert split[3:] == ["a b", "c"] * 2


def test_references_keep_what_they_were_given():
    texts = [["the cat", "a cat"], ["it purrs"]]
    prepared = bp.References(texts, "paper")
    before = prepared.score(["the cat", "it purrs"])
    texts[0][0] = texts[1][0] = "something else"
    texts.clear()
    assert values_of(prepared.score(["the cat", "it purrs"])) == values_of(before)


def test_texts_live_as_long_as_the_references_that_point_into_them():
    prepared = bp.References((f"{'long' * 1000} text {place}" for place in range(200)), "paper")
    _ = [f"{'other' * 1000} text {place}" for place in range(200)]  # would be put where freed texts were
    same = [f"{'long' * 1000} text {place}" for place in range(200)]
    assert prepared.statistics(same).total().matches[:3] == (600, 400, 200)


def test_missing_references_are_left_out_and_empty_ones_are_not():
    prepared = bp.References([[None, "a b"], ["", "a"]], "paper")
    assert prepared.statistics(["a b", ""]).column("reference_length").tolist() == [2, 0]


def test_tables_of_prepared_references_are_seen_by_numpy_without_a_copy():
    table = bp.References(["a b", "c"], "paper").statistics(["a b", "d"])
    view = np.asarray(table)
    view[1, 1] = 5
    assert table[1].reference_length == 5
    assert table[0].matches == (2, 1, 0, 0)


def test_references_say_what_they_are():
    prepared = bp.References(["a", "b"], "nltk")
    assert len(prepared) == 2
    assert prepared.recipe == bp.Recipe.named("nltk")
    assert repr(prepared) == f"<References of 2 segments, {prepared.recipe}>"
    assert list(map(str, prepared.score_segments(["a", "b"]))) == list(
        map(str, bp.score_segments(["a", "b"], ["a", "b"], "nltk"))
    )


def test_a_score_of_prepared_references_can_be_pickled_and_explained():
    scored = bp.References(["a b c d"], "paper").score(["a b c d"])
    assert values_of(pickle.loads(pickle.dumps(scored))) == values_of(scored)
    assert "100" in str(bp.explain(scored))


@pytest.mark.parametrize(
    ("call", "where"),
    [
        (lambda: bp.References([]), "references"),
        (lambda: bp.References(None), "references"),
        (lambda: bp.References("a"), "references"),
        (lambda: bp.References({"a"}), "references"),
        (lambda: bp.References(["a", []]), "references[1]"),
        (lambda: bp.References(["a", b"a"]), "references[1]"),
        (lambda: bp.References(["a", ["é", "\udc80"]]), "references[1][1]"),
        (lambda: bp.References([["a"]], TOKENS), "references[0][0]"),
        (lambda: bp.References(["a"], "nonsense"), "recipe"),
        (lambda: bp.References(["a"]).score(["a", "b"]), "references"),
        (lambda: bp.References(["a", "b"]).statistics(["a"]), "references"),
        (lambda: bp.References(["a"]).score([]), "candidates"),
        (lambda: bp.References(["a"]).score("a"), "candidates"),
        (lambda: bp.References(["a"]).score([None]), "candidates[0]"),
        (lambda: bp.References(["a"]).score_segments(["\ud800"]), "candidates[0]"),
        (lambda: bp.References(["a"]).score(["a"], threads=0), "threads"),
    ],
)
def test_what_does_not_fit_is_refused(call, where):
    refuse(call, where=where)
