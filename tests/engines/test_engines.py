"""The two engines: equal in every number, and in every error; threads, forks and the choice between the two."""

import enum
import itertools
import json
import random
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import bleuprint as bp
import engine_process
from bleuprint.counting.rows import StatsTable
from bleuprint.engines import find_engine
from bleuprint.engines.kernel_plans import INSIDE
from bleuprint.errors import Location
from bleuprint.metrics.bleu.counting import Counting, bleu_layout
from bleuprint.metrics.bleu.formula import combine
from bleuprint.metrics.bleu.recipe import AXES, DIALECTS, Smoothing
from bleuprint.native_kernel import find_kernel
from bleuprint.text.segments import Segments, pair_segments
from bleuprint.text.tokenizers import FUNCTIONS, tokenize
from code_points import PLACES, code_points
from engine_pair import NATIVE, PYTHON
from strategies import CORPUS_DIALECTS, CORPUS_SMOOTHINGS, WORDS

kernel = find_kernel()

ODD_CHARACTERS = "\0\x1c\x85\xa0\u1680\u2028\u202f\u3000\u0301\u200d\U0001d7d8\U0001f600\U0010ffff.,-¡€²中。İßǅ \n\t"
PIECES = (
    *".,-&<>0123456789", " ", "\n", "-\n", "&amp;", "&amp;lt;", "&quot;", "&lt;", "<skipped>", "<skip", "ped>", "a",
    "B", "中", "。", "“", "²", "€", "\u3000",
)  # fmt: skip
TEXTS = st.one_of(
    st.text(st.characters(codec="utf-8") | st.sampled_from(ODD_CHARACTERS), max_size=40),
    st.lists(st.sampled_from(PIECES), max_size=16).map("".join),
    st.lists(st.sampled_from(WORDS), max_size=10).map(" ".join),
)
COUNTINGS = st.builds(
    Counting,
    tokenizer=st.sampled_from(sorted(FUNCTIONS)),
    case=st.sampled_from([*AXES["case"].choices]),
    reference_length=st.sampled_from([*AXES["reference_length"].choices]),
    segment_totals=st.sampled_from([*AXES["segment_totals"].choices]),
)
ORDERS = st.integers(1, 9)
THREADS = st.sampled_from((None, 1, 2, 3))


@st.composite
def corpora(draw, texts=TEXTS, most_references=5):
    """Segments in which half of the candidates are a reference with something cut off and something added."""
    found = Segments([], [])
    for _ in range(draw(st.integers(1, 4))):
        references = tuple(draw(st.lists(texts, min_size=1, max_size=most_references)))
        candidate = draw(texts)
        if draw(st.booleans()):
            candidate = draw(st.sampled_from(references))[draw(st.integers(0, 2)) :] + candidate[:5]
        found.candidates.append(candidate)
        found.references.append(references)
    return found


def assert_equal(segments, counting, order, threads=None):
    expected = PYTHON.count(segments, bleu_layout(order, counting))
    assert NATIVE.count(segments, bleu_layout(order, counting), threads) == expected
    return expected


# Texts.


@given(corpora(), COUNTINGS, ORDERS, THREADS)
def test_both_engines_count_texts_alike(segments, counting, order, threads):
    assert_equal(segments, counting, order, threads)


@given(corpora(), COUNTINGS, ORDERS)
def test_rules_counted_together_are_those_counted_alone(segments, counting, order):
    rules = itertools.product(*(AXES[axis].choices for axis in ("reference_length", "segment_totals")))
    countings = [Counting(counting.tokenizer, counting.case, *rule) for rule in rules]
    alone = [NATIVE.count(segments, bleu_layout(order, one)) for one in countings]
    layouts = [bleu_layout(order, one) for one in countings]
    assert PYTHON.count_together(segments, layouts) == find_engine().count_together(segments, layouts) == alone


def test_both_engines_count_thousands_of_random_texts_alike():
    chance = random.Random(13)
    matched = 0
    for _ in range(2000):
        pieces = chance.sample((*PIECES, *ODD_CHARACTERS, *WORDS), 8)
        texts = ["".join(chance.choices((*pieces, " "), k=chance.choice((0, 1, 4, 9, 20)))) for _ in range(8)]
        segments = Segments([texts[0], texts[1] + texts[2]], [tuple(texts[2:5]), (texts[1], *texts[5:])])
        choices = (chance.choice([*AXES[axis].choices]) for axis in ("case", "reference_length", "segment_totals"))
        stats = assert_equal(segments, Counting(chance.choice([*FUNCTIONS]), *choices), chance.randint(1, 9)).total()
        matched += stats.matches[-1] > 0
    assert 400 < matched < 1600


@settings(max_examples=5)
@given(corpora(), COUNTINGS)
def test_both_engines_count_orders_up_to_100_alike(segments, counting):
    long = Segments([*segments.candidates, "a b " * 80], [*segments.references, ("a b " * 70, "b a " * 60)])
    assert assert_equal(long, counting, 100)[-1].matches[99] > 0


