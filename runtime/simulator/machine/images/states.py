"""Surface and sampler states, read from memory and checked, for the time of one message."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from runtime.simulator.launch.faults import FaultKind
from runtime.simulator.machine.fault import Fault
from runtime.simulator.memory import RangeTable
from xegpu.isa.model import SAMPLER_BYTES, SURFACE_BYTES, SamplerState, SurfaceState


def read_surface(table: RangeTable, handle: int) -> SurfaceState:
    """Returns the surface state at address `handle`; raises `Fault` if there is no valid one."""
    state, problem = _surface(_record(table, handle, SURFACE_BYTES, "surface", FaultKind.BAD_SURFACE))
    if problem is not None:
        raise Fault(FaultKind.BAD_SURFACE, problem)
    return state


def read_sampler(table: RangeTable, handle: int) -> SamplerState:
    """Returns the sampler state at address `handle`; raises `Fault` if there is no valid one."""
    state, problem = _sampler(_record(table, handle, SAMPLER_BYTES, "sampler", FaultKind.BAD_SAMPLER))
    if problem is not None:
        raise Fault(FaultKind.BAD_SAMPLER, problem)
    return state


# A kernel names the same few states in millions of messages. The cache is keyed by their bytes, not by their address,
# because a kernel may overwrite a state between two messages.


@lru_cache(maxsize=256)
def _surface(record: bytes) -> tuple[SurfaceState, str | None]:
    state = SurfaceState.unpack(record)
    return state, state.broken_rule()


@lru_cache(maxsize=256)
def _sampler(record: bytes) -> tuple[SamplerState, str | None]:
    state = SamplerState.unpack(record)
    return state, state.broken_rule()


def _record(table: RangeTable, handle: int, size: int, what: str, kind: FaultKind) -> bytes:
    if handle % size:
        raise Fault(kind, f"the address of the {what} state, {handle:#x}, is no multiple of {size}")
    owner = int(np.searchsorted(table.starts, np.uint64(handle), side="right")) - 1
    if owner < 0 or handle + size > table.allocations[owner].end:
        raise Fault(kind, f"no live memory holds a {what} state of {size} bytes at {handle:#x}")
    allocation = table.allocations[owner]
    return allocation.data[handle - allocation.address :][:size].tobytes()
