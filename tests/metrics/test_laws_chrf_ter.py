"""The laws of ``test_laws.py`` for chrF and TER, by their numbers there, and the dialects that break one on purpose.

That statistics add up, that the order of segments does not matter, and that a perfect candidate has 100 or 0 stands in
``test_chrf.py`` and ``test_ter.py``.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import CHRF, TER

import bleuprint as bp
from bleuprint.errors import ShapeError
from packages import optional
from strategies import as_columns

translation_edit_rate = optional("torchmetrics.functional.text", "translation_edit_rate")

CHRFS = [name for name, recipe in bp.Recipe.dialects("chrf").items() if not recipe.is_for_one_segment]
EVERY_CHRF = list(bp.Recipe.dialects("chrf"))
TERS = list(bp.Recipe.dialects("ter"))
TEXTS = st.text(alphabet="aabc. ", max_size=9)
WORDS = st.lists(st.sampled_from("abcd"), max_size=8).map(" ".join)


def segments_of(texts):
    return st.tuples(texts, st.lists(texts, min_size=1, max_size=4))


def corpora_of(texts):
    return st.lists(segments_of(texts), min_size=1, max_size=4)


# 3. Order does not matter.


@pytest.mark.parametrize("dialect", TERS)
@settings(max_examples=100)
@given(corpus=corpora_of(WORDS), chance=st.randoms(use_true_random=False))
def test_law_3_the_order_of_references_changes_no_ter(dialect, corpus, chance):
    turned = [(candidate, chance.sample(own, len(own))) for candidate, own in corpus]
    one, other = (bp.score(*as_columns(pairs), dialect) for pairs in (corpus, turned))
    assert (one.score, one.edits, one.reference_length) == (other.score, other.edits, other.reference_length)


@pytest.mark.parametrize("dialect", EVERY_CHRF)
@settings(max_examples=100)
@given(segment=segments_of(TEXTS), chance=st.randoms(use_true_random=False))
def test_law_3_the_order_of_references_changes_no_chrf_of_a_segment(dialect, segment, chance):
    candidate, references = segment
    turned = chance.sample(references, len(references))
    assert (
        bp.score_sentence(candidate, references, dialect).score == bp.score_sentence(candidate, turned, dialect).score
    )


@pytest.mark.parametrize("dialect", [name for name in CHRFS if name != "torchmetrics-chrf"])
def test_law_3_is_broken_by_the_first_of_equally_good_references_in_a_corpus(dialect):
    """Nothing matches in either, so both are 0; of the longer one there is more to be missed."""
    candidates, orders = ["abcdef gh", "xy"], (["q", "rstuvw"], ["rstuvw", "q"])
    short, long = (bp.score(candidates, [["abcdef gh"], own], dialect).score for own in orders)
    assert short > long


def test_law_3_is_broken_in_sacrebleu_alike():
    for own in (["q", "rstuvw"], ["rstuvw", "q"]):
        theirs = CHRF().corpus_score(["abcdef gh", "xy"], [["abcdef gh", own[0]], [None, own[1]]]).score
        assert bp.score(["abcdef gh", "xy"], [["abcdef gh"], own], "chrf").score == pytest.approx(theirs, rel=1e-12)


# 4. What does not fit together has no score.


@pytest.mark.parametrize("dialect", [*CHRFS, *TERS])
@pytest.mark.parametrize("surplus", [-1, 1])
def test_law_4_unequal_numbers_never_yield_a_score(dialect, surplus):
    references = [["a"]] * (2 + surplus)
    for verb in (bp.score, bp.score_segments, bp.statistics):
        with pytest.raises(ShapeError):
            verb(["a", "b"], references, dialect)


# 5. Another reference.


@pytest.mark.parametrize("dialect", EVERY_CHRF)
@settings(max_examples=100)
@given(segment=segments_of(TEXTS), extra=TEXTS)
def test_law_5_another_reference_never_lowers_the_chrf_of_a_segment(dialect, segment, extra):
    candidate, references = segment
    fewer, more = (bp.score_sentence(candidate, own, dialect).score for own in (references, [*references, extra]))
    assert fewer <= more


@pytest.mark.parametrize("dialect", TERS)
@settings(max_examples=100)
@given(segment=segments_of(WORDS), extra=WORDS)
def test_law_5_another_reference_never_takes_more_edits(dialect, segment, extra):
    candidate, references = segment
    fewer, more = (bp.score_sentence(candidate, own, dialect) for own in (references, [*references, extra]))
    assert fewer.edits >= more.edits


def test_law_5_is_about_edits_as_a_shorter_reference_raises_the_rate():
    """The edits stay, and the mean length of the references falls; sacreBLEU says so, too."""
    one, two = (bp.score_sentence("a b x", own, "ter").score for own in (["a b c"], ["a b c", "q"]))
    assert one == pytest.approx(100 / 3, rel=1e-15)
    assert two == 50.0 == TER().sentence_score("a b x", ["a b c", "q"]).score


# 6. The scale.


@settings(max_examples=200)
@given(WORDS, st.lists(WORDS, min_size=1, max_size=3))
def test_law_6_a_ter_of_0_is_a_candidate_equal_to_a_reference(candidate, references):
    for dialect in TERS:
        if candidate or dialect != "torchmetrics-ter":
            assert (bp.score_sentence(candidate, references, dialect).score == 0.0) == (candidate in references)


@pytest.mark.needs("torchmetrics")
def test_law_6_is_broken_by_an_empty_candidate_of_torchmetrics():
    assert bp.score_sentence("", "a b", "torchmetrics-ter").score == translation_edit_rate([""], [["a b"]]).item() == 0


@pytest.mark.parametrize("dialect", TERS)
@settings(max_examples=100)
@given(candidate=WORDS, reference=WORDS)
def test_law_6_edits_lie_between_the_difference_and_the_longer_of_the_lengths(dialect, candidate, reference):
    if not candidate and dialect == "torchmetrics-ter":
        return
    lengths = len(candidate.split()), len(reference.split())
    edits = bp.score_sentence(candidate, reference, dialect).edits
    assert abs(lengths[0] - lengths[1]) <= edits <= max(lengths)


# 9. The explanation recounts.


def distance(words, others):
    """The edit distance as in a textbook."""
    row = list(range(len(others) + 1))
    for i, word in enumerate(words, start=1):
        last, row[0] = row[0], i
        for j, other in enumerate(others, start=1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (word != other))
    return row[-1]


@pytest.mark.parametrize("dialect", TERS)
@settings(max_examples=150)
@given(candidate=WORDS, reference=WORDS)
def test_law_9_moves_replayed_leave_the_distance_of_a_textbook(dialect, candidate, reference):
    if not candidate and dialect == "torchmetrics-ter":
        return
    moving, target = candidate.split(), reference.split()
    if dialect == "torchmetrics-ter":
        moving, target = target, moving
    alignment, scored = bp.explain(candidate, reference, dialect).evidence.alignment, moving
    without = distance(moving, target)
    for move in alignment.moves:
        rest = scored[: move.start] + scored[move.start + move.length :]
        before = distance(scored, target)
        scored = [*rest[: move.lands], *move.words, *rest[move.lands :]]
        assert (before, distance(scored, target)) == (move.edits_before, move.edits_after)
        assert move.saved > 0
    edits = bp.score_sentence(candidate, reference, dialect).edits
    assert edits == distance(scored, target) + len(alignment.moves) <= without
