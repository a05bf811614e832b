"""Tokens of any kind: every result gives data that JSON can hold, and shows a token as it is shown everywhere."""

import json
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.render import render
from bleuprint.render.comparison import Shown
from bleuprint.text.shown_tokens import join_tokens, text_data, text_words, token_data, token_words

RECIPE = bp.Recipe.named("paper").replace(tokenizer="pretokenized")
OTHER = RECIPE.replace(smoothing="floor(0.1)", reference_length="shortest")


class Colour(Enum):
    RED = 1


class Row(NamedTuple):
    item: str


class Trap:
    """A value that would be put into HTML as it is."""

    def __html__(self):
        return "<script>alert(1)</script>"

    def __repr__(self):
        return "<Trap & co>"


TRAP = Trap()
SHOWN = {
    "a b": "a b", b"a\xff": "b'a\\xff'", 7: 7, -1.5: -1.5, None: None, (1, b"x"): "(1, b'x')", True: True,
    Colour.RED: "<Colour.RED: 1>", Decimal("1.10"): "Decimal('1.10')", Fraction(1, 3): "Fraction(1, 3)",
    float("inf"): "inf", 2j: "2j", frozenset([3]): "frozenset({3})", Row("x"): "Row(item='x')",
    16**3300: "0x1" + "0" * 3300, int: "<class 'int'>", TRAP: "<Trap & co>",
}  # fmt: skip
NUMPY = {np.int64(9): 9, np.float32(0.5): 0.5, np.bytes_(b"y"): "b'y'", np.bool_(True): True}
TOKENS = list(SHOWN)


def test_tokens_are_data_that_json_has():
    assert [token_data(token) for token in TOKENS] == list(SHOWN.values())
    assert [type(token_data(token)) for token in TOKENS] == [type(value) for value in SHOWN.values()]
    assert [token_data(token) for token in NUMPY] == list(NUMPY.values())
    assert [type(token_data(token)) for token in NUMPY] == [type(value) for value in NUMPY.values()]
    assert text_data(TOKENS) == list(SHOWN.values())
    assert (text_data("a text"), text_words("a text")) == ("a text", "a text")
    assert token_words(None) == "None"
    assert join_tokens([b"a", 1, "c"]) == text_words((b"a", 1, "c")) == "b'a' 1 c"


@pytest.fixture(scope="module")
def corpus():
    """Two systems and references of odd tokens, among them a segment on which the systems part."""
    references = [[tuple(TOKENS)], [tuple(TOKENS[:4])], [tuple(TOKENS[4:9]), tuple(TOKENS[8:])]]
    first = [tuple(TOKENS), tuple(TOKENS[:4]), tuple(TOKENS[9:])]
    return {"first": first, "second": [tuple(TOKENS[:-3]), tuple(TOKENS[1:5]), tuple(TOKENS[4:8])]}, references


def check(data):
    """Data are JSON without extensions, and JSON gives them back."""
    assert json.loads(json.dumps(data, allow_nan=False)) == data


def test_every_result_is_json(corpus):
    systems, references = corpus
    made = bp.compare(systems, references, [RECIPE, OTHER], resamples=100)
    data = made.to_dict(by=["length", "frequency"], examples=3)
    check(data)
    shown = {tuple(one["candidate"]) for one in data["recipes"][0]["influences"]["first"]["raising"]}
    assert tuple(map(token_data, TOKENS)) in shown
    score = bp.score(systems["first"], references, RECIPE)
    check(score.to_dict())
    check(bp.explain(score).to_dict())
    explained = bp.explain(systems["second"][0], references[0], RECIPE).to_dict()
    check(explained)
    assert explained["evidence"]["candidate"]["text"] == list(SHOWN.values())[:-3]
    check(bp.reconcile(systems["second"], references, RECIPE, OTHER).to_dict())


def test_every_view_shows_them(corpus):
    systems, references = corpus
    made = bp.compare(systems, references, RECIPE, resamples=100)
    everything = Shown(("length", "frequency"), 3)
    for text in (
        str(made),
        *(render(made, form, shown=everything) for form in ("markdown", "latex", "csv")),
    ):
        assert text
    assert "b'a\\xff' 7 -1.5 None (1, b'x')" in text_words(systems["first"][0])
    assert r"b'a\textbackslash{}xff' 7 -1.5 None (1, b'x')" in render(made, "latex", shown=everything)
    for html in (made.to_html(), bp.explain(systems["first"][0], references[0], RECIPE)._repr_html_()):
        assert "<script>alert" not in html
    explanation = bp.explain(systems["first"][0], references[0], RECIPE)
    assert "&lt;Trap &amp; co&gt;" in explanation._repr_html_()
    assert "<Trap & co>" in str(explanation)


@given(st.lists(st.lists(st.sampled_from(TOKENS), max_size=6), min_size=1, max_size=4), st.data())
@settings(max_examples=10)
def test_any_corpus_of_odd_tokens_compares_to_json(candidates, data):
    others = [data.draw(st.lists(st.sampled_from(TOKENS), max_size=6)) for _ in candidates]
    references = [[own] for own in others]
    made = bp.compare({"a": candidates, "b": others}, references, RECIPE, resamples=100)
    check(made.to_dict(by=["frequency"], examples=2))
    assert made.to_html().startswith("<!doctype html>")
