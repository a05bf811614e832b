"""TER against sacreBLEU and torchmetrics themselves: texts of few words, so that words are moved all the time."""

from itertools import product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sacrebleu import metrics as sacrebleu_metrics

import bleuprint as bp
from bleuprint.metrics.ter.explain import split_words
from bleuprint.text.segments import Segments
from engine_pair import NATIVE, PYTHON
from packages import optional
from strategies import WORDS

translation_edit_rate = optional("torchmetrics.functional.text", "translation_edit_rate")

TER, TORCHMETRICS = bp.Recipe.named("ter"), bp.Recipe.named("torchmetrics-ter")
MARKS = (
    *WORDS,
    "it's",
    "Kate's",
    "(yes)",
    "end.",
    "“中文，”",
    "ひらカタ",
    "a\n-b",
    "c\nd",
    "㐀",
    "！",
    "x;y",
    "'s",
    "\u3000",
    "Σ",
)
ODD_TEXTS = st.text(alphabet="a é\u0301b İΣσς\t\u00a0\x1c\u3000中😀.", max_size=12)
"""Empty texts, single characters, combining marks, letters that change their number when lowered, odd white space."""
RECIPES = {
    "plain": {}, "case": {"case": "mixed"}, "normalized": {"normalized": "yes"},
    "punctuation": {"punctuation": "remove"}, "asian": {"normalized": "yes", "asian": "yes"},
    "all": {"normalized": "yes", "asian": "yes", "punctuation": "remove"},
    "asian punctuation": {"asian": "yes", "punctuation": "remove"},
}  # fmt: skip


@st.composite
def shuffled_segments(draw, longest=14):
    """A candidate that often is a reference whose words were moved about, and one to three ragged references."""
    letters = st.sampled_from("abcdef"[: draw(st.integers(1, 6))])
    texts = st.lists(letters, max_size=longest)
    references = draw(st.lists(texts, min_size=1, max_size=3))
    candidate = draw(texts)
    if draw(st.booleans()):
        candidate = list(references[0])
        for _ in range(draw(st.integers(1, 3))):
            start, end, to = sorted(draw(st.integers(0, len(candidate))) for _ in range(3))
            candidate = [*candidate[:start], *candidate[end:to], *candidate[start:end], *candidate[to:]]
    return " ".join(candidate), [" ".join(words) for words in references]


def sacrebleu_statistics(metric, candidate, references):
    """The edits and the mean length of references that sacreBLEU counts."""
    (row,) = metric._extract_corpus_statistics([candidate], [[text] for text in references])
    return tuple(row)


def edits_and_length(candidate, references, recipe):
    stats = bp.statistics([candidate], [references], recipe)[0]
    return stats.edits, stats.reference_length


@settings(max_examples=300)
@given(shuffled_segments())
def test_rows_are_those_of_sacrebleu(segment):
    assert edits_and_length(*segment, TER) == sacrebleu_statistics(sacrebleu_metrics.TER(), *segment)


@settings(max_examples=25)
@given(shuffled_segments(longest=70))
def test_long_rows_that_reach_the_limits_are_those_of_sacrebleu(segment):
    assert edits_and_length(*segment, TER) == sacrebleu_statistics(sacrebleu_metrics.TER(), *segment)


@settings(max_examples=20)
@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=4), st.integers(1, 40), st.integers(0, 130), st.booleans())
def test_repeats_and_lengths_that_differ_much(words, times, longer, turned):
    short, long = " ".join([*words, "x"]), " ".join(words * times + ["y"] * longer)
    segment = (long, [short, "z"]) if turned else (short, [long])
    assert edits_and_length(*segment, TER) == sacrebleu_statistics(sacrebleu_metrics.TER(), *segment)


@settings(max_examples=100)
@given(ODD_TEXTS, st.lists(ODD_TEXTS, min_size=1, max_size=16))
def test_odd_characters_and_up_to_sixteen_references(candidate, references):
    assert edits_and_length(candidate, references, TER) == pytest.approx(
        sacrebleu_statistics(sacrebleu_metrics.TER(), candidate, references), rel=1e-15
    )


@settings(max_examples=60)
@given(st.lists(shuffled_segments(), min_size=1, max_size=4))
def test_corpora_have_the_score_of_sacrebleu(corpus):
    candidates, references = map(list, zip(*corpus, strict=True))
    most = max(map(len, references))
    streams = [[own[place] if place < len(own) else None for own in references] for place in range(most)]
    theirs = sacrebleu_metrics.TER().corpus_score(candidates, streams)
    ours = bp.score(candidates, references, TER)
    assert ours.score == pytest.approx(theirs.score, rel=1e-12, abs=0)
    assert (ours.edits, ours.reference_length) == (theirs.num_edits, pytest.approx(theirs.ref_length, rel=1e-12))


def sacrebleu_metric(recipe):
    return sacrebleu_metrics.TER(
        normalized=recipe.normalized == "yes",
        no_punct=recipe.punctuation == "remove",
        asian_support=recipe.asian == "yes",
        case_sensitive=recipe.case == "mixed",
    )