@pytest.mark.parametrize("tokenizer", sorted(INSIDE))
@given(text=TEXTS)
@example(text="1.2,3-4. 5.-6 7..8 .9 ,,")
@example(text="a-\n b\n-\n c-\n")
@example(text="&amp;lt; <skip<skipped>ped> &am<skipped>p; -<skipped>\n")
@example(text="“.1.” 2023.")
def test_the_kernel_splits_token_for_token_as_python_does(tokenizer, text):
    assert kernel.tokenize(text, tokenizer) == tokenize(text, tokenizer, "mixed")


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("tokenizer", sorted(INSIDE))
def test_every_code_point_between_letters_is_split_alike(tokenizer, place):
    for characters in code_points(place):
        text = "a".join(["", *characters, ""])
        assert kernel.tokenize(text, tokenizer) == tokenize(text, tokenizer, "mixed"), hex(ord(characters[0]))


@pytest.mark.parametrize("place", PLACES)
def test_every_code_point_is_counted_as_a_character_alike(place):
    for characters in code_points(place):
        text, backwards = "".join(characters), "".join(reversed(characters))
        segments = Segments([text[::2], backwards], [(text,), (text[:9], text[9:])])
        total = assert_equal(segments, Counting("char", "mixed", "closest", "exact"), 2).total()
        assert total.matches[0] > len(text) / 2


BLOCK_ENDS = {
    "letters": "größer, Übung: naïve “ideas” – no…",
    "numbers": "1.5 and 12,400 or ٣.٥, 2022. 3-4",
    "stops": "a...b.,5 ,,, .5 5. ...",
    "white space": "a\u00a0b\u3000c\u2028d\u1680e\u0085f",
    "Chinese": "中文，鿋鿿䶵䷀。𠀀x、㐀",
    "marks": "(a&b) <c> $5 ¿qué? «so» €7 ×÷ 😀!",
}


@pytest.mark.parametrize("name", BLOCK_ENDS)
@pytest.mark.parametrize("tokenizer", sorted(INSIDE))
def test_tokens_do_not_depend_on_where_a_block_of_64_bytes_ends(tokenizer, name):
    for before in range(60, 130):
        text = "x" * before + BLOCK_ENDS[name]
        for whole in (text, f"x {text} {text}", text[::-1], text + "." * before):
            assert kernel.tokenize(whole, tokenizer) == tokenize(whole, tokenizer, "mixed"), whole


@pytest.mark.parametrize("place", PLACES)
def test_every_code_point_that_may_be_a_number_holds_a_full_stop_alike(place):
    found = 0
    for characters in code_points(place):
        text = "".join(f"{character}.1 " for character in characters)
        tokens = kernel.tokenize(text, "intl")
        assert tokens == tokenize(text, "intl", "mixed"), hex(ord(characters[0]))
        found += sum(token.endswith(".1") and len(token) == 3 for token in tokens)
    assert (found > 1500) == (place == "near others")  # the class N has more than that


@pytest.mark.parametrize(
    ("place", "least"),
    [
        ("near others", 4_400),  # most letters of Latin, Greek, Cyrillic, Hebrew, and Arabic
        pytest.param("amid their kind", 25_000, marks=pytest.mark.extended),  # and of Chinese
    ],
)
def test_every_code_point_is_lowered_as_python_does_or_left_to_it(place, least):
    inside = 0
    for characters in code_points(place):
        for character in characters:
            lowered = kernel.lower_text(f"A{character}B")
            assert lowered in (None, f"A{character}B".lower()), hex(ord(character))
            inside += lowered is not None
    assert inside > least


@pytest.mark.parametrize("case", ["lower", "lower-ascii"])
@pytest.mark.parametrize("tokenizer", FUNCTIONS)
def test_lowered_texts_are_counted_alike(tokenizer, case):
    texts = [
        "ÜBER Größe, ΟΔΟΣ und ΟΔΟΣ; İSTANBUL!",
        "über größe, οδος UND οδοσ; i̇stanbul!",
        "&QUOT;A&AMP;B&quot; ДОМ “Ꙁ” ＡＢ 中文Ab Ⱥ",
        "X" * 70 + "É" + "Ñ" * 40,
        "",
    ]
    segments = Segments(texts, [(texts[1], text.swapcase()) for text in texts])
    stats = assert_equal(segments, Counting(tokenizer, case, "closest", "exact"), 4)
    assert stats.total().matches[0] > 0


# Very long and very many.


@pytest.mark.parametrize("sentences", [2_500, pytest.param(25_000, marks=pytest.mark.extended)])
@pytest.mark.parametrize("tokenizer", FUNCTIONS)
def test_tokens_and_lines_of_a_tenth_or_the_whole_of_a_megabyte_are_counted_alike(tokenizer, sentences):
    counting = Counting(tokenizer, "mixed", "closest", "exact")
    long = "x" * 40 * sentences
    line = "Some words, 3.5 of them; é中 and more. " * sentences
    if tokenizer == "char":
        long = long[:1000]  # so many tokens are what the line brings
    segments = Segments([f"a {long} b", line], [(f"a {long} b",), (line[20:100_000] + "end",)])
    assert all(stats.matches[1] > 0 for stats in assert_equal(segments, counting, 2))


