"""Events, which streams and the host signal and wait for."""

from __future__ import annotations

from functools import partial

from runtime import ze
from runtime.api.sessions.session import NOTES, Claim, Session, note
from runtime.api.timeout import nanoseconds
from runtime.ze.driver import EventPool, Handle

_Flags = ze.ze_event_pool_flags_t


def _destroy(pool: Handle) -> None:
    assert isinstance(pool, EventPool)
    for event in tuple(pool.events.values()):
        ze.zeEventDestroy(event)
    ze.zeEventPoolDestroy(pool)


class Event:
    """An event, signaled by a command of a stream or by the host until it is reset. `Device.event` creates events.

    A `timed` one measures the command that signals it.
    """

    def __init__(self, session: Session, timed: bool = False) -> None:
        NOTES.work_off()
        flags = _Flags.ZE_EVENT_POOL_FLAG_HOST_VISIBLE
        if timed:
            flags |= _Flags.ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP
        claim, desc = Claim(), ze.ze_event_pool_desc_t(flags, 1)
        note(self, session.context, partial(claim.destroy, destroy=_destroy))
        pool = claim.create(lambda: ze.zeEventPoolCreate(session.context, desc, [session.device]))
        host = ze.ze_event_scope_flags_t.ZE_EVENT_SCOPE_FLAG_HOST
        self.handle = ze.zeEventCreate(pool, ze.ze_event_desc_t(0, host, host))
        self.session = session

    def __repr__(self) -> str:
        return f"<Event #{self.handle.id}>"

    @property
    def is_signaled(self) -> bool:
        """True if the event is signaled now."""
        return ze.zeEventQueryStatus(self.handle) == ze.ze_result_t.ZE_RESULT_SUCCESS

    def signal(self) -> None:
        """Signals the event: commands and threads that wait for it continue."""
        ze.zeEventHostSignal(self.handle)

    def reset(self) -> None:
        """Resets the event."""
        ze.zeEventHostReset(self.handle)

    def wait(self, timeout: float | None = None) -> bool:
        """Waits at most `timeout` seconds until the event is signaled; returns whether it is."""
        return ze.zeEventHostSynchronize(self.handle, nanoseconds(timeout)) == ze.ze_result_t.ZE_RESULT_SUCCESS

    @property
    def seconds(self) -> float:
        """The seconds, on the device's clock, that the command took which signaled the event.

        Raises:
            ZeError: `ZE_RESULT_NOT_READY` if the event is not signaled, `INVALID_ARGUMENT` if it is not timed.
        """
        times = ze.zeEventQueryKernelTimestamp(self.handle).global_
        properties = ze.zeDeviceGetProperties(self.session.device)
        ticks = (times.kernelEnd - times.kernelStart) % (1 << properties.kernelTimestampValidBits)
        return ticks * properties.timerResolution * 1e-9
