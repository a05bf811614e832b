"""What the documents say of measurements, taken from what the programs in ``bench/`` printed, so that both agree.

``make docs`` puts these parts in, and is run again after a program has printed anew.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from functools import partial
from pathlib import Path

from markdown_tables import Grid, read_tables, write_table

RESULTS = Path(__file__).parent.parent / "bench/results"

DROP_INS = {
    "NLTK `corpus_bleu`": ("dropins_nltk", "`corpus_bleu`"),
    "NLTK `sentence_bleu` of each segment, `method1`": ("dropins_nltk", "`sentence_bleu`"),
    "sacreBLEU `corpus_score`, cold": ("dropins_sacrebleu", "`BLEU().corpus_score`"),
    "the same with 1,000 bootstrap samples": ("dropins_sacrebleu", "`n_bootstrap=1000`"),
}
"""By words of the first row that has them: those of BLEU come first."""
WAYS = ("drop-in", "accelerated")
COMMANDS = {
    "sacreBLEU's command, nine systems, `--paired-bs`": "`--paired-bs`",
    "the same, `--paired-ar`": "`--paired-ar`",
    "sacreBLEU's command, one system": "command, one system",
}


def printed(name: str) -> str:
    """Give what a program printed."""
    [path] = RESULTS.glob(f"{name}.*")
    return path.read_text(encoding="utf-8")


def grids(name: str) -> list[Grid]:
    """Give the tables that a program printed."""
    return read_tables(printed(name))


def find(name: str, *words: str, grid: int = 0) -> list[str]:
    """Give the one row of a table whose first cell has these words."""
    rows = [row for row in grids(name)[grid] if all(word in row[0] for word in words)]
    if len(rows) != 1:
        raise ValueError(f"bench/results/{name}: expected one row with {' and '.join(words)}, got {len(rows)}.")
    return rows[0]


def search(name: str, pattern: str) -> tuple[str, ...]:
    """Give what the groups of a pattern hold in what was printed."""
    found = re.search(pattern, printed(name))
    if found is None:
        raise ValueError(f"bench/results/{name}: expected {pattern!r}, got a text without it.")
    return found.groups()


def paragraph(text: str) -> str:
    """Write a paragraph in lines of the documents' length."""
    return textwrap.fill(" ".join(text.split()), width=130, break_long_words=False, break_on_hyphens=False) + "\n"


def copy(name: str, grid: int = 0) -> str:
    """Show a table as it was printed."""
    return write_table(grids(name)[grid])


def times(ratio: str) -> str:
    """Round a ratio: from ten on to a whole number."""
    value = float(ratio.removesuffix(" ×").replace(",", ""))
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}"


def rounded(number: str, digits: int = 2) -> str:
    """Round a count of pairs to its first digits."""
    value = int(number.replace(",", ""))
    return f"{round(value, digits - len(str(value))):,}"


def speed() -> str:
    """Show the kernel beside other tools, and where that was measured."""
    where, versions = printed("speed").splitlines()[:2]
    return f"{where}.\n{versions}.\n\n{copy('speed')}"


def splitting() -> str:
    """Say what of a score's time is splitting, and what reading alone would take."""
    pattern = r"all of it ([\d.]+) ms, splitting alone [\d.]+ ms \((\d+)%\), reading the bytes ([\d.]+) ms"
    whole, share, read = search("speed", pattern)
    return paragraph(f"""
        Of the whole, splitting alone takes {share} %; the rest is finding tokens and n-grams, Python's strings and
        the cache. `bytes.count`, which reads the same bytes once, is {float(whole) / float(read):.0f} times as fast:
        that far the kernel is from the speed at which text can be read.
    """)


def chrf_and_ter() -> str:
    """Show chrF and TER beside sacreBLEU."""
    rows = [["work", "bleuprint", "sacreBLEU", "times as fast"]]
    for (_, ours, theirs, ratio, _), title in zip(grids("chrf")[0][1:], ("chrF", "chrF++"), strict=True):
        rows.append([title, ours, theirs, f"{times(ratio)} ×"])
    _, _, ours, theirs, ratio, *_ = find("ter", "TER")
    return write_table([*rows, ["TER", ours, theirs, f"{times(ratio)} ×"]])


