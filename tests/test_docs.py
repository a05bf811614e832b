"""Documents: their examples run and print what they show, generated parts are fresh, links lead somewhere."""

import doctest
import importlib.util
import re
from pathlib import Path

import pytest

import photograph_page
from bleuprint.web.page import render_page

ROOT = Path(__file__).parent.parent


def load_tool(name: str):
    spec = importlib.util.spec_from_file_location(Path(name).name, ROOT / f"tools/{name}.py")
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    return tool


make_docs = load_tool("make_docs")
PAGES = make_docs.pages()


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_generated_parts_and_outputs_are_fresh(page):
    assert page.read_text(encoding="utf-8") == make_docs.build(page), "run: make docs"


@pytest.mark.needs("matplotlib")
def test_the_picture_of_throughput_is_drawn_from_the_stored_numbers():
    tool = load_tool("draw_throughput")
    assert tool.PICTURE.read_text(encoding="utf-8") == tool.build(), "run: make docs"


def test_the_picture_of_the_page_shows_the_page_of_today():
    label = photograph_page.describe(render_page("served"))
    assert photograph_page.read_label(photograph_page.PICTURE.read_bytes()) == label, (
        "run: python tools/photograph_page.py"
    )


NEEDS = {
    "docs/dialects.md": ["pycocoevalcap"],
    "docs/migrating.md": ["evaluate", "torchmetrics"],
    "docs/recipes.md": ["MeCab", "mecab_ko", "sentencepiece", "pycocoevalcap"],
    "docs/scaling.md": ["pyarrow", "polars", "duckdb"],
    "docs/training.md": ["torch"],
}
"""The packages that the examples of a document import."""


def with_needs(page: Path):
    return pytest.param(page, marks=[pytest.mark.needs(*NEEDS[name_of(page)])] if name_of(page) in NEEDS else [])


@pytest.mark.parametrize("page", [*map(with_needs, PAGES)], ids=[*map(name_of, PAGES)])
def test_python_examples_run_as_a_reader_pastes_them(page, monkeypatch):
    """From top to bottom in one session, in which nothing was imported before."""
    monkeypatch.chdir(ROOT)
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, name_of(page), str(page), 0)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    report = []
    runner.run(test, out=report.append)
    assert runner.failures == 0, "".join(report)
    shown = sum(block.count(">>> ") for block in blocks)
    assert len(test.examples) == shown, "every line of a Python block is an example that runs"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_to_files_of_the_project(page):
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), target


def test_a_stale_output_would_be_noticed(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```console\n$ bleuprint score --brief a\n99.99\n```\n", encoding="utf-8")
    assert "99.99" not in make_docs.build(page)
