import math

import pytest

from bleuprint.metrics.bleu.counting import BleuStats
from bleuprint.metrics.bleu.formula import smooth
from bleuprint.metrics.bleu.recipe import Smoothing
from strategies import CORPUS_SMOOTHINGS

UNMATCHED = BleuStats(matches=(4, 2, 0, 0), totals=(5, 4, 3, 2), candidate_length=5, reference_length=5)
ABSENT = BleuStats(matches=(2, 0, 0, 0), totals=(3, 2, 1, 0), candidate_length=3, reference_length=3)
MATCHED = BleuStats(matches=(5, 4, 3, 1), totals=(6, 5, 4, 3), candidate_length=6, reference_length=6)
# the first with a 5-gram precision of 0.4
FIVE = BleuStats((*UNMATCHED.matches, 2), (*UNMATCHED.totals, 5), 5, 5)
# one token under NLTK's totals: every order has at least one n-gram
ONE_TOKEN = BleuStats(matches=(1, 0, 0, 0), totals=(1, 1, 1, 1), candidate_length=1, reference_length=1)


def values(stats, smoothing):
    return [precision.value for precision in smooth(stats, Smoothing.parse(smoothing), 4)]


@pytest.mark.parametrize(
    ("smoothing", "expected"),
    [
        ("none", [4 / 5, 2 / 4, 0.0, 0.0]),
        ("epsilon(0.1)", [4 / 5, 2 / 4, 0.1 / 3, 0.1 / 2]),
        ("floor(0.5)", [4 / 5, 2 / 4, 0.5 / 3, 0.5 / 2]),
        ("add-k(1)", [4 / 5, 3 / 5, 1 / 4, 1 / 3]),
        ("add-k(0.5)", [4 / 5, 2.5 / 4.5, 0.5 / 3.5, 0.5 / 2.5]),
        ("add-k-all(1)", [5 / 6, 3 / 5, 1 / 4, 1 / 3]),
        ("exp", [4 / 5, 2 / 4, 1 / (2 * 3), 1 / (4 * 2)]),
        ("nltk-method4(5)", [4 / 5, 2 / 4, 1 / (10 / math.log(5)) / 3, 1 / (20 / math.log(5)) / 2]),
    ],
)
def test_orders_without_a_match(smoothing, expected):
    assert values(UNMATCHED, smoothing) == expected


@pytest.mark.parametrize(
    ("smoothing", "expected"),
    [
        ("none", [2 / 3, 0.0, 0.0, None]),
        ("epsilon(0.1)", [2 / 3, 0.1 / 2, 0.1 / 1, 0.1 / 1]),
        ("floor(0.1)", [2 / 3, 0.1 / 2, 0.1 / 1, None]),
        ("add-k(1)", [2 / 3, 1 / 3, 1 / 2, 1 / 1]),
        ("add-k-all(1)", [3 / 4, 1 / 3, 1 / 2, 1 / 1]),
        ("exp", [2 / 3, 1 / (2 * 2), 1 / (4 * 1), None]),
        ("nltk-method4(5)", [2 / 3, 1 / (10 / math.log(3)) / 2, 1 / (20 / math.log(3)) / 1, None]),
    ],
)
def test_only_epsilon_and_add_k_reach_an_absent_order(smoothing, expected):
    assert values(ABSENT, smoothing) == expected


@pytest.mark.parametrize("smoothing", ["none", "epsilon", "floor", "exp", "nltk-method4"])
def test_with_no_zero_count_there_is_nothing_to_smooth(smoothing):
    assert values(MATCHED, smoothing) == [5 / 6, 4 / 5, 3 / 4, 1 / 3]


