"""sacreBLEU's tokenizers, by the same names.

sacreBLEU has a module for each of them. This module stands for all: ``tokenizers.tokenizer_13a`` is this one, too.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from bleuprint.compat.sacrebleu.bleu_counts import name_tokenizers
from bleuprint.metrics.bleu.sacrebleu import print_tokenizer
from bleuprint.text.tokenizers import tokenize
from bleuprint.text.tokenizers.registry import find_tokenizer
from bleuprint.text.tokenizers.tercom import prepare_text

MODULES = ("base", "none", "13a", "intl", "zh", "char", "ja_mecab", "ko_mecab", "spm", "ter")
_MODELS = {"spm": "flores101", "flores101": "flores101", "flores200": "flores200", "spBLEU-1K": "spBLEU-1K"}


class BaseTokenizer:
    """A tokenizer as sacreBLEU has them: a function from a text to the text with spaces between tokens."""

    def signature(self) -> str:
        """Return the name that signatures show."""
        raise NotImplementedError

    def __call__(self, line: str) -> str:
        """Put spaces between the tokens of a text."""
        raise NotImplementedError


class EngineTokenizer(BaseTokenizer):
    """A tokenizer that the engines have, too."""

    recipe_name: str
    """Its name in a recipe."""

    def signature(self) -> str:
        """Return the name that signatures show."""
        return print_tokenizer(self.recipe_name)

    def __call__(self, line: str) -> str:
        """Put spaces between the tokens of a text."""
        return " ".join(map(str, tokenize(line, self.recipe_name, "mixed")))


class NoneTokenizer(EngineTokenizer):
    """Only white space, which stays as it is."""

    recipe_name = "whitespace"

    def __call__(self, line: str) -> str:
        """Return the text as it is."""
        return line


class Tokenizer13a(EngineTokenizer):
    """mteval-v13a, the default of BLEU."""

    recipe_name = "13a"


class TokenizerV14International(EngineTokenizer):
    """mteval-v14, by the classes of Unicode."""

    recipe_name = "intl"


class TokenizerZh(EngineTokenizer):
    """Chinese characters one by one, everything else as 13a."""

    recipe_name = "zh"


class TokenizerChar(EngineTokenizer):
    """Every character that is not white space."""

    recipe_name = "char"


class PackageTokenizer(EngineTokenizer):
    """A tokenizer that needs a package. Making one raises an error if the package is not installed."""

    def __init__(self) -> None:
        self.recipe_name: str = find_tokenizer(self.recipe_name).name
        super().__call__("")


class MecabTokenizer(PackageTokenizer):
    """A tokenizer that uses MeCab. MeCab reads up to a NUL character, as in sacreBLEU."""

    def __call__(self, line: str) -> str:
        """Put spaces between the tokens of a text."""
        return super().__call__(line.partition("\0")[0])


class TokenizerJaMecab(MecabTokenizer):
    """Japanese, by MeCab and the IPA dictionary."""

    recipe_name = "ja-mecab"


class TokenizerKoMecab(MecabTokenizer):
    """Korean, by MeCab-ko and its dictionary."""

    recipe_name = "ko-mecab"


class TokenizerSPM(PackageTokenizer):
    """The pieces of a SentencePiece model, which is searched for in sacreBLEU's folder."""

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


class TercomTokenizer(BaseTokenizer):
    """The preparation of TER's texts: lowercase, normalize, remove punctuation, separate words by single spaces."""

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
    ) -> None:
        self._normalized = normalized
        self._no_punct = no_punct
        self._asian_support = asian_support
        self._case_sensitive = case_sensitive

    def signature(self) -> str:
        """Return the name that signatures show."""
        return "tercom"

    def __call__(self, sent: str) -> str:
        """Prepare a text."""
        prepared = prepare_text(
            sent if self._case_sensitive else sent.lower(),
            normalized=self._normalized,
            asian=self._asian_support,
            keep_punctuation=not self._no_punct,
        )
        return " ".join(prepared.split())


CLASSES: dict[str, type[EngineTokenizer]] = {
    "none": NoneTokenizer,
    "zh": TokenizerZh,
    "13a": Tokenizer13a,
    "intl": TokenizerV14International,
    "char": TokenizerChar,
    "ja-mecab": TokenizerJaMecab,
    "ko-mecab": TokenizerKoMecab,
    "spm": TokenizerSPM,
    "flores101": Flores101Tokenizer,
    "flores200": Flores200Tokenizer,
    "spBLEU-1K": spBLEU1KTokenizer,
}
"""By the name that ``tokenize`` takes."""
name_of_engine: Callable[[object], str | None] = name_tokenizers(
    {kind: kind.recipe_name for kind in list(CLASSES.values())[:5]}
)

for _name in MODULES:
    globals()[f"tokenizer_{_name}"] = sys.modules[f"{__name__}.tokenizer_{_name}"] = sys.modules[__name__]
