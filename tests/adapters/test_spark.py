"""Real Spark gives the numbers of the library, whatever happens on the way.

Once in one process with two threads, and in the matrix in a cluster of two workers, each a process of its own.
"""

import pytest

pytest.importorskip("pyarrow")

import json
import os
import random
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from pyarrow import parquet

import bleuprint as bp
from bleuprint.adapters import arrow, spark_job
from bleuprint.adapters import spark as adapter
from bleuprint.errors import ShapeError
from score_values import values_of

pytestmark = pytest.mark.needs("pyarrow")


pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
WORDS = ["the", "cat", "sat", "on", "a", "mat,", "and", "purred.", "größer", "中文"]
QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
"""Java need not make its code fast for a minute of work, nor verify that of Spark."""


def make_rows(segments=300):
    """Make a corpus of two systems with ragged references."""
    rng = random.Random(2002)
    rows = []
    for segment in range(segments):
        references = [" ".join(rng.choices(WORDS, k=rng.randint(0, 12))) for _ in range(rng.randint(1, 3))]
        for system in ("x", "y"):
            words = rng.choice(references).split()
            candidate = " ".join(rng.choice(WORDS) if rng.random() < 0.2 else word for word in words)
            rows.append((candidate, references, system, "de" if segment % 3 else "fr", segment))
    return rows


ROWS = make_rows()
SCHEMA = "candidate string, references array<string>, system string, language string, segment int"


CLUSTER = "local-cluster[2,1,1024]"


@pytest.fixture(scope="module", params=["local[2]", pytest.param(CLUSTER, marks=pytest.mark.extended)])
def spark(request, tmp_path_factory):
    from pyspark import cloudpickle
    from pyspark.sql import SparkSession

    cloudpickle.register_pickle_by_value(sys.modules[__name__])  # which workers cannot import
    place = tmp_path_factory.mktemp("spark")
    in_full = str(request.param == CLUSTER).lower()  # plans are compiled, and made anew while they run, in the matrix
    before = dict(os.environ)
    os.environ |= {
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_LOCAL_HOSTNAME": "localhost",
        "SPARK_WORKER_DIR": str(place / "work"),
    }
    session = (
        SparkSession.builder.master(request.param)
        .config("spark.ui.enabled", "false")
        .config("spark.log.level", "ERROR")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.codegen.wholeStage", in_full)
        .config("spark.sql.codegen.factoryMode", "FALLBACK" if request.param == CLUSTER else "NO_CODEGEN")
        .config("spark.sql.adaptive.enabled", in_full)
        .config("spark.local.dir", str(place / "local"))
        .config("spark.sql.warehouse.dir", str(place / "warehouse"))
        .config("spark.driver.extraJavaOptions", QUICK)
        .config("spark.executor.extraJavaOptions", QUICK)
        .getOrCreate()
    )
    yield session
    session.stop()
    cloudpickle.unregister_pickle_by_value(sys.modules[__name__])
    os.environ.clear()
    os.environ |= before


on_a_cluster = pytest.mark.parametrize("spark", [pytest.param(CLUSTER, marks=pytest.mark.extended)], indirect=True)


@pytest.fixture(scope="module")
def frame(spark):
    return spark.createDataFrame(ROWS, SCHEMA).repartition(5).cache()


def columns_of(rows):
    return [row[0] for row in rows], [row[1] for row in rows]


def executor_of_this_task():
    """Give the number of the Java process above the daemon that this Python process was forked from."""
    return Path(f"/proc/{os.getppid()}/stat").read_text().rpartition(")")[2].split()[1]


@on_a_cluster
def test_there_are_two_worker_processes(spark):
    def name(_):
        return [executor_of_this_task()]

    found = spark.sparkContext.parallelize(range(8), 8).mapPartitions(name).collect()
    assert len(set(found)) == 2


@pytest.mark.parametrize("partitions", [pytest.param(1, marks=pytest.mark.extended), 7])
def test_a_data_frame_scores_as_one_machine_does(frame, partitions):
    expected = bp.score(*columns_of(ROWS))
    scored = adapter.score(frame.repartition(partitions))
    assert values_of(scored) == values_of(expected)
    assert scored.score == expected.score
    assert scored.census == expected.census


@pytest.mark.parametrize("recipe", ["chrf++", pytest.param("ter", marks=pytest.mark.extended)])
def test_other_metrics_score_as_one_machine_does(frame, recipe):
    scores = adapter.score(frame, by="system", recipe=recipe)
    expected = {name: bp.score(*columns_of([row for row in ROWS if row[2] == name]), recipe) for name in "xy"}
    assert values_of(scores) == values_of(expected)


