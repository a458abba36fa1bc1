"""Lowers `xegpu.dpas` to matrix instructions of the target, with operands in the register layouts that these need."""

from __future__ import annotations

from xdsl.dialects.builtin import FloatTF32Type, IntegerType, Signedness, VectorType
from xdsl.ir import Attribute, SSAValue

from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering, lowers
from passes.convert_xegpu_to_xe.lowering.values import Elements
from passes.kernel.register_types import element_type
from passes.support.matrix_operands import multiplies_whole_matrices
from xegpu.dialects.xe import Read, Write, dpas_op
from xegpu.dialects.xegpu import DpasOp, element_bits, packing_factor
from xegpu.isa.formats import check_dpas_types
from xegpu.isa.model import DataType, IllegalInstruction


def _precision(type: Attribute) -> DataType:
    """Returns the type under which dpas reads an A or B element; signless integers count as signed."""
    if isinstance(type, FloatTF32Type):
        return DataType.TF32
    if isinstance(type, IntegerType):
        return DataType.UB if type.signedness.data is Signedness.UNSIGNED else DataType.B
    data_type = element_type(type)
    assert data_type is not None
    return data_type


def _accumulated(type: Attribute) -> DataType:
    """Returns the type of C and of the result; integers wrap, so that their signedness does not matter."""
    data_type = element_type(type)
    assert data_type is not None
    return DataType.D if data_type is DataType.UD else data_type


@lowers(DpasOp)
def dpas(lowering: KernelLowering, op: DpasOp) -> None:
    a_type, b_type, result_type = op.lhs.type, op.rhs.type, op.result.type
    assert isinstance(a_type, VectorType) and isinstance(b_type, VectorType) and isinstance(result_type, VectorType)
    element = a_type.element_type
    factor, target = packing_factor(element), lowering.target.platform.matrix_engine
    fragments = not multiplies_whole_matrices(op)
    lanes = lowering.lanes if fragments else 1
    rows = result_type.get_shape()[0]
    columns = result_type.element_count() * lanes // rows
    depth = a_type.element_count() * lanes // rows
    step = target.depth * factor
    if columns % target.execution_size or depth % step:
        lowering.refuse(
            op,
            f"multiplies {rows}x{depth} by {depth}x{columns} elements of {element}: {lowering.target.name} needs "
            f"a multiple of {step} along K and of {target.execution_size} along N",
        )
    result = _accumulated(result_type.element_type)
    try:
        check_dpas_types(result, result, _precision(b_type.element_type), _precision(element), lowering.target)
    except IllegalInstruction as error:
        lowering.refuse(op, f"is not supported: {error}")
    packed = len(b_type.get_shape()) == 3 or fragments
    product = _Product(lowering, op, rows, columns, depth, element)
    lowering.values[op.result] = product.run(packed, lanes)


