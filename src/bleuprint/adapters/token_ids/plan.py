"""How a block counts a row: where its table lies, how many slots it has, and how many threads share the work."""

from typing import NamedTuple

MOST_ORDERS = 8
"""Up to here the kernel counts; who wants more asks the CPU."""
SHARED_KEYS, GLOBAL_KEYS = "unsigned int", "unsigned long long"
"""The types of keys: two halves of 16 bits number what fits shared memory, two of 32 bits everything else."""
MOST_SHARED_NUMBERS = 0xFFFF
"""Slots, places and copies that 16 bits can number: the last number stands for none."""
MOST_GLOBAL_NUMBERS = 0xFFFF_FFFF
ROOMY, TIGHT = 2.0, 1.25
"""Slots for each n-gram: as wanted, and as few as still keep searches short."""
STATIC_BYTES = 1024
"""Of the shared memory of a block, what the kernel has of its own, with room to spare."""
MOST_BLOCK_THREADS = 1024
WARP = 32


class Device(NamedTuple):
    """What of a device matters here."""

    processors: int
    """how many multiprocessors it has"""
    block_bytes: int
    """the most shared memory of one block"""
    processor_bytes: int
    """the shared memory of a multiprocessor"""


class Plan(NamedTuple):
    """The memory and the threads of a block."""

    keys: str
    token_slots: int
    chain_slots: int
    table_bytes: int
    threads: int
    blocks: int
    """how many are started: one per row, or as many as have memory of their own at a time"""
    resident: int = 1
    """how many blocks a multiprocessor should have registers for"""

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
    for keys, room in ((SHARED_KEYS, ROOMY), (SHARED_KEYS, 1.5), (SHARED_KEYS, TIGHT), (GLOBAL_KEYS, ROOMY)):
        token_slots = int(room * candidate_columns) + 1
        chain_slots = int(room * candidate_columns * (order - 1)) + 1
        most = max(token_slots + chain_slots, candidate_columns, reference_columns)
        word, half, limit = (4, 2, MOST_SHARED_NUMBERS) if keys == SHARED_KEYS else (8, 4, MOST_GLOBAL_NUMBERS)
        several = 4 if references > 1 else 0
        needed = (token_slots + chain_slots) * (2 * word + several) + (candidate_columns + reference_columns) * half
        table_bytes = -(-needed // 16) * 16
        if most < limit and (keys == GLOBAL_KEYS or table_bytes + STATIC_BYTES <= device.block_bytes):
            threads = _choose_threads(max(candidate_columns, reference_columns))
            blocks = rows if keys == SHARED_KEYS else min(rows, 2 * device.processors)
            return Plan(keys, token_slots, chain_slots, table_bytes, threads, blocks)
    return None


def _choose_threads(columns: int) -> int:
    """One thread for two ids, so that rows of the usual lengths share a multiprocessor."""
    wanted = columns if columns <= 512 else columns // 2
    return min(MOST_BLOCK_THREADS, max(2 * WARP, -(-wanted // WARP) * WARP))
