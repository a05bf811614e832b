"""TER by bleuprint, for ``evaluate.load(evaluate_path("ter"))``."""

from bleuprint.adapters.evaluate_module import modules

DESCRIPTION = """\
TER under any recipe of bleuprint: "ter" (the default, sacreBLEU's numbers), "torchmetrics-ter", or a signature. The
lower, the better.
"""
USAGE = """
Args:
    predictions: list of texts to score.
    references: list with the reference, or the list of references, of each prediction.
    recipe: the name of a dialect or a signature; "ter" unless told otherwise.
    normalized, ignore_punct, support_zh_ja_chars, case_sensitive: as evaluate's ter takes them.
    threads: how many threads count.

Returns:
    score (0 for no edits), fraction, edits, insertions, deletions, substitutions, shifts, lengths, segments, signature
    and notes; and, by the names of evaluate's ter, num_edits and ref_length.
"""
CITATION = """\
@inproceedings{snover-etal-2006-study,
    title = "A Study of Translation Edit Rate with Targeted Human Annotation",
    author = "Snover, Matthew and Dorr, Bonnie and Schwartz, Rich and Micciulla, Linnea and Makhoul, John",
    booktitle = "Proceedings of the 7th Conference of the Association for Machine Translation in the Americas",
    year = "2006"
}
"""


class _BleuprintTer(modules.RecipeModule):  # evaluate finds it by itself
    """TER under a recipe of bleuprint."""

    metric_key = "ter"
    description = DESCRIPTION
    usage = USAGE
    citation_text = CITATION
