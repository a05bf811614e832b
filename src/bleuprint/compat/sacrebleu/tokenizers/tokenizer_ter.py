"""The preparation of TER's texts, where sacreBLEU has it."""

from __future__ import annotations

from bleuprint.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer
from bleuprint.text.tokenizers.tercom import prepare_text


class TercomTokenizer(BaseTokenizer):
    """Lowers a text, normalises it and takes its punctuation out, each if asked; words are parted by single spaces."""

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
        """Give the name that signatures show."""
        return "tercom"

    def __call__(self, sent: str) -> str:
        """Write a text so that single spaces part its words."""
        prepared = prepare_text(
            sent if self._case_sensitive else sent.lower(),
            normalized=self._normalized,
            asian=self._asian_support,
            keep_punctuation=not self._no_punct,
        )
        return " ".join(prepared.split())
