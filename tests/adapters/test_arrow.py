"""Tables of Arrow in, statistics out: the numbers of the library, whatever the batches, the types and the engine."""

import pytest

pytest.importorskip("pyarrow")

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.adapters import arrow
from bleuprint.adapters.arrow.sums import FAULT_PLACES, sum_columns
from bleuprint.errors import InputTypeError, ShapeError
from engine_process import ENGINES, answer
from score_values import values_of
from strategies import as_text, word_corpora

pytestmark = pytest.mark.needs("pyarrow")


LAYOUT = bp.Recipe.named("sacrebleu").layout

CANDIDATES = ["the cat is on mat", "a dog ran", "", "it purrs, loudly."]
REFERENCES = [["the cat is on the mat"], ["a dog ran off", "the dog ran"], ["x"], ["it purrs loudly."]]
SYSTEMS = ["x", "y", "x", "y"]
TABLE = pa.table({"candidate": CANDIDATES, "references": REFERENCES, "system": SYSTEMS})
BROKEN = pa.table(
    {
        "candidate": pa.array([b"a b c d", None, b"\xff", b"a b c", b"a", b"b"]),
        "reference": pa.array([b"a b c d", b"a", b"a", b"\xff", None, b"b"]),
        "system": ["x", "x", "x", "y", "y", "z"],
    }
)


RECIPES = ["sacrebleu", "nltk", "paper", "chrf", "ter"]


def in_batches(table, size):
    return pa.Table.from_batches(table.to_batches(max_chunksize=size))


@settings(max_examples=60)
@given(
    corpus=word_corpora(), size=st.integers(1, 3), recipe=st.sampled_from(["sacrebleu", "nltk", "paper", "chrf", "ter"])
)
def test_tables_give_the_scores_of_their_texts(corpus, size, recipe):
    candidates, references = as_text(corpus)
    table = in_batches(pa.table({"candidate": candidates, "references": references}), size)
    expected = bp.score(candidates, references, recipe)
    scored = arrow.score(table, recipe=recipe)
    assert values_of(scored) == values_of(expected)
    assert scored.census == expected.census
    rows = arrow.statistics(table, recipe=recipe)
    assert [tuple(row.values()) for row in rows.to_pylist()] == [s.to_row() for s in expected.table]
    assert rows.column_names == list(expected.table.columns)
    segments = arrow.score_segments(table, recipe=recipe)
    column = expected.metric.key
    assert segments[column].to_pylist() == list(bp.score_segments(candidates, references, recipe).scores)
    assert segments.drop_columns(column) == table


def test_groups_are_scored_each_on_its_own():
    scores = arrow.score(in_batches(TABLE, 1), by="system")
    assert list(scores) == ["x", "y"]
    for system in scores:
        own = [place for place, name in enumerate(SYSTEMS) if name == system]
        expected = bp.score([CANDIDATES[place] for place in own], [REFERENCES[place] for place in own])
        assert values_of(scores[system]) == values_of(expected)
        assert scores[system].census == expected.census
    by_two = arrow.score(TABLE.append_column("date", [[None, 1, None, 2]]), by=["system", "date"])
    assert list(by_two) == [("x", None), ("y", 1), ("y", 2)]
    assert values_of(by_two["x", None]) == values_of(scores["x"])


@pytest.mark.parametrize("kind", [pa.dictionary(pa.int32(), pa.string()), pa.string_view(), pa.large_string()], ids=str)
def test_groups_may_be_named_by_any_kind_of_string(kind):
    table = TABLE.set_column(2, "system", pa.array(SYSTEMS).cast(kind))
    assert values_of(arrow.score(table, by="system")) == values_of(arrow.score(TABLE, by="system"))


def test_nested_columns_do_not_group():
    with pytest.raises(InputTypeError, match="'references'"):
        arrow.score(TABLE, by="references")


def test_groups_by_several_columns_are_those_of_arrow():
    rows = [(place % 3 or None, "ab"[place % 2], place % 5 < 2) for place in range(60)]
    keys = dict(zip(("a", "b", "c"), zip(*rows, strict=True), strict=True))
    table = pa.table({"candidate": ["w " * place for place in range(60)], "references": ["w w w"] * 60} | keys)
    own = arrow.sum_statistics(pa.Table.from_batches(table.to_batches(max_chunksize=60)), by=list(keys))
    rows = arrow.statistics(table, keep=list(keys)).group_by(list(keys), use_threads=False)
    theirs = rows.aggregate([("matches_1", "sum"), ("candidate_length", "sum"), ([], "count_all")])
    columns = [*keys, "matches_1", "candidate_length", "segments"]
    assert own.select(columns).to_pylist() == theirs.rename_columns(columns).to_pylist()


def test_sums_add_wherever_they_were_made():
    batches = TABLE.to_batches(max_chunksize=1)
    sums = [arrow.sum_statistics(batch, by="system") for batch in reversed(batches)]
    numbers = [name for name in sum_columns(LAYOUT) if name != FAULT_PLACES]
    together = pa.concat_tables(sums).group_by("system").aggregate([(name, "sum") for name in numbers])
    together = together.rename_columns(["system", *numbers])
    for summed in (together, sums):
        assert values_of(arrow.score_sums(summed, by="system")) == values_of(arrow.score(TABLE, by="system"))


