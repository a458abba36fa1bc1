"""Products of matrices (`llvm.genx.dpas`): operands are the registers that the matrix engine reads."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import SSAValue

from passes.convert_xegpu_to_xe.lowering.intrinsics import IntrinsicCall, lowers_intrinsic
from passes.convert_xegpu_to_xe.lowering.values import Elements
from xegpu.dialects.xe import Read, Write, dpas_op
from xegpu.isa.formats import check_dpas_types, operations_per_channel
from xegpu.isa.model import DataType, IllegalInstruction

_PRECISIONS: Mapping[int, DataType] = {
    3: DataType.U2,
    4: DataType.S2,
    5: DataType.U4,
    6: DataType.S4,
    7: DataType.UB,
    8: DataType.B,
    9: DataType.BF,
    10: DataType.HF,
    12: DataType.TF32,
}
"""The elements of A and B, by their number."""


@lowers_intrinsic("llvm.genx.dpas2")
def multiply_add(call: IntrinsicCall) -> Elements:
    return _product(call, 0, *(call.constant(index) for index in (3, 4, 6)))


@lowers_intrinsic("llvm.genx.dpas")
def multiply_add_packed(call: IntrinsicCall) -> Elements:
    return _product(call, 0, *_packed(call, 3))


@lowers_intrinsic("llvm.genx.dpas.nosrc0")
def multiply(call: IntrinsicCall) -> Elements:
    return _product(call, None, *_packed(call, 2))


def _packed(call: IntrinsicCall, index: int) -> tuple[int, int, int]:
    """Returns the elements of B and of A, and the rows, which are the bytes of a word."""
    word = call.constant(index)
    return word & 0xFF, word >> 8 & 0xFF, word >> 24


def _product(call: IntrinsicCall, accumulator: int | None, of_b: int, of_a: int, rows: int) -> Elements:
    """Returns A * B, plus the accumulator that is argument number `accumulator`; B and A are those behind it."""
    emit, platform, stored = call.emit, call.emit.target.platform, call.result_element
    b, a = (_PRECISIONS.get(number) for number in (of_b, of_a))
    if b is None or a is None or platform.dpas is None:
        call.refuse(f"multiplies elements of kinds {of_a} and {of_b}: {emit.target.name} has no such product")
    columns = platform.dpas.execution_size
    if call.result_count != rows * columns:
        call.refuse(f"gives {rows} rows: on {emit.target.name}, they have {columns} elements, not {call.result_type}")
    result = a if stored.bits == a.bits == _NARROW else {DataType.UD: DataType.D}.get(stored, stored)
    try:
        check_dpas_types(result, result, b, a, emit.target)
    except IllegalInstruction as error:
        call.refuse(f"is not supported: {error}")
    depth = platform.dpas.depth * operations_per_channel(b, a)

    def operand(index: int, type: DataType, count: int, alignment: int) -> tuple[SSAValue, Read]:
        found, size = call.elements(index), count * type.bits // 8
        if found.size != size:
            call.refuse(f"has {found.size} bytes as argument {index + 1}: {count} elements of {type.text} take {size}")
        held = emit.aligned(found, min(alignment, platform.grf_bytes))
        return held.register, Read(type, held.offset)

    start: tuple[SSAValue, Read] | Read = Read(result)
    first = 0
    if accumulator is not None:
        first = accumulator + 1
        added = call.number(accumulator)
        if isinstance(added, Elements) or added.bits:
            start = operand(accumulator, result, rows * columns, columns * result.size)
    right = operand(first, b, depth * columns, platform.grf_bytes)
    left = operand(first + 1, a, rows * depth, depth * a.bits // 8)
    register = emit.register_type(rows * columns * result.size, platform.grf_bytes)
    instruction = dpas_op()(columns, rows, start, right, left, Write(result), register)
    emit.add(instruction)
    return Elements(instruction.results[0], stored, rows * columns)


_NARROW = 16
"""The bits of accumulators and results that have the type of the factors."""
