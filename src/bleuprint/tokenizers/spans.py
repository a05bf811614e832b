"""Where in the text each token stands, for highlighting.

Tokenizers only insert spaces, delete, and resolve entities. So the text is followed through lower-casing, deletions and
entities with the origin of every character, and each token is then found in what remains, from left to right.
"""

from __future__ import annotations

from dataclasses import dataclass

from bleuprint.segments import Text
from bleuprint.tokenizer_table import TokenizerFunction
from bleuprint.tokenizers import FUNCTIONS, Tokens
from bleuprint.tokenizers.casing import apply_case
from bleuprint.tokenizers.mteval import ENTITIES

Span = tuple[int, int]
NEARBY = 100
"""How many characters an own tokenizer may leave out between two tokens."""


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
    own = not isinstance(tokenizer, str) or tokenizer not in FUNCTIONS
    spans: list[Span | None] = []
    position = 0
    for token in tokens:
        place = _find(tracked.text, token, position, own) if isinstance(token, str) and token else -1
        if place < 0:
            spans.append(None)
            continue
        position = place + len(str(token))
        spans.append((tracked.origins[place][0], tracked.origins[position - 1][1]))
    return spans


def _find(text: str, token: str, position: int, own: bool) -> int:
    """Find a token; one that an own tokenizer made may differ in case, and is looked for nearby only."""
    if not own:
        return text.find(token, position)
    nearby = text[position : position + NEARBY + len(token)]
    if nearby.lower() != nearby and len(nearby.lower()) == len(nearby):
        nearby, token = nearby.lower(), token.lower()
    place = nearby.find(token)
    return place if place < 0 else position + place


def _track_case(text: str, case: str) -> TrackedText:
    """Lower a text with its origins; one character may become several, as İ does."""
    if case == "mixed" or text.isascii():
        origins = list(zip(range(len(text)), range(1, len(text) + 1), strict=True))
    else:
        origins = [(place, place + 1) for place, character in enumerate(text) for _ in apply_case(character, case)]
    return TrackedText(apply_case(text, case), origins)
