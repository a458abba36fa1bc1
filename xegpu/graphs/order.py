"""Reverse post-order, and the edges of a graph in the other direction."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)
Successors = Callable[[Node], Iterable[Node]]


def reverse_post_order(entry: Node, successors: Successors[Node]) -> list[Node]:
    """Returns the nodes that `entry` reaches, each after one of its predecessors and, back edges aside, after all.

    The last successor of a node is visited first, so that the first one follows the node where the graph permits it.
    """
    order: list[Node] = []
    seen = {entry}
    # An explicit stack: a kernel may have more blocks than Python's recursion limit.
    stack = [(entry, list(successors(entry)))]
    while stack:
        node, pending = stack[-1]
        if not pending:
            order.append(node)
            stack.pop()
            continue
        successor = pending.pop()
        if successor not in seen:
            seen.add(successor)
            stack.append((successor, list(successors(successor))))
    return order[::-1]


def predecessors_of(nodes: Sequence[Node], successors: Successors[Node]) -> dict[Node, list[Node]]:
    """Returns the predecessors of each node; `nodes` must contain every successor of its nodes."""
    found: dict[Node, list[Node]] = {node: [] for node in nodes}
    for node in nodes:
        for successor in successors(node):
            found[successor].append(node)
    return found
