"""The tokens that fairseq's scorer counts: words between white space, less the marks of its own at both ends."""

from __future__ import annotations

END, PAD = "</s>", "<pad>"


def tokenize_fairseq(text: str) -> list[str]:
    """Split at white space; a text without a word is one token, the mark that fairseq puts after every line."""
    tokens = [*text.split(), END]
    start = 0
    while tokens[start] == PAD:
        start += 1
    end = len(tokens)
    while end > start + 1 and tokens[end - 1] in (END, PAD):
        end -= 1
    return tokens[start:end]
