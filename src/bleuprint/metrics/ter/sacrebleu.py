"""sacreBLEU's signatures of TER, read and printed.

``nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.6.0``, or the same in short keys (``#:1|c:lc|…``), and
that of sacreBLEU 1.x, ``TER+tok.tercom-nonorm-punct-noasian-uncased+version.1.5.1``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from bleuprint.errors import quote
from bleuprint.recipes.sacrebleu_lines import CASE, Key, look_up, print_line, read_line, refuse_line

_TOKENIZER = Key("tok", "tokenizer", {"tercom": "tercom"})
_SWITCH = {"no": "no", "yes": "yes"}
_KEYS = (
    CASE,
    _TOKENIZER,
    Key("norm", "normalized", _SWITCH, "nr"),
    Key("punct", "punctuation", {"yes": "keep", "no": "remove"}, "pn"),
    Key("asian", "asian", _SWITCH, "as"),
)
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
"""What follows the name of the tokenizer in a line of version 1, in this order."""


def is_line(line: str) -> bool:
    """Whether a line is a signature of TER, and of no other metric: it names the tokenizer that TER alone has."""
    return line.strip().startswith(("TER|", "TER+")) or bool(_TELLING.search(line.strip()))


def read_choices(line: str) -> dict[str, object]:
    """Return the options in a line."""
    body = line.strip().split(" = ")[0]
    if body.startswith("TER+") or "|" not in body:
        return _read_old_choices(body.removeprefix("TER+"))
    choices = read_line(_SHORT_TOKENIZER.sub("tok:tercom", body.removeprefix("TER|")), _KEYS)
    del choices[_TOKENIZER.field]
    return choices


def _read_old_choices(body: str) -> dict[str, object]:
    """Read a line of version 1, which prepared references as it did candidates."""
    line = _OLD_SHORT_TOKENIZER.sub("tok.", body)
    fields = read_line(line, [Key("tok", _TOKENIZER.field, parse=str)], "+.")
    name, *values = str(fields[_TOKENIZER.field]).split("-")
    if name != "tercom" or len(values) != len(_OLD_TOKENIZER):
        raise refuse_line(f"expected tok.tercom-norm-punct-asian-cased or the like, got {quote(body)}")
    choices: dict[str, object] = {
        field: look_up(names, "tok", value)
        for (field, names), value in zip(_OLD_TOKENIZER.items(), values, strict=True)
    }
    return {**choices, "reference_preparation": "once"}


def print_choices(choices: Mapping[str, str], nrefs: str) -> str:
    """Print options as sacreBLEU would."""
    return print_line({**choices, _TOKENIZER.field: "tercom"}, _KEYS, nrefs)
