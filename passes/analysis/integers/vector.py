"""Rules of the `vector` dialect: the fact of a vector is that of each of its elements."""

from __future__ import annotations

from functools import reduce

from xdsl.dialects.vector import ShuffleOp
from xdsl.ir import Operation

from passes.analysis.integers.fact import IntegerFact, anything, between, join
from passes.analysis.integers.table import LaunchShape, bits_of, rule, source
from xegpu.dialects.upstream.vector import (
    BitcastOp,
    BroadcastOp,
    DeinterleaveOp,
    ExtractElementOp,
    ExtractOp,
    ExtractStridedSliceOp,
    FromElementsOp,
    InsertElementOp,
    InsertOp,
    InsertStridedSliceOp,
    InterleaveOp,
    ShapeCastOp,
    SplatOp,
    StepOp,
    ToElementsOp,
    TransposeOp,
)


@source(StepOp)
def _step(op: StepOp, launch: LaunchShape) -> IntegerFact:
    return between(0, op.result.type.element_count() - 1, bits_of(op.result.type), launch.lanes)


@rule(BroadcastOp, SplatOp, ShapeCastOp, TransposeOp, ExtractStridedSliceOp)
def _same_elements(op: Operation, a: IntegerFact) -> IntegerFact:
    return a


@rule(DeinterleaveOp, ToElementsOp)
def _parts(op: Operation, a: IntegerFact) -> tuple[IntegerFact, ...]:
    return (a,) * len(op.results)


@rule(FromElementsOp, InterleaveOp, InsertStridedSliceOp, ShuffleOp)
def _from_all(op: Operation, *parts: IntegerFact) -> IntegerFact:
    return reduce(join, parts)


@rule(ExtractOp, ExtractElementOp)
def _extract(op: Operation, a: IntegerFact, *position: IntegerFact) -> IntegerFact:
    return a if all(index.is_uniform for index in position) else a.apart()


@rule(InsertOp, InsertElementOp)
def _insert(op: Operation, a: IntegerFact, whole: IntegerFact, *position: IntegerFact) -> IntegerFact:
    return join(a, whole, apart=not all(index.is_uniform for index in position))


@rule(BitcastOp)
def _bitcast(op: BitcastOp, a: IntegerFact) -> IntegerFact:
    bits = bits_of(op.result.type)
    return a if bits == a.bits else anything(bits, a.lanes)
