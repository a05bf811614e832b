"""What a comparison reads: systems in files of lines, in one file that has them all, or for a test set; and labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import NamedTuple

from bleuprint.cli.call import Call, InputOptions, require
from bleuprint.cli.wording import locate, rename
from bleuprint.errors import BleuprintError, FileError, Location, ShapeError, quote, unknown_name
from bleuprint.findings.comparison.breakdowns import FREQUENCY, LENGTH
from bleuprint.io.lines import read_lines, refuse_second_stdin
from bleuprint.io.systems import SystemChoice, SystemTexts, read_labels
from bleuprint.text.formats import check_lengths, detect_form
from bleuprint.text.formats.sources import DOCUMENT

EXAMPLE = "For example: bleuprint compare -r ref.txt -s ours=ours.txt -s theirs=theirs.txt"


class CompareOptions(NamedTuple):
    """The options of ``bleuprint compare`` alone."""

    testset: str | None
    translators: tuple[str, ...]
    systems: tuple[str, ...]
    corpus: str | None
    baseline: str | None
    fail_if_worse: bool
    margins: tuple[str, ...]
    test: str | None
    resamples: int | None
    confidence: float | None
    seed: int | None
    by: tuple[str, ...]
    documents: str | None
    labels: str | None
    source: str | None
    external: tuple[str, ...]
    lower_is_better: tuple[str, ...]
    examples: int
    focus: tuple[str, str] | None
    agreement: bool
    report: str | None

    @property
    def shows_texts(self) -> bool:
        """Whether segments are shown."""
        return bool(self.examples or self.report)

    def shows_label(self, name: str) -> bool:
        """Whether segments are grouped by this label; a report without --by shows all."""
        return name in self.by or bool(self.report and not self.by)


def name_systems(options: CompareOptions) -> dict[str, str]:
    """Read NAME=FILE; the default name is that of the file, or of the column."""
    named: dict[str, str] = {}
    for entry in options.systems:
        name, found, file = entry.partition("=")
        if not found:
            name, file = entry if options.corpus else PurePath(entry).name, entry
        if not name.strip() or not file:
            raise FileError(f"--system takes NAME=FILE, not {quote(entry)}.", "For example: -s ours=output.txt.")
        if name in named:
            raise ShapeError(f"Two systems are called {quote(name)}.", "Name the second file: -s NAME=FILE.")
        named[name] = file
    return named


def read_compared_texts(systems: Mapping[str, str], options: CompareOptions, call: Call) -> tuple[SystemTexts, str]:
    """Read systems and references. Return the label of the test set as well, or an empty one."""
    references, source = call.references, options.source
    if options.corpus:
        return _read_corpus(options.corpus, systems, options, references), ""
    if not references and not options.testset:
        raise FileError("Missing --reference FILE, or --testset NAME.", f"{EXAMPLE}.")
    if not systems:
        raise FileError("Missing --system NAME=FILE.", "For example: -s ours=ours.txt -s theirs=theirs.txt.")
    sources = [source] if source else []
    files = [*references, *systems.values(), *sources]
    refuse_second_stdin(files)
    if options.testset:
        return _read_testset(options.testset, systems, options, references)
    for file in files:
        if detect_form(file) != "plain":
            raise FileError(
                f"{file} has the name of a {detect_form(file)} file. Expected one text per line.",
                "Use --corpus FILE for a file with all systems; --labels takes TSV and JSONL.",
            )
    texts = [read_lines(name) for name in files]
    check_lengths(files, list(map(len, texts)))
    candidates = dict(zip(systems, texts[len(references) :], strict=False))
    pairs = list(zip(*texts[: len(references)], strict=True))
    return SystemTexts(candidates, pairs, {}, texts[-1] if sources else None), ""


def _read_corpus(
    corpus: str, systems: Mapping[str, str], options: CompareOptions, references: Sequence[str]
) -> SystemTexts:
    from bleuprint.io.systems import read_systems

    added = (LENGTH, FREQUENCY, DOCUMENT)
    columns = [] if options.labels else [name for name in options.by if name not in added]
    try:
        return read_systems(corpus, SystemChoice(systems, references, columns, options.source, options.shows_texts))
    except BleuprintError as error:  # what is --translator elsewhere is --reference here

        def locate_here(location: Location) -> str:
            return "--reference" if location.argument == "translators" else locate(location)

        def rename_here(name: str, value: str) -> str:
            return "--reference" if name == "translators" else rename(name, value)

        raise error.translated(locate_here, rename_here) from None


def _read_testset(
    name: str, systems: Mapping[str, str], options: CompareOptions, references: Sequence[str]
) -> tuple[SystemTexts, str]:
    from bleuprint.cli.testset_reading import open_testset, read_for_testset

    found = open_testset(name, references, options.translators)
    reading = InputOptions(testset=name)
    candidates = {system: read_for_testset(file, found, reading).candidates for system, file in systems.items()}
    sources: Sequence[str] | None = None
    if options.source:
        sources = read_lines(options.source)
        check_lengths([found.name, options.source], [len(found.references), len(sources)])
    elif options.shows_texts:
        sources = found.sources
    fields = {DOCUMENT: "documents", "origin": "origin", "domain": "domain"}
    labels = {label: getattr(found, field) for label, field in fields.items() if options.shows_label(label)}
    present = {label: texts for label, texts in labels.items() if texts is not None}
    return SystemTexts(candidates, found.references, present, sources), found.label


def read_shown_labels(
    options: CompareOptions, segments: int, own: Mapping[str, Sequence[str]]
) -> dict[str, Sequence[str]]:
    """Read the labels that are shown; ``own`` are those of the corpus."""
    by, report = options.by, options.report
    found = read_labels(options.labels, segments, by) if options.labels else {}
    labels: dict[str, Sequence[str]] = {**own, **found}
    if options.documents:
        names = read_lines(options.documents)
        check_lengths(["the references", options.documents], [segments, len(names)])
        labels[DOCUMENT] = names
    for name in by:
        if name not in (LENGTH, FREQUENCY, *labels):
            known = [*labels, LENGTH, FREQUENCY]
            fix = f"Use one of: {', '.join(known)}; --labels FILE adds columns, --documents FILE adds document."
            raise unknown_name("--by", name, known, fix, error=ShapeError)
    used, without_by = set(found) & set(by) if by else report, "or --html FILE without --by"
    require(
        ("--labels", options.labels, used, f"--by NAME with one of its columns, {without_by}"),
        ("--documents", options.documents, options.shows_label(DOCUMENT), f"--by document, {without_by}"),
    )
    return {name: labels[name] for name in by or labels if name in labels}
