"""The Level Zero objects behind one `Device`."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from contextvars import copy_context
from dataclasses import dataclass
from typing import TypeVar

from runtime import ze
from runtime.api.sessions.host_memory import HostMemory
from runtime.concurrency import FinalizerNote, Notes
from runtime.ze.driver import Handle, ImmediateCommandList, Usm, claimed

H = TypeVar("H", bound=Handle)

T = TypeVar("T")

NOTES = Notes()
"""Notes about buffers, events, streams and sessions that are gone, and the cleanup left to do for them."""


def note(subject: object, handle: H, work: Callable[[H], None]) -> FinalizerNote:
    """Notes work on a handle for the time when `subject` is gone, unless the handle is destroyed by then.

    The note does not keep the handle alive. Work on what commands use is done later; what is destroyed needs none.
    """
    reference = weakref.ref(handle)

    def do() -> bool:
        found = reference()
        if found is None or not found.alive or not found.is_of_this_process:
            return True
        if work is not _close and found.has_pending_use:
            return False
        try:
            work(found)
        except ze.ZeError as error:
            if error.result is not ze.ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT:
                raise
        return True

    return NOTES.write(subject, do)


class Claim:
    """Marks a resource that belongs to an object of the Python API, from the moment at which it exists.

    A creation may be interrupted before anybody has a reference to what it has created. So the note about the end of
    the object is written first, and finds by the claim what there is to destroy.
    """

    __slots__ = ("_address", "_handle")

    def __init__(self) -> None:
        self._address = 0
        self._handle: weakref.ref[Handle] | None = None

    def create(self, make: Callable[[], H]) -> H:
        """Returns the handle that `make` creates, which is claimed."""
        handle = copy_context().run(self._make, make)
        self._handle = weakref.ref(handle)
        return handle

    def allocate(self, make: Callable[[], int]) -> int:
        """Returns the address of the memory that `make` allocates, which is claimed."""
        self._address = copy_context().run(self._make, make)
        return self._address

    def _make(self, make: Callable[[], T]) -> T:
        claimed.set(self)
        return make()

    def destroy(self, context: ze.ze_context_handle_t, destroy: Callable[[Handle], object]) -> None:
        """Destroys the handle of the claim in a context, if there is one."""
        known = None if self._handle is None else self._handle()
        for handle in tuple(context.children) if self._handle is None else (known,):
            if handle is not None and handle.alive and handle.claim is self:
                destroy(handle)

    def free(self, context: ze.ze_context_handle_t) -> None:
        """Frees the memory of the claim in a context, if there is any."""
        memory = context.machine.memory
        for allocation in (memory.find(self._address),) if self._address else memory.live():
            usm = None if allocation is None else allocation.record
            if isinstance(usm, Usm) and usm.claim is self:
                ze.zeMemFree(context, usm.allocation.address)


@dataclass(frozen=True, eq=False)
class Session:
    """A context on a device, and an immediate list whose appends return when they are done."""

    device: ze.ze_device_handle_t
    context: ze.ze_context_handle_t
    commands: ze.ze_command_list_handle_t
    host_memory: HostMemory
    profiles: bool = False
    """True if launches count their instructions."""

    @property
    def is_open(self) -> bool:
        """True if the session was not closed."""
        return self.context.alive

    def require_open(self) -> None:
        """Raises `INVALID_ARGUMENT` for a device that was closed."""
        if not self.is_open:
            raise ze.ZeError(ze.ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, "the device is closed")

    def execute(self, append: Callable[[], None]) -> None:
        """Calls `append`, which appends to `commands`, and puts the device back into service after a fault."""
        NOTES.work_off()
        self.require_open()
        try:
            append()
        except ze.ZeError as error:
            self.recover_from(error)
            raise

    def recover_from(self, error: ze.ZeError) -> None:
        """Puts the device back into service if `error` is the report of its loss."""
        if error.result is ze.ze_result_t.ZE_RESULT_ERROR_DEVICE_LOST:
            self.device.processor.recover()

    def close(self) -> None:
        """Destroys everything that was created in the session, and drops commands that have not begun."""
        _close(self.context)


def _close(context: ze.ze_context_handle_t) -> None:
    if context.alive and context.is_of_this_process:
        for child in tuple(context.children):
            if isinstance(child, ImmediateCommandList):
                child.stream.close()
        for child in tuple(context.children):
            child.retire()
        ze.zeContextDestroy(context)


def open_session(device: ze.ze_device_handle_t, driver: ze.ze_driver_handle_t, *, profiles: bool = False) -> Session:
    """Returns a session on a device of a driver. It is closed when nothing that was created in it is left."""
    NOTES.work_off()
    context = ze.zeContextCreateEx(driver, ze.ze_context_desc_t(), [device])
    mode = ze.ze_command_queue_mode_t.ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS
    commands = ze.zeCommandListCreateImmediate(context, device, ze.ze_command_queue_desc_t(mode=mode))
    session = Session(device, context, commands, HostMemory(context.machine), profiles)
    note(session, context, _close)
    return session
