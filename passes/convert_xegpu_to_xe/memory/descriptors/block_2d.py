"""Lowers loads, stores and prefetches through 2-D descriptors.

The register layout that the result needs is compared, element by element, with the one that each kind of block-2D
message delivers; a kind that fits needs no further instruction, otherwise plain messages are followed by moves.
Surfaces that violate the rules of block-2D messages are accessed row by row with gathers and scatters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from xdsl.dialects.builtin import VectorType
from xdsl.ir import SSAValue

from passes.convert_xegpu_to_xe.lowering.alternatives import Precondition, all_of, choose
from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering
from passes.convert_xegpu_to_xe.lowering.values import BlockDescriptor2D, Elements, UniformConstant
from passes.convert_xegpu_to_xe.memory.cache_control import load_cache, prefetch_cache, store_cache
from passes.convert_xegpu_to_xe.memory.descriptors import scattered_rows
from passes.convert_xegpu_to_xe.memory.descriptors.block_descriptors import (
    SHAPE_BYTE,
    X_BYTE,
    Y_BYTE,
    add_dword,
    element_size,
    shape_word,
)
from passes.convert_xegpu_to_xe.memory.descriptors.tile_layout import Tile, load_tile, store_tile
from passes.kernel.register_types import BOOLEAN, element_type
from xegpu.dialects.xe import register_type
from xegpu.dialects.xegpu import LoadNdOp, PrefetchNdOp, StoreNdOp, TensorDescType
from xegpu.isa.model import (
    BlockShape,
    CacheControl,
    Condition,
    DataSize,
    DataType,
    Message,
    Unit,
    block_bytes,
    offset_in_block,
)
from xegpu.targets import Block2D, BlockLimits

_DATA_SIZES = {1: DataSize.D8, 2: DataSize.D16, 4: DataSize.D32, 8: DataSize.D64}


@dataclass(frozen=True)
class LoadForm:
    """Message flags of a load, and the elements that move as one unit (pairs of f16 in a d32 transpose)."""

    limits: BlockLimits
    unit_bytes: int
    vnni: bool = False
    transposed: bool = False


@dataclass(frozen=True)
class BlockMessage2D:
    """One message of an access: `block` (in elements of the tile) at (`first`, `y`, `x`) of the tile's blocks."""

    first: int
    y: int
    x: int
    block: BlockShape

    def elements(self) -> Iterator[tuple[int, int, int]]:
        """Yields (block, row, column) of each element inside the piece."""
        for b in range(self.block.count):
            for row in range(self.block.height):
                for column in range(self.block.width):
                    yield b, row, column


def kinds(limits: Block2D, size: int) -> Iterator[LoadForm]:
    """Yields the kinds of loads for an element size, plain first."""
    if size in limits.load:
        yield LoadForm(limits.load[size], size)
    if size in limits.load_vnni:
        yield LoadForm(limits.load_vnni[size], size, vnni=True)
    for unit, rule in limits.load_transposed.items():
        if unit >= size and unit in (4, size):
            yield LoadForm(rule, unit, transposed=True)


def cuts(tile: Tile, kind: LoadForm, limits: Block2D, *, max_bytes: int) -> Iterator[list[BlockMessage2D]]:
    """Yields the ways to cover the tile with legal messages, those that fetch most blocks at once first."""
    per_unit = kind.unit_bytes // tile.size
    if tile.columns % per_unit:
        return
    for count in sorted(kind.limits.counts, reverse=True):
        if tile.count % count == 0 and (found := _cut(tile, kind, limits, count, per_unit, max_bytes)):
            yield found


def pieces(tile: Tile, kind: LoadForm, limits: Block2D, *, max_bytes: int) -> list[BlockMessage2D] | None:
    """Returns the fewest legal messages that together cover the tile; None if there are none."""
    return next(cuts(tile, kind, limits, max_bytes=max_bytes), None)


