"""The types of results and of their parts, for annotations and ``isinstance``.

Errors are in ``bleuprint.errors``.
"""

from __future__ import annotations

from bleuprint.counting.rows import StatsTable
from bleuprint.findings.comparison import Comparison
from bleuprint.findings.comparison.agreement import RecipeAgreement
from bleuprint.findings.comparison.breakdowns import Breakdown, Group
from bleuprint.findings.comparison.closeup import Disagreement, Influence, NgramDifference
from bleuprint.findings.comparison.results import (
    PairResult,
    PairVerdict,
    RecipeResult,
    SystemResult,
    Verdict,
)
from bleuprint.findings.explanation import Explanation, SegmentExplanations
from bleuprint.findings.identification.results import Finding, Identification, Reading, Reported
from bleuprint.findings.reconciliation.results import Cause, DialectGroup, DialectGroups, Reconciliation, Step
from bleuprint.findings.settings import Settings
from bleuprint.findings.significance import Interval, Needed
from bleuprint.io.testset import Testset
from bleuprint.metrics.bleu.counting import BleuStats, Census
from bleuprint.metrics.bleu.explain import (
    Agreement,
    Arithmetic,
    CrossCheck,
    Loss,
    NgramEvidence,
    OrderLine,
    SegmentEvidence,
    TokenEvidence,
)
from bleuprint.metrics.bleu.formula import Combination, OrderTerm, ZeroReason
from bleuprint.metrics.bleu.notes import Rating, Unrated
from bleuprint.metrics.bleu.score import BleuScore
from bleuprint.metrics.chrf.counting import ChrfCensus, ChrfStats
from bleuprint.metrics.chrf.explain import CharacterEvidence, ChrfArithmetic, ChrfEvidence, ChrfNgram, ChrfOrderLine
from bleuprint.metrics.chrf.formula import ChrfCombination, ChrfTerm, ChrfZero
from bleuprint.metrics.chrf.recipe import ChrfRecipe
from bleuprint.metrics.chrf.score import ChrfScore
from bleuprint.metrics.external import ExternalScore
from bleuprint.metrics.score import Note, Part, Score
from bleuprint.metrics.ter.alignment import EditStep
from bleuprint.metrics.ter.counting import Edits, TerCensus, TerCounting, TerStats
from bleuprint.metrics.ter.explain import AlignedWord, EditLine, Move, ReferenceAlignment, TerArithmetic, TerEvidence
from bleuprint.metrics.ter.formula import TerCombination, TerSettled
from bleuprint.metrics.ter.recipe import TerRecipe
from bleuprint.metrics.ter.score import TerScore
from bleuprint.metrics.ter.shifts import Shift, ShiftSearch
from bleuprint.native_kernel import Engine
from bleuprint.scoring.pairs import Choice, PairScores, SelfBleu
from bleuprint.scoring.verbs import SegmentScores
from bleuprint.text.faults import Faults
from bleuprint.text.segments import Segment, Segments

__all__ = [
    "Agreement",
    "AlignedWord",
    "Arithmetic",
    "BleuScore",
    "BleuStats",
    "Breakdown",
    "Cause",
    "Census",
    "CharacterEvidence",
    "Choice",
    "ChrfArithmetic",
    "ChrfCensus",
    "ChrfCombination",
    "ChrfEvidence",
    "ChrfNgram",
    "ChrfOrderLine",
    "ChrfRecipe",
    "ChrfScore",
    "ChrfStats",
    "ChrfTerm",
    "ChrfZero",
    "Combination",
    "Comparison",
    "CrossCheck",
    "DialectGroup",
    "DialectGroups",
    "Disagreement",
    "EditLine",
    "EditStep",
    "Edits",
    "Engine",
    "Explanation",
    "ExternalScore",
    "Faults",
    "Finding",
    "Group",
    "Identification",
    "Influence",
    "Interval",
    "Loss",
    "Move",
    "Needed",
    "NgramDifference",
    "NgramEvidence",
    "Note",
    "OrderLine",
    "OrderTerm",
    "PairResult",
    "PairScores",
    "PairVerdict",
    "Part",
    "Rating",
    "Reading",
    "RecipeAgreement",
    "RecipeResult",
    "Reconciliation",
    "ReferenceAlignment",
    "Reported",
    "Score",
    "Segment",
    "SegmentEvidence",
    "SegmentExplanations",
    "SegmentScores",
    "Segments",
    "SelfBleu",
    "Settings",
    "Shift",
    "ShiftSearch",
    "StatsTable",
    "Step",
    "SystemResult",
    "TerArithmetic",
    "TerCensus",
    "TerCombination",
    "TerCounting",
    "TerEvidence",
    "TerRecipe",
    "TerScore",
    "TerSettled",
    "TerStats",
    "Testset",
    "TokenEvidence",
    "Unrated",
    "Verdict",
    "ZeroReason",
]
