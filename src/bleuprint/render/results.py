"""Scores, segments, reconciliations, groups of dialects and identifications as blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from bleuprint.findings.gates import Gate
from bleuprint.findings.identification.results import Finding, Identification, describe_scores
from bleuprint.findings.intervals import ScoreIntervals
from bleuprint.findings.reconciliation.results import (
    DialectGroups,
    DialectsByMetric,
    Reconciliation,
    axis_name,
    signed,
)
from bleuprint.metrics.score import AnyScore
from bleuprint.render import ScoredCorpus, phrases
from bleuprint.render.blocks import (
    Block,
    Column,
    Heading,
    Item,
    Items,
    Paragraph,
    Signature,
    Table,
    list_notes,
    numbers,
    texts,
)
from bleuprint.scoring.verbs import SegmentScores

Scores = Mapping[str, AnyScore]
SHOWN_ALIKE = 3


def build_gates(gates: Sequence[Gate]) -> list[Block]:
    """Say which gates failed; without gates there is nothing to say."""
    if not gates:
        return []
    failed = sum(not gate.passed for gate in gates)
    outcome = f"{failed} of {len(gates)} failed" if failed else "all passed"
    items = [Item(f"{gate.rule} ({gate.recipe}: {gate.reason})", gate.verdict) for gate in gates]
    return [Heading(f"Gates: {outcome}."), Items(items)]


def build_scores(scored: ScoredCorpus, remark: str = "") -> Iterator[Block]:
    """Show the scores under each recipe with notes and signatures, then those of each group of segments."""
    scores, intervals = scored.scores, scored.intervals
    signatures = [Signature(score.signature, name) for name, score in scores.items()]
    yield _make_table(scores, "recipe", intervals)
    if remark:
        yield Paragraph(remark)
    yield from signatures
    if intervals is not None:
        yield Paragraph(f"Intervals: {intervals.making}.", dim=True)
    yield from list_notes([*_notes(scores), *(note.text for note in (intervals.notes if intervals else ()))])
    for by, by_recipe in scored.groups.items():
        for (name, own), signature in zip(by_recipe.items(), signatures, strict=True):
            yield Heading(f"By {by}, {name}.")
            yield _make_table(own, by)
            yield signature
            yield from list_notes(_notes(own))


def _notes(scores: Scores) -> list[str]:
    return [f"{name}: {note}" for name, score in scores.items() for note in score.notes]


def metric_name(scores: Iterable[AnyScore]) -> str:
    """Name what scores are of, for the head of their column."""
    return " or ".join(dict.fromkeys(score.metric.name for score in scores))


def _make_table(scores: Scores, first: str, intervals: ScoreIntervals | None = None) -> Table:
    """Make a table with a row for each score: its components, its interval, and the size of a group of segments.

    Scores of one metric have a column for each component. Scores of several metrics have one for all of them.
    """
    is_group, several = first != "recipe", len({score.metric.key for score in scores.values()}) > 1
    longest_first = sorted((score.parts for score in scores.values()), key=len, reverse=True)
    titles = list(dict.fromkeys(part.title for parts in longest_first for part in parts))
    columns = [*texts(first), *(texts("metric") if several else [])]
    columns += numbers("score" if several else metric_name(scores.values()))
    columns += numbers(*([intervals.title, "std. error"] if intervals else []), *(["segments"] if is_group else []))
    columns += texts("better", "made of") if several else numbers(*titles)
    rows = []
    for name, score in scores.items():
        parts = {part.title: part.text for part in score.parts}
        made_of = ", ".join(f"{title} {text}" for title, text in parts.items())
        rows.append(
            [
                name,
                *([score.label] if several else []),
                score.printed,
                *([intervals.words(name), f"{intervals.intervals[name].standard_error:.2f}"] if intervals else []),
                *([f"{score.census.segments:,}"] if is_group else []),
                *([score.metric.better.value, made_of] if several else (parts.get(title, "") for title in titles)),
            ]
        )
    return Table(columns, rows, caption=f"{metric_name(scores.values())} by {first}")


def build_segments(scores: SegmentScores, documents: Sequence[str] | None = None) -> list[Block]:
    """Show every segment with its counts."""
    heading = f"{scores.recipe.metric.name} by segment."
    return [Heading(heading), arrange_segments(scores, documents), Signature(scores.signature)]


def arrange_segments(scores: SegmentScores, documents: Sequence[str] | None = None, most: int | None = None) -> Table:
    """Make a table of all segments, or the first ones: their scores, and the counts behind these."""
    metric, layout = scores.recipe.metric, scores.table.layout
    titles = [part.title for part in metric.segment_parts(layout.read((0,) * layout.width), layout)]
    columns = [*numbers("segment"), *texts(*(["document"] if documents else [])), *numbers(metric.name, *titles)]
    rows = []
    for index, stats in enumerate(islice(scores.table, most)):
        counts = (part.text for part in metric.segment_parts(stats, layout))
        document = [documents[index]] if documents else []
        rows.append([str(index + 1), *document, scores.printed(index), *counts])
    return Table(columns, rows)


def build_reconciliation(way: Reconciliation) -> list[Block]:
    """Show the way from one score to another: a table of the steps between both ends, then each step in words."""
    first, last = (
        [f"{side}: {phrases.recipe_name(score)}", "", "", "", score.printed]
        for side, score in (("start", way.start), ("end", way.end))
    )
    steps = [[axis_name(step.axis), *step.choices, signed(step.points), step.after.printed] for step in way.steps]
    unchanged = {place: "dim" for place, step in enumerate(way.steps, 1) if step.before.score == step.after.score}
    items = [
        Item(step.sentence, axis_name(step.axis), list(map(phrases.cause_phrase, step.causes))) for step in way.steps
    ]
    columns = [*texts("axis", "from", "to"), *numbers("points", way.end.metric.name)]
    return [
        Heading(way.summary),
        Table(columns, [first, *steps, last], styles=unchanged),
        *([Items(items, numbered=True)] if items else []),
        Signature(way.start.signature, "From"),
        Signature(way.end.signature, "To"),
    ]


def build_groups(groups: DialectGroups) -> list[Block]:
    """Show all dialects, grouped by equal scores."""
    name = metric_name(group.score for group in groups)
    columns = [*texts("dialects"), *numbers(name), *texts("parts from the group above at")]
    rows = [(", ".join(group.names), group.score.printed, group.sentence) for group in groups]
    return [
        Heading(f"The dialects of {name} on the same texts."),
        Table(columns, rows, ends=range(len(rows))),
        *([Paragraph(groups.remark)] if groups.remark else []),
    ]


def build_dialects(dialects: DialectsByMetric) -> list[Block]:
    """Show all dialects of several metrics."""
    return [block for groups in dialects.groups for block in build_groups(groups)]


def build_identification(found: Identification) -> list[Block]:
    """Show what a reported number may be, the most usual first, with what these texts cannot distinguish."""
    names = dict.fromkeys(finding.best.recipe.metric.name for finding in found.findings)
    columns = [*texts("what it is"), *numbers(" or ".join(names) or "score"), Column("signature", True, True)]
    rows = [_list_finding(finding) for finding in found.findings]
    return [
        Heading(found.summary),
        Table([*columns, *texts("not to be told apart on these texts")], rows, is_listed=True),
    ]


def _list_finding(finding: Finding) -> list[str]:
    best, same = finding.best, [reading.title for reading in finding.readings[1:]]
    fit = f"{finding.printed}, on 0 to {finding.scale}" if finding.fits else f"{finding.distance:.3g} away"
    more = [f"{len(same) - SHOWN_ALIKE:,} more"] if len(same) > SHOWN_ALIKE else []
    alike = "; ".join([*same[:SHOWN_ALIKE], *more])
    return [best.title, f"{describe_scores(best.scores)} ({fit})", best.signature, alike]
