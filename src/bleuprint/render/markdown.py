"""Markdown: an explanation to paste into an issue, a paper's notes or a chat."""

from __future__ import annotations

from bleuprint.explanation import Explanation
from bleuprint.render import phrases
from bleuprint.wording import format_score


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
    lines += [f"- Note: {_escape(note.text)}" for note in score.notes]
    return "\n".join([*lines, "", f"Signature: `{score.signature}`", ""])


def _escape(text: str) -> str:
    """Keep marks in a text from becoming Markdown."""
    return "".join(f"\\{mark}" if mark in "\\`*_[]<>|" else mark for mark in text)
