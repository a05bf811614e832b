"""Explanations as data: the arithmetic adds up, the evidence recounts, and both say what they mean."""

import math
import sys
from statistics import fmean

import pytest
from hypothesis import given, settings

import bleuprint as bp
import oracle
from bleuprint.counting.ngrams import count_ngrams, count_plain, highest_counts
from bleuprint.errors import InputTypeError
from bleuprint.metrics.bleu.counting import BleuStats, choose_length
from bleuprint.metrics.bleu.notes import CAVEAT, SEGMENT_CAVEAT, find_band
from bleuprint.render import render
from refusals import refuse
from strategies import CORPUS_DIALECTS, as_text, corpora, segments, word_corpora

PAPER = bp.Recipe.named("paper")
TOKENS = PAPER.replace(tokenizer="pretokenized")
CANDIDATES = ["the cat is on mat", "it is raining again today", ""]
REFERENCES = [["the cat is on the mat", "a cat"], ["it is raining again today"], ["nothing"]]

every_dialect = pytest.mark.parametrize("recipe", [*map(bp.Recipe.named, CORPUS_DIALECTS)], ids=CORPUS_DIALECTS)


# Evidence: what the counts are counts of.


def recount(evidence, recipe):
    """Statistics from the evidence alone."""
    orders = range(1, recipe.layout.order + 1)
    least = 1 if recipe.segment_totals == "at-least-1" else 0
    counted = [sum(ngram.count for ngram in evidence.ngrams if ngram.order == n) for n in orders]
    length = len(evidence.candidate_tokens)
    return BleuStats(
        tuple(sum(ngram.matches for ngram in evidence.ngrams if ngram.order == n) for n in orders),
        tuple(max(least, count) for count in counted),
        length,
        choose_length(recipe.reference_length, length, [len(tokens) for tokens in evidence.reference_tokens]),
    )


@every_dialect
@settings(max_examples=40)
@given(corpus=word_corpora())
def test_law_9_the_evidence_recounts_to_the_same_statistics(recipe, corpus):
    explanation = bp.explain(*as_text(corpus), recipe)
    parts = [recount(part.evidence, recipe) for part in explanation.segments]
    assert parts == [part.score.stats for part in explanation.segments]
    assert sum(parts, BleuStats.zero(recipe.order)) == explanation.score.stats


@given(segments())
def test_law_9_holds_for_tokens_as_the_oracle_counts_them(segment):
    explanation = bp.explain(*segment, TOKENS)
    counted = BleuStats(*oracle.statistics([segment[0]], [segment[1]], 4))
    assert recount(explanation.evidence, TOKENS) == explanation.score.stats == counted


def test_an_ngram_is_counted_clipped_and_missed_against_its_best_reference():
    evidence = bp.explain("the the the cat x", ["the cat sat", "the dog the"], PAPER.replace(order=1)).evidence
    seen = {ngram.ngram[0]: ngram for ngram in evidence.ngrams}
    assert list(seen) == ["the", "cat", "x", "sat", "dog"]
    the = seen["the"]
    assert (the.places, the.reference_places) == ((0, 1, 2), ((0,), (0, 2)))
    assert (the.count, the.reference_counts, the.clip) == (3, (1, 2), 2)
    amounts = {word: (ngram.matches, ngram.clipped, ngram.missed) for word, ngram in seen.items()}
    assert amounts == {"the": (2, 1, 0), "cat": (1, 0, 0), "x": (0, 0, 0), "sat": (0, 0, 1), "dog": (0, 0, 1)}


@given(segments())
def test_every_occurrence_is_a_match_or_clipped_or_in_no_reference(segment):
    for ngram in bp.explain(*segment, TOKENS).evidence.ngrams:
        assert ngram.matches == min(ngram.count, max(ngram.reference_counts))
        assert ngram.clipped == (ngram.count - ngram.matches if max(ngram.reference_counts) else 0)
        assert ngram.missed == max(ngram.reference_counts) - ngram.matches
        assert all(segment[0][place : place + ngram.order] == list(ngram.ngram) for place in ngram.places)


