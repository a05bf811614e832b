"""``bleuprint testsets``: which test sets there are, what is in one, and its texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bleuprint.cli.output_options import format_option, output_option
from bleuprint.cli.printing import complain, deliver, tab_separated
from bleuprint.cli.testset_reading import telling_downloads
from bleuprint.errors import FileError, ShapeError, name_list, nearest, quote
from bleuprint.io.manifest import Manifest, Manifests
from bleuprint.io.providers import each_provider, find_here, find_texts, list_sets
from bleuprint.io.testset import Testset, check_set_name, choose_references, is_manifest, split_name
from bleuprint.render.json import render_json
from bleuprint.wording import join_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleuprint.io.testset import FoundTexts, KnownSet

BESIDE = {
    "--pair": "no name beside it",
    "--fetch": "a set beside it, as wmt22, or a set and a pair, as wmt22/en-de",
    "--echo": "a set and a pair beside it, as wmt22/en-de",
}
"""What an option wants for a name."""
FIELDS = ("source", "reference", "reference:NAME", "document", "origin", "domain")
"""What a set may have for every segment."""
SCHEMA_OF_SETS = "bleuprint.testsets/1"
SCHEMA_OF_SET = "bleuprint.testset/1"


@click.command("testsets")
@click.argument("name", required=False)
@click.option("--pair", metavar="PAIR", help="Only sets with this pair of languages, as en-de.")
@click.option("--fetch", is_flag=True, help="Fetch the set, or one pair of it, unless it is here.")
@click.option(
    "--echo", "fields", multiple=True, metavar="FIELD",
    help=f"Print the {join_words(FIELDS, 'or')} of every segment; several are columns between tabs.",
)  # fmt: skip
@format_option("text", "json")
@output_option
def command(
    name: str | None, *, pair: str | None, fetch: bool, fields: tuple[str, ...], output_format: str, output: str | None
) -> None:
    """List test sets, or show the one called NAME: a set as wmt22, or one of its pairs as wmt22/en-de.

    Sets are found in the folders of sacreBLEU and mt-metrics-eval, in the table of an installed sacreBLEU, and in
    manifests of your own.
    """
    known = _list_known(name)
    is_set = name is not None and name in known
    if name is not None and not is_set:
        _check_pair_name(name, known)
    _check_options(name, is_set, {"--pair": pair is not None, "--fetch": fetch, "--echo": bool(fields)})
    if fields and output_format != "text":
        raise ShapeError(
            where="--echo",
            wanted="texts alone",
            got=f"--format {output_format}",
            next_step="Leave one of the two out.",
        )
    if name is None:
        for _, error in Manifests().list_faults():
            complain(f"passed over: {error}")
        deliver(_list(_choose(known, pair), output_format), output)
    elif fields:
        if find_here(split_name(name)) is None:
            _check_fields(fields)
        deliver(_echo(_open(name), fields), output)
    elif is_set:
        if fetch:
            _fetch_all(name, known[name])
        deliver(_show_set(_list_known(name)[name], output_format), output)
    else:
        deliver(_show_pair(name, known, output_format, fetch=fetch), output)


def _list_known(name: str | None) -> dict[str, KnownSet]:
    """List every set by its name; a manifest by its path, too, where that is the name given."""
    if name is not None and is_manifest(name):
        return {name: Manifest(name).known}
    return list_sets()


def _check_pair_name(name: str, known: dict[str, KnownSet]) -> None:
    if "/" in name:
        split_name(name)
        return
    check_set_name(name)
    raise FileError(
        where="test set",
        wanted="the name of a test set",
        got=quote(name),
        suggestion=nearest(name, known),
        next_step="`bleuprint testsets` lists them; the texts of one pair are called wmt22/en-de.",
    )


def _check_options(name: str | None, is_set: bool, given: dict[str, bool]) -> None:
    """Refuse options that would change nothing."""
    fitting = ("--pair",) if name is None else ("--fetch",) if is_set else ("--fetch", "--echo")
    for flag, said in given.items():
        if said and flag not in fitting:
            what = BESIDE[flag]
            raise ShapeError(
                where=flag,
                wanted=what,
                got="none" if name is None else quote(name),
                next_step="Leave one of the two out." if name else "`bleuprint testsets` lists the sets.",
            )
    if given["--fetch"] and given["--echo"]:
        raise ShapeError(
            where="--echo",
            wanted="texts alone, which are fetched where they are not here",
            got="--fetch",
            next_step="Leave one of the two out.",
        )


def _check_fields(fields: Sequence[str]) -> None:
    """Refuse what no set has, before one is fetched; of a set that is here, all that it lacks is refused."""
    for field in fields:
        if field not in FIELDS and not field.startswith("reference:"):
            raise ShapeError(
                where="--echo",
                wanted=name_list(FIELDS),
                got=quote(field),
                suggestion=nearest(field, FIELDS),
                next_step="Say --echo once for every column.",
            )


def _choose(known: dict[str, KnownSet], pair: str | None) -> dict[str, KnownSet]:
    """Choose the sets that have a pair of languages."""
    if pair is None:
        return known
    chosen = {name: own for name, own in known.items() if pair in own.pairs}
    if not chosen:
        raise FileError(
            where="--pair",
            wanted="a pair of languages that a test set has",
            got=quote(pair),
            suggestion=nearest(pair, sorted({each for own in known.values() for each in own.pairs})),
            next_step="`bleuprint testsets NAME` lists the pairs of a set.",
        )
    return chosen


def _fetch_all(name: str, known: KnownSet) -> None:
    providers = list(each_provider())
    with telling_downloads() as tell:
        for pair in sorted(known.pairs):
            find_texts(split_name(name, pair), tell, providers)


def _list(known: dict[str, KnownSet], output_format: str) -> str:
    if output_format == "json":
        return render_json({"schema": SCHEMA_OF_SETS, "testsets": [_set_data(own) for own in known.values()]})
    rows = [[own.name, len(own.pairs), len(own.here), own.description] for own in known.values()]
    return tab_separated(["name", "pairs", "here", "description"], rows)


def _set_data(known: KnownSet) -> dict[str, object]:
    return {
        "name": known.name,
        "description": known.description,
        "pairs": sorted(known.pairs),
        "here": sorted(known.here),
    }


def _show_set(known: KnownSet, output_format: str) -> str:
    if output_format == "json":
        return render_json({"schema": SCHEMA_OF_SETS, "testsets": [_set_data(known)]})
    rows = [[f"{known.name}/{pair}", "yes" if pair in known.here else "no"] for pair in sorted(known.pairs)]
    return tab_separated(["name", "here"], rows)


def _show_pair(name: str, known: dict[str, KnownSet], output_format: str, *, fetch: bool) -> str:
    parts = split_name(name)
    texts = None if fetch else find_here(parts)
    if texts is None and not fetch and parts.pair in getattr(known.get(parts.set_name), "pairs", ()):
        raise FileError(
            where=f"test set {name}", wanted="its texts on this machine", got="none",
            next_step="Say --fetch to fetch them.",
        )  # fmt: skip
    if texts is None:
        return _write_pair(_open(name), output_format)
    return _write_pair(_show_all(texts), output_format)


def _open(name: str) -> Testset:
    with telling_downloads() as tell:
        return _show_all(find_texts(split_name(name), tell))


def _show_all(texts: FoundTexts) -> Testset:
    """Show a set whose references nobody has chosen with all of them."""
    try:
        return Testset(texts, choose_references(texts))
    except FileError:
        return Testset(texts, tuple(texts.references))


def _write_pair(testset: Testset, output_format: str) -> str:
    data = _pair_data(testset)
    if output_format == "json":
        return render_json({"schema": SCHEMA_OF_SET} | data)
    cells = {key: ", ".join(value) if isinstance(value, list) else value for key, value in data.items()}
    return "\n".join(f"{key}\t{value}" for key, value in cells.items())


def _pair_data(testset: Testset) -> dict[str, object]:
    return {
        "name": testset.name,
        "segments": len(testset),
        "references": list(testset.reference_names),
        "fields": testset.fields,
        "references_sha256": testset.references_sha256,
        "place": testset.place,
    }


def _echo(testset: Testset, fields: tuple[str, ...]) -> str:
    columns = [testset.column(field) for field in fields]
    if len(set(map(len, columns))) > 1:
        raise ShapeError(
            where=f"{testset.name} in {testset.place}",
            wanted="as many lines in every field",
            got=", ".join(f"{field}: {len(column):,}" for field, column in zip(fields, columns, strict=True)),
            next_step=testset.advice,
        )
    for field, column in zip(fields, columns, strict=True):
        broken = next((place for place, text in enumerate(column, start=1) if _breaks(text, len(fields) > 1)), None)
        if broken is not None:
            raise ShapeError(
                where=f"{testset.name}, {field}, segment {broken}",
                wanted="a text on one line, and without a tab where there are several columns",
                got=quote(column[broken - 1]),
                next_step="The library gives texts as they are: bleuprint.testset(NAME).column(FIELD).",
            )
    return "\n".join(map("\t".join, zip(*columns, strict=True)))


def _breaks(text: str, in_columns: bool) -> bool:
    return "\n" in text or (in_columns and "\t" in text)