@pytest.mark.parametrize("length", [1, 63, 64, 65, 127, 128, 129, 200, 300, 383, 385, 1023, 1024, 1025])
@pytest.mark.parametrize("alphabet", ["a", "ab ", "abcdefghij klmnop", "aé中\U0001f600 "])
def test_characters_of_texts_of_every_length_are_counted_alike(alphabet, length):
    chance = random.Random(length)
    candidate, *others = ("".join(chance.choices(alphabet, k=size)) for size in (length, length, 2 * length, 1))
    segments = Segments([candidate] * 5, [*((other,) for other in others), tuple(others), (candidate,)])
    for order in (1, 4, 8, 9):
        assert_equal(segments, Counting("char", "mixed", "closest", "exact"), order)


def test_ten_thousand_references_of_one_segment_are_counted_alike():
    chance = random.Random(4)
    references = tuple(" ".join(chance.choices("abcdef", k=chance.randint(0, 12))) for _ in range(10_000))
    segments = Segments(["a b c d e f a b c a a a"], [references])
    for rule in AXES["reference_length"].choices:
        assert_equal(segments, Counting("13a", "mixed", rule, "exact"), 4)


# Tokens.


class Word(str):
    """A string that is not exactly one."""


class Kind(str, enum.Enum):  # noqa: UP042 - StrEnum prints what it holds
    """A string that prints as something else than it holds."""

    LOUD = "The CAT"


STRINGS = st.sampled_from(("a", "b", "", "a b", "\0", "é", "e\u0301", "\U0001f600")) | st.text(max_size=20)
NUMBERS = st.sampled_from((0, 1, -1, 2**62, 2**63 - 1, -(2**63)))
EXOTIC = st.sampled_from(
    (2**63, -(2**63) - 1, 2**64, 2**64 + 1, 1.0, -0.0, 2.0**64, True, False, Decimal(1), "1", Word("a"), ("a",),
     ("a", 1), None)
)  # fmt: skip
TOKENS = Counting("pretokenized", "mixed", "closest", "exact")


@pytest.mark.parametrize(
    "tokens",
    [STRINGS, NUMBERS, NUMBERS | EXOTIC, STRINGS | NUMBERS | EXOTIC],
    ids=("strings", "ints", "numbers", "all"),
)
@settings(max_examples=100)
@given(chance=st.data(), order=ORDERS, threads=THREADS)
def test_both_engines_count_tokens_of_any_kind_alike(tokens, chance, order, threads):
    corpus = chance.draw(corpora(st.lists(tokens, max_size=12)))
    segments = pair_segments(corpus.candidates, corpus.references, pretokenized=True)
    assert_equal(segments, TOKENS, order, threads)


LONG = 600


