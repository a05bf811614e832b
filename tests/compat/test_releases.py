"""Releases of other tools, installed side by side: drop-ins and acceleration give what each of them gives."""

import pytest

pytest.importorskip("torchmetrics")

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import bleuprint as bp
from bleuprint.compat import acceleration
from bleuprint.compat.acceleration import TESTED, AccelerationError, name_releases

pytestmark = pytest.mark.needs("torchmetrics")


ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
BESIDE = [tuple(line.split("==")) for line in PYPROJECT["tool"]["bleuprint"]["earlier-releases"]]
GROUPS = PYPROJECT["dependency-groups"]
NEWEST = [
    tuple(line.split("=="))
    for line in [*GROUPS["test"], *GROUPS["test-all"]]
    if isinstance(line, str) and line.split("==")[0] in TESTED
]
FOLDERS = Path(sys.prefix) / "releases"


def run_with(tool, release, *command):
    folder = FOLDERS / f"{tool}-{release}"
    assert folder.is_dir() or (tool, release) in NEWEST, f"{folder} is missing: make {FOLDERS.name}/installed"
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(
        [sys.executable, *command], env=environment, cwd=ROOT / "tests/support", capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout.decode().splitlines()[-1])


def test_the_first_and_the_last_of_every_minor_release_are_tried():
    tried = sorted({*BESIDE, *NEWEST} - {("pycocoevalcap", "1.2")})
    minors = {(tool, release.rpartition(".")[0]) for tool, releases in TESTED.items() for release in releases}
    ends = {
        (tool, end)
        for tool, minor in minors
        for own in [[release for release in TESTED[tool] if release.rpartition(".")[0] == minor]]
        for end in (own[0], own[-1])
    }
    assert tried == sorted(ends)
    assert {tool: releases[-1] for tool, releases in TESTED.items()} == dict(NEWEST)


@pytest.mark.extended
@pytest.mark.parametrize(("tool", "release"), [one for one in BESIDE if one[0] in TESTED])
def test_a_release_gives_what_it_gave_and_what_the_drop_in_gives(tool, release):
    found = run_with(tool, release, "release_cases.py", tool)
    assert (found["release"], found["names"], found["differing"]) == (release, [tool], [])
    assert found["numbers"] > 100
    assert found["by_drop_in"] >= (0 if tool == "torchmetrics" else 400)


def test_others_are_refused_and_the_rest_is_accelerated(monkeypatch):
    installed = {"nltk": "3.8.1", "sacrebleu": "2.6.0", "torchmetrics": "1.10.0"}
    monkeypatch.setattr(acceleration, "installed_version", installed.get)
    with bp.accelerate() as running:
        assert running.names == ("sacrebleu",)
        assert dict(running.refused) == {
            "nltk": "nltk: expected nltk 3.9.1 to 3.9.4 or 3.10.0 to 3.10.4, which was tested, got 3.8.1",
            "torchmetrics": f"torchmetrics: expected torchmetrics {name_releases(TESTED['torchmetrics'])}, "
            "which was tested, got 1.10.0",
        }
        assert "<Acceleration of sacrebleu, not of nltk: expected nltk 3.9.1 to 3.9.4" in repr(running)
    with pytest.raises(
        AccelerationError, match=r"expected nltk 3\.9\.1 to 3\.9\.4 or 3\.10\.0 to .*, got 3\.8\.1\. Use"
    ):
        bp.accelerate("nltk", "sacrebleu")
    monkeypatch.setattr(acceleration, "installed_version", {**installed, "sacrebleu": "1.5.1"}.get)
    with pytest.raises(AccelerationError, match=r"got nltk 3\.8\.1, sacrebleu 1\.5\.1, torchmetrics .* Use one"):
        bp.accelerate()


EARLIER = json.loads((ROOT / "tests/data/earlier_releases.json").read_text(encoding="utf-8"))["releases"]
DIALECTS_OF = {
    "nltk-3.5": {"corpus_bleu.method2": "nltk-method2@3.5"},
    "sacrebleu-1.4.14": {"corpus_bleu": "sacrebleu@1.5", "sentence_bleu": "sacrebleu-sentence@1.4"},
    "sacrebleu-1.5.1": {"corpus_bleu": "sacrebleu@1.5", "sentence_bleu": "sacrebleu-sentence@1.5"},
}


@pytest.mark.parametrize("release", EARLIER)
def test_what_earlier_releases_printed(release):
    scale = 1 if release.startswith("nltk") else 100
    changed = set()
    for case in EARLIER[release]:
        for function, printed in case["scores"].items():
            name = DIALECTS_OF[release][function]
            kept = 1 if function == "sentence_bleu" else len(case["candidates"])
            texts = (case["candidates"][:kept], case["references"][:kept])
            assert bp.score(*texts, name).fraction * scale == pytest.approx(printed, rel=1e-12, abs=0), name
            if bp.score(*texts, name.partition("@")[0]).fraction * scale != pytest.approx(printed, rel=1e-6):
                changed.add(function)
    assert changed == set(DIALECTS_OF[release])


CAPTIONS = """
import json, random
import bleuprint as bp
from pycocoevalcap.bleu.bleu import Bleu
from release_cases import draw_corpora
differing, compared = [], 0
for candidates, references in draw_corpora(200):
    theirs, each = Bleu(4).compute_score(
        dict(enumerate(references)), {place: [text] for place, text in enumerate(candidates)}, verbose=0)
    for order in (1, 2, 3, 4):
        recipe = bp.Recipe.named("pycocoevalcap").replace(order=order)
        own = [bp.score(candidates, references, recipe), *bp.score_segments(candidates, references, recipe)]
        for mine, their in zip(own, [theirs[order - 1], *each[order - 1]], strict=True):
            compared += 1
            if abs(mine.fraction - their) > 1e-12 * their:
                differing.append((mine.fraction, their))
print(json.dumps({"differing": differing[:5], "compared": compared}))
"""


@pytest.mark.extended
def test_captions_against_pycocoevalcap_itself():
    found = run_with("pycocoevalcap", "1.2", "-c", CAPTIONS)
    assert found["differing"] == []
    assert found["compared"] > 2000
