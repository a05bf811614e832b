"""What Markdown and CSV write of an explanation of TER."""

from __future__ import annotations

from bleuprint.findings.explanation import Explanation
from bleuprint.render.explanations.ter import phrases
from bleuprint.render.explanations.ter.phrases import arithmetic_of, evidence_of
from bleuprint.render.grids import Grid, GridColumn
from bleuprint.render.markdown_parts import escape, lay_out
from bleuprint.wording import format_score


def write_lines(explanation: Explanation) -> list[str]:
    """Write score, edits by kind, derivation, shifts and alignment, as lines of Markdown."""
    score, arithmetic = explanation.score, arithmetic_of(explanation)
    kinds: list[tuple[str, ...]] = [
        (line.name, str(line.count), format_score(line.points)) for line in arithmetic.kinds
    ]
    columns = (GridColumn("edit", words=True), GridColumn("number"), GridColumn("points"))
    return [
        f"**{score.label} = {score.printed}** ({phrases.headline_phrase(explanation)})",
        "",
        *lay_out(Grid(columns, kinds)),
        "",
        *_write_evidence(explanation),
        *(f"- {line}" for line in phrases.division_lines(explanation)),
        *([f"- {phrases.corpus_phrase(explanation)}"] if phrases.corpus_phrase(explanation) else []),
    ]


def _write_evidence(explanation: Explanation) -> list[str]:
    evidence = evidence_of(explanation)
    if evidence is None:
        return []
    alignment = evidence.alignment
    columns = tuple(GridColumn(title, words=True) for title in ("reference", "edit", "candidate"))
    rows: list[tuple[str, ...]] = [
        (line.reference_word or "", phrases.sign_of(line), line.candidate_word or "") for line in alignment.lines
    ]
    lines = [*lay_out(Grid(columns, rows)), ""] if rows else []
    if len(evidence.references) > 1:
        edits = ", ".join(f"{place} {sum(own.edits)}" for place, own in enumerate(evidence.alignments, start=1))
        lines.append(f"- Edits to each reference: {edits}; {phrases.reference_phrase(evidence)}")
    for number, move in enumerate(alignment.moves, start=1):
        lines.append(f"- Shift {number}, “{escape(' '.join(move.words))}”: {phrases.move_phrase(move)}")
    return [*lines, *([f"- {phrases.search_phrase(alignment)}"] if alignment.search.gave_up else [])]


def list_quantities(explanation: Explanation) -> list[tuple[str, object]]:
    """Name every number, for CSV."""
    score, arithmetic, evidence = explanation.score, arithmetic_of(explanation), evidence_of(explanation)
    rows: list[tuple[str, object]] = [
        (score.label, score.score),
        ("fraction", score.fraction),
        ("edits", arithmetic.edits),
        *((line.name, line.count) for line in arithmetic.kinds),
        *((f"points of {line.name}", line.points) for line in arithmetic.kinds),
        ("candidate length", arithmetic.candidate_length),
        ("reference length", arithmetic.reference_length),
    ]
    if evidence:
        edits = (sum(alignment.edits) for alignment in evidence.alignments)
        rows += [(f"edits to reference {place}", own) for place, own in enumerate(edits, start=1)]
        rows.append(("chosen reference", evidence.chosen + 1))
    return rows
