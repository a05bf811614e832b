"""A recipe is one value: it prints in one line, the line parses back, and what it cannot keep it refuses."""

from __future__ import annotations

import copy
import dataclasses
import itertools
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.errors import Location, RecipeError
from bleuprint.metrics.bleu.recipe import (
    AXES,
    DIALECTS,
    HIGHEST_ORDER,
    HIGHEST_SUM,
    HIGHEST_VALUE,
    LOWEST_K,
    SMOOTHINGS,
    BleuRecipe,
    Smoothing,
    uniform_weights,
)
from bleuprint.recipes.names import Choices
from bleuprint.recipes.options import DEFAULT
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.registry import find_metric, list_metrics
from bleuprint.text.tokenizers import registry as tokenizer_table
from bleuprint.text.tokenizers.registry import BUILT_IN, SPM, find_tokenizer, register_tokenizer, tokenizer_names

REPRODUCIBLE = settings(deadline=None, derandomize=True, max_examples=400)
PAPER = Recipe.named("paper")


def refusal_of(call, *arguments, **options):
    """Return the error that a call raises."""
    with pytest.raises(RecipeError) as caught:
        call(*arguments, **options)
    assert caught.value.message
    return caught.value


# "The named dialects, axis by axis" of DIALECTS.md. N = 4 and uniform weights everywhere. NLTK skips an order whose
# smoothed precision is still 0 (its method4 leaves one so), and add-k-all fills the absent orders by itself.
DIALECT_TABLE = """
dialect tokenizer case smoothing ref totals absent unmatched nomatch brevity across
paper whitespace mixed none closest exact zero zero zero exact together
sacrebleu 13a mixed exp closest exact zero zero zero exact together
sacrebleu-sentence 13a mixed exp closest exact drop zero zero exact together
nltk whitespace mixed none closest at-least-1 zero smallest-float zero exact together
nltk-method1 whitespace mixed epsilon(0.1) closest at-least-1 zero skip zero exact together
nltk-method2 whitespace mixed add-k(1) closest at-least-1 zero skip zero exact together
nltk-method3 whitespace mixed exp closest at-least-1 zero skip zero exact together
nltk-method4 whitespace mixed nltk-method4(5) closest at-least-1 zero skip zero exact together
nltk-method5 whitespace mixed nltk-method5 closest at-least-1 zero skip zero exact together
nltk-method6 whitespace mixed nltk-method6(5) closest at-least-1 zero skip zero exact together
nltk-method7 whitespace mixed nltk-method7(5) closest at-least-1 zero skip zero exact together
nltk-mean whitespace mixed none closest at-least-1 zero smallest-float zero exact mean
huggingface 13a mixed none shortest exact zero zero zero exact together
huggingface-smooth 13a mixed add-k-all(1) shortest exact zero zero smoothed exact together
bleuscore 13a mixed none shortest exact zero zero zero exact together
torchmetrics whitespace mixed none closest-first exact zero zero zero-if-any exact together
torchmetrics-smooth whitespace mixed add-k(1) closest-first exact zero zero zero-if-any exact together
moses whitespace mixed none closest exact zero zero zero exact together
moses-detok 13a mixed none closest exact zero zero zero exact together
mteval-v13a 13a lower-ascii exp closest exact one zero smoothed exact together
mteval-v14 intl(unicode-18.0.0) lower exp closest exact one zero smoothed exact together
sacrebleu@1.5 13a mixed exp closest exact zero zero smoothed exact together
sacrebleu-sentence@1.5 13a mixed exp closest exact drop zero smoothed exact together
sacrebleu-sentence@1.4 13a mixed none closest exact drop zero zero exact together
nltk-method2@3.5 whitespace mixed add-k-all(1) closest at-least-1 zero skip zero exact together
fairseq fairseq mixed none closest exact zero zero zero exact together
fairseq-sentence fairseq mixed add-k(1) closest exact zero zero zero exact together
pycocoevalcap whitespace mixed coco closest exact zero zero smoothed-empty coco together
codexglue-code whitespace mixed add-k-all(1) shortest exact zero zero smoothed exact together
codexglue-comments codexglue lower add-k(1) shortest exact one smallest-float-over-total smoothed-empty plus-1 together
"""


@pytest.fixture
def registry(monkeypatch):
    """Give a test its own registry of tokenizers, so that no name is left over for the others."""
    monkeypatch.setattr(tokenizer_table, "_registered", {})


# Dialects


