"""Block-2D messages: rectangles of a surface in memory. Elements outside read as zero and are not written."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from runtime.simulator.interpreter.threads.step import Step
from runtime.simulator.interpreter.threads.thread import Thread
from runtime.simulator.interpreter.threads.values import Array, Bytes
from runtime.simulator.launch.faults import FaultKind
from runtime.simulator.machine.block_2d import PAYLOAD_BYTES, BlockSurface
from runtime.simulator.machine.fault import Fault
from xegpu.isa import Instruction
from xegpu.isa.model import BlockShape, Message, block_bytes, block_element_offset


def decode_block2d(instruction: Instruction, thread: Thread, message: Message) -> Step:
    """Returns the step of a block-2D load or store."""
    block, limits, address = message.block, thread.target.platform.block2d, instruction.address
    register = instruction.returned or instruction.data
    assert block is not None
    assert limits is not None
    assert address is not None
    assert register is not None
    loads = instruction.returned is not None
    payload = thread.registers[thread.byte(address) :][:PAYLOAD_BYTES]
    first = thread.byte(register)
    data = thread.registers[first : first + block.count * block_bytes(message, thread.target.platform.grf_bytes)]
    transfer = _load if loads else _store

    def step() -> None:
        if thread.enabled(instruction, 1):
            surface = BlockSurface.unpack(payload.data)
            if (problem := surface.broken_rule(message, block, limits, thread.memory.origin)) is not None:
                raise Fault(FaultKind.BAD_BLOCK, problem)
            transfer(thread, message, block, surface, data)

    return step


def _load(thread: Thread, message: Message, block: BlockShape, surface: BlockSurface, data: Bytes) -> None:
    dtype = np.dtype(f"u{message.data_size.memory_bytes}")
    tile = np.zeros((block.height, block.count * block.width), dtype)
    inside = Inside(surface, block, dtype.itemsize)
    if inside:
        tile[inside.rows, inside.columns] = inside.view(thread, dtype, write=False)
    elements = np.zeros(len(data) // dtype.itemsize, dtype)
    elements[element_positions(message, block, thread.target.platform.grf_bytes)] = tile
    data[:] = elements.view(np.uint8)


def _store(thread: Thread, message: Message, block: BlockShape, surface: BlockSurface, data: Bytes) -> None:
    dtype = np.dtype(f"u{message.data_size.memory_bytes}")
    tile = data.view(dtype)[element_positions(message, block, thread.target.platform.grf_bytes)]
    inside = Inside(surface, block, dtype.itemsize)
    if inside:
        inside.view(thread, dtype, write=True)[:] = tile[inside.rows, inside.columns]


class Inside:
    """The part of a message's blocks, side by side, that is inside of the surface; false when it is empty."""

    def __init__(self, surface: BlockSurface, block: BlockShape, size: int):
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

    @property
    def address(self) -> int:
        """The address of the first row in memory."""
        return (self._surface.base + self._top * self._surface.pitch + self._left * self._size) % (1 << 64)

    @property
    def row_bytes(self) -> int:
        return self._width * self._size

    def view(self, thread: Thread, dtype: np.dtype[np.unsignedinteger], *, write: bool) -> Array:
        """Returns the elements in memory, shape [rows, columns]; raises `Fault` unless one allocation covers them."""
        try:
            pitch = self._surface.pitch
            rows = thread.memory.rows(self.address, pitch, self._height, self.row_bytes, write=write)
        except Fault as fault:
            fault.lane = None  # a block belongs to the whole thread
            raise
        return rows.view(dtype)


@lru_cache(maxsize=256)
def element_positions(message: Message, block: BlockShape, grf_bytes: int) -> NDArray[np.int64]:
    """Returns the index of each element in the data registers, shape [rows, columns of all blocks]."""
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
