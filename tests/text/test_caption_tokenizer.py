"""The tokenizer of captions: pycocoevalcap's tokens by a real Java, one process for all texts; clear words without."""

import pytest

pytest.importorskip("pycocoevalcap")

import json
import os
import pickle
import random
import shutil
import subprocess
import sys
from pathlib import Path

from pycocoevalcap.bleu.bleu import Bleu
from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

import bleuprint as bp
from bleuprint.metrics.bleu.counting import bleu_layout
from bleuprint.text.segments import pair_segments
from bleuprint.text.tokenizers import captions, read_ahead, tokenize
from bleuprint.text.tokenizers.optional import find_optional
from bleuprint.text.tokenizers.spans import locate_tokens
from engine_pair import NATIVE, PYTHON

pytestmark = pytest.mark.needs("pycocoevalcap")

ROOT = Path(__file__).parents[2]
RECIPE = bp.Recipe.named("pycocoevalcap").replace(tokenizer="ptb")
CASES = json.loads((ROOT / "tests/data/caption_code_vectors.json").read_text("utf-8"))["cases"]
CAPTIONS = (
    'A man\'s dog -- isn\'t "big" (very) ... it costs $3.50.',
    "It's 5 p.m. in the U.S.", "Made by Acme Corp.",
    "I can't; they'll go, we cannot: you're gonna [see] {it}!?", "“Curly” – ‘quotes’ — and dots…",
    "Plan B.", "A well-known T-shirt",
    "The a.m. train: 10:30, 1/2 mile, 1,000,000 % off & more &amp; less", "ÄÖÜ STRASSE İstanbul",
    "No. 5, no. five, Mr. Smith's O'Brien", "-LRB- ( `` '' ` ' - -- --- ; : , . ? !",
    "Web www.a.com/b?c=d me@x.org #tag :-)",
    "Call (555) 123-4567", "Tags <b>bold</b> < 3 <!-- no -->", "日本語。", "😀 family", "A\u00a0b\u00adc\u200bd",
)  # fmt: skip
PIECES = (
    *"aBI.,!?'\"`-()[]{}<>&$%@#*/\\|~_^=+:;…–“”‘’é日½€", " ", " ", " ", "\n", "\t", "...", "--", "n't", "'s", "U.S.",
    "p.m.", "Mr.", "No.", "etc.", "A.", "1", "3.5", "1,000", "www.x.y", "&amp;", "<b>", "\u00a0",
    "\u00ad", "😀", "\x1c", "\0",
)  # fmt: skip


def split_by_tool(*texts):
    """Let pycocoevalcap split captions: all in one go, each without the spaces that its scorer does not see."""
    split = PTBTokenizer().tokenize({place: [{"caption": text}] for place, text in enumerate(texts)})
    return [caption.split() for (caption,) in split.values()]


def split_here(*texts):
    read_ahead(texts, "ptb", "mixed")
    return [tokenize(text, "ptb", "mixed") for text in texts]


def test_captions_give_the_tokens_of_pycocoevalcap():
    assert split_here(*CAPTIONS, "The end") == split_by_tool(*CAPTIONS, "The end")
    assert split_here("A man's dog (isn't) big...")[0] == [
        "a",
        "man",
        "'s",
        "dog",
        "-lrb-",
        "is",
        "n't",
        "-rrb-",
        "big",
    ]


def test_odd_texts_give_the_tokens_that_pycocoevalcap_gives_before_a_caption_that_begins_with_a():
    draw = random.Random(20)
    texts = ["".join(draw.choices(PIECES, k=draw.randrange(12))) for _ in range(2000)]
    theirs = split_by_tool(*(caption for text in texts for caption in (text, "A")))
    assert split_here(*texts) == theirs[::2]
    assert theirs[1::2] == [["a"]] * len(texts)


def test_line_breaks_and_empty_texts_shift_nothing():
    split = {
        "": [],
        "one\ntwo": ["one", "two"],
        "\n": [],
        "three\r\nfour\r": ["three", "four"],
        "five\vsix\fseven": ["five", "six", "seven"],
        " ": [],
        "eight\u2028nine\u2029ten\x85": ["eight", "nine", "ten"],
        "eleven": ["eleven"],
        "\n\n": [],
    }
    assert split_here(*split) == list(split.values())


def test_a_corpus_scores_as_pycocoevalcap_scores_it_after_its_tokenizer():
    own = {
        "candidates": ["A man's dog (isn't) big.", "Two cats, one mat", ""],
        "references": [["A man's dog is big!", "The dog"], ["two cats on a mat"], ["None."]],
    }
    cases = [CASES["J long+short"], CASES["K long+empty"], own]
    candidates = [text for case in cases for text in case["candidates"]]
    references = [texts for case in cases for texts in case["references"]]
    tokenizer = PTBTokenizer()
    told = Bleu(4).compute_score(
        tokenizer.tokenize({place: [{"caption": text} for text in texts] for place, texts in enumerate(references)}),
        tokenizer.tokenize({place: [{"caption": text}] for place, text in enumerate(candidates)}),
        verbose=0,
    )
    for order, whole, segments in zip((1, 2, 3, 4), *told, strict=True):
        recipe = RECIPE.replace(order=order)
        assert bp.score(candidates, references, recipe).fraction == pytest.approx(whole, rel=1e-12, abs=0)
        scores = [score.fraction for score in bp.score_segments(candidates, references, recipe)]
        assert scores == pytest.approx(segments, rel=1e-12, abs=0)


def test_both_engines_count_alike():
    segments = pair_segments(list(CAPTIONS), [[text, CAPTIONS[place - 1]] for place, text in enumerate(CAPTIONS)])
    layout = bleu_layout(4, RECIPE.counting)
    assert NATIVE.count(segments, layout) == PYTHON.count(segments, layout)
    assert NATIVE.count_plain(segments, layout) == PYTHON.count_plain(segments, layout)


