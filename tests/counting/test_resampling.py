"""Resampling: the generator is the published one, draws are fair, and both engines and any number of threads agree."""

import json
import random
from array import array
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
import engine_process
from bleuprint.counting.resampling import (
    BOOTSTRAP,
    GAMMA,
    MASK,
    RANDOMISATION,
    bootstrap_sums,
    draw_indices,
    draw_words,
    flip_coins,
    make_key,
    swap_sums,
)
from bleuprint.counting.rows import StatsTable
from bleuprint.engines.kernel_plans import plan_scoring
from bleuprint.engines.python import score_row
from bleuprint.metrics.bleu.counting import bleu_layout
from engine_pair import NATIVE, PYTHON
from random_recipes import recipes
from random_rows import random_tables

# The generator.


def test_the_words_are_those_of_splitmix64():
    """Its first outputs from the state 1234567, as Rosetta Code lists them for implementations to be checked with."""
    words = draw_words(1234567)
    expected = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    assert [next(words) for _ in expected] == expected


def test_keys_differ_by_seed_purpose_and_number():
    keys = {make_key(seed, purpose, number) for seed in (0, 1, MASK) for purpose in (1, 2) for number in range(500)}
    assert len(keys) == 3000
    assert make_key(7, BOOTSTRAP, 3) != make_key(7, RANDOMISATION, 3)
    assert all(0 <= key <= MASK for key in keys)


@given(st.integers(1, 300), st.integers(0, MASK))
def test_as_many_indices_are_drawn_as_there_are_segments(size, key):
    indices = draw_indices(size, key)
    assert len(indices) == size
    assert all(0 <= index < size for index in indices)


def test_draws_are_fair():
    drawn = Counter(index for number in range(400) for index in draw_indices(100, make_key(5, BOOTSTRAP, number)))
    assert all(abs(drawn[index] - 400) < 4.5 * 20 for index in range(100))


def unmix(word):
    """Find what ``mix`` made a word of."""
    for shift, factor in ((31, 0x94D049BB133111EB), (27, 0xBF58476D1CE4E5B9)):
        word = (word ^ word >> shift ^ word >> 2 * shift) * pow(factor, -1, MASK + 1) & MASK
    return word ^ word >> 30 ^ word >> 60


def find_seed(word):
    """Find the seed whose first resample begins with these 64 bits."""
    key = unmix(word) - GAMMA & MASK
    return unmix(unmix(key) - GAMMA & MASK) - BOOTSTRAP * GAMMA & MASK


@pytest.mark.parametrize("size", [3, 7, 99, 2001])
def test_halves_that_would_favour_some_segment_are_thrown_away_and_no_others(size):
    """Of all halves as many are kept for each segment; among 2³² such a half is too rare to be met by chance."""
    unfair = (1 << 32) % size
    last_unfair, first_fair = (rest * pow(size, -1, 1 << 32) % (1 << 32) for rest in (unfair - 1, unfair))
    other = 0x9ABCDEF0
    for half, expected in ((last_unfair, [other]), (first_fair, [first_fair, other])):
        seed = find_seed(other << 32 | half)
        drawn = draw_indices(size, make_key(seed, BOOTSTRAP, 0))
        assert drawn[: len(expected)] == [one * size >> 32 for one in expected]
        tables, recipe = random_tables(size, segments=size), bp.Recipe.named("sacrebleu")
        found = NATIVE.resample(tables, recipe, seed=seed, resamples=1)
        assert [list(scores) for scores in found] == slow_scores(tables, recipe, seed, 1)


@given(st.integers(1, 200), st.integers(0, MASK))
def test_coins_are_the_bits_of_words(size, key):
    words = draw_words(key)
    bits = "".join(format(next(words), "064b")[::-1] for _ in range(0, size, 64))
    assert flip_coins(size, key) == [int(bit) for bit in bits[:size]]


def test_a_resample_can_be_asked_for_alone():
    [table] = random_tables(1, systems=1, segments=20)
    whole = list(bootstrap_sums([table], 12345, 5))
    drawn = draw_indices(20, make_key(12345, BOOTSTRAP, 4))
    assert whole[4] == [table.pick(drawn).total().to_row()]


def test_swapping_only_swaps():
    first, second = random_tables(2)
    both = (first.total() + second.total()).to_row()
    trials = list(swap_sums(first, second, 12345, 20))
    assert all(tuple(map(sum, zip(one, other, strict=True))) == both for one, other in trials)
    assert len({one for one, _ in trials}) == 20
    coins = flip_coins(len(first), make_key(12345, RANDOMISATION, 3))
    chosen = [(second if coin else first)[place] for place, coin in enumerate(coins)]
    assert trials[3][0] == sum(chosen[1:], chosen[0]).to_row()


def test_the_weyl_constant_is_odd_so_that_every_word_comes_once():
    assert GAMMA % 2 == 1


# The engines agree.


def slow_scores(tables, recipe, seed, resamples):
    rows = list(bootstrap_sums(tables, seed, resamples))
    return [[score_row(own[place], recipe) for own in rows] for place in range(len(tables))]


def slow_extremes(first, second, recipe, seed, trials, threshold):
    sums = swap_sums(first, second, seed, trials)
    return sum(abs(score_row(one, recipe) - score_row(other, recipe)) >= threshold for one, other in sums)


def for_corpora(recipe):
    return not recipe.is_for_one_segment


