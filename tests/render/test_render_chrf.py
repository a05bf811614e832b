"""Views of chrF's explanations: the numbers of the score through every door, and texts as they are."""

import csv
import io
import re
from functools import cache

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Group

import bleuprint as bp
from bleuprint.cli.commands import cli
from bleuprint.metrics.chrf.counting import ChrfStats
from bleuprint.metrics.chrf.score import ChrfScore
from bleuprint.render import explanation_chrf, render, view
from bleuprint.render.explanation import ALL_NGRAMS
from bleuprint.render.html import render_document, render_part, render_result
from bleuprint.text.tokenizers import apply_case
from bleuprint.wording import format_fraction, format_score
from render_reading import HOSTILE, Page, as_terminal

DIALECTS = bp.Recipe.dialects("chrf")
TEXTS = st.text(alphabet="abA \t\x1c\u00a0中İ.", max_size=12)
COUNTS = ("matches", "candidate", "reference", "p", "r", "f")


def expected_rows(explanation):
    """Print the numbers of each order as every view must."""
    return {
        line.name: [
            str(line.matches), str(line.candidate), str(line.reference),
            *("none" if value is None else format_fraction(value) for value in (line.precision, line.recall)),
            format_fraction(line.f),
        ]
        for line in explanation.arithmetic.orders
    }  # fmt: skip


def read_html(html):
    parts = Page(html).parts
    names = [name.removeprefix("f-") for name in parts if name.startswith("f-")]
    return parts["score-100"], {name: [parts[f"{kind}-{name}"] for kind in COUNTS] for name in names}


def read_text(text):
    rows = re.findall(r"^ *([cw]\d+) " + 6 * r" +(\S+)", text, re.MULTILINE)
    return re.match(r"\S+ = (\S+) ", text)[1], {name: values for name, *values in rows}


def read_markdown(text):
    rows = [re.split(r" *\| *", line) for line in text.splitlines() if re.match(r"\| [cw]\d", line)]
    return re.match(r"\*\*\S+ = (\S+)\*\*", text)[1], {row[1]: row[2:8] for row in rows}


@settings(max_examples=180)
@given(st.sampled_from(list(DIALECTS)), TEXTS, st.lists(TEXTS, min_size=1, max_size=3))
def test_every_view_prints_the_same_digits(dialect, candidate, references):
    explanation = bp.explain(candidate, references, dialect)
    expected = (explanation.score.printed, expected_rows(explanation))
    assert read_html(render_result(explanation)) == expected
    assert read_text(str(explanation)) == expected
    assert read_markdown(render(explanation, "markdown")) == expected


def test_csv_has_every_number():
    explanation = bp.explain("the cat", ["a mat", "the mat"], "chrf++")
    rows = dict(csv.reader(io.StringIO(render(explanation, "csv"))))
    arithmetic = explanation.arithmetic
    assert float(rows["chrF2++"]) == explanation.score.score
    assert [float(rows[f"F {line.name}"]) for line in arithmetic.orders] == [line.f for line in arithmetic.orders]
    assert [int(rows[f"matches {line.name}"]) for line in arithmetic.orders] == list(explanation.score.stats.matches)
    assert (rows["chosen reference"], float(rows["against reference 2"])) == ("2", explanation.score.score)


@settings(max_examples=60)
@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=3), st.sampled_from(list(DIALECTS)))
def test_each_reference_has_the_score_that_it_gives_alone_and_the_first_of_the_best_is_chosen(candidate, texts, name):
    explanation = bp.explain(candidate, texts, name)
    evidence = explanation.evidence
    alone = [bp.score_sentence(candidate, text, name).score for text in texts]
    assert list(evidence.reference_scores) == alone
    assert evidence.chosen == alone.index(max(alone))
    assert explanation.score.score == max(alone)
    data = explanation.to_dict()["evidence"]
    assert [reference["score"] for reference in data["references"]] == alone
    assert data["references"][data["chosen_reference"]]["text"] == data["reference"]["text"]


