"""What Markdown is made of: tables, and texts that cannot become marks."""

from __future__ import annotations

from collections.abc import Sequence

from bleuprint.findings.gates import Gate
from bleuprint.render.grids import Grid


def lay_out(grid: Grid) -> list[str]:
    """Write a table, line by line."""
    rows = [[column.title for column in grid.columns], *grid.rows]
    head, *body = (f"| {' | '.join(map(escape, row))} |" for row in rows)
    return [head, f"|{'|'.join('---' if column.words else '---:' for column in grid.columns)}|", *body]


def escape(text: str) -> str:
    """Keep marks in a text from becoming Markdown, and a line feed from ending a row."""
    return "".join(f"\\{mark}" if mark in "\\`*_[]<>|" else mark for mark in " ".join(text.splitlines()))


def list_gates(gates: Sequence[Gate]) -> str:
    """Write what came of gates, to stand before everything else; nothing where there are none."""
    if not gates:
        return ""
    failed = sum(not gate.passed for gate in gates)
    lines = [f"**Gates: {f'{failed} of {len(gates)} failed' if failed else 'all passed'}.**", ""]
    for gate in gates:
        verdict = gate.verdict if gate.passed else f"**{gate.verdict}**"
        lines.append(f"- {verdict}: {escape(gate.rule)} ({escape(f'{gate.recipe}: {gate.reason}')})")
    return "\n".join([*lines, "", ""])