def drop_ins() -> str:
    """Show drop-ins and accelerated tools beside the tools themselves."""
    rows = [["work", *WAYS]]
    for title, (name, work) in DROP_INS.items():
        found = [next(row for row in grids(name)[0] if work in row[0] and way in row[0]) for way in WAYS]
        rows.append([title, *(f"{times(row[4])} ×" for row in found)])
    for title, work in COMMANDS.items():
        rows.append([title, "", f"{times(find('dropins_sacrebleu', 'command', work)[4])} ×"])
    *_, accelerated, ours = find("dropins_torchmetrics", "BLEUScore, one batch")
    return write_table([*rows, ["torchmetrics `BLEUScore`, one batch (processor time)", ours, accelerated]])


def comparing() -> str:
    """Say how much longer sacreBLEU takes to compare systems."""
    (baseline, pairs, _), (metrics, *_) = ([times(row[3]) for row in grid[1:]] for grid in grids("compare"))
    return paragraph(f"""
        Comparing eight systems with a baseline, with 10,000 randomisations each, took [{baseline}
        times](../bench/results/compare.md) as long in sacreBLEU as in `bleuprint compare`, which draws 10,000
        bootstrap samples for the intervals on the way; for all 36 pairs it was {pairs} times. Six systems under BLEU,
        chrF and TER with 1,000 bootstrap samples took {metrics} times as long.
    """)


def identifying() -> str:
    """Say how long a number is searched for."""
    (usual, first, _), (unusual, accidents, _), (_, _, apart) = grids("identify")[0][1:]
    readings, tried = (re.findall(r"([\d,]+) readings", title)[0] for title in (usual, unusual))
    return paragraph(f"""
        Every way of counting is counted once, and all recipes are worked out from these counts. On 2,000 segments
        with the kernel, on one thread, {readings} readings of BLEU took {first} s of processor time, and {tried} with
        all accidents {accidents} s; scoring each of the {readings} by itself took {times(apart)} times as long in the
        same run ([`bench/results/identify.md`](../bench/results/identify.md)).
    """)


def page() -> str:
    """Show how fast the page is on both of its hosts."""
    (served, served_corpus), (static, static_corpus) = map(answers_of, ("served", "static"))
    requests, slowest = search("serve", r"median round: ([\d,]+ requests/s), p99 ([\d.]+ ms)")
    judged = [int(cell) for row in grids("lighthouse")[0][1:] for cell in row[1:5]]
    rows = [
        ("static page, from navigation to a callable engine, nothing cached", "2 s", visit("cold"), "static_site"),
        ("the same on a later visit", "", visit("again"), "static_site"),
        ("headline for 50,000 + 50,000 characters, served", "200 ms", served, "page_speed"),
        ("the same on the static page", "500 ms", static, "page_speed"),
        ("corpus of 2,000 segments, served", "", served_corpus, "page_speed"),
        ("the same on the static page", "5 s", static_corpus, "page_speed"),
        ("`/api/v1/score`, one pair of 20 tokens, 16 connections", "1,000 requests/s", requests, "serve"),
        ("its 99th percentile", "50 ms", slowest, "serve"),
        ("Lighthouse, four categories, served and static", "95", f"{min(judged)} to {max(judged)}", "lighthouse"),
    ]
    return write_table([["what", "goal", "found", "command"], *([*row, f"`bench/{name}.py`"] for *row, name in rows)])


def answers_of(host: str) -> tuple[str, ...]:
    """Give how long the page's headline and a corpus took on one of its hosts."""
    headline = search("page_speed", rf"{host}: headline for 50,000 \+ 50,000 characters (\d+ ms)")
    return headline + search("page_speed", rf"{host}: corpus of 2,000 segments ([\d.]+ s)")


