"""Pairs: every score equals the one that score_sentence gives; shapes, memory, ties and refusals."""

import json
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
import engine_process
from bleuprint.metrics.bleu.recipe import AXES
from random_recipes import recipes
from refusals import refuse
from strategies import WORDS

TEXTS = st.lists(st.sampled_from((*WORDS, "a", "b")), max_size=9).map(" ".join)
ENTRIES = TEXTS | st.lists(TEXTS, min_size=1, max_size=3)
PAPER = bp.Recipe.named("paper")
TOKENS = bp.Recipe.named("sacrebleu-sentence").replace(tokenizer="pretokenized")


def one_by_one(candidates, references, recipe):
    return [[bp.score_sentence(candidate, entry, recipe).score for entry in references] for candidate in candidates]


def rows_of(pairs):
    return [list(row) for row in pairs]


# Equal to single scores.


@given(st.lists(TEXTS, min_size=1, max_size=4), st.lists(ENTRIES, min_size=1, max_size=4), recipes())
def test_pairs_equal_single_scores_under_any_recipe(candidates, references, recipe):
    assert rows_of(bp.pairwise(candidates, references, recipe)) == one_by_one(candidates, references, recipe)


@given(st.lists(TEXTS, min_size=2, max_size=6), recipes())
def test_self_bleu_equals_single_scores_under_any_recipe(texts, recipe):
    found = bp.self_bleu(texts, recipe)
    expected = [
        bp.score_sentence(text, texts[:place] + texts[place + 1 :], recipe).score for place, text in enumerate(texts)
    ]
    assert list(found.scores) == expected
    assert found.mean == float(found) == add(expected) / len(texts)


@given(st.lists(TEXTS, min_size=1, max_size=5), st.none() | st.lists(ENTRIES, min_size=1, max_size=4), recipes())
def test_the_best_has_the_highest_mean_and_is_the_first_of_equals(candidates, references, recipe):
    choice = bp.choose_best(candidates, references, recipe)
    rows = one_by_one(candidates, candidates if references is None else references, recipe)
    means = [add(row) / len(row) for row in rows]
    assert choice.means == means
    assert (choice.place, choice.mean) == (means.index(max(means)), max(means))
    assert choice.candidate == candidates[choice.place]


def test_candidates_with_the_same_scores_are_equals():
    choice = bp.choose_best(["b d", "b d c c", "c b d c"])
    assert choice.means[1] == choice.means[2] > choice.means[0]
    assert choice.place == 1


OTHER_METRICS = ["chrf", "chrf++", "nltk-chrf", "torchmetrics-chrf", "ter", "torchmetrics-ter"]


@given(st.lists(TEXTS, min_size=1, max_size=4), st.lists(ENTRIES, min_size=1, max_size=4))
@settings(max_examples=60)
def test_other_metrics_pair_as_they_score_one_segment(candidates, references):
    for name in OTHER_METRICS:
        expected = one_by_one(candidates, references, name)
        assert rows_of(bp.pairwise(candidates, references, name)) == expected
        choice = bp.choose_best(candidates, references, name)
        means = [add(row) / len(row) for row in expected]
        best = min(means) if "ter" in name.split("-") else max(means)
        assert (choice.place, choice.mean) == (means.index(best), best)
        prepared = bp.References(references, name)
        assert [one.score for one in prepared.score_segments(candidates[:1] * len(references))] == expected[0]


def test_the_best_of_ter_needs_the_fewest_edits():
    choice = bp.choose_best(["x y z", "the cat sat", "a cat"], ["the cat sat down"], "ter")
    assert (choice.candidate, choice.mean) == ("the cat sat", 25.0)
    samples = ["the cat sat", "a cat sat down", "the cat sat down"]
    for name in ("chrf", "ter"):
        assert bp.choose_best(samples, recipe=name).candidate == "the cat sat down"


def add(numbers):
    """One addition after the other, as ``sum`` no longer does from Python 3.12 on, in ascending order."""
    total = 0.0
    for number in sorted(numbers):
        total += number
    return total


def many_texts(number):
    chance = random.Random(number)
    return [" ".join(chance.choices("abcde", k=chance.choice((0, 1, 3, 8, 25)))) for _ in range(number)]


@pytest.mark.parametrize("rule", AXES["reference_length"].choices)
@pytest.mark.parametrize("threads", [1, 2, 5, None])
def test_pairs_do_not_depend_on_the_number_of_threads(rule, threads):
    texts = many_texts(60)
    recipe = bp.Recipe.named("sacrebleu-sentence").replace(reference_length=rule)
    references = [texts[place : place + 1 + place % 3] for place in range(60)]
    assert rows_of(bp.pairwise(texts, references, recipe, threads=threads)) == one_by_one(texts, references, recipe)
    assert bp.self_bleu(texts, recipe, threads=threads) == bp.self_bleu(texts, recipe, threads=1)