def test_a_score_of_everything_is_one_stage(spark):
    """Each further one is planned, compiled and scheduled, which takes Spark longer than the sums of a partition."""
    context = spark.sparkContext
    context.setJobGroup("everything", "a score without groups")
    rows = spark.createDataFrame(ROWS, SCHEMA)
    try:
        assert adapter.score(rows).stats == bp.score(*columns_of(ROWS)).stats
        tracker = context.statusTracker()
        jobs = [tracker.getJobInfo(job) for job in tracker.getJobIdsForGroup("everything")]
    finally:
        context.setLocalProperty("spark.jobGroup.id", None)
    assert [len(job.stageIds) for job in jobs] == [1]


def test_groups_are_scored_each_on_its_own(frame):
    scores = adapter.score(frame, by=["system", "language"], recipe="nltk-method1")
    assert list(scores) == [("x", "de"), ("x", "fr"), ("y", "de"), ("y", "fr")]
    for (system, language), scored in scores.items():
        own = [row for row in ROWS if row[2:4] == (system, language)]
        assert values_of(scored) == values_of(bp.score(*columns_of(own), "nltk-method1"))
    by_segment = adapter.score(frame, by="segment")
    assert list(by_segment) == sorted({row[4] for row in ROWS})
    assert values_of(by_segment[7]) == values_of(bp.score(*columns_of([row for row in ROWS if row[4] == 7])))


def test_sums_can_be_stored_and_scored_later(frame, tmp_path):
    path = str(tmp_path / "sums")
    adapter.sum_statistics(frame, by="system").write.parquet(path)
    sums = parquet.read_table(path)
    assert values_of(arrow.score_sums(sums, by="system")) == values_of(adapter.score(frame, by="system"))


def test_segments_get_a_column_of_scores(frame):
    scored = adapter.score_segments(frame, recipe="sacrebleu-sentence").toArrow().to_pylist()
    expected = bp.score_segments(*columns_of(ROWS), "sacrebleu-sentence").scores
    found = {(row["system"], row["segment"]): row["bleu"] for row in scored}
    assert found == {(row[2], row[4]): score for row, score in zip(ROWS, expected, strict=True)}
    assert [row["candidate"] for row in scored] == [row["candidate"] for row in frame.collect()]


def test_statistics_come_back_system_by_system_in_the_order_of_segments(frame):
    found = adapter.statistics(frame, system="system", segment="segment")
    assert list(found) == ["x", "y"]
    assert found.segments == tuple(range(300))
    for system, table in found.items():
        assert table == bp.statistics(*columns_of([row for row in ROWS if row[2] == system]))


def without_text_notes(data):
    """Leave out the notes that look at texts where there are any: those on empty references, and on what texts hold."""
    if isinstance(data, dict):
        return {key: without_text_notes(value) for key, value in data.items()}
    if not isinstance(data, list):
        return data
    kept = [one for one in data if not (isinstance(one, dict) and one.get("code", "").startswith("empty-reference"))]
    return [without_text_notes(one) for one in kept]


def test_a_comparison_on_spark_is_that_of_one_machine(frame):
    found = adapter.compare(frame, system="system", segment="segment", resamples=500)
    columns = {name: columns_of([row for row in ROWS if row[2] == name]) for name in ("x", "y")}
    systems = {name: candidates for name, (candidates, _) in columns.items()}
    expected = bp.compare(systems, columns["x"][1], resamples=500)
    assert type(found) is bp.Comparison
    assert found == expected
    assert str(found).partition("•")[0] == str(expected).partition("•")[0]
    assert found.influences("x") == expected.influences("x")
    assert (found.has_texts, expected.has_texts) == (False, True)
    assert found.pair("y", "x") == expected.pair("y", "x")
    assert without_text_notes(found.to_dict()["recipes"]) == without_text_notes(expected.to_dict()["recipes"])
    report = found.to_html()
    assert expected.result().summary in report
    assert "the texts stayed where they are" in report


def test_systems_with_other_segments_are_refused(frame):
    with pytest.raises(ShapeError, match=r"'y'.*\(7,\)"):
        adapter.statistics(frame.where("system = 'x' or segment != 7"), system="system", segment="segment")
    with pytest.raises(ShapeError, match=r"'x'.*'de'"):
        adapter.statistics(frame, system="system", segment="language")


BROKEN = [
    (bytearray(b"a b c d"), bytearray(b"a b c d"), "x", 0),
    (None, bytearray(b"a"), "x", 1),
    (bytearray(b"a"), bytearray(b"\xff"), "y", 0),
    (bytearray(b"a b c d"), bytearray(b"a b c d"), "y", 1),
    (bytearray(b"a"), None, "z", 0),
]


def broken_frame(spark):
    return spark.createDataFrame(BROKEN, "candidate binary, reference binary, system string, segment int").coalesce(1)


