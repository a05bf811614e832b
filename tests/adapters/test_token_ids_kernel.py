"""The kernel for token ids, compiled as plain C++: equal to the readable engine, in both ways and at their border."""

import math
import random
from bisect import bisect

import numpy as np
import pytest

import bleuprint as bp
import token_ids_host as host
from bleuprint.adapters.token_ids import plan as planning
from bleuprint.adapters.token_ids.task import TASK_BYTES, pack_rules, why_not_recipe
from bleuprint.metrics.bleu.counting import BleuStats, count_tokens
from bleuprint.metrics.bleu.formula import combine
from covering import covering

WAYS = [planning.Way.TOGETHER, pytest.param(planning.Way.IN_TURN, marks=pytest.mark.extended), planning.Way.GLOBAL]
"""How rows are counted; a device also tells apart where the lists of places lie."""
OTHERS = [kind for kind in host.TYPES if kind not in ("uint8", "int32")]
COMMON = ["sacrebleu-sentence", "sacrebleu", "paper", "nltk", "nltk-method1", "nltk-method2", "nltk-method3"]
COMMON += ["nltk-method4", "huggingface", "huggingface-smooth", "torchmetrics", "torchmetrics-smooth", "mteval-v13a"]


def ids_recipe(name="sacrebleu-sentence", **changes):
    return bp.Recipe.named(name).replace(tokenizer="pretokenized", case="mixed", **changes)


def cut(ids, pad, eos):
    """What pad and eos leave of a row, by its definition."""
    ids = list(ids)
    while ids and ids[0] == pad:
        ids.pop(0)
    if eos in ids:
        ids = ids[: ids.index(eos)]
    while ids and ids[-1] == pad:
        ids.pop()
    return ids


def expected_rows(
    candidates, references, recipe, pad=None, eos=None, lengths=(None, None), counts=None, pairwise=False
):
    """The statistics of all rows, by the readable engine; None for a row that cannot be."""
    candidate_lengths, reference_lengths = lengths
    batch, groups, _ = candidates.shape

    def tokens(ids, given):
        if given is None:
            return cut(ids.tolist(), pad, eos)
        return ids.tolist()[:given] if 0 <= given <= len(ids) else None

    found = []
    for b in range(batch):
        own = [
            tokens(candidates[b, g], None if candidate_lengths is None else candidate_lengths[b, g])
            for g in range(groups)
        ]
        most = references.shape[1]
        count = most if counts is None else int(counts[b])
        shared = [
            tokens(references[b, k], None if reference_lengths is None else reference_lengths[b, k])
            for k in range(max(0, min(count, most)))
        ]
        pairs = [(one, [other]) for one in own for other in own] if pairwise else [(one, shared) for one in own]
        for candidate, texts in pairs:
            if candidate is None or None in texts or not (pairwise or 1 <= count <= most):
                found.append(None)
            else:
                found.append(count_tokens(tuple(candidate), [tuple(text) for text in texts], [recipe.layout])[0])
    return found


def assert_equal(outcome, expected, recipe, scale=1.0):
    assert len(outcome.statistics) == len(expected)
    for row, score, stats in zip(outcome.statistics.tolist(), outcome.scores.tolist(), expected, strict=True):
        if stats is None:
            assert row == [-1] * len(row)
            assert math.isnan(score)
        else:
            assert tuple(row) == stats.to_row()
            assert score == pytest.approx(scale * combine(stats, recipe).score, rel=1e-12, abs=1e-300)


def random_ids(draw, shape, vocabulary, dtype="int64"):
    numbers = [draw.choice(vocabulary) for _ in range(math.prod(shape))]
    return np.array(numbers, dtype=dtype).reshape(shape)


WIDE_IDS = (-(2**63), -1, 0, 2**63 - 1, 2**32, 2**32 + 1, 5)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("references", [1, 2, 8])
def test_random_rows_equal_the_readable_engine(way, references):
    draw, recipe = random.Random(references), ids_recipe()
    for attempt in range(12):
        vocabulary = draw.choice([(3,), (1, 2), WIDE_IDS, tuple(range(40))])
        columns, others = draw.randrange(0, 40), draw.randrange(0, 40)
        candidates = random_ids(draw, (7, 2, columns), vocabulary)
        texts = random_ids(draw, (7, references, others), vocabulary)
        outcome = host.count_and_score(
            candidates, texts, recipe, ways=[way], threads=draw.choice([1, 5, 32, 64]), seed=attempt * 7919
        )
        assert_equal(outcome, expected_rows(candidates, texts, recipe), recipe)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("pad", "eos"), [(0, None), (None, 1), (0, 1), (0, 0), (7, 9), (2**40, -(2**40))])
