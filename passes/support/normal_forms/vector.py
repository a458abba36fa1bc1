"""`vector` operations that others can express: constants, products and reductions, element by element."""

from __future__ import annotations

from itertools import product
from math import prod

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, DenseIntOrFPElementsAttr, IndexType, VectorType, i1
from xdsl.dialects.math import FmaOp
from xdsl.dialects.vector import FMAOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from passes.support.normal_forms.rewriting import Add, expands
from passes.support.vectors.combining import combine
from xegpu.dialects.upstream.arith import CmpiOp
from xegpu.dialects.upstream.vector import (
    BroadcastOp,
    ConstantMaskOp,
    CreateMaskOp,
    ExtractOp,
    MultiDimReductionOp,
    OuterProductOp,
    ReductionOp,
    ShapeCastOp,
    SplatOp,
    StepOp,
    ToElementsOp,
    TransposeOp,
)


def _vector(type: Attribute) -> VectorType[Attribute]:
    assert isa(type, VectorType)
    return type


@expands(SplatOp)
def _splat(add: Add, op: Operation) -> list[SSAValue]:
    return [add(BroadcastOp(op.operands[0], _vector(op.results[0].type)))]


@expands(FMAOp)
def _fma(add: Add, op: Operation) -> list[SSAValue]:
    return [add(FmaOp(*op.operands))]


@expands(StepOp)
def _step(add: Add, op: Operation) -> list[SSAValue]:
    return [add(_indices(_vector(op.results[0].type), 0))]


def _indices(type: VectorType[Attribute], dimension: int) -> Operation:
    """For each element, its index along a dimension; a vector without dimensions counts as one with one element."""
    shape = type.get_shape() or (1,)
    indices = VectorType(IndexType(), type.get_shape())
    inner = prod(shape[dimension + 1 :])
    numbers = [element // inner % shape[dimension] for element in range(prod(shape))]
    return arith.ConstantOp(DenseIntOrFPElementsAttr.from_list(indices, numbers))


@expands(ConstantMaskOp)
def _constant_mask(add: Add, op: ConstantMaskOp) -> list[SSAValue]:
    type, sizes = op.result.type, op.mask_dim_sizes.get_values()
    elements = product(*(range(size) for size in type.get_shape() or (1,)))
    inside = [int(all(i < size for i, size in zip(element, sizes, strict=True))) for element in elements]
    mask = VectorType(i1, type.get_shape())
    return [add(arith.ConstantOp(DenseIntOrFPElementsAttr.from_list(mask, inside)))]


@expands(CreateMaskOp)
def _create_mask(add: Add, op: CreateMaskOp) -> list[SSAValue]:
    """True where the index along every dimension is less than a signed size."""
    type, mask = op.mask_vector.type, None
    for dimension, size in enumerate(op.mask_dim_sizes):
        bound = add(BroadcastOp(size, VectorType(IndexType(), type.get_shape())))
        below = add(CmpiOp(add(_indices(type, dimension)), bound, "slt"))
        mask = below if mask is None else add(arith.AndIOp(mask, below))
    assert mask is not None
    return [mask]


@expands(OuterProductOp)
def _outer_product(add: Add, op: OuterProductOp) -> list[SSAValue]:
    type = _vector(op.result.type)
    rows = op.lhs
    if len(type.get_shape()) == 2:
        rows = add(ShapeCastOp(rows, VectorType(type.element_type, [type.get_shape()[0], 1])))
        rows = add(BroadcastOp(rows, type))
    columns = add(BroadcastOp(op.rhs, type))
    products = add((arith.MulfOp if isa(type.element_type, AnyFloat) else arith.MuliOp)(rows, columns))
    return [products if op.acc is None else add(combine(op.kind.data, op.acc, products))]


@expands(ReductionOp)
def _reduction(add: Add, op: ReductionOp) -> list[SSAValue]:
    """One element after another, from the first on: the order of a reduction that may not be reassociated."""
    elements = ToElementsOp(op.vector)
    add(elements)
    total, *rest = ([] if op.acc is None else [op.acc]) + list(elements.results)
    for element in rest:
        total = add(combine(op.kind.data, total, element))
    return [total]


@expands(MultiDimReductionOp)
def _multi_reduction(add: Add, op: MultiDimReductionOp) -> list[SSAValue]:
    """Slices along the dimensions that are reduced, in row-major order, combined with the accumulator."""
    shape = _vector(op.source.type).get_shape()
    reduced = list(op.reduction_dims.get_values())
    kept = [dimension for dimension in range(len(shape)) if dimension not in reduced]
    source = add(TransposeOp(op.source, [*reduced, *kept]))
    total = op.acc
    for position in product(*(range(shape[dimension]) for dimension in reduced)):
        total = add(combine(op.kind.data, total, add(ExtractOp(source, position))))
    return [total]
