"""Fabric ports (specification: Sysman fabric). Those of a PVC have no cables: simulated cards are connected by PCI."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.ze.declaration import api
from runtime.ze.driver import Device, items, live, required
from runtime.zes.chapters import GETS, SETS, SysmanChapter
from runtime.zes.spec import (
    zes_fabric_link_type_t,
    zes_fabric_port_config_t,
    zes_fabric_port_error_counters_t,
    zes_fabric_port_failure_flags_t,
    zes_fabric_port_id_t,
    zes_fabric_port_properties_t,
    zes_fabric_port_qual_issue_flags_t,
    zes_fabric_port_speed_t,
    zes_fabric_port_state_t,
    zes_fabric_port_status_t,
    zes_fabric_port_throughput_t,
)
from runtime.zes.system.access import card_of, require_rights
from runtime.zes.system.components import FabricPort, components
from runtime.zes.system.readings import timestamp

_NOBODY, _STILL = zes_fabric_port_id_t(0, 0, 0), zes_fabric_port_speed_t(0, 0)
"""A port without a cable is connected to this, and has this speed."""


@api(SysmanChapter.FABRIC, GETS, seed="zetSysmanFabricPortGet")
def zesDeviceEnumFabricPorts(hDevice: Device) -> list[FabricPort]:
    """Returns the fabric ports of all tiles; none of a card that has no fabric."""
    return components(card_of(hDevice), FabricPort)


@api(SysmanChapter.FABRIC, f"{GETS} INSUFFICIENT_PERMISSIONS", pointers="phPort", since=(1, 7))
def zesFabricPortGetMultiPortThroughput(
    hDevice: Device, phPort: Sequence[FabricPort]
) -> list[zes_fabric_port_throughput_t]:
    """Returns the traffic of several ports: none."""
    card_of(hDevice)
    return [_throughput(port) for port in items(phPort, "phPort")]


@api(SysmanChapter.FABRIC, seed="zetSysmanFabricPortGetProperties")
def zesFabricPortGetProperties(hPort: FabricPort) -> zes_fabric_port_properties_t:
    """Returns the number of a port, and the speed of its lanes."""
    port = live(hPort, FabricPort)
    fabric, place = port.fabric, zes_fabric_port_id_t(port.card.address.bus, port.subdeviceId, port.index)
    speeds = (zes_fabric_port_speed_t(fabric.bits_per_second, fabric.lanes) for _ in range(2))
    return zes_fabric_port_properties_t(fabric.name, port.onSubdevice, port.subdeviceId, place, *speeds)


@api(SysmanChapter.FABRIC, seed="zetSysmanFabricPortGetLinkType")
def zesFabricPortGetLinkType(hPort: FabricPort) -> zes_fabric_link_type_t:
    """Returns the kind of link that a port is connected with: none."""
    live(hPort, FabricPort)
    return zes_fabric_link_type_t("none")


@api(SysmanChapter.FABRIC, seed="zetSysmanFabricPortGetConfig")
def zesFabricPortGetConfig(hPort: FabricPort) -> zes_fabric_port_config_t:
    """Returns whether a port is up, and whether its light blinks."""
    port = live(hPort, FabricPort)
    return zes_fabric_port_config_t(enabled=_is_up(port), beaconing=bool(port.number("beaconing", 0)))


def _is_up(port: FabricPort) -> bool:
    return bool(port.number("enabled", 1))


@api(SysmanChapter.FABRIC, seed="zetSysmanFabricPortGetState")
def zesFabricPortGetState(hPort: FabricPort) -> zes_fabric_port_state_t:
    """Returns the state of a port: down, or up without a connection."""
    is_up = _is_up(live(hPort, FabricPort))
    status, reasons = zes_fabric_port_status_t, zes_fabric_port_failure_flags_t
    return zes_fabric_port_state_t(
        status.ZES_FABRIC_PORT_STATUS_FAILED if is_up else status.ZES_FABRIC_PORT_STATUS_DISABLED,
        zes_fabric_port_qual_issue_flags_t(0),
        reasons.ZES_FABRIC_PORT_FAILURE_FLAG_TRAINING_TIMEOUT if is_up else reasons(0),
        _NOBODY,
        _STILL,
        _STILL,
    )


def _throughput(port: FabricPort) -> zes_fabric_port_throughput_t:
    live(port, FabricPort)
    require_rights("read the traffic of a fabric port")
    return zes_fabric_port_throughput_t(timestamp(), 0, 0)


@api(SysmanChapter.FABRIC, "INSUFFICIENT_PERMISSIONS", seed="zetSysmanFabricPortGetThroughput")
def zesFabricPortGetThroughput(hPort: FabricPort) -> zes_fabric_port_throughput_t:
    """Returns the bytes that a port has received and sent: none."""
    return _throughput(hPort)


@api(SysmanChapter.FABRIC, since=(1, 7))
def zesFabricPortGetFabricErrorCounters(hPort: FabricPort) -> zes_fabric_port_error_counters_t:
    """Returns the numbers of errors: none, as nothing is connected."""
    live(hPort, FabricPort)
    return zes_fabric_port_error_counters_t(0, 0, 0, 0)


@api(SysmanChapter.FABRIC, SETS, pointers="pConfig", seed="zetSysmanFabricPortSetConfig")
def zesFabricPortSetConfig(hPort: FabricPort, pConfig: zes_fabric_port_config_t) -> None:
    """Sets whether a port is up, and whether its light blinks."""
    port = live(hPort, FabricPort)
    required(pConfig, "pConfig")
    port.set(enabled=float(pConfig.enabled), beaconing=float(pConfig.beaconing))