@settings(max_examples=100)
@given(TEXTS, TEXTS, st.sampled_from([bp.Recipe.named(name).replace(case=case) for name in DIALECTS for case in
                                      ("mixed", "lower")]))  # fmt: skip
def test_runs_are_the_whole_text_and_what_counts_in_them_is_counted(candidate, reference, recipe):
    evidence = bp.explain(candidate, reference, recipe).evidence
    own, other = explanation_chrf.character_runs(evidence)
    for text, runs, characters in (
        (candidate, own, evidence.candidate_view),
        (reference, other, evidence.reference_view),
    ):
        assert "".join(piece for run in runs for piece, _ in run.pieces) == apply_case(text, recipe.case)
        counted = [(c, run.longest_match) for run in runs for piece, counts in run.pieces if counts for c in piece]
        assert counted == [(part.character, part.longest_match) for part in characters]
        left_out = "".join(piece for run in runs for piece, counts in run.pieces if not counts)
        assert left_out == "" or left_out.isspace()


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("chrf", "P = (1.0000 + 0.5000) / 2 = 0.7500\nR = (0.6667 + 0.2500) / 2 = 0.4583\nchrF2 = (1 + β²) · P · R / "
         "(β² · P + R) = 5 · 0.7500 · 0.4583 / (4 · 0.7500 + 0.4583) = 0.4970, that is 49.70 of 100"),
        ("chrf-popovic", "of each order F = (1 + β²) · P · R / (β² · P + R)\nchrF2 = (0.7143 + 0.2778 + 0.0000) / 3 = "
         "0.3307, that is 33.07 of 100"),
    ],
)  # fmt: skip
def test_how_orders_combine(name, how):
    recipe = bp.Recipe.named(name).replace(char_order=2 if name == "chrf" else 3)
    matches, candidate, reference = ((2, 1, 0), (2, 2, 1), (3, 4, 2))
    stats = ChrfStats(*(counts[: recipe.order] for counts in (matches, candidate, reference)), 3, 4)
    assert "\n".join(explanation_chrf.combination_lines(bp.Explanation(ChrfScore(stats, recipe)))) == how


def test_orders_that_have_no_part_are_told():
    text = " ".join(str(bp.explain("ab", "abc", "chrf")).split())
    assert "c3 0 0 1 none none 0.0000 the candidate has none: left out" in text
    assert "c4 0 0 0 none none 0.0000 no n-grams count: left out" in text
    assert "no match: F = 1e-16" in str(bp.explain("a", "b", "nltk-chrf"))
    assert "how" not in str(bp.explain("abcdef", "abcdef", "chrf")).split()


def test_a_reference_that_does_not_count_is_told():
    remark = "Nothing matches, so this recipe, as torchmetrics, does not count the n-grams of the reference."
    assert remark in str(bp.explain("a", "b", "torchmetrics-chrf"))
    assert remark in Page(render_result(bp.explain("a", "b", "torchmetrics-chrf"))).text
    assert remark not in str(bp.explain("a", "ab", "torchmetrics-chrf"))


def test_below_each_character_stands_its_longest_match():
    shown = str(bp.explain("the cat is on mat", "the cat is on the mat", "chrf")).splitlines()
    place = shown.index("     the cat is on mat")
    assert shown[place : place + 2] == ["     the cat is on mat", "     666 666 66 66 333"]
    text = "中文 e\u0301"  # two characters of two cells, and an accent without a cell
    wide = str(bp.explain(text, text, "chrf")).splitlines()
    assert wide[wide.index(f"     {text}") + 1] == "     4 4  4"


def test_long_texts_are_parted_at_white_space():
    text = " ".join(["word"] * 60)
    lines = [line for line in str(bp.explain(text, text, "chrf")).splitlines() if line.strip().startswith("word")]
    assert len(lines) > 2
    assert all(len(line) <= 110 and line.endswith("word") for line in lines)
    unbroken = str(bp.explain("¤" * 300, "¤" * 300, "chrf"))
    assert unbroken.count("¤") == 600


