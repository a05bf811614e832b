import math
import sys
from itertools import pairwise

import pytest
from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

from bleuprint.errors import RecipeError
from bleuprint.metrics.bleu.counting import BleuStats
from bleuprint.metrics.bleu.formula import HIGHEST_LOG, ZeroReason, brevity, combine, divide
from bleuprint.metrics.bleu.recipe import AXES, DIALECTS, HIGHEST_SUM, LOWEST_K
from bleuprint.metrics.bleu.score import BleuScore
from bleuprint.recipes.recipe import Recipe
from bleuprint.scoring.verbs import score_sentence
from strategies import CORPUS_DIALECTS

PAPER = Recipe.named("paper")
TWO_TOKENS = BleuStats(matches=(1, 1, 0, 0), totals=(2, 1, 0, 0), candidate_length=2, reference_length=2)
ONE_ZERO = BleuStats(matches=(4, 3, 1, 0), totals=(5, 4, 3, 2), candidate_length=5, reference_length=5)
ONE_ZERO_AND_ORDER_5 = BleuStats((4, 3, 1, 0, 0), (5, 4, 3, 2, 1), 5, 5)
NO_MATCH = BleuStats(matches=(0, 0, 0, 0), totals=(5, 4, 3, 2), candidate_length=5, reference_length=5)
NO_CANDIDATE = BleuStats(matches=(0, 0, 0, 0), totals=(0, 0, 0, 0), candidate_length=0, reference_length=5)
NO_REFERENCE = BleuStats(matches=(0, 0, 0, 0), totals=(5, 4, 3, 2), candidate_length=5, reference_length=0)
NO_TEXT = BleuStats.zero(4)
PERFECT = BleuStats(matches=(7, 6, 5, 4), totals=(7, 6, 5, 4), candidate_length=7, reference_length=7)


def fraction(stats, **changes):
    return combine(stats, PAPER.replace(**changes)).fraction


def about(expected):
    return pytest.approx(expected, rel=1e-14, abs=0)


@pytest.mark.parametrize(
    ("candidate", "reference", "expected"),
    [
        (7, 7, 1.0),
        (8, 7, 1.0),
        (12, 13, math.exp(1 - 13 / 12)),
        (1, 100, math.exp(-99)),
        (5, 0, 1.0),
        (0, 5, 0.0),
        (0, 0, 0.0),
    ],
)
def test_brevity_penalty(candidate, reference, expected):
    assert brevity(candidate, reference) == expected


def test_an_absent_order_divides_to_zero():
    assert (divide(1, 4), divide(0, 4), divide(0, 0)) == (0.25, 0.0, 0.0)


@pytest.mark.parametrize(
    ("rule", "expected"), [("zero", 0.0), ("drop", (1 / 2 * 1) ** (1 / 2)), ("one", (1 / 2 * 1) ** (1 / 4))]
)
def test_an_absent_order(rule, expected):
    assert fraction(TWO_TOKENS, absent_order=rule) == about(expected)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("zero", 0.0),
        ("smallest-float", (4 / 5 * 3 / 4 * 1 / 3) ** 0.25 * sys.float_info.min**0.25),
        ("skip", (4 / 5 * 3 / 4 * 1 / 3) ** 0.25),
    ],
)
def test_an_unmatched_order_that_smoothing_left_alone(rule, expected):
    assert fraction(ONE_ZERO, unmatched_order=rule) == pytest.approx(expected, rel=1e-13, abs=0)


@pytest.mark.parametrize("rule", ["zero", "smallest-float", "skip"])
def test_smoothing_goes_before_the_rule_for_unmatched_orders(rule):
    assert fraction(ONE_ZERO, unmatched_order=rule, smoothing="exp") == about((4 / 5 * 3 / 4 * 1 / 3 * 1 / 4) ** 0.25)


@pytest.mark.parametrize(
    ("rule", "stats", "smoothing", "expected"),
    [
        ("zero", NO_MATCH, "add-k-all(1)", 0.0),
        ("zero", ONE_ZERO, "add-k(1)", (4 / 5 * 4 / 5 * 2 / 4 * 1 / 3) ** 0.25),
        ("zero-if-any", NO_MATCH, "add-k-all(1)", 0.0),
        ("zero-if-any", ONE_ZERO, "add-k(1)", 0.0),
        ("zero-if-any", ONE_ZERO.up_to(3), "add-k(1)", (4 / 5 * 4 / 5 * 2 / 4) ** (1 / 3)),
        ("smoothed", NO_MATCH, "add-k-all(1)", (1 / 6 * 1 / 5 * 1 / 4 * 1 / 3) ** 0.25),
        ("smoothed", NO_MATCH, "exp", (1 / 10 * 1 / 16 * 1 / 24 * 1 / 32) ** 0.25),
        ("smoothed", NO_MATCH, "add-k(1)", 0.0),  # which leaves unigrams alone
    ],
)
def test_when_nothing_matches(rule, stats, smoothing, expected):
    assert fraction(stats, order=stats.order, nothing_matches=rule, smoothing=smoothing) == about(expected)


