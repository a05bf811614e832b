"""The JSON API of the local server: the models that requests are validated with, and the functions that answer them.

A model checks names and types. The functions of the library check the rest, so that a mistake in the texts gets the
same message here as in Python.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from importlib import resources
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bleuprint.counting.resampling import MASK
from bleuprint.errors import BleuprintError, InputTypeError, Location, RecipeError, quote, unknown_name, wrong_type
from bleuprint.findings.comparison import Comparison, compare
from bleuprint.findings.explanation import Explanation
from bleuprint.findings.identification import identify
from bleuprint.findings.identification.results import Identification
from bleuprint.findings.reconciliation import group_dialects, reconcile
from bleuprint.findings.reconciliation.results import DialectGroups, Reconciliation
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
from bleuprint.text.segments import pair_one, pair_segments
from bleuprint.text.tokenizers.registry import find_tokenizer
from bleuprint.web.answers import EncodedAnswer, decode, encode_error
from bleuprint.web.bridge import handle
from bleuprint.web.costs import check_explanation
from bleuprint.web.limits import MOST_RECIPES, MOST_RESAMPLES_SERVED, MOST_SYSTEMS

API_VERSION = "v1"
BRIDGE = "bridge"
_USUAL_ORDER = 4
"""Longer n-grams go to a worker, however short the texts are."""
_SMALL_BODY = 4096
"""Bytes; a larger request goes to a worker."""
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


class Corpus(_Request):
    """A corpus: counts are summed over all segments. ``references[i]`` is for ``candidates[i]``."""

    candidates: Annotated[_Candidates, Field(examples=[["the cat is on mat", "it sleeps"]])]
    references: Annotated[_AllReferences, Field(examples=[[["the cat is on the mat"], ["it sleeps there"]]])]


class ScoreSegment(Segment):
    """One segment to score."""

    recipe: _RecipeName = SEGMENT_DEFAULT


class ScoreCorpus(Corpus):
    """A corpus to score."""

    recipe: _RecipeName = DEFAULT


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


def _score(request: ScoreSegment | ScoreCorpus) -> AnyScore:
    verb = score_sentence if isinstance(request, Segment) else score
    found: AnyScore = verb(**dict(request))
    return found


def _explain(request: ScoreSegment | ScoreCorpus) -> Explanation:
    return check_explanation(Explanation(_score(request)))


def _compare(request: CompareSystems) -> Comparison:
    return compare(**dict(request))


def _reconcile(request: ReconcileSegment | ReconcileCorpus) -> Reconciliation:
    return reconcile(*_pair(request), request.start, request.end)


def _group(request: GroupSegment | GroupCorpus) -> DialectGroups:
    return group_dialects(*_pair(request), request.metric)


def _identify(request: IdentifySegment | IdentifyCorpus | IdentifySystems) -> Identification:
    if isinstance(request, IdentifySystems):
        return identify(request.systems, request.references, request.reported, metric=request.metric)
    candidates, references = _pair(request)
    return identify(candidates, references, request.reported, metric=request.metric)


def _pair(request: Segment | Corpus) -> tuple[list[Any], list[Any]]:
    """Check the texts, so that errors speak of one segment if it is one."""
    if isinstance(request, Segment):
        texts = pair_one(request.candidate, request.references)
    else:
        texts = pair_segments(request.candidates, request.references)
    return [*texts.candidates], [*texts.references]


def list_dialects() -> list[dict[str, object]]:
    """Answer ``/api/v1/dialects``."""
    return [
        {
            "name": name, "metric": metric.key, "summary": dialect.summary, "tool": dialect.tool,
            "checked": dialect.checked, "signature": str(recipe),
            "choices": {field: recipe.choice(field) for field in metric.axes},
        }
        for metric in list_metrics()
        for name, dialect in metric.dialects.items()
        for recipe in [Recipe.named(name)]
    ]  # fmt: skip


class Call(NamedTuple):
    """A call of the API: the models of its requests, and what computes its answer."""

    name: str
    compute: Callable[[Any], Any]
    """returns a result of the library"""
    summary: str
    description: str
    requests: Mapping[str, type[BaseModel]]
    """by the key that tells them apart; the first one is the usual one"""
    answer_schema: Mapping[str, object]

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
        result: dict[str, object] = self.compute(self.read(data)).to_dict()
        return result

    def document(self) -> dict[str, Any]:
        """Describe it for ``openapi.json``."""
        bodies = [model.model_json_schema() for model in self.requests.values()]
        body = {"required": True, "content": {"application/json": {"schema": {"title": "Texts", "oneOf": bodies}}}}
        answer = {"description": self.description, "content": {"application/json": {"schema": self.answer_schema}}}
        return {
            "operation_id": self.name, "summary": self.summary, "description": self.description,
            "openapi_extra": {"requestBody": body}, "responses": {200: answer, **REFUSALS},
        }  # fmt: skip


def _translate(error: ValidationError, model: type[BaseModel], data: object) -> BleuprintError:
    """Turn the first problem into an error of ours; an unknown key comes first, for it may be a misspelt one."""
    problems = sorted(error.errors(include_url=False), key=lambda problem: problem["type"] != "extra_forbidden")
    kind, steps = problems[0]["type"], problems[0]["loc"]
    fix, body = "/openapi.json shows what may be sent.", Location("body")
    if not steps:
        return wrong_type("a JSON object", data, fix, location=body)
    if kind == "extra_forbidden":
        known = [field.alias or name for name, field in model.model_fields.items()]
        return unknown_name("key", steps[0], known, fix, location=body, error=InputTypeError)
    if kind == "missing":
        return InputTypeError(f"expected the key {steps[0]!r}.", fix, location=body)
    # Of the alternatives of a type, the one that got furthest is what was meant.
    problem = max(
        (one for one in problems if one["loc"][0] == steps[0]),
        key=lambda one: (len(one["loc"]), not one["type"].endswith("_type")),
    )
    text: str = problem["msg"]
    expected = text.removeprefix("Input should be ")
    message = (
        f"{text[0].lower()}{text[1:]}." if expected == text else f"expected {expected}, got {quote(problem['input'])}."
    )
    return InputTypeError(message, fix, location=_locate(problem["loc"], data))


def _locate(path: tuple[Any, ...], data: Any) -> Location:
    """Return the location of a problem, without the names of types that pydantic puts in between."""
    field, *rest = path
    value, steps = data[field], []
    for step in rest:
        if isinstance(step, int) or (isinstance(value, Mapping) and step in value):
            value = value[step]
            steps.append(step)
    if field == "candidates":
        return Location("candidates", *steps[:1])
    if field == "references":
        return Location("references", *([None, *steps] if "candidate" in data else steps)[:2])
    return Location("".join([field, *(f"[{quote(step)}]" for step in steps)]))


class Problem(BaseModel):
    """What is wrong and how to fix it; input is quoted in at most 80 characters."""

    message: Annotated[str, Field(description="The whole text, with the location and the fix.")]
    where: Annotated[str, Field(description="The argument, header or part of the server that it is about.")]
    fix: str
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


REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"description": description, "model": ErrorAnswer}
    for status, description in {
        400: "The body is not JSON.",
        403: "The request comes from a page of another origin.",
        408: "The body did not arrive in time.",
        413: "The body is too large.",
        415: "The body's Content-Type is not application/json.",
        421: "The Host header names another machine.",
        422: "The body is JSON, but nothing that can be scored.",
        503: "Too many requests wait, or this one takes too long.",
    }.items()
}
REFUSALS[503]["headers"] = {"Retry-After": {"required": True, "schema": {"type": "string"}}}
_TEXTS: Mapping[str, type[BaseModel]] = {"candidate": ScoreSegment, "candidates": ScoreCorpus}
CALLS = (
    Call("score", _score, "Score a segment or a corpus",
         "The score with its components, as `Score.to_dict()` returns it.", _TEXTS, _object("bleuprint.score/1")),
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
_HANDLERS: Mapping[str, Callable[[object], Mapping[str, object]]] = {
    BRIDGE: handle,
    **{call.name: call.answer for call in CALLS},
}


def answer(name: str, body: bytes) -> EncodedAnswer:
    """Answer the body of a request to the bridge or to a call of the API: the function that worker processes run.

    Errors become answers.
    """
    try:
        return EncodedAnswer.of(_HANDLERS[name](decode(body)))
    except Exception as error:
        return encode_error(error)


def answer_at_once(name: str, body: bytes) -> EncodedAnswer | None:
    """Answer a small request for a score without a worker, which would take longer. Return None for other requests."""
    if name != CALLS[0].name or len(body) >= _SMALL_BODY:
        return None
    request = CALLS[0].read(decode(body))
    return EncodedAnswer.of(_score(request).to_dict()) if _is_light(request) else None


def _is_light(request: ScoreSegment | ScoreCorpus) -> bool:
    """Whether a short request takes little time: no long n-grams, no other program or model; or it is an error."""
    try:
        recipe = Recipe.of(request.recipe)
    except RecipeError:
        return True
    needs = find_tokenizer(recipe.choice("tokenizer")).needs if "tokenizer" in recipe.metric.axes else None
    return recipe.order <= _USUAL_ORDER and needs is None
