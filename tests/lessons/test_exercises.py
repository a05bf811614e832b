"""Exercises: the same everywhere, solved as by hand, and every usual mistake known by the number that it gives."""

import hashlib
import json
import re
from fractions import Fraction
from html import unescape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.errors import InputTypeError
from bleuprint.lessons import LEVELS, Exercise, Mistake, exercise, exercises
from bleuprint.render import exercise as wording
from bleuprint.render import render
from latex_reading import Reader, bare, compile_document
from refusals import refuse
from students import Student, same, write, wrong_answers

NUMBERS = [level.number for level in LEVELS]
SEEDS = st.integers(0, 2**64 - 1)


# The texts.


def test_a_seed_and_a_level_give_the_same_exercise_on_every_machine():
    """The digest was made with CPython 3.11. Whoever changes texts changes worksheets that were handed out."""
    made = [exercise(seed, level).to_dict() for level in NUMBERS for seed in (0, 1, 7, 2**64 - 1)]
    told = json.dumps([[one["candidates"], one["references"]] for one in made]).encode()
    assert hashlib.sha256(told).hexdigest() == "c0dc7c2edb59d107b737554a37f7ae59592f32ab6909b6768390400ff28a00c5"
    assert exercise(7, 2) == exercise(seed=7, level=2) == Exercise(7, LEVELS[1], *FIRST)


FIRST = (("the little sang under tree",), (("the little bird sang under the tree",),))


@given(seed=SEEDS, level=st.sampled_from(LEVELS))
@settings(max_examples=150, deadline=None)
def test_every_exercise_is_what_its_level_says(seed, level):
    made = exercise(seed, level.number)
    assert len(made.candidates) == len(made.references) == level.segments
    assert {len(own) for own in made.references} == {level.references}
    assert all(re.fullmatch(r"[a-z]+( [a-z]+)*", text) for own in made.references for text in own)
    assert made.names == (*(f"p{n}" for n in range(1, level.order + 1)), "BP", "BLEU")
    stats = made.explain().score.stats
    assert [bool(matches) for matches in stats.matches[:-1]] == [True] * (level.order - 1)
    assert bool(stats.matches[-1]) == (level.smoothing == "none")
    named = {mistake for _, found in wrong_answers(made)["BLEU"] for mistake in found}
    assert set(level.brings_out) <= named


def test_the_first_levels_are_easy_and_the_later_ones_have_all_that_there_is():
    assert (LEVELS[0].order, LEVELS[0].segments, LEVELS[0].references) == (2, 1, 1)
    assert {Mistake.NO_CLIPPING, Mistake.SUMMED_CLIPPING, Mistake.LONGEST_REFERENCE} <= set(LEVELS[3].brings_out)
    assert Mistake.NO_SMOOTHING in LEVELS[4].brings_out
    assert LEVELS[-1].segments > 1
    assert [level.number for level in LEVELS] == list(range(1, len(LEVELS) + 1))


def test_few_draws_are_thrown_away(monkeypatch):
    drawn, draw = [], exercises.draw_texts
    monkeypatch.setattr(exercises, "draw_texts", lambda *given: drawn.append(1) or draw(*given))
    for seed in range(10):
        for level in NUMBERS:
            exercise(seed, level)
    assert len(drawn) < 60 * 20


@pytest.mark.parametrize(
    ("seed", "level", "argument"),
    [
        (-1, 1, "seed"),
        (2**64, 1, "seed"),
        (1.0, 1, "seed"),
        (1, 0, "level"),
        (1, 7, "level"),
        (1, "2", "level"),
        (1, True, "level"),
    ],
)
def test_a_seed_or_a_level_that_is_none_is_refused(seed, level, argument):
    refuse(lambda: exercise(seed, level), argument=argument)


# The solution, and the mistakes.


@given(seed=SEEDS, level=st.sampled_from(NUMBERS))
@settings(max_examples=150, deadline=None)
def test_the_solution_is_the_one_by_hand_and_the_librarys(seed, level):
    made = exercise(seed, level)
    by_hand = Student(made).answer()
    for quantity in made.solution:
        number = by_hand[quantity.name]
        assert quantity.exact == (number if isinstance(number, Fraction) else None)
        assert same(quantity.value, number)
    score = bp.score(made.candidates, made.references, made.recipe)
    floats = [*score.smoothed_precisions, score.brevity_penalty, score.fraction]
    assert [quantity.value for quantity in made.solution] == floats


