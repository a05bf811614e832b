"""The bleuscore and huggingface dialects against the Rust package bleuscore, which computes what both do.

Hugging Face's own code is downloaded at run time, so it cannot be run here; what it printed is in the golden vectors.
"""

import pytest

pytest.importorskip("bleuscore")

import bleuscore
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.errors import ShapeError
from printed_numbers import twelve_digits
from strategies import ASCII_WORDS, as_text, corpora, word_corpora

pytestmark = pytest.mark.needs("bleuscore")


PLAIN = ["bleuscore", "huggingface"]
SMOOTH = ["huggingface-smooth"]


def assert_equal(ours, theirs):
    stats = ours.stats
    assert stats.candidate_length == theirs["translation_length"]
    assert stats.reference_length == theirs["reference_length"]
    assert ours.fraction == twelve_digits(theirs["bleu"])
    if stats.candidate_length:
        assert ours.brevity_penalty == twelve_digits(theirs["brevity_penalty"])
        assert list(ours.smoothed_precisions) == [twelve_digits(p) for p in theirs["precisions"]]


def assert_conforms(corpus, order, smooth, **choices):
    candidates, references = corpus
    method = choices.get("reference_length", "shortest")
    theirs = bleuscore.compute(references, candidates, max_order=order, smooth=smooth, ref_len_method=method)
    for dialect in SMOOTH if smooth else PLAIN:
        ours = bp.score(candidates, references, bp.Recipe.named(dialect).replace(order=order, **choices))
        if smooth:
            # Without any reference token Hugging Face divides by zero and bleuscore rewards smoothing alone (both
            # empty: 1.0). Here that is 0 with a note; see test_no_text_is_zero_with_a_note.
            assume(ours.stats.reference_length or any(ours.stats.matches))
        assert_equal(ours, theirs)


@settings(max_examples=300)
@given(corpora(), st.integers(1, 10), st.booleans())
def test_corpus_scores(corpus, order, smooth):
    assert_conforms(as_text(corpus), order, smooth)


@given(corpora(), st.integers(1, 10), st.booleans())
def test_the_closest_reference(corpus, order, smooth):
    assert_conforms(as_text(corpus), order, smooth, reference_length="closest")


@given(word_corpora(ASCII_WORDS), st.booleans())
def test_13a(corpus, smooth):
    assert_conforms(as_text(corpus), 4, smooth)


@given(corpora(max_segments=1), st.booleans())
def test_sentence_scores(corpus, smooth):
    assert_conforms(as_text(corpus), 4, smooth)


def test_the_two_dialects_are_one_recipe():
    assert bp.Recipe.named("bleuscore") == bp.Recipe.named("huggingface")


@pytest.mark.parametrize("dialect", PLAIN + SMOOTH)
@pytest.mark.parametrize(
    ("candidate", "reference", "code"),
    [("", "a b", "empty-candidate"), ("a b", "", "empty-reference"), ("", "", "empty-candidate")],
)
def test_no_text_is_zero_with_a_note(dialect, candidate, reference, code):
    scored = bp.score([candidate], [reference], dialect)
    assert scored.score == 0.0
    assert code in [note.code for note in scored.notes]


def test_what_bleuscore_gives_for_no_text_is_smoothing_alone():
    assert bleuscore.compute([[""]], [""], smooth=True)["bleu"] == 1.0
    assert round(bleuscore.compute([[""]], ["a b c d e"], smooth=True)["bleu"], 4) == 0.2296


def test_an_empty_reference_beside_a_matching_one_takes_no_length():
    # Hugging Face divides by zero here; bleuscore does not.
    assert bleuscore.compute([["", "a b c d"]], ["a b c d"])["bleu"] == 1.0
    assert bp.score_sentence("a b c d", ["", "a b c d"], "bleuscore").fraction == 1.0


def test_what_bleuscore_cuts_to_fit_is_refused():
    assert bleuscore.compute([["a b c d"]], ["a b c d", "x"])["bleu"] == 1.0
    with pytest.raises(ShapeError):
        bp.score(["a b c d", "x"], [["a b c d"]], "bleuscore")
