"""Views: the same numbers through every door, and any text shown as the text it is."""

import builtins
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Group

import bleuprint as bp
from bleuprint.cli.commands import cli
from bleuprint.lessons.worked_examples import EXAMPLES, list_numbers
from bleuprint.render import view
from bleuprint.render.html import render_document, render_result
from bleuprint.render.json import render_json
from bleuprint.render.results import ScoredCorpus
from bleuprint.wording import format_fraction, format_score
from render_reading import HOSTILE, Page, as_terminal
from strategies import CORPUS_DIALECTS, as_text, corpora

PAPER = bp.Recipe.named("paper")
TOKENS = PAPER.replace(tokenizer="pretokenized")
SCRIPTS = Path(sys.executable).parent


# Reading the numbers back out of each view, under the names that worked examples use.


def read_html(html):
    page = Page(html)
    numbers = {
        "BLEU": page.parts["bleu-100"],
        "BLEU, 0 to 1": page.parts["bleu-1"],
        "brevity penalty": page.parts["brevity-penalty"],
        "geometric mean": page.parts["geometric-mean"],
        "cross-check": page.parts["cross-check"],
        "reference length": re.search(r"Tokens / reference\s*\d+ / (\d+)", page.text)[1],
        "notes": ", ".join(page.codes),
        **read_mean(page.text),
    }
    for row in page.rows:
        if re.fullmatch(r"p\d+", row[0]) and len(row) == 7:
            name, matches, total, plain, clipped, used, _ = row
            assert (matches, total) == (page.parts[f"matches-{name[1:]}"], page.parts[f"totals-{name[1:]}"])
            assert clipped == page.parts[name]
            numbers |= {name: f"{matches}/{total}", f"plain {name}": plain, f"used {name}": used}
    return numbers


def read_text(text):
    flat = " ".join(text.split())
    names = ("brevity penalty", "geometric mean", "BLEU, 0 to 1", "BLEU")
    combined = re.search(r"BP · mean = (\S+) · (\S+) = (\S+), that is (\S+) of 100", flat).groups()
    numbers = dict(zip(names, combined, strict=True)) | read_mean(flat)
    check = re.search(r"cross-check: (?:the product of powers )?(agrees|not applicable)", flat)
    numbers |= {"cross-check": check[1]} if check else {}
    length = re.search(r" r = (\d+), so", flat)
    numbers |= {"reference length": length[1]} if length else {}
    row = r"^ +(p\d+) +(\d+) +(\d+) +(\d+/\d+) +\S+ +(left out|\S+)  "
    for name, matches, total, plain, used in re.findall(row, text, re.MULTILINE):
        numbers |= {name: f"{matches}/{total}", f"plain {name}": plain, f"used {name}": used}
    return numbers


def read_mean(text):
    found = re.search(r"own scores is ([\d.]+),", text)
    return {"mean of segment scores": found[1]} if found else {}


def read_json(text):
    data = json.loads(text)
    arithmetic = data["arithmetic"]
    numbers = {
        "BLEU": format_score(data["score"]),
        "BLEU, 0 to 1": format_fraction(data["fraction"]),
        "brevity penalty": format_fraction(arithmetic["brevity_penalty"]),
        "geometric mean": format_fraction(arithmetic["geometric_mean"]),
        "cross-check": arithmetic["cross_check"]["verdict"],
        "reference length": str(arithmetic["reference_length"]),
        "mean of segment scores": format_score(data["mean_segment_score"] or 0.0),
        "notes": ", ".join(note["code"] for note in data["notes"]),
    }
    for line in arithmetic["orders"]:
        numbers[f"p{line['order']}"] = f"{line['matches']}/{line['total']}"
        numbers[f"plain p{line['order']}"] = f"{line['plain_matches']}/{line['total']}"
    return numbers


def test_lengths_side_by_side_are_written_alike():
    texts = "the cat sat on a mat " * 200, ["the cat sat on the mat " * 210]
    for recipe, shown in (("paper", "1,200 / 1,260"), ("chrf", "3,000 / 3,570"), ("ter", "1,200 / 1,260")):
        assert f"reference</dt><dd>{shown}</dd>" in render_result(bp.explain(*texts, recipe))


# Every door.


