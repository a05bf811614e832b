"""Reconcile: every way between two recipes adds up, ends at the other's score, and names what did it."""

import json
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.errors import RecipeError, ShapeError
from bleuprint.findings.reconciliation import group_dialects
from bleuprint.findings.reconciliation.results import EQUAL, agree
from bleuprint.metrics import module_of
from bleuprint.metrics.bleu.recipe import DIALECTS
from bleuprint.recipes.registry import find_metric, list_metrics
from bleuprint.render import render
from bleuprint.render.html import render_document
from refusals import refuse
from score_values import values_of
from strategies import CORPUS_DIALECTS, as_text, recipes, word_corpora

EXAMPLES = Path(__file__).parents[2] / "examples"
MARKUP = "<script>alert(1)</script> & *stars*"


def read(name):
    return (EXAMPLES / name).read_text(encoding="utf-8").splitlines()


CANDIDATES = read("candidate-b.txt")
REFERENCES = [list(pair) for pair in zip(read("reference-1.txt"), read("reference-2.txt"), strict=True)]


def telling(way):
    """The axes that changed the score, with what they changed."""
    return {step.axis: round(step.points, 6) for step in way.steps if abs(step.points) > EQUAL}


def check_way(way, start, end, corpus):
    assert values_of(way.start) == values_of(bp.score(*corpus, start))
    assert values_of(way.end) == values_of(bp.score(*corpus, end))
    axes = [step.axis for step in way.steps]
    pipeline = module_of(bp.Recipe.of(start).metric, "changes").PIPELINE
    assert axes == sorted(bp.Recipe.of(start).differing_axes(bp.Recipe.of(end)), key=pipeline.index)
    reached = way.start
    for step in way.steps:
        assert values_of(step.before) == values_of(reached)
        assert step.before.recipe.differing_axes(step.after.recipe) == [step.axis]
        assert step.sentence.endswith(".")
        reached = step.after
    assert (reached.score, reached.recipe) == (way.end.score, way.end.recipe)


def every_two(dialects):
    return permutations(dialects, 2)


def every_change(dialects):
    """Choose ways between dialects on which every change of a choice is made that any two of them make."""
    made = set()
    for start, end in every_two(dialects):
        before, after = bp.Recipe.named(start), bp.Recipe.named(end)
        changes = {(axis, getattr(before, axis), getattr(after, axis)) for axis in before.differing_axes(after)}
        if not changes <= made:
            made |= changes
            yield start, end


@pytest.mark.parametrize("some", [every_change, pytest.param(every_two, marks=pytest.mark.extended)])
def test_any_dialect_to_any_other(some):
    for start, end in some(CORPUS_DIALECTS):
        check_way(bp.reconcile(CANDIDATES, REFERENCES, start, end), start, end, (CANDIDATES, REFERENCES))


@given(corpus=word_corpora(), ends=st.tuples(st.sampled_from(CORPUS_DIALECTS), st.sampled_from(CORPUS_DIALECTS)))
@settings(deadline=None)
def test_any_text_between_any_two(corpus, ends):
    texts = as_text(corpus)
    check_way(bp.reconcile(*texts, *ends), *ends, texts)


@pytest.mark.parametrize("some", [every_change, pytest.param(every_two, marks=pytest.mark.extended)])
def test_any_dialect_to_any_other_on_one_segment(some):
    texts = (CANDIDATES[:1], REFERENCES[:1])
    for start, end in some(DIALECTS):
        check_way(bp.reconcile(*texts, start, end), start, end, texts)


def test_one_segment_has_every_dialect():
    groups = group_dialects(CANDIDATES[:1], REFERENCES[:1])
    assert (groups.left_out, groups.remark) == ((), "")
    assert sorted(name for group in groups for name in group.names) == sorted(DIALECTS)


def test_every_axis_is_in_the_pipeline_once():
    for metric in list_metrics():
        assert sorted(module_of(metric, "changes").PIPELINE) == sorted(metric.axes)


@pytest.mark.parametrize("metric", ["chrf", "ter"])
def test_any_dialect_of_another_metric_to_any_other(metric):
    one = (CANDIDATES[:1], REFERENCES[:1])
    for start, end in permutations(find_metric(metric).dialects, 2):
        check_way(bp.reconcile(*one, start, end), start, end, one)
        if "nltk-chrf" not in (start, end):
            check_way(bp.reconcile(CANDIDATES, REFERENCES, start, end), start, end, (CANDIDATES, REFERENCES))


