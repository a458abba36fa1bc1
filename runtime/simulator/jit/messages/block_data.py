"""The data of block-2D messages: rows of memory, and how registers hold them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from runtime.llvm import IRFunction, Value, count_of, integer, vector, zero
from runtime.simulator.jit.messages.streaming import store_rows
from runtime.simulator.jit.state.registers import Registers
from xegpu.isa.model import BlockShape, Message, block_bytes, ceil2, vnni_rows

_LANE = 16
"""Bytes of the parts of vectors inside of which CPUs shuffle fastest."""


@dataclass(frozen=True)
class Rows:
    """Rows of bytes in memory, `pitch` bytes apart."""

    pointer: Value
    pitch: Value


class BlockData(Protocol):
    """The data of a message; offsets count bytes from its first register."""

    def read(self, offset: int, count: int, bits: int) -> Value:
        """Returns `count` elements of `bits` bits."""
        ...

    def write(self, offset: int, values: Value) -> None: ...


class DataAtAddress:
    """Data in registers that are in memory, from `pointer` on; elements have `size` bytes."""

    def __init__(self, code: IRFunction, pointer: Value, size: int):
        self._code = code
        self._pointer = pointer
        self._size = size

    def read(self, offset: int, count: int, bits: int) -> Value:
        return self._code.load(vector(count, f"i{bits}"), self._code.offset(self._pointer, offset), self._size)

    def write(self, offset: int, values: Value) -> None:
        self._code.store(values, self._code.offset(self._pointer, offset), self._size)


class DataInRegisters:
    """Data in registers from byte `start` of the register file on, wherever they are kept."""

    def __init__(self, registers: Registers, start: int):
        self._registers = registers
        self._start = start

    def read(self, offset: int, count: int, bits: int) -> Value:
        return self._registers.read(self._start + offset, count, bits)

    def write(self, offset: int, values: Value) -> None:
        self._registers.write(self._start + offset, values)


class BlockMover:
    """Emits the movement of a whole block, whose elements in memory are aligned to `alignment` bytes."""

    def __init__(self, code: IRFunction, message: Message, block: BlockShape, grf: int, alignment: int):
        self._code = code
        self._message = message
        self._block = block
        self._grf = grf
        self._size = message.data_size.memory_bytes
        self._alignment = min(self._size, alignment)
        self.row_bytes = block.count * block.width * self._size

    def store(self, data: BlockData, rows: Rows) -> None:
        """Stores the rows of the block, which registers hold at distances of powers of two."""
        code, held = self._code, ceil2(self._block.width) * self._size
        row, values = rows.pointer, []
        for y in range(self._block.height):
            row = code.offset(row, rows.pitch) if y else row
            values.append((data.read(y * held, self._block.width, 8 * self._size), row))
        store_rows(code, self._message, values, self._alignment, rows.pitch)

    def load(self, rows: Rows, data: BlockData) -> None:
        """Loads the rows, arranges them as the message specifies and stores them to registers, padding included."""
        message, block = self._message, self._block
        element = f"i{8 * self._size}"
        lines = [self._row(rows, y, element) for y in range(block.height)]
        for number in range(block.count):
            picks = range(number * block.width, (number + 1) * block.width)
            parts = [self._padded(line, list(picks)) for line in lines]
            if message.vnni:
                parts = self._interleaved(parts)
            elif message.transposed:
                parts = self._transposed(parts)
            self._write(data, parts, number * block_bytes(message, self._grf), element)

    def _row(self, rows: Rows, y: int, element: str) -> Value:
        code = self._code
        offset = code.binary("mul", rows.pitch, integer(y)) if y else integer(0)
        pointer = code.offset(rows.pointer, offset) if y else rows.pointer
        return code.load(vector(self.row_bytes // self._size, element), pointer, self._alignment)

    def _padded(self, line: Value, picks: list[int]) -> Value:
        """Returns some elements of a row, padded with zeros to a power of two."""
        padding = ceil2(len(picks)) - len(picks)
        if not padding and len(picks) == count_of(line.type):
            return line
        zeros = zero(line.type)
        return self._code.shuffle(line, zeros, picks + [count_of(line.type)] * padding)

    def _interleaved(self, parts: list[Value]) -> list[Value]:
        """Interleaves the rows that share dwords (VNNI)."""
        rows = vnni_rows(self._size)
        width = count_of(parts[0].type)
        packed = []
        for first in range(0, len(parts), rows):
            group = parts[first : first + rows]
            while len(group) > 1:
                group = [self._code.concatenate(a, b) for a, b in zip(group[::2], group[1::2], strict=True)]
            picks = [row * width + column for column in range(width) for row in range(rows)]
            packed.append(self._code.shuffle(group[0], None, picks))
        return packed

    def _transposed(self, rows: list[Value]) -> list[Value]:
        """Transposes: the elements of a block stand row after row, and then column after column."""
        height, width, lane = ceil2(len(rows)), count_of(rows[0].type), _LANE // self._size
        rows = rows + [zero(rows[0].type)] * (height - len(rows))
        if height < lane or width < lane:
            parts = self._grown(rows, self._grf // self._size)
            for _ in range(height.bit_length() - 1):
                parts = self._mixed(parts, count_of(parts[0].type))
        else:
            parts = self._transposed_by_lanes(rows, lane)
        # Columns after the block's width are padding without registers.
        return self._first(parts, self._block.width * height)

    def _transposed_by_lanes(self, rows: list[Value], lane: int) -> list[Value]:
        """Transposes squares of `lane` rows and columns, as CPUs do fast, and then puts these into their places."""
        row_lanes, strips = count_of(rows[0].type) // lane, len(rows) // lane
        most = self._grf // _LANE
        together = min(max(most // row_lanes, 1), strips)
        places: dict[tuple[int, int], tuple[Value, int]] = {}
        for first in range(0, strips, together):
            strip = range(first, first + together)
            parts = [self._grown([rows[lane * s + row] for s in strip])[0] for row in range(lane)]
            for _ in range(lane.bit_length() - 1):
                parts = self._mixed(parts, lane)
            for column, part in enumerate(parts):
                for number in range(row_lanes * together):
                    each, q = divmod(number, row_lanes)
                    places[q * lane + column, first + each] = part, number
        ordered = [places[place] for place in sorted(places)]
        return [self._lanes(ordered[i : i + most], lane) for i in range(0, len(ordered), most)]

    def _lanes(self, picked: list[tuple[Value, int]], lane: int) -> Value:
        """Returns lanes of vectors, which are given by number, as one vector."""
        sources = list(dict.fromkeys(part for part, _ in picked))
        if len(sources) > 2:
            half = len(picked) // 2
            return self._code.concatenate(self._lanes(picked[:half], lane), self._lanes(picked[half:], lane))
        size = count_of(sources[0].type)
        starts = [size * sources.index(part) + lane * number for part, number in picked]
        picks = [start + i for start in starts for i in range(lane)]
        return self._code.shuffle(sources[0], sources[1] if len(sources) == 2 else None, picks)

    def _grown(self, parts: list[Value], size: int | None = None) -> list[Value]:
        """Concatenates neighbours until vectors have `size` elements (None: until one is left)."""
        while len(parts) > 1 and (size is None or count_of(parts[0].type) < size):
            parts = [self._code.concatenate(a, b) for a, b in zip(parts[::2], parts[1::2], strict=True)]
        return parts

    def _mixed(self, parts: list[Value], lane: int) -> list[Value]:
        """Shuffles a sequence of elements perfectly: those of the first half alternate with those of the second.

        In vectors of more than `lane` elements, that holds for the sequence of all first lanes, and of all second ones.
        """
        size, half = count_of(parts[0].type), len(parts) // 2
        if not half:
            return [self._code.shuffle(parts[0], None, [i // 2 + size // 2 * (i % 2) for i in range(size)])]
        low = [start + i // 2 + size * (i % 2) for start in range(0, size, lane) for i in range(lane)]
        high = [pick + lane // 2 for pick in low]
        pairs = zip(parts[:half], parts[half:], strict=True)
        return [self._code.shuffle(a, b, picks) for a, b in pairs for picks in (low, high)]

    def _first(self, parts: list[Value], count: int) -> list[Value]:
        """Returns the first `count` elements of a sequence of vectors."""
        kept = []
        for part in parts:
            size = min(count_of(part.type), count)
            if size > 0:
                kept.append(part if size == count_of(part.type) else self._code.shuffle(part, None, range(size)))
            count -= size
        return kept

    def _write(self, data: BlockData, parts: list[Value], offset: int, element: str) -> None:
        """Writes vectors one after the other, and zeros to the end of the block's last register."""
        position = 0
        for part in parts:
            data.write(offset + position, part)
            position += count_of(part.type) * self._size
        rest = block_bytes(self._message, self._grf) - position
        if rest:
            data.write(offset + position, zero(vector(rest // self._size, element)))
