"""sacreBLEU's signatures: keys and values between bars, long or short. Each metric lists its keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from bleuprint.errors import RecipeError, quote
from bleuprint.numbers import as_whole_number
from bleuprint.wording import join_words

VERSION = "2.6.0"
_LONG = {
    "#": "nrefs", "numrefs": "nrefs", "v": "version",
    "t": "test", "l": "lang", "S": "subset", "o": "origlang", "rs": "seed",
}  # fmt: skip
_DROPPED = {"nrefs", "version", "bs", "ar", "seed", "test", "lang", "subset", "origlang"}
"""Keys that decide no score."""


class Key(NamedTuple):
    """A key of sacreBLEU's: our option, and our value for each of its values."""

    key: str
    field: str
    values: Mapping[str, str] = {}
    short: str = ""
    """sacreBLEU's abbreviation of the key"""
    parse: Callable[[str], object] | None = None
    """for values that cannot be listed"""
    write: Callable[[str], str] = str
    usual: str = ""
    """sacreBLEU's value if the key is missing; empty if it may not be"""

    def read(self, text: str) -> object:
        """Return our value for one of sacreBLEU's."""
        return self.parse(text) if self.parse else look_up(self.values, self.key, text)

    def print(self, choice: str) -> str:
        """Return sacreBLEU's value for one of ours, which it may not have."""
        if not self.values:
            return self.write(choice)
        return look_up({ours: theirs for theirs, ours in self.values.items()}, self.key, choice)


CASE = Key("case", "case", {"mixed": "mixed", "lc": "lower"}, "c")


def read_line(body: str, keys: Iterable[Key], separators: str = "|:") -> dict[str, object]:
    """Return the options in a line. Separators are those of sacreBLEU 2, or ``+.`` for sacreBLEU 1."""
    bar, colon = separators[0], separators[1]
    known = {key.key: key for key in keys}
    long = {**_LONG, **{key.short: key.key for key in keys if key.short}}
    fields: dict[str, str] = {}
    for part in body.split(bar):
        name, separator, value = part.partition(colon)
        name = long.get(name, name)
        if not separator or name in fields or name not in {*_DROPPED, *known}:
            raise refuse_line(f"expected key{colon}value between {bar!r}, each key once, got {quote(part)}")
        fields[name] = value
    missing = [key.key for key in keys if not key.usual and key.key not in fields]
    if missing:
        raise refuse_line(f"{join_words(missing)} missing in {quote(body)}")
    return {key.field: key.read(fields.get(key.key, key.usual)) for key in keys}


def print_line(choices: Mapping[str, str], keys: Iterable[Key], nrefs: str) -> str:
    """Print options as sacreBLEU would. The caller checks whether the line still means the same recipe."""
    parts = {"nrefs": nrefs, **{key.key: key.print(choices[key.field]) for key in keys}, "version": VERSION}
    return "|".join(f"{key}:{value}" for key, value in parts.items())


def look_up(meanings: Mapping[str, str], key: str, value: str) -> str:
    """Return what a value stands for, or raise an error."""
    if value not in meanings:
        raise refuse_line(f"expected {' or '.join(meanings)} for {key}, got {quote(value)}")
    return meanings[value]


def check_nrefs(nrefs: int | str) -> str:
    """Print the number of references, which signatures have and scores do not depend on."""
    number = as_whole_number(nrefs)
    if nrefs != "var" and (number is None or number < 1):
        raise RecipeError(
            f"expected the number of references, got {quote(nrefs)}.", "Use 'var' if it varies.", where="nrefs"
        )
    return str(nrefs)


def refuse_line(problem: str) -> RecipeError:
    """Return an error about a line that sacreBLEU would not have printed."""
    fix = "Copy the whole line as sacreBLEU or bleuprint printed it."
    return RecipeError(f"{problem}.", fix, where="signature")
