"""Lowers descriptors of one address per lane, and the accesses through them.

A descriptor becomes the addresses of its lanes, whether the kernel works on whole subgroups or a lane is a work-item.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from xdsl.ir import Attribute, Operation, SSAValue

from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering, lowers
from passes.convert_xegpu_to_xe.lowering.values import Elements, LaneDescriptor, MemRef, Number, UniformConstant
from passes.convert_xegpu_to_xe.memory.atomics import AtomicTarget, atomic_update
from passes.convert_xegpu_to_xe.memory.cache_control import cache_control, load_cache, prefetch_cache, store_cache
from passes.convert_xegpu_to_xe.memory.descriptors.block_descriptors import element_size
from passes.convert_xegpu_to_xe.memory.lane_messages import lane_message
from passes.kernel.memories import MessageMemory
from passes.kernel.register_types import element_count, element_type
from xegpu.dialects.xegpu import (
    AtomicRMWOp,
    CreateDescOp,
    LoadOp,
    PrefetchOp,
    StoreOp,
    TensorDescType,
    UpdateOffsetOp,
    descriptor_type,
)
from xegpu.isa.formats import GATHER_VECTORS
from xegpu.isa.model import CacheControl, DataSize, DataType, Message, data_bytes, integer

_WORD = 4
"""Bytes of the narrowest element of which a lane can access several in one message."""
_VECTORS = sorted(GATHER_VECTORS[DataSize.D32], reverse=True)

Image = Callable[[int, int], int]
"""Maps (element of the chunk, lane) to the position of the element in a register layout."""


# Descriptors ---------------------------------------------------------------------------------------------------------


@lowers(CreateDescOp)
def create(lowering: KernelLowering, op: CreateDescOp) -> None:
    source = lowering.values[op.source]
    if isinstance(source, MemRef):
        space, base = source.space, source.base
        if space is MessageMemory.PRIVATE:
            lowering.refuse(op, "of private memory is not supported")
    else:
        space, base = MessageMemory.GLOBAL, lowering.emit.scalar(lowering.uniform(op, op.source), DataType.UQ)
    desc = op.tensor_desc.type
    lowering.values[op.tensor_desc] = LaneDescriptor(_moved(lowering, op, desc, base, op.offsets, space), space)


@lowers(UpdateOffsetOp)
def update(lowering: KernelLowering, op: UpdateOffsetOp) -> None:
    old = _scattered(lowering, op.tensor_desc)
    desc = descriptor_type(op.tensor_desc)
    addresses = _moved(lowering, op, desc, old.addresses, op.offsets, old.space)
    lowering.values[op.result] = LaneDescriptor(addresses, old.space)


def _scattered(lowering: KernelLowering, descriptor: SSAValue) -> LaneDescriptor:
    value = lowering.values[descriptor]
    assert isinstance(value, LaneDescriptor)
    return value


def _moved(
    lowering: KernelLowering,
    op: Operation,
    desc: TensorDescType,
    base: Elements,
    offsets: SSAValue,
    space: MessageMemory,
) -> Elements:
    """Returns `base` (one address, or one per lane) moved by each lane's offset, from the start of a register on."""
    lanes, type = desc.get_shape()[0], space.address_type
    size = element_size(lowering, op, desc)
    step = _of_each_lane(lowering, lowering.number(offsets), lanes)
    if isinstance(step, UniformConstant):
        step = UniformConstant(step.type, int(step.value) * size)
    elif size != 1:
        wide = step.type if step.type.bits == 64 else type
        step = lowering.emit.alu("mul", wide, [step, UniformConstant(wide, size)], lanes)
    step = lowering.index.distance(step, type)
    moved = lowering.emit.alu("add", type, [base, step], lanes, alignment=lowering.target.platform.grf_bytes)
    return Elements(moved.register, type, lanes)


def _of_each_lane(lowering: KernelLowering, number: Number, lanes: int) -> Number:
    """Returns each lane's own entry of a vector that has an entry for every lane and that all of them hold."""
    if isinstance(number, UniformConstant) or number.lanes == 1 or number.count == lanes:
        return number if isinstance(number, UniformConstant) else replace(number, lanes=1)
    bits = integer(number.type.bits, signed=False)
    moves = [(lane, lane * number.lanes + lane) for lane in range(lanes)]
    register = lowering.emit.copy(lowering.emit.undefined(lanes * bits.size), number.as_type(bits), moves, bits)
    return Elements(register, number.type, lanes)


