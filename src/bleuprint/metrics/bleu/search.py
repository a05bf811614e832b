"""Search: the recipes of BLEU that a reported number may come from, the most usual first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from operator import mul

from bleuprint.counting.layout import Layout
from bleuprint.metrics.bleu.counting import BleuStats, bleu_layout
from bleuprint.metrics.bleu.recipe import DIALECTS, BleuRecipe
from bleuprint.metrics.search import list_once, vary
from bleuprint.recipes.recipe import Recipe

MOST_REPORTED = 134.0
"""NLTK's methods 5 and 7 exceed 100, but not 4/3 of it."""
ACCIDENTAL = tuple(DIALECTS)
"""The dialects to try on texts that were read by mistake."""
TOKENIZERS = ("13a", "whitespace", "intl", "zh", "char")
CASES = ("mixed", "lower")
ORDERS = (4, 3, 2, 1)
EXTRA_FORMULAS: tuple[Mapping[str, str], ...] = tuple(
    {"smoothing": smoothing, "absent_order": absent}
    for smoothing in ("none", "floor(0.1)", "add-k(1)", "epsilon(0.1)")
    for absent in ("zero", "drop")
)
"""Options of sacreBLEU and of the page that no dialect has by default."""
USUAL_OPTIONS: tuple[Mapping[str, str], ...] = (
    {"case": "lower"}, {"tokenizer": "intl"}, {"tokenizer": "zh"}, {"tokenizer": "char"},
    {"tokenizer": "intl", "case": "lower"}, {"tokenizer": "zh", "case": "lower"},
)  # fmt: skip
"""Options with which sacreBLEU is often run."""


AVERAGED = ("sacrebleu", "nltk", "paper", "pycocoevalcap")
"""Whose BLEU-1 to BLEU-4 somebody may have taken the mean of."""


def _formulas() -> list[Mapping[str, object]]:
    """List every way to turn counts into a score that a dialect or an option of a tool has, the most usual first."""
    fields = ("smoothing", "segment_totals", "absent_order", "unmatched_order", "nothing_matches", "brevity")
    found: list[Mapping[str, object]] = []
    base = _named("paper")
    recipes = [_named(name) for name in ("sacrebleu", *DIALECTS)]
    recipes += [base.with_choices(extra) for extra in EXTRA_FORMULAS]
    for recipe in recipes:
        if recipe.is_for_one_segment:
            continue  # as a mean over segments only, where they are rare
        formula = {name: getattr(recipe, name) for name in fields}
        if formula not in found:
            found.append(formula)
    return found


@cache
def list_readings(several_references: bool) -> tuple[tuple[int, BleuRecipe], ...]:
    """Return the recipes of the search, each with how unusual it is; the named ones come first."""
    return list_once(_list_recipes(several_references))


def _list_recipes(several_references: bool) -> Iterator[tuple[int, BleuRecipe]]:
    yield from enumerate(map(_named, ["sacrebleu", *DIALECTS]))
    usual = (_named("sacrebleu").with_choices(options) for options in USUAL_OPTIONS)
    yield from enumerate(usual, start=len(DIALECTS) + 1)
    rules = ("closest", "shortest", "closest-first") if several_references else ("closest",)
    counting = {"tokenizer": TOKENIZERS, "case": CASES, "reference_length": rules}
    for formula in _formulas():
        for steps, recipe in vary(_named("paper").with_choices(formula), {**counting, "order": ORDERS}):
            yield 100 + sum(map(mul, steps, (20, 15, 25, 10))), recipe
    for place, name in enumerate(AVERAGED):
        for steps, recipe in vary(_named(name).with_choices({"across_orders": "mean"}), counting):
            yield 110 + 5 * place + sum(map(mul, steps, (20, 15, 25))), recipe


def is_common(recipe: BleuRecipe) -> bool:
    """Whether the mean of segment scores is worth a try: N is 4, and no rule is that of one tool alone."""
    return recipe.order == 4 and (recipe.brevity, recipe.across_orders) == ("exact", "together")


def search_layout(recipe: BleuRecipe, single_reference: bool) -> tuple[str, Layout[BleuStats]]:
    """Say in which case texts are given, and lay out what is counted for a reading then.

    With one reference every rule for its length counts the same.
    """
    counting = recipe.counting._replace(case="mixed")
    if single_reference:
        counting = counting._replace(reference_length="closest")
    return recipe.case, bleu_layout(max(*ORDERS, recipe.layout.order), counting)


def _named(name: str) -> BleuRecipe:
    recipe = Recipe.named(name)
    assert isinstance(recipe, BleuRecipe)
    return recipe
