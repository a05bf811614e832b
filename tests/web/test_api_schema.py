"""The JSON API keeps its word: whatever ``openapi.json`` allows or forbids is sent, and every answer is as it says."""

import pytest

pytest.importorskip("schemathesis")

import inspect
import itertools
import json

import jsonschema
import schemathesis
from hypothesis import settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

import bleuprint as bp
from bleuprint.errors import InputTypeError, Location
from bleuprint.findings.significance import TESTS
from bleuprint.recipes.registry import METRICS
from bleuprint.web import api
from bleuprint.web.api import CompareSystems, GroupCorpus, GroupSegment, answer
from bleuprint.web.server import make_app
from mutations import mutations_of

pytestmark = pytest.mark.needs("schemathesis")


APP = make_app(["testserver"])
SCHEMA = schemathesis.openapi.from_asgi("/openapi.json", APP)
DOCUMENT = APP.openapi()


@SCHEMA.parametrize()
@settings(max_examples=30)
def test_every_answer_is_as_documented(case):
    # A schema cannot say that a recipe exists or that two lists are equally long, so a valid body may be refused.
    case.call_and_validate(excluded_checks=[positive_data_acceptance])


SEGMENT = {"candidate": "The cat sat.", "references": ["the cat sat .", "A cat"]}
CORPUS = {"candidates": ["the cat sat", "It", "rain"], "references": [["the cat sat"], ["It !", "It slept"], "rain"]}
TOKENS = {"candidate": ["a", 1], "references": [["a", 1], None]}
SYSTEMS = {"systems": {"a": ["the cat sat", "it"], "b": ["a", "b"]}, "references": ["the cat sat", ["it", None]]}
SMOOTHED = str(bp.Recipe.named("nltk").replace(smoothing="nltk-method4(5)", order=2))
REQUESTS = [
    ("score", {**SEGMENT, "recipe": "paper"}),
    ("score", {**CORPUS, "recipe": SMOOTHED}),
    ("score", {**TOKENS, "recipe": str(bp.Recipe.named("paper").replace(tokenizer="pretokenized"))}),
    ("score", {**SEGMENT, "recipe": "chrf++"}),
    ("score", {"candidate": "", "references": "", "recipe": "chrf"}),
    ("score", {**CORPUS, "recipe": "chrf-popovic"}),
    ("score", {**CORPUS, "recipe": "ter"}),
    ("explain", {**SEGMENT, "recipe": "nltk-method1"}),
    ("explain", {**SEGMENT, "recipe": "nltk-chrf"}),
    ("explain", {**CORPUS, "recipe": "torchmetrics-ter"}),
    ("explain", {**CORPUS, "recipe": "sacrebleu"}),
    ("compare", {**SYSTEMS, "resamples": 100, "recipe": "paper"}),
    ("compare", {**SYSTEMS, "resamples": 100, "baseline": "b", "test": "bootstrap", "confidence": 0.9, "seed": 7}),
    ("compare", {**SYSTEMS, "resamples": 100, "recipe": ["sacrebleu", "chrf", "ter"]}),
    ("reconcile", {**SEGMENT, "from": "nltk", "to": "sacrebleu"}),
    ("reconcile", {**CORPUS, "from": "mteval-v14", "to": SMOOTHED}),
    ("dialect-groups", SEGMENT),
    ("dialect-groups", CORPUS),
    ("dialect-groups", {**CORPUS, "metric": "chrf"}),
    ("identify", {**SEGMENT, "reported": 0.5}),
    ("identify", {**CORPUS, "reported": "17.10"}),
    ("identify", {**CORPUS, "reported": "17.10", "metric": ["chrf++", "ter"]}),
    ("identify", {**SYSTEMS, "reported": {"a": "100", "b": "0"}}),
]
NAMES = [f"{name}-{place}" for place, (name, _) in enumerate(REQUESTS)]


def schema_of(path, method="post", status="200"):
    """Return the schema of an answer."""
    content = DOCUMENT["paths"][path][method]["responses"][status]["content"]
    return {**content["application/json"]["schema"], "components": DOCUMENT["components"]}


def compute(name, request):
    """Answer a request without the server."""
    [call] = [call for call in api.CALLS if call.name == name]
    return call.answer(request)


def test_every_call_is_asked():
    assert {name for name, _ in REQUESTS} == {call.name for call in api.CALLS}


@pytest.mark.parametrize(("name", "request_"), REQUESTS, ids=NAMES)
def test_an_answer_is_as_documented(name, request_):
    given = answer(name, json.dumps(request_).encode())
    assert given.status == 200, given.content
    jsonschema.validate(json.loads(given.content), schema_of(f"/api/v1/{name}"))


def test_the_metrics_are_those_that_there_are():
    for model in (GroupSegment, GroupCorpus):
        assert model.model_json_schema()["properties"]["metric"]["enum"] == list(METRICS)