def test_the_dialects_are_those_of_the_table():
    _, *rows = (line.split() for line in DIALECT_TABLE.strip().splitlines())
    fields = [field for field in AXES if field != "weights"]
    printed = {name: [recipe.choice(field) for field in fields] for name, recipe in Recipe.dialects("bleu").items()}
    assert printed == {name: choices for name, *choices in rows}
    assert {recipe.choice("weights") for recipe in Recipe.dialects("bleu").values()} == {"uniform"}
    assert {recipe.order for recipe in Recipe.dialects("bleu").values()} == {4}


@pytest.mark.parametrize("name", DIALECTS)
def test_every_dialect_round_trips_and_knows_its_name(name):
    recipe = Recipe.named(name)
    assert Recipe.parse(str(recipe)) == recipe
    assert Recipe.of(name) == Recipe.of(str(recipe)) == Recipe.of(recipe) == recipe
    assert name in recipe.names


@pytest.mark.parametrize(
    ("name", "listed"),
    [
        ("nltk@3.10", "nltk"), ("nltk@3.9.1", "nltk"), ("nltk-method5@3.6", "nltk-method5"),
        ("sacrebleu@2.6.0", "sacrebleu"), ("sacrebleu@1.5.1", "sacrebleu@1.5"),
        ("nltk-method2@3.5", "nltk-method2@3.5"), ("torchmetrics@1.9", "torchmetrics"),
        ("sacrebleu@1.4", "sacrebleu@1.5"), ("sacrebleu@1.4.14", "sacrebleu@1.5"),
        ("sacrebleu-sentence@1.4.14", "sacrebleu-sentence@1.4"), ("nltk-method2@3.4.5", "nltk-method2@3.5"),
        ("nltk-method2@3.6", "nltk-method2"), ("nltk@3.10.99", "nltk"), ("pycocoevalcap@1.2", "pycocoevalcap"),
        ("bleuscore@0.2.0", "bleuscore"), ("chrf@2.6", "chrf"), ("chrf++@2.4.3", "chrf++"), ("ter@2.5", "ter"),
        ("nltk-chrf@3.10", "nltk-chrf"), ("torchmetrics-chrf@1.9", "torchmetrics-chrf"),
        ("torchmetrics-ter@1.7", "torchmetrics-ter"),
    ],
)  # fmt: skip
def test_a_name_may_say_the_release(name, listed):
    assert Recipe.named(name) == Recipe.of(name) == Recipe.named(listed)
    assert listed in Recipe.of(name).names


@pytest.mark.parametrize(
    ("name", "releases"),
    [
        ("nltk@2.0", "3.6 3.7 3.8 3.9 3.10"),
        ("nltk-method2@3.3", "3.4 3.5 3.6 3.7 3.8 3.9 3.10"),
        ("nltk-method2@2", "3.4 3.5 3.6 3.7 3.8 3.9 3.10"),
        ("nltk@3.10.x", "3.6 3.7 3.8 3.9 3.10"),
        ("sacrebleu@", "1.4 1.5 2.0 2.4 2.5 2.6"),
        ("sacrebleu-sentence@1.3", "1.4 1.5 2.0 2.4 2.5 2.6"),
        ("chrf@1.5", "2.4 2.5 2.6"),
        ("pycocoevalcap@1.1", "1.2"),
    ],
)
def test_a_release_that_is_not_known_is_refused(name, releases):
    error = refusal_of(Recipe.of, name)
    assert (error.location, error.values) == (Location("recipe"), tuple(releases.split()))


@pytest.mark.parametrize("name", ["paper@1", "@3.10"])
def test_a_release_of_a_recipe_without_releases_is_an_unknown_name(name):
    error = refusal_of(Recipe.of, name)
    assert (error.location, error.values) == (Location("recipe"), tuple(Recipe.dialects()))


def test_the_default_is_sacrebleu():
    assert DEFAULT == "sacrebleu"


def test_one_recipe_may_be_several_dialects_or_none():
    assert Recipe.named("bleuscore").names == ("huggingface", "bleuscore")
    assert PAPER.replace(order=2).names == ()


def test_the_printed_line_is_complete_and_in_pipeline_order():
    assert str(PAPER) == (
        "bleuprint:1|tok:whitespace|case:mixed|N:4|weights:uniform|smooth:none|ref:closest|totals:exact"
        "|absent:zero|unmatched:zero|nomatch:zero"
    )


# Values


