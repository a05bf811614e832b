"""Comparison: the same numbers as the verbs beside it, what parts and segments show, refusals, every view."""

import csv
import io
import json
import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.comparison import compare_statistics
from bleuprint.errors import BleuprintError, RecipeError
from bleuprint.render.comparison_files import CSV_COLUMNS, render_csv, render_markdown
from bleuprint.render.comparison_latex import render_latex
from bleuprint.render.comparison_tables import Shown
from bleuprint.render.comparison_views import view_comparison
from bleuprint.render.terminal import plain_text
from bleuprint.stats import StatsTable

EXAMPLES = Path(__file__).parent.parent / "examples"


def read(name):
    return (EXAMPLES / name).read_text(encoding="utf-8").removesuffix("\n").split("\n")


A, B = read("candidate-a.txt"), read("candidate-b.txt")
REFERENCES = list(zip(read("reference-1.txt"), read("reference-2.txt"), strict=True))
DOCUMENTS = read("documents.txt")
EVERYTHING = Shown(("document", "length", "frequency"), 2)


def spoil(candidates, share, seed):
    """A system that leaves out some words of another."""
    chance = random.Random(seed)
    return [" ".join(word for word in text.split() if chance.random() > share) for text in candidates]


@pytest.fixture(scope="module")
def made():
    systems = {"B": B, "A": A, "A again": A, "spoiled": spoil(A, 0.1, 1)}
    return bp.compare(systems, REFERENCES, ["sacrebleu", "nltk"], resamples=400, labels={"document": DOCUMENTS})


# The numbers.


def test_scores_are_those_of_score(made):
    for result in made.results:
        for system in result.systems:
            candidates = made.systems[system.name].candidates
            assert system.score == bp.score(candidates, REFERENCES, result.recipe)
            assert system.interval.low <= system.score.score <= system.interval.high
            assert system.interval.standard_error > 0
    assert [result.name for result in made.results] == ["sacrebleu", "nltk"]
    assert made.result("nltk").recipe == bp.Recipe.named("nltk")
    assert made.result() is made.results[0]


def test_all_pairs_are_there_the_better_first(made):
    result = made.result()
    scores = {system.name: system.score.score for system in result.systems}
    assert {frozenset((pair.first, pair.second)) for pair in result.pairs} == {
        frozenset((one, other)) for one in scores for other in scores if one != other
    }
    for pair in result.pairs:
        assert pair.difference == scores[pair.first] - scores[pair.second] >= 0
        assert pair.interval.low <= pair.difference <= pair.interval.high
        assert pair.p == pair.p_randomisation <= pair.p_holm
        assert pair.significant == (pair.p_holm <= 0.05)
        assert pair.detectable == 2.8 * pair.interval.standard_error
    assert result.pair("B", "A") is result.pair("A", "B")


def test_equal_systems_are_equal_and_share_rank_and_cluster(made):
    result = made.result()
    pair = result.pair("A", "A again")
    assert (pair.difference, pair.p_randomisation, pair.p_bootstrap, pair.p_holm) == (0, 1, 1, 1)
    assert not pair.significant
    assert pair.interval == (0, 0, 0)
    ranks = {system.name: (system.ranks, system.cluster) for system in result.systems}
    assert ranks["A"] == ranks["A again"]
    assert ranks["B"] == ((4, 4), len(result.clusters))
    assert [name for cluster in result.clusters for name in cluster][-1] == "B"
    assert "A and A again have the same texts" in [note.text for note in result.notes]


def test_with_a_baseline_only_it_is_compared_and_the_correction_is_milder():
    systems = {"base": spoil(A, 0.05, 3), "one": A, "two": spoil(A, 0.04, 4), "three": B}
    whole = bp.compare(systems, REFERENCES, resamples=300)
    made = bp.compare(systems, REFERENCES, baseline="base", resamples=300)
    pairs = made.result().pairs
    assert {(pair.first, pair.second) for pair in pairs} == {(name, "base") for name in ("one", "two", "three")}
    assert made.result().clusters is None
    assert all(system.ranks is None and system.cluster is None for system in made.result().systems)
    for pair in pairs:
        other = whole.result().pair(pair.first, "base")
        assert pair.p == other.p
        assert abs(pair.difference) == abs(other.difference)
        assert pair.p_holm <= other.p_holm
    assert made.focus() == ("one", "base")
    assert made.result().summary.startswith("Compared with base: ")
    with pytest.raises(bp.BleuprintError, match="two systems that were compared expected, 'one' and 'two' found"):
        made.result().pair("one", "two")


