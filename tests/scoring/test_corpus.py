import copy
import json
import pickle
from array import array
from collections.abc import Sequence
from statistics import mean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.errors import RecipeError, ShapeError
from bleuprint.metrics.bleu.recipe import DIALECTS
from refusals import refuse
from score_values import values_of
from strategies import CORPUS_DIALECTS, as_text, corpora

CANDIDATES = ["the cat is on mat", "a b c d e f", "yes", "he read the book because he was interested"]
REFERENCES = [
    ["the cat is on the mat", "there is a cat on the mat"],
    "a b c x e f",
    ["yes", None, "yes indeed"],
    ["he was interested because he read the book"],
]
DOCUMENTS = ["x", "y", "x", "y"]


@pytest.mark.parametrize("dialect", CORPUS_DIALECTS)
def test_the_corpus_score_is_made_of_the_summed_statistics(dialect):
    table = bp.statistics(CANDIDATES, REFERENCES, dialect)
    score = bp.score(CANDIDATES, REFERENCES, dialect)
    assert len(table) == len(CANDIDATES)
    assert score.stats == table.total()
    assert values_of(score) == values_of(bp.BleuScore(table.total(), bp.Recipe.named(dialect)))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_segment_scores_equal_sentence_scores(dialect):
    segments = bp.score_segments(CANDIDATES, REFERENCES, dialect)
    sentences = [bp.score_sentence(c, r, dialect) for c, r in zip(CANDIDATES, REFERENCES, strict=True)]
    assert values_of(list(segments)) == values_of(sentences)
    assert list(segments.scores) == [sentence.score for sentence in sentences]
    assert [segment.notes for segment in segments] == [sentence.notes for sentence in sentences]
    assert {segment.level for segment in segments} == {"segment"}


def test_a_corpus_of_one_segment_scores_as_a_sentence():
    sentence = bp.score_sentence(CANDIDATES[0], REFERENCES[0], "sacrebleu")
    assert values_of(bp.score(CANDIDATES[:1], REFERENCES[:1])) == values_of(sentence)


def test_the_corpus_score_is_not_the_mean_of_segment_scores():
    candidates, references = ["a b c d e f g h i j", "x y z w v"], ["a b c d e f g h i j", "x q z w v"]
    segments = bp.score_segments(candidates, references, "paper").scores
    # segments: 100, and 0 as no 4-gram of x y z w v matches; corpus: 14/15, 11/13, 9/11, 7/9
    assert mean(segments) == 50.0
    assert bp.score(candidates, references, "paper").fraction == pytest.approx(
        (14 / 15 * 11 / 13 * 9 / 11 * 7 / 9) ** 0.25, rel=1e-14
    )


@pytest.mark.parametrize("dialect", CORPUS_DIALECTS)
def test_documents_are_scored_from_their_own_segments(dialect):
    documents = bp.score_documents(CANDIDATES, REFERENCES, DOCUMENTS, dialect)
    assert list(documents) == ["x", "y"]
    for name, score in documents.items():
        places = [place for place, document in enumerate(DOCUMENTS) if document == name]
        alone = bp.score([CANDIDATES[place] for place in places], [REFERENCES[place] for place in places], dialect)
        assert values_of(score) == values_of(alone)
        assert score.census == alone.census
        assert score.level == "document"


def test_a_document_name_is_due_for_every_segment():
    refuse(lambda: bp.score_documents(CANDIDATES, REFERENCES, DOCUMENTS[:3]), ShapeError, argument="documents")


@pytest.mark.parametrize("dialect", CORPUS_DIALECTS)
def test_bleu_1_to_4_in_one_pass_equal_separate_calls(dialect):
    recipes = [bp.Recipe.named(dialect).replace(order=order) for order in (1, 2, 3, 4)]
    together = bp.score_recipes(CANDIDATES, REFERENCES, recipes)
    separate = [bp.score(CANDIDATES, REFERENCES, recipe) for recipe in recipes]
    assert values_of(together) == values_of(separate)
    assert [score.notes for score in together] == [score.notes for score in separate]
    kind = "mean BLEU-1–" if recipes[0].across_orders == "mean" else "BLEU-"
    assert [score.label for score in together] == [f"{kind}{order}" for order in (1, 2, 3, 4)]


def test_recipes_that_count_differently_may_share_a_call():
    together = bp.score_recipes(CANDIDATES, REFERENCES, CORPUS_DIALECTS)
    assert values_of(together) == [values_of(bp.score(CANDIDATES, REFERENCES, dialect)) for dialect in CORPUS_DIALECTS]


def test_texts_and_tokens_may_not_share_a_call():
    tokens = bp.Recipe.named("paper").replace(tokenizer="pretokenized")
    with pytest.raises(ShapeError):
        bp.score_recipes(CANDIDATES, REFERENCES, ["paper", tokens])


