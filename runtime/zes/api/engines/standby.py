"""Standby (specification: Sysman standby). A simulated tile has no work for its engines to wake up for."""

from __future__ import annotations

from runtime.ze.declaration import api
from runtime.ze.driver import Device, enumerator, live
from runtime.zes.chapters import GETS, SETS, SysmanChapter
from runtime.zes.spec import zes_standby_promo_mode_t, zes_standby_properties_t, zes_standby_type_t
from runtime.zes.system.access import card_of
from runtime.zes.system.components import StandbyDomain, components


@api(SysmanChapter.STANDBY, GETS, seed="zetSysmanStandbyGet")
def zesDeviceEnumStandbyDomains(hDevice: Device) -> list[StandbyDomain]:
    """Returns the domains: one for each tile."""
    return components(card_of(hDevice), StandbyDomain)


@api(SysmanChapter.STANDBY, seed="zetSysmanStandbyGetProperties")
def zesStandbyGetProperties(hStandby: StandbyDomain) -> zes_standby_properties_t:
    """Returns the tile of a domain."""
    found = live(hStandby, StandbyDomain)
    return zes_standby_properties_t(zes_standby_type_t.ZES_STANDBY_TYPE_GLOBAL, found.onSubdevice, found.subdeviceId)


@api(SysmanChapter.STANDBY, seed="zetSysmanStandbyGetMode")
def zesStandbyGetMode(hStandby: StandbyDomain) -> zes_standby_promo_mode_t:
    """Returns whether an idle tile may sleep."""
    default = zes_standby_promo_mode_t.ZES_STANDBY_PROMO_MODE_DEFAULT
    return zes_standby_promo_mode_t(int(live(hStandby, StandbyDomain).number("mode", default)))


@api(SysmanChapter.STANDBY, f"{SETS} INVALID_ENUMERATION", seed="zetSysmanStandbySetMode")
def zesStandbySetMode(hStandby: StandbyDomain, mode: int) -> None:
    """Sets whether an idle tile may sleep, which all processes see. The clock of the model does not depend on it."""
    found = live(hStandby, StandbyDomain)
    found.set(mode=enumerator(mode, zes_standby_promo_mode_t).value)
