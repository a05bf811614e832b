"""What ``bleuprint score`` writes: scores with their documents, intervals and gates, in every format."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bleuprint.cli.printing import deliver, deliver_result, tab_separated
from bleuprint.cli.scoring import name_files, write_score
from bleuprint.metrics.score import AnyScore
from bleuprint.text.formats.sources import DOCUMENT
from bleuprint.wording import NLTK_STOPS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bleuprint.cli.call import Call
    from bleuprint.findings.gates import Gate
    from bleuprint.findings.intervals import ScoreIntervals
    from bleuprint.recipes.recipe import Recipe
    from bleuprint.render.results import Scores


class ScoredCorpus(NamedTuple):
    """A corpus under every recipe, by their names, and what else was asked for."""

    scores: Scores
    parts: Mapping[str, Mapping[str, Scores]]
    """by what the corpus is parted, then by recipe: the score of every part"""
    intervals: ScoreIntervals | None
    gates: list[Gate]

    def lines_of(self, recipe: str) -> list[str]:
        """Say in lines what there is to say of a score beside its notes."""
        told = [self.intervals.line(recipe)] if self.intervals else []
        told += [f"note: {note.text}" for note in self.intervals.notes] if self.intervals else []
        return [f"  {line}" for line in [*told, *(gate.line for gate in self.gates if gate.recipe == recipe)]]

    def data_of(self, recipe: str) -> dict[str, object]:
        """Give what belongs to a score as plain data."""
        data: dict[str, object] = {}
        written = {
            by: {name: score.to_dict() for name, score in groups[recipe].items()} for by, groups in self.parts.items()
        }
        if DOCUMENT in written:
            data["documents"] = written[DOCUMENT]
        if others := {by: groups for by, groups in written.items() if by != DOCUMENT}:
            data["by"] = others
        if self.intervals:
            data["interval"] = self.intervals.to_dict(recipe)
        if own := [gate._asdict() for gate in self.gates if gate.recipe == recipe]:
            data["gates"] = own
        return data


def deliver_scores(scored: ScoredCorpus, call: Call, *, brief: bool) -> None:
    """Print the scores in the format of the options."""
    output, form = call.output, call.output_format
    if form == "json":
        from bleuprint.render.json import render_json

        deliver(render_json(_as_data(scored)), output)
    elif form == "tsv":
        deliver(_as_tsv(scored), output)
    elif form == "junit":
        from bleuprint.render.junit import render_junit

        signatures = {name: score.signature for name, score in scored.scores.items()}
        deliver(render_junit("bleuprint score", scored.gates, signatures), output)
    elif brief:
        deliver("\n".join(score.printed for score in scored.scores.values()), output)
    elif form == "text" and len(scored.scores) == 1 and not scored.parts:
        [(name, score)] = scored.scores.items()
        deliver("\n".join([write_score(score, call), *scored.lines_of(name)]), output)
    else:
        from bleuprint.render.results import ScoredCorpus as Result

        result = Result(scored.scores, scored.parts, scored.intervals)
        options = {"remark": name_files(call)} if form == "text" else {}
        deliver_result(result, form, output, scored.gates, **options)


def _as_data(scored: ScoredCorpus) -> dict[str, object]:
    entries = [{"recipe": name} | score.to_dict() | scored.data_of(name) for name, score in scored.scores.items()]
    return entries[0] if len(entries) == 1 else {"schema": "bleuprint.scores/1", "scores": entries}


def _as_tsv(scored: ScoredCorpus) -> str:
    scores = scored.scores
    named = any(by != DOCUMENT for by in scored.parts)
    entries: list[tuple[str, str, str, AnyScore]] = [(name, "", "", score) for name, score in scores.items()]
    entries += [
        (name, by, part, one)
        for by, groups in scored.parts.items()
        for name, own in groups.items()
        for part, one in own.items()
    ]
    quantities = list(dict.fromkeys(name for score in scores.values() for name in score.quantities))
    counts = _unite_columns([score.recipe for score in scores.values()])
    rows: list[list[object]] = []
    for name, by, part, score in entries:
        made, counted = score.quantities, score.counts
        numbers = [*map(made.get, quantities), *map(counted.get, counts)]
        bounds = _bounds(scored.intervals, None if by else name)
        place = [by, part] if named else [part]
        sizes = [score.census.segments] if scored.parts else []
        rows.append([name, *place, *sizes, score.score, score.fraction, *bounds.values(), *numbers, score.signature])
    bounds = _bounds(scored.intervals, None)
    head = ["recipe", *(["by", "part"] if named else ["document"]), *(["segments"] if scored.parts else [])]
    header = [*head, "score", "fraction", *bounds, *quantities, *counts, "signature"]
    if any(score.recipe.may_stop for score in scores.values()):
        header.append("remark")
        rows = [[*row, NLTK_STOPS if score.tool_stops else ""] for row, (*_, score) in zip(rows, entries, strict=True)]
    return tab_separated(header, rows)


def _bounds(intervals: ScoreIntervals | None, recipe: str | None) -> dict[str, float | None]:
    """Give the columns of an interval; a document has none in them."""
    if intervals is None:
        return {}
    if recipe is None:
        return dict.fromkeys(("low", "high", "standard_error"))
    return intervals.intervals[recipe]._asdict()


def _unite_columns(recipes: list[Recipe]) -> list[str]:
    """Name the columns that any of the recipes has: one metric after the other, of each the longest rows first."""
    keys = [recipe.metric.key for recipe in recipes]
    ordered = sorted(recipes, key=lambda recipe: (keys.index(recipe.metric.key), -recipe.layout.width))
    return list(dict.fromkeys(name for recipe in ordered for name in recipe.layout.columns))
