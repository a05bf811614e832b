"""One word, one meaning: no public name is defined in two modules, but where both mean the same and have a reason.

And one place for a limit: scripts of the page get theirs from the page, and templates from who renders them, who have
them from ``web/limits.py`` and ``findings/settings.py``.
"""

import ast
import re
from collections import defaultdict
from pathlib import Path

from bleuprint.findings.settings import MOST_RESAMPLES, USUAL_RESAMPLES, USUAL_SEED
from bleuprint.web.limits import MOST_RESAMPLES_SERVED, limits_of_the_page
from bleuprint.web.page import render_page

SOURCE = Path(__file__).parent.parent / "src" / "bleuprint"
VERBS = "the verb of the library, for what an adapter takes"
WRITERS = "what every writer of a format can write, asked for by this name"
MODES = "what every mode of the page answers"
SAME_MEANING = {
    "ADVICE": "the same advice in the words of the command line, and of the page",
    "Change": "what changed between two scores; a metric sees it as a protocol, as it knows no findings",
    "SCHEMA": "the schema that a result names in its JSON",
    "command": "the command that a module of the command line adds",
    "compare": VERBS,
    "compute_score": "one score for whoever asks in another form: a trainer by its keywords, the API by a request",
    "count_chunk": MODES,
    "escape": WRITERS,
    "export_result": MODES,
    "pairwise": VERBS,
    "main": "where a program starts",
    "pairwise_ids": VERBS,
    "prepare": "compiles the kernel for token ids ahead of its first use",
    "read_systems": MODES,
    "render": WRITERS,
    "render_explanation": WRITERS,
    "render_groups": WRITERS,
    "render_identification": WRITERS,
    "render_reconciliation": WRITERS,
    "render_scores": WRITERS,
    "render_segments": WRITERS,
    "score": VERBS,
    "score_segments": VERBS,
    "show_result": MODES,
    "statistics": VERBS,
    "sum_statistics": "sums as every adapter gives them",
}
"""Names that several modules define, and the one meaning that they have there."""


def defined_names(tree: ast.Module) -> set[str]:
    """Name the public classes, functions, constants and aliases at the top of a module."""
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            stored = (part for target in targets for part in ast.walk(target) if isinstance(part, ast.Name))
            names |= {part.id for part in stored if isinstance(part.ctx, ast.Store)}
    return {name for name in names if not name.startswith("_")}


TABLES_OF_OTHERS = {
    "engines/browser_kernel.py": "numbers of a table, as the kernel takes them",
    "render/latex.py": "LaTeX's",
    "render/terminal_parts.py": "rich's",
}
"""Modules with names for tables that know no ``StatsTable``, and whose word it is there."""


