"""``bleuprint recipes``: the dialects, one of them axis by axis, the difference between two; and the tokenizers."""

from __future__ import annotations

from collections.abc import Iterable

import click

from bleuprint.cli.call import Call, find_recipe, list_differences
from bleuprint.cli.options import Option, make_command, output_options
from bleuprint.cli.printing import deliver
from bleuprint.errors import RecipeError
from bleuprint.recipes.options import DEFAULT, SEGMENT_DEFAULT, Dialect
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.registry import list_metrics
from bleuprint.render.json import render_json
from bleuprint.render.phrases import choice_phrase
from bleuprint.text.tokenizers.registry import BUILT_IN
from bleuprint.wording import join_words

OPTIONS: list[click.Parameter] = [
    click.Argument(["name"], required=False),
    Option(["--diff"], nargs=2, metavar="A B", help="Show the axes on which two recipes differ."),
    Option(
        ["--tokenizers"], is_flag=True, help="List the tokenizers, and what is missing for those that cannot run."
    ),
]  # fmt: skip


@make_command("recipes", *OPTIONS, *output_options("text", "json"))
def command(call: Call, *, name: str | None, diff: tuple[str, str] | None, tokenizers: bool) -> None:
    """List the dialects; show one of them, NAME, axis by axis; compare two with --diff; or list the tokenizers.

    A recipe is the name of a dialect or a signature, bleuprint's own or sacreBLEU's.
    """
    if (name is not None) + (diff is not None) + tokenizers > 1:
        raise RecipeError("A name, --diff and --tokenizers cannot be combined.", "Leave all but one out.")
    if tokenizers:
        data, text = _list_tokenizers()
    elif diff:
        data, text = _compare(*diff)
    elif name:
        data, text = _show(name)
    else:
        data, text = _list()
    deliver(render_json(data) if call.output_format == "json" else text, call.output)


_DEFAULTS = {DEFAULT: " (default)", SEGMENT_DEFAULT: " (default for single segments)"}


def _list() -> tuple[object, str]:
    dialects = _dialects().values()
    data = [
        {
            "name": dialect.name,
            "summary": dialect.summary,
            "tool": dialect.tool,
            "checked": dialect.checked,
            "signature": str(Recipe.named(dialect.name)),
        }
        for dialect in dialects
    ]
    text = _align((dialect.name, f"{dialect.summary}{_DEFAULTS.get(dialect.name, '')}") for dialect in dialects)
    return data, f"{text}\n\nbleuprint recipes NAME shows one axis by axis; --diff A B compares two."


def _list_tokenizers() -> tuple[object, str]:
    missing = {name: entry.find_obstacle() for name, entry in BUILT_IN.items()}
    data = [
        {"name": name, "signature": str(entry), "summary": entry.summary, "missing": missing[name] or None}
        for name, entry in BUILT_IN.items()
    ]
    rows = ((name, "; ".join(filter(None, [entry.summary, missing[name]]))) for name, entry in BUILT_IN.items())
    return data, _align(rows)


def _align(rows: Iterable[tuple[str, str]]) -> str:
    """Write names and texts as two columns."""
    listed = list(rows)
    width = max(len(name) for name, _ in listed)
    return "\n".join(f"{name:<{width}}  {text}" for name, text in listed)


def _show(name: str) -> tuple[object, str]:
    recipe = find_recipe("recipes", name)
    choices = {field: recipe.choice(field) for field in recipe.metric.axes}
    lines = _align((field, f"{choice}: {choice_phrase(recipe, field)}") for field, choice in choices.items())
    dialect = _dialects().get(name)
    if dialect:
        head = [f"{name}: {dialect.summary}", f"equals {dialect.tool}", f"checked: {dialect.checked}", ""]
    else:
        head = [f"this is {join_words(recipe.names, 'or')}" if recipe.names else "no dialect has this recipe", ""]
    data = {"name": name, "dialects": list(recipe.names), "axes": choices, "signature": str(recipe)}
    return data, "\n".join([*head, lines, "", str(recipe)])


def _describe_choice(recipe: Recipe, field: str) -> str:
    """Describe a value below the title of its option, which says everything about a number."""
    choice, phrase = recipe.choice(field), choice_phrase(recipe, field)
    return choice if phrase == recipe.metric.axes[field].title else f"{choice}: {phrase}"


def _compare(left: str, right: str) -> tuple[object, str]:
    one, other = find_recipe("--diff", left), find_recipe("--diff", right)
    axes = list_differences("--diff", one, other)
    data = {
        "left": left,
        "right": right,
        "axes": {field: [one.choice(field), other.choice(field)] for field in axes},
    }
    if not axes:
        return data, f"{left} and {right} are the same recipe."
    blocks = []
    for field in axes:
        lines = [f"{field}: {one.metric.axes[field].title}"]
        lines += [f"  {name}: {_describe_choice(recipe, field)}" for name, recipe in ((left, one), (right, other))]
        blocks.append("\n".join(lines))
    same = [field for field in one.metric.axes if field not in axes]
    return data, "\n".join([*blocks, "", f"the same: {', '.join(same)}"])


def _dialects() -> dict[str, Dialect]:
    """List the dialects of all metrics."""
    return {name: dialect for metric in list_metrics() for name, dialect in metric.dialects.items()}
