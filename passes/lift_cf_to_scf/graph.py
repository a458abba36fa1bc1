"""A mutable graph of the blocks of a region."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import IntegerAttr, i32
from xdsl.dialects.cf import BranchOp, ConditionalBranchOp
from xdsl.dialects.ub import PoisonOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xegpu.diagnostics import CompileError, inherit_location
from xegpu.dialects.upstream.arith import CmpiOp

_MOST_BLOCKS = 2000
"""The maximum number of blocks of a region: the time for them grows faster than their number."""


@dataclass(eq=False)
class Edge:
    """An edge to a node, with the values of its arguments."""

    target: Node
    values: list[SSAValue]


@dataclass(eq=False)
class Node:
    """A block: its arguments, its operations without the terminator, and its outgoing edges.

    The first edge is taken if the condition holds. `anchor` is the operation whose location new operations get.
    """

    anchor: Operation
    arguments: list[SSAValue] = field(default_factory=list)
    ops: list[Operation] = field(default_factory=list)
    condition: SSAValue | None = None
    edges: list[Edge] = field(default_factory=list)

    def add(self, op: Operation) -> SSAValue:
        """Appends an operation and returns its result."""
        inherit_location(self.anchor, op)
        self.ops.append(op)
        return op.results[0]


@dataclass(eq=False)
class Graph:
    """The nodes of a region. `exit` has one argument per operand of `end`, the terminator of the region."""

    entry: Node
    exit: Node
    end: Operation


def flow_graph(region: Region) -> Graph:
    """Builds the graph of a region. Raises `CompileError` for too many blocks."""
    blocks = list(region.blocks)
    first = blocks[0].last_op
    assert first is not None
    if len(blocks) > _MOST_BLOCKS:
        raise CompileError(
            first, f"is one of {len(blocks)} blocks of divergent control flow: expected at most {_MOST_BLOCKS}"
        )
    ends = [end for block in blocks if (end := block.last_op) is not None and not end.successors]
    end = next((op for op in ends if op.name != "ub.unreachable"), first)
    holder = Block(arg_types=[] if end is first else [value.type for value in end.operands])
    graph_exit = Node(end, list(holder.args))
    nodes = {block: Node(last, list(block.args)) for block in blocks if (last := block.last_op) is not None}
    for block, node in nodes.items():
        node.ops = [op for op in block.ops if op is not node.anchor]
        match node.anchor:
            case BranchOp():
                node.edges = [Edge(nodes[node.anchor.successor], list(node.anchor.arguments))]
            case ConditionalBranchOp() as branch:
                node.condition = branch.cond
                node.edges = [
                    Edge(nodes[branch.then_block], list(branch.then_arguments)),
                    Edge(nodes[branch.else_block], list(branch.else_arguments)),
                ]
            case leave if leave.name == "ub.unreachable":
                # The block is unreachable, so the values are never read.
                node.edges = [Edge(graph_exit, [poison(node, a.type) for a in graph_exit.arguments])]
            case leave:
                node.edges = [Edge(graph_exit, list(leave.operands))]
    for node in nodes.values():
        node.anchor.operands = []  # the edges have them
    return Graph(nodes[blocks[0]], graph_exit, end)


def poison(node: Node, type: Attribute) -> SSAValue:
    """Returns a value that is never read."""
    return node.add(PoisonOp(type))


def number(node: Node, value: int) -> SSAValue:
    """Returns a constant that selects an edge."""
    return node.add(ConstantOp(IntegerAttr(value, i32)))


def dispatch(anchor: Operation, which: SSAValue, ways: Sequence[Edge], start: int = 0) -> Edge:
    """Returns an edge to nodes that branch to the entry of `ways` whose number, counted from `start`, is `which`."""
    if len(ways) == 1:
        return ways[0]
    node = Node(anchor)
    node.condition = node.add(CmpiOp(which, number(node, start), "eq"))
    node.edges = [ways[0], dispatch(anchor, which, ways[1:], start + 1)]
    return Edge(node, [])


# Reachability --------------------------------------------------------------------------------------------------------


def reachable(starts: Iterable[Node], barred: Iterable[Node] = ()) -> dict[Node, None]:
    """Returns the nodes that are reachable without passing barred ones, in the order of discovery."""
    found: dict[Node, None] = {}
    closed = set(barred)
    pending = [node for node in starts if node not in closed]
    while pending:
        node = pending.pop()
        if node in found:
            continue
        found[node] = None
        pending += [edge.target for edge in node.edges if edge.target not in closed]
    return found


def cycle(start: Node, barred: Iterable[Node] = ()) -> dict[Node, None]:
    """Returns the nodes from which `start` can be reached again, itself included, in the order of discovery.

    There are none if it cannot.
    """
    nodes = reachable([edge.target for edge in start.edges], barred)
    if start not in nodes:
        return {}
    before: dict[Node, list[Node]] = {}
    for node in nodes:
        for edge in node.edges:
            before.setdefault(edge.target, []).append(node)
    members: dict[Node, None] = {}
    pending = [start]
    while pending:
        node = pending.pop()
        if node not in members:
            members[node] = None
            pending += before.get(node, [])
    return members


# Loops with several entries ------------------------------------------------------------------------------------------


def make_reducible(graph: Graph) -> None:
    """Gives each loop a single entry: several entries get a common node in front of them."""
    _reduce(graph, [graph.entry], [])


def _reduce(graph: Graph, starts: Sequence[Node], barred: Sequence[Node]) -> None:
    """Handles the loops among the nodes reachable from `starts`, and the loops nested in them."""
    inside = reachable(starts, barred)
    handled: set[Node] = set()
    for node in inside:
        if node in handled or not (members := cycle(node, barred)):
            continue
        handled.update(members)
        everything = reachable([graph.entry])
        entries = [n for n in everything if n in members and any(_enters(o, n) for o in everything if o not in members)]
        header = entries[0]
        if len(entries) > 1:
            header = _joint_entry(entries, everything)
            members = cycle(header, barred)
        outside = [n for n in reachable([header]) if n not in members]
        _reduce(graph, [e.target for e in header.edges], [*barred, header, *outside])


def _enters(node: Node, target: Node) -> bool:
    return any(edge.target is target for edge in node.edges)


def _joint_entry(entries: Sequence[Node], nodes: Iterable[Node]) -> Node:
    """Creates a node that dispatches to one of the entries, and redirects all edges to it."""
    holder = Block(arg_types=[i32, *(a.type for entry in entries for a in entry.arguments)])
    which, *rest = holder.args
    values = iter(rest)
    ways = [Edge(entry, [next(values) for _ in entry.arguments]) for entry in entries]
    inner = dispatch(entries[0].anchor, which, ways).target
    header = Node(entries[0].anchor, list(holder.args), inner.ops, inner.condition, inner.edges)
    for node in nodes:
        for edge in node.edges:
            if edge.target in entries:
                tag = number(node, entries.index(edge.target))
                slots = [
                    value
                    for entry in entries
                    for value in (
                        edge.values if entry is edge.target else [poison(node, a.type) for a in entry.arguments]
                    )
                ]
                edge.target, edge.values = header, [tag, *slots]
    return header


def edges_out(members: Iterable[Node]) -> list[Edge]:
    """Returns the edges that leave nodes, in their order, on which code depends."""
    inside = dict.fromkeys(members)
    return [edge for node in inside for edge in node.edges if edge.target not in inside]
