"""Files: reading corpora so that no pair ever shifts, and writing results whole or not at all."""
