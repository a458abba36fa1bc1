"""Lowers accesses through 1-D descriptors: block messages of dwords or qwords, single lanes for the remainder.

Block messages need addresses that are multiples of their word size. Narrower elements at other addresses are accessed
one per lane, and so are those of blocks that leave a line of memory whose bounds are checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from xdsl.ir import SSAValue

from passes.analysis.surfaces import Fit, fit_in_line
from passes.convert_xegpu_to_xe.lowering.alternatives import Form, Precondition, all_of, choose
from passes.convert_xegpu_to_xe.lowering.gpu_ids import counting
from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering
from passes.convert_xegpu_to_xe.lowering.values import BlockDescriptor1D, Elements, LineBounds, UniformConstant
from passes.convert_xegpu_to_xe.memory.cache_control import cache_control, load_cache, prefetch_cache, store_cache
from passes.convert_xegpu_to_xe.memory.descriptors.block_descriptors import element_size
from passes.convert_xegpu_to_xe.memory.descriptors.line_bounds import block_inside, lanes_inside
from passes.convert_xegpu_to_xe.memory.descriptors.tile_layout import Tile, load_tile, store_tile
from passes.convert_xegpu_to_xe.memory.lane_messages import gather, lane_message, scatter
from passes.kernel.memories import MessageMemory
from passes.kernel.register_types import BOOLEAN, element_type
from passes.support.vectors.lane_stretches import stretches
from xegpu.dialects.xegpu import LoadNdOp, PrefetchNdOp, StoreNdOp
from xegpu.isa.model import VECTOR_SIZES, CacheControl, Condition, DataSize, DataType, Message, data_bytes, integer

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


@dataclass(frozen=True)
class LineAccess:
    """An access of `total` bytes from the start of a block on, in elements of `size` bytes."""

    lowering: KernelLowering
    descriptor: SSAValue
    line: BlockDescriptor1D
    total: int
    size: int

    @cached_property
    def fit(self) -> Fit:
        """Says where the block lies in its line."""
        return Fit.INSIDE if self.line.bounds is None else fit_in_line(self.descriptor, self.lowering.facts)

    @property
    def bounds(self) -> LineBounds | None:
        """Returns the bounds that the block may leave."""
        return None if self.fit is Fit.INSIDE else self.line.bounds

    @property
    def holds_words(self) -> bool:
        """Returns whether the block is known to lie at a multiple of the word size."""
        return self.size >= WORD or self.lowering.facts.of(self.descriptor).power >= WORD

    @property
    def precondition(self) -> Precondition:
        """Returns the condition for block messages: an aligned address, and a block inside."""
        aligned = self.holds_words or is_aligned(self.lowering, self.line)
        return all_of(self.lowering.emit, [aligned, block_inside(self.lowering, self.bounds, self.total)])

    def choose(self, by_block: Callable[[SSAValue | None], SSAValue | None], by_lane: Form) -> SSAValue | None:
        """Emits block messages under a flag where nothing else can be needed, else the forms that may be."""
        precondition = self.precondition
        if self.fit is Fit.WHOLE and self.holds_words and isinstance(precondition, Elements):
            return by_block(self.lowering.emit.flag(precondition, 0, 1))
        return choose(self.lowering, precondition, lambda: by_block(None), by_lane)

    def by_lane(self, cache: CacheControl) -> Iterator[tuple[Message, range, SSAValue | None]]:
        """Yields messages of one element per lane, the elements, and the flag of those that are inside."""
        for start, lanes in stretches(self.total // self.size, self.lowering.target.platform.gather_lanes):
            flag = lanes_inside(self.lowering, self.bounds, start, lanes, self.size)
            message = lane_message(self.size, cache, start * self.size, self.line.space)
            yield message, range(start, start + lanes), flag


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
    access = LineAccess(lowering, op.tensor_desc, line, columns * tile.size, tile.size)

    def by_block(flag: SSAValue | None) -> SSAValue:
        grf = lowering.target.platform.grf_bytes
        register = emit.undefined(access.total, grf) if flag is None else _zeros(lowering, access.total)
        return load_blocks(lowering, line, register, access.total, tile.size, cache, flag=flag)

    register = access.choose(by_block, lambda: _load_lanes(access, cache))
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
    *,
    flag: SSAValue | None = None,
) -> SSAValue:
    """Returns `register` with `total` bytes loaded from byte `at` on, in elements of `size` bytes.

    Where a flag is off, the bytes keep what they are, which is zero.
    """
    emit, grf = lowering.emit, lowering.target.platform.grf_bytes
    address = _address(lowering, line)
    for piece in pieces(total, size):
        message, to = piece.message(cache, line.space), at + piece.start
        if to % grf == 0 and message.transposed and piece.bytes >= grf:
            register = emit.load("load", message, address, into=register, offset=to, flag=flag)
        else:
            zeros = None if flag is None else _zeros(lowering, -(-piece.bytes // grf) * grf)
            loaded = Elements(emit.load("load", message, address, into=zeros, flag=flag), DataType.UB, piece.bytes)
            register = emit.copy(register, *_moves(loaded, 0, to, piece))
    return register


def _load_lanes(access: LineAccess, cache: CacheControl) -> SSAValue:
    lowering, emit, platform = access.lowering, access.lowering.emit, access.lowering.target.platform
    addresses = _lane_addresses(lowering, access.line, access.size)
    register = emit.undefined(access.total, platform.grf_bytes)
    for message, places, flag in access.by_lane(cache):
        size, zeros = data_bytes(message, len(places), platform.grf_bytes, platform.physical_simd_width), None
        if flag is not None:
            zeros = _zeros(lowering, size)
        register = gather(emit, message, addresses, len(places), register, places, flag=flag, zeros=zeros)
    return register


def _zeros(lowering: KernelLowering, size: int) -> SSAValue:
    """Returns a register block of zero bytes."""
    emit, type = lowering.emit, DataType.UD if size % DataType.UD.size == 0 else DataType.UB
    zeros = emit.undefined(size, lowering.target.platform.grf_bytes)
    return emit.convert_into(zeros, 0, UniformConstant(type, 0), type, size // type.size)


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

    access = LineAccess(lowering, op.tensor_desc, line, tile.columns * tile.size, tile.size)

    def by_block(flag: SSAValue | None) -> None:
        store_blocks(lowering, line, value, tile.size, cache, flag)

    def by_lane() -> None:
        addresses = _lane_addresses(lowering, line, tile.size)
        for message, places, flag in access.by_lane(cache):
            scatter(emit, message, addresses, len(places), value, places, flag=flag)

    access.choose(by_block, by_lane)


def store_blocks(
    lowering: KernelLowering,
    line: BlockDescriptor1D,
    value: Elements,
    size: int,
    cache: CacheControl = CacheControl.DEFAULT,
    flag: SSAValue | None = None,
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
        emit.send("store", piece.message(cache, line.space), address, data, flag=flag)


def lower_prefetch(lowering: KernelLowering, op: PrefetchNdOp, line: BlockDescriptor1D) -> None:
    """Prefetches the elements.

    A prefetch has no effect on values, so that a block is skipped that may not be aligned, or is not inside. Shared
    local memory has no caches to prefetch to.
    """
    desc = op.desc
    size = element_size(lowering, op, desc)
    total = desc.tile[1] * desc.array_length * size
    if total > lowering.sizes.limit:
        lowering.refuse(op, f"reads more than the {lowering.sizes.limit} bytes that {lowering.target.name} can load")
    access = LineAccess(lowering, op.tensor_desc, line, total, size)
    if line.space is not MessageMemory.GLOBAL or not access.holds_words:
        return
    inside = access.precondition
    if inside is False:
        return
    address, flag = _address(lowering, line), None if inside is True else lowering.emit.flag(inside, 0, 1)
    for piece in pieces(total, size):
        lowering.emit.send("prefetch", piece.message(prefetch_cache(op), line.space), address, flag=flag)
