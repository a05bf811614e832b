"""Scoring: the verbs people call, for texts, documents, streams and pairs."""
