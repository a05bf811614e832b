"""chrF's definition, in numbers that can be checked by hand; its recipes, signatures, notes, and its verbs."""

import json
import math
import pickle
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint import results
from bleuprint.errors import BleuprintError, Location, RecipeError
from bleuprint.metrics import module_of
from bleuprint.metrics.chrf.counting import chrf_layout, split_text, split_words
from bleuprint.metrics.chrf.recipe import AXES, DIALECTS
from bleuprint.recipes.registry import find_metric
from engine_process import ENGINES, answer
from score_values import values_of

ChrfRecipe, ChrfStats = results.ChrfRecipe, results.ChrfStats
CHRF = bp.Recipe.named("chrf")
CORPUS_CHRF = [name for name in DIALECTS if name != "nltk-chrf"]
TEXTS = st.text(alphabet="ab .\t", max_size=9)
SEGMENTS = st.lists(st.tuples(TEXTS, st.lists(TEXTS, min_size=1, max_size=3)), min_size=1, max_size=4)


def counting(**choices):
    return CHRF.replace(**choices).counting


def codes(score):
    return [note.code for note in score.notes]


# Characters and words

WHITESPACE = {
    "removed": "abcd",
    "removed-unicode": "abc\x1fd",
    "spaces-removed": "ab\tc\x1f\u00a0d",
    "kept": "\ta b\tc\x1f\u00a0d \n",
}


@pytest.mark.parametrize("rule", WHITESPACE)
def test_white_space_is_treated_as_the_rule_says(rule):
    assert split_text("\ta b\tc\x1f\u00a0d \n", counting(whitespace=rule)).characters == WHITESPACE[rule]


def test_one_sign_of_a_word_is_parted_the_last_or_else_the_first():
    text = "(hi) (you 'tis it's end. ... . «so» x!"
    words = ["(hi", ")", "(", "you", "'", "tis", "it's", "end", ".", "..", ".", ".", "«so»", "x", "!"]
    assert split_words(text) == words


def test_words_are_the_same_however_white_space_is_treated():
    assert {split_text(" a b\u00a0c ", counting(whitespace=rule)).words for rule in WHITESPACE} == {("a", "b", "c")}


def test_case_is_lowered_before_anything_is_counted():
    assert split_text("Äb C", counting(case="lower")) == ("äbc", ("äb", "c"))
    assert split_text("Äb C", counting(case="lower-ascii")) == ("Äbc", ("Äb", "c"))


# Counts


def test_the_counts_of_a_segment_by_hand():
    [stats] = bp.statistics(["abab c."], ["abc c"], CHRF.replace(char_order=3, word_order=2))
    # candidate ababc., words abab, c and "."; reference abcc, words abc and c
    assert stats == ChrfStats(
        matches=(3, 2, 1, 1, 0),
        candidate=(6, 5, 4, 3, 2),
        reference=(4, 3, 2, 2, 1),
        candidate_length=6,
        reference_length=4,
    )


def test_the_candidates_ngrams_count_where_the_reference_has_that_order_or_always():
    for rule, candidate in (("where-reference-has", (4, 3, 0)), ("always", (4, 3, 2))):
        [stats] = bp.statistics(["abcd"], ["ab"], CHRF.replace(char_order=3, candidate_totals=rule))
        assert (stats.matches, stats.candidate, stats.reference) == ((2, 1, 0), candidate, (2, 1, 0))


def test_the_reference_of_a_segment_without_a_match_counts_or_is_dropped():
    kept, dropped = (
        bp.statistics(["ab"], [["xyz", "x"]], CHRF.replace(char_order=2, unmatched_segment=rule))[0]
        for rule in ("counted", "reference-dropped")
    )
    assert kept == ChrfStats((0, 0), (2, 1), (3, 2), 2, 3)
    assert dropped == ChrfStats((0, 0), (2, 1), (0, 0), 2, 3)


def test_the_best_reference_is_the_one_with_the_highest_f_and_the_first_on_a_tie():
    recipe = CHRF.replace(char_order=1)
    long, short = "ab" + "x" * 6, "a"  # P 2/2, R 2/8 or P 1/2, R 1
    assert bp.statistics(["ab"], [[long, short]], recipe.replace(beta=2))[0].reference_length == 1
    assert bp.statistics(["ab"], [[long, short]], recipe.replace(beta=0))[0].reference_length == 8
    tied = [bp.statistics(["ab"], [pair], recipe)[0] for pair in (["ax", "bxx"], ["bx", "ax"])]
    assert [stats.reference_length for stats in tied] == [2, 2]
    nothing = bp.statistics(["ab"], [["x", "yy"]], recipe)[0]
    assert nothing.reference_length == 1


