"""``bleuprint segments``: a score and its counts for every segment."""

from __future__ import annotations

from collections.abc import Sequence

import click

from bleuprint.cli.counting import count_corpus, pair_corpus
from bleuprint.cli.option_values import InputOptions, RecipeOptions
from bleuprint.cli.options import input_options, segment_recipe_options, threads_option
from bleuprint.cli.output_options import format_option, output_option
from bleuprint.cli.printing import deliver, find_writer, tab_separated, write_output
from bleuprint.cli.reading import read_labelled
from bleuprint.errors import FileError
from bleuprint.recipes.options import SEGMENT_DEFAULT
from bleuprint.render.json import render_json
from bleuprint.scoring.verbs import SegmentScores


@click.command("segments")
@click.argument("candidate")
@click.argument("references", nargs=-1, metavar="[REFERENCE]...")
@segment_recipe_options
@input_options
@threads_option
@format_option("tsv", "jsonl", "markdown", "latex", "parquet")
@output_option
def command(
    candidate: str,
    references: tuple[str, ...],
    *,
    recipe: RecipeOptions,
    reading: InputOptions,
    threads: int | None,
    output_format: str,
    output: str | None,
) -> None:
    """Score every segment of a CANDIDATE file on its own, with its counts.

    The mean of these scores is not the corpus score: BLEU sums counts, not scores.
    """
    if output_format == "parquet" and not output:
        raise FileError(
            where="--format parquet",
            wanted="--output FILE beside it",
            got="none",
            next_step="Parquet is no text to print; name the file that it goes to.",
        )
    built = recipe.aimed_at(reading.testset).build_one(SEGMENT_DEFAULT)
    corpus, label = read_labelled(candidate, references, reading, built)
    segments = pair_corpus(corpus, [built])
    table = count_corpus(segments, [built], threads=threads)[built.counting]
    scores = SegmentScores(table, built, segments, label)
    if output_format == "parquet" and output:
        write_output(output, _as_parquet(scores, corpus.documents))
    elif output_format == "jsonl":
        deliver(_as_jsonl(scores, corpus.documents), output)
    elif output_format in ("markdown", "latex"):
        deliver(find_writer(output_format).render_segments(scores, corpus.documents), output)
    else:
        deliver(_as_tsv(scores, corpus.documents), output)


def _as_tsv(scores: SegmentScores, documents: list[str] | None) -> str:
    remarks, in_words, signature = scores.remarks, scores.recipe.metric.in_words, scores.signature
    header = ["segment", *(["document"] if documents else []), "score", *scores.table.columns, "signature"]
    rows = (
        [
            place + 1,
            *([documents[place]] if documents else []),
            score,
            *in_words(scores.table.row(place)),
            signature,
            *([remarks[place]] if remarks else []),
        ]
        for place, score in enumerate(scores.scores)
    )
    return tab_separated([*header, *(["remark"] if remarks else [])], rows)


def _as_parquet(scores: SegmentScores, documents: list[str] | None) -> bytes:
    from bleuprint.io.columnar import pack_parquet

    rows = [scores.recipe.metric.in_words(scores.table.row(place)) for place in range(len(scores.table))]
    counted = {name: [row[place] for row in rows] for place, name in enumerate(scores.table.columns)}
    columns: dict[str, Sequence[object]] = {"segment": range(1, len(rows) + 1)}
    columns |= {"document": documents} if documents else {}
    columns |= {"score": scores.scores, **counted}
    columns |= {"remark": scores.remarks} if scores.remarks else {}
    return pack_parquet(columns, {"signature": scores.signature, "label": scores.recipe.label})


def _as_jsonl(scores: SegmentScores, documents: list[str] | None) -> str:
    lines = []
    for place, score in enumerate(scores):
        data: dict[str, object] = {"segment": place + 1}
        if documents:
            data["document"] = documents[place]
        lines.append(render_json(data | score.to_dict() | {"segments": 1}, indent=None))
    return "\n".join(lines)
