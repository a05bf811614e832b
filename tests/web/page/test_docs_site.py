"""The documentation as a site: every link leads somewhere, search finds, nothing leaves, axe finds nothing.

Pictures are kept in $BLEUPRINT_SCREENSHOTS if that is set.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest

import bleuprint as bp
from page.conftest import SharedContext, Watch
from page.driver import Driver, Host
from page.hosts import SUBFOLDER, file_server, running
from page.looks import AXE_RUN
from worker_sharing import locked, shared_folder

ROOT = Path(__file__).parents[3]

pytestmark = pytest.mark.extended
"""Building the site takes half a minute."""
BUILD = """
import build, sys, pathlib
folder = pathlib.Path(sys.argv[1])
build.build_pages(folder / build.bp.__version__)
for earlier in ("0.0.10", "0.0.9", "stable"):
    (folder / earlier).mkdir()
    (folder / earlier / "index.html").touch()
build.lead_to_version(folder)
"""
NAMES = """
import json, reference
reference.stand_in_for_mbrs()
print(json.dumps({module: reference.public_names(module) for module in reference.MODULES}))
"""
LOOKS = {
    "wide": {"viewport": {"width": 1280, "height": 900}},
    "narrow, dark": {"viewport": {"width": 320, "height": 640}, "color_scheme": "dark"},
}
LOOKED_AT = (
    "index",
    "docs/recipes",
    "docs/cli",
    "gallery",
    "reference/bleuprint",
    "reference/bleuprint.results",
    "search",
)


class Links(HTMLParser):
    """What a page leads to and loads, and the places in it that a link can lead to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.targets: set[str] = set()
        self.places = {"", "top"}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.targets.add(value)
            elif name == "id" and value:
                self.places.add(value)


def origin_of(address: str) -> str:
    return Host("docs", address).origin


def states_of(docs: Path) -> list[str]:
    """Name the pages that are Sphinx's; the others have tests of their own."""
    names = [str(path.relative_to(docs).with_suffix("")) for path in docs.rglob("*.html")]
    return [name for name in names if not name.startswith(("calculator/", "gallery/"))]


