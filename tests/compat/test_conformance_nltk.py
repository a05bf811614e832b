"""The nltk dialects against NLTK itself, to 12 significant digits."""

import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, sentence_bleu

import bleuprint as bp
from bleuprint.errors import ShapeError
from strategies import as_text, corpora, segments

METHODS = {
    "nltk": "method0",
    "nltk-method1": "method1",
    "nltk-method2": "method2",
    "nltk-method3": "method3",
    "nltk-method4": "method4",
}
ONE_SEGMENT = {"nltk-method5": "method5", "nltk-method6": "method6", "nltk-method7": "method7"}
UNIFORM = (0.25, 0.25, 0.25, 0.25)
WEIGHTS = st.sampled_from(
    [
        (1.0,),
        (0.5, 0.5),
        (1 / 3, 1 / 3, 1 / 3),
        (0.2, 0.2, 0.2, 0.2, 0.2),
        (1 / 6,) * 6,
        (0.1, 0.3, 0.5, 0.1),
        (0.333, 0.333, 0.333),
        (0.0, 0.7, 0.0, 0.3),
        (0.0, 1.0),
        (1.0, 1.0, 1.0),
    ]
)


def run_nltk(function, references, candidates, dialect, weights=UNIFORM, **values):
    smoothing = getattr(SmoothingFunction(**values), (METHODS | ONE_SEGMENT)[dialect])
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"\nThe hypothesis contains 0 counts", UserWarning)
        return function(references, candidates, weights=weights, smoothing_function=smoothing)


def twelve_digits(expected):
    # Below the smallest normal float (2.2e-308) there are fewer digits to compare.
    return pytest.approx(expected, rel=1e-12, abs=1e-310)


@settings(max_examples=300)
@given(corpora())
def test_corpus_scores(corpus):
    candidates, references = as_text(corpus)
    for dialect in METHODS:
        expected = run_nltk(corpus_bleu, corpus[1], corpus[0], dialect)
        assert bp.score(candidates, references, dialect).fraction == twelve_digits(expected), dialect


@given(segments())
def test_sentence_scores(segment):
    candidate, references = segment
    for dialect in METHODS:
        recipe = bp.Recipe.named(dialect).replace(tokenizer="pretokenized")
        expected = run_nltk(sentence_bleu, references, candidate, dialect)
        assert bp.score_sentence(candidate, references, recipe).fraction == twelve_digits(expected), dialect


@given(corpora(), WEIGHTS)
def test_weights_of_other_lengths_and_sums(corpus, weights):
    for dialect in METHODS:
        recipe = bp.Recipe.named(dialect).replace(tokenizer="pretokenized", weights=weights)
        expected = run_nltk(corpus_bleu, corpus[1], corpus[0], dialect, weights)
        assert bp.score(*corpus, recipe).fraction == twelve_digits(expected), dialect


@given(corpora())
def test_several_weights_in_one_pass(corpus):
    weights = [(1 / order,) * order for order in range(1, 5)]
    for dialect in METHODS:
        recipe = bp.Recipe.named(dialect).replace(tokenizer="pretokenized")
        scores = bp.score_recipes(*corpus, [recipe.replace(weights=own) for own in weights])
        expected = run_nltk(corpus_bleu, corpus[1], corpus[0], dialect, weights)
        assert [score.fraction for score in scores] == [twelve_digits(number) for number in expected], dialect


EPSILONS = st.sampled_from([1e-300, 0.001, 0.1]) | st.floats(1e-9, 1)
ALPHAS_AND_KS = st.sampled_from([0.001, 0.1, 1, 2.5, 1000]) | st.floats(0.001, 100)
ANY_WEIGHTS = WEIGHTS | st.lists(st.floats(0, 1), min_size=1, max_size=10).filter(any).map(tuple)


@settings(max_examples=300)
@given(corpora(), EPSILONS, ALPHAS_AND_KS, ANY_WEIGHTS)
def test_other_values_of_epsilon_and_k(corpus, epsilon, k, weights):
    for dialect, smoothing in (("nltk-method1", f"epsilon({epsilon})"), ("nltk-method4", f"nltk-method4({k})")):
        recipe = bp.Recipe.named(dialect).replace(tokenizer="pretokenized", smoothing=smoothing, weights=weights)
        expected = run_nltk(corpus_bleu, corpus[1], corpus[0], dialect, weights, epsilon=epsilon, k=k)
        assert bp.score(*corpus, recipe).fraction == twelve_digits(expected), smoothing


def test_a_small_k_makes_more_than_100_as_nltk_does():
    candidate, reference = "a b c d", "a b d c"
    for dialect in ("nltk-method4", "nltk-method7"):
        recipe = bp.Recipe.named(dialect).replace(smoothing=f"{dialect}(0.1)")
        nltk = run_nltk(sentence_bleu, [reference.split()], candidate.split(), dialect, k=0.1)
        scored = bp.score_sentence(candidate, reference, recipe)
        assert 1.3 < scored.fraction == twelve_digits(nltk)
        assert "above-hundred" in [note.code for note in scored.notes]
        assert bp.score_segments([candidate], [reference], recipe).scores[0] == scored.score


@settings(max_examples=300)
@given(segments(), ANY_WEIGHTS, ALPHAS_AND_KS)
def test_methods_5_to_7_of_one_segment(segment, weights, value):
    candidate, references = segment
    for dialect in ONE_SEGMENT:
        smoothing = dialect if dialect == "nltk-method5" else f"{dialect}({value})"
        recipe = bp.Recipe.named(dialect).replace(tokenizer="pretokenized", weights=weights, smoothing=smoothing)
        scored = bp.score_sentence(candidate, references, recipe)
        try:
            expected = run_nltk(sentence_bleu, references, candidate, dialect, weights, alpha=value, k=value)
        except (AssertionError, IndexError):  # NLTK's method6 gives up without a trigram match
            assert dialect == "nltk-method6"
            assert (scored.fraction, scored.notes[0].code, scored.tool_stops) == (0.0, "no-trigram", True)
        else:
            assert scored.fraction == twelve_digits(expected), recipe
            assert not scored.tool_stops


NUMBERS = st.sampled_from([0, 1, (2, "x")])


@given(corpora(texts=st.lists(NUMBERS, max_size=8), pieces=NUMBERS))
def test_tokens_that_are_no_strings(corpus):
    recipe = bp.Recipe.named("nltk").replace(tokenizer="pretokenized")
    assert bp.score(*corpus, recipe).fraction == twelve_digits(run_nltk(corpus_bleu, corpus[1], corpus[0], "nltk"))


def test_a_zero_order_is_tiny_but_not_zero_and_only_a_note_says_so():
    with pytest.warns(UserWarning, match="0 counts of 4-gram"):
        expected = sentence_bleu([["a", "b", "c", "x", "d"]], ["a", "b", "c", "d"])
    scored = bp.score_sentence("a b c d", "a b c x d", "nltk")
    assert 0 < scored.fraction == twelve_digits(expected)
    assert "unmatched-orders" in [note.code for note in scored.notes]


def test_one_matching_token_is_perfect_under_method4():
    assert bp.score_sentence("a", "a", "nltk-method4").score == 100.0
    assert run_nltk(sentence_bleu, [["a"]], ["a"], "nltk-method4") == 1.0


def test_unequal_lengths_are_refused_here_and_there():
    with pytest.raises(AssertionError):
        corpus_bleu([[["a"]]], [["a"], ["b"]])
    with pytest.raises(ShapeError):
        bp.score(["a", "b"], ["a"], "nltk")