@given(
    corpus=word_corpora(), ends=st.sampled_from(list(permutations(["chrf", "chrf++-popovic", "torchmetrics-chrf"], 2)))
)
@settings(deadline=None, max_examples=60)
def test_any_text_between_dialects_of_chrf(corpus, ends):
    texts = as_text(corpus)
    check_way(bp.reconcile(*texts, *ends), *ends, texts)


def test_two_names_of_one_recipe_do_not_differ():
    assert bp.reconcile(["a b"], ["a b"], "moses", "paper").summary == "Both give 0.00: they are the same recipe."
    differing = bp.reconcile(["a b c d"], ["a b c d"], "nltk", "paper").summary
    assert differing == "Both give 100.00: where the recipes differ, these texts do not show it."


def test_two_metrics_cannot_be_reconciled():
    with pytest.raises(RecipeError):
        bp.reconcile(CANDIDATES, REFERENCES, "sacrebleu", "ter")


def test_a_dialect_for_one_segment_is_no_end_on_a_corpus():
    with pytest.raises(RecipeError):
        bp.reconcile(CANDIDATES, REFERENCES, "chrf", "nltk-chrf")


@pytest.mark.parametrize(
    ("texts", "ends", "axis", "said"),
    [
        ((["a\u00a0b c"], ["ab d"]), ("chrf", "torchmetrics-chrf"), "whitespace",
         "In 1 segment of 1 the counts change: the candidates have 4 characters instead of 3; "
         "0 instead of 1 c2 match."),
        ((["a b", "x"], ["a b", "y"]), ("chrf", "torchmetrics-chrf"), "unmatched_segment",
         "In 1 segment of 2 nothing matches, and the reference no longer counts."),
        ((["a b"], ["a b"]), ("chrf", "torchmetrics-chrf"), "unmatched_segment",
         "It changes nothing here: something matches in every segment."),
        ((["abc"], ["ab"]), ("chrf", "nltk-chrf"), "candidate_totals",
         "In 1 segment of 1 the reference is too short for an order, whose n-grams of the candidate now count."),
        ((["ab"], ["abc"]), ("chrf", "nltk-chrf"), "candidate_totals",
         "It changes nothing here: no candidate has n-grams of an order of which its reference has none."),
        ((["abc d"], ["ab d"]), ("chrf", "chrf-popovic"), "averaging",
         "F is made of every order, and the mean of all is taken."),
        ((["ab"], ["abc"]), ("chrf", "nltk-chrf"), "beta",
         "Recall weighs 3 times as much as precision instead of 2 times."),
        ((["ab"], ["abc"]), ("chrf", "chrf++"), "word_order", "Words count up to order 2 instead of not at all."),
        ((["", "a"], ["a b", "a"]), ("ter", "torchmetrics-ter"), "empty_candidate",
         "In 1 segment of 2 the counts change: there are 0 instead of 2 insertions."),
    ],
)  # fmt: skip
def test_steps_of_other_metrics_are_told_in_words(texts, ends, axis, said):
    [step] = [step for step in bp.reconcile(*texts, *ends).steps if step.axis == axis]
    assert step.sentence == said


def test_another_best_reference_is_named():
    before, after = bp.Recipe.named("chrf"), bp.Recipe.named("chrf").replace(beta=0.1)
    way = bp.reconcile(["abcd"], [["ab", "abcdefgh"]], before, after)
    assert way.steps[0].sentence.endswith("In 1 segment of 1 another reference is the best.")


def test_signatures_are_ends_too():
    start = str(bp.Recipe.named("paper").replace(order=2))
    way = bp.reconcile(CANDIDATES, REFERENCES, start, "nrefs:2|case:lc|eff:no|tok:13a|smooth:exp|version:2.6.0")
    assert [step.axis for step in way.steps] == ["case", "tokenizer", "weights", "smoothing"]


def test_one_segment_may_be_given_as_texts():
    way = bp.reconcile("the cat sat", ["the cat sat", "a cat"], "sacrebleu", "sacrebleu-sentence")
    assert telling(way) == {"absent_order": 100.0}
    assert "no 4-grams" in way.steps[0].sentence


