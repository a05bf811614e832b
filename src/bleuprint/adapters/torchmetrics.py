"""bleuprint as a metric of torchmetrics: whole numbers as state, added across batches, devices and processes."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import Any, ClassVar, Self

from bleuprint.counting.sums import Sums
from bleuprint.engines import check_threads
from bleuprint.errors import Location, RecipeError, ShapeError, missing_package
from bleuprint.metrics.score import AnyScore
from bleuprint.recipes.options import DEFAULT
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.registry import find_metric
from bleuprint.scoring.accumulator import Accumulator
from bleuprint.scoring.verbs import ReferenceTexts
from bleuprint.text.segments import Text

try:
    import torch
    from torchmetrics import Metric
except ModuleNotFoundError as _missing:
    if _missing.name not in ("torch", "torchmetrics"):
        raise
    raise missing_package(_missing.name, '"bleuprint[torch]"') from None
__all__ = ["BleuMetric", "ChrfMetric", "RecipeMetric", "TerMetric"]


class RecipeMetric(Metric):  # type: ignore[misc]
    """A score under a recipe, as a metric of torchmetrics: ``BleuMetric``, ``ChrfMetric`` or ``TerMetric``.

    The state is 64-bit integers, so the score of many processes is the score of one. ``compute`` gives a tensor on 0 to
    100, or on 0 to 1, where torchmetrics' own metrics are, with ``as_fraction=True``; ``score`` gives the whole result
    with its signature and its notes. What all processes have put together is kept until ``update``, ``reset``, or
    another state comes in: then one of them may ask again alone.
    """

    metric_key: ClassVar[str]
    """the metric of its recipes"""
    is_differentiable: bool = False
    higher_is_better: bool = True
    full_state_update: bool = False
    plot_lower_bound: float = 0.0

    sums: torch.Tensor
    counting: torch.Tensor

    def __init__(
        self, recipe: Recipe | str, *, as_fraction: bool = False, threads: int | None = None, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        check_threads(threads)
        self.recipe: Recipe = self._checked_recipe(recipe)
        self.as_fraction: bool = as_fraction
        self.threads: int | None = threads
        self.add_state("sums", _integers(Sums.zero(self.recipe.layout).numbers), dist_reduce_fx="sum")
        self.add_state("counting", _integers(_fingerprint(self.recipe)), dist_reduce_fx="max")

    def update(self, preds: Iterable[Text], target: ReferenceTexts) -> None:
        """Add candidates, and for each its reference or its list of references; if one is refused, none is added."""
        if isinstance(preds, (list, tuple)) and isinstance(target, (list, tuple)) and not preds and not target:
            return  # a process may get no text
        self._refuse_other_counts()
        batch = Accumulator(self.recipe)
        batch.add_batch(preds, target, threads=self.threads)
        self.sums = self.sums + _integers(batch.sums.numbers, self.device)

    def compute(self) -> torch.Tensor:
        """Score everything added so far, in all processes; the first time, all of them must ask."""
        self._scored = self._read()
        value = self._scored.fraction if self.as_fraction else self._scored.score
        kind = torch.float32 if self.device.type == "mps" else torch.float64  # which has no 64-bit floats
        return torch.tensor(value, dtype=kind, device=self.device)

    def score(self) -> AnyScore:
        """Give the whole result of what ``compute`` gives the number of."""
        self.compute()
        return self._scored

    def merge_state(self, incoming_state: dict[str, Any] | Metric) -> None:
        """Add the state of another metric."""
        self._refuse_counts_of(
            incoming_state.counting if isinstance(incoming_state, RecipeMetric) else incoming_state["counting"]
        )
        self._computed = None  # which torchmetrics forgets
        super().merge_state(incoming_state)

    def plot(self, val: Any = None, ax: Any = None) -> Any:
        """Draw a value, several of them, or what ``compute`` gives, as torchmetrics does; matplotlib is due."""
        return self._plot(val, ax)

    @property
    def plot_upper_bound(self) -> float | None:
        """The end of the scale; none where a score may lie beyond it."""
        if not self.higher_is_better:
            return None
        return 1.0 if self.as_fraction else 100.0

    def set_dtype(self, dst_type: str | torch.dtype) -> Self:
        """Leave the state as it is: counts are whole numbers."""
        return self

    def _load_from_state_dict(self, state_dict: dict[str, Any], prefix: str, *others: Any) -> None:
        if any(prefix + name in state_dict for name in self._defaults):
            self._refuse_counts_of(state_dict.get(prefix + "counting", self.counting))
            self._computed = None  # which torchmetrics forgets
        super()._load_from_state_dict(state_dict, prefix, *others)

    def _read(self) -> AnyScore:
        self._refuse_other_counts()
        sums = Sums.from_numbers(self.recipe.layout, tuple(self.sums.tolist()))
        if not sums.segments:
            raise ShapeError("There are no segments to score.", "Call update with candidates and references first.")
        return self.recipe.metric.score_sums(sums, self.recipe)

    def _refuse_other_counts(self) -> None:
        self._refuse_counts_of(self.counting)

    def _refuse_counts_of(self, counting: torch.Tensor) -> None:
        if counting.tolist() != _fingerprint(self.recipe):
            fix = "Use the same recipe in every process, and when a state is loaded."
            raise RecipeError(f"The counts were made with another recipe than {self.recipe}.", fix)

    def _checked_recipe(self, recipe: Recipe | str) -> Recipe:
        """Refuse another metric's recipe, and a tokenizer without a name, which other processes cannot compare."""
        chosen = Recipe.of(recipe)
        if chosen.metric.key != self.metric_key:
            raise RecipeError(
                f"expected a recipe of {find_metric(self.metric_key).name}, got one of {chosen.metric.name}.",
                "There is a class for each metric: BleuMetric, ChrfMetric, TerMetric.",
                location=Location("recipe"),
            )
        if chosen.has_axis("tokenizer") and callable(chosen.tokenizer):
            raise RecipeError(
                "The tokenizer has no name, so other processes cannot check that they count alike.",
                "Name it in every process: bleuprint.register_tokenizer(name, function).",
                location=Location("recipe", option="tokenizer"),
            )
        return chosen


