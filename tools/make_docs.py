"""Keep the documentation true: generated parts are written, and every shown command is run and its output put in.

``make docs`` rewrites the files; a test checks that nothing would change.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import measured
from bleuprint import cli
from bleuprint.cli.commands import COMMANDS
from bleuprint.lessons import LEVELS, Mistake
from bleuprint.metrics.bleu.recipe import SMOOTHINGS
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.registry import find_metric
from bleuprint.text.tokenizers.registry import BUILT_IN, TokenizerEntry
from markdown_tables import write_table

ROOT = Path(__file__).parent.parent
CLI_PAGE = ROOT / "docs/cli.md"
WIDTH = 100
OWN_PROCESS = re.compile(r"[|<>;&$`*~]|\baccelerate\b")
"""What asks more of a shell than to part words, or becomes another program."""
NUMBERS = {
    "char_order": "a whole number from 1 to 100",
    "word_order": "a whole number from 0 to 100",
    "beta": "a number from 0 to 1,000,000",
}
"""Axes whose choices are numbers, and need no more words than that."""


def pages() -> list[Path]:
    """List every page of the documentation."""
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted({CLI_PAGE, *(ROOT / "docs").glob("*.md")})]


def build(page: Path) -> str:
    """Return a page as it should be: generated parts fresh, outputs as the commands print them now."""
    if page == CLI_PAGE:
        return cli_page()
    text = page.read_text(encoding="utf-8")
    for name, write in TABLES.items():
        pattern = re.compile(rf"(<!-- begin {name} -->\n).*?(<!-- end {name} -->)", re.DOTALL)
        text = pattern.sub(lambda match, write=write: match[1] + write() + match[2], text)
    return re.sub(
        r"(```console\n)(.*?)(```)", lambda match: match[1] + run_block(match[2]) + match[3], text, flags=re.S
    )


def run_block(block: str) -> str:
    """Run the commands of a console block; a command may go on after a backslash."""
    commands = re.findall(r"^\$ ((?:.*\\\n)*.*)", block, re.MULTILINE)
    with TemporaryDirectory() as folder:  # what the commands write does not go into the repository
        (Path(folder) / "build").mkdir()
        (Path(folder) / "examples").symlink_to(ROOT / "examples")
        return "".join(f"$ {command}\n{run(command, Path(folder))}" for command in commands)


def run(command: str, folder: Path = ROOT) -> str:
    """Run a command in a folder and return what it prints, standard error included."""
    if command.startswith("bleuprint ") and not OWN_PROCESS.search(command):
        return run_here(shlex.split(command.replace("\\\n", "")), folder)
    return run_in_shell(command, folder)


def run_here(words: list[str], folder: Path) -> str:
    """Run a command in this process: to start another takes longer than most of them."""
    printed = io.BytesIO()
    stream = io.TextIOWrapper(printed, encoding="utf-8", write_through=True)
    before = sys.argv, dict(os.environ)
    with contextlib.chdir(folder), contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
        sys.argv, os.environ["COLUMNS"] = words, str(WIDTH)
        try:
            cli.main()
        except SystemExit:
            return printed.getvalue().decode("utf-8")
        finally:
            sys.argv = before[0]
            os.environ.clear()
            os.environ.update(before[1])


def run_in_shell(command: str, folder: Path) -> str:
    """Run a command by bash, ours from the environment of this Python."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "COLUMNS": str(WIDTH)}
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        check=False,
    )
    return done.stdout


def cli_page() -> str:
    """Write the help of every command, as the commands print it."""
    parts = ["# The command line\n\nWritten by `make docs` from the commands' own help.\n"]
    for command in ("bleuprint", *(f"bleuprint {name}" for name in COMMANDS)):
        parts.append(f"## {command}\n\n```text\n{run(f'{command} --help')}```\n")
    return "\n".join(parts)


