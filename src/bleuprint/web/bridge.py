"""The bridge between the page and the package: a dictionary in, a dictionary out, nothing else.

The local server and the worker of the static page both call ``handle``. A handler reads its request, calls the library
and renders the result. Every answer has ``ok``. If it is false, ``error`` is the error as data.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from bleuprint.errors import BleuprintError, InputTypeError, Location, ShapeError
from bleuprint.web import (
    compare_mode,
    corpus_mode,
    examples,
    identify_mode,
    reconcile_mode,
    requests,
    segment_mode,
    what_if,
)
from bleuprint.web.requests import Answer, Request
from bleuprint.web.wording import translate_for_page


def _later(module: str, function: str) -> Callable[[Request], Answer]:
    """Return a handler whose module is imported when it is first called, so that the page starts without lessons."""

    def answer(request: Request) -> Answer:
        made: Answer = getattr(import_module(f"bleuprint.web.{module}"), function)(request)
        return made

    return answer


def _file(name: str, export: Callable[[Request, str], str], *forms: str) -> Callable[[Request], Answer]:
    """Return a handler that answers with a file to download, in the format that the request chooses."""

    def answer(request: Request) -> Answer:
        form = requests.read_name(request, "format", forms)
        ending = "md" if form == "markdown" else form
        return {"name": f"{name}.{ending}", "type": MEDIA_TYPES[form], "text": export(request, form)}

    return answer


MEDIA_TYPES = {"json": "application/json", "csv": "text/csv", "markdown": "text/markdown", "html": "text/html"}
ACTIONS: Mapping[str, Callable[[Request], Answer]] = {
    "recipe": requests.show_recipe,
    "example": examples.show_example,
    "selftest": examples.show_checks,
    "explain": segment_mode.explain_segment,
    "details": segment_mode.show_details,
    "ngrams": segment_mode.show_ngrams,
    "dialects": segment_mode.compare_dialects,
    "export": _file("bleuprint", segment_mode.export_segment, "json", "csv", "markdown"),
    "what-if": what_if.show_trials,
    "edit": what_if.edit_candidate,
    "corpus-read": corpus_mode.read_texts,
    "corpus-count": corpus_mode.count_chunk,
    "corpus-result": corpus_mode.show_result,
    "corpus-export": _file("bleuprint-corpus", corpus_mode.export_corpus, "json", "csv", "markdown"),
    "compare-read": compare_mode.read_systems,
    "compare-count": compare_mode.count_chunk,
    "compare-draw": compare_mode.draw_slice,
    "compare-swap": compare_mode.swap_slice,
    "compare-result": compare_mode.show_result,
    "compare-export": _file("bleuprint-compare", compare_mode.export_result, "json", "csv", "markdown", "html"),
    "segment-read": segment_mode.read_one,
    "reconcile-count": reconcile_mode.count_chunk,
    "reconcile-result": reconcile_mode.show_result,
    "reconcile-export": _file("bleuprint-reconcile", reconcile_mode.export_result, "json", "markdown", "html"),
    "identify-read": identify_mode.read_systems,
    "identify-part": identify_mode.try_parts,
    "identify-result": identify_mode.show_result,
    "identify-export": _file("bleuprint-identify", identify_mode.export_result, "json", "markdown", "html"),
    "learn": _later("learn_mode", "show_step"),
    "exercise": _later("exercise_mode", "show_exercise"),
    "exercise-check": _later("exercise_mode", "check_answers"),
    "exercise-solution": _later("exercise_mode", "show_solution"),
}


def handle(request: object) -> Answer:
    """Answer a request of the page. Errors become answers."""
    try:
        known: Request = request if isinstance(request, Mapping) else {}
        return {"ok": True, **ACTIONS[requests.read_name(known, "action", ACTIONS)](known)}
    except (BleuprintError, RecursionError, MemoryError) as error:
        return {"ok": False, "error": describe_error(translate_for_page(as_error(error)))}


def as_error(error: Exception) -> BleuprintError:
    """Return the error to describe: a RecursionError means deep nesting, and a MemoryError means large texts."""
    if isinstance(error, RecursionError):
        return InputTypeError(
            "The request is nested too deeply.", "Send the texts as they are.", location=Location("request")
        )
    if isinstance(error, MemoryError):
        return ShapeError(
            "Computing this needs more memory than one request may have.",
            "Use shorter or fewer texts, or the command line.",
            location=Location("texts"),
        )
    assert isinstance(error, BleuprintError)
    return error


def describe_error(error: BleuprintError) -> dict[str, Any]:
    """Return an error as data."""
    return {
        "message": str(error),
        "where": error.where,
        "fix": error.fix,
        "suggestion": error.suggestion,
        "index": error.index,
        "reference_index": error.reference_index,
    }


def handle_json(request: str) -> str:
    """Answer a request in JSON, which the worker of the static page receives."""
    try:
        data = json.loads(request)
    except (ValueError, RecursionError):
        data = None
    return json.dumps(handle(data), ensure_ascii=False)
