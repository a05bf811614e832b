"""Rows of statistics drawn at random."""

import random

import bleuprint as bp
from bleuprint.counting.rows import StatsTable
from bleuprint.metrics.bleu.counting import bleu_layout


def random_tables(seed, systems=2, segments=130, order=4, largest=30):
    """Tables as engines make them: matches up to totals, some segments empty, some rows alike."""
    chance = random.Random(seed)
    tables = [StatsTable(bleu_layout(order)) for _ in range(systems)]
    for _ in range(segments):
        reference = chance.randrange(largest)
        alike = chance.random() < 0.3
        row = None
        for table in tables:
            if row is None or not alike:
                length = chance.randrange(largest)
                totals = [max(0, length - n) for n in range(order)]
                matches = []
                for total in totals:
                    matches.append(chance.randint(0, min([total, *matches[-1:]])))
                row = bp.BleuStats(tuple(matches), tuple(totals), length, reference)
            table.append(row)
    return tables
