"""Operations of MLIR's own dialects, on the types that kernels give them."""

from __future__ import annotations

from hypothesis import strategies as st
from xdsl.dialects import arith, math, memref
from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    MemRefType,
    VectorType,
    f16,
    f32,
    i1,
    i16,
    i32,
)
from xdsl.dialects.utils import FastMathFlag
from xdsl.dialects.vector import CombiningKindAttr, CombiningKindFlag
from xdsl.ir import Attribute

from tests.unit.xegpu.dialects.generators.scope import Production, Scope, index
from xegpu.dialects.upstream import gpu
from xegpu.dialects.upstream.arith import CmpfOp, CmpiOp, ExtFOp, IndexCastOp, SelectOp, SIToFPOp, TruncFOp
from xegpu.dialects.upstream.vector import (
    ConstantMaskOp,
    ExtractStridedSliceOp,
    InsertStridedSliceOp,
    MultiDimReductionOp,
    ShapeCastOp,
    StepOp,
    TransposeOp,
)

SHAPES: tuple[tuple[int, ...], ...] = ((), (16,), (8, 16), (2, 8, 16))
INTEGERS: tuple[Attribute, ...] = (i16, i32, index)
FLOATS: tuple[Attribute, ...] = (f16, f32)


def of_shape(element: Attribute, shape: tuple[int, ...]) -> Attribute:
    return VectorType(element, shape) if shape else element


def typed(scope: Scope, elements: tuple[Attribute, ...]) -> Attribute:
    return of_shape(scope.one_of(elements), scope.one_of(SHAPES))


def flags(scope: Scope) -> FastMathFlagsAttr:
    return FastMathFlagsAttr(sorted(scope.draw(st.frozensets(st.sampled_from(FastMathFlag), max_size=3)), key=str))


def integer_operation(scope: Scope) -> None:
    type_ = typed(scope, INTEGERS)
    op = scope.one_of((arith.AddiOp, arith.MuliOp, arith.SubiOp, arith.DivUIOp, arith.RemSIOp, arith.AndIOp))
    scope.add(op(scope.value(type_), scope.value(type_)))


def float_operation(scope: Scope) -> None:
    type_ = typed(scope, FLOATS)
    op = scope.one_of((arith.AddfOp, arith.MulfOp, arith.DivfOp, arith.MaximumfOp, arith.MinnumfOp))
    scope.add(op(scope.value(type_), scope.value(type_), flags(scope)))


def math_operation(scope: Scope) -> None:
    op = scope.one_of((math.ExpOp, math.SqrtOp, math.TanhOp, math.FloorOp))
    scope.add(op(scope.value(typed(scope, FLOATS)), flags(scope)))


def compare_and_select(scope: Scope) -> None:
    shape = scope.one_of(SHAPES)
    if scope.flip():
        type_ = of_shape(scope.one_of(INTEGERS), shape)
        compare: CmpiOp | CmpfOp = CmpiOp(scope.value(type_), scope.value(type_), scope.one_of(("eq", "ult", "sge")))
    else:
        type_ = of_shape(scope.one_of(FLOATS), shape)
        compare = CmpfOp(scope.value(type_), scope.value(type_), scope.one_of(("oeq", "ult", "uno")), flags(scope))
    (condition,) = scope.add(compare)
    scope.add(SelectOp(condition, scope.value(type_), scope.value(type_)))


def cast(scope: Scope) -> None:
    op, source, result = scope.one_of(
        ((ExtFOp, f16, f32), (TruncFOp, f32, f16), (SIToFPOp, i32, f32), (IndexCastOp, i32, index))
    )
    shape = scope.one_of(SHAPES)
    scope.add(op(scope.value(of_shape(source, shape)), of_shape(result, shape)))


def constant(scope: Scope) -> None:
    integer = scope.draw(st.integers(-(1 << 15), (1 << 15) - 1))
    number = scope.draw(st.floats(width=32))
    shape = scope.one_of(SHAPES[1:3])
    value = scope.one_of(
        (
            IntegerAttr(integer, scope.one_of(INTEGERS)),
            IntegerAttr(scope.draw(st.integers(0, 1)), i1),
            FloatAttr(number, f32),
            DenseIntOrFPElementsAttr.from_list(VectorType(i32, shape), [integer]),
            DenseIntOrFPElementsAttr.from_list(VectorType(f32, shape), [number]),
            DenseIntOrFPElementsAttr.from_list(VectorType(i16, [4]), [integer, 0, -1, 1]),
        )
    )
    scope.add(arith.ConstantOp(value))


def reshape(scope: Scope) -> None:
    source = scope.value(VectorType(f32, [2, 8, 16]))
    scope.add(ShapeCastOp(source, VectorType(f32, scope.one_of(((16, 16), (256,), (4, 4, 16))))))


def transpose(scope: Scope) -> None:
    permutation = scope.draw(st.permutations((0, 1, 2)))
    scope.add(TransposeOp(scope.value(VectorType(f32, [2, 8, 16])), permutation))


def slice_and_insert(scope: Scope) -> None:
    whole = scope.value(VectorType(f16, [16, 32]))
    offsets = [scope.one_of((0, 8)), scope.one_of((0, 16))]
    (part,) = scope.add(ExtractStridedSliceOp(whole, offsets, [8, 16]))
    scope.add(InsertStridedSliceOp(part, whole, offsets))


def reduce(scope: Scope) -> None:
    dims = sorted(scope.draw(st.sets(st.integers(0, 1), min_size=1)))
    shape = tuple(size for dim, size in enumerate((8, 16)) if dim not in dims)
    kind = CombiningKindAttr(scope.one_of((CombiningKindFlag.ADD, CombiningKindFlag.MAXIMUMF)))
    start = scope.value(of_shape(f32, shape))
    scope.add(MultiDimReductionOp(kind, scope.value(VectorType(f32, [8, 16])), start, dims))


def numbers_and_masks(scope: Scope) -> None:
    scope.add(StepOp(16))
    scope.add(ConstantMaskOp([scope.one_of((0, 7, 16))], VectorType(i1, [16])))


def memory(scope: Scope) -> None:
    place = scope.value(MemRefType(f32, [64, 64]))
    indices = [scope.value(index), scope.value(index)]
    (value,) = scope.add(memref.LoadOp.get(place, indices))
    scope.add(memref.StoreOp.get(value, place, indices))


def identity(scope: Scope) -> None:
    dimension = scope.one_of(tuple(gpu.DimensionEnum))
    op = scope.one_of((gpu.BlockIdOp, gpu.ThreadIdOp, gpu.BlockDimOp, gpu.GlobalIdOp))
    scope.add(op(dimension, scope.one_of((None, 64))))
    scope.add(gpu.SubgroupIdOp(scope.one_of((None, 32))))


def barrier(scope: Scope) -> None:
    scope.add(gpu.BarrierOp())


UPSTREAM: tuple[Production, ...] = (
    integer_operation,
    float_operation,
    math_operation,
    compare_and_select,
    cast,
    constant,
    reshape,
    transpose,
    slice_and_insert,
    reduce,
    numbers_and_masks,
    memory,
    identity,
    barrier,
)
