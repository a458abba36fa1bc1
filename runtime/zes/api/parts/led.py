"""LEDs (specification: Sysman LED). A PVC has none."""

from __future__ import annotations

from runtime.ze.declaration import api
from runtime.ze.driver import Device, live, required
from runtime.zes.chapters import GETS, SysmanChapter
from runtime.zes.spec import zes_led_color_t, zes_led_properties_t, zes_led_state_t
from runtime.zes.system.access import card_of, not_simulated
from runtime.zes.system.components import CardLed, components

_NONE = "Simulated cards have no LEDs, so there are no handles to call it with."


@api(SysmanChapter.LED, GETS, seed="zetSysmanLedGet")
def zesDeviceEnumLeds(hDevice: Device) -> list[CardLed]:
    """Returns the LEDs: none."""
    return components(card_of(hDevice), CardLed)


@api(SysmanChapter.LED, seed="zetSysmanLedGetProperties", note=_NONE)
def zesLedGetProperties(hLed: CardLed) -> zes_led_properties_t:
    """Raises `UNSUPPORTED_FEATURE` for every handle."""
    raise not_simulated(live(hLed, CardLed))


@api(SysmanChapter.LED, seed="zetSysmanLedGetState", note=_NONE)
def zesLedGetState(hLed: CardLed) -> zes_led_state_t:
    """Raises `UNSUPPORTED_FEATURE` for every handle."""
    raise not_simulated(live(hLed, CardLed))


@api(SysmanChapter.LED, seed="zetSysmanLedSetState", note=_NONE)
def zesLedSetState(hLed: CardLed, enable: bool) -> None:
    """Raises `UNSUPPORTED_FEATURE` for every handle."""
    raise not_simulated(live(hLed, CardLed))


@api(SysmanChapter.LED, pointers="pColor", seed=None, note=_NONE)
def zesLedSetColor(hLed: CardLed, pColor: zes_led_color_t) -> None:
    """Raises `UNSUPPORTED_FEATURE` for every handle."""
    led = live(hLed, CardLed)
    required(pColor, "pColor")
    raise not_simulated(led)
