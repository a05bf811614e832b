"""bleuprint as a module of Hugging Face ``evaluate``, loaded from a file of this package, without a network.

``bleuprint_bleu.py`` is that file. ``evaluate`` copies it into a cache of its own, so all that can change is here.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bleuprint.engines import check_threads
from bleuprint.errors import RecipeError, quote
from bleuprint.recipes.dialect import DEFAULT
from bleuprint.recipes.recipe import Recipe
from bleuprint.scoring.verbs import ReferenceTexts, score
from bleuprint.text.segments import Text, pair_segments
from bleuprint.text.tokenizers.registry import TokenizerFunction

PLAIN, SMOOTHED = "huggingface", "huggingface-smooth"


def evaluate_path() -> str:
    """Say where the module for Hugging Face ``evaluate`` is, for ``evaluate.load``.

    >>> evaluate_path().endswith("bleuprint_bleu.py")
    True
    """
    return str(Path(__file__).with_name("bleuprint_bleu.py"))


def check_batch(predictions: object, references: object) -> tuple[list[Text], list[list[Text]]]:
    """Check a batch as bleuprint does everywhere, and give every prediction a list of references.

    >>> check_batch(["a b", "c"], ["a b", ["c", None]])
    (['a b', 'c'], [['a b'], ['c']])
    """
    segments = pair_segments(predictions, references)
    return segments.candidates, [list(texts) for texts in segments.references]


def check_options(*, threads: int | None = None, recipe: Recipe | str = DEFAULT, **options: Any) -> None:
    """Refuse what ``compute_result`` would refuse, before any text is touched."""
    check_threads(threads)
    choose_recipe(recipe, **options)


def compute_result(
    predictions: Sequence[str],
    references: ReferenceTexts,
    recipe: Recipe | str = DEFAULT,
    *,
    max_order: int | None = None,
    smooth: bool = False,
    tokenizer: str | TokenizerFunction | None = None,
    threads: int | None = None,
) -> dict[str, object]:
    """Score as ``evaluate`` asks; the result has bleuprint's names, and those of evaluate's own bleu beside them.

    ``max_order``, ``smooth`` and ``tokenizer`` are the arguments of evaluate's bleu.

    >>> result = compute_result(["the cat is on mat"], [["the cat is on the mat"]], "huggingface", max_order=2)
    >>> round(result["bleu"], 4), result["translation_length"], result["signature"].split("|")[3]
    (0.709, 5, 'N:2')
    """
    chosen = choose_recipe(recipe, max_order=max_order, smooth=smooth, tokenizer=tokenizer)
    scored = score(predictions, references, chosen, threads=threads)
    stats = scored.stats
    ratio = stats.candidate_length / stats.reference_length if stats.reference_length else None
    return {
        **scored.to_dict(),
        "bleu": scored.fraction,
        "length_ratio": ratio,
        "translation_length": stats.candidate_length,
    }


def choose_recipe(
    recipe: Recipe | str,
    *,
    max_order: int | None = None,
    smooth: bool = False,
    tokenizer: str | TokenizerFunction | None = None,
) -> Recipe:
    """Find the recipe that the arguments of evaluate's bleu stand for."""
    chosen = Recipe.of(recipe)
    if smooth:
        chosen = _smoothed(chosen)
    if max_order is not None:
        chosen = chosen.replace(order=max_order)
    if tokenizer is not None:
        chosen = chosen.replace(tokenizer=tokenizer)
    return chosen


def _smoothed(recipe: Recipe) -> Recipe:
    if recipe not in (Recipe.named(PLAIN), Recipe.named(SMOOTHED)):
        raise RecipeError(
            where="smooth",
            wanted=f"the recipe {PLAIN!r}, for which smooth=True is defined",
            got=quote(str(recipe)),
            next_step=f'Say recipe="{SMOOTHED}", or another recipe that smooths, such as "sacrebleu".',
        )
    return Recipe.named(SMOOTHED)
