"""Blocks and matrix products of rank 3 and more, as those of their planes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from xdsl.dialects.arith import AndIOp
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, NoneAttr, VectorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.utils.hints import isa

from passes.support.op_builder import Index, OpBuilder
from passes.support.tiles.source_extent import explicit_extent
from passes.support.vectors.constants import splat_constant
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.arith import CmpiOp, SelectOp
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.upstream.vector import ExtractOp, InsertStridedSliceOp, vector_type
from xegpu.dialects.xegpu import (
    CreateNdDescOp,
    DpasOp,
    LoadNdOp,
    PrefetchNdOp,
    StoreNdOp,
    TensorDescType,
)

_Position = tuple[int, ...]


def split_planes(function: FuncOp) -> None:
    """Replaces each access of a block with batch dimensions, and each batch of products, by those of the planes.

    A plane that lies outside of the memory reads as zero and is not stored, as rows and columns that do.
    """
    descriptors: dict[SSAValue, None] = {}
    for op in list(function.walk()):
        match op:
            case LoadNdOp() | StoreNdOp() | PrefetchNdOp() if op.desc.get_num_dims() > 2:
                descriptors[op.tensor_desc] = None
                _split_access(op)
            case DpasOp() if vector_type(op.result).get_num_dims() > 2:
                _split_product(op)
            case _:
                pass
    for descriptor in descriptors:
        if not descriptor.uses and isinstance(descriptor.owner, Operation):
            Rewriter.erase_op(descriptor.owner)


def _positions(shape: Sequence[int]) -> Iterator[_Position]:
    """Yields the position of each plane."""
    return product(*map(range, shape[:-2]))


def _plane(builder: OpBuilder, value: SSAValue, position: _Position) -> SSAValue:
    """Returns a plane of a vector: the one that was inserted there, if the vector has just been put together."""
    rest = value
    while isinstance(rest.owner, InsertStridedSliceOp):
        insert = rest.owner
        offsets = tuple(entry.value.data for entry in insert.offsets)
        if vector_type(insert.source).get_shape() != vector_type(value).get_shape()[-2:]:
            break
        if offsets == (*position, 0, 0):
            return insert.source
        rest = insert.dest
    return builder.add(ExtractOp(value, position))


def _joined(builder: OpBuilder, type_: VectorType, planes: Mapping[_Position, SSAValue]) -> SSAValue:
    """Returns the vector of some planes."""
    result = builder.add(splat_constant(type_, 0))
    for position, plane in planes.items():
        result = builder.add(InsertStridedSliceOp(plane, result, (*position, 0, 0)))
    return result


def _replace(op: Operation, results: Sequence[SSAValue]) -> None:
    for old, new in zip(op.results, results, strict=True):
        old.replace_all_uses_with(new)
    Rewriter.erase_op(op)


def _split_product(op: DpasOp) -> None:
    builder, type_ = OpBuilder(op), vector_type(op.result)
    shape = type_.get_shape()
    planes: dict[_Position, SSAValue] = {}
    for position in _positions(shape):
        lhs, rhs = (_plane(builder, value, position) for value in (op.lhs, op.rhs))
        acc = None if op.acc is None else _plane(builder, op.acc, position)
        planes[position] = builder.add(DpasOp(lhs, rhs, acc, VectorType(type_.element_type, shape[-2:])))
    _replace(op, [_joined(builder, type_, planes)])


def _split_access(op: LoadNdOp | StoreNdOp | PrefetchNdOp) -> None:
    builder, desc = OpBuilder(op), op.desc
    type_ = VectorType(desc.element_type, desc.tile)
    properties: dict[str, Attribute] = {
        name: value for name, value in op.properties.items() if name not in ("const_offsets", "transpose")
    }
    planes: dict[_Position, SSAValue] = {}
    for position in _positions(desc.get_shape()):
        descriptor = _descriptor_of(op, position)
        value = [_plane(builder, op.value, position)] if isinstance(op, StoreNdOp) else []
        access = type(op).create(
            operands=[*value, descriptor],
            result_types=[type_ for _ in op.results],
            properties=properties,
            attributes=op.attributes,
        )
        builder.insert(access)
        if access.results:
            planes[position] = access.results[0]
    _replace(op, [_joined(builder, vector_type(result), planes) for result in op.results])


def _descriptor_of(op: LoadNdOp | StoreNdOp | PrefetchNdOp, position: _Position) -> SSAValue:
    """Returns the descriptor of a plane of the block that an access addresses."""
    create, builder = op.tensor_desc.owner, OpBuilder(op)
    if not isinstance(create, CreateNdDescOp):
        raise CompileError(
            op,
            f"accesses planes of {op.desc} through a descriptor that loops or branches pass on, or that has been "
            "moved: create it in place, and give the access its offsets",
        )
    base, extent = create.mixed_offsets, explicit_extent(create)
    own = [0] * op.desc.get_num_dims() if op.mixed_offsets is None else op.mixed_offsets
    outer = len(base) - len(own)
    inner = [*position, 0, 0]
    offsets = [
        *base[:outer],
        *(builder.plus(builder.plus(a, b), c) for a, b, c in zip(base[outer:], own, inner, strict=True)),
    ]
    sizes = _sizes(create) if extent is None else extent[0]
    if op.desc.boundary_check:
        offsets[-2] = _row(builder, offsets, sizes, outer)
    encoding = None if isinstance(op.desc.encoding, NoneAttr) else op.desc.encoding
    shape, strides = extent or (None, None)
    type_ = TensorDescType(op.desc.tile, op.desc.element_type, encoding)
    return builder.add(CreateNdDescOp(create.source, offsets, type_, shape, strides))


def _sizes(create: CreateNdDescOp) -> Sequence[int]:
    source = create.source.type
    assert isa(source, MemRefType) and DYNAMIC_INDEX not in source.get_shape()
    return source.get_shape()


def _row(builder: OpBuilder, offsets: Sequence[Index], sizes: Sequence[Index], outer: int) -> Index:
    """Returns the row at which a plane's block starts: one below the plane if there is no such plane."""
    inside: SSAValue | None = None
    for offset, size in list(zip(offsets, sizes, strict=True))[outer:-2]:
        if isinstance(offset, int) and isinstance(size, int):
            if not 0 <= offset < size:
                return sizes[-2]
            continue
        is_inside = builder.add(CmpiOp(builder.value(offset), builder.value(size), "ult"))
        inside = is_inside if inside is None else builder.add(AndIOp(inside, is_inside))
    if inside is None:
        return offsets[-2]
    return builder.add(SelectOp(inside, builder.value(offsets[-2]), builder.value(sizes[-2])))
