"""Spans: every token points at the characters of the given text that it was made of."""

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.metrics.bleu.recipe import AXES
from bleuprint.text.tokenizers import FUNCTIONS, apply_case, tokenize
from bleuprint.text.tokenizers.mteval import ENTITIES
from bleuprint.text.tokenizers.registry import PRETOKENIZED
from bleuprint.text.tokenizers.spans import locate_tokens

PIECES = (
    "a", "B", "don't", "1.5", "3-4", "..", ",", " ", "\n", "\t", "-", "-\n", "<skipped>", "<SKIPPED>", "&", "amp;",
    "&amp;", "&quot;", "&LT;", "lt;", "中文", "。", "“", "İ", "ΑΣ", "ß", "ﬁ", "e\u0301", "🙂", "\u2028", "\x85", "\x1c",
)  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES) | st.characters(exclude_categories=["Cs"]), max_size=10).map("".join)

every_tokenizer = pytest.mark.parametrize("tokenizer", [name for name in FUNCTIONS if name != "fairseq"])
every_case = pytest.mark.parametrize("case", AXES["case"].choices)


def locate(text, tokenizer="13a", case="mixed"):
    """Pair each token of a text with its span."""
    tokens = tokenize(text, tokenizer, case)
    return list(zip(tokens, locate_tokens(text, tokens, tokenizer, case), strict=True))


def resolve(piece, tokenizer, case):
    """What becomes of the characters under a span before they are split."""
    piece = apply_case(piece, case)
    for old, new in (("<skipped>", ""), ("-\n", ""), *ENTITIES) if tokenizer == "13a" else ():
        piece = piece.replace(old, new)
    return piece


def same(left, right):
    """Compare, but for the two small sigmas: which one Σ becomes depends on the letters around it."""
    return left.replace("ς", "σ") == right.replace("ς", "σ")


@every_tokenizer
@every_case
@given(text=TEXTS)
@example(text="a-\n")
@example(text="&amp;lt; x<skipped>y a-\nb &<skipped>amp;")
def test_the_characters_under_a_span_are_the_token(tokenizer, case, text):
    found = locate(text, tokenizer, case)
    assert all(span is not None for _, span in found)
    for token, (start, end) in found:
        piece = resolve(text[start:end], tokenizer, case)
        # One character may lower to several, of which a token can be a part, or with which it can end.
        split = end - start == 1 or tokenizer == "codexglue"
        assert same(piece, token) or (split and token in piece), (token, text[start:end])
    for (_, left), (_, right) in pairwise(found):
        shared = text[right[0] : left[1]]  # a character that lowers to several may end one token and begin the next
        assert not shared or (len(shared) == 1 and len(resolve(shared, tokenizer, case)) > 1)


@given(text=TEXTS)
def test_words_of_fairseq_stand_where_words_stand_and_its_mark_of_an_empty_text_nowhere(text):
    assert locate(text, "fairseq") == (locate(text, "whitespace") or [("</s>", None)])


@every_tokenizer
@given(text=TEXTS)
def test_outside_all_spans_there_is_only_space_and_what_13a_deletes(tokenizer, text):
    rest, end = "", 0
    for _, (start, stop) in locate(text, tokenizer):
        rest, end = rest + text[end:start] + " ", stop
    rest += text[end:]
    assert resolve(rest, tokenizer, "mixed").split() == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A &amp; B", [("A", (0, 1)), ("&", (2, 7)), ("B", (8, 9))]),
        ("&quot;a&quot;", [('"', (0, 6)), ("a", (6, 7)), ('"', (7, 13))]),
        ("&amp;lt;", [("<", (0, 8))]),
        ("a<skipped>b c", [("ab", (0, 11)), ("c", (12, 13))]),
        ("<skipped>a", [("a", (9, 10))]),
        ("un-\ndone", [("undone", (0, 8))]),
        ("done-\n", [("done-", (0, 5))]),
        ("a a a", [("a", (0, 1)), ("a", (2, 3)), ("a", (4, 5))]),
        ("Costs $1,000.50.", [("Costs", (0, 5)), ("$", (6, 7)), ("1,000.50", (7, 15)), (".", (15, 16))]),
        ("", []),
    ],
)
def test_13a_spans_cover_entities_and_what_was_deleted_inside(text, found):
    assert locate(text) == found


def test_a_character_that_lowers_to_two_is_the_span_of_both():
    assert locate("İx", "char", "lower") == [("i", (0, 1)), ("\u0307", (0, 1)), ("x", (1, 2))]
    assert locate("aİx b", "whitespace", "lower") == [("ai\u0307x", (0, 3)), ("b", (4, 5))]


def test_a_token_that_is_not_part_of_the_text_has_no_span():
    def mark(text):
        return ["<s>", *text.upper().split(), "", 7, *text.split()[-1:]]

    recipe = bp.Recipe.named("paper").replace(tokenizer=mark)
    view = bp.explain("A cat", "a dog", recipe).evidence.candidate_view
    assert [(part.token, part.span) for part in view] == [
        ("<s>", None), ("A", (0, 1)), ("CAT", None), ("", None), (7, None), ("cat", (2, 5)),
    ]  # fmt: skip


def test_tokens_given_as_such_have_no_span():
    assert locate(("a", "b"), PRETOKENIZED) == [("a", None), ("b", None)]


def test_an_own_tokenizer_that_lowers_case_is_followed():
    recipe = bp.Recipe.named("paper").replace(tokenizer=lambda text: text.lower().split())
    view = bp.explain("The cat sat on the mat", "a cat", recipe).evidence.candidate_view
    assert [part.span for part in view] == [(0, 3), (4, 7), (8, 11), (12, 14), (15, 18), (19, 22)]


def test_an_own_tokenizer_that_leaves_much_out_loses_spans_not_places():
    text = "a " + "b" * 200 + " c"
    recipe = bp.Recipe.named("paper").replace(tokenizer=lambda text: ["a", "c"])
    assert [part.span for part in bp.explain(text, "a", recipe).evidence.candidate_view] == [(0, 1), None]
