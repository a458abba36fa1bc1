"""Which operations of a loop are done ahead, in an earlier turn, and which are left."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from xdsl.dialects.builtin import IndexType, IntegerType, MemRefType, VectorType
from xdsl.dialects.scf import ForOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.traits import ConstantLike, is_side_effect_free
from xdsl.utils.hints import isa

from xegpu.dialects.xegpu import TensorDescType


@dataclass(frozen=True)
class Stages:
    """The two parts of a loop's body; what computes addresses may be in both.

    `ahead` are the operations that are done some turns earlier, which need the carried values with the numbers in
    `ahead_carried`; `rest` is done at its time, with the carried values in `rest_carried` and with `loaded`, which come
    from `ahead`. Operations are in the order of the body.
    """

    ahead: list[Operation]
    ahead_carried: list[int]
    rest: list[Operation]
    rest_carried: list[int]
    loaded: list[SSAValue]


def find_stages(loop: ForOp, is_movable: Callable[[Operation], bool]) -> Stages | None:
    """Puts loads ahead whose addresses do not depend on what the loop computes otherwise; None if there are none."""
    block = loop.body.block
    ahead: set[Operation] = set()
    ahead_carried: set[int] = set()
    loads: set[SSAValue] = set()
    for op in block.ops:
        if op.results and is_movable(op) and not op.regions:
            needed = _Needed(loop)
            needed.operation(op)
            if all(is_movable(o) or _computes_address(o) for o in needed.operations):
                ahead |= needed.operations
                ahead_carried |= needed.carried
                loads.update(op.results)
    if not loads:
        return None
    rest = _Needed(loop, leaves=loads)
    for op in block.ops:
        if not is_side_effect_free(op) and op is not block.last_op and loads.isdisjoint(op.results):
            rest.operation(op)
    for index, result in enumerate(loop.results):
        if any(result.uses):
            rest.argument(index)
    loaded = [value for value in _defined(block) if value in rest.found_leaves]
    return Stages(
        [op for op in block.ops if op in ahead],
        sorted(ahead_carried),
        [op for op in block.ops if op in rest.operations],
        sorted(rest.carried),
        loaded,
    )


def _defined(block: Block) -> Iterator[SSAValue]:
    for op in block.ops:
        yield from op.results


class _Needed:
    """Operations of a loop's body and carried values that something needs, in this turn or in those before."""

    def __init__(self, loop: ForOp, leaves: set[SSAValue] | None = None):
        self._block = loop.body.block
        self._leaves = leaves or set()
        self.operations: set[Operation] = set()
        self.carried: set[int] = set()
        self.found_leaves: set[SSAValue] = set()

    def operation(self, op: Operation) -> None:
        """Adds an operation and what it needs."""
        pending = [op]
        self.operations.add(op)
        while pending:
            for inner in pending.pop().walk():
                for value in inner.operands:
                    self._value(value, pending)

    def argument(self, index: int) -> None:
        """Adds a carried value and what it needs."""
        pending: list[Operation] = []
        self._value(self._block.args[1 + index], pending)
        for op in pending:
            self.operation(op)

    def _value(self, value: SSAValue, pending: list[Operation]) -> None:
        while True:
            if value in self._leaves:
                self.found_leaves.add(value)
                return
            owner = value.owner
            if isinstance(owner, Operation):
                if owner.parent is self._block and owner not in self.operations:
                    self.operations.add(owner)
                    pending.append(owner)
                return
            index = owner.args.index(value) - 1 if owner is self._block else -1
            if index < 0 or index in self.carried:
                return
            self.carried.add(index)
            end = self._block.last_op
            assert end is not None
            value = end.operands[index]


def _computes_address(op: Operation) -> bool:
    """Whether an operation may be done twice: it has no effects, and gives what addresses are made of."""
    if op.has_trait(ConstantLike):
        return True
    return is_side_effect_free(op) and not op.regions and all(_is_place(result.type) for result in op.results)


def _is_place(type: Attribute) -> bool:
    if isa(type, VectorType):
        type = type.get_element_type()
    return isinstance(type, IndexType | IntegerType | MemRefType | TensorDescType)