def test_method4_leaves_a_single_token_alone():
    assert values(ONE_TOKEN, "nltk-method4(5)") == [1.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("smoothing", "expected"),
    [
        ("nltk-method5", [3.1 / 3, (3.1 / 3 + 0.5) / 3, (4.6 / 9) / 3, (4.6 / 27 + 0.4) / 3]),
        ("nltk-method6(5)", [0.8, 0.5, 5 * 0.3125 / (3 + 5), 5 * ((5 * 0.3125 / 8) ** 2 / 0.5) / (2 + 5)]),
    ],
)
def test_methods_5_and_6_look_at_the_orders_beside(smoothing, expected):
    found = [precision.value for precision in smooth(FIVE, Smoothing.parse(smoothing), 4)]
    assert found == pytest.approx(expected, rel=1e-14)


def test_method7_is_method4_and_then_method5():
    five = BleuStats((*UNMATCHED.matches, 0), (*UNMATCHED.totals, 1), 5, 5)
    p3, p4 = math.log(5) / (2 * 5) / 3, math.log(5) / (4 * 5) / 2
    first = (1.8 + 0.8 + 0.5) / 3
    second = (first + 0.5 + p3) / 3
    third = (second + p3 + p4) / 3
    found = [precision.value for precision in smooth(five, Smoothing("nltk-method7"), 4)]
    assert found == pytest.approx([first, second, third, (third + p4) / 3], rel=1e-14)


def test_method6_counts_no_fewer_ngrams_than_none():
    short = BleuStats(matches=(3, 2, 1, 0, 0), totals=(3, 2, 1, 1, 1), candidate_length=3, reference_length=3)
    assert [precision.value for precision in smooth(short, Smoothing("nltk-method6", 5.0), 5)] == [1.0] * 5


COUNTED = "matches / total"


@pytest.mark.parametrize(
    ("smoothing", "expected"),
    [
        ("none", [COUNTED] * 4),
        ("epsilon(0.1)", [COUNTED, COUNTED, *["0.1 / max(1, total)"] * 2]),
        ("floor(0.5)", [COUNTED, COUNTED, *["0.5 / total"] * 2]),
        ("add-k(1)", [COUNTED, *["(matches + 1) / (total + 1)"] * 3]),
        ("add-k-all(0.5)", ["(matches + 0.5) / (total + 0.5)"] * 4),
        ("exp", [COUNTED, COUNTED, "1 / (2^1 total)", "1 / (2^2 total)"]),
        (
            "nltk-method4(5)",
            [COUNTED, COUNTED, *(f"ln(candidate length) / (2^{times} 5) / total" for times in (1, 2))],
        ),
        (
            "nltk-method5",
            ["(1 + p1 + p1 + p2) / 3", *(f"(smoothed p{n - 1} + p{n} + p{n + 1}) / 3" for n in (2, 3, 4))],
        ),
        (
            "nltk-method6(5)",
            [
                COUNTED,
                COUNTED,
                "(matches + 5 p) / (n-grams + 5), p = (smoothed p2)² / smoothed p1",
                "(matches + 5 p) / (n-grams + 5), p = (smoothed p3)² / smoothed p2",
            ],
        ),
        ("coco", ["(matches + 1e-15) / (total + 1e-09)"] * 4),
    ],
)
def test_a_precision_is_told_by_the_rule_that_made_it(smoothing, expected):
    assert [precision.rule for precision in smooth(FIVE, Smoothing.parse(smoothing), 4)] == expected


@pytest.mark.parametrize("kind", CORPUS_SMOOTHINGS)
@pytest.mark.parametrize("stats", [UNMATCHED, ABSENT, MATCHED, ONE_TOKEN])
def test_every_precision_names_its_rule(kind, stats):
    precisions = smooth(stats, Smoothing(kind), 4)
    assert len(precisions) == stats.order
    assert all(precision.rule for precision in precisions)
    assert [precision.rule == "absent" for precision in precisions] == [p.value is None for p in precisions]


def test_nltk_method4_with_a_small_k_exceeds_1_as_in_nltk():
    stats = BleuStats((1, 0), (2, 1), 2, 2)
    assert smooth(stats, Smoothing("nltk-method4", 0.1), 2)[1].value == pytest.approx(math.log(2) / 0.2, rel=1e-15)