def longest_matches(tokens, may_count):
    """For each token, the most tokens of a counted n-gram over it; the first occurrences are those that count."""
    longest = [0] * len(tokens)
    for n in range(1, 5):
        found = oracle.ngrams(tokens, n)
        for start, ngram in enumerate(found):
            if found[:start].count(ngram) < may_count(ngram):
                for place in range(start, start + n):
                    longest[place] = max(longest[place], n)
    return longest


@given(segments())
def test_longest_match_is_the_longest_counted_ngram_over_a_token(segment):
    candidate, references = segment
    evidence = bp.explain(candidate, references, TOKENS).evidence

    def in_best_reference(ngram):
        return max(oracle.ngrams(reference, len(ngram)).count(ngram) for reference in references)

    def in_candidate(ngram):
        return oracle.ngrams(candidate, len(ngram)).count(ngram)

    assert [part.longest_match for part in evidence.candidate_view] == longest_matches(candidate, in_best_reference)
    for view, reference in zip(evidence.reference_views, references, strict=True):
        assert [part.longest_match for part in view] == longest_matches(reference, in_candidate)


@given(corpora())
def test_plain_precision_counts_without_clipping_and_sums_over_a_corpus(corpus):
    plain = [0] * 4
    for candidate, references in zip(*corpus, strict=True):
        for n in range(1, 5):
            limits = highest_counts(count_ngrams(reference, n) for reference in references)
            plain[n - 1] += count_plain(count_ngrams(candidate, n), limits)
    explanation = bp.explain(*corpus, TOKENS)
    assert explanation.plain_matches == tuple(plain)
    assert all(map(int.__ge__, explanation.plain_matches, explanation.score.stats.matches))


# Arithmetic: what follows from the counts.


@every_dialect
@settings(max_examples=40)
@given(corpus=word_corpora())
def test_law_9_losses_add_up_to_the_score(recipe, corpus):
    arithmetic = bp.explain(*as_text(corpus), recipe).arithmetic
    if not arithmetic.fraction:
        assert arithmetic.losses == ()
        assert arithmetic.zero_because or arithmetic.zero_orders
        return
    assert math.fsum(loss.log for loss in arithmetic.losses) == pytest.approx(math.log(arithmetic.fraction), abs=1e-12)
    assert math.fsum(loss.points for loss in arithmetic.losses) == pytest.approx(100 - arithmetic.score, abs=1e-9)
    shares = math.fsum(loss.share for loss in arithmetic.losses)
    assert shares == pytest.approx(1.0 if arithmetic.score < 100 else 0.0, abs=1e-12)
    assert (arithmetic.zero_because, arithmetic.zero_orders) == ("", ())


def test_what_brevity_and_each_order_took():
    losses = bp.explain("the cat is on mat", "the cat is on the mat", "paper").arithmetic.losses
    assert [loss.name for loss in losses] == ["brevity", "p1", "p2", "p3", "p4"]
    logs = [-0.2, 0.0, math.log(3 / 4) / 4, math.log(2 / 3) / 4, math.log(1 / 2) / 4]
    assert [loss.log for loss in losses] == pytest.approx(logs, abs=1e-12)


@pytest.mark.parametrize(
    ("candidate", "changes", "orders", "because"),
    [
        ("a b x c", {}, (3, 4), ""),
        ("a b", {}, (3, 4), ""),
        ("a b x c", {"weights": (0.5, 0.5, 0.0)}, (), None),
        ("a b", {"absent_order": "drop"}, (), None),
        ("", {}, (1, 2, 3, 4), "the candidate is empty"),
        ("x y", {"smoothing": "exp"}, (1, 2, 3, 4), "nothing matches"),
        ("a b x c", {"nothing_matches": "zero-if-any", "smoothing": "exp"}, (1, 2, 3, 4), "an order has no match"),
    ],
)
def test_a_zero_names_its_orders_or_its_reason_and_has_no_shares(candidate, changes, orders, because):
    arithmetic = bp.explain(candidate, "a b c d", PAPER.replace(**changes)).arithmetic
    assert arithmetic.zero_orders == orders
    assert arithmetic.zero_because == (because or "")
    assert (arithmetic.losses == ()) is (because is not None)


