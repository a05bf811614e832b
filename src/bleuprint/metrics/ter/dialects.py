"""The dialects: each existing TER as the choices by which it differs from sacreBLEU's.

Facts only, no logic. Every name is checked in the tests against the tool that it stands for.
"""

from __future__ import annotations

from collections.abc import Mapping

from bleuprint.recipes.dialect import TRIED_RELEASES, Dialect

TER_DEFAULT = "ter"
BASE: Mapping[str, object] = {
    "case": "lower",
    "normalized": "no",
    "asian": "no",
    "punctuation": "keep",
    "reference_preparation": "twice",
    "shifted": "candidate",
    "longest_shift": "10",
    "empty_candidate": "insertions",
}

DIALECTS: Mapping[str, Dialect] = {
    dialect.name: dialect._replace(choices={**BASE, **dialect.choices})
    for dialect in (
        Dialect(
            TER_DEFAULT,
            "sacreBLEU's TER with its own defaults, which follow tercom",
            "sacreBLEU 2.6.0, TER()",
            "12 significant digits, against the package itself, and 3 that tercom 7.25 printed for WMT17",
            releases=TRIED_RELEASES["sacrebleu"],
        ),
        Dialect(
            "torchmetrics-ter",
            "torchmetrics' TER: moves the words of the reference, and an empty candidate is perfect",
            "torchmetrics 1.9.0, TranslationEditRate()",
            "1e-6, against the package itself, which computes with 32 bits",
            {
                "reference_preparation": "once",
                "shifted": "reference",
                "longest_shift": "9",
                "empty_candidate": "no-edits",
            },
            TRIED_RELEASES["torchmetrics"],
        ),
    )
}
