"""sacreBLEU's BLEU, call by call: the same arguments, numbers, strings and quirks as sacreBLEU 2.6.0, counted faster.

>>> from bleuprint.compat.sacrebleu import BLEU
>>> bleu = BLEU()
>>> print(bleu.corpus_score(["the cat is on mat"], [["the cat is on the mat"]]))
BLEU = 57.89 100.0/75.0/66.7/50.0 (BP = 0.819 ratio = 0.833 hyp_len = 5 ref_len = 6)
>>> print(bleu.get_signature())
nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0

References are streams here: ``references[k][i]`` is the k-th reference of segment i, or None. Like sacreBLEU, and
unlike the rest of bleuprint, it stops at the shortest stream without a word. sacreBLEU need not be installed.
"""

from __future__ import annotations

import json
import logging
import statistics
from collections.abc import KeysView, MutableSequence, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, ClassVar

from bleuprint.compat import sacrebleu_formula as formula
from bleuprint.compat.sacrebleu_counts import (
    TOKENIZERS,
    References,
    Row,
    count_quickly,
    drop_missing,
    number_of_references,
    split,
)
from bleuprint.sacrebleu_signature import VERSION, print_tokenizer
from bleuprint.tokenizer_table import find_tokenizer

MAX_NGRAM_ORDER = 4
_log = logging.getLogger("sacrebleu")

_ELSEWHERE = {
    "ja-mecab": "ja-mecab",
    "ko-mecab": "ko-mecab",
    "spm": "flores101",
    "flores101": "flores101",
    "flores200": "flores200",
    "spBLEU-1K": "spBLEU-1K",
}
"""sacreBLEU's other tokenizers, by the names that they have in a recipe; what is missing there is refused there."""
_LANGUAGES = {"zh": ("Chinese", "zh"), "ja": ("Japanese", "ja-mecab"), "ko": ("Korean", "ko-mecab")}
MANY = 100
"""So many candidates that end in a full stop with a space before it look tokenised."""


class Tokenizer:
    """A tokenizer as sacreBLEU has them: called with a text, it gives the text with spaces between tokens."""

    def __init__(self, name: str) -> None:
        known = TOKENIZERS | _ELSEWHERE
        entry = find_tokenizer(known[name])  # an unknown name is a KeyError, as in sacreBLEU
        self.name, self.recipe_name = name, entry.name
        self._signature = name
        if name not in TOKENIZERS:
            split("", entry.name)  # what it needs and is not installed is better missed now than later
            self._signature = print_tokenizer(entry.name)

    def signature(self) -> str:
        """Give the name that signatures show."""
        return self._signature

    def __call__(self, line: str) -> str:
        """Put spaces between the tokens of a text."""
        return line if self.name == "none" else split(line, self.recipe_name)


class BLEUSignature:
    """The settings of a metric, as a line to print beside the score."""

    _abbr: ClassVar[dict[str, str]] = {
        "version": "v", "nrefs": "#", "test": "t", "lang": "l", "subset": "S", "origlang": "o", "bs": "bs", "ar": "ar",
        "seed": "rs", "case": "c", "eff": "e", "tok": "tok", "smooth": "s",
    }  # fmt: skip

    def __init__(self, args: dict[str, Any]) -> None:
        if "num_refs" not in args:
            raise ValueError("the number of references is not known yet: score something first")
        smoothing = method = args["smooth_method"]
        usual = BLEU.SMOOTH_DEFAULTS[method]
        if usual is not None:
            value = usual if args["smooth_value"] is None else args["smooth_value"]
            smoothing = f"{method}[{value:.2f}]"
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
            "case": "lc" if args["lowercase"] else "mixed",
            "eff": "yes" if args["effective_order"] else "no",
            "tok": args["tokenizer_signature"],
            "smooth": smoothing,
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


