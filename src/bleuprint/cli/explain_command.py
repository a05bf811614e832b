"""``bleuprint explain``: how a number came to be, for texts on the command line, one segment of a file, or a corpus."""

from __future__ import annotations

from typing import Any

import click

from bleuprint.cli.counting import count_corpus, pair_corpus
from bleuprint.cli.options import (
    BY_DOCUMENT,
    build_recipe,
    format_option,
    input_options,
    output_option,
    read_input,
    recipe_options,
    refuse_documents,
)
from bleuprint.cli.printing import deliver, deliver_view
from bleuprint.errors import FileError, ShapeError
from bleuprint.files.kinds import is_file
from bleuprint.findings.explanation import Explanation, explain
from bleuprint.metrics.bleu.recipe import Recipe
from bleuprint.render.json import render_json
from bleuprint.scoring.verbs import score_sentence, score_table
from bleuprint.text.formats import STDIN
from bleuprint.wording import count_of

SHOWN_IN_TEXT = 8


def _read_limit(_ctx: click.Context, _param: click.Parameter, value: str) -> int | str | None:
    if value == "usual":
        return value
    if value == "all":
        return None
    if value.isascii() and value.isdigit():
        return int(value)
    raise click.BadParameter(f"expected a number or 'all', got {value!r}.")


@click.command("explain")
@click.argument("candidate")
@click.argument("references", nargs=-1, metavar="[REFERENCE]...")
@click.option("--files", is_flag=True, help="The arguments are files: explain the corpus score.")
@click.option("--texts", is_flag=True, help="The arguments are texts, even if files have these names.")
@click.option("--segment", type=int, metavar="K", help="The arguments are files: explain segment K, from 1.")
@click.option(
    "--ngrams", default="usual", callback=_read_limit, metavar="COUNT",
    help="How many n-grams of each order to list, or all.  [default: 8 in text, all in HTML; JSON has all]",
)  # fmt: skip
@recipe_options
@input_options
@format_option("text", "json", "html")
@output_option
def command(candidate: str, references: tuple[str, ...], **options: Any) -> None:
    """Explain the score of a CANDIDATE text against its REFERENCE texts, step by step.

    With --files or --segment the arguments are files, as for `bleuprint score`.
    """
    recipe = build_recipe(options)
    if options["texts"] and (options["files"] or options["segment"] is not None):
        raise FileError(
            where="explain",
            wanted="--texts, or one of --files and --segment",
            got="both",
            next_step="The arguments are either texts or files.",
        )
    _refuse_ngrams(options)
    if options["files"] or options["segment"] is not None:
        explanation = _explain_files(candidate, references, recipe, options)
    else:
        _refuse_file_options(options)
        explanation = _explain_texts(candidate, references, recipe, options["texts"])
    _deliver(explanation, options)


def _refuse_ngrams(options: dict[str, Any]) -> None:
    whole = options["files"] and options["segment"] is None
    if options["ngrams"] != "usual" and (whole or options["output_format"] == "json"):
        raise FileError(
            where="--ngrams",
            wanted="the n-grams of one segment as text or HTML",
            got="a corpus, which lists none" if whole else "--format json, which has all",
            next_step="Leave it out" + (", or choose a segment with --segment K." if whole else "."),
        )


def _refuse_file_options(options: dict[str, Any]) -> None:
    lone = ("columns", "documents", "system", "candidate_column", "document_column")
    given = [f"--{name.replace('_', '-')}" for name in lone if options[name] is not None]
    given += ["--translator"] if options["translators"] else []
    given += ["--reference-column"] if options["reference_columns"] else []
    given += ["--input"] if options["form"] != "auto" else []
    if given:
        raise FileError(
            where="explain",
            wanted="files where options say how to read them",
            got=f"texts with {', '.join(given)}",
            next_step="Say --files or --segment K, or leave these options out.",
        )


def _explain_texts(candidate: str, references: tuple[str, ...], recipe: Recipe, certain: bool) -> Explanation:
    files = [text for text in (candidate, *references) if text == STDIN or is_file(text)]
    if files and not certain:
        raise FileError(
            where="explain",
            wanted="texts",
            got=f"the name of a file ({files[0]})",
            next_step="Say --files to explain what is in them, --segment K for one segment, or --texts for the words.",
        )
    if not references:
        raise ShapeError(
            where="explain",
            wanted="a candidate and at least one reference",
            got="one text",
            next_step='For example: bleuprint explain "the cat is on mat" "the cat is on the mat".',
        )
    return explain(score_sentence(candidate, references, recipe))


def _explain_files(candidate: str, references: tuple[str, ...], recipe: Recipe, options: dict[str, Any]) -> Explanation:
    refuse_documents(options, "nothing, as explain shows the whole corpus or one segment", BY_DOCUMENT)
    corpus = read_input(candidate, references, options, recipe)
    segments = pair_corpus(corpus, [recipe])
    number = options["segment"]
    if number is None:
        table = count_corpus(segments, [recipe])[recipe.counting]
        return explain(score_table(table, recipe, segments))
    if not 1 <= number <= len(segments):
        raise ShapeError(
            where="--segment",
            wanted=f"a number from 1 to {len(segments)}",
            got=str(number),
            next_step=f"The corpus has {count_of(len(segments), 'segment')}, counted from 1.",
        )
    one = segments.segment(number - 1)
    return explain(score_sentence(one.candidate, one.references, recipe))


def _deliver(explanation: Explanation, options: dict[str, Any]) -> None:
    if options["output_format"] == "json":
        deliver(render_json(explanation.to_dict()), options["output"])
    elif options["output_format"] == "html":
        from bleuprint.render.html import render_document

        ngrams = None if options["ngrams"] == "usual" else options["ngrams"]
        deliver(render_document(explanation, ngrams=ngrams), options["output"])
    else:
        from bleuprint.render.terminal import view_explanation

        ngrams = SHOWN_IN_TEXT if options["ngrams"] == "usual" else options["ngrams"]
        deliver_view(view_explanation(explanation, ngrams), options["output"])
