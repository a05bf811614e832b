"""The report of a comparison in a real browser, opened from its file: rows, filters, keys, looks, and no network."""

from __future__ import annotations

import random
import re
import socket
import struct
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

import bleuprint as bp
from bleuprint.findings.comparison import compare_statistics
from bleuprint.findings.comparison.closeup import score_alone
from bleuprint.metrics.bleu.explain import SegmentEvidence
from bleuprint.wording import format_score
from command_line import DOCUMENTS, R1, R2, A, B, read_texts
from packages import optional
from page.attacks import ATTACKS, COUNTS
from page.conftest import SharedContext, Watch
from page.looks import AXE_RUN, FOCUS, LOOKS, WIDER

PdfReader = optional("pypdf", "PdfReader")

OpenReport = Callable[..., Page]
SETTLED = "() => new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 140))"
"""The filter waits 120 ms after a key; rows are drawn with the next frame."""


@pytest.fixture(scope="module")
def comparison() -> bp.Comparison:
    """The example's two systems and a mixture of them, with documents."""
    a, b, *references = read_texts(A, B, R1, R2)
    mixed = [one if place % 2 else other for place, (one, other) in enumerate(zip(a, b, strict=True))]
    labels = {"document": read_texts(DOCUMENTS)[0]}
    systems = {"a": a, "b": b, "mixed": mixed}
    return bp.compare(
        systems, list(zip(*references, strict=True)), ["sacrebleu", "paper"], resamples=200, labels=labels
    )


@pytest.fixture
def open_report(shared: SharedContext, tmp_path: Path) -> Iterator[OpenReport]:
    """Write a report to a file, open it from there, and see that it asks for nothing but itself."""
    opened: list[tuple[Page, Watch]] = []

    def open_it(html: str, **look: Any) -> Page:
        path = tmp_path / "report.html"
        path.write_text(html, encoding="utf-8")
        page = shared.new_blank(**look)
        page.set_default_timeout(30_000)
        opened.append((page, Watch(page, f"file://{tmp_path}")))
        page.goto(path.as_uri())
        page.locator("body[data-ready=yes]").wait_for()
        return page

    yield open_it
    shared.close(page for page, _ in opened)
    for _, watch in opened:
        watch.check(None)


def numbers(page: Page) -> list[int]:
    """Read which segments are in the document, from the top."""
    return [int(text.replace(",", "")) for text in page.locator("#rows tbody th").all_inner_texts()]


def column(page: Page, title: str) -> list[str]:
    heads = [text.split("\n")[0].rstrip(" ▲▼") for text in page.locator("#rows thead th").all_inner_texts()]
    place = heads.index(title) + 1
    return page.locator(f"#rows tbody tr:not(.bp-space) > :nth-child({place})").all_inner_texts()


def sort_by(page: Page, title: str) -> None:
    page.locator("#rows thead").get_by_role("button", name=title, exact=True).click()


def to_numbers(texts: list[str]) -> list[float]:
    return [float(text.replace("−", "-").replace(",", "")) for text in texts]


def test_sorting_by_score_difference_influence_length_and_number(comparison: bp.Comparison, open_report: OpenReport):
    page = open_report(comparison.to_html())
    assert numbers(page)[:3] == [1, 2, 3]
    result = comparison.result()
    alone = {name: score_alone(comparison.tables[result.recipe.counting][name], result.recipe) for name in "ab"}
    page.locator("#first").select_option("a")
    page.locator("#second").select_option("b")
    sort_by(page, "a")
    assert column(page, "a") == [format_score(score) for score in sorted(alone["a"])][: len(numbers(page))]
    sort_by(page, "a")
    assert column(page, "a")[0] == format_score(max(alone["a"]))
    assert page.locator("th[aria-sort=descending]").inner_text().startswith("a")
    sort_by(page, "a − b")
    differences = [one - other for one, other in zip(alone["a"], alone["b"], strict=True)]
    shown = to_numbers(column(page, "a − b"))
    assert shown == sorted((round(one, 2) for one in differences), reverse=True)[: len(shown)]
    sort_by(page, "Moves a − b by")
    strongest = max(comparison.disagreements("a", "b"), key=lambda one: one.points)
    assert numbers(page)[0] == strongest.segment + 1
    page.locator("#influence").select_option("b")
    assert numbers(page)[0] == comparison.influences("b")[0].segment + 1
    sort_by(page, "Length")
    lengths = to_numbers(column(page, "Length"))
    assert lengths == sorted(lengths, reverse=True)
    sort_by(page, "Segment")
    assert numbers(page)[:3] == [1, 2, 3]