def test_pad_and_eos_end_a_row(way, pad, eos):
    draw, recipe = random.Random(5), ids_recipe()
    for columns in (0, 1, 2, 7, 33):
        candidates = random_ids(draw, (40, 1, columns), (0, 0, 1, 2, 3))
        references = random_ids(draw, (40, 3, columns), (0, 0, 1, 2, 3))
        outcome = host.count_and_score(candidates, references, recipe, pad=pad, eos=eos, ways=[way], threads=32, seed=3)
        assert_equal(outcome, expected_rows(candidates, references, recipe, pad, eos), recipe)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", ["int32", "int64"])
def test_lengths_are_taken_and_impossible_ones_make_a_row_nan(way, kind):
    draw, recipe = random.Random(11), ids_recipe()
    candidates, references = random_ids(draw, (60, 2, 6), (1, 2)), random_ids(draw, (60, 3, 5), (1, 2))
    lengths = (
        random_ids(draw, (60, 2), (0, 1, 6, 6, 4, -1, 7), kind),
        random_ids(draw, (60, 3), (0, 5, 3, 4, 5, 6), kind),
    )
    counts = random_ids(draw, (60,), (1, 2, 3, 3, 0, 4), kind)
    outcome = host.count_and_score(
        candidates, references, recipe, candidate_lengths=lengths[0], reference_lengths=lengths[1],
        reference_counts=counts, pad=1, eos=2, ways=[way], threads=32,
    )  # fmt: skip
    expected = expected_rows(candidates, references, recipe, lengths=lengths, counts=counts)
    assert None in expected
    assert any(expected)
    assert_equal(outcome, expected, recipe)


@pytest.mark.parametrize(
    "kind", ["uint8", "int32", *(pytest.param(kind, marks=pytest.mark.extended) for kind in OTHERS)]
)
def test_every_type_of_ids_and_any_strides(kind):
    draw, recipe = random.Random(3), ids_recipe(order=2)
    lowest, highest = int(np.iinfo(kind).min), int(np.iinfo(kind).max)
    ids = random_ids(draw, (9, 8, 30), (lowest, highest, 1, 2), kind)
    views = [
        (ids[:, :2, ::3], ids[:, 2:5, ::-2]),
        (ids.transpose(2, 0, 1)[:, :3, :7], np.broadcast_to(ids[0, :2, :5], (30, 2, 5))),
    ]
    for candidates, references in views:
        outcome = host.count_and_score(candidates, references, recipe, pad=lowest, threads=32)
        assert_equal(outcome, expected_rows(candidates, references, recipe, pad=lowest), recipe)


@pytest.mark.parametrize("order", [1, *(pytest.param(order, marks=pytest.mark.extended) for order in (3, 5)), 8])
def test_every_order(order):
    draw, recipe = random.Random(order), ids_recipe(order=order)
    candidates, references = random_ids(draw, (20, 1, 25), (1, 2)), random_ids(draw, (20, 2, 30), (1, 2))
    outcome = host.count_and_score(candidates, references, recipe, threads=32)
    assert_equal(outcome, expected_rows(candidates, references, recipe), recipe)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("references", [pytest.param(1, marks=pytest.mark.extended), 2])
def test_a_row_may_be_shared_among_blocks(way, references):
    draw, recipe = random.Random(references), ids_recipe()
    for parts in (2, 4):
        candidates, texts = random_ids(draw, (40, 1, 30), range(12)), random_ids(draw, (40, references, 30), range(12))
        outcome = host.count_and_score(candidates, texts, recipe, pad=0, eos=1, ways=[way], threads=32, parts=parts)
        assert_equal(outcome, expected_rows(candidates, texts, recipe, 0, 1), recipe)


@pytest.mark.parametrize("way", WAYS)
def test_pairs_within_groups(way):
    draw, recipe = random.Random(8), ids_recipe()
    candidates = random_ids(draw, (5, 4, 9), (0, 1, 2))
    lengths = random_ids(draw, (5, 4), (9, 8, 3, 0, 10))
    outcome = host.count_and_score(
        candidates, candidates, recipe, candidate_lengths=lengths, reference_lengths=lengths, pairwise=True,
        ways=[way], threads=32,
    )  # fmt: skip
    assert_equal(
        outcome, expected_rows(candidates, candidates, recipe, lengths=(lengths, lengths), pairwise=True), recipe
    )