def test_what_is_not_said_is_the_default_dialects():
    assert Recipe() == Recipe.named("sacrebleu")
    assert Recipe(tokenizer="char", order=2) == Recipe.named("sacrebleu").replace(tokenizer="char", order=2)
    with pytest.raises(TypeError):
        Recipe("13a")
    assert refusal_of(Recipe, tokeniser="13a").suggestion == "tokenizer"


def test_a_recipe_copies_pickles_and_hashes_as_the_value_it_is():
    for recipe in Recipe.dialects().values():
        again = pickle.loads(pickle.dumps(recipe))
        assert (again, hash(again), str(again)) == (recipe, hash(recipe), str(recipe))
        assert copy.deepcopy(recipe) is copy.copy(recipe) is recipe
    assert Recipe(tokenizer="char") != Recipe() != "sacrebleu"


def test_the_choices_that_type_checkers_know_are_the_axes():
    axes = {field for metric in list_metrics() for field in metric.axes}
    assert set(Choices.__annotations__) == axes | {"order"}


def test_a_recipe_holds_its_metric_and_looks_it_up_for_no_segment():
    recipe = pickle.loads(pickle.dumps(Recipe.named("paper")))
    assert recipe.metric is find_metric()
    asked = find_metric.cache_info()
    for _ in range(5):
        bp.score_sentence("the cat", "the cat is", recipe)
    assert find_metric.cache_info() == asked


def test_a_kind_of_recipe_may_be_derived():
    class Own(BleuRecipe):
        pass

    assert bp.score(["a b c d"], ["a b c d"], Own(order=2)).label == "BLEU-2"


def test_a_recipe_cannot_be_changed_only_replaced():
    with pytest.raises(AttributeError, match=r"never changes: recipe.replace\(case=...\) makes another"):
        PAPER.case = "lower"
    with pytest.raises(AttributeError, match="never changes"):
        del PAPER.case
    assert PAPER.replace(case="lower").case == "lower"
    assert PAPER.case == "mixed"


def test_equal_recipes_hash_alike_and_survive_a_pickle():
    other = PAPER.replace(smoothing="epsilon(0.3)", weights=(1, 2))
    assert pickle.loads(pickle.dumps(other)) == other
    assert len({PAPER, Recipe.named("paper"), other}) == 2


def test_order_stands_for_equal_weights():
    assert PAPER.replace(order=2).weights == (0.5, 0.5)
    assert PAPER.replace(order=3) == PAPER.replace(weights=(1 / 3, 1 / 3, 1 / 3))
    assert PAPER.replace(order=HIGHEST_ORDER).order == HIGHEST_ORDER


@pytest.mark.parametrize("weights", [[1, 0], (1.0, 0.0), iter([1, 0]), np.array([1.0, 0.0])], ids=type)
def test_any_sequence_of_numbers_gives_weights(weights):
    assert PAPER.replace(weights=weights).weights == (1.0, 0.0)


def test_only_exactly_equal_weights_print_as_uniform():
    assert PAPER.replace(weights=(0.5, 0.5)).choice("weights") == "uniform"
    assert PAPER.replace(weights=(0.5, 0.5000000000000001)).choice("weights") == "0.5,0.5000000000000001"
    assert PAPER.replace(weights=(2, 2)).choice("weights") == "2,2"


@pytest.mark.parametrize(
    ("text", "smoothing"),
    [
        ("exp", Smoothing("exp")),
        ("epsilon", Smoothing("epsilon", 0.1)),
        (" floor(0.25) ", Smoothing("floor", 0.25)),
        ("add-k(1)", Smoothing("add-k")),
        ("nltk-method4", Smoothing("nltk-method4", 5)),
    ],
)
def test_smoothing_has_a_usual_value(text, smoothing):
    assert PAPER.replace(smoothing=text).smoothing == smoothing
    assert Smoothing.parse(str(smoothing)) == smoothing


def test_differing_axes_are_named_in_pipeline_order():
    assert PAPER.differing_axes(PAPER) == []
    assert PAPER.differing_axes(PAPER.replace(absent_order="drop", order=2, tokenizer="13a")) == [
        "tokenizer",
        "weights",
        "absent_order",
    ]
    assert Recipe.named("nltk").differing_axes(Recipe.named("sacrebleu")) == [
        "tokenizer",
        "smoothing",
        "segment_totals",
        "unmatched_order",
    ]


OLD_LINE = (
    "bleuprint:1|tok:13a|case:mixed|N:4|weights:uniform|smooth:exp|ref:closest|totals:exact|absent:zero|unmatched:zero"
    "|nomatch:zero"
)


