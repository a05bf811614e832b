"""sacreBLEU's tokenizer ``char``."""

from __future__ import annotations

from bleuprint.compat.sacrebleu.tokenizers.tokenizer_base import EngineTokenizer


class TokenizerChar(EngineTokenizer):
    """Every character that is not white space."""

    recipe_name = "char"
