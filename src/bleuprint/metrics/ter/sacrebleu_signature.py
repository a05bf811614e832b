"""sacreBLEU's signatures of TER, read into choices on the axes and printed from them.

``nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.6.0``, or the same in short keys (``#:1|c:lc|…``).
"""

from __future__ import annotations

from collections.abc import Mapping

from bleuprint.errors import RecipeError, quote
from bleuprint.whole_numbers import as_whole_number

VERSION = "2.6.0"
TOKENIZER = "tercom"
_LONG = {
    "#": "nrefs", "c": "case", "nr": "norm", "pn": "punct", "as": "asian", "v": "version",
    "l": "lang", "S": "subset", "o": "origlang", "rs": "seed",
}  # fmt: skip
_DROPPED = {"nrefs", "version", "bs", "ar", "seed", "test", "lang", "subset", "origlang"}
_VALUES = {
    "case": {"lc": "lower", "mixed": "mixed"},
    "norm": {"no": "no", "yes": "yes"},
    "punct": {"yes": "keep", "no": "remove"},
    "asian": {"no": "no", "yes": "yes"},
}
_FIELDS = {"case": "case", "norm": "normalized", "punct": "punctuation", "asian": "asian"}
COPY = "Copy the whole line as sacreBLEU or bleuprint printed it."


def read_choices(line: str) -> dict[str, str]:
    """Read the choices that a signature states; what decides no score (``nrefs``, ``version``) is dropped."""
    fields = _split(line.strip().split(" = ")[0].removeprefix("TER|"))
    missing = [key for key in (*_VALUES, "tok") if key not in fields]
    if missing:
        raise _refusal("case, tok, norm, punct and asian", f"no {' and no '.join(missing)} in {quote(line)}")
    if fields["tok"] != TOKENIZER:
        raise _refusal(f"{TOKENIZER} for tok, as TER has no other", quote(fields["tok"]))
    return {_FIELDS[key]: _look_up(key, fields[key]) for key in _VALUES}


def print_choices(choices: Mapping[str, str], nrefs: int | str) -> str:
    """Print choices as sacreBLEU would; whether the line still means the same recipe is for the caller to check."""
    number = as_whole_number(nrefs)
    if nrefs != "var" and (number is None or number < 1):
        raise RecipeError(
            where="sacrebleu_signature, nrefs",
            wanted="the number of references, or 'var' where it varies",
            got=quote(nrefs),
            next_step="It is printed for the reader; the score does not depend on it.",
        )
    printed = {
        key: next((theirs for theirs, ours in values.items() if ours == choices[_FIELDS[key]]), "lc")
        for key, values in _VALUES.items()
    }
    parts = {"nrefs": str(nrefs), "case": printed.pop("case"), "tok": TOKENIZER, **printed, "version": VERSION}
    return "|".join(f"{key}:{value}" for key, value in parts.items())


def _split(body: str) -> dict[str, str]:
    fields: dict[str, str] = {}
    for part in body.split("|"):
        key, colon, value = part.partition(":")
        name = _LONG.get(key, key)
        if key == "t":  # sacreBLEU shortens both to the same letter
            name = "tok" if value == TOKENIZER else "test"
        if not colon or name in fields or name not in _DROPPED | _VALUES.keys() | {"tok"}:
            raise _refusal("key:value between '|', each key once, as sacreBLEU prints it", quote(part))
        fields[name] = value
    return fields


def _look_up(key: str, value: str) -> str:
    if value not in _VALUES[key]:
        raise _refusal(f"{' or '.join(_VALUES[key])} for {key}", quote(value))
    return _VALUES[key][value]


def _refusal(wanted: str, got: str) -> RecipeError:
    return RecipeError(where="signature", wanted=wanted, got=got, next_step=COPY)