@given(
    st.integers(0, 50),
    st.integers(1, 4),
    st.integers(1, 140),
    recipes().filter(for_corpora),
    st.integers(0, MASK),
    st.integers(1, 5),
)
@settings(max_examples=60)
def test_the_kernel_equals_python_under_any_recipe(chance, systems, segments, recipe, seed, threads):
    tables = random_tables(chance, systems=max(2, systems), segments=segments, order=6)
    found = NATIVE.resample(tables, recipe, seed=seed, resamples=7, threads=threads)
    assert [list(scores) for scores in found] == slow_scores(tables, recipe, seed, 7)
    trials = [abs(score_row(a, recipe) - score_row(b, recipe)) for a, b in swap_sums(*tables[:2], seed, 7)]
    for threshold in {0.0, *trials}:
        found = NATIVE.count_extremes(*tables[:2], recipe, seed=seed, trials=7, threshold=threshold, threads=threads)
        assert found == slow_extremes(*tables[:2], recipe, seed, 7, threshold)


@pytest.mark.parametrize("largest", [1_000, 10**8, 10**12])
def test_large_counts_take_wider_sums_and_too_large_ones_are_left_to_python(largest):
    recipe = bp.Recipe.named("sacrebleu")
    tables = random_tables(3, largest=largest)
    found = NATIVE.resample(tables, recipe, seed=1, resamples=5, threads=None)
    assert [list(scores) for scores in found] == slow_scores(tables, recipe, 1, 5)
    assert NATIVE.count_extremes(*tables, recipe, seed=1, trials=9, threshold=0.5, threads=2) == slow_extremes(
        *tables, recipe, 1, 9, 0.5
    )
    tables[0].append(bp.BleuStats((1,) * 4, (1,) * 4, 1 << 55, 1))
    tables[1].append(bp.BleuStats((1,) * 4, (1,) * 4, 1 << 55, 1))
    found = NATIVE.resample(tables, recipe, seed=1, resamples=5)
    assert [list(scores) for scores in found] == slow_scores(tables, recipe, 1, 5)
    extreme = NATIVE.count_extremes(*tables, recipe, seed=1, trials=9, threshold=0.5)
    assert extreme == slow_extremes(*tables, recipe, 1, 9, 0.5)


@pytest.mark.parametrize("name", ["sacrebleu", "nltk", "chrf"])
def test_rows_that_no_texts_have_are_left_to_python(name):
    recipe = bp.Recipe.named(name)
    chance, width = random.Random(5), recipe.layout.width
    tables = [StatsTable(recipe.layout, [chance.randrange(-9, 30) for _ in range(20 * width)]) for _ in range(2)]
    found = NATIVE.resample(tables, recipe, seed=1, resamples=20)
    assert found == PYTHON.resample(tables, recipe, seed=1, resamples=20)
    extremes = (engine.count_extremes(*tables, recipe, seed=1, trials=20, threshold=9.0) for engine in (NATIVE, PYTHON))
    assert len({*extremes}) == 1


@pytest.mark.parametrize("most", [2**15 - 1, 2**15, 2**31 - 1, 2**31])
@pytest.mark.parametrize("sign", [1, -1])
def test_sums_of_changes_may_fill_their_numbers_to_the_brim(most, sign):
    """With two segments all coins fall alike every other time, and the whole change is summed."""
    recipe = bp.Recipe.named("sacrebleu")
    tables = StatsTable(bleu_layout(4)), StatsTable(bleu_layout(4))
    for change in (most // 2, most - most // 2):
        for table, more in zip(tables[::sign], (0, change), strict=True):
            table.append(bp.BleuStats((1 + more,) * 4, (2 + more,) * 4, 2 + more, 2))
    trials = [abs(score_row(a, recipe) - score_row(b, recipe)) for a, b in swap_sums(*tables, 1, 30)]
    assert len(set(trials)) == 2
    for threshold in set(trials):
        found = NATIVE.count_extremes(*tables, recipe, seed=1, trials=30, threshold=threshold, threads=1)
        assert found == slow_extremes(*tables, recipe, 1, 30, threshold)


def test_what_does_not_fit_is_refused():
    kernel = plan_scoring(bp.Recipe.named("sacrebleu")).kernel
    first, second = random_tables(4)
    room = array("d", bytes(80))
    with pytest.raises(ValueError, match="differ in length"):
        kernel.bootstrap([first.numbers, second[:5].numbers], 10, 1, 5, room, 1)
    with pytest.raises(ValueError, match="another size"):
        kernel.bootstrap([first.numbers], 10, 1, 5, room, 1)
    with pytest.raises(ValueError, match="half a row"):
        kernel.bootstrap([first.numbers], 12, 1, 10, room, 1)
    with pytest.raises(ValueError, match="no rows"):
        kernel.randomise(first[:0].numbers, second[:0].numbers, 10, 1, 5, 0.0, 1)
    with pytest.raises(ValueError, match="too few orders"):
        kernel.randomise(
            StatsTable(bleu_layout(1), [1] * 4).numbers,
            StatsTable(bleu_layout(1), [1] * 4).numbers,
            4,
            1,
            5,
            0.0,
            1,
        )


PROGRAM = """
import json, random, sys
import bleuprint as bp
chance = random.Random(3)
words = "a b c d e".split()
texts = lambda: [" ".join(chance.choices(words, k=chance.randrange(1, 12))) for _ in range(70)]
systems, references = {"x": texts(), "y": texts(), "z": texts()}, texts()
labels = {"half": ["l"] * 35 + ["r"] * 35}
made = bp.compare(systems, references, ["sacrebleu", "nltk-method1"], resamples=200, labels=labels)
print(json.dumps(made.to_dict(by=["half", "length", "frequency"], examples=3)))
"""


def test_a_whole_comparison_is_equal_in_both_engines():
    slow, fast = (engine_process.answer(PROGRAM, engine) for engine in engine_process.ENGINES)
    assert slow == fast
    assert json.dumps(slow).count("p_holm") == 6
