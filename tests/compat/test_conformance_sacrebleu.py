"""The sacrebleu dialects against sacreBLEU itself: counts equal, scores to 12 significant digits."""

import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU

import bleuprint as bp
from bleuprint.errors import ShapeError
from printed_numbers import twelve_digits
from strategies import as_streams, as_text, corpora, word_corpora

SMOOTHINGS = {
    "none": st.none(),
    "exp": st.none(),
    "floor": st.sampled_from((None, 0.01, 0.5, 1, 1e-300)) | st.floats(1e-9, 1),
    "add-k": st.sampled_from((None, 0.1, 1, 2.5, 1000)) | st.floats(1e-9, 1000),
}
TOKENIZERS = {"none": "whitespace", "13a": "13a", "intl": "intl", "zh": "zh", "char": "char"}


@st.composite
def options(draw, tokenizers=("none",)):
    """Options of sacreBLEU's BLEU; the recipe that stands for them is ``make_recipe(options)``."""
    method = draw(st.sampled_from(list(SMOOTHINGS)))
    return {
        "smooth_method": method,
        "smooth_value": draw(SMOOTHINGS[method]),
        "effective_order": draw(st.booleans()),
        "lowercase": draw(st.booleans()),
        "max_ngram_order": draw(st.integers(1, 10)),
        "tokenize": draw(st.sampled_from(tokenizers)),
    }


def make_recipe(options):
    method, value = options["smooth_method"], options["smooth_value"]
    return bp.Recipe.named("sacrebleu").replace(
        tokenizer=TOKENIZERS[options["tokenize"]],
        case="lower" if options["lowercase"] else "mixed",
        order=options["max_ngram_order"],
        smoothing=method if value is None else f"{method}({value})",
        absent_order="drop" if options["effective_order"] else "zero",
    )


def assert_equal(ours, theirs):
    stats = ours.stats
    assert (stats.candidate_length, stats.reference_length) == (theirs.sys_len, theirs.ref_len)
    # sacreBLEU returns its counts with k added, from order 2 on; if nothing matches it stops before that
    adds = ours.recipe.smoothing.kind == "add-k" and any(stats.matches)
    added = [ours.recipe.smoothing.value if adds and order > 1 else 0 for order in range(1, ours.order + 1)]
    assert [matches + k for matches, k in zip(stats.matches, added, strict=True)] == theirs.counts
    assert [total + k for total, k in zip(stats.totals, added, strict=True)] == theirs.totals
    assert ours.score == twelve_digits(theirs.score)
    assert [100 * (value or 0.0) for value in ours.smoothed_precisions] == [twelve_digits(p) for p in theirs.precisions]
    if theirs.sys_len:  # without any text sacreBLEU's penalty is 1, here an empty candidate's is 0; the score is 0
        assert ours.brevity_penalty == twelve_digits(theirs.bp)


@settings(max_examples=250)
@given(corpora())
def test_corpus_scores(corpus):
    candidates, references = as_text(corpus)
    theirs = sacrebleu.corpus_bleu(candidates, as_streams(references))
    assert_equal(bp.score(candidates, references), theirs)


@settings(max_examples=250)
@given(corpora(max_segments=1))
def test_sentence_scores(corpus):
    [candidate], [references] = as_text(corpus)
    theirs = sacrebleu.sentence_bleu(candidate, references)
    assert_equal(bp.score_sentence(candidate, references, "sacrebleu-sentence"), theirs)


@given(corpora())
def test_raw_corpus_scores(corpus):
    candidates, references = as_text(corpus)
    recipe = bp.Recipe.named("sacrebleu-sentence").replace(tokenizer="whitespace", smoothing="floor(0.1)")
    theirs = sacrebleu.raw_corpus_bleu(candidates, as_streams(references))
    assert_equal(bp.score(candidates, references, recipe), theirs)


@settings(max_examples=500)
@given(corpora(), options())
def test_every_option(corpus, options):
    candidates, references = as_text(corpus)
    theirs = BLEU(**options).corpus_score(candidates, as_streams(references))
    assert_equal(bp.score(candidates, references, make_recipe(options)), theirs)


@settings(max_examples=300)
@given(word_corpora(), options(tokenizers=list(TOKENIZERS)))
def test_every_tokenizer(corpus, options):
    candidates, references = as_text(corpus)
    theirs = BLEU(**options).corpus_score(candidates, as_streams(references))
    assert_equal(bp.score(candidates, references, make_recipe(options)), theirs)


LINES = st.text(alphabet="aB1 .,-&;<>'\"é€中。“ \t\n\u00a0\u3000", max_size=12)


@settings(max_examples=300)
@given(LINES, st.lists(LINES, min_size=1, max_size=2), st.sampled_from(list(TOKENIZERS)))
def test_tokenizers_on_any_signs(candidate, references, tokenizer):
    theirs = BLEU(tokenize=tokenizer).corpus_score([candidate], [[reference] for reference in references])
    recipe = bp.Recipe.named("sacrebleu").replace(tokenizer=TOKENIZERS[tokenizer])
    assert_equal(bp.score([candidate], [references], recipe), theirs)


def test_an_empty_reference_counts_and_a_missing_one_does_not():
    for second in ("", None):
        theirs = BLEU().corpus_score(["a"], [["a b c"], [second]])
        assert_equal(bp.score(["a"], [["a b c", second]]), theirs)
    assert bp.score(["a"], [["a b c", ""]]).stats.reference_length == 0
    assert bp.score(["a"], [["a b c", None]]).stats.reference_length == 3


def test_a_perfect_score_is_exactly_100_where_sacrebleu_is_a_little_above():
    assert sacrebleu.corpus_bleu(["a b c d"], [["a b c d"]]).score == 100.00000000000004
    assert bp.score(["a b c d"], ["a b c d"]).score == 100.0


@pytest.mark.parametrize(
    ("candidates", "references"),
    [(["a b c d", "x"], ["a b c d"]), (["a b c d"], ["a b c d", "x"])],
    ids=["too few references", "too few candidates"],
)
def test_what_sacrebleu_cuts_to_fit_is_refused(candidates, references):
    assert round(sacrebleu.corpus_bleu(candidates, [references]).score, 2) == 100.00
    with pytest.raises(ShapeError):
        bp.score(candidates, references)


def test_references_per_segment_are_read_as_such_where_sacrebleu_scores_the_first_segment_only():
    candidates, references = ["a b c d", "x y", "z"], [["a b c d"], ["x q"], ["z"]]
    assert round(sacrebleu.corpus_bleu(candidates, references).score, 2) == 100.00
    assert_equal(bp.score(candidates, references), sacrebleu.corpus_bleu(candidates, as_streams(references)))
    assert bp.score(candidates, references).score < 100


@pytest.mark.parametrize(
    ("candidate", "reference", "code"),
    [("", "a b", "empty-candidate"), ("a b", "", "empty-reference"), ("", "", "empty-candidate")],
)
def test_no_text_is_zero_with_a_note(candidate, reference, code):
    scored = bp.score([candidate], [reference])
    assert scored.score == 0.0 == sacrebleu.corpus_bleu([candidate], [[reference]]).score
    assert code in [note.code for note in scored.notes]