def test_the_chosen_test_decides():
    by_bootstrap = bp.compare({"a": A, "b": B}, REFERENCES, test="bootstrap", resamples=300).result().pairs[0]
    assert by_bootstrap.p == by_bootstrap.p_bootstrap
    assert by_bootstrap.p_randomisation <= 1 / 100


def test_one_system_has_an_interval_and_no_pairs():
    made = bp.compare({"a": A}, REFERENCES, resamples=200)
    [only] = made.result().systems
    assert only.interval.low < only.score.score < only.interval.high
    assert made.result().pairs == ()
    assert made.result().detectable is None
    assert made.focus() is None
    assert made.result().summary == f"a has BLEU-4 52.84, between {only.interval.low:.2f} and {only.interval.high:.2f}."
    assert made.to_dict(examples=1)["recipes"][0]["focus"] is None


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_the_number_of_threads_changes_nothing(threads):
    one, other = (
        bp.compare({"a": A, "b": B}, REFERENCES, resamples=200, threads=number).to_dict() for number in (None, threads)
    )
    assert one == other


def test_recipes_come_in_every_form():
    own = bp.Recipe.named("paper").replace(order=2)
    made = bp.compare({"a": A}, REFERENCES, {"two": own, "four": "paper"}, resamples=100)
    assert [(result.name, result.recipe.order) for result in made.results] == [("two", 2), ("four", 4)]
    made = bp.compare({"a": A}, REFERENCES, [own, "moses"], resamples=100)
    assert [result.name for result in made.results] == [str(own), "moses"]


def test_tokens_can_be_compared_too():
    recipe = bp.Recipe.named("paper").replace(tokenizer="pretokenized")
    tokens = [[1, 2, 3, 4, 5], [6, 7, 8, 9]]
    made = bp.compare({"a": tokens, "b": [[1, 2, 3, 4], [6, 7, 8]]}, [[tokens[0]], [tokens[1]]], recipe, resamples=100)
    assert made.result().system("a").score.score == 100
    assert made.ngrams("a", "b")[0].ngram == "2 3 4 5"
    assert [group.size for group in made.breakdown("frequency").groups] == [9]


# What is said in words.


def notes_of(made, recipe=None):
    return {note.code: note.text for note in made.result(recipe).notes}


def test_notes_say_what_the_test_set_can_detect(made):
    low, high = made.result().detectable
    assert low == 0
    high = f"{high:.2f}"
    text = notes_of(made)["detectable"]
    assert text.startswith("this test set of 60 segments can detect differences of about ")
    assert f"to {high} BLEU, depending on the pair" in text
    assert (
        "400 resamples; none can be below 0.0025; corrected for 6 comparisons after Holm" in notes_of(made)["p-values"]
    )
    assert "60 segments make a small test set" in notes_of(made)["few-segments"]


def test_notes_warn_of_zeros_and_of_too_few_resamples():
    systems = {"x": ["a b c d e", "x"], "y": ["z z z z", "x"], "z": ["a a a a a", "x"]}
    made = bp.compare(systems, ["a b c d e", "x y"], "paper", resamples=100)
    assert notes_of(made)["zero-scores"].startswith("y and z score 0 under this recipe")
    assert "of 100 resamples, as an order has no match" in notes_of(made)["zero-resamples"]
    many = {str(number): A for number in range(4)}
    made = bp.compare(many, REFERENCES, resamples=100)
    assert notes_of(made)["too-few-resamples"].endswith("cannot be significant at 0.05: use at least 120")
    assert "too-few-resamples" not in notes_of(bp.compare(many, REFERENCES, resamples=120))


