"""LaTeX read back: its groups and commands, and what a compiler makes of it."""

import re
import subprocess

from packages import optional

PdfReader = optional("pypdf", "PdfReader")

TOKEN = re.compile(r"\\[A-Za-z]+ ?|\\.|[^\\]", re.DOTALL)
MEANING = {
    r"\textbackslash": "\\", r"\textasciitilde": "~", r"\textasciicircum": "^", r"\textasciigrave": "`",
    r"\textbar": "|", r"\textless": "<", r"\textgreater": ">", r"\cdot": "·", r"\rightarrow": "→", r"\ge": "≥",
    r"\ldots": "…", r"\allowbreak": "", r"\discretionary": "", r"\texttt": "",
}  # fmt: skip
"""Every command that may stand inside a cell or a caption, and what it prints; any other is an error here."""


LIGATURES = {"---": "—", "--": "–", "''": "”", ",,": "„"}
APART = "\x00"
"""What a brace leaves behind: it prints nothing, but keeps two marks from melting into one."""


class Reader:
    """A small, strict reader of LaTeX: unknown commands, stray marks and open groups are errors."""

    def __init__(self, text: str) -> None:
        self.tokens = TOKEN.findall(re.sub(r"(?m)(?<!\\)((?:\\\\)*)%.*\n", r"\1", text))

    def words(self) -> str:
        """Read a text that stands alone, and give what it prints."""
        depth, math, out = 0, False, []
        for token in self.tokens:
            if token in "{}":
                depth += 1 if token == "{" else -1
                out.append(APART)
                assert depth >= 0, "a group is closed that was not opened"
            elif token == "$":
                math = not math
            elif token.startswith("\\") and token.strip() in MEANING:
                out.append(MEANING[token.strip()])
            elif token.startswith("\\"):
                assert token[1:] in "&%$#_{}", f"{token} is no command of a table"
                out.append(token[1:])
            else:
                assert token not in "&%#_~^", f"{token} is not escaped"
                out.append("−" if math and token == "-" else token)
        assert (depth, math) == (0, False)
        printed = "".join(out)
        for marks, ligature in LIGATURES.items():
            printed = printed.replace(marks, ligature)
        return printed.replace(APART, "")


def compile_document(document, folder, engine="pdflatex"):
    """Set a document; give the text of each of its pages."""
    (folder / "paper.tex").write_text(document, encoding="utf-8")
    for _ in range(2):  # longtable knows its widths from the run before
        asked = [engine, "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
        done = subprocess.run(asked, cwd=folder, capture_output=True, text=True, errors="replace", timeout=240)
        assert done.returncode == 0, done.stdout[-3000:]
    log = (folder / "paper.log").read_text(encoding="utf-8", errors="replace").replace("\n", "")
    wide = [float(points) for points in re.findall(r"Overfull \\hbox \(([\d.]+)pt too wide\)", log)]
    assert max(wide, default=0) < 5, f"{max(wide)} points too wide"
    tall = [float(points) for points in re.findall(r"Overfull \\vbox \(([\d.]+)pt too high\)", log)]
    assert max(tall, default=0) < 5
    assert "Float too large" not in log
    return [bare(page.extract_text()) for page in PdfReader(folder / "paper.pdf").pages]


def bare(text):
    """Leave out what a line's end may eat or bring, and underscores, which pdfLaTeX draws as rules."""
    return re.sub(r"[\s\xad_-]", "", text)
