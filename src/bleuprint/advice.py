"""Fixes of errors that several modules raise. Front ends translate the names of arguments in backticks."""

from __future__ import annotations

from enum import Enum


class Advice(Enum):
    """What to do next, in terms of Python's arguments."""

    FORMS_BESIDE = (
        "Pass a .tsv, .csv or .jsonl file alone, SGML with SGML, "
        'or use `form="plain"` if each file has one text per line.'
    )
    CHOOSE_FORM = "bleuprint.adapters.arrow reads tables of Parquet and Arrow."
    LEAVE_CHOICE = 'Leave `{argument}` out, or use `form="{first}"` or `form="{second}"`.'
    LEAVE_REFERENCES = 'Leave them out, or use `form="plain"` if each file has one text per line.'
    LEAVE_DOCUMENTS = "Leave `documents` out."
    GIVE_REFERENCES = 'Name them after it. If the file contains its references, use `form="tsv"` or another form.'
    CANDIDATE_FIRST = "Name the candidate's file first, then those of the references."
    REFERENCES_AFTER = "Name the files with references after the candidate's."
    CHOOSE_SYSTEM = 'Choose one with `system="NAME"`.'
    NAME_SYSTEMS = "Columns contain texts of many kinds: name those of the `systems`."
    CHOOSE_TRANSLATORS = "Without `translators` all references count."
    CHOOSE_REFERENCES = (
        "Choose some with `references`; if sacreBLEU is installed, its table names the usual ones of its sets."
    )
    MATCH_SEGMENTS = "Every system and reference needs every segment. Choose the references with `translators`."
    NAME_COLUMNS = "Name them in the first line, or with `columns`, `candidate_column` and `reference_columns`."
    NAME_KEYS = 'For example: {{"candidate": "a b", "references": ["a b", "a c"], "document": "d1"}}.'
    LEAVE_COLUMNS = "Leave `columns` out: the first line names them. If it is a segment, use `no_header=True`."
    REMOVE_HEADING = (
        "Remove that line, or replace `columns` by `candidate_column` and `reference_columns`. "
        "If it is a segment, use `no_header=True`."
    )
    NAME_COLUMNAR_COLUMNS = "Name the columns with `candidate_column`, `reference_columns` and `document_column`."
    NAME_COLUMNAR_FORM = "Check the file; `form` names its format if its name does not."
    READ_COLUMNAR = 'Commands with --input read it with `form="{form}"`; here files have one text per line.'
    SKIP_ROWS = 'Correct these rows, or use `on_error="skip"` to leave them out and count them.'
    GIVE_LIST = (
        'Pass one column as a list: list(data["column"]), or data["column"].to_pylist() for Arrow; '
        "bleuprint.adapters.arrow takes whole tables."
    )
    GIVE_EMPTY_TEXT = "A missing reference may be None next to others. Use {empty} for an empty candidate."
    LEAVE_SEGMENT = "Leave the segment out on both sides, or use {empty} for an empty reference."
    JOIN_TOKENS = (
        'Candidates come before references. For tokens use `tokenizer="pretokenized"`, which only BLEU has, or join '
        "them."
    )
    SPLIT_TEXT = "A string would be read as characters: split it first, or choose a recipe with a tokenizer."
    KEEP_CASE = 'Tokens that are no strings have no case: use `case="mixed"`.'
    SCORE_ONE = "For one segment use score_sentence(candidate, references)."
    SCORE_SEGMENTS = (
        "Use score_segments, and the mean of its scores if the tool takes that; "
        "bleuprint.compat.nltk does to a corpus what NLTK does."
    )
    SPLIT_RECIPES = "Score the recipe with tokenizer 'pretokenized' in another call, with tokens."
    REGISTER_TOKENIZER = "Register a custom tokenizer with bleuprint.register_tokenizer(name, function) first."
    LIST_RECIPES = "`bleuprint recipes` lists the names, with what they stand for."
    NAME_TOKENIZER = 'For example: `tokenizer="13a"`.'
    NAME_MODEL = "Put it into {folder}, or name it by its path, spm:PATH, before you use its digest."
    PATH_IN_SIGNATURE = "A path is for `tokenizer`: signatures go to people who do not have the file."
    CHECK_NAME = "Check the name and the folder you are in."
    NAME_WEIGHTS = "Usual is (0.25, 0.25, 0.25, 0.25); order 2 stands for (0.5, 0.5)."
    LEAVE_METRIC = "Leave `metric` out to search all."
    MATCH_CANDIDATES = "Each entry is the reference, or the list of references, of one candidate."
    TURN_COLUMNS = "These look like {columns} with a reference per candidate: use list(zip(*columns, strict=True))."
    GATHER_REFERENCES = "For one candidate with several references put them into another list: [[...]]."
    LEAVE_BASELINE = "With `baseline` only pairs with it are compared; leave it out to compare all."

    def say(self, values: dict[str, str]) -> str:
        """Fill in the values."""
        return str(self.value).format(**values)
