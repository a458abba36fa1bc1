"""Finds private memory of which one copy serves all lanes of a subgroup: they store the same values, all at once."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import NamedTuple

from xdsl.dialects.llvm import AllocaOp
from xdsl.dialects.scf import ConditionOp
from xdsl.ir import Operation, Region, SSAValue

from passes.analysis.divergence import divergent_values
from passes.analysis.integers.control import branch_conditions
from passes.support.control_flow import operations_of
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.upstream.llvm import (
    AddrSpaceCastOp,
    GEPOp,
    LoadOp,
    StoreOp,
)
from xegpu.dialects.upstream.scf import ExecuteRegionOp, IfOp, WhileOp


class LaneDifferences(NamedTuple):
    """Tells the values that may differ between the lanes of a subgroup, and the allocations that lanes share."""

    values: Set[SSAValue]
    common: frozenset[SSAValue]


class _ArrayUses(NamedTuple):
    loads: Sequence[Operation]
    stores: Sequence[Operation]


def divergence(body: Region, lanes: int, private: Set[SSAValue]) -> LaneDifferences:
    """Returns what differs between lanes, in a body whose loops are `scf.while`, and whose choices are `scf.if`.

    Lanes can share an allocation if those that pass through a store write the same value to the same place, and if none
    that was left out reads it later. Shared memory makes values uniform, and so other memory shared: all allocations
    are taken for shared first, and those that turn out not to be are taken out until there are none.
    """
    accesses = {op.res: found for op in operations_of(body, AllocaOp) if (found := _accesses(op)) is not None}
    while True:
        divergent = divergent_values(body, lanes, private, accesses.keys())
        apart = [memory for memory, found in accesses.items() if not _is_common(found, divergent)]
        if not apart:
            return LaneDifferences(divergent, frozenset(accesses))
        for memory in apart:
            del accesses[memory]


def _accesses(allocation: AllocaOp) -> _ArrayUses | None:
    """Returns the accesses to an allocation; None if its address is used in other ways."""
    loads, stores = list[Operation](), list[Operation]()
    pending: list[SSAValue] = [allocation.res]
    while pending:
        for use in pending.pop().uses:
            match use.operation:
                case LoadOp() as load:
                    loads.append(load)
                case StoreOp() as store if use.index:
                    stores.append(store)
                case GEPOp() | AddrSpaceCastOp() as moved:
                    pending += moved.results
                case _:
                    return None
    return _ArrayUses(loads, stores)


def _is_common(accesses: _ArrayUses, divergent: Set[SSAValue]) -> bool:
    for store in accesses.stores:
        scope = _scope(store, divergent)
        if scope is None or not divergent.isdisjoint(store.operands):
            return False
        if not all(scope.is_ancestor(load) for load in accesses.loads):
            return False
    return True


def _scope(store: Operation, divergent: Set[SSAValue]) -> Region | Operation | None:
    """Returns where all lanes have passed through a store that any lane has passed through; None if nowhere.

    It is the innermost loop, or side of a choice, that leaves lanes out. Lanes never come back to a loop. A choice in a
    loop may leave out others each time, so that what a lane reads there may have been stored without it.
    """
    scope: Region | Operation | None = None
    op = store
    while (region := op.parent_region()) is not None:
        outer = region.parent
        repeats = op.parent_block() is not region.first_block
        if repeats and not divergent.isdisjoint(branch_conditions(region)):
            return None
        leaves_out: Region | Operation | None = None
        match outer:
            case FuncOp():
                return None if repeats and scope is not None else scope or region
            case IfOp() if outer.cond in divergent:
                leaves_out = region
            case WhileOp():
                repeats = True
                end = outer.before_region.blocks[-1].last_op
                if not isinstance(end, ConditionOp) or end.condition in divergent:
                    leaves_out = outer
            case IfOp() | ExecuteRegionOp():
                pass
            case _:
                return None
        if repeats and scope is not None:
            return None
        scope = scope or leaves_out
        op = outer
    return None
