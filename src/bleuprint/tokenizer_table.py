"""The tokenizers by name: those of the package, and those that users register.

Only names live here, so that a recipe can be checked without loading a tokenizer. The functions behind the built-in
names are in ``tokenizers/``; a test loads every one of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from bleuprint.errors import RecipeError, name_list, quote

TokenizerFunction = Callable[[str], Sequence[Hashable]]

UNICODE_VERSION = "18.0.0"
PRETOKENIZED = "pretokenized"
UNREGISTERED = "unregistered"
"""What a signature says of a function without a name; no tokenizer may be called so."""


@dataclass(frozen=True, slots=True)
class TokenizerEntry:
    """One tokenizer: its name, what it does, and the version that a signature must carry, where one matters."""

    name: str
    summary: str
    version: str = ""
    function: TokenizerFunction | None = None
    """Only for registered tokenizers; the built-in ones are found by name."""

    def __str__(self) -> str:
        return f"{self.name}({self.version})" if self.version else self.name


BUILT_IN = {
    entry.name: entry
    for entry in (
        TokenizerEntry("whitespace", "splits at white space, as str.split does"),
        TokenizerEntry("13a", "mteval-v13a: punctuation apart, numbers whole; the WMT default"),
        TokenizerEntry(
            "intl", "mteval-v14 international: Unicode punctuation and symbols apart", f"unicode-{UNICODE_VERSION}"
        ),
        TokenizerEntry("zh", "Chinese characters one by one, the rest as 13a; sacreBLEU's ranges, faults included"),
        TokenizerEntry("char", "every character that is not white space"),
        TokenizerEntry(PRETOKENIZED, "none: each text is given as a sequence of tokens"),
    )
}
_registered: dict[str, TokenizerEntry] = {}


def register_tokenizer(name: str, function: TokenizerFunction, *, version: str = "") -> None:
    """Give your own tokenizer a name, so that recipes can use it and signatures can say so.

    ``function`` takes a text and returns its tokens. ``version`` is printed in signatures.

    >>> import bleuprint as bp
    >>> bp.register_tokenizer("commas", lambda text: text.split(","))
    >>> recipe = bp.Recipe.named("paper").replace(tokenizer="commas")
    >>> bp.score_sentence("a,b,c,d", "a,b,c,d", recipe=recipe).score
    100.0
    """
    for part, text, pattern in (("name", name, r"[A-Za-z0-9][\w.+-]*"), ("version", version, r"[\w.+-]*")):
        if not isinstance(text, str) or not re.fullmatch(pattern, text, re.ASCII):
            raise RecipeError(
                where=f"register_tokenizer, {part}",
                wanted="letters, digits and . _ + -",
                got=quote(text),
                next_step="It is printed in signatures, which use the other signs themselves.",
            )
    if not callable(function):
        raise RecipeError(
            where=f"register_tokenizer({name!r})",
            wanted="a function from a text to its tokens",
            got=quote(function),
            next_step="Give a callable such as my_tokenizer.tokenize.",
        )
    known = _registered.get(name)
    if name in BUILT_IN or name == UNREGISTERED or (known and (known.function, known.version) != (function, version)):
        raise RecipeError(
            where="register_tokenizer",
            wanted="a name that is still free",
            got=f"{name!r}, which is taken",
            next_step="One name means one tokenizer for the whole process: choose another name.",
        )
    _registered[name] = TokenizerEntry(name, "registered by this program", version, function)


def tokenizer_names() -> list[str]:
    """List every tokenizer that a recipe may name in this process."""
    return [*BUILT_IN, *_registered]


def find_tokenizer(name: str) -> TokenizerEntry:
    """Look up a tokenizer by its name, or by its name with the version it printed."""
    bare, bracket, version = name.partition("(")
    entry = BUILT_IN.get(bare) or _registered.get(bare)
    if entry is None:
        raise RecipeError(
            where="tokenizer",
            wanted=name_list(tokenizer_names()),
            got=quote(name),
            next_step="Register your own with bleuprint.register_tokenizer(name, function) before you use its name.",
        )
    if bracket and (version != f"{entry.version})" or not entry.version):
        raise RecipeError(
            where=f"tokenizer {bare}",
            wanted=f"version {entry.version!r}" if entry.version else "no version",
            got=quote(version.rstrip(")")),
            next_step=f"Use the bleuprint that printed it, or write just {bare!r} to accept the version that is here.",
        )
    return entry
