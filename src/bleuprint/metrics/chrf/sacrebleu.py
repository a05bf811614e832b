"""sacreBLEU's signatures of chrF, read and printed.

``nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0``, or the short form ``#:1|c:mixed|e:yes|nc:6|nw:0|s:no``.
β is not among the keys: sacreBLEU prints it in the name before the line, ``chrF2++|nrefs:1|…``, and has 2 by default.
Version 1 printed ``chrF2+numchars.6+space.false+version.1.5.1``, or ``chrF2+n.6+s.false+v.1.5.1`` in short.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from bleuprint.errors import quote
from bleuprint.metrics.chrf.formula import EACH_ORDER_EPS, EFFECTIVE_ORDER
from bleuprint.recipes.options import parse_number
from bleuprint.recipes.sacrebleu_lines import PRINTED_CASES, VERSION, check_nrefs, look_up, refuse_line, split_line

EXPRESSIBLE = "β = 2, its ways to treat white space and to average"
"""What sacreBLEU's signatures can express of the recipes."""
_LONG = {"c": "case", "e": "eff", "s": "space"}
_KEYS = ("case", "eff", "nc", "nw", "space")
_AVERAGING = {"yes": EFFECTIVE_ORDER, "no": EACH_ORDER_EPS}
_WHITESPACE = {"no": "removed", "yes": "kept"}
_NAME = re.compile(r"chrF(?P<beta>\d+(?:\.\d+)?)(?P<plus>\+*)\|")
_OLD_NAME = re.compile(r"chrF(?P<beta>\d+)\+(?=[^+|]+\.)")
_OLD_LONG = {"n": "numchars", "s": "space"}
_OLD_WHITESPACE = {"false": "removed", "true": "kept"}


def is_line(line: str) -> bool:
    """Whether a line is a signature of chrF, and of no other metric: it tells the order of character n-grams."""
    keys = {part.partition(":")[0] for part in line.strip().split("|")}
    return bool(_NAME.match(line.strip()) or _OLD_NAME.match(line.strip())) or ("nc" in keys and "|" in line)


def read_choices(line: str) -> dict[str, object]:
    """Read the choices that a signature states."""
    body = line.strip().split(" = ")[0]
    old = _OLD_NAME.match(body)
    if old:
        return {**_read_old_choices(body[old.end() :]), "beta": parse_number(old["beta"], "signature, chrF")}
    name = _NAME.match(body)
    fields = split_line(body[name.end() :] if name else body, _KEYS, _LONG)
    missing = [key for key in _KEYS if key not in fields]
    if missing:
        raise refuse_line(", ".join(_KEYS), f"no {' and no '.join(missing)} in {quote(line)}")
    choices = {
        "case": look_up(PRINTED_CASES, "case", fields["case"]),
        "averaging": look_up(_AVERAGING, "eff", fields["eff"]),
        "char_order": _read_order("nc", fields["nc"]),
        "word_order": _read_order("nw", fields["nw"]),
        "whitespace": look_up(_WHITESPACE, "space", fields["space"]),
    }
    if not name:
        return choices
    if len(name["plus"]) != choices["word_order"]:
        raise refuse_line(f"as many + after chrF{name['beta']} as nw says", quote(body))
    return {**choices, "beta": parse_number(name["beta"], "signature, chrF")}


def _read_old_choices(body: str) -> dict[str, object]:
    """Read a line of version 1, which counted the candidate's n-grams of every order, whatever the reference had."""
    fields = split_line(body, ("numchars", "space"), _OLD_LONG, bar="+", colon=".")
    if not {"numchars", "space"} <= fields.keys():
        raise refuse_line("numchars and space", quote(body))
    return {
        "char_order": _read_order("numchars", fields["numchars"]),
        "whitespace": look_up(_OLD_WHITESPACE, "space", fields["space"]),
        "candidate_totals": "always",
    }


def print_choices(choices: Mapping[str, str], nrefs: int | str) -> str:
    """Print choices as sacreBLEU would; whether the line still means the same recipe is for the caller to check."""
    parts = {
        "nrefs": check_nrefs(nrefs),
        "case": "mixed" if choices["case"] == "mixed" else "lc",
        "eff": "yes" if choices["averaging"] == EFFECTIVE_ORDER else "no",
        "nc": choices["char_order"],
        "nw": choices["word_order"],
        "space": "yes" if choices["whitespace"] == "kept" else "no",
        "version": VERSION,
    }
    return "|".join(f"{key}:{value}" for key, value in parts.items())


def _read_order(key: str, text: str) -> int:
    if not re.fullmatch("[0-9]{1,3}", text):
        raise refuse_line(f"a whole number for {key}", quote(text))
    return int(text)
