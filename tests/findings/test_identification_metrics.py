"""Identify under several metrics: a reported number may be BLEU, chrF, chrF++ or TER, and may have the wrong name."""

import math

import pytest
from nltk.translate.chrf_score import corpus_chrf
from sacrebleu.metrics import CHRF, TER

import bleuprint as bp
from bleuprint.errors import RecipeError, ShapeError
from bleuprint.findings.identification.search import TURNED, Search
from bleuprint.recipes.registry import find_metric, list_metrics
from bleuprint.render.html import render_document
from bleuprint.scoring.verbs import pair_for
from identified_texts import BOTH, CANDIDATES, EXAMPLES, FIRST, OTHER, titles
from refusals import refuse
from searched_once import searches  # noqa: F401, a fixture

OTHERS = [name for key in ("chrf", "ter") for name in find_metric(key).dialects]
METRICS = list(list_metrics())


@pytest.mark.parametrize("dialect", [name for name in OTHERS if name != "nltk-chrf"])
@pytest.mark.parametrize("fraction", [False, True], ids=["0 to 100", "0 to 1"])
def test_every_dialect_is_found_by_its_number(dialect, fraction):
    score = bp.score(CANDIDATES, BOTH, dialect)
    found = bp.identify(CANDIDATES, BOTH, f"{score.fraction:.6f}" if fraction else f"{score.score:.4f}")
    assert any(dialect in reading.dialects for reading in found.findings[0].readings)
    assert found.findings[0].scale == (1 if fraction else 100)
    assert not found.tried_accidents


def test_numbers_of_the_tools_themselves():
    columns = [list(texts) for texts in zip(*BOTH, strict=True)]
    for made, name in (
        (CHRF().corpus_score(CANDIDATES, columns), "chrf"),
        (CHRF(word_order=2).corpus_score(CANDIDATES, columns), "chrf++"),
        (TER().corpus_score(CANDIDATES, columns), "ter"),
    ):
        assert name in bp.identify(CANDIDATES, BOTH, f"{made.score:.2f}").findings[0].best.dialects
    filled = [place for place, text in enumerate(CANDIDATES) if text and FIRST[place]]
    candidates, references = [CANDIDATES[place] for place in filled], [FIRST[place] for place in filled]
    best = bp.identify(candidates, references, f"{corpus_chrf(references, candidates):.6f}").findings[0].best
    assert (best.dialects, best.applied) == (("nltk-chrf",), "mean of the segments' scores")


@pytest.mark.parametrize(
    ("recipe", "title"),
    [
        (bp.Recipe.named("chrf").replace(beta=1, case="lower"), "chrf with case lower and beta 1"),
        (bp.Recipe.named("chrf").replace(averaging="each-order-eps"), "chrf with averaging each-order-eps"),
        (bp.Recipe.named("ter").replace(normalized="yes", punctuation="remove"),
         "ter with normalized yes and punctuation remove"),
        (bp.Recipe.named("ter").replace(normalized="yes", reference_preparation="once"),
         "ter with normalized yes and reference preparation once"),
    ],
)  # fmt: skip
def test_options_that_somebody_chose_are_found(recipe, title):
    number = f"{bp.score(CANDIDATES, BOTH, recipe).score:.5f}"
    assert title in titles(bp.identify(CANDIDATES, BOTH, number))
    assert title in titles(bp.identify(CANDIDATES, BOTH, number, recipe.metric_key))


def test_a_number_with_the_wrong_name_is_told():
    plain, plus = (f"{bp.score(CANDIDATES, FIRST, name).score:.4f}" for name in ("chrf", "chrf++"))
    swapped = "It was reported as {}, but computed as {}."
    assert bp.identify(CANDIDATES, FIRST, plain, "chrf++").summary.endswith(swapped.format("chrF++", "chrF"))
    assert bp.identify(CANDIDATES, FIRST, plus, "chrf").summary.endswith(swapped.format("chrF", "chrF++"))
    for number, name in ((plain, "chrf"), (plus, "chrf++"), (plus, ["chrf", "chrf++"]), (plus, None)):
        assert "reported as" not in bp.identify(CANDIDATES, FIRST, number, name).summary
    assert "reported as" not in bp.identify(CANDIDATES, FIRST, "99.98765", "chrf++").summary


def test_ter_taken_for_a_score_of_which_more_is_better():
    ter = bp.score(CANDIDATES, FIRST, "ter")
    for number in (f"{100 - ter.score:.4f}", f"{1 - ter.fraction:.6f}"):
        best = bp.identify(CANDIDATES, FIRST, number).findings[0].best
        assert (best.dialects[0], best.applied) == ("ter", TURNED)
    worse = ["x y z " * 5, "a"]
    assert 100 < bp.score(worse, ["a", "b"], "ter").score < 1000
    assert "ter" in bp.identify(worse, ["a", "b"], f"{bp.score(worse, ['a', 'b'], 'ter').score:.3f}").summary
    assert "ter" in bp.identify(worse, ["a", "b"], f"{bp.score(worse, ['a', 'b'], 'ter').fraction:.4f}").summary


