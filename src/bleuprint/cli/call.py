"""What a command line says, as typed values, and the checks of options that several commands share.

Nothing here imports click: the plainest ``bleuprint score`` is read without it.
"""

# Annotations are not postponed here: making a NamedTuple of postponed ones compiles each of them, on every start.

import os
from typing import TYPE_CHECKING, NamedTuple, cast

from bleuprint.errors import BleuprintError, FileError, Location, RecipeError, quote
from bleuprint.recipes.options import DEFAULT
from bleuprint.recipes.registry import DEFAULT_METRIC, METRICS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bleuprint.recipes.recipe import Recipe
    from bleuprint.text.formats import FormatChoices

COMPLETION = "_BLEUPRINT_COMPLETE"
"""A shell sets this variable to ask click how the line may go on."""
TARGET_TOKENIZERS = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
"""sacreBLEU's default tokenizers for test sets of these target languages."""
_COLUMNS = ("candidate_column", "reference_columns", "document_column")
_TABLE = ("columns", "no_header", "documents", *_COLUMNS)
_MARKUP = ("system", "translators")
FORM_OPTIONS: dict[str, tuple[str, ...]] = {
    "plain": ("documents",),
    "tsv": _TABLE,
    "csv": _TABLE,
    "jsonl": ("documents", *_COLUMNS),
    "sgml": _MARKUP,
    "xml": _MARKUP,
    "parquet": _COLUMNS,
    "arrow": _COLUMNS,
}
"""The options of ``InputOptions`` that mean something for the files of a form."""
COLUMN_FORMS = ("tsv", "csv", "jsonl")
TESTSET_FORMS = ("plain", *COLUMN_FORMS)
"""The forms of candidates whose references and documents come from a test set."""


def require(*rules: tuple[str, object, object, str]) -> None:
    """Raise an error about an option that means nothing without another.

    A rule is an option, whether it is there, whether what it needs is there, and what it needs.
    """
    for flag, given, condition, needed in rules:
        if given and not condition:
            raise BleuprintError(f"{flag} needs {needed}.", f"Add it, or leave {flag} out.")


def exclude(*rules: tuple[str, str, object, str]) -> None:
    """Raise an error about two options that cannot be combined: both, whether both are there, and the reason."""
    for flag, other, given, reason in rules:
        if given:
            because = f": {reason}" if reason else ""
            raise BleuprintError(f"{flag} cannot be combined with {other}{because}.", "Leave one of them out.")


def refuse_twice(flag: str, values: "Iterable[str]", fix: str = "Leave one of them out.") -> None:
    """Raise an error if a value is there twice, because the second would change nothing."""
    known: set[str] = set()
    for value in values:
        if value in known:
            raise RecipeError(f"{quote(value)} appears twice in {flag}.", fix)
        known.add(value)


