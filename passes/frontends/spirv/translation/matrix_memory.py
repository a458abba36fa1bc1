"""Cooperative matrices in memory: each lane loads and stores the elements that it holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from passes.frontends.spirv.grammar import name_of, value_of
from passes.frontends.spirv.reader import Instruction
from passes.frontends.spirv.translation.matrices import lane_place, matrix_type
from passes.frontends.spirv.translation.memory import access
from passes.frontends.spirv.translation.writer import FunctionWriter, handles
from passes.frontends.spirv.types import INTS, WORD_BITS, Int, MatrixType, MatrixUse, PointerType, Type, vector_of

_LAYOUT = "CooperativeMatrixLayout"
_ROW_MAJOR, _COLUMN_MAJOR, _PACKED = (
    value_of(_LAYOUT, name) for name in ("RowMajorKHR", "ColumnMajorKHR", "PackedINTEL")
)
_LONGEST_RUN = 8
"""The most neighbours in memory that one access takes."""


@dataclass(frozen=True)
class _Run:
    """Units that lie side by side. The first one has the number `index` and lies `lines` lines and `elements` further.

    In the `last` rows there may be none for some lanes, which access those of others.
    """

    index: int
    count: int
    lines: int
    elements: int
    last: bool


@dataclass(frozen=True)
class _Accesses:
    """The accesses of a lane to a matrix: their units, elements or the words of products, and where these lie.

    A line is a row, a column, or some packed rows; `stride` is the distance of two in elements.
    """

    kind: MatrixType
    unit: Type
    runs: tuple[_Run, ...]
    base: str
    last_base: str
    pointer: PointerType
    stride: str
    attributes: tuple[str, int | None]

    @property
    def units(self) -> Type:
        """Returns the type of all units of the lane."""
        return vector_of(self.unit, self.kind.components * self.kind.element.size // self.unit.size)

    def located(self, writer: FunctionWriter) -> Iterator[tuple[_Run, Type, str, str]]:
        """Yields each run, its type, the word for volatile, and the pointer with its alignment."""
        volatile, stated = self.attributes
        element = self.kind.element
        for run in self.runs:
            distance = writer.temporary(f"mul i64 {self.stride}, {run.lines}")
            distance = writer.temporary(f"add i64 {distance}, {run.elements}")
            base = self.last_base if run.last else self.base
            address = writer.temporary(f"getelementptr {element.llvm}, {self.pointer.llvm} {base}, i64 {distance}")
            size = run.count * self.unit.size
            alignment = min(stated or element.size, size & -size)
            kind = vector_of(self.unit, run.count) if run.count > 1 else self.unit
            yield run, kind, volatile, f"{self.pointer.llvm} {address}, align {alignment}"


def _accesses(
    writer: FunctionWriter, instruction: Instruction, kind: MatrixType, layout: int, stride: str, rest: int
) -> _Accesses:
    """Returns the accesses to a matrix.

    Args:
        writer: The function, which computes the address of the lane.
        instruction: The instruction, whose first operand is the pointer.
        kind: The type of the matrix.
        layout: The layout in memory.
        stride: The distance of lines in elements.
        rest: The place of the memory operands.
    """
    pointer, text = writer.pointer(instruction, 0)
    fragment = kind.fragment
    places = [_place(kind, layout, index) for index in range(kind.components)]
    together = fragment.word_bits // fragment.bits
    words = [places[first : first + together] for first in range(0, len(places), together)]
    whole = all(word == [_further(word[0], step) for step in range(together)] for word in words)
    unit, step = (INTS[fragment.word_bits], together) if whole and together > 1 else (kind.element, 1)
    row, column = lane_place(writer, fragment, 64)
    bases = []
    for lane_row in (row, "0"):
        lines, elements = _lane_lines(writer, kind, layout, lane_row, column)
        lines = writer.temporary(f"mul i64 {lines}, {stride}")
        distance = writer.temporary(f"add i64 {lines}, {elements}")
        bases.append(writer.temporary(f"getelementptr {kind.element.llvm}, {pointer.llvm} {text}, i64 {distance}"))
    volatile, alignment = access(instruction, rest)
    stated = int(alignment.removeprefix(", align ")) if alignment else None
    runs = tuple(_runs(places[::step], step))
    return _Accesses(kind, unit, runs, bases[0], bases[1], pointer, stride, (volatile, stated))


def _memory(writer: FunctionWriter, instruction: Instruction, kind: MatrixType, layout: int, stride: int) -> _Memory:
    """Returns the layout and the stride of a matrix in memory, by the places of both among the operands.

    Raises:
        SpirvError: The layout is none of the matrix, the stride is missing, or the pointer points to something else.
    """
    pointer, _ = writer.pointer(instruction, 0)
    if not isinstance(pointer.pointee, Type) or pointer.pointee.count > 1:
        raise instruction.error("its pointer does not point to scalars, in which strides count")
    number = writer.operand(instruction, layout).number
    if number not in (_ROW_MAJOR, _COLUMN_MAJOR, _PACKED):
        name = "no constant" if number is None else name_of(_LAYOUT, number)
        raise instruction.error(f"its layout is {name}, not RowMajorKHR, ColumnMajorKHR or PackedINTEL")
    if number == _PACKED and kind.fragment.use is not MatrixUse.B:
        raise instruction.error("its layout is PackedINTEL, which only matrices with the use MatrixBKHR have")
    if stride >= len(instruction.operands):
        raise instruction.error("it has no stride")
    return number, _long(writer, instruction, stride)


_Memory = tuple[int, str]
"""The layout of a matrix in memory, and the distance of its lines in elements."""


def _long(writer: FunctionWriter, instruction: Instruction, place: int, extend: str = "zext") -> str:
    """Returns an operand that is an integer with 64 bits."""
    value = writer.operand(instruction, place)
    if not isinstance(value.type, Int):
        raise instruction.error(f"operand %{instruction.number(place)} has the type {value.type.llvm}, not an integer")
    return value.text if value.type == INTS[64] else writer.temporary(f"{extend} {value.typed} to i64")


def _packing(kind: MatrixType) -> int:
    return WORD_BITS // kind.fragment.bits


def _lines(kind: MatrixType, layout: int, row: int, column: int) -> tuple[int, int]:
    """Returns the line in which an element lies, and its place there."""
    if layout == _PACKED:
        return row // _packing(kind), column * _packing(kind) + row % _packing(kind)
    return (row, column) if layout == _ROW_MAJOR else (column, row)


def _lane_lines(writer: FunctionWriter, kind: MatrixType, layout: int, row: str, column: str) -> tuple[str, str]:
    """Returns what a lane adds to the line and to the place there."""
    if layout == _PACKED:
        return row, writer.temporary(f"mul i64 {column}, {_packing(kind)}")
    return (row, column) if layout == _ROW_MAJOR else (column, row)


_Place = tuple[int, int, bool]
"""The line of an element of the first lane, its place there, and whether it is in rows that some lanes lack."""


def _place(kind: MatrixType, layout: int, index: int) -> _Place:
    row, column = kind.fragment.place(index)
    return *_lines(kind, layout, row, column), row + kind.fragment.rows_at_once > kind.fragment.rows


def _further(place: _Place, elements: int) -> _Place:
    return place[0], place[1] + elements, place[2]


def _runs(places: list[_Place], step: int) -> Iterator[_Run]:
    """Yields units that lie side by side, as many at once as messages have: powers of two."""
    index = 0
    while index < len(places):
        first = places[index]
        count = 1
        while count < _LONGEST_RUN and places[index : index + 2 * count] == [
            _further(first, step * number) for number in range(2 * count)
        ]:
            count *= 2
        yield _Run(index, count, *first)
        index += count


@handles("OpCooperativeMatrixLoadKHR")
def _load(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = matrix_type(instruction, writer.type(instruction))
    accesses = _accesses(writer, instruction, kind, *_memory(writer, instruction, kind, 1, 2), 3)
    units, unit = accesses.units, accesses.unit
    text = "poison"
    for run, part, volatile, address in accesses.located(writer):
        loaded = writer.temporary(f"load {volatile}{part.llvm}, {address}")
        for place in range(run.count):
            scalar = loaded
            if run.count > 1:
                scalar = writer.temporary(f"extractelement {part.llvm} {loaded}, i32 {place}")
            inserted = f"insertelement {units.llvm} {text}, {unit.llvm} {scalar}, i32 {run.index + place}"
            text = writer.temporary(inserted)
    writer.define(instruction, f"bitcast {units.llvm} {text} to {kind.llvm}")


@handles("OpCooperativeMatrixStoreKHR")
def _store(writer: FunctionWriter, instruction: Instruction) -> None:
    value = writer.operand(instruction, 1)
    kind = matrix_type(instruction, value.type)
    accesses = _accesses(writer, instruction, kind, *_memory(writer, instruction, kind, 2, 3), 4)
    units, unit = accesses.units, accesses.unit
    whole = writer.temporary(f"bitcast {value.typed} to {units.llvm}")
    for run, part, volatile, address in accesses.located(writer):
        scalars = [
            writer.temporary(f"extractelement {units.llvm} {whole}, i32 {run.index + place}")
            for place in range(run.count)
        ]
        text = scalars[0]
        if run.count > 1:
            text = "poison"
            for place, scalar in enumerate(scalars):
                text = writer.temporary(f"insertelement {part.llvm} {text}, {unit.llvm} {scalar}, i32 {place}")
        writer.emit(f"store {volatile}{part.llvm} {text}, {address}")


# Accesses within bounds.


@dataclass(frozen=True)
class _Region:
    """The place of a matrix in a larger one, and the size of that: numbers of 64 bits."""

    row: str
    column: str
    height: str
    width: str


def _region(writer: FunctionWriter, instruction: Instruction, place: int, size: int) -> _Region:
    """Returns where a matrix lies, by the places of row and height among the operands."""
    starts = [_long(writer, instruction, place + number, "sext") for number in range(2)]
    return _Region(*starts, *(_long(writer, instruction, size + number) for number in range(2)))


def _located(writer: FunctionWriter, kind: MatrixType, region: _Region) -> Iterator[tuple[str, str, str]]:
    """Yields row and column of each element of a lane in the larger matrix, and whether it has such ones."""
    row, column = lane_place(writer, kind.fragment, 64)
    rows = [writer.temporary(f"add i64 {region.row}, {each}") for each in (row, "0")]
    first = writer.temporary(f"add i64 {region.column}, {column}")
    for index in range(kind.components):
        places = kind.fragment.place(index)
        is_last = places[0] + kind.fragment.rows_at_once > kind.fragment.rows
        row = writer.temporary(f"add i64 {rows[is_last]}, {places[0]}")
        column = writer.temporary(f"add i64 {first}, {places[1]}")
        inside = [
            writer.temporary(f"icmp ult i64 {each}, {limit}")
            for each, limit in ((row, region.height), (column, region.width))
        ]
        yield row, column, writer.temporary(f"and i1 {inside[0]}, {inside[1]}")


def _addresses(
    writer: FunctionWriter, instruction: Instruction, kind: MatrixType, memory: _Memory, region: _Region
) -> Iterator[str]:
    """Yields the arguments of accesses to each element: its address, and whether it is there."""
    layout, stride = memory
    if layout == _PACKED:
        raise instruction.error("its layout is PackedINTEL, whose bounds are not those of rows and columns")
    pointer, text = writer.pointer(instruction, 0)
    for row, column, inside in _located(writer, kind, region):
        line, element = (row, column) if layout == _ROW_MAJOR else (column, row)
        distance = writer.temporary(f"mul i64 {line}, {stride}")
        distance = writer.temporary(f"add i64 {distance}, {element}")
        address = writer.temporary(f"getelementptr {kind.element.llvm}, {pointer.llvm} {text}, i64 {distance}")
        yield f"{pointer.llvm} {address}, i1 {inside}"


def _conditional(writer: FunctionWriter, kind: MatrixType, pointer: PointerType, volatile: str, loads: bool) -> str:
    """Returns the name of a function that loads or stores an element if a condition holds."""
    element, alignment = kind.element.llvm, kind.element.size
    name = f"@.{'load' if loads else 'store'}.{volatile.strip()}.{element}.{pointer.space}"
    place = f"{pointer.llvm} %p, align {alignment}"
    if loads:
        signature, access = f"{element} {name}(", f"%v = load {volatile}{element}, {place}\n  ret {element} %v"
        otherwise = f"ret {element} zeroinitializer"
    else:
        signature, access = f"void {name}({element} %v, ", f"store {volatile}{element} %v, {place}\n  ret void"
        otherwise = "ret void"
    writer.module.helpers[name] = (
        f"define internal spir_func {signature}{pointer.llvm} %p, i1 %inside) #1 {{\n"
        f"  br i1 %inside, label %in, label %out\nin:\n  {access}\nout:\n  {otherwise}\n}}"
    )
    return name


@handles("OpCooperativeMatrixLoadCheckedINTEL")
def _load_checked(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = matrix_type(instruction, writer.type(instruction))
    memory, region = _memory(writer, instruction, kind, 3, 6), _region(writer, instruction, 1, 4)
    name = _conditional(writer, kind, writer.pointer(instruction, 0)[0], access(instruction, 7)[0], loads=True)
    element, text = kind.element.llvm, "poison"
    for index, arguments in enumerate(_addresses(writer, instruction, kind, memory, region)):
        loaded = writer.temporary(f"call spir_func {element} {name}({arguments})")
        text = writer.temporary(f"insertelement {kind.llvm} {text}, {element} {loaded}, i32 {index}")
    writer.define(instruction, f"bitcast {kind.llvm} {text} to {kind.llvm}")


@handles("OpCooperativeMatrixStoreCheckedINTEL")
def _store_checked(writer: FunctionWriter, instruction: Instruction) -> None:
    value = writer.operand(instruction, 3)
    kind = matrix_type(instruction, value.type)
    memory, region = _memory(writer, instruction, kind, 4, 7), _region(writer, instruction, 1, 5)
    name = _conditional(writer, kind, writer.pointer(instruction, 0)[0], access(instruction, 8)[0], loads=False)
    for index, arguments in enumerate(_addresses(writer, instruction, kind, memory, region)):
        element = writer.temporary(f"extractelement {value.typed}, i32 {index}")
        writer.emit(f"call spir_func void {name}({kind.element.llvm} {element}, {arguments})")


@handles("OpCooperativeMatrixConstructCheckedINTEL")
def _construct_checked(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = matrix_type(instruction, writer.type(instruction))
    element = f"{kind.element.llvm} {writer.same(instruction, 4, kind.element)}"
    text, zero = "poison", f"{kind.element.llvm} zeroinitializer"
    for index, (_, _, inside) in enumerate(_located(writer, kind, _region(writer, instruction, 0, 2))):
        chosen = writer.temporary(f"select i1 {inside}, {element}, {zero}")
        text = writer.temporary(f"insertelement {kind.llvm} {text}, {kind.element.llvm} {chosen}, i32 {index}")
    writer.define(instruction, f"bitcast {kind.llvm} {text} to {kind.llvm}")


@handles("OpCooperativeMatrixPrefetchINTEL")
def _prefetch(writer: FunctionWriter, instruction: Instruction) -> None:
    """Writes nothing: a prefetch is a hint, and loads find their data without it."""
    writer.pointer(instruction, 0)
