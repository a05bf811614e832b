"""The JSON API of the local server: what may be asked, what is answered, and how both are documented.

Texts are checked by the verbs that score them, so that a mistake gets the same words here as in Python. The models in
``api_requests.py`` and ``api_answers.py`` describe that in ``openapi.json``; the tests send what they allow and what
they forbid.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib import resources
from typing import Any, NamedTuple, cast

from pydantic import BaseModel

from bleuprint.errors import InputTypeError, RecipeError, nearest, quote
from bleuprint.findings.comparison import compare
from bleuprint.findings.comparison.checks import TESTS
from bleuprint.findings.explanation import Explanation
from bleuprint.findings.identification import identify
from bleuprint.findings.reconciliation import group_dialects, reconcile
from bleuprint.findings.settings import USUAL_CONFIDENCE, USUAL_SEED
from bleuprint.metrics.score import AnyScore
from bleuprint.recipes.dialect import DEFAULT, SEGMENT_DEFAULT
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.registry import DEFAULT_METRIC, list_metrics
from bleuprint.scoring.verbs import score, score_sentence
from bleuprint.text.segments import pair_one, pair_segments
from bleuprint.text.tokenizers.registry import find_tokenizer
from bleuprint.web import api_answers, api_requests
from bleuprint.web.compare_forms import check_resamples
from bleuprint.web.costs import check_explanation
from bleuprint.web.limits import MOST_RECIPES, MOST_RESAMPLES_SERVED, MOST_SYSTEMS
from bleuprint.wording import join_words

API_VERSION = "v1"
SEGMENT_KEYS = ("candidate", "references", "recipe")
CORPUS_KEYS = ("candidates", "references", "recipe")
COMPARE_KEYS = ("systems", "references", "recipe", "baseline", "test", "resamples", "confidence", "seed")
_USUAL_ORDER = 4
"""Longer n-grams go to a worker, however short the texts are."""
_LONGEST_REMEMBERED = 500
"""Characters of a recipe that is remembered between requests, so that what is remembered stays small."""


def compute_score(data: object) -> AnyScore:
    """Score what a request body asks for."""
    data = _check_object(data)
    is_corpus = "candidates" in data
    _check_keys(data, CORPUS_KEYS if is_corpus else SEGMENT_KEYS, 2)
    recipe = _find_recipe(data.get("recipe", DEFAULT if is_corpus else SEGMENT_DEFAULT))
    if is_corpus:
        return score(data["candidates"], data["references"], recipe)
    return score_sentence(data["candidate"], data["references"], recipe)


def answer_score(data: object) -> dict[str, object]:
    """Answer ``/api/v1/score``."""
    return compute_score(data).to_dict()


def answer_explain(data: object) -> dict[str, object]:
    """Answer ``/api/v1/explain``."""
    return check_explanation(Explanation(compute_score(data))).to_dict()


def answer_reconcile(data: object) -> dict[str, object]:
    """Answer ``/api/v1/reconcile``."""
    data = _check_object(data)
    texts = _read_texts(data, "from", "to")
    return reconcile(*texts, _find_recipe(data["from"]), _find_recipe(data["to"])).to_dict()


def answer_groups(data: object) -> dict[str, object]:
    """Answer ``/api/v1/dialect-groups``."""
    data = _check_object(data)
    texts = _read_texts(data, optional=("metric",))
    return group_dialects(*texts, data.get("metric", DEFAULT_METRIC)).to_dict()


def answer_identify(data: object) -> dict[str, object]:
    """Answer ``/api/v1/identify``."""
    data = _check_object(data)
    if "systems" not in data:
        texts = _read_texts(data, "reported", optional=("metric",))
        return identify(*texts, data["reported"], metric=data.get("metric")).to_dict()
    _check_keys(data, ("systems", "references", "reported", "metric"), 3)
    systems, reported = data["systems"], data["reported"]
    if not isinstance(systems, Mapping) or not isinstance(reported, Mapping) or len(systems) > MOST_SYSTEMS:
        raise InputTypeError(
            where="systems", wanted=f"at most {MOST_SYSTEMS} systems and their numbers, by the same names",
            got=quote(systems), next_step="/openapi.json shows what may be sent.",
        )  # fmt: skip
    return identify(systems, data["references"], reported, metric=data.get("metric")).to_dict()


def answer_compare(data: object) -> dict[str, object]:
    """Answer ``/api/v1/compare``."""
    data = _check_object(data)
    _check_keys(data, COMPARE_KEYS, 2)
    systems, baseline, resamples = data["systems"], data.get("baseline"), data.get("resamples", MOST_RESAMPLES_SERVED)
    if isinstance(systems, Mapping) and len(systems) > MOST_SYSTEMS:
        raise InputTypeError(
            where="systems", wanted=f"at most {MOST_SYSTEMS} systems", got=str(len(systems)),
            next_step="The command line takes any number: bleuprint compare.",
        )  # fmt: skip
    if baseline is not None and not isinstance(baseline, str):
        raise InputTypeError(
            where="baseline",
            wanted="the name of a system",
            got=quote(baseline),
            next_step="Leave it out for all pairs.",
        )
    check_resamples(resamples)
    return compare(
        systems, data["references"], _find_recipes(data.get("recipe", DEFAULT)),
        baseline=baseline, test=data.get("test", TESTS[0]), resamples=resamples,
        confidence=data.get("confidence", USUAL_CONFIDENCE), seed=data.get("seed", USUAL_SEED),
    ).to_dict()  # fmt: skip


def _read_texts(data: Mapping[str, Any], *keys: str, optional: tuple[str, ...] = ()) -> tuple[list[Any], list[Any]]:
    """Read a segment or a corpus, and see that the other keys are there; optional ones may be."""
    if "candidates" in data:
        _check_keys(data, ("candidates", "references", *keys, *optional), 2 + len(keys))
        segments = pair_segments(data["candidates"], data["references"])
    else:
        _check_keys(data, ("candidate", "references", *keys, *optional), 2 + len(keys))
        segments = pair_one(data["candidate"], data["references"])
    return segments.candidates, segments.references


def _check_object(data: object) -> Mapping[str, Any]:
    if not isinstance(data, Mapping):
        raise InputTypeError(
            where="body", wanted="a JSON object", got=quote(data), next_step="/openapi.json shows what may be sent."
        )
    return data


def list_dialects() -> list[dict[str, object]]:
    """Answer ``/api/v1/dialects``."""
    return [
        {
            "name": name,
            "summary": dialect.summary,
            "tool": dialect.tool,
            "checked": dialect.checked,
            "signature": str(recipe),
            "metric": metric.key,
            "choices": {field: recipe.choice(field) for field in metric.axes},
        }
        for metric in list_metrics()
        for name, dialect in metric.dialects.items()
        for recipe in [Recipe.named(name)]
    ]


def is_light(data: object) -> bool:
    """Return whether a short request takes little time, or is refused: no long n-grams, no other program or model."""
    try:
        recipe = _find_recipe(data.get("recipe", DEFAULT) if isinstance(data, Mapping) else None)
    except RecipeError:
        return True
    needs = find_tokenizer(recipe.choice("tokenizer")).needs if "tokenizer" in recipe.metric.axes else None
    return recipe.order <= _USUAL_ORDER and needs is None


def request_schema(*requests: type[BaseModel]) -> dict[str, Any]:
    """Describe the body of a request, for ``openapi.json``."""
    schemas = [model.model_json_schema() for model in requests]
    content = {"application/json": {"schema": {"title": "Texts", "oneOf": schemas}}}
    return {"requestBody": {"required": True, "content": content}}


def explanation_schema() -> dict[str, Any]:
    """Describe an explanation, from the schema that the package carries."""
    text = (resources.files("bleuprint.findings.explanation") / "explanation-1.schema.json").read_text(encoding="utf-8")
    schema = json.loads(text)
    assert isinstance(schema, dict)
    schema.pop("$schema")
    return schema


def _check_keys(data: Mapping[str, object], keys: tuple[str, ...], needed: int) -> None:
    known = join_words(map(repr, keys))
    for key in data:
        if key not in keys:
            raise InputTypeError(
                where="body",
                wanted=f"the keys {known}",
                got=quote(key),
                suggestion=nearest(key, keys),
                next_step="Leave it out, or correct its name.",
            )
    for key in keys[:needed]:
        if key not in data:
            raise InputTypeError(
                where="body", wanted=f"the keys {known}", got=f"no {key!r}", next_step=f"Give {key!r}, too."
            )


def _find_recipes(recipe: object) -> Recipe | list[Recipe]:
    """Find one recipe, or all of a list."""
    if not isinstance(recipe, list):
        return _find_recipe(recipe)
    if len(recipe) > MOST_RECIPES:
        raise InputTypeError(
            where="recipe", wanted=f"at most {MOST_RECIPES} recipes", got=str(len(recipe)),
            next_step="The command line takes any number: bleuprint compare.",
        )  # fmt: skip
    return [_find_recipe(one) for one in recipe]


def _find_recipe(recipe: object) -> Recipe:
    if isinstance(recipe, str) and len(recipe) <= _LONGEST_REMEMBERED:
        return _remember_recipe(recipe)
    return Recipe.of(cast(Recipe, recipe))


@lru_cache(maxsize=256)
def _remember_recipe(recipe: str) -> Recipe:
    return Recipe.of(recipe)


class Call(NamedTuple):
    """A call of the API: its name, what works out the answer, and how ``openapi.json`` describes it."""

    name: str
    answer: Callable[[object], dict[str, object]]
    summary: str
    description: str
    result: str
    response: Mapping[str, Any]
    """what describes the answer: a model, or a schema"""
    requests: tuple[type[BaseModel], ...]
    is_quick: bool = False
    """whether a short request is answered at once, without a worker"""


_TEXTS = (api_requests.SegmentTexts, api_requests.CorpusTexts)
CALLS = (
    Call(
        "score", answer_score, "Score a segment or a corpus",
        "The score with its parts, as `Score.to_dict()` gives it.",
        "The score.", {"model": api_answers.ScoreAnswer}, _TEXTS, is_quick=True,
    ),
    Call(
        "explain", answer_explain, "Explain a score",
        "How the number came to be: arithmetic, and the n-grams of a segment or the table of a corpus.",
        "The explanation.", {"content": {"application/json": {"schema": explanation_schema()}}}, _TEXTS,
    ),
    Call(
        "compare", answer_compare, "Compare systems on one test set",
        "Scores with intervals, paired tests, clusters.",
        "The comparison.", {"model": api_answers.ComparisonAnswer}, (api_requests.SystemsTexts,),
    ),
    Call(
        "reconcile", answer_reconcile, "Show why two recipes disagree",
        "What each axis on which they differ contributes.",
        "The steps.", {"model": api_answers.ReconciliationAnswer}, (api_requests.SegmentWay, api_requests.CorpusWay),
    ),
    Call(
        "dialect-groups", answer_groups, "Group all dialects of a metric by equal scores",
        "With the axis at which each group parts.",
        "The groups.", {"model": api_answers.GroupsAnswer}, (api_requests.PlainSegment, api_requests.PlainCorpus),
    ),
    Call(
        "identify", answer_identify, "Find out which BLEU, chrF or TER a number is",
        "The recipes that give it, and accidents that do.",
        "What it may be.", {"model": api_answers.IdentificationAnswer},
        (api_requests.SegmentReport, api_requests.CorpusReport, api_requests.SystemsReport),
    ),
)  # fmt: skip
