"""What the options that several commands share were given: typed values, however the command line was read."""

# Annotations are not postponed here: making a NamedTuple of postponed ones compiles each of them, on every start.

import os
from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple

from bleuprint.errors import FileError, RecipeError, quote
from bleuprint.recipes.options import DEFAULT
from bleuprint.recipes.registry import DEFAULT_METRIC

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import click

    from bleuprint.recipes.recipe import Recipe
    from bleuprint.text.formats import FormatChoices

COMPLETION = "_BLEUPRINT_COMPLETE"
"""A shell that sets this asks click how the line may go on."""
BRIEF = ("--brief", "-b")
NAMED = ("--recipe", "--tokenizer", "-t", "--testset", "--translator")
TARGET_TOKENIZERS = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
"""The tokenizers that sacreBLEU takes for a test set of these target languages, where nobody chooses another."""


class RecipeOptions(NamedTuple):
    """Metrics and recipes by name, how far they count, and choices for all of them that have the axis."""

    recipes: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    orders: tuple[int, ...] = ()
    weights: tuple[str, ...] = ()
    axes: tuple[tuple[str, str | float], ...] = ()
    target: str = ""
    """the language that a test set translates into"""

    @classmethod
    def gather(cls, axes: "Iterable[str]", values: "dict[str, Any]") -> "RecipeOptions":
        """Take them out of what a command was given; ``axes`` are those that have flags of their name."""
        names = [name for name in cls._fields if name not in ("axes", "target")]
        chosen = {field: values.pop(field) for field in axes}
        given = tuple((field, value) for field, value in chosen.items() if value is not None)
        return cls(**{name: values.pop(name) for name in names}, axes=given)

    def aimed_at(self, testset: "str | None") -> "RecipeOptions":
        """Take over the target language of a test set by name; nothing without one."""
        return self if testset is None else self._replace(target=testset.rpartition("-")[2].partition("_")[0])

    def build(self, default: str = DEFAULT) -> "dict[str, Recipe]":
        """Build every recipe asked for, by a name that tells them apart."""
        changes, sizes = self._changes(), list(self._sizes())  # a model by its path is known to signatures after that
        self._refuse_lists()
        names = self._names(default)
        self._refuse_repeats(names, [label for _, label in sizes])
        chosen = {name: find_recipe("--recipe", name) for name in names}
        self._refuse_unused(chosen.values(), [*changes, *(field for size, _ in sizes[:1] for field in size)])
        recipes = {}
        for name, recipe in chosen.items():
            own = {field: value for field, value in changes.items() if recipe.has_axis(field)}
            if self.target in TARGET_TOKENIZERS and name not in self.recipes and recipe.has_axis("tokenizer"):
                own = {"tokenizer": TARGET_TOKENIZERS[self.target]} | own
            fitting = [(size, label) for size, label in sizes if all(map(recipe.has_axis, size))]
            for size, label in fitting or [({}, "")]:
                full = f"{name} {label}" if len(fitting) > 1 else name
                recipes[full] = recipe.with_choices({**own, **size})
        return recipes

    def _names(self, default: str) -> tuple[str, ...]:
        """Name the recipes: the default one of every metric, then those by name."""
        if not self.metrics:
            return self.recipes or (default,)
        from bleuprint.recipes.registry import find_metric

        own = [default if metric == DEFAULT_METRIC else find_metric(metric).default for metric in self.metrics]
        return (*own, *self.recipes)

    def _refuse_repeats(self, names: tuple[str, ...], sizes: list[str]) -> None:
        """Refuse what would be scored once and was asked for twice."""
        refuse_twice("--metric", self.metrics)
        refuse_twice("--recipe", self.recipes)
        refuse_twice("--order" if self.orders else "--weights", [label.removeprefix("N=") for label in sizes])
        refuse_twice("--metric and --recipe", names, "A metric stands for its default recipe: leave one of them out.")

    def _refuse_lists(self) -> None:
        """Refuse several recipes as one word."""
        for word in self.recipes:
            names = word.replace(",", " ").split()
            if len(names) < 2:
                continue
            from bleuprint.recipes.registry import list_metrics

            if set(names) <= {name for metric in list_metrics() for name in metric.dialects}:
                raise RecipeError(
                    where="--recipe",
                    wanted="one recipe for each flag",
                    got=quote(word),
                    next_step=f"Say it once for each: {' '.join(f'--recipe {name}' for name in names)}.",
                )

    @staticmethod
    def _refuse_unused(recipes: "Iterable[Recipe]", fields: "Iterable[str]") -> None:
        """Refuse a flag for an axis that none of the recipes has."""
        for field in fields:
            if not any(recipe.has_axis(field) for recipe in recipes):
                from bleuprint.recipes.registry import list_metrics

                names = [metric.key for metric in list_metrics() if metric.recipe.has_axis(field)]
                raise RecipeError(
                    where=f"--{field.replace('_', '-')}",
                    wanted=f"a recipe of a metric with this axis ({', '.join(names)})",
                    got=", ".join(dict.fromkeys(recipe.metric.key for recipe in recipes)),
                    next_step=f"Say -m {names[0]}, or leave the flag out.",
                )

    def build_one(self, default: str = DEFAULT) -> "Recipe":
        """Build the one recipe of a command that takes one."""
        recipes = self.build(default)
        if len(recipes) > 1:
            given = {
                "--metric": self.metrics,
                "--recipe": self.recipes,
                "--order": self.orders,
                "--weights": self.weights,
            }
            several = [flag for flag, values in given.items() if len(values) > 1]
            raise RecipeError(
                where=" and ".join(several or [flag for flag, values in given.items() if values]),
                wanted="one recipe for this command",
                got=", ".join(recipes),
                next_step="`bleuprint score` takes several.",
            )
        return next(iter(recipes.values()))

    def _sizes(self) -> "Iterator[tuple[dict[str, object], str]]":
        """Give each choice of orders as a change of a recipe, with a label for it."""
        if self.orders and self.weights:
            raise RecipeError(
                where="--order and --weights",
                wanted="one of the two",
                got="both",
                next_step="Weights fix the order: as many weights as orders.",
            )
        for order in self.orders:
            yield {"order": order}, f"N={order}"
        if self.weights:
            from bleuprint.recipes.options import parse_number, print_number

            for text in self.weights:
                weights = [parse_number(part, "--weights") for part in text.split(",")]
                yield {"weights": weights}, ",".join(map(print_number, weights))

    def _changes(self) -> "dict[str, object]":
        """Give the axes that differ from those of the recipes by name."""
        changes: dict[str, object] = dict(self.axes)
        if "tokenizer" in changes:
            from bleuprint.text.tokenizers.registry import find_tokenizer

            find_tokenizer(str(changes["tokenizer"]))
        return changes


