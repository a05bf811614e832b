"""sacreBLEU's signatures of TER, read and printed.

``nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.6.0``, or the same in short keys (``#:1|c:lc|…``), and
that of sacreBLEU 1.x, ``TER+tok.tercom-nonorm-punct-noasian-uncased+version.1.5.1``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from bleuprint.errors import quote
from bleuprint.recipes.sacrebleu_lines import PRINTED_CASES, VERSION, check_nrefs, look_up, refuse_line, split_line

EXPRESSIBLE = "its own way of moving words, case kept or lowered"
"""What sacreBLEU's signatures can express of the recipes."""
_LONG = {"c": "case", "nr": "norm", "pn": "punct", "as": "asian"}
_KEYS = ("case", "tok", "norm", "punct", "asian")
_SWITCH = {"no": "no", "yes": "yes"}
_PUNCTUATION = {"yes": "keep", "no": "remove"}
_TOKENIZER = {"tercom": "tercom"}
_SHORT_TOKENIZER = re.compile(r"(?<![^|])t:tercom(?![^|])")
"""sacreBLEU shortens tokenizer and test set to the same letter."""
_OLD_SHORT_TOKENIZER = re.compile(r"(?<![^+])t\.(?=tercom-)")
_TELLING = re.compile(r"(?<![^|])(?:tok|t):tercom(?![^|])|(?<![^+])(?:tok|t)\.tercom-")
_OLD_TOKENIZER: Mapping[str, Mapping[str, str]] = {
    "normalized": {"nonorm": "no", "norm": "yes"},
    "punctuation": {"punct": "keep", "nopunct": "remove"},
    "asian": {"noasian": "no", "asian": "yes"},
    "case": {"uncased": "lower", "cased": "mixed"},
}
"""What stands behind the name of the tokenizer in a line from 1.x, in this order."""


def is_line(line: str) -> bool:
    """Whether a line is a signature of TER, and of no other metric: it tells the tokenizer that TER alone has."""
    return line.strip().startswith(("TER|", "TER+")) or bool(_TELLING.search(line.strip()))


def read_choices(line: str) -> dict[str, str]:
    """Read the choices that a signature states."""
    body = line.strip().split(" = ")[0]
    if body.startswith("TER+") or "|" not in body:
        return _read_old_choices(body.removeprefix("TER+"))
    fields = split_line(_SHORT_TOKENIZER.sub("tok:tercom", body.removeprefix("TER|")), _KEYS, _LONG)
    missing = [key for key in _KEYS if key not in fields]
    if missing:
        raise refuse_line(", ".join(_KEYS), f"no {' and no '.join(missing)} in {quote(line)}")
    look_up(_TOKENIZER, "tok", fields["tok"])
    return {
        "case": look_up(PRINTED_CASES, "case", fields["case"]),
        "normalized": look_up(_SWITCH, "norm", fields["norm"]),
        "punctuation": look_up(_PUNCTUATION, "punct", fields["punct"]),
        "asian": look_up(_SWITCH, "asian", fields["asian"]),
    }


def _read_old_choices(body: str) -> dict[str, str]:
    """Read a line from 1.x, which prepared references as it did candidates."""
    fields = split_line(_OLD_SHORT_TOKENIZER.sub("tok.", body), ("tok",), {}, bar="+", colon=".")
    name, *told = fields.get("tok", "").split("-")
    if name != "tercom" or len(told) != len(_OLD_TOKENIZER):
        wanted = "-".join(["tok.tercom", *(" or ".join(names) for names in _OLD_TOKENIZER.values())])
        raise refuse_line(wanted, quote(body))
    choices = {
        field: look_up(names, "tok", value) for (field, names), value in zip(_OLD_TOKENIZER.items(), told, strict=True)
    }
    return {**choices, "reference_preparation": "once"}


def print_choices(choices: Mapping[str, str], nrefs: int | str) -> str:
    """Print choices as sacreBLEU would; whether the line still means the same recipe is for the caller to check."""
    parts = {
        "nrefs": check_nrefs(nrefs),
        "case": "mixed" if choices["case"] == "mixed" else "lc",
        "tok": "tercom",
        "norm": choices["normalized"],
        "punct": "yes" if choices["punctuation"] == "keep" else "no",
        "asian": choices["asian"],
        "version": VERSION,
    }
    return "|".join(f"{key}:{value}" for key, value in parts.items())
