"""Scoring: the main functions, for texts, documents, streams and pairs."""
