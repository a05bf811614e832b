"""The bridge between the page and the package: a dictionary in, a dictionary out, nothing else.

Both hosts call ``handle``: the local server for a request, the static page inside a worker. Every answer has ``ok``; if
it is false, ``error`` says what came, what is wanted, where, and what to do. Its HTML comes from ``render/html``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from bleuprint.errors import BleuprintError, InputTypeError, name_list, nearest, quote
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
from bleuprint.web.wording import in_words_of_the_page

BridgeAnswer = dict[str, Any]


def _teach(request: Mapping[str, Any]) -> BridgeAnswer:
    """Show a step of a lesson; its modules are loaded with the first one, so that the page starts without them."""
    from bleuprint.web.learn_mode import show_step

    return show_step(request)


def _check_examples(request: Mapping[str, Any]) -> BridgeAnswer:
    """Work the examples of the lessons out again, which are loaded with it, too."""
    from bleuprint.web.selftest import show_checks

    return show_checks(request)


def _load_exercises(verb: str) -> Callable[[Mapping[str, Any]], BridgeAnswer]:
    """Make an action of exercises, whose modules are loaded with the first one, too."""

    def answer(request: Mapping[str, Any]) -> BridgeAnswer:
        from bleuprint.web import exercise_mode

        made: BridgeAnswer = getattr(exercise_mode, verb)(request)
        return made

    return answer


ACTIONS: Mapping[str, Callable[[Mapping[str, Any]], BridgeAnswer]] = {
    "recipe": requests.show_recipe,
    "example": examples.show_example,
    "explain": segment_mode.explain_segment,
    "details": segment_mode.show_details,
    "ngrams": segment_mode.show_ngrams,
    "dialects": segment_mode.compare_dialects,
    "export": segment_mode.export_segment,
    "what-if": what_if.show_trials,
    "edit": what_if.edit_candidate,
    "selftest": _check_examples,
    "corpus-read": corpus_mode.read_texts,
    "corpus-count": corpus_mode.count_chunk,
    "corpus-result": corpus_mode.show_result,
    "corpus-export": corpus_mode.export_corpus,
    "compare-read": compare_mode.read_systems,
    "compare-count": compare_mode.count_chunk,
    "compare-draw": compare_mode.draw_slice,
    "compare-swap": compare_mode.swap_slice,
    "compare-result": compare_mode.show_result,
    "compare-export": compare_mode.export_result,
    "segment-read": segment_mode.read_one,
    "reconcile-count": reconcile_mode.count_chunk,
    "reconcile-result": reconcile_mode.show_result,
    "reconcile-export": reconcile_mode.export_result,
    "identify-read": identify_mode.read_systems,
    "identify-part": identify_mode.try_parts,
    "identify-result": identify_mode.show_result,
    "identify-export": identify_mode.export_result,
    "learn": _teach,
    "exercise": _load_exercises("show_exercise"),
    "exercise-check": _load_exercises("check_answers"),
    "exercise-solution": _load_exercises("show_solution"),
}


def handle(request: Mapping[str, Any]) -> BridgeAnswer:
    """Answer a request of the page; whatever is refused becomes an answer, too."""
    try:
        action = request.get("action") if isinstance(request, Mapping) else None
        if not isinstance(action, str) or action not in ACTIONS:
            raise InputTypeError(
                where="action",
                wanted=name_list(ACTIONS),
                got=quote(action),
                suggestion=nearest(action, ACTIONS),
                next_step="Reload the page.",
            )
        return {"ok": True, **ACTIONS[action](request)}
    except BleuprintError as error:
        return {"ok": False, "error": describe_error(in_words_of_the_page(error))}
    except RecursionError:
        return {"ok": False, "error": describe_error(refuse_depth())}


def refuse_depth() -> BleuprintError:
    """Refuse lists in lists in lists: nothing that may be asked is deeper than a few levels."""
    return InputTypeError(
        where="request", wanted="values nested a few levels deep", got="hundreds of levels",
        next_step="Send the texts as they are.",
    )  # fmt: skip


def _refuse_size() -> BleuprintError:
    return BleuprintError(
        where="texts", wanted="what can be computed in the memory that the browser gives to the page", got="more",
        next_step="Use shorter or fewer texts, or the command line.",
    )  # fmt: skip


def describe_error(error: BleuprintError) -> dict[str, Any]:
    """Give an error as data."""
    return {
        "message": str(error),
        "where": error.where,
        "wanted": error.wanted,
        "got": error.got,
        "next_step": error.fix,
        "suggestion": error.suggestion,
        "index": error.index,
        "reference_index": error.reference_index,
    }


def handle_json(request: str) -> str:
    """Answer a request given as JSON, with JSON: what crosses from a worker."""
    try:
        try:
            data = json.loads(request)
        except (ValueError, RecursionError):
            data = None
        answer = handle(data)
    except MemoryError:
        answer = {"ok": False, "error": describe_error(_refuse_size())}
    return json.dumps(answer, ensure_ascii=False)
