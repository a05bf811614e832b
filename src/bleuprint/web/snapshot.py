"""What Python has done already when a browser starts it: the bridge loaded, its actions used once.

Lessons are left out: they come when they are opened, and Python starts with little memory.

``snapshot.mjs`` runs this file inside Pyodide and stores the memory. The result depends on the package and on Pyodide
alone: hashes, times and the seed of ``random`` (which nothing here uses, but which libraries load) are fixed.
"""

from __future__ import annotations

import gc
import json
import random
from typing import Any

from bleuprint.lessons.worked_examples import EXAMPLES
from bleuprint.recipes.registry import list_metrics
from bleuprint.web.bridge import handle_json

WARM_TOKENIZERS = ("whitespace", "13a", "intl", "zh", "char")
"""Those that translations are scored with; others are loaded when somebody chooses them."""
SEGMENTS: list[list[Any]] = [["the cat is on mat", ["The cat is on the mat"]], ["a dog", ["a dog"]]]
Request = dict[str, Any]


def warm_up() -> None:
    """Do once what the page may ask for, so that the first person to ask does not wait for modules and templates."""
    _use_segment_mode()
    _use_corpus_mode()
    _use_compare()
    _use_reconcile()
    _use_identify()
    random.seed(0)
    gc.collect()


def _ask(action: str, request: Request, **more: object) -> Request:
    answer: Request = json.loads(handle_json(json.dumps({"action": action, **request, **more})))
    if not answer["ok"]:
        raise RuntimeError(f"{action}: {answer['error']['message']}")
    gc.collect()  # Python starts with 30 MiB in the browser, and what was made here must fit
    return answer


def _export(action: str, request: Request, *formats: str) -> None:
    for name in formats:
        _ask(action, request, format=name)


def _use_segment_mode() -> None:
    first = EXAMPLES[0]
    form: Request = {"candidate": first.candidates[0], "references": list(first.references[0])}
    for action in ("recipe", "explain", "details", "what-if", "dialects", "selftest"):
        _ask(action, form)
    _ask("edit", form, place=0)
    _ask("ngrams", form, order_shown=1, page=0)
    _export("export", form, "json", "csv", "markdown")
    for metric in list_metrics():
        for action in ("explain", "details"):
            _ask(action, form, recipe={"base": metric.default})
    for name in WARM_TOKENIZERS:
        _ask("explain", form, recipe={"tokenizer": name, "smoothing": "epsilon(0.1)"})


def _use_corpus_mode() -> None:
    _ask("example", {"mode": "corpus"})
    table = "candidate\treference\tdocument\nthe cat\tthe cat\ta\nis on mat\tis on the mat\tb\n"
    texts = _ask("corpus-read", {"files": [{"name": "corpus.tsv", "text": table}]})
    counted = texts | _ask("corpus-count", texts)
    _ask("corpus-result", counted)
    _export("corpus-export", counted, "json", "csv", "markdown")


def _use_compare() -> None:
    form: Request = {"recipe": {"base": "sacrebleu"}, "resamples": "100"}
    systems = [{"name": "b", "text": "the cat is on mat\na dog"}]
    held = form | _ask("compare-read", form, segments=SEGMENTS, name="a", systems=systems)
    held |= _ask("compare-count", held)
    [tables] = held["tables"]
    whole = {"start": 0, "count": 100, "tables": tables}
    held["scores"] = [_ask("compare-draw", held, **whole)["scores"]]
    held["extremes"] = [[_ask("compare-swap", held, **whole)["extreme"]]]
    _ask("compare-result", held)
    _export("compare-export", held, "json", "csv", "markdown")  # the report, which is large, may wait


def _use_reconcile() -> None:
    for form in ({"from": "nltk", "to": "mteval-v14"}, {"all": True, "most_references": 1}):
        held: Request = {**form, "segments": SEGMENTS}
        held |= _ask("reconcile-count", held)
        _ask("reconcile-result", held)
        _export("reconcile-export", held, "json", "markdown", "html")


def _use_identify() -> None:
    held: Request = {"segments": SEGMENTS, "reported": "57.89"}
    held |= _ask("identify-read", held)
    held |= _ask("identify-part", held, part=0, count=held["next"]["until"])
    _ask("identify-result", held)
    _export("identify-export", held, "json", "markdown", "html")
