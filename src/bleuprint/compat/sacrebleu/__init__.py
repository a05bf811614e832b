"""sacreBLEU's BLEU, chrF and TER, call by call: arguments, numbers, strings and quirks of sacreBLEU 2.6.0, faster.

>>> from bleuprint.compat.sacrebleu import BLEU
>>> bleu = BLEU()
>>> print(bleu.corpus_score(["the cat is on mat"], [["the cat is on the mat"]]))
BLEU = 57.89 100.0/75.0/66.7/50.0 (BP = 0.819 ratio = 0.833 hyp_len = 5 ref_len = 6)
>>> print(bleu.get_signature())
nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0

Modules and names stand where sacreBLEU has them, so that exchanging the import is all there is to do. References are
streams here: ``references[k][i]`` is the k-th reference of segment i, or None. Like sacreBLEU, and unlike the rest of
bleuprint, it stops at the shortest stream without a word. sacreBLEU need not be installed.
"""

from __future__ import annotations

from collections.abc import Callable

from bleuprint.compat.sacrebleu import tokenizers as tokenizers
from bleuprint.compat.sacrebleu.absent import refuse_absent
from bleuprint.compat.sacrebleu.compat import (
    corpus_bleu,
    corpus_chrf,
    corpus_ter,
    raw_corpus_bleu,
    sentence_bleu,
    sentence_chrf,
    sentence_ter,
)
from bleuprint.compat.sacrebleu.metrics import BLEU, CHRF, TER, BLEUScore, CHRFScore, TERScore
from bleuprint.compat.sacrebleu.metrics.helpers import extract_char_ngrams, extract_word_ngrams
from bleuprint.compat.sacrebleu.utils import smart_open
from bleuprint.recipes.sacrebleu_lines import VERSION

__all__ = [
    "BLEU",
    "CHRF",
    "TER",
    "BLEUScore",
    "CHRFScore",
    "TERScore",
    "__version__",
    "corpus_bleu",
    "corpus_chrf",
    "corpus_ter",
    "extract_char_ngrams",
    "extract_word_ngrams",
    "raw_corpus_bleu",
    "sentence_bleu",
    "sentence_chrf",
    "sentence_ter",
    "smart_open",
]

__version__ = VERSION
__getattr__: Callable[[str], object] = refuse_absent(__name__)