def test_texts_and_tokens_cannot_be_reconciled():
    tokens = bp.Recipe.named("paper").replace(tokenizer="pretokenized")
    with pytest.raises(ShapeError):
        bp.reconcile(["a"], ["a"], "paper", tokens)


# The public puzzles.


def test_nltk_below_sacrebleu_because_of_one_empty_line():
    candidates = ["the cat sat on the mat today", "it was a very good day", ""]
    references = ["the cat sat on the mat yesterday", "it was a very bad day", "no one was there"]
    way = bp.reconcile(candidates, references, "nltk", "moses")
    assert list(telling(way)) == ["segment_totals"]
    [step] = (step for step in way.steps if step.axis == "segment_totals")
    assert (step.causes[0].segment, step.causes[0].remark) == (2, "the candidate has 0 tokens")
    assert step.sentence.startswith("In 1 segment of 3 the candidate is shorter than an order")


def test_a_positive_score_beside_zero_is_smoothing():
    candidate, reference = "the dog ran to the old house", "the dog went to the old barn"
    way = bp.reconcile(candidate, reference, "sacrebleu", "huggingface")
    assert way.end.score == 0.0
    assert way.start.score > 20
    assert list(telling(way)) == ["smoothing"]
    assert "No 4-gram matches" in next(step.sentence for step in way.steps if step.axis == "smoothing")


def test_the_first_of_two_equally_close_references():
    candidate = " ".join(f"w{n}" for n in range(12))
    longer, shorter = f"{candidate} more", " ".join(f"w{n}" for n in range(11))
    way = bp.reconcile(candidate, [longer, shorter], "torchmetrics", "moses")
    assert (round(way.start.fraction, 4), way.end.fraction) == (0.92, 1.0)
    assert list(telling(way)) == ["reference_length"]
    assert way.steps[0].causes[0].remark == "reference length 11 instead of 13"


def test_the_shortest_reference():
    candidate = " ".join(f"w{n}" for n in range(12))
    way = bp.reconcile(candidate, [f"{candidate} more", "w0 w1"], "huggingface", "moses-detok")
    assert (way.start.fraction, round(way.end.fraction, 4)) == (1.0, 0.92)
    assert list(telling(way)) == ["reference_length"]


def test_text_that_is_tokenised_already():
    candidates, references = ["he did n't say 3 . 5 ."] * 5, ["he did n't mean 3 . 5 ."] * 5
    way = bp.reconcile(candidates, references, "moses", "moses-detok")
    assert telling(way) == {}
    assert way.summary.startswith("Both give ")
    assert "looks-tokenised" in {note.code for note in way.end.notes}


def test_characters_scored_by_accident():
    characters = bp.Recipe.named("nltk").replace(tokenizer="char")
    way = bp.reconcile("the cat is here", "that cat was there", "nltk", characters)
    assert next(iter(telling(way))) == "tokenizer"
    assert way.end.score > way.start.score + 20
    assert "tokens instead of 4" in way.steps[0].sentence


def test_references_turned_by_accident_are_noted():
    candidates = ["a b c d e", "f g h i j"]
    streams = [["v w x y z", "f g h i j"], ["a b c d e", "v w x y z"]]
    way = bp.reconcile(candidates, streams, "nltk", "sacrebleu")
    assert (way.start.score, way.end.score) == (0.0, 0.0)
    assert "transposed" in {note.code for note in way.start.notes}


# Causes.


def test_a_cause_is_what_the_segment_alone_would_change():
    way = bp.reconcile(CANDIDATES, REFERENCES, "paper", "moses-detok")
    [step] = way.steps
    assert [cause.segment for cause in step.causes] == [19, 7, 32]
    for cause in step.causes:
        table = step.before.table
        rows = [list(row.to_row()) for row in table]
        rows[cause.segment] = list(step.after.table[cause.segment].to_row())
        sums = bp.BleuStats.from_row([sum(column) for column in zip(*rows, strict=True)])
        assert cause.points == bp.BleuScore(sums, step.after.recipe).score - step.before.score
        assert cause.gained


