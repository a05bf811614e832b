"""bleuprint as a module of Hugging Face ``evaluate``, loaded from a file of this package, without a network.

``bleuprint_bleu.py``, ``bleuprint_chrf.py`` and ``bleuprint_ter.py`` are such files. ``evaluate`` copies them into a
cache of its own, so all that can change is here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import signature
from pathlib import Path
from typing import Any

from bleuprint.engines import check_threads
from bleuprint.errors import InputTypeError, Location, RecipeError, unknown_name
from bleuprint.recipes.options import DEFAULT
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.registry import DEFAULT_METRIC, METRICS, find_metric
from bleuprint.scoring.verbs import ReferenceTexts, score
from bleuprint.text.segments import Text, pair_segments
from bleuprint.text.tokenizers.registry import TokenizerFunction

__all__ = ["evaluate_path"]

PLAIN, SMOOTHED = "huggingface", "huggingface-smooth"


def evaluate_path(metric: str = DEFAULT_METRIC) -> str:
    """Say where the module of a metric for Hugging Face ``evaluate`` is, for ``evaluate.load``.

    >>> evaluate_path().endswith("bleuprint_bleu.py"), evaluate_path("ter").endswith("bleuprint_ter.py")
    (True, True)
    """
    if metric not in METRICS:
        raise unknown_name("metric", metric, METRICS, location=Location("metric"), error=RecipeError)
    return str(Path(__file__).with_name(f"bleuprint_{metric}.py"))


def check_batch(predictions: object, references: object) -> tuple[list[Text], list[list[Text]]]:
    """Check a batch as bleuprint does everywhere, and give every prediction a list of references.

    >>> check_batch(["a b", "c"], ["a b", ["c", None]])
    (['a b', 'c'], [['a b'], ['c']])
    """
    segments = pair_segments(predictions, references)
    return segments.candidates, [list(texts) for texts in segments.references]


def check_options(metric: str, *, threads: int | None = None, **options: Any) -> None:
    """Refuse what ``compute_result`` would refuse, before any text is touched."""
    check_threads(threads)
    choose_recipe(metric, **options)


def compute_result(
    metric: str, predictions: Sequence[str], references: ReferenceTexts, *, threads: int | None = None, **options: Any
) -> dict[str, object]:
    """Score as ``evaluate`` asks; the result has bleuprint's names, and those of evaluate's own metric beside them.

    ``options`` are ``recipe``, and the arguments of evaluate's bleu, chrf or ter.

    >>> texts = ["the cat is on mat"], [["the cat is on the mat"]]
    >>> result = compute_result("bleu", *texts, recipe="huggingface", max_order=2)
    >>> round(result["bleu"], 4), result["translation_length"], result["signature"].split("|")[3]
    (0.709, 5, 'N:2')
    >>> compute_result("ter", *texts)["num_edits"]
    1
    """
    scored = score(predictions, references, choose_recipe(metric, **options), threads=threads)
    return {**scored.to_dict(), **_KNOWN_AS[metric](scored)}


def choose_recipe(metric: str, **options: Any) -> Recipe:
    """Find the recipe that the arguments of evaluate's own metric stand for."""
    choose = _CHOOSE[metric]
    known = [*signature(choose).parameters, "threads"]
    for name in options:
        if name not in known:
            fix = f"Options are {', '.join(known)}. Other metrics have their own module: evaluate_path(metric)."
            raise unknown_name(f"option of {find_metric(metric).name}", name, known, fix, error=InputTypeError)
    return choose(**options)


def _choose_bleu(
    recipe: Recipe | str = DEFAULT,
    *,
    max_order: int | None = None,
    smooth: bool = False,
    tokenizer: str | TokenizerFunction | None = None,
) -> Recipe:
    chosen = _recipe_of("bleu", recipe)
    if smooth:
        chosen = _smoothed(chosen)
    if max_order is not None:
        chosen = chosen.replace(order=max_order)
    if tokenizer is not None:
        chosen = chosen.replace(tokenizer=tokenizer)
    return chosen


def _choose_chrf(
    recipe: Recipe | str = "chrf",
    *,
    char_order: int | None = None,
    word_order: int | None = None,
    beta: float | None = None,
    lowercase: bool | None = None,
    whitespace: bool | None = None,
    eps_smoothing: bool | None = None,
) -> Recipe:
    return _changed(
        _recipe_of("chrf", recipe),
        char_order=char_order,
        word_order=word_order,
        beta=beta,
        case=_chosen(lowercase, "lower", "mixed"),
        whitespace=_chosen(whitespace, "kept", "removed"),
        averaging=_chosen(eps_smoothing, "each-order-eps", "effective-order"),
    )


def _choose_ter(
    recipe: Recipe | str = "ter",
    *,
    normalized: bool | None = None,
    ignore_punct: bool | None = None,
    support_zh_ja_chars: bool | None = None,
    case_sensitive: bool | None = None,
) -> Recipe:
    return _changed(
        _recipe_of("ter", recipe),
        normalized=_chosen(normalized, "yes", "no"),
        punctuation=_chosen(ignore_punct, "remove", "keep"),
        asian=_chosen(support_zh_ja_chars, "yes", "no"),
        case=_chosen(case_sensitive, "mixed", "lower"),
    )


def _recipe_of(metric: str, recipe: Recipe | str) -> Recipe:
    chosen = Recipe.of(recipe)
    if chosen.metric.key != metric:
        raise RecipeError(
            f"expected a recipe of {find_metric(metric).name}, got one of {chosen.metric.name}.",
            f'Load the module of that metric: evaluate.load(evaluate_path("{chosen.metric.key}")).',
            location=Location("recipe"),
        )
    return chosen


def _chosen(flag: bool | None, yes: str, no: str) -> str | None:
    """Give the choice that a flag of evaluate's stands for; none where it was not given."""
    return None if flag is None else yes if flag else no


def _changed(recipe: Recipe, **choices: object) -> Recipe:
    return recipe.with_choices({field: value for field, value in choices.items() if value is not None})


def _known_as_bleu(score: Any) -> dict[str, object]:
    stats = score.stats
    ratio = stats.candidate_length / stats.reference_length if stats.reference_length else None
    return {"bleu": score.fraction, "length_ratio": ratio, "translation_length": stats.candidate_length}


def _known_as_chrf(score: Any) -> dict[str, object]:
    recipe = score.recipe
    return {"char_order": recipe.char_order, "word_order": recipe.word_order, "beta": recipe.beta}


def _known_as_ter(score: Any) -> dict[str, object]:
    return {"num_edits": score.edits, "ref_length": score.reference_length}


_CHOOSE: dict[str, Callable[..., Recipe]] = {"bleu": _choose_bleu, "chrf": _choose_chrf, "ter": _choose_ter}
_KNOWN_AS = {"bleu": _known_as_bleu, "chrf": _known_as_chrf, "ter": _known_as_ter}
"""The names that evaluate's own metrics have for parts of their results."""


def _smoothed(recipe: Recipe) -> Recipe:
    if recipe not in (Recipe.named(PLAIN), Recipe.named(SMOOTHED)):
        raise RecipeError(
            f"smooth=True is defined for the recipe {PLAIN!r} only.",
            f'Pass recipe="{SMOOTHED}", or another recipe with smoothing, such as "sacrebleu".',
        )
    return Recipe.named(SMOOTHED)