# Formula

P1, R1 = 2 / 3, 2 / 4
P2, R2 = 1 / 2, 1 / 3


def f_of(precision, recall, beta=2):
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


def score_of(averaging, beta=2, **choices):
    # abx against abyz: 2 of 3 and 4 characters, 1 of 2 and 3 pairs, no triple, and no run of four in the candidate
    recipe = CHRF.replace(char_order=4, averaging=averaging, beta=beta, **choices)
    return bp.score_sentence("ab x", "a byz", recipe)


def test_effective_order_takes_f_of_the_means_over_orders_that_both_sides_have():
    precision, recall = (P1 + P2 + 0) / 3, (R1 + R2 + 0) / 3
    score = score_of("effective-order")
    assert score.score == pytest.approx(100 * f_of(precision, recall), rel=1e-14)
    assert (score.combination.precision, score.combination.recall) == pytest.approx((precision, recall), rel=1e-14)
    assert score.precisions == (P1, P2, 0.0, None)
    assert score_of("effective-order", beta=0).score == pytest.approx(100 * precision, rel=1e-14)


@pytest.mark.parametrize("beta", [0, 0.5, 1, 2, 3])
def test_each_order_takes_the_mean_of_f_over_all_orders(beta):
    score = score_of("each-order", beta)
    assert score.score == pytest.approx(100 * (f_of(P1, R1, beta) + f_of(P2, R2, beta)) / 4, rel=1e-14)
    assert score.f_scores[2:] == (0.0, 0.0)


def test_eps_and_nltk_differ_from_that_where_nothing_matches():
    assert score_of("each-order-eps").f_scores[2:] == (1e-16, 0.0)  # P = R = 0; P = 1e-16, R = 0
    assert score_of("each-order-eps", beta=0).f_scores[2:] == (1e-16, 1e-16)  # where R alone is divided by
    assert score_of("each-order-nltk").f_scores[2:] == (1e-16, 1e-16)


NOTHING = {"effective-order": 0.0, "each-order": 0.0, "each-order-eps": 1e-14, "each-order-nltk": 1e-14}


@pytest.mark.parametrize("averaging", NOTHING)
def test_without_a_match_a_score_is_0_or_the_tiny_number_of_the_tool(averaging):
    recipe = CHRF.replace(averaging=averaging)
    for candidate, reference in (("abcdefg", "tuvwxyz"), ("abcdefg", ""), ("", "")):
        assert bp.score_sentence(candidate, reference, recipe).score == pytest.approx(NOTHING[averaging], rel=1e-12)


def test_an_empty_candidate_is_0_under_eps_but_for_orders_that_the_reference_lacks():
    eps = CHRF.replace(averaging="each-order-eps")
    assert bp.score_sentence("", "abcde", eps).score == pytest.approx(100 * 1e-16 / 6, rel=1e-12)
    assert bp.score_sentence("", "abcdef", eps).score == 0.0


# A perfect candidate


@pytest.mark.parametrize("dialect", DIALECTS)
@given(st.text(alphabet="abc ,", min_size=8, max_size=30).filter(lambda text: len("".join(text.split())) >= 6))
@settings(max_examples=30)
def test_a_candidate_equal_to_a_reference_scores_exactly_100(dialect, text):
    recipe = bp.Recipe.named(dialect)
    words = split_words(text)
    if recipe.word_order <= len(words) or recipe.averaging == "effective-order":
        assert bp.score_sentence(text, ["x y", text], recipe).score == 100.0


@pytest.mark.parametrize("length", range(1, 6))
def test_only_effective_order_gives_100_to_a_perfect_candidate_shorter_than_the_highest_order(length):
    text = "abcde"[:length]
    assert bp.score_sentence(text, text, CHRF).score == 100.0
    for averaging in ("each-order", "each-order-eps", "each-order-nltk"):
        broken = bp.score_sentence(text, text, CHRF.replace(averaging=averaging))
        assert broken.score == pytest.approx(100 * length / 6, rel=1e-12)
        assert "with effective order chrF2 is 100.00" in broken.notes[0].text


# Laws


