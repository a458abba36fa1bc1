"""Finds the origins of the numbers that a kernel uses as addresses: its arguments, or memory."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.dialects.vector import TransferReadOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.traits import MemoryReadEffect

from passes.support.control_flow import branch_operands, operations_in
from xegpu.dialects import xegpu
from xegpu.dialects.upstream import memref, vector
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.upstream.llvm import LoadOp

_DESCRIPTORS = frozenset({xegpu.CreateNdDescOp, xegpu.CreateDescOp})

READERS: frozenset[type[Operation]] = frozenset(
    {
        *(LoadOp, memref.LoadOp, memref.PrefetchOp),
        *(xegpu.LoadOp, xegpu.LoadNdOp, xegpu.PrefetchOp, xegpu.PrefetchNdOp),
        *(vector.ExpandLoadOp, vector.GatherOp, vector.LoadOp, vector.MaskedLoadOp, TransferReadOp),
    }
)
"""Operations that read memory and return what they read."""


@dataclass(frozen=True)
class AddressSources:
    """`arguments` of the kernel that addresses are made of; `from_memory` counts descriptors of addresses loaded."""

    arguments: frozenset[SSAValue]
    from_memory: int


def address_sources(function: FuncOp) -> AddressSources:
    """Returns the origins of the numbers that descriptors are made of."""
    operations = operations_in(function.body)
    passed: dict[SSAValue, list[SSAValue]] = {}
    for op in operations:
        for argument, operand in branch_operands(op):
            passed.setdefault(argument, []).append(operand)
    arguments: set[SSAValue] = set()
    from_memory = 0
    for op in operations:
        if type(op) in _DESCRIPTORS and isinstance(op.operands[0].type, IntegerType | IndexType):
            sources, loads = _origins(op.operands[0], passed)
            arguments |= sources & set(function.arguments)
            from_memory += loads
    return AddressSources(frozenset(arguments), from_memory)


def _origins(value: SSAValue, passed: dict[SSAValue, list[SSAValue]]) -> tuple[set[SSAValue], bool]:
    """Returns the block arguments that a number depends on, and whether it depends on memory."""
    seen: set[SSAValue] = set()
    pending, loads = [value], False
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        if isinstance(value, BlockArgument):
            pending += passed.get(value, ())
        elif isinstance(value.owner, Operation):
            if type(value.owner) in READERS or value.owner.has_trait(MemoryReadEffect):
                loads = True
            else:
                pending += value.owner.operands
    return seen, loads