@given(seed=SEEDS, level=st.sampled_from(NUMBERS))
@settings(max_examples=150, deadline=None)
def test_every_mistake_is_named_and_no_two_are_confused_where_their_numbers_differ(seed, level):
    made = exercise(seed, level)
    for name, groups in wrong_answers(made).items():
        assert groups
        for number, mistakes in groups:
            checked = made.check(name, write(number))
            assert not checked.is_right
            assert set(checked.mistakes) == mistakes
            assert not checked.more_digits_tell
            assert all(mistake.happened in checked.message for mistake in mistakes)
            assert ("one of these" in checked.message) == (len(mistakes) > 1)


def test_every_mistake_comes_up_in_some_exercise_and_nearly_each_alone():
    """Who leaves BP out has what comes of changing c and r in all of it, and often of the shortest reference: 1."""
    groups = [
        mistakes
        for level in NUMBERS
        for seed in range(8)
        for found in wrong_answers(exercise(seed, level)).values()
        for _, mistakes in found
    ]
    of_the_form = {Mistake.NO_PERCENT_SIGN, Mistake.CUT_OFF}
    assert set.union(*groups) | of_the_form == set(Mistake)
    alone = set.union(*(mistakes for mistakes in groups if len(mistakes) == 1))
    assert alone | of_the_form | {Mistake.NO_BREVITY, Mistake.SHORTEST_REFERENCE} == set(Mistake)


@pytest.mark.parametrize("seed", [pytest.param(seed, marks=[pytest.mark.extended] * (seed > 9)) for seed in range(40)])
def test_a_total_that_is_off_by_one_is_found_whatever_the_other_orders_have(seed):
    for level in NUMBERS:
        made = exercise(seed, level)
        stats = bp.score(made.candidates, made.references, made.recipe).stats
        for order, (matches, total) in enumerate(zip(stats.matches, stats.totals, strict=True), start=1):
            for wrong in (total - 1, total + 1):
                if wrong >= matches > 0:
                    checked = made.check(f"p{order}", f"{matches}/{wrong}")
                    assert Mistake.MISCOUNTED in checked.mistakes, (level, order, wrong)


def test_mistakes_that_only_more_digits_tell_apart_are_both_named():
    made = exercise(seed=2, level=2)
    checked = made.check("BLEU", "0.44")
    assert checked.mistakes == (Mistake.MISCOUNTED, Mistake.ARITHMETIC_MEAN)
    assert checked.message.endswith("More digits would tell which.")


# Answers as people write them.


@given(seed=SEEDS, level=st.sampled_from(NUMBERS), digits=st.integers(3, 10))
@settings(max_examples=100, deadline=None)
def test_right_answers_are_right_in_every_form_and_to_the_digits_given(seed, level, digits):
    made = exercise(seed, level)
    for quantity in made.solution:
        forms = [f"{quantity.value:.{digits}f}", f"{100 * quantity.value:.{digits}f} %", repr(quantity.value)]
        forms += [form.replace(".", ",") for form in forms]
        if quantity.exact is not None:
            twice = f"{2 * quantity.exact.numerator} / {2 * quantity.exact.denominator}"
            forms += [str(quantity.exact), twice, f" {quantity.exact}\t"]
        if quantity.name == "BLEU":
            forms.append(f"{100 * quantity.value:.{digits}f}")
        for form in forms:
            assert made.check(quantity.name, form).is_right, form
        for off in (1, -1):
            near = f"{quantity.value + off * 10**-digits:.{digits}f}"
            distance = abs(Fraction(near) - Fraction(quantity.exact or quantity.value))
            is_middle = distance <= Fraction(1, 2 * 10**digits) + Fraction(0 if quantity.exact else 1e-15)
            assert made.check(quantity.name, near).is_right == is_middle, near


SIX = Exercise(0, LEVELS[0], ("a b c d e z",), (("a b c d e f",),))
"""p1 is 5/6, p2 is 4/5, BP is 1, BLEU is the root of 2/3."""


