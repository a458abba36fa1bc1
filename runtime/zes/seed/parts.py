"""Memory, fabric, RAS, firmware, diagnostics and LEDs in specification 0.91."""

from __future__ import annotations

from dataclasses import astuple

from runtime.ze.declaration import api, seed_form, seed_name
from runtime.ze.dispatch import direct
from runtime.ze.driver import live, required
from runtime.zes import api as zes
from runtime.zes.api.parts.firmware import checksum_of
from runtime.zes.chapters import SysmanChapter
from runtime.zes.seed.enums import (
    zet_diag_type_t,
    zet_fabric_port_qual_issues_t,
    zet_fabric_port_stab_issues_t,
    zet_fabric_port_status_t,
    zet_mem_health_t,
    zet_mem_type_t,
)
from runtime.zes.seed.structs import (
    zet_diag_properties_t,
    zet_fabric_link_type_t,
    zet_fabric_port_properties_t,
    zet_fabric_port_speed_t,
    zet_fabric_port_state_t,
    zet_fabric_port_throughput_t,
    zet_fabric_port_uuid_t,
    zet_led_state_t,
    zet_mem_properties_t,
    zet_mem_state_t,
    zet_ras_config_t,
    zet_ras_details_t,
)
from runtime.zes.spec import (
    zes_fabric_port_speed_t,
    zes_fabric_port_status_t,
    zes_mem_type_t,
    zes_ras_config_t,
    zes_ras_state_t,
)
from runtime.zes.system.access import not_simulated
from runtime.zes.system.components import CardLed, DiagnosticSuite, FabricPort, FirmwarePart, MemoryModule, RasErrorSet
from runtime.zes.system.errors import owner_of

zetSysmanFirmwareGet = seed_name(zes.zesDeviceEnumFirmwares)
zetSysmanFirmwareGetProperties = seed_name(zes.zesFirmwareGetProperties)
zetSysmanFirmwareFlash = seed_name(zes.zesFirmwareFlash)
zetSysmanMemoryGet = seed_name(zes.zesDeviceEnumMemoryModules)
zetSysmanMemoryGetBandwidth = seed_name(zes.zesMemoryGetBandwidth)
zetSysmanFabricPortGet = seed_name(zes.zesDeviceEnumFabricPorts)
zetSysmanFabricPortGetConfig = seed_name(zes.zesFabricPortGetConfig)
zetSysmanFabricPortSetConfig = seed_name(zes.zesFabricPortSetConfig)
zetSysmanLedGet = seed_name(zes.zesDeviceEnumLeds)
zetSysmanLedGetProperties = seed_name(zes.zesLedGetProperties)
zetSysmanRasGet = seed_name(zes.zesDeviceEnumRasErrorSets)
zetSysmanRasGetProperties = seed_name(zes.zesRasGetProperties)
zetSysmanDiagnosticsGet = seed_name(zes.zesDeviceEnumDiagnosticTestSuites)
zetSysmanDiagnosticsGetTests = seed_name(zes.zesDiagnosticsGetTests)
zetSysmanDiagnosticsRunTests = seed_name(zes.zesDiagnosticsRunTests)


@api(SysmanChapter.FIRMWARE, "INSUFFICIENT_PERMISSIONS", since=(0, 91))
def zetSysmanFirmwareGetChecksum(hFirmware: FirmwarePart) -> int:
    """Returns the checksum of the image that was flashed; 0 for the firmware of the factory."""
    return checksum_of(live(hFirmware, FirmwarePart))


@seed_form(zes.zesMemoryGetProperties)
def zetSysmanMemoryGetProperties(hMemory: MemoryModule) -> zet_mem_properties_t:
    """Returns kind and size in bytes of a memory."""
    found = direct(zes.zesMemoryGetProperties)(hMemory)
    is_stacked = found.type is zes_mem_type_t.ZES_MEM_TYPE_HBM
    kind = zet_mem_type_t.ZET_MEM_TYPE_HBM if is_stacked else zet_mem_type_t.ZET_MEM_TYPE_DDR
    return zet_mem_properties_t(kind, found.onSubdevice, found.subdeviceId, found.physicalSize)


@seed_form(zes.zesMemoryGetState)
def zetSysmanMemoryGetState(hMemory: MemoryModule) -> zet_mem_state_t:
    """Returns the bytes of a memory, and those that processes have."""
    found = direct(zes.zesMemoryGetState)(hMemory)
    return zet_mem_state_t(zet_mem_health_t.ZET_MEM_HEALTH_OK, found.size - found.free, found.size)