def test_the_mean_of_segments_stands_beside_the_score_of_a_corpus():
    explanation = bp.explain(["the cat", "a"], ["the mat", "b"], "chrf")
    mean = sum(bp.score_segments(["the cat", "a"], ["the mat", "b"], "chrf").scores) / 2
    told = f"The mean of the segments' own scores is {format_score(mean)}, which is another number."
    for shown in (str(explanation), Page(render_result(explanation)).text, render(explanation, "markdown")):
        assert told in " ".join(shown.split())


def test_ngrams_are_listed_on_request():
    explanation = bp.explain("abcab", "abx", "chrf")
    assert "--ngrams 10 or all" in str(explanation)
    assert not re.search(r"c2 +ab ", str(explanation))
    asked = render(explanation, "text", ngrams=2)
    assert re.search(r"c2 +ab +2 +1 +1$", asked, re.MULTILINE)
    assert "3 more n-grams: --ngrams all" in asked  # the third of c1, c2 and c3
    whole = render(explanation, "text", ngrams=ALL_NGRAMS)
    assert "more n-gram" not in whole
    html = render_result(explanation)
    assert ["ab", "2", "1", "1", "clipped"] in Page(html).rows
    assert ["x", "0", "1", "0", "missed"] in Page(html).rows
    page = Page(render_part("ngram_page", explanation, order=2, page=1, most_ngrams=2, paged=True))
    assert [row[0] for row in page.rows[1:]] == ["ca", "bx"]


def explain_beside_letters(text):
    return bp.explain(f"{text} a", [f"b {text}", text], "chrf++")


@cache
def harmless_page(write):
    return Page(write(explain_beside_letters("x y")))


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_no_text_becomes_markup_or_steers_the_terminal(text):
    explanation = explain_beside_letters(text)
    for write in (render_result, render_document, bp.Explanation._repr_html_):
        page, expected = Page(write(explanation)), harmless_page(write)
        assert page.tags <= expected.tags | {"span"}
        assert page.attributes <= expected.attributes
        assert text in page.text
    coloured = re.sub(r"\x1b\[[\d;]*m", "", as_terminal(Group(*view(explanation, ngrams=ALL_NGRAMS))))
    for shown in (str(explanation), coloured):
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028]", shown)


def test_html_has_classes_only_and_needs_no_other_file():
    for explanation in (bp.explain("a b", ["a", "b"], "chrf++"), bp.explain(["a"], ["b"], "chrf")):
        page = Page(render_document(explanation))
        assert page.tags.isdisjoint({"script", "link", "img", "iframe", "a", "base", "object"})
        assert not [name for name in page.attributes if name in ("style", "src", "href") or name.startswith("on")]


def test_a_notebook_shows_a_score_with_its_facts():
    page = Page(bp.score_sentence("the cat", "the mat", "chrf")._repr_html_())
    assert (page.parts["score-100"], page.parts["precision"]) == ("28.06", "0.2806")
    assert "chrF sums counts, not scores" in Page(bp.score_segments(["a"], ["a"], "chrf")._repr_html_()).text


def test_the_command_line_explains_texts_files_and_segments(tmp_path):
    def run(*arguments):
        result = CliRunner().invoke(cli, ["explain", *map(str, arguments)], catch_exceptions=False)
        assert (result.exit_code, result.stderr) == (0, "")
        return result.stdout

    candidates, references = ["the cat", "a dog"], ["the mat", "a fog"]
    files = [tmp_path / name for name in "ab"]
    for file, texts in zip(files, (candidates, references), strict=True):
        file.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    one = bp.explain("a dog", "a fog", "chrf++")
    assert run("a dog", "a fog", "--recipe", "chrf++") == f"{one}\n"
    assert run(*files, "--segment", 2, "--recipe", "chrf++") == f"{one}\n"
    assert run(*files, "--files", "-m", "chrf") == f"{bp.explain(candidates, references, 'chrf')}\n"
    assert run("a dog", "a fog", "-m", "chrf", "--ngrams", 1).count("more n-grams") == 1
    assert run("a dog", "a fog", "--recipe", "chrf++", "--format", "html") == render_document(one) + "\n"
