"""Events: what streams signal and wait for, and the host too."""

from __future__ import annotations

import weakref

from runtime import ze
from runtime.api.session import Session
from runtime.api.timeout import nanoseconds

_Flags = ze.ze_event_pool_flags_t


def _destroy(session: Session, event: ze.ze_event_handle_t) -> None:
    if session.is_open:
        ze.zeEventDestroy(event)
        ze.zeEventPoolDestroy(event.pool)


class Event:
    """Signaled by a command of a stream or by the host, until it is reset. Made by `Device.event`.

    A `timed` one knows how long the command took that signaled it.
    """

    def __init__(self, session: Session, timed: bool = False) -> None:
        flags = _Flags.ZE_EVENT_POOL_FLAG_HOST_VISIBLE
        if timed:
            flags |= _Flags.ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP
        pool = ze.zeEventPoolCreate(session.context, ze.ze_event_pool_desc_t(flags, 1), [session.device])
        host = ze.ze_event_scope_flags_t.ZE_EVENT_SCOPE_FLAG_HOST
        self.handle = ze.zeEventCreate(pool, ze.ze_event_desc_t(0, host, host))
        self.session = session
        weakref.finalize(self, _destroy, session, self.handle).atexit = False

    def __repr__(self) -> str:
        return f"<Event #{self.handle.id}>"

    @property
    def is_signaled(self) -> bool:
        """Whether the event is signaled now."""
        return ze.zeEventQueryStatus(self.handle) == ze.ze_result_t.ZE_RESULT_SUCCESS

    def signal(self) -> None:
        """Signal the event: what waits for it goes on."""
        ze.zeEventHostSignal(self.handle)

    def reset(self) -> None:
        """Make the event not signaled."""
        ze.zeEventHostReset(self.handle)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the event is signaled, at most `timeout` seconds; whether it is."""
        return ze.zeEventHostSynchronize(self.handle, nanoseconds(timeout)) == ze.ze_result_t.ZE_RESULT_SUCCESS

    @property
    def seconds(self) -> float:
        """How long the command took that signaled the event, on the device's clock.

        Raises `ZeError`: not ready for an event that is not signaled, invalid argument for one that is not timed.
        """
        times = ze.zeEventQueryKernelTimestamp(self.handle).global_
        properties = ze.zeDeviceGetProperties(self.session.device)
        ticks = (times.kernelEnd - times.kernelStart) % (1 << properties.kernelTimestampValidBits)
        return ticks * properties.timerResolution * 1e-9
