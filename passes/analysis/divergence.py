"""Finds the values that may differ between the lanes of a subgroup."""

from __future__ import annotations

from collections.abc import Iterator, Set

from xdsl.dialects.builtin import VectorType
from xdsl.dialects.cf import ConditionalBranchOp
from xdsl.dialects.llvm import AllocaOp
from xdsl.dialects.scf import ConditionOp
from xdsl.ir import Operation, Region, SSAValue

from passes.analysis.dataflow import reached
from passes.kernel.register_types import element_count
from passes.support.matrix_operands import multiplies_whole_matrices
from xegpu.dialects.upstream.gpu import AllReduceOp
from xegpu.dialects.upstream.memref import GenericAtomicRMWOp
from xegpu.dialects.upstream.scf import ExecuteRegionOp, ForOp, IfOp, IndexSwitchOp, WhileOp
from xegpu.dialects.xegpu import DpasOp, TensorDescType, descriptor_type

_LANE_SOURCES = frozenset(
    {
        *("gpu.thread_id", "gpu.global_id", "gpu.lane_id"),
        *("gpu.shuffle", "gpu.rotate", "xegpu.distribute"),
        *("llvm.atomicrmw", "llvm.cmpxchg"),
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
_STRUCTURED = frozenset(f"scf.{name}" for name in ("if", "for", "while", "index_switch", "execute_region"))
"""Operations whose results come from their regions."""


def divergent_values(
    body: Region, lanes: int, private: Set[SSAValue] = frozenset(), common: Set[SSAValue] = frozenset()
) -> set[SSAValue]:
    """Returns the values that may differ between the lanes of a subgroup (none in subgroup mode).

    `private` are buffers of which each lane has its own, `common` are allocations of which all lanes share one.
    """
    if lanes == 1:
        return set()
    private = private - common

    def is_source(op: Operation) -> bool:
        if op.name == AllocaOp.name:
            return common.isdisjoint(op.results)
        if op.name in _LANE_SOURCES or _makes_fragment(op) or "cluster_size" in op.properties:
            return True
        return bool(private) and _follows(op) and not private.isdisjoint(op.operands)

    return reached(body, is_source, _follows, _influences)


def _follows(op: Operation) -> bool:
    """Returns whether the results of an operation differ between lanes if an operand does."""
    return op.name not in _UNIFORM_RESULTS and op.name not in _STRUCTURED


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


def _influences(op: Operation) -> Iterator[tuple[SSAValue, SSAValue]]:
    """Yields values and those that decide them: work-items may branch or leave loops differently, each reads an element
    of its own before it updates it, and the regions of reductions combine values of lanes.
    """
    match op:
        case IfOp():
            yield from ((result, op.cond) for result in op.results)
        case IndexSwitchOp():
            yield from ((result, op.arg) for result in op.results)
        case ForOp():
            values = (*op.body.block.args, *op.results)
            yield from ((value, bound) for bound in (op.lb, op.ub, op.step) for value in values)
        case ConditionOp() if isinstance(loop := op.parent_op(), WhileOp):
            yield from ((value, op.condition) for value in (*loop.before_region.blocks[0].args, *loop.results))
        case ConditionalBranchOp() if isinstance(region := op.parent_op(), ExecuteRegionOp):
            yield from ((result, op.cond) for result in region.results)
        case GenericAtomicRMWOp():
            yield op.body.block.args[0], op.result
        case AllReduceOp() if op.op is None:
            yield from ((argument, op.value) for argument in op.body.block.args)
        case _:
            pass


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
