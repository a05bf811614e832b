"""Recipes: what a choice is, and how a set of them that decides a score is named, printed and parsed."""