@settings(max_examples=100)
@given(corpora(st.lists(STRINGS, max_size=12)), COUNTINGS, ORDERS, st.sampled_from([list, tuple]), st.booleans())
def test_one_segment_of_strings_is_counted_alike(segments, counting, order, kind, long):
    counting = counting._replace(tokenizer="pretokenized", case="mixed")
    for candidate, references in segments:
        candidate = candidate * (100 // (1 + len(candidate))) if long else candidate  # beyond what fits into one word
        one = Segments([candidate], [references])
        row = NATIVE.count_one(kind(candidate), kind(map(kind, references)), bleu_layout(order, counting))
        assert row == PYTHON.count(one, bleu_layout(order, counting))[0].to_row()


@pytest.mark.parametrize(
    ("candidate", "references"),
    [
        ("ab", [["a"]]),
        (["a"], "ab"),
        (["a"], ["a"]),
        (["a"], []),
        (["a", 1], [["a"]]),
        (["a"], [["a"], [Word("a")]]),
        (["\ud800"], [["a"]]),
        (iter(["a"]), [["a"]]),
        (None, None),
        (["a"] * LONG, [["a"] * LONG]),
    ],
)
def test_one_segment_that_is_unusual_or_long_is_left_to_others(candidate, references):
    assert NATIVE.count_one(candidate, references, bleu_layout(4, TOKENS)) is None
    assert NATIVE.count_one(["a"], [["a", "b"]], bleu_layout(1, TOKENS)) == (
        1,
        2,
        1,
        1,
    )  # nothing is left over from the last call


def test_tokens_are_equal_where_python_says_so():
    candidate = [1, 1.0, True, 2**64, Word("a"), ("x",)]
    reference = [True, Decimal(1), 1, 2.0**64, "a", ("x",)]
    for tokens, matches in ((candidate, (6, 5)), ([1, 2], (0, 0)), (["1", 1], (1, 0))):
        segments = pair_segments([tokens], [[reference if len(tokens) > 2 else ["1", "2"]]], pretokenized=True)
        assert assert_equal(segments, TOKENS, 2)[0].matches == matches


@pytest.mark.parametrize("case", AXES["case"].choices)
def test_a_subclass_of_str_counts_for_what_it_holds(case):
    segments = pair_segments([Word("The cat"), Kind.LOUD], ["The cat", [Kind.LOUD, "the cat"]], cased=case != "mixed")
    for tokenizer in FUNCTIONS:
        stats = assert_equal(segments, Counting(tokenizer, case, "closest", "exact"), 2).total()
        assert stats.matches == stats.totals


def with_surrogates(text):
    return ["\ud800" + word for word in text.split()]


def mixed_kinds(text):
    return [int(word) if word.isdecimal() else (word, 1) if word.isalpha() else word for word in text.split()]


@pytest.mark.parametrize("function", [str.split, list, with_surrogates, mixed_kinds], ids=lambda f: f.__name__)
@settings(max_examples=60)
@given(corpora(), ORDERS, st.sampled_from([*AXES["case"].choices]))
def test_own_tokenizers_are_counted_alike(function, segments, order, case):
    name = f"engines-{function.__name__}"
    bp.register_tokenizer(name, function)
    for tokenizer in (function, name):
        assert_equal(segments, Counting(tokenizer, case, "closest", "exact"), order)


# Floats in bulk, and sums.

COUNTS = st.integers(0, 12) | st.integers(0, 2**50)
RECIPES = st.builds(
    bp.Recipe,
    tokenizer=st.just("whitespace"),
    case=st.just("mixed"),
    weights=st.lists(st.sampled_from((0, 0.25, 0.1, 1 / 3, 1, 2.5, 1e-9, 4)) | st.floats(0, 2), min_size=1, max_size=9)
    .map(tuple)
    .filter(any),
    smoothing=st.sampled_from(CORPUS_SMOOTHINGS)
    | st.builds(
        Smoothing, st.sampled_from(("epsilon", "floor", "add-k", "add-k-all", "nltk-method4")), st.floats(1e-6, 1)
    ),
    **{field: st.sampled_from([*axis.choices]) for field, axis in AXES.items() if axis.choices and field != "case"},
)


@st.composite
def tables(draw, order):
    """Rows as they can occur, and more: matches of an order at most its total."""
    rows = []
    for _ in range(draw(st.integers(1, 6))):
        length = draw(COUNTS)
        least = draw(st.integers(0, 1))
        totals = [max(least, length - n) for n in range(order)]
        matches = [draw(st.just(0) | st.just(total) | st.integers(0, total)) for total in totals]
        rows += [length, draw(COUNTS | st.just(length)), *matches, *totals]
    return StatsTable(bleu_layout(order), rows)


@pytest.mark.parametrize("name", ["paper", "sacrebleu", "nltk", "chrf", "torchmetrics-chrf", "nltk-chrf"])
def test_rows_beyond_53_bits_are_scored_by_python(name):
    recipe, rng = bp.Recipe.of(name), random.Random(7)
    width = recipe.layout.width
    for bits in (53, 54, 60, 62):
        table = StatsTable(recipe.layout, [rng.randrange(2**bits) for _ in range(40 * width)])
        assert NATIVE.score_rows(table, recipe) == PYTHON.score_rows(table, recipe)


def assert_scores_equal(table, recipe):
    expected = [100.0 * combine(stats.up_to(recipe.order), recipe).fraction for stats in table]
    assert list(map(float.hex, NATIVE.score_rows(table, recipe))) == list(map(float.hex, expected))
    return expected


@given(st.data(), RECIPES, st.integers(0, 2))
def test_bulk_scores_equal_the_formula_to_the_bit(chance, recipe, surplus):
    assert_scores_equal(chance.draw(tables(recipe.order + surplus)), recipe)


def random_row(chance, order):
    length = chance.choice((0, 1, 2, 3, 7, 25, 10**4, 2**50))
    least = chance.randint(0, 1)
    totals = [max(least, length - n) for n in range(order)]
    matches = [chance.choice((0, total, chance.randint(0, total))) for total in totals]
    return [length, chance.choice((0, length, length + 1, chance.randint(0, 3 * length))), *matches, *totals]


LEFT_TO_THE_FORMULA = {"brevity", "across_orders"}
"""Axes of which the kernel has the usual choice alone."""


@pytest.mark.parametrize("left_out", [LEFT_TO_THE_FORMULA, pytest.param(set(), marks=pytest.mark.extended, id="none")])
def test_bulk_scores_equal_the_formula_for_every_choice_on_every_axis(left_out):
    chance = random.Random(100)
    axes = [field for field, axis in AXES.items() if axis.choices and field not in {"case", *left_out}]
    scores = []
    for kind, *choices in itertools.product(CORPUS_SMOOTHINGS, *(AXES[field].choices for field in axes)):
        weights = [chance.choice((0, 0.25, 1 / 3, 1, chance.random())) for _ in range(chance.randint(0, 8))] + [0.1]
        chosen = dict(zip(axes, choices, strict=True))
        recipe = bp.Recipe(tokenizer="whitespace", weights=weights, smoothing=kind, **chosen)
        rows = [number for _ in range(4) for number in random_row(chance, recipe.order)]
        scores += assert_scores_equal(StatsTable(bleu_layout(recipe.order), rows), recipe)
    assert sum(0 < score < 100 for score in scores) > len(scores) / 4


def test_bulk_scores_equal_the_formula_in_every_dialect():
    chance = random.Random(200)
    for dialect in CORPUS_DIALECTS:
        table = StatsTable(bleu_layout(4), [number for _ in range(300) for number in random_row(chance, 4)])
        assert_scores_equal(table, bp.Recipe.named(dialect))


def add_up(table):
    """The total and the census of a table, by hand."""
    rows = list(table)
    order = table.layout.order
    total = sum(rows, start=bp.BleuStats.zero(order))
    short = (sum(stats.candidate_length < n for stats in rows) for n in range(1, order + 1))
    return total, (len(rows), *short, sum(stats.reference_length < 1 for stats in rows))


@given(st.integers(1, 5).flatmap(tables))
@example(StatsTable(bleu_layout(1), [2**62] * 8))
@example(StatsTable(bleu_layout(1), [-(2**63)] * 8))
@example(StatsTable(bleu_layout(2), [-3, 0, 1, 1, 1, 1, 1, -1, 0, 0, 0, 0]))
@example(StatsTable(bleu_layout(3)))
def test_tables_add_up_as_by_hand(table):
    assert (table.total(), table.census()) == add_up(table)


@pytest.mark.parametrize(("order", "numbers"), [(1, [1, 2, 3]), (2, [1] * 7)])
def test_a_table_of_half_rows_is_refused(order, numbers):
    with pytest.raises(bp.BleuprintError):
        StatsTable(bleu_layout(order), numbers)


@pytest.mark.parametrize("order", [0, -1])
def test_there_are_no_rows_without_an_order(order):
    with pytest.raises(bp.BleuprintError):
        bleu_layout(order)


@given(corpora(), COUNTINGS, ORDERS, THREADS)
def test_both_engines_count_plain_matches_alike(segments, counting, order, threads):
    layout = bleu_layout(order, counting)
    plain = PYTHON.count_plain(segments, layout)
    assert NATIVE.count_plain(segments, layout, threads) == plain
    table = PYTHON.count(segments, layout)
    assert PYTHON.count_with_plain(segments, layout) == (table, plain)
    assert NATIVE.count_with_plain(segments, layout, threads) == (table, plain)
    assert all(own >= other for own, other in zip(plain, table.total().matches, strict=True))


def test_plain_matches_of_long_candidates_and_of_any_tokens():
    long = Segments(["a b " * 200, "x"], [("a b a", "b a b b"), ("x x x",)])
    for order in (1, 2, 3, 5):
        layout = bleu_layout(order, Counting("13a", "mixed", "closest", "exact"))
        assert NATIVE.count_with_plain(long, layout) == PYTHON.count_with_plain(long, layout)
    tokens = Segments([(1, (2, 3), 1)], [((1, (2, 3)),)])
    assert (
        NATIVE.count_with_plain(tokens, bleu_layout(2, TOKENS))
        == PYTHON.count_with_plain(tokens, bleu_layout(2, TOKENS))
        == (PYTHON.count(tokens, bleu_layout(2, TOKENS)), (3, 1))
    )


@pytest.mark.parametrize("name", ["chrf++", "ter"])
def test_metrics_that_are_counted_twice_for_it_have_plain_matches_beside_their_rows(name):
    segments, layout = Segments(["a b a"], [("a c", "b b a")]), bp.Recipe.named(name).layout
    expected = PYTHON.count(segments, layout), PYTHON.count_plain(segments, layout)
    assert NATIVE.count_with_plain(segments, layout) == expected


# Errors.

REFUSED = """
import json, sys
import bleuprint as bp

tokens = bp.Recipe.named("paper").replace(tokenizer="pretokenized")
lowered = tokens.replace(case="lower")
joining = bp.Recipe.named("paper").replace(tokenizer=str.lower)
nan = float("nan")
calls = [
    (([], []), {}), ((["a"], []), {}), ((["a", "b"], ["a"]), {}), ((["a"], ["a", "b"]), {}),
    ((["a"], [["a"], ["b"]]), {}),
    (("a", ["a"]), {}), ((["a"], "a"), {}), ((None, ["a"]), {}), ((["a"], None), {}), ((5, 5), {}),
    (([None], ["a"]), {}), ((["a"], [None]), {}), ((["a"], [[None]]), {}), ((["a"], [[]]), {}),
    (([b"a"], ["a"]), {}), ((["a"], [b"a"]), {}), ((["a"], [["a", b"a"]]), {}), ((b"a", b"a"), {}),
    (([1], ["a"]), {}), ((["a", nan], ["a", "b"]), {}), ((["a"], [[["a"]]]), {}), (([["a"]], ["a"]), {}),
    ((["a"], {"a"}), {}), (({"a": 1}, ["a"]), {}), ((["a"], [{"a"}]), {}),
    ((["a", "b\\ud800"], ["a", "b"]), {}), ((["a"], ["é\\udfff"]), {}), ((["a"], [["a", "中\\ud83d"]]), {}),
    (([["a"]], [["a"]]), {"recipe": tokens}), ((["a"], [[["a"]]]), {"recipe": tokens}),
    (([["a"]], ["a"]), {"recipe": tokens}),
    (([[["a"]]], [[["a"]]]), {"recipe": tokens}), (([["a", nan]], [[["a"]]]), {"recipe": tokens}),
    (([["a", "\\ud800"]], [[["a"]]]), {"recipe": tokens}), (([["a"]], [[["a", "\\ud800"]]]), {"recipe": tokens}),
    (([["a"]], [[["a", 1]]]), {"recipe": lowered}), (([[1]], [[["a"]]]), {"recipe": lowered}),
    (([["a"]], [[]]), {"recipe": tokens}), (([None], [[["a"]]]), {"recipe": tokens}),
    (([b"a"], [[["a"]]]), {"recipe": tokens}),
    ((["a"], ["a"]), {"recipe": joining}), ((["a"], ["a"]), {"recipe": "nonsense"}),
    *[((["a"], ["a"]), {"threads": threads}) for threads in (0, -1, 1025, 2**70, 1.0, True, "2", [1])],
]
answers = []
for number, (positional, named) in enumerate(calls):
    for verb in (bp.score, bp.statistics, bp.score_segments):
        try:
            verb(*positional, **named)
            answers.append([str(number), "accepted", ""])
        except Exception as error:
            answers.append([str(number), type(error).__name__, str(error)])
print(json.dumps(answers))
"""


def test_both_engines_refuse_with_the_same_words():
    answers = {name: engine_process.answer(REFUSED, name) for name in engine_process.ENGINES}
    assert answers["native"] == answers["python"]
    for call, kind, message in answers["native"]:
        assert kind in ("InputTypeError", "ShapeError", "RecipeError"), call
        assert message, call
    text = json.dumps(answers["native"])
    assert "candidates[1]: expected text that UTF-8 can encode, got the lone surrogate U+D800 at character 1" in text
    assert "references[0][1]: expected text that UTF-8 can encode, got the lone surrogate U+D83D at character 1" in text


@pytest.mark.parametrize("threads", [0, -1, 1025, 2**70, 1.0, True, "2"])
def test_threads_must_be_a_number_of_threads(threads):
    for verb in (bp.score, bp.statistics, bp.score_segments, bp.pairwise, bp.Accumulator().add_batch):
        with pytest.raises(bp.BleuprintError) as caught:
            verb(["a"], ["a"], threads=threads)
        assert caught.value.location == Location("threads")


def test_the_kernel_refuses_what_does_not_fit_its_buffers():
    room = StatsTable.zeros(bleu_layout(1), 1).numbers
    for references, order, numbers in (([], 1, room), ([("a",)], 2, room), ([()], 1, room), ([("a",)], 0, room)):
        with pytest.raises(ValueError, match=r"differ in number|another size|needs a reference|at least 1"):
            kernel.BleuKernel(["13a", "closest", "exact"], [order]).count(["a"], references, "mixed", numbers, 0)
    with pytest.raises(ValueError, match="64-bit"):
        kernel.BleuKernel(["13a", "closest", "exact"], [1]).count(["a"], [("a",)], "mixed", bytearray(32), 0)


WITH_FORMULA = ["13a", "closest", "exact", "exp", "zero", "zero", "zero"]


@pytest.mark.parametrize(
    ("names", "numbers", "why"),
    [
        (["nonsense", "closest", "exact"], [1], "nonsense"),
        (["13a", "nonsense", "exact"], [1], "nonsense"),
        (["13a", "closest", "nonsense"], [1], "nonsense"),
        (["13a", "closest"], [1], "other options"),
        (["13a", "closest", "exact"], [], "other options"),
        (["13a", "closest", "exact"], [2.0**40], "other size"),
        (["13a", "closest", "exact"], [float("nan")], "other size"),
        (WITH_FORMULA, [2, 0.0, 1.0], "every order"),
        ([*WITH_FORMULA[:3], "nonsense", *WITH_FORMULA[4:]], [1, 0.0, 1.0], "nonsense"),
    ],
)
def test_the_kernel_refuses_options_that_it_does_not_know(names, numbers, why):
    with pytest.raises(ValueError, match=why):
        kernel.BleuKernel(names, numbers)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("sacrebleu", True), ("chrf++", True), ("ter", True), ("pycocoevalcap", False), ("nltk-method5", False)],
)
def test_resamples_take_no_longer_than_a_few_if_the_kernel_has_the_formula(name, expected):
    recipe = bp.Recipe.named(name)
    assert NATIVE.scores_resamples(recipe) is expected
    assert not PYTHON.scores_resamples(recipe)


