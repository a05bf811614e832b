"""Recipes drawn at random."""

from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.metrics.bleu.recipe import AXES, SMOOTHINGS
from bleuprint.text.tokenizers import FUNCTIONS


def letters(text):
    """An own tokenizer, whose tokens are no strings."""
    return [(letter, 1) for letter in text if letter.isalpha()]


def recipes(tokenizers=(*FUNCTIONS, letters)):
    """Recipes over every axis, up to order 6."""
    choices = {field: st.sampled_from([*axis.choices]) for field, axis in AXES.items() if axis.choices}
    weights = st.lists(st.sampled_from((0, 0.25, 1 / 3, 1, 2.5)), min_size=1, max_size=6).map(tuple).filter(any)
    return st.builds(
        bp.Recipe,
        tokenizer=st.sampled_from(tokenizers),
        weights=weights,
        smoothing=st.sampled_from([*SMOOTHINGS]),
        **choices,
    )