@pytest.mark.parametrize(
    ("candidate", "reference", "changes"),
    [
        ("a", "a " * 800, {"order": 1}),
        ("a b c", "a x y", {"weights": (2.0, 2.0), "smoothing": "epsilon(1e-300)"}),
    ],
    ids=["brevity penalty", "geometric mean"],
)
def test_a_score_too_small_for_a_float_says_so(candidate, reference, changes):
    explanation = bp.explain(candidate, reference, PAPER.replace(**changes))
    arithmetic = explanation.arithmetic
    assert arithmetic.score == 0.0
    assert arithmetic.zero_because
    assert f"The score is 0 because {arithmetic.zero_because}" in str(explanation)
    assert arithmetic.zero_because in explanation._repr_html_()


def test_an_order_without_weight_has_no_log_term_to_lose():
    lines = bp.explain("a b x c", "a b c d", PAPER.replace(weights=(1.0, 0.0, 0.0))).arithmetic.orders
    assert [line.log_term for line in lines] == pytest.approx([math.log(3 / 4), 0.0, 0.0])
    assert bp.explain("x", "a", "paper").arithmetic.orders[0].log_term is None


@pytest.mark.parametrize(
    ("candidate", "reference", "recipe", "mean"),
    [
        ("the cat is on mat", "the cat is on the mat", PAPER, math.sqrt(0.5)),
        ("a b", "a b", PAPER.replace(absent_order="drop"), 1.0),
        ("a x", "a b", bp.Recipe.named("nltk"), math.sqrt(math.sqrt(0.5) * sys.float_info.min**1.5)),
    ],
    ids=["usual", "dropped orders", "smallest float"],
)
def test_the_cross_check_agrees_where_product_and_logarithms_do(candidate, reference, recipe, mean):
    check = bp.explain(candidate, reference, recipe).arithmetic.cross_check
    assert check.verdict == "agrees"
    assert (check.log_domain, check.product_domain) == (pytest.approx(mean, rel=1e-9), pytest.approx(mean, rel=1e-9))


@pytest.mark.parametrize(
    ("candidate", "reference", "recipe"),
    [
        ("a b", "a b", PAPER),
        ("", "a", PAPER),
        ("a b c", "a x y", PAPER.replace(weights=(2.0, 2.0), smoothing="epsilon(1e-300)")),
    ],
    ids=["zero", "empty", "underflow"],
)
def test_the_cross_check_has_nothing_to_say_of_0(candidate, reference, recipe):
    check = bp.explain(candidate, reference, recipe).arithmetic.cross_check
    assert (check.verdict, check.log_domain, check.product_domain) == ("not applicable", 0.0, 0.0)


def test_the_cross_check_has_nothing_to_say_of_floats_with_too_few_digits():
    recipe = bp.Recipe.named("nltk").replace(weights=(0.1, 1.037))
    check = bp.explain("a x", "a b", recipe).arithmetic.cross_check
    assert check.verdict == "not applicable"
    assert 0 < check.log_domain < sys.float_info.min
    assert 0 < check.product_domain < sys.float_info.min


@settings(max_examples=50)
@given(corpora())
def test_the_two_ways_to_the_geometric_mean_never_differ(corpus):
    for recipe in CORPUS_DIALECTS:
        assert bp.explain(*as_text(corpus), recipe).arithmetic.cross_check.verdict != "differs"


