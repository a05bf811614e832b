"""Where the systems of a comparison come from: files of lines, one file that has them all, or a test set."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bleuprint.cli.call import InputOptions, exclude, require
from bleuprint.cli.wording import locate, rename
from bleuprint.errors import BleuprintError, FileError, Location
from bleuprint.io.lines import read_lines, refuse_second_stdin
from bleuprint.io.systems import SystemChoice, SystemTexts
from bleuprint.text.formats import check_lengths, detect_form
from bleuprint.text.formats.sources import DOCUMENT


def read_compared_texts(
    chosen: SystemChoice,
    corpus: str | None,
    testset: str | None,
    translators: Sequence[str],
    wants_label: Callable[[str], bool],
) -> tuple[SystemTexts, str]:
    """Read systems and references. Return the label of the test set as well, or an empty one."""
    exclude(("--corpus", "--testset", corpus and testset, ""))
    require(("--translator", translators, testset, "--testset NAME"))
    if corpus is not None:
        return _read_corpus(corpus, chosen), ""
    if testset is None and not chosen.references:
        example = "bleuprint compare -r ref.txt -s ours=ours.txt -s theirs=theirs.txt"
        raise FileError("Missing --reference FILE, or --testset NAME.", f"For example: {example}.")
    if not chosen.systems:
        raise FileError("Missing --system NAME=FILE.", "For example: -s ours=ours.txt -s theirs=theirs.txt.")
    sources = [] if chosen.source is None else [chosen.source]
    files = [*chosen.references, *chosen.systems.values(), *sources]
    refuse_second_stdin(files)
    if testset is not None:
        return _read_testset(testset, translators, chosen, wants_label)
    for source in files:
        if detect_form(source) != "plain":
            raise FileError(
                f"{source} has the name of a {detect_form(source)} file. Expected one text per line.",
                "Use --corpus FILE for a file with all systems; --labels takes TSV and JSONL.",
            )
    texts = [read_lines(name) for name in files]
    check_lengths(files, list(map(len, texts)))
    count = len(chosen.references)
    systems = dict(zip(chosen.systems, texts[count:], strict=False))
    return SystemTexts(systems, list(zip(*texts[:count], strict=True)), {}, texts[-1] if sources else None), ""


def _read_corpus(source: str, choice: SystemChoice) -> SystemTexts:
    from bleuprint.io.systems import read_systems

    try:
        return read_systems(source, choice)
    except BleuprintError as error:  # what is --translator elsewhere is --reference here

        def locate_here(location: Location) -> str:
            return "--reference" if location.argument == "translators" else locate(location)

        def rename_here(name: str, value: str) -> str:
            return "--reference" if name == "translators" else rename(name, value)

        raise error.translated(locate_here, rename_here) from None


def _read_testset(
    name: str, translators: Sequence[str], chosen: SystemChoice, wants_label: Callable[[str], bool]
) -> tuple[SystemTexts, str]:
    from bleuprint.cli.testset_reading import open_testset, read_for_testset

    found = open_testset(name, chosen.references, translators)
    reading = InputOptions(testset=name)
    candidates = {system: read_for_testset(file, found, reading).candidates for system, file in chosen.systems.items()}
    sources = found.sources if chosen.with_sources and chosen.source is None else None
    if chosen.source is not None:
        sources = read_lines(chosen.source)
        check_lengths([found.name, chosen.source], [len(found.references), len(sources)])
    fields = {DOCUMENT: "documents", "origin": "origin", "domain": "domain"}
    labels = {label: getattr(found, field) for label, field in fields.items() if wants_label(label)}
    present = {label: texts for label, texts in labels.items() if texts is not None}
    return SystemTexts(candidates, found.references, present, sources), found.label
