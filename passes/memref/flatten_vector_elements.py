"""`memref-flatten-vector-elements`: turns memory whose elements are vectors into memory of numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    FunctionType,
    MemRefType,
    ModuleOp,
    NoneAttr,
    StridedLayoutAttr,
    UnrankedMemRefType,
    VectorType,
    i1,
    i64,
)
from xdsl.dialects.memref import AllocaOp, AllocOp, AssumeAlignmentOp, DeallocOp, DimOp, GetGlobalOp, SubviewOp, ViewOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import VerifyException

from passes.support.attribute_conversion import AttributeConversion
from passes.support.op_builder import Index, OpBuilder
from passes.support.op_table import OpTable
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream import gpu, memref, vector
from xegpu.dialects.upstream.arith import SelectOp

_REWRITES = OpTable[OpBuilder, None]()
"""Rules for operations on memory whose elements are vectors; besides them, the next dialects take it."""
_DIALECTS = frozenset({"cf", "func", "scf"})


@dataclass(frozen=True)
class MemrefFlattenVectorElementsPass(ModulePass):
    """Appends the dimensions of the vectors to those of the memory that they are elements of.

    `memref<16xvector<4xf32>>` becomes `memref<16x4xf32>`. As in the data layout of MLIR, the last dimension of a vector
    takes the next power of two of elements in memory: `memref<16xvector<3xf32>>` becomes `memref<16x4xf32>` as well.
    Raises `CompileError` for operations on such memory that have no counterpart, and for vectors of truth values.
    """

    name = "memref-flatten-vector-elements"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        found = [inner for inner in op.walk() if any(_vector_in(type) is not None for type in _types(inner))]
        # Users look at the types of the memory, which the removal of casts changes.
        for inner in sorted(found, key=lambda inner: isinstance(inner, vector.TypeCastOp)):
            rewrite = _REWRITES.get(inner)
            if rewrite is None and inner.dialect_name() not in _DIALECTS:
                raise CompileError(inner, "takes no memory whose elements are vectors: use memory of numbers")
            try:
                (rewrite or _keep)(OpBuilder(inner), inner)
            except VerifyException as error:
                raise CompileError(inner, str(error)) from None
        if found:
            AttributeConversion(_flat).convert_operations(op.walk())


def _types(op: Operation) -> Iterator[Attribute]:
    yield from op.operand_types
    yield from op.result_types
    yield from (argument.type for region in op.regions for block in region.blocks for argument in block.args)
    declared = op.properties.get("function_type")
    if isinstance(declared, FunctionType):
        yield from (*declared.inputs, *declared.outputs)
    if isinstance(op, memref.GlobalOp):
        yield op.type


def _vector_in(type: Attribute) -> VectorType | None:
    """Returns the vectors that a type of memory holds; None if it is another type."""
    if isinstance(type, MemRefType | UnrankedMemRefType) and isinstance(type.element_type, VectorType):
        return type.element_type
    return None


# Types ---------------------------------------------------------------------------------------------------------------


def _sizes(element: VectorType) -> tuple[int, ...]:
    """Returns the dimensions that a vector has in memory."""
    if element.get_num_scalable_dims():
        raise VerifyException(f"memory of {element} has no size that is known")
    if element.element_type == i1:
        raise VerifyException(f"memory of {element} is not supported: use bytes (i8) in place of i1")
    if not element.get_shape():
        return ()
    *outer, last = element.get_shape()
    return *outer, 1 << (last - 1).bit_length()


def _count(element: VectorType) -> int:
    """Returns how many numbers of memory a vector takes."""
    return math.prod(_sizes(element))


def _flat(type: Attribute) -> Attribute | None:
    """Returns the type of memory of numbers that stands for one of vectors; None for all other types."""
    element = _vector_in(type)
    if element is None:
        return None
    if not isinstance(type, MemRefType):
        raise VerifyException(f"{type} has no rank, to which that of the vectors could be added")
    sizes = _sizes(element)
    layout = type.layout
    if isinstance(layout, StridedLayoutAttr):
        count = _count(element)
        strides, offset = type.get_strides(), type.get_offset()
        assert strides is not None
        scaled = [None if stride is None else stride * count for stride in strides]
        layout = StridedLayoutAttr([*scaled, *_strides(sizes)], None if offset is None else offset * count)
    elif not isinstance(layout, NoneAttr):
        raise VerifyException(f"{type} has a layout that is neither the identity nor strided")
    return MemRefType(element.element_type, [*type.get_shape(), *sizes], layout, type.memory_space)


def _strides(sizes: Sequence[int]) -> list[int]:
    """Returns the distances of neighbours along each dimension of a vector in memory."""
    return [math.prod(sizes[dimension + 1 :]) for dimension in range(len(sizes))]


# Operations ----------------------------------------------------------------------------------------------------------


def _element(op: Operation) -> VectorType:
    """Returns the vectors in the memory that an operation takes."""
    (found,) = {element for value in op.operands if (element := _vector_in(value.type)) is not None}
    return found


def _extended(builder: OpBuilder, indices: Sequence[SSAValue], element: VectorType) -> list[SSAValue]:
    """Returns the indices of the first number of a vector."""
    return [*indices, *(builder.value(0) for _ in _sizes(element))]


def _keep(builder: OpBuilder, op: Operation) -> None:
    """Leaves an operation of which only the types change."""


@_REWRITES.register(memref.LoadOp, vector.LoadOp)
def _load(builder: OpBuilder, op: memref.LoadOp | vector.LoadOp) -> None:
    element = _element(op)
    base, *indices = op.operands
    loaded = vector.LoadOp(
        operands=[base, _extended(builder, indices, element)], result_types=[element], properties=dict(op.properties)
    )
    op.results[0].replace_all_uses_with(builder.add(loaded))
    Rewriter.erase_op(op)


@_REWRITES.register(memref.StoreOp, vector.StoreOp)
def _store(builder: OpBuilder, op: memref.StoreOp | vector.StoreOp) -> None:
    element = _element(op)
    value, base, *indices = op.operands
    stored = vector.StoreOp(
        operands=[value, base, _extended(builder, indices, element)], properties=dict(op.properties)
    )
    builder.insert(stored)
    Rewriter.erase_op(op)


@_REWRITES.register(vector.TypeCastOp)
def _type_cast(builder: OpBuilder, op: vector.TypeCastOp) -> None:
    source, result = op.memref.type, op.result.type
    if (_flat(source) or source) != _flat(result):
        raise VerifyException(f"the vectors of {result} take more memory than {source} has for them")
    op.result.replace_all_uses_with(op.memref)
    Rewriter.erase_op(op)


@_REWRITES.register(SubviewOp)
def _subview(builder: OpBuilder, op: SubviewOp) -> None:
    """Takes whole vectors."""
    sizes = _sizes(_element(op))
    for name, before, more in (
        ("static_offsets", op.static_offsets, [0] * len(sizes)),
        ("static_sizes", op.static_sizes, sizes),
        ("static_strides", op.static_strides, [1] * len(sizes)),
    ):
        op.properties[name] = DenseArrayBase.from_list(i64, [*before.get_values(), *more])


@_REWRITES.register(memref.ReinterpretCastOp)
def _reinterpret_cast(builder: OpBuilder, op: memref.ReinterpretCastOp) -> None:
    element = _element(op)
    sizes, count = _sizes(element), _count(element)

    def indices(static: Sequence[int], dynamic: Sequence[SSAValue]) -> list[Index]:
        operands = iter(dynamic)
        return [next(operands) if value == DYNAMIC_INDEX else value for value in static]

    (offset,) = indices(op.static_offsets.get_values(), op.offsets)
    strides = [builder.times(stride, count) for stride in indices(op.static_strides.get_values(), op.strides)]
    result = op.result.type
    assert isinstance(result, MemRefType)
    cast = memref.ReinterpretCastOp(
        op.source,
        builder.times(offset, count),
        [*indices(op.static_sizes.get_values(), op.sizes), *sizes],
        [*strides, *_strides(sizes)],
        result,
    )
    op.result.replace_all_uses_with(builder.add(cast))
    Rewriter.erase_op(op)


_REWRITES.register(
    *(AllocOp, AllocaOp, AssumeAlignmentOp, DeallocOp, DimOp, GetGlobalOp, SelectOp, ViewOp),
    *(memref.CastOp, memref.CopyOp, memref.GlobalOp, memref.MemorySpaceCastOp),
    *(gpu.AllocOp, gpu.DeallocOp, gpu.FuncOp, gpu.LaunchOp, gpu.LaunchFuncOp, gpu.MemcpyOp, gpu.ReturnOp),
)(_keep)
