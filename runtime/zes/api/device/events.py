"""Events (specification: Sysman events)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from runtime.ze.declaration import api
from runtime.ze.driver import Device, Driver, flag_set, items, live, unsigned
from runtime.zes.chapters import GETS, SysmanChapter
from runtime.zes.spec import zes_event_type_flags_t
from runtime.zes.system.access import card_of, invalid, managed
from runtime.zes.system.event_watch import listen, watch_of

_Events = tuple[int, list[zes_event_type_flags_t]]


@api(SysmanChapter.EVENTS, f"{GETS} INVALID_ENUMERATION", seed=None)
def zesDeviceEventRegister(hDevice: Device, events: int) -> None:
    """Sets the events of a card that this process listens for; 0 ends that. What happened before does not count.

    Throttling, thresholds of energy and temperature, errors above a threshold, the need of a reset, resets, and a
    reduced link can happen. Sleep, and changes of the health of memory and fabric never do.
    """
    card = card_of(hDevice)
    watch_of(card).register(card, flag_set(events, zes_event_type_flags_t))


@api(SysmanChapter.EVENTS, GETS, pointers="phDevices", seed="zetSysmanEventListen")
def zesDriverEventListen(hDriver: Driver, timeout: int, phDevices: Sequence[Device]) -> _Events:
    """Waits at most `timeout` milliseconds for events, 0xffffffff without end; returns how many devices have some, and
    those of each.

    Raises:
        ZeError: `INVALID_ARGUMENT` for a device of another driver.
    """
    forever = timeout == (1 << 32) - 1
    return _listen(hDriver, math.inf if forever else unsigned(timeout, "timeout") / 1000, phDevices)


@api(SysmanChapter.EVENTS, GETS, pointers="phDevices", since=(1, 1))
def zesDriverEventListenEx(hDriver: Driver, timeout: int, phDevices: Sequence[Device]) -> _Events:
    """Does what `zesDriverEventListen` does, with a time-out of 64 bits."""
    forever = timeout == (1 << 64) - 1
    return _listen(hDriver, math.inf if forever else unsigned(timeout, "timeout", 64) / 1000, phDevices)


def _listen(hDriver: Driver, seconds: float, phDevices: Sequence[Device]) -> _Events:
    driver = managed(live(hDriver, Driver))
    cards = [card_of(device) for device in items(phDevices, "phDevices")]
    for card in cards:
        if card.driver is not driver:
            raise invalid(f"{card!r} is of another driver")
    found = listen(cards, seconds)
    return sum(1 for events in found if events), found
