"""Views of TER's explanations: the number, the shifts as moves and the alignment, through every door."""

import csv
import io
import re

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Group

import bleuprint as bp
from bleuprint.cli.commands import cli
from bleuprint.render import explanation_ter, render, view
from bleuprint.render.html import render_document, render_result
from bleuprint.wording import format_score
from render_reading import HOSTILE, Page, as_terminal

DIALECTS = bp.Recipe.dialects("ter")
WORDS = st.lists(st.sampled_from("abcd"), max_size=8).map(" ".join)
KINDS = ("insertions", "deletions", "substitutions", "shifts")
SIGNS = {"insertions": "I", "deletions": "D", "substitutions": "S"}
SHIFTED = ("on the mat the cat sat", "the cat sat on the mat today")


def levenshtein(text, target):
    """The textbook's distance of two lists of words."""
    row = list(range(len(target) + 1))
    for number, word in enumerate(text, start=1):
        last, row = row, [number]
        for place, other in enumerate(target):
            row.append(min(last[place] + (word != other), last[place + 1] + 1, row[place] + 1))
    return row[-1]


def read_html(html):
    page = Page(html)
    rows = [row for row in page.rows if len(row) == 3 and row[1][:1] in "=SID" and row[0] != "Reference"]
    return page.parts["score-100"], {kind: int(page.parts[kind]) for kind in KINDS}, rows


def read_text(text):
    flat = " ".join(text.split())
    counts = re.search(r"insertions \+ deletions \+ substitutions \+ shifts = (\d+) \+ (\d+) \+ (\d+) \+ (\d+) =", flat)
    return re.match(r"TER = (\S+) ", text)[1], dict(zip(KINDS, map(int, counts.groups()), strict=True))


def read_markdown(text):
    lines = [
        re.split(r" ?\| ?", line.replace("·", ""))[1:4]
        for line in text.splitlines()
        if re.search(r"\| [=SID]( →\d+)* \|", line)
    ]
    return *read_text(text.replace("*", "")), lines


@pytest.mark.parametrize("dialect", DIALECTS)
@settings(max_examples=40)
@given(candidate=WORDS, references=st.lists(WORDS, min_size=1, max_size=3))
def test_every_view_shows_the_edits_of_the_row_and_signs_that_recount_to_them(dialect, candidate, references):
    explanation = bp.explain(candidate, references, dialect)
    expected = (explanation.score.printed, dict(explanation.score.stats.kinds))
    printed, counts, rows = read_html(render_result(explanation))
    assert (printed, counts) == expected == read_text(str(explanation))
    signs = [row[1][0] for row in rows]
    assert {kind: signs.count(sign) for kind, sign in SIGNS.items()} == {kind: counts[kind] for kind in SIGNS}
    moved = {number for row in rows for number in re.findall(r"→(\d+)", row[1])}
    assert moved == {str(number) for number in range(1, counts["shifts"] + 1)}
    assert read_markdown(render(explanation, "markdown")) == (*expected, rows)


@pytest.mark.parametrize("dialect", DIALECTS)
@settings(max_examples=100)
@given(candidate=WORDS, reference=WORDS)
def test_shifts_one_by_one_give_the_last_word_order_and_save_what_they_say(dialect, candidate, reference):
    told = bp.explain(candidate, reference, dialect).to_dict()["evidence"]
    [alignment] = told["references"]
    side, other = ("candidate", "reference") if alignment["moved"] == "candidate" else ("reference", "candidate")
    texts = {"candidate": told["candidate"]["words"], "reference": alignment["words"]}
    words, target = texts[side], texts[other]
    for move in alignment["moves"]:
        end = move["start"] + move["length"]
        assert (words, words[move["start"] : end]) == (move["before"], move["words"])
        rest = words[: move["start"]] + words[end:]
        words = rest[: move["lands"]] + move["words"] + rest[move["lands"] :]
        assert words == move["after"]
        assert (levenshtein(move["before"], target), levenshtein(words, target)) == (
            move["edits_before"], move["edits_after"],
        )  # fmt: skip
        assert move["saved"] == move["edits_before"] - move["edits_after"] > 0
    if alignment["alignment"]:
        shown = [line[f"{side}_word"] for line in alignment["alignment"]]
        assert [word for word in shown if word is not None] == words
        edits = sum(line["step"] != "match" for line in alignment["alignment"])
        assert edits == levenshtein(words, target)


