"""Calls of NLTK's BLEU functions, ordinary and odd, and what comes of them: results, types, warnings, errors."""

import warnings
from collections import deque
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st
from nltk.translate import bleu_score as nltk

from bleuprint.compat import nltk as compat
from bleuprint.compat.nltk import acceleration

NAN = float("nan")
METHODS = tuple(f"method{number}" for number in range(8))


class Outcome(NamedTuple):
    """What a call gave; ``repr`` tells 0 from 0.0, and every bit of a float."""

    kind: type
    value: str
    warned: tuple[tuple[type, str], ...]


def outcome(function, *arguments, **options):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = function(*arguments, **options)
        except Exception as error:
            return Outcome(type(error), "", first_lines(caught))
    kind = compat.Fraction if type(result) is nltk.Fraction else type(result)
    return Outcome(kind, repr(result), first_lines(caught))


def note_counted(monkeypatch, name):
    """Note of every corpus whether the engine counted it, by the function of this name."""
    counted, quickly = [], getattr(acceleration, name)

    def count(*arguments):
        found = quickly(*arguments)
        counted.append(found is not None)
        return found

    monkeypatch.setattr(acceleration, name, count)
    return counted


def first_lines(caught):
    """The category of each warning, and its first line, by which people silence it."""
    return tuple((warning.category, str(warning.message).strip().split("\n")[0]) for warning in caught)


class Method(NamedTuple):
    """A method of whichever SmoothingFunction is asked for."""

    name: str
    values: dict

    def of(self, module):
        return getattr(module.SmoothingFunction(**self.values), self.name)


class Inherited(Method):
    """A subclass that leaves the method as it is, but has a value that is computed."""

    def of(self, module):
        class Own(module.SmoothingFunction):
            @property
            def epsilon(self):
                return 0.25

            @epsilon.setter
            def epsilon(self, value):
                pass

        return getattr(Own(**self.values), self.name)


class Overridden(Method):
    """A subclass with a method of its own, which calls the one it replaces and looks at what it is given."""

    def of(self, module):
        class Own(module.SmoothingFunction):
            pass

        def method(self, p_n, references, hypothesis, hyp_len):
            shown = [(p.numerator, p.denominator) for p in p_n]
            smoothed = getattr(super(Own, self), name)(p_n, references, hypothesis, hyp_len)
            return [p + shown[place][0] / (1 + shown[place][1]) for place, p in enumerate(smoothed)]

        name = self.name
        setattr(Own, name, method)
        return getattr(Own(**self.values), name)


class Free(NamedTuple):
    """A function of the user's, or something else in its place."""

    function: object

    def of(self, module):
        return self.function


def add_one_everywhere(p_n, references, hypothesis, hyp_len):
    assert all(type(p).__name__ == "Fraction" for p in p_n)
    return [Fraction(p.numerator + 1, p.denominator + 1) for p in p_n]


def look_at_everything(p_n, *, references, hypothesis, hyp_len):
    lengths = [len(reference) for reference in references]
    return [(p.numerator + len(hypothesis) / 7) / (p.denominator + hyp_len + sum(lengths)) for p in p_n]


class Falsy:
    """A callable that counts as no smoothing function at all."""

    def __bool__(self):
        return False

    def __call__(self, *arguments, **options):
        raise RuntimeError("never called")


VALUES = st.fixed_dictionaries(
    {},
    optional={
        "epsilon": st.sampled_from([0, 0.0, 0.001, 1, 2.5, -0.1, Fraction(1, 3), NAN, "x", None]),
        "alpha": st.sampled_from([0, 1, 5, 0.5, 100, -1, Fraction(1, 2), None]),
        "k": st.sampled_from([0, 1, 5, 2.5, 100, -3, Fraction(7, 2), 1e308, "x"]),
    },
)
NAMED = st.sampled_from(METHODS)
SMOOTHINGS = st.one_of(
    st.just(Free(None)),
    st.builds(Method, NAMED, st.just({})),
    st.builds(Method, NAMED, VALUES),
    st.builds(Inherited, NAMED, st.just({})),
    st.builds(Overridden, NAMED, st.just({})),
    st.sampled_from(
        [
            Free(add_one_everywhere),
            Free(look_at_everything),
            Free(lambda p_n, **options: [1]),
            Free(lambda p_n, **options: [0.0, 0.5, 0.5, 0.5]),
            Free(lambda p_n, **options: (p for p in p_n)),
            Free(lambda p_n, **options: None),
            Free(lambda p_n: p_n),
            Free(Falsy()),
            Free(5),
        ]
    ),
)

