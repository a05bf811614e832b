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
from bleuprint.metrics.chrf.recipe import AXES
from bleuprint.recipes.sacrebleu_lines import CASE, Key, print_line, read_line, refuse_line

_KEYS = (
    CASE,
    Key("eff", "averaging", {"yes": EFFECTIVE_ORDER, "no": EACH_ORDER_EPS}, "e"),
    Key("nc", "char_order", parse=AXES["char_order"].read),
    Key("nw", "word_order", parse=AXES["word_order"].read),
    Key("space", "whitespace", {"no": "removed", "yes": "kept"}, "s"),
)
_OLD_KEYS = (
    Key("numchars", "char_order", short="n", parse=AXES["char_order"].read),
    Key("space", "whitespace", {"false": "removed", "true": "kept"}, "s"),
)
_NAME = re.compile(r"chrF(?P<beta>\d+(?:\.\d+)?)(?P<plus>\+*)\|")
_OLD_NAME = re.compile(r"chrF(?P<beta>\d+)\+(?=[^+|]+\.)")


def is_line(line: str) -> bool:
    """Whether a line is a signature of chrF, and of no other metric: it has the order of character n-grams."""
    keys = {part.partition(":")[0] for part in line.strip().split("|")}
    return bool(_NAME.match(line.strip()) or _OLD_NAME.match(line.strip())) or ("nc" in keys and "|" in line)


def read_choices(line: str) -> dict[str, object]:
    """Return the options in a line."""
    body = line.strip().split(" = ")[0]
    if old := _OLD_NAME.match(body):
        # Version 1 counted the candidate's n-grams of every order, even if the reference has none.
        choices = read_line(body[old.end() :], _OLD_KEYS, "+.")
        return {**choices, "candidate_totals": "always", "beta": float(old["beta"])}
    name = _NAME.match(body)
    choices = read_line(body[name.end() :] if name else body, _KEYS)
    if not name:
        return choices
    if len(name["plus"]) != choices["word_order"]:
        raise refuse_line(f"expected as many + after chrF{name['beta']} as nw says, got {quote(body)}")
    return {**choices, "beta": float(name["beta"])}


def print_choices(choices: Mapping[str, str], nrefs: str) -> str:
    """Print options as sacreBLEU would."""
    return print_line(choices, _KEYS, nrefs)
