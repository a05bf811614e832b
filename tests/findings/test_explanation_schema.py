"""The schema of explanations: all that to_dict() gives fits it, and all that it promises can be seen."""

import json
import math
from datetime import date
from importlib import resources

import pytest
from jsonschema import Draft202012Validator

import bleuprint as bp
from bleuprint.lessons.worked_examples import EXAMPLES

SCHEMA = json.loads(
    resources.files("bleuprint.findings.explanation").joinpath("explanation-1.schema.json").read_text("utf-8")
)
PAPER = bp.Recipe.named("paper")
TOKENS = PAPER.replace(tokenizer="pretokenized", order=2)
ODD_TOKENS = [date(2002, 7, 6), (1, 2), b"a", math.inf]
CORPUS = (["the cat is on mat", "", "x"], [["the cat is on the mat", None, "a cat"], ["b"], [""]])


def without_texts(recipe="paper"):
    total = bp.Accumulator(recipe)
    total.add_batch(*CORPUS)
    return total.score()


def dashes(text):
    return ["-", *text.split()]


MAKERS = {example.name: example.explain for example in EXAMPLES} | {
    "corpus": lambda: bp.explain(*CORPUS),
    "every note": lambda: bp.explain("a , b , c .", "a " * 20, PAPER.replace(weights=(0.1, 0.2), tokenizer="13a")),
    "empty candidate": lambda: bp.explain("", "a"),
    "empty reference": lambda: bp.explain("a", ""),
    "smoothed zero": lambda: bp.explain("a", "b", "huggingface-smooth"),
    "smallest float": lambda: bp.explain("a b", "a c", "nltk"),
    "mean of BLEU-1 to BLEU-4": lambda: bp.explain("a b c d e", "a b d c e", "nltk-mean"),
    "order 6": lambda: bp.explain("a b c", "a b", PAPER.replace(order=6, smoothing="exp")),
    "own tokenizer": lambda: bp.explain("a b", "a c", PAPER.replace(tokenizer=dashes)),
    "tokens": lambda: bp.explain([1, 2.5, None, True, "a"], [[1, 2.5], ["a"]], TOKENS),
    "tokens that JSON lacks": lambda: bp.explain(bp.score_sentence(ODD_TOKENS, [ODD_TOKENS[1:]], TOKENS)),
    "corpus of tokens": lambda: bp.explain([[1, 2], [3]], [[[1, 2]], [[4]]], TOKENS),
    "accumulator": lambda: bp.explain(without_texts()),
    "chrF": lambda: bp.explain("the cat", ["the mat", "a"], "chrf++"),
    "chrF of a corpus": lambda: bp.explain(*CORPUS, "chrf"),
    "chrF without texts": lambda: bp.explain(without_texts("chrf")),
    "chrF of each order": lambda: bp.explain("a", "b", "nltk-chrf"),
    "TER": lambda: bp.explain("on the mat the cat sat", ["the cat is sitting on the mat", "a dog"], "ter"),
    "TER of a corpus": lambda: bp.explain(*CORPUS, "ter"),
    "TER without texts": lambda: bp.explain(without_texts("ter")),
    "TER of an empty reference": lambda: bp.explain("a", "", "torchmetrics-ter"),
    "document": lambda: bp.explain(bp.score_documents(*CORPUS, ["d", "d", "e"], "paper")["d"]),
}  # fmt: skip

every_kind = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)


def list_properties(schema, path=""):
    """The path of every property that a schema names."""
    for name, part in schema.get("properties", {}).items():
        yield f"{path}.{name}"
        yield from list_properties(part, f"{path}.{name}")
    for part in schema.get("anyOf", ()):
        yield from list_properties(part, path)
    if "items" in schema:
        yield from list_properties(schema["items"], f"{path}[]")


def list_values(data, path=""):
    """The path of every value in plain data that is not null."""
    if isinstance(data, dict):
        for name, part in data.items():
            if part is not None:
                yield f"{path}.{name}"
                yield from list_values(part, f"{path}.{name}")
    elif isinstance(data, list):
        for part in data:
            yield from list_values(part, f"{path}[]")


def list_objects(schema):
    """Every part of a schema that describes an object."""
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield schema
        schema = list(schema.values())
    for part in schema if isinstance(schema, list) else ():
        yield from list_objects(part)


def test_the_schema_is_one():
    Draft202012Validator.check_schema(SCHEMA)


def test_the_schema_lets_nothing_out_and_nothing_in():
    assert len(list(list_objects(SCHEMA))) > 10
    for part in list_objects(SCHEMA):
        assert part["additionalProperties"] is False
        assert sorted(part["required"]) == sorted(part["properties"])


@every_kind
def test_an_explanation_as_data_fits_the_schema(make):
    Draft202012Validator(SCHEMA).validate(make().to_dict())


@pytest.mark.parametrize("recipe", bp.Recipe.dialects())
def test_every_dialect_fits_the_schema(recipe):
    corpora = () if bp.Recipe.named(recipe).is_for_one_segment else (CORPUS,)
    for texts in (*corpora, ("the cat", ["the cat sat", "a cat"]), ("x", "y"), ("", "")):
        Draft202012Validator(SCHEMA).validate(bp.explain(*texts, recipe).to_dict())


@every_kind
def test_an_explanation_as_data_survives_json(make):
    data = make().to_dict()
    assert json.loads(json.dumps(data, allow_nan=False)) == data


def list_types(data):
    """The types of all values in plain data, and of what holds them."""
    parts = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return {type(data)}.union(*map(list_types, parts))


@every_kind
def test_an_explanation_as_data_has_the_types_of_json_and_no_others(make):
    """So that YAML, MessagePack and other processes take it, which know no enums of ours."""
    assert list_types(make().to_dict()) <= {dict, list, str, int, float, bool, type(None)}


def test_every_property_of_the_schema_is_somewhere_not_null():
    seen = {path for make in MAKERS.values() for path in list_values(make().to_dict())}
    assert set(list_properties(SCHEMA)) - seen == set()


def test_tokens_stay_as_they_are_where_json_has_them_and_are_printed_elsewhere():
    data = MAKERS["tokens"]().to_dict()["evidence"]
    assert data["candidate"]["text"] == [1, 2.5, None, True, "a"]
    data = MAKERS["tokens that JSON lacks"]().to_dict()["evidence"]
    assert data["candidate"]["text"] == ["datetime.date(2002, 7, 6)", "(1, 2)", "b'a'", "inf"]
