"""Releases of other tools, each in its own folder: acceleration refuses them or changes no result of theirs."""

import pytest

pytest.importorskip("torchmetrics")

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import bleuprint as bp
from bleuprint.compat.acceleration import TOOLS

pytestmark = pytest.mark.needs("torchmetrics")


ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
INSTALLED = [tuple(line.split("==")) for line in PYPROJECT["tool"]["bleuprint"]["earlier-releases"]]
REFUSED = {("nltk", "3.8.1"), ("sacrebleu", "2.0.0")}
"""They compute other numbers."""
FOLDERS = Path(sys.prefix) / "releases"


def run_with(tool, release, *command):
    folder = FOLDERS / f"{tool}-{release}"
    assert folder.is_dir(), f"{folder} is missing: make {FOLDERS.name}/installed"
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(
        [sys.executable, *command], env=environment, cwd=ROOT / "tests/support", capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout.decode().splitlines()[-1])


@pytest.mark.extended
@pytest.mark.parametrize(("tool", "release"), [one for one in INSTALLED if one[0] in TOOLS and one not in REFUSED])
def test_a_release_gives_what_it_gave_and_what_the_drop_in_gives(tool, release):
    found = run_with(tool, release, "release_cases.py", tool)
    assert (found["release"], found["names"], found["differing"]) == (release, [tool], [])
    assert found["numbers"] > 100
    assert found["by_drop_in"] >= (0 if tool == "torchmetrics" else 400)


@pytest.mark.extended
@pytest.mark.parametrize(("tool", "release"), sorted(REFUSED))
def test_a_release_with_other_numbers_is_refused(tool, release):
    assert run_with(tool, release, "-c", REFUSAL.format(tool=tool)).startswith(f"{tool} {release} ")


REFUSAL = """
import json
from bleuprint.compat.acceleration import AccelerationError, accelerate
try:
    accelerate("{tool}")
except AccelerationError as error:
    print(json.dumps(error.message))
"""


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
