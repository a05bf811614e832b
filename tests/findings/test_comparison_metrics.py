"""Comparison under several metrics: side by side, lower is better where it is, in numbers, words and every view."""

import csv
import io
import json
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
import engine_process
from bleuprint.errors import ShapeError
from bleuprint.findings.comparison import compare_statistics
from bleuprint.metrics import module_of
from bleuprint.metrics.marks import MATCHED, MOVED, UNMATCHED
from bleuprint.metrics.ter.alignment import EditStep
from bleuprint.render import render
from bleuprint.render.comparison import Shown, arrange_overview
from bleuprint.render.html.report_data import gather_data
from bleuprint.text.segments import Segment
from compared_texts import DOCUMENTS, REFERENCES, A, B, spoil
from refusals import refuse
from report_reading import text_of, unpack
from score_values import values_of

METRICS = ["sacrebleu", "chrf", "ter"]
SYSTEMS = {"B": B, "A": A, "A again": A, "spoiled": spoil(A, 0.1, 1)}
WORDS = st.lists(st.sampled_from(["a", "b", "c", "ab", "ba."]), max_size=7).map(" ".join)


@pytest.fixture(scope="module")
def made():
    return bp.compare(SYSTEMS, REFERENCES, METRICS, resamples=400, labels={"document": DOCUMENTS})


def test_every_metric_has_the_scores_of_score_and_ranks_its_own_way(made):
    for name in METRICS:
        result = made.result(name)
        for system, texts in SYSTEMS.items():
            assert values_of(result.system(system).score) == values_of(bp.score(texts, REFERENCES, name))
        scores = [system.score.score for system in result.ranked]
        assert scores == sorted(scores, reverse=name != "ter")
        assert result.ranked[0].name == "A"
        assert result.clusters[0] == ("A", "A again")
        assert result.system("A").ranks == (1, 2)
        assert result.system("A").interval.low < result.system("A").score.score < result.system("A").interval.high


def test_a_lower_ter_is_ahead(made):
    pair = made.pair("A", "B", "ter")
    assert pair.difference < pair.interval.high < 0
    assert pair.significant
    two = bp.compare({"A": A, "B": B}, REFERENCES, ["ter", "chrf"], resamples=400)
    size = abs(two.pair("A", "B", "ter").difference)
    assert two.result("ter").summary.startswith(f"A is ahead of B by {size:.2f} TER, which is significant")
    assert two.result("chrf").summary.startswith("A is ahead of B by ")
    assert " chrF2, which is significant" in two.result("chrf").summary
    best = bp.compare(SYSTEMS, REFERENCES, "ter", baseline="spoiled", resamples=400).result()
    assert best.summary == "Compared with spoiled: A and A again significantly better; B significantly worse."
    behind = bp.compare({"A": A, "B": B}, REFERENCES, "ter", baseline="A", resamples=400).result()
    assert behind.summary.startswith("B is behind A by ")


def test_the_overview_puts_systems_and_metrics_side_by_side(made):
    grid = arrange_overview(made)
    assert [column.title for column in grid.columns] == ["system", "BLEU ↑", "chrF2 ↑", "TER ↓"]
    rows = {row[0]: row[1:] for row in grid.rows}
    assert list(rows) == ["A", "A again", "spoiled", "B"]
    for name in SYSTEMS:
        best = "* " if name.startswith("A") else ""
        assert rows[name] == tuple(f"{best}{made.result(one).system(name).score.printed}" for one in METRICS)
    assert arrange_overview(bp.compare(SYSTEMS, REFERENCES, "ter", resamples=100)) is None


def test_an_overview_of_one_metric_names_the_recipes():
    made = bp.compare({"A": A}, REFERENCES, ["chrf", "chrf++", "sacrebleu", "nltk"], resamples=100, baseline="A")
    grid = arrange_overview(made)
    titles = ["system", "chrF2 ↑", "chrF2++ ↑", "sacrebleu ↑", "nltk ↑"]
    assert [column.title for column in grid.columns] == titles
    assert grid.rows[0][0] == "A (baseline)"
    assert not any(cell.startswith("*") for cell in grid.rows[0])  # one system is not the best of anything
    assert grid.title == "All recipes side by side"


def test_every_view_begins_with_the_overview(made):
    shown = Shown(("length",), 1)
    for view in (
        str(made),
        render(made, "markdown", shown=shown),
        render(made, "latex", shown=shown),
        text_of(made.to_html()),
    ):
        start = view.index("All recipes side by side")
        heads = [view.index(mark) for mark in ("chrF2 ", "TER ")]
        assert start < view.index("significantly ahead")
        assert all(head < view.index("significantly ahead") for head in heads)


