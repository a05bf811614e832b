"""What sacreBLEU's metrics have in common: a score that prints, a signature, and the steps from texts to a score.

A metric may override any of the steps, as with sacreBLEU. Here they are as sacreBLEU defines them, one segment after
the other. BLEU, chrF and TER let the engine do them (``count_with_engine``), unless a subclass overrides them.
"""

from __future__ import annotations

import json
import logging
import statistics
from abc import ABCMeta, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from bleuprint.compat.sacrebleu.counts import MANY, MetricCounts, make_steps
from bleuprint.compat.sacrebleu.utils import sum_of_lists
from bleuprint.recipes.sacrebleu_lines import VERSION

sacrelogger: logging.Logger = logging.getLogger("sacrebleu")


class Score:
    """A score by its name; prints as sacreBLEU prints it."""

    def __init__(self, name: str, score: float) -> None:
        self.name: str = name
        self.score: float = score
        self._mean = self._ci = -1.0
        self._verbose = ""

    def format(self, width: int = 2, score_only: bool = False, signature: str = "", is_json: bool = False) -> str:
        """Write it with ``width`` digits: a line, the score alone, or JSON with the parts of the signature."""
        number = f"{self.score:.{width}f}"
        interval = f"μ = {self._mean:.{width}f} ± {self._ci:.{width}f}" if self._mean > 0 else ""
        scored = f"{number} ({interval})" if interval else number
        if score_only:
            return scored
        if not is_json:
            verbose = f" {self._verbose}" if self._verbose else ""
            return f"{self.name}{'|' if signature else ''}{signature} = {scored}{verbose}"
        data: dict[str, Any] = {"name": self.name, "score": float(number), "signature": signature}
        if interval:
            data["confidence_mean"] = float(f"{self._mean:.{width}f}")
            data["confidence_var"] = float(f"{self._ci:.{width}f}")
            data["confidence"] = interval
        if self._verbose:
            data["verbose_score"] = self._verbose
        for part in signature.split("|"):
            key, value = part.split(":")  # without a signature this is a ValueError, as in sacreBLEU
            data[key] = value
        return json.dumps(data, indent=1, ensure_ascii=False)

    def estimate_ci(self, scores: Sequence[Any]) -> None:
        """Keep the mean of resampled scores, and half the width of what 95 % of them lie in."""
        ordered = sorted([resampled.score for resampled in scores])
        outside = len(ordered) // 40
        self._ci = 0.5 * (ordered[len(ordered) - outside - 1] - ordered[outside])
        self._mean = statistics.mean(ordered)

    def __repr__(self) -> str:
        return self.format()


class Signature:
    """The settings of a metric, as a line to print beside the score."""

    def __init__(self, args: dict[str, Any]) -> None:
        if "num_refs" not in args:
            raise ValueError("the number of references is not known yet: score something first")
        self._abbr = {
            "version": "v", "nrefs": "#", "test": "t", "lang": "l", "subset": "S", "origlang": "o",
            "bs": "bs", "ar": "ar", "seed": "rs",
        }  # fmt: skip
        self.info: dict[str, Any] = {
            "version": VERSION,
            "nrefs": "var" if args["num_refs"] == -1 else args["num_refs"],
            "bs": args.get("n_bootstrap"),
            "ar": None,
            "seed": args.get("seed"),
            "test": args.get("test_set"),
            "lang": args.get("langpair"),
            "origlang": args.get("origlang"),
            "subset": args.get("subset"),
        }

    def format(self, short: bool = False) -> str:
        """Write it in one line, in short keys if asked; the version comes last."""
        shown = {key: value for key, value in self.info.items() if value is not None and key != "version"}
        if self.info["version"] is not None:
            shown["version"] = self.info["version"]
        words = {True: "yes", False: "no"}
        return "|".join(
            f"{self._abbr[key] if short else key}:{words[value] if isinstance(value, bool) else value}"
            for key, value in shown.items()
        )

    def update(self, key: str, value: Any) -> None:
        """Add an item, or change one."""
        self.info[key] = value

    def __repr__(self) -> str:
        return self.format()


AnyScore = TypeVar("AnyScore", bound=Score)


def count_with_engine(kind: Any, counts: MetricCounts) -> None:
    """Let the engine count for a class of metrics."""
    kind._counts = counts
    for name, step in make_steps(counts, kind).items():
        setattr(kind, name, step)


