"""BLEU as ``sacrebleu.metrics.bleu`` has it, counted by bleuprint's engines."""

from __future__ import annotations

from collections.abc import KeysView, MutableSequence, Sequence
from typing import Any, ClassVar

from bleuprint.compat.sacrebleu import formula as formula
from bleuprint.compat.sacrebleu.bleu_counts import BleuCounts
from bleuprint.compat.sacrebleu.metrics.base import Metric, Score, Signature, count_with_engine, sacrelogger
from bleuprint.compat.sacrebleu.metrics.helpers import extract_all_word_ngrams
from bleuprint.compat.sacrebleu.tokenizers import CLASSES, name_of_engine

MAX_NGRAM_ORDER = 4
_LANGUAGES = {"zh": "Chinese", "ja": "Japanese", "ko": "Korean"}


class BLEUSignature(Signature):
    """The settings of BLEU, as a line to print beside the score."""

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        smoothing = method = args["smooth_method"]
        usual = BLEU.SMOOTH_DEFAULTS[method]
        if usual is not None:
            value = usual if args["smooth_value"] is None else args["smooth_value"]
            smoothing = f"{method}[{value:.2f}]"
        self._abbr |= {"case": "c", "eff": "e", "tok": "tok", "smooth": "s"}
        self.info.update(
            {
                "case": "lc" if args["lowercase"] else "mixed",
                "eff": "yes" if args["effective_order"] else "no",
                "tok": args["tokenizer_signature"],
                "smooth": smoothing,
            }
        )


class BLEUScore(Score):
    """A score with the counts behind it, in percent; prints as sacreBLEU prints it."""

    def __init__(
        self,
        score: float,
        counts: MutableSequence[Any],
        totals: MutableSequence[Any],
        precisions: list[float],
        bp: float,
        sys_len: int,
        ref_len: int,
    ) -> None:
        super().__init__("BLEU", score)
        self.bp = bp
        self.counts: MutableSequence[Any] = counts
        self.totals: MutableSequence[Any] = totals
        self.sys_len: int = sys_len
        self.ref_len: int = ref_len
        self.precisions: list[float] = precisions
        self.prec_str: str = "/".join([f"{precision:.1f}" for precision in precisions])
        self.ratio: float = sys_len / ref_len if ref_len else 0
        self._verbose = (
            f"{self.prec_str} (BP = {bp:.3f} ratio = {self.ratio:.3f} hyp_len = {sys_len:d} ref_len = {ref_len:d})"
        )


