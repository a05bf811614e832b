"""What the report's script draws from: every text once, with a digit or two for each of its tokens.

Lists of small numbers are packed: a string with one digit of base 36 for each number, or a plain list where one of
them is larger. Texts stay as they were given. Their tokens are pairs of numbers: how far each begins behind the one
before, and how long it is, in UTF-16 units, as JavaScript counts. A text of which a token is no part (an own tokenizer
may make one up) has the list of its tokens instead. What is called a token here is what the metric marks: a token, a
character or a word.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, chain
from typing import Any

from bleuprint.counting.rows import StatsTable
from bleuprint.findings.comparison import Comparison
from bleuprint.findings.comparison.closeup import measure_influences, score_alone
from bleuprint.metrics import module_of
from bleuprint.metrics.metric import Metric
from bleuprint.recipes.recipe import Recipe
from bleuprint.render.comparison import title_results
from bleuprint.render.html.figures import make_scale
from bleuprint.render.html.report_summary import shorten_names
from bleuprint.text.segments import Segments, Text
from bleuprint.text.shown_tokens import text_words, token_words
from bleuprint.text.tokenizers import Tokens
from bleuprint.wording import LEAST_IN_DECIMALS, MOST_DECIMALS, format_score

Packed = str | list[int]
Columns = dict[str, list[Any]]
Leads = tuple[int, int, int]
"""of how many segments the first is ahead, neither, the second"""
_DIGITS = b"0123456789abcdefghijklmnopqrstuvwxyz"
_BYTE_AS_DIGIT = _DIGITS.ljust(256, b"?")


def gather_data(comparison: Comparison, order: Sequence[str], focus: tuple[str, str] | None) -> dict[str, Any]:
    """Gather every segment of every system: all of it under the first recipe, and the scores under the others.

    Systems are in the given order. If there are no texts, ``references`` is None. ``scores`` are as shown. The report's
    script subtracts ``exact`` scores, of the first recipe, and influences: every pair would be most of the file.
    """
    recipe = comparison.result().recipe
    columns: dict[str, Columns] = {name: {} for name in order}
    references: dict[str, Any] = {"references": None}
    if comparison.has_texts:
        columns, references = _split_systems(comparison.systems, recipe)
    tables, short = comparison.tables[recipe.counting], shorten_names(order)
    alone = [_score_systems(comparison, result.recipe, order) for result in comparison.results]
    digits = [result.recipe.metric.digits for result in comparison.results]
    scores = [[_as_shown(own, shown) for own in systems] for systems, shown in zip(alone, digits, strict=True)]
    influences = [list(measure_influences(tables[name], recipe)) for name in order]
    return {
        "segments": comparison.segments,
        "decimals": {"most": MOST_DECIMALS, "least": LEAST_IN_DECIMALS},
        "systems": [
            {
                "name": name,
                "short": short.get(name),
                **columns[name],
                "scores": own,
                "exact": list(exact),
                "influences": moved,
                "counts": _list_counts(tables[name], recipe),
            }
            for name, exact, moved, *own in zip(order, alone[0], influences, *scores, strict=True)
        ],
        **references,
        "sources": list(comparison.sources) or None,
        "parts": _place_parts(recipe),
        "unit": recipe.metric.length_unit,
        "recipes": [
            describe_plot(result.recipe, title, own)
            for result, title, own in zip(comparison.results, title_results(comparison.results), scores, strict=True)
        ],
        "focus": [order.index(name) for name in focus or ()],
        "baseline": None if comparison.baseline is None else order.index(comparison.baseline),
        "labels": [_number_labels(name, labels) for name, labels in comparison.labels.items()],
    }


def _score_systems(comparison: Comparison, recipe: Recipe, order: Sequence[str]) -> list[Sequence[float]]:
    """Score the segments of each system alone."""
    tables = comparison.tables[recipe.counting]
    return [score_alone(tables[name], recipe) for name in order]


def describe_plot(recipe: Recipe, title: str, scores: Sequence[Sequence[float]]) -> dict[str, Any]:
    """Return what the plots of a recipe need next to the displayed scores, by system."""
    metric = recipe.metric
    return {
        "title": title,
        "better": metric.better.value,
        "digits": metric.digits,
        **make_scale(metric, max((max(own, default=0.0) for own in scores), default=0.0)),
        "leads": [[count_leads(metric, one, other) for other in scores] for one in scores],
    }


def count_leads(metric: Metric, first: Sequence[float], second: Sequence[float]) -> Leads:
    """Count the segments on which one of two systems is ahead, by the scores that are shown.

    >>> from bleuprint import Recipe
    >>> count_leads(Recipe.named("ter").metric, [10.0, 20.0, 30.0], [15.0, 20.0, 40.0])
    (2, 1, 0)
    """
    signs = [(one > other) - (one < other) for one, other in zip(first, second, strict=True)]
    sign = 1 if metric.is_ahead(1.0) else -1
    return signs.count(sign), signs.count(0), signs.count(-sign)


def _as_shown(scores: Iterable[float], digits: int) -> list[float]:
    """Round scores to the displayed digits."""
    return [float(format_score(score, digits)) for score in scores]


def write_data(data: Mapping[str, Any]) -> str:
    r"""Write data so that it can stand in a script element: nothing in it can end the element.

    >>> write_data({"text": "</script>"})
    '{"text":"\\u003c/script>"}'
    """
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def pack(numbers: Sequence[int]) -> Packed:
    """Write numbers below 36 as one digit each; where one is larger they stay a list.

    >>> pack([0, 7, 35]), pack([36, 1])
    ('07z', [36, 1])
    """
    if numbers and max(numbers) >= len(_DIGITS):
        return list(numbers)
    return bytes(numbers).translate(_BYTE_AS_DIGIT).decode("ascii")


def cut_text(text: Text, tokens: Tokens, recipe: Recipe) -> Packed | list[str]:
    """Say where in a text its tokens stand; the tokens themselves where they are no part of it.

    >>> from bleuprint import Recipe
    >>> cut_text("It's on.", ["It's", "on", "."], Recipe.named("sacrebleu"))
    '041201'
    """
    if not isinstance(text, str):
        sizes = [_units(token_words(token)) for token in tokens]
        return pack(list(chain.from_iterable((int(place > 0), size) for place, size in enumerate(sizes))))
    numbers, end = [], 0
    starts = None if max(text, default="") < "\U00010000" else _unit_places(text)
    for span in module_of(recipe.metric, "explain").locate(text, tokens, recipe):
        if span is None:
            return list(map(token_words, tokens))
        start, stop = span if starts is None else (starts[span[0]], starts[span[1]])
        if start < end:
            return list(map(token_words, tokens))
        numbers += [start - end, stop - start]
        end = stop
    return pack(numbers)


def _split_systems(systems: Mapping[str, Segments], recipe: Recipe) -> tuple[dict[str, Columns], Columns]:
    """Split and mark every text: the columns of each system, and of the references, split once for all."""
    columns: dict[str, Columns] = {
        name: {"texts": _write_texts(own.candidates, recipe), "cuts": [], "marks": [], "referenceMarks": []}
        for name, own in systems.items()
    }
    references: Columns = {"references": [], "referenceCuts": [], "lengths": []}
    metric, explain = recipe.metric, module_of(recipe.metric, "explain")
    metric.read_ahead(chain.from_iterable(segments.texts() for segments in systems.values()), recipe.layout)
    for place, texts in enumerate(next(iter(systems.values())).references):
        split = [metric.split_reference(text, recipe.layout) for text in texts]
        shown = list(map(explain.shown_tokens, split))
        references["references"].append(_write_texts(texts, recipe))
        references["referenceCuts"].append(
            [cut_text(text, tokens, recipe) for text, tokens in zip(texts, shown, strict=True)]
        )
        references["lengths"].append(len(shown[0]))
        marker = explain.make_marker(split, recipe)
        for name, segments in systems.items():
            candidate = segments.candidates[place]
            tokens = metric.split(candidate, recipe.layout)
            marks = marker.mark(tokens)
            own = columns[name]
            own["cuts"].append(cut_text(candidate, explain.shown_tokens(tokens), recipe))
            own["marks"].append(pack(marks.candidate))
            own["referenceMarks"].append([None if one is None else pack(one) for one in marks.references])
    return columns, references


def _write_texts(texts: Sequence[Text], recipe: Recipe) -> list[Any]:
    """Return texts as strings. Only recipes for tokens have others."""
    return list(map(text_words, texts)) if recipe.is_pretokenized else list(texts)


def _list_counts(table: StatsTable, recipe: Recipe) -> list[Packed | list[float]]:
    """List the counts of each segment. A mean length that is no integer keeps the row from being packed."""
    places = [table.columns.index(name) for name in recipe.layout.columns]
    packed: list[Packed | list[float]] = []
    for index in range(len(table)):
        row = recipe.metric.in_words(table.row(index))
        counts = [row[place] for place in places]
        whole = list(map(int, counts))
        packed.append(pack(whole) if whole == counts else counts)
    return packed


def _place_parts(recipe: Recipe) -> list[list[Any]]:
    """Say for each part of a score what it is called, and at which places of the counts it stands."""
    columns = recipe.layout.columns
    return [[title, [columns.index(name) for name in names]] for title, names in recipe.layout.parts.items()]


def _number_labels(name: str, labels: Sequence[str]) -> dict[str, Any]:
    numbers: dict[str, int] = {}
    places = [numbers.setdefault(label, len(numbers)) for label in labels]
    return {"name": name, "values": list(numbers), "places": places}


def _units(text: str) -> int:
    """Count UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _unit_places(text: str) -> list[int]:
    """Return where each character begins in UTF-16 units, and the end."""
    return list(accumulate((1 + (character > "\uffff") for character in text), initial=0))