@pytest.mark.parametrize(
    ("answer", "is_right"),
    [
        ("5/6", True), ("10/12", True), ("0.83", True), ("0.833", True), (".8333", True), ("83 %", True),
        ("83.3%", True), ("83,3 %", True), ("0,83", True), ("0.84", False), ("0.82", False), ("0.834", False),
        ("0.833333333333", True), ("0.833333333334", False), ("0.8333333333333334", True), ("0.83000000001", False),
        ("4/6", False), ("83.4 %", False), ("6/5", False), ("1", False), ("0", False), ("100 %", False),
    ],
)  # fmt: skip
def test_five_sixths(answer, is_right):
    assert SIX.check("p1", answer).is_right == is_right


@pytest.mark.parametrize("answer", ["7/8", "0.875", "0.8750", "0.88", "88 %", "87.5 %"])
def test_seven_eighths(answer):
    assert exercise(seed=28, level=2).check("p1", answer).is_right


@pytest.mark.parametrize("answer", ["0.87", "87 %", "0,87"])
def test_half_a_digit_may_not_be_cut_off(answer):
    assert exercise(seed=28, level=2).check("p1", answer).mistakes == (Mistake.CUT_OFF,)


@pytest.mark.parametrize("answer", ["0.62", "0.63"])
def test_a_half_may_be_rounded_up_or_to_the_even_digit(answer):
    five_eighths = Exercise(0, LEVELS[0], ("a b c d e x y z",), (("a b c d e u v w",),))
    assert five_eighths.check("p1", answer).is_right


@pytest.mark.parametrize(
    ("name", "answer", "is_right"),
    [
        ("p2", "0.500000000000", True), ("p2", "0.500000000001", False), ("p2", "50.0000000001 %", False),
        ("p1", "100.000 %", True), ("p1", "100.0000000001 %", False), ("p1", "0.9999999999999", False),
        ("BP", "0.67032004603564", True), ("BP", "0.67032004603565", False), ("BP", "0.6703200460356393", True),
        ("BP", "0.67032004603563930074", True), ("BP", "0.67032004603575", False),
    ],
)  # fmt: skip
def test_a_long_decimal_is_right_only_where_all_of_it_is(name, answer, is_right):
    """p1 is 1, p2 is 1/2, BP is e to the power of -2/5."""
    assert exercise(seed=7, level=2).check(name, answer).is_right == is_right


@pytest.mark.parametrize(
    ("name", "answer", "mistakes"),
    [
        ("p1", "83.3", {Mistake.NO_PERCENT_SIGN}),
        ("p1", "83", {Mistake.NO_PERCENT_SIGN}),
        ("p1", "0.8333333", set()),
        ("p2", "0.8", set()),
        ("BP", "1.0", set()),
        ("p1", "5/7", {Mistake.MISCOUNTED}),
        ("p2", "4/6", {Mistake.MISCOUNTED, Mistake.TOKENS_AS_TOTALS}),
        ("BLEU", "0.8165", set()),
        ("BLEU", "0.8164", {Mistake.CUT_OFF}),
        ("BLEU", "81.64 %", {Mistake.CUT_OFF}),
        ("BLEU", "163.3 %", {Mistake.PRECISIONS_ADDED}),
        ("BLEU", "1.633", {Mistake.PRECISIONS_ADDED}),
        ("BLEU", "163.3", {Mistake.PRECISIONS_ADDED}),
        ("BLEU", "49/60", {Mistake.ARITHMETIC_MEAN}),
        ("BLEU", "2/3", {Mistake.NO_ROOT}),
        ("BLEU", "0.3", set()),
    ],
)
def test_what_is_found_behind_an_answer(name, answer, mistakes):
    checked = SIX.check(name, answer)
    right = {"p1": "0.8333333", "p2": "0.8", "BP": "1.0", "BLEU": "0.8165"}
    assert checked.is_right == (answer == right[name])
    assert set(checked.mistakes) == mistakes


@pytest.mark.parametrize("answer", ["", "five", "-1", "1,234.5", "5/0", "0.5/6", "٣/٤", ".", "1" * 41, None, "0.8"])
def test_what_is_no_answer_is_refused(answer):
    refuse(lambda: SIX.check("p1", answer), InputTypeError, where="p1")


def test_what_is_no_answer_is_refused_with_examples():
    found = refuse(lambda: SIX.check("p1", "five"))
    assert (
        str(found)
        == "p1: expected a fraction, a decimal or a percentage, got 'five'. Write it like 5/6, 0.83 or 83.3 %."
    )


