"""What bleuprint's modules for ``evaluate`` have in common. It needs evaluate, so only these modules load it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import datasets
import evaluate

from bleuprint.adapters.evaluate_module import check_batch, check_options, compute_result

if TYPE_CHECKING:  # as evaluate, which has no types, defines it

    class _Metric:
        pass

else:
    _Metric = evaluate.Metric


class RecipeModule(_Metric):
    """A metric under a recipe of bleuprint."""

    metric_key: ClassVar[str]
    description: ClassVar[str]
    usage: ClassVar[str]
    citation_text: ClassVar[str]

    def _info(self) -> evaluate.MetricInfo:
        text = datasets.Value("string")
        return evaluate.MetricInfo(
            description=type(self).description,
            citation=type(self).citation_text,
            inputs_description=type(self).usage,
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
        check_options(type(self).metric_key, **options)
        return evaluate.Metric.compute(self, predictions=predictions, references=references, **options)

    def _compute(self, predictions: list[str], references: list[list[str]], **options: Any) -> dict[str, object]:
        return compute_result(type(self).metric_key, predictions, references, **options)
