"""Columns of Arrow are counted where they lie, with the counts of the same texts as Python strings."""

import pytest

pytest.importorskip("pyarrow")

import struct

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.engines import arrow_memory, find_engine
from bleuprint.engines.columns import read_columns
from bleuprint.metrics.bleu.counting import bleu_layout
from bleuprint.native_kernel import find_kernel
from bleuprint.results import StatsTable
from bleuprint.text.faults import RowFault
from engine_pair import NATIVE

pytestmark = pytest.mark.needs("pyarrow")


COUNTING = bp.Recipe.named("sacrebleu").counting
LAYOUT = bleu_layout(4, COUNTING)
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
    table, found = find_engine().count_columns(candidates, references, LAYOUT)
    assert found == faults
    assert table == find_engine().count(segments, LAYOUT)
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
    assert find_engine().count_columns(empty, [empty], LAYOUT) == (StatsTable(LAYOUT), [])


@pytest.mark.parametrize(
    ("candidates", "references", "message"),
    [
        (pa.array([1]), [pa.array(["a"])], "Arrow's type 'l' in place of strings"),
        (pa.array(["a"]), [pa.array([{"a": "b"}])], r"Arrow's type '(\+s|u)' in place of strings"),
        (pa.array(["a"]), [pa.array(["a", "b"])], "differ in length"),
        (pa.array(["a"]), [], "got no column of references"),
    ],
)
def test_what_is_no_column_of_texts_is_refused(candidates, references, message):
    with pytest.raises(ValueError, match=message):
        NATIVE.count_columns(candidates, references, LAYOUT)


@pytest.mark.parametrize("change", [{"case": "lower"}, {"tokenizer": str.split}], ids=str)
def test_recipes_that_need_python_strings_get_them(change):
    recipe = bp.Recipe.named("sacrebleu").replace(**change)
    candidates, references = ["The Cat sat", "a b"], ["the cat sat", "b"]
    table, faults = find_engine().count_columns(pa.array(candidates), [pa.array(references)], recipe.layout)
    assert not faults
    assert table == bp.statistics(candidates, references, recipe)


def test_tokens_are_lists():
    recipe = bp.Recipe.named("paper").replace(tokenizer="pretokenized")
    candidates, references = [["a", "b"], [], None], [[["a", "c"], ["b"]], [[]], [["a"]]]
    table, faults = find_engine().count_columns(pa.array(candidates), [pa.array(references)], recipe.layout)
    assert faults == [RowFault(2, "null-candidate")]
    assert table == bp.statistics(candidates[:2], references[:2], recipe)
    single = pa.array([["a", "c"], [], ["a"]])
    assert find_engine().count_columns(pa.array(candidates), [single], recipe.layout)[0] == bp.statistics(
        candidates[:2], [[["a", "c"]], [[]]], recipe
    )


# Memory that breaks Arrow's format.

COUNTS = {pa.types.is_list: 2, pa.types.is_large_list: 2, pa.types.is_list_view: 3, pa.types.is_large_list_view: 3}


def with_own_memory(array, memories):
    """Make an array anew, in memory of its own that can be written to; all of it is put into ``memories``."""
    if pa.types.is_dictionary(array.type):
        own = with_own_memory(array.indices, memories), with_own_memory(array.dictionary, memories)
        return pa.DictionaryArray.from_arrays(*own, safe=False)
    nested = hasattr(array.type, "value_field")
    count = next((count for test, count in COUNTS.items() if test(array.type)), 1) if nested else None
    buffers = []
    for buffer in array.buffers()[:count]:
        if buffer is not None:
            memories.append(bytearray(buffer.to_pybytes()))
        buffers.append(None if buffer is None else pa.py_buffer(memories[-1]))
    children = [with_own_memory(array.values, memories)] if nested else None
    return pa.Array.from_buffers(array.type, len(array), buffers, offset=array.offset, children=children)


def damaged(array, which, place, replacement):
    """Put other bytes into one of an array's buffers."""
    memories = []
    made = with_own_memory(array, memories)
    memory = memories[which % len(memories)]
    if memory:
        start = place % len(memory) // len(replacement) * len(replacement)  # where a number would be
        part = memoryview(memory)[start : start + len(replacement)]
        part[:] = replacement[: len(part)]
    return made


def as_bytes(kind):
    if pa.types.is_dictionary(kind):
        return pa.dictionary(kind.index_type, as_bytes(kind.value_type))
    if hasattr(kind, "value_field"):
        make = {"list": pa.list_, "large_list": pa.large_list, "list_view": pa.list_view}
        if pa.types.is_fixed_size_list(kind):
            return pa.list_(as_bytes(kind.value_type), kind.list_size)
        return make.get(str(kind).split("<")[0], pa.large_list_view)(as_bytes(kind.value_type))
    return dict(zip(TEXT_TYPES, BYTE_TYPES, strict=True)).get(kind, kind)


def arrow_refuses(array):
    """Whether Arrow's full validation refuses an array, apart from strings that are not UTF-8."""
    try:
        array.validate()
        array.view(as_bytes(array.type)).validate(full=True)
    except pa.ArrowException:
        return True
    return False