def test_a_question_that_was_not_asked_is_refused():
    refuse(lambda: SIX.check("BLUE", "1"), suggestion="BLEU", values=("p1", "p2", "BP", "BLEU"))


def test_an_answer_is_data():
    assert SIX.check("BLEU", "2/3").to_dict() == {
        "name": "BLEU",
        "answer": "2/3",
        "right": False,
        "mistakes": ["no-root"],
        "message": "2/3 is not BLEU. It comes out where the precisions are multiplied and no root is taken. "
        "Take the N-th root of the product.",
    }


# Worksheets.


def read_html(text):
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", text.partition("</style>")[2])).split())


@pytest.mark.parametrize("level", NUMBERS)
def test_every_format_has_the_texts_and_the_numbers_and_a_worksheet_has_no_solution(level):
    made = exercise(3, level)
    for form in ("text", "markdown", "latex", "html"):
        both = render(made, form, parts=wording.EXERCISE_PARTS)
        worksheet, solution = (render(made, form, parts=[part]) for part in wording.EXERCISE_PARTS)
        texts = [text for named in wording.list_texts(made) for text in (named.name, named.text)]
        for text in texts:
            assert text in both
            assert text in worksheet
        for quantity in made.solution:
            assert quantity.decimal in both
            assert quantity.decimal in solution
            assert quantity.decimal not in worksheet
            if quantity.exact is not None:
                assert f"{quantity.exact}" in solution
        assert wording.title_of(made) in worksheet
        assert wording.title_of(made) in solution
        assert render(exercise(3, level), form, parts=wording.EXERCISE_PARTS) == both


def test_print_gives_the_worksheet_alone():
    made = exercise(3, 2)
    shown = str(made)
    assert all(named.text in shown for named in wording.list_texts(made))
    assert made.solution[-1].decimal not in shown


NASTY = r"""\input{x} 50% & $x$ #1 a_b <b>c</b> | * `d` "e" --"""


def test_no_text_becomes_a_command():
    made = Exercise(0, LEVELS[0], (NASTY,), ((NASTY,),))
    assert NASTY in read_html(render(made, "html"))
    assert "<b>" not in render(made, "html").partition("<main>")[2]
    [item] = re.findall(r"\\item\[Candidate\] (.*)", render(made, "latex"))
    assert Reader(item).words() == NASTY
    [item] = re.findall(r"^- \*\*Candidate\*\*: (.*)$", render(made, "markdown"), re.MULTILINE)
    assert re.sub(r"\\(.)", r"\1", item) == NASTY


def test_a_document_needs_nothing_else():
    text = render(exercise(1, 1), "html")
    assert not re.findall(r"\b(?:src|href)=|@import|url\(", text)
    assert " style=" not in text


@pytest.mark.extended
@pytest.mark.parametrize("level", NUMBERS)
def test_latex_compiles_and_stays_on_its_pages(tmp_path, level):
    made = exercise(5, level)
    pages = compile_document(render(made, "latex", parts=wording.EXERCISE_PARTS), tmp_path)
    assert len(pages) == 2
    assert all(bare(named.text) in pages[0] for named in wording.list_texts(made))
    assert all(quantity.decimal in pages[1] for quantity in made.solution)


# The command.


def test_the_command_writes_what_the_library_renders(output):
    made = exercise(7, 4)
    asked = ("exercise", "--seed", 7, "--level", 4)
    for form in ("markdown", "latex", "html"):
        both = render(made, form, parts=wording.EXERCISE_PARTS)
        assert output(*asked, "--format", form) == both.rstrip("\n") + "\n"
        worksheet = render(made, form, parts=["worksheet"])
        assert output(*asked, "--format", form, "--only", "worksheet").rstrip() == worksheet.rstrip()
    assert json.loads(output(*asked, "--format", "json")) == made.to_dict()
    assert json.loads(output(*asked, "--format", "json", "--only", "worksheet")) == made.to_dict(solution=False)
    assert json.loads(output(*asked, "--format", "json", "--only", "solution")) == made.to_dict()["solution"]
    text = output(*asked)
    assert all(step in text for step in wording.list_steps(made))
    assert output(*asked, "--only", "worksheet").rstrip() == str(made)
