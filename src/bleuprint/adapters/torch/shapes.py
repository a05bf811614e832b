"""Shapes: rows of token ids as people hand them over, checked, before anything is counted."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple, NoReturn, TypeAlias

import torch

from bleuprint.errors import InputTypeError, Location, ShapeError, wrong_type
from bleuprint.numbers import as_whole_number

Ids: TypeAlias = torch.Tensor | Sequence[torch.Tensor | Sequence[int]]
"""A tensor of ids, or a list of rows of different lengths."""
ReferenceIds: TypeAlias = torch.Tensor | Sequence[torch.Tensor | Sequence[int] | Sequence[torch.Tensor | Sequence[int]]]
"""A tensor, or a list with one entry for each row of candidates: a row of ids, or several."""
Lengths: TypeAlias = torch.Tensor | Sequence[int]
INTEGERS = frozenset(
    {
        torch.int8, torch.int16, torch.int32, torch.int64,
        torch.uint8, torch.uint16, torch.uint32, torch.uint64,
    }
)  # fmt: skip
NEXT_ROWS = "Rows of ids are a tensor (B, T) or (B, G, T), or a list of rows."
NEXT_REFERENCES = "References are a tensor (B, T) or (B, R, T), or a list with one entry for each row of candidates."


class IdRows(NamedTuple):
    """Rows of ids: one tensor whose last axis is a row, with a length for each or none; or rows one by one."""

    blocks: list[torch.Tensor | array[int]]
    lengths: torch.Tensor | None = None
    pad: int | None = None
    eos: int | None = None

    @property
    def tensor(self) -> torch.Tensor | None:
        """The one tensor, if the rows are its rows."""
        if len(self.blocks) == 1 and isinstance(self.blocks[0], torch.Tensor) and self.blocks[0].ndim > 1:
            return self.blocks[0]
        return None

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of what is computed for each row."""
        tensor = self.tensor
        return (len(self.blocks),) if tensor is None else tuple(tensor.shape[:-1])

    @property
    def number(self) -> int:
        """How many rows there are."""
        return prod(self.shape)


class Batch(NamedTuple):
    """Candidates with their references, checked. So many candidates in a row share an entry of references."""

    shape: tuple[int, ...]
    candidates: IdRows
    references: IdRows
    counts: list[int]
    sharing: int
    device: torch.device


def read_batch(
    candidates: Ids,
    references: ReferenceIds,
    candidate_lengths: Lengths | None = None,
    reference_lengths: Lengths | None = None,
    pad: int | None = None,
    eos: int | None = None,
) -> Batch:
    """Check candidates and references, and that they fit together."""
    pad, eos = check_id(pad, "pad"), check_id(eos, "eos")
    own = _read_candidates(candidates, candidate_lengths)._replace(pad=pad, eos=eos)
    shape = own.shape
    device = _device_of(own)
    others, counts = _read_references(references, reference_lengths, shape[0])
    for side, where in ((own, "candidate_lengths"), (others, "reference_lengths")):
        _check_lengths(side, where)
    _refuse_other_devices(device, others, own.lengths)
    others = others._replace(pad=pad, eos=eos)
    return Batch(shape, own, others, counts, shape[1] if len(shape) > 1 else 1, device)


def read_groups(
    candidates: torch.Tensor, candidate_lengths: Lengths | None, pad: int | None, eos: int | None
) -> IdRows:
    """Check groups of candidates that are scored against each other."""
    if not isinstance(candidates, torch.Tensor) or candidates.ndim != 3:
        _refuse_shape(Location("candidates"), "a tensor (B, G, T)", candidates, "Groups of one text: unsqueeze(1).")
    rows = _read_candidates(candidates, candidate_lengths)
    _check_lengths(rows, "candidate_lengths")
    _refuse_other_devices(candidates.device, IdRows([]), rows.lengths)
    return rows._replace(pad=check_id(pad, "pad"), eos=check_id(eos, "eos"))


def _read_candidates(candidates: Ids, lengths: Lengths | None) -> IdRows:
    """Check candidates."""
    where = Location("candidates")
    if isinstance(candidates, torch.Tensor):
        if candidates.ndim not in (2, 3):
            _refuse_shape(where, "a tensor (B, T) or (B, G, T)", candidates, NEXT_ROWS)
        candidates = _read_tensor(candidates, where)
        return IdRows([candidates], _read_lengths(lengths, candidates.shape[:-1], "candidate_lengths"))
    if not isinstance(candidates, (list, tuple)):
        raise wrong_type("a tensor of ids or a list of rows of ids", candidates, NEXT_ROWS, location=where)
    _refuse_lengths_of_lists(lengths, "candidate_lengths")
    return IdRows([_read_row(row, where._replace(position=index)) for index, row in enumerate(candidates)])