def test_without_a_formula_the_kernel_only_counts():
    bleu, table = kernel.BleuKernel(["13a", "closest", "exact"], [1]), StatsTable.zeros(bleu_layout(1), 1)
    with pytest.raises(ValueError, match="does not know this formula"):
        bleu.score_rows(table.numbers, 4, memoryview(bytearray(8)).cast("d"))


# Threads and processes.


def large_corpus(segments=200):
    chance = random.Random(600)

    def text():
        return " ".join(chance.choices(WORDS, k=chance.choice((0, 1, 5, 20, 60))))

    return [text() for _ in range(segments)], [[text() for _ in range(chance.randint(1, 3))] for _ in range(segments)]


@pytest.mark.parametrize("tokenizer", [*FUNCTIONS, "pretokenized"])
def test_results_do_not_depend_on_the_number_of_threads(tokenizer):
    candidates, references = large_corpus()
    if tokenizer == "pretokenized":
        candidates = [text.split() for text in candidates]
        references = [[text.split() for text in texts] for texts in references]
    segments = pair_segments(candidates, references, pretokenized=tokenizer == "pretokenized")
    counting = Counting(tokenizer, "mixed", "closest", "exact")
    expected = PYTHON.count(segments, bleu_layout(4, counting))
    for threads in (None, 1, 2, 3, 7, 64, 1024):
        assert NATIVE.count(segments, bleu_layout(4, counting), threads) == expected, threads


