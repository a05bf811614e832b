"""Notes say why a score is not what one may have expected: each code with the smallest input that raises it."""

from __future__ import annotations

import pickle
import re
import warnings

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.cli.commands import cli
from bleuprint.findings.comparison import compare_statistics
from bleuprint.findings.reconciliation import group_dialects
from bleuprint.recipes.recipe import Recipe
from bleuprint.scoring import text_notes
from bleuprint.text.faults import Faults
from bleuprint.wording import format_score
from score_values import values_of
from strategies import as_text, recipes, word_corpora

PAPER = Recipe.named("paper")
PAIR = ["a b c d", "e f g h i"]
LONGER = ["a b c d", "e f g h i j k l"]


def sentence(candidate, references, recipe="sacrebleu"):
    return lambda: bp.score_sentence(candidate, references, recipe)


def corpus(candidates, references, recipe="sacrebleu"):
    return lambda: bp.score(candidates, references, recipe)


def copy_of(text, recipe="sacrebleu"):
    """Score a text against itself."""
    return sentence(text, text, recipe)


def left_out(**counts):
    """A score that says how many rows of a table were left out."""
    return lambda: bp.BleuScore(bp.BleuStats.zero(4), "sacrebleu", skipped=Faults(counts))


# Each code: what raises it, and the nearest input that does not.
NOTES = {
    "skipped-rows": (left_out(**{"no-reference": 2}), left_out()),
    "empty-candidate": (sentence("", "a"), sentence("a", "a")),
    "empty-reference": (sentence("a", ""), sentence("a", ["", "b"])),
    "no-match": (sentence("a", "b"), sentence("a b", "a c")),
    "all-dropped": (
        copy_of("a", PAPER.replace(weights=(0, 1), absent_order="drop")),
        copy_of("a b", PAPER.replace(weights=(0, 1), absent_order="drop")),
    ),
    "empty-candidates": (corpus(["a", ""], ["a", "b"]), corpus(["a", "c"], ["a", "b"])),
    "empty-references": (corpus(["a", "b"], ["a", ""]), corpus(["a", "b"], ["a", ["", "c"]])),
    "empty-reference-texts": (sentence("a", ["a", " "]), sentence("a", ["a", None])),
    "absent-orders": (copy_of("a b c"), copy_of("a b c d")),
    "unmatched-orders": (sentence("a b c d", "a b c e"), sentence("a b c d", "a b c d e")),
    "smoothing-added": (copy_of("a b", "nltk-method2"), copy_of("a b", PAPER.replace(smoothing="add-k", order=1))),
    "smoothing-blended": (copy_of("a b c d", "nltk-method5"), copy_of("a b c d", "nltk-method4")),
    "above-hundred": (copy_of("a b c d", "nltk-method5"), sentence("a b c d", "a b c x", "nltk-method5")),
    "no-trigram": (copy_of("a b", "nltk-method6"), copy_of("a b c", "nltk-method6")),
    "short-segments": (copy_of("a b c", "nltk"), copy_of("a b c d", "nltk")),
    "much-shorter": (sentence("a b c d", "a b c d e f g"), sentence("a b c d", "a b c d e f")),
    "short-corpus": (corpus(["a " * 99], ["a " * 99]), corpus(["a " * 100], ["a " * 100])),
    "weights": (copy_of("a b", PAPER.replace(weights=(0.5, 0.6))), copy_of("a b", PAPER.replace(weights=(0.1,) * 10))),
    "looks-tokenised": (copy_of("a , b , c ."), copy_of("a , b , c.")),
    "looks-subword": (copy_of("a@@ b@@ c@@ d"), copy_of("a@@ b@@ c @@ d @ d@@e")),
    "unspaced-script": (copy_of("中文字ab"), copy_of("中文字abc")),
    "transposed": (corpus(PAIR, [PAIR, ["x", "y"]]), corpus(LONGER, [LONGER, ["x", "z e f g h i j k l"]])),
}


ROWS = [" ".join(f"{letter}{row}" for letter in "abcdef") for row in range(100)]
"""No row has a word of another."""
SHIFTED = [*ROWS[1:], ROWS[0]]
NOTES |= {"looks-misaligned": (corpus(ROWS, SHIFTED), corpus(ROWS[:99], SHIFTED[:99]))}