def test_only_rows_of_statistics_are_called_tables():
    named = set()
    for path in SOURCE.rglob("*.py"):
        text, inside = path.read_text(encoding="utf-8"), path.relative_to(SOURCE)
        called = re.findall(r"^ *(?:class|def) (\w+)|^(\w+)(?:: .+)? = ", text, re.MULTILINE)
        words = {word.lower() for names in called for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", "".join(names))}
        assert not re.search(r"(?:^|_)tables?(?:_|$)", path.stem), inside
        if words & {"table", "tables"} and "StatsTable" not in text and inside.parts[0] != "adapters":
            named.add(inside.as_posix())
    assert sorted(named) == sorted(TABLES_OF_OTHERS)


METRIC_ROOM = re.compile(
    r"^(?:metrics|render/explanations)/(?!\w+\.py)\w+/"
    r"|^engines/native_(?:bleu|chrf|ter)(?=\.py)|/bleuprint_(?:bleu|chrf|ter)(?=\.py)"
)


def homes_of_names() -> dict[str, list[str]]:
    """List the modules that define each name; drop-ins for other tools have the names of these tools.

    The rooms of metrics have the same files, so that who knows one knows all, and so has the kernel's border: a name
    may stand in the same file of each.
    """
    homes = defaultdict(list)
    for path in sorted(SOURCE.rglob("*.py")):
        inside = path.relative_to(SOURCE)
        if inside.parts[0] != "compat":
            for name in defined_names(ast.parse(path.read_text(encoding="utf-8"))):
                home = METRIC_ROOM.sub("METRIC/", inside.as_posix())
                if home not in homes[name]:
                    homes[name].append(home)
    return homes


def test_no_word_has_two_meanings():
    several = {name: homes for name, homes in homes_of_names().items() if len(homes) > 1}
    assert {name: homes for name, homes in several.items() if name not in SAME_MEANING} == {}
    assert sorted(SAME_MEANING) == sorted(several)


def test_names_of_every_kind_are_seen():
    text = "A, _B = C = 1, 2\nD: int = 3\nclass E: x = 1\ndef f(): y = 2\nasync def g(): pass\nh.i = 4\nimport j"
    assert defined_names(ast.parse(text)) == {"A", "C", "D", "E", "f", "g"}


NO_LIMIT = re.compile(r"""/\*.*?\*/|//[^\n]*|<svg.*?</svg>|viewBox: "[^"]*"|\b10 \*\* \S+|% \d+""", re.DOTALL)
"""Comments, what is drawn, powers of ten, and what a remainder is of."""
NUMBER = re.compile(r"(?<![\w.#-])\d[\d_,]*(?![\w.])")
BOX = re.compile(r"<(?:input|textarea)\b[^>]*>")
END = re.compile(r'\b(?:min|max|minlength|maxlength)="[\d.]+"')
NO_LESS = {'min="0"', 'min="1"'}
"""Of what cannot be less: a place, a weight."""


def limits_in(text: str) -> list[str]:
    """List the numbers of a script or template that are a limit, or a limit less the one that is always there."""
    known = (*limits_of_the_page().values(), USUAL_RESAMPLES, MOST_RESAMPLES_SERVED, MOST_RESAMPLES, USUAL_SEED)
    limits = {most - less for most in known for less in (0, 1)}
    numbers = NUMBER.findall(NO_LIMIT.sub("", text))
    return [number for number in numbers if int(re.sub(r"\D", "", number)) in limits]


def ends_in(template: str) -> list[str]:
    """List the ends of boxes that a template writes itself."""
    return [end for box in BOX.findall(template) for end in END.findall(box) if end not in NO_LESS]


def read_all(pattern: str) -> dict[str, str]:
    return {path.relative_to(SOURCE).as_posix(): path.read_text(encoding="utf-8") for path in SOURCE.glob(pattern)}


SCRIPTS = read_all("web/static/*.js") | read_all("render/html/*.js")
TEMPLATES = read_all("web/templates/**/*.html") | read_all("render/html/templates/**/*.html")


def test_scripts_and_templates_have_no_limits_of_their_own():
    assert {"web/static/limits.js", "render/html/report_base.js"} <= SCRIPTS.keys()
    assert {"web/templates/page.html", "web/templates/late/compare.html"} <= TEMPLATES.keys()
    found = {name: limits_in(text) for name, text in (SCRIPTS | TEMPLATES).items()}
    assert {name: numbers for name, numbers in found.items() if numbers} == {}


def test_templates_are_told_the_ends_of_their_boxes():
    assert {name: ends for name, text in TEMPLATES.items() if (ends := ends_in(text))} == {}


def test_an_end_in_a_template_would_be_seen():
    assert ends_in('<input id="n" type="number" min="1" max="9" step="1">') == ['max="9"']
    assert ends_in('<input type="number" min="0.5" max="{{ highest }}">\n<progress max="1">') == ['min="0.5"']


def test_a_limit_in_a_script_would_be_seen():
    assert limits_in("a <= 20; const MOST = 9; b > 1_000_000; say(`at most 50,000`)") == [
        "20",
        "9",
        "1_000_000",
        "50,000",
    ]
    assert limits_in("/* 20 of\n 9 */ x = 100; // 20\n y = list[0] + 8192 * 10 ** 9; <svg height='20'></svg>") == []


def test_the_page_carries_every_limit_that_its_scripts_ask_for():
    [attributes] = re.findall(r'<span id="limits" hidden([^>]*)>', render_page("static"))
    carried = {name: int(most) for name, most in re.findall(r'data-(\w+)="(\d+)"', attributes)}
    assert carried == limits_of_the_page()
    assert set(re.findall(r"\blimits\.(?!js\b|py\b)(\w+)", "".join(SCRIPTS.values()))) == set(carried)
