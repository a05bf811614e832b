"""Input that does not fit is an error with a location and a fix; nothing is cut, converted or guessed."""

from __future__ import annotations

import html
import pickle
import re

import numpy as np
import pytest

import bleuprint as bp
from bleuprint.errors import BleuprintError, InputTypeError, ShapeError
from bleuprint.findings.reconciliation import group_dialects
from bleuprint.recipes.recipe import Recipe
from bleuprint.text.segments import Segment, pair_one, pair_segments
from engine_pair import NATIVE, PYTHON
from packages import optional
from score_values import values_of

pandas = optional("pandas")
polars = optional("polars")
pyarrow = optional("pyarrow")

PAPER = Recipe.named("paper")
TOKENS = PAPER.replace(tokenizer="pretokenized")
NAN = float("nan")
ABC = ["a", "b", "c"]

# What is refused: candidates, references, and the location of the error.
SHAPES_OF_TEXTS = {
    "too few references": (["a", "b"], ["a"], "references"),
    "too many references": (["a"], ["a", "b"], "references"),
    "one column": (ABC, [ABC], "references"),
    "two columns": (ABC, [ABC, tuple(ABC)], "references"),
    "columns in an array": (ABC, np.array([ABC, ABC]), "references"),
    "uneven columns": (ABC, [ABC, ["a"]], "references"),
    "empty corpus": ([], [], "candidates"),
    "empty generator": (iter(()), iter(()), "candidates"),
    "no reference": (["a"], [[]], "references[0]"),
    "only None": (["a", "b"], ["a", [None, None]], "references[1]"),
}
TYPES_OF_TEXTS = {
    "text for candidates": ("a", ["a"], "candidates"),
    "text for references": (["a"], "a", "references"),
    "bytes for candidates": (b"ab", ["a", "b"], "candidates"),
    "None for candidates": (None, ["a"], "candidates"),
    "number for references": (["a"], 1, "references"),
    "dict for candidates": ({0: "a"}, ["a"], "candidates"),
    "dict for references": (["a"], {0: "a"}, "references"),
    "set for candidates": ({"a"}, ["a"], "candidates"),
    "set for references": (["a"], frozenset("a"), "references"),
    "array without dimension": (np.array("a"), ["a"], "candidates"),
    "reference without dimension": (["a"], [np.array("a")], "references[0]"),
    "bytes": (["a", b"b"], ["a", "b"], "candidates[1]"),
    "number": ([1], ["a"], "candidates[0]"),
    "NaN": (["a", NAN], ["a", "b"], "candidates[1]"),
    "None": ([None], ["a"], "candidates[0]"),
    "tokens": ([["a", "b"]], ["a"], "candidates[0]"),
    "array": ([np.array([["a"], ["b"]])], ["a"], "candidates[0]"),
    "dict": ([{"text": "a"}], ["a"], "candidates[0]"),
    "surrogate": (["a", "bc\ud800"], ["a", "b"], "candidates[1]"),
    "surrogate in the reference": (["a"], ["\udfff"], "references[0]"),
    "surrogate in one reference": (["a"], [["b", "é\udfff"]], "references[0][1]"),
    "None for a reference": (["a"], [None], "references[0]"),
    "NaN for a reference": (["a"], [NAN], "references[0]"),
    "NaN beside references": (["a"], [["a", NAN]], "references[0][1]"),
    "bytes for a reference": (["a"], [b"a"], "references[0]"),
    "set for a reference": (["a"], [{"a"}], "references[0]"),
    "tokens for a reference": (["a"], [[["a", "b"]]], "references[0][0]"),
}
if pandas:
    TYPES_OF_TEXTS["NA of pandas"] = (["a", pandas.NA], ["a", "b"], "candidates[1]")
SHAPES_OF_TOKENS = {
    "columns": ([["a"], ["b"]], [[["a"], ["b"]]], "references"),
    "no reference": ([["a"]], [[]], "references[0]"),
    "only None": ([["a"]], [[None]], "references[0]"),
}
TYPES_OF_TOKENS = {
    "text for candidates": ("ab", [[["a"]]], "candidates"),
    "text": (["a b"], [[["a"]]], "candidates[0]"),
    "text for references": ([["a"]], ["a"], "references[0]"),
    "reference too flat": ([["a"]], [["a"]], "references[0][0]"),
    "reference of numbers too flat": ([[1]], [[1]], "references[0][0]"),
    "bytes": ([b"ab"], [[["a"]]], "candidates[0]"),
    "number": ([1], [[[1]]], "candidates[0]"),
    "set": ([{"a"}], [[["a"]]], "candidates[0]"),
    "dict": ([{"a": 1}], [[["a"]]], "candidates[0]"),
    "None": ([None], [[["a"]]], "candidates[0]"),
    "list as token": ([["a", ["b"]]], [[["a"]]], "candidates[0], token 1"),
    "array as token": ([np.array([[1, 2]])], [[[1]]], "candidates[0], token 0"),
    "array without dimension": ([np.array(1)], [[[1]]], "candidates[0]"),
    "tuple around a list": ([[("a", [])]], [[["a"]]], "candidates[0], token 0"),
    "NaN as token": ([["a"]], [[["a"], ["b", NAN]]], "references[0][1], token 1"),
}

