"""Laws that every BLEU should keep, and the dialects that break one on purpose."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
import oracle
from bleuprint.errors import RecipeError, ShapeError
from bleuprint.metrics.bleu.counting import BleuStats, bleu_layout
from bleuprint.metrics.bleu.formula import combine, smooth
from bleuprint.metrics.bleu.recipe import ONE_SEGMENT_ONLY, SMOOTHINGS, Smoothing
from bleuprint.text.segments import pair_segments
from engine_pair import NATIVE, PYTHON
from score_values import values_of
from strategies import CORPUS_DIALECTS, CORPUS_SMOOTHINGS, TOKEN_LISTS, as_columns, as_text, corpora

ENGINES = [PYTHON, NATIVE]
TOKENS = bp.Recipe.named("paper").replace(tokenizer="pretokenized")
COUNTINGS = ["paper", "nltk", "sacrebleu", "huggingface"]
"""One dialect for each way of counting."""

every_engine = pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)


@st.composite
def statistics(draw, zeros=True):
    """Statistics up to order 4 as they can occur: matches of an order at most its total, and fewer than of the last."""
    length = draw(st.integers(0 if zeros else 4, 9))
    totals = [max(0, length - n) for n in range(4)]
    matches = [length]
    for total in totals:
        matches.append(draw(st.integers(0 if zeros else 1, min(total, matches[-1]))))
    return BleuStats(tuple(matches[1:]), tuple(totals), length, draw(st.integers(0, 12)))


# 1. Statistics add.


@given(corpora(), corpora())
def test_law_1_the_statistics_of_a_then_b_are_their_sum(left, right):
    (a, a_references), (b, b_references) = as_text(left), as_text(right)
    for dialect in COUNTINGS:
        table = bp.statistics(a, a_references, dialect)
        both = bp.statistics(a + b, a_references + b_references, dialect)
        assert both.total() == table.total() + bp.statistics(b, b_references, dialect).total(), dialect
        table.extend(bp.statistics(b, b_references, dialect))
        assert both == table, dialect


@given(statistics(), statistics(), statistics())
def test_law_1_addition_is_associative_and_commutative_and_has_a_zero(a, b, c):
    assert (a + b) + c == a + (b + c)
    assert a + b == b + a
    assert a + BleuStats.zero(4) == a


# 3. Order does not matter.


@given(corpora(), st.randoms(use_true_random=False))
def test_law_3_reordering_segments_or_references_changes_nothing(corpus, chance):
    candidates, references = as_text(corpus)
    pairs = [(candidate, chance.sample(own, len(own))) for candidate, own in zip(candidates, references, strict=True)]
    chance.shuffle(pairs)
    for dialect in COUNTINGS:
        expected = bp.score(candidates, references, dialect)
        assert values_of(bp.score(*as_columns(pairs), dialect)) == values_of(expected), dialect


def test_law_3_is_broken_by_ties_that_go_to_the_first_reference():
    recipe = bp.Recipe.named("paper").replace(reference_length="closest-first")
    long, candidate, short = ("a " * length for length in (13, 12, 11))
    assert bp.score_sentence(candidate, [short, long], recipe).score == 100.0
    assert round(bp.score_sentence(candidate, [long, short], recipe).score, 2) == 92.00


# 4. What does not fit together has no score.


@given(corpora(), st.integers(1, 3), st.booleans())
def test_law_4_unequal_numbers_never_yield_a_score(corpus, surplus, on_candidates):
    candidates, references = as_text(corpus)
    if on_candidates:
        candidates = candidates + ["a"] * surplus
    else:
        references = references + [["a"]] * surplus
    with pytest.raises(ShapeError):
        bp.score(candidates, references)


# 5. Matches, totals, lengths.


@given(corpora(), TOKEN_LISTS)
def test_law_5_another_reference_never_lowers_matches(corpus, extra):
    candidates, references = as_text(corpus)
    for dialect in COUNTINGS:
        fewer = bp.score(candidates, references, dialect).stats
        more = bp.score(candidates, [[*own, " ".join(extra)] for own in references], dialect).stats
        assert all(a <= b for a, b in zip(fewer.matches, more.matches, strict=True)), dialect
        assert all(a <= b for a, b in zip(more.matches, more.totals, strict=True)), dialect
        assert fewer.totals == more.totals, dialect


@given(corpora())
def test_law_5_totals_follow_from_the_lengths(corpus):
    for dialect in COUNTINGS:
        least = 1 if dialect == "nltk" else 0
        for stats in bp.statistics(*as_text(corpus), dialect):
            assert stats.totals == tuple(max(least, stats.candidate_length - n) for n in range(4)), dialect


@pytest.mark.parametrize("dialect", [name for name in CORPUS_DIALECTS if name.startswith("nltk")])
def test_law_5_is_broken_by_the_totals_of_nltk(dialect):
    texts = ["a b c d e f g h", "left right"]
    assert bp.score(texts, texts, dialect).stats.totals == (10, 8, 7, 6)
    assert bp.score(texts, texts, "paper").stats.totals == (10, 8, 6, 5)
    assert bp.score(texts, texts, dialect).score < 100.0 == bp.score(texts, texts, "paper").score


# 6. The scale.


@given(corpora(), st.integers(1, 6))
def test_law_6_scores_lie_between_0_and_100(corpus, order):
    for dialect in CORPUS_DIALECTS:
        scored = bp.score(*as_text(corpus), bp.Recipe.named(dialect).replace(order=order))
        assert 0.0 <= scored.score <= 100.0, dialect


@given(corpora(), st.integers(1, 6), st.floats(1e-6, 1))
def test_law_6_holds_for_every_value_of_a_smoothing_but_nltk_method4s(corpus, order, value):
    for kind in CORPUS_SMOOTHINGS:
        if kind != "nltk-method4":
            smoothing = Smoothing(kind, None if SMOOTHINGS[kind][0] is None else value)
            assert 0.0 <= bp.score(*corpus, TOKENS.replace(smoothing=smoothing, order=order)).score <= 100.0, smoothing


def test_law_6_is_broken_by_nltk_method4_with_a_small_k():
    recipe = bp.Recipe.named("nltk-method4").replace(smoothing="nltk-method4(0.1)")
    assert bp.score_sentence("a b c d", "a b d c", recipe).score > 100.0


@given(corpora(texts=st.lists(st.sampled_from("abc"), min_size=4, max_size=9)), st.data())
def test_law_6_a_candidate_equal_to_a_reference_scores_exactly_100(corpus, chance):
    _, references = as_text(corpus)
    candidates = [chance.draw(st.sampled_from(own)) for own in references]
    for dialect in CORPUS_DIALECTS:
        expected = pytest.approx(100.0, abs=1e-6) if dialect == "pycocoevalcap" else 100.0
        assert bp.score(candidates, references, dialect).score == expected, dialect


def test_laws_6_and_7_are_broken_by_the_constants_of_pycocoevalcap():
    assert bp.score_sentence("a b c d", "a b c d", "pycocoevalcap").score < 100.0
    assert smooth(bp.BleuStats((4,), (4,), 4, 4), Smoothing("coco"), 1)[0].value < 1.0


@pytest.mark.parametrize("kind", ONE_SEGMENT_ONLY)
def test_laws_3_and_6_are_broken_by_nltk_methods_5_to_7(kind):
    expected = {"nltk-method5": 111.675, "nltk-method6": 100.0, "nltk-method7": 111.675}  # NLTK's, on 0 to 1: 1.11675
    assert bp.score_sentence("a b c d e f", "a b c d e f", kind).score == pytest.approx(expected[kind], abs=5e-4)
    with pytest.raises(RecipeError, match="for one segment only, got 2 segments"):
        bp.score(["a b c d", "a b"], ["a b c d", "a b"], kind)  # where the order of segments would count


# 7. Smoothing.


@given(statistics())
def test_law_7_smoothing_leaves_its_input_alone_and_lowers_nothing(stats):
    row = stats.to_row()
    for kind in CORPUS_SMOOTHINGS:
        plainly, smoothly = (smooth(stats, Smoothing(name), stats.order) for name in ("none", kind))
        assert stats.to_row() == row, kind
        if kind == "coco":
            continue
        for plain, smoothed in zip(plainly, smoothly, strict=True):
            assert (smoothed.value or 0.0) >= (plain.value or 0.0), kind
        assert combine(stats, TOKENS.replace(smoothing=kind)).fraction >= combine(stats, TOKENS).fraction, kind


def test_law_7_needs_absent_orders_to_count_as_epsilon_fills_what_would_be_dropped():
    dropping = bp.Recipe.named("paper").replace(absent_order="drop")
    assert bp.score_sentence("a b", "a b", dropping).score == 100.0
    assert bp.score_sentence("a b", "a b", dropping.replace(smoothing="epsilon(0.1)")).fraction == pytest.approx(
        0.1**0.5, rel=1e-14
    )


@given(statistics(zeros=False))
def test_law_7_without_zero_counts_only_what_adds_changes_something(stats):
    for kind in CORPUS_SMOOTHINGS:
        if not kind.startswith("add-k") and kind != "coco":
            assert combine(stats, TOKENS.replace(smoothing=kind)) == combine(stats, TOKENS), kind


@pytest.mark.parametrize("kind", [kind for kind in CORPUS_SMOOTHINGS if kind != "none"])
def test_law_7_smoothing_acts_on_an_order_without_a_match(kind):
    recipe = bp.Recipe.named("paper").replace(smoothing=kind)
    assert bp.score_sentence("the cat sat on a mat", "the cat is on the mat", recipe).score > 0.0
    assert bp.score_sentence("the cat sat on a mat", "the cat is on the mat", "paper").score == 0.0


# 12. The engines equal the paper.


def random_corpus(chance):
    """A small corpus; half of its candidates are copies of a reference, cut or with something added."""
    alphabet = "abcde"[: chance.randint(1, 5)]

    def text():
        return [chance.choice(alphabet) for _ in range(chance.choice((0, 1, 2, 3, 4, 5, 6, 8, 10)))]

    pairs = []
    for _ in range(chance.randint(1, 4)):
        references = [text() for _ in range(chance.randint(1, 3))]
        copy = chance.choice(references)[chance.randint(0, 2) :] + text()[:2]
        pairs.append((chance.choice((text(), copy)), references))
    return as_columns(pairs)


def has_tie(candidate, references):
    distances = {len(reference): abs(len(reference) - len(candidate)) for reference in references}
    return list(distances.values()).count(min(distances.values())) > 1


@every_engine
@pytest.mark.parametrize("tries", [1000, pytest.param(3000, marks=pytest.mark.extended)])
def test_law_12_thousands_of_random_corpora_agree_with_the_oracle(engine, tries):
    chance = random.Random(20021)
    seen = {"tie": 0, "empty candidate": 0, "empty reference": 0, "no 4-gram match": 0, "no match": 0, "positive": 0}
    for _ in range(tries):
        candidates, references = random_corpus(chance)
        order = chance.randint(1, 5)
        table = engine.count(
            pair_segments(candidates, references, pretokenized=True), bleu_layout(order, TOKENS.counting)
        )
        stats = table.total()
        assert stats == BleuStats(*oracle.statistics(candidates, references, order))
        weights = chance.choice([(1 / order,) * order, tuple(chance.random() for _ in range(order))])
        score = combine(stats, TOKENS.replace(weights=weights)).fraction
        assert score == pytest.approx(oracle.bleu(candidates, references, weights), rel=1e-12, abs=0)
        seen["tie"] += any(map(has_tie, candidates, references))
        seen["empty candidate"] += [] in candidates
        seen["empty reference"] += any([] in own for own in references)
        seen["no 4-gram match"] += order >= 4 and stats.matches[0] > 0 == stats.matches[3]
        seen["no match"] += not any(stats.matches)
        seen["positive"] += score > 0
    assert min(seen.values()) > tries / 60, seen


@every_engine
@settings(max_examples=400)
@given(corpus=corpora())
def test_law_12_shrinking_corpora_agree_with_the_oracle(engine, corpus):
    segments = pair_segments(*corpus, pretokenized=True)
    stats = engine.count(segments, bleu_layout(4, TOKENS.counting)).total()
    assert stats == BleuStats(*oracle.statistics(*corpus, 4))
    assert combine(stats, TOKENS).fraction == pytest.approx(oracle.bleu(*corpus), rel=1e-12, abs=0)


@given(corpora())
def test_law_12_every_door_of_the_kernel_agrees_with_the_oracle(corpus):
    """Tokens, texts, one segment at a time, and the scores of rows: each is a loop of its own in the kernel."""
    texts = as_text(corpus)
    expected = [BleuStats(*oracle.statistics([one], [own], 4)) for one, own in zip(*corpus, strict=True)]
    fractions = [pytest.approx(oracle.bleu([one], [own]), rel=1e-12, abs=0) for one, own in zip(*corpus, strict=True)]
    paper = TOKENS.replace(tokenizer="whitespace")
    table = NATIVE.count(pair_segments(*corpus, pretokenized=True), bleu_layout(4, TOKENS.counting))
    assert list(table) == expected
    assert list(NATIVE.count(pair_segments(*texts), bleu_layout(4, paper.counting))) == expected
    assert [score / 100 for score in NATIVE.score_rows(table, TOKENS)] == fractions
    for place, stats in enumerate(expected):
        row = NATIVE.count_one(corpus[0][place], corpus[1][place], bleu_layout(4, TOKENS.counting))
        assert BleuStats.from_row(row) == stats
        row, score, fraction, references = NATIVE.score_one(texts[0][place], texts[1][place], paper)
        assert (BleuStats.from_row(row), score, fraction) == (stats, 100.0 * fraction, fractions[place])
        assert list(references) == texts[1][place]
