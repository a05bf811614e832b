"""Markdown: results to paste into an issue, a paper's notes or a chat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bleuprint.findings.explanation import Explanation
from bleuprint.findings.identification.results import Identification
from bleuprint.findings.intervals import ScoreIntervals
from bleuprint.findings.reconciliation.results import DialectGroups, DialectsByMetric, Reconciliation, axis_name
from bleuprint.render import phrases
from bleuprint.render.explanations import find_module
from bleuprint.render.grids import (
    Scores,
    arrange_groups,
    arrange_identification,
    arrange_reconciliation,
    arrange_scores,
    arrange_segments,
)
from bleuprint.render.markdown_parts import escape, lay_out
from bleuprint.scoring.verbs import SegmentScores


def render(result: Explanation | Reconciliation | DialectGroups | DialectsByMetric | Identification) -> str:
    """Write a result, whichever it is."""
    if isinstance(result, Reconciliation):
        return render_reconciliation(result)
    if isinstance(result, Identification):
        return render_identification(result)
    if isinstance(result, DialectsByMetric):
        return "\n".join(render_groups(groups) for groups in result.groups)
    return render_groups(result) if isinstance(result, DialectGroups) else render_explanation(result)


def render_explanation(explanation: Explanation) -> str:
    """Write what the metric has to say, notes and signature."""
    score = explanation.score
    lines = find_module(explanation, "lines").write_lines(explanation)
    notes = [f"- Note: {escape(note.text)}" for note in score.notes]
    return "\n".join([*lines, *notes, "", f"Signature: `{score.signature}`", ""])


def render_reconciliation(way: Reconciliation) -> str:
    """Write the way from one score to another: a table of the steps, then each in words."""
    lines = [f"**{escape(way.summary)}**", "", *lay_out(arrange_reconciliation(way)), ""]
    for number, step in enumerate(way.steps, start=1):
        lines.append(f"{number}. **{axis_name(step.axis)}**: {escape(step.sentence)}")
        lines += [f"   - {escape(phrases.cause_phrase(cause))}" for cause in step.causes]
    return "\n".join([*lines, "", f"From `{way.start.signature}`", "", f"To `{way.end.signature}`", ""])


def render_groups(groups: DialectGroups) -> str:
    """Write all dialects, grouped by equal scores."""
    remark = ["", groups.remark] if groups.remark else []
    return "\n".join([*lay_out(arrange_groups(groups)), *remark, ""])


def render_identification(found: Identification) -> str:
    """Write what a reported number may be, with signatures to paste into a paper."""
    return "\n".join([f"**{escape(found.summary)}**", "", *lay_out(arrange_identification(found)), ""])


def render_scores(
    scores: Scores, parts: Mapping[str, Mapping[str, Scores]], intervals: ScoreIntervals | None = None
) -> str:
    """Write the scores of one or more recipes with notes and signatures, then those of the parts under each."""
    lines = [*lay_out(arrange_scores(scores, intervals=intervals)), *_list_notes(scores), ""]
    lines += [f"- {escape(name)}: `{score.signature}`" for name, score in scores.items()]
    if intervals is not None:
        lines += [f"- Intervals: {intervals.making}"]
        lines += [f"- Note: {escape(note.text)}" for note in intervals.notes]
    for by, groups in parts.items():
        for name, own in groups.items():
            lines += ["", f"By {escape(by)}, {escape(name)}:", "", *lay_out(arrange_scores(own, by)), *_list_notes(own)]
    return "\n".join([*lines, ""])


def render_segments(scores: SegmentScores, documents: Sequence[str] | None) -> str:
    """Write every segment with its counts."""
    return "\n".join([*lay_out(arrange_segments(scores, documents)), "", f"Signature: `{scores.signature}`", ""])


def _list_notes(scores: Scores) -> list[str]:
    notes = [f"- {escape(name)}: {escape(str(note))}" for name, score in scores.items() for note in score.notes]
    return ["", *notes] if notes else []
