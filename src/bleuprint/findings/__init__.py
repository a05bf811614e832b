"""Analysis of scores: explanations, reconciliations, identifications, comparisons."""
