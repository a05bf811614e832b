"""Gates: exit code 1 and one line that says why, in every format, and the workflow that the documentation shows."""

import json
import math
import os
import random
import subprocess
from pathlib import Path

import pytest
import yaml
from junitparser import JUnitXml

import bleuprint as bp
from bleuprint.findings.gates import judge_baseline, judge_score
from command_line import DOCUMENTS, PROGRAM, R1, A, B, read_texts, start_unread
from nltk_stopping import CANDIDATE, RECIPE, REFERENCE

ROOT = Path(__file__).parents[2]
COMPARE = ("compare", "-r", R1, "-s", f"a={A}", "-s", f"b={B}", "--resamples", 200, "--fail-if-worse")


def test_a_score_under_its_limit_fails_after_it_was_printed(run):
    outcome = run("score", B, R1, "--fail-under", 30)
    assert outcome.code == 1
    assert outcome.out.startswith(bp.score(*read_texts(B, R1)).summary())
    assert outcome.out.endswith("\n  gate failed: BLEU-4 22.85 is under 30\n")
    assert outcome.err == "bleuprint: failed: sacrebleu: BLEU-4 22.85 is under 30.\n"


def test_a_score_that_keeps_its_limit_passes_quietly(output):
    assert output("score", B, R1, "--fail-under", "22.5").endswith("gate passed: BLEU-4 22.85 is not under 22.5\n")
    assert output("score", B, R1, "-b", "--fail-under", 20) == "22.85\n"


def test_the_limit_itself_passes_and_the_last_digit_decides(run):
    exact = bp.score(*read_texts(B, R1)).score
    assert run("score", B, R1, "--fail-under", repr(exact)).code == 0
    assert run("score", B, R1, "--fail-under", repr(math.nextafter(exact, 100))).code == 1
    passed = run("score", B, R1, "--fail-under", 22.851)
    assert (passed.code, round(exact, 2)) == (0, 22.85)
    assert f"BLEU-4 {exact!r} is not under 22.851" in passed.out, "two digits would say the contrary"


def test_a_gate_fails_also_where_nobody_reads_the_score():
    result = start_unread("score", B, R1, "--fail-under", 30)
    assert (result.returncode, result.stderr) == (1, b"bleuprint: failed: sacrebleu: BLEU-4 22.85 is under 30.\n")


def test_ter_fails_over_its_limit(run):
    outcome = run("score", B, R1, "-m", "ter", "--fail-over", 50)
    assert (outcome.code, outcome.err) == (1, "bleuprint: failed: ter: TER 57.00 is over 50.\n")
    assert run("score", A, R1, "-m", "ter", "--fail-over", 50).code == 0


SEVERAL = ("score", B, R1, "-m", "bleu", "--recipe", "chrf", "--recipe", "chrf++", "-m", "ter")


