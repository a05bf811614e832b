"""Significance: p-values, intervals, correction and clusters are what they are defined as, at the promised rates."""

import random
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.counting.rows import StatsTable
from bleuprint.engines import find_engine
from bleuprint.findings.comparison.measurement import cluster_systems, possible_ranks
from bleuprint.findings.significance import (
    bootstrap_p,
    correct_holm,
    count_swaps,
    estimate_interval,
    randomisation_p,
    share_p,
)
from bleuprint.metrics.bleu.counting import bleu_layout
from random_rows import random_tables

RECIPE = bp.Recipe.named("sacrebleu")


# Laws.


@given(st.integers(0, 10_000), st.integers(1, 60))
@settings(max_examples=30)
def test_a_system_against_itself_is_never_significant(seed, segments):
    [table] = random_tables(seed, systems=1, segments=segments)
    assert randomisation_p(table, table, RECIPE, seed=seed, trials=100) == 1
    [scores] = find_engine().resample([table], RECIPE, seed=seed, resamples=100)
    assert bootstrap_p([one - other for one, other in zip(scores, scores, strict=True)], 0.0) == 1


@given(st.integers(0, 10_000))
@settings(max_examples=20)
def test_a_test_does_not_care_which_system_comes_first(seed):
    first, second = random_tables(seed, segments=40)
    found = [randomisation_p(*pair, RECIPE, seed=1, trials=200) for pair in ((first, second), (second, first))]
    assert found[0] == found[1]
    assert 1 / 201 <= found[0] <= 1


def test_same_seed_same_numbers_other_seed_others():
    tables = random_tables(3)
    once, again, other = (find_engine().resample(tables, RECIPE, seed=seed, resamples=50) for seed in (4, 4, 5))
    assert once == again != other
    assert len(set(once[0])) > 40


def test_one_more_resample_does_not_change_the_others():
    tables = random_tables(3)
    few, more = (find_engine().resample(tables, RECIPE, seed=4, resamples=count) for count in (20, 30))
    assert [list(scores) for scores in few] == [list(scores[:20]) for scores in more]


@pytest.mark.parametrize("size", [1, 7, 30])
def test_resamples_in_parts_are_the_whole(size):
    tables = random_tables(3)
    whole = find_engine().resample(tables, RECIPE, seed=4, resamples=30)
    parts = [
        find_engine().resample(tables, RECIPE, seed=4, resamples=min(size, 30 - start), start=start)
        for start in range(0, 30, size)
    ]
    assert [[score for part in parts for score in part[place]] for place in (0, 1)] == [list(own) for own in whole]
    swaps = [
        count_swaps(*tables, RECIPE, seed=4, trials=min(size, 30 - start), start=start) for start in range(0, 30, size)
    ]
    assert share_p(sum(swaps), 30) == randomisation_p(*tables, RECIPE, seed=4, trials=30)


def test_all_systems_are_scored_on_the_same_draws():
    first, second = random_tables(6)
    together = find_engine().resample([first, second], RECIPE, seed=4, resamples=20)
    assert [list(scores) for scores in together] == [
        list(find_engine().resample([table], RECIPE, seed=4, resamples=20)[0]) for table in (first, second)
    ]


# Definitions.


def test_the_interval_leaves_out_as_many_at_either_end():
    values = [float(value) for value in range(1000)]
    random.Random(1).shuffle(values)
    found = estimate_interval(values, 0.95)
    assert (found.low, found.high) == (25.0, 974.0)
    assert found.standard_error == pytest.approx(np.std(values, ddof=1), rel=1e-12)
    assert estimate_interval(values, 0.9)[:2] == (50.0, 949.0)
    assert estimate_interval([2.0] * 100, 0.95) == (2.0, 2.0, 0.0)


def test_the_bootstrap_counts_both_tails_around_the_mean():
    differences = [1.0, 2.0, 3.0, 4.0, 5.0]
    assert bootstrap_p(differences, 2.0) == (2 + 1) / 6
    assert bootstrap_p(differences, -2.0) == (2 + 1) / 6
    assert bootstrap_p(differences, 2.1) == (0 + 1) / 6
    assert bootstrap_p(differences, 2.0 + 1e-10) == (2 + 1) / 6, "a difference in the last bits is none"


