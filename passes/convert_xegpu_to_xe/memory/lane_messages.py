"""Gathers and scatters of one element per lane; elements below a dword occupy a dword of their own."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from passes.convert_xegpu_to_xe.lowering.emitter import XeEmitter
from passes.convert_xegpu_to_xe.lowering.values import Elements, Number
from passes.kernel.memories import MessageMemory
from xegpu.isa.model import CacheControl, DataSize, DataType, Message, data_bytes, integer

_DATA_SIZES = {1: DataSize.D8U32, 2: DataSize.D16U32, 4: DataSize.D32, 8: DataSize.D64}


def lane_message(
    size: int, cache: CacheControl = CacheControl.DEFAULT, offset: int = 0, space: MessageMemory = MessageMemory.GLOBAL
) -> Message:
    """Returns a message for one element of `size` bytes per lane, `offset` bytes after each lane's address."""
    return Message(
        space.unit,
        _DATA_SIZES[size],
        cache=cache,
        address_size=space.address_size,
        model=space.model,
        offset=offset,
    )


def received(emit: XeEmitter, message: Message, register: SSAValue, type: DataType, lanes: int) -> Elements:
    """Returns one element of each lane, dense, from the registers that a message returns."""
    step = _step(message)
    if step > 1:
        bits = integer(type.bits, signed=False)
        moves = [(lane, lane * step) for lane in range(lanes)]
        narrow = emit.undefined(lanes * type.size)
        register = emit.copy(narrow, Elements(register, bits, lanes * step), moves, bits)
    return Elements(register, type, lanes, 0, lanes)


def sent(emit: XeEmitter, message: Message, operands: Sequence[Number], lanes: int) -> Elements:
    """Returns one element of each lane as a message reads them, the lanes of one operand after those of another.

    Operands have an element for each lane, or one that all lanes send.
    """
    size, target = message.data_size, emit.target
    block = data_bytes(message, lanes, target.platform.grf_bytes, target.platform.physical_simd_width)
    wide = integer(size.register_bytes * 8, signed=False)
    bits = integer(size.memory_bytes * 8, signed=False)
    register = emit.undefined(len(operands) * block, target.platform.grf_bytes)
    for index, operand in enumerate(operands):
        number = emit.scalar(operand).as_type(bits)
        register = emit.convert_into(register, index * block, number, wide, lanes)
    return Elements(register, wide, len(operands) * block // wide.size)


def gather(
    emit: XeEmitter,
    message: Message,
    addresses: SSAValue,
    lanes: int,
    register: SSAValue,
    places: Sequence[int],
    *,
    flag: SSAValue | None = None,
    zeros: SSAValue | None = None,
) -> SSAValue:
    """Returns `register` with an element from each lane at the position that `places` names for it.

    Lanes that `flag` disables give the element of `zeros`.
    """
    size, step = message.data_size.memory_bytes, _step(message)
    loaded = emit.load("load", message, addresses, exec_size=lanes, into=zeros, flag=flag)
    bits = integer(size * 8, signed=False)
    moves = sorted((to, lane * step) for lane, to in enumerate(places))
    return emit.copy(register, Elements(loaded, bits, lanes * step), moves, bits)


def scatter(
    emit: XeEmitter,
    message: Message,
    addresses: SSAValue,
    lanes: int,
    value: Elements,
    places: Sequence[int],
    *,
    flag: SSAValue | None = None,
) -> None:
    """Stores an element from each lane: that of `value` at the position that `places` names for it."""
    size, step, target = message.data_size.memory_bytes, _step(message), emit.target
    total = data_bytes(message, lanes, target.platform.grf_bytes, target.platform.physical_simd_width)
    bits = integer(size * 8, signed=False)
    moves = [(lane * step, origin) for lane, origin in enumerate(places)]
    data = emit.copy(emit.undefined(total, target.platform.grf_bytes), value.as_type(bits), moves, bits)
    emit.send("store", message, addresses, Elements(data, bits, total // size), exec_size=lanes, flag=flag)


def _step(message: Message) -> int:
    """Returns the distance in elements between the elements of neighboring lanes in the data registers."""
    return message.data_size.register_bytes // message.data_size.memory_bytes
