"""What reads foreign text takes steps in proportion to its length; they are counted, not timed."""

import ast
import itertools
import re
import sys
from functools import cache
from pathlib import Path

import pytest

import bleuprint as bp
from bleuprint.files.lines import FileLines
from bleuprint.text.formats import ListedLines, markup, stream_corpus
from bleuprint.text.tokenizers import chinese, mteval, spans
from pattern_steps import Steps

PACKAGE = Path(bp.__file__).parent
FUNCTIONS = ("compile", "match", "sub", "search", "split", "findall", "fullmatch", "finditer")


@cache
def pattern_calls():
    """List the calls of ``re`` in the package, with the module in which each stands."""
    calls = []
    for file in sorted(PACKAGE.rglob("*.py")):
        text = file.read_text("utf-8")
        for node in ast.walk(ast.parse(text)) if "import re\n" in text else ():
            if isinstance(node, ast.Call) and is_of_re(node.func):
                calls.append((str(file.relative_to(PACKAGE)), node))
    return calls


def is_of_re(function):
    """Tell whether a name is ``re.compile`` or one of its like."""
    return (
        isinstance(function, ast.Attribute)
        and function.attr in FUNCTIONS
        and isinstance(function.value, ast.Name)
        and function.value.id == "re"
    )


def written_patterns():
    """Give the regular expressions that stand in the package as they are, and whether they are only tried in front."""
    for module, node in pattern_calls():
        if isinstance(node.args[0], ast.Constant):
            pattern = re.compile(node.args[0].value, re.IGNORECASE if "IGNORECASE" in ast.unparse(node) else 0)
            anchored = ast.unparse(node.func) in ("re.match", "re.fullmatch")
            yield pytest.param(pattern, anchored, id=f"{module}: {pattern.pattern}")


PATTERNS = [
    *written_patterns(),
    *(pytest.param(pattern, False, id=f"intl {place}") for place, (pattern, _) in enumerate(mteval._international())),
    *(pytest.param(pattern, False, id="zh") for pattern in (chinese._sacrebleu(), chinese._corrected())),
]
UNITS = [
    "<seg ", "<doc ", "</", "<doc a", ">", "<", "a", "a=", "a ", " ", "=", "'", '"', "a='", 'a="', "a-", ":", ".", ",",
    "-", "1", "1.", "1-", " .", "@@", "a@@ ", "\n", "-\n", "&", "(", "a(", "[", "|", "bleuprint:", "bleuprint:1|",
    "floor[1", "spm(", "+sha256-", "\u4e00", "\u3000", "\u00e9", "\u00a0",
]  # fmt: skip
LENGTHS = (40, 80)


