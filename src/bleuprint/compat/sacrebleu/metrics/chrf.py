"""chrF as ``sacrebleu.metrics.chrf`` has it, counted by bleuprint's engines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from string import punctuation
from typing import Any, ClassVar

from bleuprint.compat.sacrebleu import formula as formula
from bleuprint.compat.sacrebleu.chrf_counts import ChrfCounts
from bleuprint.compat.sacrebleu.metrics.base import Metric, Score, Signature, count_with_engine
from bleuprint.compat.sacrebleu.metrics.helpers import extract_all_char_ngrams, extract_word_ngrams


class CHRFSignature(Signature):
    """The settings of chrF, as a line to print beside the score."""

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        self._abbr |= {"case": "c", "eff": "e", "nc": "nc", "nw": "nw", "space": "s"}
        self.info.update(
            {
                "case": "lc" if args["lowercase"] else "mixed",
                "eff": "no" if args["eps_smoothing"] else "yes",
                "nc": args["char_order"],
                "nw": args["word_order"],
                "space": "yes" if args["whitespace"] else "no",
            }
        )


class CHRFScore(Score):
    """A score with the settings that name it, as in chrF2 and chrF2++."""

    def __init__(self, score: float, char_order: int, word_order: int, beta: float) -> None:
        self.beta: float = beta
        self.char_order: int = char_order
        self.word_order: int = word_order
        super().__init__(f"chrF{beta}{'+' * word_order}", score)


class CHRF(Metric[CHRFScore]):
    """The metric: every argument as in sacreBLEU 2.6.0; ``word_order=2`` makes it chrF++.

    ``references`` are streams to be kept; ``corpus_score(candidates, None)`` then uses them.
    """

    CHAR_ORDER = 6
    WORD_ORDER = 0
    BETA = 2
    _PUNCTS: ClassVar[set[str]] = set(punctuation)
    _SIGNATURE_TYPE = CHRFSignature

    def __init__(
        self,
        char_order: int = CHAR_ORDER,
        word_order: int = WORD_ORDER,
        beta: float = BETA,
        lowercase: bool = False,
        whitespace: bool = False,
        eps_smoothing: bool = False,
        references: Sequence[Sequence[str | None]] | None = None,
    ) -> None:
        super().__init__()
        self.beta: float = beta
        self.char_order: int = char_order
        self.word_order: int = word_order
        self.order: int = char_order + word_order
        self.lowercase: bool = lowercase
        self.whitespace: bool = whitespace
        self.eps_smoothing: bool = eps_smoothing
        if references is not None:
            self._ref_cache = self._cache_references(references)

    @staticmethod
    def _get_match_statistics(hyp_ngrams: Counter[str], ref_ngrams: Counter[str]) -> list[int]:
        """Count the candidate's n-grams, if the reference has any; the reference's; and those in common."""
        candidate = sum(hyp_ngrams.values()) if ref_ngrams else 0
        return [candidate, sum(ref_ngrams.values()), sum((hyp_ngrams & ref_ngrams).values())]

    def _remove_punctuation(self, sent: str) -> list[str]:
        """Split at white space, and part one sign from the end of a word, or else from its start."""
        words: list[str] = []
        for word in sent.split():
            if len(word) > 1 and word[-1] in self._PUNCTS:
                words += [word[:-1], word[-1]]
            elif len(word) > 1 and word[0] in self._PUNCTS:
                words += [word[0], word[1:]]
            else:
                words.append(word)
        return words

    def _preprocess_segment(self, sent: str) -> str:
        return sent.lower() if self.lowercase else sent

    def _compute_f_score(self, statistics: Sequence[Any]) -> float:
        score: float = formula.weigh_orders(statistics, self.order, self.beta, self.eps_smoothing)
        return score

    def _compute_score_from_stats(self, stats: Any) -> CHRFScore:
        return CHRFScore(self._compute_f_score(stats), self.char_order, self.word_order, self.beta)

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        """Count the n-grams of each of a segment's references."""
        return {"ref_ngrams": [self._count_ngrams(text) for text in refs]}

    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: dict[str, Any]) -> list[Any]:
        """Give the row of the reference with the highest score, the first of such; none where there is none."""
        ngrams = self._count_ngrams(hypothesis)
        best: list[Any] = []
        highest = -1.0
        for known in ref_kwargs["ref_ngrams"]:
            row = [number for own in map(self._get_match_statistics, ngrams, known) for number in own]
            score = self._compute_f_score(row)
            if score > highest:
                best, highest = row, score
        return best

    def _count_ngrams(self, text: str) -> list[Counter[str]]:
        """Count the n-grams of characters of every order, then those of words."""
        ngrams = extract_all_char_ngrams(text, self.char_order, self.whitespace)
        if self.word_order > 0:
            words = self._remove_punctuation(text)
            ngrams += [extract_word_ngrams(words, order) for order in range(1, self.word_order + 1)]
        return ngrams


count_with_engine(CHRF, ChrfCounts(CHRF))
