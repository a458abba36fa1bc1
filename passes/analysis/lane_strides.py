"""Finds accesses whose lanes stand at equal distances in memory, and all take part in them."""

from __future__ import annotations

from collections.abc import Set

from xdsl.ir import Operation, SSAValue

from passes.analysis.divergence import deciding_choice
from passes.analysis.integers import IntegerFacts, LaunchShape
from passes.support.control_flow import operations_in
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.upstream.llvm import LoadOp, StoreOp


def lane_strides(function: FuncOp, launch: LaunchShape, divergent: Set[SSAValue]) -> dict[Operation, int]:
    """Returns the loads and stores through pointers that all lanes of full subgroups make at equal distances.

    Each has its distance in bytes. Atomic and volatile accesses are left out.
    """
    if launch.lanes == 1 or not launch.fills_subgroups:
        return {}
    facts = IntegerFacts(launch, frozenset(divergent))
    strides: dict[Operation, int] = {}
    for op in operations_in(function.body):
        if isinstance(op, LoadOp | StoreOp) and _is_plain(op) and op.ptr in divergent:
            stride = facts.of(op.ptr).stride
            if stride is not None and deciding_choice(op, divergent) is None:
                strides[op] = stride
    return strides


def _is_plain(op: LoadOp | StoreOp) -> bool:
    """Returns whether a load or store is neither atomic nor volatile."""
    is_atomic = op.ordering is not None and op.ordering.value.data
    return not is_atomic and "volatile_" not in op.properties