def test_differences_are_rounded_as_python_does(open_report: OpenReport):
    references = [" ".join("a" * 32)] * 33
    systems = {
        name: [" ".join(["b"] * (turn * edits % 33) + ["a"] * (32 - turn * edits % 33)) for edits in range(33)]
        for name, turn in (("one", 1), ("two", 2), ("none", 0))
    }
    made = bp.compare(systems, references, "ter", resamples=100)
    recipe = made.result().recipe
    alone = {name: score_alone(made.tables[recipe.counting][name], recipe) for name in systems}
    page = open_report(made.to_html(), viewport={"width": 1280, "height": 2000})
    page.locator("#rows").evaluate("(one) => { one.style.maxHeight = 'none'; }")
    for first, second in (("one", "two"), ("two", "none"), ("none", "one")):
        page.locator("#first").select_option(first)
        page.locator("#second").select_option(second)
        differences = [one - other for one, other in zip(alone[first], alone[second], strict=True)]
        assert {abs(one) for one in differences} & {3.125, 9.375, 15.625, 21.875}, "ties: half a hundredth"
        shown = to_numbers(column(page, f"{first} − {second}"))
        assert shown == [round(one, 2) for one in differences][: len(shown)]
        assert len(shown) > 10


def test_filtering_by_text_and_by_document(comparison: bp.Comparison, open_report: OpenReport):
    page = open_report(comparison.to_html())
    a, b, r1, r2 = read_texts(A, B, R1, R2)
    page.locator("#filter").fill("HARBOUR")
    page.evaluate(SETTLED)
    texts = ["\n".join(own).lower() for own in zip(a, b, r1, r2, strict=True)]
    wanted = [place + 1 for place, text in enumerate(texts) if "harbour" in text]
    assert 1 < len(wanted) < 15
    assert numbers(page) == wanted
    assert page.locator("#status").inner_text().startswith(f"{len(wanted)} of 60 segments")
    page.locator("#filter").fill("")
    page.locator("#label-0").select_option("kitchen")
    page.evaluate(SETTLED)
    documents = read_texts(DOCUMENTS)[0]
    assert numbers(page) == [place + 1 for place, name in enumerate(documents) if name == "kitchen"]
    page.locator("#filter").fill("no text has this")
    page.evaluate(SETTLED)
    assert numbers(page) == []
    assert page.locator("#status").inner_text().startswith("0 of 60 segments")
    page.locator("#rows").press("End")
    page.locator("#filter").fill("")
    page.evaluate(SETTLED)
    assert len(numbers(page)) == 10


def test_sources_are_found_and_shown_first_and_external_scores_with_their_digits(open_report: OpenReport):
    a, r1 = read_texts(A, R1)
    sources = [f"Quelle {place} <b>" for place in range(1, 61)]
    external = {"comet": {"a": [place / 60 for place in range(1, 61)]}}
    page = open_report(bp.compare({"a": a}, r1, resamples=100, sources=sources, scores=external).to_html())
    page.locator("#filter").fill("quelle 17 ")
    page.evaluate(SETTLED)
    assert numbers(page) == [17]
    page.locator("#rows tbody th button").click()
    cards = page.locator("#opened article")
    assert cards.locator("h4").all_inner_texts()[:2] == ["Source", "Reference 1"]
    assert cards.first.locator("p").inner_text() == "Quelle 17 <b>"
    assert "comet 0.2833" in page.locator("[data-system=a] .bp-counts").inner_text()


def test_an_opened_row_shows_every_text_with_the_marks_of_the_evidence(
    comparison: bp.Comparison, open_report: OpenReport
):
    page = open_report(comparison.to_html())
    page.get_by_role("button", name="Open segment 4", exact=True).click()
    assert page.locator("#opened-title").inner_text() == "Segment 4, document: harbour"
    result = comparison.result()
    counting, order = result.recipe.counting, result.recipe.order

    def marks(card: str) -> list[tuple[str, str]]:
        tokens = page.locator(f"{card} .bp-token")
        return tokens.evaluate_all("(all) => all.map((one) => [one.textContent, one.dataset.match ?? ''])")

    for name, segments in comparison.systems.items():
        evidence = SegmentEvidence(segments.candidates[3], segments.references[3], counting, order)
        card = f"[data-system={name}]"
        assert page.locator(f"{card} .bp-whole").text_content() == segments.candidates[3]
        assert marks(card) == [[token.token, str(token.longest_match or "")] for token in evidence.candidate_view]
        stats = comparison.tables[counting][name][3]
        counts = page.locator(f"{card} .bp-counts").inner_text()
        for n in range(order):
            assert f"{n + 1}-grams {stats.matches[n]}/{stats.totals[n]}" in counts
        score = score_alone(comparison.tables[counting][name], result.recipe)[3]
        assert page.locator(f"{card} h4 strong").inner_text() == format_score(score)
        page.locator("#shading").select_option(name)
        for number, view in enumerate(evidence.reference_views, start=1):
            shown = marks(f"[data-reference='{number}']")
            assert shown == [[token.token, str(token.longest_match or "")] for token in view]
    page.get_by_role("button", name="Next").click()
    assert page.locator("#opened-title").inner_text().startswith("Segment 5,")
    assert page.evaluate("() => document.activeElement.textContent") == "Next"
    sort_by(page, "Segment")
    page.get_by_role("button", name="Next").click()
    assert page.locator("#opened-title").inner_text().startswith("Segment 4,")
    page.locator("#label-0").select_option("kitchen")
    assert page.locator("#opened-title").inner_text().startswith("Segment 4,")
    assert page.get_by_role("button", name="Previous").is_disabled()
    page.get_by_role("button", name="Next").click()
    assert page.locator("#opened-title").inner_text().startswith("Segment 20,")