def test_n_grams_that_come_and_go():
    [step] = bp.reconcile("Mat. The", "mat. The", "paper", bp.Recipe.named("paper").replace(case="lower")).steps
    assert telling(bp.reconcile("Mat. The", "mat. The", "paper", step.after.recipe)) == {}
    two = bp.Recipe.named("paper").replace(order=2)
    [step] = bp.reconcile("Mat. The", "mat. The", two, two.replace(case="lower")).steps
    assert (step.causes[0].gained, step.causes[0].lost) == (("mat.", "the", "mat. the"), ("The",))


# Steps of 0.


@pytest.mark.parametrize(
    ("texts", "start", "end", "reasons"),
    [
        (("", "a b"), "paper", "sacrebleu", {"smoothing": "the candidate is empty"}),
        (("a b", ""), "paper", "sacrebleu", {"smoothing": "the reference is empty"}),
        (("x y", "a b"), "paper", "sacrebleu", {"smoothing": "nothing matches"}),
        (("a b", "a b"), "nltk-method1", "huggingface-smooth", {
            "unmatched_order": "every order with n-grams has a match", "nothing_matches": "something matches",
        }),
        (("a b", "b a"), "nltk-method1", "huggingface-smooth", {
            "unmatched_order": "smoothing fills every order without a match",
        }),
        (("a b", "a b"), "paper", "sacrebleu", {"smoothing": "the score is 0 either way"}),
        (("a b c d", "a b c d"), "sacrebleu", "sacrebleu-sentence", {
            "absent_order": "the candidates have n-grams of every order",
        }),
    ],
)  # fmt: skip
def test_a_step_of_0_says_why(texts, start, end, reasons):
    steps = {step.axis: step for step in bp.reconcile(*texts, start, end).steps}
    for axis, reason in reasons.items():
        assert (steps[axis].points, steps[axis].sentence) == (0, f"It changes nothing here: {reason}.")


def test_an_end_at_which_its_tool_stops_says_so():
    way = bp.reconcile("a b d", "a b c", "nltk-method6", "nltk-method6")
    reason = (
        "The tool of nltk-method6 gives no number here but stops: no trigram matches, which nltk-method6 starts from."
    )
    assert way.summary.count(reason) == 2
    assert reason in bp.reconcile("a b d", "a b c", "nltk-method2", "nltk-method6").summary
    assert "stops" not in bp.reconcile("a b c", "a b c", "nltk-method2", "nltk-method6").summary


# All dialects.


def test_groups_hold_every_dialect_once_and_part_at_an_axis():
    groups = group_dialects(CANDIDATES, REFERENCES)
    assert sorted(name for group in groups for name in group.names) == sorted(CORPUS_DIALECTS)
    assert sorted([*groups.left_out, *CORPUS_DIALECTS]) == sorted(DIALECTS)
    assert groups.left_out == ("nltk-method5", "nltk-method6", "nltk-method7", "codexglue-comments")
    left_out = "nltk-method5, nltk-method6, nltk-method7 and codexglue-comments"
    assert f"Left out: {left_out}, defined for one segment only." in str(groups)
    scores = [group.score.score for group in groups]
    assert scores == sorted(scores, reverse=True)
    for group in groups:
        for name in group.names:
            assert abs(bp.score(CANDIDATES, REFERENCES, name).score - group.score.score) <= EQUAL
    check_partings(groups, (CANDIDATES, REFERENCES))


@pytest.mark.parametrize("metric", ["chrf", "ter"])
def test_groups_of_another_metric_begin_with_the_best(metric):
    groups = group_dialects(CANDIDATES, REFERENCES, metric)
    assert groups.left_out == (("nltk-chrf",) if metric == "chrf" else ())
    names = [name for group in groups for name in group.names]
    assert sorted([*names, *groups.left_out]) == sorted(find_metric(metric).dialects)
    scores = [group.score.score for group in groups]
    assert scores == sorted(scores, reverse=metric == "chrf")
    check_partings(groups, (CANDIDATES, REFERENCES))
    one = group_dialects(CANDIDATES[:1], REFERENCES[:1], metric)
    assert one.left_out == ()


def test_a_metric_that_is_none_is_refused():
    refuse(lambda: group_dialects(CANDIDATES, REFERENCES, "chrff"), RecipeError, argument="metric")


