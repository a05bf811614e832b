"""``bleuprint segments``: a score and its counts for every segment."""

from __future__ import annotations

from typing import Any

import click

from bleuprint.cli.counting import count_corpus, pair_corpus
from bleuprint.cli.options import (
    build_recipe,
    format_option,
    input_options,
    output_option,
    read_input,
    segment_recipe_options,
    threads_option,
)
from bleuprint.cli.printing import deliver, find_writer, tab_separated
from bleuprint.metrics.bleu.dialects import SEGMENT_DEFAULT
from bleuprint.render.json import render_json
from bleuprint.scoring.verbs import SegmentScores


@click.command("segments")
@click.argument("candidate")
@click.argument("references", nargs=-1, metavar="[REFERENCE]...")
@segment_recipe_options
@input_options
@threads_option
@format_option("tsv", "jsonl", "markdown", "latex")
@output_option
def command(candidate: str, references: tuple[str, ...], **options: Any) -> None:
    """Score every segment of a CANDIDATE file on its own, with its counts.

    The mean of these scores is not the corpus score: BLEU sums counts, not scores.
    """
    recipe = build_recipe(options, SEGMENT_DEFAULT)
    corpus = read_input(candidate, references, options, recipe)
    segments = pair_corpus(corpus, [recipe])
    table = count_corpus(segments, [recipe], threads=options["threads"])[recipe.counting]
    scores = SegmentScores(table, recipe, segments)
    if options["output_format"] == "jsonl":
        deliver(_as_jsonl(scores, corpus.documents), options["output"])
    elif options["output_format"] in ("markdown", "latex"):
        writer = find_writer(options["output_format"])
        deliver(writer.render_segments(scores, corpus.documents), options["output"])
    else:
        deliver(_as_tsv(scores, corpus.documents), options["output"])


def _as_tsv(scores: SegmentScores, documents: list[str] | None) -> str:
    remarks = scores.remarks
    header = ["segment", *(["document"] if documents else []), "score", *scores.table.columns, "signature"]
    rows = (
        [place + 1, *([documents[place]] if documents else []), score, *scores.table.row(place), str(scores.recipe)]
        + ([remarks[place]] if remarks else [])
        for place, score in enumerate(scores.scores)
    )
    return tab_separated([*header, *(["remark"] if remarks else [])], rows)


def _as_jsonl(scores: SegmentScores, documents: list[str] | None) -> str:
    lines = []
    for place, score in enumerate(scores):
        data: dict[str, object] = {"segment": place + 1}
        if documents:
            data["document"] = documents[place]
        lines.append(render_json(data | score.to_dict() | {"segments": 1}, indent=None))
    return "\n".join(lines)
