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
from bleuprint.comparison import compare
from bleuprint.comparison.entries import FEWEST_RESAMPLES
from bleuprint.corpus import score, score_sentence
from bleuprint.dialect_table import DEFAULT, DIALECTS
from bleuprint.errors import InputTypeError, RecipeError, name_list, quote
from bleuprint.explanation import Explanation
from bleuprint.identification import identify
from bleuprint.recipe import Recipe
from bleuprint.reconciliation import group_dialects, reconcile
from bleuprint.segments import pair_one, pair_segments

VERSION = "v1"
MOST_SYSTEMS = 10
MOST_RESAMPLES = 10_000
SEGMENT_KEYS = ("candidate", "references", "recipe")
CORPUS_KEYS = ("candidates", "references", "recipe")
COMPARE_KEYS = ("systems", "references", "recipe", "baseline", "test", "resamples", "confidence", "seed")
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


SegmentCandidate = Annotated[str, Field(description="The text to be scored.")]
SegmentReferences = Annotated[str | list[str | None], Field(description="The reference, or the list of references.")]
CorpusCandidates = Annotated[list[str], Field(min_length=1, description="The texts to be scored, one per segment.")]
CorpusReferences = Annotated[
    list[str | list[str | None]],
    Field(min_length=1, description="For every candidate its reference or its list of references."),
]
End = Annotated[str, Field(description="The name of a dialect, or a signature as bleuprint or sacreBLEU prints it.")]
Number = Annotated[
    str | float, Field(description="As it was printed, 0 to 100; as text it keeps its last zeros.", examples=["33.80"])
]
_STRICT = ConfigDict(extra="forbid", populate_by_name=True)


class SegmentWay(BaseModel):
    """One segment and two recipes."""

    model_config = _STRICT

    candidate: SegmentCandidate
    references: SegmentReferences
    start: Annotated[End, Field(alias="from", examples=["nltk"])]
    end: Annotated[End, Field(alias="to", examples=["sacrebleu"])]


class CorpusWay(BaseModel):
    """A corpus and two recipes."""

    model_config = _STRICT

    candidates: CorpusCandidates
    references: CorpusReferences
    start: Annotated[End, Field(alias="from", examples=["nltk"])]
    end: Annotated[End, Field(alias="to", examples=["sacrebleu"])]


class PlainSegment(BaseModel):
    """One segment."""

    model_config = _STRICT

    candidate: SegmentCandidate
    references: SegmentReferences


class PlainCorpus(BaseModel):
    """A corpus."""

    model_config = _STRICT

    candidates: CorpusCandidates
    references: CorpusReferences


class SegmentReport(BaseModel):
    """One segment, and the number that was reported for it."""

    model_config = _STRICT

    candidate: SegmentCandidate
    references: SegmentReferences
    reported: Number


class CorpusReport(BaseModel):
    """A corpus, and the number that was reported for it."""

    model_config = _STRICT

    candidates: CorpusCandidates
    references: CorpusReferences
    reported: Number


class SystemsReport(BaseModel):
    """Several systems on the same references, with the number that was reported for each, by the same names."""

    model_config = _STRICT

    systems: Annotated[dict[str, CorpusCandidates], Field(min_length=1, max_length=MOST_SYSTEMS)]
    references: CorpusReferences
    reported: Annotated[dict[str, Number], Field(min_length=1, max_length=MOST_SYSTEMS)]


class SystemsTexts(BaseModel):
    """Several systems on the same references, and how to compare them."""

    model_config = _STRICT

    systems: Annotated[
        dict[str, CorpusCandidates],
        Field(min_length=1, max_length=MOST_SYSTEMS, examples=[{"ours": ["the cat sat"], "theirs": ["a cat sat"]}]),
    ]
    references: CorpusReferences
    recipe: RecipeField = DEFAULT
    baseline: Annotated[
        str | None, Field(description="The system that the others are compared with; null compares all pairs.")
    ] = None
    test: Annotated[
        Literal["randomisation", "bootstrap"], Field(description="The test that decides what is significant.")
    ] = "randomisation"
    resamples: Annotated[int, Field(ge=FEWEST_RESAMPLES, le=MOST_RESAMPLES)] = MOST_RESAMPLES
    confidence: Annotated[float, Field(ge=0.5, le=0.999)] = 0.95
    seed: Annotated[int, Field(ge=0, le=2**64 - 1)] = 12345