@pytest.mark.parametrize("name", COMMON)
@pytest.mark.parametrize("length_rule", ["closest", "closest-first", "shortest"])
def test_every_common_recipe_scores_alike(name, length_rule):
    draw, recipe = random.Random(name), ids_recipe(name, reference_length=length_rule)
    candidates, references = (
        random_ids(draw, (150, 1, 8), (0, 1, 2, 3)),
        random_ids(draw, (150, 3, 11), (0, 1, 2, 3, 4)),
    )
    lengths = random_ids(draw, (150, 1), range(9)), random_ids(draw, (150, 3), range(12))
    outcome = host.count_and_score(
        candidates, references, recipe, candidate_lengths=lengths[0], reference_lengths=lengths[1], threads=32,
        as_fraction=name == "nltk",
    )  # fmt: skip
    expected = expected_rows(candidates, references, recipe, lengths=lengths)
    assert_equal(outcome, expected, recipe, 0.01 if name == "nltk" else 1.0)


@pytest.mark.parametrize(
    ("absent", "unmatched", "nothing", "smoothing"),
    covering(
        ["zero", "drop", "one"],
        ["zero", "smallest-float", "skip"],
        ["zero", "zero-if-any", "smoothed"],
        ["none", "floor(0.3)", "exp", "epsilon(0.2)", "add-k(0.5)", "add-k-all(2)", "nltk-method4(5)"],
    ),
)
def test_counted_rows_score_alike_under_every_rule(absent, unmatched, nothing, smoothing):
    recipe = ids_recipe(
        "paper", weights=(0.5, 0, 0.25, 0.5), smoothing=smoothing, absent_order=absent, unmatched_order=unmatched,
        nothing_matches=nothing,
    )  # fmt: skip
    draw = random.Random(1)
    rows = [BleuStats((0,) * 4, (0,) * 4, 0, 0), BleuStats((0,) * 4, (1, 0, 0, 0), 1, 0)]
    for _ in range(60):
        totals = sorted((draw.randrange(5) for _ in range(4)), reverse=True)
        matches = sorted((draw.randrange(total + 1) for total in totals), reverse=True)
        rows.append(BleuStats(tuple(map(min, matches, totals)), tuple(totals), totals[0], draw.randrange(6)))
    numbers = np.array([row.to_row() for row in rows] + [[-1] * 10], dtype=np.int64)
    scores = host.score_statistics(numbers, recipe)
    assert scores[:-1].tolist() == pytest.approx([combine(row, recipe).score for row in rows], rel=1e-12, abs=1e-300)
    assert math.isnan(scores[-1])


@pytest.mark.parametrize("references", [pytest.param(1, marks=pytest.mark.extended), 3])
def test_the_borders_between_the_ways(references):
    """The longest rows that a way holds, and rows longer by one id: distinct n-grams fill a table most."""
    recipe = ids_recipe()

    def way_of(columns):
        return plan_for(columns, rows=2, references=references).way

    ways = [way_of(columns) for columns in range(3000, 24_000, 100)]
    assert ways == sorted(ways)
    assert set(ways) == set(planning.Way)
    for way in planning.Way:
        if way is planning.Way.GLOBAL:
            continue
        near = 3000 + 100 * bisect(ways, way)
        border = next(columns for columns in range(near, near - 101, -1) if way_of(columns) == way)
        for columns in (border, border + 1):
            candidates = np.arange(columns, dtype=np.int64).reshape(1, 1, columns) * 2**33
            texts = np.stack([candidates[:, 0] + (np.arange(columns) % 50 == k) for k in range(references)], axis=1)
            outcome = host.count_and_score(candidates, texts, recipe, seed=2**64 - 1)
            assert (outcome.plan.way == way) == (columns == border)
            assert_equal(outcome, expected_rows(candidates, texts, recipe), recipe)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("stride", [1, 3, 64, 2**16, 2**32 - 1, 2**32, 2**47, 2**52])
def test_ids_in_strides_take_few_steps(way, stride):
    ids = (np.arange(2048, dtype=np.int64) * stride).reshape(1, 1, 2048)
    for seed in (0, 2**63 + 12345):
        outcome = host.count_and_score(ids, ids, ids_recipe(), ways=[way], threads=32, parts=1, seed=seed)
        ngrams = 4 * 2048 - 6
        assert outcome.statistics[0, 5] == 2045
        assert ngrams <= outcome.steps < 1.65 * ngrams


