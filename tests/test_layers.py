"""Packages import only from packages before them, and the core needs nothing but the standard library."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src"
SHARED = ("errors", "values", "numbers", "wording", "views", "native_kernel")
PACKAGES = (
    "recipes", "text", "counting", "metrics", "engines", "scoring", "findings", "lessons", "render", "compat",
    "adapters",
)  # fmt: skip
FRONT_ENDS = ("io", "web", "cli")
ORDER = [*SHARED, *PACKAGES, *FRONT_ENDS]
ALLOWED = {("cli", "io"), ("cli", "web")}
"""The imports between front ends."""
BACKWARDS = {("recipes", "metrics"), ("recipes", "counting")}
"""A recipe finds its metric in a registry that imports the metrics when it is first used."""


ANALYSIS = {"changes", "explain", "search"}
"""The modules of each metric that analyse scores."""


def package_of(module: str) -> str:
    """Return the package of a module; what explains or searches in a metric is part of the findings."""
    names = module.split(".")
    return "findings" if names[1] == "metrics" and ANALYSIS & {*names} else names[1]


def imported_by(path: Path) -> set[str]:
    """Return the modules of bleuprint that a file imports, also inside functions."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(aliases):
                names |= {alias.name for alias in aliases}
            case ast.ImportFrom(module, aliases, 0):
                names |= {f"{module}.{alias.name}" for alias in aliases}
    return {name.replace("._kernel", ".native_kernel") for name in names if name.startswith("bleuprint.")}


def is_allowed(package: str, other: str) -> bool:
    if package == other or (package, other) in ALLOWED | BACKWARDS:
        return True
    if package in FRONT_ENDS and other in FRONT_ENDS:
        return False
    return ORDER.index(other) < ORDER.index(package)


@pytest.mark.parametrize("package", ORDER)
def test_a_package_imports_only_from_packages_before_it(package):
    folder = SOURCE / "bleuprint" / package
    files = folder.rglob("*.py") if folder.is_dir() else [folder.with_suffix(".py")]
    files = [path for path in files if package_of(f"bleuprint.{package}.{path.stem}") == package]
    if package == "findings":
        files += [path for path in (SOURCE / "bleuprint/metrics").rglob("*.py") if path.stem in ANALYSIS]
    wrong = {
        f"{path.relative_to(SOURCE)} imports {name}"
        for path in files
        for name in imported_by(path)
        if package_of(name) in ORDER and not is_allowed(package, package_of(name))
    }
    assert wrong == set()


def test_the_core_runs_on_the_standard_library_alone():
    core = [*SHARED, *PACKAGES[: PACKAGES.index("render")]]
    files = [path.relative_to(SOURCE).with_suffix("") for path in (SOURCE / "bleuprint").rglob("*.py")]
    names = [".".join(file.parts).removesuffix(".__init__") for file in files if file.parts[1] in core]
    program = (
        f"import sys; sys.path[:] = [{str(SOURCE)!r}, *(p for p in sys.path if 'site-packages' not in p)]\n"
        f"from importlib import import_module\nfor name in {names!r}: import_module(name)\n"
        "import bleuprint; print(bleuprint.score(['a b c d'], ['a b c d']).score)"
    )
    assert run(program) == "100.0\n"


def test_importing_the_package_loads_next_to_nothing():
    program = "import bleuprint, sys; print(sorted(m for m in sys.modules if m.startswith('bleuprint')))"
    assert run(f"import sys; sys.path.insert(0, {str(SOURCE)!r}); {program}") == "['bleuprint']\n"


def run(program: str) -> str:
    return subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True).stdout