class RecipeOptions(NamedTuple):
    """Metrics and recipes by name, their orders, and values for all recipes that have the option."""

    recipes: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    orders: tuple[int, ...] = ()
    weights: tuple[str, ...] = ()
    choices: tuple[tuple[str, object], ...] = ()

    def build(self, default: str = DEFAULT, testset: "str | None" = None) -> "dict[str, Recipe]":
        """Build every recipe, by a name that tells them apart."""
        changes = dict(self.choices)
        if "tokenizer" in changes:  # signatures may name a model that is loaded from its path here
            from bleuprint.text.tokenizers.registry import find_tokenizer

            find_tokenizer(str(changes["tokenizer"]))
        sizes, names = self._sizes(), self._names(default)
        refuse_twice("--metric and --recipe", names, "A metric stands for its default recipe: leave one of them out.")
        chosen = {name: find_recipe("--recipe", name) for name in names}
        sized = ["order"] if self.orders else ["weights"] if self.weights else []
        self._refuse_unused(list(chosen.values()), [*changes, *sized])
        target = TARGET_TOKENIZERS.get((testset or "").rpartition("-")[2].partition("_")[0])
        recipes = {}
        for name, recipe in chosen.items():
            own = {field: value for field, value in changes.items() if recipe.has_axis(field)}
            if target and name not in self.recipes and recipe.has_axis("tokenizer"):
                own = {"tokenizer": target} | own
            fitting = sizes if all(map(recipe.has_axis, sized)) else {}
            for label, size in (fitting or {"": {}}).items():
                recipes[f"{name} {label}" if len(fitting) > 1 else name] = recipe.with_choices({**own, **size})
        return recipes

    def build_one(self, default: str = DEFAULT, testset: "str | None" = None) -> "Recipe":
        """Build the recipe of a command that takes one."""
        recipe, *others = self.build(default, testset).items()
        if others:
            names = ", ".join(name for name, _ in (recipe, *others))
            raise RecipeError(f"Expected one recipe, got {names}.", "`bleuprint score` takes several.")
        return recipe[1]

    def _names(self, default: str) -> tuple[str, ...]:
        """Name the recipes: the default one of every metric, then those by name."""
        if not self.metrics:
            return self.recipes or (default,)
        from bleuprint.recipes.registry import find_metric

        own = [default if metric == DEFAULT_METRIC else find_metric(metric).default for metric in self.metrics]
        return (*own, *self.recipes)

    @staticmethod
    def _refuse_unused(recipes: "list[Recipe]", fields: "Iterable[str]") -> None:
        """Raise an error if none of the recipes has a recipe option."""
        for field in fields:
            if not any(recipe.has_axis(field) for recipe in recipes):
                from bleuprint.recipes.registry import list_metrics

                names = [metric.key for metric in list_metrics() if metric.recipe.has_axis(field)]
                metrics = ", ".join(dict.fromkeys(recipe.metric.key for recipe in recipes))
                flag = f"--{field.replace('_', '-')}"
                fix = f"Use -m {names[0]}, or leave the option out."
                raise RecipeError(f"{flag} is an option of {', '.join(names)}, not of {metrics}.", fix)

    def _sizes(self) -> "dict[str, dict[str, object]]":
        """Return each choice of orders as a change of a recipe, by a label."""
        exclude(("--order", "--weights", self.orders and self.weights, "there are as many orders as weights"))
        refuse_twice("--order", map(str, self.orders))
        if not self.weights:
            return {f"N={order}": {"order": order} for order in self.orders}
        from bleuprint.recipes.options import parse_number, print_number

        where = Location("recipe", option="weights")
        weights = [[parse_number(part, where) for part in text.split(",")] for text in self.weights]
        labels = [",".join(map(print_number, numbers)) for numbers in weights]
        refuse_twice("--weights", labels)
        return {label: {"weights": numbers} for label, numbers in zip(labels, weights, strict=True)}


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

    def given(self) -> list[str]:
        """Name the options that are not at their defaults, as fields."""
        return [field for field, default in self._field_defaults.items() if getattr(self, field) != default]

    def form_of(self, candidate: str) -> str:
        """Return the form of a file, by its name if no option states it."""
        from bleuprint.io.paths import columnar_form
        from bleuprint.text.formats import detect_form

        return self.form if self.form != "auto" else columnar_form(candidate) or detect_form(candidate)

    def check(self, candidate: str) -> str:
        """Raise an error about options that mean nothing for this file. Return the file's form."""
        form = self.form_of(candidate)
        refuse_twice("--translator", self.translators)
        require(("--no-header", self.no_header, self.columns is not None, "--columns, as candidate,reference"))
        exclude(("--documents", "--document-column", self.documents and self.document_column, ""))
        if self.testset is not None and form not in TESTSET_FORMS:
            raise FileError(
                f"{candidate} is read as {form}. With --testset candidates are {', '.join(TESTSET_FORMS)}.",
                "If the name is misleading, name the form with --input.",
            )
        fitting = {"form", "testset", *FORM_OPTIONS[form]}
        if self.testset is not None:
            fitting = fitting - {"documents", "reference_columns"} | {"translators"}
        for field in self.given():
            if field not in fitting:
                beside = "a test set" if self.testset is not None else f"{form} files ({candidate})"
                forms = [name for name, fields in FORM_OPTIONS.items() if field in fields]
                fix = f"It is for {', '.join(forms)} files; --input names the form if the file's name does not."
                raise FileError(f"{flag_of(field)} means nothing for {beside}.", fix)
        return form

    def refuse_documents(self) -> None:
        """Raise an error about options that name documents, for a command that does not use them."""
        for field in ("documents", "document_column"):
            if getattr(self, field) is not None:
                fix = "`bleuprint score --by-document` scores documents, `bleuprint segments` lists them."
                raise FileError(f"{flag_of(field)} means nothing here: documents are not used.", fix)

    def format_choices(self) -> "FormatChoices":
        """Return the options for reading lines of text."""
        names = [name.strip() for name in (self.columns or "").split(",") if name.strip()]
        if self.columns is not None and not names:
            raise FileError("--columns has no names.", "For example: --columns candidate,reference,document.")
        given = {name: value for name, value in self._asdict().items() if value is not None and name != "testset"}
        return cast("FormatChoices", given | {"columns": names})


