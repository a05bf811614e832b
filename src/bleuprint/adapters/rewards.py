"""BLEU or chrF as a reward: in the forms in which trainers call such functions, for texts and for token ids.

``BleuReward`` is for TRL (``GRPOTrainer(reward_funcs=BleuReward(), ...)``), ``compute_score`` for verl
(``custom_reward_function.path=pkg://bleuprint.adapters.rewards``). Rewards are on 0 to 1 unless told otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bleuprint.engines import check_threads
from bleuprint.errors import Location, RecipeError, ShapeError, unknown_name, wrong_type
from bleuprint.metrics.metric import Better
from bleuprint.recipes.options import SEGMENT_DEFAULT
from bleuprint.recipes.recipe import Recipe
from bleuprint.scoring.verbs import score_segments, score_sentence

__all__ = ["BleuReward", "compute_score"]


class BleuReward:
    """A reward function for TRL: BLEU, or chrF, of each completion against a column of the data set.

    ``references`` names the column: of texts or lists of texts, or with ``ids=True`` of rows of ids or lists of such.
    Completions are texts or, in a chat, messages; of those the last one counts. With ``ids=True`` the ids of the
    completions are scored as they were drawn; ``eos`` and ``pad`` say where they end.

    >>> reward = BleuReward("translation", recipe="paper")
    >>> chat = [{"role": "assistant", "content": "the cat is on mat"}]
    >>> [round(one, 4) for one in reward(["?"], [chat], translation=["the cat is on the mat"])]
    [0.5789]
    >>> BleuReward(ids=True)(["?"], ["..."], [[5, 6, 7, 8]], references=[[5, 6, 7, 8]])
    [1.0]
    """

    def __init__(
        self,
        references: str = "references",
        *,
        recipe: Recipe | str = SEGMENT_DEFAULT,
        ids: bool = False,
        eos: int | None = None,
        pad: int | None = None,
        as_fraction: bool = True,
        threads: int | None = None,
        name: str | None = None,
    ) -> None:
        self.references: str = references
        self.recipe: Recipe = _for_rewards(recipe)
        if self.recipe.is_pretokenized and not ids:
            fix = "Choose a tokenizer, or score the ids themselves: ids=True."
            raise RecipeError("Completions are texts, but the recipe has no tokenizer.", fix)
        if ids:
            from bleuprint.adapters.torch import recipe_for_ids

            recipe_for_ids(self.recipe)  # refuses what counts no tokens now, and not in the midst of training
        self.as_fraction: bool = as_fraction
        self.threads: int | None = check_threads(threads)
        self.ids: bool = ids
        self.eos: int | None = eos
        self.pad: int | None = pad
        self.__name__: str = self.recipe.metric_key if name is None else name
        """under which TRL logs the rewards, that of the metric by default; two of one trainer need two names"""

    def __call__(
        self,
        prompts: Sequence[Any],
        completions: Sequence[Any],
        completion_ids: Sequence[Sequence[int]] | None = None,
        **columns: Any,
    ) -> list[float]:
        """Give the reward of each completion."""
        if self.references not in columns:
            listed = [name for name, column in columns.items() if isinstance(column, list)]
            fix = f"Pass its name, BleuReward('column'). There are {', '.join(listed) or 'no columns'}."
            raise unknown_name("column", self.references, listed, fix, error=ShapeError)
        if self.ids and completion_ids is None:
            message = "The trainer passes no ids of completions."
            raise ShapeError(message, "Score texts: ids=False.", location=Location("completion_ids"))
        references = columns[self.references]
        scores = (
            self._score_texts(completions, references)
            if completion_ids is None or not self.ids
            else self._score_ids(completion_ids, references)
        )
        return [score / 100.0 for score in scores] if self.as_fraction else scores

    def _score_texts(self, completions: Sequence[Any], references: Sequence[Any]) -> list[float]:
        if not completions:
            return []
        texts = [read_completion(completion, index) for index, completion in enumerate(completions)]
        return list(score_segments(texts, references, self.recipe, threads=self.threads).scores)

    def _score_ids(self, completions: Sequence[Any], references: Sequence[Any]) -> list[float]:
        from bleuprint.adapters.torch import score_ids

        scores = score_ids(
            list(completions), list(references), recipe=self.recipe, eos=self.eos, pad=self.pad, threads=self.threads
        )
        listed: list[float] = scores.tolist()
        return listed


def compute_score(
    data_source: object,
    solution_str: str,
    ground_truth: Any,
    extra_info: Mapping[str, Any] | None = None,
    *,
    recipe: Recipe | str = SEGMENT_DEFAULT,
    as_fraction: bool = True,
    **_others: Any,
) -> float:
    """Score one solution, as verl asks for it; the ground truth is a text or several.

    >>> compute_score("wmt", "the cat sat down", ["the cat sat", "the cat sat down"])
    1.0
    """
    references = ground_truth.tolist() if hasattr(ground_truth, "tolist") else ground_truth  # a column of Parquet
    score = score_sentence(solution_str, references, _for_rewards(recipe))
    return score.fraction if as_fraction else score.score


def _for_rewards(recipe: Recipe | str) -> Recipe:
    """Refuse a metric that trainers would raise where lower is better."""
    chosen = Recipe.of(recipe)
    if chosen.metric.better is not Better.HIGHER:
        message = f"A trainer maximizes its reward, but lower is better for {chosen.metric.name}."
        raise RecipeError(message, "Use BLEU or chrF, or negate the score yourself.", location=Location("recipe"))
    return chosen


def read_completion(completion: object, index: int = 0) -> str:
    """Give the text of a completion: itself, or what the last message of a chat says.

    >>> read_completion([{"role": "assistant", "content": [{"type": "text", "text": "so"}]}])
    'so'
    """
    if isinstance(completion, str):
        return completion
    last = completion[-1] if isinstance(completion, (list, tuple)) and completion else None
    content = last.get("content", "") if isinstance(last, Mapping) else None
    if isinstance(content, (list, tuple)) and all(isinstance(part, Mapping) for part in content):
        content = "".join(str(part["text"]) for part in content if part.get("type") == "text")
    if isinstance(last, Mapping) and content is None:  # a message that only calls a tool says nothing
        return ""
    if not isinstance(content, str):
        expected = "a text, or a list of messages with a role and a content"
        fix = "To score ids, use BleuReward(ids=True)."
        raise wrong_type(expected, completion, fix, location=Location("completions", index))
    return content
