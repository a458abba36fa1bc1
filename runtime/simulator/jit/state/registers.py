"""Registers in compiled code: where each one is kept, and how its elements are read and written.

Registers that some instruction accesses by address (operands of dpas, data of block-2D messages) stay in the register
file in memory. All others are local variables that LLVM turns into SSA values: one for a whole register, or one for
each scalar of a register that holds nothing but scalars.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from math import gcd

from runtime.llvm import IRFunction, Value, count_of, element_of, lanes, vector
from runtime.simulator.jit.state.launch_records import Frame
from xegpu.isa.formats import FIRST_ARCHITECTURE, Footprint, Span
from xegpu.targets import Target

_SCALAR_BYTES = 8


@dataclass(frozen=True)
class Cell:
    """A variable that holds `size` bytes of the register file from byte `start` on, in elements of `unit` bytes."""

    start: int
    size: int
    unit: int

    @property
    def end(self) -> int:
        return self.start + self.size

    @property
    def is_scalar(self) -> bool:
        """Returns whether LLVM handles the value better as an integer than as a vector."""
        return self.size <= _SCALAR_BYTES and self.size.bit_count() == 1

    @property
    def type(self) -> str:
        return f"i{8 * self.size}" if self.is_scalar else vector(self.size // self.unit, f"i{8 * self.unit}")


class RegisterPlan:
    """Decides for every register of a kernel where it is kept.

    `in_memory` are the numbers of the registers that stay in the register file, `cells` the variables by register.
    """

    def __init__(self, footprints: Iterable[Footprint], target: Target, *, keep_all: bool):
        self._grf = target.platform.grf_bytes
        self.in_memory: set[int] = set()
        reads: dict[int, list[Span]] = {}
        writes: dict[int, list[Span]] = {}
        for footprint in footprints:
            for spans, by_register in ((footprint.reads, reads), (footprint.writes, writes)):
                for span in spans:
                    for number in self.numbers(span):
                        by_register.setdefault(number, []).append(span)
                        if span.by_address:
                            self.in_memory.add(number)
        touched = sorted((reads.keys() | writes.keys()) - self.in_memory)
        self.cells = {n: self._cells(n, reads.get(n, []), writes.get(n, []), whole=keep_all) for n in touched}

    def numbers(self, span: Span) -> range:
        """Returns the numbers of the registers of a span."""
        return range(span.start // self._grf, (span.end - 1) // self._grf + 1)

    def covered(self, span: Span) -> range:
        """Returns the numbers of the registers that lie in a span as a whole."""
        return range(-(-span.start // self._grf), span.end // self._grf)

    def joined(self) -> list[set[int]]:
        """Returns the registers that share variables: those that hold parts of one scalar."""
        pairs = {
            frozenset((number, other))
            for number, cells in self.cells.items()
            for cell in cells
            for other in (cell.start // self._grf, (cell.end - 1) // self._grf)
            if other != number
        }
        groups: list[set[int]] = []
        for pair in pairs:
            apart = [group for group in groups if not group & pair]
            groups = [*apart, set(pair).union(*(group for group in groups if group & pair))]
        return groups

    def _cells(self, number: int, reads: list[Span], writes: list[Span], *, whole: bool) -> tuple[Cell, ...]:
        start = number * self._grf
        unit = min(span.unit for span in (*reads, *writes))
        if whole or any(span.size > _SCALAR_BYTES for span in reads):
            return (Cell(start, self._grf, unit),)
        # Only scalars are read: these are the cells, and writes to other bytes are dead.
        cells: list[Cell] = []
        for span in sorted(reads, key=lambda s: s.start):
            if cells and span.start < cells[-1].end:
                last = cells.pop()
                span = Span(last.start, max(last.end, span.end) - last.start, unit)
            cells.append(Cell(span.start, span.size, unit))
        return tuple(cells)


@dataclass(frozen=True)
class _Piece:
    """A part of a span that is stored contiguously: `size` bytes from `start` on, at `pointer` plus `offset`.

    A variable for a vector is accessed in elements of `unit` bytes only, so that LLVM makes an SSA value of it; memory
    with `any_type` is merely aligned to `unit`.
    """

    start: int
    size: int
    pointer: Value
    offset: int
    unit: int
    any_type: bool


def _name(number: int, offset: int) -> str:
    """Returns a variable's name; a scalar that began in the previous register has a negative offset."""
    return f"r{number}.{offset}"


