"""The position of each token in its text, for highlighting.

Most tokenizers only insert spaces, delete, and resolve entities. So the text is lowered, shortened and resolved with
the origin of every character, and each token is then searched in the result, from left to right. Some tokenizers also
rewrite: NLTK quotation marks, Stanford's tokenizer brackets and capital letters, SentencePiece much of Unicode. Their
tokens are searched in several spellings.
"""

# Annotations are not postponed here: making a NamedTuple of postponed ones compiles each of them.

import unicodedata
from typing import NamedTuple

from bleuprint.text.segments import Text
from bleuprint.text.tokenizers import FUNCTIONS, Tokens, apply_case
from bleuprint.text.tokenizers.mteval import ENTITIES
from bleuprint.text.tokenizers.optional import is_optional, is_sentencepiece, lowers
from bleuprint.text.tokenizers.registry import TokenizerFunction

Span = tuple[int, int]
NEARBY = 100
"""The number of characters, apart from white space, that an optional or custom tokenizer may omit between tokens."""
REWRITTEN: dict[str, tuple[str, ...]] = {
    "``": ("``", '"', "''"), "''": ("''", '"'),
    "-lrb-": ("-lrb-", "("), "-rrb-": ("-rrb-", ")"), "-lsb-": ("-lsb-", "["), "-rsb-": ("-rsb-", "]"),
    "-lcb-": ("-lcb-", "{"), "-rcb-": ("-rcb-", "}"),
}  # fmt: skip
"""Quotation marks and brackets as tokenizers write them, and their possible spellings in the text."""


class TrackedText(NamedTuple):
    """A text on its way to tokens, with the span of each character in the original text."""

    text: str
    origins: list[Span]

    def replace(self, old: str, new: str) -> "TrackedText":
        """Replace as ``str.replace`` does, with the origins."""
        if old not in self.text:
            return self
        origins: list[Span] = []
        copied = 0
        while (start := self.text.find(old, copied)) >= 0:
            whole = (self.origins[start][0], self.origins[start + len(old) - 1][1])
            origins += [*self.origins[copied:start], *[whole] * len(new)]
            copied = start + len(old)
        return TrackedText(self.text.replace(old, new), origins + self.origins[copied:])


def locate_tokens(text: Text, tokens: Tokens, tokenizer: str | TokenizerFunction, case: str) -> list[Span | None]:
    """Return the span of every token in the original text; None for a token that is not part of it."""
    if not isinstance(text, str):
        return [None] * len(tokens)
    tracked = _track_case(text.rstrip() if tokenizer == "13a" else text, case)
    if tokenizer == "13a":
        for old, new in (("<skipped>", ""), ("-\n", ""), *ENTITIES):
            tracked = tracked.replace(old, new)
    name = tokenizer if isinstance(tokenizer, str) else ""
    is_exact = name in FUNCTIONS
    optional = not is_exact and is_optional(name)
    pieces = optional and is_sentencepiece(name)
    cased = optional and not pieces and not lowers(name)
    if pieces:
        tracked = _track_normal_form(tracked)
    spans: list[Span | None] = []
    position = 0
    for token in tokens:
        spelling = token if isinstance(token, str) else ""
        if is_exact:  # no token is searched in vain
            start = tracked.text.find(spelling, position)
        else:
            position = _skip_spaces(tracked.text, position)
            if pieces:
                spelling = unicodedata.normalize("NFKC", spelling.replace("▁", " ")).strip()
            elif optional:
                spelling = _next_spelling(tracked.text, spelling, position)
            start = _find_nearby(tracked.text, spelling, position, cased)
        if start < 0 or not spelling:
            spans.append(None)
            continue
        position = start + len(spelling)
        spans.append((tracked.origins[start][0], tracked.origins[position - 1][1]))
    return spans


def _skip_spaces(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position


def _next_spelling(text: str, token: str, position: int) -> str:
    """Return the spelling of a token that comes next in the text."""
    end = position + NEARBY
    found = [(start, old) for old in REWRITTEN.get(token, ()) if (start := text.find(old, position, end)) >= 0]
    return min(found)[1] if found else token


def _find_nearby(text: str, token: str, position: int, cased: bool) -> int:
    """Find a token in the next characters, in any case unless ``cased`` is true; -1 if it is not there."""
    nearby = text[position : position + NEARBY + len(token)]
    if not cased and nearby.lower() != nearby and len(nearby.lower()) == len(nearby):
        nearby, token = nearby.lower(), token.lower()
    start = nearby.find(token)
    return start if start < 0 else position + start


def _track_normal_form(tracked: TrackedText) -> TrackedText:
    """Normalize each character as SentencePiece's usual rules do, but without composing letters and accents."""
    forms = [unicodedata.normalize("NFKC", character) for character in tracked.text]
    origins = [origin for form, origin in zip(forms, tracked.origins, strict=True) for _ in form]
    return TrackedText("".join(forms), origins)


def _track_case(text: str, case: str) -> TrackedText:
    """Lower a text with its origins; one character may become several, as İ does."""
    if case == "mixed" or text.isascii():
        origins = list(zip(range(len(text)), range(1, len(text) + 1), strict=True))
    else:
        origins = [(index, index + 1) for index, character in enumerate(text) for _ in apply_case(character, case)]
    return TrackedText(apply_case(text, case), origins)