def test_sums_have_the_same_columns_whatever_was_counted():
    places = pa.list_(pa.struct([("kind", pa.string()), ("place", pa.string())]))
    columns = [(name, places if name == FAULT_PLACES else pa.int64()) for name in sum_columns(LAYOUT)]
    for data in (TABLE, TABLE[:0], BROKEN.rename_columns(["candidate", "references", "system"])):
        assert arrow.sum_statistics(data, by="system").schema == pa.schema([("system", pa.string()), *columns])
        assert arrow.sum_statistics(data).schema == pa.schema(columns)


def test_statistics_keep_the_columns_that_are_asked_for():
    assert arrow.statistics(TABLE, keep="system")["system"].to_pylist() == SYSTEMS
    with pytest.raises(ShapeError, match="'matches_1'"):
        arrow.statistics(TABLE.rename_columns(["candidate", "references", "matches_1"]), keep="matches_1")


@pytest.mark.parametrize("verb", [arrow.score, arrow.statistics, arrow.score_segments])
def test_malformed_rows_are_refused_with_their_kinds_and_places(verb):
    with pytest.raises(bp.BleuprintError) as caught:
        verb(BROKEN, references="reference")
    for said in (
        "4 malformed rows",
        "1 with a null candidate (row 1)",
        "1 with a candidate that is not UTF-8 (row 2)",
        "1 with a reference that is not UTF-8 (row 3)",
        "1 with no reference (null, an empty list, or nulls only) (row 4)",
        'on_error="skip"',
    ):
        assert said in str(caught.value)


def test_skipped_rows_are_counted_and_said():
    scored = arrow.score(in_batches(BROKEN, 2), references="reference", on_error="skip")
    assert values_of(scored) == values_of(bp.score(["a b c d", "b"], ["a b c d", "b"]))
    assert scored.skipped.counts == dict.fromkeys(
        ["null-candidate", "broken-candidate", "broken-reference", "no-reference"], 1
    )
    assert scored.notes[0].code == "skipped-rows"
    assert "4 malformed rows left out: 1 with a null candidate (row 1)" in str(scored)
    assert scored.at_order(1).skipped == scored.skipped


def test_places_go_on_counting_from_batch_to_batch():
    rows = pa.table({"candidate": ["a"] * 9 + [None] * 9, "reference": ["a"] * 18})
    scored = arrow.score(in_batches(rows, 4), references="reference", on_error="skip")
    assert scored.skipped.places == {"null-candidate": tuple(f"row {row}" for row in range(9, 14))}
    assert "9 with a null candidate (row 9; row 10; row 11; row 12; row 13; …)" in scored.notes[0].text


def test_groups_keep_their_own_faults_and_an_empty_one_is_named():
    scores = arrow.score(BROKEN, references="reference", by="system", on_error="skip")
    assert list(scores) == ["x", "z"]
    assert scores.empty == ("y",)
    assert scores["x"].skipped.counts == {"null-candidate": 1, "broken-candidate": 1}
    assert not scores["z"].skipped
    assert scores.skipped.total == 4


@pytest.mark.parametrize("count", [2, 1])
def test_a_batch_without_a_row_to_count_is_one_like_others(count):
    batches = [
        pa.record_batch({"candidate": pa.array(texts, pa.string()), "reference": ["a b", "a"], "system": ["x", name]})
        for texts, name in (([None, None], "x"), (["a b", "a"], "y"))
    ]
    data = pa.Table.from_batches(batches[:count])
    scores = arrow.score(data, references="reference", by="system", on_error="skip")
    assert (set(scores), scores.empty) == ((set(), ("x",)) if count == 1 else ({"x", "y"}, ()))
    assert scores.skipped.counts == {"null-candidate": 2}
    with pytest.raises(bp.BleuprintError, match=r"2 malformed rows: 2 with a null candidate \(row 0; row 1\)"):
        arrow.score(data, references="reference", by="system")


def test_rows_that_are_skipped_stay_where_they_are():
    rows = arrow.statistics(BROKEN, references="reference", on_error="skip", keep="system")
    assert rows["matches_1"].to_pylist() == [4, None, None, None, None, 1]
    assert rows["fault"].to_pylist()[:2] == [None, "null-candidate"]
    scores = arrow.score_segments(BROKEN, references="reference", on_error="skip")
    assert scores["bleu"].to_pylist() == [100.0, None, None, None, None, 100.0]
    assert scores["bleu_fault"].to_pylist()[2:5] == ["broken-candidate", "broken-reference", "no-reference"]


