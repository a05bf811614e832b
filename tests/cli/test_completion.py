"""Completion: a real bash with the lines of ``bleuprint completion bash``, in which somebody presses the tab key."""

import os
import pty
import select
import time

import pytest

from bleuprint.cli.commands import COMMANDS
from command_line import CORPUS, PROGRAM

PROMPT = b"ready> "
PATIENCE = 60


class Terminal:
    """A bash at work in the folder of the examples."""

    def __init__(self):
        child, self.master = pty.fork()
        if child == 0:
            os.chdir(CORPUS)
            environment = {"PATH": f"{PROGRAM.parent}:{os.environ['PATH']}", "HOME": "/nonexistent", "TERM": "dumb"}
            environment |= {"PS1": PROMPT.decode(), "COLUMNS": "500", "LC_ALL": "C.UTF-8"}
            os.execve("/bin/bash", ["bash", "--norc", "--noprofile", "-i"], environment)
        self.child = child
        self.read_until(PROMPT)
        self.type('bind "set bell-style none"; bind "set page-completions off"; eval "$(bleuprint completion bash)"\n')
        self.read_until(b"\n" + PROMPT)

    def type(self, text):
        os.write(self.master, text.encode())

    def read_until(self, mark):
        """Read what appears, up to a mark; a limit in time stands for "never", not for "slow"."""
        seen, end = b"", time.monotonic() + PATIENCE
        while mark not in seen:
            ready, _, _ = select.select([self.master], [], [], max(0, end - time.monotonic()))
            assert ready, f"expected {mark!r}, saw {seen!r}"
            seen += os.read(self.master, 65536)
        return seen

    def complete(self, line, expected):
        """Type a line, press tab, and see it become the expected one; then forget it."""
        self.type(f"{line}\t")
        self.read_until(expected.encode())
        self.type("\x15\n")
        self.read_until(b"\n" + PROMPT)

    def choices(self, line):
        """Press tab twice, and read what is offered."""
        self.type(f"{line}\t\t")
        shown = self.read_until(PROMPT + line.encode())
        self.type("\x15\n")
        self.read_until(b"\n" + PROMPT)
        return shown.decode().split()

    def close(self):
        os.close(self.master)
        os.waitpid(self.child, 0)


@pytest.fixture
def terminal():
    opened = Terminal()
    yield opened
    opened.close()


def test_a_real_bash_completes_commands_options_names_and_files(terminal):
    terminal.complete("bleuprint sel", "bleuprint selftest ")
    terminal.complete("bleuprint score --by-d", "bleuprint score --by-document ")
    terminal.complete("bleuprint score --recipe codexglue-com", "--recipe codexglue-comments ")
    terminal.complete("bleuprint score -t flores2", "-t flores200 ")
    terminal.complete("bleuprint score a b --format mark", "--format markdown ")
    terminal.complete("bleuprint score candidate-a", "score candidate-a.txt ")
    terminal.complete("bleuprint compare -r ref", "-r reference-")
    terminal.complete("bleuprint compare -s ours=candidate-a", "-s ours=candidate-a.txt ")
    terminal.complete("bleuprint recipes chrf++-p", "recipes chrf++-popovic ")
    terminal.complete("bleuprint score --recipe nltk-method2@3", "--recipe nltk-method2@3.5 ")
    terminal.complete("bleuprint reconcile --from sacrebleu@", "--from sacrebleu@1.5 ")
    terminal.complete("bleuprint score a b --recipe sacrebleu@1.5 --format mark", "--format markdown ")
    terminal.complete("bleuprint score a b --format=mark", "--format=markdown ")
    assert {"@1.4", "@1.5"} <= set(terminal.choices("bleuprint score --recipe sacrebleu-sentence@1."))
    assert {"chrf", "chrf++", "chrf-popovic"} <= set(terminal.choices("bleuprint reconcile --from chrf"))


def test_commands_are_offered_without_loading_them(run, monkeypatch):
    for name, value in (("_BLEUPRINT_COMPLETE", "zsh_complete"), ("COMP_WORDS", "bleuprint "), ("COMP_CWORD", "1")):
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("bleuprint.cli.commands.import_module", lambda name: pytest.fail(f"{name} was loaded"))
    offered = run().out.split("\n")
    assert dict(zip(offered[1::3], offered[2::3], strict=False)) == COMMANDS


@pytest.mark.parametrize(("shell", "mark"), [("zsh", "#compdef bleuprint"), ("fish", "complete --no-files --command")])
def test_other_shells_get_their_own_lines(shell, mark, output):
    lines = output("completion", shell)
    assert mark in lines
    assert f"_BLEUPRINT_COMPLETE={shell}_complete" in lines


def test_a_shell_that_is_none_of_them_is_refused(run):
    outcome = run("completion", "bsh")
    assert (outcome.code, outcome.out) == (2, "")
    assert "'bsh' is not one of 'bash', 'zsh', 'fish'" in outcome.err
