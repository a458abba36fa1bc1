"""The `index` dialect as `arith`, which computes on values of type `index` as well.

Both sides hold an `index` in 64 bits. https://mlir.llvm.org/docs/Dialects/IndexOps/
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from xdsl.dialects import arith
from xdsl.ir import Operation, SSAValue

from passes.support.normal_forms.rewriting import Add, Expansion, Expansions, constant
from xegpu.dialects.upstream.arith import CmpiOp, DivSIOp, DivUIOp, IndexCastOp, IndexCastUIOp, ShRSIOp, ShRUIOp
from xegpu.dialects.upstream.index import BoolConstantOp, CmpOp, ConstantOp

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


def _with(make: Callable[..., Operation]) -> Expansion:
    return lambda op, add: [add(make(*op.operands))]


def _cast(make: Callable[..., Operation]) -> Expansion:
    return lambda op, add: [add(make(op.operands[0], op.results[0].type))]


def _compare(op: Operation, add: Add) -> list[SSAValue]:
    assert isinstance(op, CmpOp)
    return [add(CmpiOp(op.lhs, op.rhs, op.predicate.data.value))]


def _constant(op: Operation, add: Add) -> list[SSAValue]:
    assert isinstance(op, ConstantOp | BoolConstantOp)
    return [add(arith.ConstantOp(op.value))]


def _size(op: Operation, add: Add) -> list[SSAValue]:
    return [add(constant(op.results[0].type, _BITS))]


EXPANSIONS: Expansions = {
    **{f"index.{name}": _with(make) for name, make in _SAME.items()},
    **{f"index.{name}": _cast(make) for name, make in _CASTS.items()},
    "index.bool.constant": _constant,
    "index.cmp": _compare,
    "index.constant": _constant,
    "index.sizeof": _size,
}