@pytest.mark.parametrize(
    ("score", "band"),
    [
        (0, "under 10"), (9.999, "under 10"), (10, "10–20"), (19.999, "10–20"), (20, "20–30"), (30, "30–40"),
        (40, "40–50"), (50, "50–60"), (59.999, "50–60"), (60, "over 60"), (100, "over 60"),
    ],
)  # fmt: skip
def test_a_rating_band_begins_with_its_lower_border(score, band):
    assert find_band(score).band == band
    assert find_band(score).meaning


@pytest.mark.parametrize(
    ("candidate", "reference", "recipe", "code", "words"),
    [
        ("hello world", "hello world", "paper", "absent-orders", "fewer than 3 tokens, so no 3-grams or 4-grams"),
        (
            "hello world",
            "hello world",
            "sacrebleu-sentence",
            "absent-orders",
            "fewer than 3 tokens, so no 3-grams or 4-grams",
        ),
        ("hello world", "hello world", "nltk", "absent-orders", "fewer than 3 tokens, so no 3-grams or 4-grams"),
        ("a b c d", "a b c d", PAPER.replace(order=1), "other-weights", "this is BLEU-1"),
        ("a b c d", "a b c d", PAPER.replace(order=5), "other-weights", "this is BLEU-5"),
        ("a b c d", "a b c d", PAPER.replace(weights=(0.1, 0.2, 0.3, 0.4)), "other-weights", "these weights differ"),
        ("", "a b c d", "paper", "empty-candidate", "the candidate is empty"),
        ("a b c d", "", "sacrebleu", "empty-reference", "the reference is empty"),
        ("a b c x", "a b c d", "paper", "unmatched-orders", "no 4-gram matches"),
        ("a b c x", "a b c d", "nltk", "unmatched-orders", "no 4-gram matches"),
        ("a b c x", "a b c d", "torchmetrics-smooth", "unmatched-orders", "no 4-gram matches"),
        ("a b c d", "w x y z", "huggingface-smooth", "smoothing-alone", "smoothing alone"),
        ("a b c d e", "a b c d e", "nltk-method5", "other-scale", "a scale of its own"),
        ("a b c d", "a b x d", "nltk-method6", "nltk-stops", "NLTK gives no number"),
    ],
)
def test_a_score_whose_band_would_say_something_untrue_has_a_reason_instead(candidate, reference, recipe, code, words):
    explanation = bp.explain(candidate, reference, recipe)
    arithmetic = explanation.arithmetic
    assert arithmetic.rating is None
    assert arithmetic.unrated.code == code
    assert words in arithmetic.unrated.reason
    data = explanation.to_dict()["arithmetic"]
    assert (data["rating"], data["unrated"]) == (None, {"code": code, "reason": arithmetic.unrated.reason})
    views = [str(explanation), explanation._repr_html_(), render(explanation, "markdown")]
    for view in views:
        assert f"no rating: {arithmetic.unrated.reason}" in " ".join(view.split())
        assert "under 10" not in view
        assert "over 60" not in view


@pytest.mark.parametrize(
    ("candidate", "reference", "recipe", "band"),
    [
        ("the cat is on mat", "the cat is on the mat", "paper", "50–60"),
        ("a b c d", "a b c d", "nltk", "over 60"),
        ("a b c d", "w x y z", "paper", "under 10"),
        ("a b c d x", "a b c d e", "sacrebleu", "over 60"),
    ],
)
def test_the_rating_of_a_segment_says_that_it_is_made_for_corpora(candidate, reference, recipe, band):
    segment, corpus = bp.explain(candidate, reference, recipe), bp.explain([candidate] * 2, [reference] * 2, recipe)
    assert (segment.arithmetic.rating.band, corpus.arithmetic.rating.band) == (band, band)
    assert (segment.arithmetic.rating.caveat, corpus.arithmetic.rating.caveat) == (SEGMENT_CAVEAT, CAVEAT)
    assert (segment.arithmetic.unrated, corpus.arithmetic.unrated) == (None, None)
    assert SEGMENT_CAVEAT in str(segment)
    assert SEGMENT_CAVEAT in segment._repr_html_()


