"""What the compiled kernel offers; built from kernel/*bindings.cpp. Buffers hold 64-bit numbers."""

from collections.abc import Hashable, Sequence

from typing_extensions import Buffer

from bleuprint.text.segments import Text

def count_texts(
    candidates: list[Text],
    references: list[tuple[Text, ...]],
    tokenizer: str,
    rule: str,
    at_least_one: bool,
    order: int,
    numbers: Buffer,
    threads: int,
) -> int: ...
def count_lowered(
    candidates: list[Text],
    references: list[tuple[Text, ...]],
    ascii_alone: bool,
    tokenizer: str,
    rule: str,
    at_least_one: bool,
    order: int,
    numbers: Buffer,
    threads: int,
) -> int: ...
def lower_text(text: str) -> str | None: ...
def trace_ter(
    moved: Buffer, staying: Buffer, distinct: int, longest_shift: int
) -> tuple[int, list[tuple[int, int, int, int]], bytes, int]: ...
def score_ter(numbers: Buffer, scores: Buffer) -> None: ...
def bootstrap_ter(tables: list[Buffer], seed: int, resamples: int, scores: Buffer, threads: int) -> None: ...
def randomise_ter(first: Buffer, second: Buffer, seed: int, trials: int, threshold: float, threads: int) -> int: ...
def count_with_plain(
    candidates: list[Text],
    references: list[tuple[Text, ...]],
    tokenizer: str,
    rule: str,
    at_least_one: bool,
    order: int,
    numbers: Buffer,
    threads: int,
) -> tuple[int, ...]: ...
def count_arrow(
    candidates: object,
    references: list[object],
    tokenizer: str,
    rule: str,
    at_least_one: bool,
    order: int,
    numbers: Buffer,
    threads: int,
) -> list[tuple[int, int]]: ...
def count_tokens(
    candidates: list[tuple[Hashable, ...]],
    references: list[tuple[tuple[Hashable, ...], ...]],
    rule: str,
    at_least_one: bool,
    order: int,
    numbers: Buffer,
    threads: int,
) -> int: ...
def count_one(
    candidate: object, references: object, rule: str, at_least_one: bool, order: int
) -> tuple[int, ...] | None: ...
def are_plain_texts(texts: list[object]) -> bool: ...
def pair_texts(references: list[object]) -> list[tuple[Text, ...]] | None: ...

class TokenSnapshot:
    @staticmethod
    def take(candidates: list[object], references: list[object]) -> TokenSnapshot | None: ...
    @staticmethod
    def take_and_sum(
        candidates: object,
        references: object,
        rule: str,
        at_least_one: bool,
        order: int,
        thresholds: list[tuple[int, int]],
        threads: int,
    ) -> tuple[TokenSnapshot, int, tuple[int, ...], tuple[int, ...]] | None: ...
    def count(self, rule: str, at_least_one: bool, order: int, numbers: Buffer, threads: int) -> int: ...
    def candidates(self) -> list[tuple[str, ...]]: ...
    def references(self) -> list[tuple[tuple[str, ...], ...]]: ...

class TokenIds:
    def __init__(self) -> None: ...
    @staticmethod
    def take(candidates: list[object], references: list[object]) -> TokenIds | None: ...
    def add_candidates(self, array: object, lengths: object, pad: int | None, eos: int | None) -> None: ...
    def add_references(self, array: object, lengths: object, pad: int | None, eos: int | None) -> None: ...
    def share_out(self, counts: Sequence[int], sharing: int) -> None: ...
    def is_exact(self) -> bool: ...
    def count(self, rule: str, at_least_one: bool, order: int, numbers: Buffer, threads: int) -> int: ...
    def count_pairs(
        self, group: int, rule: str, at_least_one: bool, order: int, numbers: Buffer, threads: int
    ) -> None: ...
    def candidates(self) -> list[tuple[int, ...]]: ...
    def references(self) -> list[tuple[tuple[int, ...], ...]]: ...

def sum_rows(numbers: Buffer, width: int) -> tuple[int, ...]: ...
def take_census(numbers: Buffer, width: int, thresholds: Sequence[tuple[int, int]]) -> tuple[int, ...]: ...
def sum_given(
    candidates: object,
    references: object,
    tokenizer: str,
    rule: str,
    at_least_one: bool,
    order: int,
    thresholds: Sequence[tuple[int, int]],
    threads: int,
) -> tuple[list[Text], list[str], tuple[int, ...], tuple[int, ...]] | None: ...
def sum_groups(
    numbers: Buffer, width: int, thresholds: Sequence[tuple[int, int]], groups: Buffer, sums: Buffer, census: Buffer
) -> None: ...

