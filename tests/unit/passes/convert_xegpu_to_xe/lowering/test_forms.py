"""Tests of the forms in which values pass from block to block."""

from __future__ import annotations

import pytest
from xdsl.context import Context
from xdsl.ir import Block
from xdsl.parser import Parser

from passes.convert_xegpu_to_xe.lowering.conversions import LaneConversions
from passes.convert_xegpu_to_xe.lowering.emitter import XeEmitter
from passes.convert_xegpu_to_xe.lowering.forms import BlockForm, block_form
from passes.convert_xegpu_to_xe.lowering.values import Elements, MemRef, UniformConstant
from passes.kernel.memories import MessageMemory
from xegpu.dialects import register_dialects
from xegpu.isa.model import DataType
from xegpu.targets import PVC

LANES = 16


def form_of(type: str, *, lanes: int = 1, legal: bool | None = None) -> BlockForm | None:
    context = Context()
    register_dialects(context)
    block = Block(arg_types=[Parser(context, type).parse_type()])
    return block_form(block.args[0], lanes, lambda _: legal)


@pytest.mark.parametrize(
    ("type", "lanes", "legal", "sizes"),
    [
        ("f32", 1, None, [4]),
        ("f32", LANES, None, [64]),
        ("i1", 1, None, [2]),
        ("vector<8x16xf16>", 1, None, [256]),
        ("vector<8x1xf32>", LANES, None, [512]),
        ("!llvm.ptr<1>", 1, None, [8]),
        ("!llvm.ptr<3>", 1, None, [4]),
        ("memref<4x8xf32>", 1, None, [8]),
        ("memref<?x8x?xf32>", 1, None, [8, 8, 8, 8, 8]),
        ("memref<?xf32, strided<[?]>, 3>", 1, None, [4, 8, 8]),
        ("!xegpu.tensor_desc<32xf32>", 1, None, [8, 8, 8]),
        ("!xegpu.tensor_desc<32xf32>", 1, True, [8]),
        ("!xegpu.tensor_desc<8x16xf16>", 1, True, [64]),
        ("!xegpu.tensor_desc<8x16xf16>", 1, False, [64]),
        ("!xegpu.tensor_desc<8x16xf16>", 1, None, [64, 2]),
        ("!xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<chunk_size = 1>>", 1, None, [128]),
    ],
)
def test_values_come_out_of_the_registers_that_they_go_into(
    type: str, lanes: int, legal: bool | None, sizes: list[int]
) -> None:
    """The value of an argument is passed on without an instruction."""
    form = form_of(type, lanes=lanes, legal=legal)
    assert form is not None
    emit = XeEmitter(PVC, Block())
    types = form.register_types(emit)
    assert [register.size.data for register in types] == sizes
    registers = list(Block(arg_types=types).args)
    value = form.from_registers(registers)
    assert form.to_registers(value, LaneConversions(emit, LANES)) == registers
    assert not list(emit.block.ops)


def test_constants_go_into_registers() -> None:
    form = form_of("vector<4xf32>")
    assert form is not None
    emit = XeEmitter(PVC, Block())
    registers = form.to_registers(UniformConstant(DataType.F, 1.5), LaneConversions(emit, LANES))
    assert registers is not None and [register.type for register in registers] == form.register_types(emit)
    assert [op.name for op in emit.block.ops] == ["xe.mov"]


def test_buffers_in_another_memory_have_another_form() -> None:
    form = form_of("memref<4xf32>")
    assert form is not None
    emit = XeEmitter(PVC, Block())
    (register,) = Block(arg_types=[emit.register_type(4)]).args
    one = UniformConstant(DataType.UQ, 1)
    buffer = MemRef(Elements(register, DataType.UD, 1), (one,), (one,), DataType.F, MessageMemory.PRIVATE)
    assert form.to_registers(buffer, LaneConversions(emit, LANES)) is None


@pytest.mark.parametrize("type", ["memref<*xf32>", "!llvm.struct<(i32, f32)>", "vector<[4]xf32>"])
def test_blocks_take_no_values_of_other_types(type: str) -> None:
    assert form_of(type) is None
