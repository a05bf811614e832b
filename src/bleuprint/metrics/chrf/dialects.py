"""The dialects: each existing chrF as the choices by which it differs from sacreBLEU's.

Facts only, no logic. Every name is checked in the tests against the tool that it stands for.
"""

from __future__ import annotations

from collections.abc import Mapping

from bleuprint.metrics.chrf.recipe import EACH_ORDER, EACH_ORDER_NLTK, EFFECTIVE_ORDER
from bleuprint.recipes.dialect import TRIED_RELEASES, Dialect

DEFAULT_CHRF = "chrf"
BASE: Mapping[str, object] = {
    "case": "mixed",
    "char_order": 6,
    "word_order": 0,
    "beta": 2.0,
    "whitespace": "removed",
    "candidate_totals": "where-reference-has",
    "unmatched_segment": "counted",
    "averaging": EFFECTIVE_ORDER,
}

_TWELVE_DIGITS = "12 significant digits, against the package itself"
_FLOAT32 = "1e-6, against the package itself, which computes with 32 bits"
_RECORDED = "12 significant digits of recorded outputs, where something matches in every segment, and 6 of WMT17's"
_POPOVIC = {"whitespace": "spaces-removed", "averaging": EACH_ORDER}

DIALECTS: Mapping[str, Dialect] = {
    dialect.name: dialect._replace(choices={**BASE, **dialect.choices})
    for dialect in (
        Dialect(
            DEFAULT_CHRF,
            "sacreBLEU's chrF2: characters up to order 6, orders that a side lacks left out",
            "sacreBLEU 2.6.0, CHRF()",
            _TWELVE_DIGITS,
            releases=TRIED_RELEASES["sacrebleu"],
        ),
        Dialect(
            "chrf++",
            "sacreBLEU's chrF2++: the same with words up to order 2",
            "sacreBLEU 2.6.0, CHRF(word_order=2)",
            _TWELVE_DIGITS,
            {"word_order": 2},
            TRIED_RELEASES["sacrebleu"],
        ),
        Dialect(
            "chrf-popovic",
            "Popović's chrF++.py without words: the mean of F over all orders",
            "chrF++.py -nw 0 (m-popovic/chrF 6d3c384)",
            _RECORDED,
            _POPOVIC,
        ),
        Dialect(
            "chrf++-popovic",
            "Popović's chrF++.py: the mean of F over all orders of characters and words",
            "chrF++.py (m-popovic/chrF 6d3c384)",
            _RECORDED,
            {**_POPOVIC, "word_order": 2},
        ),
        Dialect(
            "nltk-chrf",
            "NLTK's sentence_chrf: recall weighs three times; one segment only",
            "NLTK 3.10.4, sentence_chrf",
            _TWELVE_DIGITS,
            {
                "beta": 3.0, "whitespace": "removed-unicode", "candidate_totals": "always",
                "averaging": EACH_ORDER_NLTK,
            },
            TRIED_RELEASES["nltk"],
        ),
        Dialect(
            "torchmetrics-chrf",
            "torchmetrics' CHRFScore, which counts words, too; references of unmatched segments are lost",
            "torchmetrics 1.9.0, CHRFScore and chrf_score",
            _FLOAT32,
            {
                "word_order": 2, "whitespace": "spaces-removed", "candidate_totals": "always",
                "unmatched_segment": "reference-dropped", "averaging": EACH_ORDER,
            },
            TRIED_RELEASES["torchmetrics"],
        ),
    )
}  # fmt: skip
