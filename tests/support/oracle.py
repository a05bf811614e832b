"""BLEU straight from Papineni et al. (2002), slow and obvious. It shares no code and no habit with the package.

Counts are made with nested loops, precisions are exact fractions, and the mean is a product of powers, not a sum of
logarithms. A corpus is two lists: candidates (lists of tokens) and, for each, the list of its references.
"""

import math
from fractions import Fraction


def ngrams(tokens, n):
    return [tuple(tokens[start : start + n]) for start in range(len(tokens) - n + 1)]


def clipped_matches(candidate, references, n):
    """Section 2.1: each n-gram counts at most as often as in the reference where it is most frequent."""
    found = ngrams(candidate, n)
    matches = 0
    for place, ngram in enumerate(found):
        if ngram in found[:place]:
            continue
        most = 0
        for reference in references:
            most = max(most, ngrams(reference, n).count(ngram))
        matches += min(found.count(ngram), most)
    return matches


def closest_length(candidate, references):
    """Section 2.2.2: the "best match length"; the paper leaves ties open, the usual choice is the shorter one."""
    best = len(references[0])
    for reference in references:
        distance, best_distance = abs(len(reference) - len(candidate)), abs(best - len(candidate))
        if distance < best_distance or (distance == best_distance and len(reference) < best):
            best = len(reference)
    return best


def statistics(candidates, references, order):
    """Sum over the corpus: matches and totals of each order up to ``order``, candidate length, reference length."""
    matches, totals = [0] * order, [0] * order
    candidate_length = reference_length = 0
    for candidate, own_references in zip(candidates, references, strict=True):
        for n in range(1, order + 1):
            matches[n - 1] += clipped_matches(candidate, own_references, n)
            totals[n - 1] += len(ngrams(candidate, n))
        candidate_length += len(candidate)
        reference_length += closest_length(candidate, own_references)
    return tuple(matches), tuple(totals), candidate_length, reference_length


def bleu(candidates, references, weights=(0.25, 0.25, 0.25, 0.25)):
    """Section 2.3, on 0 to 1: an order without a match, or without n-grams, makes the score 0."""
    matches, totals, c, r = statistics(candidates, references, len(weights))
    if c == 0:
        return 0.0
    product = 1.0
    for matched, total, weight in zip(matches, totals, weights, strict=True):
        if weight:
            precision = Fraction(matched, total) if total else Fraction(0)
            product *= float(precision) ** weight
    brevity_penalty = 1.0 if c > r else math.exp(1 - r / c)
    return brevity_penalty * product