def test_a_line_from_before_an_axis_was_known_means_what_it_meant_and_is_printed_as_it_was():
    assert Recipe.parse(OLD_LINE) == Recipe.named("sacrebleu")
    assert str(Recipe.named("sacrebleu")) == OLD_LINE
    captions = Recipe.parse(f"{OLD_LINE}|brevity:coco|across:mean")
    assert captions == Recipe.named("sacrebleu").replace(brevity="coco", across_orders="mean")
    assert str(captions) == f"{OLD_LINE}|brevity:coco|across:mean"
    error = refusal_of(Recipe.parse, f"{OLD_LINE}|across:median")
    assert (error.where, error.values) == ("signature, across", ("together", "mean"))


def test_counting_leaves_out_what_only_the_formula_needs():
    assert PAPER.counting == PAPER.replace(smoothing="exp", order=2, absent_order="drop").counting
    assert PAPER.counting != PAPER.replace(case="lower").counting


# Any recipe


def _smoothing_of(kind: str) -> st.SearchStrategy[Smoothing]:
    if SMOOTHINGS[kind][0] is None:
        return st.just(Smoothing(kind))
    highest = 1 if kind in ("epsilon", "floor") else HIGHEST_VALUE
    lowest = LOWEST_K if kind in ("nltk-method4", "nltk-method7") else 5e-324
    return st.builds(Smoothing, st.just(kind), st.floats(lowest, highest))


_odd = st.sampled_from([0.0, -0.0, 0.1 + 0.2, 1 / 3, 0.25, 5e-324, 3.9999999999999996])
_weights = st.one_of(
    st.lists(_odd | st.floats(0, HIGHEST_SUM / 6), min_size=1, max_size=6).filter(any),
    st.integers(1, HIGHEST_ORDER).map(uniform_weights),
)
RECIPES = st.builds(
    Recipe,
    tokenizer=st.sampled_from([n for n, entry in BUILT_IN.items() if n != SPM and not entry.find_obstacle()]),
    weights=_weights,
    smoothing=st.one_of(map(_smoothing_of, SMOOTHINGS)),
    **{axis.field: st.sampled_from(list(axis.choices)) for axis in AXES.values() if axis.choices},
)


@REPRODUCIBLE
@given(RECIPES)
def test_any_recipe_parses_back_from_its_line(recipe):
    assert Recipe.parse(str(recipe)) == recipe


@REPRODUCIBLE
@given(RECIPES, RECIPES, st.sampled_from(list(AXES)))
def test_two_recipes_print_alike_exactly_if_they_are_equal(recipe, other, field):
    for second in (other, recipe.replace(**{field: getattr(other, field)})):
        assert (str(recipe) == str(second)) == (recipe == second)
        assert (recipe.differing_axes(second) == []) == (recipe == second)


# Refusals


@pytest.mark.parametrize(
    "changes",
    [
        {"case": "upper"},
        {"case": None},
        {"case": ["lower"]},
        {"reference_length": "average"},
        {"segment_totals": 1},
        {"absent_order": "skip"},
        {"unmatched_order": ""},
        {"nothing_matches": True},
        {"order": 0},
        {"order": 101},
        {"order": True},
        {"order": 4.0},
        {"weights": ()},
        {"weights": (0, 0.0)},
        {"weights": (0.5, -0.5)},
        {"weights": (float("nan"), 1)},
        {"weights": (float("inf"),)},
        {"weights": (HIGHEST_SUM / 2, HIGHEST_SUM)},
        {"weights": (1e6,) * 4},
        {"weights": (Fraction(1, 10**400),)},
        {"weights": (1e308, 1e308)},
        {"weights": itertools.count(1)},
        {"weights": range(10**12)},
        {"weights": (10**400,)},
        {"weights": (True,)},
        {"weights": ("1",)},
        {"weights": "1"},
        {"weights": b"\x01\x01"},
        {"weights": {0.25, 0.75}},
        {"weights": {1: 0.5}},
        {"weights": (0.01,) * 101},
        {"weights": 1},
        {"smoothing": "method1"},
        {"smoothing": "epsilon[0.1]"},
        {"smoothing": "epsilon(x)"},
        {"smoothing": "epsilon(0)"},
        {"smoothing": "floor(1.5)"},
        {"smoothing": "add-k(-1)"},
        {"smoothing": "nltk-method4(1e-7)"},
        {"smoothing": "nltk-method7(5e-324)"},
        {"smoothing": f"add-k({HIGHEST_VALUE + 1})"},
        {"smoothing": "add-k(inf)"},
        {"smoothing": "epsilon(nan)"},
        {"smoothing": "exp(2)"},
        {"smoothing": None},
        {"smoothing": 0.1},
        {"tokenizer": None},
        {"tokenizer": "moses"},
        {"tokenizer": "13a(2)"},
        {"tokenizer": "13a("},
        {"tokenizer": "intl(unicode-1.0)"},
    ],
    ids=lambda value: str(value)[:40],
)  # fmt: skip
def test_a_bad_value_is_refused(changes):
    [field] = changes
    assert refusal_of(PAPER.replace, **changes).location == Location("recipe", option=field)


