"""chrF in the kernel: equal to the readable engine in every number, under every recipe."""

import random
from array import array
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.counting.rows import StatsTable
from bleuprint.engines.kernel_plans import BeyondKernelError, plan_counting, plan_scoring
from bleuprint.engines.python import score_row
from bleuprint.metrics.chrf.counting import ChrfCounting, chrf_layout
from bleuprint.metrics.chrf.recipe import AXES, DIALECTS
from bleuprint.native_kernel import find_kernel
from bleuprint.text.segments import Segments
from engine_pair import NATIVE, PYTHON
from packages import optional

pa = optional("pyarrow")

kernel = find_kernel()
WMT = Path(__file__).parents[3] / "shared" / "wmt22"
SPACES = "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000"
ODD = SPACES + "\0\u200b\u200d\u0301\ufeff\U0001f600\U0001f3fd\U0010ffffé中İßǅ"
PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
PIECES = ("a", "b", "ab", "aab", " ", "  ", "(", ").", "é", "e\u0301", "中", "-", "\U0001f600", "a" * 70, "ab" * 40)
TEXTS = st.one_of(
    st.text(st.characters(codec="utf-8") | st.sampled_from(ODD + PUNCTUATION), max_size=40),
    st.lists(st.sampled_from(PIECES), max_size=14).map("".join),
    st.text("ab ", max_size=90),
)
BETAS = st.sampled_from((0.0, 0.5, 1.0, 2.0, 3.0, 1e6)) | st.floats(0, 1e6)


def choices_of(field):
    return st.sampled_from([*AXES[field].choices])


COUNTINGS = st.builds(
    ChrfCounting,
    case=choices_of("case"),
    char_order=st.integers(1, 10),
    word_order=st.integers(0, 5),
    whitespace=choices_of("whitespace"),
    candidate_totals=choices_of("candidate_totals"),
    unmatched_segment=choices_of("unmatched_segment"),
    beta=BETAS,
    averaging=choices_of("averaging"),
)
THREADS = st.sampled_from((None, 1, 3))


@st.composite
def corpora(draw):
    """Segments in which half of the candidates are a reference with something cut off and something added."""
    found = Segments([], [])
    for _ in range(draw(st.integers(1, 4))):
        references = tuple(draw(st.lists(TEXTS, min_size=1, max_size=4)))
        candidate = draw(TEXTS)
        if draw(st.booleans()):
            candidate = draw(st.sampled_from(references))[draw(st.integers(0, 2)) :] + candidate[:5]
        found.candidates.append(candidate)
        found.references.append(references)
    return found


def recipe_of(counting):
    return bp.Recipe.named("chrf").replace(**counting._asdict())


def assert_equal(segments, counting, threads=None):
    layout = chrf_layout(counting)
    expected = PYTHON.count(segments, layout)
    table = StatsTable.zeros(layout, len(segments))
    texts = segments.candidates, segments.references
    plan_counting(layout).kernel.count(*texts, counting.case, table.numbers, threads or 0)  # never in Python
    assert table == expected == NATIVE.count(segments, layout, threads)
    return expected


@pytest.mark.parametrize("unmatched", AXES["unmatched_segment"].choices)
@pytest.mark.parametrize("references", [(" bbba  ", "aa"), ("aa", " bbba  "), (" bbba  ", "aa", "aba")])
def test_references_that_tie_but_for_rounding(references, unmatched):
    counting = bp.Recipe.named("torchmetrics-chrf").replace(unmatched_segment=unmatched).counting
    assert_equal(Segments(["aba c"], [references]), counting)


def lines_of(name):
    return (WMT / name).read_text(encoding="utf-8").removesuffix("\n").split("\n")


@given(corpora(), COUNTINGS, THREADS)
def test_both_engines_count_alike(segments, counting, threads):
    assert_equal(segments, counting, threads)


@pytest.mark.parametrize("dialect", DIALECTS)
@given(corpora())
def test_both_engines_count_and_score_every_dialect_alike(dialect, segments):
    recipe = bp.Recipe.named(dialect)
    table = assert_equal(segments, recipe.counting)
    assert NATIVE.score_rows(table, recipe) == PYTHON.score_rows(table, recipe)


LENGTHS = (63, 64, 65, 128, 129, 320, 384, 385, 1024, 1025, 3000)
"""Where the kernel goes from one number of machine words to the next, and at last to a table."""


