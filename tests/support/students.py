"""Students who work an exercise out by hand and make one usual mistake each. They share no code with the package.

Every number is a fraction where it can be one, else a float, as in ``oracle.py``.
"""

import math
from fractions import Fraction

from bleuprint.lessons import Mistake
from oracle import clipped_matches, closest_length, ngrams


def tokens_of(exercise):
    return [text.split() for text in exercise.candidates], [[one.split() for one in own] for own in exercise.references]


def matches_clipped_by(limit, candidate, references, n):
    """Count with another limit than the best reference's count."""
    own = ngrams(candidate, n)
    return sum(min(own.count(one), limit([ngrams(other, n).count(one) for other in references])) for one in set(own))


def penalty(c, r):
    return Fraction(1) if c >= r else math.exp(1 - Fraction(r) / c)


def combine(precisions, bp):
    """Take the root of the product: of whole numbers where it has one."""
    product = math.prod(precisions, start=Fraction(1))
    order = len(precisions)
    tops = [round(part ** (1 / order)) for part in (product.numerator, product.denominator)]
    exact = Fraction(*tops) ** order == product
    return bp * Fraction(*tops) if exact and bp == 1 else bp * float(product) ** (1 / order)


class Student:
    """Somebody who counts and combines; each method is a way to do it wrongly."""

    def __init__(self, exercise):
        self.candidates, self.references = tokens_of(exercise)
        self.order = exercise.level.order
        self.epsilon = Fraction(1, 10) if exercise.level.smoothing == "epsilon(0.1)" else 0
        pairs = list(zip(self.candidates, self.references, strict=True))
        self.pairs = pairs
        self.orders = range(1, self.order + 1)
        self.matches = [sum(clipped_matches(*pair, n) for pair in pairs) for n in self.orders]
        self.totals = [sum(len(one) - n + 1 for one in self.candidates) for n in self.orders]
        self.c = sum(map(len, self.candidates))
        self.r = sum(closest_length(*pair) for pair in pairs)

    def answer(self, matches=None, totals=None, c=None, r=None, epsilon=None, bp=None):
        """Work everything out, some of it from other numbers."""
        epsilon = self.epsilon if epsilon is None else epsilon
        counts = zip(matches or self.matches, totals or self.totals, strict=True)
        precisions = [Fraction(matched or epsilon) / total for matched, total in counts]
        bp = penalty(self.c if c is None else c, self.r if r is None else r) if bp is None else bp
        return {**{f"p{n}": p for n, p in zip(self.orders, precisions)}, "BP": bp, "BLEU": combine(precisions, bp)}

    def mistakes(self):
        """Make every mistake, some in several ways."""
        for rule, limit in (("NO_CLIPPING", lambda counts: math.inf if any(counts) else 0), ("SUMMED_CLIPPING", sum)):
            counts = [sum(matches_clipped_by(limit, *pair, n) for pair in self.pairs) for n in self.orders]
            yield Mistake[rule], self.answer(matches=counts)
        lengths = [[len(one) for one in own] for own in self.references]
        yield Mistake.LONGEST_REFERENCE, self.answer(r=sum(map(max, lengths)))
        yield Mistake.SHORTEST_REFERENCE, self.answer(r=sum(map(min, lengths)))
        yield Mistake.MEAN_REFERENCE, self.answer(r=sum(Fraction(sum(own), len(own)) for own in lengths))
        yield Mistake.NO_BREVITY, self.answer(bp=Fraction(1))
        yield Mistake.TOKENS_AS_TOTALS, self.answer(totals=[self.c] * self.order)
        yield Mistake.NO_SMOOTHING, self.answer(epsilon=0)
        yield Mistake.BREVITY_INVERTED, self.answer(bp=penalty(self.r, self.c))
        yield Mistake.BREVITY_INVERTED, self.answer(bp=math.exp(1 - self.c / self.r))
        if self.c < self.r:
            yield Mistake.BREVITY_INVERTED, self.answer(bp=math.exp(self.r / self.c - 1))
        yield from self._miscount()
        yield from self._combine()
        if len(self.pairs) > 1:
            yield Mistake.MEAN_OF_SEGMENTS, self._average()

    def _miscount(self):
        for step in {1, -1, len(self.pairs), -len(self.pairs)}:
            counts = zip(self.totals, self.matches, strict=True)
            totals = [total + (step if total + step >= max(matched, 1) else 0) for total, matched in counts]
            yield Mistake.MISCOUNTED, self.answer(c=self.c + step)
            yield Mistake.MISCOUNTED, self.answer(r=self.r + step)
            yield Mistake.MISCOUNTED, self.answer(totals=totals)
            yield Mistake.MISCOUNTED, self.answer(totals=totals, c=self.c + step)

    def _combine(self):
        right = self.answer()
        precisions, bp = [right[f"p{n}"] for n in self.orders], right["BP"]
        yield Mistake.ARITHMETIC_MEAN, {"BLEU": bp * (sum(precisions) / self.order)}
        yield Mistake.PRECISIONS_ADDED, {"BLEU": bp * sum(precisions)}
        yield Mistake.PRECISIONS_ADDED, {"BLEU": sum(precisions)}
        yield Mistake.NO_ROOT, {"BLEU": bp * math.prod(precisions)}

    def _average(self):
        alone = []
        for candidate, references in self.pairs:
            one = object.__new__(Student)
            one.__dict__ = {**self.__dict__, "c": len(candidate), "r": closest_length(candidate, references)}
            one.matches = [clipped_matches(candidate, references, n) for n in self.orders]
            one.totals = [len(candidate) - n + 1 for n in self.orders]
            alone.append(one.answer())
        return {name: sum(one[name] for one in alone) / len(alone) for name in alone[0]}


def same(one, other):
    return one == other or abs(float(one) - float(other)) < 1e-12


def wrong_answers(exercise):
    """Give what every mistake makes of every question, where that is another number than the right one.

    For each name and number: all mistakes that give it.
    """
    student = Student(exercise)
    right = student.answer()
    found = {name: [] for name in right}
    for mistake, numbers in student.mistakes():
        for name, number in numbers.items():
            if same(number, right[name]):
                continue
            group = next((group for group in found[name] if same(group[0], number)), None)
            if group:
                group[1].add(mistake)
            else:
                found[name].append((number, {mistake}))
    return found


def write(number):
    """Write a number down: a fraction as one, anything else with all of its digits."""
    return str(number) if isinstance(number, Fraction) else f"{number:.15f}"
