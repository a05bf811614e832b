"""BLEU as a reward, called as the real trainers call it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import bleuprint as bp
from bleuprint.adapters.rewards import BleuReward, compute_score
from bleuprint.errors import InputTypeError, Location, RecipeError, ShapeError
from peer_sources import bring_packages

ROOT = Path(__file__).parents[2]
COMPLETIONS = ["the cat is on mat", "it purrs"]
REFERENCES = ["the cat is on the mat", ["he purrs", "it purrs"]]
EXPECTED = list(bp.score_segments(COMPLETIONS, REFERENCES).scores)


def message(content):
    return [{"role": "user", "content": "and?"}, {"role": "assistant", "content": content}]


@pytest.mark.parametrize(
    "write", [str, message, lambda text: message([{"type": "text", "text": text}, {"type": "image"}])]
)
def test_completions_are_texts_or_messages(write):
    completions = [write(text) for text in COMPLETIONS]
    rewards = BleuReward()(prompts=["?"] * 2, completions=completions, completion_ids=[[1], [2]], references=REFERENCES)
    assert rewards == [score / 100 for score in EXPECTED]
    whole = BleuReward("human", as_fraction=False, recipe="sacrebleu-sentence")
    assert whole(["?"] * 2, completions, human=REFERENCES, trainer_state=None) == EXPECTED


def test_a_message_that_only_calls_a_tool_says_nothing():
    assert BleuReward()(["?"], [[{"role": "assistant", "content": None}]], references=["a b"]) == [0.0]


@pytest.mark.needs("torch")
def test_ids_are_scored_as_they_were_drawn():
    reward = BleuReward("wanted", ids=True, eos=1, pad=0)
    rewards = reward(["?"] * 2, ["", ""], [[5, 6, 7, 8, 1], [5, 6, 1, 0]], wanted=[[5, 6, 7, 8], [[5, 9], [6]]])
    texts = [[5, 6, 7, 8], [5, 6]], [[[5, 6, 7, 8]], [[5, 9], [6]]]
    recipe = bp.Recipe.named("sacrebleu-sentence").replace(tokenizer="pretokenized")
    assert rewards == [score / 100 for score in bp.score_segments(*texts, recipe).scores]


@pytest.mark.needs("torch")
def test_nothing_to_reward():
    assert BleuReward()([], [], [], references=[]) == []
    assert BleuReward(ids=True)([], [], [], references=[]) == []


def test_verl_gives_a_text_or_a_column_of_them():
    assert (
        compute_score("wmt", COMPLETIONS[0], REFERENCES[0]) == bp.score_sentence(COMPLETIONS[0], REFERENCES[0]).fraction
    )
    several = np.array(REFERENCES[1], dtype=object)
    assert compute_score("wmt", COMPLETIONS[1], several, {"index": 3}, as_fraction=False, recipe="paper") == (
        bp.score_sentence(COMPLETIONS[1], REFERENCES[1], "paper").score
    )


@pytest.mark.needs("torch")
def test_what_cannot_be_rewarded_is_refused():
    with pytest.raises(ShapeError) as named:
        BleuReward()(["?"], ["a"], reference=["a"], trainer_state=None)
    assert (named.value.suggestion, named.value.values) == ("reference", ("reference",))
    with pytest.raises(ShapeError) as missing:
        BleuReward(ids=True)(["?"], ["a"], references=[[1]])
    assert missing.value.location == Location("completion_ids")
    with pytest.raises(InputTypeError) as wrong:
        BleuReward()(["?"] * 2, ["a", 5], references=["a", "a"])
    assert wrong.value.location == Location("completions", 1)
    with pytest.raises(RecipeError):
        BleuReward(recipe=bp.Recipe.named("paper").replace(tokenizer="pretokenized"))
    with pytest.raises(RecipeError, match="metric:chrf"):
        BleuReward(recipe="chrf", ids=True)
    with pytest.raises(ShapeError) as fewer:
        BleuReward()(["?"] * 2, ["a", "b"], references=["a"])
    assert fewer.value.location == Location("references")


def test_chrf_is_a_reward_under_its_own_name():
    reward = BleuReward(recipe="chrf++")
    assert (reward.__name__, BleuReward().__name__, BleuReward(recipe="chrf", name="own").__name__) == (
        "chrf", "bleu", "own",
    )  # fmt: skip
    scores = list(bp.score_segments(COMPLETIONS, REFERENCES, "chrf++").scores)
    assert reward(["?"] * 2, COMPLETIONS, references=REFERENCES) == [score / 100 for score in scores]
    assert compute_score("wmt", COMPLETIONS[0], REFERENCES[0], recipe="chrf++") == scores[0] / 100


@pytest.mark.parametrize("recipe", ["ter", "torchmetrics-ter"])
def test_a_rate_of_errors_is_no_reward(recipe):
    with pytest.raises(RecipeError, match="TER"):
        BleuReward(recipe=recipe)
    with pytest.raises(RecipeError, match="TER"):
        compute_score("wmt", COMPLETIONS[0], REFERENCES[0], recipe=recipe)


def run_program(program, folder, *, first=""):
    """Run a program as its own process, where warnings of others are not ours to answer for."""
    paths = {"PYTHONPATH": str(first)} if first else {}
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env={**os.environ, **paths},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout


EXAMPLE = (ROOT / "examples/grpo_reward.py").read_text(encoding="utf-8")


@pytest.mark.extended
def test_grpo_learns_from_texts(tmp_path):
    printed = run_program(EXAMPLE, tmp_path)
    steps = [line for line in printed.splitlines() if line.startswith("step ")]
    assert [line.split(":")[0] for line in steps] == ["step 1", "step 2"]
    assert all(0 <= float(line.split()[-1]) <= 100 for line in steps)


@pytest.mark.extended
def test_grpo_learns_from_ids_what_texts_of_words_say(tmp_path):
    """The tokenizer knows words alone, so that texts, split at white space, and ids have the same scores."""
    several = (
        '[BleuReward("references", recipe=SPACES, name="texts"), '
        'BleuReward("ids", ids=True, eos=1, pad=0, name="ids")],'
    )
    prepared = (
        "import bleuprint as bp\n"
        'SPACES = bp.Recipe.named("sacrebleu-sentence").replace(tokenizer="whitespace")\n'
        'data = data.map(lambda row: {"ids": tokenizer(row["references"])["input_ids"]})\n'
        "trainer = GRPOTrainer("
    )
    without_pads = 'generation_kwargs={"suppress_tokens": [0]}, use_cpu=True,'  # which texts leave out in between, too
    program = EXAMPLE.replace('BleuReward("references"),', several).replace("use_cpu=True,", without_pads)
    program = program.replace("trainer = GRPOTrainer(", prepared)
    logged = 'print(*(json.dumps(list(trainer._logs["rewards"][name])) for name in ("texts", "ids")), sep="\\n")'
    *_, texts, ids = run_program(f"import json\n{program}\n{logged}\n", tmp_path).splitlines()
    assert json.loads(texts) == json.loads(ids)
    assert len(json.loads(ids)) == 4  # those of the last step
    assert max(json.loads(ids)) > 0


VERL = [
    "verl==0.9.1", "ray==2.60.0", "tensordict==0.15.3", "codetiming==1.4.0", "hydra-core==1.3.8", "omegaconf==2.4.0",
    "antlr4-python3-runtime==4.9.3", "pylatexenc==2.11", "peft==0.21.2", "msgpack==1.2.4", "pyvers==0.2.3",
    "orjson==3.13.0", "cloudpickle==3.1.2", "protobuf==7.36.2",
]  # fmt: skip
WITH_VERL = """
import numpy as np, torch
from omegaconf import OmegaConf
from verl import DataProto
from verl.trainer.ppo.reward import get_custom_reward_fn
from verl.workers.reward_manager import NaiveRewardManager
import bleuprint as bp