def axes_table(metric: str = "bleu") -> str:
    """Write the axes with their choices."""
    rows = []
    for field, axis in find_metric(metric).axes.items():
        choices = [f"`{choice}`: {meaning}" for choice, meaning in axis.choices.items()]
        rows.append(
            [f"`{field}`", f"`{axis.key}`", axis.title, "<br>".join(choices) or NUMBERS.get(field, "see below")]
        )
    return write_table([["axis", "in the signature", "decides", "choices"], *rows])


def tokenizers_table() -> str:
    """Write the tokenizers, without versions that depend on the machine."""
    rows = [
        [f"`{entry.name if entry.needs else entry}`", entry.summary, _name_needs(entry)] for entry in BUILT_IN.values()
    ]
    return write_table([["tokenizer", "what it does", "needs"], *rows])


def _name_needs(entry: TokenizerEntry) -> str:
    if entry.needs is None:
        return ""
    return f"`{entry.needs.install}`" + (f", and `{entry.needs.program}`" if entry.needs.program else "")


def smoothings_table() -> str:
    """Write the smoothing rules."""
    rows = [
        [f"`{kind}`", "" if value is None else f"{value:g}", meaning] for kind, (value, meaning) in SMOOTHINGS.items()
    ]
    return write_table([["smoothing", "usual value", "what it does"], *rows])


def dialects_table(metric: str = "bleu") -> str:
    """Write the dialects with what they equal and how closely that was checked."""
    dialects = find_metric(metric).dialects
    rows = [[f"`{name}`", dialect.summary, dialect.tool, dialect.checked] for name, dialect in dialects.items()]
    return write_table([["dialect", "what it is", "equals", "checked against"], *rows])


def signatures_table(metric: str = "bleu") -> str:
    """Write the dialects axis by axis."""
    recipes = Recipe.dialects(metric)
    fields = [
        field for field in find_metric(metric).axes if len({recipe.choice(field) for recipe in recipes.values()}) > 1
    ]
    rows = [[f"`{name}`", *(recipe.choice(field) for field in fields)] for name, recipe in recipes.items()]
    return write_table([["dialect", *(field.replace("_", " ") for field in fields)], *rows])


def levels_table() -> str:
    """Write the levels of exercises."""
    rows = [
        [str(level.number), level.title, str(level.order), str(level.segments), str(level.references), level.smoothing]
        for level in LEVELS
    ]
    return write_table([["level", "title", "N", "segments", "references of each", "smoothing"], *rows])


def mistakes_table() -> str:
    """Write the usual mistakes, each with what it is called in data."""
    rows = [[f"`{mistake.value}`", mistake.happened, mistake.remedy] for mistake in Mistake]
    return write_table([["mistake", "a number comes of it where", "what to do instead"], *rows])


def grpo_program() -> str:
    """Show the program of the examples that trains with BLEU as the reward; a test runs it."""
    return f"```py\n{(ROOT / 'examples/grpo_reward.py').read_text(encoding='utf-8')}```\n"


def ci_workflow() -> str:
    """Show the workflow of the examples that holds scores to limits; a test runs its commands."""
    return f"```yaml\n{(ROOT / 'examples/ci/translation-quality.yml').read_text(encoding='utf-8')}```\n"


TABLES: dict[str, Callable[[], str]] = {
    "exercise-levels": levels_table,
    "exercise-mistakes": mistakes_table,
    "axes": axes_table,
    "tokenizers": tokenizers_table,
    "smoothings": smoothings_table,
    "dialects": dialects_table,
    "dialect-axes": signatures_table,
    "chrf-axes": partial(axes_table, "chrf"),
    "chrf-dialects": partial(dialects_table, "chrf"),
    "chrf-dialect-axes": partial(signatures_table, "chrf"),
    "ter-axes": partial(axes_table, "ter"),
    "ter-dialects": partial(dialects_table, "ter"),
    "ter-dialect-axes": partial(signatures_table, "ter"),
    "grpo-program": grpo_program,
    "ci-workflow": ci_workflow,
    **measured.PARTS,
}


def main() -> None:
    """Rewrite every page."""
    for page in pages():
        fresh = build(page)
        if not page.exists() or page.read_text(encoding="utf-8") != fresh:
            page.write_text(fresh, encoding="utf-8")
            print(f"wrote {page.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
