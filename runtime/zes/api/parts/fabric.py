"""Fabric ports (specification: Sysman fabric). Simulated cards are connected by PCI only, like a PVC without links."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.ze.declaration import api
from runtime.ze.driver import Device, items, live, required
from runtime.zes.chapters import GETS, SysmanChapter
from runtime.zes.spec import (
    zes_fabric_link_type_t,
    zes_fabric_port_config_t,
    zes_fabric_port_error_counters_t,
    zes_fabric_port_properties_t,
    zes_fabric_port_state_t,
    zes_fabric_port_throughput_t,
)
from runtime.zes.system.access import card_of, not_simulated, unsupported
from runtime.zes.system.components import FabricPort, components

_NONE = "Simulated cards have no fabric ports, so there are no handles to call it with."


@api(SysmanChapter.FABRIC, GETS, seed="zetSysmanFabricPortGet")
def zesDeviceEnumFabricPorts(hDevice: Device) -> list[FabricPort]:
    """Returns the fabric ports: none."""
    return components(card_of(hDevice), FabricPort)


@api(SysmanChapter.FABRIC, f"{GETS} UNSUPPORTED_FEATURE", pointers="phPort", since=(1, 7), note=_NONE)
def zesFabricPortGetMultiPortThroughput(
    hDevice: Device, phPort: Sequence[FabricPort]
) -> list[zes_fabric_port_throughput_t]:
    """Raises `UNSUPPORTED_FEATURE`: there are no ports."""
    card = card_of(hDevice)
    for port in items(phPort, "phPort"):
        live(port, FabricPort)
    raise unsupported(f"{card!r} has no fabric ports")


@api(SysmanChapter.FABRIC, seed="zetSysmanFabricPortGetProperties", note=_NONE)
def zesFabricPortGetProperties(hPort: FabricPort) -> zes_fabric_port_properties_t:
    """Raises `UNSUPPORTED_FEATURE` for every handle."""
    raise not_simulated(live(hPort, FabricPort))


@api(SysmanChapter.FABRIC, seed="zetSysmanFabricPortGetLinkType", note=_NONE)
def zesFabricPortGetLinkType(hPort: FabricPort) -> zes_fabric_link_type_t:
    """Raises `UNSUPPORTED_FEATURE` for every handle."""
    raise not_simulated(live(hPort, FabricPort))


@api(SysmanChapter.FABRIC, seed="zetSysmanFabricPortGetConfig", note=_NONE)
def zesFabricPortGetConfig(hPort: FabricPort) -> zes_fabric_port_config_t:
    """Raises `UNSUPPORTED_FEATURE` for every handle."""
    raise not_simulated(live(hPort, FabricPort))


@api(SysmanChapter.FABRIC, seed="zetSysmanFabricPortGetState", note=_NONE)
def zesFabricPortGetState(hPort: FabricPort) -> zes_fabric_port_state_t:
    """Raises `UNSUPPORTED_FEATURE` for every handle."""
    raise not_simulated(live(hPort, FabricPort))


@api(SysmanChapter.FABRIC, seed="zetSysmanFabricPortGetThroughput", note=_NONE)
def zesFabricPortGetThroughput(hPort: FabricPort) -> zes_fabric_port_throughput_t:
    """Raises `UNSUPPORTED_FEATURE` for every handle."""
    raise not_simulated(live(hPort, FabricPort))


@api(SysmanChapter.FABRIC, since=(1, 7), note=_NONE)
def zesFabricPortGetFabricErrorCounters(hPort: FabricPort) -> zes_fabric_port_error_counters_t:
    """Raises `UNSUPPORTED_FEATURE` for every handle."""
    raise not_simulated(live(hPort, FabricPort))


@api(SysmanChapter.FABRIC, pointers="pConfig", seed="zetSysmanFabricPortSetConfig", note=_NONE)
def zesFabricPortSetConfig(hPort: FabricPort, pConfig: zes_fabric_port_config_t) -> None:
    """Raises `UNSUPPORTED_FEATURE` for every handle."""
    port = live(hPort, FabricPort)
    required(pConfig, "pConfig")
    raise not_simulated(port)
