"""2-D access row by row with gathers and scatters, for surfaces that break the rules of block-2D messages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.ir import SSAValue

from passes.convert_xegpu_to_xe.descriptors import HEIGHT_BYTE, PITCH_BYTE, WIDTH_BYTE, X_BYTE, Y_BYTE
from passes.convert_xegpu_to_xe.gpu_ids import counting
from passes.convert_xegpu_to_xe.lowering import KernelLowering
from passes.convert_xegpu_to_xe.tiles import Tile
from passes.convert_xegpu_to_xe.values import BOOLEAN, Constant, Elements, Number
from xegpu.isa.messages import CacheControl, DataSize, Message, Unit, data_bytes
from xegpu.isa.table import Condition
from xegpu.isa.types import DataType, integer

LANES = 16
_SIZES = {
    1: (DataSize.D8U32, DataType.UD),
    2: (DataSize.D16U32, DataType.UD),
    4: (DataSize.D32, DataType.UD),
    8: (DataSize.D64, DataType.UQ),
}


@dataclass(frozen=True)
class Stretch:
    """`count` neighbouring elements of one row in `lanes` lanes: addresses, and which lanes have an element inside."""

    addresses: Elements
    inside: Elements
    block: int
    row: int
    column: int
    count: int
    lanes: int

    def elements(self, tile: Tile) -> list[int]:
        """Index in the register image of each element."""
        return [tile.place(self.block, self.row, self.column + c) for c in range(self.count)]


def _stretches(lowering: KernelLowering, payload: SSAValue, tile: Tile) -> Iterator[Stretch]:
    emit, quad, unsigned = lowering.emit, DataType.Q, DataType.UQ

    def size_field(byte: int) -> Elements:
        return emit.alu("add", unsigned, [Elements(payload, DataType.UD, 1, byte), Constant(unsigned, 1)], 1)

    base = Elements(payload, unsigned, 1, 0)
    width, height, pitch = size_field(WIDTH_BYTE), size_field(HEIGHT_BYTE), size_field(PITCH_BYTE)
    x = Elements(payload, DataType.D, 1, X_BYTE)
    start = emit.alu("mul", quad, [x, Constant(quad, tile.size)], 1)
    step = emit.alu("mul", quad, [counting(lowering, LANES, quad), Constant(quad, tile.size)], LANES)
    for block in range(tile.count):
        for column in range(0, tile.columns, LANES):
            count = min(LANES, tile.columns - column)
            lanes = 1 << (count - 1).bit_length()
            first = emit.alu("add", quad, [start, Constant(quad, (block * tile.columns + column) * tile.size)], 1)
            place = emit.alu("add", quad, [step.part(0, lanes), first], lanes)
            # One unsigned comparison sees both ends: a negative place is a huge number.
            columns_inside = _below(lowering, place.as_type(unsigned), width, lanes)
            if lanes != count:
                end = Constant(unsigned, count * tile.size)
                used = _below(lowering, step.part(0, lanes).as_type(unsigned), end, lanes)
                columns_inside = emit.alu("and", BOOLEAN, [columns_inside, used], lanes)
            for row in range(tile.rows):
                y = emit.alu("add", quad, [Elements(payload, DataType.D, 1, Y_BYTE), Constant(quad, row)], 1)
                row_inside = _below(lowering, y.as_type(unsigned), height, 1)
                inside = emit.alu("and", BOOLEAN, [columns_inside, row_inside], lanes)
                row_start = emit.alu("mad", unsigned, [y, pitch, base], 1)
                addresses = emit.alu("add", unsigned, [place, row_start], lanes, alignment=lowering.target.grf_bytes)
                yield Stretch(addresses, inside, block, row, column, count, lanes)


def _below(lowering: KernelLowering, value: Number, limit: Number, lanes: int) -> Elements:
    return lowering.emit.alu("cmp", BOOLEAN, [value, limit], lanes, condition=Condition.LT)


def load(lowering: KernelLowering, payload: SSAValue, tile: Tile, cache: CacheControl) -> SSAValue:
    """The tile's register image; elements outside the surface are zero."""
    emit, grf = lowering.emit, lowering.target.grf_bytes
    data_size, lane_type = _SIZES[tile.size]
    element = integer(tile.size * 8, signed=False)
    message = Message(Unit.UGM, data_size, cache=cache)
    register = emit.undefined(tile.elements * tile.size)
    for stretch in _stretches(lowering, payload, tile):
        returned = data_bytes(message, stretch.lanes, grf, lowering.target.physical_simd_width)
        zeros = emit.alu("mov", lane_type, [Constant(lane_type, 0)], returned // lane_type.size, alignment=grf)
        flag = emit.flag(stretch.inside, 0, stretch.lanes)
        loaded = emit.load(
            "load", message, stretch.addresses.register, exec_size=stretch.lanes, into=zeros.register, flag=flag
        )
        ratio = lane_type.size // tile.size
        moves = sorted((to, lane * ratio) for lane, to in enumerate(stretch.elements(tile)))
        register = emit.copy(register, Elements(loaded, element, returned // tile.size), moves, element)
    return register


def store(lowering: KernelLowering, payload: SSAValue, tile: Tile, value: Elements, cache: CacheControl) -> None:
    """Stores the elements that lie inside the surface."""
    emit, grf = lowering.emit, lowering.target.grf_bytes
    data_size, lane_type = _SIZES[tile.size]
    element = integer(tile.size * 8, signed=False)
    message = Message(Unit.UGM, data_size, cache=cache)
    for stretch in _stretches(lowering, payload, tile):
        size = data_bytes(message, stretch.lanes, grf, lowering.target.physical_simd_width)
        ratio = lane_type.size // tile.size
        moves = [(lane * ratio, origin) for lane, origin in enumerate(stretch.elements(tile))]
        data = emit.copy(emit.undefined(size, grf), value.as_type(element), moves, element)
        flag = emit.flag(stretch.inside, 0, stretch.lanes)
        emit.send(
            "store",
            message,
            stretch.addresses.register,
            Elements(data, element, size // tile.size),
            exec_size=stretch.lanes,
            flag=flag,
        )
