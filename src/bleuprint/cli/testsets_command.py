"""``bleuprint testsets``: which test sets there are, what is in one, and its texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bleuprint.cli.call import Call, exclude, require
from bleuprint.cli.options import Option, make_command, output_options
from bleuprint.cli.printing import complain, deliver, tab_separated
from bleuprint.cli.testset_reading import showing_downloads
from bleuprint.errors import FileError, ShapeError, quote, unknown_name
from bleuprint.io.manifest import Manifest, Manifests
from bleuprint.io.providers import each_provider, find_here, find_texts, list_sets
from bleuprint.io.testset import Testset, check_set_name, choose_references, is_manifest, split_name
from bleuprint.render.json import render_json
from bleuprint.wording import join_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bleuprint.io.testset import FoundTexts, KnownSet

FIELDS = ("source", "reference", "reference:NAME", "document", "origin", "domain")
"""The columns that a set may have."""
SCHEMA_OF_SETS = "bleuprint.testsets/1"
SCHEMA_OF_SET = "bleuprint.testset/1"
OPTIONS: list[click.Parameter] = [
    click.Argument(["name"], required=False),
    Option(["--pair"], metavar="PAIR", help="Only sets with this pair of languages, as en-de."),
    Option(["--fetch"], is_flag=True, help="Fetch the set, or one pair of it, unless it is here."),
    Option(
        ["--echo", "fields"], multiple=True, metavar="FIELD",
        help=f"Print the {join_words(FIELDS, 'or')} of every segment; several are columns between tabs.",
    ),
]  # fmt: skip


@make_command("testsets", *OPTIONS, *output_options("text", "json"))
def command(call: Call, *, name: str | None, pair: str | None, fetch: bool, fields: tuple[str, ...]) -> None:
    """List test sets, or show the one called NAME: a set as wmt22, or one of its pairs as wmt22/en-de.

    Sets are found in the folders of sacreBLEU and mt-metrics-eval, in the table of an installed sacreBLEU, and in
    manifests of your own.
    """
    known = _list_known(name)
    is_set = name is not None and name in known
    if name is not None and not is_set:
        _check_pair_name(name, known)
    pair_name = name is not None and not is_set
    exclude(
        ("--pair", "a name", pair and name, ""),
        ("--echo", "--fetch", fields and fetch, "it fetches texts that are missing"),
        ("--echo", "--format json", fields and call.output_format == "json", "it prints texts"),
    )
    require(
        ("--fetch", fetch, name, "a set, as wmt22, or a set and a pair, as wmt22/en-de"),
        ("--echo", fields, pair_name, "a set and a pair, as wmt22/en-de"),
    )
    as_json = call.output_format == "json"
    if name is None:
        for _, error in Manifests().list_faults():
            complain(f"passed over: {error}")
        text = _write_sets(_choose(known, pair).values(), as_json)
    elif fields:
        if find_here(split_name(name)) is None:
            _check_fields(fields)
        text = _echo(_open(name), fields)
    elif is_set:
        if fetch:
            _fetch_all(name, known[name])
        text = _write_sets([_list_known(name)[name]], as_json, pairs=True)
    else:
        text = _show_pair(name, known, as_json, fetch=fetch)
    deliver(text, call.output)


def _list_known(name: str | None) -> dict[str, KnownSet]:
    """Return every set by its name. If the name is the path of a manifest, return that one."""
    if name is not None and is_manifest(name):
        return {name: Manifest(name).known}
    return list_sets()


def _check_pair_name(name: str, known: dict[str, KnownSet]) -> None:
    if "/" in name:
        split_name(name)
        return
    check_set_name(name)
    fix = "`bleuprint testsets` lists them; the texts of one pair are called wmt22/en-de."
    raise unknown_name("test set", name, known, fix, error=FileError)


def _check_fields(fields: Sequence[str]) -> None:
    """Raise an error about a field that no set has, before one is fetched."""
    for field in fields:
        if field not in FIELDS and not field.startswith("reference:"):
            raise unknown_name("field", field, FIELDS, error=ShapeError)


def _choose(known: dict[str, KnownSet], pair: str | None) -> dict[str, KnownSet]:
    """Choose the sets that have a pair of languages."""
    if pair is None:
        return known
    chosen = {name: own for name, own in known.items() if pair in own.pairs}
    if not chosen:
        pairs = sorted({each for own in known.values() for each in own.pairs})
        fix = "`bleuprint testsets NAME` lists the pairs of a set."
        raise unknown_name("pair of languages", pair, pairs, fix, error=FileError)
    return chosen


def _fetch_all(name: str, known: KnownSet) -> None:
    providers = list(each_provider())
    with showing_downloads() as show:
        for pair in sorted(known.pairs):
            find_texts(split_name(name, pair), show, providers)


def _write_sets(sets: Iterable[KnownSet], as_json: bool, *, pairs: bool = False) -> str:
    """Write sets with a row for each, or for each of the pairs of one."""
    if as_json:
        data = [
            {"name": own.name, "description": own.description, "pairs": sorted(own.pairs), "here": sorted(own.here)}
            for own in sets
        ]
        return render_json({"schema": SCHEMA_OF_SETS, "testsets": data})
    if pairs:
        rows = (
            (f"{own.name}/{pair}", "yes" if pair in own.here else "no") for own in sets for pair in sorted(own.pairs)
        )
        return tab_separated(["name", "here"], rows)
    header = ["name", "pairs", "here", "description"]
    return tab_separated(header, ((own.name, len(own.pairs), len(own.here), own.description) for own in sets))


def _show_pair(name: str, known: dict[str, KnownSet], as_json: bool, *, fetch: bool) -> str:
    parts = split_name(name)
    texts = None if fetch else find_here(parts)
    if texts is None and not fetch and parts.pair in getattr(known.get(parts.set_name), "pairs", ()):
        raise FileError(f"The texts of {name} are not on this machine.", "Use --fetch to fetch them.")
    return _write_pair(_open(name) if texts is None else _show_all(texts), as_json)


def _open(name: str) -> Testset:
    with showing_downloads() as show:
        return _show_all(find_texts(split_name(name), show))


def _show_all(texts: FoundTexts) -> Testset:
    """Show a set whose references nobody has chosen with all of them."""
    try:
        return Testset(texts, choose_references(texts))
    except FileError:
        return Testset(texts, tuple(texts.references))


def _write_pair(testset: Testset, as_json: bool) -> str:
    data = {
        "name": testset.name,
        "segments": len(testset),
        "references": list(testset.reference_names),
        "fields": testset.fields,
        "references_sha256": testset.references_sha256,
        "place": testset.place,
    }
    if as_json:
        return render_json({"schema": SCHEMA_OF_SET} | data)
    return "\n".join(f"{key}\t{', '.join(value) if isinstance(value, list) else value}" for key, value in data.items())


def _echo(testset: Testset, fields: tuple[str, ...]) -> str:
    columns = [testset.column(field) for field in fields]
    if len(set(map(len, columns))) > 1:
        lengths = ", ".join(f"{field} has {len(column):,}" for field, column in zip(fields, columns, strict=True))
        raise ShapeError(
            f"The fields of {testset.name} in {testset.place} differ in length: {lengths}.", testset.advice
        )
    breaks = "\n\t" if len(fields) > 1 else "\n"
    for field, column in zip(fields, columns, strict=True):
        for number, text in enumerate(column, start=1):
            if any(mark in text for mark in breaks):
                raise ShapeError(
                    f"expected a text on one line, and without a tab beside other columns, got {quote(text)}.",
                    "In Python bleuprint.testset(NAME).column(FIELD) returns texts as they are.",
                    where=f"{testset.name}, {field}, segment {number}",
                )
    return "\n".join(map("\t".join, zip(*columns, strict=True)))