def test_words_are_true_where_lower_is_better(made):
    views = render(made, "markdown", shown=Shown(("document", "length"), 2))
    higher, lower = views[: views.index("recipe ter")], views[views.index("recipe ter") :]
    only_lower = (
        "Differences: below 0 the first is ahead",
        "above 0 they make it worse",
        "below 0 it helps A",
        "Words that",
        "By length in words: TER ↓",
        "By document: TER ↓",
    )
    for words in only_lower:
        assert words in lower
        assert words not in higher
    assert "By length in tokens: BLEU:" in higher
    assert "By length in characters: chrF2:" in higher
    assert "N-grams that A gets" in higher


def test_parts_are_led_by_the_lowest_ter(made):
    for by in ("document", "length"):
        for group in made.breakdown(by, "ter").groups:
            best = [name for name, value in group.values.items() if value == min(group.values.values())]
            assert group.leader == (best[0] if len(best) == 1 else None)
    assert [group.name for group in made.breakdown("length", "chrf").groups][-1] in ("200–299", "300+")


def test_a_0_is_no_reason_for_a_note_where_it_is_perfect():
    references = ["the cat sat", "it purred"]
    systems = {"right": references, "also": references, "wrong": ["x", "y"]}
    for recipe, noted in (("ter", False), ("chrf", True)):
        notes = bp.compare(systems, references, recipe, resamples=100).result().notes
        assert any(note.code.startswith("zero") for note in notes) is noted
    notes = bp.compare({"half": ["the cat sat", "x"], "same": ["x", "it purred"]}, references, "chrf", resamples=100)
    [text] = [note.text for note in notes.result().notes if note.code == "zero-resamples"][:1]
    assert "as a rule because nothing matches there" in text


@pytest.mark.parametrize("recipe", ["chrf", "chrf++", "ter"])
def test_influences_add_the_segment_back(recipe):
    made = bp.compare({"A": A, "B": B}, REFERENCES, recipe, resamples=100)
    for one in made.influences("A")[:3] + made.influences("A")[-3:]:
        rest = [place for place in range(len(A)) if place != one.segment]
        without = bp.score([A[place] for place in rest], [REFERENCES[place] for place in rest], recipe)
        assert one.points == pytest.approx(made.result().system("A").score.score - without.score, abs=1e-9)


def test_csv_and_json_say_which_way_is_better(made):
    rows = list(csv.DictReader(io.StringIO(render(made, "csv"))))
    assert {(row["metric"], row["better"]) for row in rows} == {
        ("bleu", "higher"),
        ("chrf", "higher"),
        ("ter", "lower"),
    }
    data = json.loads(json.dumps(made.to_dict(by=["length"], examples=1)))
    assert [(one["label"], one["better"]) for one in data["recipes"]] == [
        ("BLEU-4", "higher"),
        ("chrF2", "higher"),
        ("TER", "lower"),
    ]
    assert [one["breakdowns"][0]["length_unit"] for one in data["recipes"]] == ["tokens", "characters", "words"]


PROGRAM = """
import json, sys
import bleuprint as bp
made = bp.compare(*json.loads(sys.argv[1]), ["chrf", "chrf++", "ter"], resamples=100)
print(json.dumps(made.to_dict(by=["length"], examples=2)))
"""


def test_both_engines_compare_alike():
    texts = json.dumps([{name: own[:20] for name, own in SYSTEMS.items()}, REFERENCES[:20]])
    native, python = (engine_process.answer(PROGRAM, engine, texts) for engine in engine_process.ENGINES)
    assert native == python


def test_statistics_give_the_same_and_those_of_another_recipe_are_refused():
    tables = {name: bp.statistics(texts, REFERENCES, "ter") for name, texts in SYSTEMS.items()}
    by_tables = compare_statistics(tables, "ter", resamples=200)
    assert by_tables == bp.compare(SYSTEMS, REFERENCES, "ter", resamples=200)
    refuse(lambda: compare_statistics(tables, "chrf"), ShapeError, argument="tables", system=next(iter(SYSTEMS)))
    other = {name: bp.statistics(texts, REFERENCES, "chrf-popovic") for name, texts in SYSTEMS.items()}
    refuse(lambda: compare_statistics(other, "chrf"), ShapeError, argument="tables", system=next(iter(SYSTEMS)))


# The report.


@given(WORDS, st.lists(WORDS, min_size=1, max_size=3), st.sampled_from(["chrf", "chrf++", "nltk-chrf"]))
@settings(max_examples=100)
def test_marks_of_characters_are_those_of_the_evidence(candidate, references, name):
    recipe = bp.Recipe.named(name)
    metric, explain = recipe.metric, module_of(recipe.metric, "explain")
    split = [metric.split(text, recipe.layout) for text in references]
    marker = explain.make_marker(split, recipe)
    marks = marker.mark(metric.split(candidate, recipe.layout))
    score = bp.score_sentence(candidate, references, recipe)
    evidence = explain.gather(Segment(candidate, tuple(references)), score)
    statuses = {"clipped": 1, "unmatched": 0, "missed": 0}

    def expected(view):
        return [one.longest_match + 1 if one.longest_match else statuses[one.status] for one in view]

    assert marks.candidate == expected(evidence.candidate_view)
    for place, own in enumerate(marks.references):
        assert own == (expected(evidence.reference_view) if place == evidence.chosen else None)


