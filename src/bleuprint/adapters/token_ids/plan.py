"""How a block counts a row: where its table lies, how many slots it has, and how many threads share the work."""

from functools import lru_cache
from itertools import count
from math import isqrt
from typing import NamedTuple

MOST_ORDERS = 8
"""Up to here the kernel counts; who wants more asks the CPU."""
SHARED_KEYS, GLOBAL_KEYS = "unsigned int", "unsigned long long"
"""The types of keys: two halves of 16 bits number what fits shared memory, two of 32 bits everything else."""
MOST_SHARED_NUMBERS = 0xFFFF
"""Slots, places and copies that 16 bits can number: the last number stands for none."""
MOST_GLOBAL_NUMBERS = 0xFFFF_FFFF
ROOMS = (2.0, 1.5, 1.25)
"""Slots for each n-gram: as wanted, and fewer where a table fits shared memory only so."""
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

    keys: str
    token_slots: int
    chain_slots: int
    table_bytes: int
    threads: int
    resident: int
    """how many blocks a multiprocessor should have registers for"""
    parts: int
    """how many blocks share a row"""
    blocks: int
    """how many are started: those of all rows, or as many as have memory of their own at a time"""

    @property
    def shared_bytes(self) -> int:
        """How much shared memory a block needs for its table."""
        return self.table_bytes if self.keys == SHARED_KEYS else 0

    @property
    def workspace_bytes(self) -> int:
        """How much global memory all blocks need for their tables."""
        return 0 if self.keys == SHARED_KEYS else self.table_bytes * self.blocks


def plan_rows(
    device: Device, *, rows: int, order: int, candidate_columns: int, reference_columns: int, references: int
) -> Plan | None:
    """Choose shared memory where a table fits it, roomy if possible, and global memory elsewhere; None beyond that."""
    for keys, room in (*((SHARED_KEYS, room) for room in ROOMS), (GLOBAL_KEYS, ROOMS[0])):
        token_slots = _prime_from(max(FEWEST_SLOTS, int(room * candidate_columns)))
        chain_slots = _prime_from(max(FEWEST_SLOTS, int(room * candidate_columns * (order - 1))))
        word, half, limit = (4, 2, MOST_SHARED_NUMBERS) if keys == SHARED_KEYS else (8, 4, MOST_GLOBAL_NUMBERS)
        table_bytes = _round_up(
            _round_up(token_slots + chain_slots, 4) * (2 * word + (4 if references > 1 else 0))
            + LOOK_BYTES * references
            + half * (candidate_columns + references * reference_columns),
            16,
        )
        most = max(token_slots + chain_slots, candidate_columns, reference_columns)
        if most >= limit or rows > MOST_ROWS:
            continue
        if keys == GLOBAL_KEYS or table_bytes + STATIC_BYTES <= device.block_bytes:
            threads = _choose_threads(max(candidate_columns, reference_columns))
            held = 2 if keys == GLOBAL_KEYS else device.processor_bytes // (table_bytes + STATIC_BYTES)
            full = PROCESSOR_THREADS // threads
            # Blocks that cannot fill a multiprocessor anyway may have more registers.
            resident = full if 4 * held >= 3 * full else 1
            parts = _choose_parts(device, rows, threads)
            blocks = rows * parts
            if keys == GLOBAL_KEYS:
                blocks = min(blocks, device.processors * 2 // parts * parts)
            return Plan(keys, token_slots, chain_slots, table_bytes, threads, resident, parts, blocks)
    return None


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