def worst_growth(pattern, anchored=False, units=UNITS):
    """Look for the text that makes the steps grow most when it gets twice as long, among repeated pieces."""
    worst = (0.0, "")
    starts = ("", "bleuprint:") if "bleuprint" in pattern.pattern else ("",)
    for start, unit, end in itertools.product(starts, units, ("", "!")):
        texts = [start + unit * (length // len(unit)) + end for length in LENGTHS]
        taken = [Steps(pattern, text, anchored=anchored).taken for text in texts]
        worst = max(worst, (taken[1] / max(taken[0], LENGTHS[0]), f"{start}{unit}…{end}"))
    return worst


@pytest.mark.parametrize(("pattern", "anchored"), PATTERNS)
def test_twice_the_text_takes_a_pattern_twice_the_steps(pattern, anchored):
    growth, text = worst_growth(pattern, anchored)
    assert growth < 2.2, text


def test_steps_that_grow_with_the_square_are_seen():
    assert worst_growth(re.compile(r"([\w:-]+)\s*="), units=["a"])[0] > 3
    assert worst_growth(re.compile(r"<(/?)(doc|seg)\b([^>]*)>"), units=["<seg "])[0] > 3


@pytest.mark.parametrize(("pattern", "_anchored"), PATTERNS)
def test_the_counting_matcher_finds_what_python_finds(pattern, _anchored):
    for unit, other in itertools.product(UNITS, UNITS[::9]):
        text = f"{unit}{other}{unit} {unit}{other}"
        assert Steps(pattern, text).spans == [match.span() for match in pattern.finditer(text)], text


def count_calls(function, *arguments):
    """Count the calls of functions, of Python's own too, that a call makes."""
    calls = 0

    def see(_frame, event, _argument):
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(see)
    try:
        function(*arguments)
    finally:
        sys.setprofile(None)
    return calls


def test_tags_that_never_close_are_given_up_at_the_first():
    calls = [count_calls(list, markup._find_tags("<seg " * size)) for size in (10, 10_000)]
    assert calls[0] == calls[1]


def test_rows_much_shorter_than_the_header_cost_their_own_cells_only():
    header = ["candidate", "reference", *["reference", "other"] * 5000]
    lines = ListedLines(["\t".join(header), *["a\tb"] * 100])
    [corpus] = stream_corpus("a.tsv", [], lambda _: lines, 1000)
    assert corpus.references == [["b"]] * 100
    assert sum(map(len, corpus.references)) == 100


def test_a_header_of_any_length_is_refused_after_a_look_at_its_first_names():
    def refuse(names):
        with pytest.raises(bp.BleuprintError):
            list(stream_corpus("a.tsv", [], lambda _: ListedLines(["\t".join(names)]), 1000))

    calls = [count_calls(refuse, ["x"] * size) for size in (2000, 8000)]
    assert calls[1] < 2 * calls[0]


class CountingList(list):
    """A list that counts the entries that move up when its front is deleted."""

    moved = 0

    def __delitem__(self, places):
        super().__delitem__(places)
        CountingList.moved += len(self)


def test_taking_lines_one_by_one_moves_each_a_few_times_at_most(tmp_path):
    path = tmp_path / "lines"
    path.write_text("\n" * 5000, encoding="utf-8")
    lines = FileLines(str(path))
    lines._lines = CountingList()
    while lines.take(1):
        pass
    lines.close()
    assert 0 < CountingList.moved <= 2 * 5000


class CountingText(str):
    """A text that counts the characters that may be searched in it."""

    seen = 0

    def find(self, part, start=0, end=None):
        place = super().find(part, start, len(self) if end is None else end)
        CountingText.seen += (min(len(self), end or len(self)) if place < 0 else place + len(part)) - start
        return place


@pytest.mark.parametrize("tokenizer", ["nltk-word-tokenize", "treebank"])
def test_tokens_that_are_not_in_the_text_are_looked_for_nearby_only(tokenizer, monkeypatch):
    seen = []
    monkeypatch.setattr(
        spans, "_track_case", lambda text, _: spans.TrackedText(CountingText(text), [(0, 1)] * len(text))
    )
    for size in (500, 1000):
        text = '" ' * size
        CountingText.seen = 0
        spans.locate_tokens(text, ["``"] * size, tokenizer, "mixed")
        seen.append(CountingText.seen)
    assert 0 < seen[1] < 2.2 * seen[0]


def test_a_document_of_sixty_thousand_letters_is_refused_at_once():
    """It kept the command busy for half a minute when names were tried from every letter."""
    for text in (f"<doc {'a' * 60_000}>", "<seg " * 12_000, f'<tstset><doc docid="d"><seg {"a" * 60_000}>'):
        with pytest.raises(bp.BleuprintError):
            markup.join_markup(markup.read_markup("sgml", "a.sgm", [text]), [], None, ())


def test_no_pattern_is_forgotten():
    """Those that are put together from parts are classes of characters, or chosen from two that stand beside them."""
    built = {module for module, node in pattern_calls() if not isinstance(node.args[0], ast.Constant)}
    assert built == {
        "compat/sacrebleu/acceleration.py",
        "text/tokenizers/chinese.py",
        "text/tokenizers/mteval.py",
        "text/tokenizers/registry.py",
        "text/tokenizers/tercom.py",
    }
