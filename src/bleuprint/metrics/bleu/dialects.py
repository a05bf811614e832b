"""The dialects: each existing BLEU as the choices by which it differs from the paper.

Facts only, no logic. Every name is checked in the tests against the tool that it stands for.
"""

from __future__ import annotations

from collections.abc import Mapping

from bleuprint.recipes.dialect import TRIED_RELEASES, Dialect

BASE: Mapping[str, object] = {
    "tokenizer": "whitespace",
    "case": "mixed",
    "weights": (0.25, 0.25, 0.25, 0.25),
    "smoothing": "none",
    "reference_length": "closest",
    "segment_totals": "exact",
    "absent_order": "zero",
    "unmatched_order": "zero",
    "nothing_matches": "zero",
    "brevity": "exact",
    "across_orders": "together",
}


_TWELVE_DIGITS = "12 significant digits, against the package itself"
_SACREBLEU = {"tokenizer": "13a", "smoothing": "exp"}
_NLTK = {"segment_totals": "at-least-1", "unmatched_order": "skip"}
_HUGGING_FACE = {"tokenizer": "13a", "reference_length": "shortest"}

_TORCHMETRICS = {"reference_length": "closest-first", "nothing_matches": "zero-if-any"}
_MTEVAL = {"smoothing": "exp", "absent_order": "one", "nothing_matches": "smoothed"}
_RECORDED = "12 significant digits of recorded outputs"
_FLOAT32 = "1e-6, against the package itself, which computes with 32 bits"
_PRINTED = "every printed digit of recorded outputs"
_RELEASES = {
    "nltk": ("3.6", "3.7", "3.8", *TRIED_RELEASES["nltk"]), "sacrebleu": ("2.0", *TRIED_RELEASES["sacrebleu"]),
    "torchmetrics": ("1.0", *TRIED_RELEASES["torchmetrics"]), "pycocoevalcap": ("1.2",), "bleuscore": ("0.2",),
}  # fmt: skip
"""Of which releases the dialects of a tool are; a name with another release in it is a dialect of its own."""
_UNVERIFIED = "its definition; not verified against the tool"

