"""Ctrl-C ends long work in the kernel at once: a real SIGINT, in a process of its own."""

import json

import pytest

from engine_process import run

PROGRAM = """
import json, os, signal, sys, threading
from array import array
import bleuprint as bp
from bleuprint.native_kernel import find_kernel

signal.signal(signal.SIGINT, signal.default_int_handler)  # also where the tests run in the background
kernel, threads = find_kernel(), int(sys.argv[1])
bleu = kernel.BleuKernel(["13a", "closest", "exact", "none", "zero", "zero", "zero"], [4, 0.0, *[0.25] * 4])
ter = kernel.TerKernel(["candidate", "insertions"], [10])
text = "some words and others, that come again and again: some words. " * 60
made = []  # what the work fills; nothing but zeros where it has not been

def make(size, kind="d"):
    made.append(array(kind, bytes(8 * size)))
    return made[0]

{prepare}
threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    {work}
except KeyboardInterrupt:
    heard = True
else:
    heard = False
print(json.dumps([heard, [any(filled[-100:]) for filled in made]]))
"""
ROWS = "rows = array('q', [20, 20, 12, 8, 5, 3, 20, 19, 18, 17] * 20_000)"
WORKS = {
    "bootstrap": (
        f"{ROWS}; make(1_000_000)",
        "bleu.bootstrap([rows], 10, 1, 1_000_000, made[0], threads)",
    ),
    "randomisation": (
        f"{ROWS}; other = array('q', [20, 20, 13, 9, 5, 3, 20, 19, 18, 17] * 20_000)",
        "bleu.randomise(rows, other, 10, 1, 10**12, 1.0, threads)",
    ),
    "texts": (
        "texts = [text] * 300_000; make(3_000_000, 'q')",
        "bleu.count(texts, [(text,)] * 300_000, 'mixed', made[0], threads)",
    ),
    "tokens": (
        "tokens = tuple(text.split()); make(3_000_000, 'q')",
        "bleu.count_tokens([tokens] * 300_000, [(tokens,)] * 300_000, made[0], threads)",
    ),
    "edits": (
        "texts = [text] * 100_000; turned = ' '.join(text.split()[::-1]); make(600_000, 'q')",
        "ter.count(texts, [(turned,)] * 100_000, 'mixed', made[0], threads)",
    ),
    "edits of a long text": (
        "import random; words = [f'w{place}' for place in range(100_000)]; whole = ' '.join(words); "
        "random.Random(1).shuffle(words); make(6 * 40, 'q')",
        "ter.count([' '.join(words)] * 40, [(whole,)] * 40, 'mixed', made[0], threads)",
    ),
    "a trace of edits": (
        "import random; words = list(range(300_000)); random.Random(1).shuffle(words); "
        "moved, staying = array('q', words), array('q', range(300_000))",
        "ter.trace(moved, staying, 300_000)",
    ),
    "edits of one segment": (
        "import random; words = [f'w{place}' for place in range(300_000)]; whole = ' '.join(words); "
        "random.Random(1).shuffle(words); moved = ' '.join(words)",
        "ter.score(moved, whole)",
    ),
    "bootstrap of edits": (
        "rows = array('q', [20, 20 * 720720, 3, 2, 1, 1] * 20_000); make(1_000_000)",
        "ter.bootstrap([rows], 6, 1, 1_000_000, made[0], threads)",
    ),
    "pairs": (
        "texts = [' '.join(f'w{place}' for place in range(400))] * 3_000; make(3_000 * 3_000)",
        "bleu.score_pairs(texts, [(text,) for text in texts], made[0], threads)",
    ),
    "texts among themselves": (
        "make(100_000)",
        "bleu.score_among_themselves([text] * 100_000, made[0], threads)",
    ),
}


@pytest.mark.parametrize("threads", [pytest.param(1, marks=pytest.mark.extended), 3])
@pytest.mark.parametrize("work", WORKS.values(), ids=WORKS)
def test_a_long_call_ends_when_it_is_interrupted(work, threads):
    done = run("-c", PROGRAM.format(prepare=work[0], work=work[1]), threads, BLEUPRINT_ENGINE="native")
    assert done.returncode == 0, done.stderr
    heard, finished = json.loads(done.stdout)
    assert heard
    assert not any(finished)


def test_the_command_ends_when_it_is_interrupted():
    program = """
import os, signal, threading
import bleuprint as bp
signal.signal(signal.SIGINT, signal.default_int_handler)
text = "some words and others, that come again and again. " * 3
systems = {name: [f"{text} {name} {number % 7}" for number in range(5_000)] for name in "ab"}
references = [f"{text} {number % 5}" for number in range(5_000)]
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
bp.compare(systems, references, resamples=10_000_000, threads=2)
"""
    done = run("-c", program, BLEUPRINT_ENGINE="native")
    assert done.returncode != 0
    assert done.stderr.rstrip().endswith("KeyboardInterrupt")


def test_who_handles_a_signal_may_score_in_the_middle_of_a_long_call():
    """Signals come as long as five of them have not met the engine at work."""
    program = """
import faulthandler, json, signal
import bleuprint as bp

faulthandler.dump_traceback_later(100, exit=True)
amid = []

def hear(_, frame):
    score = bp.score_sentence("one two three four", "two three four one", "ter").score
    if "engines" in frame.f_code.co_filename:
        amid.append(score)

text = "some words and others, that come again and again: some words. " * 60
turned = " ".join(text.split()[::-1])
alone = bp.score([text], [turned], "ter").score
signal.signal(signal.SIGALRM, hear)
signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
while len(amid) < 5:
    whole = bp.score([text] * 3_000, [turned] * 3_000, "ter", threads=2).score
    assert whole == alone, whole
signal.setitimer(signal.ITIMER_REAL, 0)  # one that came while Python ends would end it
print(json.dumps(sorted(set(amid))))
"""
    done = run("-c", program, BLEUPRINT_ENGINE="native")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [25.0]


MIDST = """
import faulthandler, json, signal
import bleuprint as bp

faulthandler.dump_traceback_later(100, exit=True)
total, counted, asked = bp.Accumulator(), [0], []

def hear(*_):
    total.add("a b c d", "a b c d")
    total.add_part(f"part {counted[0] % 5}", ["a b"], ["a b"])
    asked.append(total.census.segments)
    counted[0] += 1

total.add("a b c d", "a b c d")
total.add_part("part 0", ["a b"], ["a b"])
total.score()
signal.signal(signal.SIGALRM, hear)
added = 1
for number in range(1_500):
    signal.setitimer(signal.ITIMER_REAL, 1e-4 + number % 50 * 2e-5)
    while counted[0] <= number:
        total.add("the cat sat", "the cat sat")
        added += 1
print(json.dumps([total.census.segments - added - counted[0], total.parts, asked == sorted(asked)]))
"""
"""Signals that come at another moment of an addition each; their handler adds to the same accumulator, and asks it."""


def test_who_interrupts_an_addition_to_an_accumulator_may_add_and_ask():
    done = run("-c", MIDST)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [5, [f"part {number}" for number in range(5)], True]
