"""Memory accesses of messages, computed before they happen, for observers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from runtime.simulator.interpreter.messages.block_2d import Inside, element_positions
from runtime.simulator.interpreter.messages.loads_stores import lane_addresses, message_lanes, register_offsets
from runtime.simulator.interpreter.threads.address_spaces import Addresses
from runtime.simulator.interpreter.threads.thread import Thread
from runtime.simulator.interpreter.threads.values import lane_array
from runtime.simulator.machine.block_2d import PAYLOAD_BYTES, BlockSurface
from xegpu.isa import Instruction, OpSpec, Register
from xegpu.isa.model import AddressModel, MemoryAccessKind, Message, Unit, block_bytes, data_bytes

RegisterOffsets = NDArray[np.int64]
"""Byte offsets in the register file."""

NO_LANE = -1
"""The lane of an access by the whole thread."""


class ReportedSpace(Enum):
    """The address space of an address: its name in reports, empty for device memory."""

    GLOBAL = ""
    SLM = "shared local memory"
    SCRATCH = "scratch space"


@dataclass(frozen=True, eq=False, slots=True)
class MemoryAccess:
    """One executed message: `size` bytes at each of `addresses`, which belong to `lanes`.

    The other arrays hold byte offsets in the register file.

    Attributes:
        sent: For each data operand, one offset per byte that is sent, one row per address.
        returned: The same for the data that a message returns.
        replaced: All bytes that the message writes, padding included.
    """

    spec: OpSpec
    space: ReportedSpace
    addresses: Addresses
    size: int
    lanes: NDArray[np.int64]
    sent: tuple[RegisterOffsets, ...] = ()
    returned: RegisterOffsets | None = None
    replaced: RegisterOffsets | None = None

    @property
    def is_atomic(self) -> bool:
        return self.spec.access is MemoryAccessKind.ATOMIC


def decode_access(instruction: Instruction, thread: Thread) -> Callable[[], MemoryAccess | None] | None:
    """Returns a function that computes the message's access from the current registers.

    None for messages that never access memory; the function returns None when no channel is enabled, or nothing is
    inside of the surface. It does not check whether the access is allowed.
    """
    message = instruction.message
    if message is None or instruction.spec.access is MemoryAccessKind.PREFETCH:
        return None
    if instruction.spec.block2d:
        return _block(instruction, thread, message)
    return _lanes(instruction, thread, message)


def _space(message: Message) -> ReportedSpace:
    if message.unit is Unit.SLM:
        return ReportedSpace.SLM
    return ReportedSpace.SCRATCH if message.model is AddressModel.SCRATCH else ReportedSpace.GLOBAL


def _lanes(instruction: Instruction, thread: Thread, message: Message) -> Callable[[], MemoryAccess | None]:
    spec, space = instruction.spec, _space(message)
    lanes, count = message_lanes(instruction, message), message.data_size
    addresses = lane_addresses(instruction, thread, message)
    target = thread.target
    block = data_bytes(message, lanes, target.platform.grf_bytes, target.platform.physical_simd_width)

    def offsets(register: Register, operand: int = 0) -> RegisterOffsets:
        return register_offsets(instruction, thread, message, thread.byte(register) + operand * block)

    def of_memory(elements: RegisterOffsets) -> RegisterOffsets:
        return elements[:, :, : count.memory_bytes].reshape(lanes, -1)

    operands = spec.sources if spec.access is MemoryAccessKind.ATOMIC else 1
    sent = [of_memory(offsets(instruction.data, i)) for i in range(operands)] if instruction.data is not None else []
    whole = None if instruction.returned is None else offsets(instruction.returned)
    returned = None if whole is None else of_memory(whole)

    def describe() -> MemoryAccess | None:
        on = np.flatnonzero(lane_array(thread.enabled(instruction, lanes), lanes))
        if not len(on):
            return None
        return MemoryAccess(
            spec,
            space,
            addresses()[on],
            message.vector * count.memory_bytes,
            np.full(1, NO_LANE) if message.transposed else instruction.channel_offset + on,
            tuple(operand[on] for operand in sent),
            None if returned is None else returned[on],
            None if whole is None else whole[on].ravel(),
        )

    return describe


def _block(instruction: Instruction, thread: Thread, message: Message) -> Callable[[], MemoryAccess | None]:
    block, limits, address = message.block, thread.target.platform.block2d, instruction.address
    register = instruction.returned or instruction.data
    assert block is not None
    assert limits is not None
    assert address is not None
    assert register is not None
    first, size = thread.byte(register), message.data_size.memory_bytes
    payload = thread.registers[thread.byte(address) :][:PAYLOAD_BYTES]
    elements = first + size * element_positions(message, block, thread.target.platform.grf_bytes)
    whole = np.arange(first, first + block.count * block_bytes(message, thread.target.platform.grf_bytes))

    def describe() -> MemoryAccess | None:
        if not thread.enabled(instruction, 1):
            return None
        surface = BlockSurface.unpack(payload.data)
        inside = Inside(surface, block, size)
        positions = elements[inside.rows, inside.columns] if inside else elements[:0, :0]
        problem = surface.broken_rule(message, block, limits, thread.memory.origin)
        if problem is not None or (not inside and instruction.returned is None):
            return None
        bytes_of_rows = (positions[:, :, None] + np.arange(size)).reshape(len(positions), size * positions.shape[1])
        return MemoryAccess(
            instruction.spec,
            ReportedSpace.GLOBAL,
            np.uint64(inside.address) + np.arange(len(positions), dtype=np.uint64) * np.uint64(surface.pitch),
            bytes_of_rows.shape[1],
            np.full(len(positions), NO_LANE),
            (bytes_of_rows,) if instruction.returned is None else (),
            None if instruction.returned is None else bytes_of_rows,
            None if instruction.returned is None else whole,
        )

    return describe