def test_an_unknown_value_is_refused_with_the_valid_ones():
    error = refusal_of(PAPER.replace, case="lowr")
    assert str(error) == "Unknown case 'lowr'. Did you mean 'lower'? Use one of: mixed, lower, lower-ascii."
    assert error.values == ("mixed", "lower", "lower-ascii")
    assert refusal_of(PAPER.replace, smoothing="method1").values == tuple(SMOOTHINGS)
    assert refusal_of(PAPER.replace, speed="fast").values == (*AXES, "order")


def test_order_and_weights_exclude_each_other():
    refusal_of(PAPER.replace, order=2, weights=(0.5, 0.5))


@pytest.mark.parametrize("value", [0, Fraction(1, 10**400), 10**400, True, "1", 1j, None.__class__], ids=str)
@pytest.mark.parametrize("kind", [kind for kind, (usual, _) in SMOOTHINGS.items() if usual])
def test_a_value_that_is_no_positive_float_is_refused(kind, value):
    assert refusal_of(Smoothing, kind, value).location == Location("recipe", option="smoothing")


def test_an_unknown_recipe_is_refused():
    error = refusal_of(Recipe.of, "sacreblue")
    assert str(error) == "Unknown recipe 'sacreblue'. Did you mean 'sacrebleu'? List them with: bleuprint recipes"
    assert error.values == tuple(Recipe.dialects())
    assert refusal_of(Recipe.of, "chrF").suggestion == "chrf"


@pytest.mark.parametrize("recipe", [None, ("paper",), ["paper"]])
def test_what_is_no_text_is_no_recipe(recipe):
    assert refusal_of(Recipe.of, recipe).location == refusal_of(Recipe.named, recipe).location == Location("recipe")
    assert refusal_of(Recipe.parse, recipe).where == "Recipe.parse"


@pytest.mark.parametrize("line", ["BLEU+case.mixed+smooth.exp+tok.13a", "case:mixed|smooth:exp|tok:13a", str(PAPER)])
def test_a_copied_line_may_have_space_around_it(line):
    assert Recipe.of(f" {line}\n") == Recipe.parse(f" {line}\n") == Recipe.parse(line)


@pytest.mark.parametrize(
    ("part", "instead", "where"),
    [
        ("|tok:whitespace", "", "signature"),
        ("|N:4|weights:uniform", "", "signature"),
        ("|case:mixed", "|case:mixed|case:mixed", "signature"),
        ("|case:mixed", "|case:mixed|speed:fast", "signature"),
        ("|case:mixed", "|case", "signature"),
        ("|nomatch:zero", "|nomatch:zero|", "signature"),
        ("bleuprint:1", "bleuprint:2", "signature"),
        ("N:4", "N:0", "signature, N"),
        ("N:4", "N:four", "signature, N"),
        ("N:4", "N:٤", "signature, N"),
        ("N:4", "N:" + "9" * 5000, "signature, N"),
        ("N:4", "N:99999", "signature, N"),
        ("N:4", "N:04", "signature, N"),
        ("weights:uniform", "weights:0.5,0.5", "signature, N"),
        ("weights:uniform", "weights:1,2,3,many", "signature, weights"),
        ("weights:uniform", "weights:1,2,3,nan", "signature, weights"),
        ("weights:uniform", "weights:", "signature, weights"),
        ("smooth:none", "smooth:none(1)", "signature, smooth"),
        ("case:mixed", "case:lc", "signature, case"),
        ("tok:whitespace", "tok:none", "signature, tok"),
        ("tok:whitespace", "tok:intl(unicode-1.0)", "signature, tok"),
    ],
)  # fmt: skip
def test_a_line_that_was_not_printed_so_is_refused(part, instead, where):
    assert part in str(PAPER)
    assert refusal_of(Recipe.parse, str(PAPER).replace(part, instead)).where == where


def test_a_name_given_to_parse_is_no_signature():
    assert refusal_of(Recipe.parse, "paper").where == "Recipe.parse"


