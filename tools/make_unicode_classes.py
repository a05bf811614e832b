"""Write src/bleuprint/tokenizers/unicode_classes.py from the `regex` release that requirements-test.txt pins."""

from __future__ import annotations

import re
import sys
from importlib.metadata import metadata, version
from pathlib import Path

import regex

TARGET = Path(__file__).parent.parent / "src/bleuprint/tokenizers/unicode_classes.py"
CLASSES = {"NUMBER": "N", "PUNCTUATION": "P", "SYMBOL": "S"}
HEADER = '''"""The Unicode classes N, P and S as parts of a character class for `re`; the same in every Python.

Made by tools/make_unicode_classes.py from regex {release} (Unicode {unicode}); not to be edited by hand.
"""

'''


def ranges_of(letter: str) -> list[tuple[int, int]]:
    """List the code points of a class as closed ranges."""
    member = regex.compile(rf"\p{{{letter}}}")
    ranges: list[tuple[int, int]] = []
    for code in range(sys.maxunicode + 1):
        if member.match(chr(code)):
            if ranges and ranges[-1][1] == code - 1:
                ranges[-1] = (ranges[-1][0], code)
            else:
                ranges.append((code, code))
    return ranges


def escape(code: int) -> str:
    """Write a code point so that both Python and a character class read it literally."""
    return rf"\U{code:08x}" if code > 0xFFFF else rf"\u{code:04x}" if code > 0x7E else "\\\\" + rf"x{code:02x}"


def class_lines(name: str, ranges: list[tuple[int, int]]) -> str:
    """Write one class as a parenthesised string over several lines."""
    parts = [escape(first) + (f"-{escape(last)}" if last > first else "") for first, last in ranges]
    lines, line = [], ""
    for part in parts:
        if len(line) + len(part) > 108:
            lines.append(line)
            line = ""
        line += part
    return f"{name} = (\n" + "".join(f'    "{text}"\n' for text in [*lines, line]) + ")\n"


def unicode_version() -> str:
    """Read from the release's own description which Unicode it knows."""
    found = re.search(
        r"supports Unicode ([\d.]+\d)", metadata("regex").get_payload() or metadata("regex")["Description"]
    )
    assert found, "regex no longer says which Unicode it supports"
    return found[1]


def main() -> None:
    """Write the table."""
    body = "".join(class_lines(name, ranges_of(letter)) for name, letter in CLASSES.items())
    TARGET.write_text(HEADER.format(release=version("regex"), unicode=unicode_version()) + body, encoding="utf-8")


if __name__ == "__main__":
    main()
