"""Python that runs in the middle of a kernel call changes nothing: finalizers, hashes, lists emptied meanwhile."""

import gc
import json

import pytest

from bleuprint.metrics.bleu.counting import bleu_layout
from bleuprint.native_kernel import find_kernel
from bleuprint.results import StatsTable
from engine_process import run

TEXT = "one two three four five six seven eight nine ten eleven"

FINALIZERS = """
import gc, json, sys
import bleuprint as bp
from bleuprint.compat.nltk import sentence_bleu

tokens = {text!r}.split()
changed = bp.Recipe.named("sacrebleu").replace(order=9)
stats = bp.statistics([{text!r}], [[{text!r}]]).total()
pretokenized = bp.Recipe.named("paper").replace(tokenizer="pretokenized")

class Cycle:
    def __init__(self, program):
        self.me, self.program = self, program
    def __del__(self):
        exec(self.program)

found = {{}}
gc.freeze()
{call}
for interfering, program in json.loads(sys.argv[1]).items():
    program = compile(program, interfering, "exec")
    scores = []
    for threshold in [*range(1, 40)] * 3:  # garbage is collected at every place at which something is made
        gc.collect()
        gc.set_threshold(0)
        Cycle(program)
        gc.set_threshold(threshold)
        scores.append({call})
        gc.set_threshold(0)
    found[interfering] = [len(scores), sorted(set(scores))]
print(json.dumps(found))
"""
CALLS = {
    "sentence_bleu": "sentence_bleu([tokens], tokens)",
    "sentence_bleu of ten orders": "sentence_bleu([tokens], tokens, (0.1,) * 10)",
    "score_sentence": f"float(bp.score_sentence({TEXT!r}, [{TEXT!r}, 'a b']).stats == stats)",
    "score": f"float(bp.score([{TEXT!r}], [[{TEXT!r}, 'a b']]).stats == stats)",
    "score of one reference": f"float(bp.score([{TEXT!r}], [{TEXT!r}]).stats == stats)",
    "score of tokens": "bp.score([tokens], [[tokens]], pretokenized).score / 100",
}
INTERFERING = {
    "one order": 'sentence_bleu([["q"]], ["q"], (1.0,))',
    "other tokens": 'sentence_bleu([["q", "r"]], ["s", "t", "u", "v"])',
    "nine orders": 'bp.score_sentence("a b c", "d e", changed)',
    "more references": 'bp.score_sentence("a b c", ["d e"] * 50)',
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_finalizer_may_score_in_the_middle_of_a_score(call):
    program = FINALIZERS.format(text=TEXT, call=call)
    done = run("-c", program, json.dumps(INTERFERING), BLEUPRINT_ENGINE="native")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {interfering: [117, [1.0]] for interfering in INTERFERING}


GIVEN = """
import gc, json
import bleuprint as bp

class Cycle:
    def __init__(self):
        self.me = self
    def __del__(self):
        for given in (candidates, references):
            {change}

found = []
gc.freeze()
for threshold in [*range(1, 40)] * 3:
    gc.collect()
    gc.set_threshold(0)
    candidates, references = [{text!r}] * 3000, [{text!r}] * 3000
    Cycle()
    gc.set_threshold(threshold)
    found.append(bp.score(candidates, references, threads=2).score)
    gc.set_threshold(0)
print(json.dumps([len(found), sorted(set(found))]))
"""


@pytest.mark.parametrize("change", ["del given[10:]", "given.extend(given)"])
def test_a_finalizer_may_change_the_lists_that_are_scored(change):
    done = run("-c", GIVEN.format(text=TEXT, change=change), BLEUPRINT_ENGINE="native")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [117, [100.0]]


class Token:
    """A token whose hash runs something."""

    def __init__(self, run):
        self.run = run

    def __hash__(self):
        self.run()
        return 1


def test_a_hash_may_empty_the_lists_that_are_counted():
    candidates = [(Token(list), "a", "b") for _ in range(50)]
    references = [(("a", f"b{number}"),) for number in range(50)]
    expected = [StatsTable.zeros(bleu_layout(2), 50), StatsTable.zeros(bleu_layout(2), 50)]
    bleu = find_kernel().BleuKernel(["whitespace", "closest", "exact"], [2])
    bleu.count_tokens(candidates, references, expected[0].numbers, 1)

    def empty():
        candidates.clear()
        references.clear()
        gc.collect()

    candidates[0] = (Token(empty), "a", "b")
    bleu.count_tokens(candidates, references, expected[1].numbers, 1)
    assert candidates == references == []
    assert expected[0] == expected[1]


def test_a_finalizer_may_empty_a_list_that_is_paired():
    class Cycle:
        def __init__(self):
            self.me = self

        def __del__(self):
            references.clear()

    references = [[f"text {number} {'é' * 50}"] for number in range(3000)]
    expected = [tuple(texts) for texts in references]
    before = gc.get_threshold()
    try:
        Cycle()
        gc.set_threshold(1)
        paired = find_kernel().pair_texts(references)
    finally:
        gc.set_threshold(*before)
    assert paired == expected


def test_a_signal_handler_may_empty_the_lists_and_score_while_they_are_counted():
    program = """
import json, signal
import bleuprint as bp
from bleuprint.metrics.bleu.counting import bleu_layout
from bleuprint.native_kernel import find_kernel
from bleuprint.results import StatsTable

candidates = [f"{number} " + "é words of a text that is counted for a while " * 40 for number in range(3000)] * 8
references = [(candidate,) for candidate in candidates]
table = StatsTable.zeros(bleu_layout(4), len(candidates))
during = []

def empty(*_):
    candidates.clear()
    references.clear()
    during.append([bp.score(["a b c d e"], ["a b c d e"]).score, bp.score_sentence("a b c d", "a b c d").score])

signal.signal(signal.SIGALRM, empty)
signal.setitimer(signal.ITIMER_REAL, 0.15)
bleu = find_kernel().BleuKernel(["13a", "closest", "exact"], [4])
bleu.count(candidates, references, "mixed", table.numbers, 1)
stats = table.total()
print(json.dumps([during, len(candidates), stats.matches == stats.totals, stats.candidate_length]))
"""
    done = run("-X", "utf8", "-c", program, BLEUPRINT_ENGINE="native")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [[[100.0, 100.0]], 0, True, 24_000 * 441]


def test_a_list_that_another_thread_changes_is_counted_as_it_was_at_one_moment():
    """Where Python has no lock the list is copied; elsewhere the lock holds it."""
    program = """
import json, sys, threading
import bleuprint as bp
from bleuprint.native_kernel import find_kernel

kernel = find_kernel()
bleu = kernel.BleuKernel(["13a", "closest", "exact"], [4])
states = [[f"short{place}" for place in range(9)], [f"{'long' * 9}{place}" for place in range(40)]]
tokens, stop, seen = list(states[0]), threading.Event(), set()

def change():
    while not stop.is_set():
        for state in states:
            tokens[:] = [token + "" for token in map("".join, state)]

def count():
    for _ in range(400):
        row = bleu.count_one(tokens, [states[0]])
        snapshot = kernel.TokenSnapshot.take([tokens], []).candidates()[0]
        seen.add((row[0], snapshot in map(tuple, states)))

sys.setswitchinterval(1e-5)
threads = [threading.Thread(target=count) for _ in range(3)]
changing = threading.Thread(target=change)
changing.start()
[thread.start() for thread in threads]
[thread.join() for thread in threads]
stop.set()
changing.join()
print(json.dumps(sorted(seen)))
"""
    done = run("-X", "utf8", "-c", program, BLEUPRINT_ENGINE="native")
    assert done.returncode == 0, done.stderr
    assert {*map(tuple, json.loads(done.stdout))} <= {(9, True), (40, True)}
    assert done.stdout.strip() != "[]"