@pytest.fixture
def command_line(tmp_path):
    """Write the arguments of `bleuprint explain` for a worked example; a corpus goes into files."""

    def arguments(example, form):
        options = ["--recipe", str(example.recipe), "--format", form]
        if len(example.candidates) == 1:
            return ["explain", "--texts", example.candidates[0], *example.references[0], *options]
        columns = [example.candidates, *zip(*example.references, strict=True)]
        files = [tmp_path / f"{place}.txt" for place in range(len(columns))]
        for file, texts in zip(files, columns, strict=True):
            file.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
        return ["explain", "--files", *map(str, files), *options]

    return arguments


def check(example, numbers):
    """Hold what a door gave against what it must give; plain text shows the words of notes, not their codes."""
    expected = {name: value for name, value in example.expected.items() if name != "notes" or "notes" in numbers}
    assert {name: numbers.get(name) for name in expected} == expected


every_example = pytest.mark.parametrize("example", EXAMPLES, ids=[example.name for example in EXAMPLES])


@every_example
def test_worked_examples_come_out_of_the_library(example):
    explanation = example.explain()
    check(example, list_numbers(explanation))
    check(example, read_text(str(explanation)))
    check(example, read_html(explanation._repr_html_()))
    check(example, read_html(render_document(explanation)))
    check(example, read_json(render_json(explanation.to_dict())))


@every_example
@pytest.mark.parametrize(("form", "read"), [("text", read_text), ("json", read_json), ("html", read_html)])
def test_worked_examples_come_out_of_the_command_line(example, form, read, command_line):
    result = CliRunner().invoke(cli, command_line(example, form), catch_exceptions=False)
    assert (result.exit_code, result.stderr) == (0, "")
    check(example, read(result.stdout))


@pytest.mark.parametrize(
    ("example", "form", "read"),
    [
        pytest.param(EXAMPLES[0], "text", read_text, id="first-text"),
        pytest.param(EXAMPLES[0], "json", read_json, id="first-json", marks=pytest.mark.extended),
        pytest.param(EXAMPLES[0], "html", read_html, id="first-html", marks=pytest.mark.extended),
        pytest.param(EXAMPLES[-1], "text", read_text, id="corpus-text", marks=pytest.mark.extended),
        pytest.param(EXAMPLES[-1], "json", read_json, id="corpus-json"),
        pytest.param(EXAMPLES[-1], "html", read_html, id="corpus-html"),
    ],
)
def test_worked_examples_come_out_of_the_program_itself(example, form, read, command_line):
    program = [SCRIPTS / "bleuprint", *command_line(example, form)]
    result = subprocess.run(program, capture_output=True, check=True)
    assert result.stderr == b""
    check(example, read(result.stdout.decode("utf-8")))


@every_example
def test_notes_are_shown_in_words(example):
    explanation = example.explain()
    for note in explanation.score.notes:
        assert note.text in " ".join(str(explanation).split())
        assert note.text in Page(render_result(explanation)).parts["notes"]


@every_example
def test_print_and_the_piped_command_line_show_the_same(example, command_line):
    result = CliRunner().invoke(cli, command_line(example, "text"), catch_exceptions=False)
    assert result.stdout == f"{example.explain()}\n"


@settings(max_examples=500)
@given(corpora(), st.sampled_from(CORPUS_DIALECTS))
def test_text_and_html_print_the_same_digits(corpus, recipe):
    explanation = bp.explain(*as_text(corpus), recipe)
    html, text = read_html(render_result(explanation)), read_text(str(explanation))
    assert text == {name: html[name] for name in text}


def test_a_score_without_texts_has_every_view_and_a_dash_for_plain_precision():
    total = bp.Accumulator(PAPER)
    total.add("the cat is on mat", "the cat is on the mat")
    explanation = bp.explain(total.score())
    assert read_html(render_result(explanation))["plain p1"] == "–"
    assert "BP · mean = 0.8187 · 0.7071 = 0.5789, that is 57.89 of 100" in str(explanation)


def test_the_headline_shows_rating_and_signature():
    explanation = EXAMPLES[0].explain()
    page = Page(render_result(explanation))
    assert page.parts["signature"] == str(explanation.score.recipe)
    assert page.parts["rating"].split()[0] == "50–60"
    assert str(explanation).startswith("BLEU-4 = 57.89   50–60: ")


@pytest.mark.parametrize("candidate", ["a b c x", "a b c d", "a b"])
def test_losses_are_drawn_with_the_points_they_took(candidate):
    explanation = bp.explain(candidate, "a b c d", PAPER.replace(order=2))
    drawn = re.findall(r"<rect [^>]*><title>[^:]*: ([\d.]+)</title>", render_result(explanation))
    parts = [explanation.score.score, *(loss.points for loss in explanation.arithmetic.losses)]
    assert list(map(float, drawn)) == pytest.approx(parts, abs=0.005)
    assert sum(parts) == pytest.approx(100.0)


