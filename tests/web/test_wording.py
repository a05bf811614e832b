"""Errors of the library on the page: arguments become the labels of boxes, the rest of the text stays."""

import re

import pytest
from markupsafe import escape

import bleuprint as bp
from bleuprint.errors import BleuprintError, Location, ShapeError
from bleuprint.recipes.registry import list_metrics
from bleuprint.web.bridge import handle
from bleuprint.web.page import render_late_part, render_page
from bleuprint.web.wording import name_box, translate_for_page


@pytest.mark.parametrize(
    ("fix", "translated"),
    [
        ('Choose `tokenizer="13a"`.', "Choose Tokenizer: 13a."),
        ("Leave `order` out.", "Leave N out."),
        ('Use `form="plain"` or `form="tsv"`.', "Use a .txt file or a .tsv file."),
        ("Leave `on_error` out.", "Leave on error out."),
        ("See `bleuprint recipes`.", "See `bleuprint recipes`."),
    ],
)
def test_arguments_in_a_fix_become_boxes(fix, translated):
    assert translate_for_page(BleuprintError("Wrong.", fix)).fix == translated


@pytest.mark.parametrize(
    ("location", "where"),
    [
        (Location("recipe", option="order"), "N"),
        (Location("recipe", option="char_order"), "The highest order of character n-grams"),
        (Location("candidates", 16), "segment 17, candidate"),
        (Location("references", 16, 1), "segment 17, reference 2"),
        (Location("references", reference=1), "reference 2"),
        (Location("candidates", 1, system="ours"), "system 'ours', segment 2, candidate"),
        (Location("seed"), "seed"),
    ],
)
def test_a_location_is_a_box_or_a_segment_counted_from_1(location, where):
    error = translate_for_page(ShapeError("expected a, got b.", location=location))
    assert (error.where, error.location, type(error)) == (where, location, ShapeError)
    assert str(error).startswith(f"{where}: expected a")


def test_words_of_a_location_stay():
    assert translate_for_page(BleuprintError("Wrong.", location=Location("a"), where="a.txt, line 4")).where == (
        "a.txt, line 4"
    )


def test_an_error_about_a_segment_keeps_its_index():
    error = handle({"action": "corpus-count", "segments": [["a", ["a"]], ["a", ["a", 7]]]})["error"]
    assert (error["where"], error["index"], error["reference_index"]) == ("segment 2, reference 2", 1, 1)


@pytest.mark.parametrize(
    ("field", "value", "where"),
    [
        ("weights", "-1,2", "Weights"),
        ("weights", "x", "Weights"),
        ("order", "0", "N"),
        ("tokenizer", "mine", "Tokenizer"),
        ("smoothing", "exp(2)", "Smoothing"),
    ],
)
def test_an_option_of_the_recipe_is_named_as_its_box(field, value, where):
    assert handle({"action": "recipe", "recipe": {"base": "paper", field: value}})["error"]["where"] == where


def test_every_box_of_a_recipe_is_named_as_its_label_is():
    page = render_page("served") + render_late_part("all_choices")
    for field in {"order", *(field for metric in list_metrics() for field in metric.axes)}:
        [label] = re.findall(f'<label for="{field}">(.*?)</label>', page)
        assert label == escape(name_box(field))


def test_a_refused_recipe_is_the_error_of_the_library():
    with pytest.raises(bp.BleuprintError) as refused:
        bp.Recipe.of("papr")
    error = handle({"action": "recipe", "recipe": {"base": "papr"}})["error"]
    assert error["suggestion"] == refused.value.suggestion == "paper"
