"""``bleuprint recipes``: the dialects, one of them axis by axis, or the difference between two."""

from __future__ import annotations

import click

from bleuprint.axes import AXES, SMOOTHINGS
from bleuprint.cli.options import format_option, output_option
from bleuprint.cli.printing import deliver
from bleuprint.dialect_table import DEFAULT, DIALECTS
from bleuprint.errors import RecipeError
from bleuprint.recipe import Recipe, differing_axes
from bleuprint.render.json import render_json
from bleuprint.tokenizer_table import BUILT_IN
from bleuprint.wording import join_words


@click.command("recipes")
@click.argument("name", required=False)
@click.option("--diff", nargs=2, metavar="A B", help="Show the axes on which two recipes differ.")
@format_option("text", "json")
@output_option
def command(name: str | None, diff: tuple[str, str] | None, output_format: str, output: str | None) -> None:
    """List the dialects; show one of them, NAME, axis by axis; or compare two with --diff.

    A recipe is the name of a dialect or a signature, bleuprint's own or sacreBLEU's.
    """
    if name and diff:
        raise RecipeError(where="recipes", wanted="a name or --diff", got="both", next_step="Leave one of them out.")
    if diff:
        data, text = _compare(*diff)
    elif name:
        data, text = _show(name)
    else:
        data, text = _list()
    deliver(render_json(data) if output_format == "json" else text, output)


def _list() -> tuple[object, str]:
    data = [
        {
            "name": dialect.name,
            "summary": dialect.summary,
            "tool": dialect.tool,
            "checked": dialect.checked,
            "signature": str(Recipe.named(dialect.name)),
        }
        for dialect in DIALECTS.values()
    ]
    width = max(map(len, DIALECTS))
    lines = [
        f"{dialect.name:<{width}}  {dialect.summary}{' (default)' if dialect.name == DEFAULT else ''}"
        for dialect in DIALECTS.values()
    ]
    return data, "\n".join([*lines, "", "bleuprint recipes NAME shows one axis by axis; --diff A B compares two."])


def _show(name: str) -> tuple[object, str]:
    recipe = Recipe.of(name)
    choices = {field: recipe.choice(field) for field in AXES}
    width = max(map(len, AXES))
    lines = [f"{field:<{width}}  {choice}: {_meaning(recipe, field)}" for field, choice in choices.items()]
    dialect = DIALECTS.get(name)
    if dialect:
        head = [f"{name}: {dialect.summary}", f"equals {dialect.tool}", f"checked: {dialect.checked}", ""]
    else:
        head = [f"this is {join_words(recipe.dialects, 'or')}" if recipe.dialects else "no dialect has this recipe", ""]
    data = {"name": name, "dialects": list(recipe.dialects), "axes": choices, "signature": str(recipe)}
    return data, "\n".join([*head, *lines, "", str(recipe)])


def _compare(left: str, right: str) -> tuple[object, str]:
    one, other = Recipe.of(left), Recipe.of(right)
    axes = differing_axes(one, other)
    data = {
        "left": left,
        "right": right,
        "axes": {field: [one.choice(field), other.choice(field)] for field in axes},
    }
    if not axes:
        return data, f"{left} and {right} are the same recipe."
    blocks = []
    for field in axes:
        lines = [f"{field}: {AXES[field].title}"]
        lines += [
            f"  {name}: {recipe.choice(field)}: {_meaning(recipe, field)}"
            for name, recipe in ((left, one), (right, other))
        ]
        blocks.append("\n".join(lines))
    same = [field for field in AXES if field not in axes]
    return data, "\n".join([*blocks, "", f"the same: {', '.join(same)}"])


def _meaning(recipe: Recipe, field: str) -> str:
    """Say what a recipe's choice on an axis means."""
    if field == "tokenizer":
        entry = BUILT_IN.get(recipe.tokenizer) if isinstance(recipe.tokenizer, str) else None
        return entry.summary if entry else "registered by a program"
    if field == "smoothing":
        return SMOOTHINGS[recipe.smoothing.kind][1]
    if field == "weights":
        return f"N = {recipe.order}"
    return AXES[field].choices[recipe.choice(field)]
