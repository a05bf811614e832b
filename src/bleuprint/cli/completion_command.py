"""``bleuprint completion``: the lines that let a shell complete commands, options, files and names."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from bleuprint.cli.call import COMPLETION
from bleuprint.cli.options import make_command
from bleuprint.cli.printing import deliver

SHELLS = ("bash", "zsh", "fish")


@make_command("completion", click.Argument(["shell"], type=click.Choice(SHELLS)))
def command(shell: str) -> None:
    """Print the lines that let SHELL complete commands, options, files, recipes and tokenizers.

    For bash put this into ~/.bashrc: eval "$(bleuprint completion bash)"

    For zsh put this into ~/.zshrc, after compinit: eval "$(bleuprint completion zsh)"

    For fish: bleuprint completion fish > ~/.config/fish/completions/bleuprint.fish
    """
    found = get_completion_class(shell)
    assert found is not None
    root = click.get_current_context().find_root()
    deliver(found(root.command, {}, "bleuprint", COMPLETION).source(), None)
