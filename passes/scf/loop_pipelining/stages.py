"""Splits a loop body into the operations that execute ahead, in an earlier iteration, and all others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from xdsl.dialects.builtin import IndexType, IntegerType, MemRefType, VectorType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.traits import ConstantLike, is_side_effect_free
from xdsl.utils.hints import isa

from passes.support.loops.slices import Needed, needed_by_others
from xegpu.dialects.upstream.scf import ForOp
from xegpu.dialects.xegpu import TensorDescType


@dataclass(frozen=True)
class Stages:
    """The two parts of a loop body; address computations may be in both.

    The operations in `ahead` execute some iterations earlier, with the loop-carried values numbered `ahead_carried`;
    those in `rest` execute in their own iteration, with the loop-carried values numbered `rest_carried` and the values
    `loaded` by `ahead`. Operations are in the order of the body.
    """

    ahead: list[Operation]
    ahead_carried: list[int]
    rest: list[Operation]
    rest_carried: list[int]
    loaded: list[SSAValue]


def find_stages(loop: ForOp, is_movable: Callable[[Operation], bool]) -> Stages | None:
    """Puts loads ahead whose addresses do not depend on the rest of the loop. Returns None if there are none."""
    block = loop.body.block
    ahead: set[Operation] = set()
    ahead_carried: set[int] = set()
    loads: set[SSAValue] = set()
    for op in block.ops:
        if op.results and is_movable(op) and not op.regions:
            needed = Needed(loop)
            needed.operation(op)
            if all(is_movable(o) or _computes_address(o) for o in needed.operations):
                ahead |= needed.operations
                ahead_carried |= needed.carried
                loads.update(op.results)
    if not loads:
        return None
    rest = needed_by_others(loop, loads)
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


def _computes_address(op: Operation) -> bool:
    """Returns whether an operation may execute twice: it has no effects and computes parts of addresses."""
    if op.has_trait(ConstantLike):
        return True
    return is_side_effect_free(op) and not op.regions and all(_is_place(result.type) for result in op.results)


def _is_place(type: Attribute) -> bool:
    if isa(type, VectorType):
        type = type.get_element_type()
    return isinstance(type, IndexType | IntegerType | MemRefType | TensorDescType)
