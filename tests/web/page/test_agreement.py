"""Random texts: what the page shows equals ``bleuprint explain --format json``, whole numbers and printed digits."""

from __future__ import annotations

import json
import random

import pytest
from click.testing import CliRunner

from bleuprint import Recipe
from bleuprint.cli.commands import cli
from page.driver import Driver, expected

ALPHABETS = {
    "letters": ["a", "b", "c", "A", "B"],
    "words": ["the", "The", "cat", "cat's", "on", "1,000.5", "state-of-the-art", "&quot;", "<skipped>", "end."],
    "european": ["é", "e\u0301", "ß", "İ", "Σας", "ΣΑΣ", "ﬁ", "naïve", "¿qué?", "«oui»", "\u00a0"],
    "right-to-left": ["שלום", "עולם", "مرحبا", "بالعالم", "،", "abc", "123", "\u202e", "\u200f"],
    "east": ["日本", "語", "中文", "。", "カタ", "한국어", "ไทย", "abc"],
    "emoji": ["🙂", "👩‍👩‍👧", "🇫🇷", "❤️", "𝔘", "a🙂b", "\u200d"],
    # Assigned in Unicode 15 to 17: the browser's Python knows them, an older one here does not.
    "new": ["\U0001e4d0", "\u1c89", "\u1c8a", "\ua7cb", "\u0264", "\U00010d50", "\U00010d70", "\U0001fae8"],
    "blanks": ["a", "b", "\t", "\u2009", "\u200b", "\u3000", "\x1f", "\ufeff"],
}
CHANGES = [{}, {"case": "lower"}, {"order": 2}, {"smoothing": "epsilon(0.1)"}, {"absent_order": "drop"}]


def random_text(dice: random.Random, words: list[str]) -> str:
    return " ".join(dice.choices(words, k=dice.choice([0, 1, 3, 5, 8, 12])))


def explain_on_the_command_line(candidate: str, references: list[str], recipe: Recipe) -> dict[str, object]:
    arguments = ["explain", "--texts", "--format", "json", "--recipe", str(recipe), "--", candidate, *references]
    result = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    assert isinstance(data, dict)
    return data


@pytest.mark.extended
@pytest.mark.parametrize("texts", [2, pytest.param(6, marks=pytest.mark.extended)])
@pytest.mark.parametrize("alphabet", ALPHABETS)
def test_random_texts_come_out_as_on_the_command_line(driver: Driver, alphabet: str, texts: int):
    dice = random.Random(f"bleuprint {alphabet}")
    for _ in range(texts):
        words = ALPHABETS[alphabet]
        candidate = random_text(dice, words)
        references = [random_text(dice, words) for _ in range(dice.choice([1, 1, 2, 3]))]
        recipe = Recipe.named(dice.choice(list(Recipe.dialects("bleu")))).replace(**dice.choice(CHANGES))
        given = [text for text in references if text.strip()]  # a blank box is no reference
        shown = driver.choose_recipe(recipe).write(candidate, references).read()
        if not given:
            assert "nothing to score" in driver.problem
            driver.write(candidate, ["x"])  # so that the next recipe is not refused for these texts
            continue
        assert ("left-out" in shown) is (len(given) < len(references))
        shown.pop("left-out", None)
        assert shown == expected(explain_on_the_command_line(candidate, given, recipe)), (candidate, references)


def test_all_dialects_side_by_side_show_the_command_lines_numbers(driver: Driver):
    candidate, references = "The cat's on mat, 1,000 cats!", ["the cat's on the mat , 1,000 cats !", "Cats on mats"]
    driver.write(candidate, references)
    rows = {row[0]: row[1:4] for row in driver.table(".bp-dialects[data-metric=bleu] .bp-scroll:has(> .bp-behind)")}
    assert list(rows) == list(Recipe.dialects("bleu"))
    for name, numbers in rows.items():
        shown = expected(explain_on_the_command_line(candidate, references, Recipe.named(name)))
        assert numbers == [shown["bleu-100"], shown.get("bleu-1", "–"), shown["brevity-penalty"]]
