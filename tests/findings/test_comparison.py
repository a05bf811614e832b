"""Comparison: the same numbers as the verbs beside it, what parts and segments show, refusals, every view."""

import csv
import io
import json
import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.counting.rows import StatsTable
from bleuprint.errors import BleuprintError, InputTypeError, RecipeError, ShapeError
from bleuprint.findings.comparison import compare_statistics
from bleuprint.metrics.bleu.counting import bleu_layout
from bleuprint.render import render
from bleuprint.render.comparison import CSV_COLUMNS, Shown
from compared_texts import DOCUMENTS, REFERENCES, A, B, spoil
from refusals import refuse
from score_values import values_of

EVERYTHING = Shown(("document", "length", "frequency"), 2)


@pytest.fixture(scope="module")
def made():
    systems = {"B": B, "A": A, "A again": A, "spoiled": spoil(A, 0.1, 1)}
    return bp.compare(systems, REFERENCES, ["sacrebleu", "nltk"], resamples=400, labels={"document": DOCUMENTS})


# The numbers.


def test_scores_are_those_of_score(made):
    for result in made.results:
        for system in result.systems:
            candidates = made.systems[system.name].candidates
            assert values_of(system.score) == values_of(bp.score(candidates, REFERENCES, result.recipe))
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
        assert pair.detectable == (2.8 * pair.interval.standard_error or None)


def test_equal_systems_are_equal_and_share_rank_and_cluster(made):
    result = made.result()
    pair = result.pair("A", "A again")
    assert (pair.difference, pair.p_randomisation, pair.p_bootstrap, pair.p_holm) == (0, 1, 1, 1)
    assert not pair.significant
    assert pair.interval == (0, 0, 0)
    assert pair.detectable is None
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
    refuse(lambda: made.result().pair("one", "two"), argument="pair")


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
    low, high = (f"{bound:.2f}" for bound in only.interval[:2])
    assert made.result().summary == f"a has BLEU-4 52.84 (95 % interval {low} to {high})."
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
    text = notes_of(made)["detectable"]
    assert f"60 segments a single test at 5 % finds differences of about {low:.2f} to {high:.2f} BLEU, dep" in text
    assert (
        "400 resamples; none can be below 1/401; corrected for 6 comparisons after Holm" in notes_of(made)["p-values"]
    )
    assert "60 segments make a small test set" in notes_of(made)["few-segments"]


def test_notes_warn_of_zeros_and_of_too_few_resamples():
    systems = {"x": ["a b c d e", "x"], "y": ["z z z z", "x"], "z": ["a a a a a", "x"]}
    made = bp.compare(systems, ["a b c d e", "x y"], "paper", resamples=100)
    assert notes_of(made)["zero-scores"].startswith("y and z score 0 under this recipe")
    assert "of 100 resamples, as a rule because an order has no match" in notes_of(made)["zero-resamples"]
    many = {str(number): A for number in range(4)}
    made = bp.compare(many, REFERENCES, resamples=100)
    assert notes_of(made)["too-few-resamples"].endswith("cannot be significant at 0.05: that takes at least 119")
    assert "too-few-resamples" not in notes_of(bp.compare(many, REFERENCES, resamples=119))


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
    assert parted.summary == "3 clusters, each significantly ahead of the next: a > b > c."


def test_a_cluster_of_systems_of_which_some_differ_says_so():
    """Best and worst differ, their neighbours do not: nowhere can the list be cut."""
    systems = {"a": A, "b": spoil(A, 0.03, 5), "c": spoil(A, 0.06, 6)}
    result = bp.compare(systems, REFERENCES, resamples=1000).result()
    parted = {(pair.first, pair.second) for pair in result.pairs if pair.significant}
    assert parted == {("a", "c")}
    assert result.clusters == (("a", "b", "c"),)
    assert result.summary.startswith("1 of 3 pairs differs significantly, but nowhere do all systems above differ")


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


@pytest.mark.parametrize("confidence", [np.float32(0.9), Fraction(9, 10)])
def test_a_confidence_is_any_number(confidence):
    given = bp.compare({"a": A}, REFERENCES, confidence=confidence, resamples=100)
    assert given.settings.confidence == float(confidence)


