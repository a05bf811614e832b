"""sacreBLEU's functions for BLEU: a score in one call."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bleuprint.compat.sacrebleu.absent import OTHER_FUNCTIONS, OTHER_METRICS, refuse_absent
from bleuprint.compat.sacrebleu.metrics.bleu import BLEU, BLEUScore

__all__ = ["BLEU", "BLEUScore", "corpus_bleu", "raw_corpus_bleu", "sentence_bleu"]

__getattr__: Callable[[str], object] = refuse_absent(__name__, (*OTHER_FUNCTIONS, *OTHER_METRICS))


def corpus_bleu(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str | None]],
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    force: bool = False,
    lowercase: bool = False,
    tokenize: str = BLEU.TOKENIZER_DEFAULT,
    use_effective_order: bool = False,
) -> BLEUScore:
    """Score a corpus.

    >>> corpus_bleu(["a b c d e"], [["a b c d e"]]).score
    100.00000000000004
    """
    metric = BLEU(lowercase, force, tokenize, smooth_method, smooth_value, effective_order=use_effective_order)
    return metric.corpus_score(hypotheses, references)


def raw_corpus_bleu(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str | None]],
    smooth_value: float | None = BLEU.SMOOTH_DEFAULTS["floor"],
) -> BLEUScore:
    """Score a corpus that is already tokenised, with floor smoothing and effective order.

    >>> raw_corpus_bleu(["a b"], [["a b c"]]).score
    60.653065971263366
    """
    return corpus_bleu(hypotheses, references, "floor", smooth_value, True, tokenize="none", use_effective_order=True)


def sentence_bleu(
    hypothesis: str,
    references: Sequence[str | None],
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    lowercase: bool = False,
    tokenize: str = BLEU.TOKENIZER_DEFAULT,
    use_effective_order: bool = True,
) -> BLEUScore:
    """Score one segment against its references.

    >>> print(sentence_bleu("the cat is on mat", ["the cat is on the mat"]))
    BLEU = 57.89 100.0/75.0/66.7/50.0 (BP = 0.819 ratio = 0.833 hyp_len = 5 ref_len = 6)
    """
    metric = BLEU(lowercase, False, tokenize, smooth_method, smooth_value, effective_order=use_effective_order)
    return metric.sentence_score(hypothesis, references)
