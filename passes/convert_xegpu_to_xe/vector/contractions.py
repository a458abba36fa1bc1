"""Lowers products of vectors with any number of dimensions: contractions and outer products.

Sums start with the accumulator and grow along the reduction dimensions in row-major order, by one fused multiply-add
per product. Where a subgroup computes a single sum, the products are reduced as `vector.reduction` does. Sums of f16
and bf16 are kept in f32 and rounded at the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering, lowers
from passes.convert_xegpu_to_xe.lowering.values import Elements, Number
from passes.convert_xegpu_to_xe.math.combining import check_kind, combine, reduce_rows
from passes.convert_xegpu_to_xe.math.elementwise import signed
from passes.convert_xegpu_to_xe.vector.shapes import arranged
from passes.kernel.register_types import BOOLEAN, element_type
from passes.support.normal_forms import Shape, ravel, shape_of
from xegpu.dialects.upstream.vector import ContractionOp, OuterProductOp
from xegpu.isa.model import DataType

Place = Mapping[int, int]
"""The index along each dimension."""
_SHORT_FLOATS = (DataType.HF, DataType.BF)


@dataclass(frozen=True)
class Factor:
    """A vector or scalar operand, with its dimensions in the order of its registers."""

    number: Number
    dimensions: tuple[int, ...]
    sizes: Mapping[int, int]
    innermost: int | None
    """The dimension along which elements are computed together, if there is one."""

    def at(self, place: Place) -> Number:
        """Returns the elements at an index; all those along the innermost dimension if the factor has it."""
        if not isinstance(self.number, Elements):
            return self.number
        shape: Shape = tuple(self.sizes[d] for d in self.dimensions)
        index = ravel([0 if d == self.innermost else place[d] for d in self.dimensions], shape)
        lanes = self.number.lanes
        together = self.sizes[d] if (d := self.innermost) is not None and d in self.dimensions else 1
        return self.number.part(index * lanes, together * lanes)


@dataclass(frozen=True)
class ContractionShape:
    """Sums of products. `sizes` are those of all dimensions; operands and result have some of these dimensions each."""

    lowering: KernelLowering
    kind: str
    type: DataType
    sizes: Mapping[int, int]
    lhs: tuple[SSAValue, tuple[int, ...]]
    rhs: tuple[SSAValue, tuple[int, ...]]
    result: tuple[Attribute, tuple[int, ...]]
    accumulator: SSAValue | None

    @property
    def computed(self) -> DataType:
        """The type of sums and products."""
        return DataType.F if self.type in _SHORT_FLOATS else self.type

    @cached_property
    def lanes(self) -> int:
        """The number of work-items that have values of their own."""
        values = [self.lhs[0], self.rhs[0], *([] if self.accumulator is None else [self.accumulator])]
        return max(n.lanes if isinstance(n := self.lowering.number(v), Elements) else 1 for v in values)

    @cached_property
    def innermost(self) -> int | None:
        """The dimension along which elements are computed together; work-items compute theirs one by one."""
        return self.result[1][-1] if self.result[1] and self.lanes == 1 else None

    def _factor(self, value: SSAValue, dimensions: tuple[int, ...]) -> Factor:
        """Returns an operand in the type of the sums, with the dimension that is computed together innermost."""
        number = self.lowering.number(value)
        order = tuple(sorted(dimensions, key=lambda d: (d == self.innermost, d)))
        element = value.type.get_element_type() if isinstance(value.type, VectorType) else value.type
        shape: Shape = tuple(self.sizes[d] for d in dimensions)
        flat = VectorType(element, [prod(shape)])
        places = [dict(zip(order, p, strict=True)) for p in product(*(range(self.sizes[d]) for d in order))]
        origins = [ravel([place[d] for d in dimensions], shape) for place in places]
        number = arranged(self.lowering, [(number, value.type)], flat, lambda i: (0, origins[i]))
        if number.type is not self.computed:
            count = number.count if isinstance(number, Elements) else prod(shape)
            number = self.lowering.emit.unary("mov", self.computed, signed(number), count)
        return Factor(number, order, self.sizes, self.innermost)

    def lower(self) -> Number:
        """Returns the result."""
        type, dimensions = self.result
        lhs, rhs = self._factor(*self.lhs), self._factor(*self.rhs)
        start = None if self.accumulator is None else self._factor(self.accumulator, dimensions)
        if not dimensions and start is not None and self.lanes == 1:
            return self._single(lhs.number, rhs.number, start.number)
        outer = [d for d in dimensions if d != self.innermost]
        reduced = [d for d in self.sizes if d not in dimensions]
        count = self.lanes if self.innermost is None else self.sizes[self.innermost]
        parts: list[tuple[Number, Attribute]] = []
        element = type.get_element_type() if isinstance(type, VectorType) else type
        part_type = element if self.innermost is None else VectorType(element, [count])
        for outside in product(*(range(self.sizes[d]) for d in outer)):
            place = dict(zip(outer, outside, strict=True))
            sum = None if start is None else start.at(place)
            for inside in product(*(range(self.sizes[d]) for d in reduced)):
                here = place | dict(zip(reduced, inside, strict=True))
                sum = self._added(sum, lhs.at(here), rhs.at(here), count)
            assert sum is not None
            parts.append((self._rounded(sum, count), part_type))
        together = 1 if self.innermost is None else count
        return arranged(self.lowering, parts, type, lambda i: (i // together, i % together))

    def _single(self, lhs: Number, rhs: Number, start: Number) -> Number:
        """Returns the only sum, of all products."""
        emit, total = self.lowering.emit, prod(self.sizes.values())
        products = emit.alu("mul", self.computed, [lhs, rhs], total)
        sum = reduce_rows(emit, self.kind, products, 1)
        return self._rounded(combine(emit, self.kind, self.computed, start, sum, 1), 1)

    def _added(self, sum: Number | None, a: Number, b: Number, count: int) -> Number:
        emit = self.lowering.emit
        if sum is not None and self.kind == "add":
            return emit.alu("mad", self.computed, [a, b, sum], count)
        product = emit.alu("mul", self.computed, [a, b], count)
        return product if sum is None else combine(emit, self.kind, self.computed, sum, product, count)

    def _rounded(self, value: Number, count: int) -> Number:
        return value if value.type is self.type else self.lowering.emit.unary("mov", self.type, value, count)


def _selected(map: AffineMap) -> tuple[int, ...]:
    return tuple(e.position for e in map.results if isinstance(e, AffineDimExpr))


def _checked(lowering: KernelLowering, op: Operation, kind: str, values: Sequence[SSAValue]) -> DataType:
    """Returns the type of the result's elements; refuses operands that cannot be converted to it."""
    type = element_type(op.results[0].type)
    types = [element_type(value.type) for value in values]
    if type is None or type is BOOLEAN or None in types or BOOLEAN in types:
        names = ", ".join(str(value.type) for value in values)
        lowering.refuse(op, f"of {names} is not supported: products need floats, or integers of 8 to 64 bits")
    if any(t is not None and (t.is_float, t.size) > (type.is_float, type.size) for t in types):
        lowering.refuse(
            op, f"with a result of type {op.results[0].type} is not supported: an operand's elements do not fit"
        )
    check_kind(lowering, op, kind, type)
    return type


