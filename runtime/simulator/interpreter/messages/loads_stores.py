"""Loads and stores of lanes (gathers and scatters) and of one block (transposed messages)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from runtime.simulator.interpreter.messages.atomics import update
from runtime.simulator.interpreter.messages.block_2d import decode_block2d
from runtime.simulator.interpreter.threads.address_spaces import Addresses, MessageSpace
from runtime.simulator.interpreter.threads.step import Step
from runtime.simulator.interpreter.threads.thread import Thread
from runtime.simulator.interpreter.threads.values import lane_array
from runtime.simulator.machine.fault import Fault
from xegpu.isa import Instruction, Register
from xegpu.isa.model import AddressModel, MemoryAccessKind, Message, Unit, data_bytes


def decode_message(instruction: Instruction, thread: Thread) -> Step:
    """Returns the step of a message; prefetches do nothing."""
    message = instruction.message
    assert message is not None
    assert instruction.spec.access is not None
    if instruction.spec.access is MemoryAccessKind.PREFETCH:
        return lambda: None
    if instruction.spec.block2d:
        return decode_block2d(instruction, thread, message)
    decode = _ACCESSES[instruction.spec.access]
    return decode(instruction, thread, message, lane_addresses(instruction, thread, message))


def message_lanes(instruction: Instruction, message: Message) -> int:
    return 1 if message.transposed else instruction.exec_size


def lane_addresses(instruction: Instruction, thread: Thread, message: Message) -> Callable[[], Addresses]:
    """Returns the address of every lane, the message's offset added modulo 2^64."""
    assert instruction.address is not None
    first, size = thread.byte(instruction.address), message.address_size.size
    payload = thread.registers[first : first + message_lanes(instruction, message) * size].view(f"<u{size}")
    offset = np.uint64(message.offset % (1 << 64))
    return lambda: payload.astype(np.uint64) + offset


def register_offsets(instruction: Instruction, thread: Thread, message: Message, first: int) -> NDArray[np.int64]:
    """Returns the byte offsets of the data in the register file, shape [lanes, vector, bytes of one element].

    Element v of a gather's lane n is in block v, at position n; a transposed message's elements are adjacent.
    """
    size = message.data_size.register_bytes
    lane = np.arange(message_lanes(instruction, message))[:, None, None]
    element = np.arange(message.vector)[:, None]
    if message.transposed:
        stride = size
    else:
        target = thread.target
        whole = data_bytes(
            message, instruction.exec_size, target.platform.grf_bytes, target.platform.physical_simd_width
        )
        stride = whole // message.vector
    return first + element * stride + lane * size + np.arange(size)


def _space(thread: Thread, message: Message) -> MessageSpace:
    if message.unit is Unit.SLM:
        return thread.slm
    return thread.scratch if message.model is AddressModel.SCRATCH else thread.memory


def _raise_for_lane(fault: Fault, instruction: Instruction, message: Message, on: NDArray[np.intp]) -> NoReturn:
    """Adds the channel to the fault of an access; `on` are the channels that took part."""
    if fault.lane is not None:
        fault.lane = None if message.transposed else instruction.channel_offset + int(on[fault.lane])
    raise fault


def _load(instruction: Instruction, thread: Thread, message: Message, addresses: Callable[[], Addresses]) -> Step:
    assert instruction.returned is not None
    lanes, size, vector = message_lanes(instruction, message), message.data_size, message.vector
    offsets = register_offsets(instruction, thread, message, thread.byte(instruction.returned))

    def step() -> None:
        on = np.flatnonzero(lane_array(thread.enabled(instruction, lanes), lanes))
        if not len(on):
            return
        try:
            data = _space(thread, message).read(addresses()[on], vector * size.memory_bytes, message.alignment)
        except Fault as fault:
            _raise_for_lane(fault, instruction, message, on)
        elements = np.zeros((len(on), vector, size.register_bytes), np.uint8)
        elements[:, :, : size.memory_bytes] = data.reshape(len(on), vector, size.memory_bytes)
        thread.registers[offsets[on]] = elements

    return step


def _store(instruction: Instruction, thread: Thread, message: Message, addresses: Callable[[], Addresses]) -> Step:
    assert instruction.data is not None
    lanes, size = message_lanes(instruction, message), message.data_size
    offsets = register_offsets(instruction, thread, message, thread.byte(instruction.data))
    offsets = offsets[:, :, : size.memory_bytes].reshape(lanes, -1)

    def step() -> None:
        on = np.flatnonzero(lane_array(thread.enabled(instruction, lanes), lanes))
        if not len(on):
            return
        try:
            _space(thread, message).write(addresses()[on], thread.registers[offsets[on]], message.alignment)
        except Fault as fault:
            _raise_for_lane(fault, instruction, message, on)

    return step


def _atomic(instruction: Instruction, thread: Thread, message: Message, addresses: Callable[[], Addresses]) -> Step:
    lanes, size, spec = instruction.exec_size, message.data_size, instruction.spec
    target = thread.target
    block = data_bytes(message, lanes, target.platform.grf_bytes, target.platform.physical_simd_width)
    returned, data = instruction.returned, instruction.data

    def offsets(register: Register, operand: int = 0) -> NDArray[np.int64]:
        """Byte offsets in the register file, shape [lanes, bytes of an element in a register]."""
        return register_offsets(instruction, thread, message, thread.byte(register) + operand * block)[:, 0]

    operands = [] if data is None else [offsets(data, i)[:, : size.memory_bytes] for i in range(spec.sources)]

    def step() -> None:
        on = np.flatnonzero(lane_array(thread.enabled(instruction, lanes), lanes))
        if not len(on):
            return
        values = np.array([thread.registers[operand[on]] for operand in operands], np.uint8)
        try:
            found = update(_space(thread, message), addresses()[on], values, spec, size.memory_bytes)
        except Fault as fault:
            _raise_for_lane(fault, instruction, message, on)
        if returned is not None:
            elements = np.zeros((len(on), size.register_bytes), np.uint8)
            elements[:, : size.memory_bytes] = found
            thread.registers[offsets(returned)[on]] = elements

    return step


_ACCESSES = {MemoryAccessKind.LOAD: _load, MemoryAccessKind.STORE: _store, MemoryAccessKind.ATOMIC: _atomic}