def codes(score):
    return {note.code for note in score.notes}


def text_of(score, code):
    (text,) = (note.text for note in score.notes if note.code == code)
    return text


@pytest.mark.parametrize("code", NOTES)
def test_a_note_is_raised_by_its_reason_and_not_by_a_near_miss(code):
    reason, near_miss = NOTES[code]
    assert code in codes(reason())
    assert code not in codes(near_miss())


def test_an_ordinary_score_has_no_notes():
    text = "It is what it is, and 1,000 words say so. " * 10
    assert bp.score([text], [text]).notes == ()
    assert bp.score_sentence(text, text).notes == ()


# Orders without n-grams


def test_hello_world_is_told_its_score_with_effective_order():
    score = bp.score_sentence("hello world", "hello world", "sacrebleu")
    assert score.score == 0.0
    assert text_of(score, "absent-orders") == (
        "the candidate has 2 tokens, so it has no 3-grams or 4-grams: "
        "BLEU-4 is 0 by definition; with effective order it is 100.00"
    )
    assert bp.score_sentence("hello world", "hello world").score == 100.0


@pytest.mark.parametrize(
    ("candidate", "reference", "note"),
    [
        (
            "a b",
            "a b",
            "the candidate has 2 tokens, so it has no 3-grams or 4-grams: "
            "BLEU-3 and BLEU-4 count as 0 in the mean by definition",
        ),
        ("a b c d e", "a b c x e", "no 4-gram matches: BLEU-4 counts as 0 in the mean"),
    ],
    ids=["absent", "unmatched"],
)
def test_a_mean_over_orders_says_which_of_them_are_zero(candidate, reference, note):
    recipe = PAPER.replace(across_orders="mean")
    assert [str(one) for one in bp.score_sentence(candidate, reference, recipe).notes] == [note]


EFFECTIVE = "with effective order"
WITHOUT = "without smoothing BLEU-2 is 0.00"


@pytest.mark.parametrize(
    ("changes", "outcome"),
    [
        ({"absent_order": "drop"}, "they are left out (effective order); counted, they would make BLEU-2 0"),
        ({"absent_order": "one"}, f"they count as precision 1; {EFFECTIVE} BLEU-2 is 36.79"),
        ({"smoothing": "exp"}, f"BLEU-2 is 0 by definition; {EFFECTIVE} it is 36.79"),
        (
            {"smoothing": "epsilon(0.25)"},
            f"epsilon(0.25) smoothing set p2 = 0.2500; {WITHOUT}, {EFFECTIVE} instead 36.79",
        ),
        ({"smoothing": "add-k"}, f"add-k(1) smoothing set p2 = 1.0000; {WITHOUT}, {EFFECTIVE} instead 36.79"),
    ],
    ids=str,
)
def test_an_absent_order_is_explained_by_the_rule_of_the_recipe(changes, outcome):
    score = bp.score_sentence("a", "a b", PAPER.replace(order=2, **changes))
    assert text_of(score, "absent-orders") == f"the candidate has 1 token, so it has no 2-grams: {outcome}"


def test_a_corpus_without_long_candidates_says_so():
    score = bp.score(["a b", "c"], ["a b", "c"])
    assert text_of(score, "absent-orders").startswith("no candidate has more than 2 tokens, so there are no 3-grams or")


@pytest.mark.parametrize(("candidate", "reference"), [("a", "a"), ("a b", "b a")], ids=["absent", "unmatched"])
def test_an_order_without_weight_is_not_said_to_make_the_score_0(candidate, reference):
    score = bp.score_sentence(candidate, reference, PAPER.replace(weights=(1, 0)))
    assert score.score == 100.0
    assert "BLEU-2 is 0" not in str(score)


# Smoothing