function = {"path": "pkg://bleuprint.adapters.rewards", "name": "compute_score", "reward_kwargs": {"recipe": "paper"}}
compute = get_custom_reward_fn(OmegaConf.create({"reward": {"custom_reward_function": function}}))
words = "pad the cat is on mat a purrs".split()

class Words:
    def decode(self, ids, skip_special_tokens=True):
        return " ".join(words[number] for number in ids if number)

responses = torch.tensor([[1, 2, 3, 4, 5, 0], [6, 2, 7, 0, 0, 0]])
prompts = torch.tensor([[1], [1]])
mask = torch.cat([torch.ones(2, 1, dtype=torch.int64), (responses != 0).long()], 1)
truths = ["the cat is on the mat", ["a cat purrs", "a cat"]]
data = DataProto.from_dict(
    tensors={"prompts": prompts, "responses": responses, "attention_mask": mask},
    non_tensors={
        "reward_model": np.array([{"ground_truth": truth} for truth in truths], dtype=object),
        "data_source": np.array(["wmt", "wmt"], dtype=object),
        "extra_info": np.array([{}, {}], dtype=object),
    },
)
rewards = NaiveRewardManager(Words(), num_examine=0, compute_score=compute)(data)
texts = ["the cat is on mat", "a cat purrs"]
expected = [bp.score_sentence(text, truth, "paper").fraction for text, truth in zip(texts, truths)]
assert torch.equal(rewards.sum(1), torch.tensor(expected, dtype=torch.float32)), rewards
assert rewards[0, 4] == rewards[0].sum() > 0
print("rewarded", expected)
"""


@pytest.mark.extended
def test_verl_finds_and_calls_it(tmp_path):
    folder = bring_packages(VERL, tmp_path / "verl")
    assert run_program(WITH_VERL, tmp_path, first=folder).splitlines()[-1].startswith("rewarded [0.57")


MBRS = [
    "mbrs==0.1.8", "bert-score==0.3.13", "bleurt-pytorch==0.0.1", "docstring-parser==0.18.0", "entmax==1.3",
    "fastchrf==0.2.1", "huggingface-hub==0.36.0", "jsonargparse==3.13.1", "lightning-utilities==0.15.3",
    "pytorch-lightning==2.6.6", "scipy==1.17.1", "simple-parsing==0.1.9", "tokenizers==0.22.1",
    "transformers==4.57.1", "unbabel-comet==2.2.7",
]  # fmt: skip
WITH_MBRS = """
import torch
from mbrs.decoders import get_decoder
from mbrs.metrics import MetricBLEU, MetricChrF, MetricTER, get_metric
import bleuprint as bp
from bleuprint.adapters.mbrs import MetricBleuprint

