"""The layouts that operations require of their operands, given those of their results."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation, SSAValue
from xdsl.utils.hints import isa

from passes.support.value_layouts.kinds import LayoutKind
from passes.support.value_layouts.transforms import permuted, scaled, with_unit_dims, without_dims
from passes.support.vectors.elementwise import has_one_shape, is_elementwise, vector_shape
from xegpu.dialects.upstream.vector import (
    BitcastOp,
    BroadcastOp,
    ExtractStridedSliceOp,
    InsertStridedSliceOp,
    MultiDimReductionOp,
    ShapeCastOp,
    TransposeOp,
    vector_type,
)
from xegpu.dialects.xegpu import (
    ConvertLayoutOp,
    DistributionAttr,
    DpasOp,
    LayoutAttr,
    LoadNdOp,
    LoadOp,
    PrefetchNdOp,
    PrefetchOp,
    SliceAttr,
    StoreMatrixOp,
    StoreNdOp,
    StoreOp,
    element_bits,
)

Want = tuple[SSAValue, DistributionAttr | None]
Layouts = Callable[[SSAValue], DistributionAttr | None]


def given_layout(op: Operation, name: str, kind: LayoutKind) -> DistributionAttr | None:
    """Returns a layout of a level that the text of an operation has under a name."""
    found = op.properties.get(name, op.attributes.get(name))
    return found if kind.has(found) and isinstance(found, LayoutAttr | SliceAttr) else None


def wants(op: Operation, kind: LayoutKind, of: Layouts) -> Iterator[Want]:
    """Yields operands, and descriptors, with the layouts that an operation asks of them.

    Args:
        op: The operation.
        kind: The level of the layouts.
        of: Returns the layout of a value, None as long as it has none.

    """
    match op:
        case StoreNdOp() | PrefetchNdOp():
            yield from _block(op, kind)
        case LoadNdOp() if not op.is_transposed and not op.is_packed and op.desc.array_length == 1:
            yield op.tensor_desc, of(op.value)
        case DpasOp() if vector_type(op.result).get_num_dims() == 2 and vector_type(op.rhs).get_num_dims() == 2:
            names = ("layout_a", "layout_b", "layout_cd")
            layouts = [given_layout(op, name, kind) or own for name, own in zip(names, kind.product(op), strict=True)]
            yield from zip(op.operands, layouts, strict=False)
            yield op.result, layouts[2]
        case StoreMatrixOp() if (shape := vector_shape(op.value)) is not None:
            yield op.value, given_layout(op, "layout", kind) or kind.block(shape, vector_type(op.value).element_type)
        case LoadOp() | StoreOp() if not op.has_descriptor:
            yield from _gather(op, kind, of)
        case PrefetchOp() if op.offsets is not None and (shape := vector_shape(op.offsets)) is not None:
            yield op.offsets, given_layout(op, "layout", kind) or kind.elements(shape, op.offsets.type, 1)
        case ConvertLayoutOp():
            yield op.source, given_layout(op, "input_layout", kind)
            yield op.result, given_layout(op, "target_layout", kind)
        case _:
            if len(op.results) == 1 and (layout := of(op.results[0])) is not None:
                yield from _through(op, layout)


def _block(op: StoreNdOp | PrefetchNdOp, kind: LayoutKind) -> Iterator[Want]:
    desc = op.desc
    layout = given_layout(op, "layout", kind) or (
        desc.map if isinstance(desc.map, DistributionAttr) and kind.has(desc.map) else None
    )
    if layout is None:
        layout = kind.block(desc.get_shape(), desc.element_type, is_prefetch=isinstance(op, PrefetchNdOp))
    yield op.tensor_desc, layout
    if isinstance(op, StoreNdOp):
        yield op.value, layout


def _gather(op: LoadOp | StoreOp, kind: LayoutKind, of: Layouts) -> Iterator[Want]:
    shape = vector_shape(op.mask)
    if shape is None or op.offsets is None or not isa(op.value.type, VectorType):
        return
    chunk = op.chunk(op.value.type)
    if isinstance(op, StoreOp):
        layout = given_layout(op, "layout", kind) or kind.elements(
            op.value.type.get_shape(), op.value.type.element_type, chunk
        )
        yield op.value, layout
    else:
        layout = of(op.value)
    if layout is not None:
        own = without_dims(layout, [len(shape)]) if chunk > 1 else layout
        yield op.offsets, own
        yield op.mask, own


def _through(op: Operation, layout: DistributionAttr) -> Iterator[Want]:
    """Yields the layouts that an operation on elements requires of its operands, given that of its result."""
    if is_elementwise(op) and has_one_shape(op):
        for operand in op.operands:
            if isinstance(operand.type, VectorType):
                yield operand, layout
        return
    match op:
        case MultiDimReductionOp():
            source = with_unit_dims(layout, op.reduced_dims)
            yield op.source, source
            yield op.acc, None if source is None else without_dims(source, op.reduced_dims)
        case BroadcastOp() if (source_shape := vector_shape(op.source)) is not None:
            # All owners have what is one element along a dimension, so that the layout holds for stretched ones, too.
            lead = vector_type(op.vector).get_num_dims() - len(source_shape)
            yield op.source, without_dims(layout, range(lead))
        case TransposeOp():
            yield op.vector, permuted(layout, op.permutation.get_values())
        case BitcastOp():
            cast, made = vector_type(op.source), vector_type(op.result)
            yield op.source, scaled(layout, element_bits(cast.element_type), element_bits(made.element_type))
        case ShapeCastOp():
            yield op.source, _reshaped(layout, vector_type(op.source).get_shape(), vector_type(op.result).get_shape())
        case InsertStridedSliceOp():
            yield op.dest, layout
            lead = vector_type(op.dest).get_num_dims() - vector_type(op.source).get_num_dims()
            yield op.source, without_dims(layout, range(lead))
        case ExtractStridedSliceOp():
            yield op.vector, layout
        case _:
            return


def _reshaped(layout: DistributionAttr, source: tuple[int, ...], result: tuple[int, ...]) -> DistributionAttr | None:
    """Returns the layout of a source whose dimensions of one element a cast adds or removes."""
    added = _unit_dims(result, source)
    if added is not None:
        return without_dims(layout, added)
    removed = _unit_dims(source, result)
    return None if removed is None else with_unit_dims(layout, removed)


def _unit_dims(longer: tuple[int, ...], shorter: tuple[int, ...]) -> list[int] | None:
    """Returns the dimensions of one element that a shape has beyond another one; None if more is different."""
    dims, rest = [], list(shorter)
    for dim, size in enumerate(longer):
        if rest and rest[0] == size:
            rest.pop(0)
        elif size == 1:
            dims.append(dim)
        else:
            return None
    return None if rest else dims