@pytest.mark.parametrize(
    ("changes", "outcome"),
    [
        ({}, "BLEU-2 is 0; with exp smoothing it is 50.00"),
        ({"smoothing": "epsilon(0.1)"}, f"epsilon(0.1) smoothing set p2 = 0.0500; {WITHOUT}"),
        ({"smoothing": "floor(0.1)"}, f"floor(0.1) smoothing set p2 = 0.0500; {WITHOUT}"),
        ({"smoothing": "exp"}, f"exp smoothing set p2 = 0.2500; {WITHOUT}"),
        ({"smoothing": "nltk-method4"}, f"nltk-method4(5) smoothing set p2 = 0.0549; {WITHOUT}"),
        ({"smoothing": "exp", "unmatched_order": "skip"}, f"exp smoothing set p2 = 0.2500; {WITHOUT}"),
        ({"unmatched_order": "skip"}, "this recipe skips them, which counts them as precision 1"),
        ({"unmatched_order": "smallest-float"}, "NLTK puts the smallest float in their place"),
    ],
    ids=str,
)
def test_an_unmatched_order_is_explained_by_the_rule_of_the_recipe(changes, outcome):
    score = bp.score_sentence("a b c", "c b a", PAPER.replace(order=2, **changes))
    assert text_of(score, "unmatched-orders").startswith(f"no 2-gram matches: {outcome}")


@pytest.mark.parametrize(("smoothing", "first"), [("add-k(1)", 2), ("add-k-all(2)", 1)])
def test_add_k_names_the_score_without_it_even_when_every_order_matches(smoothing, first):
    score = bp.score_sentence("a b c d e x", "a b c d e y", PAPER.replace(smoothing=smoothing))
    without = bp.score_sentence("a b c d e x", "a b c d e y", PAPER)
    assert without.score > 0
    assert text_of(score, "smoothing-added") == (
        f"{smoothing} smoothing changed the precisions from order {first} on; "
        f"without smoothing BLEU-4 is {without.score:.2f}"
    )


@pytest.mark.parametrize("smoothing", ["exp", "floor", "epsilon"])
def test_smoothing_that_changed_nothing_has_no_note(smoothing):
    assert bp.score_sentence("a b c d e", "a b c d", PAPER.replace(smoothing=smoothing)).notes == ()


def test_a_recipe_that_gives_0_before_smoothing_says_which_order_is_to_blame():
    score = bp.score_sentence("a b", "b a", PAPER.replace(nothing_matches="zero-if-any", order=2))
    assert text_of(score, "no-match") == "no 2-gram matches: this recipe gives 0 before any smoothing"


# What a note says about another recipe

NUMBER = r"(\d+\.\d\d\b|\d\.?\d*e-\d+)"
STATED = {
    rf"; with effective order (?:.* is )?{NUMBER}": ({"absent_order": "drop"}, {"averaging": "effective-order"}),
    f"with effective order instead {NUMBER}": (
        {"smoothing": "none", "unmatched_order": "zero", "absent_order": "drop"},
    ),
    f"without smoothing .*? is {NUMBER}": ({"smoothing": "none", "unmatched_order": "zero"},),
    rf"with exp smoothing it is {NUMBER}": ({"smoothing": "exp"},),
}
"""What notes say about the score by another recipe, with the choices that make it that recipe, metric by metric."""


@given(recipe=recipes(), corpus=word_corpora(("a", "b", "ab", "abc")), alone=st.booleans())
@settings(deadline=None, max_examples=400)
def test_a_number_of_another_recipe_is_what_that_recipe_gives(recipe, corpus, alone):
    candidates, references = as_text(corpus)

    def score(recipe):
        if alone or recipe.is_for_one_segment:
            return bp.score_sentence(candidates[0], references[0], recipe)
        return bp.score(candidates, references, recipe)

    for stated in score(recipe).notes:
        for pattern, changes in STATED.items():
            for number in re.findall(pattern, stated.text):
                [change] = [change for change in changes if change.keys() <= recipe.metric.axes.keys()]
                assert format_score(score(recipe.replace(**change)).score) == number


@pytest.mark.parametrize(
    ("candidates", "references", "recipe"),
    [
        (["on"], [["on a", "o"]], "chrf-popovic"),
        (["a b ab"], [["b abc", "ab"]], "chrf++-popovic"),
        (["a b ab"], [["b abc", "ab"]], "torchmetrics-chrf"),
    ],
)
def test_no_number_is_stated_that_would_need_another_count(candidates, references, recipe):
    assert not re.search(NUMBER, text_of(bp.score(candidates, references, recipe), "absent-orders"))


def test_an_empty_candidate_is_not_said_to_be_100_elsewhere():
    """With several references, the fewest edits are divided by the mean length."""
    elsewhere = bp.score_sentence("", ["a b", "a b c d"], "ter")
    assert format_score(elsewhere.score) in text_of(elsewhere, "empty-candidate")
    assert "100" not in text_of(bp.score_sentence("", ["a b", "a b c d"], "torchmetrics-ter"), "empty-candidate")