# Any text shows as text.


def explain_token(text):
    return bp.explain([text, "a"], [["b", text]], TOKENS)


every_hostile_text = pytest.mark.parametrize("text", HOSTILE, ids=ascii)


@every_hostile_text
@pytest.mark.parametrize("render", [render_result, render_document, bp.Explanation._repr_html_])
def test_no_text_becomes_markup(text, render):
    page, harmless = Page(render(explain_token(text))), Page(render(explain_token("x")))
    assert (page.tags, page.attributes) == (harmless.tags, harmless.attributes)
    assert text in page.text


def test_the_name_of_a_function_becomes_no_markup():
    page = Page(render_result(bp.explain("a", "a", PAPER.replace(tokenizer=lambda text: text.split()))))
    assert "<lambda>" in page.parts["signature"]


@every_example
def test_html_has_classes_only_and_needs_no_other_file(example):
    for html in (render_result(example.explain()), render_document(example.explain())):
        page = Page(html)
        assert page.tags.isdisjoint({"script", "link", "img", "iframe", "a", "base", "object"})
        assert not [name for name in page.attributes if name in ("style", "src", "href") or name.startswith("on")]


def test_the_notebook_view_brings_its_styles_and_the_part_of_a_page_does_not():
    explanation = EXAMPLES[0].explain()
    part = render_result(explanation)
    assert explanation._repr_html_().endswith("</style>" + part)
    assert explanation._repr_html_().startswith("<style>")
    assert "style" not in Page(part).tags


@every_hostile_text
def test_no_text_steers_the_terminal(text):
    coloured = as_terminal(Group(*view(explain_token(text))))
    own = r"\x1b\[[\d;]*m"
    assert re.search(own, coloured)
    for shown in (str(explain_token(text)), re.sub(own, "", coloured)):
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", shown)
        assert all(part in shown for part in re.split(r"[\x00-\x1f\x80-\x9f\u2028]", text))


@every_hostile_text
def test_no_text_breaks_a_line(text):
    assert str(explain_token(text)).count("\n") == str(explain_token("x")).count("\n")


@pytest.mark.parametrize("name", [text for text in HOSTILE if text.isprintable()])
def test_no_name_of_a_document_becomes_markup(name):
    for others in 0, 600:
        scores = dict.fromkeys([name, *map(str, range(others))], bp.score_sentence("a", "a"))
        assert name in as_terminal(Group(*view(ScoredCorpus(scores))))


def test_a_json_number_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="not JSON compliant"):
        render_json({"score": float("nan")})


# What is to be copied stays whole.


@pytest.mark.parametrize("order", [4, 40])
def test_the_signature_is_on_one_line_however_long(order, tmp_path):
    recipe = PAPER.replace(weights=[1 / 3 + n / 1000 for n in range(order)])
    text = tmp_path / "a.txt"
    text.write_text("a b c d\n", encoding="utf-8")
    files, options = [str(text), str(text)], ["--recipe", str(recipe)]
    outputs = [str(bp.explain("a b", "a b", recipe)), str(bp.score_sentence("a b", "a b", recipe))]
    for arguments in (["explain", "--files"], ["score"], ["score", "--recipe", "paper"]):
        outputs.append(CliRunner().invoke(cli, [*arguments, *files, *options]).stdout)
    for output in outputs:
        assert re.search(rf"(^|[ ]){re.escape(str(recipe))}$", output, re.MULTILINE)


def test_ngrams_beyond_the_limit_are_counted_not_dropped_silently():
    letters = " ".join("abcdefghij")
    text = str(bp.explain(letters, letters, PAPER.replace(order=2)))
    assert "3 more n-grams: --ngrams all, or evidence.ngrams in Python" in text
    page = Page(render_result(bp.explain(letters, letters, PAPER.replace(order=1)), ngrams=3))
    assert "7 more are not shown here." in page.text


def test_print_works_in_a_notebook_kernel(monkeypatch):
    """There rich would show its output itself; str() and print() still must give the text."""

    class ZMQInteractiveShell:
        """What Jupyter's kernel calls its shell, by which rich knows it."""

    expected = str(EXAMPLES[0].explain())
    monkeypatch.setattr(builtins, "get_ipython", ZMQInteractiveShell, raising=False)
    assert str(EXAMPLES[0].explain()) == expected
