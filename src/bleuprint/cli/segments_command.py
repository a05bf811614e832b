"""``bleuprint segments``: a score and its counts for every segment."""

from __future__ import annotations

from collections.abc import Sequence

from bleuprint.cli.call import Call, needs
from bleuprint.cli.corpus import count_corpus, pair_corpus, read_labelled
from bleuprint.cli.corpus_options import INPUT, SEGMENT_RECIPE
from bleuprint.cli.options import FILES, THREADS, make_command, output_options
from bleuprint.cli.printing import deliver, deliver_result, tab_separated, write_output
from bleuprint.recipes.options import SEGMENT_DEFAULT
from bleuprint.render.json import render_json
from bleuprint.scoring.verbs import SegmentScores


@make_command(
    "segments",
    *FILES, *SEGMENT_RECIPE, *INPUT, THREADS, *output_options("tsv", "jsonl", "markdown", "latex", "parquet"),
)  # fmt: skip
def command(call: Call) -> None:
    """Score every segment of a CANDIDATE file on its own, with its counts.

    The mean of these scores is not the corpus score: BLEU sums counts, not scores.
    """
    if call.output_format == "parquet" and not call.output:
        raise needs("--format parquet", "--output FILE, because it is no text to print")
    recipe = call.recipe.build_one(SEGMENT_DEFAULT, call.reading.testset)
    corpus, label = read_labelled(call, recipe)
    segments = pair_corpus(corpus, [recipe])
    scores = SegmentScores(count_corpus(segments, recipe, call.threads), recipe, segments, label)
    if call.output_format == "parquet" and call.output:
        write_output(call.output, _as_parquet(scores, corpus.documents))
    elif call.output_format == "jsonl":
        deliver(_as_jsonl(scores, corpus.documents), call.output)
    elif call.output_format in ("markdown", "latex"):
        deliver_result(scores, call.output_format, call.output, documents=corpus.documents)
    else:
        deliver(_as_tsv(scores, corpus.documents), call.output)


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
