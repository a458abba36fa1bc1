"""The `index` dialect as `arith`, which computes on values of type `index` as well.

Both sides hold an `index` in 64 bits. https://mlir.llvm.org/docs/Dialects/IndexOps/
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from xdsl.dialects import arith
from xdsl.ir import Operation, SSAValue

from passes.support.normal_forms.rewriting import Add, Expansions, constant
from xegpu.dialects.upstream.arith import CmpiOp, DivSIOp, DivUIOp, IndexCastOp, IndexCastUIOp, ShRSIOp, ShRUIOp
from xegpu.dialects.upstream.index import BinaryOp, BoolConstantOp, CastSOp, CastUOp, CmpOp, ConstantOp, SizeOfOp

_BITS = 64
_SAME: Mapping[str, type[Operation]] = {
    "add": arith.AddiOp,
    "and": arith.AndIOp,
    "ceildivs": arith.CeilDivSIOp,
    "ceildivu": arith.CeilDivUIOp,
    "divs": DivSIOp,
    "divu": DivUIOp,
    "floordivs": arith.FloorDivSIOp,
    "maxs": arith.MaxSIOp,
    "maxu": arith.MaxUIOp,
    "mins": arith.MinSIOp,
    "minu": arith.MinUIOp,
    "mul": arith.MuliOp,
    "or": arith.OrIOp,
    "rems": arith.RemSIOp,
    "remu": arith.RemUIOp,
    "shl": arith.ShLIOp,
    "shrs": ShRSIOp,
    "shru": ShRUIOp,
    "sub": arith.SubiOp,
    "xor": arith.XOrIOp,
}
"""Operations of two operands, and their counterparts in `arith`."""
_CASTS: Mapping[str, type[Operation]] = {"casts": IndexCastOp, "castu": IndexCastUIOp}
COUNTERPARTS = {f"index.{name}": kind for name, kind in {**_SAME, **_CASTS}.items()}
"""By operation: the one of `arith` that does the same."""
INDEX = Expansions()
"""`index` operations as `arith` operations on values of type `index`."""


@INDEX.register(BinaryOp)
def _binary(add: Add, op: BinaryOp) -> list[SSAValue]:
    make: Callable[..., Operation] = COUNTERPARTS[op.name]
    return [add(make(op.lhs, op.rhs))]


@INDEX.register(CastSOp, CastUOp)
def _cast(add: Add, op: CastSOp | CastUOp) -> list[SSAValue]:
    make: Callable[..., Operation] = COUNTERPARTS[op.name]
    return [add(make(op.input, op.output.type))]


@INDEX.register(CmpOp)
def _compare(add: Add, op: CmpOp) -> list[SSAValue]:
    return [add(CmpiOp(op.lhs, op.rhs, op.predicate.data.value))]


@INDEX.register(ConstantOp, BoolConstantOp)
def _constant(add: Add, op: ConstantOp | BoolConstantOp) -> list[SSAValue]:
    return [add(arith.ConstantOp(op.value))]


@INDEX.register(SizeOfOp)
def _size(add: Add, op: SizeOfOp) -> list[SSAValue]:
    return [add(constant(op.result.type, _BITS))]