if __name__ == "__main__":
    assert get_metric("bleuprint") is MetricBleuprint
    ours, theirs = MetricBleuprint(MetricBleuprint.Config()), MetricBLEU(MetricBLEU.Config(num_workers=1))
    texts = ["the cat sat on the mat", "a cat sat down, quietly", "the cat sat down", "it purrs", ""]
    found, expected = ours.pairwise_scores(texts, texts[:4]), theirs.pairwise_scores(texts, texts[:4])
    assert found.dtype == expected.dtype and found.shape == expected.shape == (5, 4)
    assert torch.allclose(found, expected, rtol=1e-6, atol=1e-4), (found, expected)
    assert torch.allclose(ours.scores(texts[:2], texts[1:3]), theirs.scores(texts[:2], texts[1:3]), rtol=1e-6)
    assert abs(ours.score(texts[0], texts[2]) - theirs.score(texts[0], texts[2])) < 1e-9
    columns = [texts[1:] + texts[:1], texts[2:] + texts[:2]]
    assert abs(ours.corpus_score(texts, columns) - theirs.corpus_score(texts, columns)) < 1e-9
    kind = get_decoder("mbr")
    chosen = kind(kind.Config(), ours).decode(texts[:4], texts[:4], nbest=1)
    assert chosen.sentence == [bp.choose_best(texts[:4]).candidate], chosen
    for recipe, other in (("chrf", MetricChrF), ("ter", MetricTER)):
        ours = MetricBleuprint(MetricBleuprint.Config(recipe=recipe))
        theirs = other(other.Config(num_workers=1))
        scores = [metric.pairwise_scores(texts[:4], texts) for metric in (ours, theirs)]
        assert torch.allclose(*scores, rtol=1e-6), scores
        assert abs(ours.corpus_score(texts, columns) - theirs.corpus_score(texts, columns)) < 1e-9
        picked, own = (kind(kind.Config(), metric).decode(texts[:4], texts[:4], nbest=1) for metric in (ours, theirs))
        assert picked.sentence == own.sentence == [bp.choose_best(texts[:4], recipe=recipe).candidate], (picked, own)
    print("chosen", chosen.sentence)
"""


@pytest.mark.extended
def test_mbrs_decodes_with_it(tmp_path):
    folder = bring_packages(MBRS, tmp_path / "mbrs")
    assert run_program(WITH_MBRS, tmp_path, first=folder).splitlines()[-1].startswith("chosen [")


@pytest.mark.needs("torch")
def test_without_mbrs_it_says_what_is_missing():
    with pytest.raises(ImportError, match="pip install mbrs"):
        import bleuprint.adapters.mbrs  # noqa: F401
