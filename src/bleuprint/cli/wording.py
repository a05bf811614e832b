"""Errors in the words of the command line: arguments are flags, segments are lines of files, and advice names flags."""

from __future__ import annotations

from collections.abc import Mapping

from bleuprint.advice import Advice
from bleuprint.errors import BleuprintError
from bleuprint.recipes.registry import METRICS, list_metrics
from bleuprint.text.formats.sources import name_element

ARGUMENT_FLAGS: Mapping[str, str] = {
    "form": "--input",
    "columns": "--columns",
    "documents": "--documents",
    "system": "--system",
    "translators": "--translator",
    "on_error": "--on-error",
    "threads": "--threads",
    "labels": "--labels",
    "scores": "--scores",
    "lower_is_better": "--lower-is-better",
    "baseline": "--baseline",
    "by": "--by",
    "test": "--test",
    "resamples": "--resamples",
    "confidence": "--confidence",
    "seed": "--seed",
    "level": "--level",
    "examples": "--examples",
    "recipes": "--recipe",
    "recipe": "--recipe",
    "metric": "--metric",
}

_MATCH_LINES = "Each segment is one candidate with its references; nothing is cut to fit."

ADVICE: Mapping[Advice, str] = {
    Advice.FORMS_BESIDE: "Give a .tsv, .csv or .jsonl file alone, SGML beside SGML, "
    "or say --input plain if each file holds one text per line.",
    Advice.CHOOSE_FORM: "Parquet and Arrow files are read by --input parquet and --input arrow.",
    Advice.LEAVE_CHOICE: "Leave {argument} out, or say --input {first} or --input {second}.",
    Advice.LEAVE_REFERENCES: "Leave them out, or say --input plain if each file holds one text per line.",
    Advice.LEAVE_DOCUMENTS: "Leave --documents out.",
    Advice.GIVE_REFERENCES: "Name them after it. If it holds its references itself, "
    "say --input tsv, csv, jsonl or xml.",
    Advice.CANDIDATE_FIRST: "Name the candidate's file first, then those of the references.",
    Advice.REFERENCES_AFTER: "Name the files that hold the references after the candidate's.",
    Advice.CHOOSE_SYSTEM: "Choose one with --system NAME.",
    Advice.NAME_SYSTEMS: "Columns have texts of many kinds: say -s COLUMN for each system.",
    Advice.CHOOSE_TRANSLATORS: "Without --translator all references count.",
    Advice.CHOOSE_REFERENCES: "Choose with --translator NAME; where sacreBLEU is installed, "
    "its table says which are usual for its sets.",
    Advice.MATCH_SEGMENTS: "Every system and reference needs every segment; --translator chooses references. "
    "Nothing is left out to fit.",
    Advice.NAME_COLUMNS: "Say --candidate-column and --reference-column where they have other names, or --columns "
    "candidate,reference,... where the first line has none.",
    Advice.NAME_KEYS: "Say --candidate-column and --reference-column where the keys have other names.",
    Advice.LEAVE_COLUMNS: "Leave --columns out: the first line names them already. "
    "If it is a segment, add --no-header.",
    Advice.REMOVE_HEADING: "Remove that line, or replace --columns by --candidate-column and --reference-column, "
    "once for each. If it is a segment, add --no-header.",
    Advice.NAME_COLUMNAR_COLUMNS: "Say --candidate-column, --reference-column and --document-column.",
    Advice.NAME_COLUMNAR_FORM: "Check the file; --input says what it is where its name does not.",
    Advice.READ_COLUMNAR: "Commands with --input read it (--input {form}, where its name does not say so); "
    "others take a text per line.",
    Advice.SKIP_ROWS: "Correct these rows, or leave them out: --on-error skip counts them and says so.",
    Advice.GIVE_LIST: 'In JSONL "candidate" is a text, and "references" a text or a list of texts.',
    Advice.GIVE_EMPTY_TEXT: "A missing reference may be null beside others; a candidate is never null: "
    "write {empty} if it is empty.",
    Advice.LEAVE_SEGMENT: "Leave the line out, or write {empty} if its reference is empty.",
    Advice.JOIN_TOKENS: "For lists of tokens say --tokenizer pretokenized, which BLEU alone has, or join them.",
    Advice.SPLIT_TEXT: "Lines of text hold no tokens: say --tokenizer whitespace, or give JSONL with lists of tokens.",
    Advice.KEEP_CASE: "Tokens that are no strings have no case: say --case mixed.",
    Advice.SCORE_ONE: "Give one text per line; `bleuprint explain` takes a single one.",
    Advice.SCORE_SEGMENTS: "`bleuprint segments` scores every segment on its own.",
    Advice.SPLIT_RECIPES: "Score the recipe with the tokenizer pretokenized in a call of its own, with tokens.",
    Advice.REGISTER_TOKENIZER: "`bleuprint recipes --tokenizers` lists them with what they need; "
    "one of your own needs the library.",
    Advice.LIST_RECIPES: "`bleuprint recipes` lists them, with what they stand for.",
    Advice.NAME_TOKENIZER: "For example: --tokenizer 13a.",
    Advice.NAME_MODEL: "Put it into {folder}, or name it by its path: --tokenizer spm:PATH.",
    Advice.PATH_IN_SIGNATURE: "A path is for --tokenizer: signatures go to people who do not have it.",
    Advice.CHECK_NAME: Advice.CHECK_NAME.value,
    Advice.NAME_WEIGHTS: "Usual is --weights 0.25,0.25,0.25,0.25; --order 2 stands for 0.5,0.5.",
    Advice.LEAVE_METRIC: "Leave --metric out to search all.",
    Advice.MATCH_CANDIDATES: _MATCH_LINES,
    Advice.TURN_COLUMNS: _MATCH_LINES,
    Advice.GATHER_REFERENCES: _MATCH_LINES,
    Advice.LEAVE_BASELINE: "With --baseline only pairs with it are compared; leave it out to compare all.",
}


def in_words_of_the_command_line(error: BleuprintError) -> BleuprintError:
    """Say the same in flags; segments and references are counted from 1."""
    where = None
    if error.location and not error.is_worded:
        axis, flag = error.location.option.replace("_", "-"), ARGUMENT_FLAGS.get(error.location.argument)
        where = f"--{axis}" if axis else flag if flag and error.index is None else name_element(error.location)
    if error.advice is None:
        return error.reworded(where=where)
    if error.advice is Advice.CHECK_NAME and (flag := suggest_flag(error.where)):
        return error.reworded(next_step=flag)
    values = {name: ARGUMENT_FLAGS.get(value, value) for name, value in error.advice_values.items()}
    return error.reworded(where=where, next_step=ADVICE[error.advice].format(**values))


def suggest_flag(word: str) -> str | None:
    """Say which flag goes before a word that stands where a file should, if it is the name of a metric or a recipe."""
    if word.lower() in METRICS:
        other = next(name for name in METRICS if name != word.lower())
        return f"If the metric is meant, say -m before every one: -m {other} -m {word.lower()}."
    if any(word in metric.dialects for metric in list_metrics()):
        return f"If the recipe is meant, say --recipe before every one: --recipe {word}."
    return None
