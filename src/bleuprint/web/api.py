"""The JSON API of the local server: the models that requests are validated with, and what computes the answers.

A model checks names and types. The functions of the library check the rest, so that a mistake in the texts gets the
same message here as in Python.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib import resources
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bleuprint.counting.resampling import MASK
from bleuprint.errors import InputTypeError, Location, RecipeError, nearest, quote
from bleuprint.findings.comparison import compare
from bleuprint.findings.explanation import Explanation
from bleuprint.findings.identification import identify
from bleuprint.findings.reconciliation import group_dialects, reconcile
from bleuprint.findings.settings import (
    FEWEST_RESAMPLES,
    HIGHEST_CONFIDENCE,
    LOWEST_CONFIDENCE,
    USUAL_CONFIDENCE,
    USUAL_SEED,
)
from bleuprint.metrics.score import AnyScore
from bleuprint.recipes.options import DEFAULT, SEGMENT_DEFAULT
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.registry import list_metrics
from bleuprint.scoring.verbs import score, score_sentence
from bleuprint.text.segments import Segments, pair_one, pair_segments
from bleuprint.text.tokenizers.registry import find_tokenizer
from bleuprint.web.costs import check_explanation
from bleuprint.web.limits import MOST_RECIPES, MOST_RESAMPLES_SERVED, MOST_SYSTEMS
from bleuprint.wording import join_words

API_VERSION = "v1"
_USUAL_ORDER = 4
"""Longer n-grams go to a worker, however short the texts are."""
_LONGEST_REMEMBERED = 500
"""Characters of a recipe that is cached, so that the cache stays small."""

_Text = Annotated[
    str | Annotated[list[str | int | float | bool | None], Field(fail_fast=True)],
    Field(description="A text; a list of tokens only for recipes with the tokenizer pretokenized."),
]
_References = Annotated[
    str | Annotated[list[_Text | None], Field(fail_fast=True)],
    Field(description='A reference, or a list of references; null is a missing one, "" an empty one.'),
]
_Candidates = Annotated[list[_Text], Field(min_length=1, fail_fast=True, description="The texts, one per segment.")]
_AllReferences = Annotated[
    list[_References],
    Field(min_length=1, fail_fast=True, description="For every candidate its reference or its list of references."),
]
_RecipeName = Annotated[
    str,
    Field(
        description="The name of a dialect (see /api/v1/dialects), or a signature as bleuprint or sacreBLEU prints it.",
        examples=["sacrebleu", "paper", "nltk-method1", "chrf++", "ter"],
    ),
]
_Number = Annotated[
    str | int | float,
    Field(description="As it was printed, 0 to 100; as text it keeps its last zeros.", examples=["33.80"]),
]


class _Request(BaseModel):
    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", strict=True)


class Segment(_Request):
    """One segment: a candidate and its references."""

    candidate: Annotated[_Text, Field(examples=["the cat is on mat"])]
    references: Annotated[_References, Field(examples=[["the cat is on the mat", "a cat is on the mat"]])]

    def pair(self) -> Segments:
        """Check the texts."""
        return pair_one(self.candidate, self.references)


class Corpus(_Request):
    """A corpus: counts are summed over all segments. ``references[i]`` is for ``candidates[i]``."""

    candidates: Annotated[_Candidates, Field(examples=[["the cat is on mat", "it sleeps"]])]
    references: Annotated[_AllReferences, Field(examples=[[["the cat is on the mat"], ["it sleeps there"]]])]

    def pair(self) -> Segments:
        """Check the texts."""
        return pair_segments(self.candidates, self.references)


class ScoreSegment(Segment):
    """One segment to score."""

    recipe: _RecipeName = SEGMENT_DEFAULT

    def score(self) -> AnyScore:
        """Compute the score."""
        return score_sentence(self.candidate, self.references, _find_recipe(self.recipe))


class ScoreCorpus(Corpus):
    """A corpus to score."""

    recipe: _RecipeName = DEFAULT

    def score(self) -> AnyScore:
        """Compute the score."""
        return score(self.candidates, self.references, _find_recipe(self.recipe))


class _TwoRecipes(_Request):
    start: Annotated[_RecipeName, Field(alias="from", examples=["nltk"])]
    end: Annotated[_RecipeName, Field(alias="to", examples=["sacrebleu"])]


class ReconcileSegment(_TwoRecipes, Segment):
    """One segment and two recipes."""


class ReconcileCorpus(_TwoRecipes, Corpus):
    """A corpus and two recipes."""


class _OneMetric(_Request):
    metric: Annotated[Literal["bleu", "chrf", "ter"], Field(description="Whose dialects are grouped.")] = "bleu"


class GroupSegment(_OneMetric, Segment):
    """One segment."""


class GroupCorpus(_OneMetric, Corpus):
    """A corpus."""


class _ReportedAs(_Request):
    metric: Annotated[
        str | list[str] | None,
        Field(
            description="What the number was reported as: bleu, chrf, ter or a dialect, or several; null for anything.",
            examples=["chrf", ["bleu", "ter"]],
        ),
    ] = None


class IdentifySegment(_ReportedAs, Segment):
    """One segment, and the number that was reported for it."""

    reported: _Number


class IdentifyCorpus(_ReportedAs, Corpus):
    """A corpus, and the number that was reported for it."""

    reported: _Number


class IdentifySystems(_ReportedAs):
    """Several systems on the same references, with the number that was reported for each, by the same names."""

    systems: Annotated[dict[str, _Candidates], Field(min_length=1, max_length=MOST_SYSTEMS)]
    references: _AllReferences
    reported: Annotated[dict[str, _Number], Field(min_length=1, max_length=MOST_SYSTEMS)]


class CompareSystems(_Request):
    """Several systems on the same references, and how to compare them."""

    systems: Annotated[
        dict[str, _Candidates],
        Field(min_length=1, max_length=MOST_SYSTEMS, examples=[{"ours": ["the cat sat"], "theirs": ["a cat sat"]}]),
    ]
    references: _AllReferences
    recipe: _RecipeName | Annotated[list[_RecipeName], Field(min_length=1, max_length=MOST_RECIPES)] = DEFAULT
    baseline: Annotated[
        str | None, Field(description="The system that the others are compared with; null compares all pairs.")
    ] = None
    test: Annotated[
        Literal["randomisation", "bootstrap"], Field(description="The test that decides what is significant.")
    ] = "randomisation"
    resamples: Annotated[int, Field(ge=FEWEST_RESAMPLES, le=MOST_RESAMPLES_SERVED)] = MOST_RESAMPLES_SERVED
    confidence: Annotated[float, Field(ge=LOWEST_CONFIDENCE, le=HIGHEST_CONFIDENCE)] = USUAL_CONFIDENCE
    seed: Annotated[int, Field(ge=0, le=MASK)] = USUAL_SEED


def _score(request: ScoreSegment | ScoreCorpus) -> dict[str, object]:
    return request.score().to_dict()


def _explain(request: ScoreSegment | ScoreCorpus) -> dict[str, object]:
    return check_explanation(Explanation(request.score())).to_dict()


def _compare(request: CompareSystems) -> dict[str, object]:
    recipe = request.recipe
    return compare(
        request.systems, request.references,
        _find_recipe(recipe) if isinstance(recipe, str) else [_find_recipe(one) for one in recipe],
        baseline=request.baseline, test=request.test, resamples=request.resamples,
        confidence=request.confidence, seed=request.seed,
    ).to_dict()  # fmt: skip


def _reconcile(request: ReconcileSegment | ReconcileCorpus) -> dict[str, object]:
    texts = request.pair()
    recipes = _find_recipe(request.start), _find_recipe(request.end)
    return reconcile(texts.candidates, texts.references, *recipes).to_dict()


def _group(request: GroupSegment | GroupCorpus) -> dict[str, object]:
    texts = request.pair()
    return group_dialects(texts.candidates, texts.references, request.metric).to_dict()


def _identify(request: IdentifySegment | IdentifyCorpus | IdentifySystems) -> dict[str, object]:
    if isinstance(request, IdentifySystems):
        return identify(request.systems, request.references, request.reported, metric=request.metric).to_dict()
    texts = request.pair()
    return identify(texts.candidates, texts.references, request.reported, metric=request.metric).to_dict()


class Dialect(BaseModel):
    """A named recipe that gives the numbers of an existing tool."""

    name: str
    metric: Annotated[str, Field(description="bleu, chrf or ter.")]
    summary: str
    tool: Annotated[str, Field(description="The tool and version whose numbers it gives.")]
    checked: Annotated[str, Field(description="How closely, and against what, that was checked.")]
    signature: str
    choices: Annotated[dict[str, str], Field(description="The choice on each axis of its metric.")]


def list_dialects() -> list[Dialect]:
    """Answer ``/api/v1/dialects``."""
    return [
        Dialect(
            name=name, metric=metric.key, summary=dialect.summary, tool=dialect.tool, checked=dialect.checked,
            signature=str(recipe), choices={field: recipe.choice(field) for field in metric.axes},
        )
        for metric in list_metrics()
        for name, dialect in metric.dialects.items()
        for recipe in [Recipe.named(name)]
    ]  # fmt: skip


def is_light(request: ScoreSegment | ScoreCorpus) -> bool:
    """Return whether a short request takes little time, or is refused: no long n-grams, no other program or model."""
    try:
        recipe = _find_recipe(request.recipe)
    except RecipeError:
        return True
    needs = find_tokenizer(recipe.choice("tokenizer")).needs if "tokenizer" in recipe.metric.axes else None
    return recipe.order <= _USUAL_ORDER and needs is None


def _find_recipe(recipe: str) -> Recipe:
    return _remember_recipe(recipe) if len(recipe) <= _LONGEST_REMEMBERED else Recipe.of(recipe)


@lru_cache(maxsize=256)
def _remember_recipe(recipe: str) -> Recipe:
    return Recipe.of(recipe)


class Call(NamedTuple):
    """A call of the API: the models of its requests, and what computes its answer."""

    name: str
    compute: Callable[[Any], dict[str, object]]
    summary: str
    description: str
    requests: Mapping[str, type[BaseModel]]
    """by the key that tells them apart; the first one is the usual one"""
    answer_schema: Mapping[str, object]
    is_quick: bool = False
    """whether a short request is answered at once, without a worker"""

    def read(self, data: object) -> Any:
        """Validate the body of a request."""
        keys = data if isinstance(data, Mapping) else ()
        model = self.requests[next((key for key in self.requests if key in keys), next(iter(self.requests)))]
        try:
            return model.model_validate(data)
        except ValidationError as error:
            raise _translate(error, model, data) from None

    def answer(self, data: object) -> dict[str, object]:
        """Compute the answer to a body."""
        return self.compute(self.read(data))

    def request_schema(self) -> dict[str, Any]:
        """Describe the body for ``openapi.json``."""
        schemas = [model.model_json_schema() for model in self.requests.values()]
        content = {"application/json": {"schema": {"title": "Texts", "oneOf": schemas}}}
        return {"requestBody": {"required": True, "content": content}}


_LENGTHS = {
    "too_long": "at most {max_length} entries",
    "too_short": "at least {min_length} entries",
    "less_than_equal": "at most {le}",
    "greater_than_equal": "at least {ge}",
}


def _translate(error: ValidationError, model: type[BaseModel], data: object) -> InputTypeError:
    """Turn the first problem into an error of ours; an unknown key comes first, for it may be a misspelt one."""
    problems = sorted(error.errors(include_url=False), key=lambda problem: problem["type"] != "extra_forbidden")
    kind, location = problems[0]["type"], problems[0]["loc"]
    if not location:
        return _refuse("body", "a JSON object", quote(data))
    if kind in ("extra_forbidden", "missing"):
        known = [field.alias or name for name, field in model.model_fields.items()]
        wanted, key = f"the keys {join_words(map(repr, known))}", location[0]
        if kind == "missing":
            return _refuse("body", wanted, f"no {key!r}")
        return _refuse("body", wanted, quote(key), nearest(key, known))
    # Of the alternatives of a type, the one that got furthest is what was meant.
    problem = max(
        (one for one in problems if one["loc"][0] == location[0]),
        key=lambda one: (len(one["loc"]), not one["type"].endswith("_type")),
    )
    template = _LENGTHS.get(problem["type"])
    wanted = template.format(**problem["ctx"]) if template else problem["msg"].removeprefix("Input should be ")
    return _refuse(_locate(problem["loc"], data), wanted, quote(problem["input"]))


def _locate(location: tuple[Any, ...], data: Any) -> Location | str:
    """Return the place of a problem, without the names of types that pydantic puts in between."""
    field, *rest = location
    value, steps = data[field], []
    for step in rest:
        if isinstance(step, int) or (isinstance(value, Mapping) and step in value):
            value = value[step]
            steps.append(step)
    if field == "candidates":
        return Location("candidates", *steps[:1])
    if field == "references":
        return Location("references", *([None, *steps] if "candidate" in data else steps)[:2])
    return "".join([field, *(f"[{step!r}]" for step in steps)])


def _refuse(where: Location | str, wanted: str, got: str, suggestion: str | None = None) -> InputTypeError:
    return InputTypeError(
        where=where, wanted=wanted, got=got, suggestion=suggestion,
        next_step="/openapi.json shows what may be sent.",
    )  # fmt: skip


class Problem(BaseModel):
    """What is wrong, in four parts; input is quoted in at most 80 characters."""

    message: Annotated[str, Field(description="The four parts as one text.")]
    where: str
    wanted: str
    got: str
    next_step: str
    suggestion: Annotated[str | None, Field(description="The name that may have been meant.")]
    index: Annotated[int | None, Field(description="The segment that it is about, counted from 0.")]
    reference_index: Annotated[int | None, Field(description="The reference of that segment, counted from 0.")]


class ErrorAnswer(BaseModel):
    """The answer to whatever is refused."""

    error: Problem


def explanation_schema() -> dict[str, Any]:
    """Describe an explanation, with the schema that the package carries."""
    text = (resources.files("bleuprint.findings.explanation") / "explanation-1.schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    schema.pop("$schema")
    return schema


def _object(schema: str) -> dict[str, object]:
    """Describe an answer by the name of its format."""
    return {"type": "object", "required": ["schema"], "properties": {"schema": {"const": schema}}}


_TEXTS: Mapping[str, type[BaseModel]] = {"candidate": ScoreSegment, "candidates": ScoreCorpus}
CALLS = (
    Call("score", _score, "Score a segment or a corpus",
         "The score with its components, as `Score.to_dict()` returns it.", _TEXTS, _object("bleuprint.score/1"),
         is_quick=True),
    Call("explain", _explain, "Explain a score",
         "How the number came to be: arithmetic, and the n-grams of a segment or the table of a corpus.",
         _TEXTS, explanation_schema()),
    Call("compare", _compare, "Compare systems on one test set", "Scores with intervals, paired tests, clusters.",
         {"systems": CompareSystems}, _object("bleuprint.comparison/1")),
    Call("reconcile", _reconcile, "Show why two recipes disagree", "What each axis on which they differ contributes.",
         {"candidate": ReconcileSegment, "candidates": ReconcileCorpus}, _object("bleuprint.reconciliation/1")),
    Call("dialect-groups", _group, "Group all dialects of a metric by equal scores",
         "With the axis at which each group differs.",
         {"candidate": GroupSegment, "candidates": GroupCorpus}, _object("bleuprint.dialect-groups/1")),
    Call("identify", _identify, "Find out which BLEU, chrF or TER a number is",
         "The recipes that give it, and accidents that do.",
         {"candidate": IdentifySegment, "candidates": IdentifyCorpus, "systems": IdentifySystems},
         _object("bleuprint.identification/1")),
)  # fmt: skip
