"""JSONL: one object per line, with a candidate, its references and perhaps a document."""

from __future__ import annotations

import json

from bleuprint.errors import FileError, quote
from bleuprint.formats.documents import DocumentNames
from bleuprint.formats.sources import Corpus, LineSource, display_name


class JsonRows:
    """JSONL, batch by batch."""

    def __init__(self, source: str, lines: LineSource) -> None:
        self._source, self._lines, self._line, self._documents = source, lines, 1, DocumentNames(source)

    def take(self, count: int) -> Corpus:
        """Read so many objects, or what is left."""
        taken = self._lines.take(count)
        first, self._line = self._line, self._line + len(taken)
        candidates, references, documents = [], [], []
        for number, line in enumerate(taken, start=first):
            row = _parse_object(line, f"{display_name(self._source)}, line {number}")
            candidates.append(row["candidate"])
            references.append(row["references"])
            documents.append(row.get("document"))
        names = self._documents.check(documents, range(first, self._line))
        return Corpus(candidates, references, names, self._source, first)

    def count_rest(self) -> int:
        """Count the objects that are left."""
        return self._lines.count_rest()


def _parse_object(line: str, where: str) -> dict[str, object]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        reason = f"{error.msg}, column {error.colno}" if isinstance(error, json.JSONDecodeError) else str(error)
        raise FileError(
            where=where,
            wanted="a JSON object",
            got=f"{quote(line)} ({reason})",
            next_step="JSONL has one complete object per line and no empty lines.",
        ) from None
    missing = [key for key in ("candidate", "references") if not isinstance(row, dict) or key not in row]
    if missing:
        raise FileError(
            where=where,
            wanted='an object with "candidate" and "references"',
            got=f"no {' and no '.join(missing)} in {quote(line)}",
            next_step='For example: {"candidate": "a b", "references": ["a b", "a c"], "document": "d1"}.',
        )
    return dict(row)