def check_partings(groups, corpus):
    """Every reason is a step of the way between two groups, and every step that changes the score is a reason."""
    assert (groups[0].partings, groups[0].sentence) == ((), "")
    for before, group, data in zip(groups, groups[1:], groups.to_dict()["groups"][1:], strict=False):
        way = bp.reconcile(*corpus, before.names[0], group.names[0])
        steps = [step for step in way.steps if abs(step.points) > EQUAL]
        told, expected = (
            [(step.axis, values_of(step.before), values_of(step.after), step.sentence) for step in found]
            for found in (group.partings, steps)
        )
        assert told == expected
        left_out = sum(step.points for step in way.steps if step not in steps)
        told = sum(step.points for step in group.partings)
        assert before.score.score + told + left_out == pytest.approx(group.score.score)
        assert [parting["points"] for parting in data["partings"]] == [step.points for step in steps]
        largest = max(abs(step.points) for step in steps)
        assert data["parts_at"] in [step.axis for step in steps if abs(step.points) == largest]
        for step in steps:
            assert f"{step.axis.replace('_', ' ')}: {step.choices[1]} instead of {step.choices[0]}" in group.sentence


@given(corpus=word_corpora())
@settings(deadline=None)
def test_the_reasons_of_groups_are_the_steps_between_them(corpus):
    texts = as_text(corpus)
    groups = group_dialects(*texts)
    assert sorted([*groups.left_out, *(name for group in groups for name in group.names)]) == sorted(DIALECTS)
    check_partings(groups, texts)


def test_the_rule_for_an_unmatched_order_is_named_beside_smoothing():
    groups = group_dialects(["the cat sat on a mat today"], ["the cat is on the mat today"])
    [(place, group)] = ((place, group) for place, group in enumerate(groups) if "nltk-mean" in group.names)
    assert [step.axis for step in group.partings] == ["smoothing", "unmatched_order", "across_orders"]
    assert "smoothing: none instead of add-k(1) (+38.07). No 3-gram or 4-gram matches." in group.sentence
    assert "unmatched order: smallest-float instead of skip (−69.85)." in group.sentence
    assert "across orders: mean instead of together (+30.06). It is mean BLEU-1–4 instead of BLEU-4." in group.sentence
    assert groups.to_dict()["groups"][place]["parts_at"] == "unmatched_order"


def test_another_brevity_penalty_and_precisions_that_hardly_change_are_told():
    way = bp.reconcile(["a b c d e"], ["a b c d f g"], "codexglue-comments", "pycocoevalcap")
    assert way.steps[-1].sentence == "The brevity penalty is 0.8187 instead of 0.8465."
    way = bp.reconcile(["a b c d e"], ["a b c d f g"], "paper", "pycocoevalcap")
    assert [(step.axis, step.sentence) for step in way.steps] == [
        ("smoothing", "The precisions change less than is shown."),
        ("nothing_matches", "It changes nothing here: something matches at every order."),
        ("brevity", "The brevity penalty of 0.8187 changes less than is shown."),
    ]


@pytest.mark.parametrize("order", [2, 4])
def test_a_candidate_is_short_by_the_orders_that_count(order):
    """Tables are counted as far as any recipe needs; a step speaks of what its own recipes look at."""
    candidates, references = ["a b c", "a b c d e f"], ["a b d", "a b c d e f"]
    start = bp.Recipe.named("paper").replace(order=2)
    way = bp.reconcile(candidates, references, start, bp.Recipe.named("nltk").replace(order=order))
    assert way.steps[0].sentence == "It changes no count here."
    assert way.steps[0].causes == ()


PAPER = bp.Recipe.named("paper")


