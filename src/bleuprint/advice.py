"""Advice: what to do next where that depends on who reads it. The edges have words of their own for each of these.

A member's value is what a caller of the library reads, with the names of the values that a message fills in. The
command line (``cli/wording.py``) and the page (``web/wording.py``) each have a table that says the same in their words.
"""

from __future__ import annotations

from enum import Enum


class Advice(Enum):
    """What to do next, in terms of Python's arguments."""

    FORMS_BESIDE = (
        "Give a .tsv, .csv or .jsonl file alone, SGML beside SGML, "
        'or say form="plain" if each file holds one text per line.'
    )
    CHOOSE_FORM = "Lines of text are read here; bleuprint.adapters.arrow reads tables of Parquet and Arrow."
    LEAVE_CHOICE = "Leave {argument} out, or say form={first!r} or form={second!r}."
    LEAVE_REFERENCES = 'Leave them out, or say form="plain" if each file holds one text per line.'
    LEAVE_DOCUMENTS = "Leave documents out."
    GIVE_REFERENCES = 'Give them beside it. If it holds its references itself, say form="tsv", "csv", "jsonl" or "xml".'
    CANDIDATE_FIRST = "Give the candidate's file first, then those of the references."
    REFERENCES_AFTER = "Give the files that hold the references after the candidate's."
    CHOOSE_SYSTEM = "Choose one with system=NAME."
    NAME_SYSTEMS = "Columns have texts of many kinds; say which of them are systems."
    CHOOSE_TRANSLATORS = "Without translators all references count."
    CHOOSE_REFERENCES = (
        "Choose with references=[NAME, ...]; where sacreBLEU is installed, its table says which are usual for its sets."
    )
    MATCH_SEGMENTS = (
        "Every system and reference needs every segment; translators= chooses references. Nothing is left out to fit."
    )
    NAME_COLUMNS = 'Name them in the first line, or with columns=("candidate", "reference", ...) if it is not there.'
    NAME_KEYS = 'For example: {{"candidate": "a b", "references": ["a b", "a c"], "document": "d1"}}.'
    LEAVE_COLUMNS = "Leave columns out: the first line names them already. If it is a segment, pass no_header=True."
    REMOVE_HEADING = (
        "Remove that line, or omit columns and name the columns with the candidates and the references. "
        "If it is a segment, pass no_header=True."
    )
    NAME_COLUMNAR_COLUMNS = "Name the columns with candidate=, references= and document=."
    NAME_COLUMNAR_FORM = "Check the file; the form says what it is where its name does not."
    READ_COLUMNAR = "It is a table, to be read as {form}; here a text per line is read."
    SKIP_ROWS = 'Correct these rows, or leave them out: on_error="skip" counts them and says so.'
    GIVE_LIST = (
        'Give one column as a list: list(data["column"]), or data["column"].to_pylist() for Arrow; '
        "bleuprint.adapters.arrow takes tables whole."
    )
    GIVE_EMPTY_TEXT = (
        "A missing reference may be None beside others; a candidate is never None: give {empty} if it is empty."
    )
    LEAVE_SEGMENT = "Leave the segment out on both sides, or give {empty} if its reference is empty."
    JOIN_TOKENS = (
        "Candidates come before references. "
        'For tokens use recipe.replace(tokenizer="pretokenized"), which BLEU alone has, or join them.'
    )
    SPLIT_TEXT = "A string would be read as characters: split it first, or choose a recipe with a tokenizer."
    KEEP_CASE = 'Tokens that are no strings have no case: use case="mixed".'
    SCORE_ONE = "For one segment use score_sentence(candidate, references)."
    SCORE_SEGMENTS = (
        "Use score_segments, and the mean of its scores where the tool takes that; "
        "bleuprint.compat.nltk does to a corpus what NLTK does."
    )
    SPLIT_RECIPES = "Score the recipe with tokenizer 'pretokenized' in a call of its own, with tokens."
    REGISTER_TOKENIZER = "Register your own with bleuprint.register_tokenizer(name, function) before you use its name."
    LIST_RECIPES = "`bleuprint recipes` lists the names, with what they stand for."
    NAME_TOKENIZER = 'For example: tokenizer="13a", or tokenizer=str.split.'
    NAME_MODEL = "Put it into {folder}, or name it by its path, spm:PATH, before you use its digest."
    PATH_IN_SIGNATURE = "A path is for tokenizer=: signatures go to people who do not have it."
    FORCE_RELEASE = "Use one of these, or force=True and compare some results."
    CHECK_NAME = "Check the name and the folder you are in."
    NAME_WEIGHTS = "Usual is (0.25, 0.25, 0.25, 0.25); order=2 stands for (0.5, 0.5)."
    LEAVE_METRIC = "Leave metric out to search all."
    MATCH_CANDIDATES = (
        "Each entry is the reference, or the list of references, of one candidate; nothing is cut to fit."
    )
    TURN_COLUMNS = (
        "These look like {columns} with a reference per candidate: turn them with list(zip(*columns, strict=True))."
    )
    GATHER_REFERENCES = "For one candidate with several references put them into a list of their own: [[...]]."
    LEAVE_BASELINE = "With a baseline only pairs with it are compared; leave baseline out to compare all."

    def say(self, values: dict[str, str]) -> str:
        """Say it to a caller of the library."""
        return str(self.value).format(**values)
