"""Unranked memrefs as kernel arguments: the parts of their descriptors that a kernel reads, and how they are passed."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import MemRefType, UnrankedMemRefType
from xdsl.dialects.memref import DimOp
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.traits import ConstantLike

from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.memref import CastOp, MemorySpaceCastOp, RankOp, ReinterpretCastOp

ALLOWED = frozenset({CastOp, DimOp, MemorySpaceCastOp, RankOp, ReinterpretCastOp})
"""The operations of kernels that take unranked memrefs."""

MOST_DIMENSIONS = 8
"""The number of dimensions that are passed if the kernel asks for the size of an unknown one."""


@dataclass(frozen=True)
class UnrankedUse:
    """The part of a descriptor that a kernel reads.

    Attributes:
        dimensions: The number of dimensions of which it reads sizes and strides.
        asks_rank: Whether it reads the rank. Otherwise, it takes memrefs of `dimensions` dimensions only.

    """

    dimensions: int
    asks_rank: bool

    @property
    def parts(self) -> list[str]:
        """The names of the values that follow the pointer."""
        numbers = range(self.dimensions)
        return [*(["rank"] if self.asks_rank else []), *(f"size{n}" for n in numbers), *(f"stride{n}" for n in numbers)]


def unranked_use(argument: SSAValue) -> UnrankedUse:
    """Returns the parts of an unranked memref that a kernel reads. Raises `CompileError` where it is used otherwise."""
    ranks: set[int] = set()
    dimensions, asks_rank = 0, False
    pending = [argument]
    while pending:
        for use in pending.pop().uses:
            op = use.operation
            check_unranked(op)
            match op:
                case RankOp():
                    asks_rank = True
                case DimOp():
                    asks_rank = True
                    dimensions = max(dimensions, _dimension(op))
                case CastOp(dest=OpResult(type=MemRefType() as type)):
                    ranks.add(type.get_num_dims())
                case MemorySpaceCastOp():
                    pending += op.results
    return UnrankedUse(max(dimensions, *ranks, 0), asks_rank or len(ranks) != 1)


def check_unranked(op: Operation) -> None:
    """Raises `CompileError` for an operation that a kernel cannot apply to unranked memrefs."""
    if type(op) in ALLOWED:
        return
    for operand in op.operands:
        if type(operand.type) is UnrankedMemRefType:
            raise CompileError(op, f"of {operand.type} is not supported in a kernel: cast it to a ranked memref first")


def _dimension(op: DimOp) -> int:
    """Returns the number of dimensions that `memref.dim` needs."""
    constant = ConstantLike.get_constant_value(op.index)
    value = getattr(getattr(constant, "value", None), "data", None)
    return MOST_DIMENSIONS if not isinstance(value, int) else min(max(value, 0) + 1, MOST_DIMENSIONS)