def test_everything_works_by_keyboard(comparison: bp.Comparison, open_report: OpenReport):
    page = open_report(comparison.to_html())
    press = page.keyboard.press
    press("Tab")
    assert page.evaluate(FOCUS) == {"name": "bp-skip", "seen": True, "body": False}
    press("Enter")
    seen = []
    while page.evaluate("() => document.activeElement.closest('#rows tbody')") is None:
        press("Tab")
        focus = page.evaluate(FOCUS)
        assert focus["seen"], focus
        seen.append(focus["name"])
        assert len(seen) < 30
    assert seen[:6] == ["filter", "label-0", "first", "second", "influence", "pinned"]
    assert "rows" in seen
    label = "() => document.activeElement.getAttribute('aria-label')"
    for key, number in [("ArrowDown", 2), ("End", 60), ("ArrowUp", 59), ("Home", 1)]:
        press(key)
        page.evaluate(SETTLED)
        assert page.evaluate(FOCUS)["seen"]
        assert page.evaluate(label) == f"Open segment {number}"
    press("PageDown")
    page.evaluate(SETTLED)
    assert page.evaluate(FOCUS)["seen"]
    place = page.evaluate(label)
    assert place not in ("Open segment 1", "Open segment 2")
    press("Enter")
    assert page.evaluate("() => document.activeElement.id") == "opened"
    assert f"Open {page.locator('#opened-title').inner_text().split(',')[0].lower()}" == place
    press("Escape")
    assert page.evaluate(label) == place
    press("Tab")
    assert page.evaluate("() => document.activeElement.closest('#rows tbody')") is None


@pytest.mark.parametrize("count", [1_000, pytest.param(10_000, marks=pytest.mark.extended)])
def test_thousands_of_segments_of_five_systems_open_and_scroll(open_report: OpenReport, count: int):
    chance = random.Random(1)
    words = [f"w{number}" for number in range(400)]
    references = [" ".join(chance.choices(words, k=8)) for _ in range(count)]
    systems = {
        f"system {share}": [
            " ".join(word if chance.random() * 10 > share else "other" for word in text.split()) for text in references
        ]
        for share in range(5)
    }
    documents = [f"document {place // 100}" for place in range(count)]
    made = bp.compare(systems, references, resamples=100, labels={"document": documents})
    page = open_report(made.to_html())
    counted = "() => document.querySelectorAll('#rows tbody tr').length"
    most = 0
    for place in (0.1, 0.5, 0.9, 1.0):
        page.locator("#rows").evaluate("(box, place) => { box.scrollTop = place * box.scrollHeight; }", place)
        page.evaluate(SETTLED)
        most = max(most, page.evaluate(counted))
        assert page.locator("#rows tbody tr:not(.bp-space)").first.is_visible()
    assert 10 < most < 60
    assert numbers(page)[-1] == count
    box, last = page.locator("#rows").bounding_box(), page.locator("#rows tbody tr:not(.bp-space)").last.bounding_box()
    assert last["y"] + last["height"] <= box["y"] + box["height"] + 1
    one = count - 58
    page.locator("#label-0").select_option(f"document {one // 100}")
    page.locator("#filter").fill(references[one][:20])
    page.evaluate(SETTLED)
    assert numbers(page) == [one + 1]
    page.get_by_role("button", name=f"Open segment {one + 1}").click()
    assert page.locator("[data-reference='1'] .bp-whole").text_content() == references[one]


