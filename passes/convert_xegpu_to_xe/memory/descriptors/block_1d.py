"""Lowers accesses through 1-D descriptors: block messages of dwords or qwords, single lanes for the remainder.

Block messages need addresses that are multiples of their word size. Narrower elements at other addresses are accessed
one per lane.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.ir import SSAValue

from passes.convert_xegpu_to_xe.lowering.alternatives import Precondition, choose
from passes.convert_xegpu_to_xe.lowering.gpu_ids import counting
from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering
from passes.convert_xegpu_to_xe.lowering.values import BlockDescriptor1D, Elements, UniformConstant
from passes.convert_xegpu_to_xe.memory.cache_control import cache_control, load_cache, prefetch_cache, store_cache
from passes.convert_xegpu_to_xe.memory.descriptors.block_descriptors import element_size
from passes.convert_xegpu_to_xe.memory.descriptors.tile_layout import Tile, load_tile, store_tile
from passes.convert_xegpu_to_xe.memory.lane_messages import gather, lane_message, scatter
from passes.kernel.memories import MessageMemory
from passes.kernel.register_types import BOOLEAN, element_type
from passes.support.vectors.lane_stretches import stretches
from xegpu.dialects.xegpu import LoadNdOp, PrefetchNdOp, StoreNdOp
from xegpu.isa.model import VECTOR_SIZES, CacheControl, Condition, DataSize, DataType, Message, integer

WORD = 4
"""Bytes of the narrowest block message."""


@dataclass(frozen=True)
class BlockMessage1D:
    """`vector` words of `size` bytes from byte `start` on: a block message, or one lane for a narrow word."""

    start: int
    size: DataSize
    vector: int = 1

    @property
    def bytes(self) -> int:
        return self.vector * self.size.memory_bytes

    def message(self, cache: CacheControl, space: MessageMemory) -> Message:
        """Returns the message that transfers it to or from memory."""
        is_block = self.size in (DataSize.D32, DataSize.D64)
        return Message(
            space.unit,
            self.size,
            self.vector,
            transposed=is_block,
            cache=cache,
            address_size=space.address_size,
            model=space.model,
            offset=self.start,
        )


def pieces(total: int, element: int) -> Iterator[BlockMessage1D]:
    """Yields messages that cover `total` bytes, longest first: qwords for 8-byte elements, else dwords."""
    start = 0
    block = DataSize.D64 if element == DataSize.D64.memory_bytes else DataSize.D32
    while total - start >= block.memory_bytes:
        vector = max(v for v in VECTOR_SIZES if v * block.memory_bytes <= total - start)
        yield BlockMessage1D(start, block, vector)
        start += vector * block.memory_bytes
    for narrow in (DataSize.D16U32, DataSize.D8U32):
        if total - start >= narrow.memory_bytes:
            yield BlockMessage1D(start, narrow)
            start += narrow.memory_bytes


def _places(tile: Tile) -> list[int]:
    """Returns the position in the register layout of each element, in the order of memory."""
    return [tile.place(block, 0, column) for block in range(tile.count) for column in range(tile.columns)]


def _precondition(lowering: KernelLowering, descriptor: SSAValue, line: BlockDescriptor1D, size: int) -> Precondition:
    """Returns the condition under which block messages serve an access: word-sized elements, or an aligned address."""
    return size >= WORD or lowering.facts.of(descriptor).power >= WORD or is_aligned(lowering, line)


def is_aligned(lowering: KernelLowering, line: BlockDescriptor1D) -> Elements:
    """Returns whether the address allows block messages, which only the running kernel knows."""
    emit, unsigned = lowering.emit, line.space.address_type
    rest = emit.alu("and", unsigned, [line.address, UniformConstant(unsigned, WORD - 1)], 1)
    return emit.alu("cmp", BOOLEAN, [rest, UniformConstant(unsigned, 0)], 1, condition=Condition.EQ)


def lower_load(lowering: KernelLowering, op: LoadNdOp, line: BlockDescriptor1D) -> Elements:
    """Returns the loaded elements in the register layout of the result's type."""
    desc, emit = op.desc, lowering.emit
    tile = load_tile(lowering, op, element_size(lowering, op, desc))
    type = element_type(desc.element_type)
    assert type is not None
    cache, columns = cache_control(op, line.space, load_cache), tile.columns * tile.count

    def by_block() -> SSAValue:
        register = emit.undefined(columns * tile.size, lowering.target.platform.grf_bytes)
        return load_blocks(lowering, line, register, columns * tile.size, tile.size, cache)

    def by_lane() -> SSAValue:
        return _load_lanes(lowering, line, columns, tile.size, cache)

    register = choose(lowering, _precondition(lowering, op.tensor_desc, line, tile.size), by_block, by_lane)
    assert register is not None
    lanes = lowering.lanes if tile.fragment else 1
    image = Elements(register, type, tile.elements)
    if (places := _places(tile)) != [*range(columns)]:
        moves = sorted((to, origin) for origin, to in enumerate(places))
        image = Elements(emit.copy(emit.undefined(image.size), image, moves, type), type, tile.elements)
    return Elements(image.register, type, tile.elements, 0, lanes)


def _address(lowering: KernelLowering, line: BlockDescriptor1D) -> SSAValue:
    """Returns a register that begins with the address."""
    emit, address = lowering.emit, line.address
    if address.offset == 0 and emit.starts_register(address):
        return address.register
    return emit.alu("mov", address.type, [address], 1, alignment=lowering.target.platform.grf_bytes).register


