"""The gallery: documents that bleuprint makes for people to look at, made by the commands that are shown with them."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]


class Exhibit(NamedTuple):
    """A document, the command that makes it, the words that introduce it, and how high its frame is."""

    title: str
    words: str
    command: str
    file: str
    height: int


TEXTS = '"the cat sat on the mat today" "today the cat sat on the mat"'
EXHIBITS = (
    Exhibit(
        "BLEU, explained",
        "Each token is shaded by the longest matched n-gram over it; the arithmetic can be checked by hand.",
        f"bleuprint explain {TEXTS} \\\n    --recipe paper --format html --output bleu.html",
        "bleu.html",
        1640,
    ),
    Exhibit(
        "chrF, explained",
        "Under chrF it is characters that are shaded.",
        f"bleuprint explain {TEXTS} \\\n    --recipe chrf --format html --output chrf.html",
        "chrf.html",
        1460,
    ),
    Exhibit(
        "TER, explained",
        "Words stand in place, are edited, or are moved; every move is shown.",
        f"bleuprint explain {TEXTS} \\\n    --recipe ter --format html --output ter.html",
        "ter.html",
        1410,
    ),
    Exhibit(
        "The report of a comparison",
        "Two systems with intervals and a paired test, and every segment, to be sorted, filtered and opened.",
        "bleuprint compare -r {examples}/reference-1.txt -r {examples}/reference-2.txt \\\n"
        "    -s A={examples}/candidate-a.txt -s B={examples}/candidate-b.txt \\\n"
        "    --documents {examples}/documents.txt -m bleu -m chrf -m ter --html report.html",
        "report.html",
        1130,
    ),
)
CALCULATOR = """
## The calculator

![The calculator: two texts, a score, and the way to it](docs/page.png)

<a href="calculator/index.html">Open the calculator</a>, which `bleuprint site` makes: it computes in your browser, and
what you write stays there. [What it can do](docs/page.md).
"""


def make_document(exhibit: Exhibit, folder: Path) -> None:
    """Run the command of an exhibit in the folder that is to hold its document."""
    program, *arguments = shlex.split(exhibit.command.replace("\\\n", "").format(examples=ROOT / "examples"))
    command = [sys.executable, "-m", program, *arguments]
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)


def section(exhibit: Exhibit) -> str:
    """Show a document in a frame, below the command that makes it."""
    address = f"gallery/{exhibit.file}"
    frame = f'class="exhibit" src="{address}" title="{exhibit.title}" height="{exhibit.height}"'
    return (
        f"## {exhibit.title}\n\n{exhibit.words}\n\n"
        f"```sh\n{exhibit.command.format(examples='examples')}\n```\n\n"
        f'<iframe {frame} loading="lazy"></iframe>\n\n'
        f'<p><a href="{address}">{exhibit.title}, on its own</a></p>\n'
    )


def page() -> str:
    """Write the page that shows every document."""
    head = "# Gallery\n\nWhat bleuprint makes for people to look at, as the version of these pages makes it.\n"
    return "\n".join([head, *map(section, EXHIBITS), CALCULATOR])


def make_documents(folder: Path) -> None:
    """Make every document."""
    folder.mkdir()
    for exhibit in EXHIBITS:
        make_document(exhibit, folder)
