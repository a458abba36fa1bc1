"""Block-2D messages: rectangles of a surface in memory, elements outside of it read as zero and are not written."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from runtime.simulator.faults import FaultKind
from runtime.simulator.interpreter.fault import Fault
from runtime.simulator.interpreter.step import Step
from runtime.simulator.interpreter.thread import Thread
from runtime.simulator.interpreter.values import Array, Bytes
from xegpu.isa import Instruction
from xegpu.isa.messages import Block, Message, block_bytes, block_element_offset
from xegpu.targets import Block2D

_PAYLOAD = struct.Struct("<QIIIiiI")


@dataclass(frozen=True)
class Surface:
    """The payload of a message: a surface in bytes and rows, and the block's position (x in elements, y in rows)."""

    base: int
    width: int
    height: int
    pitch: int
    x: int
    y: int
    shape: int

    @staticmethod
    def unpack(payload: Bytes) -> Surface:
        """Reads the first eight dwords of the payload register."""
        base, width, height, pitch, x, y, shape = _PAYLOAD.unpack_from(payload.data)
        return Surface(base, width + 1, height + 1, pitch + 1, x, y, shape)

    def check(self, message: Message, block: Block, limits: Block2D) -> None:
        """Raises a `BAD_BLOCK` fault for a broken rule."""
        encoded = (block.width - 1) | (block.height - 1) << 8 | (block.count - 1) << 16
        start = self.x * message.data_size.memory_bytes
        rules = (
            (self.shape == encoded, f"payload shape {self.shape:#x} is not the message's, {encoded:#x}"),
            _multiple("surface base", self.base, limits.base_alignment),
            _within("surface width", self.width, limits.min_surface_width, limits.max_surface),
            _multiple("surface width", self.width, limits.width_multiple),
            _within("surface height", self.height, 1, limits.max_surface),
            _within("surface pitch", self.pitch, max(limits.min_surface_pitch, self.width), limits.max_surface),
            _multiple("surface pitch", self.pitch, limits.pitch_multiple),
            _multiple("byte of the row where the block starts", start, limits.row_bytes_multiple),
        )
        for holds, text in rules:
            if not holds:
                raise Fault(FaultKind.BAD_BLOCK, text)


def _multiple(what: str, value: int, factor: int) -> tuple[bool, str]:
    return value % factor == 0, f"{what} {value:#x} is no multiple of {factor}"


def _within(what: str, value: int, low: int, high: int) -> tuple[bool, str]:
    return low <= value <= high, f"{what} {value} is not from {low} to {high}"


def decode_block2d(instruction: Instruction, thread: Thread, message: Message) -> Step:
    """The step of a block-2D load or store."""
    block, limits, address = message.block, thread.target.block2d, instruction.address
    register = instruction.returned or instruction.data
    assert block is not None
    assert limits is not None
    assert address is not None
    assert register is not None
    loads = instruction.returned is not None
    payload = thread.registers[thread.byte(address) :][: _PAYLOAD.size]
    first = thread.byte(register)
    data = thread.registers[first : first + block.count * block_bytes(message, thread.target.grf_bytes)]
    transfer = _load if loads else _store

    def step() -> None:
        if thread.enabled(instruction, 1):
            surface = Surface.unpack(payload)
            surface.check(message, block, limits)
            transfer(thread, message, block, surface, data)

    return step


def _load(thread: Thread, message: Message, block: Block, surface: Surface, data: Bytes) -> None:
    dtype = np.dtype(f"u{message.data_size.memory_bytes}")
    tile = np.zeros((block.height, block.count * block.width), dtype)
    inside = _Inside(surface, block, dtype.itemsize)
    if inside:
        tile[inside.rows, inside.columns] = inside.view(thread, dtype, write=False)
    elements = np.zeros(len(data) // dtype.itemsize, dtype)
    elements[_places(message, block, thread.target.grf_bytes)] = tile
    data[:] = elements.view(np.uint8)


def _store(thread: Thread, message: Message, block: Block, surface: Surface, data: Bytes) -> None:
    dtype = np.dtype(f"u{message.data_size.memory_bytes}")
    tile = data.view(dtype)[_places(message, block, thread.target.grf_bytes)]
    inside = _Inside(surface, block, dtype.itemsize)
    if inside:
        inside.view(thread, dtype, write=True)[:] = tile[inside.rows, inside.columns]


class _Inside:
    """The part of a message's blocks, side by side, that lies inside of the surface; false when there is none."""

    def __init__(self, surface: Surface, block: Block, size: int):
        self._surface, self._size = surface, size
        top, left = max(surface.y, 0), max(surface.x, 0)
        bottom = min(surface.y + block.height, surface.height)
        right = min(surface.x + block.count * block.width, surface.width // size)
        self._top, self._left = top, left
        self._height, self._width = bottom - top, right - left
        self.rows = slice(top - surface.y, bottom - surface.y)
        self.columns = slice(left - surface.x, right - surface.x)

    def __bool__(self) -> bool:
        return self._height > 0 and self._width > 0

    def view(self, thread: Thread, dtype: np.dtype[np.unsignedinteger], *, write: bool) -> Array:
        """The elements in memory, shape [rows, columns]; raises `Fault` unless one allocation covers them."""
        surface, size = self._surface, self._size
        address = (surface.base + self._top * surface.pitch + self._left * size) % (1 << 64)
        try:
            rows = thread.memory.rows(address, surface.pitch, self._height, self._width * size, write=write)
        except Fault as fault:
            fault.lane = None  # a block belongs to the whole thread
            raise
        return rows.view(dtype)


@lru_cache(maxsize=256)
def _places(message: Message, block: Block, grf_bytes: int) -> NDArray[np.int64]:
    """Index of each element in the data registers, shape [rows, columns of all blocks]."""
    size = message.data_size.memory_bytes
    return np.array(
        [
            [
                block_element_offset(message, grf_bytes, index, row, column) // size
                for index in range(block.count)
                for column in range(block.width)
            ]
            for row in range(block.height)
        ]
    )