PARTED_AGAIN = ("..1", "it's.", "3.-", "&quot;", "&amp;lt;", "a's's", "1-a", "x.1,2")
"""What is other words when it is prepared twice, or might be."""
PREPARED_TEXTS = st.builds(
    lambda words, between, rest: between.join([*words, rest]),
    st.lists(st.sampled_from([*MARKS, *PARTED_AGAIN]), max_size=6),
    st.sampled_from([" ", "", "\n"]),
    st.text(max_size=4),
)
COMBINATIONS = [
    {"case": case, "normalized": normalized, "asian": asian, "punctuation": punctuation}
    for case, normalized, asian, punctuation in product(
        ("lower", "mixed"), ("no", "yes"), ("no", "yes"), ("keep", "remove")
    )
]


@pytest.mark.parametrize("choices", COMBINATIONS, ids=lambda choices: "-".join(choices.values()))
def test_every_combination_of_choices_has_the_score_of_sacrebleu(choices):
    recipe = TER.replace(**choices)
    theirs = sacrebleu_metric(recipe)

    @settings(max_examples=20)
    @given(st.lists(st.tuples(PREPARED_TEXTS, PREPARED_TEXTS, PREPARED_TEXTS), min_size=1, max_size=3))
    @example([("..1", "..1", "b")])
    @example([("it's.", "it's.", "(it's)"), ("“中文，”", "“中文，”", "中文")])
    def agree(corpus):
        candidates, *streams = map(list, zip(*corpus, strict=True))
        references = list(zip(*streams, strict=True))
        rows = [tuple(row) for row in theirs._extract_corpus_statistics(candidates, streams)]
        for engine in (NATIVE, PYTHON):
            table = engine.count(Segments(candidates, references), recipe.layout)
            assert [(row.edits, row.reference_length) for row in table] == rows
        scored, alone = theirs.corpus_score(candidates, streams), theirs.sentence_score(candidates[0], references[0])
        assert bp.score(candidates, references, recipe).score == pytest.approx(scored.score, rel=1e-12, abs=0)
        one = bp.score_sentence(candidates[0], references[0], recipe)
        assert one.score == pytest.approx(alone.score, rel=1e-12, abs=0)

    agree()


def test_references_prepared_once_are_another_choice():
    normalized = TER.replace(normalized="yes")
    once = normalized.replace(reference_preparation="once")
    assert (bp.score_sentence("..1", "..1", once).score, split_words("..1", once)) == (0.0, [".", ".1"])
    scored = bp.score_sentence("..1", "..1", normalized)
    assert round(scored.score, 2) == 66.67
    assert bp.explain(scored).evidence.reference_words == ([".", ".", "1"],)
    told = [" ".join(str(bp.explain("..1", "..1", recipe)).split()) for recipe in (normalized, once, TER)]
    assert ["references are prepared twice" in text for text in told] == [True, False, False]


@pytest.mark.parametrize("name", RECIPES)
@settings(max_examples=100)
@given(
    words=st.lists(st.sampled_from(MARKS), max_size=8),
    between=st.sampled_from([" ", "", "\n"]),
    rest=st.text(max_size=6),
)
def test_words_are_those_of_tercom(name, words, between, rest):
    recipe = TER.replace(**RECIPES[name])
    text = between.join([*words, rest])
    theirs = sacrebleu_metric(recipe)._preprocess_segment(text)
    assert split_words(text, recipe) == theirs.split()


@pytest.mark.needs("torchmetrics")
@settings(max_examples=150)
@given(st.lists(shuffled_segments(), min_size=1, max_size=3))
def test_torchmetrics(corpus):
    candidates, references = map(list, zip(*corpus, strict=True))
    theirs = translation_edit_rate(candidates, references)
    assert bp.score(candidates, references, TORCHMETRICS).fraction == pytest.approx(theirs.item(), rel=1e-6, abs=0)


@pytest.mark.needs("torchmetrics")
@pytest.mark.parametrize("name", RECIPES)
@settings(max_examples=40)
@given(texts=st.lists(st.lists(st.sampled_from(MARKS), max_size=6).map(" ".join), min_size=2, max_size=2))
def test_words_of_torchmetrics_are_the_same(name, texts):
    recipe = TORCHMETRICS.replace(**RECIPES[name])
    options = {
        "normalize": recipe.normalized == "yes",
        "no_punctuation": recipe.punctuation == "remove",
        "lowercase": recipe.case == "lower",
        "asian_support": recipe.asian == "yes",
    }
    candidate, reference = texts
    theirs = translation_edit_rate([candidate], [[reference]], **options)
    assert bp.score([candidate], [reference], recipe).fraction == pytest.approx(theirs.item(), rel=1e-6, abs=0)


@pytest.mark.needs("torchmetrics")
def test_the_side_that_is_moved_makes_a_difference():
    """A case on which moving the reference's words needs another number of edits than moving the candidate's."""
    candidate, reference = "a c a b c", "b a a"
    ours, theirs = (edits_and_length(candidate, [reference], recipe)[0] for recipe in (TER, TORCHMETRICS))
    assert theirs == round(translation_edit_rate([candidate], [[reference]]).item() * 3)
    assert ours == sacrebleu_statistics(sacrebleu_metrics.TER(), candidate, [reference])[0]
    assert (ours, theirs) == (3, 4)
