"""Matrix products in the tile registers of AMX: dpas whose operands are tiles as they lie in the register file.

A and B of all types are rows of 32 and of 64 bytes, so that one configuration serves all products of as many rows.
Tiles cache parts of the register file: code is emitted with the knowledge which registers each tile holds, and
results are stored when their tile is needed otherwise, or at the end.

* bf: `TDPBF16PS` computes what a dpas does, but for the payload of NaNs, which are made canonical where there are any.
* hf: `TDPFP16PS` flushes subnormals, which only C can be. It starts from zero, and C is added by vector instructions.
* bytes: the instruction for the signs of A and B adds modulo 2^32.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from runtime.llvm import Cpu, IRFunction, Value, constant, decode, encode, integer, vector
from runtime.simulator.jit.alu.dpas_operation import DpasOperation
from runtime.simulator.jit.alu.tile_schedule import ACCUMULATORS, OPERANDS, scheduled
from runtime.simulator.jit.state.launch_records import Areas, Worker
from runtime.simulator.jit.state.routines import load_field, store_field
from xegpu.isa import DataType

TILES = 8
COLUMNS = 16
A_BYTES, ROW_BYTES = 32, 4 * COLUMNS
"""Bytes of a row of A; of a row of B, C and D."""

B_ROWS = A_BYTES // 4

_FILE = Value("ptr", "%file")
_RESULTS = range(ACCUMULATORS)
_LEFT = range(ACCUMULATORS, ACCUMULATORS + OPERANDS)
_RIGHT = range(ACCUMULATORS + OPERANDS, TILES)
_VECTOR = vector(COLUMNS, "i32")


class TileKind(Enum):
    """Instructions that multiply tiles."""

    BF = "tdpbf16ps"
    HF = "tdpfp16ps"
    SS = "tdpbssd"
    SU = "tdpbsud"
    US = "tdpbusd"
    UU = "tdpbuud"


def tile_kind(operation: DpasOperation, columns: int, cpu: Cpu) -> TileKind | None:
    """Returns the instruction by which a CPU performs a dpas bit for bit; None if there is none."""
    d, c, b, a = operation.types
    if columns != COLUMNS:
        return None
    if a.is_float:
        kinds = {
            DataType.BF: (TileKind.BF, cpu.multiplies_bf_tiles),
            DataType.HF: (TileKind.HF, cpu.multiplies_hf_tiles),
        }
        kind, is_there = kinds.get(a, (None, False))
        return kind if is_there and c is d is DataType.F else None
    if not cpu.multiplies_byte_tiles or a.bits != 8 or b.bits != 8:
        return None
    return TileKind[("S" if a.is_signed else "U") + ("S" if b.is_signed else "U")]


def configuration(rows: int) -> bytes:
    """Returns the operand of `LDTILECFG` for products of `rows` rows: the palette, and the bytes and rows of tiles."""
    shapes = [(ROW_BYTES, rows)] * len(_RESULTS) + [(A_BYTES, rows)] * len(_LEFT) + [(ROW_BYTES, B_ROWS)] * len(_RIGHT)
    data = bytearray(64)
    data[0] = 1
    for tile, (row_bytes, count) in enumerate(shapes):
        data[16 + 2 * tile] = row_bytes
        data[48 + tile] = count
    return bytes(data)


@dataclass(frozen=True)
class _TileContent:
    """The part of the register file that a tile holds; `is_new` if memory has older values."""

    start: int
    size: int
    is_new: bool = False

    def overlaps(self, start: int, size: int) -> bool:
        return start < self.start + self.size and self.start < start + size


class TileRun:
    """Emits dpas of one kind and number of rows that follow each other.

    `copied` returns the offset of a C that the D of its operation does not overwrite too early, `reserve` that of new
    memory for a number of bytes.
    """

    def __init__(
        self,
        code: IRFunction,
        areas: Areas,
        kind: TileKind,
        copied: Callable[[DpasOperation], int],
        reserve: Callable[[int], int],
    ):
        self._code = code
        self._areas = areas
        self._kind = kind
        self._copied = copied
        self._reserve = reserve
        self._held: dict[int, _TileContent] = {}
        """What tiles hold, those that were used last at the end."""

        self._products_of: dict[int, int] = {}
        """Offsets of the memory that a tile with products is stored to."""

    def emit(self, operations: Sequence[DpasOperation]) -> None:
        """Emits all operations."""
        ordered = scheduled(operations)
        self._rows = ordered[0].rows
        self._configure()
        for operation in ordered:
            if self._kind is TileKind.HF:
                self._multiply_halves(operation)
            else:
                self._multiply(operation)
        self._settle(lambda held: True)

    def _configure(self) -> None:
        """Configures the tiles, unless they are since an earlier run of the same host thread."""
        code, module = self._code, self._code.module
        worker = code.offset(_FILE, -self._areas.registers)
        rows = constant("i32", self._rows)
        is_other = code.compare("icmp ne", load_field(code, worker, Worker, "tile_rows"), rows)
        with code.if_(is_other, rare=True):
            data = configuration(self._rows)
            words = [int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data), 4)]
            code.run("llvm.x86.ldtilecfg", module.constant_data(f"tiles.{self._rows}", words))
            store_field(code, worker, Worker, "tile_rows", rows)

    def _multiply(self, operation: DpasOperation) -> None:
        """Emits D = C + A x B; D stays in its tile."""
        code = self._code
        d, _, b, a = operation.sizes

        def is_in_the_way(held: _TileContent) -> bool:
            shifts = held.start != operation.d and held.overlaps(operation.d, d)
            return shifts or held.overlaps(operation.a, a) or held.overlaps(operation.b, b)

        self._settle(is_in_the_way)
        tile = self._take(_RESULTS, operation.d)
        if operation.c is None:
            code.run("llvm.x86.tilezero", _number(tile))
        elif operation.c != operation.d or tile not in self._held:
            self._load(tile, operation.c, operation.sizes[1], ROW_BYTES)
        self._held.pop(tile, None)
        self._products(tile, operation)
        self._overwritten(operation)
        self._held[tile] = _TileContent(operation.d, operation.sizes[0], is_new=True)

    def _multiply_halves(self, operation: DpasOperation) -> None:
        """Emits D = C + A x B by way of memory."""
        code = self._code
        tile = self._take(_RESULTS, operation.d)
        code.run("llvm.x86.tilezero", _number(tile))
        self._products(tile, operation)
        if tile not in self._products_of:
            self._products_of[tile] = self._reserve(operation.sizes[0])
        products = code.offset(_FILE, self._products_of[tile])
        code.run("llvm.x86.tilestored64", _number(tile), products, integer(ROW_BYTES))
        places = (code.offset(_FILE, offset) for offset in (operation.d, self._copied(operation)))
        code.run(self._function("add", "ptr %d, ptr %c, ptr %products", self._add), *places, products)
        self._overwritten(operation)
        self._held[tile] = _TileContent(0, 0)

    def _products(self, tile: int, operation: DpasOperation) -> None:
        a = self._operand(_LEFT, operation.a, operation.sizes[3], A_BYTES)
        b = self._operand(_RIGHT, operation.b, operation.sizes[2], ROW_BYTES)
        self._code.run(f"llvm.x86.{self._kind.value}", *map(_number, (tile, a, b)))

    def _operand(self, tiles: range, start: int, size: int, stride: int) -> int:
        """Returns a tile that holds an operand."""
        tile = self._take(tiles, start)
        if tile in self._held:
            self._held[tile] = self._held.pop(tile)
        else:
            self._load(tile, start, size, stride)
            self._held[tile] = _TileContent(start, size)
        return tile

    def _take(self, tiles: range, start: int) -> int:
        """Returns the tile of several that holds registers from an offset on, else one that holds nothing any more."""
        for tile in tiles:
            if tile in self._held and self._held[tile].start == start and self._held[tile].size:
                return tile
        free = [tile for tile in tiles if tile not in self._held]
        if free:
            return free[0]
        oldest = next(tile for tile in self._held if tile in tiles)
        last = self._held[oldest]
        self._settle(lambda held: held is last)
        del self._held[oldest]
        return oldest

    def _load(self, tile: int, start: int, size: int, stride: int) -> None:
        self._settle(lambda held: held.overlaps(start, size))
        self._code.run("llvm.x86.tileloadd64", _number(tile), self._code.offset(_FILE, start), integer(stride))

    def _settle(self, which: Callable[[_TileContent], bool]) -> None:
        """Stores results that memory does not have; they stay in their tiles."""
        code = self._code
        for tile, held in list(self._held.items()):
            if held.is_new and which(held):
                target = code.offset(_FILE, held.start)
                code.run("llvm.x86.tilestored64", _number(tile), target, integer(ROW_BYTES))
                if self._kind is TileKind.BF:
                    code.run(self._function("settle", "ptr %d", self._make_canonical), target)
                self._held[tile] = _TileContent(held.start, held.size)

    def _overwritten(self, operation: DpasOperation) -> None:
        """Forgets registers that an operation has written."""
        start, size = operation.d, operation.sizes[0]
        self._held = {tile: held for tile, held in self._held.items() if not held.overlaps(start, size)}

    # Functions on rows of results.

    def _function(self, name: str, parameters: str, build: Callable[[IRFunction], None]) -> str:
        return self._code.module.function(f"dpas.tile.{name}.{self._rows}", "void", parameters, build, inline=False)

    def _make_canonical(self, code: IRFunction) -> None:
        """Emits the body of `settle(d)`, which makes NaNs canonical. One comparison looks at two rows."""
        rows = [code.offset(Value("ptr", "%d"), row * ROW_BYTES) for row in range(self._rows)]
        floats = [code.load(vector(COLUMNS, "float"), row, ROW_BYTES) for row in rows]
        found = [code.compare("fcmp uno", a, b) for a, b in zip(floats[::2], floats[1::2] or floats, strict=False)]
        if len(floats) % 2:
            found.append(code.compare("fcmp uno", floats[-1], floats[-1]))
        some = found[0]
        for truths in found[1:]:
            some = code.binary("or", some, truths)
        with code.if_(code.any(some), rare=True):
            for row, values in zip(rows, floats, strict=True):
                code.store(encode(code, values, DataType.F, DataType.F), row, ROW_BYTES)
        code.give()

    def _add(self, code: IRFunction) -> None:
        """Emits the body of `add(d, c, products)`: D = C + products."""
        d, c, products = (Value("ptr", name) for name in ("%d", "%c", "%products"))
        for row in range(self._rows):
            place = row * ROW_BYTES
            start, sums = (
                decode(code, code.load(_VECTOR, code.offset(base, place), ROW_BYTES), DataType.F)
                for base in (c, products)
            )
            total = code.binary("fadd", start, sums)
            code.store(encode(code, total, DataType.F, DataType.F), code.offset(d, place), ROW_BYTES)
        code.give()


def _number(tile: int) -> Value:
    return constant("i8", tile)