@pytest.mark.parametrize(
    ("texts", "start", "change", "sentence"),
    [
        ((["Yes, it is.", ""], ["Yes, it is.", "No."]), "nltk", {"tokenizer": "13a"},
         "The candidates have 5 tokens instead of 3, of which 5 match (100.0 %) instead of 3 (100.0 %); "
         "the brevity penalty is 0.6703 instead of 0.7165."),
        ((["a"], ["a b."]), PAPER.replace(order=1), {"tokenizer": "char"},
         "In 1 segment of 1 the reference length changes: r = 3 instead of 2; "
         "the brevity penalty is 0.1353 instead of 0.3679."),
        ((["a b x"], ["a b c"]), PAPER.replace(across_orders="mean", nothing_matches="zero-if-any"),
         {"smoothing": "add-k(1)"}, "The candidates have no 4-grams. BLEU-2 is 66.67 instead of 57.74."),
        ((["x y"], [["a", ""]]), PAPER.replace(order=1, smoothing="exp", nothing_matches="smoothed"),
         {"reference_length": "shortest"},
         "In 1 segment of 1 another reference length is chosen: r = 0 instead of 1; the brevity penalty stays 1.0000. "
         "Now the score is 0: the reference is empty."),
        ((["a b c"], ["x a b c"]), PAPER, {"reference_length": "shortest"}, "It changes no count here."),
        ((["a b"], [["a c d", "b"]]), PAPER, {"reference_length": "closest-first"},
         "In 1 segment of 1 another reference length is chosen: r = 3 instead of 1; "
         "the brevity penalty is 0.6065 instead of 1.0000. The score is 0 either way."),
        ((["a b"], ["a b c"]), "paper", {"nothing_matches": "zero-if-any"},
         "It changes nothing here: the score is 0 either way."),
        ((["a"], ["a"]), PAPER.replace(order=1), {"smoothing": "add-k-all(1)"},
         "It changes nothing here: every precision that counts stays as it is."),
        ((["a"], [""]), "chrf", {"unmatched_segment": "reference-dropped"},
         "It changes nothing here: where nothing matches, the reference is empty."),
        ((["b"], ["\x1c b b"]), "chrf", {"whitespace": "removed-unicode"},
         "In 1 segment of 1 the counts change: the references have 3 characters instead of 2."),
        ((["b"], ["b"]), "chrf", {"beta": 1}, "It changes nothing here: precision and recall are equal."),
        ((["a. \x1c"], [["a a", "b \x1c"]]), "ter", {"normalized": "yes"},
         "In 1 segment of 1 the counts change: the candidates have 2 words instead of 1."),
    ],
)  # fmt: skip
def test_a_step_names_what_changed_the_score(texts, start, change, sentence):
    recipe = bp.Recipe.of(start)
    [step] = bp.reconcile(*texts, recipe, recipe.replace(**change)).steps
    assert step.sentence == sentence


CLAIMS = {
    "stays": lambda step: step.before.brevity_penalty == step.after.brevity_penalty,
    "precisions change less than is shown": lambda step: abs(step.points) < 0.1,
    "not their sums": lambda step: step.before.stats == step.after.stats,
    "It changes no count": lambda step: agree(step.before, step.after) and step.before.stats == step.after.stats,
    "It changes nothing": lambda step: step.before.score == step.after.score,
    "either way": lambda step: step.before.score == step.after.score == 0,
    "Now the score is 0": lambda step: step.before.score > step.after.score == 0,
    "Before, the score was 0": lambda step: step.after.score > step.before.score == 0,
    "every order has a match": lambda step: all(step.after.stats.matches[: step.after.recipe.order]),
    "every order with n-grams": lambda step: all(
        matches
        for _, matches, total in zip(range(step.after.recipe.order), step.after.stats.matches, step.after.stats.totals)
        if total
    ),
    "something matches in every segment": lambda step: not step.after.census.unmatched,
}
"""What sentences claim, and how to find out whether it is so."""


@given(data=st.data(), corpus=word_corpora(("a", "b", "ab", "b,", "A", "\x1c")), start=recipes())
@settings(deadline=None, max_examples=300)
def test_no_sentence_claims_what_is_not_so(data, corpus, start):
    candidates, references = as_text(corpus)
    end = data.draw(recipes(start.metric_key))
    if start.is_for_one_segment or end.is_for_one_segment:
        candidates, references = candidates[:1], references[:1]
    for step in bp.reconcile(candidates, references, start, end).steps:
        assert all(is_so(step) for claim, is_so in CLAIMS.items() if claim in step.sentence)
        if step.tells:
            assert "It changes no" not in step.sentence


def test_only_the_neighbour_of_method5_may_be_short():
    end = bp.Recipe.named("nltk-method5")
    [step] = bp.reconcile("a b c d", "a b c d", end.replace(segment_totals="exact"), end).steps
    assert step.sentence.endswith("together the candidates now have 1 instead of 0 5-grams.")


