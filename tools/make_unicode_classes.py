"""Write the Unicode tables, for Python and for the kernel, from the `regex` release that pyproject.toml pins."""

from __future__ import annotations

import re
import sys
from importlib.metadata import metadata, version
from pathlib import Path

import regex

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "src/bleuprint/text/tokenizers/unicode_classes.py"
KERNEL_TARGET = ROOT / "kernel/tokenizers/unicode_ranges.hpp"
CLASSES = {"NUMBER": "N", "PUNCTUATION": "P", "SYMBOL": "S"}
HEADER = '''"""The Unicode classes N, P and S as parts of a character class for `re`; the same in every Python.

Made by tools/make_unicode_classes.py from regex {release} (Unicode {unicode}); not to be edited by hand.
"""

'''

KERNEL_HEADER = """// The Unicode classes N, P and S as closed ranges of code points.
//
// Made by tools/make_unicode_classes.py from regex {release} (Unicode {unicode}); not to be edited by hand.
#pragma once

#include <array>
#include <cstdint>

namespace bleuprint {{

using UnicodeRange = std::array<std::uint32_t, 2>;

"""


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


def kernel_lines(name: str, ranges: list[tuple[int, int]]) -> str:
    """Write one class as a C++ array."""
    parts = [f"{{0x{first:04X}, 0x{last:04X}}}" for first, last in ranges]
    lines, line = [], ""
    for part in parts:
        if len(line) + len(part) > 110:
            lines.append(line.rstrip())
            line = ""
        line += part + ", "
    body = "".join(f"    {text}\n" for text in [*lines, line.rstrip()])
    return f"inline constexpr std::array<UnicodeRange, {len(ranges)}> {name}_RANGES{{{{\n{body}}}}};\n\n"


def unicode_version() -> str:
    """Read from the release's own description which Unicode it knows."""
    found = re.search(
        r"supports Unicode ([\d.]+\d)", metadata("regex").get_payload() or metadata("regex")["Description"]
    )
    assert found, "regex no longer says which Unicode it supports"
    return found[1]


def build() -> dict[Path, str]:
    """Return the text of each table by the file that it belongs in."""
    origin = {"release": version("regex"), "unicode": unicode_version()}
    ranges = {name: ranges_of(letter) for name, letter in CLASSES.items()}
    python = "".join(class_lines(name, found) for name, found in ranges.items())
    kernel = "".join(kernel_lines(name, found) for name, found in ranges.items())
    return {
        TARGET: HEADER.format(**origin) + python,
        KERNEL_TARGET: KERNEL_HEADER.format(**origin) + kernel + "}  // namespace bleuprint\n",
    }


if __name__ == "__main__":
    for target, text in build().items():
        target.write_text(text, encoding="utf-8")
