"""The front door: it holds what the sign says, and no submodule ever takes the place of a verb."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import bleuprint as bp

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
    "evaluate_path": lambda: Path(bp.evaluate_path()).is_file(),
    "reconcile": lambda: str(bp.reconcile(CANDIDATES, REFERENCES, "nltk", "sacrebleu")),
    "identify": lambda: str(bp.identify(CANDIDATES, REFERENCES, "33.8")),
    "group_dialects": lambda: str(bp.group_dialects(CANDIDATES, REFERENCES)),
    "accelerate": lambda: bp.accelerate("sacrebleu").names,
    "restore": lambda: bp.restore() is None,
    "register_tokenizer": lambda: bp.register_tokenizer("front-door", str.split) or "front-door",
}


def test_all_names_exist_and_are_documented():
    for name in bp.__all__:
        assert getattr(bp, name).__doc__, name
    assert set(bp.__all__) <= set(dir(bp))
    with pytest.raises(AttributeError, match="nonsense"):
        _ = bp.nonsense


def test_every_verb_is_tried_here():
    verbs = {name for name in bp.__all__ if callable(getattr(bp, name)) and not isinstance(getattr(bp, name), type)}
    assert verbs == set(VERBS)


def test_every_submodule_imported_then_every_verb_called():
    for path in SOURCE.rglob("*.py"):
        if path.name != "__main__.py":
            parts = path.relative_to(SOURCE.parent).with_suffix("").parts
            import_module(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    for name, call in VERBS.items():
        assert callable(getattr(bp, name))
        assert call()


def test_no_module_has_the_name_of_a_public_name():
    modules = {path.stem for path in SOURCE.iterdir() if path.suffix == ".py" or path.is_dir()}
    assert not modules & set(bp.__all__)


def test_python_m_bleuprint():
    run = subprocess.run([sys.executable, "-m", "bleuprint", "--version"], capture_output=True, text=True, check=True)
    assert run.stdout.startswith(f"bleuprint {bp.__version__}, engine: ")