def test_texts_and_names_that_try_to_be_markup_stay_text(open_report: OpenReport):
    plain = ["plain"] * len(ATTACKS)
    before = open_report(bp.compare({"a": plain, "b": plain, "c": plain}, plain, resamples=100,
                                    labels={"document": plain}).to_html()).evaluate(COUNTS)  # fmt: skip
    systems = dict(zip(ATTACKS[:3], (ATTACKS, ATTACKS[::-1], plain), strict=True))
    page = open_report(bp.compare(systems, ATTACKS, resamples=100, labels={ATTACKS[3]: ATTACKS}).to_html())
    names = page.locator(".bp-card h4 > :first-child [dir]:first-child, .bp-card h4 > [dir]")
    for place, attack in enumerate(ATTACKS):
        page.get_by_role("button", name=f"Open segment {place + 1}", exact=True).click()
        assert names.all_text_contents() == ATTACKS[:3]
        assert page.locator("[data-reference='1'] .bp-whole").text_content() == attack
        texts = page.locator("[data-system] .bp-whole").all_text_contents()
        assert texts == [attack, ATTACKS[-1 - place], "plain"]
    assert page.evaluate(COUNTS) == before
    assert page.locator("#injected").count() == 0


@pytest.mark.parametrize("policy", ["as written", "removed"])
def test_the_policy_of_the_file_lets_nothing_out(
    comparison: bp.Comparison, shared: SharedContext, tmp_path: Path, policy: str
):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.5)
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        # Not with a frame: for one, Chromium opens a connection, sends nothing, and only then reads the policy.
        probes = f'<img src="{address}/i"><script>window.ran = 1</script>'
        probes += "".join(f'<link rel="{kind}" href="{address}/l">' for kind in ("prefetch", "preconnect"))
        html = comparison.to_html().replace("</main>", f"</main>{probes}")
        if policy == "removed":
            html = html.replace("Content-Security-Policy", "other")
        path = tmp_path / "report.html"
        path.write_text(html, encoding="utf-8")
        page = shared.new_blank()
        page.goto(path.as_uri(), wait_until="commit")
        page.locator("body[data-ready=yes]").wait_for()
        if policy == "removed":  # then the probes do reach out, so that this test could fail
            listener.accept()[0].close()
            assert page.evaluate("() => window.ran") == 1
        else:
            fetched = page.evaluate("(address) => fetch(address).then(() => 'sent', () => 'refused')", address)
            assert fetched == "refused"
            assert page.evaluate("() => window.ran") is None
            with pytest.raises(TimeoutError):
                listener.accept()
        shared.close([page])


LONG_NAME = "transformer-big-with-back-translation"
METRICS = ["sacrebleu", "chrf", "ter"]


@pytest.fixture(scope="module")
def twelve() -> bp.Comparison:
    """Twelve systems under three metrics, the worst given first; the tenth is the baseline."""
    references, documents = (texts[:30] for texts in read_texts(R1, DOCUMENTS))
    systems = {}
    for number in range(11, -1, -1):
        chance = random.Random(number)
        name = f"{LONG_NAME}-{number}" if number < 2 else f"system {number}"
        systems[name] = [
            " ".join("zz" if chance.random() < 0.06 * number else word for word in text.split()) for text in references
        ]
    return bp.compare(systems, references, METRICS, baseline="system 9", resamples=400, labels={"document": documents})


def names_of(made: bp.Comparison) -> list[str]:
    return [system.name for system in made.result().ranked]


def heads(page: Page) -> list[str]:
    """Read the heads of the columns as a screen reader has them."""
    return re.findall(r'columnheader "(.*?)"', page.locator("#rows thead").aria_snapshot())