class BLEUScore:
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
        self.name = "BLEU"
        self.score, self.bp = score, bp
        self.counts, self.totals, self.precisions = counts, totals, precisions
        self.sys_len, self.ref_len = sys_len, ref_len
        self.ratio: float = sys_len / ref_len if ref_len else 0
        self._mean = self._ci = -1.0

    @cached_property
    def prec_str(self) -> str:
        """The precisions, with one digit each."""
        return "/".join([f"{precision:.1f}" for precision in self.precisions])

    @cached_property
    def _verbose(self) -> str:
        lengths = f"hyp_len = {self.sys_len:d} ref_len = {self.ref_len:d}"
        return f"{self.prec_str} (BP = {self.bp:.3f} ratio = {self.ratio:.3f} {lengths})"

    def format(self, width: int = 2, score_only: bool = False, signature: str = "", is_json: bool = False) -> str:
        """Write it with ``width`` digits: a line, the score alone, or JSON with the parts of the signature."""
        number = f"{self.score:.{width}f}"
        interval = f"μ = {self._mean:.{width}f} ± {self._ci:.{width}f}" if self._mean > 0 else ""
        scored = f"{number} ({interval})" if interval else number
        if score_only:
            return scored
        if not is_json:
            return f"{self.name}{'|' if signature else ''}{signature} = {scored} {self._verbose}"
        data: dict[str, Any] = {"name": self.name, "score": float(number), "signature": signature}
        if interval:
            data["confidence_mean"] = float(f"{self._mean:.{width}f}")
            data["confidence_var"] = float(f"{self._ci:.{width}f}")
            data["confidence"] = interval
        data["verbose_score"] = self._verbose
        for part in signature.split("|"):
            key, value = part.split(":")  # without a signature this is a ValueError, as in sacreBLEU
            data[key] = value
        return json.dumps(data, indent=1, ensure_ascii=False)

    def estimate_ci(self, scores: Sequence[Any]) -> None:
        """Keep the mean of resampled scores, and half the width of what 95 % of them lie in."""
        self._keep_interval([resampled.score for resampled in scores])

    def _keep_interval(self, scores: list[float]) -> None:
        ordered = sorted(scores)
        outside = len(ordered) // 40
        self._ci = 0.5 * (ordered[len(ordered) - outside - 1] - ordered[outside])
        self._mean = statistics.mean(ordered)

    def __repr__(self) -> str:
        return self.format()


