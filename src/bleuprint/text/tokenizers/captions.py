"""The PTB tokenizer of image captioning: Stanford's, in Java, as the package pycocoevalcap calls it.

Java takes longer to start than to split thousands of captions, so texts are split in one batch (``read_ahead``), and
their tokens are cached.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Collection, Iterable
from pathlib import Path
from threading import Lock

from bleuprint.errors import InputTypeError, MissingPackageError, quote

STOP = "A"
"""A line after each text. The tokenizer looks past the end of a line: whether the dot of ``Plan B.`` is punctuation
depends on the next caption there. Here it is, as before the word that most captions begin with."""
LINE_BREAKS = re.compile("[\n\v\f\r\u2028\u2029]")
"""The ends of lines for the tokenizer. pycocoevalcap replaces only the first of them; the others shift the captions."""
KEPT = 1 << 24
"""The number of characters of earlier texts in the cache."""


class CaptionTokenizer:
    """Splits and lowers texts by Stanford's tokenizer, and removes punctuation as pycocoevalcap does."""

    def __init__(self, java: str, jar: Path, punctuation: Collection[str]) -> None:
        options = ["-preserveLines", "-lowerCase", "-encoding", "utf-8"]
        self._command = [java, "-cp", str(jar), "edu.stanford.nlp.process.PTBTokenizer", *options]
        self._punctuation = frozenset(punctuation)
        self._known: dict[str, str] = {}
        self._size = 0
        self._lock = Lock()

    def __call__(self, text: str) -> list[str]:
        """Split a text: at once if it was read ahead, else in a process for this text alone."""
        known = self._known.get(text)
        return (self._split([text])[text] if known is None else known).split()

    def read_ahead(self, texts: Iterable[str]) -> None:
        """Split, in one process, all texts that are not known yet."""
        wanted = dict.fromkeys(texts)
        with self._lock:
            unknown = [text for text in wanted if text not in self._known]
            if not unknown:
                return
            split = self._split(unknown)
            self._size += sum(map(len, unknown))
            if self._size > KEPT:
                self._known = {text: self._known[text] for text in wanted if text in self._known}
                self._size = sum(map(len, wanted))
            self._known |= split

    def _split(self, texts: list[str]) -> dict[str, str]:
        lines = "".join(f"{LINE_BREAKS.sub(' ', text)}\n{STOP}\n" for text in texts)
        split = self._run(lines).split("\n")[:-1]
        stops = [line.strip() for line in split[1::2]]
        if stops != [STOP.lower()] * len(texts):
            index = next((index for index, line in enumerate(stops) if line != STOP.lower()), len(stops))
            raise InputTypeError(
                f"Stanford's tokenizer splits {quote(texts[min(index, len(texts) - 1)], 100)} into several lines.",
                "Remove unusual characters.",
                where="tokenizer ptb",
            )
        return dict(zip(texts, map(self._remove_punctuation, split[::2]), strict=True))

    def _remove_punctuation(self, line: str) -> str:
        return " ".join(token for token in line.rstrip().split(" ") if token not in self._punctuation)

    def _run(self, lines: str) -> str:
        try:
            ended = subprocess.run(self._command, input=lines.encode(), capture_output=True, check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            reason = getattr(error, "stderr", b"").decode(errors="replace").strip() or str(error)
            raise MissingPackageError(
                f"Java does not run Stanford's tokenizer: {quote(reason, 300)}.",
                f"Check that {self._command[0]} -version works, or put another Java first on the PATH.",
                where="tokenizer ptb",
            ) from error
        return ended.stdout.decode()