class Metric(Generic[AnyScore], metaclass=ABCMeta):
    """The steps from texts to a score."""

    _SIGNATURE_TYPE: type[Signature] = Signature
    _counts: ClassVar[MetricCounts | None] = None
    """How the engine counts for the metric, if it does."""

    def __init__(self) -> None:
        self._ref_cache: Any = None
        self._force = True
        self.n_bootstrap: int | None = None
        self.seed: str | None = None

    @abstractmethod
    def _preprocess_segment(self, sent: str) -> str: ...

    @abstractmethod
    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]: ...

    @abstractmethod
    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: dict[str, Any]) -> list[Any]: ...

    @abstractmethod
    def _compute_score_from_stats(self, stats: Any) -> AnyScore: ...

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> AnyScore:
        """Score one segment against its references."""
        self._check_sentence_score_args(hypothesis, references)
        stats = self._extract_corpus_statistics([hypothesis], [[reference] for reference in references])
        return self._aggregate_and_compute(stats)

    def corpus_score(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]] | None, n_bootstrap: int = 1
    ) -> AnyScore:
        """Score a corpus; with ``n_bootstrap`` above 1 also estimate a confidence interval, for which NumPy is due."""
        self._check_corpus_score_args(hypotheses, references)
        rows = self._extract_corpus_statistics(hypotheses, references)
        score = self._aggregate_and_compute(rows)
        if n_bootstrap > 1:
            from bleuprint.compat.sacrebleu import resampling as resampling

            self.n_bootstrap = n_bootstrap
            self.seed = resampling.seed_name()
            resamples = resampling.draw_resamples(resampling.seed_number(), len(rows), n_bootstrap)
            score.estimate_ci(self._score_resamples(resamples.sums(rows)))
        return score

    def get_signature(self) -> Signature:
        """Give the signature; it needs the number of references, so score first or give ``references``."""
        return self._SIGNATURE_TYPE(self.__dict__)

    def _score_resamples(self, sums: Any) -> list[Any]:
        if not self._counts or not self._counts.scores_itself(self):
            return [self._compute_score_from_stats(row) for row in sums]
        from bleuprint.compat.sacrebleu.resampled_scores import score_lazily

        return score_lazily(self._counts.score_sums(sums, self), sums, self)

    def _cache_references(self, references: Iterable[Sequence[str | None]]) -> Any:
        """Prepare every segment's references; those that are None do not count."""
        numbers: set[int] = set()
        prepared = []
        for texts in zip(*references):  # as long as the shortest stream
            lines = [self._preprocess_segment(text) for text in texts if text is not None]
            numbers.add(len(lines))
            prepared.append(self._extract_reference_info(lines))
        self.num_refs: int = numbers.pop() if len(numbers) == 1 else -1
        return prepared

    def _extract_corpus_statistics(self, hypotheses: Sequence[str], references: Any) -> list[Any]:
        """Count every segment; streams that are given win over those that were kept."""
        prepared = self._cache_references(references) if references else self._ref_cache
        if not (references or prepared):
            raise RuntimeError(f"references are due: give them here, or as {type(self).__name__}(references=...)")
        rows, endings = [], 0
        for text, own in zip(hypotheses, prepared):  # as long as the shorter side
            endings += not self._force and text.endswith(" .")
            rows.append(self._compute_segment_statistics(self._preprocess_segment(text), own))
        if endings >= MANY:
            sacrelogger.warning(
                "Many candidates end in ' .': they look tokenised, which may hurt the score. `force` silences this."
            )
        return rows

    def _aggregate_and_compute(self, stats: list[Any]) -> AnyScore:
        return self._compute_score_from_stats(sum_of_lists(stats))

    def _check_sentence_score_args(self, hyp: Any, refs: Any) -> None:
        if not isinstance(hyp, str):
            self._refuse("`hyp` must be a string")
        if isinstance(refs, str) or not isinstance(refs, Sequence):
            self._refuse("`refs` must be a sequence of strings")
        if not isinstance(refs[0], str) and refs[0] is not None:
            self._refuse("every entry of `refs` must be a string or None")

    def _check_corpus_score_args(self, hyps: Any, refs: Any) -> None:
        complaint = ""
        if not isinstance(hyps, Sequence):
            complaint = "`hyps` must be a sequence of strings"
        elif not isinstance(hyps[0], str):
            complaint = "every entry of `hyps` must be a string"
        elif any(text is None for text in hyps):
            complaint = "`hyps` holds None"
        if refs is not None:
            if not isinstance(refs, Sequence):
                complaint = "`refs` must be a sequence of streams, each a sequence of strings"
            elif not isinstance(refs[0], Sequence):
                complaint = "every stream in `refs` must be a sequence of strings"
            elif not isinstance(refs[0][0], str) and refs[0][0] is not None:
                complaint = "every entry of a stream in `refs` must be a string or None"
        if complaint:
            self._refuse(complaint)

    def _refuse(self, complaint: str) -> None:
        raise TypeError(f"{type(self).__name__}: {complaint}")
