"""Accesses tiles row by row with gathers and scatters, for surfaces that violate the rules of block-2D messages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.ir import SSAValue

from passes.convert_xegpu_to_xe.lowering.gpu_ids import counting
from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering
from passes.convert_xegpu_to_xe.lowering.values import Elements, Number, UniformConstant
from passes.convert_xegpu_to_xe.memory.descriptors.block_descriptors import (
    HEIGHT_BYTE,
    PITCH_BYTE,
    WIDTH_BYTE,
    X_BYTE,
    Y_BYTE,
)
from passes.convert_xegpu_to_xe.memory.descriptors.tile_layout import Tile
from passes.convert_xegpu_to_xe.memory.lane_messages import gather, lane_message, scatter
from passes.kernel.register_types import BOOLEAN
from xegpu.isa.model import CacheControl, Condition, DataType, data_bytes, integer


@dataclass(frozen=True)
class Stretch:
    """`count` neighboring elements of one row in `lanes` lanes: addresses, and the lanes whose elements are inside."""

    addresses: Elements
    inside: Elements
    block: int
    row: int
    column: int
    count: int
    lanes: int

    def elements(self, tile: Tile) -> list[int]:
        """The positions in the register layout of the elements."""
        return [tile.place(self.block, self.row, self.column + c) for c in range(self.count)]


def _stretches(lowering: KernelLowering, payload: SSAValue, tile: Tile) -> Iterator[Stretch]:
    emit, quad, unsigned = lowering.emit, DataType.Q, DataType.UQ

    def size_field(byte: int, type: DataType) -> Elements:
        # In 32 bits, so that an empty surface, whose size minus one has wrapped, is empty again.
        size = emit.alu("add", type, [Elements(payload, type, 1, byte), UniformConstant(type, 1)], 1)
        return emit.unary("mov", quad, size, 1)

    most = lowering.target.platform.gather_lanes
    base = Elements(payload, unsigned, 1, 0)
    width, height = (size_field(byte, DataType.UD).as_type(unsigned) for byte in (WIDTH_BYTE, HEIGHT_BYTE))
    pitch = size_field(PITCH_BYTE, DataType.D)
    x = Elements(payload, DataType.D, 1, X_BYTE)
    start = emit.alu("mul", quad, [x, UniformConstant(quad, tile.size)], 1)
    step = emit.alu("mul", quad, [counting(lowering, most, quad), UniformConstant(quad, tile.size)], most)
    for block in range(tile.count):
        for column in range(0, tile.columns, most):
            count = min(most, tile.columns - column)
            lanes = 1 << (count - 1).bit_length()
            first = emit.alu(
                "add", quad, [start, UniformConstant(quad, (block * tile.columns + column) * tile.size)], 1
            )
            place = emit.alu("add", quad, [step.part(0, lanes), first], lanes)
            # One unsigned comparison sees both ends: a negative place is a huge number.
            columns_inside = _below(lowering, place.as_type(unsigned), width, lanes)
            if lanes != count:
                end = UniformConstant(unsigned, count * tile.size)
                used = _below(lowering, step.part(0, lanes).as_type(unsigned), end, lanes)
                columns_inside = emit.alu("and", BOOLEAN, [columns_inside, used], lanes)
            for row in range(tile.rows):
                y = emit.alu("add", quad, [Elements(payload, DataType.D, 1, Y_BYTE), UniformConstant(quad, row)], 1)
                row_inside = _below(lowering, y.as_type(unsigned), height, 1)
                inside = emit.alu("and", BOOLEAN, [columns_inside, row_inside], lanes)
                row_start = emit.alu("mad", unsigned, [y, pitch, base], 1)
                addresses = emit.alu(
                    "add", unsigned, [place, row_start], lanes, alignment=lowering.target.platform.grf_bytes
                )
                yield Stretch(addresses, inside, block, row, column, count, lanes)


def _below(lowering: KernelLowering, value: Number, limit: Number, lanes: int) -> Elements:
    return lowering.emit.alu("cmp", BOOLEAN, [value, limit], lanes, condition=Condition.LT)


def load(lowering: KernelLowering, payload: SSAValue, tile: Tile, cache: CacheControl) -> SSAValue:
    """Returns the tile's register layout; elements outside the surface are zero."""
    emit, grf = lowering.emit, lowering.target.platform.grf_bytes
    message = lane_message(tile.size, cache)
    lane_type = integer(message.data_size.register_bytes * 8, signed=False)
    register = emit.undefined(tile.elements * tile.size, grf)
    for stretch in _stretches(lowering, payload, tile):
        returned = data_bytes(message, stretch.lanes, grf, lowering.target.platform.physical_simd_width)
        zeros = emit.alu("mov", lane_type, [UniformConstant(lane_type, 0)], returned // lane_type.size, alignment=grf)
        flag = emit.flag(stretch.inside, 0, stretch.lanes)
        register = gather(
            emit,
            message,
            stretch.addresses.register,
            stretch.lanes,
            register,
            stretch.elements(tile),
            flag=flag,
            zeros=zeros.register,
        )
    return register


def store(lowering: KernelLowering, payload: SSAValue, tile: Tile, value: Elements, cache: CacheControl) -> None:
    """Stores the elements that lie inside the surface."""
    emit, message = lowering.emit, lane_message(tile.size, cache)
    for stretch in _stretches(lowering, payload, tile):
        flag = emit.flag(stretch.inside, 0, stretch.lanes)
        places = stretch.elements(tile)
        scatter(emit, message, stretch.addresses.register, stretch.lanes, value, places, flag=flag)