REFUSED = [
    ({"systems": {}}, ShapeError, "systems", None),
    ({"systems": {"": A}}, InputTypeError, "systems", None),
    ({"systems": {1: A}}, InputTypeError, "systems", None),
    ({"systems": {"a": A, "b": B[:-1]}}, ShapeError, "candidates", None),
    ({"systems": {"a": "text"}}, InputTypeError, "candidates", None),
    ({"systems": {"a": [*A[:-1], None]}}, InputTypeError, "candidates", 59),
    ({"references": []}, ShapeError, "candidates", None),
    ({"references": [*REFERENCES[:-1], []]}, ShapeError, "references", 59),
    ({"baseline": "c"}, BleuprintError, "baseline", None),
    ({"test": "t-test"}, BleuprintError, "test", None),
    ({"resamples": 99}, BleuprintError, "resamples", None),
    ({"resamples": 1e3}, BleuprintError, "resamples", None),
    ({"confidence": 95}, BleuprintError, "confidence", None),
    ({"confidence": float("nan")}, BleuprintError, "confidence", None),
    ({"seed": -1}, BleuprintError, "seed", None),
    ({"seed": 1 << 64}, BleuprintError, "seed", None),
    ({"seed": "1"}, BleuprintError, "seed", None),
    ({"seed": True}, BleuprintError, "seed", None),
    ({"threads": 0}, BleuprintError, "threads", None),
    ({"labels": {"d": ["x"]}}, ShapeError, "labels", None),
    ({"labels": {"d": [*DOCUMENTS[:-1], 1]}}, InputTypeError, "labels", 59),
    ({"sources": ["q"]}, ShapeError, "sources", None),
    ({"sources": [*A[:-1], None]}, InputTypeError, "sources", 59),
    ({"recipe": []}, RecipeError, "recipe", None),
    ({"recipe": ["paper", "paper"]}, RecipeError, "recipe", None),
    ({"recipe": 4}, InputTypeError, "recipe", None),
    ({"recipe": "nonsense"}, RecipeError, "recipe", None),
]


@pytest.mark.parametrize(("arguments", "error", "argument", "index"), REFUSED)
def test_refusals(arguments, error, argument, index):
    given = {"systems": {"a": A, "b": B}, "references": REFERENCES, "resamples": 100, **arguments}
    refuse(lambda: bp.compare(**given), error, argument=argument, index=index)


@pytest.mark.parametrize("arguments", [{"systems": [A, B]}, {"labels": {"d": "x" * 60}}, {"labels": ["x"]}])
def test_what_is_no_dictionary_or_list_is_refused(arguments):
    given = {"systems": {"a": A, "b": B}, "references": REFERENCES, "resamples": 100, **arguments}
    assert next(iter(arguments)) in refuse(lambda: bp.compare(**given), InputTypeError).where


def test_the_system_whose_candidates_are_wrong_is_named():
    for candidates in (B[:-1], [*B[:-1], None], "text"):
        refuse(lambda own=candidates: bp.compare({"a": A, "b": own}, REFERENCES), argument="candidates", system="b")
    few = refuse(lambda: bp.compare({"a": A, "b": B[:-1]}, REFERENCES))
    assert str(few).startswith("system 'b', candidates: expected 60 candidates (one per segment), got 59.")


def test_unknown_names_are_refused_afterwards(made):
    for call in (
        lambda: made.influences("C"),
        lambda: made.disagreements("A", "C"),
        lambda: made.ngrams("C", "A"),
        lambda: made.result().system("C"),
    ):
        refuse(call, argument="system", values=tuple(made.names))
    refuse(lambda: made.result("paper"), argument="recipe", values=tuple(one.name for one in made.results))
    for examples in (-1, 1.0, True):
        refuse(lambda own=examples: made.to_dict(examples=own), argument="examples")
    refuse(lambda: made.to_dict(by="length"), InputTypeError, argument="by")
    refuse(lambda: made.breakdown("domain"), argument="by", values=tuple(made.parts))


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
    printed = render(made, "text", shown=Shown(("d",), 1))
    assert printed.count("[red]x[/red]") >= 4
    assert "\x1b" not in printed
    assert "␛[31my" in printed