def run_tools(program: str, *arguments: str) -> str:
    """Run a program where the site's tools are, in a process of its own, and give what it prints."""
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(command, cwd=ROOT / "tools/docs_site", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def docs(tmp_path_factory: pytest.TempPathFactory, site: Path) -> Path:
    """The folder of a version of the documentation, with the calculator; it is built once for all tests."""
    folder = shared_folder(tmp_path_factory) / "docs-host"
    with locked(folder.with_suffix(".lock")):
        if not folder.exists():
            run_tools(BUILD, str(folder))
            shutil.copytree(site / SUBFOLDER, folder / bp.__version__ / "calculator")
    return folder / bp.__version__


@pytest.fixture(scope="package")
def address(docs: Path) -> Iterator[str]:
    with running(file_server(docs.parent)) as found:
        yield f"{found}{docs.name}/"


def test_every_internal_link_leads_to_a_place(docs):
    found = {page: Links(page.read_text(encoding="utf-8")) for page in docs.rglob("*.html")}
    assert len(found) > 50
    broken = []
    for page, links in found.items():
        for target in sorted(links.targets):
            parts = urlsplit(urljoin(page.as_uri(), target))
            if parts.scheme != "file":
                continue
            path = Path(unquote(parts.path))
            path = path / "index.html" if path.is_dir() else path
            inside = path.is_relative_to(docs) and path.is_file()
            if not inside or (path in found and unquote(parts.fragment) not in found[path].places):
                broken.append(f"{page.relative_to(docs)}: {target}")
    assert broken == []


def test_the_reference_has_every_public_name(docs):
    for module, names in json.loads(run_tools(NAMES)).items():
        page = (docs / f"reference/{module}.html").read_text(encoding="utf-8")
        places = Links(page).places
        assert names
        missing = [name for name in names if f"{module}.{name}" not in places and f"<dt>{name}</dt>" not in page]
        assert missing == [], module


def test_the_reference_begins_with_its_modules_and_leaves_their_names_to_them(docs):
    page = (docs / "reference/index.html").read_text(encoding="utf-8")
    targets = Links(page).targets
    assert {f"{module}.html" for module in json.loads(run_tools(NAMES))} <= targets
    assert {target for target in targets if target.startswith("bleuprint") and "#" in target} == set()
    assert "Teaching BLEU: lessons in steps for the page" in page


def test_the_reference_has_what_a_class_inherits_from_ours(docs):
    for page, places in {
        "bleuprint": ("BleuScore.signature", "BleuScore.notes", "BleuScore.census", "Recipe.replace"),
        "bleuprint.results": ("TerScore.score", "ChrfRecipe.named", "TerRecipe.parse"),
        "bleuprint.compat.sacrebleu": ("BLEU.get_signature", "CHRF.get_signature", "TER.get_signature"),
    }.items():
        text = (docs / f"reference/{page}.html").read_text(encoding="utf-8")
        assert {f"{page}.{place}" for place in places} <= {*Links(text).places}
        assert "Bases: " in text


def test_numbers_stay_with_their_units(docs):
    for page in ("docs/benchmarks", "bench/results/speed"):
        cells = re.findall(r"<td><p>([^<]+)</p></td>", (docs / f"{page}.html").read_text(encoding="utf-8"))
        times = [cell for cell in cells if re.fullmatch(r"[\d.,]+\s(?:m?s|×)", cell)]
        assert len(times) > 20
        assert [cell for cell in times if " " in cell] == []


def test_the_gallery_shows_what_the_commands_make(docs):
    score = bp.score_sentence("the cat sat on the mat today", "today the cat sat on the mat", recipe="paper")
    assert f"<title>BLEU-4 = {score:.2f}</title>" in (docs / "gallery/bleu.html").read_text(encoding="utf-8")
    framed = Links((docs / "gallery.html").read_text(encoding="utf-8")).targets
    made = {f"gallery/{path.name}" for path in (docs / "gallery").iterdir()}
    assert made == {target for target in framed if target.startswith("gallery/")}
    assert len(made) == 4


@pytest.mark.parametrize("look", LOOKS)
def test_nothing_leaves_and_axe_finds_nothing(look, docs, address, shared: SharedContext, axe_source, keep_picture):
    states = states_of(docs) if look == "wide" else LOOKED_AT
    assert {*LOOKED_AT} <= {*states}
    page = shared.new_blank(**LOOKS[look])
    watch = Watch(page, origin_of(address))
    problems = {}
    for state in states:
        page.goto(f"{address}{state}.html")
        if state in LOOKED_AT:
            keep_picture(page, f"docs {state.replace('/', ' ')} {look}")
        page.evaluate(axe_source)
        problems[state] = page.evaluate(AXE_RUN)
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), state
    shared.close([page])
    watch.check(None)
    assert [(state, found) for state, found in problems.items() if found] == []


def test_the_first_page_of_all_leads_to_the_version(docs, address, shared: SharedContext):
    page = shared.new_blank()
    page.goto(address.removesuffix(f"{bp.__version__}/"))
    page.wait_for_url(f"{address}index.html")
    shared.close([page])
    versions = json.loads((docs.parent / "versions.json").read_text(encoding="utf-8"))
    assert versions == ["0.0.9", "0.0.10", bp.__version__]


def test_search_works_without_a_server(docs, shared: SharedContext, axe_source):
    page = shared.new_blank()
    page.goto((docs / "index.html").as_uri())
    page.get_by_role("textbox", name="Search").fill("score_sentence")
    page.keyboard.press("Enter")
    results = page.locator("#search-results li a")
    results.first.wait_for()
    addresses = results.evaluate_all("(all) => all.map((one) => one.href)")
    page.evaluate(axe_source)
    problems = page.evaluate(AXE_RUN)
    shared.close([page])
    assert any(address.endswith("reference/bleuprint.html#bleuprint.score_sentence") for address in addresses)
    assert problems == []


def test_the_calculator_stands_beside_the_pages(address, shared: SharedContext):
    page = shared.new_blank()
    watch = Watch(page, origin_of(address))
    page.goto(f"{address}gallery.html")
    page.get_by_role("link", name="Open the calculator").click()
    signature = Driver(page, Host("static", page.url)).await_engine().settle().signature
    shared.close([page])
    watch.check(None)
    assert signature == str(bp.Recipe.named("paper"))