def test_a_corpus_of_short_segments_alone_is_not_rated_and_one_with_a_longer_one_is():
    short = bp.explain(["a b"] * 3, ["a b"] * 3, "nltk").arithmetic
    assert short.unrated.code == "absent-orders"
    assert bp.explain(["a b", "a b c d"], ["a b", "a b c d"], "paper").arithmetic.rating.band == "over 60"


# Ways in.


@every_dialect
def test_explaining_a_score_equals_explaining_its_texts(recipe):
    corpus = bp.explain(bp.score(CANDIDATES, REFERENCES, recipe))
    assert corpus.to_dict() == bp.explain(iter(CANDIDATES), REFERENCES, recipe).to_dict()
    sentence = bp.explain(bp.score_sentence(CANDIDATES[0], REFERENCES[0], recipe))
    assert sentence.to_dict() == bp.explain(CANDIDATES[0], REFERENCES[0], recipe).to_dict()
    assert corpus.segments[0].to_dict() == sentence.to_dict()


def test_tokens_of_any_kind_are_explained_without_spans():
    explanation = bp.explain([1, 2, 2, None], [[1, 2], (2, 1, 2)], TOKENS)
    assert explanation.score.level == "segment"
    assert [part.token for part in explanation.evidence.candidate_view] == [1, 2, 2, None]
    assert [part.span for part in explanation.evidence.candidate_view] == [None] * 4
    assert [part.longest_match for part in explanation.evidence.candidate_view] == [2, 2, 1, 0]
    assert bp.explain([[1, 2], [3]], [[[1, 2]], [[4]]], TOKENS).score.level == "corpus"


def test_a_token_may_be_a_tuple_beside_others():
    assert bp.explain([("a", 1), "b"], [["b"]], TOKENS).score.level == "segment"


@pytest.mark.parametrize("candidate", [None, 5, 2.5, b"a", {"a"}, {"a": 1}])
def test_what_is_no_text_is_refused_by_name(candidate):
    refuse(lambda: bp.explain(candidate, ["a b"]), InputTypeError, argument="candidate")


def test_a_candidate_alone_is_refused_with_the_call_that_was_meant():
    assert "explain(candidate, references" in refuse(lambda: bp.explain("a b"), argument="references").fix


def test_a_corpus_opens_its_segments_one_by_one():
    asked = []

    def split(text):
        asked.append(text)
        return text.split()

    explanation = bp.explain(CANDIDATES, REFERENCES, PAPER.replace(tokenizer=split))
    asked.clear()
    parts = explanation.segments
    assert (len(parts), explanation.evidence, asked) == (3, None, [])
    assert len(parts.scores) == 3
    asked.clear()
    part = parts[1]
    assert asked == []
    assert part.evidence.candidate_tokens == ["it", "is", "raining", "again", "today"]
    assert asked == [CANDIDATES[1]]
    assert parts[-1].evidence.candidate == ""
    assert [part.evidence.candidate for part in parts[:2]] == CANDIDATES[:2]
    with pytest.raises(IndexError):
        parts[3]


def test_a_document_opens_its_segments_one_by_one():
    candidates, references = ["a b c d", "x", "a b c"], ["a b c d", "y", "a b d"]
    explanation = bp.explain(bp.score_documents(candidates, references, ["one", "two", "one"], recipe="paper")["one"])
    assert [part.evidence.candidate for part in explanation.segments] == [
        part.evidence.candidate for part in bp.explain(["a b c d", "a b c"], ["a b c d", "a b d"], "paper").segments
    ]
    assert explanation.plain_matches == (6, 4, 2, 1)
    assert len(explanation.to_dict()["segments"]) == 2


def test_the_mean_of_segment_scores_is_told_apart_from_the_corpus_score():
    explanation = bp.explain(CANDIDATES, REFERENCES, PAPER)
    mean = fmean(bp.score_sentence(*pair, PAPER).score for pair in zip(CANDIDATES, REFERENCES, strict=True))
    assert explanation.mean_segment_score == pytest.approx(mean, rel=1e-15)
    assert explanation.mean_segment_score != pytest.approx(explanation.score.score, abs=1.0)
    assert bp.explain("a", "a").mean_segment_score is None


