"""Labels of segments in files: a TSV file whose first line names its columns, or a JSONL file."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Mapping

from bleuprint.errors import FileError, ShapeError, quote
from bleuprint.files.lines import read_lines
from bleuprint.text.formats import detect_form, display_name
from bleuprint.text.formats.documents import is_nameless
from bleuprint.text.formats.jsonl import parse_object
from bleuprint.wording import count_of

LabelRows = list[dict[str, object]]


def read_labels(source: str, segments: int, wanted: Collection[str] = ()) -> dict[str, list[str]]:
    """Read all columns that have a label for every segment; a TSV or JSONL corpus will do.

    A gap in one that is ``wanted`` is refused.
    """
    lines = read_lines(source)
    is_jsonl = detect_form(source) == "jsonl"
    rows = _read_objects(lines, source) if is_jsonl else _read_cells(lines, source)
    if len(rows) != segments:
        raise ShapeError(
            where=display_name(source),
            wanted=f"labels of {count_of(segments, 'segment')}",
            got=f"{len(rows):,}",
            next_step="Give a line for every segment, in the order of the references.",
        )
    names = dict.fromkeys(name for row in rows for name in row)
    gaps = {name: next((place for place, row in enumerate(rows) if not _has(row, name)), None) for name in names}
    for name in wanted:
        gap = gaps.get(name)
        if gap is not None:
            raise FileError(
                where=f"{display_name(source)}, line {gap + (1 if is_jsonl else 2)}",
                wanted=f"a text or a number under {name!r}",
                got=quote(rows[gap][name]) if name in rows[gap] else "nothing",
                next_step="Every segment belongs to a part; give it a value of its own.",
            )
    return {name: [_write(row[name]) for row in rows] for name in names if gaps[name] is None}


def _has(row: Mapping[str, object], name: str) -> bool:
    """Whether a row has a label of this name."""
    value = row.get(name)
    return not is_nameless(value) and not isinstance(value, (list, dict))


def _write(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _read_objects(lines: list[str], source: str) -> LabelRows:
    example = 'For example: {"document": "d1", "domain": "news"}.'
    return [
        parse_object(line, f"{display_name(source)}, line {number}", example)
        for number, line in enumerate(lines, start=1)
    ]


def _read_cells(lines: list[str], source: str) -> LabelRows:
    header = lines[0].split("\t") if lines else []
    counts = Counter(header)
    rows: LabelRows = []
    for number, line in enumerate(lines[1:], start=2):
        cells = line.split("\t")
        if len(cells) != len(header):
            raise FileError(
                where=f"{display_name(source)}, line {number}",
                wanted=count_of(len(header), "column"),
                got=str(len(cells)),
                next_step="The first line names the columns; cells are parted by tabs.",
            )
        # A name that several columns have (reference, say) names none of them.
        rows.append({name: cell for name, cell in zip(header, cells, strict=True) if counts[name] == 1})
    return rows
