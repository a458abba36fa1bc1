"""Structures of system management in specification 0.91. Those that 1.x has with the same members are its own."""

from __future__ import annotations

from dataclasses import field

from runtime.zes.seed.enums import (
    zet_diag_type_t,
    zet_fabric_port_qual_issues_t,
    zet_fabric_port_stab_issues_t,
    zet_fabric_port_status_t,
    zet_fan_speed_mode_t,
    zet_fan_speed_units_t,
    zet_freq_domain_t,
    zet_freq_throttle_reasons_t,
    zet_mem_health_t,
    zet_mem_type_t,
    zet_pci_bar_type_t,
    zet_pci_link_qual_issues_t,
    zet_pci_link_stab_issues_t,
    zet_pci_link_status_t,
    zet_temp_sensors_t,
)
from runtime.zes.spec import (
    zes_device_properties_t,
    zes_diag_test_t,
    zes_energy_threshold_t,
    zes_engine_properties_t,
    zes_engine_stats_t,
    zes_fabric_link_type_t,
    zes_fabric_port_config_t,
    zes_firmware_properties_t,
    zes_freq_range_t,
    zes_freq_throttle_time_t,
    zes_led_properties_t,
    zes_mem_bandwidth_t,
    zes_pci_address_t,
    zes_pci_speed_t,
    zes_power_burst_limit_t,
    zes_power_energy_counter_t,
    zes_power_peak_limit_t,
    zes_power_sustained_limit_t,
    zes_psu_properties_t,
    zes_psu_state_t,
    zes_ras_properties_t,
    zes_sched_timeout_properties_t,
    zes_sched_timeslice_properties_t,
    zes_standby_properties_t,
    zes_temp_threshold_t,
)
from xegpu.on_demand import dataclass

zet_sysman_properties_t = zes_device_properties_t
zet_sched_timeout_properties_t = zes_sched_timeout_properties_t
zet_sched_timeslice_properties_t = zes_sched_timeslice_properties_t
zet_pci_address_t = zes_pci_address_t
zet_pci_speed_t = zes_pci_speed_t
zet_power_energy_counter_t = zes_power_energy_counter_t
zet_power_sustained_limit_t = zes_power_sustained_limit_t
zet_power_burst_limit_t = zes_power_burst_limit_t
zet_power_peak_limit_t = zes_power_peak_limit_t
zet_energy_threshold_t = zes_energy_threshold_t
zet_freq_range_t = zes_freq_range_t
zet_freq_throttle_time_t = zes_freq_throttle_time_t
zet_engine_properties_t = zes_engine_properties_t
zet_engine_stats_t = zes_engine_stats_t
zet_standby_properties_t = zes_standby_properties_t
zet_firmware_properties_t = zes_firmware_properties_t
zet_mem_bandwidth_t = zes_mem_bandwidth_t
zet_fabric_link_type_t = zes_fabric_link_type_t
zet_fabric_port_config_t = zes_fabric_port_config_t
zet_temp_threshold_t = zes_temp_threshold_t
zet_psu_properties_t = zes_psu_properties_t
zet_psu_state_t = zes_psu_state_t
zet_led_properties_t = zes_led_properties_t
zet_ras_properties_t = zes_ras_properties_t
zet_diag_test_t = zes_diag_test_t


@dataclass
class zet_process_state_t:
    """`engines` has bit 1 << `zet_engine_type_t` for each type of engine."""

    processId: int
    memSize: int
    engines: int


@dataclass
class zet_pci_properties_t:
    address: zet_pci_address_t
    maxSpeed: zet_pci_speed_t


@dataclass
class zet_pci_state_t:
    status: zet_pci_link_status_t
    qualityIssues: zet_pci_link_qual_issues_t
    stabilityIssues: zet_pci_link_stab_issues_t
    speed: zet_pci_speed_t


@dataclass
class zet_pci_bar_properties_t:
    type: zet_pci_bar_type_t
    index: int
    base: int
    size: int


@dataclass
class zet_pci_stats_t:
    timestamp: int
    replayCounter: int
    packetCounter: int
    rxCounter: int
    txCounter: int
    maxBandwidth: int


@dataclass
class zet_power_properties_t:
    onSubdevice: bool
    subdeviceId: int
    canControl: bool
    isEnergyThresholdSupported: bool
    maxLimit: int


