"""Lessons: texts to teach BLEU with, and what each step of a lesson shows of them."""
