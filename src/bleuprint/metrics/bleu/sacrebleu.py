"""sacreBLEU's signatures of BLEU, read and printed.

Three forms are in use: ``nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0``, the same in short keys
(``#:1|c:mixed|…``), and that of sacreBLEU 1.x, ``BLEU+case.mixed+numrefs.1+smooth.exp+tok.13a+version.1.5.1``,
which smoothed even where nothing matches. None of them says N; it is 4.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from bleuprint.errors import quote
from bleuprint.metrics.bleu.recipe import Smoothing
from bleuprint.recipes.sacrebleu_lines import CASE, Key, look_up, print_line, read_line, refuse_line
from bleuprint.text.tokenizers.registry import mecab_version

# spm is what sacreBLEU called flores101 before there was another model; it now prints flores101 for both.
_TOKENIZERS = {
    "none": "whitespace", "13a": "13a", "intl": "intl", "zh": "zh", "char": "char",
    "spm": "flores101", "flores101": "flores101", "flores200": "flores200", "spBLEU-1K": "spBLEU-1K",
}  # fmt: skip
_MECAB = {"ja-mecab": "IPA", "ko-mecab": "KO"}
"""The tokenizers that are printed as ``ja-mecab-0.996-IPA``: name, version of MeCab, dictionary."""


def _parse_tokenizer(text: str) -> str:
    for name, dictionary in _MECAB.items():
        if text.startswith(f"{name}-"):
            return look_up({f"{name}-{mecab_version(name)}-{dictionary}": name}, "tok", text)
    known = _TOKENIZERS | {f"{name}-VERSION-{dictionary}": name for name, dictionary in _MECAB.items()}
    return look_up(known, "tok", text)


def print_tokenizer(choice: str) -> str:
    """Print a tokenizer of a recipe as sacreBLEU's signatures name it."""
    bare = choice.partition("(")[0]
    if bare in _MECAB:
        return f"{bare}-{mecab_version(bare)}-{_MECAB[bare]}"
    return {ours: theirs for theirs, ours in _TOKENIZERS.items()}.get(bare, bare)


def _parse_smoothing(text: str) -> str:
    match = re.fullmatch(r"(none|exp)|(floor|add-k)\[(\d+(?:\.\d+)?)\]", text)
    if match is None:
        raise refuse_line(f"expected none, exp, floor[0.10] or add-k[1.00] for smooth, got {quote(text)}")
    plain, kind, value = match.groups()
    return plain or f"{kind}({value})"


def _print_smoothing(choice: str) -> str:
    smoothing = Smoothing.parse(choice)
    return smoothing.kind if smoothing.value is None else f"{smoothing.kind}[{smoothing.value:.2f}]"


_KEYS = (
    CASE,
    Key("eff", "absent_order", {"no": "zero", "yes": "drop"}, "e", usual="no"),
    Key("tok", "tokenizer", parse=_parse_tokenizer, write=print_tokenizer),
    Key("smooth", "smoothing", short="s", parse=_parse_smoothing, write=_print_smoothing),
)


def read_choices(line: str) -> dict[str, object]:
    """Return the options in a line."""
    body = line.strip().split(" = ")[0]
    old = body.startswith("BLEU+")
    choices = read_line(body.removeprefix("BLEU+").removeprefix("BLEU|"), _KEYS, "+." if old else "|:")
    return {**choices, "nothing_matches": "smoothed" if old else "zero"}


def print_choices(choices: Mapping[str, str], nrefs: str) -> str:
    """Print options as sacreBLEU would."""
    return print_line(choices, _KEYS, nrefs)
