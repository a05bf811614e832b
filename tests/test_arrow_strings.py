"""Columns of Arrow are counted where they lie, with the counts of the same texts as Python strings."""

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.engines import count_segments, native
from bleuprint.engines.columns import count_columns, read_columns
from bleuprint.faults import RowFault

COUNTING = bp.Recipe.named("sacrebleu").counting
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30) | st.sampled_from(["", "a b, c.", "é " * 9])
BYTES = (
    TEXTS.map(str.encode)
    | st.binary(max_size=4)
    | st.sampled_from([b"a \xed\xa0\x80", b"\xc0\xaf", b"\xf4\x90\x80\x80"])
)
TEXT_TYPES = (pa.string(), pa.large_string(), pa.string_view())
BYTE_TYPES = (pa.binary(), pa.large_binary(), pa.binary_view())
DICTIONARIES = tuple(
    pa.dictionary(index, pa.string())
    for index in (pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(), pa.int64())
)
LISTS = (
    pa.list_(pa.string()), pa.large_list(pa.string_view()), pa.list_(pa.large_string()), pa.list_(pa.string(), 2),
    pa.list_view(pa.string()), pa.large_list_view(pa.string()),
)  # fmt: skip


def assert_equals_the_definition(candidates, references):
    segments, faults = read_columns(candidates, references)
    table, found = count_columns(candidates, references, COUNTING, 4)
    assert found == faults
    assert table == count_segments(segments, COUNTING, 4)
    return segments, faults


@pytest.mark.parametrize("kind", [*TEXT_TYPES, *DICTIONARIES], ids=str)
@settings(max_examples=60)
@given(rows=st.lists(st.tuples(*[st.none() | TEXTS] * 3), min_size=1, max_size=6), start=st.integers(0, 5))
def test_columns_give_the_counts_of_their_texts(kind, rows, start):
    start %= len(rows)
    columns = [pa.array(column, kind)[start:] for column in zip(*rows, strict=True)]
    segments, faults = assert_equals_the_definition(columns[0], columns[1:])
    good = [row for row in rows[start:] if row[0] is not None and row[1:] != (None, None)]
    assert segments.candidates == [row[0] for row in good]
    assert segments.references == [tuple(text for text in row[1:] if text is not None) for row in good]
    assert len(faults) == len(rows) - start - len(good)


@pytest.mark.parametrize("kind", LISTS, ids=str)
@settings(max_examples=60)
@given(rows=st.lists(st.tuples(TEXTS, st.none() | st.tuples(*[st.none() | TEXTS] * 2)), min_size=1, max_size=5))
def test_lists_give_the_counts_of_their_texts(kind, rows):
    candidates = pa.array([row[0] for row in rows])
    references = pa.array([None if row[1] is None else list(row[1]) for row in rows], kind)
    for start in range(len(rows)):
        segments, _ = assert_equals_the_definition(candidates[start:], [references[start:]])
        kept = [tuple(text for text in row[1] or () if text is not None) for row in rows[start:]]
        assert segments.references == [texts for texts in kept if texts]


@pytest.mark.parametrize("kind", BYTE_TYPES, ids=str)
@settings(max_examples=60)
@given(rows=st.lists(st.tuples(BYTES, BYTES), min_size=1, max_size=6))
def test_bytes_are_texts_if_they_are_utf8(kind, rows):
    columns = [pa.array(column, kind) for column in zip(*rows, strict=True)]
    _, faults = assert_equals_the_definition(columns[0], columns[1:])
    assert faults == [
        RowFault(number, f"broken-{where}")
        for number, (candidate, reference) in enumerate(rows)
        if (where := "candidate" if is_broken(candidate) else "reference" if is_broken(reference) else "")
    ]


def is_broken(text):
    try:
        text.decode()
    except UnicodeDecodeError:
        return True
    return False


def test_strings_that_are_not_utf8_are_found_too():
    broken = pa.Array.from_buffers(pa.string(), 2, pa.array([b"a\xff", b"b"]).buffers())
    good = pa.array(["a", "b"])
    assert assert_equals_the_definition(broken, [good])[1] == [RowFault(0, "broken-candidate")]
    assert assert_equals_the_definition(good, [broken])[1] == [RowFault(0, "broken-reference")]
    listed = pa.ListArray.from_arrays(pa.array([0, 1, 2], pa.int32()), broken)
    assert assert_equals_the_definition(good, [listed])[1] == [RowFault(0, "broken-reference")]


def test_a_row_counts_under_the_first_of_its_faults():
    candidates = pa.array([None, b"\xff", b"a", b"a", b"a"])
    references = [pa.array([None, b"\xff", b"\xff", None, b"a"]), pa.array([None, None, b"a", None, None])]
    kinds = ["null-candidate", "broken-candidate", "broken-reference", "no-reference"]
    assert assert_equals_the_definition(candidates, references)[1] == [RowFault(*pair) for pair in enumerate(kinds)]


def test_a_column_of_nothing_has_no_texts():
    candidates = pa.array(["a", "b"])
    assert assert_equals_the_definition(candidates, [pa.nulls(2)])[1] == [
        RowFault(row, "no-reference") for row in (0, 1)
    ]
    assert not assert_equals_the_definition(candidates, [pa.nulls(2), candidates])[1]


def test_no_rows_are_no_statistics():
    empty = pa.array([], pa.string())
    assert count_columns(empty, [empty], COUNTING, 4) == (bp.StatsTable(4), [])


@pytest.mark.parametrize(
    ("candidates", "references", "message"),
    [
        (pa.array([1]), [pa.array(["a"])], "a column of strings .* 'l'"),
        (pa.array(["a"]), [pa.array([{"a": "b"}])], r"a column of strings .* '\+s'|a column of strings .* 'u'"),
        (pa.array(["a"]), [pa.array(["a", "b"])], "differ in length"),
        (pa.array(["a"]), [], "at least one column"),
    ],
)
def test_what_is_no_column_of_texts_is_refused(candidates, references, message):
    with pytest.raises(ValueError, match=message):
        native.count_columns(candidates, references, COUNTING, 4)


@pytest.mark.parametrize("change", [{"case": "lower"}, {"tokenizer": str.split}], ids=str)
def test_recipes_that_need_python_strings_get_them(change):
    recipe = bp.Recipe.named("sacrebleu").replace(**change)
    candidates, references = ["The Cat sat", "a b"], ["the cat sat", "b"]
    table, faults = count_columns(pa.array(candidates), [pa.array(references)], recipe.counting, 4)
    assert not faults
    assert table == bp.statistics(candidates, references, recipe)


def test_tokens_are_lists():
    recipe = bp.Recipe.named("paper").replace(tokenizer="pretokenized")
    candidates, references = [["a", "b"], [], None], [[["a", "c"], ["b"]], [[]], [["a"]]]
    table, faults = count_columns(pa.array(candidates), [pa.array(references)], recipe.counting, 4)
    assert faults == [RowFault(2, "null-candidate")]
    assert table == bp.statistics(candidates[:2], references[:2], recipe)
    single = pa.array([["a", "c"], [], ["a"]])
    assert count_columns(pa.array(candidates), [single], recipe.counting, 4)[0] == bp.statistics(
        candidates[:2], [[["a", "c"]], [[]]], recipe
    )
