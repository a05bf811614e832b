"""A segment on which NLTK stops with an error."""

CANDIDATE, REFERENCE, RECIPE = "a b c d", "a b x d", "nltk-method6"
