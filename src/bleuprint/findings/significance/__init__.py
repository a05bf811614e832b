"""Significance: how much of a score, or of a difference between two scores, may be luck of the test set."""
