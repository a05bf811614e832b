"""What views are given and read back by: texts that would be marks, HTML as a browser takes it, the terminal."""

from html.parser import HTMLParser
from io import StringIO

from rich.console import Console

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"onmouseover="alert(1)',
    "'><svg/onload=alert(1)>",
    "</style></code></article>",
    "{{7*7}}",
    "&lt;b&gt;",
    "[bold]x[/bold]",
    "[/]",
    ":smile:",
    "\x1b[31mred\x1b[0m",
    "\x1b]0;title\x07",
    "\x9b31m",
    "tab\tline\nfeed\rreturn",
    "two\u2028lines",
]


class Page(HTMLParser):
    """The text of a page by data-testid, its table rows, and every tag and attribute in it."""

    def __init__(self, html):
        super().__init__()
        self.parts, self.rows, self.codes = {}, [], []
        self.tags, self.attributes, self.text = set(), set(), ""
        self._open = []
        self.feed(html)
        self.close()
        assert self._open == [], "every element is closed"

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.tags.add(tag)
        self.attributes |= attributes.keys()
        self.codes += [attributes["data-code"]] if "data-code" in attributes else []
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag not in ("meta", "wbr"):
            self._open.append((tag, attributes.get("data-testid")))

    def handle_endtag(self, tag):
        assert self._open.pop()[0] == tag

    def handle_data(self, data):
        self.text += data
        for tag, testid in self._open:
            if testid:
                self.parts[testid] = self.parts.get(testid, "") + data
            if tag in ("td", "th"):
                self.rows[-1][-1] += data


def as_terminal(view):
    stream = StringIO()
    console = Console(file=stream, force_terminal=True, color_system="truecolor", width=110, highlight=False)
    console.print(view, crop=False)
    return stream.getvalue()