def test_left_out_orders_would_make_only_some_scores_of_a_mean_0():
    recipe = PAPER.replace(across_orders="mean", absent_order="drop")
    assert bp.score_sentence("a b", "a b", recipe.replace(absent_order="zero")).score > 0
    assert "would make BLEU-3 and BLEU-4 0" in text_of(bp.score_sentence("a b", "a b", recipe), "absent-orders")


# Segments and lengths


def test_empty_candidates_are_counted():
    score = bp.score(["a", "", ""], ["a", "b", "c"])
    assert text_of(score, "empty-candidates").startswith("2 of 3 candidates are empty")


def test_under_nltk_an_empty_candidate_is_not_said_to_add_no_n_grams():
    score = bp.score(["a b c d", ""], ["a b c d", "x"], "nltk")
    assert score.stats.totals == (5, 4, 3, 2)
    assert "no n-grams" not in text_of(score, "empty-candidates")


def test_short_segments_are_those_shorter_than_the_order_asked_for():
    score = bp.score(["a b c d", "a b c", "a"], ["a b c d", "a b c", "a"], "nltk")
    assert text_of(score, "short-segments").startswith("2 of 3 candidates are shorter than 4 tokens")
    assert text_of(score.at_order(2), "short-segments").startswith("1 of 3 candidates is shorter than 2 tokens")


def test_a_document_is_a_small_corpus():
    by_document = bp.score_documents(["a b", "c"], ["a b", "c"], ["one", "two"])
    assert all("short-corpus" in codes(score) for score in by_document.values())
    assert "short-corpus" not in codes(bp.score_sentence("a b", "a b"))


# Texts


def test_french_spacing_is_not_taken_for_tokenised_text():
    text = "Quoi ! Non ? Si ; voilà : « oui » ! Ah ! Bon ! Et puis 3 , 5 ."
    assert "looks-tokenised" not in codes(bp.score_sentence(text, text))


@pytest.mark.parametrize(
    "text", ["a , b , c .", "do n't , he 's , it 's so", "a @-@ b @-@ c @-@ d", "&quot; a &quot; b &quot; c"]
)
def test_tokenised_text_is_known_by_its_marks(text):
    assert "looks-tokenised" in codes(bp.score_sentence(f"x {text} y", "x"))


def test_one_attached_mark_outweighs_three_spaced_ones():
    assert "looks-tokenised" in codes(bp.score_sentence("a , b , c , d . e.", "x"))
    intl = bp.Recipe.of("sacrebleu-sentence").replace(tokenizer="intl")  # whose printed name has a version
    assert "looks-tokenised" in codes(bp.score_sentence("a , b , c , d . e.", "x", intl))
    assert "looks-tokenised" not in codes(bp.score_sentence("a , b , c , d, e", "x"))


@pytest.mark.parametrize("tokenizer", ["whitespace", "char", "zh"])
def test_tokenised_text_is_fine_for_a_tokenizer_that_leaves_marks_alone(tokenizer):
    recipe = PAPER.replace(tokenizer=tokenizer)
    assert "looks-tokenised" not in codes(bp.score_sentence("a , b , c .", "x", recipe))


@pytest.mark.parametrize("tokenizer", ["zh", "char"])
def test_a_tokenizer_that_splits_characters_is_right_for_scripts_without_spaces(tokenizer):
    assert "unspaced-script" not in codes(bp.score_sentence("中文", "中文", PAPER.replace(tokenizer=tokenizer)))


@pytest.mark.parametrize("text", ["ภาษาไทย", "日本語のテスト", "ភាសាខ្មែរ"])
def test_scripts_without_spaces_are_known(text):
    assert "unspaced-script" in codes(bp.score_sentence(text, text))


@pytest.mark.parametrize("text", ["한국어 문장", "это предложение", "हिन्दी वाक्य"])
def test_scripts_with_spaces_are_left_alone(text):
    assert "unspaced-script" not in codes(bp.score_sentence(text, text))


MISALIGNED = "looks-misaligned"
CHINESE = ["".join(chr(0x4E00 + 20 * row + place) for place in range(20)) for row in range(100)]


