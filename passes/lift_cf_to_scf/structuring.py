"""Emits a reducible graph as structured control flow.

The code between a node and a set of *stops* becomes a sequence of operations that computes an outcome: a number that
tells which of the stops is reached, and the values of the arguments of all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import IntegerAttr, i1, i32
from xdsl.dialects.scf import ConditionOp, YieldOp
from xdsl.dialects.ub import PoisonOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue, Use
from xdsl.rewriter import Rewriter

from passes.lift_cf_to_scf.graph import Edge, Graph, Node, cycle, dispatch, edges_out, reachable
from xegpu.diagnostics import inherit_location
from xegpu.dialects.upstream.arith import CmpiOp
from xegpu.dialects.upstream.scf import IfOp, WhileOp


class Stops:
    """The nodes at which a sequence may end.

    The outcome of the sequence is a number, if there are several stops, followed by the arguments of each stop. The
    last `shared` values belong to all stops but the first.
    """

    def __init__(self, nodes: Sequence[Node], shared: int = 0):
        self.nodes = list(nodes)
        self._shared = shared
        self._own = [len(n.arguments) - (shared if index else 0) for index, n in enumerate(self.nodes)]

    @property
    def types(self) -> list[Attribute]:
        tag: list[Attribute] = [i32] if len(self.nodes) > 1 else []
        own = [a.type for node, count in zip(self.nodes, self._own, strict=True) for a in node.arguments[:count]]
        return tag + own + [a.type for a in self.nodes[-1].arguments[self._own[-1] :]]

    def slots(self, node: Node) -> list[int]:
        """Returns the positions in an outcome of the arguments of a stop."""
        index = self.nodes.index(node)
        start = int(len(self.nodes) > 1) + sum(self._own[:index])
        end = len(self.types)
        return [*range(start, start + self._own[index]), *(range(end - self._shared, end) if index else ())]

    def ways(self, outcome: Sequence[SSAValue]) -> list[Edge]:
        """Returns the edges that continue after an outcome, one per stop."""
        return [Edge(node, [outcome[slot] for slot in self.slots(node)]) for node in self.nodes]


class Structuring:
    """Emits one graph."""

    def __init__(self, graph: Graph):
        self._graph = graph
        self.made: list[Operation] = []
        """The structured operations that were made."""

        self._known: dict[SSAValue, SSAValue] = {}
        """The replacements of values."""

    def run(self, region: Region) -> None:
        """Emits all operations into the first block of the region, the only one that remains."""
        graph = self._graph
        entry, *others = region.blocks
        for block in (entry, *others):
            for op in list(block.ops):
                block.detach_op(op)
        outcome = self._sequence(entry, Edge(graph.entry, list(entry.args)), Stops([graph.exit]))
        end = graph.end.clone()
        end.operands = outcome
        entry.add_op(end)
        for block in others:
            region.detach_block(block)

    def _value(self, value: SSAValue) -> SSAValue:
        while value in self._known:
            value = self._known[value]
        return value

    def _values(self, values: Sequence[SSAValue]) -> list[SSAValue]:
        return [self._value(value) for value in values]

    def _bind(self, arguments: Sequence[SSAValue], values: Sequence[SSAValue]) -> None:
        for argument, value in zip(arguments, values, strict=True):
            if argument is not value:
                argument.replace_all_uses_with(value)
                self._known[argument] = value

    def _sequence(self, block: Block, edge: Edge, stops: Stops, *, in_loop: bool = False) -> list[SSAValue]:
        """Appends the operations that follow an edge. Returns the outcome.

        With `in_loop`, the edge leads to the header of the loop whose body is being emitted.
        """
        while in_loop or edge.target not in stops.nodes:
            node, values = edge.target, self._values(edge.values)
            if not in_loop and (members := cycle(node, stops.nodes)):
                edge = self._loop(block, node, members, values, stops)
                continue
            in_loop = False
            self._bind(node.arguments, values)
            block.add_ops(node.ops)
            if node.condition is None:
                (edge,) = node.edges
                continue
            inner = _stops_of_choice(node, stops)
            outcome = self._choice(block, node, inner)
            if inner is stops:
                return outcome
            ways = inner.ways(outcome)
            edge = ways[0] if len(ways) == 1 else dispatch(node.anchor, outcome[0], ways)
        return self._outcome(block, edge, stops)

    def _outcome(self, block: Block, edge: Edge, stops: Stops) -> list[SSAValue]:
        anchor = edge.target.anchor
        given = dict(zip(stops.slots(edge.target), self._values(edge.values), strict=True))
        if len(stops.nodes) > 1:
            given[0] = _add(block, anchor, ConstantOp(IntegerAttr(stops.nodes.index(edge.target), i32)))
        return [
            given[slot] if slot in given else _add(block, anchor, PoisonOp(type))
            for slot, type in enumerate(stops.types)
        ]

    # Choices ---------------------------------------------------------------------------------------------------------

    def _choice(self, block: Block, node: Node, stops: Stops) -> list[SSAValue]:
        condition = node.condition
        assert condition is not None
        sides = [Block() for _ in node.edges]
        outcomes = [self._sequence(side, edge, stops) for side, edge in zip(sides, node.edges, strict=True)]
        if len(stops.nodes) > 1:
            _merge_tags(block, outcomes)
        # A value that both sides give does not depend on the condition, and stays the same for all work-items.
        chosen = [slot for slot, (then, otherwise) in enumerate(zip(*outcomes, strict=True)) if then is not otherwise]
        for side, outcome in zip(sides, outcomes, strict=True):
            end = YieldOp(*(outcome[slot] for slot in chosen))
            inherit_location(node.anchor, end)
            side.add_op(end)
        types = [outcomes[0][slot].type for slot in chosen]
        op = IfOp(self._value(condition), types, Region(sides[0]), Region(sides[1]))
        inherit_location(node.anchor, op)
        block.add_op(op)
        self.made.append(op)
        results = dict(zip(chosen, op.results, strict=True))
        return [results.get(slot, value) for slot, value in enumerate(outcomes[0])]

    # Loops -----------------------------------------------------------------------------------------------------------

    def _loop(
        self, block: Block, header: Node, members: Collection[Node], values: Sequence[SSAValue], stops: Stops
    ) -> Edge:
        """Appends a loop. Returns the edge that continues behind it."""
        anchor, exits = header.anchor, list(dict.fromkeys(edge.target for edge in edges_out(members)))
        escaping = list(self._escaping(members, exits))
        marks = [self._mark_exit(exit, header, members, escaping) for exit in exits]
        inner = Stops([header, *marks], len(escaping))

        before = Block(arg_types=[a.type for a in header.arguments])
        outcome = self._sequence(before, Edge(header, list[SSAValue](before.args)), inner, in_loop=True)
        if exits:
            zero = _add(before, anchor, ConstantOp(IntegerAttr(0, i32)))
            goes_on = _add(before, anchor, CmpiOp(outcome[0], zero, "eq"))
        else:
            goes_on = _add(before, anchor, ConstantOp(IntegerAttr(1, i1)))
        after = Block(arg_types=inner.types)
        condition, latch = ConditionOp(goes_on, *outcome), YieldOp(*(after.args[slot] for slot in inner.slots(header)))
        before.add_op(condition)
        after.add_op(latch)
        loop = WhileOp(values, inner.types, [before], [after])
        inherit_location(anchor, condition, latch, loop)
        block.add_op(loop)
        self.made.append(loop)
        if not exits:
            never = stops.nodes[0]
            return Edge(never, [_add(block, anchor, PoisonOp(a.type)) for a in never.arguments])
        ways = [
            Edge(exit, way.values[: len(exit.arguments)])
            for exit, way in zip(exits, inner.ways(loop.results)[1:], strict=True)
        ]
        for value, result in zip(escaping, loop.results[len(loop.results) - len(escaping) :], strict=True):
            value = self._value(value)
            value.replace_uses_with_if(result, lambda use: not _is_within(use, loop))
            self._known[value] = result
        return dispatch(anchor, loop.results[0], ways, 1)

    def _escaping(self, members: Collection[Node], exits: Sequence[Node]) -> Iterator[SSAValue]:
        """Yields values defined in a loop and used after it, other than as arguments of its exits."""
        behind = [node for node in reachable(exits) if node not in members]
        used = {v for node in behind for edge in node.edges for v in edge.values}
        used |= {node.condition for node in behind if node.condition is not None}
        within = {op for node in members for op in node.ops}
        for node in members:
            for value in (*node.arguments, *(result for op in node.ops for result in op.results)):
                passed = any(_root(use.operation) not in within for use in value.uses)
                if passed or value in used:
                    yield value

    def _mark_exit(self, exit: Node, header: Node, members: Collection[Node], escaping: Sequence[SSAValue]) -> Node:
        """Creates a stop that replaces a node behind the loop, and also receives the escaping values."""
        types = [*(a.type for a in exit.arguments), *(value.type for value in escaping)]
        mark = Node(exit.anchor, list(Block(arg_types=types).args))
        defined = {v: node for node in members for v in (*node.arguments, *(r for op in node.ops for r in op.results))}
        for node in members:
            for edge in node.edges:
                if edge.target is exit:
                    edge.target = mark
                    for value in escaping:
                        is_known = _dominates(defined[value], node, header, members)
                        edge.values.append(value if is_known else node.add(PoisonOp(value.type)))
        return mark


def _stops_of_choice(node: Node, stops: Stops) -> Stops:
    """Returns the stops of both sides of a conditional: those given, or else the node at which both sides join."""
    ends: dict[Node, None] = {}
    for edge in node.edges:
        own = reachable([edge.target], [*stops.nodes, node])
        others = reachable([other.target for other in node.edges if other is not edge], [*stops.nodes, node])
        members = [n for n in own if n not in others]
        ends |= dict.fromkeys(e.target for e in edges_out(members)) if members else {edge.target: None}
    return stops if all(end in stops.nodes for end in ends) else Stops(list(ends))


def _dominates(first: Node, second: Node, header: Node, members: Collection[Node]) -> bool:
    """Returns whether every path from the header of a loop to the second node passes the first one."""
    if first in (header, second):
        return True
    found, pending = set[Node](), [header]
    while pending:
        node = pending.pop()
        if node in found or node is first or node not in members:
            continue
        found.add(node)
        pending += [edge.target for edge in node.edges]
    return second not in found


def _merge_tags(block: Block, outcomes: Sequence[list[SSAValue]]) -> None:
    """Moves the number of the stop in front of a choice, if both sides reach the same one."""
    first, second = (outcome[0].owner for outcome in outcomes)
    if not isinstance(first, ConstantOp) or not isinstance(second, ConstantOp) or first is second:
        return
    if first.value == second.value and (side := first.parent_block()) is not None:
        Rewriter.erase_op(second)
        side.detach_op(first)
        block.add_op(first)
        for outcome in outcomes:
            outcome[0] = first.result


def _add(block: Block, anchor: Operation, op: Operation) -> SSAValue:
    inherit_location(anchor, op)
    block.add_op(op)
    return op.results[0]


def _root(op: Operation) -> Operation:
    """Returns the outermost operation around `op` among those that are not in a block yet."""
    while (around := op.parent_op()) is not None:
        op = around
    return op


def _is_within(use: Use, loop: Operation) -> bool:
    op: Operation | None = use.operation
    while op is not None and op is not loop:
        op = op.parent_op()
    return op is loop
