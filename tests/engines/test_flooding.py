"""Hash flooding: no input makes the kernel's tables slow. Judged by steps beyond the first look, never by time."""

import itertools
import random
import statistics

import pytest

from bleuprint.counting.rows import StatsTable
from bleuprint.metrics.bleu.counting import bleu_layout
from bleuprint.native_kernel import find_kernel
from engine_process import answer

kernel = find_kernel()

FEW = 2
"""Steps per token in a table that is at most half full, for most secrets."""
BOUND = 16
"""Steps per token when somebody knows the secret and means harm."""
MOST = 64
"""Steps per token that no secret may exceed: where tokens fall together the table soon draws another one."""
SECRET = (0x0123456789ABCDEF, 0xFEDCBA9876543211)
SECRETS = [tuple(random.Random(seed).getrandbits(64) | 1 for _ in range(2)) for seed in range(25)]
PREFIX = b"p" * 100

FAMILIES = {
    "one byte": [bytes([code]) for code in range(256)],
    "two bytes": [bytes(pair) for pair in itertools.product(range(256), repeat=2)],
    "numbers": [b"%d" % number for number in range(50_000)],
    "numbers with leading zeros": [b"%016d" % number for number in range(50_000)],
    "equal prefix": [PREFIX + b"%05d" % number for number in range(20_000)],
    "equal suffix": [b"%05d" % number + PREFIX for number in range(20_000)],
    "middle of a long token": [PREFIX + b"%05d" % number + PREFIX for number in range(20_000)],
    "high bits": [(number << 48).to_bytes(8, "little") for number in range(20_000)],
    "words of eight bytes": [(number * 2**32).to_bytes(16, "little") for number in range(20_000)],
    "lengths of one letter": [b"a" * length for length in range(1, 5001)],
}


def steps_per_token(tokens, secret=SECRET):
    assert len(set(tokens)) == len(tokens)
    return kernel.steps_of(tokens, *secret) / len(tokens)


@pytest.mark.parametrize("family", FAMILIES)
def test_tokens_that_look_alike_take_few_steps(family):
    steps = [steps_per_token(FAMILIES[family][:10_000], secret) for secret in SECRETS]
    assert statistics.median(steps) < FEW
    assert max(steps) < MOST


@pytest.mark.parametrize("family", FAMILIES)
def test_texts_of_tokens_that_look_alike_take_few_steps(family):
    tokens = [token.decode("latin-1") for token in FAMILIES[family]]
    words = [word for word in tokens if word.split() == [word]]
    assert len(words) > 200
    assert steps_of_texts(" ".join(words), " ".join(reversed(words))) / len(words) < MOST


def steps_of_texts(candidate, *references, order=4):
    room = StatsTable.zeros(bleu_layout(order), 1).numbers
    bleu = kernel.BleuKernel(["whitespace", "closest", "exact"], [order])
    return bleu.count([candidate], [references], "mixed", room, 1)


@pytest.mark.parametrize("stride", [1, 2, 64, 4096, 2**16, 2**32, 2**48])
def test_token_ids_in_strides_take_few_steps(stride):
    tokens = [number * stride for number in range(10_000)]
    room = StatsTable.zeros(bleu_layout(4), 1).numbers
    ids = kernel.TokenIds.take([tokens], [(tokens, tokens[::-1])])
    steps = ids.count(kernel.BleuKernel(["whitespace", "closest", "exact"], [4]), room, 1)
    assert steps / len(tokens) < MOST


@pytest.mark.parametrize("stride", [1, 3, 64, 255, 256, 1024])
def test_pairs_of_tokens_in_strides_take_few_steps(stride):
    names = [f"w{number}" for number in range(2048)]
    text = " ".join(names[(place * stride + place // 2048) % 2048] for place in range(20_000))
    assert steps_of_texts(text, text, order=2) / 20_000 < MOST


def absorbing_tokens(secret, number):
    """Tokens whose first eight bytes are the secret, which makes one factor of their hash 0."""
    return [secret[0].to_bytes(8, "little") + place.to_bytes(8, "little") for place in range(number)]


def colliding_tokens(secret, number, bits):
    """Search for tokens with the same low bits of their hash, as somebody would who knows the secret."""
    mask = (1 << bits) - 1
    names = map(b"%d".__mod__, itertools.count())
    return list(itertools.islice((name for name in names if not kernel.hash_of(name, *secret) & mask), number))


def test_an_attacker_who_knows_the_secret_gains_nothing():
    for tokens in (absorbing_tokens(SECRET, 5000), colliding_tokens(SECRET, 3000, 10)):
        assert len({kernel.hash_of(token, *SECRET) & 0x3FF for token in tokens}) == 1
        assert usual_steps(tokens) < BOUND * len(tokens)


def test_the_attack_grows_no_faster_than_its_tokens():
    few, many = (usual_steps(absorbing_tokens(SECRET, number)) for number in (2_000, 32_000))
    assert many < BOUND * 32_000
    assert many - few < BOUND * 30_000


def usual_steps(tokens):
    """Count the steps of a table that draws other secrets, which luck alone may make worse ones for once."""
    steps = [kernel.steps_of(tokens, *SECRET) for _ in range(15)]
    assert max(steps) < MOST * len(tokens)
    return statistics.median(steps)


def test_another_process_draws_another_secret():
    program = """
import json
from bleuprint import _kernel
from bleuprint.counting.rows import StatsTable
from bleuprint.metrics.bleu.counting import bleu_layout
text, room = " ".join(map(str, range(3000))), StatsTable.zeros(bleu_layout(4), 1).numbers
bleu = _kernel.BleuKernel(["13a", "closest", "exact"], [4])
print(json.dumps(bleu.count([text], [(text,)], "mixed", room, 1)))
"""
    assert len({answer(program, "native") for _ in range(4)}) > 1
