"""Finds the surfaces that block-2D messages can serve."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from xdsl.ir import Operation, Region, SSAValue

from passes.analysis.dataflow import forward
from passes.analysis.integers import IntegerFacts
from passes.analysis.integers.xegpu import plane_fact
from passes.kernel.descriptor_extent import extent
from xegpu.dialects.xegpu import CreateNdDescOp, descriptor_type, element_bits
from xegpu.targets import Block2D


def surface_legality(body: Region, facts: IntegerFacts, limits: Block2D | None) -> dict[SSAValue, bool | None]:
    """Returns whether each descriptor's surface keeps the block-2D rules; None if only a running kernel knows."""

    @cache
    def rules(op: CreateNdDescOp) -> bool | None:
        return limits is not None and _is_legal(op, facts, limits)

    def transfer(op: Operation, found: Mapping[SSAValue, tuple[bool, bool]]) -> tuple[bool, bool] | None:
        if isinstance(op, CreateNdDescOp) and len(descriptor_type(op.tensor_desc).get_shape()) == 2:
            legal = rules(op)
            return (True, True) if legal is None else (legal, not legal)
        if op.name == "xegpu.update_nd_offset":
            return found.get(op.operands[0])
        return None

    found = forward(body, transfer, lambda a, b: (a[0] or b[0], a[1] or b[1]))
    return {value: None if legal and illegal else legal for value, (legal, illegal) in found.items()}


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