def lengths_and_orders():
    """Every length with the usual orders, some lengths with others; in the matrix all."""
    for length, orders in product(LENGTHS, [(6, 2), (1, 0), (2, 1), (8, 0), (9, 3)]):
        tried = orders == (6, 2) or length in (65, 385, 3000)
        yield pytest.param(length, *orders, marks=[] if tried else pytest.mark.extended)


@pytest.mark.parametrize(("length", "char_order", "word_order"), list(lengths_and_orders()))
def test_long_repeats_are_clipped_alike(length, char_order, word_order):
    chance = random.Random(length)
    counting = bp.Recipe.named("chrf").replace(char_order=char_order, word_order=word_order).counting
    segments = Segments([], [])
    for alphabet in ("a", "ab", "abc dé中", "a b ", "etaoin shrdlu cmfwyp."):
        text = "".join(chance.choices(alphabet, k=2 * length))
        letters = "".join(text.split())[:length]
        segments.candidates.extend([letters, text[:length]])
        segments.references.append((letters[5:] + letters[:9], letters * 2, ""))
        segments.references.append((text[: length // 2], text[3:], "ba" * 9))
    table = assert_equal(segments, counting)
    assert all(stats.matches[char_order - 1] > 0 for stats in table)


def test_more_characters_than_a_byte_can_number_are_counted_alike():
    characters = [chr(code) for code in range(0x4E00, 0x4E00 + 3000)]
    chance = random.Random(2)
    for length in (200, 1000, 2500):
        own = chance.choices(characters, k=length)
        segments = Segments(["".join(own)], [("".join(own[7:] + own[:50]), "".join(characters))])
        assert assert_equal(segments, bp.Recipe.named("chrf++").counting)[0].matches[5] > length // 2


@pytest.mark.parametrize("whitespace", AXES["whitespace"].choices)
def test_every_code_point_is_treated_alike(whitespace):
    counting = bp.Recipe.named("chrf++").replace(whitespace=whitespace, char_order=1, word_order=1).counting
    texts = [
        "a".join(["", *(chr(code) for code in range(start, start + 1024) if not 0xD800 <= code < 0xE000), ""])
        for start in (*range(0, 0x3400, 1024), *range(0x3400, 0x110000, 64 * 1024))
    ]
    lengths = assert_equal(Segments(texts, [(text,) for text in texts]), counting).column("candidate_length")
    assert sum(map(len, texts)) - sum(lengths) == {"kept": 0, "spaces-removed": 1, "removed": 29}.get(whitespace, 25)


@settings(max_examples=5)
@given(corpora(), COUNTINGS)
def test_orders_up_to_100_are_counted_alike(segments, counting):
    long = Segments([*segments.candidates, "ab c" * 80], [*segments.references, ("ab c" * 70, "b a " * 60)])
    table = assert_equal(long, counting._replace(char_order=100, word_order=40))
    assert table[-1].matches[99] > 0


def test_ten_thousand_references_of_one_segment_are_counted_alike():
    chance = random.Random(4)
    references = tuple("".join(chance.choices("abcd ", k=chance.randint(0, 12))) for _ in range(10_000))
    for candidate, texts in (("abcd ab c", references), ("abcd ab c" * 200, references[:2000])):
        assert_equal(Segments([candidate], [texts]), bp.Recipe.named("chrf++").counting)


def test_many_references_cost_no_more_than_their_length():
    """Of a long candidate the n-grams are numbered once; each reference looks up its own alone."""
    chrf = plan_counting(bp.Recipe.named("chrf++").layout).kernel
    candidate = "".join(random.Random(1).choices("abcdefgh ", k=20_000))
    steps = []
    for count in (1, 2000):
        table = StatsTable.zeros(bp.Recipe.named("chrf++").layout, 1)
        steps.append(chrf.count([candidate], [("abc d",) * count], "mixed", table.numbers, 1))
    assert steps[1] < 10 * steps[0] + 100_000


# All that an engine does beside counting.


@pytest.mark.needs("pyarrow")
@settings(max_examples=50)
@given(corpora(), COUNTINGS)
def test_columns_of_arrow_are_counted_alike(segments, counting):
    layout = chrf_layout(counting)
    candidates = pa.array([*segments.candidates, None])
    references = pa.array([*map(list, segments.references), ["x"]])
    found, faults = NATIVE.count_columns(candidates, [references], layout)
    assert (found, faults) == PYTHON.count_columns(candidates, [references], layout)
    assert found == PYTHON.count(segments, layout)
    assert [fault.row for fault in faults] == [len(segments)]


@settings(max_examples=50)
@given(corpora(), COUNTINGS, THREADS)
def test_prepared_references_are_counted_alike(segments, counting, threads):
    prepared = NATIVE.prepare(segments.references, chrf_layout(counting))
    assert prepared.count(segments.candidates, threads) == PYTHON.count(segments, chrf_layout(counting))


@settings(max_examples=50)
@given(corpora(), COUNTINGS)
def test_single_segments_are_scored_alike(segments, counting):
    recipe = recipe_of(counting)
    for segment in segments:
        row, score, fraction, references = NATIVE.score_one(segment.candidate, list(segment.references), recipe)
        assert row == tuple(PYTHON.count(Segments([segment.candidate], [references]), recipe.layout).row(0))
        assert (score, fraction) == (score_row(row, recipe), score_row(row, recipe) / 100)
        assert references == segment.references
    assert NATIVE.score_one("a", ["\ud800"], recipe) is None


@settings(max_examples=50)
@given(corpora(), COUNTINGS, THREADS)
def test_pairs_are_scored_alike(segments, counting, threads):
    recipe = recipe_of(counting)
    given = segments.candidates, segments.references, recipe
    assert NATIVE.score_pairs(*given, threads) == PYTHON.score_pairs(*given)


@settings(max_examples=60)
@given(corpora(), COUNTINGS, THREADS)
def test_matches_without_clipping_are_counted_alike(segments, counting, threads):
    layout = chrf_layout(counting)
    assert NATIVE.count_plain(segments, layout, threads) == PYTHON.count_plain(segments, layout)


def test_matches_without_clipping_are_those_of_the_best_reference_however_long_texts_are():
    """More than 1,024 characters, and more than 64 words, go another way in the kernel."""
    rng = random.Random(4)
    long = [" ".join("".join(rng.choices("abc", k=rng.randrange(1, 5))) for _ in range(600)) for _ in range(3)]
    segments = Segments(["aaaa b", long[0], ""], [("aa", "aab b"), (long[1], long[2]), ("x",)])
    for name in ("chrf", "chrf++", "nltk-chrf"):
        layout = bp.Recipe.named(name).layout
        assert NATIVE.count_plain(segments, layout) == PYTHON.count_plain(segments, layout)


def test_the_kernel_counts_matches_without_clipping_itself(monkeypatch):
    monkeypatch.delattr("bleuprint.metrics.chrf.counting.plain_matches")
    assert NATIVE.count_plain(Segments(["aaaa"], [("aa",)]), bp.Recipe.named("chrf").layout) == (4, 3, 0, 0, 0, 0)


# Resampling.


def random_tables(recipe, segments=70):
    chance = random.Random(8)
    texts = [["".join(chance.choices("ab c", k=chance.randint(0, 30))) for _ in range(segments)] for _ in range(3)]
    references = [(text,) for text in texts[2]]
    return [NATIVE.count(Segments(own, references), recipe.layout) for own in texts[:2]]


def forget_formulas(monkeypatch):
    def refuse(recipe):
        raise BeyondKernelError

    monkeypatch.setattr("bleuprint.engines.native.plan_scoring", refuse)


@pytest.mark.parametrize("averaging", AXES["averaging"].choices)
@pytest.mark.parametrize("start", [0, 7])
@pytest.mark.parametrize("has_formula", [True, False], ids=("formula", "sums"))
def test_resamples_are_scored_alike(averaging, start, has_formula, monkeypatch):
    if not has_formula:
        forget_formulas(monkeypatch)
    recipe = bp.Recipe.named("chrf++").replace(averaging=averaging)
    tables = random_tables(recipe)
    expected = PYTHON.resample(tables, recipe, seed=3, resamples=40, start=start)
    assert NATIVE.resample(tables, recipe, seed=3, resamples=40, start=start, threads=2) == expected
    apart = sorted(abs(one - other) for one, other in zip(*expected, strict=True))
    for threshold in (0.0, apart[10], 100.0):
        given = {"seed": 5, "trials": 40, "threshold": threshold, "start": start, "threads": 2}
        assert NATIVE.count_extremes(*tables, recipe, **given) == PYTHON.count_extremes(*tables, recipe, **given)


def test_sums_are_scored_slice_by_slice(monkeypatch):
    recipe = bp.Recipe.named("chrf")
    tables = random_tables(recipe, segments=5)
    whole = PYTHON.resample(tables, recipe, seed=3, resamples=10)
    found = PYTHON.count_extremes(*tables, recipe, seed=3, trials=10, threshold=0.5)
    monkeypatch.setattr("bleuprint.engines.native.MOST_SUMS", 4)
    forget_formulas(monkeypatch)
    assert NATIVE.resample(tables, recipe, seed=3, resamples=10) == whole
    assert NATIVE.count_extremes(*tables, recipe, seed=3, trials=10, threshold=0.5) == found


def test_sums_beyond_53_bits_are_left_to_python():
    recipe = bp.Recipe.named("chrf")
    tables = [StatsTable(recipe.layout, [2**60] * 2 * recipe.layout.width) for _ in range(2)]
    numbers = [table.numbers for table in tables]
    with pytest.raises(OverflowError):
        plan_scoring(recipe).kernel.bootstrap(numbers, recipe.layout.width, 1, 3, array("d", bytes(48)), 1)
    assert NATIVE.resample(tables, recipe, seed=1, resamples=3) == PYTHON.resample(tables, recipe, seed=1, resamples=3)


@pytest.mark.parametrize("reason", [BeyondKernelError, OverflowError])
def test_what_the_kernel_cannot_count_is_left_to_python(reason, monkeypatch):
    def refuse(*_):
        raise reason

    layout, segments = bp.Recipe.named("chrf").layout, Segments(["a b"], [("a c",)])
    monkeypatch.setattr("bleuprint.engines.native.plan_counting", refuse)
    assert NATIVE.count(segments, layout) == PYTHON.count(segments, layout)
    assert NATIVE.count_together(segments, [layout]) == PYTHON.count_together(segments, [layout])


# Refusals.


def test_a_layout_without_a_way_of_counting_is_beyond_the_kernel():
    layout = chrf_layout(bp.Recipe.named("chrf").counting)
    unknown = layout.replace(counting=None)
    with pytest.raises(BeyondKernelError):
        plan_counting(unknown)


def test_what_does_not_fit_is_refused():
    recipe = bp.Recipe.named("chrf")
    chrf, table = plan_counting(recipe.layout).kernel, StatsTable.zeros(recipe.layout, 1)
    with pytest.raises(ValueError, match="differ in number"):
        chrf.count(["a"], [], "mixed", table.numbers, 1)
    with pytest.raises(ValueError, match="needs a reference"):
        chrf.count(["a"], [()], "mixed", table.numbers, 1)
    with pytest.raises(ValueError, match="another size"):
        chrf.count(["a", "b"], [("a",), ("b",)], "mixed", table.numbers, 1)
    with pytest.raises(ValueError, match="does not know half"):
        plan_counting(chrf_layout(recipe.counting._replace(averaging="half")))
    with pytest.raises(ValueError, match="order 1 at least"):
        plan_counting(chrf_layout(recipe.counting._replace(char_order=0)))
    with pytest.raises(ValueError, match="half a row"):
        chrf.score_rows(table.numbers[1:], recipe.layout.width, table.numbers)
    with pytest.raises(ValueError, match="another size"):
        kernel.bootstrap_sums([table.numbers], recipe.layout.width, 1, 0, table.numbers[1:], 1)


# Real texts.


@pytest.mark.skipif(not WMT.exists(), reason="the texts of WMT22 are not beside the repository")
@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.extended)])
@pytest.mark.parametrize("recipe", ["chrf", "chrf++", "torchmetrics-chrf"])
@pytest.mark.parametrize(
    ("candidates", "references"),
    [
        pytest.param(
            "generaltest2022.en-de.hyp.Online-B.de", "generaltest2022.en-de.ref.A.de", marks=pytest.mark.extended
        ),
        ("generaltest2022.en-zh.hyp.Online-B.zh", "generaltest2022.en-zh.ref.A.zh"),
    ],
)
def test_real_texts_are_counted_alike(recipe, candidates, references, every):
    texts, others = lines_of(candidates)[::every], lines_of(references)[::every]
    assert_equal(Segments(texts, [(other, text[:40]) for text, other in zip(texts, others, strict=True)]),
                 bp.Recipe.named(recipe).counting)  # fmt: skip
