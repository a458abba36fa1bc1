"""Imports block reads and writes of images: rows of bytes that the lanes of a subgroup share, whatever the format is.

Element i of a block, row after row, is component i / lanes of lane i % lanes. Rows of bytes are found in the state of
the image. Reads outside of the image give what stands at its edge, in whole units of four bytes; writes there do
nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import VectorType, i64
from xdsl.dialects.cf import BranchOp, ConditionalBranchOp
from xdsl.dialects.llvm import IntToPtrOp
from xdsl.ir import Attribute, Block, SSAValue
from xdsl.utils.type import get_element_type_or_self

from passes.frontends.llvm.functions.groups.lanes import lane_number
from passes.frontends.llvm.functions.images.objects import components, image_type
from passes.frontends.llvm.importer.builder import i8, i32
from passes.frontends.llvm.importer.calls import Call, builtin, builtins_like
from xegpu.dialects.image import ImageShape, StateOp
from xegpu.dialects.upstream.arith import CmpiOp, DivUIOp, ExtSIOp, ExtUIOp, ShRUIOp
from xegpu.dialects.upstream.llvm import LoadOp, StoreOp
from xegpu.dialects.upstream.vector import ExtractOp, FromElementsOp
from xegpu.isa.model import LAYOUTS, SURFACE_OFFSETS

_UNIT = 4
"""The bytes in which reads are kept inside of an image."""

_SHIFTS = sum((layout.texel_bytes.bit_length() - 1) << 4 * number for number, layout in enumerate(LAYOUTS))
"""The binary logarithms of the bytes of texels, four bits for each layout."""


@dataclass(frozen=True)
class _Surface:
    """An image as rows of bytes: its first byte, and bytes from row to row, of 64 bits; bytes of a row, and rows."""

    base: SSAValue
    pitch: SSAValue
    row_bytes: SSAValue
    rows: SSAValue


def _surface(call: Call) -> _Surface:
    image, builder = call.value(0), call.builder
    form = image_type(call, image).form
    if form is not ImageShape.IMAGE_2D:
        builder.error(f"calls '{call.name}' with an image of type {form.value}: blocks are of image2d")
    state = builder.verified(StateOp(image))

    def field(name: str, type: Attribute, size: int) -> SSAValue:
        return builder.add(LoadOp(builder.offset(state, SURFACE_OFFSETS[name]), type, size))

    layout = builder.add(ExtUIOp(field("layout", i8, 1), i64))
    shifts = builder.add(ShRUIOp(builder.i64(_SHIFTS), builder.add(arith.ShLIOp(layout, builder.i64(2)))))
    shift = builder.add(arith.AndIOp(shifts, builder.i64(15)))
    width = builder.add(ExtUIOp(field("width", i32, 4), i64))
    return _Surface(
        field("base", i64, 8),
        field("row_pitch", i64, 8),
        builder.add(arith.ShLIOp(width, shift)),
        builder.add(ExtUIOp(field("height", i32, 4), i64)),
    )


def _elements(call: Call, type: Attribute, width: int) -> Iterator[tuple[SSAValue, SSAValue]]:
    """Yields the byte in its row, and the row, of each component of a lane."""
    builder, lanes = call.builder, call.importer.lanes
    x, y = (builder.add(ExtSIOp(each, i64)) for each in components(call, call.value(1), 2))
    lane = builder.add(ExtUIOp(lane_number(call), i64))
    for component in range(type.element_count() if isinstance(type, VectorType) else 1):
        number = builder.add(arith.AddiOp(lane, builder.i64(component * lanes)))
        row = builder.add(DivUIOp(number, builder.i64(width)))
        column = builder.add(arith.RemUIOp(number, builder.i64(width)))
        byte = builder.add(arith.MuliOp(column, builder.i64(call.element_bytes(type))))
        yield builder.add(arith.AddiOp(x, byte)), builder.add(arith.AddiOp(y, row))


def _pointer(call: Call, surface: _Surface, byte: SSAValue, row: SSAValue) -> SSAValue:
    builder = call.builder
    start = builder.add(arith.AddiOp(surface.base, builder.add(arith.MuliOp(row, surface.pitch))))
    address = builder.add(arith.AddiOp(start, byte))
    return builder.add(IntToPtrOp.create(operands=[address], result_types=[StateOp.POINTER]))


def _inside(call: Call, value: SSAValue, last: SSAValue) -> SSAValue:
    """Returns a number clamped to 0 and the last one."""
    return call.builder.add(arith.MaxSIOp(call.builder.add(arith.MinSIOp(value, last)), call.builder.i64(0)))


def read_block(call: Call, width: int) -> SSAValue:
    """Reads a block whose rows have `width` elements."""
    builder, surface, size = call.builder, _surface(call), call.element_bytes(call.type)
    end = builder.add(arith.SubiOp(surface.row_bytes, builder.i64(max(size, _UNIT))))
    last_unit = builder.add(arith.AndIOp(end, builder.i64(-_UNIT)))
    last_row = builder.add(arith.SubiOp(surface.rows, builder.i64(1)))
    parts = []
    for x, y in _elements(call, call.type, width):
        unit = _inside(call, builder.add(arith.AndIOp(x, builder.i64(-_UNIT))), last_unit)
        byte = builder.add(arith.OrIOp(unit, builder.add(arith.AndIOp(x, builder.i64(_UNIT - 1)))))
        pointer = _pointer(call, surface, byte, _inside(call, y, last_row))
        parts.append(builder.add(LoadOp(pointer, get_element_type_or_self(call.type), min(size, _UNIT))))
    return builder.add(FromElementsOp(parts, call.type)) if isinstance(call.type, VectorType) else parts[0]


def write_block(call: Call, value: SSAValue, width: int) -> None:
    """Writes a block whose rows have `width` elements."""
    builder, surface, size = call.builder, _surface(call), call.element_bytes(value.type)
    limit = builder.add(arith.SubiOp(surface.row_bytes, builder.i64(size - 1)))
    region = builder.block.parent
    assert region is not None
    for component, (x, y) in enumerate(_elements(call, value.type, width)):
        part = builder.add(ExtractOp(value, [component])) if isinstance(value.type, VectorType) else value
        # Numbers below zero are large without a sign; an image has a row, but perhaps no room for an element.
        fits = builder.add(CmpiOp(limit, builder.i64(0), "sgt"))
        across, down = builder.add(CmpiOp(x, limit, "ult")), builder.add(CmpiOp(y, surface.rows, "ult"))
        is_inside = builder.add(arith.AndIOp(fits, builder.add(arith.AndIOp(across, down))))
        inside, after = Block(), Block()
        region.add_block(inside)
        region.add_block(after)
        builder.insert(ConditionalBranchOp(is_inside, inside, [], after, []))
        builder.block = inside
        builder.insert(StoreOp(part, _pointer(call, surface, x, y), min(size, _UNIT)))
        builder.insert(BranchOp(after))
        builder.block = after


@builtin("__spirv_SubgroupImageBlockReadINTEL")
def read(call: Call) -> SSAValue:
    return read_block(call, call.importer.lanes)


@builtin("__spirv_SubgroupImageBlockWriteINTEL")
def write(call: Call) -> None:
    write_block(call, call.value(2), call.importer.lanes)


_MEDIA = "_(?:uc|us|ui|ul)(?:2|4|8|16)?"


@builtins_like(f"intel_sub_group_media_block_read{_MEDIA}")
@builtin("__spirv_SubgroupImageMediaBlockReadINTEL")
def read_media(call: Call) -> SSAValue:
    return read_block(call, _width(call))


@builtins_like(f"intel_sub_group_media_block_write{_MEDIA}")
@builtin("__spirv_SubgroupImageMediaBlockWriteINTEL")
def write_media(call: Call) -> None:
    write_block(call, call.value(4), _width(call))


def _width(call: Call) -> int:
    """Returns the elements of a row; the number of rows follows from those that lanes hold."""
    width, height = call.number(2), call.number(3)
    if not width > 0 or not height > 0:
        call.builder.error(f"calls '{call.name}' with a block of {width} x {height} elements")
    return width
