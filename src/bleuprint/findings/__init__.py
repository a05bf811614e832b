"""Findings: what scores tell: explanations, reconciliations, identifications, comparisons."""
