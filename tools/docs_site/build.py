"""Build the documentation as a site: ``python tools/docs_site/build.py FOLDER``, which ``make docs-site`` does.

The sources are staged as they stand in the repository, so that a link between two of them leads to the same document on
the site and in the repository. What the site adds (the reference, the gallery, the calculator) is made on the way.
Every version has a folder; the first page of all leads to the version that was built last.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import accessibility
import gallery
import measurements
from navigation import navigation
from packaging.version import InvalidVersion, Version
from reference import stand_in_for_mbrs, write_reference

import bleuprint as bp
from bleuprint.web.site import build_site

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
LINKED = ("LICENSE", "CITATION.cff", "src/bleuprint", "examples")
"""What documents link to that is no document: the site gives it as a file."""
FIRST_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>bleuprint</title>
<meta http-equiv="refresh" content="0; url={version}/index.html">
<p><a href="{version}/index.html">bleuprint {version}</a></p>
</html>
"""


def stage(folder: Path) -> None:
    """Put together what Sphinx reads."""
    for name in ("docs", "bench/results"):
        shutil.copytree(ROOT / name, folder / name)
    for name in LINKED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.md", "*.wasm"))
        else:
            shutil.copy(ROOT / name, folder / name)
    for name in ("CONTRIBUTING.md", "CHANGELOG.md", "CODE_OF_CONDUCT.md", "SECURITY.md"):
        shutil.copy(ROOT / name, folder / name)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (folder / "index.md").write_text(readme + navigation(), encoding="utf-8")  # only the site needs a navigation
    measurements.stage(folder / "bench/results")
    for page in (folder / "docs").glob("*.md"):
        page.write_text(measurements.keep_units(page.read_text(encoding="utf-8")), encoding="utf-8")
    page = folder / "docs/page.md"  # a folder has a page on the site, as it has in a view of the repository
    page.write_text(
        page.read_text(encoding="utf-8").replace("(../bench/results)", "(../bench/results/index.md)"), "utf-8"
    )
    stand_in_for_mbrs()
    write_reference(folder / "reference")
    (folder / "gallery.md").write_text(gallery.page(), encoding="utf-8")


def build_pages(target: Path) -> None:
    """Build everything but the calculator; a warning of Sphinx, as of a link that leads nowhere, stops the build."""
    with TemporaryDirectory() as scratch:
        sources = Path(scratch) / "sources"
        sources.mkdir()
        stage(sources)
        command = [sys.executable, "-m", "sphinx", "--builder", "html", "--conf-dir", str(HERE), "--quiet"]
        strict = ["--fail-on-warning", "--keep-going", "--doctree-dir", f"{scratch}/doctrees"]
        subprocess.run([*command, *strict, str(sources), str(target.resolve())], cwd=HERE, check=True)
    accessibility.mend(target)
    gallery.make_documents(target / "gallery")


def lead_to_version(folder: Path) -> None:
    """Let the first page of all lead to this version, and list the versions that are there, for a chooser."""
    names = [path.name for path in folder.iterdir() if (path / "index.html").exists() and _is_version(path.name)]
    versions = sorted(names, key=Version)
    (folder / "versions.json").write_text(json.dumps(versions), encoding="utf-8")
    (folder / "index.html").write_text(FIRST_PAGE.format(version=bp.__version__), encoding="utf-8")


def _is_version(name: str) -> bool:
    """Whether a folder is of one version, and not another name for one, as ``stable``."""
    try:
        Version(name)
    except InvalidVersion:
        return False
    return True


def build(folder: Path) -> Path:
    """Build the folder of this version, in place of an older build of it; those of other versions stay."""
    target = folder / bp.__version__
    shutil.rmtree(target, ignore_errors=True)
    build_pages(target)
    build_site(target / "calculator")
    lead_to_version(folder)
    return target


if __name__ == "__main__":
    print(f"{build(Path(sys.argv[1]))}: open index.html, or put {sys.argv[1]} on any web host")
