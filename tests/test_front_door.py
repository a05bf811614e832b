"""The public names: each exists, and no submodule ever takes the place of one."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import bleuprint as bp

ROOT = Path(__file__).parent.parent
SOURCE = Path(bp.__file__).parent
CANDIDATES, REFERENCES = ["the cat is on mat", "a b"], [["the cat is on the mat"], ["a b", "a"]]

VERBS = {
    "score": lambda: bp.score(CANDIDATES, REFERENCES),
    "score_recipes": lambda: bp.score_recipes(CANDIDATES, REFERENCES, ["nltk", "paper"]),
    "score_sentence": lambda: bp.score_sentence("a b", "a b"),
    "score_segments": lambda: bp.score_segments(CANDIDATES, REFERENCES)[1],
    "score_documents": lambda: bp.score_documents(CANDIDATES, REFERENCES, ["x", "y"])["y"],
    "statistics": lambda: bp.statistics(CANDIDATES, REFERENCES).total(),
    "explain": lambda: str(bp.explain("a b", "a b")),
    "pairwise": lambda: bp.pairwise(CANDIDATES, REFERENCES)[1],
    "self_bleu": lambda: bp.self_bleu(CANDIDATES),
    "choose_best": lambda: bp.choose_best(CANDIDATES).candidate,
    "compare": lambda: str(bp.compare({"x": CANDIDATES}, REFERENCES, resamples=100)),
    "engine": lambda: bp.engine().name,
    "reconcile": lambda: str(bp.reconcile(CANDIDATES, REFERENCES, "nltk", "sacrebleu")),
    "identify": lambda: str(bp.identify(CANDIDATES, REFERENCES, "33.8")),
    "testset": lambda: bp.testset(str(ROOT / "examples/testset.toml"), "de-en").references,
    "register_tokenizer": lambda: bp.register_tokenizer("front-door", str.split) or "front-door",
}


def test_dir_lists_what_is_public():
    assert dir(bp) == sorted([*bp.__all__, "__version__"])


def test_all_names_exist():
    for name in bp.__all__:
        assert hasattr(bp, name), name
    with pytest.raises(AttributeError, match="nonsense"):
        _ = bp.nonsense


@pytest.mark.needs("datasets", "evaluate", "pyspark", "torch", "torchmetrics")
def test_every_submodule_imported_then_every_verb_called():
    for path in SOURCE.rglob("*.py"):
        if path.name not in ("__main__.py", "mbrs.py"):  # mbrs is brought by the test that decodes with it
            parts = path.relative_to(SOURCE.parent).with_suffix("").parts
            import_module(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    for name, call in VERBS.items():
        assert callable(getattr(bp, name))
        assert call() is not None


def test_python_m_bleuprint():
    run = subprocess.run([sys.executable, "-m", "bleuprint", "--version"], capture_output=True, text=True, check=True)
    assert run.stdout.startswith(f"bleuprint {bp.__version__}, engine: ")