class _Product:
    """One `xegpu.dpas`, as blocks of at most 8 rows and of the target's columns, with steps along K in order."""

    def __init__(self, lowering: KernelLowering, op: DpasOp, rows: int, columns: int, depth: int, element: Attribute):
        self.lowering, self.op = lowering, op
        self.rows, self.columns, self.depth = rows, columns, depth
        self.factor = packing_factor(element)
        self.size = element_bits(element) // 8
        self.width = lowering.target.platform.matrix_engine.execution_size
        self.step = lowering.target.platform.matrix_engine.depth * self.factor
        assert isinstance(op.result.type, VectorType)
        self.result = _accumulated(op.result.type.element_type)

    def run(self, packed: bool, lanes: int) -> Elements:
        a, b = (self.lowering.operand(self.op, value, lanes) for value in (self.op.lhs, self.op.rhs))
        accumulator = None if self.op.acc is None else self.lowering.operand(self.op, self.op.acc, lanes)
        total = self.rows * self.columns
        result: SSAValue | None = None
        emit = self.lowering.emit
        whole_width = self.columns == self.width
        starts = range(0, self.rows, self.lowering.target.platform.matrix_engine.max_repeat)
        if whole_width and len(starts) == 1:
            return self._chain(a, b, packed, 0, 0, self._accumulator(accumulator, 0, 0), lanes)
        register = emit.undefined(total * self.result.size)
        for row in starts:
            for column in range(0, self.columns, self.width):
                part = self._chain(a, b, packed, row, column, self._accumulator(accumulator, row, column), lanes)
                count = part.count // self.width
                moves = [
                    ((row + r) * self.columns + column + c, r * self.width + c)
                    for r in range(count)
                    for c in range(self.width)
                ]
                register = emit.copy(register, part, moves, self.result)
        result = register
        return Elements(result, self._stored(), total, 0, lanes)

    def _stored(self) -> DataType:
        return DataType.UD if self.result is DataType.D else self.result

    def _repeat(self, row: int) -> int:
        return min(self.lowering.target.platform.matrix_engine.max_repeat, self.rows - row)

    def _accumulator(self, value: Elements | None, row: int, column: int) -> Elements | None:
        """Returns the rows and columns of the accumulator that one chain starts from, dense."""
        if value is None:
            return None
        count = self._repeat(row) * self.width
        if self.columns == self.width:
            return self._aligned(value.part(row * self.columns, count), self.width * self.result.size)
        moves = [
            (r * self.width + c, (row + r) * self.columns + column + c)
            for r in range(self._repeat(row))
            for c in range(self.width)
        ]
        return self._gather(value, moves, count)

    def _aligned(self, value: Elements, alignment: int) -> Elements:
        return self.lowering.emit.aligned(value, min(alignment, self.lowering.target.platform.grf_bytes))

    def _gather(self, value: Elements, moves: list[tuple[int, int]], count: int) -> Elements:
        emit = self.lowering.emit
        register = emit.undefined(count * value.type.size, self.lowering.target.platform.grf_bytes)
        return Elements(emit.copy(register, value, moves, value.type), value.type, count)

    def _chain(
        self, a: Elements, b: Elements, packed: bool, row: int, column: int, start: Elements | None, lanes: int
    ) -> Elements:
        """Returns one block of the result: a matrix instruction for each step along K."""
        target, emit = self.lowering.target, self.lowering.emit
        repeat = self._repeat(row)
        current = start
        write = Write(self.result)
        for k in range(0, self.depth, self.step):
            a_part, b_part = self._a(a, row, k), self._b(b, packed, k, column)
            c: tuple[SSAValue, Read] | Read = Read(self.result)
            into: SSAValue | None = None
            register_type = emit.register_type(repeat * self.width * self.result.size, target.platform.grf_bytes)
            if current is not None:
                c = (current.register, Read(self.result, current.offset))
                if current.offset == 0 and current.register.type == register_type:
                    into = current.register
            operation = dpas_op()(
                self.width,
                repeat,
                c,
                (b_part.register, Read(_precision_of(self.op.rhs), b_part.offset)),
                (a_part.register, Read(_precision_of(self.op.lhs), a_part.offset)),
                write,
                register_type,
                into,
            )
            emit.add(operation)
            current = Elements(operation.results[0], self._stored(), repeat * self.width, 0, lanes)
        assert current is not None
        return current

    def _a(self, a: Elements, row: int, k: int) -> Elements:
        """Returns rows of A from column k on, row-major and dense, as the instruction reads them."""
        repeat, alignment = self._repeat(row), self.step * self.size
        if self.depth == self.step:
            return self._aligned(a.part(row * self.depth, repeat * self.step), alignment)
        moves = [(r * self.step + j, (row + r) * self.depth + k + j) for r in range(repeat) for j in range(self.step)]
        return self._gather(a, moves, repeat * self.step)

    def _b(self, b: Elements, packed: bool, k: int, column: int) -> Elements:
        """Returns rows k to k + step of B, packed: `[step / factor, width, factor]`."""
        count = self.step * self.width
        if packed and self.columns == self.width:
            return self._aligned(b.part(k * self.width, count), self.lowering.target.platform.grf_bytes)
        factor = self.factor
        moves: list[tuple[int, int]] = []
        for i in range(self.step):
            for j in range(self.width):
                to = (i // factor * self.width + j) * factor + i % factor
                row, col = k + i, column + j
                origin = (
                    (row // factor * self.columns + col) * factor + row % factor if packed else row * self.columns + col
                )
                moves.append((to, origin))
        return self._gather(b, moves if not packed else sorted(moves), count)


def _precision_of(value: SSAValue) -> DataType:
    assert isinstance(value.type, VectorType)
    return _precision(value.type.element_type)
