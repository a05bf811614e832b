"""Exercises for people: the worksheet, with room for answers, and the solution, step by step."""