class EndAnswer(BaseModel):
    """One end of the way."""

    score: Annotated[float, Field(ge=0)]
    signature: str
    dialects: list[str]


class CauseAnswer(BaseModel):
    """A segment that a step changed, with what it alone would have changed."""

    segment: Annotated[int, Field(ge=1, description="Counted from 1.")]
    points: float
    gained: list[str]
    lost: list[str]
    remark: str


class StepAnswer(BaseModel):
    """One axis changed."""

    axis: str
    from_: Annotated[str, Field(alias="from")]
    to: str
    points: float
    score: Annotated[float, Field(ge=0, description="The score after this step.")]
    sentence: str
    causes: list[CauseAnswer]


class ReconciliationAnswer(BaseModel):
    """The steps from one score to the other; the same as ``Reconciliation.to_dict()``."""

    schema_: Annotated[Literal["bleuprint.reconciliation/1"], Field(alias="schema")]
    from_: Annotated[EndAnswer, Field(alias="from")]
    to: EndAnswer
    points: float
    summary: str
    steps: list[StepAnswer]


class GroupAnswer(BaseModel):
    """Dialects that give the same number, and where they part from the group before."""

    dialects: list[str]
    score: Annotated[float, Field(ge=0)]
    signature: str
    parts_at: str | None
    sentence: str


class GroupsAnswer(BaseModel):
    """All dialects, the highest score first; the same as ``DialectGroups.to_dict()``."""

    schema_: Annotated[Literal["bleuprint.dialect-groups/1"], Field(alias="schema")]
    groups: Annotated[list[GroupAnswer], Field(min_length=1)]


class ReadingAnswer(BaseModel):
    """One way to get the number."""

    dialects: list[str]
    applied: str
    accident: str
    signature: str


class FindingAnswer(BaseModel):
    """Readings that these texts cannot tell apart, the most usual first."""

    fits: bool
    printed: Literal["rounded", "truncated", ""]
    scale: Literal[1, 100]
    distance: Annotated[float, Field(ge=0)]
    scores: Annotated[list[float], Field(min_length=1, description="One for each system.")]
    readings: Annotated[list[ReadingAnswer], Field(min_length=1)]


class IdentificationAnswer(BaseModel):
    """What a reported number may be; the same as ``Identification.to_dict()``."""

    schema_: Annotated[Literal["bleuprint.identification/1"], Field(alias="schema")]
    reported: list[str]
    found: bool
    tried: Count
    summary: str
    findings: list[FindingAnswer]


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


class IntervalAnswer(BaseModel):
    """Where a number lies if the test set had been another."""

    low: float
    high: float
    standard_error: Annotated[float, Field(ge=0)]


class SystemAnswer(BaseModel):
    """One system: its score, and how exact that is."""

    system: str
    score: ScoreAnswer
    interval: IntervalAnswer
    ranks: Annotated[list[int] | None, Field(description="The best and the worst place; null with a baseline.")]
    cluster: Annotated[int, Field(ge=1)] | None


class PairAnswer(BaseModel):
    """Two systems: how far the first is ahead, and how sure that is."""

    first: str
    second: str
    difference: float
    interval: IntervalAnswer
    p_randomisation: Annotated[float, Field(gt=0, le=1)]
    p_bootstrap: Annotated[float, Field(gt=0, le=1)]
    p: Annotated[float, Field(gt=0, le=1, description="Of the test that decides.")]
    p_holm: Annotated[float, Field(gt=0, le=1, description="The same, corrected for the number of pairs.")]
    significant: bool
    detectable: Annotated[float, Field(ge=0)]


class RecipeAnswer(BaseModel):
    """Everything under one recipe."""

    recipe: str
    signature: str
    summary: str
    systems: Annotated[list[SystemAnswer], Field(min_length=1)]
    pairs: list[PairAnswer]
    clusters: list[list[str]] | None
    notes: list[NoteAnswer]
    breakdowns: Annotated[list[Any], Field(max_length=0)]


class SettingsAnswer(BaseModel):
    """How the comparison was made."""

    test: Literal["randomisation", "bootstrap"]
    resamples: int
    seed: int
    confidence: float
    level: float