class BLEU:
    """The metric: every argument as in sacreBLEU 2.6.0.

    ``references`` are streams to be split once and kept; ``corpus_score(candidates, None)`` then uses them.
    """

    SMOOTH_DEFAULTS = formula.SMOOTHING_VALUES
    TOKENIZERS: KeysView[str] = (TOKENIZERS | _ELSEWHERE).keys()
    TOKENIZER_DEFAULT = "13a"
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
        self.lowercase, self._force, self.trg_lang = lowercase, force, trg_lang
        self.smooth_method, self.smooth_value = smooth_method, smooth_value
        self.max_ngram_order, self.effective_order = max_ngram_order, effective_order
        self.n_bootstrap: int | None = None
        self.seed: str | None = None
        _check_method(smooth_method)
        self.tokenizer: Any = Tokenizer(_choose_tokenizer(tokenize, trg_lang))
        self.tokenizer_signature: str = self.tokenizer.signature()
        self._ref_cache = None if references is None else self._cache_references(references)

    def corpus_score(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]] | None, n_bootstrap: int = 1
    ) -> BLEUScore:
        """Score a corpus; with ``n_bootstrap`` above 1 also estimate a confidence interval, for which NumPy is due."""
        self._check_corpus(hypotheses, references)
        rows = self._extract_corpus_statistics(hypotheses, references)
        score = self._aggregate_and_compute(rows)
        if n_bootstrap > 1:
            from bleuprint.compat import sacrebleu_resampling as resampling

            self.n_bootstrap = n_bootstrap
            self.seed = resampling.seed_name()
            resamples = resampling.draw_resamples(resampling.seed_number(), len(rows), n_bootstrap)
            score._keep_interval(resampling.score_sums(resamples.sums(rows), self))
        return score

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> BLEUScore:
        """Score one segment against its references."""
        if not self.effective_order:
            _log.warning("Sentence-level BLEU without `effective_order`: short sentences score 0.")
        self._check_sentence(hypothesis, references)
        row = self._count_quickly(hypothesis, references)
        if row is None:
            row = self._extract_corpus_statistics([hypothesis], [[reference] for reference in references])[0]
        return self._compute_score_from_stats(row)

    def get_signature(self) -> BLEUSignature:
        """Give the signature; it needs the number of references, so score first or give ``references``."""
        return self._SIGNATURE_TYPE(self.__dict__)

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
        _check_method(smooth_method)
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

    def _compute_score_from_stats(self, stats: Sequence[Any]) -> BLEUScore:
        middle = 2 + self.max_ngram_order
        return self.compute_bleu(
            stats[2:middle], stats[middle:], int(stats[0]), int(stats[1]),  # type: ignore[arg-type]
            self.smooth_method, self.smooth_value, self.effective_order, self.max_ngram_order,
        )  # fmt: skip

    def _aggregate_and_compute(self, stats: list[Row]) -> BLEUScore:
        first = stats[0]
        return self._compute_score_from_stats(first if len(stats) == 1 else list(map(sum, zip(*stats, strict=True))))

    def _extract_corpus_statistics(self, hypotheses: Sequence[Any], references: Any) -> list[Row]:
        """Count every segment; streams that are given win over those that were kept."""
        kept = self._ref_cache
        if not references and not kept:
            raise RuntimeError("references are due: give them here, or as BLEU(references=...)")
        side: Any = self._cache_references(references) if references else kept
        if not self._force:
            endings = sum(1 for text in islice(hypotheses, len(side)) if text.endswith(" ."))
            if endings >= MANY:
                _log.warning(
                    "%d candidates end in ' .': they look tokenised, which may hurt the score. `force` silences this.",
                    endings,
                )
        rows: list[Row] = side.count(hypotheses, self.max_ngram_order, keep=side is kept)
        return rows

    def _cache_references(self, references: Any) -> References:
        entries = drop_missing(list(zip(*references)))
        self.num_refs = number_of_references(entries)
        return References(entries, self._engine_tokenizer(), bool(self.lowercase), self._preprocess_segment)

    def _engine_tokenizer(self) -> str | None:
        """Name the tokenizer that the engine can use in place of ``_preprocess_segment``, if it can."""
        own = type(self)._preprocess_segment is not BLEU._preprocess_segment or "_preprocess_segment" in self.__dict__
        return None if own or type(self.tokenizer) is not Tokenizer else TOKENIZERS.get(self.tokenizer.name)

    def _count_quickly(self, hypothesis: str, references: Sequence[Any]) -> Row | None:
        """Count one segment in which nothing is unusual, or give None."""
        if self.lowercase:
            if not all(type(text) is str for text in (hypothesis, *references)):
                return None
            hypothesis, references = hypothesis.lower(), [text.lower() for text in references]
        counted = count_quickly(hypothesis, references, self._engine_tokenizer(), self.max_ngram_order)
        if counted is None:
            return None
        row, self.num_refs = counted
        return row

    def _check_sentence(self, hypothesis: Any, references: Any) -> None:
        if not isinstance(hypothesis, str):
            self._refuse("`hyp` must be a string")
        if isinstance(references, str) or not isinstance(references, Sequence):
            self._refuse("`refs` must be a sequence of strings")
        if not isinstance(references[0], str) and references[0] is not None:
            self._refuse("every entry of `refs` must be a string or None")

    def _check_corpus(self, hypotheses: Any, references: Any) -> None:
        complaint = ""
        if not isinstance(hypotheses, Sequence):
            complaint = "`hyps` must be a sequence of strings"
        elif not isinstance(hypotheses[0], str):
            complaint = "every entry of `hyps` must be a string"
        elif any(text is None for text in hypotheses):
            complaint = "`hyps` holds None"
        if references is not None:
            if not isinstance(references, Sequence):
                complaint = "`refs` must be a sequence of streams, each a sequence of strings"
            elif not isinstance(references[0], Sequence):
                complaint = "every stream in `refs` must be a sequence of strings"
            elif not isinstance(references[0][0], str) and references[0][0] is not None:
                complaint = "every entry of a stream in `refs` must be a string or None"
        if complaint:
            self._refuse(complaint)

    def _refuse(self, complaint: str) -> None:
        raise TypeError(f"{type(self).__name__}: {complaint}")


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


def _check_method(method: str) -> None:
    if method not in BLEU.SMOOTH_DEFAULTS:
        raise AssertionError(f"Unknown smooth_method {method!r}")


def _choose_tokenizer(tokenize: str | None, language: str) -> str:
    word, usual = _LANGUAGES.get(language, ("", BLEU.TOKENIZER_DEFAULT))
    if tokenize is None:
        return usual
    if word and tokenize != usual:
        _log.warning("For %s the tokenizer %r or 'spm' is usual, not %r.", word, usual, tokenize)
    return tokenize
