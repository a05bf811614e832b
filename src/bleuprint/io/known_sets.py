"""What a list of test sets says of one."""

# Annotations are not postponed here: making a NamedTuple of postponed ones compiles each of them, on every start.

from typing import NamedTuple


class KnownSet(NamedTuple):
    """A set that a provider has, or could fetch."""

    name: str
    pairs: frozenset[str]
    here: frozenset[str] = frozenset()
    """the pairs whose texts are on this machine"""
    description: str = ""

    def joined(self, other: "KnownSet") -> "KnownSet":
        """Add what another provider knows of the same set."""
        return KnownSet(
            self.name, self.pairs | other.pairs, self.here | other.here, self.description or other.description
        )
