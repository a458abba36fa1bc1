"""Lowers `xevm.mma`: the lanes hold matrices as the registers of a matrix instruction have them."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import NoneAttr
from xdsl.ir import SSAValue

from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering, lowers
from passes.convert_xegpu_to_xe.lowering.values import Elements
from passes.kernel.register_types import element_count, element_type
from xegpu.dialects.upstream.xevm import MmaOp
from xegpu.dialects.xe import Read, Write, dpas_op
from xegpu.isa.formats import check_dpas_types, operations_per_channel
from xegpu.isa.model import DataType, IllegalInstruction

_PRECISIONS: Mapping[str, DataType] = {
    "bf16": DataType.BF,
    "f16": DataType.HF,
    "s8": DataType.B,
    "u8": DataType.UB,
    "s4": DataType.S4,
    "u4": DataType.U4,
    "tf32": DataType.TF32,
    "f32": DataType.F,
    "s32": DataType.D,
}
"""The types of dpas, by the names of elements in xevm."""


@lowers(MmaOp)
def product(lowering: KernelLowering, op: MmaOp) -> None:
    target, emit, lanes = lowering.target, lowering.emit, lowering.lanes
    m, n, k = (size.data for size in (op.shape.m, op.shape.n, op.shape.k))
    types = op.types
    d, a, b = (_PRECISIONS[name.data] for name in (types.d, types.a, types.b))
    c = d if isinstance(types.c, NoneAttr) else _PRECISIONS[types.c.data]
    try:
        check_dpas_types(d, c, b, a, target)
    except IllegalInstruction as error:
        lowering.refuse(op, f"of {m}x{n}x{k} elements is not supported: {error}")
    engine = target.platform.matrix_engine
    columns, depth = engine.execution_size, engine.depth * operations_per_channel(b, a)
    if not 1 <= m <= engine.max_repeat or n != columns or k != depth or lanes != columns:
        lowering.refuse(
            op,
            f"multiplies {m}x{k} by {k}x{n} elements in subgroups of {lanes}: {target.name} multiplies up to "
            f"{engine.max_repeat} rows of {depth} {types.a.data} by {depth}x{columns} {types.b.data}, "
            f"in subgroups of {columns}",
        )

    def operand(name: str, value: SSAValue, type: DataType, count: int, alignment: int) -> tuple[SSAValue, Read]:
        """Returns a matrix of `count` elements; the registers may have more, which nobody reads."""
        found = lowering.operand(op, value, lanes)
        size = count * type.bits // 8
        if found.size < size or (name != "A" and found.size != size):
            lowering.refuse(op, f"has {found.size} bytes in {name}, and {count} elements of {type.text} take {size}")
        held = emit.aligned(found, min(alignment, target.platform.grf_bytes))
        return held.register, Read(type, held.offset)

    right = operand("B", op.b, b, k * n, target.platform.grf_bytes)
    left = operand("A", op.a, a, m * k, max(k * a.bits // 8, 1))
    start: tuple[SSAValue, Read] | Read = Read(c)
    if op.c is not None:
        start = operand("C", op.c, c, m * n, columns * c.size)
    register = emit.register_type(m * columns * d.size, target.platform.grf_bytes)
    instruction = dpas_op()(columns, m, start, right, left, Write(d), register)
    emit.add(instruction)
    stored = element_type(op.d.type)
    assert stored is not None
    if element_count(op.d.type) * lanes != m * n or stored.size != d.size:
        lowering.refuse(op, f"gives {m}x{n} elements of {types.d.data}, which {lanes} lanes do not hold as {op.d.type}")
    lowering.values[op.d] = Elements(instruction.results[0], stored, m * n, 0, lanes)