def test_without_texts_there_is_arithmetic_and_no_evidence():
    total = bp.Accumulator(PAPER)
    total.add_batch(CANDIDATES, REFERENCES)
    explanation = bp.explain(total.score())
    known = bp.explain(CANDIDATES, REFERENCES, PAPER)
    assert explanation.arithmetic == known.arithmetic
    assert (explanation.evidence, explanation.segments, explanation.plain_matches) == (None, None, None)
    assert explanation.mean_segment_score is None


@pytest.mark.parametrize("smoothing", ["floor(1)", "nltk-method4(0.1)"])
def test_a_number_that_smoothing_made_is_not_rated(smoothing):
    recipe = bp.Recipe.named("nltk-method4").replace(smoothing=smoothing)
    arithmetic = bp.explain("a b c d", "a b d c", recipe).arithmetic
    assert arithmetic.rating is None
    assert "smoothing counts for as much as a match would" in arithmetic.unrated.reason


def test_a_score_is_explained_by_what_it_has_and_by_nothing_else():
    score = bp.score(["a b c d"], ["a b c d"])
    refuse(lambda: bp.explain(score, ["other"]), InputTypeError, argument="references")
    refuse(lambda: bp.explain(score, recipe="nltk"), InputTypeError, argument="recipe")


M, C, U, X = "matched", "clipped", "unmatched", "missed"


@pytest.mark.parametrize(
    ("candidate", "reference", "order", "own", "other"),
    [
        ("a b a b x", "a b y", 1, [M, M, C, C, U], [M, M, X]),
        ("a b a b x", "a b y", 2, [M, M, C, C, U], [M, M, X]),
        ("a b a b x", "a b y", 3, [U] * 5, [X] * 3),
        ("a b", "a b a b", 2, [M, M], [M, M, X, X]),
        ("a", "a b", 2, [U], [X, X]),
    ],
)
def test_one_order_alone_says_which_tokens_or_characters_it_covers(candidate, reference, order, own, other):
    words = bp.explain(candidate, reference, "paper").evidence
    seen = [words.candidate_view_of(order), *words.reference_views_of(order)]
    assert [[part.status for part in view] for view in seen] == [own, other]
    assert {part.longest_match for view in seen for part in view} <= {0, order}
    characters = bp.explain(candidate, reference, "chrf").evidence
    assert [[part.status for part in view] for view in characters.views_of(order)] == [own, other]


# What only some tools do.


def test_a_mean_over_orders_is_worked_out_as_one():
    explanation = bp.explain("a b c d e", "a b c d f g", "nltk-mean")
    assert "mean = (0.8000 + 0.7746 + 0.7368 + 0.6687) / 4 = 0.7450" in str(explanation)
    assert [loss.name for loss in explanation.arithmetic.losses] == ["brevity", "mean"]
    assert sum(loss.points for loss in explanation.arithmetic.losses) == pytest.approx(100 - explanation.score.score)
    assert "<mn>0.8000</mn><mo>+</mo><mn>0.7746</mn>" in explanation._repr_html_()


@pytest.mark.parametrize(
    ("dialect", "line"),
    [
        ("codexglue-comments", "c = 5, r = 6, so BP = exp(1 − (6 + 1)/(5 + 1)) = 0.8465"),
        ("pycocoevalcap", "c = 5, r = 6, so BP = exp(1 − (6 + 1e-9)/(5 + 1e-15)) = 0.8187"),
    ],
)
def test_another_brevity_penalty_is_worked_out_as_it_is_computed(dialect, line):
    explanation = bp.explain("a b c d e", "a b c d f g", dialect)
    assert line in str(explanation)
    assert line in explanation._repr_html_()