def test_of_several_recipes_each_limit_names_its_own_or_a_metric(run):
    outcome = run(*SEVERAL, "--fail-under", "bleu=30", "--fail-under", "chrf=1", "--fail-over", "ter=60")
    assert (outcome.code, outcome.err) == (1, "bleuprint: failed: sacrebleu: BLEU-4 22.85 is under 30.\n")
    data = json.loads(run(*SEVERAL, "--fail-under", "chrf=40", "--format", "json").out)
    found = {entry["recipe"]: [gate["passed"] for gate in entry.get("gates", [])] for entry in data["scores"]}
    assert found == {"sacrebleu": [], "ter": [], "chrf": [True], "chrf++": []}
    alone = ("score", B, R1, "--recipe", "chrf++", "--recipe", "torchmetrics-chrf", "--fail-under", "chrf=99")
    assert run(*alone).err.count(" is under 99") == 2, "a metric's name is for all of its recipes"


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((*SEVERAL, "--fail-under", "30"), "--fail-under"),
        ((*SEVERAL, "--fail-under", "chrff=3"), "Did you mean 'chrf'?"),
        ((*SEVERAL, "--fail-under", "bleu=3", "--fail-under", "sacrebleu=4"), "sacrebleu"),
        (("score", B, R1, "--fail-under", "1", "--fail-under", "2"), "--fail-under"),
        (("score", B, R1, "--fail-under", "90", "--fail-under", "bleu=1"), "--fail-under"),
        (("score", B, R1, "--fail-under", "thirty"), "'thirty'"),
        (("score", B, R1, "--fail-under", "nan"), "'nan'"),
        (("score", B, R1, "--fail-under", "inf"), "'inf'"),
        (("score", B, R1, "--fail-under", "-1"), "'-1'"),
        (("score", B, R1, "--fail-under", ""), "--fail-under"),
        (("score", B, R1, "--fail-under", "bleu="), "'bleu='"),
        (("score", B, R1, "--format", "junit"), "--format junit"),
        (("score", B, R1, "--by-document", "--documents", DOCUMENTS, "--format", "junit"), "--by-document"),
        ((*COMPARE, "--baseline", "a", "--by", "length", "--format", "junit"), "--by"),
        ((*COMPARE, "--baseline", "a", "--examples", 1, "--format", "junit"), "--examples"),
        ((*COMPARE[:-1], "--format", "junit"), "--format junit"),
        ((*COMPARE, "--baseline", "a", "--margin", "x"), "--margin"),
        ((*COMPARE, "--baseline", "a", "--margin", "0", "--margin", "bleu=90"), "--margin"),
    ],
)  # fmt: skip
def test_a_gate_that_means_nothing_is_an_error(arguments, named, run):
    outcome = run(*arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert named in outcome.err


def test_no_number_passes_no_gate():
    score = bp.score_sentence(CANDIDATE, REFERENCE, RECIPE)
    assert score.tool_stops
    gate = judge_score(RECIPE, score, 0.0)
    assert (gate.passed, gate.rule) == (False, "BLEU-4 not under 0")
    assert "NLTK stops" in gate.reason


# Against a baseline.


def test_significantly_worse_than_the_baseline_fails(run):
    outcome = run(*COMPARE, "--baseline", "a")
    assert outcome.code == 1
    reason = "b is behind a by 21.86 BLEU, which is significant (p = 0.0050)"
    assert outcome.err == f"bleuprint: failed: sacrebleu: {reason}.\n"
    assert outcome.out.endswith(f"gate failed: {reason}\n")
    better = run(*COMPARE, "--baseline", "b")
    assert (better.code, better.err) == (0, "")


def test_a_margin_lets_it_be_worse_and_is_for_all_recipes_or_some(run):
    call = (*COMPARE, "--baseline", "a", "-m", "bleu", "-m", "ter")
    assert run(*call, "--margin", 22).code == 0
    outcome = run(*call, "--margin", "ter=13", "--margin", 22)
    reason = "b is behind a by 13.83 TER, which is significant (p = 0.0050), and beyond the margin of 13 TER"
    assert (outcome.code, outcome.err) == (1, f"bleuprint: failed: ter: {reason}.\n")


def test_a_difference_that_may_be_luck_passes():
    chance = random.Random(5)
    references = ["one two three four five six seven eight"] * 40
    systems = {
        name: [" ".join(word for word in text.split() if chance.random() > 0.1) for text in references]
        for name in ("before", "now", "later")
    }
    result = bp.compare(systems, references, baseline="before", resamples=300).result()
    behind = [pair for pair in result.pairs if pair.difference < 0]
    assert behind
    assert not any(pair.significant for pair in result.pairs)
    gates = judge_baseline(result, 0.0)
    assert [gate.passed for gate in gates] == [True, True]
    assert all("not significant (p = " in gate.reason and "after Holm's correction" in gate.reason for gate in gates)


def test_a_gate_that_could_never_fail_is_an_error(run, tmp_path):
    for name, text in (("r", "a b c d e"), ("s", "a b c d e"), ("t", "a b c x y")):
        (tmp_path / name).write_text(f"{text}\n" * 3, encoding="utf-8")
    systems = ("-r", tmp_path / "r", "-s", f"s={tmp_path / 's'}", "-s", f"t={tmp_path / 't'}")
    outcome = run("compare", *systems, "--baseline", "s", "--fail-if-worse", "--output", tmp_path / "out")
    assert (outcome.code, (tmp_path / "out").exists()) == (2, False)
    assert "6 segments" in outcome.err


# Reports.


def test_junit_is_read_by_who_reads_junit(run, tmp_path):
    target = tmp_path / "report.xml"
    call = (*SEVERAL, "--fail-under", "bleu=30", "--fail-over", "ter=60", "--format", "junit", "--output", target)
    assert run(*call).code == 1
    [suite] = JUnitXml.fromfile(str(target))
    assert (suite.name, suite.tests, suite.failures, suite.errors, suite.skipped) == ("bleuprint score", 2, 1, 0, 0)
    failed, passed = suite
    assert (failed.name, failed.classname) == ("sacrebleu: BLEU-4 not under 30", "bleuprint score")
    assert failed.result[0].message == "BLEU-4 22.85 is under 30"
    assert (passed.name, passed.is_passed, passed.system_out) == (
        "ter: TER not over 60", True, "TER 57.00 is not over 60",
    )  # fmt: skip
    signature = bp.score(*read_texts(B, R1)).signature
    assert {one.name: one.value for one in suite.properties()}["sacrebleu"] == signature


def test_names_that_xml_cannot_hold_stay_readable(run):
    odd = "b<&\x01"
    outcome = run(*COMPARE[:5], "-s", f"{odd}={B}", *COMPARE[7:], "--baseline", "a", "--format", "junit")
    [suite] = JUnitXml.fromstring(outcome.out.encode())
    assert [case.name for case in suite] == ["sacrebleu: b<&\ufffd not significantly worse than a"]
    properties = {one.name: one.value for one in suite.properties()}
    assert (properties["seed"], properties["resamples"], properties["test"]) == ("12345", "200", "randomisation")
    assert "sacrebleu: b<&␁ is behind a" in outcome.err, "no name steers the terminal"


def test_markdown_begins_with_the_gates(run):
    scored = run(*SEVERAL, "--fail-under", "bleu=30", "--fail-over", "ter=60", "--format", "markdown").out
    assert scored.split("\n")[:5] == [
        "**Gates: 1 of 2 failed.**", "",
        "- **failed**: BLEU-4 not under 30 (sacrebleu: BLEU-4 22.85 is under 30)",
        "- **passed**: TER not over 60 (ter: TER 57.00 is not over 60)", "",
    ]  # fmt: skip
    compared = run(*COMPARE, "--baseline", "b", "--format", "markdown").out
    assert compared.startswith(
        "**Gates: all passed.**\n\n- **passed**: a not significantly worse than b (sacrebleu: a is"
    )
    data = json.loads(run(*COMPARE, "--baseline", "b", "--format", "json").out)
    assert [(gate["recipe"], gate["passed"]) for gate in data["gates"]] == [("sacrebleu", True)]


def test_the_workflow_of_the_documentation_runs(tmp_path):
    """Its commands as GitHub runs them, in bash that stops at the first error, but for what brings packages."""
    workflow = yaml.safe_load((ROOT / "examples/ci/translation-quality.yml").read_text(encoding="utf-8"))
    [job] = workflow["jobs"].values()
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    environment = {**os.environ, "PATH": f"{PROGRAM.parent}{os.pathsep}{os.environ['PATH']}"}
    environment["GITHUB_STEP_SUMMARY"] = str(tmp_path / "summary.md")
    commands = [step["run"] for step in job["steps"] if "run" in step and not step["run"].startswith("pip install")]
    assert len(commands) == 2
    for command in commands:
        subprocess.run(["bash", "-e", "-c", command], cwd=tmp_path, env=environment, check=True)
    [suite] = JUnitXml.fromfile(str(tmp_path / "quality.xml"))
    assert (suite.tests, suite.failures) == (3, 0)
    assert (tmp_path / "summary.md").read_text(encoding="utf-8").startswith("**Gates: all passed.**")
    kept = job["steps"][-1]["with"]["path"].split()
    assert [(tmp_path / name).stat().st_size > 0 for name in kept] == [True, True]
