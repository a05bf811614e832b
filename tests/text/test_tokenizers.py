"""Every tokenizer gives sacreBLEU's tokens, one by one; case, own functions and given tokens are settled here too."""

from __future__ import annotations

import string
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.tokenizers import tokenizer_zh

import bleuprint as bp
import make_unicode_classes
from bleuprint.errors import InputTypeError
from bleuprint.recipes.recipe import Recipe
from bleuprint.text.tokenizers import FUNCTIONS, apply_case, tokenize
from bleuprint.text.tokenizers import registry as tokenizer_table
from bleuprint.text.tokenizers.registry import PRETOKENIZED, UNICODE_VERSION
from code_points import PLACES, code_points

PAPER = Recipe.named("paper")

# Our names, and sacreBLEU's metrics with the same tokenizer: they lower, strip and tokenise; splitting comes after.
THEIRS = {
    (name, case): BLEU(tokenize={"whitespace": "none"}.get(name, name), lowercase=case == "lower")
    for name in FUNCTIONS
    if name not in ("zh-corrected", "codexglue", "fairseq")
    for case in ("mixed", "lower")
}

TROUBLE = (
    *".,-'&;<>!?()\"/:$%+=@#_^`|~\\", *" \t\n\r\x0b\x1c\x85\xa0\u2028\u3000\u200b\ufeff",
    *"aZéßİΣIjſ", *"019٣७２²½Ⅷ", *"中文㐀豈。、「！ａＡ￥ｱ", *"–—“”…†•→₿€°§¿",
    *"\u2000\u2001\u2a6d\u2a6e\u2f81\U00020000\U0002f81d", "e\u0301", "\u20dd", "👍🏽", "👨\u200d👩",
    "...", "..,-", ",,", "1.5", "12,400", "3-4", "2023.", "U.S.", "don't", "-\n", "- \n",
    "&quot;", "&amp;", "&amp;lt;", "&lt;", "&gt;", "&apos;", "<skipped>", "<skip<skipped>ped>", "&am<skipped>p;",
)  # fmt: skip


def sacrebleu_tokens(text: str) -> dict[tuple[str, str], list[str]]:
    return {key: metric._preprocess_segment(text).split() for key, metric in THEIRS.items()}


def our_tokens(text: str) -> dict[tuple[str, str], list[str]]:
    return {(name, case): list(tokenize(text, name, case)) for name, case in THEIRS}


@settings(deadline=None, derandomize=True, max_examples=2500)
@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_unicode_text_gives_the_tokens_of_sacrebleu(text):
    assert our_tokens(text) == sacrebleu_tokens(text)


@settings(deadline=None, derandomize=True, max_examples=3000)
@given(st.lists(st.sampled_from(TROUBLE), max_size=12).map("".join))
def test_troublesome_text_gives_the_tokens_of_sacrebleu(text):
    assert our_tokens(text) == sacrebleu_tokens(text)


def texts_of_every_character(place: str) -> Iterator[str]:
    for characters in code_points(place):
        yield " ".join(beside + beside.join(characters) + beside for beside in "a1")


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", ["intl", "zh"])
def test_every_character_gives_the_tokens_of_sacrebleu(name, place):
    for text in texts_of_every_character(place):
        assert tokenize(text, name, "mixed") == THEIRS[name, "mixed"]._preprocess_segment(text).split()


@pytest.mark.parametrize("place", PLACES)
def test_every_character_gives_the_tokens_of_sacrebleu_with_its_ranges_mended(monkeypatch, place):
    mended = {"\u20000": ("\U00020000", "\U0002a6d6"), "\u2f800": ("\U0002f800", "\U0002fa1d")}
    ranges = [mended.pop(first, (first, last)) for first, last in tokenizer_zh._UCODE_RANGES]
    assert not mended
    monkeypatch.setattr(tokenizer_zh, "_UCODE_RANGES", ranges)
    theirs = tokenizer_zh.TokenizerZh()
    theirs._is_chinese_char.cache_clear()
    try:
        for text in texts_of_every_character(place):
            assert tokenize(text, "zh-corrected", "mixed") == theirs(text).split()
    finally:
        theirs._is_chinese_char.cache_clear()


@pytest.mark.parametrize(("code", "is_chinese"), [(0x201C, False), (0x2014, False), (0x2192, False), (0x20000, True)])
def test_zh_and_its_correction_part_at_the_malformed_ranges(code, is_chinese):
    text = f"a{chr(code)}b"
    assert (len(tokenize(text, "zh-corrected", "mixed")) == 3) == is_chinese
    assert (len(tokenize(text, "zh", "mixed")) == 3) != is_chinese


