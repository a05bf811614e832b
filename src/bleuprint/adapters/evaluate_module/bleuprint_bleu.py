"""BLEU by bleuprint, for ``evaluate.load(evaluate_path())``."""

from bleuprint.adapters.evaluate_module import modules

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


class _BleuprintBleu(modules.RecipeModule):  # evaluate finds it by itself
    """BLEU under a recipe of bleuprint."""

    metric_key = "bleu"
    description = DESCRIPTION
    usage = USAGE
    citation_text = CITATION