@pytest.mark.parametrize(
    ("metric", "fitting", "beyond"), [("sacrebleu", 4, 2), ("nltk", 4, 2), ("chrf", 50, 5), ("ter", 10, 2)]
)
def test_only_a_score_beyond_the_limit_of_its_metric_looks_misaligned(metric, fitting, beyond):
    """So many of 100 candidates are their own references, the others those of the next segment with a word more."""

    def notes_with(own):
        candidates = [row if number < own else f"x {row}" for number, row in enumerate(ROWS)]
        return codes(bp.score(candidates, [*ROWS[:own], *SHIFTED[own:]], metric))

    assert MISALIGNED not in notes_with(fitting)
    assert MISALIGNED in notes_with(beyond)


def test_a_note_on_the_tokenizer_explains_the_score_of_unspaced_text():
    shifted = [*CHINESE[1:], CHINESE[0]]
    assert {"unspaced-script"} == codes(bp.score(CHINESE, shifted, PAPER)) - {"unmatched-orders", "no-match"}
    assert MISALIGNED in codes(bp.score(CHINESE, shifted, PAPER.replace(tokenizer="char")))
    mixed = ROWS[:60] + CHINESE[60:]
    assert {MISALIGNED, "unspaced-script"} <= codes(bp.score(mixed, [*mixed[1:], mixed[0]], PAPER))
    assert MISALIGNED in codes(bp.score(ROWS, CHINESE, PAPER)), "it is the candidates that the tokenizer does not split"


@pytest.mark.parametrize("tokenizer", ["fairseq", "codexglue", "treebank"])
def test_every_tokenizer_that_goes_by_spaces_is_named_for_unspaced_text(tokenizer):
    assert "unspaced-script" in codes(bp.score(CHINESE, CHINESE, PAPER.replace(tokenizer=tokenizer)))


def test_what_another_note_explains_does_not_look_misaligned():
    pieces = [row.replace(" ", "@@ ") for row in ROWS]
    assert MISALIGNED not in codes(bp.score(pieces, SHIFTED))
    cut = [row.split()[0] for row in ROWS]
    assert MISALIGNED not in codes(bp.score(cut, ROWS))
    assert MISALIGNED not in codes(bp.score(cut, cut))
    assert MISALIGNED not in codes(bp.score(ROWS, SHIFTED, PAPER.replace(order=5)))


def test_lists_of_tokens_look_misaligned_too():
    tokens, shifted = [row.split() for row in ROWS], [[row.split()] for row in SHIFTED]
    assert MISALIGNED in codes(bp.score(tokens, shifted, PAPER.replace(tokenizer="pretokenized")))


def test_chinese_that_is_split_into_words_already_is_not_called_unspaced():
    text = "我 喜欢 学习 中文 。"
    assert "unspaced-script" not in codes(bp.score_sentence(text, text, "paper"))


def test_sentencepiece_marks_are_sub_words_too():
    assert "looks-subword" in codes(bp.score_sentence("▁a b ▁c d ▁e", "x", "paper"))
    assert "looks-subword" not in codes(bp.score_sentence("▁a b ▁c d", "x", "paper"))


def test_given_tokens_are_not_looked_into():
    tokens = ["a@@", "b@@", "c@@", ",", ",", ",", "."]
    assert bp.score_sentence(tokens, [tokens], PAPER.replace(tokenizer="pretokenized")).notes == ()


def test_turned_references_are_noticed_though_one_of_each_segment_stays_in_its_place():
    candidates = ["the cat sat on the mat today", "dogs run fast in the park"]
    columns = [candidates, ["a cat sat on a mat today", "dogs ran fast in a park"]]
    assert "the score would be 100.00" in text_of(bp.score(candidates, columns), "transposed")
    assert "transposed" not in codes(bp.score(candidates, list(zip(*columns, strict=True))))


@pytest.mark.parametrize(
    ("candidates", "references", "recipe"),
    [
        (
            ["The weather is nice in the city today .", "She bought a new car last week ."],
            [
                ["The council will vote on the plan tomorrow .", "Tomorrow councillors vote about this plan ."],
                ["He has lived in a small house by the sea .", "His home was a little cottage on the coast ."],
            ],
            "sacrebleu",
        ),
        (["p q", "r s"], [["a b c d e", "f g h i j"], ["k", "l"]], "ter"),
    ],
    ids=["sacrebleu", "ter"],
)
def test_references_of_other_texts_are_not_called_turned(candidates, references, recipe):
    right, wrong = (bp.score(candidates, read, recipe) for read in (references, list(zip(*references, strict=True))))
    assert text_notes.is_better_by(1.1, wrong.score, right.score, wrong.metric)
    assert "transposed" not in codes(right)