def test_a_signature_carries_the_version_of_the_package():
    assert RECIPE.choice("tokenizer") == "ptb(pycocoevalcap-1.2)"
    assert bp.Recipe.parse(str(RECIPE)) == RECIPE == pickle.loads(pickle.dumps(RECIPE))


def test_brackets_and_capitals_are_found_where_they_stand():
    text = "Big (Red) [Dog]!"
    tokens = tokenize(text, "ptb", "mixed")
    spans = locate_tokens(text, tokens, RECIPE.tokenizer, "mixed")
    found = [(token, text[slice(*span)]) for token, span in zip(tokens, spans, strict=True)]
    assert found == [
        ("big", "Big"), ("-lrb-", "("), ("red", "Red"), ("-rrb-", ")"), ("-lsb-", "["), ("dog", "Dog"), ("-rsb-", "]"),
    ]  # fmt: skip


def test_what_was_split_is_kept_only_so_long(monkeypatch):
    monkeypatch.setattr(captions, "KEPT", 10)
    known = find_optional("ptb")
    split = captions.CaptionTokenizer(known._command[0], Path(known._command[2]), known._punctuation)
    split.read_ahead(["Four", "Two"])
    split.read_ahead(["Four", "Three"])
    assert split._known == {"Four": "four", "Three": "three"}
    assert split("Two.") == ["two"]


# Java: one process for a corpus, and clear words where there is none


def run(program, *, path, **environment):
    """Run a program in a process of its own, with another PATH."""
    variables = {**os.environ, "PATH": str(path), **environment}
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=variables)


def make_java(folder, program):
    """Put a java into a folder that is a program in Python, as a script of the system that this is."""
    (folder / "java.py").write_text(program, "utf-8")
    command = f'"{sys.executable}" "{folder / "java.py"}"'
    on_windows = os.name == "nt"
    script = folder / ("java.bat" if on_windows else "java")
    script.write_text(f"@{command} %*\n" if on_windows else f'#!/bin/sh\nexec {command} "$@"\n')
    script.chmod(0o755)


PROGRAM = """
import bleuprint as bp
recipe = bp.Recipe.named("pycocoevalcap").replace(tokenizer="ptb")
texts, others = [f"A dog, no. {number}" for number in range(300)], [f"Dog no. {number}!" for number in range(300)]
"""


@pytest.mark.parametrize("engine", [pytest.param("python", marks=pytest.mark.extended), "native"])
def test_java_starts_once_for_texts_that_come_together(engine, tmp_path):
    log = tmp_path / "log"
    real = shutil.which("java")
    make_java(
        tmp_path,
        "import subprocess, sys\n"
        f"print('started', file=open({str(log)!r}, 'a'), flush=True)\n"
        f"sys.exit(subprocess.call([{real!r}, *sys.argv[1:]]))",
    )
    program = f"""{PROGRAM}
from pathlib import Path
log = Path({str(log)!r})
def starts():
    return log.read_text().count("started")
bp.score(texts, others, recipe)
assert starts() == 1, starts()
bp.score_segments(texts[::-1], others[::-1], recipe).scores
bp.explain(bp.score(texts, others, recipe)).segments[7].evidence.ngrams
bp.References(others, recipe).score(texts)
assert starts() == 1, starts()
bp.explain("One new caption.", ["Two", "of these"], recipe).evidence.ngrams
assert starts() == 2, starts()
comparison = bp.compare({{"a": texts, "b": [text + " more" for text in texts]}}, others, recipe=recipe, resamples=100)
comparison.to_html()
assert starts() == 3, starts()
"""
    ended = run(program, path=tmp_path, BLEUPRINT_ENGINE=engine)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_without_java_the_error_says_what_to_install(tmp_path):
    ended = run(PROGRAM, path=tmp_path)
    assert "The tokenizer ptb needs the program java on the PATH." in ended.stderr.splitlines()[-1]


def test_a_java_that_fails_is_quoted(tmp_path):
    make_java(tmp_path, "raise SystemExit('Unable to locate a Java Runtime')")
    ended = run(f"{PROGRAM}\nbp.score(texts, others, recipe)", path=tmp_path)
    assert "'Unable to locate a Java Runtime'" in ended.stderr


def test_a_text_that_came_back_on_other_lines_is_named(tmp_path):
    make_java(tmp_path, r"print('a dog\na\nlost\nlines')")
    ended = run(f"{PROGRAM}\nbp.score(texts, others, recipe)", path=tmp_path)
    assert "splits 'A dog, no. 1' into several lines" in ended.stderr


def test_without_the_package_the_error_says_what_to_install():
    hidden = "import importlib.util as util; find = util.find_spec\n"
    hidden += "util.find_spec = lambda name, *rest: None if name == 'pycocoevalcap' else find(name, *rest)\n"
    ended = run(hidden + PROGRAM, path=os.environ["PATH"])
    assert "The tokenizer ptb needs: pip install 'bleuprint[captions]'" in ended.stderr


def test_the_command_line_scores_captions(tmp_path):
    (tmp_path / "hyp").write_text("A man's dog (big).\n\nTwo cats\n")
    (tmp_path / "ref").write_text("A man's dog is big!\nNothing.\nTwo cats, one mat\n")
    command = [Path(sys.executable).with_name("bleuprint"), "score", "hyp", "ref", "--recipe", "pycocoevalcap"]
    ended = subprocess.run(
        [*command, "--tokenizer", "ptb", "--format", "json"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    lines = [(tmp_path / name).read_text().splitlines() for name in ("hyp", "ref")]
    assert json.loads(ended.stdout)["score"] == bp.score(*lines, RECIPE).score