def test_malformed_rows_are_refused_or_skipped_and_reported(spark):
    frame = broken_frame(spark)
    with pytest.raises(bp.BleuprintError) as caught:
        adapter.score(frame, references="reference")
    for said in (
        "3 malformed rows",
        "1 with a null candidate (partition 0, row 1)",
        "1 with a reference that is not UTF-8 (partition 0, row 2)",
        "1 with no reference (null, an empty list, or nulls only) (partition 0, row 4)",
    ):
        assert said in str(caught.value)
    scores = adapter.score(frame, references="reference", by="system", on_error="skip")
    assert list(scores) == ["x", "y"]
    assert scores.empty == ("z",)
    assert scores.skipped.total == 3
    assert scores["x"].score == 100.0
    assert scores["x"].skipped.places == {"null-candidate": ("partition 0, row 1",)}
    rows = adapter.score_segments(frame, references="reference", on_error="skip").collect()
    assert [row["bleu"] for row in rows] == [100.0, None, None, 100.0, None]
    assert [row["bleu_fault"] for row in rows] == [None, "null-candidate", "broken-reference", None, "no-reference"]


def test_a_segment_that_one_system_lacks_is_skipped_in_all(spark):
    rows = [("a", "a", "x", 0), (None, "b", "x", 1), ("c", "c", "y", 0), ("d", "b", "y", 1)]
    frame = spark.createDataFrame(rows, "candidate string, reference string, system string, segment int")
    columns = {"references": "reference", "system": "system", "segment": "segment"}
    with pytest.raises(bp.BleuprintError, match=r"1 with a null candidate \(system x, segment 1\)"):
        adapter.statistics(frame, **columns)
    found = adapter.statistics(frame, on_error="skip", **columns)
    assert found.segments == (0,)
    assert found.skipped.counts == {"null-candidate": 1}
    assert {name: len(table) for name, table in found.items()} == {"x": 1, "y": 1}
    compared = adapter.compare(frame, on_error="skip", resamples=100, **columns)
    said = {note.code: note.text for note in compared.result().notes}
    assert said["skipped-rows"] == "1 malformed row left out: 1 with a null candidate (system x, segment 1)"


def test_systems_whose_names_are_written_alike_are_refused(spark):
    rows = [("a", "a", None, 0), ("a", "a", "None", 0)]
    frame = spark.createDataFrame(rows, "candidate string, reference string, system string, segment int")
    with pytest.raises(ShapeError, match="'None', None"):
        adapter.compare(frame, references="reference", system="system", segment="segment")


def test_a_column_that_is_not_there_is_named(frame):
    with pytest.raises(ShapeError, match="'hypothesis'"):
        adapter.score(frame, candidate="hypothesis")
    with pytest.raises(ShapeError, match="'segment'"):
        adapter.score_segments(frame, column="segment")


def wait_for(path, job=None):
    while not path.exists():
        assert job is None or not job.done(), job.result()
        time.sleep(0.02)
    return path.read_text()


@on_a_cluster
def test_an_executor_killed_half_way_changes_nothing(frame, tmp_path):
    """A task that has handed on half of its rows waits, until its executor is killed under it."""
    started, killed = tmp_path / "started", tmp_path / "killed"

    def slowly(batches):
        from pyspark import TaskContext

        waits = TaskContext.get().partitionId() == 1 and not killed.exists()
        for batch in batches:
            half = batch.num_rows // 2
            yield batch.slice(0, half)
            if waits:
                (tmp_path / "half").write_text(executor_of_this_task())
                (tmp_path / "half").rename(started)
                wait_for(killed)
                raise AssertionError("this task should have been killed")
            yield batch.slice(half)

    halting = frame.mapInArrow(slowly, frame.schema)
    with ThreadPoolExecutor(1) as pool:
        scoring = pool.submit(adapter.score, halting, by="system")
        executor = int(wait_for(started, scoring))
        assert b"CoarseGrainedExecutorBackend" in Path(f"/proc/{executor}/cmdline").read_bytes()
        os.kill(executor, signal.SIGKILL)
        killed.write_text("")
        scores = scoring.result(timeout=300)
    for system in ("x", "y"):
        expected = bp.score(*columns_of([row for row in ROWS if row[2] == system]))
        assert values_of(scores[system]) == values_of(expected)


def test_the_job_prints_the_scores_of_every_group_as_json(spark, frame, tmp_path, capsys):
    path = str(tmp_path / "rows")
    frame.write.parquet(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(spark), "stop", lambda session: None)  # the session is ours, and goes on
        spark_job.main([path, "--by", "system"])
        printed = json.loads(capsys.readouterr().out)
        with pytest.raises(SystemExit) as left:
            spark_job.main([path, "--candidate", "nonsense"])
    assert left.value.code == 2
    assert "'nonsense'" in capsys.readouterr().err
    for entry in printed["groups"]:
        own = [row for row in ROWS if row[2] == entry["by"]["system"]]
        assert entry["score"] == bp.score(*columns_of(own)).score
    assert [entry["by"] for entry in printed["groups"]] == [{"system": "x"}, {"system": "y"}]
    assert (printed["empty"], printed["schema"]) == ([], "bleuprint.groups/1")