def test_turned_references_are_told_the_score_of_the_other_reading():
    columns = [PAIR, ["w", "z"]]
    score = bp.score(PAIR, columns)
    turned = bp.score(PAIR, list(zip(*columns, strict=True)))
    assert score.score < 50.0 < turned.score == 100.0
    assert text_of(score, "transposed").endswith("one reference of every candidate, the score would be 100.00")
    assert not re.search(r"\w[(\[=]", text_of(score, "transposed")), "the page and the command line show it, too"
    assert "transposed" not in codes(turned)


@pytest.mark.parametrize("references", [[PAIR, ["x", None]], [[*PAIR, "v"], ["x", "y", "z"]]], ids=["ragged", "3 of 2"])
def test_references_of_any_other_shape_are_not_called_turned(references):
    assert "transposed" not in codes(bp.score(PAIR, references))


# Notes are data, made when read


def test_notes_are_computed_once_and_only_when_read(monkeypatch):
    calls = []
    monkeypatch.setattr(bp.BleuScore, "_list_notes", staticmethod(lambda scored: calls.append(scored) or []))
    score = bp.score(["a"], ["a"])
    assert (score.score, repr(score), float(score)) == (0.0, "<BLEU-4 0.00>", 0.0)
    assert score.summary().startswith("BLEU-4 = 0.00")
    assert calls == []
    assert score.notes == score.notes == ()
    assert len(calls) == 1


def test_the_other_reading_of_the_references_is_counted_only_when_notes_are_read():
    calls = []
    recipe = PAPER.replace(tokenizer=lambda text: calls.append(text) or text.split())
    score = bp.score(PAIR, [PAIR, ["x", "y"]], recipe)
    counted = len(calls)
    assert score.score > 0
    assert len(calls) == counted == 6
    assert "transposed" in codes(score)
    assert len(calls) == 3 * counted  # and with the references of other segments


@pytest.mark.parametrize("recipe", ["sacrebleu", "chrf"])
def test_of_a_large_square_a_corner_is_tried(recipe):
    size, corner = 20, text_notes.MOST_TRIED
    letters = "abcdefghijklmnopqrst"
    candidates = [f"{letter}{letter} {letter} {letter}{letter}{letter} {letter} {letter}" for letter in letters]
    references = [
        [f"{text} ." if other == (place + 1) % 3 else "- - -" for other in range(size)]
        for place, text in enumerate(candidates)
    ]
    columns = list(zip(*references, strict=True))
    assert "transposed" not in codes(bp.score(candidates, references, recipe))
    here, other = (
        bp.score(candidates[:corner], [own[:corner] for own in read[:corner]], recipe) for read in (columns, references)
    )
    text = text_of(bp.score(candidates, columns, recipe), "transposed")
    assert text.endswith(f"would score {other.printed} instead of {here.printed}")


def test_printing_a_score_does_not_count_a_large_square_again():
    calls = []
    recipe = PAPER.replace(tokenizer=lambda text: calls.append(text) or text.split())
    texts = [f"a b {place}" for place in range(30)]
    score = bp.score(texts, [texts] * 30, recipe)
    counted = len(calls)
    assert str(score)
    assert len(calls) - counted < counted / 4


@pytest.mark.parametrize("code", NOTES)
def test_a_note_is_never_a_warning(code):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert NOTES[code][0]().notes
    assert caught == []


@pytest.mark.parametrize("code", NOTES)
def test_a_note_prints_under_the_score_and_stands_in_its_data(code):
    score = NOTES[code][0]()
    text = text_of(score, code)
    assert f"\n  note: {text}" in str(score)
    assert {"code": code, "text": text} in score.to_dict()["notes"]
    assert "\n" not in text