def test_examples_in_text_are_those_of_the_focus(made):
    printed = render(made, "text", shown=Shown((), 1, ("spoiled", "B")))
    titles = [line for line in printed.split("\n") if line.startswith("Segments that move ")]
    assert [title.split(" most: ")[0] for title in titles] == 2 * [f"Segments that move {n}" for n in ("spoiled", "B")]
    alone = render(bp.compare({"only": A}, REFERENCES, resamples=100), "text", shown=Shown((), 1))
    assert "Segments that move only most" in alone


def test_csv_has_every_digit(made):
    rows = list(csv.DictReader(io.StringIO(render(made, "csv", shown=EVERYTHING))))
    assert tuple(rows[0]) == CSV_COLUMNS
    system = next(row for row in rows if row["kind"] == "system" and row["first"] == "A")
    assert float(system["value"]) == made.result().system("A").score.score
    pair = next(row for row in rows if row["kind"] == "pair" and {row["first"], row["second"]} == {"A", "B"})
    assert float(pair["p_holm"]) == made.result().pair("A", "B").p_holm
    assert len([row for row in rows if row["kind"] == "by document"]) == 2 * 6 * 4


def test_markdown_escapes_names():
    text = render(
        bp.compare({"a|b*": A, "c": B}, REFERENCES, resamples=100), "markdown", shown=EVERYTHING._replace(by=())
    )
    assert "a\\|b\\*" in text
    assert "a|b*" not in text
    tables = [line for line in text.split("\n") if line.startswith("|")]
    assert all(line.endswith("|") for line in tables)


ODD = r"50% of_a & b\c #1 {x} $y^2~"


def test_latex_escapes_names():
    text = render(bp.compare({ODD: A, "c": B}, REFERENCES, resamples=100), "latex", shown=Shown())
    assert r"50\% of\_a \& b\textbackslash{}c \#1 \{x\} \$y\textasciicircum{}2\textasciitilde{}" in text
    assert text.count(r"\toprule") == text.count(r"\bottomrule") == 2
    assert r"\arraybackslash}Xrrrrr}" in text, "long names wrap, numbers do not"


def test_a_recipe_for_one_segment_is_refused_on_a_corpus():
    systems = {"a": ["x y"] * 3, "b": ["x z"] * 3}
    with pytest.raises(RecipeError):
        bp.compare(systems, ["x y"] * 3, "nltk-method5")
    one = bp.compare({"a": ["x y"], "b": ["x z"]}, ["x y"], "nltk-method5", resamples=100)
    assert one.result().pair("a", "b").p == 1.0  # swapped, they are as far apart


def test_statistics_alone_give_the_same_comparison():
    systems = {"a": A, "b": B}
    options = {"resamples": 200, "baseline": "a", "labels": {"document": DOCUMENTS}}
    expected = bp.compare(systems, REFERENCES, **options)
    tables = {name: bp.statistics(texts, REFERENCES) for name, texts in systems.items()}
    found = compare_statistics(tables, **options)
    assert found == expected
    assert found.result().pairs == expected.result().pairs
    assert found.breakdown("document") == expected.breakdown("document")
    assert found.influences("b") == expected.influences("b")
    assert found != compare_statistics(tables, **options, seed=1)


def test_what_needs_texts_says_so_where_there_are_none():
    tables = {name: bp.statistics(texts, REFERENCES) for name, texts in (("a", A), ("b", B), ("c", B))}
    found = compare_statistics(tables, resamples=200)
    assert (found.has_texts, found.parts, found.segments, found.names) == (False, [], 60, ["a", "b", "c"])
    for call in (lambda: found.breakdown("length"), lambda: found.ngrams("a", "b")):
        assert refuse(call).where in ("by length", "n-grams")
    data = json.loads(json.dumps(found.to_dict(examples=2)))["recipes"][0]
    [first, _] = data["influences"]["a"]["raising"]
    assert (first["segment"], first["candidate"]) == (found.influences("a")[0].segment + 1, None)
    [first, _] = data["focus"]["disagreements"]
    assert first["segment"] == found.disagreements("a", "b")[0].segment + 1
    assert data["focus"]["disagreements"][0]["references"] is None
    assert data["focus"]["ngrams"] is None
    assert notes_of(found)["same-counts"] == "b and c have the same counts in every segment"
    printed = render(found, "text", shown=Shown((), 2))
    assert "Where a and b part" in printed
    assert "N-grams that" not in printed
    assert "no texts" in found.to_html()