@pytest.mark.parametrize("dialect", CORPUS_CHRF)
@settings(max_examples=60)
@given(first=SEGMENTS, second=SEGMENTS)
def test_statistics_add_up_in_any_order(dialect, first, second):
    def table(segments):
        return bp.statistics([c for c, _ in segments], [r for _, r in segments], dialect)

    whole, parts = table(first + second), (table(first), table(second))
    assert whole.sums() == parts[0].sums() + parts[1].sums() == table((first + second)[::-1]).sums()
    added = bp.Accumulator(dialect)
    for candidate, references in first + second:
        added.add(candidate, references)
    corpus = bp.score([c for c, _ in first + second], [r for _, r in first + second], dialect)
    assert (values_of(added.score()), added.score().score) == (values_of(corpus), corpus.score)
    assert 0 <= corpus.score <= 100
    assert bp.Accumulator.from_bytes(added.to_bytes()) == added
    assert sum(whole, ChrfStats.zero(whole.layout.order)) == corpus.stats


@settings(max_examples=100)
@given(SEGMENTS)
def test_matches_never_exceed_either_side(segments):
    for stats in bp.statistics([c for c, _ in segments], [r for _, r in segments], "chrf++"):
        assert all(m <= min(c, r) for m, c, r in zip(stats.matches, stats.candidate, stats.reference, strict=True))


@settings(max_examples=60)
@given(SEGMENTS, st.sampled_from(sorted(DIALECTS)))
def test_the_evidence_recounts_to_the_statistics_and_the_arithmetic_to_the_score(segments, dialect):
    for candidate, references in segments:
        explanation = bp.explain(candidate, references, dialect)
        evidence, stats = explanation.evidence, explanation.score.stats
        for place, line in enumerate(explanation.arithmetic.orders):
            ngrams = evidence.ngrams_of(line.unit, line.order)
            assert sum(n.matches for n in ngrams) == stats.matches[place] == line.matches
            assert sum(n.reference_count for n in ngrams) >= line.reference
            assert sum(n.count for n in ngrams) >= line.candidate
        assert len(evidence.candidate_view) == stats.candidate_length
        shown = "".join(candidate[slice(*part.span)] for part in evidence.candidate_view)
        assert shown == evidence.candidate_parts.characters
        matched = sum(part.longest_match > 0 for part in evidence.candidate_view)
        assert (matched > 0) == (stats.matches[0] > 0)
        json.dumps(explanation.to_dict(), allow_nan=False)


def test_characters_are_shaded_by_the_longest_match():
    view = bp.explain("abxa", "ab", "chrf").evidence.candidate_view
    assert [(part.character, part.longest_match, part.status) for part in view] == [
        ("a", 2, "matched"), ("b", 2, "matched"), ("x", 0, "unmatched"), ("a", 0, "clipped"),
    ]  # fmt: skip


# Verbs

CANDIDATES = ["The cat sat on a mat.", "It purred", ""]
REFERENCES = [["The cat sat on the mat.", "A cat sat."], ["It purrs."], ["So it did."]]


@pytest.mark.parametrize("engine", ENGINES)
def test_every_verb_takes_chrf_under_both_engines(engine):
    program = f"""
import json, bleuprint as bp
c, r = {CANDIDATES!r}, {REFERENCES!r}
def values_of(score): return score.stats, score.recipe
numbers = []
for name in {CORPUS_CHRF!r}:
    whole = bp.score(c, r, name)
    values = values_of(whole)
    assert values_of(bp.score(c, r, name, threads=2)) == values == values_of(bp.References(r, name).score(c))
    assert values_of(bp.score_documents(c, r, ["x"] * 3, name)["x"]) == values
    assert list(bp.score_segments(c, r, name).scores) == [bp.score_sentence(*pair, name).score for pair in zip(c, r)]
    assert bp.pairwise(c, r, name)[0][0] == bp.score_sentence(c[0], r[0], name).score
    assert bp.choose_best(c, r, name).place == 0
    assert values_of(bp.score_recipes(c, r, ["sacrebleu", name])[1]) == values
    assert bp.statistics(c, r, name).sum_row() == whole.stats.to_row()
    numbers.append(whole.score)
print(json.dumps([bp.engine().name, numbers]))
"""
    name, numbers = answer(program, engine)
    assert name == engine
    assert numbers == [bp.score(CANDIDATES, REFERENCES, dialect).score for dialect in CORPUS_CHRF]