@dataclass
class zet_freq_properties_t:
    type: zet_freq_domain_t
    onSubdevice: bool
    subdeviceId: int
    canControl: bool
    isThrottleEventSupported: bool
    min: float
    max: float
    step: float


@dataclass
class zet_freq_state_t:
    request: float
    tdp: float
    efficient: float
    actual: float
    throttleReasons: zet_freq_throttle_reasons_t


@dataclass
class zet_oc_capabilities_t:
    isOcSupported: bool
    maxFactoryDefaultFrequency: float
    maxFactoryDefaultVoltage: float
    maxOcFrequency: float
    minOcVoltageOffset: float
    maxOcVoltageOffset: float
    maxOcVoltage: float
    isTjMaxSupported: bool
    isIccMaxSupported: bool
    isHighVoltModeCapable: bool
    isHighVoltModeEnabled: bool


@dataclass
class zet_oc_config_t:
    mode: int = 0
    frequency: float = 0.0
    voltageTarget: float = 0.0
    voltageOffset: float = 0.0


@dataclass
class zet_mem_properties_t:
    type: zet_mem_type_t
    onSubdevice: bool
    subdeviceId: int
    physicalSize: int


@dataclass
class zet_mem_state_t:
    health: zet_mem_health_t
    allocatedSize: int
    maxSize: int


@dataclass
class zet_fabric_port_uuid_t:
    id: bytes


@dataclass
class zet_fabric_port_speed_t:
    bitRate: int
    width: int
    maxBandwidth: int


@dataclass
class zet_fabric_port_properties_t:
    model: str
    onSubdevice: bool
    subdeviceId: int
    portUuid: zet_fabric_port_uuid_t
    maxRxSpeed: zet_fabric_port_speed_t
    maxTxSpeed: zet_fabric_port_speed_t


@dataclass
class zet_fabric_port_state_t:
    status: zet_fabric_port_status_t
    qualityIssues: zet_fabric_port_qual_issues_t
    stabilityIssues: zet_fabric_port_stab_issues_t
    rxSpeed: zet_fabric_port_speed_t
    txSpeed: zet_fabric_port_speed_t


@dataclass
class zet_fabric_port_throughput_t:
    timestamp: int
    rxCounter: int
    txCounter: int
    rxMaxBandwidth: int
    txMaxBandwidth: int


@dataclass
class zet_temp_properties_t:
    type: zet_temp_sensors_t
    onSubdevice: bool
    subdeviceId: int
    isCriticalTempSupported: bool
    isThreshold1Supported: bool
    isThreshold2Supported: bool


@dataclass
class zet_temp_config_t:
    enableCritical: bool = False
    threshold1: zes_temp_threshold_t = field(default_factory=zes_temp_threshold_t)
    threshold2: zes_temp_threshold_t = field(default_factory=zes_temp_threshold_t)
    processId: int = 0


@dataclass
class zet_fan_temp_speed_t:
    temperature: int = 0
    speed: int = 0
    units: int = 0


@dataclass
class zet_fan_properties_t:
    onSubdevice: bool
    subdeviceId: int
    canControl: bool
    maxSpeed: int
    maxPoints: int


@dataclass
class zet_fan_config_t:
    mode: int = zet_fan_speed_mode_t.ZET_FAN_SPEED_MODE_DEFAULT
    speed: int = 0
    speedUnits: int = zet_fan_speed_units_t.ZET_FAN_SPEED_UNITS_RPM
    table: tuple[zet_fan_temp_speed_t, ...] = ()

    @property
    def numPoints(self) -> int:
        return len(self.table)


@dataclass
class zet_led_state_t:
    isOn: bool = False
    red: int = 0
    green: int = 0
    blue: int = 0


@dataclass
class zet_ras_details_t:
    numResets: int = 0
    numProgrammingErrors: int = 0
    numDriverErrors: int = 0
    numComputeErrors: int = 0
    numNonComputeErrors: int = 0
    numCacheErrors: int = 0
    numDisplayErrors: int = 0


@dataclass
class zet_ras_config_t:
    totalThreshold: int = 0
    detailedThresholds: zet_ras_details_t = field(default_factory=zet_ras_details_t)
    processId: int = 0


@dataclass
class zet_event_config_t:
    registered: int = 0


@dataclass
class zet_diag_properties_t:
    type: zet_diag_type_t
    onSubdevice: bool
    subdeviceId: int
    name: str
    haveTests: bool