@settings(max_examples=60)
@given(WORDS, WORDS)
def test_a_move_is_drawn_with_all_its_words_before_and_after(candidate, reference):
    for move in bp.explain(candidate, reference, "ter").evidence.alignment.moves:
        drawn = explanation_ter.draw_move(move)
        for parts, words in ((drawn.before, move.before), (drawn.after, move.after)):
            shown = [word for kind, word in parts if kind in ("still", "moved")]
            assert " ".join(shown) in " ".join(words)
            assert [word for kind, word in parts if kind == "moved"] == list(move.words)
        left = [word for kind, word in drawn.before if kind != "moved"]
        place = left.index(explanation_ter.GOAL)
        put = [*left[:place], *move.words, *left[place + 1 :]]
        assert put == [word for _, word in drawn.after]


def test_a_shift_at_the_terminal_and_in_html():
    explanation = bp.explain(*SHIFTED, "ter")
    shown = [line.strip() for line in str(explanation).splitlines()]
    assert "→1 “the cat sat”: words 4–6 become 1–3: 6 edits left before, 1 after, so it saves 5 and costs 1" in shown
    place = shown.index("▾ on the mat [the cat sat]")
    assert shown[place + 1] == "[the cat sat] on the mat"
    assert shown[shown.index("reference  the   cat   sat   on  the  mat  today") :][:3] == [
        "reference  the   cat   sat   on  the  mat  today",
        "edit       = →1  = →1  = →1  =   =    =    I",
        "candidate  the   cat   sat   on  the  mat  ·",
    ]
    assert ["", "D", "x"] in read_html(render_result(bp.explain("a x", "a", "ter")))[2]
    assert "▾ on the mat the cat sat" in " ".join(Page(render_result(explanation)).text.split())


def test_far_words_of_a_long_text_are_left_out_of_a_move():
    text = "a b c d e f g h i j k l m n"
    [move] = bp.explain(text.replace("h i", "i h"), text, "ter").evidence.alignment.moves
    assert [word for _, word in explanation_ter.draw_move(move).after] == [
        "…",
        "e",
        "f",
        "g",
        "h",
        "i",
        "j",
        "k",
        "l",
        "…",
    ]


def test_lower_is_better_stands_beside_the_number():
    explanation = bp.explain("a b", "a c", "ter")
    assert str(explanation).startswith("TER = 50.00   lower is better: 1 edit over a reference length of 2")
    assert "** lower is better: " in render(explanation, "markdown")
    assert "Lower is better" in Page(render_result(explanation)).text
    assert "Lower is better" in Page(explanation.score._repr_html_()).text


def test_points_of_the_kinds_add_up_to_the_score_also_of_a_corpus():
    corpus = (["on the mat the cat sat", "a b c", "x"], ["the cat sat on the mat", "a c d", "y z"])
    explanation = bp.explain(*corpus, "ter")
    points = [line.points for line in explanation.arithmetic.kinds]
    assert sum(points) == pytest.approx(explanation.score.score)
    drawn = re.findall(
        r'<rect [^>]*width="([\d.]+)" height="28"><title>\w+: ([\d.]+)</title>', render_result(explanation)
    )
    assert [float(shown) for _, shown in drawn] == pytest.approx(points, abs=0.005)
    assert sum(float(width) for width, _ in drawn) == pytest.approx(600, abs=0.05)
    rows = dict(csv.reader(io.StringIO(render(explanation, "csv"))))
    assert sum(float(rows[f"points of {kind}"]) for kind in KINDS) == pytest.approx(float(rows["TER"]))
    mean = sum(bp.score_segments(*corpus, "ter").scores) / 3
    told = f"The mean of the segments' own scores is {format_score(mean)}, which is another number."
    for shown in (str(explanation), Page(render_result(explanation)).text, render(explanation, "markdown")):
        assert told in " ".join(shown.split())