class InputOptions(NamedTuple):
    """How to read a corpus from files."""

    form: str = "auto"
    columns: str | None = None
    no_header: bool = False
    documents: str | None = None
    system: str | None = None
    translators: tuple[str, ...] = ()
    candidate_column: str | None = None
    reference_columns: tuple[str, ...] = ()
    document_column: str | None = None
    testset: str | None = None

    @classmethod
    def gather(cls, values: "dict[str, Any]") -> "InputOptions":
        """Take them out of what a command was given."""
        given = cls(**{name: values.pop(name) for name in cls._fields})
        refuse_twice("--translator", given.translators)
        if given.no_header and given.columns is None:
            raise FileError(
                where="--no-header",
                wanted="--columns with it",
                got="none",
                next_step="Name the columns in their order: --columns candidate,reference.",
            )
        return given

    def given(self) -> list[str]:
        """Name the options that say anything, as they are written."""
        usual = InputOptions()
        return [flag for field, flag in FLAGS.items() if getattr(self, field) != getattr(usual, field)]

    def column_list(self) -> list[str]:
        """List the columns of a delimited file that does not name them itself."""
        columns = [name.strip() for name in (self.columns or "").split(",") if name.strip()]
        if self.columns is not None and not columns:
            raise FileError(
                where="--columns",
                wanted="names of columns between commas",
                got=quote(self.columns),
                next_step="For example: candidate,reference,document.",
            )
        return columns

    def refuse_documents(self, wanted: str, next_step: str) -> None:
        """Refuse the options that name documents where these mean nothing."""
        for flag, value in (("--documents", self.documents), ("--document-column", self.document_column)):
            if value is not None:
                raise FileError(where=flag, wanted=wanted, got=quote(value), next_step=next_step)

    def find_form(self, candidate: str) -> str:
        """Tell the form of columnar files, empty if the input is none; options that mean nothing for it are refused."""
        from bleuprint.io.paths import COLUMNAR_FORMS, columnar_form

        form = columnar_form(candidate) if self.form == "auto" else self.form
        if form in COLUMNAR_FORMS:
            self._refuse_line_options(form)
            return form
        if self.reference_columns or (self.candidate_column, self.document_column) != (None, None):
            self._check_named_columns(candidate)
        return ""

    def _check_named_columns(self, candidate: str) -> None:
        """Refuse names of columns for files that have none."""
        from bleuprint.text.formats import detect_form

        form = detect_form(candidate) if self.form == "auto" else self.form
        if form not in COLUMN_FORMS:
            raise FileError(
                where="--candidate-column, --reference-column, --document-column",
                wanted="TSV, CSV, JSONL, Parquet or Arrow files",
                got=candidate,
                next_step="Leave them out, or say what the file is with --input.",
            )
        self.refuse_empty_columns()
        if self.documents is not None and self.document_column is not None:
            raise FileError(
                where="--documents and --document-column",
                wanted="one of the two",
                got="both",
                next_step="Leave the one out that does not name the documents.",
            )

    def refuse_empty_columns(self) -> None:
        """Refuse a column without a name."""
        if "" in (self.candidate_column, self.document_column, *self.reference_columns):
            raise FileError(
                where="--candidate-column, --reference-column, --document-column",
                wanted="the name of a column",
                got="an empty one",
                next_step="Leave the option out for the usual name.",
            )

    def _refuse_line_options(self, form: str) -> None:
        """Refuse what is for forms whose columns have no names of their own."""
        lines = {
            "--columns": self.columns,
            "--documents": self.documents,
            "--system": self.system,
            "--translator": self.translators or None,
        }
        for flag, value in lines.items():
            if value is not None:
                raise FileError(
                    where=flag,
                    wanted=f"no such flag beside {form} files, whose columns have names",
                    got=quote(value),
                    next_step="Say --candidate-column, --reference-column and --document-column.",
                )

    def format_choices(self) -> "FormatChoices":
        """Give the choices of how to read lines of text."""
        return {
            "form": self.form,
            "columns": self.column_list(),
            "no_header": self.no_header,
            "documents": self.documents,
            "system": self.system,
            "translators": self.translators,
            "candidate_column": self.candidate_column or "",
            "reference_columns": self.reference_columns,
            "document_column": self.document_column or "",
        }


