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
from reference import stand_in_for_mbrs, write_reference

import bleuprint as bp
from bleuprint.web.site import build_site

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CHAPTERS = {
    "Understand": "how-bleu-is-computed how-chrf-is-computed how-ter-is-computed recipes dialects limits",
    "Use": "library cli page explaining comparing reconciling identifying formats testsets migrating",
    "At scale": "scaling training speed benchmarks",
}
"""The documents of ``docs/`` in the order of the navigation. Sphinx stops at one that is missing here."""
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


def chapter(caption: str, documents: list[str]) -> str:
    """Write a part of the navigation."""
    listed = "\n".join(documents)
    return f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{listed}\n```\n"


def first_document() -> str:
    """Start the site with the README, and with the navigation, which it does not need elsewhere."""
    chapters = [chapter(name, [f"docs/{page}" for page in pages.split()]) for name, pages in CHAPTERS.items()]
    chapters.append(chapter("See", ["gallery"]))
    chapters.append(chapter("Look up", ["reference/index"]))
    chapters.append(chapter("The project", ["docs/design", "CONTRIBUTING", "CHANGELOG", "bench/results/index"]))
    return (ROOT / "README.md").read_text(encoding="utf-8") + "".join(chapters)


def stage(folder: Path) -> None:
    """Put together what Sphinx reads."""
    for name in ("docs", "bench/results"):
        shutil.copytree(ROOT / name, folder / name)
    for name in LINKED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.md", "*.wasm"))
        else:
            shutil.copy(ROOT / name, folder / name)
    for name in ("CONTRIBUTING.md", "CHANGELOG.md"):
        shutil.copy(ROOT / name, folder / name)
    (folder / "index.md").write_text(first_document(), encoding="utf-8")
    for path in (folder / "bench/results").glob("*.md"):
        text = path.read_text(encoding="utf-8")
        if not text.startswith("# "):
            path.write_text(f"# {path.stem}\n\n{text}", encoding="utf-8")
    measured = "# Measurements\n\nWhat the programs in `bench/` printed.\n\n```{toctree}\n:glob:\n\n*\n```\n"
    (folder / "bench/results/index.md").write_text(measured, encoding="utf-8")
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
    versions = sorted(path.name for path in folder.iterdir() if (path / "index.html").exists())
    (folder / "versions.json").write_text(json.dumps(versions), encoding="utf-8")
    (folder / "index.html").write_text(FIRST_PAGE.format(version=bp.__version__), encoding="utf-8")


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