def visit(kind: str) -> str:
    """Say how long a visit took, and the ends of all of that kind."""
    median, runs = search("static_site", rf"{kind}: median ([\d.]+ s) of \d+ runs \((.+)\)")
    ends = sorted(runs.split(", "), key=float)
    return f"{median} ({ends[0]} to {ends[-1]} s)"


def page_size() -> str:
    """Say what the static page downloads."""
    pattern = r", ([\d.]+) MB, ([\d.]+) MB as gzip; before the start at most ([\d.]+) MB"
    whole, compressed, before = search("static_site", pattern)
    return paragraph(f"""
        Medians; run them with `.venv/bin/python`. wrk, which sends the requests, takes its part of the two cores.
        Over loopback downloads cost nothing: before the static page can compute, {before} MB come from a host that
        compresses, of {compressed} MB in all; uncompressed the whole is {whole} MB.
    """)


def scaling() -> str:
    """Say how many pairs a core counts on each way."""
    alone, *arrow = grids("scaling")[0][1:]
    kept = sorted(int(row[3].removesuffix("%")) for row in arrow)
    files, _, spark, *_ = grids("scaling")[1][1:]
    [share] = search("scaling", r"(\d+)% of that goes into reading")
    [gained] = search("scaling", r"From 1 to 2 cores: ([\d.]+) ×")
    return paragraph(f"""
        Take pairs of 280 bytes (both sides together, some 20 tokens each). [Measured](../bench/results/scaling.md) on
        a shared machine with two cores, for one core: the kernel counts {rounded(alone[1])} of them in a second;
        through Arrow it keeps {kept[0]} to {kept[-1]} % of that, {rounded(arrow[-1][1])} when summing by ten groups;
        with reading from Parquet {rounded(files[3])} are left, and in Spark {rounded(spark[3])}, because there
        {share} % of the time go into reading and handing batches from Java to Python. So where one machine will do, a
        loop over Parquet files is {float(spark[2]) / float(files[2]):.1f} times as fast. From one core to two Spark
        gained {gained} times here. Take 100,000 pairs per second and core, to be on the safe side:
    """)


def scaling_memory() -> str:
    """Say what memory so many rows take."""
    peaks = dict.fromkeys(row[1] for row in grids("scaling")[2][1:])
    return f"Memory does not grow: {' to '.join(peaks)} for 10⁶, 10⁷ and 10⁸ rows in one process.\n"


def builds() -> str:
    """Say what the stable ABI costs, and what newer instructions gain."""
    rows = grids("builds")[0][1:]
    resampling, others = ([row for row in rows if ("bootstrap" in row[0]) is chosen] for chosen in (True, False))
    slowest, fastest = min(rows, key=partial(percent, 3)), max(others, key=partial(percent, 7))
    listed = ", ".join(f"{percent(5, row)} % ({row[0].rpartition(', ')[2]})" for row in resampling)
    return paragraph(f"""
        [`bench/results/builds.md`](../bench/results/builds.md) has these builds beside the one for Python 3.12 alone:
        under the stable ABI the kernel has {percent(3, slowest)} % of its speed at the least ({slowest[0]}). Without
        AVX2 a bootstrap has {listed} of its speed; with newer
        instructions throughout all else has {percent(7, fastest)} % at the most ({fastest[0]}).
    """)


def percent(column: int, row: list[str]) -> int:
    """Read a share."""
    return int(row[column].removesuffix("%"))


PARTS: dict[str, Callable[[], str]] = {
    "measured-speed": speed,
    "measured-growth": partial(copy, "speed", 1),
    "measured-memory": partial(copy, "speed", 2),
    "measured-splitting": splitting,
    "measured-chrf-ter": chrf_and_ter,
    "measured-identify": partial(copy, "identify"),
    "measured-identifying": identifying,
    "measured-drop-ins": drop_ins,
    "measured-comparing": comparing,
    "measured-builds": builds,
    "measured-page": page,
    "measured-page-size": page_size,
    "measured-scaling": scaling,
    "measured-scaling-memory": scaling_memory,
}
"""By the name between which marks a document has it."""