def test_tokens_score_as_the_text_that_they_come_from():
    tokens = bp.Recipe.named("paper").replace(tokenizer="pretokenized")
    split = [[text.split() for text in ([own] if isinstance(own, str) else own) if text] for own in REFERENCES]
    scored = bp.score([text.split() for text in CANDIDATES], split, tokens)
    assert scored.stats == bp.score(CANDIDATES, REFERENCES, "paper").stats


def test_corpora_may_be_read_only_once():
    assert values_of(bp.score(iter(CANDIDATES), iter(REFERENCES))) == values_of(bp.score(CANDIDATES, REFERENCES))


def test_what_the_caller_gave_stays_as_it_was():
    candidates, references = [*CANDIDATES], [own if isinstance(own, str) else [*own] for own in REFERENCES]
    bp.score(candidates, references).notes  # noqa: B018
    assert (candidates, references) == (CANDIDATES, REFERENCES)


@pytest.mark.parametrize("dialect", CORPUS_DIALECTS)
@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_at_order_equals_scoring_with_that_order(dialect, order):
    lower = bp.score(CANDIDATES, REFERENCES, dialect).at_order(order)
    recipe = bp.Recipe.named(dialect).replace(order=order, across_orders="together")
    separate = bp.score(CANDIDATES, REFERENCES, recipe)
    assert values_of(lower) == values_of(separate)
    assert lower.score == separate.score


def test_the_notes_at_a_lower_order_are_about_that_order():
    lower = bp.score(["a b c", "a b c d e"], ["a b c", "a b c d e"], "nltk").at_order(2)
    # no candidate is shorter than 2 tokens, though one is shorter than 4
    assert [note.code for note in lower.notes] == ["short-corpus"]


@pytest.mark.parametrize("order", [0, 5, True])
def test_at_order_gives_only_what_was_counted(order):
    with pytest.raises(bp.BleuprintError):
        bp.score(CANDIDATES, REFERENCES).at_order(order)


def test_segment_scores_are_a_sequence_made_when_asked_for():
    segments = bp.score_segments(CANDIDATES, REFERENCES)
    assert isinstance(segments, Sequence)
    assert len(segments) == 4
    assert values_of(segments[-1]) == values_of(segments[3])
    assert values_of(segments[1:3]) == values_of([segments[1], segments[2]])
    assert segments[0] is not segments[0]
    with pytest.raises(IndexError):
        segments[4]


def test_the_scores_of_segments_are_a_plain_buffer_of_floats():
    segments = bp.score_segments(CANDIDATES, REFERENCES)
    assert isinstance(segments.scores, array)
    assert np.frombuffer(segments.scores).tolist() == [float(score) for score in segments]


def test_a_score_survives_pickling_with_its_notes():
    score = bp.score(CANDIDATES, REFERENCES)
    restored = pickle.loads(pickle.dumps(score))
    assert values_of(restored) == values_of(score)
    assert restored.notes == score.notes
    assert restored.to_dict() == score.to_dict()


@given(corpora(), st.sampled_from(["paper", "sacrebleu", "nltk-method1", "huggingface-smooth"]))
def test_adding_one_by_one_or_in_batches_equals_the_one_shot_score(corpus, dialect):
    candidates, references = as_text(corpus)
    expected = bp.score(candidates, references, dialect)
    one_by_one, batches, merged = (bp.Accumulator(dialect) for _ in range(3))
    for candidate, own in zip(candidates, references, strict=True):
        one_by_one.add(candidate, own)
        part = bp.Accumulator(dialect)
        part.add(candidate, own)
        merged.merge(part)
    half = len(candidates) // 2
    if half:
        batches.add_batch(candidates[:half], references[:half])
    batches.add_batch(iter(candidates[half:]), iter(references[half:]))
    for total in (one_by_one, batches, merged):
        assert values_of(total.score()) == values_of(expected)
        assert total.score().census == expected.census


def filled_accumulator(recipe="nltk-method1"):
    total = bp.Accumulator(recipe)
    total.add_batch(CANDIDATES, REFERENCES)
    return total


@pytest.mark.parametrize(
    "restore",
    [
        lambda total: bp.Accumulator.from_json(total.to_json()),
        lambda total: pickle.loads(pickle.dumps(total)),
    ],
    ids=["json", "pickle"],
)
def test_an_accumulator_travels(restore):
    total = filled_accumulator()
    restored = restore(total)
    assert restored.recipe == total.recipe
    assert values_of(restored.score()) == values_of(total.score())
    assert restored.score().notes == total.score().notes
    restored.add("more text here", "more text there")
    assert restored.census.segments == total.census.segments + 1


def test_an_accumulator_takes_tokens_where_the_recipe_says_so():
    total = bp.Accumulator(bp.Recipe.named("paper").replace(tokenizer="pretokenized"))
    total.add(["a", "b", "c", "d"], [["a", "b", "c", "d"]])
    assert total.score().score == 100.0


