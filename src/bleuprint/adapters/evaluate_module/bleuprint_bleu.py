"""BLEU by bleuprint, for ``evaluate.load(evaluate_path())``."""

from typing import Any

import datasets
import evaluate

from bleuprint.adapters.evaluate_module import check_batch, check_options, compute_result

DESCRIPTION = """\
BLEU under any recipe of bleuprint: "sacrebleu" (the default), "huggingface" (the numbers of evaluate's bleu), "nltk",
"torchmetrics", or a signature.
"""
USAGE = """
Args:
    predictions: list of texts to score.
    references: list with the reference, or the list of references, of each prediction.
    recipe: the name of a dialect or a signature; "sacrebleu" unless told otherwise.
    max_order, smooth, tokenizer: as evaluate's bleu takes them; smooth needs recipe="huggingface".
    threads: how many threads count.

Returns:
    score (0 to 100), fraction (0 to 1), precisions, smoothed_precisions, brevity_penalty, geometric_mean, matches,
    totals, candidate_length, reference_length, segments, signature and notes; and, by the names of evaluate's bleu,
    bleu (0 to 1), length_ratio and translation_length.
"""
CITATION = """\
@inproceedings{papineni-etal-2002-bleu,
    title = "{B}leu: a Method for Automatic Evaluation of Machine Translation",
    author = "Papineni, Kishore and Roukos, Salim and Ward, Todd and Zhu, Wei-Jing",
    booktitle = "Proceedings of the 40th Annual Meeting of the Association for Computational Linguistics",
    year = "2002"
}
"""


class _BleuprintBleu(evaluate.Metric):  # type: ignore[misc]  # evaluate, which has no types, finds it by itself
    """BLEU under a recipe of bleuprint."""

    def _info(self) -> evaluate.MetricInfo:
        text = datasets.Value("string")
        return evaluate.MetricInfo(
            description=DESCRIPTION,
            citation=CITATION,
            inputs_description=USAGE,
            features=datasets.Features({"predictions": text, "references": datasets.Sequence(text)}),
        )

    # evaluate copies the next three for every instance, which super() without arguments does not survive. It looks at
    # the first segment of a batch alone and turns others into text or characters, so they are checked before. And it
    # forgets all texts when computing fails, so options are checked before, too.

    def add(self, *, prediction: str, reference: object) -> None:
        """Add one prediction with its reference or its list of references."""
        self.add_batch(predictions=[prediction], references=[reference])

    def add_batch(self, *, predictions: object, references: object) -> None:
        """Add predictions, and for each its reference or its list of references."""
        texts, lists = check_batch(predictions, references)
        evaluate.Metric.add_batch(self, predictions=texts, references=lists)

    def compute(self, *, predictions: object = None, references: object = None, **options: Any) -> object:
        """Score what was added, and the predictions and references given here."""
        check_options(**options)
        return evaluate.Metric.compute(self, predictions=predictions, references=references, **options)

    def _compute(self, predictions: list[str], references: list[list[str]], **options: Any) -> dict[str, object]:
        return compute_result(predictions, references, **options)
