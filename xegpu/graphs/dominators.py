"""Dominators: node A dominates node B if every path from the entry to B passes A."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Generic

from xegpu.graphs.order import Node, Successors, predecessors_of, reverse_post_order


class DominatorTree(Generic[Node]):
    """The dominator tree of the nodes that an entry reaches.

    `order` holds these nodes in reverse post-order, `predecessors` their edges backwards, and `children` maps a node to
    the nodes that it immediately dominates.
    """

    def __init__(self, entry: Node, successors: Successors[Node]) -> None:
        self.order = reverse_post_order(entry, successors)
        self.predecessors = predecessors_of(self.order, successors)
        self.children: dict[Node, list[Node]] = {node: [] for node in self.order}
        for node, parent in _immediate_dominators(self.order, self.predecessors).items():
            self.children[parent].append(node)

    def dominates(self, above: Node, below: Node) -> bool:
        """Returns True if every path from the entry to `below` passes `above`; a node dominates itself."""
        first, end = self._intervals[above]
        return first <= self._intervals[below][0] < end

    @cached_property
    def _intervals(self) -> dict[Node, tuple[int, int]]:
        """Pre-order numbers of each subtree of the tree, from the node's own to one past the last."""
        first: dict[Node, int] = {}
        intervals: dict[Node, tuple[int, int]] = {}
        pending = [(self.order[0], False)]
        while pending:
            node, is_done = pending.pop()
            if is_done:
                intervals[node] = first[node], len(first)
                continue
            first[node] = len(first)
            pending.append((node, True))
            pending += [(child, False) for child in self.children[node]]
        return intervals


def _immediate_dominators(order: Sequence[Node], predecessors: Mapping[Node, Sequence[Node]]) -> dict[Node, Node]:
    """Returns the closest dominator of every node but the entry.

    Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm" (2001), figure 3: the dominators of predecessors are
    intersected in reverse post-order until nothing changes.
    """
    number = {node: position for position, node in enumerate(order)}
    found: list[int | None] = [0, *[None] * (len(order) - 1)]

    def intersect(a: int, b: int) -> int:
        while a != b:
            if a < b:
                a, b = b, a
            parent = found[a]
            assert parent is not None
            a = parent
        return a

    changed = True
    while changed:
        changed = False
        for position, node in enumerate(order[1:], 1):
            new: int | None = None
            for predecessor in predecessors[node]:
                candidate = number[predecessor]
                if found[candidate] is not None:
                    new = candidate if new is None else intersect(new, candidate)
            if new != found[position]:
                found[position] = new
                changed = True
    return {order[n]: order[parent] for n, parent in enumerate(found) if n and parent is not None}
