"""Corpus mode: pasted lines and files, score, progress, cancelling, the table of segments, documents, export."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from playwright.sync_api import Route

from bleuprint import Recipe, explain, score_documents, score_segments, statistics
from bleuprint.render import render
from bleuprint.scoring.verbs import SegmentScores
from bleuprint.wording import format_score
from page.corpora import EXAMPLES, R1, R2, A, as_file, lines, upload
from page.driver import Driver, Host, MakeDriver, expected

USUAL = Recipe.named("sacrebleu")
CANDIDATES = ["the cat is on mat", "it rains", "good morning to you all", "a b c d e f"]
REFERENCES = ["the cat is on the mat", "it is raining", "good morning to you all", "f e d c b a g h"]


JSONL = [json.loads(line) for line in lines("corpus.jsonl")]
TSV = "\n".join(["candidate\treference\treference\tdocument", *map("\t".join, zip(A, R1, R2, lines("documents.txt")))])


@pytest.fixture
def corpus(host: Host, new_driver: MakeDriver) -> Driver:
    """A page of its own in corpus mode: what was scored before must not be there."""
    return new_driver(host).open().to_corpus()


@pytest.fixture
def held(served: Host, new_driver: MakeDriver) -> tuple[Driver, Callable[[], None]]:
    """The same on the served page, where counting stops after the first chunk, until it is let go."""
    driver = new_driver(served).open().to_corpus()
    waiting: list[Route] = []
    passing = 1.0

    def hold(route: Route) -> None:
        nonlocal passing
        counts = '"corpus-count"' in (route.request.post_data or "")
        if counts and not passing:
            waiting.append(route)
        else:
            passing -= counts
            route.continue_()

    def let_go() -> None:
        nonlocal passing
        passing = math.inf
        for route in waiting:
            route.continue_()

    driver.page.route("**/bridge", hold)
    return driver, let_go


def shown_for(candidates: list[str], references: list, recipe: Recipe = USUAL) -> dict[str, str]:
    return expected(explain(candidates, references, recipe).to_dict())


def drop(driver: Driver, files: dict[str, str]) -> None:
    """Let go of files over the page, as far as a script can do that."""
    driver.page.locator("#drop").wait_for()
    driver.page.evaluate(
        """(files) => {
            const carried = new DataTransfer();
            for (const [name, text] of Object.entries(files)) carried.items.add(new File([text], name));
            const target = document.getElementById("drop");
            for (const kind of ["dragover", "drop"])
                target.dispatchEvent(new DragEvent(kind, { dataTransfer: carried, bubbles: true, cancelable: true }));
        }""",
        files,
    )
    driver.page.locator("#corpus-list li").nth(len(files) - 1).wait_for()


def test_pasted_lines(corpus: Driver):
    corpus.paste_lines(CANDIDATES, REFERENCES).score_corpus()
    assert corpus.read() == shown_for(CANDIDATES, REFERENCES)
    rows = corpus.table(".bp-segments")
    scores = score_segments(CANDIDATES, REFERENCES, USUAL)
    for place, row in enumerate(rows):
        stats = scores.table[place]
        counts = [f"{match}/{total}" for match, total in zip(stats.matches, stats.totals, strict=True)]
        lengths = [str(stats.candidate_length), str(stats.reference_length)]
        assert row[:-1] == [str(place + 1), format_score(scores.scores[place]), CANDIDATES[place], *lengths, *counts]
    assert len(rows) == 4
    assert "Counts are summed over 4 segments" in corpus.page.locator("#result-html").inner_text()


def test_files_and_tables_are_taken_whichever_way_they_come(corpus: Driver):
    for give in (give_plain_files, give_tsv, drop_jsonl, drop_xml, drop_plain_files):
        give(corpus)
        corpus.page.get_by_role("button", name="Remove the files").click()


def give_plain_files(corpus: Driver) -> None:
    upload(corpus, EXAMPLES / "candidate-a.txt", EXAMPLES / "reference-1.txt", EXAMPLES / "reference-2.txt")
    assert corpus.page.locator("#corpus-list li").all_inner_texts() == [
        "candidate-a.txt", "reference-1.txt", "reference-2.txt",
    ]  # fmt: skip
    corpus.score_corpus()
    assert corpus.read() == shown_for(A, list(zip(R1, R2, strict=True)))


def give_tsv(corpus: Driver) -> None:
    """With documents."""
    upload(corpus, as_file("corpus.tsv", TSV))
    corpus.score_corpus()
    assert corpus.read() == shown_for(A, list(zip(R1, R2, strict=True)))
    documents = score_documents(A, list(zip(R1, R2, strict=True)), lines("documents.txt"), USUAL)
    assert [row[:3] for row in corpus.table(".bp-by-document")] == [
        [name, format_score(one.score), str(one.census.segments)] for name, one in documents.items()
    ]


def drop_jsonl(corpus: Driver) -> None:
    """With documents."""
    drop(corpus, {"corpus.jsonl": (EXAMPLES / "corpus.jsonl").read_text(encoding="utf-8")})
    corpus.score_corpus()
    candidates, references = [row["candidate"] for row in JSONL], [row["references"] for row in JSONL]
    assert corpus.read() == shown_for(candidates, references)
    documents = score_documents(candidates, references, [row["document"] for row in JSONL], USUAL)
    assert corpus.table(".bp-by-document") == [
        [name, format_score(one.score), str(one.census.segments), *(part.text for part in one.parts)]
        for name, one in documents.items()
    ]


def drop_xml(corpus: Driver) -> None:
    """With two translators."""
    texts = {("hyp", "system", "a"): A, ("ref", "translator", "1"): R1, ("ref", "translator", "2"): R2}
    parts = ["<dataset>"]
    for number, name in enumerate(lines("documents.txt")):
        parts.append(f'<doc id="{name}-{number}">')
        parts += [
            f'<{tag} {kind}="{label}"><p><seg id="1">{escape(own[number])}</seg></p></{tag}>'
            for (tag, kind, label), own in texts.items()
        ]
        parts.append("</doc>")
    drop(corpus, {"corpus.xml": "\n".join([*parts, "</dataset>"])})
    corpus.score_corpus()
    assert corpus.read() == shown_for(A, list(zip(R1, R2, strict=True)))
    assert len(corpus.table(".bp-by-document")) == len(A)


def drop_plain_files(corpus: Driver) -> None:
    drop(corpus, {"a.txt": "\ufeffthe cat\r\nit rains", "b.txt": "the cat\r\nit rains\r\n"})
    corpus.score_corpus()
    assert corpus.read() == shown_for(["the cat", "it rains"], ["the cat", "it rains"])


def test_files_can_be_removed_again(corpus: Driver):
    clear = corpus.page.get_by_role("button", name="Remove the files")
    assert not clear.is_visible()
    corpus.paste_lines(CANDIDATES, REFERENCES)
    drop(corpus, {"a.txt": "x", "b.txt": "y"})
    corpus.score_corpus()
    clear.click()
    assert not clear.is_visible()
    assert corpus.page.locator("#corpus-list li").count() == 0
    assert not corpus.page.locator("#more").is_visible()
    assert "Score the corpus" in corpus.page.locator("#result-html").inner_text()
    assert corpus.page.locator("#corpus-files").evaluate("(input) => input === document.activeElement")
    corpus.score_corpus()
    assert corpus.read() == shown_for(CANDIDATES, REFERENCES)
    upload(corpus, EXAMPLES / "candidate-a.txt", EXAMPLES / "reference-1.txt")
    clear.click()
    upload(corpus, EXAMPLES / "candidate-a.txt", EXAMPLES / "reference-1.txt")
    corpus.score_corpus()
    assert corpus.read() == shown_for(A, R1)


def test_the_recipe_chosen_before_is_used_another_counts_again_and_a_bad_one_can_be_mended(corpus: Driver):
    corpus.select("base", "huggingface-smooth")
    corpus.select("tokenizer", "char")
    corpus.paste_lines(CANDIDATES, REFERENCES).score_corpus()
    recipe = Recipe.named("huggingface-smooth").replace(tokenizer="char")
    assert corpus.read() == shown_for(CANDIDATES, REFERENCES, recipe)

    corpus.await_corpus(lambda: corpus.select("base", "sacrebleu"))
    assert corpus.read() == shown_for(CANDIDATES, REFERENCES, USUAL)
    corpus.await_corpus(lambda: corpus.page.locator("#order").fill("2"))
    assert corpus.read() == shown_for(CANDIDATES, REFERENCES, USUAL.replace(order=2))
    assert corpus.page.locator(".bp-segments thead").inner_text().count("-grams") == 2

    before = corpus.read()
    corpus.page.locator("#order").fill("0")
    corpus.page.locator("#problem").wait_for()
    assert "1 to 100" in corpus.problem
    assert corpus.read() == before
    corpus.page.locator("#order").fill("3")
    corpus.page.locator("#problem").wait_for(state="hidden")
    corpus.page.get_by_test_id("signature").get_by_text("N:3").wait_for()
    assert corpus.read() == shown_for(CANDIDATES, REFERENCES, USUAL.replace(order=3))


UNFIT = [
    ({"a.txt": "x\ny\nz\n", "b.txt": "x\ny\n"}, ["b.txt", "a.txt", "3", "2"]),
    ({"a.tsv": "candidate\treference\nx\ty\nx"}, ["a.tsv, line 3"]),
    ({"a.jsonl": '{"candidate": "x", "references": ["y"]}\nnonsense'}, ["a.jsonl, line 2"]),
    ({"a.xml": "<dataset>\n<doc>"}, ["a.xml, line 2"]),
]
MORE_UNFIT = [
    ({"a.txt": "x\n"}, ["a.txt", "references"]),
    ({"a.txt": "", "b.txt": ""}, ["a.txt", "no segments"]),
    ({"a.tsv": "candidate\twrong\nx\ty"}, ["a.tsv", "columns"]),
    ({"a.jsonl": '{"candidate": "x"}'}, ["a.jsonl, line 1", "references"]),
]


@pytest.mark.parametrize(
    "unfit", [UNFIT, pytest.param(MORE_UNFIT, marks=pytest.mark.extended)], ids=["of each kind", "more"]
)
def test_a_file_that_does_not_fit_is_a_clear_problem(served: Host, new_driver: MakeDriver, unfit: list[tuple]):
    driver = new_driver(served).open().to_corpus()
    for files, words in unfit:
        upload(driver, *(as_file(name, text) for name, text in files.items()))
        driver.score_corpus()
        assert all(word in driver.problem for word in words), driver.problem
        assert driver.page.locator("#corpus-run").is_enabled()
        assert not driver.page.locator("#corpus-progress").is_visible()
        driver.page.get_by_role("button", name="Remove the files").click()
        assert driver.problem == ""


def test_unequal_pasted_lines_are_a_clear_problem_that_leaves_the_table_and_can_be_mended(corpus: Driver):
    corpus.paste_lines(CANDIDATES, REFERENCES[:3]).score_corpus()
    assert "reference lines" in corpus.problem
    assert "candidate lines" in corpus.problem
    corpus.paste_lines(CANDIDATES, REFERENCES).score_corpus()
    corpus.page.locator("#problem").wait_for(state="hidden")
    corpus.page.locator("body[data-corpus]").wait_for()
    assert corpus.read() == shown_for(CANDIDATES, REFERENCES)
    corpus.paste_lines(CANDIDATES, REFERENCES[:2]).score_corpus()
    corpus.page.get_by_role("button", name="Explain segment 1", exact=True).click()
    assert corpus.page.locator("#candidate").input_value() == CANDIDATES[0], "the table still opens what it shows"


def test_a_file_that_is_not_utf_8_is_refused_as_on_the_command_line_until_it_is_removed(corpus: Driver):
    upload(corpus, as_file("a.txt", "café olé\n".encode("latin-1")), as_file("b.txt", "café olé\n"))
    assert "UTF-8" in corpus.problem
    corpus.score_corpus()
    assert "a.txt" in corpus.problem
    assert "UTF-8" in corpus.problem
    corpus.page.get_by_role("button", name="Remove the files").click()
    assert corpus.problem == ""
    upload(corpus, as_file("a.zip", b"PK\x03\x04\x80"), as_file("b.txt", "olé"))
    assert "unpack an archive" in corpus.problem
    upload(corpus, as_file("a.txt", "a cat".encode("utf-16-le")), as_file("b.txt", "a cat"))
    assert corpus.problem.startswith("a.txt: expected UTF-8, got NUL bytes")
    upload(corpus, as_file("\u202ea\u2067.txt", "a cat".encode("utf-16-le")), as_file("b.txt", "a cat"))
    assert corpus.problem.startswith("a.txt: expected"), "a mark in a name would turn the message round"
    assert corpus.page.locator("#corpus-list li").first.inner_text() == "a.txt"


RECORD_PROGRESS = """(bar) => {
  window.progressSeen = [];
  const record = () => window.progressSeen.push(bar.value);
  new MutationObserver((changes) => changes.forEach(record)).observe(bar, { attributeFilter: ["value"] });
}"""
"""Write down every value of the bar as it is set, however seldom the test itself looks."""


def test_progress_is_shown_while_counting(held):
    driver, let_go = held
    driver.paste_lines(CANDIDATES * 375, REFERENCES * 375)
    driver.page.locator("#corpus-progress progress").evaluate(RECORD_PROGRESS)
    driver.page.locator("#corpus-run").click()
    driver.page.locator("#corpus-progress").get_by_text("500 of 1500 segments").wait_for()
    assert driver.page.locator("#corpus-cancel").is_visible()
    assert driver.page.locator("#corpus-run").is_disabled()
    let_go()
    driver.page.locator("body[data-corpus]").wait_for()
    assert driver.page.evaluate("() => history.state.worked"), "a reload works out again what came late, too"
    assert driver.page.evaluate("window.progressSeen") == [0, 0, 1 / 3, 2 / 3]
    assert driver.read() == shown_for(CANDIDATES * 375, REFERENCES * 375)
    assert not driver.page.locator("#corpus-cancel").is_visible()


def test_counting_can_be_cancelled(held):
    driver, let_go = held
    driver.paste_lines(CANDIDATES * 375, REFERENCES * 375)
    driver.page.locator("#corpus-run").click()
    driver.page.locator("#corpus-progress").get_by_text("500 of 1500 segments").wait_for()
    driver.page.locator("#corpus-cancel").click()
    assert not driver.page.locator("#corpus-progress").is_visible()
    assert driver.page.locator("#corpus-run").is_enabled()
    assert driver.page.locator("#corpus-run").evaluate("(one) => one === document.activeElement")
    let_go()
    driver.page.wait_for_timeout(1_000)
    assert driver.page.evaluate("() => document.body.dataset.corpus") is None
    driver.paste_lines(CANDIDATES, REFERENCES).score_corpus()
    assert driver.read() == shown_for(CANDIDATES, REFERENCES)


def test_after_cancelling_the_table_still_opens_the_segments_that_it_shows(held):
    driver, _ = held
    driver.paste_lines(CANDIDATES, REFERENCES).score_corpus()
    driver.paste_lines(["other"] * 300, ["text"] * 300)
    driver.page.locator("#corpus-run").click()
    driver.page.locator("#corpus-progress").get_by_text("0 of 300 segments").wait_for()
    driver.page.locator("#corpus-cancel").click()
    assert driver.table(".bp-segments")[0][1] == format_score(score_segments(CANDIDATES, REFERENCES, USUAL).scores[0])
    driver.page.get_by_role("button", name="Explain segment 1", exact=True).click()
    assert driver.page.locator("#candidate").input_value() == CANDIDATES[0]


def test_a_corpus_that_is_ready_late_does_not_replace_the_result_of_a_segment(served: Host, new_driver: MakeDriver):
    driver = new_driver(served).open().to_corpus()
    held = []
    counts = re.compile('"corpus-count"')
    hold = lambda route: held.append(route) if counts.search(route.request.post_data or "") else route.continue_()  # noqa: E731
    driver.page.route("**/bridge", hold)
    driver.paste_lines(CANDIDATES, REFERENCES)
    driver.page.locator("#corpus-run").click()
    driver.page.locator("#corpus-progress").get_by_text("of 4 segments").wait_for()
    driver.page.locator("#tab-segment").click()
    driver.settle()
    for route in held:
        route.continue_()
    driver.page.wait_for_timeout(500)
    assert held
    assert driver.read() == expected(explain("the cat is on mat", "the cat is on the mat", "paper").to_dict())


def test_coming_back_shows_the_corpus_again_and_the_table_sorts(corpus: Driver):
    shown = corpus.paste_lines(CANDIDATES, REFERENCES).score_corpus().read()
    corpus.page.locator("#tab-segment").click()
    assert corpus.settle().read()["bleu-100"] == "57.89"
    corpus.await_corpus(lambda: corpus.page.locator("#tab-corpus").click())
    assert corpus.read() == shown

    scores = score_segments(CANDIDATES, REFERENCES, USUAL)
    keys: dict[str, Callable[[int], float]] = {
        "BLEU": lambda place: scores.scores[place],
        "Candidate": lambda place: scores.table[place].candidate_length,
        "Reference": lambda place: scores.table[place].reference_length,
        "Segment": lambda place: place,
    }
    for title, key in keys.items():
        for direction in ("ascending", "descending"):
            header = corpus.page.locator(".bp-segments thead th", has=corpus.page.get_by_role("button", name=title))
            header.get_by_role("button").click()
            corpus.page.locator(f".bp-segments th[aria-sort={direction}]", has_text=title).wait_for()
            order = sorted(range(4), key=key, reverse=direction == "descending")
            assert [int(row[0]) - 1 for row in corpus.table(".bp-segments")] == order

    # By keyboard the focus stays in the table.
    corpus.page.locator(".bp-sort[data-sort=score]").focus()
    corpus.page.keyboard.press("Enter")
    corpus.page.locator(".bp-segments th[aria-sort=ascending]", has_text="BLEU").wait_for()
    assert corpus.page.locator("#corpus-table").evaluate("(one) => one.contains(document.activeElement)")


def numbers(driver: Driver) -> list[int]:
    return [int(row[0]) for row in driver.table(".bp-segments")]


def test_a_segment_is_opened_from_the_middle_of_the_table_and_left_for_the_same_place(corpus: Driver):
    candidates, references = [f"{text} {n}" for n in range(30) for text in CANDIDATES], REFERENCES * 30
    corpus.paste_lines(candidates, references).score_corpus()
    table, page = corpus.page.locator(".bp-segments"), corpus.page
    table.get_by_text("120 segments; 1 to 50 are shown").wait_for()
    assert table.get_by_role("button", name="Previous").is_disabled()
    table.get_by_role("button", name="Next").click()
    table.get_by_text("51 to 100 are shown").wait_for()
    assert numbers(corpus) == list(range(51, 101))
    page.locator(".bp-sort[data-sort=segment]").click()
    page.locator(".bp-segments th[aria-sort=descending]").wait_for()
    page.locator(".bp-page-number").fill("3")
    page.keyboard.press("Enter")
    table.get_by_text("101 to 120 are shown").wait_for()
    assert numbers(corpus) == list(range(20, 0, -1))
    assert page.locator(".bp-page-number").evaluate("(one) => one === document.activeElement")

    table.get_by_role("button", name="Explain segment 7", exact=True).click()
    corpus.settle()
    assert page.locator("#tab-segment").get_attribute("aria-selected") == "true"
    assert (page.locator("#candidate").input_value(), corpus.references()) == (candidates[6], [references[6]])
    assert corpus.read() == expected(explain(candidates[6], references[6], USUAL).to_dict())
    opened = page.locator("#opened-segment strong")
    assert opened.evaluate(
        "(one) => { const { top, bottom } = one.getBoundingClientRect(); return top >= 0 && bottom <= innerHeight; }"
    )
    assert opened.inner_text() == "Segment 7 of 120"
    page.locator("#next-segment").click()
    assert (opened.inner_text(), page.locator("#candidate").input_value()) == ("Segment 8 of 120", candidates[7])
    corpus.settle()
    page.locator("#back-to-corpus").click()
    assert numbers(corpus) == list(range(20, 0, -1)), "sorted and turned as before"
    assert page.evaluate("() => document.activeElement.dataset.segment") == "7"
    assert corpus.read()["bleu-100"] == shown_for(candidates, references)["bleu-100"]
    page.locator("#tab-segment").click()
    page.locator(".bp-trial[aria-pressed=false]").first.click()
    page.locator("#undo").wait_for()
    assert opened.inner_text() == "Segment 8 of 120", "the way back stays where something else is tried"
    page.locator("#candidate").fill("something else")
    corpus.settle()
    assert opened.inner_text() == "Segment 8 of 120, changed here"
    page.locator("#candidate").fill(candidates[7])
    corpus.settle()
    assert opened.inner_text() == "Segment 8 of 120"
    page.locator(".lesson").first.click()
    corpus.settle()
    assert not page.locator("#opened-segment").is_visible()


def test_the_table_is_filtered_by_words_and_by_scores(corpus: Driver):
    corpus.paste_lines(A, R1).score_corpus()
    page, scores = corpus.page, score_segments(A, R1, USUAL).scores
    sizes = [int(bar.inner_text()) for bar in page.locator(".bp-bin").all()]
    assert sizes == [sum(min(9, int(score // 10)) == place for score in scores) for place in range(10)]
    page.locator(".bp-bin[data-bin='3']").click()
    page.locator("#corpus-table").get_by_text(f"{sizes[3]} of {len(A)} segments").wait_for()
    low = [place + 1 for place, score in enumerate(scores) if 30 <= score < 40]
    assert numbers(corpus) == low
    assert page.locator(".bp-bin[aria-pressed=true]").evaluate("(one) => one === document.activeElement")
    page.locator(".bp-find").fill("HARBOUR")
    both = [n for n in low if "harbour" in f"{A[n - 1]} {R1[n - 1]}".lower()]
    page.locator("#corpus-table").get_by_text(f"{len(both)} of {len(A)} segments").wait_for()
    page.locator(".bp-bin[data-bin='3']").click()
    words = [n for n in range(1, len(A) + 1) if "harbour" in f"{A[n - 1]} {R1[n - 1]}".lower()]
    page.locator("#corpus-table").get_by_text(f"{len(words)} of {len(A)} segments").wait_for()
    assert numbers(corpus) == words
    assert page.locator(".bp-find").input_value() == "HARBOUR"
    page.locator(".bp-find").fill("no such word")
    page.locator("#corpus-table").get_by_text(f"0 of {len(A)} segments").wait_for()


def test_several_references_are_pasted_and_go_with_the_link(fresh: Driver):
    page = fresh.to_corpus().paste_lines(A[:9], R1[:9]).page
    page.get_by_role("button", name="Add lines of another reference").click()
    page.get_by_role("textbox", name="Reference lines 2").fill("\n".join(R2[:9]))
    assert page.locator("#corpus-reference-2-count").inner_text() == "9 lines"
    wanted = shown_for(A[:9], list(zip(R1[:9], R2[:9], strict=True)))
    assert fresh.score_corpus().read() == wanted
    page.locator("#share").click()
    page.get_by_text("Link copied; your texts are part of it.").wait_for()
    link = page.evaluate("() => navigator.clipboard.readText()")
    page.goto("about:blank")
    page.goto(link)
    page.locator("body[data-corpus]").wait_for()
    assert fresh.read() == wanted
    page.get_by_role("button", name="Remove reference lines 2").click()
    assert page.locator("#outdated").is_visible()
    assert fresh.score_corpus().read() == shown_for(A[:9], R1[:9])


def test_a_corpus_starts_with_the_usual_recipe_until_one_is_chosen(fresh: Driver):
    base = fresh.page.locator("#base")
    fresh.write("a b d c", ["a b c d"])
    before = fresh.settle().read()
    fresh.to_corpus().show_choices()
    fresh.page.locator("#smoothing").get_by_text("exp").first.wait_for(state="attached")
    assert base.input_value() == "sacrebleu"
    fresh.page.locator("#tab-compare").click()
    assert base.input_value() == "sacrebleu"
    fresh.page.locator("#tab-segment").click()
    assert fresh.settle().read() == before, "the lesson has its own recipe"
    fresh.select("base", "chrf")
    fresh.settle().to_corpus()
    assert base.input_value() == "chrf", "somebody's choice is kept"


def export(driver: Driver, format_: str, suffix: str) -> str:
    with driver.page.expect_download() as downloading:
        driver.page.locator(f".export[data-format={format_}]").click()
    assert downloading.value.suggested_filename == f"bleuprint-corpus.{suffix}"
    return Path(downloading.value.path()).read_text(encoding="utf-8")


def test_the_exports_are_the_librarys_with_the_notes_about_the_texts(corpus: Driver):
    corpus.paste_lines(CANDIDATES, REFERENCES).score_corpus()
    scores, explanation = score_segments(CANDIDATES, REFERENCES, USUAL), explain(CANDIDATES, REFERENCES, USUAL)
    assert isinstance(scores, SegmentScores)
    assert export(corpus, "csv", "csv") == render(scores, "csv")
    assert export(corpus, "markdown", "md") == render(explanation, "markdown")
    data, wanted = json.loads(export(corpus, "json", "json")), json.loads(json.dumps(explanation.to_dict()))
    for key in ("schema", "level", "score", "fraction", "recipe", "arithmetic", "notes", "mean_segment_score"):
        assert data[key] == wanted[key]
    assert data["rows"] == [list(stats.to_row()) for stats in statistics(CANDIDATES, REFERENCES, USUAL)]

    # Tokenised text scored by a recipe that tokenises again is worth a note, on the page and in its files.
    candidates = ["the cat , it is n't here .", "well , that 's it .", "no , no ."] * 4
    corpus.paste_lines(candidates, candidates).score_corpus()
    explanation = explain(candidates, candidates, USUAL)
    assert explanation.score.notes
    assert corpus.read() == expected(explanation.to_dict())
    assert export(corpus, "markdown", "md") == render(explanation, "markdown")


def test_a_file_with_a_long_name_stays_in_its_place(local: Driver):
    long = {"name": f"{'x' * 240}.txt", "mimeType": "text/plain", "buffer": b"a"}
    upload(local.to_corpus(), long, {**long, "name": "<i>\u202e.txt"})
    names = local.page.locator("#corpus-list li")
    assert names.all_inner_texts() == [long["name"], "<i>.txt"], "without marks that would turn words round"
    assert names.evaluate_all("(all) => all.every((one) => one.scrollWidth <= one.clientWidth)")
