"""``bleuprint segments``: a score and its counts for every segment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bleuprint.cli.call import Call, require
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
    parquet = call.output_format == "parquet"
    require(("--format parquet", parquet, call.output, "--output FILE, because it is no text to print"))
    recipe = call.recipe.build_one(SEGMENT_DEFAULT, call.reading.testset)
    corpus, label = read_labelled(call, recipe)
    segments = pair_corpus(corpus, [recipe])
    scores = SegmentScores(count_corpus(segments, recipe, call.threads), recipe, segments, label)
    if parquet and call.output:
        write_output(call.output, _as_parquet(scores, corpus.documents))
    elif call.output_format == "jsonl":
        deliver(_as_jsonl(scores, corpus.documents), call.output)
    elif call.output_format == "tsv":
        deliver(_as_tsv(scores, corpus.documents), call.output)
    else:
        deliver_result(scores, call, documents=corpus.documents)


def _name_columns(scores: SegmentScores, documents: list[str] | None) -> list[str]:
    return ["segment", *(["document"] if documents else []), "score", *scores.table.columns]


def _list_rows(scores: SegmentScores, documents: list[str] | None) -> Iterator[list[object]]:
    in_words = scores.recipe.metric.in_words
    for index, score in enumerate(scores.scores):
        document = [documents[index]] if documents else []
        yield [index + 1, *document, score, *in_words(scores.table.row(index))]


def _as_tsv(scores: SegmentScores, documents: list[str] | None) -> str:
    header, rows, remarks = _name_columns(scores, documents), _list_rows(scores, documents), scores.remarks
    signed = ([*row, scores.signature] for row in rows)
    if remarks is None:
        return tab_separated([*header, "signature"], signed)
    marked = ([*row, remark] for row, remark in zip(signed, remarks, strict=True))
    return tab_separated([*header, "signature", "remark"], marked)


def _as_parquet(scores: SegmentScores, documents: list[str] | None) -> bytes:
    from bleuprint.io.columnar import pack_parquet

    columns = zip(*_list_rows(scores, documents), strict=True)
    named: dict[str, Sequence[object]] = dict(zip(_name_columns(scores, documents), map(list, columns), strict=True))
    if remarks := scores.remarks:
        named["remark"] = remarks
    return pack_parquet(named, {"signature": scores.signature, "label": scores.recipe.label})


def _as_jsonl(scores: SegmentScores, documents: list[str] | None) -> str:
    lines = []
    for index, score in enumerate(scores):
        document = {"document": documents[index]} if documents else {}
        data = {"segment": index + 1, **document, **score.to_dict(), "segments": 1}
        lines.append(render_json(data, indent=None))
    return "\n".join(lines)