def test_many_python_threads_may_call_at_once():
    candidates, references = large_corpus(40)
    prepared = bp.References(references)

    def everything(which):
        recipe = bp.Recipe.named([*DIALECTS][which % len(DIALECTS)]).replace(tokenizer=[*FUNCTIONS][which % 5])
        return (
            recipe,
            bp.statistics(candidates, references, recipe, threads=which % 3 + 1),
            prepared.statistics(candidates, threads=which % 3 + 1),
            bp.pairwise(candidates[:8], references[:8], recipe, threads=2).means(),
        )

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(everything, range(2 * len(DIALECTS))))
    segments = pair_segments(candidates, references)
    sacrebleu = PYTHON.count(segments, bleu_layout(4, bp.Recipe.named("sacrebleu").counting))
    expected = {
        recipe: PYTHON.count(segments, bleu_layout(recipe.layout.order, recipe.counting)) for recipe, *_ in found
    }
    means = {recipe: bp.pairwise(candidates[:8], references[:8], recipe).means() for recipe in expected}
    for recipe, table, of_prepared, own_means in found:
        assert table == expected[recipe]
        assert of_prepared == sacrebleu
        assert own_means == means[recipe]


FORKING = """
import multiprocessing, os, random, signal, sys, threading
import bleuprint as bp

chance = random.Random(1)
texts = [" ".join(chance.choices(["a", "b.", "3.5", "中"], k=30)) for _ in range(2000)]
references = texts[1:] + texts[:1]

def count(tokenizer):
    recipe = bp.Recipe.named("paper").replace(tokenizer=tokenizer)
    return list(bp.statistics(texts, references, recipe, threads=3).total().to_row())

def use_pool(method):
    expected = list(map(count, ["13a", "intl", "zh"] * 2))
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(count, ["13a", "intl", "zh"] * 2) == expected

def fork_while_counting():
    expected = [count("13a"), count("intl")]
    stop = threading.Event()
    def go_on():
        while not stop.is_set():
            count("13a")
    others = [threading.Thread(target=go_on, daemon=True) for _ in range(2)]
    for other in others:
        other.start()
    for _ in range(20):
        child = os.fork()
        if child == 0:
            signal.alarm(100)  # a child that waits for ever is killed, and seen
            os._exit(0 if [count("13a"), count("intl")] == expected else 1)
        assert os.waitpid(child, 0)[1] == 0
    stop.set()
    for other in others:
        other.join()

def load_with_torch():
    from torch.utils.data import DataLoader
    expected = count("13a")
    loader = DataLoader(["13a"] * 6, num_workers=2, collate_fn=lambda batch: [count(name) for name in batch])
    assert [row for batch in loader for row in batch] == [expected] * 6

if __name__ == "__main__":
    {"pool": use_pool, "fork": fork_while_counting, "torch": load_with_torch}[sys.argv[1]](*sys.argv[2:])
    print("equal", bp.engine().name)
"""


