"""The plainest command line, read without click: ``bleuprint score`` with files, a recipe or a tokenizer by name.

Importing click takes several times as long as scoring 2,000 segments. Whatever is not among these few words is left
to click, which reads all of them, and these to the same values.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bleuprint.cli.option_values import ScoreOptions

COMPLETION = "_BLEUPRINT_COMPLETE"
"""A shell that sets this asks click how the line may go on."""
BRIEF = ("--brief", "-b")
NAMED = ("--recipe", "--tokenizer", "-t")


def read_plain_score(arguments: list[str]) -> ScoreOptions | None:
    """Read a command line if it is as plain as that; ``None`` leaves it to click."""
    if arguments[:1] != ["score"] or COMPLETION in os.environ or os.name == "nt":  # there click expands patterns
        return None
    from bleuprint.cli.option_values import RecipeOptions, ScoreOptions

    files, brief, names = [], False, {}
    words = iter(arguments[1:])
    for word in words:
        if word in BRIEF:
            brief = True
        elif word in NAMED and word not in names:
            names[word] = next(words, "")
        else:
            files.append(word)
    if not files or not all(map(_is_plain, [*files, *names.values()])) or {"--tokenizer", "-t"} <= names.keys():
        return None
    recipe = RecipeOptions(
        recipes=(names["--recipe"],) if "--recipe" in names else (),
        tokenizer=names.get("--tokenizer", names.get("-t")),
    )
    return ScoreOptions(files[0], tuple(files[1:]), recipe, brief=brief)


def _is_plain(word: str) -> bool:
    """Whether a word can be nothing but a value."""
    return word == "-" or (not word.startswith("-") and word != "")
