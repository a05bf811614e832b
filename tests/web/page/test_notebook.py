"""What notebooks show: every result shows itself, in the colours of the notebook's theme and not of the system's."""

import pytest

import bleuprint as bp
from bleuprint.findings.reconciliation import group_dialects
from page.conftest import SharedContext

CANDIDATES = ["the cat is on mat", "hello world", "the <b>cat</b>"]
REFERENCES = [["the cat is on the mat"], ["hello world"], ["the <b>cat</b>"]]
SHOWN = {
    "BleuScore": lambda: bp.score(CANDIDATES, REFERENCES),
    "BleuScore of a segment": lambda: bp.score_sentence(CANDIDATES[0], REFERENCES[0]),
    "Recipe": lambda: bp.Recipe.named("nltk-method4"),
    "SegmentScores": lambda: bp.score_segments(CANDIDATES, REFERENCES),
    "Explanation": lambda: bp.explain(CANDIDATES[0], REFERENCES[0], "paper"),
    "Reconciliation": lambda: bp.reconcile(CANDIDATES, REFERENCES, "nltk", "sacrebleu"),
    "DialectGroups": lambda: group_dialects(CANDIDATES, REFERENCES),
    "Identification": lambda: bp.identify(CANDIDATES, REFERENCES, "62.3"),
    "Comparison": lambda: bp.compare({"a": CANDIDATES, "b": CANDIDATES[::-1]}, REFERENCES, resamples=100),
}
LIGHT = ("rgb(28, 39, 51)", "rgb(255, 255, 255)")
DARK = ("rgb(228, 234, 239)", "rgb(20, 27, 33)")
HOSTS = {
    "JupyterLab light": ('<html><body data-jp-theme-light="true">{}', LIGHT),
    "JupyterLab dark": ('<html><body data-jp-theme-light="false">{}', DARK),
    "VS Code light": ('<html><body class="vscode-light">{}', LIGHT),
    "VS Code dark": ('<html><body class="vscode-dark">{}', DARK),
    "VS Code high contrast": ('<html><body class="vscode-high-contrast">{}', DARK),
    "VS Code light high contrast": ('<html><body class="vscode-high-contrast vscode-high-contrast-light">{}', LIGHT),
    "VS Code dark, in a shadow tree": (
        '<html><body class="vscode-dark"><div><template shadowrootmode="open">{}</template></div>',
        DARK,
    ),
    "Colab light": ('<html theme="light"><body>{}', LIGHT),
    "Colab dark": ('<html theme="dark"><body>{}', DARK),
}
COLOURS = """() => {
    const root = document.querySelector("body > div")?.shadowRoot ?? document;
    const { color, backgroundColor } = getComputedStyle(root.querySelector(".bp-explanation"));
    return [color, backgroundColor];
}"""


@pytest.fixture(scope="module")
def page(shared: SharedContext):
    opened = shared.new_blank(viewport={"width": 900, "height": 900})
    yield opened
    shared.close([opened])


@pytest.fixture
def show(page):
    """Show an output in a page around it, on a system that prefers light or dark."""

    def put(document, preferred):
        page.emulate_media(media="screen", color_scheme=preferred)
        page.set_content("<!doctype html>" + document)
        return page

    return put


@pytest.mark.parametrize("host", HOSTS)
def test_an_output_follows_the_theme_of_its_notebook(show, host):
    document, expected = HOSTS[host]
    for preferred in ("light", "dark"):
        page = show(document.format(bp.score(CANDIDATES, REFERENCES)._repr_html_()), preferred)
        assert tuple(page.evaluate(COLOURS)) == expected, preferred


@pytest.mark.parametrize(("preferred", "expected"), [("light", LIGHT), ("dark", DARK)])
def test_where_no_theme_is_said_it_follows_the_system(show, preferred, expected):
    page = show(f"<html><body>{SHOWN['Recipe']()._repr_html_()}", preferred)
    assert tuple(page.evaluate(COLOURS)) == expected


@pytest.mark.parametrize("name", SHOWN)
def test_every_result_shows_itself_and_changes_with_the_theme(show, name):
    html = SHOWN[name]()._repr_html_()
    page = show(HOSTS["JupyterLab dark"][0].format(html), "light")
    assert tuple(page.evaluate(COLOURS)) == DARK
    page.evaluate("document.body.dataset.jpThemeLight = 'true'")
    assert tuple(page.evaluate(COLOURS)) == LIGHT
    assert page.locator(".bp-explanation").inner_text().strip()
    assert page.locator(".bp-explanation b").count() == 0, "no text becomes markup"


def test_a_printed_notebook_is_light(show):
    page = show(HOSTS["JupyterLab dark"][0].format(SHOWN["BleuScore"]()._repr_html_()), "dark")
    page.emulate_media(media="print")
    assert tuple(page.evaluate(COLOURS)) == LIGHT


def test_a_score_shows_its_number_its_notes_and_its_signature(show):
    score = bp.score_sentence("hello world", "hello world", "sacrebleu")
    page = show(score._repr_html_(), "light")
    assert page.get_by_test_id("bleu-100").inner_text() == "0.00"
    assert page.get_by_test_id("notes").inner_text() == score.notes[0].text
    assert page.get_by_test_id("signature").inner_text() == score.signature


def test_a_recipe_shows_every_axis(show):
    recipe = bp.Recipe.named("nltk").replace(order=2)
    page = show(recipe._repr_html_(), "light")
    rows = [row.inner_text().split("\t")[:2] for row in page.locator("tbody tr").all()]
    fields = ("tokenizer", "case", "weights", "smoothing")
    assert rows[:4] == [[field, recipe.choice(field)] for field in fields]
    assert page.locator("h3").inner_text() == "A recipe without a name"
    assert page.get_by_test_id("signature").inner_text() == str(recipe)


def test_segments_show_the_first_hundred_and_say_how_many_more_there_are(show):
    scores = bp.score_segments(CANDIDATES * 40, REFERENCES * 40)
    page = show(scores._repr_html_(), "light")
    assert page.locator("tbody tr").count() == 100
    assert page.locator("tbody tr").first.inner_text().split("\t") == [
        "1", scores.printed(0), "5/5", "3/4", "2/3", "1/2", "5", "6"
    ]  # fmt: skip
    assert page.get_by_test_id("hidden").inner_text().startswith("20 more segments:")
    few = bp.score_segments(CANDIDATES, REFERENCES)
    assert show(few._repr_html_(), "light").get_by_test_id("hidden").count() == 0
