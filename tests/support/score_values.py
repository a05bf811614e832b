"""What two scores have in common beyond their numbers, which are all that ``==`` compares."""


def values_of(scores):
    """Return the statistics and the recipe of a score, or of each score in a list or a dictionary."""
    if isinstance(scores, dict):
        return {name: values_of(score) for name, score in scores.items()}
    if isinstance(scores, list):
        return [values_of(score) for score in scores]
    return scores.stats, scores.recipe
