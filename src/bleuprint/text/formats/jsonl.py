"""JSONL: one object per line, with a candidate, its references and perhaps a document."""

from __future__ import annotations

import json
from collections import Counter

from bleuprint.errors import FileError, quote
from bleuprint.text.formats.documents import DocumentNames
from bleuprint.text.formats.sources import LineSource, RawCorpus, display_name


class JsonRows:
    """JSONL, batch by batch."""

    def __init__(self, source: str, lines: LineSource) -> None:
        self._source, self._lines, self._line, self._documents = source, lines, 1, DocumentNames(source)

    def take(self, count: int) -> RawCorpus:
        """Read so many objects, or what is left."""
        taken = self._lines.take(count)
        first, self._line = self._line, self._line + len(taken)
        candidates, references, documents = [], [], []
        for number, line in enumerate(taken, start=first):
            row = _parse_segment(line, f"{display_name(self._source)}, line {number}")
            candidates.append(row["candidate"])
            references.append(row["references"])
            documents.append(row.get("document"))
        names = self._documents.check(documents, range(first, self._line))
        return RawCorpus(candidates, references, names, self._source, first)

    def count_rest(self) -> int:
        """Count the objects that are left."""
        return self._lines.count_rest()


def _parse_segment(line: str, where: str) -> dict[str, object]:
    row = parse_object(
        line, where, 'For example: {"candidate": "a b", "references": ["a b", "a c"], "document": "d1"}.'
    )
    missing = [key for key in ("candidate", "references") if key not in row]
    if missing:
        raise FileError(
            where=where,
            wanted='an object with "candidate" and "references"',
            got=f"no {' and no '.join(missing)} in {quote(line)}",
            next_step='For example: {"candidate": "a b", "references": ["a b", "a c"], "document": "d1"}.',
        )
    return row


def parse_object(line: str, where: str, example: str) -> dict[str, object]:
    """Read a line of JSONL; a key that it has twice would hide what stands under the first."""

    def gather(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) < len(pairs):
            counts = Counter(key for key, _ in pairs)
            raise FileError(
                where=where,
                wanted="every key of an object once",
                got=f"{quote(counts.most_common(1)[0][0])} {counts.most_common(1)[0][1]} times",
                next_step="Several references are a list under one key; take the other out, or give it another name.",
            )
        return found

    reason = ""
    try:
        row = json.loads(line, object_pairs_hook=gather)
    except FileError:
        raise
    except RecursionError:
        row, reason = None, " (nested too deep)"
    except ValueError as error:
        row = None
        reason = f" ({error.msg}, column {error.colno})" if isinstance(error, json.JSONDecodeError) else f" ({error})"
    if not isinstance(row, dict):
        raise FileError(
            where=where,
            wanted="a JSON object",
            got=f"{quote(line)}{reason}",
            next_step=f"JSONL has one complete object per line and no empty lines. {example}",
        )
    return row