def test_a_pickle_keeps_the_notes_and_drops_the_texts():
    score = bp.score(["secret@@ secret@@ secret@@"], ["secret"], "paper")
    data = pickle.dumps(score)
    again = pickle.loads(data)
    assert b"secret" not in data
    assert values_of(again) == values_of(score)
    assert again.segments is None
    assert again.notes == score.notes
    assert "looks-subword" in codes(again)


# An empty reference keeps its meaning, and no verb is silent about it.

TEXTS = ["the cat sat on the mat", "a dog ran off"]
WITH_EMPTY = [["the cat sat on a mat", ""], ["a dog ran off today"]]
WITHOUT = [["the cat sat on a mat"], ["a dog ran off today"]]
TOKENS = Recipe.named("sacrebleu").replace(tokenizer="pretokenized")
EMPTY = "references? (is|are) empty"
SAYING = {
    "score": lambda references: bp.score(TEXTS, references),
    "score_recipes": lambda references: bp.score_recipes(TEXTS, references, ["paper", "nltk"])[1],
    "score_sentence": lambda references: bp.score_sentence(TEXTS[0], references[0]),
    "score_segments": lambda references: bp.score_segments(TEXTS, references)[0],
    "score_documents": lambda references: bp.score_documents(TEXTS, references, ["d", "e"])["d"],
    "References": lambda references: bp.References(references).score(TEXTS),
    "explain, a segment": lambda references: bp.explain(TEXTS[0], references[0]),
    "explain, a corpus": lambda references: bp.explain(TEXTS, references),
    "compare": lambda references: bp.compare({"a": TEXTS, "b": TEXTS[::-1]}, references, resamples=100),
    "reconcile": lambda references: bp.reconcile(TEXTS, references, "nltk", "sacrebleu"),
    "group_dialects": lambda references: group_dialects(TEXTS, references),
    "identify": lambda references: bp.identify(TEXTS, references, "40.0"),
    "tokens": lambda references: bp.score(
        [text.split() for text in TEXTS], [[text.split() for text in own] for own in references], TOKENS
    ),
}


@pytest.mark.parametrize("verb", SAYING.values(), ids=SAYING)
def test_every_verb_tells_of_an_empty_reference(verb):
    assert re.search(EMPTY, " ".join(str(verb(WITH_EMPTY)).split()))
    assert not re.search(EMPTY, " ".join(str(verb(WITHOUT)).split()))


@pytest.mark.parametrize(
    "command", ["score", "segments", "explain --files", "reconcile --all", "identify --reported 40"]
)
def test_every_command_tells_of_an_empty_reference_in_a_file(command, tmp_path):
    for name, lines in {"c": TEXTS, "r": ["the cat sat on a mat", "a dog ran off"], "s": ["", "a dog"]}.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    form = ["--format", "jsonl"] if command == "segments" else []
    arguments = [*command.split(), *(str(tmp_path / name) for name in "crs"), *form]
    printed = CliRunner().invoke(cli, arguments, catch_exceptions=False).output
    assert re.search(EMPTY, " ".join(printed.split()))


def test_statistics_alone_tell_of_empty_references_to_those_who_compare_them():
    tables = {name: bp.statistics(["a b", "c d"], ["a b", ""]) for name in "ab"}
    [result] = compare_statistics(tables, resamples=100).results
    notes = result.notes
    assert [note.text.split(":")[0] for note in notes if note.code == "empty-references"] == ["a", "b"]


def test_where_an_empty_reference_stands_is_told_once():
    codes = [note.code for note in bp.score(["a", "b"], ["a", ""]).notes]
    assert codes.count("empty-references") + codes.count("empty-reference-texts") == 1
    [note] = [note for note in bp.score(TEXTS[::-1], WITH_EMPTY[::-1]).notes if note.code == "empty-reference-texts"]
    assert "1 of 3 references is empty (in segment 2)" in note.text
    several = bp.score_sentence("a", ["", " ", "a"]).notes
    assert any("2 of 3 references are empty: they count as references of length 0" in note.text for note in several)


@given(st.text(st.sampled_from("aä漢字ไ −é \u3000\ud800😀"), max_size=12))
def test_a_look_at_bytes_finds_no_other_texts_unspaced_than_the_definition(text):
    words = text.split()
    characters = sum(mark in "漢字ไ" for mark in text)
    by_definition = characters >= 3 * len(words) > 0 and 2 * characters > len("".join(words))
    assert text_notes._is_unspaced(text) == by_definition