def test_more_copies_than_sixteen_bits_hold_are_counted():
    """A short candidate, and a reference so long that its copies of one id need 17 bits."""
    recipe = ids_recipe(order=1)
    candidates = np.full((1, 1, 3), 7, dtype=np.int64)
    for columns in (planning.MOST_SHARED_NUMBERS - 1, planning.MOST_SHARED_NUMBERS, planning.MOST_SHARED_NUMBERS + 3):
        references = np.full((1, 1, columns), 7, dtype=np.int64)
        outcome = host.count_and_score(candidates, references, recipe)
        assert outcome.statistics.tolist() == [[3, columns, 3, 3]]


def plan_for(columns, rows=5000, references=1, order=4, device=host.HOPPER):
    return planning.plan_rows(
        device, rows=rows, order=order, candidate_columns=columns, reference_columns=columns, references=references
    )


def test_a_plan_fits_its_device():
    for columns in (0, 1, 255, 256, 1024, 4096, 5000, 16_384, 100_000, 10_000_000):
        for references in (1, 4):
            plan = plan_for(columns, references=references)
            assert plan.token_slots > columns
            assert plan.chain_slots > columns * (3 if plan.way is planning.Way.TOGETHER else 1)
            assert plan.shared_bytes + planning.STATIC_BYTES <= host.HOPPER.block_bytes
            blocks = {planning.Way.IN_TURN_LISTED: 132, planning.Way.GLOBAL: 264}
            assert plan.blocks == blocks.get(plan.way, 5000)
            assert plan.threads * plan.resident <= 2048


@pytest.mark.parametrize(("columns", "references", "way"), [(1024, 4, 0), (4096, 1, 0), (4096, 4, 1), (16_384, 1, 2)])
def test_usual_rows_take_no_table_in_global_memory(columns, references, way):
    plan = plan_for(columns, 64, references)
    assert plan.way == way
    # What is kept there is no more than the ids themselves: 8 bytes for each, of candidates and of references.
    assert plan.workspace_bytes <= 64 * 8 * columns * (1 + references)


def test_memory_grows_with_the_rows_and_with_their_lengths():
    for columns in (30_000, 60_000, 1_000_000):
        for references in (1, 3):
            shape = {"references": references, "device": host.HOPPER._replace(clusters=False)}
            one, many = plan_for(columns, 1, **shape), plan_for(columns, 10_000, **shape)
            assert one.workspace_bytes <= 60 * columns * (1 + references)
            assert many.workspace_bytes == 264 * one.workspace_bytes


def test_a_plan_shares_few_long_rows_among_blocks():
    shared = {rows: plan_for(4096, rows).parts for rows in (1, 33, 34, 64, 66, 67, 132, 5000)}
    assert shared == {1: 4, 33: 4, 34: 2, 64: 2, 66: 2, 67: 1, 132: 1, 5000: 1}
    assert plan_for(256, 64).parts == 1
    assert plan_for(4096, 64, device=host.HOPPER._replace(clusters=False)).parts == 1
    assert plan_for(100_000, 64).blocks == 128


def test_a_plan_beyond_32_bits_is_none():
    assert plan_for(2**32) is None
    assert plan_for(3, rows=2**31) is None


def test_slots_are_prime_so_that_a_search_comes_to_all_of_them():
    for columns in (0, 33, 34, 1000, 5000):
        for slots in plan_for(columns)[1:3]:
            assert slots > 64
            assert all(slots % factor for factor in range(2, math.isqrt(slots) + 1))


def test_what_the_kernel_leaves_to_the_cpu():
    assert why_not_recipe(ids_recipe()) == ""
    assert why_not_recipe(ids_recipe(order=9)) == "order 9, and the kernel for token ids counts up to 8"
    assert why_not_recipe(ids_recipe("nltk-method7")) == "nltk-method7 is computed on the CPU"
    assert why_not_recipe(ids_recipe("nltk-mean")) == "across_orders mean is computed on the CPU"
    assert why_not_recipe(ids_recipe("paper", brevity="coco")) == "brevity coco is computed on the CPU"
    assert why_not_recipe(object()) == "the kernel for token ids computes BLEU alone"
    assert len(pack_rules(ids_recipe(), False)) < TASK_BYTES


@pytest.mark.extended
def test_every_address_and_operation_watched():
    """Tables, rows and results in memory of their own, with the sanitizers in another process."""
    import subprocess
    import sys

    import token_ids_watched

    done = subprocess.run(
        [sys.executable, token_ids_watched.__file__],
        capture_output=True,
        text=True,
        env=token_ids_watched.environment(),
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "240 rows, watched\n"
