"""Power supplies (specification: Sysman power supply). A PVC has none: its power is the server's."""

from __future__ import annotations

from runtime.ze.declaration import api
from runtime.ze.driver import Device, live
from runtime.zes.chapters import GETS, SysmanChapter
from runtime.zes.spec import zes_psu_properties_t, zes_psu_state_t
from runtime.zes.system.access import card_of, not_simulated
from runtime.zes.system.components import PowerSupply, components

_NONE = "Simulated cards have no power supplies, so there are no handles to call it with."


@api(SysmanChapter.PSU, GETS, seed="zetSysmanPsuGet")
def zesDeviceEnumPsus(hDevice: Device) -> list[PowerSupply]:
    """Returns the power supplies: none."""
    return components(card_of(hDevice), PowerSupply)


@api(SysmanChapter.PSU, seed="zetSysmanPsuGetProperties", note=_NONE)
def zesPsuGetProperties(hPsu: PowerSupply) -> zes_psu_properties_t:
    """Raises `UNSUPPORTED_FEATURE` for every handle."""
    raise not_simulated(live(hPsu, PowerSupply))


@api(SysmanChapter.PSU, seed="zetSysmanPsuGetState", note=_NONE)
def zesPsuGetState(hPsu: PowerSupply) -> zes_psu_state_t:
    """Raises `UNSUPPORTED_FEATURE` for every handle."""
    raise not_simulated(live(hPsu, PowerSupply))
