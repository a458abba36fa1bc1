"""What is wrong with a surface or sampler state that a kernel names, for reports of both engines."""

from __future__ import annotations

from runtime.simulator.memory import Memory
from xegpu.isa.model.surface_states import (
    SAMPLER_BYTES,
    SURFACE_BYTES,
    SamplerState,
    SurfaceState,
)


def surface_problem(handle: int, record: bytes | None) -> str | None:
    """The rule that a surface state at address `handle` breaks, None for a good one.

    `record` are its bytes, None if no live memory has them.
    """
    problem = _address_problem("surface", handle, SURFACE_BYTES, record)
    return problem if record is None or problem is not None else SurfaceState.unpack(record).broken_rule()


def sampler_problem(handle: int, record: bytes | None) -> str | None:
    """The same of a sampler state."""
    problem = _address_problem("sampler", handle, SAMPLER_BYTES, record)
    return problem if record is None or problem is not None else SamplerState.unpack(record).broken_rule()


def _address_problem(what: str, handle: int, size: int, record: bytes | None) -> str | None:
    if handle % size:
        return f"the address of the {what} state, {handle:#x}, is no multiple of {size}"
    return f"no live memory holds a {what} state of {size} bytes at {handle:#x}" if record is None else None


def live_bytes(memory: Memory, address: int, size: int) -> bytes | None:
    """Bytes of one live allocation; None if there are no such."""
    found = memory.find(address)
    if found is None or address + size > found.end:
        return None
    return bytes(found.data[address - found.address :][:size])
