"""What Markdown and CSV write of an explanation of BLEU."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bleuprint.findings.explanation import Explanation
from bleuprint.render.explanations.bleu import phrases
from bleuprint.render.explanations.bleu.phrases import arithmetic_of
from bleuprint.wording import format_score

if TYPE_CHECKING:
    from bleuprint.metrics.bleu.score import BleuScore


def write_lines(explanation: Explanation) -> list[str]:
    """Write score, table, derivation and losses, as lines of Markdown."""
    score, arithmetic = explanation.score, arithmetic_of(explanation)
    plain = explanation.plain_matches
    lines = [
        f"**{score.label} = {score.printed}** ({phrases.rating_phrase(arithmetic)})",
        "",
        "| order | matches | total | plain | clipped p | used p | how |",
        "|---|---:|---:|---:|---:|---:|---|",
    ]
    for line in arithmetic.orders:
        unclipped = f"{plain[line.order - 1]}/{line.total}" if plain else "–"
        values = (phrases.precision_text(line), phrases.smoothed_text(line), line.rule)
        lines.append(f"| p{line.order} | {line.matches} | {line.total} | {unclipped} | {' | '.join(values)} |")
    lines += ["", f"- Brevity penalty: {phrases.brevity_phrase(arithmetic)}"]
    if score.tool_stops:
        lines.append(f"- {phrases.stop_phrase(explanation)}")
    else:
        lines += [f"- Geometric mean: {phrases.mean_phrase(arithmetic)}", f"- {phrases.combine_phrase(explanation)}"]
    if arithmetic.losses:
        shares = ", ".join(f"{phrases.loss_name(loss.name)} {format_score(loss.points)}" for loss in arithmetic.losses)
        lines.append(f"- {phrases.losses_title(arithmetic)}: {shares}")
    return lines


def list_quantities(explanation: Explanation) -> list[tuple[str, object]]:
    """Name every number, for CSV."""
    score, arithmetic = cast("BleuScore", explanation.score), arithmetic_of(explanation)
    rows: list[tuple[str, object]] = [
        *(
            [(score.label, score.printed)]
            if score.tool_stops
            else [(score.label, score.score), ("fraction", score.fraction), ("geometric mean", score.geometric_mean)]
        ),
        ("brevity penalty", score.brevity_penalty),
        ("candidate length", arithmetic.candidate_length),
        ("reference length", arithmetic.reference_length),
    ]
    for line in arithmetic.orders:
        rows += [
            (f"matches {line.order}", line.matches),
            (f"total {line.order}", line.total),
            (f"precision {line.order}", line.precision),
            (f"used precision {line.order}", line.smoothed),
        ]
    return rows
