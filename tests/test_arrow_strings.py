"""Columns of Arrow are counted where they lie, with the counts of the same texts as Python strings."""

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.engines import native
from bleuprint.errors import RecipeError

pytestmark = pytest.mark.skipif(bp.engine().name != "native", reason=f"the engine is {bp.engine()}")
COUNTING = bp.Recipe.named("sacrebleu").counting
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30) | st.sampled_from(["", "a b, c.", "é " * 9])
TYPES = (pa.string(), pa.large_string(), pa.string_view())


@pytest.mark.parametrize("kind", TYPES, ids=str)
@given(rows=st.lists(st.tuples(TEXTS, TEXTS, TEXTS), min_size=1, max_size=6), start=st.integers(0, 5))
def test_columns_give_the_counts_of_their_texts(kind, rows, start):
    start %= len(rows)
    columns = [pa.array(column, kind)[start:] for column in zip(*rows, strict=True)]
    candidates, *references = (column.to_pylist() for column in columns)
    counted = native.count_arrow(columns[0], columns[1:], COUNTING, 4)
    assert counted == bp.statistics(candidates, list(zip(*references, strict=True)))


def test_no_rows_are_no_statistics():
    assert len(native.count_arrow(pa.array([], pa.string()), [pa.array([], pa.string())], COUNTING, 4)) == 0


@pytest.mark.parametrize(
    ("candidates", "references", "message"),
    [
        (pa.array(["a", None]), [pa.array(["a", "b"])], "row 1 is null"),
        (pa.array(["a"]), [pa.array(["a", None])[1:]], "row 0 is null"),
        (pa.array([1]), [pa.array(["a"])], "an array of strings .* 'l'"),
        (pa.array(["a"]), [pa.array(["a", "b"])], "differ in length"),
        (pa.array(["a"]), [], "at least one column"),
    ],
)
def test_what_is_no_column_of_texts_is_refused(candidates, references, message):
    with pytest.raises(ValueError, match=message):
        native.count_arrow(candidates, references, COUNTING, 4)


def test_recipes_that_need_python_strings_are_refused():
    column = pa.array(["A"])
    for change in ({"case": "lower"}, {"tokenizer": "pretokenized"}):
        counting = bp.Recipe.named("sacrebleu").replace(**change).counting
        with pytest.raises(RecipeError, match="lists of Python strings"):
            native.count_arrow(column, [column], counting, 4)
