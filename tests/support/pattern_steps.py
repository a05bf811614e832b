"""How many steps a regular expression takes: a plain backtracking matcher over Python's own reading of the pattern.

It matches as ``re`` does, without its shortcuts, and counts every character it looks at. So a test can see how the work
grows with the text, on any machine, without a clock. Patterns are searched for from every place that is left, as
``finditer`` does, or from the first alone, as ``match`` does.
"""

import re
from re import _constants as codes
from re import _parser as parser


class Steps:
    """Counts the looks at characters while one pattern is searched for in one text."""

    def __init__(self, pattern, text, *, anchored=False):
        self.text, self.taken = text, 0
        self.flags = pattern.flags
        self.tree = list(parser.parse(pattern.pattern, pattern.flags))
        self.spans, self._known = [], {}
        if anchored:
            next(self._match(self.tree, 0, 0, {}), None)
        else:
            self._scan()

    def _scan(self):
        place = 0
        while place <= len(self.text):
            end = next(self._match(self.tree, 0, place, {}), None)
            if end is not None:
                self.spans.append((place, end))
            place = place + 1 if end is None or end == place else end

    def _match(self, items, index, place, groups):
        """Give every place where the rest of the items may end, in the order in which ``re`` tries them."""
        if index == len(items):
            yield place
            return
        code, value = items[index]
        for end in self._item(code, value, place, groups):
            yield from self._match(items, index + 1, end, groups)

    def _item(self, code, value, place, groups):
        if code in (codes.LITERAL, codes.NOT_LITERAL, codes.IN, codes.ANY):
            self.taken += 1
            if place < len(self.text) and self._fits(code, value, self.text[place]):
                yield place + 1
        elif code is codes.AT:
            if self._stands(value, place):
                yield place
        elif code is codes.SUBPATTERN:
            number, _, _, inner = value
            for end in self._match(list(inner), 0, place, groups):
                groups[number] = (place, end)
                yield end
        elif code is codes.BRANCH:
            for branch in value[1]:
                yield from self._match(list(branch), 0, place, groups)
        elif code is codes.GROUPREF:
            start, end = groups[value]
            self.taken += end - start
            if self.text.startswith(self.text[start:end], place):
                yield place + end - start
        elif code in (codes.ASSERT, codes.ASSERT_NOT):
            direction, inner = value
            start = place if direction > 0 else place - inner.getwidth()[0]
            found = start >= 0 and any(True for _ in self._match(list(inner), 0, start, groups))
            if found is (code is codes.ASSERT):
                yield place
        elif code is codes.ATOMIC_GROUP:
            yield from self._first(self._match(list(value), 0, place, groups))
        elif code is codes.MAX_REPEAT:
            yield from self._repeat(*value, place, groups)
        elif code is codes.POSSESSIVE_REPEAT:
            yield from self._first(self._repeat(*value, place, groups))
        else:
            raise NotImplementedError(f"{code} in a pattern: teach it to this matcher")

    def _first(self, ends):
        end = next(ends, None)
        if end is not None:
            yield end

    def _repeat(self, least, most, inner, place, groups):
        """Repeat as often as possible, and step by step less; only repeats of fixed items occur in our patterns."""
        items, ends = list(inner), [place]
        while len(ends) <= most:
            end = next(self._match(items, 0, ends[-1], groups), None)
            if end is None or end == ends[-1]:
                break
            ends.append(end)
        while len(ends) > least:
            yield ends.pop()

    def _fits(self, code, value, character):
        if code is codes.ANY:
            return character != "\n"
        key = (id(value), code, character)
        if key not in self._known:
            others = [character, character.swapcase()] if self.flags & re.IGNORECASE else [character]
            self._known[key] = any(self._same(code, value, other) for other in others)
        return self._known[key]

    def _same(self, code, value, character):
        if code is codes.LITERAL:
            return ord(character) == value
        if code is codes.NOT_LITERAL:
            return ord(character) != value
        negated = value[0][0] is codes.NEGATE
        return any(self._within(*entry, character) for entry in value) is not negated

    def _within(self, code, value, character):
        if code is codes.NEGATE:
            return False
        if code is codes.LITERAL:
            return ord(character) == value
        if code is codes.RANGE:
            return value[0] <= ord(character) <= value[1]
        letter = {
            codes.CATEGORY_SPACE: r"\s", codes.CATEGORY_NOT_SPACE: r"\S", codes.CATEGORY_WORD: r"\w",
            codes.CATEGORY_NOT_WORD: r"\W", codes.CATEGORY_DIGIT: r"\d", codes.CATEGORY_NOT_DIGIT: r"\D",
        }[value]  # fmt: skip
        return re.fullmatch(letter, character, self.flags & re.ASCII) is not None

    def _stands(self, code, place):
        if code is codes.AT_BOUNDARY:
            around = self.text[max(0, place - 1) : place], self.text[place : place + 1]
            before, after = (re.fullmatch(r"\w", character) is not None for character in around)
            return before is not after
        if code is codes.AT_END:
            return self.text[place:] in ("", "\n")
        raise NotImplementedError(f"{code} in a pattern: teach it to this matcher")
