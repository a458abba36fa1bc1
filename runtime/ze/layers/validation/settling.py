"""Waiting for commands that have done all but note it, before anything is said to be in use."""

from __future__ import annotations

from runtime.ze.driver.handle import Handle
from runtime.ze.driver.system.context import Context

_SETTLE_NS = 1_000_000_000
"""The longest wait for a thread that is about to note an end."""


def settle(handle: Handle) -> None:
    """Waits for submissions to end whose last event is signaled: who has waited for that may destroy what they use."""
    context = context_of(handle)
    if context is not None:
        executing = context.machine.executing
        context.machine.wait(lambda: not any(work.is_ending for work in tuple(executing)), _SETTLE_NS)


def context_of(handle: object) -> Context | None:
    """Returns the context that an object was created in, None for what is not in a context."""
    while isinstance(handle, Handle) and not isinstance(handle, Context):
        handle = handle.parent
    return handle if isinstance(handle, Context) else None