SCORES_EMPTY = ("pycocoevalcap", "codexglue-comments")


@pytest.mark.parametrize("dialect", [name for name in DIALECTS if name not in SCORES_EMPTY])
@pytest.mark.parametrize(
    ("stats", "reason"),
    [
        (NO_CANDIDATE, "the candidate is empty"),
        (NO_TEXT, "the candidate is empty"),
        (NO_REFERENCE, "the reference is empty"),
    ],
)
def test_no_text_scores_zero_in_nearly_every_dialect(dialect, stats, reason):
    recipe = Recipe.named(dialect)
    counted = BleuStats((*stats.matches, 0), (*stats.totals, 0), stats.candidate_length, stats.reference_length)
    combination = combine(counted.up_to(recipe.layout.order), recipe)
    assert combination.fraction == 0.0
    assert combination.zero_because == reason


@pytest.mark.parametrize("stats", [NO_CANDIDATE, NO_TEXT, NO_REFERENCE])
@pytest.mark.parametrize("dialect", SCORES_EMPTY)
def test_no_text_is_scored_by_the_formula_in_two_dialects(dialect, stats):
    assert not combine(stats, Recipe.named(dialect)).zero_because


@pytest.mark.parametrize("dialect", [name for name in CORPUS_DIALECTS if name != "pycocoevalcap"])
@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_a_perfect_score_is_exactly_one(dialect, order):
    assert combine(PERFECT.up_to(order), Recipe.named(dialect).replace(order=order)).fraction == 1.0


@pytest.mark.parametrize("weights", [(0.1, 0.2, 0.3, 0.4), (0.333, 0.333, 0.333, 0.001), (1, 1, 1, 1), (0, 0, 0, 0.7)])
def test_a_perfect_score_is_exactly_one_under_any_weights(weights):
    assert fraction(PERFECT, weights=weights) == 1.0


def test_weights_are_exponents():
    assert fraction(ONE_ZERO.up_to(3), weights=(0.5, 0.3, 0.2)) == about(
        (4 / 5) ** 0.5 * (3 / 4) ** 0.3 * (1 / 3) ** 0.2
    )


@pytest.mark.parametrize("stats", [ONE_ZERO, TWO_TOKENS])
@pytest.mark.parametrize("absent", ["zero", "drop", "one"])
def test_an_order_of_weight_zero_does_not_count(stats, absent):
    changes = {"absent_order": absent}
    assert fraction(stats, weights=(0.5, 0.5, 0, 0), **changes) == fraction(stats.up_to(2), order=2, **changes)


def test_the_weight_of_dropped_orders_is_shared_in_proportion():
    combination = combine(TWO_TOKENS, PAPER.replace(weights=(0.4, 0.2, 0.3, 0.1), absent_order="drop"))
    assert [term.weight for term in combination.terms] == [about(2 / 3), about(1 / 3), 0.0, 0.0]
    assert [term.smoothed for term in combination.terms] == [0.5, 1.0, None, None]
    assert combination.fraction == about(0.5 ** (2 / 3))


def test_when_every_order_with_a_weight_is_dropped_the_score_is_zero():
    combination = combine(TWO_TOKENS, PAPER.replace(weights=(0, 0, 0.5, 0.5), absent_order="drop"))
    assert combination.fraction == 0.0
    assert combination.zero_because == "every order with a weight was dropped"


def test_the_parts_multiply_to_the_score():
    stats = BleuStats(matches=(4, 3), totals=(5, 4), candidate_length=5, reference_length=8)
    combination = combine(stats, PAPER.replace(order=2))
    assert [term.precision for term in combination.terms] == [4 / 5, 3 / 4]
    assert [term.order for term in combination.terms] == [1, 2]
    assert combination.brevity_penalty == math.exp(1 - 8 / 5)
    assert combination.log_mean == about(0.5 * math.log(4 / 5) + 0.5 * math.log(3 / 4))
    assert combination.geometric_mean == math.exp(combination.log_mean)
    assert combination.fraction == combination.brevity_penalty * combination.geometric_mean


def test_the_terms_keep_the_counts_even_when_the_score_is_zero():
    combination = combine(NO_MATCH, PAPER)
    assert [(term.precision, term.smoothed, term.weight) for term in combination.terms] == [(0.0, 0.0, 0.25)] * 4
    assert combination.log_mean == -math.inf


