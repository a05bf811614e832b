"""chrF by bleuprint, for ``evaluate.load(evaluate_path("chrf"))``."""

from bleuprint.adapters.evaluate_module import modules

DESCRIPTION = """\
chrF and chrF++ under any recipe of bleuprint: "chrf" (the default, sacreBLEU's numbers), "chrf++", "nltk-chrf",
"torchmetrics-chrf", or a signature.
"""
USAGE = """
Args:
    predictions: list of texts to score.
    references: list with the reference, or the list of references, of each prediction.
    recipe: the name of a dialect or a signature; "chrf" unless told otherwise.
    char_order, word_order, beta, lowercase, whitespace, eps_smoothing: as evaluate's chrf takes them.
    threads: how many threads count.

Returns:
    score (0 to 100), fraction (0 to 1), precision, recall and F of each order, matches, n-grams of both sides, lengths,
    segments, signature and notes; and, by the names of evaluate's chrf, char_order, word_order and beta.
"""
CITATION = """\
@inproceedings{popovic-2015-chrf,
    title = "chr{F}: character n-gram {F}-score for automatic {MT} evaluation",
    author = "Popovi{\\'c}, Maja",
    booktitle = "Proceedings of the Tenth Workshop on Statistical Machine Translation",
    year = "2015"
}
"""


class _BleuprintChrf(modules.RecipeModule):  # evaluate finds it by itself
    """chrF under a recipe of bleuprint."""

    metric_key = "chrf"
    description = DESCRIPTION
    usage = USAGE
    citation_text = CITATION
