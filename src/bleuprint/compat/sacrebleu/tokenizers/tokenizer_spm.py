"""sacreBLEU's tokenizers by SentencePiece; the models are sought where it keeps them."""

from __future__ import annotations

from bleuprint.compat.sacrebleu.tokenizers.tokenizer_base import PackageTokenizer

_MODELS = {"spm": "flores101", "flores101": "flores101", "flores200": "flores200", "spBLEU-1K": "spBLEU-1K"}


class TokenizerSPM(PackageTokenizer):
    """The pieces of a model."""

    def __init__(self, key: str = "spm") -> None:
        self.name: str = _MODELS[key]
        self.recipe_name: str = self.name
        super().__init__()


class Flores101Tokenizer(TokenizerSPM):
    """The model of FLORES-101."""

    def __init__(self) -> None:
        super().__init__("flores101")


class Flores200Tokenizer(TokenizerSPM):
    """The model of FLORES-200."""

    def __init__(self) -> None:
        super().__init__("flores200")


class spBLEU1KTokenizer(TokenizerSPM):  # noqa: N801, its name in sacreBLEU
    """The model of spBLEU-1K."""

    def __init__(self) -> None:
        super().__init__("spBLEU-1K")
