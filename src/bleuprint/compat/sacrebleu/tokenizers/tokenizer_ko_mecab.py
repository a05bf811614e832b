"""sacreBLEU's tokenizer ``ko-mecab``."""

from __future__ import annotations

from bleuprint.compat.sacrebleu.tokenizers.tokenizer_base import MecabTokenizer


class TokenizerKoMecab(MecabTokenizer):
    """Korean, by MeCab-ko and its dictionary."""

    recipe_name = "ko-mecab"
