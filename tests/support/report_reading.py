"""What a report holds, read back from its HTML."""

import re
from html.parser import HTMLParser


def unpack(packed):
    return [int(digit, 36) for digit in packed] if isinstance(packed, str) else packed


def text_of(html):
    words = []
    parser = HTMLParser()
    parser.handle_data = words.append
    parser.feed(re.sub(r"(?s)<(script|style).*?</\1>", "", html))
    return " ".join(" ".join(words).split())
