"""What Markdown and CSV write of an explanation of chrF."""

from __future__ import annotations

from bleuprint.findings.explanation import Explanation
from bleuprint.render.explanations.chrf import phrases
from bleuprint.render.explanations.chrf.phrases import arithmetic_of, evidence_of
from bleuprint.wording import format_fraction, format_score


def write_lines(explanation: Explanation) -> list[str]:
    """Write score, table, derivation and the references' scores, as lines of Markdown."""
    score, arithmetic, evidence = explanation.score, arithmetic_of(explanation), evidence_of(explanation)
    lines = [
        f"**{score.label} = {score.printed}** ({phrases.headline_phrase(explanation)})",
        "",
        "| order | matches | candidate | reference | P | R | F | how |",
        "|---|---:|---:|---:|---:|---:|---:|---|",
    ]
    for line in arithmetic.orders:
        counts = f"{line.matches} | {line.candidate} | {line.reference}"
        values = f"{phrases.precision_text(line)} | {phrases.recall_text(line)} | {format_fraction(line.f)}"
        lines.append(f"| {line.name} | {counts} | {values} | {phrases.order_rule(line, arithmetic)} |")
    lines += ["", f"- {phrases.averaging_phrase(explanation)}"]
    lines += [f"- {line}" for line in phrases.combination_lines(explanation)]
    if evidence and len(evidence.references) > 1:
        scores = ", ".join(f"{place} {format_score(s)}" for place, s in enumerate(evidence.reference_scores, start=1))
        lines.append(f"- {score.label} against each reference: {scores}; {phrases.reference_phrase(evidence)}")
    return [*lines, *(f"- {remark}" for remark in phrases.remarks(explanation))]


def list_quantities(explanation: Explanation) -> list[tuple[str, object]]:
    """Name every number, for CSV."""
    score, arithmetic, evidence = explanation.score, arithmetic_of(explanation), evidence_of(explanation)
    rows: list[tuple[str, object]] = [
        (score.label, score.score),
        ("fraction", score.fraction),
        ("precision", arithmetic.precision),
        ("recall", arithmetic.recall),
        ("beta", arithmetic.beta),
        ("candidate length", arithmetic.candidate_length),
        ("reference length", arithmetic.reference_length),
    ]
    for line in arithmetic.orders:
        rows += [
            (f"matches {line.name}", line.matches),
            (f"candidate {line.name}", line.candidate),
            (f"reference {line.name}", line.reference),
            (f"precision {line.name}", line.precision),
            (f"recall {line.name}", line.recall),
            (f"F {line.name}", line.f),
        ]
    if evidence:
        rows += [(f"against reference {place}", s) for place, s in enumerate(evidence.reference_scores, start=1)]
        rows.append(("chosen reference", evidence.chosen + 1))
    return rows
