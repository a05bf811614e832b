"""What ``bleuprint score`` prints: scores with groups of segments, intervals and gates, in every format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from bleuprint.cli.printing import deliver, deliver_result, tab_separated
from bleuprint.cli.scoring import name_files, write_score
from bleuprint.metrics.score import AnyScore
from bleuprint.render.json import render_json
from bleuprint.text.formats.sources import DOCUMENT
from bleuprint.wording import NLTK_STOPS

if TYPE_CHECKING:
    from bleuprint.cli.call import Call
    from bleuprint.findings.gates import Gate
    from bleuprint.render import ScoredCorpus


def deliver_scores(scored: ScoredCorpus, gates: Sequence[Gate], call: Call, *, brief: bool) -> None:
    """Print the scores in the format of the options."""
    output, form = call.output, call.output_format
    if form == "json":
        entries = [_as_data(scored, gates, name) for name in scored.scores]
        several = {"schema": "bleuprint.scores/1", "scores": entries}
        deliver(render_json(entries[0] if len(entries) == 1 else several), output)
    elif form == "tsv":
        header, *rows = _list_rows(scored)
        deliver(tab_separated(map(str, header), rows), output)
    elif form == "junit":
        from bleuprint.render.junit import render_junit

        signatures = {name: score.signature for name, score in scored.scores.items()}
        deliver(render_junit("bleuprint score", gates, signatures), output)
    elif brief:
        deliver("\n".join(score.printed for score in scored.scores.values()), output)
    elif form == "text" and len(scored.scores) == 1 and not scored.groups:
        [(name, score)] = scored.scores.items()
        lines = [scored.intervals.line(name)] if scored.intervals else []
        lines += [f"note: {note.text}" for note in scored.intervals.notes] if scored.intervals else []
        lines += [gate.line for gate in gates]
        deliver("\n".join([write_score(score, call), *(f"  {line}" for line in lines)]), output)
    else:
        deliver_result(scored, call, gates, **({"remark": name_files(call)} if form == "text" else {}))


def _as_data(scored: ScoredCorpus, gates: Sequence[Gate], recipe: str) -> dict[str, object]:
    """Return a score and what belongs to it as plain data."""
    groups = {by: {label: score.to_dict() for label, score in own[recipe].items()} for by, own in scored.groups.items()}
    documents = groups.pop(DOCUMENT, None)
    own_gates = [gate._asdict() for gate in gates if gate.recipe == recipe]
    more = {
        "documents": documents,
        "by": groups or None,
        "interval": scored.intervals.to_dict(recipe) if scored.intervals else None,
        "gates": own_gates or None,
    }
    present = {key: value for key, value in more.items() if value is not None}
    return {"recipe": recipe} | scored.scores[recipe].to_dict() | present


def _list_rows(scored: ScoredCorpus) -> Iterator[list[object]]:
    """List the header and a row for each score; a value that a score does not have is None."""
    scores = list(scored.scores.values())
    keys = [score.metric.key for score in scores]
    widest_first = sorted(scores, key=lambda score: (keys.index(score.metric.key), -score.recipe.layout.width))
    columns = [
        "recipe",
        *(["by", "part"] if any(by != DOCUMENT for by in scored.groups) else ["document"]),
        *(["segments"] if scored.groups else []),
        *("score", "fraction"),
        *(["low", "high", "standard_error"] if scored.intervals else []),
        *dict.fromkeys(name for score in scores for name in score.quantities),
        *dict.fromkeys(name for score in widest_first for name in score.recipe.layout.columns),
        "signature",
        *(["remark"] if any(score.recipe.may_stop for score in scores) else []),
    ]
    yield list(columns)
    entries: list[tuple[str, str, str, AnyScore]] = [(name, "", "", score) for name, score in scored.scores.items()]
    for by, groups in scored.groups.items():
        entries += [(name, by, label, score) for name, own in groups.items() for label, score in own.items()]
    for name, by, label, score in entries:
        interval = scored.intervals.intervals[name]._asdict() if scored.intervals and not by else {}
        values = {
            "recipe": name,
            "by": by,
            "part": label,
            "document": label,
            "segments": score.census.segments,
            "score": score.score,
            "fraction": score.fraction,
            "signature": score.signature,
            "remark": NLTK_STOPS if score.tool_stops else "",
        }
        values |= interval | score.quantities | score.counts
        yield [values.get(column) for column in columns]