@pytest.mark.parametrize(
    ("name", "text", "tokens"),
    [
        ("13a", "It's 1,000.50 - ok.", ["It's", "1,000.50", "-", "ok", "."]),
        ("13a", "1990-2000", ["1990", "-", "2000"]),
        ("13a", "in 2023.", ["in", "2023", "."]),
        ("13a", "&quot;a&quot; &amp;lt; <skipped>", ['"', "a", '"', "<"]),
        ("intl", "in 2023.", ["in", "2023."]),
        ("intl", "“naïve”, 5€", ["“", "naïve", "”", ",", "5", "€"]),
        ("intl", "&quot;", ["&", "quot", ";"]),
        ("zh", "我喜欢BLEU。", ["我", "喜", "欢", "BLEU", "。"]),
        ("zh", "a—b", ["a", "—", "b"]),
        ("zh", "\U00020000\U00020001", ["\U00020000\U00020001"]),
        ("char", "a b\u3000c", ["a", "b", "c"]),
        ("whitespace", " a.\u3000b\n", ["a.", "b"]),
    ],
)
def test_what_the_tokenizers_are_known_for(name, text, tokens):
    assert tokenize(text, name, "mixed") == tokens


# The generated tables


@pytest.mark.extended
def test_the_unicode_tables_are_fresh():
    for target, text in make_unicode_classes.build().items():
        assert target.read_text("utf-8") == text, "run: python tools/make_unicode_classes.py"
        assert f"(Unicode {UNICODE_VERSION})" in text


# Case


@pytest.mark.parametrize(
    ("case", "lowered"),
    [
        ("mixed", "I İ ẞ Σ Ä"),
        ("lower", "i i\u0307 ß σ ä"),
        ("lower-ascii", "i İ ẞ Σ Ä"),
    ],
)
def test_case_is_lowered_by_unicode_or_by_ascii_alone(case, lowered):
    assert apply_case("I İ ẞ Σ Ä", case) == lowered


def test_lower_ascii_changes_a_to_z_and_nothing_else():
    everything = "".join(chr(code) for code in range(0x3000))
    expected = everything.replace(string.ascii_uppercase, string.ascii_lowercase)
    assert apply_case(everything, "lower-ascii") == expected


def test_case_is_lowered_before_the_text_is_split():
    assert tokenize("A&QUOT;B", "13a", "lower") == ["a", '"', "b"]
    assert tokenize("A,B", lambda text: text.split("b"), "lower-ascii") == ["a,", ""]


# Own tokenizers


def split_at_commas(text: str) -> list[str]:
    return text.split(",")


def test_an_own_function_is_used_as_it_is_or_by_its_name(monkeypatch):
    monkeypatch.setattr(tokenizer_table, "_registered", {})
    bp.register_tokenizer("commas-of-test-tokenizers", split_at_commas)
    for tokenizer in (split_at_commas, "commas-of-test-tokenizers"):
        assert tokenize("a b,c", tokenizer, "mixed") == ["a b", "c"]
        assert bp.score_sentence("a,b,c,d", "a,b,c,d", PAPER.replace(tokenizer=tokenizer)).score == 100.0


def join_tokens(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize(
    "tokenizer",
    [
        join_tokens,
        str.encode,
        len,
        lambda text: None,
        lambda text: {text},
        lambda text: (word for word in text.split()),
        lambda text: [[word] for word in text.split()],
        lambda text: [float("nan")],
    ],
    ids=["str", "bytes", "int", "None", "set", "generator", "unhashable-tokens", "nan-token"],
)
def test_an_own_function_that_returns_no_list_of_tokens_is_refused(tokenizer):
    with pytest.raises(InputTypeError) as caught:
        bp.score_sentence("a b", "a b", PAPER.replace(tokenizer=tokenizer))
    assert caught.value.where.startswith("tokenizer ")


# Given tokens


@pytest.mark.parametrize("tokens", [[1, 2, 3, 4], ["a b", "", "c", "."], [("a", 1), None, 2.5, b"x"]], ids=str)
def test_given_tokens_may_be_anything_that_can_be_hashed(tokens):
    recipe = PAPER.replace(tokenizer=PRETOKENIZED)
    assert list(tokenize(tokens, PRETOKENIZED, "mixed")) == tokens
    assert bp.score_sentence(tokens, [tokens], recipe).score == 100.0


def test_given_strings_are_lowered_one_by_one():
    assert tokenize(["A B", "İ"], PRETOKENIZED, "lower") == ["a b", "i\u0307"]
    assert tokenize(["A B", "İ"], PRETOKENIZED, "lower-ascii") == ["a b", "İ"]


@pytest.mark.parametrize("case", ["lower", "lower-ascii"])
def test_tokens_that_have_no_case_cannot_be_lowered(case):
    recipe = PAPER.replace(tokenizer=PRETOKENIZED, case=case)
    with pytest.raises(InputTypeError) as caught:
        bp.score_sentence(["a", 7], [["a"]], recipe)
    assert caught.value.where == "candidate, token 1"


def test_the_error_about_a_token_without_case_names_its_segment():
    recipe = PAPER.replace(tokenizer=PRETOKENIZED, case="lower")
    with pytest.raises(InputTypeError) as caught:
        bp.score([["a"], [7]], [[["a"]], [["a"]]], recipe)
    assert caught.value.where == "candidates[1], token 0"
