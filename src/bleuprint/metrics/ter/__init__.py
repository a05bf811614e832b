"""TER: its axes and dialects, how words are aligned and moved, its formula, and what is worth a note."""