REFUSED = [
    pytest.param(recipe, kind, *row, id=f"{recipe.tokenizer}: {name}")
    for recipe, kind, table in (
        (PAPER, ShapeError, SHAPES_OF_TEXTS),
        (PAPER, InputTypeError, TYPES_OF_TEXTS),
        (TOKENS, ShapeError, SHAPES_OF_TOKENS),
        (TOKENS, InputTypeError, TYPES_OF_TOKENS),
    )
    for name, row in table.items()
]


def assert_complete(error: BleuprintError) -> None:
    """See that an error has a message and a fix, on one line, and keeps both in a pickle."""
    assert error.message
    assert error.fix
    assert str(error).endswith(error.fix)
    assert "\n" not in str(error)
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.__dict__) == (type(error), str(error), error.__dict__)


@pytest.mark.parametrize(("recipe", "kind", "candidates", "references", "where"), REFUSED)
def test_a_corpus_that_does_not_fit_is_refused(recipe, kind, candidates, references, where):
    with pytest.raises(BleuprintError) as caught:
        bp.score(candidates, references, recipe)
    assert type(caught.value) is kind
    assert caught.value.where == where
    assert_complete(caught.value)


FIXES = {
    "too few references": (
        ABC,
        ["a"],
        "There are 3 candidates but 1 entry of references. Pass one reference, or a list ",
    ),
    "columns": (ABC, [ABC, tuple(ABC)], "The references look transposed."),
    "columns in an array": (ABC, np.array([ABC, ABC]), "The references look transposed."),
    "uneven columns": (ABC, [ABC, ["a"]], "Pass one reference, or a list of references, per candidate."),
    "references of one candidate": (["a"], ["r1", "r2"], "Wrap the references of one candidate in a list: [[...]]."),
    "a text": ("a", ["a"], "For one segment use score_sentence(candidate, references)."),
    "bytes": ([b"a"], ["a"], "candidates[0]: expected a text, got b'a'. Decode it first: text.decode('utf-8')."),
    "NaN": (["a"], [NAN], "references[0]: expected a text or a list of texts, got nan. A missing cell reads as NaN"),
    "tokens": ([["a", "b"]], ["a"], "For tokens use the tokenizer 'pretokenized' (BLEU only), or join them."),
    "a dictionary": ({0: "a"}, ["a"], 'Pass one column as a list: list(data["column"])'),
    "surrogate": (["bc\ud800"], ["a"], "got the lone surrogate U+D800 at character 2."),
}


@pytest.mark.parametrize(("candidates", "references", "message"), FIXES.values(), ids=FIXES)
def test_the_message_says_what_to_do(candidates, references, message):
    with pytest.raises(BleuprintError, match=re.escape(message)):
        bp.score(candidates, references)


@pytest.mark.parametrize(
    ("candidate", "references", "where"),
    [
        (["a"], "a", "candidate"),
        (None, "a", "candidate"),
        ("a", None, "references"),
        ("a", [], "references"),
        ("a", [None], "references"),
        ("a", ["b", 1], "references[1]"),
        ("\ud800", "a", "candidate"),
        ("a", "b\ud800", "references"),
    ],
)
def test_a_sentence_is_checked_as_strictly(candidate, references, where):
    with pytest.raises(BleuprintError) as caught:
        bp.score_sentence(candidate, references)
    assert caught.value.where == where
    assert_complete(caught.value)


def test_a_wrong_type_is_a_type_error_and_a_wrong_shape_a_value_error():
    assert issubclass(InputTypeError, TypeError)
    assert issubclass(ShapeError, ValueError)


@pytest.mark.parametrize("verb", [bp.score, bp.score_segments, bp.statistics])
def test_every_verb_for_a_corpus_checks_it(verb):
    with pytest.raises(ShapeError) as caught:
        verb(["a", "b"], ["a"])
    assert caught.value.where == "references"


