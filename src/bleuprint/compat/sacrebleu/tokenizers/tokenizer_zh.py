"""sacreBLEU's tokenizer ``zh``."""

from __future__ import annotations

from bleuprint.compat.sacrebleu.tokenizers.tokenizer_base import EngineTokenizer


class TokenizerZh(EngineTokenizer):
    """Chinese characters one by one, the rest as 13a does."""

    recipe_name = "zh"
