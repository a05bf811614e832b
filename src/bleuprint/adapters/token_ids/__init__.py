"""BLEU of rows of token ids on a CUDA device: one kernel source, the plan of its memory, and its way to torch."""