def test_more_matches_than_16_bits_hold_are_counted():
    text = "a " * 70_000
    pairs = bp.pairwise([text, "a " * 65_536], [text, "a " * 65_537, "a"], "paper")
    assert rows_of(pairs) == one_by_one([text, "a " * 65_536], [text, "a " * 65_537, "a"], "paper")
    assert pairs[0][0] == 100.0


PROGRAM = """
import json, random
import bleuprint as bp
from bleuprint.metrics.bleu.recipe import AXES, SMOOTHINGS

def letters(text):
    return [(letter, 1) for letter in text if letter.isalpha()]

chance = random.Random(77)
words = json.loads(WORDS)
answers = []
for _ in range(60):
    texts = [" ".join(chance.choices(words[:chance.randint(2, 20)], k=chance.randint(0, 9))) for _ in range(6)]
    recipe = bp.Recipe(
        tokenizer=chance.choice(["whitespace", "13a", "intl", "zh", "zh-corrected", "char", letters]),
        weights=[chance.choice((0, 0.25, 1 / 3, 1)) for _ in range(chance.randint(0, 5))] + [0.5],
        smoothing=chance.choice([*SMOOTHINGS]),
        **{field: chance.choice([*axis.choices]) for field, axis in AXES.items() if axis.choices},
    )
    references = [texts[:2], texts[2], texts[3:]]
    pairs = bp.pairwise(texts, references, recipe)
    choice = bp.choose_best(texts, references, recipe)
    alone = bp.self_bleu(texts, recipe)
    numbers = [*choice.means, choice.mean, *alone.scores, alone.mean, *(score for row in pairs for score in row)]
    answers.append([choice.place, *map(float.hex, numbers)])
print(json.dumps(answers))
"""


def test_both_engines_give_the_same_bits():
    program = PROGRAM.replace("WORDS)", f"{json.dumps(json.dumps(WORDS))})")
    left, right = (engine_process.answer(program, name) for name in engine_process.ENGINES)
    assert left == right
    assert len({number for row in left for number in row}) > 500


# Tokens that come from elsewhere.


def test_already_tokenised_texts_are_paired():
    candidates = [["a", "b"], [1, 2.0, True], []]
    references = [[["a", "b"]], [[1.0, 2, 1], ["a"]], [[]]]
    pairs = bp.pairwise(candidates, references, TOKENS)
    assert rows_of(pairs) == one_by_one(candidates, references, TOKENS)
    assert (pairs[0][0], pairs[1][1], pairs[2][2]) == (100.0, 100.0, 0.0)
    assert bp.choose_best(candidates, recipe=TOKENS).candidate is candidates[0]
    assert bp.self_bleu([["a", "b"], ["a", "b"]], TOKENS).mean == 100.0


def test_an_own_tokenizer_may_make_lone_surrogates():
    recipe = PAPER.replace(order=1, tokenizer=lambda text: ["\ud800" + letter for letter in text])
    assert rows_of(bp.pairwise(["ab"], ["ba", "bx"], recipe)) == [[100.0, 50.0]]


# Shape, memory, looks.


def test_a_row_is_a_read_only_view_of_the_one_block():
    pairs = bp.pairwise(["a b", "c"], ["a b", "c", "x"])
    assert (len(pairs), pairs.shape, pairs[1].format, len(pairs[1])) == (2, (2, 3), "d", 3)
    assert np.shares_memory(np.asarray(pairs), np.asarray(pairs[1]))
    with pytest.raises(TypeError, match="read-only"):
        pairs[0][0] = 1.0


def test_rows_are_found_from_both_ends_and_by_slices():
    pairs = bp.pairwise(["a", "b", "c"], ["a", "b"])
    assert list(pairs[-1]) == list(pairs[2])
    assert rows_of(pairs[::2]) == [list(pairs[0]), list(pairs[2])]
    assert rows_of(pairs[1:]) == [list(pairs[1]), list(pairs[2])]
    assert pairs[5:] == []
    assert rows_of(reversed(pairs)) == rows_of(pairs)[::-1]
    with pytest.raises(IndexError):
        pairs[3]


def test_numpy_sees_the_matrix_without_a_copy():
    pairs = bp.pairwise(["a b", "c"], ["a b", "c", "x"])
    matrix = np.asarray(pairs)
    assert (matrix.shape, matrix.dtype) == ((2, 3), np.float64)
    matrix[1, 0] = 42.0
    assert pairs[1][0] == 42.0
    assert pairs.means()[1] == (42.0 + pairs[1][1] + pairs[1][2]) / 3