def _cut(
    tile: Tile, kind: LoadForm, limits: Block2D, count: int, per_unit: int, max_bytes: int
) -> list[BlockMessage2D] | None:
    rule = kind.limits
    step_x = min(tile.columns // per_unit, rule.max_width, rule.max_row_elements // count)
    step_y = min(tile.rows, rule.max_height)
    if step_x < 1 or (count > 1 and step_x * per_unit < tile.columns):
        return None  # the blocks of one message lie side by side
    while step_x * step_y * kind.unit_bytes * count > max_bytes:
        step_y //= 2
    found: list[BlockMessage2D] = []
    for first in range(0, tile.count, count):
        for y in range(0, tile.rows, step_y):
            for x in range(0, tile.columns // per_unit, step_x):
                height, width = min(step_y, tile.rows - y), min(step_x, tile.columns // per_unit - x)
                if not rule.allows(width, height, count) or width * kind.unit_bytes % limits.row_bytes_multiple:
                    return None
                found.append(BlockMessage2D(first, y, x * per_unit, BlockShape(width * per_unit, height, count)))
    return found


def message_for(kind: LoadForm, piece: BlockMessage2D, size: int, cache: CacheControl) -> Message:
    """Returns the message of a piece."""
    per_unit = kind.unit_bytes // size
    shape = BlockShape(piece.block.width // per_unit, piece.block.height, piece.block.count)
    return Message(
        Unit.UGM,
        _DATA_SIZES[kind.unit_bytes],
        vnni=kind.vnni,
        transposed=kind.transposed,
        cache=cache,
        block=shape,
    )


def delivered(kind: LoadForm, message: Message, size: int, grf: int) -> Callable[[int, int, int], int]:
    """Returns the byte at which a piece's element (block, row, column) arrives."""
    per_unit, length = kind.unit_bytes // size, block_bytes(message, grf)

    def place(block: int, row: int, column: int) -> int:
        return block * length + offset_in_block(message, row, column // per_unit) + column % per_unit * size

    return place


def direct_offset(tile: Tile, piece: BlockMessage2D, place: Callable[[int, int, int], int], grf: int) -> int | None:
    """Returns the byte offset at which the piece's registers fit the layout as they are; None if they do not."""
    shift = None
    for b, row, column in piece.elements():
        wanted = tile.place(piece.first + b, piece.y + row, piece.x + column) * tile.size
        distance = wanted - place(b, row, column)
        if shift is None:
            shift = distance
            if shift < 0 or shift % grf:
                return None
        elif distance != shift:
            return None
    return shift


def lower_load(lowering: KernelLowering, op: LoadNdOp, surface: BlockDescriptor2D) -> Elements:
    """Returns the loaded tile in the register layout of the result's type."""
    desc, type = op.desc, op.value.type
    assert isinstance(type, VectorType)
    tile = load_tile(lowering, op, element_size(lowering, op, desc))
    data_type = element_type(desc.element_type)
    assert data_type is not None
    lanes = lowering.lanes if tile.fragment else 1
    cache = load_cache(op)

    def by_block() -> SSAValue:
        return _load_blocks(lowering, surface.payload, tile, data_type, cache)

    def by_row() -> SSAValue:
        return scattered_rows.load(lowering, surface.payload, tile, cache)

    possible = _servable(lowering, tile) and _precondition(lowering, op.tensor_desc, surface, tile.size)
    register = choose(lowering, possible, by_block, by_row)
    assert register is not None
    return Elements(register, data_type, tile.elements, 0, lanes)


def _servable(lowering: KernelLowering, tile: Tile) -> bool:
    """Returns whether plain block messages can fetch the tile at all (rows of whole dwords)."""
    limits = lowering.target.platform.block2d
    return (
        limits is not None
        and pieces(tile, next(kinds(limits, tile.size)), limits, max_bytes=limits.max_load_bytes) is not None
    )


def _precondition(
    lowering: KernelLowering, descriptor: SSAValue, surface: BlockDescriptor2D, size: int
) -> Precondition:
    """Returns the condition for block-2D messages: a legal surface, and blocks that begin at whole dwords of a row."""
    limits = lowering.target.platform.block2d
    if limits is None or surface.legal is False:
        return False
    step = max(1, limits.row_bytes_multiple // size)
    if lowering.facts.of(descriptor).power >= step:
        return surface.legal
    emit, unsigned = lowering.emit, DataType.UD
    x = Elements(surface.payload, unsigned, 1, X_BYTE)
    rest = emit.alu("and", unsigned, [x, UniformConstant(unsigned, step - 1)], 1)
    aligned = emit.alu("cmp", BOOLEAN, [rest, UniformConstant(unsigned, 0)], 1, condition=Condition.EQ)
    return all_of(emit, [aligned, surface.legal])


def _load_blocks(
    lowering: KernelLowering, payload: SSAValue, tile: Tile, type: DataType, cache: CacheControl
) -> SSAValue:
    limits, grf, emit = lowering.target.platform.block2d, lowering.target.platform.grf_bytes, lowering.emit
    assert limits is not None
    for kind in kinds(limits, tile.size):
        for cut in cuts(tile, kind, limits, max_bytes=limits.max_load_bytes):
            places = [_direct(tile, kind, piece, len(cut) == 1, grf) for piece in cut]
            if None in places:
                continue
            if len(cut) == 1:
                return _load_piece(lowering, payload, tile, kind, cut[0], cache)
            register = emit.undefined(tile.elements * tile.size, grf)
            for piece, offset in zip(cut, places, strict=True):
                assert offset is not None
                register = _load_piece(lowering, payload, tile, kind, piece, cache, into=register, offset=offset)
            return register
    plain = next(kinds(limits, tile.size))
    plain_cut = pieces(tile, plain, limits, max_bytes=limits.max_load_bytes)
    assert plain_cut is not None
    register = emit.undefined(tile.elements * tile.size, grf)
    for piece in plain_cut:
        loaded = _load_piece(lowering, payload, tile, plain, piece, cache)
        place = delivered(plain, message_for(plain, piece, tile.size, cache), tile.size, grf)
        moves = sorted(
            (tile.place(piece.first + b, piece.y + row, piece.x + column), place(b, row, column) // tile.size)
            for b, row, column in piece.elements()
        )
        register = emit.copy(register, Elements(loaded, type, tile.elements), moves, type)
    return register


def _direct(tile: Tile, kind: LoadForm, piece: BlockMessage2D, alone: bool, grf: int) -> int | None:
    """Returns `direct_offset`, unless the message would also write padding over other pieces or past the layout."""
    message = message_for(kind, piece, tile.size, CacheControl.DEFAULT)
    offset = direct_offset(tile, piece, delivered(kind, message, tile.size, grf), grf)
    if offset is None:
        return None
    used = piece.block.width * piece.block.height * tile.size
    padded = block_bytes(message, grf)
    if used != padded and not (alone and piece.block.count == 1 and -(-used // grf) * grf == padded):
        return None
    return offset if offset == 0 or not alone else None


def _load_piece(
    lowering: KernelLowering,
    payload: SSAValue,
    tile: Tile,
    kind: LoadForm,
    piece: BlockMessage2D,
    cache: CacheControl,
    *,
    into: SSAValue | None = None,
    offset: int = 0,
) -> SSAValue:
    message = message_for(kind, piece, tile.size, cache)
    address = payload_for(lowering, payload, tile, kind.unit_bytes, piece, message)
    return lowering.emit.load("load_block2d", message, address, into=into, offset=offset)


def payload_for(
    lowering: KernelLowering, payload: SSAValue, tile: Tile, unit_bytes: int, piece: BlockMessage2D, message: Message
) -> SSAValue:
    """Returns the payload adjusted to a piece: its coordinates and shape, with x in units of the message."""
    assert message.block is not None
    emit, per_unit = lowering.emit, unit_bytes // tile.size
    x = piece.x + piece.first * tile.columns
    payload = add_dword(lowering, payload, X_BYTE, UniformConstant(DataType.D, x))
    payload = add_dword(lowering, payload, Y_BYTE, UniformConstant(DataType.D, piece.y))
    if per_unit > 1:
        shift = UniformConstant(DataType.D, per_unit.bit_length() - 1)
        payload = emit.update(payload, X_BYTE, DataType.D, "asr", shift)
    if message.block != BlockShape(tile.columns, tile.rows, tile.count):
        payload = emit.write(payload, SHAPE_BYTE, DataType.UD, UniformConstant(DataType.UD, shape_word(message.block)))
    return payload


def lower_store(lowering: KernelLowering, op: StoreNdOp, surface: BlockDescriptor2D) -> None:
    """Stores a tile from the register layout of the value's type."""
    tile = store_tile(lowering, op, element_size(lowering, op, op.desc))
    data_type = element_type(op.desc.element_type)
    assert data_type is not None
    value = lowering.operand(op, op.value, lowering.lanes if tile.fragment else 1)
    cache = store_cache(op)

    def by_block() -> None:
        _store_blocks(lowering, surface.payload, tile, value, cache)

    def by_row() -> None:
        scattered_rows.store(lowering, surface.payload, tile, value, cache)

    limits = lowering.target.platform.block2d
    possible = (
        limits is not None
        and pieces(tile, _store_kind(limits, tile), limits, max_bytes=limits.max_store_bytes) is not None
        and _precondition(lowering, op.tensor_desc, surface, tile.size)
    )
    choose(lowering, possible, by_block, by_row)


def _store_kind(limits: Block2D, tile: Tile) -> LoadForm:
    return LoadForm(limits.store[tile.size], tile.size)


def _store_blocks(
    lowering: KernelLowering, payload: SSAValue, tile: Tile, value: Elements, cache: CacheControl
) -> None:
    limits, grf, emit = lowering.target.platform.block2d, lowering.target.platform.grf_bytes, lowering.emit
    assert limits is not None
    kind = _store_kind(limits, tile)
    cut = pieces(tile, kind, limits, max_bytes=limits.max_store_bytes)
    assert cut is not None
    for piece in cut:
        message = message_for(kind, piece, tile.size, cache)
        place = delivered(kind, message, tile.size, grf)
        offset, size = direct_offset(tile, piece, place, grf), block_bytes(message, grf)
        # A message reads whole registers: the last row is there with the rest of its own.
        held = register_type(value.register).size.data - value.offset
        if offset is None or not emit.starts_register(value, offset) or offset + size > held:
            moves = sorted(
                (place(b, row, column) // tile.size, tile.place(b, piece.y + row, piece.x + column))
                for b, row, column in piece.elements()
            )
            register = emit.copy(emit.undefined(size, grf), value, moves, value.type)
            data = Elements(register, value.type, size // tile.size)
        else:
            data = Elements(value.register, value.type, piece.block.width * piece.block.height, value.offset + offset)
        address = payload_for(lowering, payload, tile, tile.size, piece, message)
        emit.send("store_block2d", message, address, data)


def lower_prefetch(lowering: KernelLowering, op: PrefetchNdOp, surface: BlockDescriptor2D) -> None:
    """Prefetches a tile. It has no effect on values, so that accesses which messages may not serve are skipped."""
    limits = lowering.target.platform.block2d
    desc: TensorDescType = op.desc
    rows, columns = desc.tile
    size = element_size(lowering, op, desc)
    if rows * columns * desc.array_length * size > lowering.sizes.limit:
        lowering.refuse(op, f"reads more than the {lowering.sizes.limit} bytes that {lowering.target.name} can load")
    if limits is None or surface.legal is not True:
        return
    if lowering.facts.of(op.tensor_desc).power * size < limits.row_bytes_multiple:
        return
    tile = Tile(rows, columns, desc.array_length, size, lambda b, i, j: 0, False)
    kind = LoadForm(limits.load[size], size)
    cache = prefetch_cache(op)
    for piece in pieces(tile, kind, limits, max_bytes=limits.max_load_bytes) or ():
        message = message_for(kind, piece, size, cache)
        address = payload_for(
            lowering, payload=surface.payload, tile=tile, unit_bytes=size, piece=piece, message=message
        )
        lowering.emit.send("prefetch_block2d", message, address)