@pytest.mark.parametrize(
    ("candidates", "references"),
    [(["a", "b"], ["a"]), (["a", None], ["a", "b"]), (["a", "b"], ["a", [None]]), ([], [])],
)
def test_a_refused_batch_adds_nothing(candidates, references):
    total = filled_accumulator()
    before = total.to_json()
    with pytest.raises(bp.BleuprintError):
        total.add_batch(candidates, references)
    assert total.to_json() == before


def test_accumulators_of_other_recipes_are_not_merged():
    total = filled_accumulator()
    before = total.to_json()
    refuse(lambda: total.merge(filled_accumulator("nltk-method2")), RecipeError, argument="other")
    assert total.to_json() == before


def test_an_empty_accumulator_has_no_score():
    refuse(lambda: bp.Accumulator().score(), location=None)


def test_merging_an_empty_accumulator_changes_nothing():
    total = filled_accumulator()
    total.merge(bp.Accumulator("nltk-method1"))
    assert total.to_json() == filled_accumulator().to_json()


def changed_state(**changes):
    return json.dumps({**json.loads(filled_accumulator().to_json()), **changes})


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="no JSON"),
        pytest.param("[]", id="a list"),
        pytest.param("{}", id="an empty object"),
        pytest.param(changed_state(schema="bleuprint.accumulator/0"), id="another schema"),
        pytest.param(changed_state(recipe="no such recipe"), id="an unknown recipe"),
        pytest.param(changed_state(row=[1, 2, 3, 4]), id="a row of another order"),
        pytest.param(changed_state(row=[0] * 11), id="a row with a number too many"),
        pytest.param(changed_state(row="0123456789"), id="a row of characters"),
        pytest.param(changed_state(short=[1, 2, 3, 4, 5]), id="a census with a number too many"),
    ],
)
def test_json_that_is_no_accumulator_is_refused(text):
    with pytest.raises(bp.BleuprintError):
        bp.Accumulator.from_json(text)


def test_doors_refuse_what_is_not_theirs():
    stats = bp.BleuStats((1,), (1,), 1, 1)
    for call in (
        lambda: bp.BleuScore(stats, "nltk"),
        lambda: bp.BleuScore(stats, 5),
        lambda: stats + bp.BleuStats.zero(2),
        lambda: bp.score_documents(["a"], ["a"], None),
        lambda: bp.score_recipes(["a"], ["a"], "nltk"),
        lambda: bp.score_recipes(["a"], ["a"], bp.Recipe.named("nltk")),
        lambda: bp.BleuScore((4, 3, 2, 1), "nltk"),
        lambda: bp.BleuScore(bp.score(["a b"], ["a b"], "ter").stats, "nltk"),
        lambda: bp.Accumulator().merge(3),
        lambda: bp.Accumulator().add_table([1, 2]),
        lambda: bp.explain(bp.score_segments(["a"], ["a"])),
        lambda: bp.Accumulator.from_json(None),
        lambda: bp.explain(np.array("a b"), "a b"),
        lambda: bp.statistics(["a"], ["a"]).column("x"),
    ):
        with pytest.raises(bp.BleuprintError):
            call()
    with pytest.raises(IndexError):
        bp.statistics(["a"], ["a"]).row(7)


def test_the_empty_side_is_named_whatever_the_other_has():
    used_up = iter(["a"])
    list(used_up)
    for empty in ([], used_up):
        with pytest.raises(bp.BleuprintError, match=r"^candidates: expected at least one segment"):
            bp.score(empty, ["a", "b"])


def test_a_table_that_was_counted_otherwise_is_told_by_its_recipe():
    for recipe in ("sacrebleu", "chrf"):
        table = bp.statistics(["a"], ["a"], recipe)
        refuse(lambda own=table: bp.Accumulator("paper").add_table(own), RecipeError, argument="table")


def test_all_scores_at_once_are_answered_with_how_to_explain_one():
    assert "explain(scores[0])" in refuse(lambda: bp.explain(bp.score_segments(["a"], ["a"]))).fix


def test_a_recipe_by_name_makes_a_score_of_statistics():
    assert bp.BleuScore(bp.BleuStats((4, 3, 2, 1), (4, 3, 2, 1), 4, 4), "nltk").score == 100.0


def test_many_references_are_counted_as_the_best_of_them():
    references = [f"a {n}" for n in range(2000)]
    assert bp.statistics(["a a 5"], [references])[0].matches[:2] == (2, 1)


def test_arrays_of_tokens_are_a_corpus_for_every_verb():
    recipe = bp.Recipe.named("paper").replace(tokenizer="pretokenized")
    tokens = np.array([1, 2, 3, 4])
    assert bp.score([tokens], [[tokens]], recipe).score == 100.0
    explanation = bp.explain([tokens], [[tokens]], recipe)
    assert (explanation.score.level, explanation.score.score) == ("corpus", 100.0)
    assert explanation.segments[0].to_dict()["evidence"]["candidate"]["tokens"][0]["token"] == 1


def test_a_copy_is_the_score_itself():
    score = bp.score_sentence("a b", "a b")
    assert copy.copy(score) is score
    assert copy.deepcopy(score).segments is not None
