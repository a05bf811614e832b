"""BLEU: its axes and dialects, its counts, its formula, and what is worth a note."""
