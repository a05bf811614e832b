"""``bleuprint explain``: how a number came to be, for texts on the command line, one segment of a file, or a corpus."""

from __future__ import annotations

import click

from bleuprint.cli.counting import count_corpus, pair_corpus
from bleuprint.cli.option_values import BY_DOCUMENT, InputOptions, RecipeOptions
from bleuprint.cli.options import either_recipe_options, input_options
from bleuprint.cli.output_options import format_option, output_option
from bleuprint.cli.printing import deliver, deliver_view
from bleuprint.cli.reading import read_labelled
from bleuprint.errors import BleuprintError, FileError, ShapeError, quote
from bleuprint.findings.explanation import Explanation, explain
from bleuprint.io.paths import is_file
from bleuprint.recipes.options import DEFAULT, SEGMENT_DEFAULT
from bleuprint.recipes.recipe import Recipe
from bleuprint.render.explanations import USUAL_NGRAMS, NgramLimit
from bleuprint.render.json import render_json
from bleuprint.scoring.verbs import score_sentence, score_table
from bleuprint.text.formats import STDIN
from bleuprint.wording import count_of


def _read_limit(_ctx: click.Context, _param: click.Parameter, value: str | None) -> NgramLimit | None:
    if value is None or value == "all":
        return None if value is None else NgramLimit(None)
    if value.isascii() and value.isdigit():
        return NgramLimit(int(value))
    raise BleuprintError(
        where="--ngrams",
        wanted="a whole number from 0 on, or 'all'",
        got=quote(value),
        next_step="See: bleuprint explain --help",
    )


@click.command("explain")
@click.argument("candidate")
@click.argument("references", nargs=-1, metavar="[REFERENCE]...")
@click.option("--files", is_flag=True, help="The arguments are files: explain the corpus score.")
@click.option("--texts", is_flag=True, help="The arguments are texts, even if files have these names.")
@click.option("--segment", type=int, metavar="K", help="The arguments are files: explain segment K, from 1.")
@click.option(
    "--ngrams", callback=_read_limit, metavar="COUNT",
    help="How many n-grams of each order to list, or all. TER has none.  "
    f"[default: in text {USUAL_NGRAMS.highest} for BLEU, none for chrF; all in HTML; JSON has all]",
)  # fmt: skip
@either_recipe_options
@input_options
@format_option("text", "json", "html")
@output_option
def command(
    candidate: str,
    references: tuple[str, ...],
    *,
    files: bool,
    texts: bool,
    segment: int | None,
    ngrams: NgramLimit | None,
    recipe: RecipeOptions,
    reading: InputOptions,
    output_format: str,
    output: str | None,
) -> None:
    """Explain the score of a CANDIDATE text against its REFERENCE texts, step by step.

    For example: bleuprint explain "the cat is on mat" "the cat is on the mat"

    With --files or --segment the arguments are files, as for `bleuprint score`.
    """
    default = DEFAULT if files else SEGMENT_DEFAULT
    built = recipe.aimed_at(reading.testset).build_one(default)
    if texts and (files or segment is not None):
        raise FileError(
            where="explain",
            wanted="--texts, or one of --files and --segment",
            got="both",
            next_step="The arguments are either texts or files.",
        )
    if files and segment is not None:
        raise FileError(
            where="explain",
            wanted="one of --files and --segment",
            got="both",
            next_step="--files explains the whole corpus, --segment K one segment of it: leave one of them out.",
        )
    if ngrams:
        _refuse_ngrams(built, whole=files, as_json=output_format == "json")
    if files or segment is not None:
        explanation = _explain_files(candidate, references, built, reading, segment)
    else:
        _refuse_file_options(reading)
        explanation = _explain_texts(candidate, references, built, texts)
    _deliver(explanation, ngrams, output_format, output)


def _refuse_ngrams(recipe: Recipe, *, whole: bool, as_json: bool) -> None:
    if not recipe.metric.has_ngrams:
        raise FileError(
            where="--ngrams",
            wanted="a metric that counts n-grams",
            got=f"{recipe.metric.name}, which shows shifts and an alignment of words",
            next_step="Leave it out.",
        )
    if whole or as_json:
        raise FileError(
            where="--ngrams",
            wanted="the n-grams of one segment as text or HTML",
            got="a corpus, which lists none" if whole else "--format json, which has all",
            next_step="Leave it out" + (", or choose a segment with --segment K." if whole else "."),
        )


def _refuse_file_options(reading: InputOptions) -> None:
    given = reading.given()
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


def _explain_files(
    candidate: str, references: tuple[str, ...], recipe: Recipe, reading: InputOptions, number: int | None
) -> Explanation:
    reading.refuse_documents("nothing, as explain shows the whole corpus or one segment", BY_DOCUMENT)
    corpus, label = read_labelled(candidate, references, reading, recipe)
    segments = pair_corpus(corpus, [recipe])
    if number is None:
        table = count_corpus(segments, [recipe])[recipe.counting]
        return explain(score_table(table, recipe, segments).on_testset(label))
    if not 1 <= number <= len(segments):
        raise ShapeError(
            where="--segment",
            wanted=f"a number from 1 to {len(segments)}",
            got=str(number),
            next_step=f"The corpus has {count_of(len(segments), 'segment')}, counted from 1.",
        )
    one = segments.segment(number - 1)
    return explain(score_sentence(one.candidate, one.references, recipe).on_testset(label))


def _deliver(explanation: Explanation, ngrams: NgramLimit | None, output_format: str, output: str | None) -> None:
    if output_format == "json":
        deliver(render_json(explanation.to_dict()), output)
    elif output_format == "html":
        from bleuprint.render.html import render_document

        deliver(render_document(explanation, ngrams=ngrams.highest if ngrams else None), output)
    else:
        from bleuprint.render.terminal import view_explanation

        deliver_view(view_explanation(explanation, ngrams), output)
