"""The end of objects that commands may still use.

The application should wait for the commands, and drivers do not check whether it has: what commands use is destroyed
when they have ended. Most applications that destroy too early do so by microseconds, so a destruction waits for the
commands, but not forever. What they use longer is not the application's any more, and they keep what they need.
"""

from __future__ import annotations

from runtime.ze.driver.handle import GONE, H, Handle, live
from runtime.ze.driver.system.context import Context

PATIENCE_NS = 1_000_000_000
"""The longest time that a destruction waits for commands, in nanoseconds."""


def destroy(hObject: H | None, kind: type[H]) -> bool:
    """Destroys an object with all that was created from it; returns False if it is gone with its parent already.

    Raises:
        ZeError: `INVALID_NULL_HANDLE` or `INVALID_ARGUMENT`.
    """
    if isinstance(hObject, kind | type(GONE)) and hObject.went_with_parent:
        return False
    handle = live(hObject, kind)
    wait_until_unused(handle)
    return handle.retire()


def wait_until_unused(handle: Handle) -> None:
    """Waits until no command needs an object, or what was created from it, but not forever."""
    context = _context_of(handle)
    if context is not None and handle.has_pending_use:
        context.machine.wait(lambda: not handle.has_pending_use, PATIENCE_NS)


def _context_of(handle: Handle) -> Context | None:
    """Returns the context that an object was created in."""
    found: Handle | None = handle
    while found is not None and not isinstance(found, Context):
        found = found.parent
    return found