def load_blocks(
    lowering: KernelLowering,
    line: BlockDescriptor1D,
    register: SSAValue,
    total: int,
    size: int,
    cache: CacheControl = CacheControl.DEFAULT,
    at: int = 0,
) -> SSAValue:
    """Returns `register` with `total` bytes loaded from byte `at` on, in elements of `size` bytes."""
    emit, grf = lowering.emit, lowering.target.platform.grf_bytes
    address = _address(lowering, line)
    for piece in pieces(total, size):
        message, to = piece.message(cache, line.space), at + piece.start
        if to % grf == 0 and message.transposed and piece.bytes >= grf:
            register = emit.load("load", message, address, into=register, offset=to)
        else:
            loaded = Elements(emit.load("load", message, address), DataType.UB, piece.bytes)
            register = emit.copy(register, *_moves(loaded, 0, to, piece))
    return register


def _load_lanes(
    lowering: KernelLowering, line: BlockDescriptor1D, columns: int, size: int, cache: CacheControl
) -> SSAValue:
    emit = lowering.emit
    addresses = _lane_addresses(lowering, line, size)
    register = emit.undefined(columns * size, lowering.target.platform.grf_bytes)
    for start, lanes in stretches(columns, lowering.target.platform.gather_lanes):
        message = lane_message(size, cache, start * size, line.space)
        register = gather(emit, message, addresses, lanes, register, range(start, start + lanes))
    return register


def _lane_addresses(lowering: KernelLowering, line: BlockDescriptor1D, size: int) -> SSAValue:
    """Returns addresses of neighboring elements, one per lane."""
    emit, type, platform = lowering.emit, line.space.address_type, lowering.target.platform
    lanes = platform.gather_lanes
    step = emit.alu("mul", type, [counting(lowering, lanes, type), UniformConstant(type, size)], lanes)
    return emit.alu("add", type, [step, line.address], lanes, alignment=platform.grf_bytes).register


def _moves(
    source: Elements, origin: int, to: int, piece: BlockMessage1D
) -> tuple[Elements, list[tuple[int, int]], DataType]:
    """Returns the moves that copy a piece's bytes, in units as wide as the piece's words (dwords for blocks)."""
    unit = min(WORD, piece.size.memory_bytes)
    while to % unit:
        unit //= 2
    type = integer(unit * 8, signed=False)
    moves = [((to + b) // unit, (origin + b) // unit) for b in range(0, piece.bytes, unit)]
    return Elements(source.register, type, source.size // unit, source.offset), moves, type


def lower_store(lowering: KernelLowering, op: StoreNdOp, line: BlockDescriptor1D) -> None:
    """Stores elements from the register layout of the value's type."""
    emit = lowering.emit
    tile = store_tile(lowering, op, element_size(lowering, op, op.desc))
    value = lowering.operand(op, op.value, lowering.lanes if tile.fragment else 1)
    if (places := _places(tile)) != [*range(tile.columns)]:
        moves = list(enumerate(places))
        value = Elements(emit.copy(emit.undefined(value.size), value, moves, value.type), value.type, value.count)
    value = emit.aligned(value, WORD)
    cache = cache_control(op, line.space, store_cache)

    def by_block() -> None:
        store_blocks(lowering, line, value, tile.size, cache)

    def by_lane() -> None:
        addresses = _lane_addresses(lowering, line, tile.size)
        for start, lanes in stretches(tile.columns, lowering.target.platform.gather_lanes):
            message = lane_message(tile.size, cache, start * tile.size, line.space)
            scatter(emit, message, addresses, lanes, value, range(start, start + lanes))

    choose(lowering, _precondition(lowering, op.tensor_desc, line, tile.size), by_block, by_lane)


def store_blocks(
    lowering: KernelLowering,
    line: BlockDescriptor1D,
    value: Elements,
    size: int,
    cache: CacheControl = CacheControl.DEFAULT,
) -> None:
    """Stores elements of `size` bytes that are contiguous and begin at whole words."""
    emit, grf = lowering.emit, lowering.target.platform.grf_bytes
    address = _address(lowering, line)
    for piece in pieces(value.size, size):
        origin = value.offset + piece.start
        data = Elements(value.register, DataType.UB, piece.bytes, origin)
        if not emit.starts_register(data):
            whole = Elements(value.register, DataType.UB, origin + piece.bytes)
            data = Elements(
                emit.copy(emit.undefined(piece.bytes, grf), *_moves(whole, origin, 0, piece)), DataType.UB, piece.bytes
            )
        emit.send("store", piece.message(cache, line.space), address, data)


def lower_prefetch(lowering: KernelLowering, op: PrefetchNdOp, line: BlockDescriptor1D) -> None:
    """Prefetches the elements.

    A prefetch has no effect on values, so that a block that may not be aligned is skipped. Shared local memory has no
    caches to prefetch to.
    """
    desc = op.desc
    size = element_size(lowering, op, desc)
    total = desc.tile[1] * desc.array_length * size
    if total > lowering.sizes.limit:
        lowering.refuse(op, f"reads more than the {lowering.sizes.limit} bytes that {lowering.target.name} can load")
    if line.space is not MessageMemory.GLOBAL or (size < WORD and lowering.facts.of(op.tensor_desc).power < WORD):
        return
    address = _address(lowering, line)
    for piece in pieces(total, size):
        lowering.emit.send("prefetch", piece.message(prefetch_cache(op), line.space), address)
