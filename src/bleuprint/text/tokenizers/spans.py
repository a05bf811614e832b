"""Where in the text each token stands, for highlighting.

Most tokenizers only insert spaces, delete, and resolve entities. So the text is followed through lower-casing,
deletions and entities with the origin of every character, and each token is then found in what remains, from left to
right. NLTK writes quotation marks anew, Stanford's tokenizer brackets and capital letters, SentencePiece much of
Unicode: their tokens are looked for as they may have been spelt.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from bleuprint.text.segments import Text
from bleuprint.text.tokenizers import FUNCTIONS, Tokens, apply_case
from bleuprint.text.tokenizers.mteval import ENTITIES
from bleuprint.text.tokenizers.optional import is_optional, is_sentencepiece, lowers
from bleuprint.text.tokenizers.registry import TokenizerFunction

Span = tuple[int, int]
NEARBY = 100
"""How many characters a tokenizer that is not ours may leave out between two tokens, beside white space."""
REWRITTEN: dict[str, tuple[str, ...]] = {
    "``": ("``", '"', "''"), "''": ("''", '"'),
    "-lrb-": ("-lrb-", "("), "-rrb-": ("-rrb-", ")"), "-lsb-": ("-lsb-", "["), "-rsb-": ("-rsb-", "]"),
    "-lcb-": ("-lcb-", "{"), "-rcb-": ("-rcb-", "}"),
}  # fmt: skip
"""What tokenizers write for quotation marks and brackets, and what may have stood there."""


@dataclass(frozen=True, slots=True)
class TrackedText:
    """A text on its way to tokens, with the span of the original text that each character came from."""

    text: str
    origins: list[Span]

    def replace(self, old: str, new: str) -> TrackedText:
        """Replace as ``str.replace`` does, keeping track."""
        if old not in self.text:
            return self
        origins: list[Span] = []
        copied = 0
        while (place := self.text.find(old, copied)) >= 0:
            whole = (self.origins[place][0], self.origins[place + len(old) - 1][1])
            origins += [*self.origins[copied:place], *[whole] * len(new)]
            copied = place + len(old)
        return TrackedText(self.text.replace(old, new), origins + self.origins[copied:])


def locate_tokens(text: Text, tokens: Tokens, tokenizer: str | TokenizerFunction, case: str) -> list[Span | None]:
    """Find the span of every token in the text as it was given; None where a token is not part of it."""
    if not isinstance(text, str):
        return [None] * len(tokens)
    tracked = _track_case(text.rstrip() if tokenizer == "13a" else text, case)
    if tokenizer == "13a":
        for old, new in (("<skipped>", ""), ("-\n", ""), *ENTITIES):
            tracked = tracked.replace(old, new)
    name = tokenizer if isinstance(tokenizer, str) else ""
    ours = name in FUNCTIONS
    optional = not ours and is_optional(name)
    pieces = optional and is_sentencepiece(name)
    cased = optional and not pieces and not lowers(name)
    if pieces:
        tracked = _track_normal_form(tracked)
    spans: list[Span | None] = []
    position = 0
    for token in tokens:
        if not ours:  # ours leave nothing out, so that no token is looked for in vain
            position = _skip_spaces(tracked.text, position)
        spelling = _spell(tracked.text, str(token), position, optional, pieces)
        looked_for = isinstance(token, str) and spelling
        place = _find(tracked.text, spelling, position, ours, cased) if looked_for else -1
        if place < 0:
            spans.append(None)
            continue
        position = place + len(spelling)
        spans.append((tracked.origins[place][0], tracked.origins[position - 1][1]))
    return spans


def _skip_spaces(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position


def _spell(text: str, token: str, position: int, optional: bool, pieces: bool) -> str:
    """Give a token as it may stand in the text: without SentencePiece's marks, with the quotes that come next."""
    if pieces:
        return unicodedata.normalize("NFKC", token.replace("▁", " ")).strip()
    if token in REWRITTEN and optional:
        end = position + NEARBY
        found = [(place, mark) for mark in REWRITTEN[token] if (place := text.find(mark, position, end)) >= 0]
        return min(found)[1] if found else token
    return token


def _find(text: str, token: str, position: int, ours: bool, cased: bool) -> int:
    """Find a token; one that is not ours is looked for nearby only, and may differ in case unless it is ``cased``."""
    if ours:
        return text.find(token, position)
    nearby = text[position : position + NEARBY + len(token)]
    if not cased and nearby.lower() != nearby and len(nearby.lower()) == len(nearby):
        nearby, token = nearby.lower(), token.lower()
    place = nearby.find(token)
    return place if place < 0 else position + place


def _track_normal_form(tracked: TrackedText) -> TrackedText:
    """Write each character in the form that SentencePiece's usual rules give it; letters and accents stay apart."""
    forms = [unicodedata.normalize("NFKC", character) for character in tracked.text]
    origins = [origin for form, origin in zip(forms, tracked.origins, strict=True) for _ in form]
    return TrackedText("".join(forms), origins)


def _track_case(text: str, case: str) -> TrackedText:
    """Lower a text with its origins; one character may become several, as İ does."""
    if case == "mixed" or text.isascii():
        origins = list(zip(range(len(text)), range(1, len(text) + 1), strict=True))
    else:
        origins = [(place, place + 1) for place, character in enumerate(text) for _ in apply_case(character, case)]
    return TrackedText(apply_case(text, case), origins)