class Call(NamedTuple):
    """What the options that commands share were set to."""

    candidate: str = ""
    references: tuple[str, ...] = ()
    recipe: RecipeOptions = RecipeOptions()
    reading: InputOptions = InputOptions()
    threads: int | None = None
    output_format: str = "text"
    output: str | None = None

    def check_names(self) -> None:
        """Raise an error if a reference is no file, but the name of a metric or recipe whose flag was forgotten."""
        from bleuprint.io.paths import is_file

        for name in self.references:
            if not is_file(name) and (fix := suggest_flag(name)):
                raise FileError(f"No such file: {name}.", fix)


FLAG_NAMES = {"form": "input", "translators": "translator", "reference_columns": "reference-column"}


def flag_of(field: str) -> str:
    """Return the flag of an input option or of a recipe option."""
    return f"--{FLAG_NAMES.get(field, field.replace('_', '-'))}"


def suggest_flag(word: str) -> str | None:
    """Return the fix for a word that stands where a file should, if it is the name of a metric or a recipe."""
    from bleuprint.recipes.registry import find_dialect

    if word.lower() in METRICS:
        other = next(name for name in METRICS if name != word.lower())
        return f"If the metric is meant, put -m before every one: -m {other} -m {word.lower()}."
    if find_dialect(word):
        return f"If the recipe is meant, put --recipe before every one: --recipe {word}."
    return None


def find_recipe(flag: str, name: str) -> "Recipe":
    """Read the name of a recipe or a signature; an error names the flag."""
    from bleuprint.recipes.recipe import Recipe

    try:
        return Recipe.of(name)
    except RecipeError as error:
        is_list = "," in name and "|" not in name
        raise error.reworded(where=flag, fix=f"Repeat {flag} for each recipe." if is_list else None) from None


def list_differences(flags: str, one: "Recipe", other: "Recipe") -> list[str]:
    """Name the options in which two recipes differ; an error about two metrics names the flags."""
    try:
        return one.differing_axes(other)
    except RecipeError as error:
        raise error.reworded(where=flags) from None


class ScoreOptions(NamedTuple):
    """The options of ``bleuprint score`` alone."""

    by: tuple[str, ...] = ()
    """what the corpus is grouped by: ``document``, or names of columns"""
    confidence: float | None = None
    resamples: int | None = None
    seed: int | None = None
    fail_under: tuple[str, ...] = ()
    fail_over: tuple[str, ...] = ()
    brief: bool = False
    on_error: str | None = None


PLAIN_FLAGS = {
    "--recipe": "recipes",
    "--tokenizer": "tokenizer",
    "-t": "tokenizer",
    "--testset": "testset",
    "--translator": "translators",
}


def read_plain_score(arguments: list[str]) -> "tuple[Call, ScoreOptions] | None":
    """Read ``bleuprint score`` with files and a few options once each; ``None`` leaves the command line to click.

    Importing click takes a third as long as the whole command (bench/startup.py).
    """
    if arguments[:1] != ["score"] or COMPLETION in os.environ or os.name == "nt":  # there click expands patterns
        return None
    files, brief, values = [], False, {}
    words = iter(arguments[1:])
    for word in words:
        if word in ("--brief", "-b"):
            brief = True
        elif word in PLAIN_FLAGS and PLAIN_FLAGS[word] not in values:
            values[PLAIN_FLAGS[word]] = next(words, "")
        else:
            files.append(word)
    if not files or any(word == "" or (word.startswith("-") and word != "-") for word in [*files, *values.values()]):
        return None
    several = {name: (values[name],) if name in values else () for name in ("recipes", "translators")}
    tokenizer = (("tokenizer", values["tokenizer"]),) if "tokenizer" in values else ()
    recipe = RecipeOptions(recipes=several["recipes"], choices=tokenizer)
    reading = InputOptions(testset=values.get("testset"), translators=several["translators"])
    return Call(files[0], tuple(files[1:]), recipe, reading), ScoreOptions(brief=brief)