@pytest.mark.needs("pypdf")
def test_columns_can_be_chosen_and_one_kept_in_sight_with_twelve_systems(
    twelve: bp.Comparison, open_report: OpenReport, tmp_path: Path
):
    page = open_report(twelve.to_html())
    names = names_of(twelve)
    assert names[:2] == [f"{LONG_NAME}-0", f"{LONG_NAME}-1"]
    assert heads(page)[1:13] == names
    for chooser, first in (("#first", []), ("#second", []), ("#influence", ["the difference"])):
        assert page.locator(f"{chooser} option").all_text_contents() == [*first, *names]
    long = page.locator("#rows thead .bp-name").first
    assert (long.get_attribute("title"), long.inner_text().split("\n")[-1]) == (names[0], "transformer…slation-0")

    cut = "(all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"
    assert page.locator("#rows thead th").evaluate_all(cut) == []
    assert page.locator("#first").get_attribute("title") == names[0]
    parts = page.get_by_role("region", name="By document")
    parts.evaluate("(one) => { one.scrollLeft = one.scrollWidth; }")
    assert parts.evaluate("(one) => one.scrollLeft") > 100
    assert abs(parts.locator("tbody th").first.bounding_box()["x"] - parts.bounding_box()["x"]) < 2

    box = page.locator("#rows")
    assert page.locator("#pinned").evaluate("(one) => one.selectedOptions[0].text") == "system 9"
    box.evaluate("(one) => { one.scrollLeft = one.scrollWidth; }")
    left = box.bounding_box()["x"]
    number, kept = (page.locator(f"#rows thead .{kind}").bounding_box() for kind in ("bp-first", "bp-pinned"))
    assert abs(number["x"] - left) < 2
    assert abs(kept["x"] - number["x"] - number["width"]) < 2
    assert page.locator("#rows thead .bp-pinned").inner_text() == "system 9"
    page.locator("#pinned").select_option("nothing")
    assert page.locator("#rows .bp-pinned").count() == 0

    page.locator("#columns > summary").click()
    assert page.locator("#columns-count").inner_text() == "17 of 17"
    page.get_by_role("button", name="Of the systems only the two compared").click()
    assert heads(page)[:3] == ["Segment", names[0], "system 9"]
    page.get_by_role("checkbox", name="Length").uncheck()
    page.get_by_role("checkbox", name="system 4").check()
    assert page.evaluate("() => document.activeElement.dataset.key") == "score-4"
    assert heads(page)[1:4] == [names[0], "system 4", "system 9"]
    assert "Length" not in heads(page)
    assert page.locator("#columns-count").inner_text() == "7 of 17"
    page.locator("#rows tbody button").first.click()
    assert page.locator(".bp-card[data-system]").count() == 3
    assert "9 of 12 systems are left out, as their columns are." in page.locator("#opened").inner_text()
    before = page.locator("body").inner_html()
    text = print_report(page, tmp_path)
    assert all(text.count(bare(name)) > 8 for name in names)
    assert text.count(bare("transformer…slation-0")) == len(METRICS)  # below each plot, whose caption has it whole
    assert "Length" in text
    assert "areleftout" not in text
    assert page.locator("body").inner_html() == before
    page.get_by_role("button", name="All", exact=True).click()
    assert page.locator(".bp-card[data-system]").count() == 12
    page.locator("#pinned").select_option("system 9")
    cards = page.locator(".bp-kept .bp-card h4").all_inner_texts()
    assert [card.split("\n")[0] for card in cards] == ["Reference 1", "system 9"]
    page.set_viewport_size({"width": 1280, "height": 700})
    page.locator(".bp-card[data-system='system 11']").scroll_into_view_if_needed()
    assert page.locator(".bp-kept [data-reference='1']").evaluate("(one) => one.getBoundingClientRect().top >= 0")
    assert page.evaluate(WIDER) == [True, []]


def test_one_system_has_no_plots_and_opens(open_report: OpenReport):
    a, r1 = read_texts(A, R1)
    page = open_report(bp.compare({"only": a}, r1, ["ter", "chrf"], resamples=100).to_html())
    assert page.locator("#plots").is_hidden()
    assert page.locator("#first, #second, #influence").count() == 0
    page.get_by_role("button", name="Open segment 2", exact=True).click()
    chrf = format_score(bp.score_segments(a, r1, "chrf").scores[1])
    assert f"chrF2 {chrf}" in page.locator("[data-system=only]").inner_text()


def test_an_opened_segment_has_an_address_that_back_forward_and_reload_keep(
    comparison: bp.Comparison, open_report: OpenReport
):
    page = open_report(comparison.to_html())
    title, panel = page.locator("#opened-title"), page.locator("#opened")

    def address() -> str:
        return page.evaluate("() => location.hash")

    page.get_by_role("button", name="Open segment 4", exact=True).click()
    assert address() == "#segment-4"
    page.get_by_role("button", name="Next").click()
    assert address() == "#segment-5"
    page.reload()
    page.locator("body[data-ready=yes]").wait_for()
    assert title.inner_text().startswith("Segment 5,")
    assert panel.evaluate("(one) => one.getBoundingClientRect().top < innerHeight")
    assert page.locator("#rows tr[aria-current] th").inner_text() == "5"
    page.go_back()
    page.wait_for_function("() => document.getElementById('opened-title').textContent.startsWith('Segment 4,')")
    panel.focus()
    page.go_back()
    panel.wait_for(state="hidden")
    assert address() == ""
    assert page.locator("#rows tr[aria-current]").count() == 0
    assert page.evaluate("() => document.activeElement.getAttribute('aria-label')") == "Open segment 4"
    page.go_forward()
    panel.wait_for()
    assert title.inner_text().startswith("Segment 4,")
    for wrong in ("61", "0", "99999999999999999999"):
        page.evaluate("(wrong) => { location.hash = `segment-${wrong}`; }", wrong)
        said = f"Expected the number of a segment in the address, 1 to 60, got {wrong}. Choose one in the table."
        page.get_by_text(said).wait_for()
        assert panel.is_hidden()
    page.evaluate("() => { location.hash = 'segment-60'; }")
    panel.wait_for()
    assert title.inner_text().startswith("Segment 60,")
    assert page.locator("#no-segment").inner_text() == ""