ORDINARY_WEIGHTS = st.sampled_from(
    [
        (0.25, 0.25, 0.25, 0.25),
        (1.0,),
        (0.5, 0.5),
        (1 / 3, 1 / 3, 1 / 3),
        (1 / 7,) * 7,
        [(1.0,), (0.5, 0.5), (0.25, 0.25, 0.25, 0.25)],
        [(0.25, 0.25, 0.25, 0.25)],
        ((0.25, 0.25, 0.25, 0.25), (0.1, 0.9)),
    ]
)
ODD_WEIGHTS = st.sampled_from(
    [
        [0.25, 0.25, 0.25, 0.25],
        (0.25, 0.25, 0.25, 0.25, 0.0),
        (0, 1),
        (-1.0, 2.0),
        (1e308, 1e308, 1e308),
        (NAN, 1.0),
        (Fraction(1, 2), Fraction(1, 2)),
        (),
        [],
        [()],
        [(), (1.0,)],
        [(1.0,), ()],
        [[0.5, 0.5], (1.0,)],
        np.array([0.25] * 4),
        np.array([[0.5, 0.5], [0.3, 0.7]]),
        None,
        0.5,
        "ab",
        ("a", "b"),
        {},
        {0: 1.0},
        {1.0},
        (True,),
        ((0.5, 0.5), 1.0),
    ]
)
WEIGHTS = st.one_of(ORDINARY_WEIGHTS, ODD_WEIGHTS)
AUTO = st.sampled_from([False, True, 1, None, "yes"])

ANYTHING = (0, 1, True, 1.0, (2, "x"), None, frozenset({1}), b"a", NAN, "a", "b", "\ud800", np.str_("a"))
"""Tokens of which some are equal and yet of other types; NaN equals itself only as the same object."""


def as_characters(tokens):
    return "".join(str(token)[0] for token in tokens)


def as_array(tokens):
    return np.array([str(token) for token in tokens], dtype=object)


CONTAINERS = st.sampled_from([list, list, list, tuple, tuple, deque, as_characters, as_array, dict.fromkeys])


@st.composite
def odd_segments(draw):
    """One hypothesis with references of mixed tokens, in containers of many kinds; seldom with an unhashable token."""
    tokens = st.sampled_from(draw(st.sampled_from([("a", "b", "c"), (0, 1, 2), ANYTHING])))
    lists = st.lists(tokens, max_size=7)
    references = draw(st.lists(lists, min_size=0 if draw(st.integers(0, 9)) == 9 else 1, max_size=3))
    hypothesis = draw(lists)
    if references and draw(st.booleans()):
        hypothesis = draw(st.sampled_from(references))[draw(st.integers(0, 2)) :] + draw(st.lists(tokens, max_size=2))
    if draw(st.integers(0, 19)) == 19:
        hypothesis = [*hypothesis, []]
    contained = draw(CONTAINERS)
    try:
        return draw(st.sampled_from([list, tuple, deque]))(map(contained, references)), contained(hypothesis)
    except TypeError:  # a dictionary cannot have an unhashable key
        return references, hypothesis


@st.composite
def odd_corpora(draw):
    """References and hypotheses of a corpus, seldom of unequal length."""
    pairs = draw(st.lists(odd_segments(), max_size=4))
    references, hypotheses = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    if draw(st.integers(0, 14)) == 14:
        hypotheses.append(["a"])
    outer = draw(st.sampled_from([list, list, list, tuple, deque]))
    return outer(references), outer(hypotheses)