@pytest.mark.parametrize("name", ["chrf", "chrf++", "ter"])
def test_sides_that_were_swapped_are_found(name):
    number = f"{bp.score(FIRST, CANDIDATES, name).score:.5f}"
    best = bp.identify(CANDIDATES, FIRST, number).findings[0].best
    assert (best.dialects[0], best.accident) == (name, "candidate and reference swapped")


def test_the_metric_restricts_the_search_and_names_the_question():
    number = f"{bp.score(CANDIDATES, FIRST, 'ter').score:.2f}"
    everything, ter, two = (bp.identify(CANDIDATES, FIRST, number, name) for name in (None, "ter", ["bleu", "chrf"]))
    assert everything.question == f"Which BLEU, chrF or TER is {number}?"
    assert ter.question == f"Which TER is {number}?"
    assert two.question == f"Which BLEU or chrF is {number}?"
    assert f"<title>{ter.question}</title>" in render_document(ter)
    assert {reading.recipe.metric_key for finding in ter.findings for reading in finding.readings} == {"ter"}
    assert ter.tried < everything.tried
    assert "ter" not in str(two)


def test_unusual_recipes_of_other_metrics_wait_until_nothing_ordinary_fits():
    corpus = pair_for(CANDIDATES, BOTH, [bp.Recipe.named("sacrebleu")])
    search = Search([corpus], metrics=METRICS)
    assert {attempt.recipe.metric_key for attempt in search.further} == {"chrf", "ter"}
    assert not any(attempt.recipe.names for attempt in search.further)
    usual = bp.identify(CANDIDATES, BOTH, f"{bp.score(CANDIDATES, BOTH).score:.4f}")
    assert usual.tried == len(search.plain)
    unheard_of = bp.identify(CANDIDATES, BOTH, "99.98765")
    assert unheard_of.tried == len(search.plain) + len(search.further) + len(search.accidents)
    assert sum(len(part) for stage in range(3) for part in search.parts_of(stage)) == unheard_of.tried
    slow = {attempt.recipe for attempt in search.accidents if attempt.recipe.metric_key == "ter"}
    assert slow == {bp.Recipe.named("ter")}


@pytest.mark.parametrize("references", [FIRST, BOTH], ids=["one reference", "two references"])
def test_every_reading_is_the_score_of_its_recipe(references):
    corpus = pair_for(CANDIDATES, references, [bp.Recipe.named("sacrebleu")])
    search = Search([corpus], metrics=METRICS[1:])
    for reading in search.read([*search.plain, *search.further]):
        own = references
        if reading.applied.startswith("reference "):
            own = [texts[int(reading.applied.split()[1]) - 1] for texts in references]
        if "mean" in reading.applied:
            scores = bp.score_segments(CANDIDATES, own, reading.recipe).scores
            assert reading.scores == (math.fsum(scores) / len(scores),)
        else:
            score = bp.score(CANDIDATES, own, reading.recipe).score
            assert reading.scores == (max(0.0, 100 - score) if reading.applied == TURNED else score,)


def test_more_references_than_ter_counts_leave_it_out_unless_it_is_asked_for():
    references = [["the cat"], ["it purred"] * 17]
    found = bp.identify(["the cat", "it purrs"], references, "55.55")
    assert "TER" not in found.metrics
    assert found.summary.endswith("Note: TER was not tried: segment 2 has 17 references, and TER takes at most 16.")
    refuse(lambda: bp.identify(["the cat", "it purrs"], references, "55.55", "ter"), ShapeError, index=1)


@pytest.mark.parametrize("metric", ["chrff", 3, ["ter", "nonsense"]])
def test_what_is_no_metric_is_refused(metric):
    refuse(lambda: bp.identify(CANDIDATES, FIRST, "12", metric), RecipeError, argument="metric")


def test_a_number_beyond_all_scales_is_refused():
    refuse(lambda: bp.identify(CANDIDATES, FIRST, "1000.1"), argument="reported")
    assert all(finding.scale == 100 for finding in bp.identify(CANDIDATES, FIRST, "3.98765").findings)


def test_the_command_takes_what_it_was_reported_as(run, output):
    files = (EXAMPLES / "candidate-b.txt", EXAMPLES / "reference-1.txt")
    number = f"{bp.score(CANDIDATES, FIRST, 'chrf').score:.2f}"
    found = bp.identify(CANDIDATES, FIRST, number, "chrf++")
    assert output("identify", *files, "--reported", number, "-m", "chrf++") == f"{found}\n"
    also = (EXAMPLES / "candidate-a.txt", f"{bp.score(OTHER, FIRST, 'ter').score:.2f}")
    ter = f"{bp.score(CANDIDATES, FIRST, 'ter').score:.2f}"
    printed = output("identify", *files, "--reported", ter, "--also", *also, "-m", "ter", "-m", "bleu")
    assert printed.startswith(f"{ter}, {also[1]} is ter")
    refused = run("identify", *files, "--reported", number, "-m", "chr")
    assert "'chr'. Did you mean 'chrf'?" in refused.err
    assert "Did you mean 'chrf'? Leave --metric out to search all." in refused.err