class BleuMetric(RecipeMetric):
    """BLEU under a recipe, as a metric of torchmetrics.

    >>> metric = BleuMetric(recipe="paper")
    >>> metric.update(["the cat is on mat"], [["the cat is on the mat"]])
    >>> metric.compute()
    tensor(57.8930, dtype=torch.float64)
    >>> metric.score().stats.matches
    (5, 3, 2, 1)
    """

    metric_key = "bleu"

    def __init__(self, recipe: Recipe | str = DEFAULT, **options: Any) -> None:
        super().__init__(recipe, **options)


class ChrfMetric(RecipeMetric):
    """chrF or chrF++ under a recipe, as a metric of torchmetrics.

    >>> metric = ChrfMetric("chrf++")
    >>> metric.update(["the cat is on mat"], [["the cat is on the mat"]])
    >>> round(metric.compute().item(), 4)
    66.7441
    """

    metric_key = "chrf"

    def __init__(self, recipe: Recipe | str = "chrf", **options: Any) -> None:
        super().__init__(recipe, **options)


class TerMetric(RecipeMetric):
    """TER under a recipe, as a metric of torchmetrics: the lower the better.

    >>> metric = TerMetric()
    >>> metric.update(["the cat is on mat"], [["the cat is on the mat"]])
    >>> round(metric.compute().item(), 4), metric.higher_is_better
    (16.6667, False)
    """

    metric_key = "ter"
    higher_is_better: bool = False

    def __init__(self, recipe: Recipe | str = "ter", **options: Any) -> None:
        super().__init__(recipe, **options)


def _fingerprint(recipe: Recipe) -> list[int]:
    """Tell ways of counting apart, by bytes: MetricCollection compares with a tolerance that large numbers meet."""
    layout = recipe.layout
    return list(sha256(f"{layout.metric}|{layout.order}|{layout.counting}".encode()).digest())


def _integers(numbers: Iterable[int], device: torch.device | None = None) -> torch.Tensor:
    return torch.tensor(list(numbers), dtype=torch.int64, device=device)