@pytest.mark.parametrize(
    ("data", "columns", "error", "message"),
    [
        (
            TABLE,
            {"candidate": "nope"},
            ShapeError,
            "'nope'",
        ),
        (TABLE, {"references": []}, ShapeError, "references"),
        (TABLE, {"candidate": "references"}, InputTypeError, "'references'.*list<"),
        (TABLE.append_column("n", [[1] * 4]), {"candidate": "n"}, InputTypeError, "Arrow's type int64"),
        (TABLE, {"by": "nope"}, ShapeError, "'nope'"),
        (TABLE, {"by": None}, InputTypeError, "by: .*None"),
        (TABLE, {"by": iter(["system"])}, InputTypeError, "by: .*list_iterator"),
        (TABLE, {"by": {"system"}}, InputTypeError, "by: .*{'system'}"),
        (TABLE, {"by": [0]}, InputTypeError, r"by: .*\[0\]"),
        (TABLE, {"references": 1}, InputTypeError, "references: .*1"),
        (TABLE, {"on_error": "ignore"}, bp.BleuprintError, "'ignore'"),
        (TABLE[:0], {}, ShapeError, "empty"),
        ([], {}, ShapeError, "empty"),
        ({"candidate": ["a"]}, {}, InputTypeError, "data: "),
    ],
)
def test_what_cannot_be_counted_is_refused(data, columns, error, message):
    with pytest.raises(error, match=message):
        arrow.score(data, **columns)


def test_names_of_columns_that_are_no_names_are_refused():
    with pytest.raises(InputTypeError, match=r"^keep: "):
        arrow.statistics(TABLE, keep=None)
    with pytest.raises(InputTypeError, match=r"^column: .*chrf"):
        arrow.score_segments(TABLE, column=1, recipe="chrf")


def test_streams_of_any_library_are_read():
    class Stream:
        def __arrow_c_stream__(self, requested_schema=None):
            return TABLE.__arrow_c_stream__(requested_schema)

    for data in (Stream(), TABLE.to_reader(), iter(TABLE.to_batches(max_chunksize=1)), TABLE.to_batches()[0]):
        assert values_of(arrow.score(data)) == values_of(bp.score(CANDIDATES, REFERENCES))


PROGRAM = """
import json, sys
import pyarrow as pa
from bleuprint.adapters import arrow
from bleuprint.adapters.arrow import sums
table = pa.table({"candidate": pa.array([b"a b c d", None, b"\\xff", b"A b, c", "é è".encode()]),
                  "reference": pa.array([b"a b c d", b"a", b"a", b"a b, c", None]),
                  "other": pa.array([["a b", None], [], None, ["b c", "c"], ["é"]], pa.list_(pa.string()))})
columns = {"references": ["reference", "other"], "on_error": "skip"}
scored = arrow.score(table, **columns)
names = ("chrf++", "torchmetrics-chrf", "ter")
others = [arrow.statistics(table, **columns, recipe=name).to_pylist() for name in names]
print(json.dumps([arrow.statistics(table, **columns).to_pylist(), scored.to_dict(), others]))
"""


def test_both_engines_give_equal_rows():
    python, native = (answer(PROGRAM, engine) for engine in ENGINES)
    assert python == native
    assert [row["fault"] for row in python[0]] == [None, "null-candidate", "broken-candidate", None, None]


def broken_offsets():
    """Make an array of strings of which the second begins before the first ends."""
    memory = bytearray(pa.array(["ab", "cd", "ef"]).buffers()[1].to_pybytes())
    array = pa.Array.from_buffers(pa.string(), 3, [None, pa.py_buffer(memory), pa.py_buffer(b"abcdef")])
    memory[4:8] = (100).to_bytes(4, "little")
    return array


@pytest.mark.parametrize("role", ["candidate", "references", "system"])
def test_memory_that_breaks_arrows_format_is_refused(role):
    columns = {name: pa.array(["ab", "cd", "ef"]) for name in ("candidate", "references", "system")}
    batch = pa.RecordBatch.from_pydict(columns | {role: broken_offsets()})
    wanted = f"'{role}'.*offset"
    for call in (
        lambda: arrow.score(batch, by="system"),
        lambda: arrow.statistics(batch, keep="system", on_error="skip"),
        lambda: arrow.sum_statistics(pa.Table.from_batches([batch]), by="system"),
        lambda: arrow.score(batch, by="system", recipe=bp.Recipe.named("sacrebleu").replace(case="lower")),
    ):
        with pytest.raises(bp.BleuprintError, match=wanted):
            call()


def test_keys_that_are_not_utf8_are_refused():
    keys = pa.Array.from_buffers(pa.string(), 1, pa.array([b"\xff"]).buffers())
    batch = pa.RecordBatch.from_pydict({"candidate": ["a"], "references": ["a"], "system": keys})
    with pytest.raises(bp.BleuprintError, match=r"'system'.*UTF8"):
        arrow.score(batch, by="system")


def test_a_negative_number_of_rows_is_refused():
    table = pa.table({"candidate": ["a b"] * 1031, "references": ["a b"] * 1031})
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    memory = (
        sink.getvalue().to_pybytes().replace((1031).to_bytes(8, "little"), (-1031).to_bytes(8, "little", signed=True))
    )
    for call in (arrow.score, arrow.statistics, arrow.score_segments, arrow.sum_statistics):
        with pytest.raises(ShapeError, match="length is negative"):
            call(pa.ipc.open_stream(memory))