def check_id(value: object, name: str) -> int | None:
    """Check the id of padding or of the end of a text."""
    number = as_whole_number(value)
    if value is not None and (number is None or not -(2**63) <= number < 2**63):
        fix = f"Pass the id itself, such as tokenizer.{name}_token_id."
        raise wrong_type("an integer of 64 bits or None", value, fix, location=Location(name))
    return number


def check_float_type(dtype: object) -> None:
    """Refuse a type that cannot hold a score: whole numbers would cut it off."""
    if dtype is None or (isinstance(dtype, torch.dtype) and dtype.is_floating_point):
        return
    fix = "Scores have decimals. Round them afterwards if you want integers."
    raise wrong_type("a floating-point type such as torch.float32, or None", dtype, fix, location=Location("dtype"))


def check_device(device: torch.device | str) -> torch.device:
    """Find a device by its name."""
    try:
        return torch.device(device)
    except (RuntimeError, TypeError):
        fix = "For example 'cpu', 'cuda' or 'cuda:1'."
        raise wrong_type("a device of torch", device, fix, location=Location("device")) from None


def check_axis(number: object, name: str) -> int:
    """Check how many ids rows will have, or how many references."""
    size = as_whole_number(number)
    if size is None or size < 0:
        fix = "It is the size of an axis of the tensors that will be scored."
        raise wrong_type("an integer from 0", number, fix, location=Location(name))
    return size


def _read_references(references: ReferenceIds, lengths: Lengths | None, rows: int) -> tuple[IdRows, list[int]]:
    where = Location("references")
    if isinstance(references, torch.Tensor):
        if references.ndim not in (2, 3):
            _refuse_shape(where, "a tensor (B, T) or (B, R, T)", references, NEXT_REFERENCES)
        references = _read_tensor(references, where)
        _check_number(references.shape[0], rows)
        count = references.shape[1] if references.ndim == 3 else 1
        if count == 0 and rows:
            _refuse_none(where._replace(position=0), f"a tensor {tuple(references.shape)}")
        read = _read_lengths(lengths, references.shape[:-1], "reference_lengths")
        return IdRows([references], read), [count] * rows
    if not isinstance(references, (list, tuple)):
        raise wrong_type("a tensor of ids or a list of references", references, NEXT_REFERENCES, location=where)
    _refuse_lengths_of_lists(lengths, "reference_lengths")
    _check_number(len(references), rows)
    entries = [_read_entry(entry, where._replace(position=index)) for index, entry in enumerate(references)]
    return IdRows([row for entry in entries for row in entry]), list(map(len, entries))


def _read_entry(entry: object, where: Location) -> list[torch.Tensor | array[int]]:
    """Read the references of one row of candidates: a row of ids, or several."""
    if isinstance(entry, torch.Tensor) and entry.ndim == 2:
        entry = list(entry)
    if isinstance(entry, torch.Tensor) or (isinstance(entry, (list, tuple)) and entry and _is_number(entry[0])):
        return [_read_row(entry, where)]
    if not isinstance(entry, (list, tuple)):
        raise wrong_type("a row of ids or a list of such rows", entry, NEXT_REFERENCES, location=where)
    if not entry:
        _refuse_none(where, "an empty list")
    return [_read_row(row, where._replace(reference=index)) for index, row in enumerate(entry)]


def _is_number(value: object) -> bool:
    """Whether this is an id, or would be one if it were whole; a row of one id also stands for an index."""
    if isinstance(value, torch.Tensor):
        return not value.ndim
    return isinstance(value, (int, float)) or as_whole_number(value) is not None


def _read_row(row: object, where: Location) -> torch.Tensor | array[int]:
    if isinstance(row, torch.Tensor):
        if row.ndim != 1:
            _refuse_shape(where, "a row of ids, a tensor (T,)", row, NEXT_ROWS)
        return _read_tensor(row, where)
    if not isinstance(row, (list, tuple)):
        raise wrong_type("a row of ids", row, NEXT_ROWS, location=where)
    try:
        return array("q", row)
    except (TypeError, OverflowError):
        wrong = next(index for index, one in enumerate(row) if not _fits(one))
        fix = "A tokenizer returns ids. Pass texts to bleuprint.score."
        raise wrong_type("a 64-bit integer id", row[wrong], fix, location=where._replace(token=wrong)) from None


def _fits(value: Any) -> bool:
    try:
        array("q", [value])
    except (TypeError, OverflowError):
        return False
    return True


