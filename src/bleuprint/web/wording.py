"""Errors in the words of the page: its boxes, files and menus. Whoever reads them has no flags and no functions."""

from __future__ import annotations

from collections.abc import Mapping

from bleuprint.advice import Advice
from bleuprint.errors import BleuprintError
from bleuprint.recipes.registry import list_metrics
from bleuprint.text.formats.sources import name_element

_MENU = "Choose one from the menu."
_RENAME = "or give the files names that end in .txt if each holds one text per line."

_MATCH_LINES = "Each line is one segment; find the line that is missing or too many. Nothing is cut to fit."

BOXES: Mapping[str, str] = {
    "order": "N",
    "tokenizer": "Tokenizer",
    "weights": "Weights",
    "smoothing": "Smoothing",
    "case": "Case",
    "reference_length": "Reference length",
    "segment_totals": "N-grams of a segment shorter than n",
    "absent_order": "Order without any n-grams",
    "unmatched_order": "Order without a match, unsmoothed",
    "nothing_matches": "The score is 0 before smoothing",
    "brevity": "Penalty for brevity",
    "across_orders": "Orders up to N",
}
"""Labels of the boxes that state a recipe, where they are not the titles of their axes."""

ADVICE: Mapping[Advice, str] = {
    Advice.FORMS_BESIDE: f"Choose a .tsv, .csv or .jsonl file alone, SGML beside SGML, {_RENAME}",
    Advice.CHOOSE_FORM: "The page reads lines of text, TSV, CSV, JSONL, SGML and XML.",
    Advice.LEAVE_CHOICE: "Choose a file of that format.",
    Advice.LEAVE_REFERENCES: f"Remove them, {_RENAME}",
    Advice.LEAVE_DOCUMENTS: "Remove the file with the names of documents.",
    Advice.GIVE_REFERENCES: "Choose the files of the references, too. If it holds its references itself, its name must "
    "end in .tsv, .csv, .jsonl or .xml.",
    Advice.CANDIDATE_FIRST: "Choose the candidate's file first, then those of the references.",
    Advice.REFERENCES_AFTER: "Choose the files that hold the references after the candidate's.",
    Advice.CHOOSE_SYSTEM: "Keep one system in the file; the command line can choose among several.",
    Advice.NAME_SYSTEMS: "Choose a file for each system; the command line reads systems from columns of one.",
    Advice.CHOOSE_TRANSLATORS: "On the page all references count.",
    Advice.CHOOSE_REFERENCES: "The page knows no test sets by name; the command line does.",
    Advice.MATCH_SEGMENTS: "Every system and reference needs every segment. Nothing is left out to fit.",
    Advice.NAME_KEYS: Advice.NAME_KEYS.value,
    Advice.NAME_COLUMNS: "Name them in the first line of the file.",
    Advice.LEAVE_COLUMNS: "The first line names them already.",
    Advice.REMOVE_HEADING: "Remove that line.",
    Advice.NAME_COLUMNAR_COLUMNS: "Rename the columns to candidate, reference and document.",
    Advice.NAME_COLUMNAR_FORM: "Check the file; the page reads no tables of Parquet and Arrow, the command line does.",
    Advice.READ_COLUMNAR: "The page reads no tables of Parquet and Arrow, the command line does.",
    Advice.SKIP_ROWS: "Correct these rows, or leave them out.",
    Advice.GIVE_LIST: 'In JSONL "candidate" is a text, and "references" a text or a list of texts.',
    Advice.GIVE_EMPTY_TEXT: "A missing reference may be null beside others; a candidate is never null: "
    "write {empty} if it is empty.",
    Advice.LEAVE_SEGMENT: "Leave the line out, or write {empty} if its reference is empty.",
    Advice.JOIN_TOKENS: "For lists of tokens choose BLEU with the tokenizer pretokenized, or join them.",
    Advice.SPLIT_TEXT: "Lines of text hold no tokens: choose the tokenizer whitespace, or JSONL with lists of tokens.",
    Advice.KEEP_CASE: "Tokens that are no strings have no case: choose the case mixed.",
    Advice.SCORE_ONE: "Give one text per line.",
    Advice.SCORE_SEGMENTS: "Choose another smoothing, or score a single segment.",
    Advice.SPLIT_RECIPES: "Choose another tokenizer than pretokenized for one of them.",
    Advice.REGISTER_TOKENIZER: _MENU,
    Advice.LIST_RECIPES: "Choose one from the menu, or paste a signature as bleuprint or sacreBLEU prints it.",
    Advice.NAME_TOKENIZER: _MENU,
    Advice.NAME_MODEL: "Put it into {folder}, on the machine that computes.",
    Advice.PATH_IN_SIGNATURE: "Signatures go to people who do not have the file: they name it by its SHA-256.",
    Advice.CHECK_NAME: "Choose the file again.",
    Advice.NAME_WEIGHTS: "Usual is 0.25,0.25,0.25,0.25; an N of 2 without weights stands for 0.5,0.5.",
    Advice.LEAVE_METRIC: "Choose one from the menu; without any all are searched.",
    Advice.MATCH_CANDIDATES: _MATCH_LINES,
    Advice.TURN_COLUMNS: _MATCH_LINES,
    Advice.GATHER_REFERENCES: _MATCH_LINES,
    Advice.LEAVE_BASELINE: "With a baseline only pairs with it are compared; choose none to compare all.",
}


def in_words_of_the_page(error: BleuprintError) -> BleuprintError:
    """Say the same in boxes and menus; segments and references are counted from 1."""
    where = None
    if error.location and not error.is_worded:
        where = name_box(error.location.option) if error.location.option else name_element(error.location)
    advice = None if error.advice is None else ADVICE[error.advice].format(**error.advice_values)
    return error.reworded(where=where, next_step=advice)


def name_box(field: str) -> str:
    """Name the box of an axis of a recipe as its label does."""
    if field in BOXES:
        return BOXES[field]
    title = next(metric.axes[field].title for metric in list_metrics() if field in metric.axes)
    return title[:1].upper() + title[1:]
