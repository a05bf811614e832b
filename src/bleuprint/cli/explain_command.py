"""``bleuprint explain``: how a number came to be, for texts on the command line, one segment of a file, or a corpus."""

from __future__ import annotations

import click

from bleuprint.cli.call import Call, exclude, flag_of, require
from bleuprint.cli.corpus import count_corpus, pair_corpus, read_labelled
from bleuprint.cli.corpus_options import EITHER_RECIPE, INPUT
from bleuprint.cli.options import FILES, Option, make_command, output_options
from bleuprint.cli.printing import deliver_result
from bleuprint.errors import BleuprintError, FileError, ShapeError, quote
from bleuprint.findings.explanation import Explanation, explain
from bleuprint.io.paths import is_file
from bleuprint.recipes.options import DEFAULT, SEGMENT_DEFAULT
from bleuprint.recipes.recipe import Recipe
from bleuprint.render.explanation import ALL_NGRAMS
from bleuprint.render.explanation_bleu import USUAL_NGRAMS
from bleuprint.scoring.verbs import score_sentence, score_table
from bleuprint.text.formats import STDIN
from bleuprint.wording import count_of


def _read_limit(_ctx: click.Context, _param: click.Parameter, value: str | None) -> int | None:
    if value is None or value == "all":
        return None if value is None else ALL_NGRAMS
    if value.isascii() and value.isdigit():
        return int(value)
    raise BleuprintError(f"--ngrams takes a whole number from 0 on, or 'all', not {quote(value)}.")


OPTIONS = [
    Option(["--files"], is_flag=True, help="The arguments are files: explain the corpus score."),
    Option(["--texts"], is_flag=True, help="The arguments are texts, even if files have these names."),
    Option(["--segment"], type=int, metavar="K", help="The arguments are files: explain segment K, from 1."),
    Option(
        ["--ngrams"], callback=_read_limit, metavar="COUNT",
        help="How many n-grams of each order to list, or all. TER has none.  "
        f"[default: in text {USUAL_NGRAMS} for BLEU, none for chrF; all in HTML; JSON has all]",
    ),
]  # fmt: skip


@make_command("explain", *FILES, *OPTIONS, *EITHER_RECIPE, *INPUT, *output_options("text", "json", "html"))
def command(call: Call, *, files: bool, texts: bool, segment: int | None, ngrams: int | None) -> None:
    """Explain the score of a CANDIDATE text against its REFERENCE texts, step by step.

    For example: bleuprint explain "the cat is on mat" "the cat is on the mat"

    With --files or --segment the arguments are files, as for `bleuprint score`.
    """
    recipe = call.recipe.build_one(DEFAULT if files else SEGMENT_DEFAULT, call.reading.testset)
    has_segment, limited, as_json = segment is not None, ngrams is not None, call.output_format == "json"
    exclude(
        ("--texts", "--files or --segment", texts and (files or has_segment), "the arguments are texts or files"),
        ("--files", "--segment", files and has_segment, "it explains the corpus, --segment K one segment of it"),
        ("--ngrams", "--files", limited and files, "a corpus lists none; choose a segment with --segment K"),
        ("--ngrams", "--format json", limited and as_json, "JSON has all n-grams"),
    )
    metric = recipe.metric
    require(("--ngrams", limited, metric.has_ngrams, f"a metric that counts n-grams, unlike {metric.name}"))
    if files or has_segment:
        deliver_result(_explain_files(call, recipe, segment), call, ngrams=ngrams)
    else:
        deliver_result(_explain_texts(call, recipe, texts), call, ngrams=ngrams)


def _explain_texts(call: Call, recipe: Recipe, are_texts: bool) -> Explanation:
    if given := call.reading.given():
        flags = ", ".join(map(flag_of, given))
        raise FileError(f"{flags}: The arguments are texts, not files.", "Use --files or --segment K, or leave it out.")
    files = [text for text in (call.candidate, *call.references) if text == STDIN or is_file(text)]
    if files and not are_texts:
        raise FileError(
            f"{files[0]!r} is the name of a file.",
            "Use --files to explain what is in it, --segment K for one segment, or --texts to explain the words.",
        )
    if not call.references:
        example = 'bleuprint explain "the cat is on mat" "the cat is on the mat"'
        raise ShapeError("Missing reference.", f"For example: {example}.")
    return explain(score_sentence(call.candidate, call.references, recipe))


def _explain_files(call: Call, recipe: Recipe, number: int | None) -> Explanation:
    call.reading.refuse_documents()
    corpus, label = read_labelled(call, recipe)
    segments = pair_corpus(corpus, [recipe])
    if number is None:
        return explain(score_table(count_corpus(segments, recipe), recipe, segments).on_testset(label))
    if not 1 <= number <= len(segments):
        raise ShapeError(
            f"There is no segment {number}: the corpus has {count_of(len(segments), 'segment')}.",
            f"Use --segment with a number from 1 to {len(segments)}.",
        )
    one = segments.segment(number - 1)
    return explain(score_sentence(one.candidate, one.references, recipe).on_testset(label))