def in_one_value(
    function: "Callable[..., object]", keyword: str, gather: "Callable[[dict[str, Any]], object]"
) -> "Callable[..., Any]":
    """Hand some options on to a command as one value; ``gather`` takes it out of all that were given."""

    @wraps(function)
    def call(**values: Any) -> object:
        return function(**{keyword: gather(values)}, **values)

    return call


def find_recipe(where: str, name: str) -> "Recipe":
    """Read the name of a dialect or a signature; an error says where it was given."""
    from bleuprint.recipes.recipe import Recipe

    try:
        return Recipe.of(name)
    except RecipeError as error:
        raise error.reworded(where=f"{where}, {error.where}" if error.is_worded else where) from None


def list_differences(flags: str, one: "Recipe", other: "Recipe") -> list[str]:
    """Name the axes on which two recipes differ; of two metrics, an error says where they were given."""
    try:
        return one.differing_axes(other)
    except RecipeError as error:
        raise error.reworded(where=flags) from None


def refuse_twice(flag: str, values: "Iterable[str]", next_step: str = "Leave one of the two out.") -> None:
    """Refuse a value that is there twice, of which the second would change nothing."""
    known: set[str] = set()
    for value in values:
        if value in known:
            raise RecipeError(
                where=flag,
                wanted="every value once",
                got=f"{quote(value)} twice",
                next_step=next_step,
            )
        known.add(value)


