"""Files and test sets: corpora are read so that no pair ever shifts, results are written whole or not at all."""
