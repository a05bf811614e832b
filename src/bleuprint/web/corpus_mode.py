"""Corpus: read it, count it chunk by chunk, show and export the result.

Nothing is kept between calls: the page holds the texts and the rows of whole numbers, and hands over what each step
needs. So progress can be shown, counting can be cancelled, and the server stays without state.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bleuprint.counting.rows import StatsTable
from bleuprint.engines import find_engine
from bleuprint.errors import ShapeError
from bleuprint.findings.explanation import Explanation
from bleuprint.recipes.recipe import Recipe
from bleuprint.render import render
from bleuprint.render.html import render_part
from bleuprint.render.html.figures import bin_scores, count_bins, make_histogram
from bleuprint.render.json import render_json
from bleuprint.scoring.verbs import SegmentScores, group_table, pair_for, score_table
from bleuprint.text.formats import ListedLines, assemble_corpus, display_name, split_lines
from bleuprint.text.segments import Segments
from bleuprint.web.limits import HIGHEST_COUNT
from bleuprint.web.requests import (
    Answer,
    Request,
    choose_chunk,
    describe_recipe,
    is_blank,
    is_list,
    is_optional,
    is_text,
    is_whole,
    read,
    read_documents,
    read_name,
    read_recipe,
    read_segments,
    read_table,
    refuse_blank,
)

SEGMENT_PAGE = 50
"""Segments on one page of the table."""
SORTS = ("segment", "score", "candidate_length", "reference_length")


class Counted(NamedTuple):
    """A counted corpus as the page hands it back."""

    recipe: Recipe
    table: StatsTable
    plain: tuple[int, ...]
    documents: list[str] | None
    scores: SegmentScores
    """those of the segments"""

    def explain(self, segments: Segments | None = None) -> Explanation:
        """Explain the corpus score from the rows; the texts serve for notes alone."""
        values = self.scores.scores
        return Explanation(
            score_table(self.table, self.recipe, segments),
            plain_matches=self.plain,
            mean_segment_score=math.fsum(values) / len(values),
        )


def read_texts(request: Request) -> Answer:
    """Read dropped files or pasted lines (``files``: name and text of each, the candidate first) into segments."""
    files = read(request, "files", lambda value: bool(value) and is_list(_is_file)(value))
    texts: dict[str, str] = {file["name"]: file["text"] for file in files}
    if len(texts) < len(files):
        raise ShapeError("Two files have the same name.", "Rename one of them.", where="files")
    blank = [name for name, text in texts.items() if is_blank(text)]
    if blank and request.get("pasted") is True:  # lines of a file may all be blank
        raise refuse_blank(blank[0])
    candidate, *references = texts
    corpus = assemble_corpus(candidate, references, lambda name: ListedLines(split_lines(texts[name])))
    if not corpus.candidates:
        raise ShapeError(
            "The file has no segments.", "Check that the right file was chosen.", where=display_name(candidate)
        )
    with corpus.naming_lines():
        segments = pair_for(corpus.candidates, corpus.references, [read_recipe(request)])
    pairs = zip(segments.candidates, map(list, segments.references), strict=True)
    return {"segments": list(map(list, pairs)), "documents": corpus.documents, "chunk": choose_chunk()}


def _is_file(value: object) -> bool:
    return isinstance(value, Mapping) and is_text(value.get("name")) and is_text(value.get("text"))


def count_chunk(request: Request) -> Answer:
    """Count some segments: one row of whole numbers each, and the matches without clipping."""
    recipe = read_recipe(request)
    segments = read_segments(request, [recipe])
    table, plain = find_engine().count_with_plain(segments, recipe.layout)
    return {"rows": table.list_rows(), "plain": list(plain)}


def show_result(request: Request) -> Answer:
    """Show one page of the table of segments, and with ``segments`` the corpus score with its arithmetic."""
    counted = _read_counted(request)
    view = _arrange_segments(counted, request)
    answer: Answer = {"table": render_part("segments", whole="segments" in request, **view)}
    if "segments" in request:
        explanation = counted.explain(read_segments(request, [counted.recipe]))
        answer["html"] = render_part("result", explanation)
        answer["derivation"] = render_part("derivation", explanation)
        answer |= describe_recipe(counted.recipe)
        groups = group_table(counted.table, counted.documents, counted.recipe) if counted.documents else {}
        answer["documents"] = render_part("documents", scores=groups, metric=counted.recipe.metric) if groups else ""
    return answer


def export_corpus(request: Request, form: str) -> str:
    """Write the corpus result, or as CSV the segments."""
    counted = _read_counted(request)
    if form == "csv":
        return render(counted.scores, form)
    explanation = counted.explain(read_segments(request, [counted.recipe]) if "segments" in request else None)
    if form == "json":
        return render_json(explanation.to_dict() | {"rows": counted.table.list_rows()})
    return render(explanation, form)


def _arrange_segments(counted: Counted, request: Request) -> Answer:
    """Sort and filter the segments, and lay out one page of them, below a histogram of all their scores."""
    sort = read_name(request, "sort", SORTS, SORTS[0])
    descending = request.get("descending") is True
    scores, table, metric = counted.scores, counted.table, counted.recipe.metric
    keys: dict[str, Sequence[float]] = {"segment": range(len(table)), "score": scores.scores}
    bins = bin_scores(metric, scores.scores)
    chosen = read(request, "bin", is_optional(is_whole(0, len(bins.starts) - 1)))
    among = read(request, "among", is_optional(is_list(is_whole(0, len(table) - 1))))
    places = list(range(len(table)) if among is None else among)
    places = [place for place in places if chosen in (None, bins.find(scores.scores[place]))]
    places.sort(key=(keys.get(sort) or table.column(sort)).__getitem__, reverse=descending)
    pages = max(1, math.ceil(len(places) / SEGMENT_PAGE))
    shown = min(read(request, "page", is_whole(), 0), pages - 1)
    rows = []
    for place in places[shown * SEGMENT_PAGE : (shown + 1) * SEGMENT_PAGE]:
        *counts, candidate, reference = (part.text for part in metric.segment_parts(table[place], table.layout))
        rows.append((place, scores.printed(place), (candidate, reference), counts))
    *titles, candidate, reference = (part.title for part in metric.segment_parts(table[0], table.layout))
    names = ("Segment", metric.name, candidate.capitalize(), reference.capitalize())
    sizes = count_bins(scores.scores, bins.starts)
    return {
        "rows": rows, "first": shown * SEGMENT_PAGE + 1,
        "page": shown, "pages": pages, "count": len(places), "total": len(table), "titles": titles,
        "sortable": list(zip(SORTS, names, strict=True)), "sort": sort, "descending": descending,
        "documents": counted.documents, "heading": metric.heading(counted.recipe), "chosen": chosen,
        "bars": make_histogram(sizes, bins.labels, max(sizes)), "ends": bins.ends,
    }  # fmt: skip


def _read_counted(request: Request) -> Counted:
    recipe = read_recipe(request)
    table = read_table(request.get("rows"), recipe.layout, "rows")
    plain = read(request, "plain", is_list(is_whole(0, HIGHEST_COUNT), recipe.layout.order))
    scores: SegmentScores = SegmentScores(table, recipe, Segments([], []))
    return Counted(recipe, table, tuple(plain), read_documents(request, len(table)), scores)