class Formula:
    def __init__(
        self, weights: Sequence[float], smoothing: str, value: float, absent: str, unmatched: str, nothing: str
    ) -> None: ...

def score_table(numbers: Buffer, table_order: int, formula: Formula, scores: Buffer) -> None: ...
def bootstrap(
    tables: list[Buffer], table_order: int, formula: Formula, seed: int, resamples: int, scores: Buffer, threads: int
) -> None: ...
def randomise(
    first: Buffer,
    second: Buffer,
    table_order: int,
    formula: Formula,
    seed: int,
    trials: int,
    threshold: float,
    threads: int,
) -> int: ...
def bootstrap_sums(tables: list[Buffer], width: int, seed: int, start: int, sums: Buffer, threads: int) -> None: ...
def swap_sums(first: Buffer, second: Buffer, width: int, seed: int, start: int, sums: Buffer, threads: int) -> None: ...
def pairwise(
    candidates: list[Text],
    references: list[tuple[Text, ...]],
    tokenizer: str,
    rule: str,
    at_least_one: bool,
    formula: Formula,
    scores: Buffer,
    threads: int,
) -> None: ...
def among_themselves(
    texts: list[Text], tokenizer: str, rule: str, at_least_one: bool, formula: Formula, scores: Buffer, threads: int
) -> None: ...

class SegmentScorer:
    def __init__(self, tokenizer: str, rule: str, at_least_one: bool, formula: Formula) -> None: ...
    def score(
        self, candidate: object, references: object
    ) -> tuple[tuple[int, ...], float, float, tuple[str, ...]] | None: ...

class PreparedReferences:
    def __init__(self, references: list[tuple[Text, ...]], tokenizer: str) -> None: ...
    def count(
        self, candidates: list[Text], rule: str, at_least_one: bool, order: int, numbers: Buffer, threads: int
    ) -> None: ...

class Chrf:
    def __init__(
        self,
        char_order: int,
        word_order: int,
        whitespace: str,
        candidate_totals: str,
        unmatched_segment: str,
        beta: float,
        averaging: str,
    ) -> None: ...
    def count(
        self, candidates: list[Text], references: list[tuple[Text, ...]], numbers: Buffer, threads: int
    ) -> int: ...
    def count_plain(
        self, candidates: list[Text], references: list[tuple[Text, ...]], numbers: Buffer, threads: int
    ) -> None: ...
    def count_arrow(
        self, candidates: object, references: list[object], numbers: Buffer, threads: int
    ) -> list[tuple[int, int]]: ...
    def score(
        self, candidate: object, references: object
    ) -> tuple[tuple[int, ...], float, float, tuple[str, ...]] | None: ...
    def score_pairs(
        self, candidates: list[Text], references: list[tuple[Text, ...]], scores: Buffer, threads: int
    ) -> None: ...
    def score_among_themselves(self, texts: list[Text], scores: Buffer, threads: int) -> None: ...
    def score_rows(self, numbers: Buffer, scores: Buffer) -> None: ...
    def bootstrap(self, tables: list[memoryview], seed: int, resamples: int, scores: Buffer, threads: int) -> None: ...
    def randomise(
        self, first: Buffer, second: Buffer, seed: int, trials: int, threshold: float, threads: int
    ) -> int: ...

class Ter:
    def __init__(self, shift_references: bool, longest_shift: int, free_empty_candidate: bool) -> None: ...
    def count(
        self, candidates: list[Text], references: list[tuple[Text, ...]], numbers: Buffer, threads: int
    ) -> None: ...
    def count_lowered(
        self,
        candidates: list[Text],
        references: list[tuple[Text, ...]],
        ascii_alone: bool,
        numbers: Buffer,
        threads: int,
    ) -> None: ...
    def count_arrow(
        self, candidates: object, references: list[object], numbers: Buffer, threads: int
    ) -> list[tuple[int, int]] | None: ...
    def score(
        self, candidate: object, references: object
    ) -> tuple[tuple[int, ...], float, float, tuple[str, ...]] | None: ...

def split_only(texts: list[str], tokenizer: str) -> int: ...
def tokenize(text: str, tokenizer: str) -> list[str]: ...
def hash_of(token: bytes, first: int, second: int) -> int: ...
def steps_of(tokens: list[bytes], first: int, second: int) -> int: ...
def scratch_bytes() -> int: ...