@pytest.mark.parametrize(
    ("order", "matches", "stops"),
    [
        (4, (4, 3, 1, 0), ZeroReason.NONE),
        (4, (4, 3, 0, 0), ZeroReason.NO_TRIGRAM),
        (4, (0, 0, 0, 0), ZeroReason.NOTHING_MATCHES),
        (2, (4, 3, 1, 0), ZeroReason.NO_TRIGRAMS_COUNTED),
    ],
)
def test_where_nltk_method6_stops_the_score_says_so_as_data(order, matches, stops):
    recipe = Recipe.named("nltk-method6").replace(order=order)
    stats = BleuStats(matches, totals=(5, 4, 3, 2), candidate_length=5, reference_length=5)
    assert combine(stats, recipe).zero_because is stops
    scored = BleuScore(stats, recipe)
    assert scored.tool_stops == stops.tool_stops == ("no-trigram" in [note.code for note in scored.notes])
    assert combine(stats.up_to(order), recipe) == combine(stats, recipe)  # counted further or not


def test_no_other_recipe_stops():
    for name in CORPUS_DIALECTS:
        for stats in (NO_MATCH, ONE_ZERO, TWO_TOKENS, NO_CANDIDATE, NO_TEXT, NO_REFERENCE):
            assert not BleuScore(stats, name).tool_stops


@pytest.mark.parametrize("smoothing", [f"nltk-method4({LOWEST_K})", "nltk-method5", f"nltk-method7({LOWEST_K})"])
def test_the_largest_precisions_and_weights_give_a_finite_score(smoothing):
    most = 2**63 - 1
    one_order = BleuStats((1, 0, 0, 0, 0), (1,) * 5, most, most)
    all_orders = BleuStats((1,) * 5, (1,) * 5, most, most)
    for weights in ((0, HIGHEST_SUM, 0, 0), (HIGHEST_SUM,), (HIGHEST_SUM / 4,) * 4):
        recipe = Recipe.named("nltk-method4").replace(smoothing=smoothing, weights=weights)
        assert max(combine(stats, recipe).score for stats in (one_order, all_orders)) < math.inf


def test_a_score_that_no_float_holds_is_refused():
    # Every pair of tokens is a reference of its own: "a" matches once, its pairs each time. So p2 / p1 is above 1.
    candidate = ["x", "y", "z", "a", "b", "a", "c", "a", "d", "a", "e"]
    references = [[*pair] for pair in pairwise(candidate)] + [candidate[:3]]
    recipe = Recipe.named("nltk-method6").replace(
        tokenizer="pretokenized", smoothing="nltk-method6(1000000)", weights=(0,) * 99 + (HIGHEST_SUM,)
    )
    assert math.isfinite(100 * math.exp(HIGHEST_LOG))
    with pytest.raises(RecipeError, match=r"A float cannot hold this score: exp\(\d+\)"):
        _ = score_sentence(candidate, references, recipe).score
    smooth = SmoothingFunction(alpha=1_000_000).method6
    with pytest.raises(OverflowError):
        sentence_bleu(references, candidate, weights=recipe.weights, smoothing_function=smooth)


# One number from several orders.


@pytest.mark.parametrize("across_orders", AXES["across_orders"].choices)
def test_orders_that_were_counted_beyond_the_recipes_change_nothing(across_orders):
    recipe = Recipe.named("torchmetrics").replace(
        weights=(1.0,), across_orders=across_orders, unmatched_order="smallest-float"
    )
    stats = BleuStats(candidate_length=3, reference_length=3, matches=(0, 1), totals=(3, 2))
    assert combine(stats, recipe) == combine(stats.up_to(1), recipe)
    assert combine(stats, recipe).zero_because


def test_the_mean_is_that_of_bleu_1_to_n():
    recipe = Recipe.named("paper").replace(across_orders="mean")
    parts = [fraction(ONE_ZERO.up_to(order), order=order) for order in (1, 2, 3, 4)]
    combination = combine(ONE_ZERO, recipe)
    assert parts[3] == 0.0 < parts[2]
    assert combination.fraction == about(sum(parts) / 4)
    assert combination.means == tuple(about(part / combination.brevity_penalty) for part in parts)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_mean_in_every_dialect(dialect):
    recipe = Recipe.named(dialect).replace(across_orders="together")
    parts = [combine(ONE_ZERO_AND_ORDER_5, recipe.replace(order=order)).fraction for order in (1, 2, 3, 4)]
    mean = combine(ONE_ZERO_AND_ORDER_5, recipe.replace(across_orders="mean"))
    assert mean.fraction == (0.0 if mean.zero_because.tool_stops else about(sum(parts) / 4))
    assert bool(mean.zero_because) is (mean.fraction == 0.0), "a reason belongs to a score of 0 alone"


def test_weights_that_are_not_equal_keep_their_proportions_in_the_mean():
    recipe = Recipe.named("paper").replace(weights=(0, 0.5, 0.25), across_orders="mean")
    first, second, third = combine(ONE_ZERO, recipe).means
    assert first == 0.0
    assert second == about((3 / 4) ** 0.75)
    assert third == about((3 / 4) ** 0.5 * (1 / 3) ** 0.25)