def _speed(lanes: zes_fabric_port_speed_t) -> zet_fabric_port_speed_t:
    return zet_fabric_port_speed_t(lanes.bitRate, lanes.width, lanes.bitRate * lanes.width // 8)


@seed_form(zes.zesFabricPortGetProperties)
def zetSysmanFabricPortGetProperties(hPort: FabricPort) -> zet_fabric_port_properties_t:
    """Returns the identity of a port, and the speed of its lanes."""
    found = direct(zes.zesFabricPortGetProperties)(hPort)
    place = bytes((*found.portId.fabricId.to_bytes(4, "little"), found.portId.attachId, found.portId.portNumber, 0, 0))
    speeds = _speed(found.maxRxSpeed), _speed(found.maxTxSpeed)
    return zet_fabric_port_properties_t(
        found.model, found.onSubdevice, found.subdeviceId, zet_fabric_port_uuid_t(place), *speeds
    )


@seed_form(zes.zesFabricPortGetLinkType)
def zetSysmanFabricPortGetLinkType(hPort: FabricPort, verbose: bool) -> zet_fabric_link_type_t:
    """Returns the kind of link that a port is connected with: none."""
    return direct(zes.zesFabricPortGetLinkType)(hPort)


@seed_form(zes.zesFabricPortGetState)
def zetSysmanFabricPortGetState(hPort: FabricPort) -> zet_fabric_port_state_t:
    """Returns the state of a port: down, or up without a connection."""
    found = direct(zes.zesFabricPortGetState)(hPort)
    status, issues = zet_fabric_port_status_t, zet_fabric_port_stab_issues_t
    is_up = found.status is not zes_fabric_port_status_t.ZES_FABRIC_PORT_STATUS_DISABLED
    return zet_fabric_port_state_t(
        status.ZET_FABRIC_PORT_STATUS_RED if is_up else status.ZET_FABRIC_PORT_STATUS_BLACK,
        zet_fabric_port_qual_issues_t.ZET_FABRIC_PORT_QUAL_ISSUES_NONE,
        issues.ZET_FABRIC_PORT_STAB_ISSUES_NO_CONNECT if is_up else issues.ZET_FABRIC_PORT_STAB_ISSUES_NONE,
        _speed(found.rxSpeed),
        _speed(found.txSpeed),
    )


@seed_form(zes.zesFabricPortGetThroughput)
def zetSysmanFabricPortGetThroughput(hPort: FabricPort) -> zet_fabric_port_throughput_t:
    """Returns the bytes that a port has received and sent, and those that it can in a second: none."""
    found = direct(zes.zesFabricPortGetThroughput)(hPort)
    return zet_fabric_port_throughput_t(found.timestamp, found.rxCounter, found.txCounter, 0, 0)


@seed_form(zes.zesLedGetState)
def zetSysmanLedGetState(hLed: CardLed) -> zet_led_state_t:
    """Raises `UNSUPPORTED_FEATURE` for every handle."""
    raise not_simulated(live(hLed, CardLed))


@seed_form(zes.zesLedSetState)
def zetSysmanLedSetState(hLed: CardLed, pState: zet_led_state_t) -> None:
    """Raises `UNSUPPORTED_FEATURE` for every handle."""
    led = live(hLed, CardLed)
    required(pState, "pState")
    raise not_simulated(led)


@seed_form(zes.zesRasGetConfig)
def zetSysmanRasGetConfig(hRas: RasErrorSet) -> zet_ras_config_t:
    """Returns the numbers of errors above which events happen, and the process that has set them."""
    found = direct(zes.zesRasGetConfig)(hRas)
    details = zet_ras_details_t(*found.detailedThresholds.category)
    return zet_ras_config_t(found.totalThreshold, details, owner_of(hRas))


@seed_form(zes.zesRasSetConfig)
def zetSysmanRasSetConfig(hRas: RasErrorSet, pConfig: zet_ras_config_t) -> None:
    """Sets the numbers of errors above which events happen; 0 for none."""
    live(hRas, RasErrorSet)
    required(pConfig, "pConfig")
    details = zes_ras_state_t(astuple(pConfig.detailedThresholds))
    direct(zes.zesRasSetConfig)(hRas, zes_ras_config_t(pConfig.totalThreshold, details))


@seed_form(zes.zesRasGetState)
def zetSysmanRasGetState(hRas: RasErrorSet, clear: bool) -> tuple[int, zet_ras_details_t]:
    """Returns the errors: all together, and by category."""
    found = direct(zes.zesRasGetState)(hRas, clear)
    return sum(found.category), zet_ras_details_t(*found.category)


@seed_form(zes.zesDiagnosticsGetProperties)
def zetSysmanDiagnosticsGetProperties(hDiagnostics: DiagnosticSuite) -> zet_diag_properties_t:
    """Returns the name of a suite, which tests arrays of memory."""
    found = direct(zes.zesDiagnosticsGetProperties)(hDiagnostics)
    kind = zet_diag_type_t.ZET_DIAG_TYPE_ARRAY
    return zet_diag_properties_t(kind, found.onSubdevice, found.subdeviceId, found.name, found.haveTests)
