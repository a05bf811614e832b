"""What may be asked of the JSON API, as ``openapi.json`` describes it."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from bleuprint.counting.resampling import MASK
from bleuprint.findings.settings import (
    FEWEST_RESAMPLES,
    HIGHEST_CONFIDENCE,
    LOWEST_CONFIDENCE,
    USUAL_CONFIDENCE,
    USUAL_SEED,
)
from bleuprint.recipes.dialect import DEFAULT, SEGMENT_DEFAULT
from bleuprint.web.limits import MOST_RECIPES, MOST_RESAMPLES_SERVED, MOST_SYSTEMS

Token = str | float | bool | None
TextField = str | list[Token]
RecipeField = Annotated[
    str,
    Field(
        description="The name of a dialect (see /api/v1/dialects), or a signature as bleuprint or sacreBLEU prints it.",
        examples=["sacrebleu", "paper", "nltk-method1", "chrf++", "ter"],
    ),
]


class SegmentTexts(BaseModel):
    """One segment: a candidate and its references. Lists of tokens are for recipes with tokenizer pretokenized."""

    model_config: ClassVar[ConfigDict] = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"candidate": "the cat is on mat", "references": ["the cat is on the mat"], "recipe": "paper"},
                {"candidate": "the cat sat", "references": "the cat sat down"},
            ]
        },
    )

    candidate: Annotated[TextField, Field(description="The text to be scored.")]
    references: Annotated[
        str | list[TextField | None],
        Field(description='The reference, or the list of references; null is a missing one, "" an empty one.'),
    ]
    recipe: RecipeField = SEGMENT_DEFAULT


class CorpusTexts(BaseModel):
    """A corpus: counts are summed over all segments, then combined once. ``references[i]`` is for ``candidates[i]``."""

    model_config: ClassVar[ConfigDict] = ConfigDict(
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

    candidates: Annotated[list[TextField], Field(min_length=1, description="The texts to be scored, one per segment.")]
    references: Annotated[
        list[str | list[TextField | None]],
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


MetricField = Annotated[Literal["bleu", "chrf", "ter"], Field(description="The metric whose dialects are grouped.")]
ReportedAs = Annotated[
    str | list[str] | None,
    Field(
        description="What the number was reported as: bleu, chrf, ter or a dialect, or several; null for anything.",
        examples=["chrf", ["bleu", "ter"]],
    ),
]


class PlainSegment(BaseModel):
    """One segment."""

    model_config = _STRICT

    candidate: SegmentCandidate
    references: SegmentReferences
    metric: MetricField = "bleu"


class PlainCorpus(BaseModel):
    """A corpus."""

    model_config = _STRICT

    candidates: CorpusCandidates
    references: CorpusReferences
    metric: MetricField = "bleu"


class SegmentReport(BaseModel):
    """One segment, and the number that was reported for it."""

    model_config = _STRICT

    candidate: SegmentCandidate
    references: SegmentReferences
    reported: Number
    metric: ReportedAs = None


class CorpusReport(BaseModel):
    """A corpus, and the number that was reported for it."""

    model_config = _STRICT

    candidates: CorpusCandidates
    references: CorpusReferences
    reported: Number
    metric: ReportedAs = None


class SystemsReport(BaseModel):
    """Several systems on the same references, with the number that was reported for each, by the same names."""

    model_config = _STRICT

    systems: Annotated[dict[str, CorpusCandidates], Field(min_length=1, max_length=MOST_SYSTEMS)]
    references: CorpusReferences
    reported: Annotated[dict[str, Number], Field(min_length=1, max_length=MOST_SYSTEMS)]
    metric: ReportedAs = None


class SystemsTexts(BaseModel):
    """Several systems on the same references, and how to compare them."""

    model_config = _STRICT

    systems: Annotated[
        dict[str, CorpusCandidates],
        Field(min_length=1, max_length=MOST_SYSTEMS, examples=[{"ours": ["the cat sat"], "theirs": ["a cat sat"]}]),
    ]
    references: CorpusReferences
    recipe: RecipeField | Annotated[list[RecipeField], Field(min_length=1, max_length=MOST_RECIPES)] = DEFAULT
    baseline: Annotated[
        str | None, Field(description="The system that the others are compared with; null compares all pairs.")
    ] = None
    test: Annotated[
        Literal["randomisation", "bootstrap"], Field(description="The test that decides what is significant.")
    ] = "randomisation"
    resamples: Annotated[int, Field(ge=FEWEST_RESAMPLES, le=MOST_RESAMPLES_SERVED)] = MOST_RESAMPLES_SERVED
    confidence: Annotated[float, Field(ge=LOWEST_CONFIDENCE, le=HIGHEST_CONFIDENCE)] = USUAL_CONFIDENCE
    seed: Annotated[int, Field(ge=0, le=MASK)] = USUAL_SEED
