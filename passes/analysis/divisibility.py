"""Finds powers of two that divide values, from which alignment of accesses follows at compile time.

An integer has the factor of its value, a 2-D descriptor that of its column in elements, a 1-D descriptor that of its
address in bytes. Wrapping at a power of two changes no factor. The counter of a loop has the factor of those of its
numbers that the loop's body sees, which the number that ends the loop may lack.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerAttr, MemRefType
from xdsl.dialects.memref import ViewOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.traits import ConstantLike
from xdsl.utils.hints import isa

from passes.analysis.dataflow import forward
from passes.kernel.descriptor_extent import extent
from passes.kernel.memories import MessageMemory, memory_space
from passes.kernel.register_types import memory_type
from passes.kernel.resources import ALLOCATIONS
from xegpu.dialects.upstream.memref import memref_strides
from xegpu.dialects.xegpu import (
    CreateDescOp,
    CreateNdDescOp,
    UpdateNdOffsetOp,
    UpdateOffsetOp,
    descriptor_type,
    element_bits,
)

POINTER_FACTOR = 64
"""The alignment in bytes of pointer arguments: the runtime allocates no less aligned memory."""

_MAX_FACTOR = 1 << 16
"""The largest factor that is tracked; zero has it."""

_SAME_START = frozenset(
    f"memref.{name}" for name in ("cast", "collapse_shape", "expand_shape", "memory_space_cast", "transpose")
)
"""Views whose first element is that of the buffer."""

Factors = Mapping[SSAValue, int]


def factor_of(value: int) -> int:
    """Returns the largest power of two that divides a number, up to the limit."""
    return min(value & -value, _MAX_FACTOR) if value else _MAX_FACTOR


def _product(factors: Sequence[int]) -> int:
    return min(prod(factors), _MAX_FACTOR)


_SMALLEST = frozenset(
    {
        *(f"arith.{name}" for name in ("addi", "subi", "ori", "xori", "remsi", "remui")),
        *(f"arith.{name}" for name in ("minsi", "minui", "maxsi", "maxui", "extsi", "extui", "trunci")),
        *("arith.index_cast", "arith.index_castui"),
    }
)
_RULES: Mapping[str, Callable[[Sequence[int]], int]] = {
    **dict.fromkeys(_SMALLEST, min),
    "arith.muli": _product,
    "arith.andi": max,
}
"""By integer operation: the factor of the result, from those of the operands."""


def known_factors(body: Region) -> dict[SSAValue, int]:
    """Returns the factors of all integers and descriptors of a kernel."""
    return forward(body, _transfer, min, entry=1)


def _transfer(op: Operation, facts: Factors) -> int | None:
    if (rule := _RULES.get(op.name)) is not None:
        return rule([_factor(operand, facts) for operand in op.operands])
    if op.name == "simt.advance":
        return min(_factor(op.operands[0], facts), _factor(op.operands[1], facts))
    if op.name == "arith.constant":
        return _constant(op.properties["value"])
    if op.name == "vector.broadcast":
        return _factor(op.operands[0], facts)
    if isinstance(op, CreateDescOp | UpdateOffsetOp):
        size = _element_bytes(op.results[0])
        start = _source_factor(op.source, size) if isinstance(op, CreateDescOp) else _factor(op.tensor_desc, facts)
        return min(start, _product([_factor(op.offsets, facts), size]))
    if isinstance(op, CreateNdDescOp):
        return _created(op, facts)
    if isinstance(op, UpdateNdOffsetOp):
        size = _element_bytes(op.tensor_desc) if len(op.mixed_offsets) == 1 else 1
        return min(_factor(op.tensor_desc, facts), _product([_factor(op.mixed_offsets[-1], facts), size]))
    return 1 if op.results else None


def _constant(value: Attribute | None) -> int:
    """Returns the factor of an integer, or of all integers of a vector; 1 for other constants."""
    if isa(value, IntegerAttr):
        return factor_of(value.value.data)
    if isinstance(value, DenseIntOrFPElementsAttr) and value.type.element_count():
        values = [next(iter(value.iter_values()))] if value.is_splat() else value.iter_values()
        return min((factor_of(v) if isinstance(v, int) else 1 for v in values), default=1)
    return 1


def _factor(value: SSAValue | int, facts: Factors) -> int:
    """Returns the factor of a value; a value that is not reached yet has no bound."""
    return factor_of(value) if isinstance(value, int) else facts.get(value, _MAX_FACTOR)


def _element_bytes(descriptor: SSAValue) -> int:
    return element_bits(descriptor_type(descriptor).element_type) // 8


def _created(op: CreateNdDescOp, facts: Factors) -> int:
    column = _factor(op.mixed_offsets[-1], facts)
    if len(descriptor_type(op.tensor_desc).get_shape()) == 2:
        return column
    return min(plane_factor(op, facts), _product([column, _element_bytes(op.tensor_desc)]))


def plane_factor(op: CreateNdDescOp, facts: Factors) -> int:
    """Returns the factor of the address of the tile's plane or 1-D block: the source's, moved by offsets."""
    size = _element_bytes(op.tensor_desc)
    factor = _source_factor(op.source, size)
    rank = len(descriptor_type(op.tensor_desc).get_shape())
    for offset, stride in zip(op.mixed_offsets[:-rank], extent(op)[1], strict=False):
        factor = min(factor, _product([_factor(offset, facts), 1 if stride is None else factor_of(stride), size]))
    return factor


def address_factor(memref: SSAValue, indices: Sequence[SSAValue], facts: Factors) -> int:
    """Returns the factor of the address of an element of a buffer."""
    assert isa(memref.type, MemRefType)
    element, layout = memory_type(memref.type.element_type), memref_strides(memref.type)
    assert element is not None
    factor = _source_factor(memref, element.size)
    for index, stride in zip(indices, layout[0] if layout is not None else (), strict=False):
        factor = min(
            factor, _product([_factor(index, facts), 1 if stride is None else factor_of(stride), element.size])
        )
    return factor


def _source_factor(source: SSAValue, size: int) -> int:
    """Returns the factor of the address of a source's first element.

    It is larger than the element size only for kernel arguments, for allocations of the work-group, and for views that
    begin there or a known distance after.
    """
    while isinstance(owner := source.owner, Operation) and owner.name in _SAME_START:
        source = owner.operands[0]
    if isinstance(owner, ViewOp):
        return min(_source_factor(owner.source, 1), _constant(ConstantLike.get_constant_value(owner.byte_shift)))
    if not isa(source.type, MemRefType):
        return size
    if not _is_entry(owner) if isinstance(owner, Block) else not _is_shared_buffer(owner, source.type):
        return size
    layout = memref_strides(source.type)
    if layout is None or layout[1] is None:
        return size
    return min(POINTER_FACTOR, _product([factor_of(layout[1]), size]))


def _is_shared_buffer(op: Operation, type: MemRefType[Attribute]) -> bool:
    return isinstance(op, ALLOCATIONS) and memory_space(type) is MessageMemory.SHARED


def _is_entry(block: Block) -> bool:
    return block.parent is not None and block.parent.blocks[0] is block
