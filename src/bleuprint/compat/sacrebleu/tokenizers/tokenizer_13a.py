"""sacreBLEU's tokenizer ``13a``."""

from __future__ import annotations

from bleuprint.compat.sacrebleu.tokenizers.tokenizer_base import EngineTokenizer


class Tokenizer13a(EngineTokenizer):
    """As mteval-v13a does, which is BLEU's usual one."""

    recipe_name = "13a"