def take_one(_: "click.Context", option: "click.Parameter", values: tuple[Any, ...]) -> Any:
    """Refuse two values, of which click would take the last; ``--order`` takes several, so people try."""
    if len(values) > 1:
        raise RecipeError(
            where=option.opts[0],
            wanted="one value for all recipes",
            got=", ".join(map(str, values)),
            next_step="Name several recipes instead, or run the command once for each.",
        )
    return values[0] if values else None


class ScoreOptions(NamedTuple):
    """What ``bleuprint score`` was asked for."""

    candidate: str
    references: tuple[str, ...]
    recipe: RecipeOptions = RecipeOptions()
    reading: InputOptions = InputOptions()
    by: tuple[str, ...] = ()
    """by what the corpus is parted: ``document``, or names of columns"""
    confidence: float | None = None
    resamples: int | None = None
    seed: int | None = None
    fail_under: tuple[str, ...] = ()
    fail_over: tuple[str, ...] = ()
    brief: bool = False
    on_error: str | None = None
    threads: int | None = None
    output_format: str = "text"
    output: str | None = None

    def name_files(self) -> str:
        """Return a line that says which file is what, so that a mix-up can be seen."""
        from bleuprint.text.formats.sources import name_without_credentials
        from bleuprint.wording import visible

        files = [name_without_credentials(name) for name in (self.candidate, *self.references)]
        candidate, *references = [name.encode("utf-8", "backslashreplace").decode() for name in files]
        testset, translators = self.reading.testset, ", ".join(self.reading.translators)
        if testset is not None:
            references = [testset + (f" ({translators})" if translators else "")]
        elif not references or self.reading.find_form(self.candidate):
            return visible(f"candidates and references: {', '.join([candidate, *references])}")
        title = "reference" if len(references) == 1 and testset is None else "references"
        return visible(f"candidate: {candidate}, {title}: {', '.join(references)}")


FLAGS = {
    "columns": "--columns",
    "no_header": "--no-header",
    "documents": "--documents",
    "system": "--system",
    "candidate_column": "--candidate-column",
    "document_column": "--document-column",
    "translators": "--translator",
    "reference_columns": "--reference-column",
    "form": "--input",
    "testset": "--testset",
}
COLUMN_FORMS = ("tsv", "csv", "jsonl")
"""Forms of lines whose columns, or keys, have names."""
BY_DOCUMENT = "`bleuprint score --by-document` scores documents, `bleuprint segments` lists them."


def read_plain_score(arguments: list[str]) -> "ScoreOptions | None":
    """Read ``bleuprint score`` with files, and a few names once each; ``None`` leaves the command line to click.

    Importing click takes several times as long as scoring 2,000 segments. Whatever is not among these few words is left
    to click, which reads all of them, and these to the same values.
    """
    if arguments[:1] != ["score"] or COMPLETION in os.environ or os.name == "nt":  # there click expands patterns
        return None
    files, brief, names = [], False, {}
    words = iter(arguments[1:])
    for word in words:
        if word in BRIEF:
            brief = True
        elif word in NAMED and word not in names:
            names[word] = next(words, "")
        else:
            files.append(word)
    if not files or not all(map(_is_plain, [*files, *names.values()])) or {"--tokenizer", "-t"} <= names.keys():
        return None
    tokenizer = names.get("--tokenizer", names.get("-t"))
    recipe = RecipeOptions(
        recipes=(names["--recipe"],) if "--recipe" in names else (),
        axes=() if tokenizer is None else (("tokenizer", tokenizer),),
    )
    reading = InputOptions(
        testset=names.get("--testset"), translators=(names["--translator"],) if "--translator" in names else ()
    )
    return ScoreOptions(files[0], tuple(files[1:]), recipe, reading, brief=brief)


def _is_plain(word: str) -> bool:
    """Whether a word can be nothing but a value."""
    return word == "-" or (not word.startswith("-") and word != "")