class Registers:
    """Emits accesses to registers in one function, whose register file in memory is at `file`."""

    def __init__(self, code: IRFunction, plan: RegisterPlan, file: Value, target: Target):
        self._code = code
        self._plan = plan
        self._file = file
        self._grf = target.platform.grf_bytes
        self._variables = {
            cell: code.variable(
                cell.type, _name(number, cell.start - number * self._grf), max(16, cell.size & -cell.size)
            )
            for number, cells in plan.cells.items()
            for cell in cells
        }

    def enter(self, defined: int, source: Value) -> None:
        """Initializes variables: from the file at `source` for registers below `defined`, else with zero."""
        for number, cells in self._plan.cells.items():
            for cell in cells:
                first = Value(cell.type, "0" if cell.is_scalar else "zeroinitializer")
                if number < defined:
                    first = self._code.load(cell.type, self._code.offset(source, cell.start), cell.unit)
                self._code.store(first, self._variables[cell], cell.unit)

    def leave(self) -> None:
        """Stores variables of general registers back to the file."""
        for cell, variable in self._variables.items():
            if cell.start < FIRST_ARCHITECTURE * self._grf:
                held = self._code.load(cell.type, variable, cell.unit)
                self._code.store(held, self.address(cell.start), cell.unit)

    def are_in_memory(self, span: Span) -> bool:
        """Returns whether all registers of a span are kept in the file."""
        return self._plan.in_memory.issuperset(self._plan.numbers(span))

    def to_file(self, span: Span) -> None:
        """Stores the variables of a span's registers to the file."""
        for cell, variable in self._cells(self._plan.numbers(span)):
            self._code.store(self._code.load(cell.type, variable, cell.unit), self.address(cell.start), cell.unit)

    def from_file(self, span: Span) -> None:
        """Loads the variables of a span's registers from the file."""
        for cell, variable in self._cells(self._plan.numbers(span)):
            self._code.store(self._code.load(cell.type, self.address(cell.start), cell.unit), variable, cell.unit)

    def save(self, numbers: Set[int], frame: Value, layout: Frame) -> None:
        """Stores the values of registers to a frame."""
        for cell, variable in self._cells(numbers):
            slot = self._code.offset(frame, layout.offset_of(cell, cell.size))
            self._code.store(self._code.load(cell.type, variable, cell.unit), slot, cell.unit)
        for number in sorted(numbers & self._plan.in_memory):
            slot = self._code.offset(frame, layout.offset_of(number, self._grf))
            self._code.copy(slot, self.address(number * self._grf), self._grf)

    def restore(self, numbers: Set[int], frame: Value, layout: Frame) -> None:
        """Loads the values that `save` has stored."""
        for cell, variable in self._cells(numbers):
            slot = self._code.offset(frame, layout.offset_of(cell, cell.size))
            self._code.store(self._code.load(cell.type, slot, cell.unit), variable, cell.unit)
        for number in sorted(numbers & self._plan.in_memory):
            slot = self._code.offset(frame, layout.offset_of(number, self._grf))
            self._code.copy(self.address(number * self._grf), slot, self._grf)

    def _cells(self, numbers: Iterable[int]) -> list[tuple[Cell, Value]]:
        """Returns the variables of registers; one that holds parts of two is listed once."""
        cells = dict.fromkeys(cell for number in sorted(numbers) for cell in self._plan.cells.get(number, ()))
        return [(cell, self._variables[cell]) for cell in cells]

    def define(self, start: int, values: Value) -> None:
        """Writes elements to registers, unless they are never read."""
        number = start // self._grf
        if number in self._plan.cells or number in self._plan.in_memory:
            self.write(start, values)

    def address(self, byte: int) -> Value:
        """Returns the address of a byte in the file, whose register is in memory."""
        return self._code.offset(self._file, byte)

    # Elements.

    def read(self, start: int, count: int, bits: int) -> Value:
        """Returns `count` consecutive elements of `bits` bits from byte `start` on."""
        parts = [self._load(piece, bits) for piece in self._pieces(start, count * bits // 8, bits // 8)]
        return parts[0] if len(parts) == 1 else self._join(parts)

    def write(self, start: int, values: Value) -> None:
        """Writes consecutive elements to the bytes from `start` on."""
        size = int(element_of(values.type)[1:]) // 8
        count = count_of(values.type)
        pieces = list(self._pieces(start, count * size, size))
        edges = [edge for piece in pieces for edge in (piece.start - start, piece.size)]
        grain = gcd(size, *edges)
        if grain < size:  # only part of an element is ever read
            count, size = count * size // grain, grain
            values = self._code.cast("bitcast", values, vector(count, f"i{8 * grain}"))
        for piece in pieces:
            first, part = (piece.start - start) // size, values
            if piece.size < count * size:
                picks = range(first, first + piece.size // size)
                part = self._code.extract(values, first) if len(picks) == 1 else self._code.shuffle(values, None, picks)
            self._store(piece, part)

    def _pieces(self, start: int, size: int, element: int) -> Iterator[_Piece]:
        """Returns the storage of a span's bytes, in order, without bytes that are never read. Elements have `element`
        bytes.
        """
        end, position = start + size, start
        while position < end:
            number = position // self._grf
            if number in self._plan.in_memory:
                stop = (number + 1) * self._grf
                while stop < end and stop // self._grf in self._plan.in_memory:
                    stop += self._grf
                stop = min(stop, end)
                yield _Piece(position, stop - position, self._file, position, element, True)
            else:
                stop = min((number + 1) * self._grf, end)
                for cell in self._plan.cells[number]:
                    low, high = max(cell.start, position), min(cell.end, stop)
                    if low < high:
                        variable, offset = self._variables[cell], low - cell.start
                        yield _Piece(low, high - low, variable, offset, cell.unit, cell.is_scalar)
            position = stop

    def _load(self, piece: _Piece, bits: int) -> Value:
        wanted = lanes(piece.size * 8 // bits, f"i{bits}")
        pointer = self._code.offset(piece.pointer, piece.offset)
        if piece.any_type:
            return self._code.load(wanted, pointer, piece.unit)
        held = self._code.load(lanes(piece.size // piece.unit, f"i{8 * piece.unit}"), pointer, piece.unit)
        return self._code.cast("bitcast", held, wanted)

    def _store(self, piece: _Piece, values: Value) -> None:
        pointer = self._code.offset(piece.pointer, piece.offset)
        if not piece.any_type:
            values = self._code.cast("bitcast", values, lanes(piece.size // piece.unit, f"i{8 * piece.unit}"))
        self._code.store(values, pointer, piece.unit)

    def _join(self, parts: list[Value]) -> Value:
        vectors = [
            part if part.type.startswith("<") else self._code.cast("bitcast", part, vector(1, part.type))
            for part in parts
        ]
        while len(vectors) > 1:
            pairs = [vectors[i : i + 2] for i in range(0, len(vectors), 2)]
            vectors = [self._code.concatenate(*pair) if len(pair) == 2 else pair[0] for pair in pairs]
        return vectors[0]