# Verdicts: what could be decided, and what could not.


def made_of_rows(rows, **options):
    """Compare systems by rows of unigrams: matches of 4 tokens in every segment."""
    tables = {}
    for name, matches in rows.items():
        tables[name] = StatsTable(bleu_layout(1), [number for own in matches for number in (4, 4, own, 4)])
    return compare_statistics(tables, bp.Recipe.named("paper").replace(order=1), **options)


def twelve(resamples):
    return bp.compare({f"s{n}": spoil(A, 0.07 * n, n) for n in range(12)}, REFERENCES, resamples=resamples)


def test_with_too_few_resamples_nothing_is_said_to_be_equal():
    few, enough = twelve(1318), twelve(1319)
    assert few.result().verdict == "undecided"
    assert few.result().needed == (1319, 12)
    assert few.result().clusters is None
    assert {system.ranks for system in few.result().systems} == {None}
    assert {pair.verdict for pair in few.result().pairs} == {"undecided"}
    assert enough.result().verdict == "some-differ"
    said = "it takes at least 1,319 resamples (here 1,318)"
    assert said in few.result().summary
    views = [str(few), few.to_html(), few._repr_html_(), render(few, "markdown"), render(few, "latex", shown=Shown())]
    for view in map(" ".join, map(str.split, views)):
        assert said in view.replace("{}", "")
        assert "No two" not in view
        assert "undecided" in view
    rows = list(csv.DictReader(io.StringIO(render(few, "csv"))))
    assert {row["verdict"] for row in rows if row["kind"] == "pair"} == {"undecided"}
    data = few.to_dict()["recipes"][0]
    assert (data["verdict"], data["needed"]) == ("undecided", {"resamples": 1319, "segments": 12})
    assert {pair["verdict"] for pair in data["pairs"]} == {"undecided"}
    assert {pair["verdict"] for pair in enough.to_dict()["recipes"][0]["pairs"]} == {"significant", "not-significant"}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"baseline": "s0", "confidence": 0.99}, "any of 4 systems differs from s0 cannot be decided by 4 comparisons"),
        ({"confidence": 0.999}, "any of these 5 systems differ cannot be decided by 10 comparisons"),
    ],
)
def test_undecided_comparisons_with_a_baseline_and_of_all(options, said):
    made = bp.compare({f"s{n}": spoil(A, 0.2 * n, n) for n in range(5)}, REFERENCES, resamples=100, **options)
    assert said in made.result().summary
    assert made.to_dict()["recipes"][0]["verdict"] == "undecided"


def test_more_resamples_than_are_ever_drawn_are_not_advised():
    many = made_of_rows({str(n): [n % 5] * 30 for n in range(150)}, resamples=100, confidence=0.999)
    assert many.result().needed.resamples > 10_000_000
    assert "compare fewer systems, or all with a baseline" in many.result().summary


@pytest.mark.parametrize("test", ["randomisation", "bootstrap"])
def test_one_segment_decides_nothing(test):
    made = bp.compare({"a": A[:1], "b": REFERENCES[0][:1]}, REFERENCES[:1], test=test, resamples=200)
    [pair] = made.result().pairs
    assert (pair.p_randomisation, pair.p_bootstrap, pair.verdict, pair.detectable) == (1, 1, "undecided", None)
    assert "cannot be decided" in made.result().summary
    assert notes_of(made)["few-segments"].startswith("one segment, drawn again, is the same")
    assert "with 1 segment the comparison cannot be significant" in notes_of(made)["too-few-segments"]


@given(st.integers(1, 12), st.integers(0, 100))
@settings(max_examples=30)
def test_few_segments_never_give_a_p_below_what_swapping_all_or_none_allows(size, seed):
    made = made_of_rows({"best": [4] * size, "worst": [0] * size}, resamples=100, seed=seed)
    [pair] = made.result().pairs
    assert pair.p_randomisation >= 2.0 ** (1 - size)
    assert (pair.verdict == "undecided") == (size < 6)


def test_equal_systems_are_never_undecided():
    same = made_of_rows({"a": [1, 2], "b": [1, 2], "c": [2, 1]}, resamples=100)
    assert same.result().verdict == "none-differ"
    assert same.result().summary == "No two of these 3 systems differ significantly."