DIALECTS: Mapping[str, Dialect] = {
    dialect.name: dialect._replace(
        choices={**BASE, **dialect.choices},
        releases=dialect.releases or _RELEASES.get(dialect.name.partition("-")[0], ()),
    )
    for dialect in (
        Dialect(
            "paper",
            "BLEU as Papineni et al. (2002) define it, on text split at white space",
            "Papineni, Roukos, Ward, Zhu: BLEU, ACL 2002",
            "an oracle written from the paper",
        ),
        Dialect(
            "sacrebleu",
            "sacreBLEU's corpus score with its own defaults",
            "sacreBLEU 2.6.0, BLEU()",
            _TWELVE_DIGITS,
            _SACREBLEU,
        ),
        Dialect(
            "sacrebleu-sentence",
            "sacreBLEU's sentence score: orders longer than the candidate are dropped",
            "sacreBLEU 2.6.0, sentence_bleu and BLEU(effective_order=True)",
            _TWELVE_DIGITS,
            {**_SACREBLEU, "absent_order": "drop"},
        ),
        Dialect(
            "nltk",
            "NLTK without a smoothing function: tiny positive numbers where others say 0",
            "NLTK 3.10.4, corpus_bleu and sentence_bleu",
            _TWELVE_DIGITS,
            {**_NLTK, "unmatched_order": "smallest-float"},
        ),
        Dialect(
            "nltk-method1",
            "NLTK with method1: epsilon over the total where nothing matches",
            "NLTK 3.10.4, SmoothingFunction().method1",
            _TWELVE_DIGITS,
            {**_NLTK, "smoothing": "epsilon(0.1)"},
        ),
        Dialect(
            "nltk-method2",
            "NLTK with method2: one added to matches and totals from order 2",
            "NLTK 3.10.4, SmoothingFunction().method2",
            _TWELVE_DIGITS,
            {**_NLTK, "smoothing": "add-k(1)"},
        ),
        Dialect(
            "nltk-method3",
            "NLTK with method3: halved again for each order without a match",
            "NLTK 3.10.4, SmoothingFunction().method3",
            _TWELVE_DIGITS,
            {**_NLTK, "smoothing": "exp"},
        ),
        Dialect(
            "nltk-method4",
            "NLTK with method4: as method3, scaled by the length of the candidate",
            "NLTK 3.10.4, SmoothingFunction().method4",
            _TWELVE_DIGITS,
            {**_NLTK, "smoothing": "nltk-method4(5)"},
        ),
        Dialect(
            "nltk-method5",
            "NLTK with method5: each precision averaged with its neighbours; may exceed 100; one segment only",
            "NLTK 3.10.4, sentence_bleu with SmoothingFunction().method5",
            _TWELVE_DIGITS,
            {**_NLTK, "smoothing": "nltk-method5"},
        ),
        Dialect(
            "nltk-method6",
            "NLTK with method6: from order 3 on, drawn towards what the two orders before predict; one segment only",
            "NLTK 3.10.4, sentence_bleu with SmoothingFunction().method6",
            _TWELVE_DIGITS,
            {**_NLTK, "smoothing": "nltk-method6(5)"},
        ),
        Dialect(
            "nltk-method7",
            "NLTK with method7: method4, then method5; may exceed 100; one segment only",
            "NLTK 3.10.4, sentence_bleu with SmoothingFunction().method7",
            _TWELVE_DIGITS,
            {**_NLTK, "smoothing": "nltk-method7(5)"},
        ),
        Dialect(
            "nltk-mean",
            "the mean of NLTK's BLEU-1 to BLEU-4, as papers on dialogue print it",
            "NLTK 3.10.4, the mean of what corpus_bleu gives for four weights",
            _TWELVE_DIGITS,
            {**_NLTK, "unmatched_order": "smallest-float", "across_orders": "mean"},
        ),
        Dialect(
            "huggingface",
            "Hugging Face evaluate's bleu: 13a, shortest reference, no smoothing",
            "evaluate bleu (tensorflow/nmt compute_bleu, commit 0be8642)",
            "recorded outputs, and bleuscore, which computes the same",
            _HUGGING_FACE,
        ),
        Dialect(
            "huggingface-smooth",
            "Hugging Face evaluate's bleu with smooth=True: one added at every order",
            "evaluate bleu, smooth=True (tensorflow/nmt compute_bleu, commit 0be8642)",
            "recorded outputs, and bleuscore, which computes the same",
            {**_HUGGING_FACE, "smoothing": "add-k-all(1)", "nothing_matches": "smoothed"},
        ),
        Dialect(
            "bleuscore",
            "the Rust package bleuscore with its defaults: the same choices as huggingface",
            "bleuscore 0.2.0, compute",
            _TWELVE_DIGITS,
            _HUGGING_FACE,
        ),
        Dialect(
            "torchmetrics",
            "torchmetrics' BLEUScore: of equally close references the first listed counts",
            "torchmetrics 1.9.0, BLEUScore()",
            _FLOAT32,
            _TORCHMETRICS,
        ),
        Dialect(
            "torchmetrics-smooth",
            "torchmetrics' BLEUScore with smooth=True, which acts only where every order has a match",
            "torchmetrics 1.9.0, BLEUScore(smooth=True)",
            _FLOAT32,
            {**_TORCHMETRICS, "smoothing": "add-k(1)"},
        ),
        Dialect(
            "moses",
            "Moses' multi-bleu.perl: text as it is tokenised, no smoothing; the paper's BLEU",
            "multi-bleu.perl (mosesdecoder 3445289)",
            _PRINTED,
        ),
        Dialect(
            "moses-detok",
            "Moses' multi-bleu-detok.perl: the same after 13a",
            "multi-bleu-detok.perl (mosesdecoder 3445289)",
            _UNVERIFIED,
            {"tokenizer": "13a"},
        ),
        Dialect(
            "mteval-v13a",
            "NIST's mteval-v13a.pl: 13a, ASCII lowered (it keeps case with -c), unigrams smoothed, too",
            "mteval-v13a.pl (mosesdecoder 3445289)",
            f"{_PRINTED}, made with -c",
            {**_MTEVAL, "tokenizer": "13a", "case": "lower-ascii"},
        ),
        Dialect(
            "mteval-v14",
            "NIST's mteval-v14.pl with --international-tokenization: intl, lowered, unigrams smoothed, too",
            "mteval-v14.pl --international-tokenization",
            "every printed digit of a recorded output, made with -c",
            {**_MTEVAL, "tokenizer": "intl", "case": "lower"},
        ),
        Dialect(
            "sacrebleu@1.5",
            "sacreBLEU's corpus score up to 1.5, which smoothed even where nothing matches",
            "sacreBLEU 1.4.14 and 1.5.1, corpus_bleu",
            _RECORDED,
            {**_SACREBLEU, "nothing_matches": "smoothed"},
            ("1.4", "1.5"),
        ),
        Dialect(
            "sacrebleu-sentence@1.5",
            "sacreBLEU's sentence score in 1.5, which smoothed even where nothing matches",
            "sacreBLEU 1.5.1, sentence_bleu",
            _RECORDED,
            {**_SACREBLEU, "absent_order": "drop", "nothing_matches": "smoothed"},
            ("1.5",),
        ),
        Dialect(
            "sacrebleu-sentence@1.4",
            "sacreBLEU's sentence score in 1.4, which did not smooth: its floor was 0",
            "sacreBLEU 1.4.14, sentence_bleu",
            _RECORDED,
            {"tokenizer": "13a", "absent_order": "drop"},
            ("1.4",),
        ),
        Dialect(
            "nltk-method2@3.5",
            "NLTK with method2 up to 3.5: one added to matches and totals of unigrams, too",
            "NLTK 3.5, SmoothingFunction().method2",
            _RECORDED,
            {**_NLTK, "smoothing": "add-k-all(1)"},
            ("3.4", "3.5"),
        ),
        Dialect(
            "fairseq",
            "fairseq's own scorer: the paper's BLEU, but an empty text counts as one word",
            "fairseq 0.12.2, fairseq-score and the scorer bleu",
            _RECORDED,
            {"tokenizer": "fairseq"},
        ),
        Dialect(
            "fairseq-sentence",
            "fairseq's scorer for single sentences: one added to matches and totals from order 2",
            "fairseq 0.12.2, Scorer.reset(one_init=True), which fairseq-score --sentence-bleu is for",
            _RECORDED,
            {"tokenizer": "fairseq", "smoothing": "add-k(1)"},
        ),
        Dialect(
            "pycocoevalcap",
            "image captioning's BLEU, the scorer alone: constants of 1e-15 and 1e-9 in place of smoothing",
            "pycocoevalcap 1.2, Bleu().compute_score on texts that its tokenizer has split",
            f"{_RECORDED}, and the package itself",
            {"smoothing": "coco", "nothing_matches": "smoothed-empty", "brevity": "coco"},
        ),
        Dialect(
            "codexglue-code",
            "CodeXGLUE's BLEU of code: shortest reference, one added at every order",
            "CodeXGLUE (commit ac74a62), code refinement and translation, bleu.py",
            _RECORDED,
            {"reference_length": "shortest", "smoothing": "add-k-all(1)", "nothing_matches": "smoothed"},
        ),
        Dialect(
            "codexglue-comments",
            "CodeXGLUE's BLEU of comments on code, lowered; of a corpus it prints the mean; one segment only",
            "CodeXGLUE (commit ac74a62), code to text, evaluator.py",
            _RECORDED,
            {
                "tokenizer": "codexglue",
                "case": "lower",
                "reference_length": "shortest",
                "smoothing": "add-k(1)",
                "absent_order": "one",
                "unmatched_order": "smallest-float-over-total",
                "nothing_matches": "smoothed-empty",
                "brevity": "plus-1",
            },
        ),
    )
}