def test_the_paired_tests_are_those_that_there_are():
    asked = CompareSystems.model_json_schema()["properties"]["test"]
    assert asked["enum"] == list(TESTS)
    assert asked["default"] == inspect.signature(bp.compare).parameters["test"].default == TESTS[0]


def test_metrics_and_several_recipes_are_those_of_the_library():
    groups = compute("dialect-groups", {**CORPUS, "metric": "chrf"})
    assert {name for group in groups["groups"] for name in group["dialects"]} | set(groups["left_out"]) == set(
        bp.Recipe.dialects("chrf")
    )
    texts = CORPUS["candidates"], CORPUS["references"]
    asked = compute("identify", {**CORPUS, "reported": "50", "metric": "ter"})
    assert asked == bp.identify(*texts, "50", metric="ter").to_dict()
    assert asked["tried"] < compute("identify", {**CORPUS, "reported": "50"})["tried"]
    names = ["chrf", "ter"]
    compared = compute("compare", {**SYSTEMS, "resamples": 100, "recipe": names})
    assert [result["recipe"] for result in compared["recipes"]] == names
    with pytest.raises(InputTypeError) as refused:
        compute("compare", {**SYSTEMS, "recipe": ["paper"] * 7})
    assert refused.value.location == Location("recipe")


@pytest.mark.parametrize("resamples", [3, 10_001, 10_000_000, "1000", True, 100.0])
def test_resamples_are_refused_as_they_are_documented(resamples):
    with pytest.raises(InputTypeError) as refused:
        compute("compare", {**SYSTEMS, "resamples": resamples})
    assert refused.value.where == "resamples"


@pytest.mark.parametrize(
    ("data", "where", "index", "reference_index"),
    [
        ({"candidate": "a", "references": ["a", {}]}, "references[1]", None, 1),
        ({"candidates": ["a", 7], "references": ["a", "b"]}, "candidates[1]", 1, None),
        ({"candidates": ["a", "b"], "references": ["a", 7]}, "references[1]", 1, None),
        ({"candidates": ["a", "b"], "references": ["a", ["b", 7]]}, "references[1][1]", 1, 1),
        ({"candidates": ["a", "b"], "references": ["a", ["b", ["c", {}]]]}, "references[1][1]", 1, 1),
        ({"candidate": "a", "references": "a", "recipe": 7}, "recipe", None, None),
    ],
)
def test_a_value_of_a_wrong_type_is_located(data, where, index, reference_index):
    with pytest.raises(InputTypeError) as refused:
        compute("score", data)
    error = refused.value
    assert (error.where, error.index, error.reference_index) == (where, index, reference_index)


@pytest.mark.parametrize(
    ("key", "value", "where"),
    [
        ("systems", {"a": ["x", 7]}, "systems['a'][1]"),
        ("systems", {"str": 7}, "systems['str']"),
        ("recipe", ["paper", 7], "recipe[1]"),
        ("confidence", True, "confidence"),
    ],
)
def test_a_wrong_type_in_a_comparison_is_located(key, value, where):
    with pytest.raises(InputTypeError) as refused:
        compute("compare", {**SYSTEMS, key: value})
    assert refused.value.where == where


def test_a_misspelt_key_is_named_before_the_missing_one():
    with pytest.raises(InputTypeError) as refused:
        compute("score", {"candidate": "a", "refernces": "a"})
    assert (refused.value.where, refused.value.suggestion) == ("body", "references")


@pytest.mark.parametrize("turns", [3, pytest.param(1, marks=pytest.mark.extended)])
@pytest.mark.parametrize(("name", "request_"), REQUESTS, ids=NAMES)
def test_a_body_that_is_wrong_in_one_place_gets_an_answer_or_a_clear_error(name, request_, turns):
    right, wrong = (
        jsonschema.Draft202012Validator(schema_of(f"/api/v1/{name}", status=status)) for status in ("200", "422")
    )
    statuses = set()
    for place, body in mutations_of(request_, kept=("resamples",), turns=turns):
        given = answer(name, json.dumps(body).encode())
        assert given.status in (200, 422), (place, given.content)
        (right if given.status == 200 else wrong).validate(json.loads(given.content))
        statuses.add(given.status)
    assert 422 in statuses


@pytest.mark.parametrize(("name", "request_"), REQUESTS, ids=NAMES)
def test_nesting_without_end_gets_a_clear_error(name, request_):
    for key, depth in itertools.product(request_, (100, 500, 900, 100_000)):
        others = json.dumps({**request_, key: None})
        given = answer(name, f'{others[:-1]}, "{key}": {"[" * depth}{"]" * depth}}}'.encode())
        assert given.status in (400, 422)
        jsonschema.validate(json.loads(given.content), schema_of(f"/api/v1/{name}", status="422"))