def test_pairs_say_what_they_are():
    pairs = bp.pairwise(["a b", "c"], ["a b"], "nltk")
    assert repr(pairs) == "<PairScores of 2 candidates and 1 references>"
    assert pairs.recipe == bp.Recipe.named("nltk")
    assert bp.self_bleu(["a", "b"], "nltk").recipe == pairs.recipe


# Edges, decided.


def test_empty_texts_score_0_against_everything():
    assert rows_of(bp.pairwise(["", "a"], ["", "a", ["", "a"]])) == [[0.0, 0.0, 0.0], [0.0, 100.0, 100.0]]
    assert list(bp.self_bleu(["", "", "a"]).scores) == [0.0, 0.0, 0.0]
    assert bp.choose_best(["", ""]).place == 0


def test_of_equals_the_first_is_chosen():
    choice = bp.choose_best(["a b c d", "x", "a b c d"], ["a b c d"])
    assert (choice.place, choice.mean, choice.means) == (0, 100.0, [100.0, 0.0, 100.0])
    assert bp.choose_best(["x", "y", "z"], ["a"]).place == 0


def test_a_text_is_not_its_own_reference_but_an_equal_one_is():
    assert bp.self_bleu(["a b c d", "a b c d"]).mean == 100.0
    assert bp.self_bleu(["a b c d", "w x y z"]).mean == 0.0


def test_iterators_are_read_once():
    assert rows_of(bp.pairwise(iter(["a"]), iter(["a", "b"]))) == [[100.0, 0.0]]
    assert bp.self_bleu(iter(["a b c d"] * 3)).mean == 100.0
    assert bp.choose_best(iter(["b", "a"]), iter(["a"])).candidate == "a"


@pytest.mark.parametrize(
    ("call", "where"),
    [
        (lambda: bp.pairwise([], ["a"]), "candidates"),
        (lambda: bp.pairwise(["a"], []), "references"),
        (lambda: bp.pairwise("a", ["a"]), "candidates"),
        (lambda: bp.pairwise(["a"], "a"), "references"),
        (lambda: bp.pairwise({"a"}, ["a"]), "candidates"),
        (lambda: bp.pairwise(["a"], {"a": 1}), "references"),
        (lambda: bp.pairwise(["a", None], ["a"]), "candidates[1]"),
        (lambda: bp.pairwise(["a"], ["a", [None]]), "references[1]"),
        (lambda: bp.pairwise(["a", b"a"], ["a"]), "candidates[1]"),
        (lambda: bp.pairwise(["a"], [["a", "\ud800"]]), "references[0][1]"),
        (lambda: bp.pairwise(["a"], ["a"], TOKENS), "candidates[0]"),
        (lambda: bp.pairwise([["a"]], [["a"]], TOKENS), "references[0][0]"),
        (lambda: bp.pairwise(["a"], ["a"], "nonsense"), "recipe"),
        (lambda: bp.self_bleu(["a", "b"], "chrf"), "recipe"),
        (lambda: bp.pairwise(["a"], ["a", ["b"] * 17], "ter"), "references[1]"),
        (lambda: bp.self_bleu(["a"]), "texts"),
        (lambda: bp.self_bleu([]), "texts"),
        (lambda: bp.self_bleu("ab"), "texts"),
        (lambda: bp.self_bleu(None), "texts"),
        (lambda: bp.self_bleu(["a", 3]), "texts[1]"),
        (lambda: bp.choose_best(None), "candidates"),
        (lambda: bp.choose_best([]), "candidates"),
        (lambda: bp.choose_best({"a"}), "candidates"),
        (lambda: bp.choose_best(["a"], []), "references"),
        (lambda: bp.self_bleu(["a", "b"], threads=0), "threads"),
        (lambda: bp.choose_best(["a", "b"], threads="2"), "threads"),
    ],
)
def test_what_cannot_be_paired_is_refused(call, where):
    refuse(call, where=where)


@settings(max_examples=30)
@given(st.lists(TEXTS, min_size=1, max_size=3), st.sampled_from(("lower", "lower-ascii")))
def test_case_is_lowered_before_pairing(texts, case):
    recipe = bp.Recipe.named("sacrebleu-sentence").replace(case=case)
    upper = [text.upper() if case == "lower" else text.swapcase() for text in texts]
    assert rows_of(bp.pairwise(upper, texts, recipe)) == one_by_one(upper, texts, recipe)