@pytest.mark.parametrize("recipe", ["chrf", "ter"])
def test_tokens_are_refused_with_advice_that_can_be_followed(recipe):
    with pytest.raises(bp.BleuprintError, match=r"candidates\[0\]: expected a text, got .*") as refused:
        bp.score([["a", "b"]], [["a b"]], recipe)
    assert "pretokenized" in refused.value.fix


def test_nltks_recipe_is_for_one_segment():
    with pytest.raises(RecipeError, match="for one segment only, got 3 segments"):
        bp.score(CANDIDATES, REFERENCES, "nltk-chrf")
    assert len(bp.score_segments(CANDIDATES, REFERENCES, "nltk-chrf").scores) == 3


def test_a_score_is_a_number_with_a_name_that_pickles_and_prints():
    score = bp.score(CANDIDATES, REFERENCES, "chrf++")
    assert float(score) == score.score == pytest.approx(100 * score.fraction)
    assert (score.label, score.metric.name, repr(score)) == ("chrF2++", "chrF", f"<chrF2++ {score.score:.2f}>")
    assert values_of(pickle.loads(pickle.dumps(score))) == values_of(score)
    assert score.summary().endswith(str(score.recipe))
    assert "chrF2++" in score._repr_html_()
    assert json.loads(json.dumps(score.to_dict()))["orders"][-2:] == ["w1", "w2"]


def test_a_score_in_the_readers_hands_keeps_its_recipe():
    stats = bp.score(CANDIDATES, REFERENCES, "chrf").stats
    assert results.ChrfScore(stats, "chrf").score == bp.score(CANDIDATES, REFERENCES, "chrf").score
    with pytest.raises(RecipeError, match="a recipe of chrF"):
        results.ChrfScore(stats, "sacrebleu")
    with pytest.raises(BleuprintError, match="needs statistics of chrf up to order 8"):
        results.ChrfScore(stats, "chrf++")
    with pytest.raises(BleuprintError, match="of order 6 and of order 8"):
        assert stats + ChrfStats.zero(8)


# Notes

NOTED = {
    "empty-candidate": ("chrf", [" "], ["abc"]),
    "empty-reference": ("chrf", ["abc"], [""]),
    "no-match": ("chrf", ["abc"], ["xyz"]),
    "empty-candidates": ("chrf", ["abc", ""], ["abc", "abc"]),
    "empty-references": ("torchmetrics-chrf", ["abc", "abc"], ["abc", ""]),
    "dropped-references": ("torchmetrics-chrf", ["abc", "abc"], ["abc", "xyz"]),
    "absent-orders": ("chrf++", ["abc"], ["abc"]),
    "short-corpus": ("chrf", ["abcdefgh"], ["abcdefgh"]),
}


@pytest.mark.parametrize("code", NOTED)
def test_what_is_worth_a_note_has_one(code):
    recipe, candidates, references = NOTED[code]
    assert code in codes(bp.score(candidates, references, recipe))
    assert codes(bp.score(["abcdefgh ij"] * 99, ["abcdefgh ij"] * 99, recipe)) == []


def test_notes_say_what_the_recipe_makes_of_it():
    notes = {
        note.code: note.text
        for recipe in ("chrf", "torchmetrics-chrf")
        for note in bp.score(["abcdefgh", "", "abc"], ["abcdefgh", "abc", ""], recipe).notes
    }
    assert notes["empty-candidates"].endswith("this recipe does not count its reference, so that costs nothing")
    assert notes["empty-references"].endswith("reference: precision counts all of the candidate as wrong")
    plain = {note.code: note.text for note in bp.score(["abc", ""], ["abc", "abc"], "chrf").notes}
    assert plain["empty-candidates"] == "1 of 2 candidates is empty: recall counts all of its reference as missed"
    assert plain["absent-orders"] == (
        "candidate and reference do not both have character 4-grams, 5-grams or 6-grams: "
        "these orders are left out (effective order)"
    )


def test_an_empty_reference_beside_others_is_told_without_words_of_bleu():
    [note] = bp.score_sentence("abcdefg", ["abcdefg", ""], "chrf").notes
    assert (note.code, note.text.partition(": ")[2].partition(";")[0]) == (
        "empty-reference-texts",
        "it counts as a reference without n-grams, in which nothing matches",
    )


# Recipes and signatures

SIGNATURE = "nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0"