# Accesses ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ChunkAccess:
    """An access of `chunk` elements of `size` bytes in each of `lanes` lanes, and their positions in registers.

    If `fragment`, each lane is a work-item that has its own elements.
    """

    lanes: int
    chunk: int
    size: int
    type: DataType
    addresses: Elements
    space: MessageMemory
    image: Image
    fragment: bool
    in_words: bool

    @property
    def elements(self) -> int:
        return self.lanes * self.chunk

    @property
    def value_lanes(self) -> int:
        """`Elements.lanes` of the value."""
        return self.lanes if self.fragment else 1


@dataclass(frozen=True)
class ChunkMessage:
    """Elements `start` to `start + count` of every lane's chunk, in one message."""

    start: int
    count: int
    message: Message


def _access(
    lowering: KernelLowering, op: Operation, descriptor: SSAValue, value: Attribute | None, *, by_lane: bool = False
) -> ChunkAccess:
    """Returns the access; if `by_lane`, the value is `[lanes, chunk]`, not `[chunk, lanes]`."""
    desc, source = descriptor_type(descriptor), _scattered(lowering, descriptor)
    type = element_type(desc.element_type)
    assert type is not None
    size, lanes, chunk = element_size(lowering, op, desc), desc.get_shape()[0], desc.chunk_size
    fragment = value is not None and element_count(value) != lanes * chunk
    if fragment and lanes != lowering.lanes:
        lowering.refuse(
            op, f"has a work-item's part of an access by {lanes} lanes in a kernel with subgroups of {lowering.lanes}"
        )
    width = desc.lane_map.data_size if fragment and desc.lane_map is not None else 1

    def image(element: int, lane: int) -> int:
        if by_lane and not fragment:
            return lane * chunk + element
        return (element // width * lanes + lane) * width + element % width

    in_words = size >= _WORD or (chunk > 1 and lowering.facts.of(descriptor).power >= _WORD)
    return ChunkAccess(lanes, chunk, size, type, source.addresses, source.space, image, fragment, in_words)


def _pieces(lowering: KernelLowering, access: ChunkAccess, cache: CacheControl) -> Iterator[ChunkMessage]:
    """Yields messages for all elements of the chunks: words where their alignment is known, else one element each."""
    target = lowering.target
    if not access.in_words:
        for element in range(access.chunk):
            message = lane_message(access.size, cache, element * access.size, access.space)
            yield ChunkMessage(element, 1, message)
        return
    word = max(access.size, _WORD)
    factor = word // access.size
    start = 0
    while start < access.chunk // factor:
        for vector in _VECTORS:
            message = replace(lane_message(word, cache, start * word, access.space), vector=vector)
            size = data_bytes(message, access.lanes, target.platform.grf_bytes, target.platform.physical_simd_width)
            if vector <= access.chunk // factor - start and size <= target.platform.max_message_bytes:
                break
        yield ChunkMessage(start * factor, vector * factor, message)
        start += vector


def _moves(lowering: KernelLowering, access: ChunkAccess, piece: ChunkMessage) -> list[tuple[int, int]]:
    """Returns (position in the value's layout, position in the message's data) of a piece's elements."""
    target, message = lowering.target, piece.message
    block = (
        data_bytes(message, access.lanes, target.platform.grf_bytes, target.platform.physical_simd_width)
        // message.vector
    )
    factor = piece.count // message.vector
    step = message.data_size.register_bytes // access.size
    pairs: list[tuple[int, int]] = []
    for element in range(piece.count):
        for lane in range(access.lanes):
            at = element // factor * (block // access.size) + lane * step + element % factor
            pairs.append((access.image(piece.start + element, lane), at))
    return pairs


def _flag(lowering: KernelLowering, mask: Number, lanes: int) -> SSAValue | None:
    """Returns the lanes that are active; None for all of them."""
    own = _of_each_lane(lowering, mask, lanes)
    if isinstance(own, UniformConstant):
        if own.value:
            return None
        own = lowering.emit.alu("mov", own.type, [own], lanes)
    return lowering.emit.flag(own, 0, lanes)


@lowers(LoadOp)
def load(lowering: KernelLowering, op: LoadOp) -> None:
    """Lanes that the mask disables get zeros."""
    emit, grf = lowering.emit, lowering.target.platform.grf_bytes
    access = _access(lowering, op, op.tensor_desc, op.value.type)
    bits = integer(access.size * 8, signed=False)
    flag = _flag(lowering, lowering.number(op.mask), access.lanes)
    register: SSAValue | None = None
    pieces = list(_pieces(lowering, access, cache_control(op, access.space, load_cache)))
    for piece in pieces:
        size = data_bytes(piece.message, access.lanes, grf, lowering.target.platform.physical_simd_width)
        zeros = (
            None
            if flag is None
            else emit.alu("mov", DataType.UD, [UniformConstant(DataType.UD, 0)], size // 4, alignment=grf)
        )
        loaded = emit.load(
            "load",
            piece.message,
            access.addresses.register,
            exec_size=access.lanes,
            into=None if zeros is None else zeros.register,
            flag=flag,
            no_mask=not access.fragment,
        )
        moves = _moves(lowering, access, piece)
        if len(pieces) == 1 and all(to == origin for to, origin in moves):
            register = loaded
            break
        if register is None:
            register = emit.undefined(access.elements * access.size, grf)
        register = emit.copy(register, Elements(loaded, bits, size // access.size), sorted(moves), bits)
    assert register is not None
    lowering.values[op.value] = Elements(register, access.type, access.elements, 0, access.value_lanes)


@lowers(StoreOp)
def store(lowering: KernelLowering, op: StoreOp) -> None:
    emit, grf = lowering.emit, lowering.target.platform.grf_bytes
    access = _access(lowering, op, op.tensor_desc, op.value.type)
    bits = integer(access.size * 8, signed=False)
    value = lowering.operand(op, op.value, access.value_lanes).as_type(bits)
    flag = _flag(lowering, lowering.number(op.mask), access.lanes)
    for piece in _pieces(lowering, access, cache_control(op, access.space, store_cache)):
        size = data_bytes(piece.message, access.lanes, grf, lowering.target.platform.physical_simd_width)
        moves = sorted((origin, to) for to, origin in _moves(lowering, access, piece))
        first = value.part(moves[0][1], len(moves))
        dense = all(at == index and origin == moves[0][1] + index for index, (at, origin) in enumerate(moves))
        if not dense or not emit.starts_register(first) or first.size != size:
            first = Elements(emit.copy(emit.undefined(size, grf), value, moves, bits), bits, size // access.size)
        emit.send(
            "store",
            piece.message,
            access.addresses.register,
            first,
            exec_size=access.lanes,
            flag=flag,
            no_mask=not access.fragment,
        )


@lowers(PrefetchOp)
def prefetch(lowering: KernelLowering, op: PrefetchOp) -> None:
    access = _access(lowering, op, op.tensor_desc, None)
    if access.space is not MessageMemory.GLOBAL:
        return
    own = lowering.lanes == access.lanes
    for piece in _pieces(lowering, access, prefetch_cache(op)):
        lowering.emit.send(
            "prefetch", piece.message, access.addresses.register, exec_size=access.lanes, no_mask=not own
        )


@lowers(AtomicRMWOp)
def atomic_rmw(lowering: KernelLowering, op: AtomicRMWOp) -> None:
    """One update for each element of the chunks; lanes that the mask disables get an undefined value."""
    emit = lowering.emit
    access = _access(lowering, op, op.tensor_desc, op.value.type, by_lane=True)
    bits = integer(access.size * 8, signed=False)
    value = lowering.operand(op, op.value, access.value_lanes)
    mask = lowering.number(op.mask)
    wanted = bool(op.result.uses)
    register = emit.undefined(access.elements * access.size, lowering.target.platform.grf_bytes)
    for element in range(access.chunk):
        places = [access.image(element, lane) for lane in range(access.lanes)]
        own = _picked(lowering, value, places)
        chosen = mask
        if isinstance(mask, Elements) and mask.lanes == 1 and access.chunk > 1 and mask.count == access.elements:
            chosen = _picked(lowering, mask, [lane * access.chunk + element for lane in range(access.lanes)])
        place = AtomicTarget(
            lane_message(access.size, offset=element * access.size, space=access.space),
            access.addresses.register,
            access.type,
            access.lanes,
            not access.fragment,
            _flag(lowering, chosen, access.lanes),
        )
        old = atomic_update(lowering, op, place, op.atomic_kind.keyword, own, wanted=wanted)
        if old is not None:
            moves = sorted((to, lane) for lane, to in enumerate(places))
            register = emit.copy(register, old.as_type(bits), moves, bits)
    lowering.values[op.result] = Elements(register, access.type, access.elements, 0, access.value_lanes)


def _picked(lowering: KernelLowering, value: Elements, places: Sequence[int]) -> Elements:
    """Returns the elements at some positions, dense."""
    if list(places) == [*range(places[0], places[0] + len(places))]:
        return value.part(places[0], len(places))
    bits = integer(value.type.bits, signed=False)
    moves = list(enumerate(places))
    register = lowering.emit.copy(lowering.emit.undefined(len(places) * bits.size), value.as_type(bits), moves, bits)
    return Elements(register, value.type, len(places))
