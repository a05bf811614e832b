"""Markdown: blocks to paste into an issue, a paper's notes or a chat."""

from __future__ import annotations

from collections.abc import Iterable

from bleuprint.render.blocks import DOCUMENT, STEP, Aligned, Bars, Block, Heading, Items, Signature, Table, texts


def write(blocks: Iterable[Block]) -> str:
    """Write blocks, with an empty line between them."""
    return "".join(f"{text}\n\n" for text in map(_write_block, blocks) if text)[:-1]


def _write_block(block: Block) -> str:
    if isinstance(block, Heading):
        if block.level == DOCUMENT:
            return f"# {escape(block.text)}"
        mark = ":" if block.level == STEP and block.remark else ""
        return f"**{escape(block.text)}**{mark} {escape(block.remark)}".rstrip()
    if isinstance(block, Items):
        return "\n".join(_write_items(block))
    if isinstance(block, Table):
        title = f"{escape(block.title)}:\n\n" if block.title else ""
        return title + _write_table(block)
    if isinstance(block, Aligned):
        cells = [[text for text, _ in cell] for cell in block.cells]
        return _write_table(Table(texts(*block.titles), cells)) if block.titles else ""
    if isinstance(block, Bars):
        return "\n".join(f"- {escape(name)}: {points}" for name, points, _ in block.bars)
    if isinstance(block, Signature):
        return f"- {escape(block.name)}: `{block.text}`" if block.name else f"Signature: `{block.text}`"
    return escape(block.text)


def _write_items(block: Items) -> Iterable[str]:
    for number, item in enumerate(block.items, start=1):
        lead = f"**{escape(item.lead)}**: " if item.lead else ""
        yield f"{f'{number}.' if block.numbered else '-'} {lead}{escape(item.text)}"
        yield from (f"   - {escape(detail)}" for detail in item.details)


def _write_table(table: Table) -> str:
    rows = [[column.title for column in table.columns], *table.rows]
    head, *body = (f"| {' | '.join(map(escape, row))} |" for row in rows)
    rule = "|".join("---" if column.is_text else "---:" for column in table.columns)
    return "\n".join([head, f"|{rule}|", *body])


def escape(text: str) -> str:
    """Keep characters of a text from becoming Markdown, and a line feed from ending a row."""
    return "".join(f"\\{mark}" if mark in "\\`*_[]<>|" else mark for mark in " ".join(text.splitlines()))
