"""sacreBLEU's signatures, as far as those of all its metrics are alike: keys and values between bars, long or short."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from bleuprint.errors import RecipeError, quote
from bleuprint.whole_numbers import as_whole_number

VERSION = "2.6.0"
COPY = "Copy the whole line as sacreBLEU or bleuprint printed it."
PRINTED_CASES = {"mixed": "mixed", "lc": "lower"}
_LONG = {
    "#": "nrefs", "numrefs": "nrefs", "v": "version",
    "t": "test", "l": "lang", "S": "subset", "o": "origlang", "rs": "seed",
}  # fmt: skip
_DROPPED = {"nrefs", "version", "bs", "ar", "seed", "test", "lang", "subset", "origlang"}
"""What decides no score."""


def split_line(
    body: str, keys: Collection[str], short: Mapping[str, str], bar: str = "|", colon: str = ":"
) -> dict[str, str]:
    """Take a line apart; ``keys`` are those of the metric, ``short`` says how some of them are abbreviated."""
    fields: dict[str, str] = {}
    for part in body.split(bar):
        key, separator, value = part.partition(colon)
        name = {**_LONG, **short}.get(key, key)
        if not separator or name in fields or name not in {*_DROPPED, *keys}:
            raise refuse_line(f"key{colon}value between {bar!r}, each key once, as sacreBLEU prints it", quote(part))
        fields[name] = value
    return fields


def look_up(meanings: Mapping[str, str], key: str, value: str, next_step: str = COPY) -> str:
    """Give what a value of sacreBLEU's is called here."""
    if value not in meanings:
        raise refuse_line(f"{' or '.join(meanings)} for {key}", quote(value), next_step)
    return meanings[value]


def check_nrefs(nrefs: int | str) -> str:
    """Print the number of references, which signatures tell and scores do not depend on."""
    number = as_whole_number(nrefs)
    if nrefs != "var" and (number is None or number < 1):
        raise RecipeError(
            where="sacrebleu_signature, nrefs",
            wanted="the number of references, or 'var' where it varies",
            got=quote(nrefs),
            next_step="It is printed for the reader; the score does not depend on it.",
        )
    return str(nrefs)


def refuse_line(wanted: str, got: str, next_step: str = COPY) -> RecipeError:
    """Say what of a line cannot be read."""
    return RecipeError(where="signature", wanted=wanted, got=got, next_step=next_step)
