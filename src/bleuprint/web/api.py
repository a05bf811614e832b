"""The JSON API of the local server: what may be asked, what is answered, and how both are documented.

Texts are checked by the verbs that score them, so that a mistake gets the same words here as in Python. The models
below describe that in ``openapi.json``; the tests send what they allow and what they forbid.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from bleuprint.bleu_score import BleuScore
from bleuprint.corpus import score, score_sentence
from bleuprint.dialect_table import DEFAULT, DIALECTS
from bleuprint.errors import InputTypeError, RecipeError, name_list, quote
from bleuprint.explanation import Explanation
from bleuprint.recipe import Recipe

VERSION = "v1"
SEGMENT_KEYS = ("candidate", "references", "recipe")
CORPUS_KEYS = ("candidates", "references", "recipe")
_LONGEST_REMEMBERED = 500
"""Characters of a recipe that is remembered between requests, so that what is remembered stays small."""

Token = str | float | bool | None
Text = str | list[Token]
Count = Annotated[int, Field(ge=0)]
RecipeField = Annotated[
    str,
    Field(
        description="The name of a dialect (see /api/v1/dialects), or a signature as bleuprint or sacreBLEU prints it.",
        examples=["sacrebleu", "paper", "nltk-method1"],
    ),
]


class SegmentTexts(BaseModel):
    """One segment: a candidate and its references. Lists of tokens are for recipes with tokenizer pretokenized."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"candidate": "the cat is on mat", "references": ["the cat is on the mat"], "recipe": "paper"},
                {"candidate": "the cat sat", "references": "the cat sat down"},
            ]
        },
    )

    candidate: Annotated[Text, Field(description="The text to be scored.")]
    references: Annotated[
        str | list[Text | None],
        Field(description='The reference, or the list of references; null is a missing one, "" an empty one.'),
    ]
    recipe: RecipeField = DEFAULT


