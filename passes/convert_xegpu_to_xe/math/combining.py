"""Combines two values into one, for reductions and atomic updates."""

from __future__ import annotations

from xdsl.ir import Operation

from passes.convert_xegpu_to_xe.lowering.emitter import XeEmitter
from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering
from passes.convert_xegpu_to_xe.lowering.values import Elements, Number, UniformConstant
from passes.convert_xegpu_to_xe.math.elementwise import extremum
from passes.kernel.register_types import BOOLEAN
from passes.support.vectors.combining import neutral_number
from xegpu.isa.model import Condition, DataType, integer

_INSTRUCTIONS: dict[str, tuple[str, bool, Condition | None]] = {
    "add": ("add", False, None),
    "mul": ("mul", False, None),
    "and": ("and", False, None),
    "or": ("or", False, None),
    "xor": ("xor", False, None),
    "minnumf": ("sel", False, Condition.LT),
    "maxnumf": ("sel", False, Condition.GE),
    "minui": ("sel", False, Condition.LT),
    "maxui": ("sel", False, Condition.GE),
    "minsi": ("sel", True, Condition.LT),
    "maxsi": ("sel", True, Condition.GE),
}
"""By kind: the instruction, whether it reads signed integers, and its condition."""
_PROPAGATING = {"minimumf": False, "maximumf": True}
"""Extrema that propagate NaN, and whether they are maxima."""
_ONE_BIT = {"add": "xor", "mul": "and"}


def combine(emit: XeEmitter, kind: str, type: DataType, a: Number, b: Number, count: int) -> Elements:
    """Returns `count` pairs of elements, combined by a kind of `vector.reduction` or `gpu.all_reduce`."""
    if kind in _PROPAGATING:
        return extremum(emit, type, a, b, count, maximum=_PROPAGATING[kind])
    mnemonic, is_signed, condition = _INSTRUCTIONS[_ONE_BIT.get(kind, kind) if type is BOOLEAN else kind]
    computed = type if type.is_float or type is BOOLEAN else integer(type.bits, is_signed)
    operands = [_as_type(n, computed) for n in (a, b)]
    result = emit.alu(mnemonic, computed, operands, count, condition=condition).as_type(type)
    lanes = max((n.lanes for n in (a, b) if isinstance(n, Elements)), default=1)
    return Elements(result.register, type, count, result.offset, lanes)


def _as_type(number: Number, type: DataType) -> Number:
    return UniformConstant(type, number.value) if isinstance(number, UniformConstant) else number.as_type(type)


def identity(kind: str, type: DataType) -> UniformConstant:
    """Returns the neutral element of a kind of combination."""
    if type is BOOLEAN:
        return UniformConstant(type, -neutral_number(kind, 1))
    return UniformConstant(type, neutral_number(kind, type.bits, is_float=type.is_float))


def reduce_rows(emit: XeEmitter, kind: str, rows: Elements, count: int) -> Elements:
    """Returns rows of `count` elements combined into one row, by combining the two halves until one row is left."""
    total = rows.count // count
    rest: Elements | None = None
    while total > 1:
        half = total // 2
        if total % 2:
            last = rows.part((total - 1) * count, count)
            rest = last if rest is None else combine(emit, kind, rows.type, rest, last, count)
        first, second = rows.part(0, half * count), rows.part(half * count, half * count)
        rows = combine(emit, kind, rows.type, first, second, half * count)
        total = half
    return rows if rest is None else combine(emit, kind, rows.type, rows, rest, count)


def check_kind(lowering: KernelLowering, op: Operation, kind: str, type: DataType) -> None:
    """Refuses minima and maxima of i1, whose order depends on the signedness that one reads them with."""
    if type is BOOLEAN and kind not in ("add", "mul", "and", "or", "xor"):
        lowering.refuse(op, f"{kind} of i1 is not supported")