COLUMNS = {"candidate": ["a b", "c d"], "reference": ["a b", "c d"]}
TABLES = {
    "dict": COLUMNS,
    "set": {"a b", "c d"},
    "frozenset": frozenset({"a b", "c d"}),
    "keys": COLUMNS.keys(),
    "bytes": b"ab",
    "memoryview": memoryview(b"ab"),
}
if pandas and polars and pyarrow:
    TABLES |= {
        "pandas": pandas.DataFrame(COLUMNS),
        "polars": polars.DataFrame(COLUMNS),
        "polars, lazy": polars.LazyFrame(COLUMNS),
        "Arrow table": pyarrow.table(COLUMNS),
        "Arrow batch": pyarrow.RecordBatch.from_pydict(COLUMNS),
    }
TWO = ["a b", "c d"]
VERBS = {
    "score": lambda given: bp.score(given, TWO),
    "score, references": lambda given: bp.score(TWO, given),
    "score, references of a segment": lambda given: bp.score(TWO, [given, "c d"]),
    "score_recipes": lambda given: bp.score_recipes(given, TWO, ["nltk", "paper"]),
    "score_sentence": lambda given: bp.score_sentence(given, "a b"),
    "score_sentence, references": lambda given: bp.score_sentence("a b", given),
    "score_segments": lambda given: bp.score_segments(given, TWO),
    "score_documents": lambda given: bp.score_documents(given, TWO, ["d", "d"]),
    "score_documents, documents": lambda given: bp.score_documents(TWO, TWO, given),
    "statistics": lambda given: bp.statistics(given, TWO),
    "explain": lambda given: bp.explain(given, TWO),
    "explain, references": lambda given: bp.explain(TWO, given),
    "compare": lambda given: bp.compare({"one": given, "two": TWO}, TWO, resamples=100),
    "compare, references": lambda given: bp.compare({"one": TWO, "two": TWO}, given, resamples=100),
    "compare, labels": lambda given: bp.compare({"one": TWO, "two": TWO}, TWO, resamples=100, labels={"d": given}),
    "reconcile": lambda given: bp.reconcile(given, TWO, "nltk", "sacrebleu"),
    "reconcile, references": lambda given: bp.reconcile(TWO, given, "nltk", "sacrebleu"),
    "group_dialects": lambda given: group_dialects(given, TWO),
    "identify, references": lambda given: bp.identify(TWO, given, "10.0"),
    "pairwise": lambda given: bp.pairwise(given, TWO),
    "self_bleu": lambda given: bp.self_bleu(given),
    "choose_best": lambda given: bp.choose_best(given),
    "References": lambda given: bp.References(given),
    "References.score": lambda given: bp.References(TWO).score(given),
    "Accumulator.add": lambda given: bp.Accumulator().add("a b", given),
    "Accumulator.add_batch": lambda given: bp.Accumulator().add_batch(given, TWO),
    "Accumulator.add_part": lambda given: bp.Accumulator().add_part("p", TWO, given),
    "tokens": lambda given: bp.score(given, [[["a"]], [["b"]]], TOKENS),
    "tokens, a candidate": lambda given: bp.score([given, ["a"]], [[["a"]], [["b"]]], TOKENS),
    "tokens, references of a segment": lambda given: bp.score([["a"]], [given], TOKENS),
}


@pytest.mark.needs("pandas", "polars", "pyarrow")
@pytest.mark.parametrize("verb", VERBS.values(), ids=VERBS)
def test_every_verb_refuses_what_would_give_names_of_columns_or_no_order(verb):
    for given in TABLES.values():
        with pytest.raises(InputTypeError):
            verb(given)


@pytest.mark.parametrize("kind", ["set", "frozenset", "keys", "bytes"])
def test_recipes_in_no_order_are_refused(kind):
    with pytest.raises(InputTypeError) as caught:
        bp.score_recipes(TWO, TWO, TABLES[kind])
    assert caught.value.where == "recipes"


@pytest.mark.parametrize("given", [["d"], None, NAN, *([pandas.NA] if pandas else [])], ids=repr)
def test_a_document_name_that_cannot_be_one_is_refused_with_its_place(given):
    with pytest.raises(InputTypeError) as caught:
        bp.score_documents(TWO, TWO, ["d", given])
    assert caught.value.where == "documents[1]"


@pytest.mark.needs("pyarrow")
def test_a_value_of_arrow_gets_the_way_to_texts():
    with pytest.raises(InputTypeError, match=r"candidates\[0\]: expected a text, got .*to_pylist\(\)"):
        bp.score(pyarrow.array(TWO), TWO)


def test_a_value_nested_too_deep_to_show_is_refused_as_any_other():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(InputTypeError, match="expected a text, got list nested too deep to show"):
        bp.score([deep], ["a"])


# What is accepted


