"""A job for ``spark-submit``: score tables that lie where Spark can read them, and print the scores as JSON.

``python -m bleuprint.adapters.spark_job --master 'local[2]' data.parquet --by system`` runs it on one machine; on a
cluster ``examples/spark_score.py`` is the file to submit.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Any

from bleuprint.adapters import spark
from bleuprint.adapters.arrow import CANDIDATE, REFERENCES, GroupScores
from bleuprint.errors import BleuprintError
from bleuprint.recipes.options import DEFAULT
from bleuprint.text.faults import CHOICES

SCHEMA = "bleuprint.groups/1"


def main(arguments: Sequence[str] | None = None) -> None:
    """Score what the arguments name; a refusal is one line on standard error and exit code 2."""
    options = _read_arguments(arguments)
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName("bleuprint")
    session = (builder.master(options.master) if options.master else builder).getOrCreate()
    try:
        frame = session.read.format(options.format).load(options.paths)
        scored = spark.score(
            frame,
            candidate=options.candidate,
            references=options.references or [REFERENCES],
            by=options.by,
            recipe=options.recipe,
            on_error=options.on_error,
        )
        print(json.dumps(_as_data(scored, options.by), ensure_ascii=False, indent=2, default=str))
    except BleuprintError as error:
        raise SystemExit(_complain(str(error))) from None
    finally:
        session.stop()


def _read_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="spark_score", description="Score tables with Spark.")
    parser.add_argument("paths", nargs="+", metavar="PATH", help="what Spark's reader takes: files, folders, patterns")
    parser.add_argument("--format", default="parquet", help="parquet, orc, json, csv ... (default: parquet)")
    parser.add_argument("--candidate", default=CANDIDATE, metavar="COLUMN")
    parser.add_argument("--references", action="append", metavar="COLUMN", help="may be repeated")
    parser.add_argument("--by", action="append", default=[], metavar="COLUMN", help="may be repeated")
    parser.add_argument("--recipe", default=DEFAULT)
    parser.add_argument("--on-error", choices=CHOICES, default="fail")
    parser.add_argument("--master", help="where Spark is, if spark-submit does not say it")
    return parser.parse_args(arguments)


def _as_data(scored: Any, by: Sequence[str]) -> dict[str, object]:
    groups: Any = scored if isinstance(scored, GroupScores) else {(): scored}
    entries = [{"by": dict(zip(by, key, strict=True))} | score.to_dict() for key, score in groups.items()]
    empty = [dict(zip(by, key, strict=True)) for key in getattr(scored, "empty", ())]
    return {"schema": SCHEMA, "groups": entries, "empty": empty, "skipped": scored.skipped.to_dict()}


def _complain(message: str) -> int:
    print("bleuprint: " + " ".join(message.split()), file=sys.stderr)
    return 2


if __name__ == "__main__":
    main()
