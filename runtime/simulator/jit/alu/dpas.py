"""Matrix products: runs of consecutive dpas become functions that share prepared operands.

Consecutive dpas are collected as long as no instruction between them accesses their registers. A run is then split into
groups that have B in common: a group's function keeps B in vector registers while it iterates over the rows of every A.
Each A is prepared once per run. All operands are in the register file in memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from runtime.llvm import IRFunction, IRModule, Value, count_of, decode, encode, integer, vector
from runtime.simulator.jit.alu.float_product import MXCSR_DEFAULT, MXCSR_FLUSH, FloatProduct
from runtime.simulator.jit.alu.integer_product import IntegerProduct
from runtime.simulator.jit.launch_records import Areas
from xegpu.isa import DataType, IllegalInstruction, Instruction
from xegpu.isa.formats import (
    Footprint,
    byte_of,
    dpas_footprint,
    dpas_operand_bytes,
    dpas_registers,
    operations_per_channel,
)
from xegpu.records import dataclass
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


@dataclass(frozen=True)
class _Operation:
    """A dpas: its types, the offsets of its operands in the register file (C: None for zeros) and its rows."""

    types: tuple[DataType, DataType, DataType, DataType]
    rows: int
    d: int
    c: int | None
    b: int
    a: int
    sizes: tuple[int, ...]
    touched: Footprint

    @property
    def shares(self) -> tuple[object, ...]:
        """The properties that operations of a group have in common."""
        return self.types, self.rows, self.b

    @property
    def overwrites_c(self) -> bool:
        """Returns whether storing rows of D would overwrite rows of C that are still to be read."""
        if self.c is None or (self.c == self.d and self.types[0].bits == self.types[1].bits):
            return False
        return self.d < self.c + self.sizes[1] and self.c < self.d + self.sizes[0]


class DpasRuns:
    """Collects the dpas of a function and emits calls to functions that perform them."""

    def __init__(self, code: IRFunction, file: Value, target: Target, areas: Areas):
        self._code = code
        self._file = file
        self._target = target
        self._areas = areas
        self._pending: list[_Operation] = []
        self._runs = 0

    def add(self, instruction: Instruction) -> None:
        """Queues a dpas with all columns enabled; it is performed at the next `flush`."""
        c, b, a = (source.type for source in instruction.sources)
        if instruction.destination is None:
            raise IllegalInstruction("dpas: no destination")
        registers = [None if r.is_null else byte_of(r, self._target) for r in dpas_registers(instruction)]
        d, start, right, left = registers
        operation = _Operation(
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

    def __init__(self, code: IRFunction, operations: list[_Operation], target: Target, areas: Areas, number: int):
        self._code = code
        self._operations = operations
        self._target = target
        self._areas = areas
        self._number = number
        self._used = 0
        self._prepared: dict[tuple[object, ...], tuple[int, int, int]] = {}

    def emit(self) -> None:
        flush_mode = False
        for number, group in enumerate(_groups(self._operations)):
            product = _product(group[0], self._code.module, self._target)
            if product.needs_flush_mode != flush_mode:
                flush_mode = product.needs_flush_mode
                _set_float_control(self._code, MXCSR_FLUSH if flush_mode else MXCSR_DEFAULT)
            self._emit_group(product, group, number)
        if flush_mode:
            _set_float_control(self._code, MXCSR_DEFAULT)
        self._code.give()

    def _emit_group(self, product: MatrixProduct, group: list[_Operation], number: int) -> None:
        code, module = self._code, self._code.module
        table: list[int] = []
        for operation in group:
            table += [self._a(product, operation), self._c(operation), operation.d]
        for operation in group:
            self._forget(operation.d, operation.sizes[0])
        data = module.constant_data(f"dpas.table.{self._number}.{number}", table)
        b = code.offset(_FILE, group[0].b)
        code.run(_group_function(module, product, group[0], self._target), _FILE, b, data, integer(len(group)))

    def _a(self, product: MatrixProduct, operation: _Operation) -> int:
        """Returns the offset of an operation's prepared A from the register file."""
        key = (product.name, operation.rows, operation.a)
        if key not in self._prepared:
            offset = self._reserve(operation.rows * product.row_bytes)
            self._prepared[key] = (offset, operation.a, operation.sizes[3])
            source, target = (self._code.offset(_FILE, at) for at in (operation.a, offset))
            self._code.run(_prepare_function(self._code.module, product, operation.rows), source, target)
        return self._prepared[key][0]

    def _c(self, operation: _Operation) -> int:
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


