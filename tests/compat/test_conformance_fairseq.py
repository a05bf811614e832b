"""fairseq's BLEU, against what its scorer counted and computed.

``data/fairseq_vectors.json`` says which version, and how it was run.
"""

import json
from pathlib import Path

import pytest

import bleuprint as bp
from bleuprint.text.tokenizers.simple import tokenize_fairseq
from printed_numbers import twelve_digits

DATA = Path(__file__).parents[1] / "data" / "fairseq_vectors.json"
CASES = json.loads(DATA.read_text(encoding="utf-8"))["cases"]
ORDERS = (1, 2, 3, 4)


@pytest.mark.parametrize("case", CASES)
def test_corpora(case):
    texts, printed = (CASES[case]["candidates"], CASES[case]["references"]), CASES[case]
    recipe = bp.Recipe.named("fairseq")
    score = bp.score(*texts, recipe)
    stats = score.stats
    pairs = [number for pair in zip(stats.matches, stats.totals, strict=True) for number in pair]
    assert [stats.reference_length, stats.candidate_length, *pairs] == printed["statistics"]
    scores = bp.score_recipes(*texts, [recipe.replace(order=order) for order in ORDERS])
    assert [score.score for score in scores] == [twelve_digits(own) for own in printed["scores"]]


@pytest.mark.parametrize("case", CASES)
def test_sentences(case):
    texts, printed = (CASES[case]["candidates"], CASES[case]["references"]), CASES[case]["sentences"]
    for place, order in enumerate(ORDERS):
        recipe = bp.Recipe.named("fairseq-sentence").replace(order=order)
        scores = bp.score_segments(*texts, recipe).scores
        assert list(scores) == [twelve_digits(own[place]) for own in printed]


def test_an_empty_text_is_not_said_to_have_no_length():
    assert bp.score(["", "a b c d"], ["", "a b c d"], "fairseq").score == 100.0
    assert [note.code for note in bp.score(["", "a b c d"], ["", "a b c d"], "fairseq").notes] == ["short-corpus"]


def test_marks_at_the_ends_are_left_out_but_for_one():
    assert tokenize_fairseq("<pad> a </s> b <pad> </s>") == ["a", "</s>", "b"]
    assert [tokenize_fairseq(text) for text in ("", " ", "<pad>", "</s> </s>")] == [["</s>"]] * 4