@given(WORDS, st.lists(WORDS, min_size=1, max_size=3), st.sampled_from(["ter", "torchmetrics-ter"]))
@settings(max_examples=100)
def test_marks_of_words_are_those_of_the_alignment(candidate, references, name):
    recipe = bp.Recipe.named(name)
    metric, explain = recipe.metric, module_of(recipe.metric, "explain")
    split = [metric.split(text, recipe.layout) for text in references]
    marker = explain.make_marker(split, recipe)
    marks = marker.mark(metric.split(candidate, recipe.layout))
    score = bp.score_sentence(candidate, references, recipe)
    evidence = explain.gather(Segment(candidate, tuple(references)), score)
    lines = [line for line in evidence.alignment.lines if line.step is EditStep.MATCH]
    expected = {line.candidate_place: MOVED if line.moved_by else MATCHED for line in lines}
    assert marks.candidate == [expected.get(place, UNMATCHED) for place in range(len(candidate.split()))]
    assert [place for place, own in enumerate(marks.references) if own is not None] == [evidence.chosen]
    edits = score.stats
    if candidate.split() or recipe.empty_candidate == "insertions":
        edited = len(candidate.split()) - len(lines)
        assert marks.candidate.count(UNMATCHED) == edited == edits.deletions + edits.substitutions


@pytest.mark.parametrize(("recipe", "unit"), [("chrf++", "characters"), ("ter", "words")])
def test_the_data_of_a_report_are_the_librarys(recipe, unit):
    made = bp.compare({"A": A, "B": B}, REFERENCES, recipe, resamples=100)
    data = gather_data(made, ["A", "B"], ("A", "B"))
    scores = bp.score_segments(A, REFERENCES, recipe)
    first = data["systems"][0]
    assert data["unit"] == unit
    assert first["scores"] == [[round(score, 2) for score in scores.scores]]
    for place, one in enumerate(scores):
        counts = unpack(first["counts"][place])
        parts = {part.title: part.text for part in one.metric.segment_parts(one.stats, one.recipe.layout)[:-2]}
        shown = {title: "/".join(str(counts[column]) for column in columns) for title, columns in data["parts"]}
        assert shown == parts
        assert counts[1] == one.stats.reference_length


def test_the_report_of_ter_knows_its_scale():
    html = bp.compare({"long": ["a b c d e", "x"], "right": ["a", "x"]}, ["a", "x"], "ter", resamples=100).to_html()
    assert "90 and more" in html
    assert "words of the candidate per word of the reference" in html
    assert "effective order" not in text_of(html)
    assert "BLEU" not in text_of(html)


def test_the_matrix_of_the_report_is_ahead_where_it_is_lower():
    html = bp.compare(SYSTEMS, REFERENCES, "ter", resamples=400).to_html()
    row = html[html.index('<table class="bp-matrix">') :]
    row = row[row.index('<th scope="row" dir="auto">A</th>') : row.index('<th scope="row" dir="auto">A again</th>')]
    assert row.count("bp-cell-ahead") == 2
    assert "bp-cell-behind" not in row
    assert "lower is better: below 0 the row is ahead" in html


def test_agreement_is_pearsons_r_with_better_turned_upwards():
    chance = random.Random(11)
    words = "abcdefgh"
    references = [" ".join(chance.choices(words, k=chance.randrange(4, 12))) for _ in range(30)]
    systems = {
        str(share): [" ".join(w if chance.random() > share else "x" for w in text.split()) for text in references]
        for share in (0.1, 0.2, 0.4)
    }
    made = bp.compare(systems, references, ["sacrebleu", "chrf", "ter"], resamples=100)
    found = {(one.first, one.second): one for one in made.agreement()}
    assert list(found) == [("sacrebleu", "chrf"), ("sacrebleu", "ter"), ("chrf", "ter")]
    alone = {
        recipe: [score for texts in systems.values() for score in bp.score_segments(texts, references, segment).scores]
        for recipe, segment in (("sacrebleu", "sacrebleu-sentence"), ("chrf", "chrf"), ("ter", "ter"))
    }
    for (first, second), one in found.items():
        sign = -1 if second == "ter" else 1
        assert one.segments == pytest.approx(sign * np.corrcoef(alone[first], alone[second])[0, 1], abs=1e-12)
        whole = [[system.score.score for system in made.result(name).systems] for name in (first, second)]
        assert one.systems == pytest.approx(sign * np.corrcoef(*whole)[0, 1], abs=1e-12)
        assert one.segments > 0.5
        assert one.systems > 0.9
    two = bp.compare(dict(list(systems.items())[:2]), references, ["sacrebleu", "ter"], resamples=100)
    assert two.agreement()[0].systems is None, "two points are always on a line"
    same = bp.compare({"a": references}, references, ["chrf", "ter"], resamples=100)
    assert same.agreement()[0].segments is None, "where all scores are equal nothing can agree"
