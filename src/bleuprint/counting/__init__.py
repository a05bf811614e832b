"""Counting: rows of whole numbers, how they add up, and how they are drawn again."""
