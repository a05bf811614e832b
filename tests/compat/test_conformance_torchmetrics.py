"""The torchmetrics dialects against the package itself, to 1e-6: it computes with 32 bits."""

import pytest

pytest.importorskip("torchmetrics")

from hypothesis import given, settings
from hypothesis import strategies as st
from torchmetrics.functional.text import bleu_score, sacre_bleu_score

import bleuprint as bp
from strategies import ASCII_WORDS, WORDS, as_text, corpora, word_corpora

pytestmark = pytest.mark.needs("torchmetrics")


ANY_WEIGHT = st.sampled_from([0.0, 0.1, 0.25, 0.5, 1.0]) | st.floats(0, 1, width=32)
WEIGHTS = st.lists(ANY_WEIGHT, min_size=1, max_size=10).filter(any)


def recipe(smooth, **choices):
    return bp.Recipe.named("torchmetrics-smooth" if smooth else "torchmetrics").replace(**choices)


def six_digits(theirs):
    return pytest.approx(theirs.item(), rel=1e-6, abs=0)


@settings(max_examples=300)
@given(corpora(), st.integers(1, 10), st.booleans())
def test_bleu_score(corpus, order, smooth):
    candidates, references = as_text(corpus)
    ours = bp.score(candidates, references, recipe(smooth, order=order))
    assert ours.fraction == six_digits(bleu_score(candidates, references, n_gram=order, smooth=smooth))


@given(corpora(), WEIGHTS, st.booleans())
def test_weights_of_any_sum(corpus, weights, smooth):
    candidates, references = as_text(corpus)
    theirs = bleu_score(candidates, references, n_gram=len(weights), smooth=smooth, weights=weights)
    assert bp.score(candidates, references, recipe(smooth, weights=tuple(weights))).fraction == six_digits(theirs)


@pytest.mark.parametrize(
    ("tokenizer", "words"), [("13a", ASCII_WORDS), ("intl", WORDS), ("zh", WORDS), ("char", WORDS)]
)
def test_sacre_bleu_score_with_every_tokenizer(tokenizer, words):
    @settings(max_examples=60)
    @given(word_corpora(words), st.booleans())
    def agrees(corpus, smooth):
        candidates, references = as_text(corpus)
        theirs = sacre_bleu_score(candidates, references, smooth=smooth, tokenize=tokenizer)
        assert bp.score(candidates, references, recipe(smooth, tokenizer=tokenizer)).fraction == six_digits(theirs)

    agrees()


def test_of_equally_close_references_the_first_counts():
    candidate = " ".join("abcdefghijkl")
    longer, shorter = candidate + " m", candidate[:-2]
    for references in ([longer, shorter], [shorter, longer]):
        theirs = bleu_score([candidate], [references])
        assert bp.score_sentence(candidate, references, "torchmetrics").fraction == six_digits(theirs)
    assert bp.score_sentence(candidate, [longer, shorter], "torchmetrics").fraction < 0.93


def test_smoothing_never_fills_an_order_without_a_match():
    text = "the cat sat on a mat today", ["the cat is on the mat today"]
    assert bleu_score([text[0]], [text[1]], smooth=True) == 0
    assert bp.score_sentence(*text, "torchmetrics-smooth").score == 0
    assert bp.score_sentence(*text, "nltk-method2").score > 0
