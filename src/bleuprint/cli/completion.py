"""Completion: what may stand where in a command line, for the shells that ask."""

from __future__ import annotations

from collections.abc import Iterable

import click
from click.shell_completion import BashComplete, CompletionItem, add_completion_class

from bleuprint.recipes.registry import list_metrics
from bleuprint.text.tokenizers.registry import BUILT_IN, SPM

_FILES = ("FILE", "NAME=FILE", "METRIC=[SYSTEM:]FILE", "DIR")
"""What options are shown to take, where it is a file or a folder; so do the arguments that are no recipes."""
_MARKS = ("=", "@")
"""Where bash ends a word although it goes on."""
_RECIPES = {"--recipe", "--from", "--to", "--diff"}


class FileName(click.types.StringParamType):
    """A file: the shell completes it as it does elsewhere."""

    name = "file"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Leave it to the shell."""
        return [CompletionItem(incomplete, type="file")]


class KnownName(click.types.StringParamType):
    """One of several names, each with a summary."""

    name = "name"

    def __init__(self, names: Iterable[tuple[str, str]]) -> None:
        self.names: dict[str, str] = dict(names)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Give the names that begin so."""
        return [CompletionItem(name, help=text) for name, text in self.names.items() if name.startswith(incomplete)]


class BashWords(BashComplete):
    """A line of bash, which takes ``ours=out`` for three words, and ``nltk@3.5``, too."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Put NAME=FILE and NAME@VERSION together again."""
        args, incomplete = super().get_completion_args()
        words: list[str] = []
        for word in (*args, incomplete):
            if len(words) > 1 and (word in _MARKS or words[-1].endswith(_MARKS)):
                words[-1] += word
            else:
                words.append(word)
        return words[:-1], words[-1]

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        """Give of every name what bash will replace: what follows the last ``=``, and all from ``@`` on."""
        before = incomplete[: max(incomplete.rfind("=") + 1, incomplete.rfind("@"), 0)]
        found = super().get_completions(args, incomplete)
        for item in found:
            item.value = item.value.removeprefix(before)
        return found


def prepare_completion() -> None:
    """Let click read lines of bash as above."""
    add_completion_class(BashWords)


def offer_values(command: click.Command) -> None:
    """Let the options and arguments of a command say what they may be; called only where a shell asks."""
    recipes = KnownName(
        (name, dialect.summary) for metric in list_metrics() for name, dialect in metric.dialects.items()
    )
    tokenizers = KnownName((f"{name}:" if name == SPM else name, entry.summary) for name, entry in BUILT_IN.items())
    for param in command.params:
        flags = set(param.opts)
        if flags & _RECIPES or (command.name, param.name) == ("recipes", "name"):
            param.type = recipes
        elif "--tokenizer" in flags:
            param.type = tokenizers
        elif param.metavar in _FILES or (isinstance(param, click.Argument) and command.name != "completion"):
            param.type = FileName()
