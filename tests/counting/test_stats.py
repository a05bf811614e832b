import pickle
from array import array

import numpy as np
import pytest

import bleuprint as bp
from bleuprint import native_kernel
from bleuprint.counting.rows import StatsTable
from bleuprint.counting.sums import Sums
from bleuprint.metrics.bleu.counting import BleuStats, Census, bleu_layout
from bleuprint.text.faults import Faults

LONG = BleuStats(matches=(5, 3), totals=(6, 5), candidate_length=6, reference_length=7)
SHORT = BleuStats(matches=(1, 0), totals=(1, 0), candidate_length=1, reference_length=0)
EMPTY = BleuStats(matches=(0, 0), totals=(0, 0), candidate_length=0, reference_length=2)
ROWS = [LONG, SHORT, EMPTY]


def make_table(rows=ROWS):
    table = StatsTable(bleu_layout(2))
    for stats in rows:
        table.append(stats)
    return table


def test_statistics_add_number_by_number():
    total = LONG + SHORT
    assert total == BleuStats((6, 3), (7, 5), 7, 7)
    assert total + BleuStats.zero(2) == total


def test_statistics_of_different_orders_do_not_add():
    with pytest.raises(ValueError, match="of order 2 and of order 3"):
        LONG + BleuStats.zero(3)


def test_a_row_reads_back():
    assert LONG.to_row() == (6, 7, 5, 3, 6, 5)
    assert BleuStats.from_row(LONG.to_row()) == LONG


def test_lower_orders_are_part_of_higher_ones():
    assert LONG.up_to(1) == BleuStats((5,), (6,), 6, 7)
    assert LONG.up_to(2) == LONG
    assert LONG.up_to(1).order == 1


def test_sums_add_with_their_census_and_what_was_skipped():
    one, other = make_table([LONG, EMPTY]).sums(), make_table([SHORT]).sums(Faults({"no-reference": 2}))
    total = one + other
    assert total.stats == LONG + SHORT + EMPTY
    assert total.census == make_table([LONG, SHORT, EMPTY]).census()
    assert total.skipped.total == 2
    assert total + Sums.zero(total.layout) == total
    assert Sums.from_numbers(total.layout, total.numbers, total.skipped) == total
    assert dict(zip(Sums.names(total.layout), total.numbers, strict=True))["segments"] == 3


def test_sums_of_other_counts_do_not_add():
    counted = bp.statistics(["a b"], ["a b"], "paper").sums()
    with pytest.raises(bp.BleuprintError, match="cannot be added"):
        counted + bp.statistics(["a b"], ["a b"], "nltk").sums()


def test_a_table_is_a_sequence_of_statistics():
    table = make_table()
    assert len(table) == 3
    assert list(table) == ROWS
    assert table[0] == LONG
    assert table[-1] == EMPTY
    assert SHORT in table
    with pytest.raises(IndexError):
        table[3]


@pytest.mark.parametrize("part", [slice(1, None), slice(None, 2), slice(None, None, -1), slice(0, 3, 2), slice(5, 9)])
def test_a_slice_of_a_table_is_a_table(part):
    assert make_table()[part] == make_table(ROWS[part])


def test_tables_extend_each_other():
    table = make_table([LONG])
    table.extend(make_table([SHORT, EMPTY]))
    assert table == make_table()


def test_a_table_takes_only_rows_of_its_own_order():
    table = make_table()
    with pytest.raises(bp.BleuprintError, match="expected a row of 6 numbers"):
        table.append(BleuStats.zero(4))
    with pytest.raises(bp.BleuprintError, match="expected rows of bleu"):
        table.extend(StatsTable(bleu_layout(4), [0] * 10))
    assert table == make_table()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("candidate_length", [6, 1, 0]),
        ("reference_length", [7, 0, 2]),
        ("matches_1", [5, 1, 0]),
        ("matches_2", [3, 0, 0]),
        ("totals_1", [6, 1, 0]),
        ("totals_2", [5, 0, 0]),
    ],
)
def test_columns_have_names(name, expected):
    assert list(make_table().column(name)) == expected


def test_rows_are_plain_integers():
    assert list(make_table().row(1)) == [1, 0, 1, 0, 1, 0]


def test_the_total_is_the_sum_of_the_rows():
    assert make_table().total() == LONG + SHORT + EMPTY
    assert StatsTable(bleu_layout(2)).total() == BleuStats.zero(2)


def test_the_census_counts_short_and_empty_segments():
    census = Census(segments=3, short=(1, 2), empty_candidates=1, empty_references=1)
    assert Census.from_numbers(make_table().census()) == census
    assert StatsTable(bleu_layout(2)).census() == (0, 0, 0, 0)


@pytest.mark.parametrize("find", [native_kernel.find_kernel, lambda: None], ids=["kernel", "python"])
def test_groups_are_summed_each_for_itself(find, monkeypatch):
    monkeypatch.setattr("bleuprint.counting.rows.find_kernel", find)
    table = make_table([LONG, SHORT, LONG, EMPTY])
    sums, census = table.sum_groups([2, 0, 0, 2], 3)
    assert list(sums) == [SHORT + LONG, BleuStats.zero(2), LONG + EMPTY]
    assert list(census) == [2, 0, 1, 1, 0, 0, 0, 0, 2, 1, 1, 0]
    assert StatsTable(bleu_layout(2)).sum_groups(array("q"), 0) == (StatsTable(bleu_layout(2)), array("q"))
    for missing in (3, -1):
        with pytest.raises(ValueError, match="there are not so many groups"):
            table.sum_groups(array("q", [missing, 0, 0, 0]), 3)
    with pytest.raises(ValueError, match="every row needs a group"):
        table.sum_groups(array("q", [0, 0, 0, 0, 0]), 3)


def test_the_kernel_sums_no_more_than_64_bits_hold():
    with pytest.raises(OverflowError):
        make_table([BleuStats((0, 0), (0, 0), 2**62, 0)] * 2).sum_groups(array("q", [0, 0]), 1)


def test_tables_are_equal_by_order_and_numbers():
    assert make_table() == make_table()
    assert make_table() != make_table([LONG])
    assert StatsTable(bleu_layout(1)) != StatsTable(bleu_layout(2))


def test_a_table_survives_pickling():
    assert pickle.loads(pickle.dumps(make_table())) == make_table()


def test_numpy_sees_the_table_without_a_copy():
    table = make_table()
    view = np.asarray(table)
    assert view.dtype == np.int64
    assert view.tolist() == [list(stats.to_row()) for stats in ROWS]
    assert np.shares_memory(view, np.asarray(table))
    view[0, 0] = 99
    assert table[0].candidate_length == 99


def test_numpy_sees_an_empty_table():
    assert np.asarray(StatsTable(bleu_layout(4))).shape == (0, 10)


def test_a_table_does_not_move_under_a_numpy_view():
    table = make_table()
    view = np.asarray(table)
    # Growing may move the numbers, and the view would read memory that is no longer theirs.
    with pytest.raises(BufferError):
        table.append(LONG)
    del view
    table.append(LONG)
    assert len(table) == 4
