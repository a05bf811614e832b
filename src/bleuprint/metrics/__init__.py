"""Metrics: one room each, with the same files; what a score is, from counts to reasons."""