def dot(page: Page, title: str, place: tuple[float, float]) -> tuple[float, float]:
    """Find where in the window a pair of scores is drawn."""
    found = page.locator(f"[data-plot='{title}'] .bp-dots").evaluate(
        "(one, [x, y]) => { const at = new DOMPoint(x, -y).matrixTransform(one.getScreenCTM()); return [at.x, at.y]; }",
        place,
    )
    return found[0], found[1]


def test_a_dot_in_the_plot_of_two_systems_opens_its_segment(twelve: bp.Comparison, open_report: OpenReport):
    page = open_report(twelve.to_html())
    names = names_of(twelve)
    first, second = names[0], names[5]
    page.locator("#first").select_option(first)
    page.locator("#second").select_option(second)
    titles = ["BLEU", "chrF2", "TER"]
    assert page.locator("#plots [data-plot]").evaluate_all("(all) => all.map((one) => one.dataset.plot)") == titles
    for title, result in zip(titles, twelve.results, strict=True):
        tables = twelve.tables[result.recipe.counting]
        xs, ys = (
            [float(format_score(score)) for score in score_alone(tables[name], result.recipe)]
            for name in (first, second)
        )
        signs = [result.recipe.metric.is_ahead(one - other) for one, other in zip(xs, ys, strict=True)]
        figure = page.locator("figure", has=page.locator(f"[data-plot='{title}']"))
        assert f"ahead on {sum(signs)}" in figure.inner_text()
        figure.scroll_into_view_if_needed()
        pairs = list(zip(xs, ys, strict=True))
        place = next(place for place, pair in enumerate(pairs) if pairs.count(pair) == 1 and pair[0] != pair[1]
                     and all(abs(pair[0] - x) + abs(pair[1] - y) > 3 for x, y in pairs if (x, y) != pair))  # fmt: skip
        page.mouse.move(*dot(page, title, pairs[place]))
        shown = f"Segment {place + 1}: {first} {format_score(xs[place])}, {second} {format_score(ys[place])}"
        assert figure.locator(".bp-readout").inner_text() == shown
        page.mouse.click(*dot(page, title, pairs[place]))
        assert page.locator("#opened-title").inner_text().startswith(f"Segment {place + 1},")
        assert page.evaluate("() => location.hash") == f"#segment-{place + 1}"
        card = page.locator(f"[data-system='{second}']")
        assert format_score(ys[place]) in card.inner_text()


