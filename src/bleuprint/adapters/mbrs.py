"""bleuprint as a metric of mbrs, for minimum-Bayes-risk decoding: ``get_metric("bleuprint")`` once this is imported."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from bleuprint.errors import missing_package
from bleuprint.metrics.metric import Better
from bleuprint.recipes.options import DEFAULT, SEGMENT_DEFAULT
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.registry import DEFAULT_METRIC
from bleuprint.scoring.pairs import pairwise
from bleuprint.scoring.verbs import score, score_segments, score_sentence

__all__ = ["MetricBleuprint"]

Own = TypeVar("Own")

if TYPE_CHECKING:  # as mbrs, which has no types, defines them
    import torch

    class _Metric:
        class Config: ...

        cfg: Any

        def __init__(self, cfg: object) -> None: ...

    def _register(name: str) -> Callable[[type[Own]], type[Own]]: ...

else:
    try:
        import torch
        from mbrs.metrics import Metric as _Metric
        from mbrs.metrics import register as _register
    except ModuleNotFoundError as _missing:
        if _missing.name not in ("torch", "mbrs"):
            raise
        raise missing_package(_missing.name, "mbrs") from None


@_register("bleuprint")
class MetricBleuprint(_Metric):
    """BLEU, chrF or TER under a recipe, as a metric of mbrs: all pairs at once instead of one call for each."""

    @dataclass
    class Config(_Metric.Config):
        """What mbrs reads from its command line and its files."""

        recipe: str = SEGMENT_DEFAULT
        """the name of a dialect, or a signature"""
        corpus_recipe: str | None = None
        """the same for ``corpus_score``; by default sacreBLEU's for BLEU, and ``recipe`` for other metrics"""
        threads: int | None = None

    def __init__(self, cfg: MetricBleuprint.Config) -> None:
        super().__init__(cfg)
        self.recipe: Recipe = Recipe.of(cfg.recipe)
        corpus = DEFAULT if self.recipe.metric_key == DEFAULT_METRIC else self.recipe
        self.corpus_recipe: Recipe = Recipe.of(corpus if cfg.corpus_recipe is None else cfg.corpus_recipe)
        self.HIGHER_IS_BETTER: bool = self.recipe.metric.better is Better.HIGHER  # by which mbrs decodes

    def score(self, hypothesis: str, reference: str, source: str | None = None) -> float:
        """Score a text, on 0 to 100."""
        return score_sentence(hypothesis, reference, self.recipe).score

    def scores(self, hypotheses: list[str], references: list[str], sources: list[str] | None = None) -> torch.Tensor:
        """Score every text against its own reference."""
        return torch.tensor(score_segments(hypotheses, references, self.recipe, threads=self.cfg.threads).scores)

    def pairwise_scores(self, hypotheses: list[str], references: list[str], source: str | None = None) -> torch.Tensor:
        """Score every text against every reference."""
        scores = pairwise(hypotheses, references, self.recipe, threads=self.cfg.threads)
        return torch.tensor([list(row) for row in scores])

    def corpus_score(
        self, hypotheses: list[str], references_lists: list[list[str]], sources: list[str] | None = None
    ) -> float:
        """Score a corpus; mbrs hands references over in columns, each with one for every text."""
        references = [list(own) for own in zip(*references_lists, strict=True)]
        return float(score(hypotheses, references, self.corpus_recipe, threads=self.cfg.threads).score)