class BLEU(Metric[BLEUScore]):
    """The metric: every argument as in sacreBLEU 2.6.0.

    ``references`` are streams to be split once and kept; ``corpus_score(candidates, None)`` then uses them.
    """

    SMOOTH_DEFAULTS = formula.SMOOTHING_VALUES
    TOKENIZERS: KeysView[str] = CLASSES.keys()
    TOKENIZER_DEFAULT = "13a"
    _TOKENIZER_MAP: ClassVar[dict[str, str]] = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
    _SIGNATURE_TYPE = BLEUSignature

    def __init__(
        self,
        lowercase: bool = False,
        force: bool = False,
        tokenize: str | None = None,
        smooth_method: str = "exp",
        smooth_value: float | None = None,
        max_ngram_order: int = MAX_NGRAM_ORDER,
        effective_order: bool = False,
        trg_lang: str = "",
        references: Sequence[Sequence[str | None]] | None = None,
    ) -> None:
        super().__init__()
        self.lowercase: bool = lowercase
        self._force = force
        self.trg_lang: str = trg_lang
        self.smooth_method: str = smooth_method
        self.smooth_value: float | None = smooth_value
        self.max_ngram_order: int = max_ngram_order
        self.effective_order: bool = effective_order
        _check_method(smooth_method, self.SMOOTH_DEFAULTS)
        self.tokenizer: Any = CLASSES[self._choose_tokenizer(tokenize)]()
        self.tokenizer_signature: str = self.tokenizer.signature()
        if references is not None:
            self._ref_cache = self._cache_references(references)

    def _choose_tokenizer(self, tokenize: str | None) -> str:
        usual = self._TOKENIZER_MAP.get(self.trg_lang, self.TOKENIZER_DEFAULT)
        if tokenize is None:
            return usual
        if self.trg_lang in _LANGUAGES and tokenize != usual:
            language = _LANGUAGES[self.trg_lang]
            sacrelogger.warning("For %s the tokenizer %r or 'spm' is usual, not %r.", language, usual, tokenize)
        return tokenize

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> BLEUScore:
        """Score one segment against its references."""
        if not self.effective_order:
            sacrelogger.warning("Sentence-level BLEU without `effective_order`: short sentences score 0.")
        return super().sentence_score(hypothesis, references)

    @staticmethod
    def compute_bleu(
        correct: MutableSequence[Any],
        total: MutableSequence[Any],
        sys_len: int,
        ref_len: int,
        smooth_method: str = "none",
        smooth_value: float | None = None,
        effective_order: bool = False,
        max_ngram_order: int = MAX_NGRAM_ORDER,
    ) -> BLEUScore:
        """Compute a score from matches, totals and the two lengths; ``add-k`` changes the lists that are given."""
        _check_method(smooth_method, BLEU.SMOOTH_DEFAULTS)
        if smooth_value is None:
            smooth_value = BLEU.SMOOTH_DEFAULTS[smooth_method]
        penalty = formula.brevity(sys_len, ref_len)
        if not any(correct):
            return BLEUScore(0.0, correct, total, [0.0] * max_ngram_order, penalty, sys_len, ref_len)
        precisions, reached = formula.smooth(correct, total, max_ngram_order, smooth_method, smooth_value)
        orders = (reached or max_ngram_order) if effective_order else max_ngram_order
        score = formula.combine(precisions, orders, penalty)
        return BLEUScore(score, correct, total, precisions, penalty, sys_len, ref_len)

    def _preprocess_segment(self, sent: str) -> str:
        text = sent.lower() if self.lowercase else sent
        tokenised: str = self.tokenizer(text.rstrip())
        return tokenised

    def _compute_score_from_stats(self, stats: Any) -> BLEUScore:
        middle = 2 + self.max_ngram_order
        return self.compute_bleu(
            correct=stats[2:middle],
            total=stats[middle:],
            sys_len=int(stats[0]),
            ref_len=int(stats[1]),
            smooth_method=self.smooth_method,
            smooth_value=self.smooth_value,
            effective_order=self.effective_order,
            max_ngram_order=self.max_ngram_order,
        )

    def _get_closest_ref_len(self, hyp_len: int, ref_lens: list[int]) -> int:
        """Choose the closest length, the shorter of two that are equally close; -1 where there is none."""
        return min(ref_lens, key=lambda length: (abs(hyp_len - length), length), default=-1)

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        """Count the n-grams of a segment's references, each as often as one of them has it; and their lengths."""
        ngrams: Any = None
        lengths = []
        for text in refs:
            own, length = extract_all_word_ngrams(text, 1, self.max_ngram_order)
            ngrams = own if ngrams is None else ngrams | own
            lengths.append(length)
        return {"ref_ngrams": ngrams, "ref_lens": lengths}

    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: dict[str, Any]) -> list[Any]:
        """Give a row of statistics: the two lengths, matches and totals."""
        known, lengths = ref_kwargs["ref_ngrams"], ref_kwargs["ref_lens"]
        ngrams, length = extract_all_word_ngrams(hypothesis, 1, self.max_ngram_order)
        matches, totals = [0] * self.max_ngram_order, [0] * self.max_ngram_order
        reference_length = self._get_closest_ref_len(length, lengths)
        for ngram, count in ngrams.items():
            totals[len(ngram) - 1] += count
            if ngram in known:  # None where all references are None: a TypeError, as in sacreBLEU
                matches[len(ngram) - 1] += min(count, known[ngram])
        return [length, reference_length, *matches, *totals]


count_with_engine(BLEU, BleuCounts(BLEU, name_of_engine))


def _check_method(method: str, known: dict[str, float | None]) -> None:
    if method not in known:
        raise AssertionError(f"Unknown smooth_method {method!r}")
