"""Documents that explain a score in a real browser: axe finds nothing, and nothing is wider than the window."""

from __future__ import annotations

from pathlib import Path

import pytest

import bleuprint as bp
from bleuprint.render.html import render_document
from page.conftest import SharedContext
from page.looks import AXE_RUN, LOOKS, WIDER

MOVED = "on the mat the cat sat very quietly today , while it was raining cats and dogs outside of the old house"
REFERENCES = [
    "the cat sat on the mat quietly this evening , while outside of the house it was raining cats and dogs",
    "A cat was sitting on the mat, and nobody had told it about the Rindfleischetikettierungsüberwachungsgesetz.",
]
OF_EVERY_DOCUMENT = "page-has-heading-one:"
"""The frame that all results are written into begins with the result itself, BLEU's as well."""
CORPUS = (["the cat is on mat", "x y", "a b c d"], ["the cat is on the mat", "y x z", "a b d"])
EXPLANATIONS = {
    "bleu": lambda: bp.explain(MOVED, REFERENCES),
    "chrf": lambda: bp.explain(MOVED, REFERENCES, "chrf++"),
    "chrf-each-order": lambda: bp.explain("a b", "a b c", "chrf-popovic"),
    "chrf-nothing": lambda: bp.explain("a", "b", "chrf"),
    "chrf-corpus": lambda: bp.explain(*CORPUS, "chrf"),
    "ter": lambda: bp.explain(MOVED, REFERENCES, "ter"),
    "ter-search-ended": lambda: bp.explain("a " * 8 + "b " * 8, "b " * 8 + "a " * 8, "ter"),
    "ter-empty": lambda: bp.explain("a", "", "ter"),
    "ter-corpus": lambda: bp.explain(*CORPUS, "ter"),
}


@pytest.mark.extended
@pytest.mark.parametrize("look", ["wide", "dark", "narrow"])
def test_axe_finds_nothing_and_nothing_is_wider_than_the_window(
    shared: SharedContext, tmp_path: Path, axe_source: str, keep_picture, look: str
):
    page = shared.new_blank(**LOOKS[look])
    for name, explain in EXPLANATIONS.items():
        path = tmp_path / f"{name}.html"
        path.write_text(render_document(explain(), ngrams=20), encoding="utf-8")
        page.goto(path.as_uri())
        page.evaluate("() => { for (const one of document.querySelectorAll('details')) one.open = true; }")
        page.evaluate(axe_source)
        found = [problem for problem in page.evaluate(AXE_RUN) if not problem.startswith(OF_EVERY_DOCUMENT)]
        assert not found, f"{name}\n" + "\n\n".join(found)
        assert page.evaluate(WIDER) == [True, []], name
        keep_picture(page, f"explanation-{name}-{look}")
    shared.close([page])


def test_the_alignment_is_a_table_also_where_its_rows_stand_side_by_side(shared: SharedContext, tmp_path: Path):
    path = tmp_path / "ter.html"
    path.write_text(render_document(bp.explain("b a", "a b c", "ter")), encoding="utf-8")
    page = shared.new_blank()
    page.goto(path.as_uri())
    table = page.get_by_role("table", name="Alignment")
    assert table.get_by_role("columnheader").all_text_contents() == ["Reference", "Edit", "Candidate"]
    rows = [row.get_by_role("cell").all_text_contents() for row in table.get_by_role("row").all()[1:]]
    assert [row[0] for row in rows] == ["a", "b", "c"]
    tops = [row.bounding_box()["y"] for row in table.get_by_role("row").all()[1:]]
    assert len(set(tops)) == 1
    shared.close([page])