def _read_lengths(lengths: Lengths | None, shape: torch.Size, where: str) -> torch.Tensor | None:
    if lengths is None:
        return None
    location, fix = Location(where), "Pass one length for each row."
    try:
        read = lengths if isinstance(lengths, torch.Tensor) else torch.as_tensor(lengths)
    except (TypeError, ValueError, RuntimeError):
        raise wrong_type("a tensor of integers", lengths, fix, location=location) from None
    if not read.numel() and not isinstance(lengths, torch.Tensor):
        read = read.to(torch.int64)  # a list of none says nothing of its kind
    if read.dtype not in INTEGERS or _has_bool(lengths):
        raise wrong_type("integers", lengths, fix, location=location)
    if read.shape != shape:
        _refuse_shape(location, f"a tensor {tuple(shape)}, one length for each row", read, fix)
    return read


def _has_bool(lengths: object) -> bool:
    """Whether a truth value is among numbers: torch takes it for 0 or 1."""
    return any(map(_has_bool, lengths)) if isinstance(lengths, (list, tuple)) else isinstance(lengths, bool)


def _check_lengths(rows: IdRows, where: str) -> None:
    """Refuse lengths on the CPU that no row can have; those on a device are looked at there."""
    if rows.lengths is None or rows.lengths.device.type != "cpu":
        return
    block = rows.blocks[0]
    longest = block.shape[-1] if isinstance(block, torch.Tensor) else len(block)
    refuse_lengths(rows.lengths, longest, where)


def refuse_lengths(lengths: torch.Tensor, longest: int, where: str) -> None:
    """Refuse lengths below 0 or beyond the rows."""
    wrong = ((lengths < 0) | (lengths > longest)).nonzero()
    if len(wrong):
        index = tuple(wrong[0].tolist())
        raise ShapeError(
            f"expected a length from 0 to {longest}, the number of ids in a row, got {int(lengths[index])}.",
            "A length is the number of ids that count, from the start of the row.",
            location=Location(where, *index),
        )


def _device_of(rows: IdRows) -> torch.device:
    devices = [block.device for block in rows.blocks if isinstance(block, torch.Tensor)]
    return devices[0] if devices else torch.device("cpu")


def _refuse_other_devices(device: torch.device, references: IdRows, lengths: torch.Tensor | None) -> None:
    given = {"references": references.blocks, "reference_lengths": [references.lengths], "candidate_lengths": [lengths]}
    for where, tensors in given.items():
        for tensor in tensors:
            if isinstance(tensor, torch.Tensor) and tensor.device != device:
                raise ShapeError(
                    f"The candidates are on {device}, but a tensor of {where} is on {tensor.device}.",
                    f"Move it: tensor.to({str(device)!r}).",
                    location=Location(where),
                )


def _read_tensor(tensor: torch.Tensor, where: Location) -> torch.Tensor:
    """Check that a tensor is of ids; torch may have put off a change of sign, which its memory does not show."""
    if tensor.is_nested or tensor.layout is not torch.strided:
        kind = "nested" if tensor.is_nested else str(tensor.layout).removeprefix("torch.").replace("_", " ")
        fix = "List its rows: tensor.unbind()." if tensor.is_nested else "Make it dense: tensor.to_dense()."
        raise InputTypeError(f"expected a dense tensor of ids, got a {kind} one.", fix, location=where)
    if tensor.dtype not in INTEGERS:
        raise InputTypeError(
            f"expected a tensor of integers, got one of {str(tensor.dtype).removeprefix('torch.')}.",
            "Decode probabilities to ids first, by argmax or sampling.",
            location=where,
        )
    return tensor.resolve_neg()


def _check_number(given: int, rows: int) -> None:
    if given != rows:
        raise ShapeError(
            f"There are {rows} rows of candidates (B) but {given} entries of references.",
            f"{NEXT_REFERENCES} Groups of candidates (B, G, T) share references.",
            location=Location("references"),
        )


def _refuse_lengths_of_lists(lengths: object, where: str) -> None:
    if lengths is not None:
        raise ShapeError(
            "Rows in a list have different lengths already.",
            f"Omit `{where}`, or pass a tensor of rows.",
            location=Location(where),
        )


def _refuse_none(where: Location, got: str) -> NoReturn:
    fix = "Omit the row on both sides. An empty reference is a row without ids: [[]]."
    raise ShapeError(f"expected at least one reference, got {got}.", fix, location=where)


def _refuse_shape(where: Location, expected: str, given: object, fix: str) -> NoReturn:
    if not isinstance(given, torch.Tensor):
        raise wrong_type(expected, given, fix, location=where)
    raise ShapeError(f"expected {expected}, got one of shape {tuple(given.shape)}.", fix, location=where)