@pytest.mark.parametrize(
    "what",
    [("pool", "fork"), ("pool", "spawn"), ("fork",), pytest.param(("torch",), marks=pytest.mark.extended)],
    ids="-".join,
)
def test_the_kernel_works_in_processes_made_after_and_while_counting(what, tmp_path):
    script = tmp_path / "forking.py"
    script.write_text(FORKING, encoding="utf-8")
    done = engine_process.run("-W", "ignore", script, *what)
    assert (done.stdout, done.returncode) == ("equal native\n", 0), done.stderr


# Memory.


def test_numpy_sees_statistics_and_pairs_without_a_copy():
    table = bp.statistics(["a b", "c"], ["a b", "d"], "paper")
    pairs = bp.pairwise(["a b", "c"], ["a b", "d", "c"])
    for owner, shape, read in ((table, (2, 10), lambda: table.row(1)[2]), (pairs, (2, 3), lambda: pairs[1][2])):
        view = np.asarray(owner)
        assert view.shape == shape
        assert np.shares_memory(view, np.asarray(owner))
        assert view.tolist() == [list(owner.row(place) if owner is table else owner[place]) for place in range(2)]
        view[1, 2] = 77
        assert read() == 77


def test_a_table_cannot_grow_while_numpy_looks_at_it():
    table = bp.statistics(["a b"], ["a b"], "paper")
    view = np.asarray(table)
    with pytest.raises(BufferError):
        table.append(table[0])
    assert view.shape == (1, 10)


