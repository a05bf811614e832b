"""What type checkers make of the package: every public name has a type, and a misspelt one is an error."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

import bleuprint as bp
from bleuprint.recipes.names import BleuName, ChrfName, TerName

ROOT = Path(__file__).parent.parent
BIN = Path(sys.executable).parent
pytestmark = pytest.mark.extended
CHECKERS = ("mypy", "pyright")
ENVIRONMENT = {
    **os.environ,
    "PATH": os.pathsep.join([str(BIN), os.environ["PATH"]]),  # pyright asks the first python for its packages
    "PYTHONPATH": str(ROOT / "src"),  # and does not run the hook by which an editable installation is found
    "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1",
}

RIGHT = """
from typing import assert_type

import bleuprint as bp
from bleuprint import compat, errors, results

scores = bp.pairwise(["a"], ["b"])
assert_type(scores[0][0], float)
assert_type(scores[:1], list["memoryview[float]"])
assert_type(bp.explain(bp.score(["a"], ["b"])), bp.Explanation)
assert_type(bp.explain("a", ["b"], recipe="paper"), bp.Explanation)
assert_type(bp.explain(["a", "b"], ["c", ["d", None]]), results.Explanation)
assert_type(bp.score_segments(["a"], ["b"])[0], bp.BleuScore)
assert_type(bp.score(["a"], ["b"]), bp.BleuScore)
assert_type(bp.Recipe.named("chrf").sacrebleu_signature(nrefs=2), str)
assert_type(bp.score(["a"], ["b"], "paper"), bp.BleuScore)
assert_type(bp.score(["a"], ["b"], recipe="chrf++"), results.ChrfScore)
assert_type(bp.score_sentence("a", "b", results.ChrfRecipe(word_order=1)), results.ChrfScore)
assert_type(bp.score(["a"], ["b"], recipe="ter").edits, int)
assert_type(bp.score_sentence("a", "b", results.TerRecipe(longest_shift=9)), results.TerScore)
assert_type(bp.score_segments(["a"], ["b"], "torchmetrics-ter")[0], results.TerScore)
assert_type(bp.score_documents(["a"], ["b"], ["c"], "ter"), dict[str, results.TerScore])
assert_type(bp.Accumulator("ter").score(), results.TerScore)
assert_type(bp.References(["a"], "ter").score_segments(["b"])[0], results.TerScore)
assert_type(bp.score_segments(["a"], ["b"], "chrf")[0], results.ChrfScore)
assert_type(bp.score_documents(["a"], ["b"], ["c"]), dict[str, bp.BleuScore])
assert_type(bp.score_documents(["a"], ["b"], ["c"], "chrf"), dict[str, results.ChrfScore])
assert_type(bp.Accumulator().score(), bp.BleuScore)
assert_type(bp.Accumulator("chrf").score(), results.ChrfScore)
assert_type(bp.References(["a"]).score(["b"]), bp.BleuScore)
assert_type(bp.References(["a"], "chrf").score_segments(["b"])[0], results.ChrfScore)
assert_type(bp.score(["a"], ["b"], bp.Recipe.of("chrf")), results.ChrfScore)
assert_type(bp.score(["a"], ["b"], bp.Recipe.named("paper").replace(order=2)).precisions, tuple[float, ...])
assert_type(bp.score(["a"], ["b"], bp.Recipe.of(bp.Recipe.named("ter"))).edits, int)
assert_type(bp.score(["a"], ["b"], bp.Recipe.of("bleuprint:1|tok:13a")).label, str)
assert_type(bp.Recipe(tokenizer="13a", order=2).replace(case="lower"), bp.Recipe)
assert_type(max(bp.score_segments(["a"], ["b"])), bp.BleuScore)
assert_type(bp.score("a b".split(), ["a", "b"]).notes, tuple[results.Note, ...])
assert_type(bp.References(["a"]).recipe, bp.Recipe)
with compat.accelerate("sacrebleu"):
    pass


def find(groups: results.DialectGroups) -> results.DialectGroup:
    return groups[0]


def refused(error: errors.ShapeError) -> str:
    return error.fix
"""
WRONG = {
    "a misspelt verb": "bp.scoer(['a'], ['b'])",
    "a misspelt result": "bp.Explanaton",
    "a misspelt tool": "compat.acelerate()",
    "a score with references": "bp.explain(bp.score(['a'], ['b']), ['b'])",
    "a candidate alone": "bp.explain('a')",
    "a misspelt axis": "bp.Recipe.named('paper').replace(tokeniser='13a')",
    "a choice of another kind": "bp.Recipe(order='two')",
    "a row of a matrix as a text": "bp.pairwise(['a'], ['b'])[0].upper()",
}


def complaints(checker: str, program: Path) -> set[int]:
    """Let a type checker look at a program; give the lines that it complains about."""
    command = [str(BIN / checker), "--config-file=pyproject.toml", "--output=json"]
    if checker == "pyright":
        command = [str(BIN / checker), "--outputjson"]
    run = subprocess.run(
        [*command, str(program)], cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert run.returncode in (0, 1), run.stdout + run.stderr
    if checker == "mypy":
        return {found["line"] for line in run.stdout.splitlines() if (found := json.loads(line))["severity"] == "error"}
    found = json.loads(run.stdout)["generalDiagnostics"]
    return {one["range"]["start"]["line"] + 1 for one in found if one["severity"] == "error"}


@pytest.mark.parametrize("checker", CHECKERS)
def test_right_programs_pass_and_each_wrong_line_is_an_error(checker, tmp_path):
    program = tmp_path / "program.py"
    program.write_text("\n".join([RIGHT, *WRONG.values(), ""]), encoding="utf-8")
    first = RIGHT.count("\n") + 2
    assert complaints(checker, program) == set(range(first, first + len(WRONG)))


def test_every_public_name_has_a_type():
    command = [BIN / "pyright", "--verifytypes", "bleuprint", "--ignoreexternal", "--outputjson"]
    run = subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    complete = json.loads(run.stdout)["typeCompleteness"]
    wanting = [one["name"] for one in complete["symbols"] if one["isExported"] and not one["isTypeKnown"]]
    assert (wanting, complete["completenessScore"]) == ([], 1)


@pytest.mark.parametrize(("metric", "known"), [("bleu", BleuName), ("chrf", ChrfName), ("ter", TerName)])
def test_type_checkers_know_the_names_of_all_dialects(metric, known):
    assert list(get_args(known)) == list(bp.Recipe.dialects(metric))
