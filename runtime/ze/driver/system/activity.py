"""Activity of a device: the work of commands, for listeners that measure it."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Protocol

from runtime.card import DeviceWork, WorkDone
from xegpu.on_demand import dataclass

if TYPE_CHECKING:
    from runtime.simulator.profile import Profile

began: ContextVar[int] = ContextVar("began")
"""The device time, in ticks, at which the command began that this thread executes; set while anybody measures."""


@dataclass(frozen=True, slots=True, eq=False)
class Activity:
    """One execution of a launch or copy.

    Attributes:
        device: The card, or its tile, of the command.
        start: The device time in ticks at which it began.
        end: The device time in ticks at which it ended.
        nanoseconds: The time that it took on the device.
        work: The work.
        done: How the device did it.
        profile: The profile of a launch; None for a copy.
    """

    device: object
    start: int
    end: int
    nanoseconds: int
    work: DeviceWork
    done: WorkDone
    profile: Profile | None


class ActivityListener(Protocol):
    """Measures the work of a device's commands."""

    @property
    def skips(self) -> bool:
        """True if launches and copies are to be skipped, so that only waiting and signaling is left of them."""

    def hear(self, activity: Activity) -> None:
        """Takes note of an execution that has ended. It is called by the thread that executes."""
