"""Scopes of values and blocks: regions, and operations with the names that they define for their regions."""

from __future__ import annotations

from collections.abc import Iterator

_DEEPEST = 256
"""The scopes that are searched for a definition, so that no text takes quadratic time."""


class NameScope:
    """The names that a region or the beginning of an operation defines.

    Args:
        around: The scope around this one.
        is_region: Whether this is a region; operations define blocks in the nearest one.
    """

    __slots__ = ("around", "defined", "is_region", "mentioned", "opens")

    def __init__(self, around: NameScope | None = None, *, is_region: bool = True) -> None:
        self.around = around
        self.is_region = is_region
        self.opens = False
        self.defined: dict[str, int] = {}
        self.mentioned: dict[str, int] = {}

    def region(self) -> NameScope:
        """Returns the nearest region."""
        scope = self
        while not scope.is_region and scope.around is not None:
            scope = scope.around
        return scope

    def definition(self, name: str) -> int | None:
        """Returns the place that defines a name: the nearest definition, or else the argument of an operation.

        Arguments are written as uses are; the first mention is one if the operation has regions.
        """
        found = None
        for scope in self._outwards():
            if name in scope.defined:
                return scope.defined[name]
            if scope.opens and name in scope.mentioned:
                found = scope.mentioned[name]
        return found

    def _outwards(self) -> Iterator[NameScope]:
        scope: NameScope | None = self
        for _ in range(_DEEPEST):
            if scope is None:
                return
            yield scope
            scope = scope.around
