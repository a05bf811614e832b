"""What the JSON API answers, as ``openapi.json`` describes it."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, RootModel

from bleuprint.findings.comparison.verdicts import PairVerdict, Verdict
from bleuprint.web.limits import MOST_RECIPES

Count = Annotated[int, Field(ge=0)]


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


class PartingAnswer(BaseModel):
    """One step between two groups that changes the score."""

    model_config: ClassVar[ConfigDict] = ConfigDict(populate_by_name=True)

    axis: str
    start: Annotated[str, Field(alias="from")]
    to: str
    points: float
    sentence: str


class GroupAnswer(BaseModel):
    """Dialects that give the same number, and where they part from the group before."""

    dialects: list[str]
    score: Annotated[float, Field(ge=0)]
    signature: str
    parts_at: str | None
    partings: list[PartingAnswer]
    sentence: str


class GroupsAnswer(BaseModel):
    """All dialects, the best score first; the same as ``DialectGroups.to_dict()``."""

    schema_: Annotated[Literal["bleuprint.dialect-groups/1"], Field(alias="schema")]
    left_out: Annotated[list[str], Field(description="Dialects that score one segment only, where there are more.")]
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


class CommonAnswer(BaseModel):
    """What the score of every metric has."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    schema_: Annotated[Literal["bleuprint.score/1"], Field(alias="schema")]
    score: Annotated[float, Field(ge=0, description="On 0 to 100; TER may exceed it.")]
    fraction: Annotated[float, Field(ge=0, description="On 0 to 1.")]
    label: Annotated[str, Field(description="As in BLEU-4 for N = 4, chrF2++ or TER.")]
    level: Literal["segment", "corpus"]
    segments: Annotated[int, Field(ge=1)]
    signature: Annotated[str, Field(description="The recipe in one line; it may be sent as recipe again.")]
    notes: list[NoteAnswer]


class BleuAnswer(CommonAnswer):
    """A score of BLEU."""

    precisions: Annotated[list[float], Field(description="Clipped precision per order as counted, on 0 to 1.")]
    smoothed_precisions: Annotated[
        list[float | None], Field(description="The precision that the formula used; null where an order was left out.")
    ]
    brevity_penalty: Annotated[float, Field(ge=0, le=1)]
    geometric_mean: Annotated[float, Field(ge=0)]
    matches: Annotated[list[Count], Field(description="Clipped matches per order.")]
    totals: Annotated[list[Count], Field(description="Candidate n-grams per order.")]
    candidate_length: Annotated[Count, Field(description="In tokens.")]
    reference_length: Annotated[Count, Field(description="In tokens.")]


class ChrfAnswer(CommonAnswer):
    """A score of chrF; lists have an entry for each order, of characters first, then of words."""

    orders: Annotated[list[str], Field(description="c1 for single characters, w2 for pairs of words.")]
    precisions: Annotated[list[float | None], Field(description="Null where a side has no n-grams of that order.")]
    recalls: Annotated[list[float | None], Field(description="Null where a side has no n-grams of that order.")]
    f_scores: list[float]
    precision: Annotated[float | None, Field(description="The mean; null where F is averaged instead.")]
    recall: Annotated[float | None, Field(description="The mean; null where F is averaged instead.")]
    matches: list[Count]
    candidate_ngrams: list[Count]
    reference_ngrams: list[Count]
    candidate_length: Annotated[Count, Field(description="In characters that count.")]
    reference_length: Annotated[Count, Field(description="In characters that count.")]


class TerAnswer(CommonAnswer):
    """A score of TER: the lower, the better."""

    edits: Annotated[Count, Field(description="All four kinds together.")]
    insertions: Count
    deletions: Count
    substitutions: Count
    shifts: Count
    candidate_length: Annotated[Count, Field(description="In words.")]
    reference_length: Annotated[float, Field(ge=0, description="In words: the mean over the references of a segment.")]


class ScoreAnswer(RootModel[BleuAnswer | ChrfAnswer | TerAnswer]):
    """A score with its parts, its recipe and its notes, by its metric; the same as ``Score.to_dict()``."""


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
    ranks: Annotated[
        list[int] | None,
        Field(description="The best and the worst place; null with a baseline, or where nothing could be decided."),
    ]
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
    verdict: Annotated[PairVerdict, Field(description="Undecided where no difference could have been significant.")]
    detectable: Annotated[float, Field(ge=0)] | None


class NeededAnswer(BaseModel):
    """The least with which a difference between two of the systems can be significant."""

    resamples: int
    segments: int


class RecipeAnswer(BaseModel):
    """Everything under one recipe."""

    recipe: str
    metric: Annotated[str, Field(description="bleu, chrf or ter.")]
    label: str
    better: Annotated[Literal["higher", "lower"], Field(description="Which way is up: a lower TER is better.")]
    signature: str
    verdict: Annotated[Verdict, Field(description="Which of the systems differ significantly.")]
    needed: Annotated[NeededAnswer | None, Field(description="Null for a single system.")]
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
    recipes: Annotated[list[RecipeAnswer], Field(min_length=1, max_length=MOST_RECIPES)]


class DialectAnswer(BaseModel):
    """A named recipe that gives the numbers of an existing tool."""

    name: str
    metric: Annotated[str, Field(description="bleu, chrf or ter.")]
    summary: str
    tool: Annotated[str, Field(description="The tool and version whose numbers it gives.")]
    checked: Annotated[str, Field(description="How closely, and against what, that was checked.")]
    signature: str
    choices: Annotated[dict[str, str], Field(description="The choice on each axis of its metric.")]


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
