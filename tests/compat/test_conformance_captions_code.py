"""BLEU of captions, code and comments, against what pycocoevalcap and CodeXGLUE printed.

``data/caption_code_vectors.json`` says which versions, and how they were run.
"""

import json
import math
import warnings
from pathlib import Path

import pytest
from hypothesis import given, settings
from nltk.translate.bleu_score import corpus_bleu

import bleuprint as bp
from bleuprint.errors import RecipeError
from bleuprint.text.tokenizers.simple import tokenize_comment
from printed_numbers import twelve_digits
from strategies import corpora

DATA = Path(__file__).parents[1] / "data" / "caption_code_vectors.json"
CASES = json.loads(DATA.read_text(encoding="utf-8"))["cases"]
CAPTIONS, CODE, COMMENTS = "pycocoevalcap.bleu", "codexglue.code-refinement", "codexglue.code-to-text"
CAPTION_RECIPE = bp.Recipe.named("pycocoevalcap")
CRASHES = [case for case, data in CASES.items() if isinstance(data["scores"][CODE], dict)]


def texts(case):
    return CASES[case]["candidates"], CASES[case]["references"]


@pytest.mark.parametrize("case", CASES)
def test_captions(case):
    recipes = [CAPTION_RECIPE.replace(order=order) for order in (1, 2, 3, 4)]
    scores = bp.score_recipes(*texts(case), recipes)
    printed = CASES[case]["scores"][CAPTIONS]
    assert [score.fraction for score in scores] == [twelve_digits(own) for own in printed["corpus"]]
    for recipe, own in zip(recipes, printed["segments"], strict=True):
        segments = bp.score_segments(*texts(case), recipe)
        assert [score.fraction for score in segments] == [twelve_digits(number) for number in own]


@pytest.mark.parametrize("case", [case for case in CASES if case not in CRASHES])
def test_code(case):
    score = bp.score(*texts(case), recipe="codexglue-code")
    assert score.fraction == twelve_digits(CASES[case]["scores"][CODE])


@pytest.mark.parametrize("case", CRASHES)
def test_code_without_a_word_scores_zero_with_a_note_where_the_tool_crashes(case):
    score = bp.score(*texts(case), recipe="codexglue-code")
    assert score.score == 0.0
    assert {"empty-candidate", "empty-reference"} & {note.code for note in score.notes}


@pytest.mark.parametrize("case", CASES)
def test_comments(case):
    scores = bp.score_segments(*texts(case), recipe="codexglue-comments").scores
    assert math.fsum(scores) / len(scores) == twelve_digits(CASES[case]["scores"][COMMENTS])


def test_comments_are_split_at_marks_and_at_underscores():
    assert tokenize_comment("__init__(self): don't,  3.5%\x1cÄb_2") == [
        "_", "_", "init", "_", "_", "(", "self", ")", ":", "don", "'", "t", ",", "3", ".", "5", "%", "Äb", "_", "2",
    ]  # fmt: skip


def test_a_corpus_of_comments_has_no_sums():
    with pytest.raises(RecipeError) as refused:
        bp.score(["a b", "c"], ["a b", "c"], recipe="codexglue-comments")
    assert refused.value.location.argument == "recipe"


@settings(max_examples=200)
@given(corpora())
def test_the_mean_of_nltks_bleu_1_to_4(corpus):
    candidates, references = corpus
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"\nThe hypothesis contains 0 counts", UserWarning)
        theirs = corpus_bleu(references, candidates, [(1 / order,) * order for order in (1, 2, 3, 4)])
    mean = bp.score(candidates, references, bp.Recipe.named("nltk-mean").replace(tokenizer="pretokenized"))
    assert mean.fraction == pytest.approx(math.fsum(theirs) / 4, rel=1e-12, abs=0)
