"""Events in specification 0.91: handles that list the events of a device that have happened."""

from __future__ import annotations

import math
from collections.abc import Sequence

from runtime.ze.declaration import api, seed_form
from runtime.ze.driver import Device, Driver, flag_set, items, live, required, unsigned
from runtime.zes import api as zes
from runtime.zes.chapters import GETS, SysmanChapter
from runtime.zes.seed.enums import zet_sysman_event_type_t
from runtime.zes.seed.structs import zet_event_config_t
from runtime.zes.spec import zes_event_type_flags_t
from runtime.zes.system.access import card_of, invalid, managed
from runtime.zes.system.components import EventHandle, components
from runtime.zes.system.event_watch import listen, watch_of

_RESET = zes_event_type_flags_t.ZES_EVENT_TYPE_FLAG_DEVICE_DETACH
"""The event of 1.x that a reset is; those behind it are the same in both, one bit apart."""


def _newer(events: zet_sysman_event_type_t) -> zes_event_type_flags_t:
    """Returns events as 1.x has them."""
    others = int(events) >> 1
    found = zes_event_type_flags_t(others << 2)
    return found | _RESET if events & zet_sysman_event_type_t.ZET_SYSMAN_EVENT_TYPE_DEVICE_RESET else found


def _older(events: zes_event_type_flags_t) -> zet_sysman_event_type_t:
    """Returns those events that 0.91 has."""
    known = int(max(zet_sysman_event_type_t)) | int(zet_sysman_event_type_t.ZET_SYSMAN_EVENT_TYPE_ALL)
    found = zet_sysman_event_type_t((int(events) >> 2 << 1) & known)
    return found | zet_sysman_event_type_t.ZET_SYSMAN_EVENT_TYPE_DEVICE_RESET if events & _RESET else found


@api(SysmanChapter.EVENTS, GETS, since=(0, 91))
def zetSysmanEventGet(hSysman: Device) -> EventHandle:
    """Returns the handle for the events of a device."""
    return components(card_of(hSysman), EventHandle)[0]


@api(SysmanChapter.EVENTS, since=(0, 91))
def zetSysmanEventGetConfig(hEvent: EventHandle) -> zet_event_config_t:
    """Returns the events that are listened for."""
    return zet_event_config_t(_older(watch_of(live(hEvent, EventHandle).card).registered))


@api(SysmanChapter.EVENTS, "INVALID_ENUMERATION", pointers="pConfig", since=(0, 91))
def zetSysmanEventSetConfig(hEvent: EventHandle, pConfig: zet_event_config_t) -> None:
    """Sets the events that are listened for."""
    card = live(hEvent, EventHandle).card
    required(pConfig, "pConfig")
    watch_of(card).register(card, _newer(flag_set(pConfig.registered, zet_sysman_event_type_t)))


@api(SysmanChapter.EVENTS, since=(0, 91))
def zetSysmanEventGetState(hEvent: EventHandle, clear: bool) -> zet_sysman_event_type_t:
    """Returns the events that have happened, and forgets them if `clear`."""
    card = live(hEvent, EventHandle).card
    watch = watch_of(card)
    watch.look(card)
    return _older(watch.take() if clear else watch.pending & watch.registered)


@seed_form(zes.zesDriverEventListen)
def zetSysmanEventListen(hDriver: Driver, timeout: int, phEvents: Sequence[EventHandle]) -> zet_sysman_event_type_t:
    """Waits at most `timeout` milliseconds, 0xffffffff without end; returns the events of all handles together.

    They stay until `zetSysmanEventGetState` clears them.

    Raises:
        ZeError: `INVALID_ARGUMENT` for a handle of another driver.
    """
    driver = managed(live(hDriver, Driver))
    required(phEvents, "phEvents")
    cards = [live(event, EventHandle).card for event in items(phEvents, "phEvents")]
    for card in cards:
        if card.driver is not driver:
            raise invalid(f"{card!r} is of another driver")
    forever = timeout == (1 << 32) - 1
    found = listen(cards, math.inf if forever else unsigned(timeout, "timeout") / 1000, takes=False)
    together = zes_event_type_flags_t(0)
    for events in found:
        together |= events
    return _older(together)
