"""sacreBLEU's signatures, read into choices on the axes and printed from them.

Three forms are in use: ``nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0``, the same in short keys
(``#:1|c:mixed|…``), and that of sacreBLEU 1.x, ``BLEU+case.mixed+numrefs.1+smooth.exp+tok.13a+version.1.5.1``,
which smoothed even where nothing matches. None of them says N; it is 4.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from bleuprint.errors import quote
from bleuprint.metrics.bleu.recipe import Smoothing
from bleuprint.recipes.sacrebleu_lines import PRINTED_CASES, VERSION, check_nrefs, look_up, refuse_line, split_line
from bleuprint.text.tokenizers.registry import mecab_version

EXPRESSIBLE = "N = 4, its smoothings with two decimals, its tokenizers"
"""What sacreBLEU's signatures can express of the recipes."""
_LONG = {"c": "case", "e": "eff", "s": "smooth"}
_KEYS = ("case", "eff", "tok", "smooth")
_EFFECTIVE = {"no": "zero", "yes": "drop"}
# spm is what sacreBLEU called flores101 before there was another model; it now prints flores101 for both.
_TOKENIZERS = {
    "none": "whitespace", "13a": "13a", "intl": "intl", "zh": "zh", "char": "char",
    "spm": "flores101", "flores101": "flores101", "flores200": "flores200", "spBLEU-1K": "spBLEU-1K",
}  # fmt: skip
_MECAB = {"ja-mecab": "IPA", "ko-mecab": "KO"}
"""The tokenizers that are printed as ``ja-mecab-0.996-IPA``: name, version of MeCab, dictionary."""
_SMOOTHINGS = re.compile(r"(none|exp)|(floor|add-k)\[(\d+(?:\.\d+)?)\]")


def read_choices(line: str) -> dict[str, str]:
    """Read the choices that a sacreBLEU signature states; what decides no score (``nrefs``, ``version``) is dropped."""
    old_form = line.strip().startswith("BLEU+")
    body = line.strip().split(" = ")[0].removeprefix("BLEU+").removeprefix("BLEU|")
    fields = split_line(body, _KEYS, _LONG, *("+." if old_form else "|:"))
    missing = {"case", "tok", "smooth"} - fields.keys()
    if missing:
        raise refuse_line("case, tok and smooth", f"no {' and no '.join(sorted(missing))} in {quote(line)}")
    return {
        "case": look_up(PRINTED_CASES, "case", fields["case"]),
        "tokenizer": _parse_tokenizer(fields["tok"]),
        "smoothing": _parse_smoothing(fields["smooth"]),
        "absent_order": look_up(_EFFECTIVE, "eff", fields.get("eff", "no")),
        "nothing_matches": "smoothed" if old_form else "zero",
    }


def print_choices(choices: Mapping[str, str], nrefs: int | str) -> str:
    """Print choices as sacreBLEU would; whether the line still means the same recipe is for the caller to check."""
    smoothing = Smoothing.parse(choices["smoothing"])
    value = "" if smoothing.value is None else f"[{smoothing.value:.2f}]"
    parts = {
        "nrefs": check_nrefs(nrefs),
        "case": "mixed" if choices["case"] == "mixed" else "lc",
        "eff": "yes" if choices["absent_order"] == "drop" else "no",
        "tok": print_tokenizer(choices["tokenizer"]),
        "smooth": smoothing.kind + value,
        "version": VERSION,
    }
    return "|".join(f"{key}:{value}" for key, value in parts.items())


def _parse_tokenizer(text: str) -> str:
    for name, dictionary in _MECAB.items():
        if text.startswith(f"{name}-"):
            here = f"{name}-{mecab_version(name)}-{dictionary}"
            return look_up({here: name}, "tok", text, "Install that MeCab, or choose the tokenizer by name.")
    known = _TOKENIZERS | {f"{name}-VERSION-{dictionary}": name for name, dictionary in _MECAB.items()}
    return look_up(known, "tok", text, "These are the tokenizers of sacreBLEU.")


def print_tokenizer(choice: str) -> str:
    """Print a tokenizer of a recipe as sacreBLEU's signatures name it."""
    bare = choice.partition("(")[0]
    if bare in _MECAB:
        return f"{bare}-{mecab_version(bare)}-{_MECAB[bare]}"
    return {ours: theirs for theirs, ours in _TOKENIZERS.items()}.get(bare, bare)


def _parse_smoothing(text: str) -> str:
    match = _SMOOTHINGS.fullmatch(text)
    if match is None:
        raise refuse_line("none, exp, or floor[0.10] or add-k[1.00] with its value for smooth", quote(text))
    plain, kind, value = match.groups()
    return plain or f"{kind}({value})"
