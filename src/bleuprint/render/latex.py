r"""LaTeX: tables for a paper, set with booktabs, the signature in the caption.

A comment above each table lists the packages it needs. LaTeX itself computes the widths: long texts are in X columns of
``tabularx``, and tables longer than a page use ``longtable`` or ``xltabular``. Texts are escaped, so that a name cannot
become a command.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, repeat
from operator import call

from bleuprint.render.blocks import STEP, Block, Column, Formula, Heading, Items, Paragraph, Signature, Table

_MARKS = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "`": r"\textasciigrave{}",
    "|": r"\textbar{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "−": "$-$", "·": r"$\cdot$", "→": r"$\rightarrow$", "≥": r"$\ge$", "–": "{--}", "…": r"\ldots{}",
} | {mark: f"\\{mark}" for mark in "&%$#_{}"} | {mark: f"{{{mark}}}" for mark in "[]*"}  # fmt: skip
r"""``[`` and ``*`` mean something after ``\\``, where a row begins."""
_SPACES = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029], " ")
_COMMANDS = str.maketrans(_MARKS | {"\x00": "{}"})
_KNOWN = "‘’“”„«»—•€£†‡№"
"""Marks beyond Latin letters that pdfLaTeX has."""
MOST_LINES = 36
"""Tables with more lines than this continue on the next page."""
MOST_ROWS = 1000
"""Tables with columns that wrap are cut after so many rows: TeX holds all of them in memory. 3,000 are too many."""
WIDTH, SMALL = r"{\linewidth}", r"\footnotesize\setlength{\tabcolsep}{3pt}"
LINE, GAP = 68, 2.5
"""About how many letters fit into a line of the article class, and into the space between columns."""
SMALL_LINE, SMALL_GAP = 78, 1.5
"""The same for small letters."""
LIMITS = (99, 18, 12, 8, 5)
"""In a wide table, columns with more letters than this wrap. The first limit that leaves enough room is used."""
LEAST = 6
"""The letters that fit into each line of a column that wraps, at least."""
SYSTEMS_ABREAST = 5
"""A table with a column for each system has at most this many of them. The others follow in further tables."""
PREAMBLE = (
    r"\documentclass{article}", r"\usepackage[T1]{fontenc}", r"\usepackage{booktabs}",
    r"\setlength{\parindent}{0pt}\setlength{\parskip}{0.6em}", r"\begin{document}",
)  # fmt: skip
CAPTION_WORD = 24
"""Words with more letters than this may be broken in a caption."""
PIECE = 3
"""So many letters stay together in a word that may be broken."""
BREAK = r"\discretionary{}{}{}"
"""Lines may end here, without a hyphen. LaTeX prefers to end them between words."""
_PART = re.compile(r"[(\[{<]?[^\W_]+[\W_]?|[\W_]")
_LIGATURE = re.compile(r"([-',])(?=\1)")


def write(blocks: Iterable[Block]) -> str:
    """Write every table. The caption of the first one in a section has the section's heading and signatures."""
    sections: list[list[Block]] = [[]]
    for block in blocks:
        if isinstance(block, Heading) and block.level < STEP:
            sections.append([])
        sections[-1].append(block)
    return "\n".join(table for section in sections for table in _write_section(section))


def _write_section(blocks: Sequence[Block]) -> Iterator[str]:
    """Write the tables of a section, with its lists as comments above the first."""
    title = " ".join(f"{one.text} {one.remark}" for one in blocks if isinstance(one, Heading) and one.level < STEP)
    signatures = "; ".join(_set_signature(one.text, one.name) for one in blocks if isinstance(one, Signature))
    sentences = [set_words(one.text) for one in blocks if isinstance(one, Paragraph)]
    items = [item for one in blocks if isinstance(one, Items) for item in one.items]
    comments = [line for item in items for line in (f"{item.lead}: {item.text}".removeprefix(": "), *item.details)]
    for table in (one for one in blocks if isinstance(one, Table)):
        for part in _split(table):
            start = set_words(title.strip() or f"{part.title or part.caption}.")
            details = "; ".join(filter(None, [signatures, *sentences]))
            yield _write_table(part, f"{start} {details}".strip(), comments)
            title, signatures, sentences, comments = "", "", [], []


def _split(table: Table) -> Iterator[Table]:
    """Split a table between the columns of systems, if there are many. Each part begins with what names its rows."""
    systems = [place for place, column in enumerate(table.columns) if column.is_system]
    if len(systems) <= SYSTEMS_ABREAST:
        yield table
        return
    starts = range(0, len(systems), SYSTEMS_ABREAST)
    for number, start in enumerate(starts, start=1):
        last = len(table.columns) if number == len(starts) else 0
        kept = [*range(systems[0]), *systems[start : start + SYSTEMS_ABREAST], *range(systems[-1] + 1, last)]
        yield table._replace(
            title=f"{table.title} ({number} of {len(starts)})",
            columns=[table.columns[place] for place in kept],
            rows=[[row[place] for place in kept] for row in table.rows],
        )


def write_document(blocks: Iterable[Block]) -> str:
    """Write a complete document, each of its sections on a new page."""
    lines: list[str] = []
    for block in blocks:
        if isinstance(block, Heading):
            lines += [r"\clearpage", rf"\section*{{{_set_plain(block.text)}}}"]
        elif isinstance(block, Items):
            kind = "description" if any(item.lead for item in block.items) else "itemize"
            leads = (f"[{_set_plain(item.lead)}]" if item.lead else "" for item in block.items)
            items = [rf"\item{lead} {_set_plain(item.text)}" for lead, item in zip(leads, block.items, strict=True)]
            lines += [rf"\begin{{{kind}}}", *items, rf"\end{{{kind}}}"]
        elif isinstance(block, Table):
            titles, *rows = (" & ".join(map(_set_plain, row)) + r" \\" for row in _cells(block))
            columns = "".join(_column_type(column, False) for column in block.columns)
            lines += [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", titles, r"\midrule", *rows, r"\bottomrule"]
            lines += [r"\end{tabular}"]
        elif isinstance(block, Formula):
            lines.append(rf"\[ {_set_formula(block.text)} \]")
        elif isinstance(block, Paragraph):
            lines += [_set_plain(block.text), ""]
    return "\n".join([*PREAMBLE, *lines[1:], r"\end{document}", ""])


def _set_plain(text: str) -> str:
    return escape(text).replace("×", r"$\times$")


def _set_formula(text: str) -> str:
    r"""Set a calculation: ``p1 = 3/6`` becomes ``p_{1} = \frac{3}{6}``. An exponent keeps its slash."""
    text = re.sub(r"\^\((.*?)\)", lambda found: f"^{{{found[1].replace('/', '{/}')}}}", text)
    text = re.sub(r"([\d.]+)/([\d.]+)", r"\\frac{\1}{\2}", text)
    text = re.sub(r"\bp(\d)", r"p_{\1}", text)
    text = re.sub(r"\b(BP|BLEU)\b", r"\\mathrm{\1}", text)
    text = re.sub(r"\b(if|else|so)\b", r"\\mbox{ \1 }", text)
    return text.replace("·", r"\cdot").replace("≥", r"\ge").replace("−", "-")


def escape(text: str) -> str:
    r"""Keep a text from being read as commands: ``50%`` becomes ``50\%``; line breaks and controls become spaces."""
    return _LIGATURE.sub("\\1\x00", text.translate(_SPACES)).translate(_COMMANDS)


def _cells(table: Table) -> list[Sequence[str]]:
    return [[column.title for column in table.columns], *table.rows]


def _write_table(table: Table, caption: str, remarks: Sequence[str]) -> str:
    """Set a table with a caption, which is LaTeX already. A long one continues on the next page."""
    wrapped, room, size = _choose_widths(table)
    if wrapped and len(table.rows) > MOST_ROWS:
        starts = range(0, len(table.rows), MOST_ROWS)
        parts = (table._replace(rows=table.rows[start : start + MOST_ROWS]) for start in starts)
        return "\n".join(map(_write_table, parts, repeat(caption), chain([remarks], repeat(()))))
    cells = _cells(table)
    heights = (max([1, *(math.ceil(_count_letters(row[place]) / room) for place in wrapped)]) for row in cells)
    is_long = sum(heights) > MOST_LINES
    kind = ("xltabular" if is_long else "tabularx") if wrapped else "longtable" if is_long else "tabular"
    columns = "".join(_column_type(column, place in wrapped) for place, column in enumerate(table.columns))
    setters = [_wrap_cell(column, room) if place in wrapped else escape for place, column in enumerate(table.columns)]
    titles, *rows = (" & ".join(map(call, setters, row)) + r" \\" for row in cells)
    begin, end = rf"\begin{{{kind}}}{WIDTH if wrapped else ''}{{{columns}}}", rf"\end{{{kind}}}"
    head, foot, caption_line = [r"\toprule", titles, r"\midrule"], r"\bottomrule", rf"\caption{{{caption}}}"
    if is_long:
        head = [caption_line + r"\\", *head, r"\endfirsthead", *head, r"\endhead", foot, r"\endfoot"]
        lines = [r"\begingroup" + (size or r"\footnotesize"), begin, *head, *rows, end, r"\endgroup"]
    else:
        lines = [r"\begin{table}", rf"\centering{size}", begin, *head, *rows, foot, end, caption_line, r"\end{table}"]
    comments = [r"needs \usepackage{booktabs" + ("}" if kind == "tabular" else f",{kind}}}")]
    letters = set(caption).union(*(cell for row in cells for cell in row))
    if any(letter > "\u017f" and letter not in _MARKS and letter not in _KNOWN for letter in letters):
        comments.append("needs LuaLaTeX or XeLaTeX, and a font that has all letters of these names and texts")
    return "\n".join([*(f"% {comment}" for comment in [*comments, *map(escape, remarks)]), *lines, ""])


def _choose_widths(table: Table) -> tuple[set[int], int, str]:
    """Return the columns that wrap, about how many letters fit into a line of each, and the size of the text."""
    lengths = [max(map(_count_letters, cells)) for cells in zip(*_cells(table), strict=True)]
    if sum(lengths) + GAP * len(lengths) <= LINE:
        return set(), LEAST, ""
    wrapped, room = set[int](), 0.0
    for limit in LIMITS:
        wrapped = {place for place, length in enumerate(lengths) if length > limit}
        room = SMALL_LINE - SMALL_GAP * len(lengths) - sum(length for length in lengths if length <= limit)
        if room >= LEAST * len(wrapped):
            break
    return wrapped, max(LEAST, int(room / max(1, len(wrapped)))), SMALL


def _count_letters(text: str) -> int:
    """Count wide letters twice: capitals, m, w and those such as 中."""
    return sum(1 + (mark.isupper() or mark in "mw" or unicodedata.east_asian_width(mark) in "WF") for mark in text)


def _column_type(column: Column, wraps: bool) -> str:
    if not wraps:
        return "l" if column.is_text else "r"
    return rf">{{\ragged{'right' if column.is_text else 'left'}\arraybackslash}}X"


def _wrap_cell(column: Column, room: int) -> Callable[[str], str]:
    """Return what sets the cells of a column that wraps."""
    return partial(_set_signature, room=room) if column.is_signature else partial(set_words, room=room)


def set_words(text: str, room: int = CAPTION_WORD) -> str:
    """Escape a text. Lines may end inside of words with more letters than ``room``."""
    return " ".join(_break_up(word, room) if _count_letters(word) > room else escape(word) for word in text.split(" "))


def _break_up(word: str, room: int) -> str:
    """Let a line end after the marks of a word, and inside of parts that are still longer."""
    pieces = []
    for part in _PART.findall(word):
        size = PIECE if _count_letters(part) > room else len(part)
        pieces += [part[place : place + size] for place in range(0, len(part), size)]
    return BREAK.join(map(escape, pieces))


def _set_signature(signature: str, name: str = "", room: int = CAPTION_WORD) -> str:
    """Set a signature in typewriter letters. A line may end after each of its parts, and inside of long ones."""
    breakable = (_MARKS["|"] + r"\allowbreak{}").join(set_words(part, room) for part in signature.split("|"))
    return rf"{set_words(name)}: \texttt{{{breakable}}}" if name else rf"\texttt{{{breakable}}}"