def test_every_dialect_prints_a_signature_that_names_its_metric_and_parses_back():
    for name in DIALECTS:
        recipe = bp.Recipe.named(name)
        assert str(recipe).startswith("bleuprint:2|metric:chrf|case:")
        assert bp.Recipe.parse(str(recipe)) == recipe == bp.Recipe.of(f"chrF = 1.00 {recipe}")
        assert recipe.names == (name,)
        assert isinstance(recipe, ChrfRecipe)
    assert str(CHRF) == (
        "bleuprint:2|metric:chrf|case:mixed|nc:6|nw:0|beta:2|space:removed|totals:where-reference-has"
        "|unmatched:counted|avg:effective-order"
    )


@given(
    st.fixed_dictionaries(
        {
            "char_order": st.integers(1, 100),
            "word_order": st.integers(0, 100),
            "beta": st.floats(0, 1_000_000),
            **{field: st.sampled_from(sorted(axis.choices)) for field, axis in AXES.items() if axis.choices},
        }
    )
)
def test_every_recipe_round_trips(choices):
    recipe = ChrfRecipe(**choices)
    assert bp.Recipe.parse(str(recipe)) == recipe == pickle.loads(pickle.dumps(recipe))
    assert {field: getattr(recipe, field) for field in choices} == choices


def test_sacrebleus_signatures_parse_long_short_and_with_their_name():
    assert bp.Recipe.parse(SIGNATURE) == bp.Recipe.of(SIGNATURE) == CHRF
    assert bp.Recipe.parse("#:1|c:mixed|e:yes|nc:6|nw:0|s:no|v:2.6.0") == CHRF
    assert bp.Recipe.parse(f"chrF2|{SIGNATURE} = 48.7") == CHRF
    other = bp.Recipe.parse("chrF3++|nrefs:var|bs:1000|seed:12345|case:lc|eff:no|nc:5|nw:2|space:yes|version:2.6.0")
    assert other == CHRF.replace(
        beta=3, case="lower", averaging="each-order-eps", char_order=5, word_order=2, whitespace="kept"
    )


def test_signatures_of_sacrebleu_1_parse_to_what_it_counted():
    old = CHRF.replace(candidate_totals="always")
    line = "chrF2+lang.en-de+numchars.6+space.false+test.wmt17+version.1.5.1"
    assert bp.Recipe.parse(line) == bp.Recipe.of(f"{line} = 0.475") == old
    assert bp.Recipe.of("chrF3+l.en-de+n.4+s.true+t.wmt17+v.1.4.14") == old.replace(
        beta=3, char_order=4, whitespace="kept"
    )
    assert bp.Recipe.of("chrF2++|nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no") == bp.Recipe.named("chrf++")


@pytest.mark.parametrize(
    ("line", "where"),
    [
        ("chrF2+numchars.6+version.1.5.1", "signature"),
        ("chrF2+numchars.6+space.no", "signature"),
        (SIGNATURE.replace("|eff:yes", ""), "signature"),
        (SIGNATURE.replace("nc:6", "nc:six"), "recipe, char_order"),
        (SIGNATURE.replace("space:no", "space:some"), "signature"),
        (SIGNATURE.replace("nc:6", "nc:6|tok:13a"), "signature"),
        (f"chrF2++|{SIGNATURE}", "signature"),
        (SIGNATURE.replace("nc:6", "nc:0"), "recipe, char_order"),
        (str(CHRF).replace("|nw:0", ""), "signature"),
        (str(CHRF).replace("bleuprint:2", "bleuprint:1"), "signature"),
        (str(CHRF).replace("|metric:chrf", ""), "signature"),
        (str(CHRF).replace("metric:chrf", "metric:chr"), ""),
        (str(CHRF).replace("beta:2", "beta:two"), "signature, beta"),
        (str(CHRF).replace("nc:6", "nc:x"), "signature, nc"),
    ],
)
def test_a_signature_that_is_none_is_refused(line, where):
    with pytest.raises(RecipeError) as caught:
        bp.Recipe.parse(line)
    assert caught.value.where == where


def test_a_recipe_prints_as_sacrebleu_prints_it_or_is_refused():
    assert CHRF.sacrebleu_signature() == SIGNATURE
    assert bp.Recipe.named("chrf++").replace(case="lower").sacrebleu_signature("var") == (
        "nrefs:var|case:lc|eff:yes|nc:6|nw:2|space:no|version:2.6.0"
    )
    for recipe in (CHRF.replace(beta=3), CHRF.replace(case="lower-ascii"), bp.Recipe.named("torchmetrics-chrf")):
        with pytest.raises(RecipeError):
            recipe.sacrebleu_signature()
    with pytest.raises(RecipeError) as caught:
        CHRF.sacrebleu_signature(0)
    assert caught.value.where == "nrefs"


