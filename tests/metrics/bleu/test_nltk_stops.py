"""Where NLTK stops with an error there is no number: every view says so in words instead of printing 0.00."""

import pytest
from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

import bleuprint as bp
from bleuprint.findings.reconciliation import group_dialects
from bleuprint.render import render
from bleuprint.render.html import render_document
from bleuprint.web.bridge import handle
from bleuprint.wording import NLTK_STOPS
from nltk_stopping import CANDIDATE, RECIPE, REFERENCE

FINE = "a b c x d"


@pytest.fixture
def files(tmp_path):
    """Two segments, of which NLTK stops on the first."""
    paths = [tmp_path / "candidate.txt", tmp_path / "reference.txt"]
    for path, lines in zip(paths, ([CANDIDATE, FINE], [REFERENCE, FINE]), strict=True):
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return [str(path) for path in paths]


@pytest.fixture
def alone(tmp_path):
    """The segment on which NLTK stops, alone."""
    paths = [tmp_path / "one.txt", tmp_path / "its-reference.txt"]
    for path, line in zip(paths, (CANDIDATE, REFERENCE), strict=True):
        path.write_text(f"{line}\n", encoding="utf-8")
    return [str(path) for path in paths]


def test_nltk_does_stop_and_the_score_knows():
    with pytest.raises(AssertionError, match="precision"):
        sentence_bleu([REFERENCE.split()], CANDIDATE.split(), smoothing_function=SmoothingFunction().method6)
    score = bp.score_sentence(CANDIDATE, REFERENCE, RECIPE)
    assert (score.tool_stops, score.printed, score.score) == (True, NLTK_STOPS, 0.0)
    assert str(score).startswith("BLEU-4 = NLTK stops (")
    assert repr(score) == "<BLEU-4 NLTK stops>"


@pytest.mark.parametrize(
    ("candidate", "reference", "recipe"),
    [(FINE, FINE, RECIPE), ("q r s", FINE, RECIPE), ("", FINE, RECIPE), (CANDIDATE, REFERENCE, "paper")],
    ids=["a trigram matches", "nothing matches", "empty", "another recipe"],
)
def test_a_number_that_nltk_gives_is_printed(candidate, reference, recipe):
    score = bp.score_sentence(candidate, reference, recipe)
    assert not score.tool_stops
    assert NLTK_STOPS not in score.summary()
    assert score.printed == f"{score.score:.2f}"


def test_every_view_of_an_explanation():
    explanation = bp.explain(CANDIDATE, REFERENCE, RECIPE)
    views = [str(explanation), render_document(explanation), render(explanation, "markdown")]
    for view in views:
        assert "NLTK stops here with an error: no trigram matches" in " ".join(view.split())
        assert "0.00 of 100" not in view
        assert "BLEU-4 = 0.00" not in view
    assert render(explanation, "csv").splitlines()[1] == "BLEU-4,NLTK stops"


def test_the_tables_of_segments(files, output):
    scores = bp.score_segments([CANDIDATE, FINE], [REFERENCE, FINE], RECIPE)
    assert [scores.printed(place) for place in (0, 1)] == [NLTK_STOPS, "100.00"]
    assert "| 1 | NLTK stops |" in render(scores, "markdown")
    assert "1 & NLTK stops &" in render(scores, "latex")
    header, first, second = (line.split(",") for line in render(scores, "csv").splitlines())
    assert (header[-1], first[-1], second[-1]) == ("remark", NLTK_STOPS, "")
    header, first, second = (line.split("\t") for line in output("segments", *files, "--recipe", RECIPE).splitlines())
    assert (header[-1], first[-1], second[-1]) == ("remark", NLTK_STOPS, "")
    assert "remark" not in output("segments", *files, "--recipe", "nltk")


def test_the_tables_of_scores(alone, output):
    choices = ["--recipe", RECIPE, "--recipe", "nltk"]
    table = output("score", *alone, *choices)
    assert next(line.split()[1:3] for line in table.splitlines() if line.startswith(RECIPE)) == ["NLTK", "stops"]
    assert f"| {RECIPE} | NLTK stops |" in output("score", *alone, *choices, "--format", "markdown")
    assert output("score", *alone, "--recipe", RECIPE, "--brief").strip() == NLTK_STOPS
    tsv = output("score", *alone, *choices, "--format", "tsv")
    header, own, other = (line.split("\t") for line in tsv.splitlines())
    assert (header[-1], own[-1], other[-1]) == ("remark", NLTK_STOPS, "")


def test_the_way_from_and_to_a_recipe_that_stops():
    there = bp.reconcile(CANDIDATE, REFERENCE, "nltk-method1", RECIPE)
    assert "to NLTK stops: " in there.summary
    assert "NLTK stops with an error: no trigram matches" in there.steps[0].sentence
    back = bp.reconcile(CANDIDATE, REFERENCE, RECIPE, "paper")
    assert back.summary.startswith("From NLTK stops to 0.00: ")
    assert any("NLTK stops before" in step.sentence for step in back.steps)
    for view in (str(there), render_document(there), render(there, "markdown")):
        assert NLTK_STOPS in view


def test_a_dialect_that_stops_is_in_no_group_of_a_number():
    groups = group_dialects(CANDIDATE, REFERENCE)
    assert not [group for group in groups if RECIPE in group.names]
    assert groups.stopping == (RECIPE,)
    for view in (str(groups), render(groups, "markdown")):
        assert "whose tool stops here" in view


def test_the_page():
    segment = {"candidate": CANDIDATE, "references": [REFERENCE], "recipe": {"base": RECIPE}}
    shown = handle({"action": "explain", **segment})["html"]
    assert '<strong data-testid="bleu-100">NLTK stops</strong>' in shown
    assert 'data-testid="bleu-1"' not in shown
    dialects = handle({"action": "dialects", **segment})["html"]
    assert f'<th scope="row">{RECIPE}</th><td>NLTK stops</td><td>–</td>' in dialects
    counted = handle({"action": "corpus-count", "segments": [[CANDIDATE, [REFERENCE]]], "recipe": {"base": RECIPE}})
    request = {"rows": counted["rows"], "plain": counted["plain"], "recipe": {"base": RECIPE}}
    assert "<td>NLTK stops</td>" in handle({"action": "corpus-result", **request})["table"]


def test_a_comparison_says_so_instead_of_ranking_a_zero():
    found = bp.compare({"a": [CANDIDATE], "b": [REFERENCE]}, [REFERENCE], RECIPE, resamples=100)
    assert NLTK_STOPS in str(found)
    [note] = [note for note in found.results[0].notes if note.code == "tool-stops"]
    assert note.text.startswith("a: NLTK stops here with an error (no trigram matches")
