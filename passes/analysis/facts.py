"""Finds facts that hold across blocks: values that differ between lanes, surfaces that block-2D messages can serve."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

from xdsl.dialects.builtin import VectorType
from xdsl.dialects.scf import ConditionOp
from xdsl.ir import Operation, Region, SSAValue

from passes.analysis.dataflow import forward, reached
from passes.analysis.divisibility import Factors, plane_factor
from passes.kernel.descriptor_extent import extent
from passes.kernel.register_types import element_count
from passes.support.matrix_operands import multiplies_whole_matrices
from xegpu.dialects.upstream.gpu import AllReduceOp
from xegpu.dialects.upstream.memref import GenericAtomicRMWOp
from xegpu.dialects.upstream.scf import IfOp, WhileOp
from xegpu.dialects.xegpu import CreateNdDescOp, DpasOp, TensorDescType, descriptor_type, element_bits
from xegpu.targets import Block2D

_LANE_SOURCES = frozenset(
    {
        *("gpu.thread_id", "gpu.global_id", "gpu.lane_id"),
        *("gpu.shuffle", "gpu.rotate", "xegpu.distribute"),
        *("llvm.alloca", "llvm.atomicrmw", "llvm.cmpxchg"),
        *("memref.atomic_rmw", "memref.generic_atomic_rmw"),
        *("simt.merge", "simt.spread", "simt.undefined"),
    }
)
_UNIFORM_RESULTS = frozenset(
    {
        *("gpu.all_reduce", "gpu.subgroup_broadcast", "gpu.subgroup_reduce", "memref.dim"),
        *("xegpu.collect", "xegpu.create_nd_tdesc", "xegpu.update_nd_offset"),
    }
)
STRUCTURED = frozenset({"scf.if", "scf.while", "scf.execute_region"})
"""Operations whose results come from their regions."""


def divergent_values(body: Region, lanes: int, private: Set[SSAValue] = frozenset()) -> set[SSAValue]:
    """Returns the values that may differ between the lanes of a subgroup (none in subgroup mode).

    `private` are buffers of which each lane has its own.
    """
    if lanes == 1:
        return set()

    def is_source(op: Operation) -> bool:
        if op.name in _LANE_SOURCES or _makes_fragment(op) or "cluster_size" in op.properties:
            return True
        return bool(private) and _follows(op) and not private.isdisjoint(op.operands)

    return reached(body, is_source, _follows, influences)


def _follows(op: Operation) -> bool:
    """Returns whether the results of an operation differ between lanes if an operand does."""
    return op.name not in _UNIFORM_RESULTS and op.name not in STRUCTURED


def deciding_choice(op: Operation, divergent: Set[SSAValue]) -> Operation | None:
    """Returns the innermost choice or loop around an operation that may leave lanes out; None if there is none."""
    around = op.parent_op()
    while around is not None:
        condition = None
        if isinstance(around, IfOp):
            condition = around.cond
        elif isinstance(around, WhileOp):
            end = around.before_region.blocks[-1].last_op
            condition = end.condition if isinstance(end, ConditionOp) else None
        if condition in divergent:
            return around
        around = around.parent_op()
    return None


def influences(op: Operation) -> Iterator[tuple[SSAValue, SSAValue]]:
    """Yields values and those that decide them: work-items may branch or leave loops differently, each reads an element
    of its own before it updates it, and the regions of reductions combine values of lanes.
    """
    if isinstance(op, IfOp):
        yield from ((result, op.cond) for result in op.results)
    elif isinstance(op, ConditionOp) and isinstance(loop := op.parent_op(), WhileOp):
        yield from ((value, op.condition) for value in (*loop.before_region.blocks[0].args, *loop.results))
    elif isinstance(op, GenericAtomicRMWOp):
        yield op.body.block.args[0], op.result
    elif isinstance(op, AllReduceOp) and op.op is None:
        yield from ((argument, op.value) for argument in op.body.block.args)


def _makes_fragment(op: Operation) -> bool:
    """Returns whether a load through an `sg_map` or a product has a lane's fragment as its result, not the whole."""
    if op.name == DpasOp.name and isinstance(op, DpasOp):
        return not multiplies_whole_matrices(op)
    if op.name == "xegpu.load":
        desc, value = op.operands[0].type, op.results[0].type
        return isinstance(desc, TensorDescType) and element_count(value) != desc.element_count()
    if op.name == "xegpu.atomic_rmw":
        # Where there is one element for each work-item, they update it one after the other.
        count = element_count(op.results[0].type)
        return count == 1 or count != descriptor_type(op.operands[0]).element_count()
    if op.name == "xegpu.load_nd":
        desc, value = op.operands[0].type, op.results[0].type
        if isinstance(desc, TensorDescType) and isinstance(value, VectorType) and desc.lane_map is not None:
            return bool(value.get_shape() == desc.fragment_shape()) and value.element_count() != _tile_elements(desc)
    return False


def _tile_elements(desc: TensorDescType) -> int:
    rows, columns = desc.tile
    return rows * columns * desc.array_length


def surface_legality(body: Region, factors: Factors, limits: Block2D | None) -> dict[SSAValue, bool | None]:
    """Returns whether each descriptor's surface keeps the block-2D rules; None if only a running kernel knows."""

    def transfer(op: Operation, facts: Mapping[SSAValue, tuple[bool, bool]]) -> tuple[bool, bool] | None:
        if isinstance(op, CreateNdDescOp) and len(descriptor_type(op.tensor_desc).get_shape()) == 2:
            legal = _is_legal(op, factors, limits)
            return (True, True) if legal is None else (legal, not legal)
        if op.name == "xegpu.update_nd_offset":
            return facts.get(op.operands[0])
        return None

    facts = forward(body, transfer, lambda a, b: (a[0] or b[0], a[1] or b[1]))
    return {value: None if legal and illegal else legal for value, (legal, illegal) in facts.items()}


def _is_legal(op: CreateNdDescOp, factors: Factors, limits: Block2D | None) -> bool | None:
    if limits is None:
        return False
    size = element_bits(descriptor_type(op.tensor_desc).element_type) // 8
    sizes, strides = extent(op)
    width, pitch, height = sizes[-1], strides[-2], sizes[-2]
    facts = [
        True if plane_factor(op, factors) >= limits.base_alignment else None,
        None if width is None else legal_width(width * size, limits),
        None if pitch is None else legal_pitch(pitch * size, limits),
        None if pitch is None or width is None else pitch >= width,
        None if height is None else 1 <= height <= limits.max_surface,
    ]
    if False in facts:
        return False
    return None if None in facts else True


def legal_width(width_bytes: int, limits: Block2D) -> bool:
    """Returns whether a surface may have a width in bytes."""
    return limits.min_surface_width <= width_bytes <= limits.max_surface and width_bytes % limits.width_multiple == 0


def legal_pitch(pitch_bytes: int, limits: Block2D) -> bool:
    """Returns whether a surface may have a pitch in bytes."""
    return limits.min_surface_pitch <= pitch_bytes <= limits.max_surface and pitch_bytes % limits.pitch_multiple == 0
