"""TER as ``sacrebleu.metrics.ter`` has it, counted by bleuprint's engines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bleuprint.compat.sacrebleu.metrics.base import Metric, Score, Signature, count_with_engine
from bleuprint.compat.sacrebleu.metrics.lib_ter import translation_edit_rate
from bleuprint.compat.sacrebleu.ter_counts import TerCounts
from bleuprint.compat.sacrebleu.tokenizers import TercomTokenizer

MOST_EDITS = 10**16
"""More than any reference takes; what a segment without a reference would have."""


class TERSignature(Signature):
    """The settings of TER, as a line to print beside the score."""

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        self._abbr |= {"case": "c", "tok": "t", "norm": "nr", "punct": "pn", "asian": "as"}
        self.info.update(
            {
                "case": "mixed" if args["case_sensitive"] else "lc",
                "tok": args["tokenizer_signature"],
                "norm": args["normalized"],
                "punct": not args["no_punct"],
                "asian": args["asian_support"],
            }
        )


class TERScore(Score):
    """A score with the edits and the length of the references behind it."""

    def __init__(self, score: float, num_edits: float, ref_length: float) -> None:
        super().__init__("TER", score)
        self.num_edits: int = int(num_edits)
        self.ref_length: float = ref_length


class TER(Metric[TERScore]):
    """The metric: every argument as in sacreBLEU 2.6.0.

    ``references`` are streams to be kept; ``corpus_score(candidates, None)`` then uses them.
    """

    _SIGNATURE_TYPE = TERSignature

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
        references: Sequence[Sequence[str | None]] | None = None,
    ) -> None:
        super().__init__()
        self.no_punct: bool = no_punct
        self.normalized: bool = normalized
        self.asian_support: bool = asian_support
        self.case_sensitive: bool = case_sensitive
        self.tokenizer: Any = TercomTokenizer(normalized, no_punct, asian_support, case_sensitive)
        self.tokenizer_signature: str = self.tokenizer.signature()
        if references is not None:
            self._ref_cache = self._cache_references(references)

    def _preprocess_segment(self, sent: str) -> str:
        prepared: str = self.tokenizer(sent.rstrip())
        return prepared

    def _compute_score_from_stats(self, stats: Any) -> TERScore:
        edits, length = stats[0], stats[1]
        share = edits / length if length > 0 else 1.0 if edits > 0 else 0.0
        return TERScore(100 * share, edits, length)

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        """Split references, which are prepared, into words; sacreBLEU prepares them once more, so this does."""
        return {"ref_words": [self._preprocess_segment(text).split() for text in refs]}

    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: dict[str, Any]) -> list[Any]:
        """Give a row of statistics: the fewest edits, and the mean length of the references."""
        known = ref_kwargs["ref_words"]
        tried = [translation_edit_rate(hypothesis.split(), words) for words in known]
        return [min((edits for edits, _ in tried), default=MOST_EDITS), sum(length for _, length in tried) / len(known)]


count_with_engine(TER, TerCounts(TER, TercomTokenizer))
