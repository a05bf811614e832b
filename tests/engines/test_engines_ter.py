"""TER in the kernel has the rows of the readable engine, however texts are long, short, alike and moved about."""

import random
from array import array
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.counting.rows import StatsTable
from bleuprint.errors import ShapeError
from bleuprint.metrics.ter.alignment import Aligner, EditStep
from bleuprint.metrics.ter.alignment import trace as alignment_steps
from bleuprint.metrics.ter.counting import PARTS, TerCounting, count_edits, ter_layout
from bleuprint.metrics.ter.distances import Distances
from bleuprint.metrics.ter.formula import combine
from bleuprint.metrics.ter.shifts import Shift, search_shifts
from bleuprint.native_kernel import find_kernel
from bleuprint.text.segments import Segments, pair_segments
from engine_pair import NATIVE, PYTHON
from packages import optional

pa = optional("pyarrow")

TER = bp.Recipe.named("ter").counting
TORCHMETRICS = bp.Recipe.named("torchmetrics-ter").counting
COUNTINGS = st.sampled_from(
    [TER, TORCHMETRICS, TER._replace(longest_shift=0), TER._replace(empty_candidate="no-edits")]
)


@st.composite
def corpora(draw, longest=14):
    """Few different words, so that they match, repeat and move; some texts are others with a block moved."""
    words = st.sampled_from("abcdefgh"[: draw(st.integers(1, 8))])
    texts = st.lists(words, max_size=longest)
    candidates, references = [], []
    for _ in range(draw(st.integers(1, 4))):
        own = draw(st.lists(texts, min_size=1, max_size=4))
        if draw(st.booleans()):
            moved = list(own[0])
            for _ in range(draw(st.integers(1, 3))):
                first, middle, last = sorted(draw(st.tuples(*[st.integers(0, len(moved))] * 3)))
                moved[first:last] = moved[middle:last] + moved[first:middle]
        else:
            moved = draw(texts)
        candidates.append(" ".join(moved))
        references.append(tuple(map(" ".join, own)))
    return Segments(candidates, references)


def assert_equal(segments, counting=TER, threads=None):
    layout = ter_layout(counting)
    native = NATIVE.count(segments, layout, threads)
    assert list(native) == list(PYTHON.count(segments, layout))
    return native


@given(corpora(), COUNTINGS, st.sampled_from([None, 1, 3]))
def test_both_engines_count_edits_alike(segments, counting, threads):
    assert_equal(segments, counting, threads)


@settings(max_examples=12)
@given(corpora(longest=60), COUNTINGS)
def test_both_engines_count_longer_texts_alike(segments, counting):
    assert_equal(segments, counting)


def plain_distance(one, other):
    row = list(range(len(other) + 1))
    for place, word in enumerate(one, start=1):
        above, row = row, [place]
        for column, (diagonal, straight) in enumerate(pairwise(above)):
            row.append(min(diagonal + (word != other[column]), straight + 1, row[-1] + 1))
    return row[-1]


@pytest.mark.parametrize("counting", [TER, TORCHMETRICS])
@pytest.mark.parametrize("length", [24, 25, 26, 47, 63, 64, 65, 90])
def test_both_engines_count_texts_at_the_borders_of_the_kernels_ways_alike(length, counting):
    words, texts = border_texts(length)
    candidates = [" ".join(text) for text in texts]
    references = [(" ".join(words),), (" ".join(words), " ".join(texts[2]))] + [(" ".join(words),)] * 4
    segments = Segments(candidates, references)
    assert_equal(segments, counting)
    assert trace(NATIVE, segments, counting) == trace(PYTHON, segments, counting)


@pytest.mark.parametrize("length", [511, 512, 513])
def test_both_engines_count_long_texts_alike(length):
    words = [f"w{place}" for place in range(length)]
    moved = [*words[:100], *words[103:110], *words[100:103], *words[110:300], "x", *words[302:]]
    segments = Segments([" ".join(moved)], [(" ".join(words),)])
    assert tuple(assert_equal(segments).row(0)[2:]) == (1, 0, 1, 1)
    assert trace(NATIVE, segments) == trace(PYTHON, segments)