# Own tokenizers


@pytest.mark.usefixtures("registry")
@pytest.mark.parametrize(("version", "printed"), [("", "tok:by-comma"), ("2.1", "tok:by-comma(2.1)")])
def test_a_registered_tokenizer_prints_and_parses_back(version, printed):
    register_tokenizer("by-comma", str.split, version=version)
    recipe = PAPER.replace(tokenizer="by-comma")
    assert f"|{printed}|" in str(recipe)
    assert Recipe.parse(str(recipe)) == recipe
    assert tokenizer_names() == [*BUILT_IN, "by-comma"]


@pytest.mark.usefixtures("registry")
def test_another_version_of_a_registered_tokenizer_is_refused():
    register_tokenizer("by-comma", str.split, version="2")
    line = str(PAPER.replace(tokenizer="by-comma"))
    with pytest.raises(RecipeError, match="The tokenizer by-comma has version '2' here, not '1'"):
        Recipe.parse(line.replace("by-comma(2)", "by-comma(1)"))
    assert Recipe.parse(line.replace("by-comma(2)", "by-comma")).tokenizer == "by-comma"


@pytest.mark.usefixtures("registry")
def test_a_line_with_a_name_that_this_process_lacks_is_refused():
    with pytest.raises(RecipeError, match="signature, tok: Unknown tokenizer 'by-comma'"):
        Recipe.parse(str(PAPER).replace("whitespace", "by-comma"))


class Shouting:
    def __call__(self, text):
        return text.upper().split()


@pytest.mark.parametrize("function", [str.split, lambda text: text.split("|"), Shouting()], ids=["str", "λ", "object"])
def test_a_function_without_a_name_prints_but_does_not_parse(function):
    recipe = PAPER.replace(tokenizer=function)
    assert "|tok:unregistered(" in str(recipe)
    assert refusal_of(Recipe.parse, str(recipe)).where == "signature, tok"


def test_two_functions_without_names_never_print_alike():
    first, second = (PAPER.replace(tokenizer=lambda text: text.split()) for _ in range(2))
    assert first != second
    assert str(first) != str(second)


@pytest.mark.usefixtures("registry")
@pytest.mark.parametrize(
    ("name", "function", "version", "message"),
    [
        ("13a", str.split, "", "The tokenizer name '13a' is taken"),
        ("taken", str.lower, "", "The tokenizer name 'taken' is taken"),
        ("taken", str.split, "2", "The tokenizer name 'taken' is taken"),
        (
            "a|b",
            str.split,
            "",
            r"name: expected letters, digits, '.', '_', '\+' and '-', got 'a\|b'",
        ),
        ("a(1)", str.split, "", r"got 'a\(1\)'"),
        ("", str.split, "", "got ''"),
        ("é", str.split, "", "got 'é'"),
        (None, str.split, "", "got None"),
        ("new", str.split, "1|2", r"version: .* got '1\|2'"),
        ("new", str.split, 2, "version: .* got 2"),
        (
            "new",
            "split",
            "",
            "function: expected a function from a text to its tokens, got 'split'",
        ),
        ("unregistered", str.split, "1", "'unregistered'"),
    ],
)
def test_a_tokenizer_that_signatures_could_not_name_is_refused(name, function, version, message):
    register_tokenizer("taken", str.split)
    with pytest.raises(RecipeError, match=message):
        register_tokenizer(name, function, version=version)
    assert tokenizer_names() == [*BUILT_IN, "taken"]


@pytest.mark.usefixtures("registry")
def test_the_same_tokenizer_may_be_registered_again():
    for _ in range(2):
        register_tokenizer("by-comma", str.split, version="2")
    assert find_tokenizer("by-comma").function is str.split


def test_a_printed_score_names_its_recipe():
    line = str(bp.score_sentence("a b", "a b", "nltk")).splitlines()[0]
    assert Recipe.of(line) == Recipe.named("nltk")


def test_numbers_of_numpy_are_numbers():
    assert Recipe.named("paper").replace(order=np.int64(2)).weights == (0.5, 0.5)
    assert Recipe.named("paper").replace(weights=[np.float32(0.5), np.float64(0.5)]).weights == (0.5, 0.5)


def test_a_callable_object_that_cannot_be_hashed_is_refused():
    @dataclasses.dataclass
    class Splitter:
        def __call__(self, text):
            return text.split()

    assert refusal_of(PAPER.replace, tokenizer=Splitter()).location == Location("recipe", option="tokenizer")