def test_summaries():
    assert (
        "is ahead of b by 24.09 BLEU, which is significant (p = 0.0050)"
        in bp.compare({"a": A, "b": B}, REFERENCES, resamples=200).result().summary
    )
    same = bp.compare({"a": A, "b": A}, REFERENCES, resamples=100).result()
    assert same.summary == "a and b have the same score."
    same = bp.compare({"a": A, "b": A, "c": A}, REFERENCES, resamples=100).result()
    assert same.summary == "No two of these 3 systems differ significantly."
    parted = bp.compare({"a": A, "b": B, "c": spoil(A, 0.4, 2)}, REFERENCES, resamples=300).result()
    assert parted.summary == "3 clusters: a > b > c."


def test_a_cluster_of_systems_of_which_some_differ_says_so():
    """Best and worst differ, their neighbours do not: nowhere can the list be cut."""
    systems = {"a": A, "b": spoil(A, 0.03, 5), "c": spoil(A, 0.06, 6)}
    result = bp.compare(systems, REFERENCES, resamples=1000).result()
    parted = {(pair.first, pair.second) for pair in result.pairs if pair.significant}
    assert parted == {("a", "c")}
    assert result.clusters == (("a", "b", "c"),)
    assert result.summary.startswith("1 of 3 pairs differ significantly, but nowhere do all systems above differ")


def test_every_note_is_documented():
    root = Path(__file__).parent.parent
    codes = set(re.findall(r'Note\("([a-z-]+)"', (root / "src/bleuprint/comparison/remarks.py").read_text("utf-8")))
    page = (root / "docs/comparing.md").read_text("utf-8")
    assert len(codes) == 7
    assert not {code for code in codes if f"`{code}`" not in page}


def test_every_key_of_the_data_is_documented(made):
    page = (Path(__file__).parent.parent / "docs/comparing.md").read_text("utf-8")
    data = made.to_dict(by=["length"], examples=1)
    recipe = data["recipes"][0]
    parts = [data, data["settings"], recipe, recipe["systems"][0], recipe["pairs"][0], recipe["pairs"][0]["interval"]]
    parts += [recipe["breakdowns"][0], recipe["breakdowns"][0]["groups"][0], recipe["influences"]["A"], recipe["focus"]]
    parts += [recipe["influences"]["A"]["raising"][0], recipe["focus"]["ngrams"]]
    assert not {key for part in parts for key in part if f"`{key}`" not in page}


# Parts of the test set.


def test_breakdowns_by_label_are_the_scores_of_documents(made):
    breakdown = made.breakdown("document")
    expected = bp.score_documents(A, REFERENCES, DOCUMENTS)
    assert [group.name for group in breakdown.groups] == list(expected)
    for group in breakdown.groups:
        assert group.size == 10
        assert group.values["A"] == expected[group.name].score
        leaders = [name for name, value in group.values.items() if value == max(group.values.values())]
        assert group.leader == (leaders[0] if len(leaders) == 1 else None)
    assert made.breakdown("document", "nltk").groups != breakdown.groups


def test_breakdowns_by_length_hold_every_segment_once(made):
    breakdown = made.breakdown("length")
    assert sum(group.size for group in breakdown.groups) == 60
    lengths = [stats.candidate_length for stats in bp.statistics(*[[texts[0] for texts in REFERENCES]] * 2)]
    expected = sum(10 <= length < 20 for length in lengths)
    assert [group.size for group in breakdown.groups if group.name == "10–19"] == [expected]
    empty = bp.compare({"x": ["a", ""]}, ["a", ""], resamples=100).breakdown("length")
    assert [(group.name, group.size) for group in empty.groups] == [("0", 1), ("1–9", 1)]


def test_words_found_by_frequency_counted_by_hand():
    references = ["the cat the dog", "the bird"]  # the: 3 times, others once
    made = bp.compare({"x": ["the the the cat", "a bird"], "y": ["dog", "the"]}, references, "paper", resamples=100)
    breakdown = made.breakdown("frequency")
    assert (breakdown.measure, breakdown.unit) == ("words found, %", "words")
    assert [(group.name, group.size) for group in breakdown.groups] == [("1", 3), ("2–4", 3)]
    rare, frequent = breakdown.groups
    assert rare.values == {"x": pytest.approx(200 / 3), "y": pytest.approx(100 / 3)}
    assert frequent.values == {"x": pytest.approx(200 / 3), "y": pytest.approx(100 / 3)}
    assert rare.leader == "x"