# The choice of the engine.


def test_the_environment_chooses_the_engine():
    for chosen in engine_process.ENGINES:
        done = engine_process.run("-m", "bleuprint", "--version", BLEUPRINT_ENGINE=chosen)
        assert done.stdout.startswith(f"bleuprint {bp.__version__}, engine: {chosen} ("), done.stderr
        assert "as BLEUPRINT_ENGINE says" in done.stdout
    assert engine_process.run("-m", "bleuprint", "--version").stdout.endswith("engine: native (compiled kernel)\n")


def test_a_nonsense_engine_is_refused_with_the_names_of_the_real_ones():
    done = engine_process.run("-m", "bleuprint", "explain", "a", "a", BLEUPRINT_ENGINE="nonsense")
    assert done.returncode == 2
    assert "Unknown engine 'nonsense'." in done.stderr
    assert "Traceback" not in done.stderr


def test_both_engines_print_the_same_score():
    folder = Path(__file__).parents[2] / "examples"
    files = [folder / name for name in ("candidate-a.txt", "reference-1.txt", "reference-2.txt")]
    printed = {
        engine_process.run("-m", "bleuprint", "score", *files, BLEUPRINT_ENGINE=name).stdout
        for name in engine_process.ENGINES
    }
    assert len(printed) == 1
    assert "bleuprint:1|tok:13a" in printed.pop()


def test_a_huge_text_does_not_stay_in_the_memory_of_a_thread():
    huge = " ".join(map(str, range(300_000)))
    texts = [(huge, huge), ("a", huge), (huge, "a"), ("a", ["b"] * 1_000_000), ("&amp;" + "x" * 9_000_000, "a")]
    tokens = ["a"] * 5_000_000
    token_lists = [(tokens, [["a"]]), (["a"], [tokens]), (["a"], [[]] * 1_000_000)]

    def kept(count, segments):
        for candidate, references in segments:
            count(candidate, references)
            yield kernel.scratch_bytes()

    def run():  # in a thread of its own, which has kept nothing yet
        yield from kept(bp.score_sentence, [("a b", "a c"), *texts])
        bleu = kernel.BleuKernel(["whitespace", "closest", "exact"], [4])
        yield from kept(bleu.count_one, token_lists)

    with ThreadPoolExecutor(1) as thread:
        found = thread.submit(lambda: list(run())).result()
    assert len(found) == 9
    assert 0 < max(found) < 100_000


def test_a_thread_keeps_the_memory_of_a_small_snapshot_and_not_that_of_a_huge_one():
    def take(tokens):
        return kernel.TokenSnapshot.take([tokens], [[tokens]])

    def run():  # in a thread of its own, which has kept nothing yet
        take(["a"] * 3_000_000)
        yield kernel.scratch_bytes()
        take(["a"] * 10_000)
        yield kernel.scratch_bytes()
        first, second = (
            take(["kept", "é" * 20]),
            take(["b", "x" * 20]),
        )  # one in memory that held others, one in its own
        yield kernel.scratch_bytes()
        yield [[*one.candidates(), *one.references()] for one in (first, second)]

    with ThreadPoolExecutor(1) as thread:
        huge, small, in_use, texts = thread.submit(lambda: list(run())).result()
    assert huge == in_use
    assert huge + 50_000 < small < huge + 1_000_000
    expected = [("kept", "é" * 20), ("b", "x" * 20)]
    assert texts == [[tokens, (tokens,)] for tokens in expected]


SCORED_IN_BULK = {
    "sacrebleu": {},
    "sacrebleu lowered": {"case": "lower"},
    "chrf": {},
    "ter": {},
    "ter mixed": {"case": "mixed"},
    "nltk tokens": {"tokenizer": "pretokenized"},
}


@pytest.mark.parametrize("name", SCORED_IN_BULK)
def test_a_corpus_takes_no_more_calls_of_python_for_more_segments(name):
    recipe = bp.Recipe.named(name.split()[0]).replace(**SCORED_IN_BULK[name])
    text = ["A", "cat", "Über", "all"]

    def calls(segments):
        texts = [text if "tokens" in name else " ".join(text)] * segments
        references = [[one] for one in texts]
        bp.score(texts, references, recipe, threads=1)
        seen = Counter()
        sys.setprofile(lambda frame, event, _: seen.update([frame.f_code.co_name] if event == "call" else []))
        try:
            bp.score(texts, references, recipe, threads=1)
        finally:
            sys.setprofile(None)
        return seen

    assert calls(10) == calls(300)
