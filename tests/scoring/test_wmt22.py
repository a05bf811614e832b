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


@pytest.mark.skipif(not SYSTEMS, reason=f"the WMT22 texts are not there: {FOLDER}")
@pytest.mark.parametrize("recipe", ["sacrebleu", "nltk", "fairseq", "chrf", "chrf++", "ter"])
@pytest.mark.parametrize("pair", ["cs-en", "en-de", "en-zh"])
def test_no_system_looks_misaligned_and_every_shifted_one_does(pair, recipe):
    for path in find_texts(pair, "ref").values():
        references = read_lines(path)
        for hypotheses in map(read_lines, find_texts(pair, "hyp").values()):
            assert "looks-misaligned" not in codes(bp.score(hypotheses, references, recipe))
        shifted = codes(bp.score([*hypotheses[1:], hypotheses[0]], references, recipe))
        explained = pair == "en-zh" and not recipe.startswith("chrf")
        assert ("unspaced-script" if explained else "looks-misaligned") in shifted
        assert "looks-misaligned" not in shifted or not explained


def codes(score):
    return {note.code for note in score.notes}