# Segments.


@given(st.integers(0, 1000))
@settings(max_examples=20)
def test_the_influence_of_a_segment_is_the_score_minus_the_score_without_it(seed):
    chance = random.Random(seed)
    systems = {name: [" ".join(chance.choices("abc", k=chance.randrange(8))) for _ in range(6)] for name in "xy"}
    references = [" ".join(chance.choices("abc", k=chance.randrange(1, 8))) for _ in range(6)]
    made = bp.compare(systems, references, resamples=100)

    def without(name, left_out):
        kept = [place for place in range(6) if place != left_out]
        return bp.score([systems[name][place] for place in kept], [references[place] for place in kept]).score

    whole = {name: bp.score(systems[name], references).score for name in "xy"}
    influences = made.influences("x")
    assert {one.segment: one.points for one in influences} == {
        place: whole["x"] - without("x", place) for place in range(6)
    }
    assert [one.points for one in influences] == sorted((one.points for one in influences), reverse=True)
    for one in made.disagreements("x", "y"):
        left = without("x", one.segment) - without("y", one.segment)
        assert one.points == pytest.approx(whole["x"] - whole["y"] - left, abs=1e-9)
        assert one.candidates == (systems["x"][one.segment], systems["y"][one.segment])


def test_disagreements_come_in_order_and_leave_out_equal_segments(made):
    found = made.disagreements("A", "B")
    assert [abs(one.points) for one in found] == sorted((abs(one.points) for one in found), reverse=True)
    assert made.disagreements("A", "A again") == []
    alone = bp.Recipe.named("sacrebleu").replace(absent_order="drop")
    first = found[0]
    assert first.scores[0] == bp.score_sentence(A[first.segment], REFERENCES[first.segment], alone).score
    assert first.references == REFERENCES[first.segment]


def test_ngrams_add_up_to_the_difference_in_matches(made):
    found = made.ngrams("A", "B")
    totals = [bp.score(system, REFERENCES).stats.matches for system in (A, B)]
    for order in range(1, 5):
        expected = totals[0][order - 1] - totals[1][order - 1]
        assert sum(one.difference for one in found if one.order == order) == expected
    weights = [one.difference * one.order for one in found]
    assert weights == sorted(weights, reverse=True)
    assert all(one.difference for one in found)
    assert made.ngrams("A", "A again") == []


# Refusals.


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"systems": {}}, "systems: at least one system expected, none found"),
        ({"systems": [A, B]}, "systems: a dictionary from names to candidates expected, list"),
        ({"systems": {"": A}}, "systems: a name for every system expected, ''"),
        ({"systems": {1: A}}, "a name for every system expected, 1 found"),
        ({"systems": {"a": A, "b": B[:-1]}}, "system 'b': 60 candidates, one per entry of references, expected, 59"),
        ({"systems": {"a": "text"}}, "system 'a': a list with a candidate per segment expected, str 'text'"),
        ({"systems": {"a": [*A[:-1], None]}}, r"system 'a', candidates\[59\]: a text expected, None found"),
        ({"references": []}, "system 'a': 0 candidates"),
        ({"references": [*REFERENCES[:-1], []]}, r"references\[59\]: at least one reference expected"),
        ({"baseline": "c"}, "baseline: 'a' or 'b' expected, 'c' found"),
        ({"test": "t-test"}, "test: randomisation or bootstrap expected, 't-test' found"),
        ({"resamples": 99}, "resamples: a whole number from 100 to 10,000,000 expected, 99 found"),
        ({"resamples": 1e3}, "resamples: a whole number .* 1000.0 found"),
        ({"confidence": 95}, "confidence: a number from 0.5 to 0.999 expected, 95 found"),
        ({"confidence": float("nan")}, "confidence: .* nan found"),
        ({"seed": -1}, r"seed: a whole number from 0 to 2\^64 - 1 expected, -1 found"),
        ({"seed": 1 << 64}, "seed: a whole number"),
        ({"seed": "1"}, "seed: a whole number .* '1' found"),
        ({"seed": True}, "seed: a whole number .* True found"),
        ({"threads": 0}, "threads: a whole number from 1"),
        ({"labels": {"d": ["x"]}}, r"labels\['d'\]: 60 labels \(one per segment\) expected, 1 found"),
        ({"labels": {"d": "x" * 60}}, r"labels\['d'\]: 60 labels"),
        ({"labels": {"d": [1] * 60}}, r"labels\['d'\]\[0\]: a text expected, 1 found"),
        ({"labels": ["x"]}, "labels: a dictionary from names to labels expected"),
        ({"recipe": []}, "recipe: at least one recipe expected"),
        ({"recipe": ["paper", "paper"]}, "recipe: every recipe once expected, paper, paper found"),
        ({"recipe": 4}, "recipe: a recipe, a list of recipes, or names with recipes expected, 4 found"),
        ({"recipe": "nonsense"}, "recipe: one of the dialects"),
    ],
)
def test_refusals(arguments, message):
    given = {"systems": {"a": A, "b": B}, "references": REFERENCES, "resamples": 100, **arguments}
    with pytest.raises(bp.BleuprintError, match=message):
        bp.compare(**given)


