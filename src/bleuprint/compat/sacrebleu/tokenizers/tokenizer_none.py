"""sacreBLEU's tokenizer ``none``."""

from __future__ import annotations

from bleuprint.compat.sacrebleu.tokenizers.tokenizer_base import EngineTokenizer


class NoneTokenizer(EngineTokenizer):
    """White space alone, which stays where it is."""

    recipe_name = "whitespace"

    def __call__(self, line: str) -> str:
        """Give the text as it is."""
        return line