def test_the_chosen_reference_and_the_mean_length_are_told():
    explanation = bp.explain("a b c", ["x y", "a b", "b c"], "ter")
    shown = " ".join(str(explanation).split())
    assert "reference 2 counts, as it needs the fewest edits, the first of those with as many (3)" in shown
    assert "length = (2 + 2 + 2) / 3 = 2, the mean of all references" in shown
    assert "reference 2 counts" in render(explanation, "markdown")
    page = Page(render_result(explanation))
    assert ["Reference 2, chosen", "0", "1", "0", "0", "1", "a b"] in page.rows
    assert "So reference 2 counts, the first of the best; the length is the mean of all." in page.text


def test_a_search_that_reached_its_limit_is_told():
    explanation = bp.explain("a " * 8 + "b " * 8, "b " * 8 + "a " * 8, "ter")
    assert explanation.evidence.alignment.search.gave_up
    remark = "tries the search reached its limit and ended"
    for shown in (str(explanation), Page(render_result(explanation)).text, render(explanation, "markdown")):
        assert remark in " ".join(shown.split())
    assert remark not in str(bp.explain("a b", "b a", "ter"))


@pytest.mark.parametrize(
    ("texts", "recipe", "told"),
    [
        (("", ""), "ter", "TER is 0.00 without a division: there is nothing to edit, and nothing to divide by."),
        (("a", ""), "ter", "TER is 100.00 without a division: the reference is empty, but the candidate is not."),
        (("", "a"), "torchmetrics-ter", "No edit is counted, so TER is 0."),
        (("a", "a"), "ter", "No edit is counted, so TER is 0."),
    ],
)
def test_a_score_without_points_says_why(texts, recipe, told):
    explanation = bp.explain(*texts, recipe)
    assert told in " ".join(str(explanation).split())
    assert told in Page(render_result(explanation)).text


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_no_text_becomes_markup_or_steers_the_terminal(text):
    explanation, harmless = (bp.explain(f"a b {part}", [f"{part} a b c", part], "ter") for part in (text, "x"))
    for write in (render_result, render_document, bp.Explanation._repr_html_):
        page, expected = Page(write(explanation)), Page(write(harmless))
        assert page.tags <= expected.tags
        assert page.attributes <= expected.attributes
        assert all(word in page.text for word in text.lower().split())
    coloured = re.sub(r"\x1b\[[\d;]*m", "", as_terminal(Group(*view(explanation))))
    for shown in (str(explanation), coloured):
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028]", shown)


def test_html_has_classes_only_and_needs_no_other_file():
    for explanation in (bp.explain(*SHIFTED, "ter"), bp.explain(["a"], ["b"], "ter")):
        page = Page(render_document(explanation))
        assert page.tags.isdisjoint({"script", "link", "img", "iframe", "a", "base", "object"})
        assert not [name for name in page.attributes if name in ("style", "src", "href") or name.startswith("on")]


def test_the_command_line_explains_texts_files_and_segments_and_has_no_ngrams(tmp_path):
    def run(*arguments):
        return CliRunner().invoke(cli, ["explain", *map(str, arguments)], catch_exceptions=False).stdout

    candidates, references = ["the cat", SHIFTED[0]], ["the mat", SHIFTED[1]]
    files = [tmp_path / name for name in "ab"]
    for file, texts in zip(files, (candidates, references), strict=True):
        file.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    one = bp.explain(*SHIFTED, "ter")
    assert run(*SHIFTED, "-m", "ter") == f"{one}\n" == run(*files, "--segment", 2, "-m", "ter")
    assert run(*files, "--files", "-m", "ter") == f"{bp.explain(candidates, references, 'ter')}\n"
    with pytest.raises(bp.BleuprintError, match="--ngrams needs"):
        run(*SHIFTED, "-m", "ter", "--ngrams", 3)