def test_all_swaps_counted_by_hand():
    """Three segments have eight swaps; the estimate must come close to the exact share of extreme ones."""
    first = StatsTable(bleu_layout(1), [4, 4, 4, 4, 4, 4, 3, 4, 4, 4, 4, 4])
    second = StatsTable(bleu_layout(1), [4, 4, 1, 4, 4, 4, 2, 4, 4, 4, 4, 4])
    recipe = bp.Recipe.named("paper").replace(order=1)
    # only the first two segments differ, by 3 and 1 matches of 12: the observed difference of 4 needs both coins alike
    found = randomisation_p(first, second, recipe, seed=1, trials=20_000)
    assert found == pytest.approx(0.5, abs=4 * (0.25 / 20_000) ** 0.5)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_keeps_the_order_and_lies_between_none_and_bonferroni(ps):
    corrected = correct_holm(ps)
    assert all(p <= q <= min(1, len(ps) * p) for p, q in zip(ps, corrected, strict=True))
    assert [q for _, q in sorted(zip(ps, corrected, strict=True))] == sorted(corrected)


def test_holm_as_worked_out_by_hand():
    assert correct_holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert correct_holm([]) == []


def test_clusters_part_only_where_all_above_beat_all_below():
    better = {("a", "c"), ("a", "d"), ("b", "d"), ("c", "d")}
    assert cluster_systems("abcd", better) == [("a", "b", "c"), ("d",)]
    assert cluster_systems("abcd", set()) == [("a", "b", "c", "d")]
    assert cluster_systems("abc", {("b", "c")}) == [("a", "b", "c")]
    assert cluster_systems("abcd", set(combinations("abcd", 2))) == [("a",), ("b",), ("c",), ("d",)]
    assert [possible_ranks(name, "abcd", better) for name in "abcd"] == [(1, 2), (1, 3), (2, 3), (4, 4)]


# Rates. Deterministic: the samples come from fixed seeds. bench/coverage.py does the same on real systems, longer.


def big_table(segments=4000, seed=8):
    [table] = random_tables(seed, systems=1, segments=segments)
    return table


def test_intervals_hold_the_truth_as_often_as_they_say():
    """Test sets drawn from one large corpus: its score is the truth, and about 95 % of intervals must hold it."""
    corpus, chance, held = big_table(), random.Random(5), 0
    truth = bp.BleuScore(corpus.total(), RECIPE).score
    for trial in range(200):
        sample = corpus.pick(chance.randrange(len(corpus)) for _ in range(150))
        [scores] = find_engine().resample([sample], RECIPE, seed=trial, resamples=300)
        low, high, _ = estimate_interval(scores, 0.95)
        held += low <= truth <= high
    assert 0.90 <= held / 200 <= 0.985


def test_halves_of_one_system_are_told_apart_no_more_often_than_the_level_says():
    """Two halves of one system's output, as if they were two systems: at 5 % about one test in twenty alarms."""
    corpus, chance = big_table(), random.Random(6)
    alarms = {"randomisation": 0, "bootstrap": 0}
    for trial in range(200):
        drawn = chance.sample(range(len(corpus)), 200)
        first, second = corpus.pick(drawn[:100]), corpus.pick(drawn[100:])
        alarms["randomisation"] += randomisation_p(first, second, RECIPE, seed=trial, trials=300) <= 0.05
        one, other = find_engine().resample([first, second], RECIPE, seed=trial, resamples=300)
        observed = bp.BleuScore(first.total(), RECIPE).score - bp.BleuScore(second.total(), RECIPE).score
        alarms["bootstrap"] += bootstrap_p([a - b for a, b in zip(one, other, strict=True)], observed) <= 0.05
    assert all(3 <= count <= 20 for count in alarms.values()), alarms


def test_a_real_difference_is_found():
    """The same test does see that one system lost a fifth of its matches."""
    corpus = big_table(segments=400)
    worse = StatsTable(bleu_layout(4))
    for stats in corpus:
        lost = tuple(matches * 4 // 5 for matches in stats.matches)
        worse.append(bp.BleuStats(lost, stats.totals, stats.candidate_length, stats.reference_length))
    assert randomisation_p(corpus, worse, RECIPE, seed=1, trials=500) == 1 / 501
