"""Disjoint sets with union and find."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Generic, TypeVar

Member = TypeVar("Member", bound=Hashable)


class DisjointSets(Generic[Member]):
    """A partition in which each member is alone until it is united with another one."""

    def __init__(self) -> None:
        self._parents: dict[Member, Member] = {}
        self._members: dict[Member, list[Member]] = {}

    def find(self, member: Member) -> Member:
        """Returns the representative of the set of `member`."""
        while (parent := self._parents.get(member, member)) is not member:
            self._parents[member] = self._parents.get(parent, parent)
            member = parent
        return member

    def members(self, member: Member) -> Sequence[Member]:
        """Returns all members of the set of `member`."""
        root = self.find(member)
        return self._members.get(root, [root])

    def unite(self, a: Member, b: Member) -> None:
        """Unites two sets; the smaller one joins the larger one."""
        first, second = self.find(a), self.find(b)
        if first is second:
            return
        if len(self.members(first)) < len(self.members(second)):
            first, second = second, first
        self._parents[second] = first
        self._members.setdefault(first, [first]).extend(self._members.pop(second, [second]))
