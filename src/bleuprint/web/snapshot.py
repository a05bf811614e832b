"""What Python has done already when a browser starts it: the bridge loaded, its actions used once.

Lessons are left out: they come when they are opened, and Python starts with little memory.

``snapshot.mjs`` runs this file inside Pyodide and stores the memory. The result depends on the package and on Pyodide
alone: hashes, times and the seed of ``random`` (which nothing here uses, but which libraries load) are fixed.
"""

from __future__ import annotations

import gc
import json
import random
from collections.abc import Iterator
from typing import Any

from bleuprint.lessons.worked_examples import EXAMPLES
from bleuprint.recipes.registry import list_metrics
from bleuprint.web.bridge import handle_json

FORMATS = ("json", "csv", "markdown")
WARM_TOKENIZERS = ("whitespace", "13a", "intl", "zh", "char")
"""Those that translations are scored with; others are loaded when somebody chooses them."""
RESULT_FORMATS = ("json", "markdown", "html")
Request = dict[str, Any]


def warm_up() -> None:
    """Do once what the page may ask for, so that the first person to ask does not wait for modules and templates."""
    for request in _segment_requests():
        _ask(request)
    _use_corpus_mode()
    _use_compare()
    _use_reconcile()
    _use_identify()
    _ask({"action": "example", "mode": "corpus"})
    random.seed(0)
    gc.collect()


def _ask(request: Request) -> Request:
    answer: Request = json.loads(handle_json(json.dumps(request)))
    if not answer["ok"]:
        raise RuntimeError(f"{request['action']}: {answer['error']['message']}")
    gc.collect()  # Python starts with 30 MiB in the browser, and what was made here must fit
    return answer


def _segment_requests() -> Iterator[Request]:
    first = EXAMPLES[0]
    form = {"candidate": first.candidates[0], "references": list(first.references[0])}
    for action in ("recipe", "explain", "details", "what-if", "dialects"):
        yield {"action": action, **form}
    yield {"action": "edit", "place": 0, **form}
    yield {"action": "selftest"}
    yield {"action": "ngrams", "order_shown": 1, "page": 0, **form}
    for name in FORMATS:
        yield {"action": "export", "format": name, **form}
    for metric in list_metrics():
        for action in ("explain", "details"):
            yield {"action": action, **form, "recipe": {"base": metric.default}}
    for name in WARM_TOKENIZERS:
        yield {"action": "explain", **form, "recipe": {"tokenizer": name, "smoothing": "epsilon(0.1)"}}


def _use_corpus_mode() -> None:
    table = "candidate\treference\tdocument\nthe cat\tthe cat\ta\nis on mat\tis on the mat\tb\n"
    texts = _ask({"action": "corpus-read", "files": [{"name": "corpus.tsv", "text": table}]})
    corpus = {"segments": texts["segments"], "documents": texts["documents"]}
    sums = _ask({"action": "corpus-count", **corpus})
    counted = {**corpus, "rows": sums["rows"], "plain": sums["plain"]}
    _ask({"action": "corpus-result", **counted})
    for name in FORMATS:
        _ask({"action": "corpus-export", "format": name, **counted})


def _use_compare() -> None:
    systems = [{"name": name, "text": "the cat is on mat\na dog"} for name in "bc"]
    segments = [["the cat is on the mat", ["The cat is on the mat"]], ["a dog", ["a dog"]]]
    asked: Request = {"recipe": {"base": "sacrebleu"}, "segments": segments, "name": "a", "systems": systems}
    asked["resamples"] = "100"
    read = _ask({"action": "compare-read", **asked})
    asked |= {name: read[name] for name in ("names", "candidates", "references", "baseline")}
    [tables] = asked["tables"] = _ask({"action": "compare-count", **asked})["tables"]
    whole = {"start": 0, "count": read["resamples"]}
    asked["scores"] = [_ask({"action": "compare-draw", **asked, **whole, "tables": tables})["scores"]]
    asked["extremes"] = [[]]
    for pair in read["pairs"]:
        both = [tables[place] for place in pair]
        asked["extremes"][0].append(_ask({"action": "compare-swap", **asked, **whole, "tables": both})["extreme"])
    _ask({"action": "compare-result", **asked})
    for name in FORMATS:  # the report, which is large, may wait for the modules that come later
        _ask({"action": "compare-export", "format": name, **asked})


def _use_reconcile() -> None:
    one = _ask({"action": "segment-read", "candidate": "the cat is on mat", "references": ["The cat is on the mat"]})
    for wanted in ({"from": "nltk", "to": "mteval-v14"}, {"all": True, "most_references": 1}):
        asked = {**wanted, "segments": one["segments"]}
        asked["tables"] = _ask({"action": "reconcile-count", **asked})["tables"]
        _ask({"action": "reconcile-result", **asked})
        for name in RESULT_FORMATS:
            _ask({"action": "reconcile-export", "format": name, **asked})


def _use_identify() -> None:
    segments = [["the cat is on mat", ["The cat is on the mat"]]] * 3
    read = _ask({"action": "identify-read", "segments": segments, "reported": "57.89"})
    asked = {"segments": segments, "others": read["others"], "reported": read["reported"]}
    scores = _ask({"action": "identify-part", "part": 0, "count": read["next"]["until"], **asked})["scores"]
    _ask({"action": "identify-result", "scores": scores, **asked})
    for name in RESULT_FORMATS:
        _ask({"action": "identify-export", "format": name, "scores": scores, **asked})
