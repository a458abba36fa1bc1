"""Finds the surfaces that block-2D messages can serve, and the blocks of one dimension that stay in their memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum, auto
from functools import cache

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation, Region, SSAValue
from xdsl.utils.hints import isa

from passes.analysis.dataflow import forward
from passes.analysis.integers import IntegerFact, IntegerFacts
from passes.analysis.integers.arithmetic import difference_of, product_of, sum_of
from passes.analysis.integers.fact import anything, constant
from passes.analysis.integers.xegpu import plane_fact
from passes.kernel.descriptor_extent import extent
from xegpu.dialects.xegpu import CreateNdDescOp, UpdateNdOffsetOp, descriptor_type, element_bits
from xegpu.targets import Block2D


def surface_legality(body: Region, facts: IntegerFacts, limits: Block2D | None) -> dict[SSAValue, bool | None]:
    """Returns whether block messages may serve each descriptor; None if only a running kernel knows.

    In two dimensions, the surface has to keep the rules of such messages; in one, there must be no bounds to check.
    """

    @cache
    def rules(op: CreateNdDescOp) -> bool | None:
        return limits is not None and _is_legal(op, facts, limits)

    def transfer(op: Operation, found: Mapping[SSAValue, tuple[bool, bool]]) -> tuple[bool, bool] | None:
        if isinstance(op, CreateNdDescOp):
            legal = _is_unbounded(op) or None if op.tensor_desc.type.get_num_dims() == 1 else rules(op)
            return (True, True) if legal is None else (legal, not legal)
        if op.name == "xegpu.update_nd_offset":
            return found.get(op.operands[0])
        return None

    found = forward(body, transfer, lambda a, b: (a[0] or b[0], a[1] or b[1]))
    return {value: None if legal and illegal else legal for value, (legal, illegal) in found.items()}


def _is_unbounded(op: CreateNdDescOp) -> bool:
    """Returns whether there is no memory to leave: an address alone has no end, and rows in reverse have no first."""
    has_size = isa(op.source.type, MemRefType) or op.const_shape is not None
    is_reverse = any(stride is not None and stride < 0 for stride in extent(op)[1])
    return is_reverse or not (has_size and op.tensor_desc.type.boundary_check)


class Fit(Enum):
    """Says where a block of one dimension lies: inside its memory; inside or outside as a whole; or anywhere."""

    INSIDE = auto()
    WHOLE = auto()
    ANYWHERE = auto()


def fit_in_line(descriptor: SSAValue, facts: IntegerFacts) -> Fit:
    """Returns what is known of the place of a block of one dimension in its memory.

    Rows are taken to be in the memory, as planes are. A block in one may still go on to the next.
    """
    desc, start = descriptor_type(descriptor), constant(0, 64, 1)
    length = desc.tile[1] * desc.array_length

    def number(entry: SSAValue | int | None) -> IntegerFact:
        if entry is None:
            return anything(64, start.lanes)
        return facts.of(entry) if isinstance(entry, SSAValue) else constant(entry, 64, start.lanes)

    def is_inside(start: IntegerFact, size: IntegerFact) -> bool:
        return start.least >= 0 and start.most + length <= size.least

    while isinstance(op := descriptor.owner, UpdateNdOffsetOp):
        start, descriptor = sum_of(start, number(op.mixed_offsets[0])), op.tensor_desc
    if not isinstance(op, CreateNdDescOp):
        return Fit.ANYWHERE
    start = sum_of(start, number(op.mixed_offsets[-1]))
    known = extent(op)
    sizes: Sequence[SSAValue | int | None] = op.mixed_shape or known[0]
    strides: Sequence[SSAValue | int | None] = op.mixed_strides or known[1]
    size = number(sizes[-1])
    if is_inside(start, size):
        return Fit.INSIDE
    for offset, count, stride in zip(op.mixed_offsets[:-1], sizes, strides, strict=False):
        pitch, last = number(stride), difference_of(number(count), number(1))
        start, size = sum_of(start, product_of(number(offset), pitch)), sum_of(size, product_of(last, pitch))
    if is_inside(start, size):
        return Fit.INSIDE
    return Fit.WHOLE if start.is_multiple_of(length) and size.is_multiple_of(length) else Fit.ANYWHERE


def _is_legal(op: CreateNdDescOp, facts: IntegerFacts, limits: Block2D) -> bool | None:
    size = element_bits(descriptor_type(op.tensor_desc).element_type) // 8
    sizes, strides = extent(op)
    width, pitch, height = sizes[-1], strides[-2], sizes[-2]
    rules = [
        None if width is None else legal_width(width * size, limits),
        None if pitch is None else legal_pitch(pitch * size, limits),
        None if pitch is None or width is None else pitch >= width,
        None if height is None else 1 <= height <= limits.max_surface,
    ]
    if False in rules:
        return False
    return True if None not in rules and plane_alignment(op, facts) >= limits.base_alignment else None


def plane_alignment(op: CreateNdDescOp, facts: IntegerFacts) -> int:
    """Returns the power of two that divides the address of the tile's plane, or of its 1-D line."""
    return plane_fact(op, *(facts.of(operand) for operand in op.operands)).power


def legal_width(width_bytes: int, limits: Block2D) -> bool:
    """Returns whether a surface may have a width in bytes."""
    return limits.min_surface_width <= width_bytes <= limits.max_surface and width_bytes % limits.width_multiple == 0


def legal_pitch(pitch_bytes: int, limits: Block2D) -> bool:
    """Returns whether a surface may have a pitch in bytes."""
    return limits.min_surface_pitch <= pitch_bytes <= limits.max_surface and pitch_bytes % limits.pitch_multiple == 0
