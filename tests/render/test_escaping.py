"""Templates escape every text. What they insert as markup is listed here: other tests do not see each expression."""

from pathlib import Path

import pytest
from jinja2 import Environment, nodes

import bleuprint

ROOT = Path(bleuprint.__file__).parent
TEMPLATES = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.rglob("templates/**/*.html"))
SAFE = {
    "web/templates/page.html": {
        "result.html", "details.html.texts", "what_if_html", "result.summary", "details.html.derivation",
        "details.html.ngrams", "dialects_html",
    },
}  # fmt: skip
"""What may be inserted as markup: what other templates rendered, and escaped. Constants always may."""


def name_expression(expression):
    if isinstance(expression, nodes.Name):
        return expression.name
    if isinstance(expression, nodes.Getattr):
        return f"{name_expression(expression.node)}.{expression.attr}"
    return repr(expression)


@pytest.mark.parametrize("template", TEMPLATES)
def test_only_what_other_templates_rendered_is_inserted_as_markup(template):
    tree = Environment().parse((ROOT / template).read_text(encoding="utf-8"))
    marked = [one.node for one in tree.find_all(nodes.Filter) if one.name == "safe"]
    inserted = {name_expression(one) for one in marked if not isinstance(one, nodes.Const)}
    assert inserted == SAFE.get(template, set())
    assert not list(tree.find_all(nodes.ScopedEvalContextModifier)), "autoescape is never turned off"
