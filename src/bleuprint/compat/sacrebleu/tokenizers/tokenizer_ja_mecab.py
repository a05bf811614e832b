"""sacreBLEU's tokenizer ``ja-mecab``."""

from __future__ import annotations

from bleuprint.compat.sacrebleu.tokenizers.tokenizer_base import MecabTokenizer


class TokenizerJaMecab(MecabTokenizer):
    """Japanese, by MeCab and the IPA dictionary."""

    recipe_name = "ja-mecab"
