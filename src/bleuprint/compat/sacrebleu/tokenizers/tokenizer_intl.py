"""sacreBLEU's tokenizer ``intl``."""

from __future__ import annotations

from bleuprint.compat.sacrebleu.tokenizers.tokenizer_base import EngineTokenizer


class TokenizerV14International(EngineTokenizer):
    """As mteval-v14 does, by the classes of Unicode."""

    recipe_name = "intl"
