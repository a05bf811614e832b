"""From one core to many: Arrow against the kernel alone, Spark's overhead, cores, and memory that stays flat.

``make scaling`` measures everything on a quiet machine; ``--only`` chooses parts, ``--rows`` the sizes of the
memory part, whose tables are generated on the fly and never stored, ``--files`` how many files Spark reads.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import machine
import pyarrow as pa
import texts
from pyarrow import parquet
from turns import best_seconds

import bleuprint as bp
from bleuprint.adapters import arrow
from bleuprint.engines import find_engine
from bleuprint.text.segments import pair_segments

SEGMENTS = 50_000
SPARK_FILES = 40
MEMORY_ROWS = (1_000_000, 10_000_000, 100_000_000)
BATCH = 16_384
GOAL = 0.8
MOST_ADDED = 3
"""The seconds that two million pairs may take on one core beyond Spark's own reading and handing over."""
QUICK = "-XX:+UseSerialGC"


def made_table() -> tuple[pa.Table, int]:
    """Make a table of texts in batches as readers hand them out, and count its bytes of text."""
    candidates, references, _ = *texts.made_corpus(SEGMENTS), ""
    size = sum(len(text.encode()) for text in candidates + references)
    systems = [f"system {place % 10}" for place in range(SEGMENTS)]
    table = pa.table({"candidate": candidates, "reference": references, "system": systems})
    return pa.Table.from_batches(table.to_batches(max_chunksize=BATCH)), size


def bench_arrow(threads: int = 1) -> None:
    """Rows and bytes per second and core through Arrow, against the kernel on texts that are checked already."""
    table, size = made_table()
    recipe, engine = bp.Recipe.of("sacrebleu"), find_engine()
    candidates, references = table["candidate"].to_pylist(), table["reference"].to_pylist()
    segments = [
        pair_segments(candidates[start : start + BATCH], references[start : start + BATCH])
        for start in range(0, SEGMENTS, BATCH)
    ]
    works: dict[str, Callable[[], object]] = {
        "kernel alone, Python strings": lambda: [engine.count(s, recipe.layout, threads) for s in segments],
        "Arrow columns to rows": lambda: [
            engine.count_columns(b["candidate"], [b["reference"]], recipe.layout, threads) for b in table.to_batches()
        ],
        "arrow.statistics": lambda: arrow.statistics(table, references="reference", threads=threads),
        "arrow.score": lambda: arrow.score(table, references="reference", threads=threads),
        "arrow.score by 10 systems": lambda: arrow.score(table, references="reference", by="system", threads=threads),
    }
    times = best_seconds(*works.values(), rounds=40, clock=time.process_time)
    print(f"\n{SEGMENTS:,} pairs, {size / 1e6:.1f} MB of text, 13a, one thread, per second of processor time\n")
    print("| way | pairs/s | MB/s | of the kernel alone | at least 80 % |\n|---|---|---|---|---|")
    for name, taken in zip(works, times, strict=True):
        share = times[0] / taken
        met = "" if name.startswith("kernel") else "met" if share >= GOAL else "**missed**"
        print(f"| {name} | {SEGMENTS / taken:,.0f} | {size / taken / 1e6:,.0f} | {share:.0%} | {met} |")


def bench_cores() -> None:
    """From one thread to two, and from one process to two."""
    table, _ = made_table()
    one, two = best_seconds(
        lambda: arrow.score(table, references="reference", threads=1),
        lambda: arrow.score(table, references="reference", threads=2),
        rounds=40,
    )
    print(f"\nThreads, arrow.score: 1 → {SEGMENTS / one:,.0f} pairs/s, 2 → {SEGMENTS / two:,.0f}, {one / two:.2f} ×")


WAYS = {
    "alone": "without Spark, from file to score",
    "rows": "Spark that hands its batches to Python, which counts rows alone",
    "score": "Spark, `bleuprint.adapters.spark.score`",
}