@lowers(ContractionOp)
def contract(lowering: KernelLowering, op: ContractionOp) -> None:
    kind = str(op.kind.data)
    type = _checked(lowering, op, kind, op.operands)
    lhs, rhs, result = (_selected(m.data) for m in op.indexing_maps)
    sizes: dict[int, int] = {}
    for value, dimensions in ((op.lhs, lhs), (op.rhs, rhs)):
        sizes |= dict(zip(dimensions, shape_of(value.type), strict=True))
    sizes = dict(sorted(sizes.items()))
    contraction = ContractionShape(
        lowering, kind, type, sizes, (op.lhs, lhs), (op.rhs, rhs), (op.result.type, result), op.acc
    )
    lowering.values[op.result] = contraction.lower()


@lowers(OuterProductOp)
def outer_product(lowering: KernelLowering, op: OuterProductOp) -> None:
    """A scalar second factor multiplies all elements of the first one."""
    kind = str(op.kind.data)
    type = _checked(lowering, op, kind, op.operands)
    shape = shape_of(op.result.type)
    lhs, rhs = (op.lhs, (0,)), (op.rhs, tuple(range(1, len(shape))))
    result = (op.result.type, tuple(range(len(shape))))
    contraction = ContractionShape(lowering, kind, type, dict(enumerate(shape)), lhs, rhs, result, op.acc)
    lowering.values[op.result] = contraction.lower()