def test_a_dialect_whose_tool_stops_is_in_no_group():
    groups = group_dialects(["a b d"], ["a b c"])
    assert (groups.only_segments, groups.stopping, groups.left_out) == ((), ("nltk-method6",), ("nltk-method6",))
    assert groups.remark == "Left out: nltk-method6, whose tool stops here."
    assert "nltk-method6" not in [name for group in groups for name in group.names]


# Views.


def test_as_data():
    way = bp.reconcile(CANDIDATES, REFERENCES, "nltk", "sacrebleu")
    data = json.loads(json.dumps(way.to_dict()))
    assert data["schema"] == "bleuprint.reconciliation/1"
    assert [step["axis"] for step in data["steps"]] == [step.axis for step in way.steps]
    assert data["from"]["score"] + sum(step["points"] for step in data["steps"]) == pytest.approx(data["to"]["score"])
    assert (data["from"]["dialects"], data["to"]["signature"]) == (["nltk"], way.end.signature)


@pytest.mark.parametrize("result", ["way", "groups"])
def test_texts_stay_texts_in_every_view(result):
    corpus = [MARKUP, "a b"], [f"{MARKUP} x", "a b"]
    made = group_dialects(*corpus) if result == "groups" else bp.reconcile(*corpus, "nltk", "sacrebleu")
    html = render_document(made)
    assert "<script>" not in html
    assert ' style="' not in html
    assert "<script>" not in render(made, "markdown")
    assert str(made)


def test_the_waterfall_stands_on_the_scores():
    html = bp.reconcile(CANDIDATES, REFERENCES, "nltk", "sacrebleu")._repr_html_()
    assert 'aria-label="start 22.12, tokenizer +6.08, segment totals +0.55, end 28.74"' in html


FILES = [EXAMPLES / name for name in ("candidate-b.txt", "reference-1.txt", "reference-2.txt")]


def test_the_command_shows_what_the_library_finds(output):
    way = bp.reconcile(CANDIDATES, REFERENCES, "nltk", "sacrebleu")
    ends = ("--from", "nltk", "--to", "sacrebleu")
    assert json.loads(output("reconcile", *FILES, *ends, "--format", "json")) == json.loads(json.dumps(way.to_dict()))
    assert output("reconcile", *FILES, *ends) == f"{way}\n"
    assert output("reconcile", *FILES, *ends, "--format", "markdown") == render(way, "markdown")
    assert output("reconcile", *FILES, *ends, "--format", "html") == render_document(way) + "\n"
    groups = group_dialects(CANDIDATES, REFERENCES)
    assert json.loads(output("reconcile", *FILES, "--all", "--format", "json")) == json.loads(
        json.dumps(groups.to_dict())
    )


def test_the_command_groups_the_dialects_of_a_metric(run, output):
    groups = group_dialects(CANDIDATES, REFERENCES, "ter")
    assert output("reconcile", *FILES, "--all", "-m", "ter") == f"{groups}\n"
    refused = run("reconcile", *FILES, "--from", "ter", "--to", "torchmetrics-ter", "-m", "ter")
    assert "--all" in refused.err


@pytest.mark.parametrize("ends", [(), ("--from", "nltk"), ("--to", "nltk"), ("--from", "nltk", "--all")])
def test_the_command_wants_both_ends_or_all(run, ends):
    outcome = run("reconcile", *FILES, *ends)
    assert (outcome.code, outcome.out) == (2, "")
    assert "--from and --to, or --all" in outcome.err


@pytest.mark.parametrize(
    ("candidate", "change", "sentence"),
    [
        ("A b", {"case": "lower"}, "In 1 segment of 1 other n-grams match: 1 instead of 0 2-grams."),
        (
            "a b c",
            {"segment_totals": "at-least-1"},
            "In 1 segment of 1 the candidate is shorter than an order; together the candidates now have "
            "1 instead of 0 4-grams and 1 instead of 0 5-grams.",
        ),
    ],
)
def test_counts_beyond_n_that_smoothing_looks_at_are_told(candidate, change, sentence):
    start = bp.Recipe.named("paper").replace(order=1, smoothing="nltk-method5")
    way = bp.reconcile([candidate], [["A x b y a b"]], start, start.replace(**change))
    assert [step.sentence for step in way.steps] == [sentence]
