"""The navigation: which document stands where."""

CHAPTERS = {
    "Understand": "how-bleu-is-computed how-chrf-is-computed how-ter-is-computed teaching recipes dialects limits",
    "Use": "library cli page explaining comparing reconciling identifying formats testsets migrating ci",
    "At scale": "scaling training speed benchmarks",
    "The project": "design reproducing stability releasing",
}
"""The documents of ``docs/``, in this order."""
MADE = {"See": ["gallery"], "Look up": ["reference/index"]}
PROJECT = ["CONTRIBUTING", "CHANGELOG", "CODE_OF_CONDUCT", "SECURITY", "bench/results/index"]


def chapter(caption: str, documents: list[str]) -> str:
    """Write a part of the navigation, as MyST reads it."""
    listed = "\n".join(documents)
    return f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{listed}\n```\n"


def navigation() -> str:
    """Write the whole of it: the documents, what the site adds, and what is about the project."""
    chapters = {caption: [f"docs/{name}" for name in names.split()] for caption, names in CHAPTERS.items()}
    project = chapters.pop("The project") + PROJECT
    return "".join(chapter(*part) for part in (chapters | MADE | {"The project": project}).items())
