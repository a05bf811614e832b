"""How explanations of BLEU are shown."""
