"""What Python has done already when a browser starts it: every module of the bridge loaded, every action used once.

``snapshot.mjs`` runs this file inside Pyodide and stores the memory. The result depends on the package and on Pyodide
alone: hashes, times and the seed of ``random`` (which nothing here uses, but which libraries load) are fixed.
"""

from __future__ import annotations

import gc
import json
import random
from collections.abc import Iterator
from typing import Any

from bleuprint.tokenizer_table import BUILT_IN, PRETOKENIZED
from bleuprint.web.bridge import handle_json
from bleuprint.worked_examples import EXAMPLES

FORMATS = ("json", "csv", "markdown")
Request = dict[str, Any]


def warm_up() -> None:
    """Do once what the page may ask for, so that the first person to ask does not wait for modules and templates."""
    for request in _segment_requests():
        _ask(request)
    _use_corpus_mode()
    random.seed(0)
    gc.collect()


def _ask(request: Request) -> Request:
    answer: Request = json.loads(handle_json(json.dumps(request)))
    if not answer["ok"]:
        raise RuntimeError(f"{request['action']}: {answer['error']['message']}")
    return answer


def _segment_requests() -> Iterator[Request]:
    first = EXAMPLES[0]
    form = {"candidate": first.candidates[0], "references": list(first.references[0])}
    for action in ("recipe", "explain", "details", "dialects"):
        yield {"action": action, **form}
    yield {"action": "ngrams", "order_shown": 1, "page": 0, **form}
    for name in FORMATS:
        yield {"action": "export", "format": name, **form}
    for entry in BUILT_IN.values():
        if entry.name != PRETOKENIZED and entry.needs is None:
            yield {"action": "explain", **form, "recipe": {"tokenizer": entry.name, "smoothing": "epsilon(0.1)"}}


def _use_corpus_mode() -> None:
    table = "candidate\treference\tdocument\nthe cat\tthe cat\ta\nis on mat\tis on the mat\tb\n"
    texts = _ask({"action": "corpus-read", "files": [{"name": "corpus.tsv", "text": table}]})
    corpus = {"segments": texts["segments"], "documents": texts["documents"]}
    sums = _ask({"action": "corpus-count", **corpus})
    counted = {**corpus, "rows": sums["rows"], "plain": sums["plain"]}
    _ask({"action": "corpus-result", **counted})
    for name in FORMATS:
        _ask({"action": "corpus-export", "format": name, **counted})