def test_unknown_names_are_refused_afterwards(made):
    for call in (
        lambda: made.result("paper"),
        lambda: made.influences("C"),
        lambda: made.disagreements("A", "C"),
        lambda: made.ngrams("C", "A"),
        lambda: made.result().system("C"),
    ):
        with pytest.raises(bp.BleuprintError, match=r"expected, '(C|paper)' found"):
            call()
    for examples in (-1, 1.0, True):
        with pytest.raises(bp.BleuprintError, match="examples: a whole number from 0 on expected"):
            made.to_dict(examples=examples)
    with pytest.raises(bp.BleuprintError, match="by: 'document', 'length' or 'frequency' expected, 'domain' found"):
        made.breakdown("domain")


# Views.


def test_the_data_is_json_and_names_its_schema(made):
    data = made.to_dict(by=EVERYTHING.by, examples=2, focus=("A", "B"))
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert data["schema"] == "bleuprint.comparison/1"
    assert data["systems"] == ["B", "A", "A again", "spoiled"]
    first = data["recipes"][0]
    assert [len(first[key]) for key in ("systems", "pairs", "breakdowns")] == [4, 6, 3]
    assert first["focus"]["disagreements"][0]["segment"] == made.disagreements("A", "B")[0].segment + 1
    assert set(first["influences"]) == set(data["systems"])
    assert "focus" not in made.to_dict()["recipes"][0]


def test_print_shows_every_system_and_the_signature(made):
    printed = str(made)
    assert all(name in printed for name in made.names)
    assert str(made.result("nltk").recipe) in printed
    assert "resamples 400, seed 12345, test randomisation, level 0.05" in printed
    assert repr(made) == "<Comparison of 4 systems on 60 segments>"


def test_names_cannot_steer_the_terminal():
    names = ("[red]x[/red]", "\x1b[31my")
    made = bp.compare(dict(zip(names, (A, B), strict=True)), REFERENCES, resamples=100, labels={"d": DOCUMENTS})
    printed = plain_text(view_comparison(made, Shown(("d",), 1)))
    assert printed.count("[red]x[/red]") >= 4
    assert "\x1b" not in printed
    assert "␛[31my" in printed


def test_examples_in_text_are_those_of_the_focus(made):
    printed = plain_text(view_comparison(made, Shown((), 1, ("spoiled", "B"))))
    titles = [line for line in printed.split("\n") if line.startswith("Segments that move ")]
    assert [title.split(" most: ")[0] for title in titles] == 2 * [f"Segments that move {n}" for n in ("spoiled", "B")]
    alone = plain_text(view_comparison(bp.compare({"only": A}, REFERENCES, resamples=100), Shown((), 1)))
    assert "Segments that move only most" in alone