def test_a_pair_is_given_in_the_order_asked_for(made):
    for one, other in (("A", "B"), ("B", "spoiled"), ("A", "A again")):
        pair, turned = made.pair(one, other), made.pair(other, one)
        assert (pair.first, pair.second, turned.first, turned.second) == (one, other, other, one)
        scores = {name: made.result().system(name).score.score for name in (one, other)}
        assert pair.difference == scores[one] - scores[other]
        assert turned.difference == scores[other] - scores[one]
        assert str(turned.difference) != "-0.0"
        assert tuple(turned.interval) == (-pair.interval.high, -pair.interval.low, pair.interval.standard_error)
        assert turned.turned() == pair
        kept = ("p_randomisation", "p_bootstrap", "p", "p_holm", "verdict", "significant", "detectable")
        assert [getattr(turned, name) for name in kept] == [getattr(pair, name) for name in kept]
    assert made.pair("A", "B", "nltk") == made.result("nltk").pair("A", "B")
    refuse(lambda: made.pair("A", "C"), argument="system")


@given(st.lists(st.lists(st.integers(0, 4), min_size=14, max_size=14), min_size=2, max_size=6), st.integers(0, 9))
@settings(max_examples=60)
def test_what_is_said_of_clusters_is_true_of_every_pair(rows, seed):
    """Systems of two clusters differ significantly; no cut through one parts it so that all above differ from below."""
    result = made_of_rows({f"s{n}": own for n, own in enumerate(rows)}, resamples=400, seed=seed).result()
    order = [name for cluster in result.clusters for name in cluster]
    assert sorted(order) == sorted(system.name for system in result.systems)
    cluster_of = {name: place for place, cluster in enumerate(result.clusters) for name in cluster}
    parted = {frozenset((pair.first, pair.second)) for pair in result.pairs if pair.significant}
    for pair in result.pairs:
        if cluster_of[pair.first] != cluster_of[pair.second]:
            assert pair.significant
            assert cluster_of[pair.first] < cluster_of[pair.second]
    for cluster in result.clusters:
        for cut in range(1, len(cluster)):
            assert not all(frozenset((one, other)) in parted for one in cluster[:cut] for other in cluster[cut:])
    for system in result.systems:
        beaten = sum(pair.significant and pair.second == system.name for pair in result.pairs)
        beats = sum(pair.significant and pair.first == system.name for pair in result.pairs)
        assert system.ranks == (1 + beaten, len(rows) - beats)
    count = len(parted)
    expected = "none-differ" if not count else "all-differ" if count == len(result.pairs) else "some-differ"
    assert result.verdict == expected
    if len(rows) > 2:
        assert ("No two" in result.summary) == (not count)
        assert (f"{len(result.clusters)} clusters, each significantly" in result.summary) == (len(result.clusters) > 1)


def test_an_interval_that_stays_above_zero_is_not_said_to_reach_it():
    made = made_of_rows({"a": [4] + [0] * 5 + [1] * 3}, resamples=10_000)
    missed = notes_of(made)["zero-resamples"]
    low = made.result().systems[0].interval.low
    assert low > 0
    assert missed.endswith("its interval does not reach down to 0")


def test_a_single_zero_is_not_called_several():
    made = made_of_rows({"a": [0] * 9, "b": [1] * 9}, resamples=100)
    assert notes_of(made)["zero-scores"] == "a scores 0 under this recipe"


@pytest.mark.parametrize(
    ("tables", "choices", "argument", "system"),
    [
        ({}, {}, "systems", None),
        ({"a": [1]}, {}, "tables", "a"),
        ({"a": StatsTable(bleu_layout(4))}, {}, "tables", "a"),
        (
            {"a": StatsTable.zeros(bleu_layout(4), 2), "b": StatsTable.zeros(bleu_layout(4), 3)},
            {},
            "tables",
            "b",
        ),
        ({"a": StatsTable.zeros(bleu_layout(2), 2)}, {}, "tables", "a"),
        ({"a": StatsTable.zeros(bleu_layout(4), 2)}, {"baseline": "z"}, "baseline", None),
    ],
)
def test_statistics_that_do_not_fit_are_refused(tables, choices, argument, system):
    refuse(lambda: compare_statistics(tables, **choices), argument=argument, system=system)