def _groups(operations: Sequence[_Operation]) -> list[list[_Operation]]:
    """Reorders operations so that those with the same B are adjacent, as far as dependences allow."""
    groups: list[list[_Operation]] = []
    remaining = list(operations)
    while remaining:
        group: list[_Operation] = [remaining[0]]
        skipped: list[_Operation] = []
        for operation in remaining[1:]:
            fits = operation.shares == group[0].shares
            if fits and not any(operation.touched.depends_on(o.touched) for o in (*group, *skipped)):
                group.append(operation)
            else:
                skipped.append(operation)
        groups.append(group)
        remaining = skipped
    return groups


def _product(operation: _Operation, module: IRModule, target: Target) -> MatrixProduct:
    _, _, b, a = operation.types
    columns = target.dpas.execution_size
    if a.is_float:
        return FloatProduct(a, columns, module.cpu.flushes_after_rounding)
    depth = target.dpas.depth * operations_per_channel(b, a)
    return IntegerProduct(a, b, depth, columns, module.cpu.dot_products)


def _prepare_function(module: IRModule, product: MatrixProduct, rows: int) -> str:
    """Returns the symbol of `void prepare(source, target)`, which prepares `rows` rows of A for `multiply`."""

    def build(code: IRFunction) -> None:
        product.prepare_a(code, Value("ptr", "%source"), Value("ptr", "%target"), rows)
        code.give()

    name = f"dpas.prepare.{product.name}.{rows}"
    return module.function(name, "void", "ptr noalias %source, ptr noalias %target", build, inline=False)


def _group_function(module: IRModule, product: MatrixProduct, operation: _Operation, target: Target) -> str:
    """Returns the symbol of `void group(file, b, table, count)`.

    It computes D = C + A x B for `count` triples of A, C and D, given as offsets in the file.
    """
    d, c, _, _ = operation.types
    columns, rows = target.dpas.execution_size, operation.rows

    def build(code: IRFunction) -> None:
        b = product.prepare_b(code, Value("ptr", "%b"))
        code.jump("loop")
        code.label("loop")
        number = code.phi((integer(0), "entry"), (Value("i64", "%following"), "loop"))
        entry = code.offset(Value("ptr", "%table"), code.binary("mul", number, integer(12)))
        offsets = [code.cast("sext", code.load("i32", code.offset(entry, 4 * n), 4), "i64") for n in range(3)]
        a_at, c_at, d_at = (code.offset(_FILE, offset) for offset in offsets)
        for first in range(0, rows, product.rows_at_once):
            part = range(first, min(first + product.rows_at_once, rows))
            start = [_load_row(code, c_at, row, c, columns) for row in part]
            a = code.offset(a_at, first * product.row_bytes)
            for row, values in zip(part, product.multiply(code, a, len(part), b, start), strict=True):
                _store_row(code, d_at, row, d, values)
        code.line(f"%following = add {number}, 1")
        code.branch(code.compare("icmp ult", Value("i64", "%following"), Value("i64", "%count")), "loop", "done")
        code.label("done")
        code.give()

    name = f"dpas.group.{product.name}.{d.text}.{c.text}.{rows}"
    parameters = "ptr %file, ptr %b, ptr noalias %table, i64 %count"
    return module.function(name, "void", parameters, build, inline=False)


def _load_row(code: IRFunction, base: Value, row: int, type: DataType, columns: int) -> Value:
    size = columns * type.size
    raw = code.load(vector(columns, f"i{type.bits}"), code.offset(base, row * size), size)
    return decode(code, raw, type)


def _store_row(code: IRFunction, base: Value, row: int, type: DataType, values: Value) -> None:
    source = DataType.F if type.is_float else type
    raw = encode(code, values, source, type)
    size = count_of(raw.type) * type.size
    code.store(raw, code.offset(base, row * size), size)


def _set_float_control(code: IRFunction, bits: int) -> None:
    word = code.module.constant_data(f"mxcsr.{bits:x}", [bits])
    code.run("llvm.x86.sse.ldmxcsr", word)