@pytest.mark.needs("pandas", "polars", "pyarrow")
def test_a_column_of_a_table_is_a_corpus():
    columns = [pandas.Series(TWO, index=[7, 3]), pandas.Index(TWO), polars.Series(TWO), pyarrow.array(TWO).to_pylist()]
    for column in columns:
        assert values_of(bp.score(column, column)) == values_of(bp.score(TWO, TWO))


def test_values_of_a_dictionary_are_a_corpus():
    values = dict(enumerate(TWO)).values()
    assert values_of(bp.score(values, values)) == values_of(bp.score(TWO, TWO))


def test_a_flat_list_of_texts_is_one_reference_each():
    assert list(pair_segments(["a", "b"], ["x", "y"])) == [Segment("a", ("x",)), Segment("b", ("y",))]


def test_segments_may_have_different_numbers_of_references():
    assert pair_segments(["a", "b"], ["x", ["y", "z"]]).references == [("x",), ("y", "z")]


@pytest.mark.parametrize("wrap", [list, tuple, iter, np.array], ids=["list", "tuple", "iterator", "array"])
def test_any_ordered_iterable_is_a_corpus(wrap):
    candidates, references = ["a b c d", "e f g h"], ["a b c d", "e f g x"]
    assert values_of(bp.score(wrap(candidates), wrap(references))) == values_of(bp.score(candidates, references))


def test_the_references_of_a_segment_may_be_any_ordered_iterable():
    expected = pair_segments(["a", "b"], [["x", "y"], ["z", "w"]])
    assert pair_segments(["a", "b"], np.array([["x", "y"], ["z", "w"]])) == expected
    assert pair_segments(["a", "b"], (iter(pair) for pair in ("xy", "zw"))) == expected


def test_tokens_may_come_in_any_ordered_iterable():
    expected = values_of(bp.score([[1, 2, 3, 4, 5]], [[[1, 2, 3, 4]]], TOKENS))
    assert values_of(bp.score([np.arange(1, 6)], [[range(1, 5)]], TOKENS)) == expected
    assert values_of(bp.score(iter([iter([1, 2, 3, 4, 5])]), [(tuple(range(1, 5)),)], TOKENS)) == expected


def test_an_empty_text_is_a_text():
    assert pair_one("", "") == pair_segments([""], [[""]])


class Escaped(str):
    """A text whose methods escape what they are given, as those of Markup do in templates."""

    def replace(self, old, new, count=-1):
        return Escaped(super().replace(old, html.escape(new), count))

    def lower(self):
        return Escaped(html.escape(super().lower()))


def test_a_text_is_its_characters_whatever_else_its_type_does():
    text = "A &lt;b&gt; c&amp;d <e>."
    given, plain = pair_segments([Escaped(text)], [[Escaped(text), None]]), pair_segments([text], [[text]])
    assert given == plain
    assert {type(text) for text in [*given.texts(), *pair_one(Escaped(text), Escaped(text)).texts()]} == {str}
    for recipe in (PAPER.replace(tokenizer="13a", case="lower"), "chrf", "ter"):
        for engine in (NATIVE, PYTHON):
            layout = Recipe.of(recipe).layout
            assert engine.count(given, layout) == engine.count(plain, layout)


def test_none_is_a_missing_reference_and_an_empty_text_is_a_reference():
    unigrams = PAPER.replace(order=1)
    missing = bp.score_sentence("a", ["a b c", None], unigrams)
    empty = bp.score_sentence("a", ["a b c", ""], unigrams)
    assert (missing.stats.reference_length, empty.stats.reference_length) == (3, 0)
    assert (round(missing.brevity_penalty, 3), empty.brevity_penalty) == (0.135, 1.0)
    assert missing.score < empty.score
    assert values_of(missing) == values_of(bp.score_sentence("a", "a b c", unigrams))


def test_a_missing_reference_may_stand_anywhere_among_given_tokens():
    assert pair_segments([["a"]], [[None, ["b"], None]], pretokenized=True).references == [(("b",),)]


@pytest.mark.needs("pyarrow", "torch")
def test_tokens_whose_equals_have_other_hashes_are_refused():
    """Nothing would ever match: every score would be 0."""
    import pyarrow as pa
    import torch

    recipe = bp.Recipe.named("paper").replace(tokenizer="pretokenized")
    tensor, array = torch.tensor([1, 2, 3, 4, 5]), pa.array(list("abcd"))
    for tokens in (list(tensor), list(array)):
        with pytest.raises(InputTypeError, match="hashed by its value"):
            bp.score([tokens], [[tokens]], recipe)
    assert bp.score([tensor], [[tensor.tolist()]], recipe).score == 100.0
    assert bp.score([array], [[array.tolist()]], recipe).score == 100.0
    thing = object()
    assert bp.score([[thing] * 4], [[[thing] * 4]], recipe).score == 100.0
