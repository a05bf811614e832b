"""Names of test sets: ``wmt22/en-de`` is the pair en-de of the set wmt22; the pair follows the last slash."""

# Annotations are not postponed here: making a NamedTuple of postponed ones compiles each of them, on every start.

from typing import NamedTuple

from bleuprint.errors import FileError, quote

_MARKS = "._+-"
_EXAMPLE = "For example wmt22/en-de; `bleuprint testsets` lists the names."


class TestsetName(NamedTuple):
    """A set, and a pair of languages in it."""

    set_name: str
    pair: str

    def __str__(self) -> str:
        return f"{self.set_name}/{self.pair}"


def split_name(name: str, pair: str | None = None) -> TestsetName:
    """Read the name of a test set, in one piece or in two.

    >>> split_name("wmt21/systems/en-de"), split_name("wmt22", "en-de")
    (TestsetName(set_name='wmt21/systems', pair='en-de'), TestsetName(set_name='wmt22', pair='en-de'))
    """
    if pair is None:
        set_name, slash, pair = name.rpartition("/") if isinstance(name, str) else ("", "", "")
        if not slash:
            raise _refuse("the name of a set, a slash and a pair of languages", quote(name))
    else:
        set_name = name
    if not is_manifest(set_name):
        check_set_name(set_name)
    if not isinstance(pair, str) or not is_name_part(pair):
        raise _refuse("a pair of languages as en-de", quote(pair))
    return TestsetName(set_name, pair)


def is_manifest(set_name: object) -> bool:
    """Whether the name of a set is that of a file which describes one."""
    return isinstance(set_name, str) and set_name.endswith(".toml")


def check_set_name(set_name: object) -> None:
    """Refuse what can be no name of a set."""
    if not isinstance(set_name, str) or not all(map(is_name_part, set_name.split("/"))):
        raise _refuse("the name of a set, of letters, digits and . _ + - between slashes", quote(set_name))


def is_name_part(text: str) -> bool:
    """Whether a text can stand between the slashes of a name: letters, digits and a few marks.

    A name becomes part of paths and of signatures: no separators, no spaces, nothing that leads out of a folder.
    """
    return text.isascii() and all(sign.isalnum() or sign in _MARKS for sign in text) and text.strip(".") != ""


def _refuse(wanted: str, got: str) -> FileError:
    return FileError(where="test set", wanted=wanted, got=got, next_step=_EXAMPLE)
