"""Markdown: results to paste into an issue, a paper's notes or a chat."""

from __future__ import annotations

from bleuprint.explanation import Explanation
from bleuprint.identification import Identification, describe_scores
from bleuprint.reconciliation import DialectGroups, Reconciliation, axis_name, signed
from bleuprint.render import phrases
from bleuprint.wording import format_score


def render(result: Explanation | Reconciliation | DialectGroups | Identification) -> str:
    """Write a result, whichever it is."""
    if isinstance(result, Reconciliation):
        return render_reconciliation(result)
    if isinstance(result, Identification):
        return render_identification(result)
    return render_groups(result) if isinstance(result, DialectGroups) else render_explanation(result)


def render_explanation(explanation: Explanation) -> str:
    """Write score, table, derivation, losses, notes and signature."""
    score, arithmetic = explanation.score, explanation.arithmetic
    plain = explanation.plain_matches
    lines = [
        f"**{score.label} = {format_score(score.score)}** ({arithmetic.rating.band}: {arithmetic.rating.meaning})",
        "",
        "| order | matches | total | plain | clipped p | used p | how |",
        "|---|---:|---:|---:|---:|---:|---|",
    ]
    for line in arithmetic.orders:
        unclipped = f"{plain[line.order - 1]}/{line.total}" if plain else "–"
        values = (phrases.precision_text(line), phrases.smoothed_text(line), line.rule)
        lines.append(f"| p{line.order} | {line.matches} | {line.total} | {unclipped} | {' | '.join(values)} |")
    lines += ["", f"- Brevity penalty: {phrases.brevity_phrase(arithmetic)}"]
    lines += [f"- Geometric mean: {phrases.mean_phrase(arithmetic)}", f"- {phrases.combine_phrase(explanation)}"]
    if arithmetic.losses:
        shares = ", ".join(f"{phrases.loss_name(loss.name)} {format_score(loss.points)}" for loss in arithmetic.losses)
        lines.append(f"- {phrases.losses_title(arithmetic)}: {shares}")
    lines += [f"- Note: {escape(note.text)}" for note in score.notes]
    return "\n".join([*lines, "", f"Signature: `{score.signature}`", ""])


def render_reconciliation(way: Reconciliation) -> str:
    """Write the way from one score to another: a table of the steps, then each in words."""
    lines = [
        f"**{escape(way.summary)}**",
        "",
        "| axis | from | to | points | BLEU |",
        "|---|---|---|---:|---:|",
        f"| start: {escape(phrases.recipe_name(way.start))} | | | | {format_score(way.start.score)} |",
    ]
    for step in way.steps:
        before, after = map(escape, step.choices)
        changed, score = signed(step.points), format_score(step.after.score)
        lines.append(f"| {axis_name(step.axis)} | {before} | {after} | {changed} | {score} |")
    lines += [f"| end: {escape(phrases.recipe_name(way.end))} | | | | {format_score(way.end.score)} |", ""]
    for number, step in enumerate(way.steps, start=1):
        lines.append(f"{number}. **{axis_name(step.axis)}**: {escape(step.sentence)}")
        lines += [f"   - {escape(phrases.cause_phrase(cause))}" for cause in step.causes]
    return "\n".join([*lines, "", f"From `{way.start.signature}`", "", f"To `{way.end.signature}`", ""])


def render_groups(groups: DialectGroups) -> str:
    """Write all dialects, grouped by equal scores."""
    lines = ["| dialects | BLEU | parts from the group above at |", "|---|---:|---|"]
    lines += [
        f"| {escape(', '.join(group.names))} | {format_score(group.score.score)} | {escape(group.sentence)} |"
        for group in groups
    ]
    return "\n".join([*lines, ""])


def render_identification(found: Identification) -> str:
    """Write what a reported number may be, with signatures to paste into a paper."""
    lines = [f"**{escape(found.summary)}**", "", "| what it is | BLEU | signature |", "|---|---:|---|"]
    for finding in found.findings:
        scores, signature = describe_scores(finding.best.scores), escape(str(finding.best.recipe))
        lines.append(f"| {escape(finding.best.title)} | {scores} | {signature} |")
    return "\n".join([*lines, ""])


def escape(text: str) -> str:
    """Keep marks in a text from becoming Markdown."""
    return "".join(f"\\{mark}" if mark in "\\`*_[]<>|" else mark for mark in text)
