"""sacreBLEU's signatures, read into choices on the axes and printed from them.

Three forms are in use: ``nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0``, the same in short keys
(``#:1|c:mixed|…``), and that of sacreBLEU 1.x, ``BLEU+case.mixed+numrefs.1+smooth.exp+tok.13a+version.1.5.1``.
None of them says N; it is 4.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from bleuprint.errors import RecipeError, quote
from bleuprint.metrics.bleu.axes import Smoothing
from bleuprint.text.tokenizers.registry import mecab_version
from bleuprint.whole_numbers import as_whole_number

VERSION = "2.6.0"
_LONG = {
    "#": "nrefs", "numrefs": "nrefs", "c": "case", "e": "eff", "s": "smooth", "v": "version",
    "t": "test", "l": "lang", "S": "subset", "o": "origlang", "rs": "seed",
}  # fmt: skip
_DROPPED = {"nrefs", "version", "bs", "ar", "seed", "test", "lang", "subset", "origlang"}
_CASES = {"mixed": "mixed", "lc": "lower"}
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
    fields = _split(body, "+", ".") if old_form else _split(body, "|", ":")
    missing = {"case", "tok", "smooth"} - fields.keys()
    if missing:
        raise _refusal("case, tok and smooth", f"no {' and no '.join(sorted(missing))} in {quote(line)}")
    return {
        "case": _look_up(_CASES, "case", fields["case"]),
        "tokenizer": _parse_tokenizer(fields["tok"]),
        "smoothing": _parse_smoothing(fields["smooth"]),
        "absent_order": _look_up(_EFFECTIVE, "eff", fields.get("eff", "no")),
    }


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
    smoothing = Smoothing.parse(choices["smoothing"])
    value = "" if smoothing.value is None else f"[{smoothing.value:.2f}]"
    parts = {
        "nrefs": str(nrefs),
        "case": "mixed" if choices["case"] == "mixed" else "lc",
        "eff": "yes" if choices["absent_order"] == "drop" else "no",
        "tok": print_tokenizer(choices["tokenizer"]),
        "smooth": smoothing.kind + value,
        "version": VERSION,
    }
    return "|".join(f"{key}:{value}" for key, value in parts.items())


def _split(body: str, bar: str, colon: str) -> dict[str, str]:
    fields: dict[str, str] = {}
    for part in body.split(bar):
        key, separator, value = part.partition(colon)
        name = _LONG.get(key, key)
        if not separator or name in fields or name not in _DROPPED | {"case", "eff", "tok", "smooth"}:
            raise _refusal(f"key{colon}value between {bar!r}, each key once, as sacreBLEU prints it", quote(part))
        fields[name] = value
    return fields


def _parse_tokenizer(text: str) -> str:
    for name, dictionary in _MECAB.items():
        if text.startswith(f"{name}-"):
            here = f"{name}-{mecab_version(name)}-{dictionary}"
            return _look_up({here: name}, "tok", text, "Install that MeCab, or choose the tokenizer by name.")
    known = _TOKENIZERS | {f"{name}-VERSION-{dictionary}": name for name, dictionary in _MECAB.items()}
    return _look_up(known, "tok", text, "These are the tokenizers of sacreBLEU.")


def print_tokenizer(choice: str) -> str:
    """Print a tokenizer of a recipe as sacreBLEU's signatures name it."""
    bare = choice.partition("(")[0]
    if bare in _MECAB:
        return f"{bare}-{mecab_version(bare)}-{_MECAB[bare]}"
    return {ours: theirs for theirs, ours in _TOKENIZERS.items()}.get(bare, bare)


def _parse_smoothing(text: str) -> str:
    match = _SMOOTHINGS.fullmatch(text)
    if match is None:
        raise _refusal("none, exp, or floor[0.10] or add-k[1.00] with its value for smooth", quote(text))
    plain, kind, value = match.groups()
    return plain or f"{kind}({value})"


COPY = "Copy the whole line as sacreBLEU or bleuprint printed it."


def _look_up(table: dict[str, str], key: str, value: str, next_step: str = COPY) -> str:
    if value not in table:
        raise _refusal(f"{' or '.join(table)} for {key}", quote(value), next_step)
    return table[value]


def _refusal(wanted: str, got: str, next_step: str = COPY) -> RecipeError:
    return RecipeError(where="signature", wanted=wanted, got=got, next_step=next_step)