DAMAGE = st.tuples(
    st.integers(0, 8),
    st.integers(0, 300),
    st.one_of(
        st.integers(-3, 40).map(lambda number: struct.pack("<i", number)),
        st.sampled_from([2**31 - 1, -(2**31), 2 * 10**9]).map(lambda number: struct.pack("<i", number)),
        st.integers(-(2**63), 2**63 - 1).map(lambda number: struct.pack("<q", number)),
        st.binary(min_size=1, max_size=1),
    ),
)


@pytest.mark.parametrize("kind", [*TEXT_TYPES, *BYTE_TYPES, *DICTIONARIES, *LISTS, pa.list_(DICTIONARIES[0])], ids=str)
@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(st.none() | st.tuples(*[st.text("abc é", max_size=20)] * 2), min_size=1, max_size=6), damage=DAMAGE
)
def test_what_arrows_full_validation_refuses_is_refused(kind, rows, damage):
    is_list = hasattr(kind, "value_field")
    good = pa.array([row and (list(row) if is_list else row[0]) for row in rows], kind)
    array = damaged(good, *damage)
    candidates = pa.array(["a b c"] * len(rows))
    pairs = [(candidates, [array])] + ([] if is_list else [(array, [candidates])])
    for columns in pairs:
        if arrow_refuses(array):
            with pytest.raises(bp.BleuprintError, match="breaks Arrow's format"):
                find_engine().count_columns(*columns, LAYOUT)
            with pytest.raises(bp.BleuprintError, match="breaks Arrow's format"):
                read_columns(*columns)
        else:
            assert_equals_the_definition(*columns)


@pytest.mark.parametrize("kind", [*TEXT_TYPES, *DICTIONARIES, *LISTS, pa.list_(DICTIONARIES[0])], ids=str)
@settings(max_examples=40, deadline=None)
@given(
    rows=st.lists(st.none() | st.tuples(*[st.text("abc é", max_size=20)] * 2), min_size=1, max_size=6), damage=DAMAGE
)
def test_the_kernel_stays_within_buffers_that_are_as_large_as_the_format_says(kind, rows, damage):
    is_list = hasattr(kind, "value_field")
    array = damaged(pa.array([row and (list(row) if is_list else row[0]) for row in rows], kind), *damage)
    candidates = pa.array(["a b c"] * len(rows))
    try:
        array.validate()  # the sizes of buffers, which the kernel is not told
    except pa.ArrowException:
        return
    said, room = "", StatsTable.zeros(LAYOUT, len(rows))
    try:
        find_kernel().BleuKernel(["13a", "closest", "exact"], [4]).count_columns(candidates, [array], room.numbers, 1)
    except ValueError as error:
        said = str(error)
    assert not said or ("an array that breaks Arrow's format" in said and arrow_refuses(array))


@pytest.mark.parametrize("step", [1, 3, 7])
@pytest.mark.parametrize("kind", [*TEXT_TYPES, *DICTIONARIES[:1], *LISTS], ids=str)
def test_slices_are_looked_at_as_far_as_their_rows_reach(kind, step):
    texts = [f"text {number} of a corpus" for number in range(21)]
    is_list = hasattr(kind, "value_field")
    whole = pa.array([[text, text] for text in texts] if is_list else texts, kind)
    for start in range(0, 21, step):
        segments, faults = assert_equals_the_definition(
            pa.array(texts[start : start + step]), [whole[start : start + step]]
        )
        assert not faults
        assert [own[0] for own in segments.references] == texts[start : start + step]


@pytest.mark.parametrize("kind", [pa.list_(pa.string()), pa.dictionary(pa.int32(), pa.string())], ids=str)
def test_a_slice_does_not_pay_for_the_rest_of_its_array(kind, monkeypatch):
    texts = [f"text {number}" for number in range(1000)]
    whole = pa.array([[text] for text in texts] if hasattr(kind, "value_field") else texts, kind)
    looked_at = []
    plain = arrow_memory._as_bytes
    monkeypatch.setattr(arrow_memory, "_as_bytes", lambda column: looked_at.append(len(column)) or plain(column))
    for start in range(0, 1000, 10):
        arrow_memory.validate(whole[start : start + 10])
    assert sum(looked_at) == 1000


@pytest.mark.parametrize(("length", "offset"), [(-1, 0), (1, -1), (3, 0), (1, 2), (2**62, 0), (1, 2**62)])
def test_lengths_and_offsets_that_no_array_has_are_refused(length, offset):
    buffers = pa.array(["a", "b"]).buffers()
    try:
        array = pa.Array.from_buffers(pa.string(), length, buffers, offset=offset)
    except pa.ArrowInvalid:
        return
    good = pa.array(["a"] * max(1, min(length, 3)))
    for columns in [(array, [good]), (good, [array])]:
        with pytest.raises(bp.BleuprintError, match="breaks Arrow's format"):
            find_engine().count_columns(*columns, LAYOUT)


def test_arrays_that_lie_unaligned_in_memory_are_read():
    array = pa.array(["a b c d", "e f"])
    memory = b"x" + array.buffers()[1].to_pybytes()
    shifted = pa.Array.from_buffers(pa.string(), 2, [None, pa.py_buffer(memory)[1:], array.buffers()[2]])
    assert_equals_the_definition(shifted, [array])
