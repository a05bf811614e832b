"""The front door: it holds what the sign says, and no submodule ever takes the place of a verb."""

import inspect
import subprocess
import sys
import typing
from functools import cached_property
from importlib import import_module
from pathlib import Path

import pytest

import bleuprint as bp
from bleuprint import compat, errors, results
from bleuprint.adapters.evaluate_module import evaluate_path
from bleuprint.counting.layout import Layout, Threshold
from bleuprint.counting.sums import Sums
from bleuprint.findings.reconciliation import group_dialects
from bleuprint.metrics.bleu.recipe import BleuRecipe, Smoothing
from bleuprint.metrics.bleu.stats import Counting
from bleuprint.metrics.metric import Metric
from bleuprint.recipes.recipe import Recipe, dialects

ROOT = Path(__file__).parent.parent
SOURCE = Path(bp.__file__).parent
CANDIDATES, REFERENCES = ["the cat is on mat", "a b"], [["the cat is on the mat"], ["a b", "a"]]

VERBS = {
    "score": lambda: bp.score(CANDIDATES, REFERENCES),
    "score_recipes": lambda: bp.score_recipes(CANDIDATES, REFERENCES, ["nltk", "paper"]),
    "score_sentence": lambda: bp.score_sentence("a b", "a b"),
    "score_segments": lambda: bp.score_segments(CANDIDATES, REFERENCES)[1],
    "score_documents": lambda: bp.score_documents(CANDIDATES, REFERENCES, ["x", "y"])["y"],
    "statistics": lambda: bp.statistics(CANDIDATES, REFERENCES).total(),
    "explain": lambda: str(bp.explain("a b", "a b")),
    "pairwise": lambda: bp.pairwise(CANDIDATES, REFERENCES)[1],
    "self_bleu": lambda: bp.self_bleu(CANDIDATES),
    "choose_best": lambda: bp.choose_best(CANDIDATES).candidate,
    "compare": lambda: str(bp.compare({"x": CANDIDATES}, REFERENCES, resamples=100)),
    "engine": lambda: bp.engine().name,
    "reconcile": lambda: str(bp.reconcile(CANDIDATES, REFERENCES, "nltk", "sacrebleu")),
    "identify": lambda: str(bp.identify(CANDIDATES, REFERENCES, "33.8")),
    "testset": lambda: bp.testset(str(ROOT / "examples/testset.toml"), "de-en").references,
    "register_tokenizer": lambda: bp.register_tokenizer("front-door", str.split) or "front-door",
}


MOVED_INSIDE = {
    "DialectGroups": results.DialectGroups,
    "Note": results.Note,
    "PairScores": results.PairScores,
    "SegmentScores": results.SegmentScores,
    "StatsTable": results.StatsTable,
    "accelerate": compat.accelerate,
    "dialects": dialects,
    "evaluate_path": evaluate_path,
    "group_dialects": group_dialects,
    "restore": compat.restore,
}


def test_the_door_is_small():
    assert len(bp.__all__) < 30
    assert dir(bp) == sorted([*bp.__all__, "__version__"])


def test_all_names_exist_and_are_documented():
    for name in bp.__all__:
        assert getattr(bp, name).__doc__, name
    with pytest.raises(AttributeError, match="nonsense"):
        _ = bp.nonsense


@pytest.mark.parametrize("name", MOVED_INSIDE)
def test_what_moved_inside_is_found_by_its_old_name_but_not_shown(name):
    assert getattr(bp, name) is MOVED_INSIDE[name]
    assert name not in dir(bp)


def test_the_page_on_the_library_names_every_public_name():
    page = (ROOT / "docs/library.md").read_text(encoding="utf-8")
    raised = {name for name, kind in vars(errors).items() if inspect.isclass(kind) and issubclass(kind, Exception)}
    missing = {name for name in {*bp.__all__, *results.__all__, *raised, *MOVED_INSIDE} if f"`{name}" not in page}
    assert not missing


PARTS_OF_OTHER_THINGS = {Recipe, BleuRecipe, Metric, Smoothing, Counting, Layout, Threshold, Sums}
"""What a recipe and rows of counts are made of: results show them, but they are no results."""


def types_in(hint: object) -> set[type]:
    """Give the types of this package that an annotation names."""
    named = {kind for kind in (hint, typing.get_origin(hint)) if isinstance(kind, type)}
    named = {kind for kind in named if kind.__module__.startswith("bleuprint.")}
    return named.union(*(types_in(part) for part in typing.get_args(hint)))


def hints_of(value: object) -> dict[str, object]:
    # Arrays and views have no item type for Python 3.11, only for type checkers.
    views = {"array": typing.Sequence, "memoryview": typing.Sequence}
    return typing.get_type_hints(value, localns={**views, "Metric": Metric})


def parts_of(kind: type) -> set[type]:
    """Give the types of what a result holds, and of what its properties and methods return."""
    found = {part for hint in hints_of(kind).values() for part in types_in(hint)}
    for name, member in inspect.getmembers(kind):
        if name == "__getitem__" or not name.startswith("_"):
            function = {property: "fget", cached_property: "func"}.get(type(member))
            called = getattr(member, function) if function else member
            if inspect.isfunction(called) or inspect.ismethod(called):
                found |= types_in(hints_of(called).get("return"))
    return found


def test_whatever_the_verbs_return_can_be_imported_from_results():
    waiting = set().union(*(types_in(hints_of(getattr(bp, name)).get("return")) for name in VERBS))
    waiting |= {results.BleuScore, results.Arithmetic, results.SegmentEvidence}  # which the recipe chooses
    seen: set[type] = set()
    while waiting:
        kind = waiting.pop()
        if kind not in seen | PARTS_OF_OTHER_THINGS:
            seen.add(kind)
            waiting |= parts_of(kind)
    assert len(seen) > 30
    assert {kind.__name__ for kind in seen} - set(results.__all__) == set()
    assert all(getattr(results, name).__doc__ for name in results.__all__)


def test_every_verb_is_tried_here():
    verbs = {name for name in bp.__all__ if callable(getattr(bp, name)) and not isinstance(getattr(bp, name), type)}
    assert verbs == set(VERBS)


@pytest.mark.needs("datasets", "evaluate", "pyspark", "torch", "torchmetrics")
def test_every_submodule_imported_then_every_verb_called():
    for path in SOURCE.rglob("*.py"):
        if path.name not in ("__main__.py", "mbrs.py"):  # mbrs is brought by the test that decodes with it
            parts = path.relative_to(SOURCE.parent).with_suffix("").parts
            import_module(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    for name, call in VERBS.items():
        assert callable(getattr(bp, name))
        assert call() is not None


def test_no_module_has_the_name_of_a_public_name():
    modules = {path.stem for path in SOURCE.iterdir() if path.suffix == ".py" or path.is_dir()}
    assert not modules & set(bp.__all__)


def test_python_m_bleuprint():
    run = subprocess.run([sys.executable, "-m", "bleuprint", "--version"], capture_output=True, text=True, check=True)
    assert run.stdout.startswith(f"bleuprint {bp.__version__}, engine: ")
