"""How a block counts a row: where its table lies, how many slots it has, and how many threads share the work."""

from collections.abc import Iterable
from enum import IntEnum
from functools import lru_cache
from itertools import count, product
from math import isqrt
from typing import NamedTuple

MOST_ORDERS = 8
"""Up to here the kernel counts; who wants more asks the CPU."""


class Way(IntEnum):
    """How the kernel counts, and where; the numbers are those of ``matches.cu``."""

    TOGETHER = 0
    """all orders in one table, in shared memory"""
    IN_TURN = 1
    """one order after the other in the same table, in shared memory"""
    IN_TURN_LISTED = 2
    """the same, with the lists of places in global memory: they are read from end to end, and a table here and there"""
    GLOBAL = 3
    """one order after the other, in global memory"""


MOST_SHARED_NUMBERS = 0xFFFF
"""Slots, places and copies that 16 bits can number: the last number stands for none."""
MOST_GLOBAL_NUMBERS = 0xFFFF_FFFF
ROOMS = (2.0, 1.5, 1.25)
"""Slots for each n-gram: as wanted, and fewer where a table fits shared memory only so."""
GLOBAL_BLOCKS = 2
"""How many blocks a multiprocessor works on where their tables lie in global memory."""
FEWEST_SLOTS = 67
"""Searches go on in steps of up to 64 slots."""
STATIC_BYTES = 1024
"""Of the shared memory of a block, what the kernel and the device take for themselves, with room to spare."""
BLOCK_SIZES = (64, 128, 256, 512, 1024)
"""The numbers of threads that a kernel is compiled for: any number would be a compilation for every length of rows."""
PROCESSOR_THREADS = 2048
MOST_ROWS = 2**31 - 1
MOST_PARTS = 4
LOOK_BYTES = 16


class Device(NamedTuple):
    """What of a device matters here."""

    processors: int
    """how many multiprocessors it has"""
    block_bytes: int
    """the most shared memory of one block"""
    processor_bytes: int
    """the shared memory of a multiprocessor"""
    clusters: bool
    """whether blocks can work together"""


class Plan(NamedTuple):
    """The memory and the threads of a block."""

    way: Way
    token_slots: int
    chain_slots: int
    table_bytes: int
    list_bytes: int
    """of the numbers that are kept for each place of a row"""
    threads: int
    resident: int
    """how many blocks a multiprocessor should have registers for"""
    parts: int
    """how many blocks share a row"""
    blocks: int
    """how many are started: those of all rows, or as many as have memory of their own at a time"""

    @property
    def shared_bytes(self) -> int:
        """How much shared memory a block needs."""
        return _shared_bytes(self.way, self.table_bytes, self.list_bytes)

    @property
    def workspace_bytes(self) -> int:
        """How much global memory all blocks need."""
        return (self.table_bytes + self.list_bytes - self.shared_bytes) * self.blocks


def plan_rows(
    device: Device,
    *,
    rows: int,
    order: int,
    candidate_columns: int,
    reference_columns: int,
    references: int,
    ways: Iterable[Way] = tuple(Way),
) -> Plan | None:
    """Choose shared memory where it holds what a row needs, roomy if possible, else global memory; None beyond that."""
    longest = max(candidate_columns, reference_columns)
    for way, room in product(ways, ROOMS):
        word, half, limit = (8, 4, MOST_GLOBAL_NUMBERS) if way is Way.GLOBAL else (4, 2, MOST_SHARED_NUMBERS)
        token_slots = chain_slots = _prime_from(max(FEWEST_SLOTS, int(room * candidate_columns)))
        slots, kept = token_slots, 2  # numbers for each place: of its token, and of what begins there
        if way is Way.TOGETHER:
            chain_slots = _prime_from(max(FEWEST_SLOTS, int(room * candidate_columns * (order - 1))))
            slots, kept = token_slots + chain_slots, 1
        if max(slots, longest) >= limit or rows > MOST_ROWS:
            continue
        slot_bytes = 2 * word + (4 if references > 1 else 0)
        table_bytes = _round_up(_round_up(slots, 4) * slot_bytes + LOOK_BYTES * references, 16)
        list_bytes = _round_up(kept * half * (candidate_columns + references * reference_columns), 16)
        shared = _shared_bytes(way, table_bytes, list_bytes)
        if shared and shared + STATIC_BYTES > device.block_bytes:
            continue
        threads = _choose_threads(longest)
        held = device.processor_bytes // (shared + STATIC_BYTES) if shared else GLOBAL_BLOCKS
        full = PROCESSOR_THREADS // threads
        # Blocks that cannot fill a multiprocessor anyway may have more registers.
        resident = full if 4 * held >= 3 * full else 1
        parts = _choose_parts(device, rows, threads)
        blocks = rows * parts
        if shared < table_bytes + list_bytes:
            blocks = min(blocks, max(1, device.processors * held // parts) * parts)
        return Plan(way, token_slots, chain_slots, table_bytes, list_bytes, threads, resident, parts, blocks)
    return None


def _shared_bytes(way: Way, table_bytes: int, list_bytes: int) -> int:
    return (0 if way is Way.GLOBAL else table_bytes) + (list_bytes if way < Way.IN_TURN_LISTED else 0)


def _choose_threads(columns: int) -> int:
    """A thread for an id, or for a few more where rows are somewhat longer."""
    return next((threads for threads in BLOCK_SIZES if 4 * threads >= 3 * columns), BLOCK_SIZES[-1])


def _choose_parts(device: Device, rows: int, threads: int) -> int:
    """Share long rows among blocks where there are fewer rows than multiprocessors."""
    parts = 1
    while (
        device.clusters and threads == BLOCK_SIZES[-1] and parts < MOST_PARTS and 2 * parts * rows <= device.processors
    ):
        parts *= 2
    return parts


def _round_up(number: int, step: int) -> int:
    return -(-number // step) * step


@lru_cache(maxsize=1024)
def _prime_from(number: int) -> int:
    """Give the first prime from a number on: a search then comes to every slot, whatever its steps."""
    return next(
        found for found in count(number | 1, 2) if all(found % factor for factor in range(3, isqrt(found) + 1, 2))
    )