def bench_spark(files: int) -> None:
    """Spark on one core and on two, against the same work without Spark: each in a process that has so many cores."""
    with TemporaryDirectory() as folder:
        table, size = made_table()
        for place in range(files):
            parquet.write_table(table, Path(folder) / f"{place}.parquet")
        rows, size = SEGMENTS * files, size * files
        print(f"\n{rows:,} pairs in {files} Parquet files, {size / 1e6:,.0f} MB of text; Java shares the cores\n")
        print("| way | cores | s | pairs/s | MB/s |\n|---|---|---|---|---|", flush=True)
        times = {}
        for cores in (1, 2):
            for way, name in WAYS.items():
                command = [sys.executable, __file__, "--measure-files", way, str(cores), folder]
                taken = times[way, cores] = float(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
                print(
                    f"| {name} | {cores} | {taken:.1f} | {rows / taken:,.0f} | {size / taken / 1e6:,.0f} |", flush=True
                )
    alone, handing, scoring = (times[way, 1] for way in WAYS)
    added, counting = scoring - handing, files * count_columns_once(table)
    most = MOST_ADDED * files / SPARK_FILES
    met = "met" if added <= most else "**missed**"
    print(
        f"\nOn one core Spark takes {scoring / alone:.1f} times as long as the work without it; "
        f"{handing / scoring:.0%} of that goes into reading and handing over.\n"
        f"bleuprint adds {added:.1f} s to that ({most:g} s at most: {met}); the kernel alone takes "
        f"{counting:.1f} s for the same columns, below which nothing can come.\n"
        f"From 1 to 2 cores: {scoring / times['score', 2]:.2f} ×, without Spark {alone / times['alone', 2]:.2f} ×."
    )


def count_columns_once(table: pa.Table) -> float:
    """Give the seconds that the kernel takes for a table's columns, on one thread."""
    layout, batches = bp.Recipe.of("sacrebleu").layout, table.to_batches()

    def count() -> None:
        for batch in batches:
            find_engine().count_columns(batch["candidate"], [batch["reference"]], layout, 1)

    return best_seconds(count, rounds=10, clock=time.process_time)[0]


def measure_files(way: str, cores: int, folder: str) -> None:
    """Score a folder of Parquet files on so many cores, and print the best time of three after a first run."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])
    if way == "alone":
        files = [parquet.ParquetFile(path) for path in sorted(Path(folder).glob("*.parquet"))]

        def work() -> object:
            batches = (batch for file in files for batch in file.iter_batches(BATCH))
            return arrow.score(batches, references="reference", threads=cores)
    else:
        from pyspark.sql import SparkSession

        from bleuprint.adapters import spark

        os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
        session = (
            SparkSession.builder.master(f"local[{cores}]")
            .config("spark.ui.enabled", "false").config("spark.log.level", "ERROR")
            .config("spark.ui.showConsoleProgress", "false").config("spark.driver.extraJavaOptions", QUICK)
            .config("spark.sql.files.maxPartitionBytes", "16m")
            .getOrCreate()
        )  # fmt: skip
        frame = session.read.parquet(folder)

        def work() -> object:
            if way == "score":
                return spark.score(frame, references="reference")
            return frame.select("candidate", "reference").mapInArrow(count_rows, "rows long").groupBy().sum().collect()

    work()
    print(best_seconds(work, rounds=3)[0])


def count_rows(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Do next to nothing with batches, inside Spark."""
    yield pa.record_batch({"rows": [sum(batch.num_rows for batch in batches)]})


def endless_batches(rows: int) -> Iterator[pa.RecordBatch]:
    """Give so many rows, in batches that are made anew each time, as a reader would."""
    columns = dict(zip(("candidate", "reference"), map(pa.array, texts.made_corpus(BATCH)), strict=True))
    done = 0
    while done < rows:
        turn = done // BATCH % BATCH
        turned = {name: pa.concat_arrays([column[turn:], column[:turn]]) for name, column in columns.items()}
        yield pa.record_batch(turned).slice(0, min(BATCH, rows - done))
        done += BATCH


def measure_memory(rows: int) -> None:
    """Score so many rows in this process, and print what it took."""
    started = time.perf_counter()
    scored = arrow.score(endless_batches(rows), references="reference")
    taken = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    assert isinstance(scored, bp.BleuScore)
    assert scored.census.segments == rows
    print(f"| {rows:,} | {peak:,.0f} MB | {taken:,.1f} s | {rows / taken:,.0f} |", flush=True)


def bench_memory(sizes: list[int]) -> None:
    """Peak memory of processes of their own, for more and more rows."""
    print("\nMemory, rows made on the fly, all cores:\n")
    print("| rows | peak memory | time | rows/s |\n|---|---|---|---|", flush=True)
    for rows in sizes:
        subprocess.run([sys.executable, __file__, "--measure-memory", str(rows)], check=True)


def main() -> None:
    """Measure what was asked for, or everything."""
    benches: dict[str, Callable[[], None]] = {
        "arrow": bench_arrow,
        "cores": bench_cores,
        "spark": lambda: bench_spark(options.files),
        "memory": lambda: bench_memory(options.rows or list(MEMORY_ROWS)),
    }
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=benches, action="append")
    parser.add_argument("--rows", type=int, action="append", help="sizes of the memory part")
    parser.add_argument("--files", type=int, default=SPARK_FILES, help="files of the Spark part, 50,000 pairs each")
    parser.add_argument("--measure-memory", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--measure-files", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure_files:
        way, cores, folder = options.measure_files
        measure_files(way, int(cores), folder)
        return
    if options.measure_memory:
        measure_memory(options.measure_memory)
        return
    print(f"{machine.describe('pyarrow', 'pyspark')}, engine {bp.engine()}")
    for name, bench in benches.items():
        if name in (options.only or benches):
            print(f"measuring {name} ...", file=sys.stderr)
            bench()
            sys.stdout.flush()


if __name__ == "__main__":
    main()
