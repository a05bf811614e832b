"""torchmetrics: its BLEU with the kernel under it."""