def test_the_beam_is_followed_where_it_cuts_the_best_way_off():
    words = [f"w{place}" for place in range(120)]
    turned = words[30:] + words[:30]
    found = search_shifts(turned, words, 0)
    edits = sum(step != EditStep.MATCH for step in found.steps)
    assert plain_distance(turned, words) == 60 < edits
    table = assert_equal(Segments([" ".join(turned)], [(" ".join(words),)]))
    assert sum(table.row(0)[2:]) == edits


def trace(engine, segments, counting=TER):
    layout = ter_layout(counting)
    return [engine.trace(one.candidate.split(), [text.split() for text in one.references], layout) for one in segments]


@given(corpora(), COUNTINGS)
def test_both_engines_tell_the_same_shifts_and_steps(segments, counting):
    assert trace(NATIVE, segments, counting) == trace(PYTHON, segments, counting)


@settings(max_examples=12)
@given(corpora(longest=60), COUNTINGS)
def test_both_engines_tell_the_same_of_longer_texts(segments, counting):
    assert trace(NATIVE, segments, counting) == trace(PYTHON, segments, counting)


@given(corpora(), COUNTINGS)
def test_a_row_counts_what_a_trace_tells(segments, counting):
    for stats, searches in zip(
        NATIVE.count(segments, ter_layout(counting)), trace(NATIVE, segments, counting), strict=True
    ):
        assert min((count_edits(found, counting) for found in searches), key=sum) == stats.to_row()[2:]


def test_words_of_any_kind_are_traced():
    """Words that UTF-8 cannot write, and any that can be compared."""
    words, target = ["\ud800", "b", ("c",)], ["b", ("c",), "\ud800"]
    found = [engine.trace(words, [target], ter_layout(TER)) for engine in (NATIVE, PYTHON)]
    assert found[0] == found[1]
    assert found[0][0].shifts == ((0, 1, 3),)


