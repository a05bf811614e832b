"""sacreBLEU's signatures of TER, read and printed.

``nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.6.0``, or the same in short keys (``#:1|c:lc|…``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from bleuprint.errors import quote
from bleuprint.recipes.sacrebleu_lines import PRINTED_CASES, VERSION, check_nrefs, look_up, refuse_line, split_line

_LONG = {"c": "case", "nr": "norm", "pn": "punct", "as": "asian"}
_KEYS = ("case", "tok", "norm", "punct", "asian")
_SWITCH = {"no": "no", "yes": "yes"}
_PUNCTUATION = {"yes": "keep", "no": "remove"}
_TOKENIZER = {"tercom": "tercom"}
_SHORT_TOKENIZER = re.compile(r"(?<![^|])t:tercom(?![^|])")
"""sacreBLEU shortens tokenizer and test set to the same letter."""


def is_line(line: str) -> bool:
    """Whether a line is a signature of TER, and of no other metric: it tells the tokenizer that TER alone has."""
    return line.strip().startswith("TER|") or bool(re.search(r"(?<![^|])(?:tok|t):tercom(?![^|])", line.strip()))


def read_choices(line: str) -> dict[str, str]:
    """Read the choices that a signature states."""
    body = line.strip().split(" = ")[0].removeprefix("TER|")
    fields = split_line(_SHORT_TOKENIZER.sub("tok:tercom", body), _KEYS, _LONG)
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
