"""Matrix products: runs of consecutive dpas become functions that share prepared operands.

Consecutive dpas are collected as long as no instruction between them accesses their registers. Tile registers perform
those that they compute bit for bit. The rest of a run is split into groups that have B in common: a group's function
keeps B in vector registers while it iterates over the rows of every A. Each A is prepared once per run. All operands
are in the register file in memory.
"""

from __future__ import annotations

from itertools import groupby
from typing import Protocol

from runtime.llvm import IRFunction, IRModule, Value, count_of, decode, encode, integer, vector, zero
from runtime.simulator.jit.alu.dpas_operation import DpasOperation, groups
from runtime.simulator.jit.alu.float_product import MXCSR_DEFAULT, MXCSR_FLUSH, FloatProduct
from runtime.simulator.jit.alu.integer_product import IntegerProduct
from runtime.simulator.jit.alu.tile_product import TileKind, TileRun, tile_kind
from runtime.simulator.jit.state.launch_records import Areas
from xegpu.isa import DataType, IllegalInstruction, Instruction
from xegpu.isa.formats import (
    Footprint,
    byte_of,
    dpas_footprint,
    dpas_operand_bytes,
    dpas_registers,
    operations_per_channel,
)
from xegpu.targets import Target

MAX_RUN = 64
"""Longest run of dpas; bounds the time of grouping, which is quadratic."""

_FILE = Value("ptr", "%file")


class MatrixProduct(Protocol):
    """The computation of one kind of matrix product; emits into functions."""

    rows_at_once: int
    needs_flush_mode: bool

    @property
    def name(self) -> str: ...

    @property
    def row_bytes(self) -> int: ...

    def prepare_a(self, code: IRFunction, source: Value, target: Value, rows: int) -> None: ...

    def prepare_b(self, code: IRFunction, source: Value) -> list[Value]: ...

    def multiply(self, code: IRFunction, a: Value, rows: int, b: list[Value], c: list[Value]) -> list[Value]: ...


class DpasRuns:
    """Collects the dpas of a function and emits calls to functions that perform them."""

    def __init__(self, code: IRFunction, file: Value, target: Target, areas: Areas):
        self._code = code
        self._file = file
        self._target = target
        self._areas = areas
        self._pending: list[DpasOperation] = []
        self._runs = 0

    def add(self, instruction: Instruction) -> None:
        """Queues a dpas with all columns enabled; it is performed at the next `flush`."""
        c, b, a = (source.type for source in instruction.sources)
        if instruction.destination is None:
            raise IllegalInstruction("dpas: no destination")
        registers = [None if r.is_null else byte_of(r, self._target) for r in dpas_registers(instruction)]
        d, start, right, left = registers
        operation = DpasOperation(
            (instruction.destination.type, c, b, a),
            instruction.repeat,
            d or 0,
            start,
            right or 0,
            left or 0,
            tuple(size for size, _ in dpas_operand_bytes(instruction, self._target)),
            dpas_footprint(instruction, self._target),
        )
        self._pending.append(operation)
        if len(self._pending) == MAX_RUN:
            self.flush()

    def before(self, touched: Footprint) -> None:
        """Performs queued dpas if an instruction accesses their registers, and so must not be executed before them."""
        if any(touched.depends_on(operation.touched) for operation in self._pending):
            self.flush()

    def flush(self) -> None:
        """Performs all queued dpas."""
        if not self._pending:
            return
        operations, self._pending = self._pending, []
        self._runs += 1

        def build(code: IRFunction) -> None:
            _Run(code, operations, self._target, self._areas, self._runs).emit()

        run = self._code.module.function(f"dpas.run.{self._runs}", "void", "ptr %file", build, inline=False)
        self._code.run(run, self._file)


