"""Lowers accesses through 1-D descriptors: block messages of dwords or qwords, single lanes for what is left."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from passes.convert_xegpu_to_xe.cache import load_cache, store_cache
from passes.convert_xegpu_to_xe.descriptors import element_size
from passes.convert_xegpu_to_xe.lowering import KernelLowering
from passes.convert_xegpu_to_xe.tiles import Tile, load_tile, store_tile
from passes.convert_xegpu_to_xe.values import Constant, Elements, Line, element_type
from xegpu.dialects.xegpu import LoadNdOp, PrefetchNdOp, StoreNdOp
from xegpu.isa.messages import VECTOR_SIZES, CacheControl, DataSize, Message, Unit
from xegpu.isa.types import DataType, integer

_MAX_BYTES = 512


@dataclass(frozen=True)
class Piece:
    """`vector` words of `size` from byte `start` of the line on: a block message, or one lane for a narrow word."""

    start: int
    size: DataSize
    vector: int = 1

    @property
    def bytes(self) -> int:
        return self.vector * self.size.memory_bytes

    def message(self, cache: CacheControl) -> Message:
        is_block = self.size in (DataSize.D32, DataSize.D64)
        return Message(Unit.UGM, self.size, self.vector, transposed=is_block, cache=cache, offset=self.start)


def pieces(total: int) -> Iterator[Piece]:
    """Messages that cover `total` bytes, longest first."""
    start = 0
    while total - start >= 4:
        size = DataSize.D64 if total - start >= _MAX_BYTES else DataSize.D32
        vector = max(v for v in VECTOR_SIZES if v * size.memory_bytes <= total - start)
        yield Piece(start, size, vector)
        start += vector * size.memory_bytes
    for narrow in (DataSize.D16U32, DataSize.D8U32):
        if total - start >= narrow.memory_bytes:
            yield Piece(start, narrow)
            start += narrow.memory_bytes


def _is_linear(tile: Tile) -> bool:
    return all(tile.place(0, 0, column) == column for column in range(tile.columns))


def lower_load(lowering: KernelLowering, op: LoadNdOp, line: Line) -> Elements:
    """The loaded elements in the image that the result's type has."""
    desc = op.desc
    tile = load_tile(lowering, op, element_size(lowering, op, desc))
    type = element_type(desc.element_type)
    assert type is not None
    emit, grf = lowering.emit, lowering.target.grf_bytes
    address = emit.aligned(line.address, grf).register
    cache, total = load_cache(op.hints), tile.columns * tile.count * tile.size
    register = emit.undefined(total)
    for piece in pieces(total):
        message = piece.message(cache)
        if piece.start % grf == 0 and message.transposed and piece.bytes >= grf:
            register = emit.load("load", message, address, into=register, offset=piece.start)
        else:
            loaded = emit.load("load", message, address)
            register = emit.copy(register, *_moves(Elements(loaded, DataType.UB, piece.bytes), 0, piece.start, piece))
    lanes = lowering.lanes if tile.fragment else 1
    image = Elements(register, type, tile.elements)
    if not _is_linear(tile):
        moves = sorted((tile.place(0, 0, column), column) for column in range(tile.columns))
        image = Elements(emit.copy(emit.undefined(total), image, moves, type), type, tile.elements)
    return Elements(image.register, type, tile.elements, 0, lanes)


def _moves(source: Elements, origin: int, to: int, piece: Piece) -> tuple[Elements, list[tuple[int, int]], DataType]:
    """What copies a piece's bytes, in units as wide as the piece's words (dwords for blocks)."""
    unit = min(4, piece.size.memory_bytes)
    type = integer(unit * 8, signed=False)
    moves = [((to + b) // unit, (origin + b) // unit) for b in range(0, piece.bytes, unit)]
    return Elements(source.register, type, source.size // unit, source.offset), moves, type


def lower_store(lowering: KernelLowering, op: StoreNdOp, line: Line) -> None:
    """Stores elements from the image that the value's type has."""
    emit, grf = lowering.emit, lowering.target.grf_bytes
    tile = store_tile(lowering, op, element_size(lowering, op, op.desc))
    value = lowering.number(op.value)
    if isinstance(value, Constant) or value.count != tile.elements:
        value = (
            lowering.spread(value, op.value.type)
            if tile.fragment
            else emit.alu("mov", value.type, [value], tile.elements)
        )
    if not _is_linear(tile):
        moves = [(column, tile.place(0, 0, column)) for column in range(tile.columns)]
        value = Elements(emit.copy(emit.undefined(value.size), value, moves, value.type), value.type, value.count)
    address = emit.aligned(line.address, grf).register
    cache = store_cache(op.hints)
    for piece in pieces(value.size):
        origin = value.offset + piece.start
        data = Elements(value.register, DataType.UB, piece.bytes, origin)
        if origin % grf:
            whole = Elements(value.register, DataType.UB, origin + piece.bytes)
            source_moves = _moves(whole, origin, 0, piece)
            data = Elements(emit.copy(emit.undefined(piece.bytes, grf), *source_moves), DataType.UB, piece.bytes)
        emit.send("store", piece.message(cache), address, data)


def lower_prefetch(lowering: KernelLowering, op: PrefetchNdOp, line: Line) -> None:
    """Prefetches the elements."""
    desc = op.desc
    total = desc.tile[1] * desc.array_length * element_size(lowering, op, desc)
    address = lowering.emit.aligned(line.address, lowering.target.grf_bytes).register
    for piece in pieces(total):
        lowering.emit.send("prefetch", piece.message(load_cache(op.hints)), address)