class CorpusTexts(BaseModel):
    """A corpus: counts are summed over all segments, then combined once. ``references[i]`` is for ``candidates[i]``."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "candidates": ["the cat is on mat", "it sleeps there"],
                    "references": [["the cat is on the mat", "a cat is on the mat"], ["it sleeps there"]],
                    "recipe": "sacrebleu",
                }
            ]
        },
    )

    candidates: Annotated[list[Text], Field(min_length=1, description="The texts to be scored, one per segment.")]
    references: Annotated[
        list[str | list[Text | None]],
        Field(min_length=1, description="For every candidate its reference or its list of references."),
    ]
    recipe: RecipeField = DEFAULT


class NoteAnswer(BaseModel):
    """Why a score is not what one may have expected."""

    code: Annotated[str, Field(description="A name to test for; docs/explaining.md lists them.")]
    text: str


class ScoreAnswer(BaseModel):
    """A score with its parts, its recipe and its notes; the same as ``BleuScore.to_dict()``."""

    schema_: Annotated[Literal["bleuprint.score/1"], Field(alias="schema")]
    score: Annotated[float, Field(ge=0, description="BLEU on 0 to 100.")]
    fraction: Annotated[float, Field(ge=0, description="BLEU on 0 to 1.")]
    label: Annotated[str, Field(description="BLEU-4 for N = 4.")]
    level: Literal["segment", "corpus"]
    precisions: Annotated[list[float], Field(description="Clipped precision per order as counted, on 0 to 1.")]
    smoothed_precisions: Annotated[
        list[float | None], Field(description="The precision that the formula used; null where an order was left out.")
    ]
    brevity_penalty: Annotated[float, Field(ge=0, le=1)]
    geometric_mean: Annotated[float, Field(ge=0)]
    matches: Annotated[list[Count], Field(description="Clipped matches per order.")]
    totals: Annotated[list[Count], Field(description="Candidate n-grams per order.")]
    candidate_length: Count
    reference_length: Count
    segments: Annotated[int, Field(ge=1)]
    signature: Annotated[str, Field(description="The recipe in one line; it may be sent as recipe again.")]
    notes: list[NoteAnswer]


class DialectAnswer(BaseModel):
    """A named recipe that gives the numbers of an existing tool."""

    name: str
    summary: str
    tool: Annotated[str, Field(description="The tool and version whose numbers it gives.")]
    checked: Annotated[str, Field(description="How closely, and against what, that was checked.")]
    signature: str


class Problem(BaseModel):
    """What is wrong, in four parts; input is quoted in at most 80 characters."""

    message: Annotated[str, Field(description="The four parts as one text.")]
    where: str
    wanted: str
    got: str
    next_step: str


class ErrorAnswer(BaseModel):
    """The answer to whatever is refused."""

    error: Problem


def compute_score(data: object) -> BleuScore:
    """Score what a request body asks for."""
    if not isinstance(data, Mapping):
        raise InputTypeError(
            where="body", wanted="a JSON object", got=quote(data), next_step="/openapi.json shows what may be sent."
        )
    is_corpus = "candidates" in data
    _check_keys(data, CORPUS_KEYS if is_corpus else SEGMENT_KEYS)
    recipe = _find_recipe(data.get("recipe", DEFAULT))
    if is_corpus:
        return score(data["candidates"], data["references"], recipe)
    return score_sentence(data["candidate"], data["references"], recipe)


def answer_score(data: object) -> dict[str, object]:
    """Answer ``/api/v1/score``."""
    return compute_score(data).to_dict()


def answer_explain(data: object) -> dict[str, object]:
    """Answer ``/api/v1/explain``."""
    return Explanation(compute_score(data)).to_dict()


def list_dialects() -> list[dict[str, str]]:
    """Answer ``/api/v1/dialects``."""
    return [
        {
            "name": name,
            "summary": dialect.summary,
            "tool": dialect.tool,
            "checked": dialect.checked,
            "signature": str(Recipe.named(name)),
        }
        for name, dialect in DIALECTS.items()
    ]


def read_order(data: object) -> int:
    """Tell the highest n-gram order that a request asks for; 0 where it will be refused anyway."""
    recipe = data.get("recipe", DEFAULT) if isinstance(data, Mapping) else None
    try:
        return _find_recipe(recipe).order
    except RecipeError:
        return 0


def request_schema() -> dict[str, Any]:
    """Describe the body of a request, for ``openapi.json``."""
    schemas = [model.model_json_schema() for model in (SegmentTexts, CorpusTexts)]
    content = {"application/json": {"schema": {"title": "Texts", "oneOf": schemas}}}
    return {"requestBody": {"required": True, "content": content}}


def explanation_schema() -> dict[str, Any]:
    """Describe an explanation, from the schema that the package carries."""
    text = (resources.files("bleuprint.explanation") / "explanation-1.schema.json").read_text(encoding="utf-8")
    schema = json.loads(text)
    assert isinstance(schema, dict)
    schema.pop("$schema")
    return schema


def _check_keys(data: Mapping[str, object], keys: tuple[str, ...]) -> None:
    known = name_list(keys)
    for key in data:
        if key not in keys:
            raise InputTypeError(
                where="body", wanted=f"the keys {known}", got=quote(key), next_step="Leave it out, or correct its name."
            )
    for key in keys[:2]:
        if key not in data:
            raise InputTypeError(
                where="body", wanted=f"the keys {known}", got=f"no {key!r}", next_step=f"Give {key!r}, too."
            )


def _find_recipe(recipe: object) -> Recipe:
    if isinstance(recipe, str) and len(recipe) <= _LONGEST_REMEMBERED:
        return _remember_recipe(recipe)
    return Recipe.of(recipe)  # type: ignore[arg-type]


@lru_cache(maxsize=256)
def _remember_recipe(recipe: str) -> Recipe:
    return Recipe.of(recipe)
