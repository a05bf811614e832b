"""What the page does with a corpus: read it, count it chunk by chunk, show and export the result.

Nothing is kept between calls: the page holds the texts and the rows of whole numbers, and hands over what each step
needs. So progress can be shown, counting can be cancelled, and the server stays without state.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from bleuprint.counting.rows import StatsTable
from bleuprint.engines import find_engine
from bleuprint.errors import InputTypeError, ShapeError, quote
from bleuprint.findings.explanation import Explanation
from bleuprint.recipes.recipe import Recipe
from bleuprint.render import csv, markdown
from bleuprint.render.html import render_part
from bleuprint.render.html.figures import ScoreBins, bin_scores, count_bins, make_histogram
from bleuprint.render.json import render_json
from bleuprint.scoring.verbs import SegmentScores, group_table, pair_for, score_table
from bleuprint.text.formats import ListedLines, assemble_corpus, display_name, split_lines
from bleuprint.text.segments import Segments
from bleuprint.web.export import make_file
from bleuprint.web.requests import (
    are_counts,
    choose_chunk,
    describe_recipe,
    is_blank,
    read_documents,
    read_recipe,
    read_rows,
    read_segments,
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


def read_texts(request: Mapping[str, Any]) -> dict[str, Any]:
    """Read dropped files or pasted lines (``files``: name and text of each, the candidate first) into segments."""
    files = request.get("files")
    if not isinstance(files, list) or not files or not all(isinstance(file, Mapping) for file in files):
        raise InputTypeError(
            where="files", wanted="names with texts", got=quote(files), next_step="Paste lines or choose files."
        )
    texts = dict(_read_file(file, request.get("pasted") is True) for file in files)
    if len(texts) < len(files):
        raise ShapeError(
            where="files", wanted="files of different names", got="two of one name", next_step="Rename one of them."
        )
    candidate, *references = texts
    corpus = assemble_corpus(candidate, references, lambda name: ListedLines(split_lines(texts[name])))
    if not corpus.candidates:
        raise ShapeError(
            where=display_name(candidate), wanted="at least one segment", got="none",
            next_step="Check that the right file was chosen.",
        )  # fmt: skip
    recipe = read_recipe(request)
    with corpus.naming_lines():
        segments = pair_for(corpus.candidates, corpus.references, [recipe])
    pairs = zip(segments.candidates, map(list, segments.references), strict=True)
    return {"segments": list(map(list, pairs)), "documents": corpus.documents, "chunk": choose_chunk()}


def _read_file(file: Mapping[str, Any], pasted: bool) -> tuple[str, str]:
    """Read name and text of a file; lines that are pasted may not all be blank, those of a file may."""
    name, text = file.get("name"), file.get("text")
    if not isinstance(name, str) or not isinstance(text, str):
        where = f"file {quote(name)}" if isinstance(name, str) else "file"
        missing = "no text" if isinstance(name, str) else "no name"
        raise InputTypeError(where=where, wanted="a name with a text", got=missing, next_step="Choose the file again.")
    if pasted and is_blank(text):
        refuse_blank(name, "one segment per line")
    return name, text


def count_chunk(request: Mapping[str, Any]) -> dict[str, Any]:
    """Count some segments: one row of whole numbers each, and the matches without clipping."""
    recipe = read_recipe(request)
    segments = read_segments(request, [recipe])
    table, plain = find_engine().count_with_plain(segments, recipe.layout)
    return {"rows": table.list_rows(), "plain": list(plain)}


def show_result(request: Mapping[str, Any]) -> dict[str, Any]:
    """Show one page of the table of segments, and with ``segments`` the corpus score with its arithmetic."""
    counted = _read_counted(request)
    view = _arrange_segments(counted, request)
    answer: dict[str, Any] = {"table": render_part("segments", whole="segments" in request, **view)}
    if "segments" in request:
        explanation = counted.explain(read_segments(request, [counted.recipe]))
        answer["html"] = render_part("result", explanation)
        answer["derivation"] = render_part("derivation", explanation)
        answer |= describe_recipe(counted.recipe)
        groups = group_table(counted.table, counted.documents, counted.recipe) if counted.documents else {}
        answer["documents"] = render_part("documents", scores=groups, metric=counted.recipe.metric) if groups else ""
    return answer


def export_corpus(request: Mapping[str, Any]) -> dict[str, Any]:
    """Give the corpus result as a file: JSON, CSV (the segments) or Markdown."""
    counted = _read_counted(request)
    explanation = counted.explain(read_segments(request, [counted.recipe]) if "segments" in request else None)
    writers = {
        "json": lambda: render_json(explanation.to_dict() | {"rows": counted.table.list_rows()}),
        "csv": lambda: csv.render_segments(counted.scores),
        "markdown": lambda: markdown.render_explanation(explanation),
    }
    return make_file(request, "bleuprint-corpus", writers)


def _arrange_segments(counted: Counted, request: Mapping[str, Any]) -> dict[str, Any]:
    """Sort and filter the segments, and lay out one page of them, below a histogram of all their scores."""
    sort = request.get("sort") if request.get("sort") in SORTS else "segment"
    descending = request.get("descending") is True
    scores, table, metric = counted.scores, counted.table, counted.recipe.metric
    keys: dict[str, Sequence[float]] = {
        "segment": range(len(table)),
        "score": scores.scores,
        "candidate_length": table.column("candidate_length"),
        "reference_length": table.column("reference_length"),
    }
    bins = bin_scores(metric, scores.scores)
    chosen = _read_bin(request, bins)
    places = [place for place in _read_among(request, len(table)) if chosen in (None, bins.find(scores.scores[place]))]
    places.sort(key=keys[str(sort)].__getitem__, reverse=descending)
    pages = max(1, math.ceil(len(places) / SEGMENT_PAGE))
    page = request.get("page")
    shown = min(page, pages - 1) if type(page) is int and page >= 0 else 0
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


def _read_bin(request: Mapping[str, Any], bins: ScoreBins) -> int | None:
    """Read which bar of the histogram is chosen, if any."""
    chosen = request.get("bin")
    if chosen is not None and (type(chosen) is not int or not 0 <= chosen < len(bins.starts)):
        raise InputTypeError(where="bin", wanted="the number of a bar", got=quote(chosen), next_step="Count again.")
    return chosen


def _read_among(request: Mapping[str, Any], size: int) -> Sequence[int]:
    """Read which segments are asked for, by their places; all, where none are named."""
    among = request.get("among")
    if among is None:
        return range(size)
    if not isinstance(among, list) or not all(type(place) is int and 0 <= place < size for place in among):
        raise InputTypeError(where="among", wanted="places of segments", got=quote(among), next_step="Count again.")
    return among


def _read_counted(request: Mapping[str, Any]) -> Counted:
    recipe = read_recipe(request)
    table, plain = read_rows(request.get("rows"), recipe.layout), request.get("plain")
    if not isinstance(plain, list) or not are_counts(plain, recipe.layout.order):
        raise InputTypeError(where="plain", wanted="counts", got=quote(plain), next_step="Count again.")
    scores: SegmentScores = SegmentScores(table, recipe, Segments([], []))
    return Counted(recipe, table, tuple(plain), read_documents(request, len(table)), scores)