class ComparisonAnswer(BaseModel):
    """Systems with intervals, pairs with tests; the same as ``Comparison.to_dict()``."""

    schema_: Annotated[Literal["bleuprint.comparison/1"], Field(alias="schema")]
    segments: Annotated[int, Field(ge=1)]
    systems: Annotated[list[str], Field(min_length=1)]
    baseline: str | None
    settings: SettingsAnswer
    recipes: Annotated[list[RecipeAnswer], Field(min_length=1, max_length=1)]


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
    data = _check_object(data)
    is_corpus = "candidates" in data
    _check_keys(data, CORPUS_KEYS if is_corpus else SEGMENT_KEYS, 2)
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


def answer_reconcile(data: object) -> dict[str, object]:
    """Answer ``/api/v1/reconcile``."""
    data = _check_object(data)
    texts = _read_texts(data, "from", "to")
    return reconcile(*texts, _find_recipe(data["from"]), _find_recipe(data["to"])).to_dict()


def answer_groups(data: object) -> dict[str, object]:
    """Answer ``/api/v1/dialect-groups``."""
    return group_dialects(*_read_texts(_check_object(data))).to_dict()


def answer_identify(data: object) -> dict[str, object]:
    """Answer ``/api/v1/identify``."""
    data = _check_object(data)
    if "systems" not in data:
        return identify(*_read_texts(data, "reported"), data["reported"]).to_dict()
    _check_keys(data, ("systems", "references", "reported"), 3)
    systems, reported = data["systems"], data["reported"]
    if not isinstance(systems, Mapping) or not isinstance(reported, Mapping) or len(systems) > MOST_SYSTEMS:
        raise InputTypeError(
            where="systems", wanted=f"at most {MOST_SYSTEMS} systems and their numbers, by the same names",
            got=quote(systems), next_step="/openapi.json shows what may be sent.",
        )  # fmt: skip
    return identify(systems, data["references"], reported).to_dict()


def answer_compare(data: object) -> dict[str, object]:
    """Answer ``/api/v1/compare``."""
    data = _check_object(data)
    _check_keys(data, COMPARE_KEYS, 2)
    systems, baseline, resamples = data["systems"], data.get("baseline"), data.get("resamples", MOST_RESAMPLES)
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
    if type(resamples) is int and resamples > MOST_RESAMPLES:
        raise InputTypeError(
            where="resamples", wanted=f"at most {MOST_RESAMPLES:,}", got=f"{resamples:,}",
            next_step="The command line takes more: bleuprint compare --resamples.",
        )  # fmt: skip
    return compare(
        systems, data["references"], _find_recipe(data.get("recipe", DEFAULT)),
        baseline=baseline, test=data.get("test", "randomisation"), resamples=resamples,
        confidence=data.get("confidence", 0.95), seed=data.get("seed", 12345),
    ).to_dict()  # fmt: skip


def _read_texts(data: Mapping[str, Any], *keys: str) -> tuple[list[Any], list[Any]]:
    """Read a segment or a corpus, and see that the other keys are there."""
    if "candidates" in data:
        _check_keys(data, ("candidates", "references", *keys), 2 + len(keys))
        segments = pair_segments(data["candidates"], data["references"])
    else:
        _check_keys(data, ("candidate", "references", *keys), 2 + len(keys))
        segments = pair_one(data["candidate"], data["references"])
    return segments.candidates, segments.references


def _check_object(data: object) -> Mapping[str, Any]:
    if not isinstance(data, Mapping):
        raise InputTypeError(
            where="body", wanted="a JSON object", got=quote(data), next_step="/openapi.json shows what may be sent."
        )
    return data


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


def request_schema(*models: type[BaseModel]) -> dict[str, Any]:
    """Describe the body of a request, for ``openapi.json``."""
    schemas = [model.model_json_schema() for model in models or (SegmentTexts, CorpusTexts)]
    content = {"application/json": {"schema": {"title": "Texts", "oneOf": schemas}}}
    return {"requestBody": {"required": True, "content": content}}


def explanation_schema() -> dict[str, Any]:
    """Describe an explanation, from the schema that the package carries."""
    text = (resources.files("bleuprint.explanation") / "explanation-1.schema.json").read_text(encoding="utf-8")
    schema = json.loads(text)
    assert isinstance(schema, dict)
    schema.pop("$schema")
    return schema


def _check_keys(data: Mapping[str, object], keys: tuple[str, ...], needed: int) -> None:
    known = name_list(keys)
    for key in data:
        if key not in keys:
            raise InputTypeError(
                where="body", wanted=f"the keys {known}", got=quote(key), next_step="Leave it out, or correct its name."
            )
    for key in keys[:needed]:
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