def test_csv_has_every_digit(made):
    rows = list(csv.DictReader(io.StringIO(render_csv(made, EVERYTHING))))
    assert tuple(rows[0]) == CSV_COLUMNS
    system = next(row for row in rows if row["kind"] == "system" and row["first"] == "A")
    assert float(system["value"]) == made.result().system("A").score.score
    pair = next(row for row in rows if row["kind"] == "pair" and {row["first"], row["second"]} == {"A", "B"})
    assert float(pair["p_holm"]) == made.result().pair("A", "B").p_holm
    assert len([row for row in rows if row["kind"] == "by document"]) == 2 * 6 * 4


def test_markdown_escapes_names():
    text = render_markdown(bp.compare({"a|b*": A, "c": B}, REFERENCES, resamples=100), EVERYTHING._replace(by=()))
    assert "a\\|b\\*" in text
    assert "a|b*" not in text
    tables = [line for line in text.split("\n") if line.startswith("|")]
    assert all(line.endswith("|") for line in tables)


ODD = r"50% of_a & b\c #1 {x} $y^2~"


def test_latex_escapes_names(made):
    text = render_latex(bp.compare({ODD: A, "c": B}, REFERENCES, resamples=100), Shown())
    assert r"50\% of\_a \& b\textbackslash{}c \#1 \{x\} \$y\textasciicircum{}2\textasciitilde{}" in text
    assert text.count(r"\toprule") == text.count(r"\bottomrule") == 2
    assert r"\begin{tabular}{lrrrrr}" in text


@pytest.mark.skipif(
    shutil.which("pdflatex") is None, reason="no LaTeX is installed: apt-get install texlive-latex-extra"
)
def test_latex_compiles(tmp_path):
    table = render_latex(bp.compare({ODD: A, "c": B}, REFERENCES, resamples=100), Shown(("length", "frequency")))
    paper = r"\documentclass{article}\usepackage{booktabs}\begin{document}" + table + r"\end{document}"
    (tmp_path / "paper.tex").write_text(paper, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout


def test_a_recipe_for_one_segment_is_refused_on_a_corpus():
    systems = {"a": ["x y"] * 3, "b": ["x z"] * 3}
    with pytest.raises(RecipeError, match=r"one segment: .* expected, 3 segments found"):
        bp.compare(systems, ["x y"] * 3, "nltk-method5")
    one = bp.compare({"a": ["x y"], "b": ["x z"]}, ["x y"], "nltk-method5", resamples=100)
    assert one.result().pair("a", "b").p == 1.0  # swapped, they are as far apart


def test_statistics_alone_give_the_same_comparison():
    systems = {"a": A, "b": B}
    expected = bp.compare(systems, REFERENCES, resamples=200, baseline="a").result()
    tables = {name: bp.statistics(texts, REFERENCES) for name, texts in systems.items()}
    found = compare_statistics(tables, resamples=200, baseline="a")
    assert (found.pairs, found.name, found.clusters) == (expected.pairs, expected.name, expected.clusters)
    assert [(own.name, own.score, own.interval) for own in found.systems] == [
        (own.name, own.score, own.interval) for own in expected.systems
    ]


@pytest.mark.parametrize(
    ("tables", "choices", "message"),
    [
        ({}, {}, "at least one system expected, none found"),
        ({"a": [1]}, {}, "a dictionary from names to tables of statistics expected"),
        ({"a": StatsTable(4)}, {}, r"system 'a': 1 row, counted up to order 4 expected, 0 rows"),
        ({"a": StatsTable.zeros(4, 2), "b": StatsTable.zeros(4, 3)}, {}, r"system 'b': 2 rows.* 3 rows"),
        ({"a": StatsTable.zeros(2, 2)}, {}, r"up to order 4 expected, 2 rows, counted up to order 2 found"),
        ({"a": StatsTable.zeros(4, 2)}, {"baseline": "z"}, "'z'"),
    ],
)
def test_statistics_that_do_not_fit_are_refused(tables, choices, message):
    with pytest.raises(BleuprintError, match=message):
        compare_statistics(tables, **choices)
