"""Every BLEU score that the organisers of WMT22 published for the systems in ``../shared/wmt22``."""

import pytest

import bleuprint as bp
from wmt22_texts import FOLDER, OFFICIAL, SYSTEMS, find_texts, read_lines


@pytest.mark.skipif(not SYSTEMS, reason=f"the WMT22 texts are not there: {FOLDER}")
@pytest.mark.parametrize(("pair", "system"), SYSTEMS)
def test_published_scores(pair, system):
    candidates = read_lines(find_texts(pair, "hyp")[system])
    references = {name: read_lines(path) for name, path in find_texts(pair, "ref").items()}
    sets = {f"bleu-{name}": lines for name, lines in references.items()}
    sets["bleu-all"] = list(zip(*references.values(), strict=True))
    recipe = bp.Recipe.named("sacrebleu").replace(tokenizer="zh" if pair == "en-zh" else "13a")
    scores = {metric: bp.score(candidates, sets[metric], recipe).score for metric in OFFICIAL[pair, system]}
    assert scores == pytest.approx(OFFICIAL[pair, system], rel=0, abs=1e-9)


@pytest.mark.skipif(not SYSTEMS, reason=f"the WMT22 texts are not there: {FOLDER}")
def test_every_published_score_is_tested():
    assert sorted(OFFICIAL) == sorted(SYSTEMS)
    assert sum(map(len, OFFICIAL.values())) == 99