@pytest.mark.parametrize(
    "choice",
    [
        {"char_order": 0}, {"char_order": 6.0}, {"word_order": -1}, {"beta": -1}, {"beta": math.nan}, {"beta": "2"},
        {"whitespace": "gone"},
    ],
)  # fmt: skip
def test_a_choice_that_an_axis_does_not_have_is_refused(choice):
    with pytest.raises(RecipeError) as caught:
        CHRF.replace(**choice)
    assert caught.value.location == Location("recipe", option=next(iter(choice)))


def test_an_option_of_another_metric_is_refused():
    with pytest.raises(RecipeError) as caught:
        CHRF.replace(tokenizer="13a")
    assert caught.value.values == tuple(AXES)


def test_labels_are_sacrebleus():
    labels = {bp.Recipe.named(name).label for name in DIALECTS}
    assert labels == {"chrF2", "chrF2++", "chrF3"}
    assert CHRF.replace(beta=0.5, word_order=1).label == "chrF0.5+"


def test_minus_zero_is_zero():
    assert str(CHRF.replace(beta=-0.0)) == str(CHRF.replace(beta=0))


def test_recipes_of_different_metrics_have_no_axes_in_common():
    for way in (lambda: bp.reconcile(["a"], ["a"], "chrf", "sacrebleu"), lambda: CHRF.differing_axes(bp.Recipe())):
        with pytest.raises(RecipeError, match="A recipe of chrF cannot be compared with a recipe of BLEU"):
            way()


def test_dialects_are_listed_for_all_metrics_or_one():
    assert list(bp.Recipe.dialects("chrf")) == list(DIALECTS)
    assert {*bp.Recipe.dialects("bleu"), *DIALECTS, *bp.Recipe.dialects("ter")} == set(bp.Recipe.dialects())
    with pytest.raises(RecipeError) as caught:
        bp.Recipe.dialects("chr")
    assert caught.value.location == Location("metric")


def test_what_is_read_back_must_be_possible():
    sums = bp.statistics(CANDIDATES, REFERENCES, "chrf").sums()
    assert sums.is_possible
    for place in (2, 8, 14):  # a match, an n-gram of the candidate, one of the reference more than there can be
        row = list(sums.row)
        row[place] = 1000
        assert not sums.replace(row=tuple(row)).is_possible
    assert not sums.replace(census=(3, 4, 0, 0)).is_possible


def test_a_row_has_a_column_for_each_number():
    layout = chrf_layout(counting(char_order=2, word_order=1))
    assert layout.columns == (
        "candidate_length", "reference_length", "matches_c1", "matches_c2", "matches_w1",
        "candidate_c1", "candidate_c2", "candidate_w1", "reference_c1", "reference_c2", "reference_w1",
    )  # fmt: skip
    assert layout.census_columns == ("segments", "empty_candidates", "empty_references", "unmatched")


def test_a_search_with_one_reference_counts_once_whatever_beta_and_averaging_are():
    search = module_of(find_metric("chrf"), "search")
    recipes = [recipe for _, recipe in search.list_readings(several_references=False)]
    assert len(set(recipes)) == len(recipes)
    assert recipes[: len(DIALECTS)] == list(bp.Recipe.dialects("chrf").values())
    betas = [CHRF.replace(beta=beta, averaging="each-order-eps") for beta in (1, 2, 3)]
    assert len({search.search_layout(recipe, True) for recipe in betas}) == 1
    assert len({search.search_layout(recipe, False) for recipe in betas}) == 3


@pytest.mark.parametrize(("start", "end"), list(permutations(CORPUS_CHRF, 2)))
def test_a_way_between_two_dialects_ends_at_the_other_score(start, end):
    way = bp.reconcile(CANDIDATES, REFERENCES, start, end)
    assert (way.start.score, way.end.score) == tuple(
        bp.score(CANDIDATES, REFERENCES, one).score for one in (start, end)
    )
    assert [step.axis for step in way.steps] == sorted(
        bp.Recipe.named(start).differing_axes(bp.Recipe.named(end)),
        key=module_of(find_metric("chrf"), "changes").PIPELINE.index,
    )
    assert way.steps[-1].after.score == way.end.score
    assert all(step.sentence for step in way.steps)
    assert str(way)
