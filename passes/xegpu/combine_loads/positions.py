"""Distances between blocks of memory, as far as they are known at compile time."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, BlockArgument, OpResult, SSAValue

from passes.support.linear_indices import Linear, linear
from xegpu.dialects.upstream.scf import ForOp
from xegpu.dialects.xegpu import CreateNdDescOp, UpdateNdOffsetOp, descriptor_type

Distance = tuple[Linear, ...]
"""Rows and columns, or columns only."""


class Distances:
    """Computes distances between the blocks of descriptors."""

    def __init__(self) -> None:
        self._known: dict[tuple[SSAValue, SSAValue], Distance | None] = {}
        self._moved: dict[SSAValue, tuple[SSAValue, Distance]] = {}

    def between(self, first: SSAValue, second: SSAValue) -> tuple[int, ...] | None:
        """Returns the distance from the start of the first block to that of the second; None if not constant."""
        distance = self._between(first, second)
        if distance is None or any(entry.terms for entry in distance):
            return None
        return tuple(entry.constant for entry in distance)

    def _between(self, first: SSAValue, second: SSAValue) -> Distance | None:
        first, first_moves = self._root(first)
        second, second_moves = self._root(second)
        distance = self._of_roots(first, second)
        if distance is None:
            return None
        return _plus(_plus(distance, second_moves), first_moves, -1)

    def _of_roots(self, first: SSAValue, second: SSAValue) -> Distance | None:
        if first is second:
            return (Linear(),) * descriptor_type(first).get_num_dims()
        key = (first, second)
        if key not in self._known:
            self._known[key] = None
            self._known[key] = self._find(first, second)
        return self._known[key]

    def _find(self, first: SSAValue, second: SSAValue) -> Distance | None:
        match first, second:
            case OpResult(op=CreateNdDescOp() as a), OpResult(op=CreateNdDescOp() as b):
                return _of_creations(a, b)
            case OpResult(op=ForOp() as a), OpResult(op=ForOp() as b) if a is b:
                arguments = a.body.block.args[1:]
                return self._of_roots(arguments[first.index], arguments[second.index])
            case BlockArgument(owner=Block() as block), BlockArgument() if second.owner is block:
                loop = block.parent_op()
                if isinstance(loop, ForOp) and first.index and second.index:
                    return self._of_carried(loop, first, second)
        return None

    def _root(self, desc: SSAValue) -> tuple[SSAValue, Distance]:
        """Returns the descriptor that another one originates from by updates, and the sum of these updates."""
        updates: list[UpdateNdOffsetOp] = []
        while desc not in self._moved and isinstance(update := desc.owner, UpdateNdOffsetOp):
            updates.append(update)
            desc = update.tensor_desc
        root, moves = self._moved.get(desc, (desc, ()))
        for update in reversed(updates):
            moves = _plus(moves, tuple(map(linear, update.mixed_offsets)))
            self._moved[update.results[0]] = root, moves
        return root, moves

    def _of_carried(self, loop: ForOp, first: BlockArgument, second: BlockArgument) -> Distance | None:
        """Returns the distance of the initial values if both descriptors move alike."""
        end = loop.body.block.last_op
        assert end is not None
        (root, moves), (other, other_moves) = (self._root(end.operands[value.index - 1]) for value in (first, second))
        if root is not first or other is not second or moves != other_moves:
            return None
        starts = loop.iter_args
        return self._between(starts[first.index - 1], starts[second.index - 1])


def _plus(a: Distance, b: Distance, sign: int = 1) -> Distance:
    """Adds a distance and moves, of which none are zero."""
    zeros = (Linear(),) * max(len(a), len(b))
    return tuple(x.plus(y, sign) for x, y in zip(a or zeros, b or zeros, strict=True))


def _of_creations(a: CreateNdDescOp, b: CreateNdDescOp) -> Distance | None:
    if (
        a.source is not b.source
        or not _same(a.mixed_shape, b.mixed_shape)
        or not _same(a.mixed_strides, b.mixed_strides)
    ):
        return None
    distance = _plus(tuple(map(linear, b.mixed_offsets)), tuple(map(linear, a.mixed_offsets)), -1)
    outer = len(distance) - a.tensor_desc.type.get_num_dims()
    if any(entry != Linear() for entry in distance[:outer]):
        return None
    return distance[outer:]


def _same(a: Sequence[SSAValue | int] | None, b: Sequence[SSAValue | int] | None) -> bool:
    """Returns whether two lists of sizes are known to be equal."""
    if a is None or b is None:
        return a is b
    return len(a) == len(b) and all(linear(x) == linear(y) for x, y in zip(a, b, strict=True))