class _Run:
    """Emits the function of one run."""

    def __init__(self, code: IRFunction, operations: list[DpasOperation], target: Target, areas: Areas, number: int):
        self._code = code
        self._operations = operations
        self._target = target
        self._areas = areas
        self._number = number
        self._used = 0
        self._tables = 0
        self._flushes = False
        self._prepared: dict[tuple[object, ...], tuple[int, int, int]] = {}

    def emit(self) -> None:
        for (kind, *_), operations in groupby(self._operations, self._choice):
            if kind is None:
                for group in groups(list(operations)):
                    self._emit_group(group)
            else:
                self._emit_tiles(kind, list(operations))
        self._flush(False)
        self._code.give()

    def _choice(self, operation: DpasOperation) -> tuple[TileKind | None, object]:
        """Returns the instruction that multiplies tiles, if there is one, and what operations with it share."""
        kind = tile_kind(operation, self._target.platform.matrix_engine.execution_size, self._code.module.cpu)
        return kind, None if kind is None else operation.rows

    def _flush(self, flushes: bool) -> None:
        """Sets the treatment of subnormals, if it is another one."""
        if self._flushes != flushes:
            self._flushes = flushes
            word = MXCSR_FLUSH if flushes else MXCSR_DEFAULT
            self._code.run("llvm.x86.sse.ldmxcsr", self._code.module.constant_data(f"mxcsr.{word:x}", [word]))

    def _emit_tiles(self, kind: TileKind, operations: list[DpasOperation]) -> None:
        self._flush(False)
        TileRun(self._code, self._areas, kind, self._c, self._reserve).emit(operations)
        for operation in operations:
            self._forget(operation.d, operation.sizes[0])

    def _emit_group(self, group: list[DpasOperation]) -> None:
        code, module = self._code, self._code.module
        product = _product(group[0], module, self._target)
        self._flush(product.needs_flush_mode)
        table: list[int] = []
        for operation in group:
            table += [self._a(product, operation), self._c(operation), operation.d]
        for operation in group:
            self._forget(operation.d, operation.sizes[0])
        data = module.constant_data(f"dpas.table.{self._number}.{self._tables}", table)
        self._tables += 1
        b = code.offset(_FILE, group[0].b)
        code.run(_group_function(module, product, group[0], self._target), _FILE, b, data, integer(len(group)))

    def _a(self, product: MatrixProduct, operation: DpasOperation) -> int:
        """Returns the offset of an operation's prepared A from the register file."""
        key = (product.name, operation.rows, operation.a)
        if key not in self._prepared:
            offset = self._reserve(operation.rows * product.row_bytes)
            self._prepared[key] = (offset, operation.a, operation.sizes[3])
            source, target = (self._code.offset(_FILE, at) for at in (operation.a, offset))
            self._code.run(_prepare_function(self._code.module, product, operation.rows), source, target)
        return self._prepared[key][0]

    def _c(self, operation: DpasOperation) -> int:
        """Returns the offset of an operation's C from the register file; of a copy if D would overwrite C too early."""
        if operation.c is None:
            return self._areas.zeros - self._areas.registers
        if not operation.overwrites_c:
            return operation.c
        offset = self._reserve(operation.sizes[1])
        source, target = (self._code.offset(_FILE, at) for at in (operation.c, offset))
        self._code.copy(target, source, operation.sizes[1])
        return offset

    def _reserve(self, size: int) -> int:
        offset = self._areas.widened - self._areas.registers + self._used
        self._used += -(-size // 64) * 64
        self._areas.reserve_widened(self._used)
        return offset

    def _forget(self, start: int, size: int) -> None:
        """Drops prepared operands whose registers are overwritten."""
        self._prepared = {
            key: (offset, a, a_size)
            for key, (offset, a, a_size) in self._prepared.items()
            if a + a_size <= start or start + size <= a
        }


def _product(operation: DpasOperation, module: IRModule, target: Target) -> MatrixProduct:
    _, _, b, a = operation.types
    columns = target.platform.matrix_engine.execution_size
    if a.is_float:
        return FloatProduct(a, columns, module.cpu.flushes_after_rounding)
    depth = target.platform.matrix_engine.depth * operations_per_channel(b, a)
    return IntegerProduct(a, b, depth, columns, module.cpu.dot_products)


def _prepare_function(module: IRModule, product: MatrixProduct, rows: int) -> str:
    """Returns the symbol of `void prepare(source, target)`, which prepares `rows` rows of A for `multiply`."""

    def build(code: IRFunction) -> None:
        product.prepare_a(code, Value("ptr", "%source"), Value("ptr", "%target"), rows)
        code.give()

    name = f"dpas.prepare.{product.name}.{rows}"
    return module.function(name, "void", "ptr noalias %source, ptr noalias %target", build, inline=False)


def _group_function(module: IRModule, product: MatrixProduct, operation: DpasOperation, target: Target) -> str:
    """Returns the symbol of `void group(file, b, table, count)`.

    It computes D = C + A x B for `count` triples of A, C and D, given as offsets in the file.
    """
    types, rows = operation.types, operation.rows

    def build(code: IRFunction) -> None:
        _Group(code, product, types, rows, target.platform.matrix_engine.execution_size).emit()

    d, c, _, _ = types
    name = f"dpas.group.{product.name}.{d.text}.{c.text}.{rows}"
    parameters = "ptr %file, ptr %b, ptr noalias %table, i64 %count"
    return module.function(name, "void", parameters, build, inline=False)


_TABLE, _TABLE_ENTRY = Value("ptr", "%table"), 12
"""The offsets of A, C and D of each operation, 4 bytes each."""

_COUNT = Value("i64", "%count")


class _Group:
    """Emits the function of a group; its operations do not depend on each other.

    Results of type f are stored as they come. Where there are NaNs, which the sum of all results tells, they are made
    canonical afterwards: a comparison of each row would take the CPU's units for multiply-adds.
    """

    def __init__(self, code: IRFunction, product: MatrixProduct, types: tuple[DataType, ...], rows: int, columns: int):
        self._code = code
        self._product = product
        self._d, self._c, *_ = types
        self._rows = rows
        self._columns = columns
        self._settles_later = self._d is DataType.F

    def emit(self) -> None:
        code = self._code
        b = self._product.prepare_b(code, Value("ptr", "%b"))
        sums = [zero(vector(self._columns, "float"))] if self._settles_later else []
        with code.loop(integer(0), *sums) as loop:
            number, *sums = loop.values
            a_at, c_at, d_at = self._places(number)
            for first in range(0, self._rows, self._product.rows_at_once):
                part = range(first, min(first + self._product.rows_at_once, self._rows))
                start = [_load_row(code, c_at, row, self._c, self._columns) for row in part]
                a = code.offset(a_at, first * self._product.row_bytes)
                for row, values in zip(part, self._product.multiply(code, a, len(part), b, start), strict=True):
                    if self._settles_later:
                        raw = code.cast("bitcast", values, vector(self._columns, "i32"))
                        _store_bits(code, d_at, row, raw, self._d)
                        sums = [code.binary("fadd", total, values) for total in sums]
                    else:
                        _store_row(code, d_at, row, self._d, values)
            following = code.binary("add", number, integer(1))
            loop.repeat_if(code.compare("icmp ult", following, _COUNT), following, *sums)
        for total in sums:
            with code.if_(code.any(code.compare("fcmp uno", total, total)), rare=True):
                self._settle()
        code.give()

    def _places(self, number: Value) -> list[Value]:
        """Returns the addresses of A, C and D of an operation."""
        code = self._code
        entry = code.offset(_TABLE, code.binary("mul", number, integer(_TABLE_ENTRY)))
        offsets = [code.cast("sext", code.load("i32", code.offset(entry, 4 * n), 4), "i64") for n in range(3)]
        return [code.offset(_FILE, offset) for offset in offsets]

    def _settle(self) -> None:
        """Makes the NaNs of all results canonical."""
        code = self._code
        with code.counted(_COUNT) as number:
            _, _, d_at = self._places(number)
            for row in range(self._rows):
                _store_row(code, d_at, row, self._d, _load_row(code, d_at, row, self._d, self._columns))


def _load_row(code: IRFunction, base: Value, row: int, type: DataType, columns: int) -> Value:
    size = columns * type.size
    raw = code.load(vector(columns, f"i{type.bits}"), code.offset(base, row * size), size)
    return decode(code, raw, type)


def _store_row(code: IRFunction, base: Value, row: int, type: DataType, values: Value) -> None:
    source = DataType.F if type.is_float else type
    _store_bits(code, base, row, encode(code, values, source, type), type)


def _store_bits(code: IRFunction, base: Value, row: int, raw: Value, type: DataType) -> None:
    size = count_of(raw.type) * type.size
    code.store(raw, code.offset(base, row * size), size)