def test_the_plot_works_by_keyboard_and_shares_places_and_filters(open_report: OpenReport):
    references = ["a b c d e"] * 3 + ["v w x y z"] * 2
    better, worse = ["a b c d e"] * 3 + ["v w x y q"] * 2, ["a b c d e"] + ["a b c d q"] * 2 + ["v w q q q"] * 2
    made = bp.compare({"worse": worse, "better": better}, references, "ter", resamples=100)
    page = open_report(made.to_html())
    field, readout = page.locator("[data-plot=TER]"), page.locator(".bp-readout")
    legend = page.locator(".bp-plot .bp-legend").inner_text().split("\n")
    assert legend == ["better ahead on 4", "worse ahead on 0", "level on 1"]
    field.focus()
    seen = []
    for key in ("Home", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
        seen.append(readout.inner_text())
    assert seen == [
        "Segment 1: better 0.00, worse 0.00",
        *(f"Segment {number}: better 0.00, worse 20.00; 1 more in this place" for number in (2, 3)),
        *(f"Segment {number}: better 20.00, worse 60.00; 1 more in this place" for number in (4, 5, 5)),
    ]
    for key, number in (("ArrowDown", 4), ("ArrowDown", 3), ("ArrowUp", 4), ("ArrowLeft", 3)):
        page.keyboard.press(key)
        assert readout.inner_text().startswith(f"Segment {number}:")
    page.keyboard.press("Enter")
    assert page.evaluate("() => document.activeElement.id") == "opened"
    assert page.locator("#opened-title").inner_text() == "Segment 3"
    page.keyboard.press("Escape")
    assert page.evaluate("() => document.activeElement.dataset.plot") == "TER"
    for number in (4, 5, 4):
        field.scroll_into_view_if_needed()
        page.mouse.click(*dot(page, "TER", (20, 60)))
        assert page.locator("#opened-title").inner_text() == f"Segment {number}"
    page.locator("#filter").fill("v w")
    page.evaluate(SETTLED)
    assert field.get_attribute("aria-label").startswith("TER of 2 segments, better across, worse upwards.")
    drawn = page.locator(".bp-dots path").evaluate_all("(all) => all.map((one) => one.getAttribute('d')).join('')")
    assert drawn.count("M") == 2
    page.locator("#filter").fill("none has this")
    page.evaluate(SETTLED)
    field.focus()
    page.keyboard.press("End")
    assert "A dot is a segment" in readout.inner_text()


def nothing(page: Page) -> None: ...


def opened(page: Page) -> None:
    page.locator("#rows thead button").nth(2).click()
    page.locator("#rows tbody button").nth(5).click()
    page.locator("#columns > summary").click()


def unfolded(page: Page) -> None:
    page.evaluate("() => { for (const one of document.querySelectorAll('details')) one.open = true; }")


STATES = [nothing, opened, unfolded]


REPORT_LOOKS = {**LOOKS, "forced": {"forced_colors": "active"}}


@pytest.mark.extended
@pytest.mark.parametrize("look", ["wide", "dark", "narrow", "forced"])
def test_axe_finds_nothing_and_nothing_is_wider_than_the_window(
    request: pytest.FixtureRequest, open_report: OpenReport, axe_source: str, look: str
):
    made = request.getfixturevalue("comparison" if look == "wide" else "twelve")
    page = open_report(made.to_html(), **REPORT_LOOKS[look])
    page.evaluate(axe_source)
    for state in STATES:
        state(page)
        found = page.evaluate(AXE_RUN)
        assert not found, "\n\n".join(found)
        assert page.evaluate(WIDER) == [True, []]


@pytest.mark.extended
@pytest.mark.parametrize("look", REPORT_LOOKS)
def test_screenshots(comparison: bp.Comparison, open_report: OpenReport, screenshots: Path, look: str):
    page = open_report(comparison.to_html(), **REPORT_LOOKS[look])
    opened(page)
    path = screenshots / f"report-{look}.png"
    page.screenshot(path=path, full_page=True)
    data = path.read_bytes()
    width, height = struct.unpack(">II", data[16:24])
    assert data.startswith(b"\x89PNG")
    assert width == REPORT_LOOKS[look].get("viewport", {"width": 1280})["width"]
    assert height > 2000
    assert len(data) > 50_000


# Paper.


def print_report(page: Page, folder: Path) -> str:
    """Print to a PDF; give its text without spaces, once every letter was seen to stand on its page."""
    path = folder / "report.pdf"
    page.pdf(path=path, prefer_css_page_size=True)
    words: list[str] = []
    for sheet in PdfReader(path).pages:
        width, height = float(sheet.mediabox.width), float(sheet.mediabox.height)
        assert width > height

        def look(text: str, outer: list[float], matrix: list[float], *_: Any, right: float = width) -> None:
            x = outer[0] * matrix[4] + outer[4]
            assert not text.strip() or 0 <= x < right - 5, text
            words.append(text)

        sheet.extract_text(visitor_text=look)
    return bare("".join(words))


def bare(text: str) -> str:
    """Leave out spaces and line ends, and take ligatures apart."""
    return re.sub(r"\s", "", unicodedata.normalize("NFKC", text))


@pytest.mark.needs("pypdf")
def test_paper_has_every_column_and_every_segment(open_report: OpenReport, tmp_path: Path):
    references, documents = (texts[:24] for texts in read_texts(R1, DOCUMENTS))
    names = [f"system number {number} with_a_long_name" for number in range(12)]
    systems = {}
    for number, name in enumerate(names):
        chance = random.Random(number)
        systems[name] = [
            " ".join("zz" if chance.random() < 0.07 * number else word for word in text.split()) for text in references
        ]
    made = bp.compare(systems, references, resamples=200, labels={"document": documents})
    page = open_report(made.to_html())
    before = page.locator("body").inner_html()
    text = print_report(page, tmp_path)
    latin = [text for text in references if not re.search(r"[\u0590-\u1fff\u2e80-\U0010ffff]", text)]
    assert len(latin) > 15  # of the others a PDF may lack letters, or have them in another order
    for wanted in (*names, *latin, *documents, "Every pair with its interval", "Reference", "document"):
        assert bare(wanted) in text
    result = made.result()
    for pair in result.pairs:
        row = f"{pair.first}{pair.second}{pair.difference:.2f}{pair.interval.low:.2f}".replace("-", "−")
        assert bare(row) in text
    for name in names:
        for group in made.breakdown("document").groups:
            assert format_score(group.values[name]) in text
        for score in score_alone(made.tables[result.recipe.counting][name], result.recipe):
            assert format_score(score) in text
    assert "24of24segments,sortedbySegment" in text
    assert page.locator("body").inner_html() == before


@pytest.mark.needs("pypdf")
def test_paper_has_what_is_filtered_and_says_where_it_ends(open_report: OpenReport, tmp_path: Path):
    texts = [f"the {'cat' if place % 50 else 'dog'} {place} sat on the mat" for place in range(2010)]
    made = bp.compare({"a": texts, "b": [text.replace("mat", "rug") for text in texts]}, texts, resamples=100)
    page = open_report(made.to_html())
    page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    said = "Printed are the first 2,000 of these 2,010 segments, 10 are left out: filter or sort them to print others, "
    assert page.locator("#printed").text_content() == f"{said}or choose “On paper: all” above the table."
    sizes = "() => [...document.querySelectorAll('#rows table')].map((one) => one.tBodies[0].rows.length)"
    assert page.evaluate(sizes) == [500] * 4, "no table is so long that a browser takes minutes for its pages"
    page.evaluate("() => dispatchEvent(new Event('afterprint'))")
    assert page.locator("#rows table").count() == 1
    assert page.locator("#rows tbody tr").count() < 60
    page.locator("#paper").select_option("all")
    page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    assert (page.locator("#printed").text_content(), page.evaluate(sizes)) == ("", [500] * 4 + [10])
    heads = page.locator("#rows thead").all_text_contents()
    assert len(set(heads)) == 1
    page.evaluate("() => dispatchEvent(new Event('afterprint'))")
    page.locator("#filter").fill("dog")
    page.evaluate(SETTLED)
    text = print_report(page, tmp_path)
    assert "41of2,010segments" in text
    assert all(f"thedog{place}satonthemat" in text for place in range(0, 2010, 50))
    assert "thecat" not in text
    assert "Printedare" not in text


@pytest.mark.needs("pypdf")
def test_a_report_without_texts_sorts_opens_and_prints(
    comparison: bp.Comparison, open_report: OpenReport, tmp_path: Path
):
    recipe = comparison.result().recipe
    made = compare_statistics(comparison.tables[recipe.counting], recipe, resamples=200, labels=comparison.labels)
    page = open_report(made.to_html())
    assert page.locator("#filter").count() == 0
    page.locator("#first").select_option("a")
    page.locator("#second").select_option("b")
    sort_by(page, "Moves a − b by")
    strongest = max(made.disagreements("a", "b"), key=lambda one: one.points)
    assert numbers(page)[0] == strongest.segment + 1
    page.locator("#rows tbody button").first.click()
    opened = page.locator("#opened")
    assert opened.locator(".bp-card").count() == 3
    assert opened.locator(".bp-human, .bp-whole").count() == 0
    assert "1-grams" in opened.inner_text()
    assert "thetextsstayedwheretheyare" in print_report(page, tmp_path)


@pytest.mark.parametrize("recipe", ["chrf++", "ter"])
def test_segments_of_other_metrics_are_shaded_and_whole(recipe: str, open_report: OpenReport):
    a, b, *references = read_texts(A, B, R1, R2)
    made = bp.compare({"a": a, "b": b}, list(zip(*references, strict=True)), [recipe, "paper"], resamples=200)
    page = open_report(made.to_html())
    assert page.locator("#overview").inner_text().count("*") == 3  # in the title, and before the best of each metric
    for place in (0, 3):
        page.get_by_role("button", name=f"Open segment {place + 1}", exact=True).click()
        scores = bp.score_segments(a, list(zip(*references, strict=True)), recipe)
        assert page.locator("[data-system=a] .bp-whole").text_content() == a[place]
        assert page.locator("[data-system=a] h4 strong").inner_text() == format_score(scores.scores[place])
        shown = page.locator("[data-system=a] .bp-counts").inner_text()
        for part in scores[place].metric.segment_parts(scores[place].stats, scores[place].recipe.layout)[:-2]:
            assert f"{part.title} {part.text}" in shown
        marked = page.locator("[data-reference] .bp-whole:has(.bp-token)")
        assert marked.count() == 1  # the one that the system is held against
        texts = page.locator("[data-reference] .bp-whole").all_text_contents()
        assert texts == [references[0][place], references[1][place]]
