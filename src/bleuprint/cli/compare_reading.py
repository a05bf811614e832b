"""Where the systems of a comparison come from: files of lines, one file that holds them all, or a test set."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NoReturn

from bleuprint.advice import Advice
from bleuprint.cli.option_values import InputOptions
from bleuprint.errors import BleuprintError, FileError
from bleuprint.io.lines import read_lines, refuse_second_stdin
from bleuprint.io.systems import SystemChoice, SystemTexts
from bleuprint.text.formats import check_lengths, detect_form
from bleuprint.text.formats.sources import DOCUMENT

IN_CORPUS = {
    Advice.CHOOSE_SYSTEM: "Without --system all of them are compared.",
    Advice.CHOOSE_TRANSLATORS: "Without --reference all references count.",
    Advice.MATCH_SEGMENTS: "Every system and reference needs every segment; --system and --reference choose some.",
}
"""What to do next where the systems are in one file."""


def read_compared_texts(
    chosen: SystemChoice,
    corpus: str | None,
    testset: str | None,
    translators: Sequence[str],
    wants_label: Callable[[str], bool],
) -> tuple[SystemTexts, str]:
    """Read systems and references; beside them there is the label of the test set, if it has one."""
    if testset is not None:
        if corpus is not None:
            refuse_unused("--corpus", "no --testset beside it", "both")
        return _read_testset(testset, translators, chosen, wants_label)
    if translators:
        refuse_unused("--translator", "--testset NAME beside it", "none")
    if corpus is not None:
        return _read_corpus(corpus, chosen), ""
    _check_files(chosen)
    return _read_files(chosen), ""


def _check_files(chosen: SystemChoice) -> None:
    """Refuse to compare without files, and what would be read as something else than it is."""
    if not chosen.references:
        raise FileError(
            where="compare",
            wanted="--reference FILE, or --testset NAME",
            got="neither",
            next_step="For example: bleuprint compare -r ref.txt -s ours=ours.txt -s theirs=theirs.txt.",
        )
    _check_systems(chosen.systems)
    source = [] if chosen.source is None else [chosen.source]
    _check_sources([*chosen.references, *chosen.systems.values(), *source])


def _check_systems(systems: Mapping[str, str]) -> None:
    if not systems:
        raise FileError(
            where="compare",
            wanted="--system NAME=FILE, once for every system",
            got="none",
            next_step="For example: -s ours=ours.txt -s theirs=theirs.txt.",
        )


def _read_files(chosen: SystemChoice) -> SystemTexts:
    references = [read_lines(name) for name in chosen.references]
    candidates = {name: read_lines(file) for name, file in chosen.systems.items()}
    files, texts = [*chosen.references, *chosen.systems.values()], [*references, *candidates.values()]
    sources = None
    if chosen.source is not None:
        sources = read_lines(chosen.source)
        files, texts = [*files, chosen.source], [*texts, sources]
    check_lengths(files, list(map(len, texts)))
    return SystemTexts(candidates, list(zip(*references, strict=True)), {}, sources)


def _read_corpus(source: str, choice: SystemChoice) -> SystemTexts:
    from bleuprint.io.systems import read_systems

    try:
        return read_systems(source, choice)
    except BleuprintError as error:
        if error.advice not in IN_CORPUS:
            raise
        where = "--reference" if error.location and error.location.argument == "translators" else None
        raise error.reworded(where=where, next_step=IN_CORPUS[error.advice]) from None


def _read_testset(
    name: str, translators: Sequence[str], chosen: SystemChoice, wants_label: Callable[[str], bool]
) -> tuple[SystemTexts, str]:
    from bleuprint.cli.testset_reading import open_testset, read_for_testset

    _check_systems(chosen.systems)
    refuse_second_stdin([*chosen.systems.values(), *([chosen.source] if chosen.source else [])])
    found = open_testset(name, chosen.references, translators)
    candidates = {
        system: read_for_testset(file, found, InputOptions()).candidates for system, file in chosen.systems.items()
    }
    files, lengths = list(chosen.systems.values()), list(map(len, candidates.values()))
    sources = None
    if chosen.source is not None:
        sources = read_lines(chosen.source)
        files, lengths = [*files, chosen.source], [*lengths, len(sources)]
    elif chosen.with_sources:
        sources = found.sources
    check_lengths([found.name, *files], [len(found.references), *lengths])
    own: dict[str, Callable[[], list[str] | None]] = {
        DOCUMENT: lambda: found.documents,
        "origin": lambda: found.origin,
        "domain": lambda: found.domain,
    }
    read = {label: find() for label, find in own.items() if wants_label(label)}
    labels = {label: texts for label, texts in read.items() if texts is not None}
    return SystemTexts(candidates, found.references, labels, sources), found.label


def _check_sources(sources: Sequence[str]) -> None:
    """Refuse what would be read as something else than it is."""
    refuse_second_stdin(sources)
    for source in sources:
        if detect_form(source) != "plain":
            raise FileError(
                where=source,
                wanted="a file with one text per line",
                got=f"a name of the form {detect_form(source)}",
                next_step="Say --corpus FILE for a file that holds all systems; --labels takes TSV and JSONL.",
            )


def refuse_unused(flag: str, wanted: str, got: str = "neither") -> NoReturn:
    """Refuse an option that would mean nothing."""
    adding = {"neither": "Add one of them, or leave", "none": "Add it, or leave"}.get(got, "Leave")
    raise FileError(where=flag, wanted=wanted, got=got, next_step=f"{adding} {flag} out.")