def border_texts(length):
    rng = random.Random(length)
    words = [f"w{rng.randrange(2 * length)}" for _ in range(length)]
    turned, halved = words[length // 2 :] + words[: length // 2], [word for word in words if rng.random() < 0.6]
    some = [word if rng.random() < 0.7 else f"x{rng.randrange(9)}" for word in words]
    moved = some[5:9] + some[:5] + some[12:] + some[9:12]
    return words, (turned, halved, some, moved, words[::-1], ["a", "b"] * (length // 2))


LENGTHS = st.one_of(st.integers(0, 12), st.sampled_from([25, 26, 51, 90, 180]))


@settings(max_examples=150)
@given(st.randoms(use_true_random=False), LENGTHS, LENGTHS, st.sampled_from([1, 2, 6, 400]))
def test_distances_by_bits_are_those_of_the_table_before_and_after_moves(rng, length, other, distinct):
    words, target = ([f"w{rng.randrange(distinct)}" for _ in range(size)] for size in (length, other))
    if rng.random() < 0.5:
        words = (["x"] * rng.randrange(60) + target)[: length or 1]
    distances, aligner = Distances(words, target), Aligner(target, len(words))
    rows = aligner.align(words)
    assert distances.left == rows[-1].distances[-1]
    for _ in range(4):
        if not words:
            return
        start = rng.randrange(len(words))
        shift = Shift(start, rng.randrange(1, 1 + min(10, len(words) - start)), rng.randrange(len(words) + 1))
        after = shift.apply(words)
        first, last = shift.changed(len(words))
        whole = aligner.align(after)
        left = whole[-1].distances[-1]
        assert distances.measure(first, shift.rearrange(words), left + 1) == left
        assert distances.measure(first, shift.rearrange(words), left) >= left
        distances.move(after, first, last)
        aligner.realign(after, rows, first, last)
        assert distances.left == left
        assert alignment_steps(rows) == alignment_steps(whole)
        words = after


LIMITS = {
    "1,000 moves": ("1110001000111111111100", "1111111011100110001100", (0, 0, 10, 0)),
    "999 moves": ("11111111100110100110010", "10011100011001111111110", (0, 0, 2, 1)),
    "a move within the block": ("4643", "0446", (0, 0, 1, 2)),
}


@pytest.mark.parametrize(("candidate", "reference", "edits"), LIMITS.values(), ids=LIMITS)
def test_a_search_ends_where_the_definition_says(candidate, reference, edits):
    segments = Segments([" ".join(candidate)], [(" ".join(reference),)])
    assert tuple(assert_equal(segments).row(0)[2:]) == edits
    assert trace(NATIVE, segments) == trace(PYTHON, segments)


@settings(max_examples=60)
@given(
    st.lists(st.text("aB1 .,-'s&;\n\u3000中文。ナ", max_size=12), min_size=2, max_size=3),
    st.sampled_from(["lower", "mixed", "lower-ascii"]),
    st.sampled_from(["no", "yes"]),
    st.sampled_from(["no", "yes"]),
    st.sampled_from(["keep", "remove"]),
)
@example(["It's 3.5 (or so).", "it 's 3.5 or so"], "lower", "yes", "no", "remove")
def test_texts_are_prepared_alike(texts, case, normalized, asian, punctuation):
    counting = TerCounting(case, normalized, asian, punctuation, *TER[4:])
    assert_equal(Segments(texts[:1], [tuple(texts[1:])]), counting)


@pytest.mark.parametrize("case", ["lower", "lower-ascii"])
@pytest.mark.parametrize("shifted", ["candidate", "reference"])
def test_lowered_texts_are_counted_alike(case, shifted):
    texts = [
        "ÜBER Größe ΟΔΟΣ und ΟΔΟΣ İSTANBUL",
        "über größe οδος UND οδοσ i̇stanbul",
        "ДОМ “Ꙁ” ＡＢ 中文Ab Ⱥ\u3000KÖLN\xa0ÉTÉ Ünd Größe",
        " ".join(f"{'X' * 30}É{number} Wort{number % 7}" for number in range(40)),
        "",
    ]
    segments = Segments(texts, [(*(text.swapcase() for text in texts), " ".join(texts).upper()) for _ in texts])
    table = assert_equal(segments, TER._replace(case=case, shifted=shifted))
    assert [stats.edits for stats in table][-1] == 0
    assert table.total().edits > 0


def test_a_segment_of_many_or_crowded_words_is_counted_alike():
    words = [f"w{number}" for number in range(700)]
    few = ["a b c", "c a b"]
    long = " ".join(words[:350] + words[360:] + ["x" * 70_000])  # more bytes than the table of a segment has slots
    assert_equal(Segments([" ".join(words), few[0], long], [(" ".join(words[::-1]),), (few[1],), (" ".join(words),)]))


@given(corpora(), COUNTINGS)
def test_prepared_references_are_counted_alike(segments, counting):
    layout = ter_layout(counting)
    prepared = NATIVE.prepare(segments.references, layout)
    assert list(prepared.count(segments.candidates)) == list(NATIVE.count(segments, layout))


WRITINGS = st.sampled_from(
    [{}, {"case": "mixed"}, {"normalized": "yes"}, {"case": "mixed", "punctuation": "remove"}, {"shifted": "reference"}]
)


@settings(max_examples=60)
@given(corpora(), WRITINGS)
def test_single_segments_are_scored_alike(segments, choices):
    recipe = bp.Recipe.named("ter").replace(**choices)
    for candidate, references in zip(segments.candidates, segments.references, strict=True):
        row, score, fraction, kept = NATIVE.score_one(f"{candidate} X's.", [*references, "X 's"], recipe)
        assert kept == (*references, "X 's")
        (stats,) = PYTHON.count(Segments([f"{candidate} X's."], [kept]), recipe.layout)
        combination = combine(stats)
        assert (row, score, fraction) == (stats.to_row(), combination.score, combination.fraction)
    assert NATIVE.score_one("a b", "a", recipe) == NATIVE.score_one("a b", ("a",), recipe)


@pytest.mark.parametrize("choices", [{}, {"case": "mixed"}])
@pytest.mark.parametrize(
    ("candidate", "references"),
    [("a", ["\ud800"]), ("a", ["a"] * 17), ("a", []), (b"a", ["a"]), ("a", ["a", None]), ("a", {"a"}), (["a"], ["a"])],
)
def test_a_segment_with_something_unusual_is_left_to_the_steps(candidate, references, choices):
    assert NATIVE.score_one(candidate, references, bp.Recipe.named("ter").replace(**choices)) is None


@pytest.mark.needs("pyarrow")
@settings(max_examples=40)
@given(corpora(), WRITINGS)
def test_columns_of_arrow_are_counted_alike(segments, choices):
    layout = bp.Recipe.named("ter").replace(**choices).layout
    candidates = pa.array([*segments.candidates, None])
    references = pa.array([*map(list, segments.references), ["x"]])
    found, faults = NATIVE.count_columns(candidates, [references], layout)
    assert (found, faults) == PYTHON.count_columns(candidates, [references], layout)
    assert found == PYTHON.count(segments, layout)
    assert [fault.row for fault in faults] == [len(segments)]


@pytest.mark.needs("pyarrow")
def test_columns_whose_strings_are_words_already_never_become_strings(monkeypatch):
    monkeypatch.delattr("bleuprint.engines.columns.read_columns")
    columns = pa.array(["b c a", "x"]), [pa.array(["a b c", "y"])]
    table, _ = NATIVE.count_columns(*columns, bp.Recipe.named("ter").replace(case="mixed").layout)
    assert [row.shifts for row in table] == [1, 0]


@pytest.mark.needs("pyarrow")
def test_more_references_than_16_of_a_column_are_refused_in_the_same_words():
    columns = pa.array(["a", "a"]), [pa.array([["a"], ["a"] * 17])]
    messages = []
    for engine in (NATIVE, PYTHON):
        with pytest.raises(ShapeError) as caught:
            engine.count_columns(*columns, bp.Recipe.named("ter").replace(case="mixed").layout)
        messages.append(str(caught.value))
    assert messages[0] == messages[1]


@settings(max_examples=30)
@given(corpora(), WRITINGS, st.sampled_from([None, 2]))
def test_pairs_are_scored_alike(segments, choices, threads):
    given_to_both = segments.candidates, segments.references, bp.Recipe.named("ter").replace(**choices)
    assert NATIVE.score_pairs(*given_to_both, threads) == PYTHON.score_pairs(*given_to_both)


def test_results_do_not_depend_on_the_number_of_threads():
    rng = random.Random(1)
    texts = [[f"w{rng.randrange(12)}" for _ in range(rng.randrange(30))] for _ in range(400)]
    segments = Segments(
        [" ".join(rng.sample(text, len(text))) for text in texts], [(" ".join(text),) for text in texts]
    )
    tables = [list(NATIVE.count(segments, ter_layout(TER), threads)) for threads in (1, 2, 7, None)]
    assert tables[1:] == tables[:1] * 3
    assert sum(row.shifts for row in tables[0]) > 400


def test_more_references_than_16_are_refused_by_both_engines_in_the_same_words():
    segments = Segments(["a", "a"], [("a",) * 16, ("a",) * 17])
    messages = []
    for engine in (NATIVE, PYTHON):
        for work in (engine.count, lambda given, layout, of=engine: of.prepare(given.references, layout)):
            with pytest.raises(ShapeError) as caught:
                work(segments, ter_layout(TER))
            messages.append(str(caught.value))
    assert len(set(messages)) == 1
    assert_equal(Segments(segments.candidates[:1], segments.references[:1]))


def make_ter(longest_shift=10):
    return find_kernel().TerKernel(["candidate", "insertions"], [longest_shift])


def test_the_kernel_counts_no_more_references_than_it_can_average():
    table = StatsTable.zeros(ter_layout(TER), 1)
    with pytest.raises(OverflowError):
        make_ter().count(["a"], [("a",) * 17], "mixed", table.numbers, 1)


@pytest.mark.parametrize(
    ("candidates", "references", "longest_shift", "why"),
    [
        (["a"], [()], 10, "every segment needs a reference"),
        (["a", "b"], [("a",)], 10, "differ in number"),
        ([], [], 10, "another size"),
        (["a"], [("a",)], 10**6, "up to 1,000 words"),
    ],
)
def test_the_kernel_refuses_what_does_not_fit(candidates, references, longest_shift, why):
    table = StatsTable.zeros(ter_layout(TER), 1)
    with pytest.raises(ValueError, match=why):
        make_ter(longest_shift).count(candidates, references, "mixed", table.numbers, 1)


@pytest.mark.parametrize(
    ("moved", "staying", "distinct", "longest", "why"),
    [
        ([0, 2], [1], 2, 10, "numbered from 0"),
        ([-1], [0], 1, 10, "numbered from 0"),
        ([0], [0], 3, 10, "numbered from 0"),
        ([0], [0], 2**40, 10, "numbered from 0"),
        ([0], [0], 1, 1001, "up to 1,000 words"),
    ],
)
def test_the_kernel_traces_words_that_are_numbered_alone(moved, staying, distinct, longest, why):
    with pytest.raises(ValueError, match=why):
        make_ter(longest).trace(array("q", moved), array("q", staying), distinct)


@pytest.mark.parametrize(
    ("numbers", "scores", "why"), [(5, 1, "half a row"), (7, 1, "half a row"), (6, 2, "another size")]
)
def test_the_kernel_scores_whole_rows_only(numbers, scores, why):
    with pytest.raises(ValueError, match=why):
        make_ter().score_rows(array("q", bytes(8 * numbers)), 6, array("d", bytes(8 * scores)))


NUMBERS = st.one_of(st.integers(0, 40), st.integers(0, 2**53), st.integers(0, 2**62))
ROWS = st.lists(st.tuples(*[st.one_of(st.integers(0, 9), NUMBERS)] * 6), min_size=1, max_size=4)


@given(ROWS)
@example([(5, 3 * PARTS, 1, 0, 1, 0), (0, 0, 0, 0, 0, 0), (1, 0, 0, 1, 0, 0), (9, 2**62, 2**61, 0, 0, 1)])
def test_bulk_scores_equal_the_formula_to_the_bit(rows):
    recipe = bp.Recipe.named("ter")
    table = StatsTable.zeros(recipe.layout, len(rows))
    for place, number in enumerate(number for row in rows for number in row):
        table.numbers[place] = number
    assert NATIVE.score_rows(table, recipe) == PYTHON.score_rows(table, recipe)


@pytest.mark.parametrize("start", [0, 3])
def test_resampling_equals_the_definition(start):
    rng, recipe = random.Random(2), bp.Recipe.named("ter")
    texts = [[f"w{rng.randrange(9)}" for _ in range(1 + rng.randrange(9))] for _ in range(40)]
    references = [" ".join(text) for text in texts]
    one, other = (
        NATIVE.count(pair_segments([" ".join(rng.sample(t, len(t) - of)) for t in texts], references), recipe.layout)
        for of in (0, 1)
    )
    given_to_both = {"seed": 5, "start": start}
    sampled = [
        engine.resample([one, other], recipe, resamples=30, threads=2, **given_to_both) for engine in (NATIVE, PYTHON)
    ]
    assert sampled[0] == sampled[1]
    apart = [
        engine.count_extremes(one, other, recipe, trials=60, threshold=1.5, threads=2, **given_to_both)
        for engine in (NATIVE, PYTHON)
    ]
    assert apart[0] == apart[1]
    assert 0 < apart[0] < 60
