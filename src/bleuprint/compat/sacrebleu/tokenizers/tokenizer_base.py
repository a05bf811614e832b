"""What sacreBLEU's tokenizers have in common, and what bleuprint's engines put under them."""

from __future__ import annotations

from bleuprint.compat.sacrebleu.bleu_counts import split
from bleuprint.metrics.bleu.sacrebleu import print_tokenizer
from bleuprint.text.tokenizers.registry import find_tokenizer


class BaseTokenizer:
    """A tokenizer as sacreBLEU has them: called with a text, it gives the text with spaces between tokens."""

    def signature(self) -> str:
        """Give the name that signatures show."""
        raise NotImplementedError

    def __call__(self, line: str) -> str:
        """Put spaces between the tokens of a text."""
        raise NotImplementedError


class EngineTokenizer(BaseTokenizer):
    """A tokenizer that the engines have, too."""

    recipe_name: str
    """Its name in a recipe."""

    def signature(self) -> str:
        """Give the name that signatures show."""
        return print_tokenizer(self.recipe_name)

    def __call__(self, line: str) -> str:
        """Put spaces between the tokens of a text."""
        return split(line, self.recipe_name)


class PackageTokenizer(EngineTokenizer):
    """A tokenizer that needs a package; what is not installed is missed when it is made."""

    def __init__(self) -> None:
        self.recipe_name: str = find_tokenizer(self.recipe_name).name
        super().__call__("")


class MecabTokenizer(PackageTokenizer):
    """A tokenizer on MeCab, which reads up to a NUL character; sacreBLEU lets it."""

    def __call__(self, line: str) -> str:
        """Put spaces between the tokens of a text."""
        return super().__call__(line.partition("\0")[0])
