"""Operands of instructions as typed values, for traces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from runtime.debugger.values import Values, of_bytes
from runtime.simulator.interpreter import Thread
from runtime.simulator.interpreter.alu import Array, bits_dtype, lane_array, raw_reader
from runtime.simulator.machine import PAYLOAD_BYTES, BlockSurface
from xegpu.isa import DataType, Destination, Flag, Instruction, Register, SourceRegister
from xegpu.isa.formats import dpas_footprint, footprint
from xegpu.isa.model import (
    AddressModel,
    MemoryAccessKind,
    Message,
    Modifiers,
    Unit,
    integer,
    predicate_chooses,
    strided,
)
from xegpu.isa.text import format_destination, format_register, format_source

Read = Callable[[int], Values]
"""Reads the current value of an operand, given the enabled channels, one bit each."""


@dataclass(frozen=True)
class Accessed:
    """A memory access of one instruction: each enabled lane reads or writes `size` bytes at its address.

    `lanes` is None for an access of the whole thread. `detail` describes the surface of a block-2D message, whose bytes
    are not contiguous.
    """

    space: str
    access: str
    size: int
    addresses: tuple[int, ...]
    lanes: tuple[int, ...] | None = None
    detail: str = ""


class Operands:
    """The operands of an instruction of a thread; decoded once and read at each execution."""

    def __init__(self, instruction: Instruction, thread: Thread):
        self._instruction = instruction
        self._thread = thread
        spec = instruction.spec
        self._enabled = thread.base_channels if predicate_chooses(instruction) else thread.enabled
        read = _alu if spec.computes else _dpas if spec.is_matrix_product else _registers
        self._sources, self._results = read(instruction, thread)
        condition, predicate = instruction.condition, instruction.predicate
        if predicate is not None:
            self._sources.append(_flag(predicate.flag, thread))
        if condition is not None and condition.flag is not None:
            self._results.append(_flag(condition.flag, thread))

    def channels_on(self) -> int:
        """Returns the channels that execute the instruction next, one bit each, channel 0 of the instruction lowest."""
        return self._enabled(self._instruction, self._instruction.exec_size)

    def sources(self, on: int) -> list[Values]:
        """Returns the source operands, before the instruction is executed."""
        return [read(on) for read in self._sources]

    def results(self, on: int) -> list[Values]:
        """Returns the destination operands, after the instruction was executed."""
        return [read(on) for read in self._results]

    def memory(self, on: int) -> Accessed | None:
        """Returns the next memory access of the instruction, None without one or with no enabled channel."""
        instruction, message, thread = self._instruction, self._instruction.message, self._thread
        access = instruction.spec.access
        if message is None or instruction.address is None or access in (None, MemoryAccessKind.PREFETCH) or not on:
            return None
        if message.block is not None:
            return _block(thread, instruction, message)
        assert access is not None
        size, unit = message.vector * message.data_size.memory_bytes, message.address_size.size
        lanes = [0] if message.transposed else np.flatnonzero(lane_array(on, instruction.exec_size)).tolist()
        first = thread.byte(instruction.address)
        payload = thread.registers[first : first + (lanes[-1] + 1) * unit].view(f"<u{unit}").tolist()
        addresses = tuple((payload[lane] + message.offset) % (1 << 64) for lane in lanes)
        numbers = None if message.transposed else tuple(instruction.channel_offset + lane for lane in lanes)
        return Accessed(_space(message), access.value, size, addresses, numbers)


def _space(message: Message) -> str:
    if message.unit is Unit.SLM:
        return "slm"
    return "scratch" if message.model is AddressModel.SCRATCH else "global"


def _block(thread: Thread, instruction: Instruction, message: Message) -> Accessed:
    assert instruction.address is not None
    assert instruction.spec.access is not None
    surface = BlockSurface.unpack(thread.registers[thread.byte(instruction.address) :][:PAYLOAD_BYTES].data)
    detail = (
        f"surface {surface.width} bytes x {surface.height} rows, pitch {surface.pitch}, block at column {surface.x}, "
        f"row {surface.y}"
    )
    return Accessed("global", instruction.spec.access.value, 0, (surface.base,), None, detail)


# Reading operands ----------------------------------------------------------------------------------------------------


def _alu(instruction: Instruction, thread: Thread) -> tuple[list[Read], list[Read]]:
    channels, destination = instruction.exec_size, instruction.destination
    sources = [
        _lanes(thread, replace(source, negate=False, absolute=False), instruction)
        for source in instruction.sources
        if isinstance(source, SourceRegister)
    ]
    assert destination is not None
    results: list[Read] = []
    if not destination.register.is_null:
        region = strided(destination.stride if channels > 1 else 0)
        result = SourceRegister(destination.register, destination.type, region)
        results.append(_lanes(thread, result, instruction, format_destination(destination)))
    if instruction.carry is not None:
        carry = Destination(instruction.carry, DataType.UD)
        results.append(
            _lanes(thread, SourceRegister(carry.register, carry.type), instruction, format_destination(carry))
        )
    return sources, results


def _lanes(thread: Thread, source: SourceRegister, instruction: Instruction, name: str = "") -> Read:
    """Returns an operand with one element for each channel; a scalar for all channels is one element."""
    bits, channels = raw_reader(thread, source, instruction.exec_size), instruction.exec_size
    name = name or format_source(source, Modifiers.NONE)

    def read(on: int) -> Values:
        elements = bits().copy()
        lanes = lane_array(on, channels) if len(elements) == channels > 1 else None
        return Values(name, source.type, elements, lanes, instruction.channel_offset)

    return read


def _dpas(instruction: Instruction, thread: Thread) -> tuple[list[Read], list[Read]]:
    touched, destination = dpas_footprint(instruction, thread.target), instruction.destination
    assert destination is not None
    operands = [s for s in instruction.sources if isinstance(s, SourceRegister) and not s.register.is_null]
    spans = [span.size for span in touched.reads]
    sources = [_block_of(thread, s.register, s.type, size) for s, size in zip(operands, spans, strict=True)]
    return sources, [_block_of(thread, destination.register, destination.type, touched.writes[0].size)]


def _block_of(thread: Thread, register: Register, type: DataType, size: int) -> Read:
    first, name = thread.byte(register), f"{format_register(register, type)}:{type.text}"
    return lambda on: of_bytes(name, type, thread.registers[first : first + size])


def _registers(instruction: Instruction, thread: Thread) -> tuple[list[Read], list[Read]]:
    """Returns whole registers of unknown type: payloads and data of messages, return addresses of calls."""
    # The operands are direct, and all channels are taken as enabled: disabled ones keep their values, which are not
    # read.
    touched = footprint(replace(instruction, predicate=None, no_mask=True), thread.target, 0, None)
    written = [_piece(instruction, thread, span.start, span.size, span.unit) for span in touched.writes]
    read = [_piece(instruction, thread, s.start, s.size, s.unit) for s in touched.reads]
    return read, written


def _piece(instruction: Instruction, thread: Thread, first: int, size: int, unit: int) -> Read:
    channels, type = instruction.exec_size, integer(8 * unit, signed=False)
    number, byte = divmod(first, thread.target.platform.grf_bytes)
    name = f"r{number}.{byte // unit}:{type.text}"
    by_lane = size == channels * unit and channels > 1

    def read(on: int) -> Values:
        bits: Array = thread.registers[first : first + size].view(bits_dtype(type)).copy()
        lanes = lane_array(on, channels) if by_lane else None
        return Values(name, type, bits, lanes, instruction.channel_offset, is_raw=True)

    return read


def _flag(flag: Flag, thread: Thread) -> Read:
    """Returns half a flag register, irrespective of the instruction's channels."""

    def read(on: int) -> Values:
        bits = np.array([thread.flag_bits(flag, 0, 16)], np.uint16)
        return Values(f"f{flag.number}.{flag.half}", DataType.UW, bits, is_raw=True)

    return read
