"""Fabric ports."""

from __future__ import annotations

from enum import IntEnum, IntFlag

from runtime.ze.spec import Descriptor, ExtensibleProperties
from xegpu.on_demand import dataclass

ZES_MAX_FABRIC_PORT_MODEL_SIZE = 256
ZES_MAX_FABRIC_LINK_TYPE_SIZE = 256


class zes_fabric_port_status_t(IntEnum):
    ZES_FABRIC_PORT_STATUS_UNKNOWN = 0
    ZES_FABRIC_PORT_STATUS_HEALTHY = 1
    ZES_FABRIC_PORT_STATUS_DEGRADED = 2
    ZES_FABRIC_PORT_STATUS_FAILED = 3
    ZES_FABRIC_PORT_STATUS_DISABLED = 4


class zes_fabric_port_qual_issue_flags_t(IntFlag):
    ZES_FABRIC_PORT_QUAL_ISSUE_FLAG_LINK_ERRORS = 1
    ZES_FABRIC_PORT_QUAL_ISSUE_FLAG_SPEED = 2


class zes_fabric_port_failure_flags_t(IntFlag):
    ZES_FABRIC_PORT_FAILURE_FLAG_FAILED = 1
    ZES_FABRIC_PORT_FAILURE_FLAG_TRAINING_TIMEOUT = 2
    ZES_FABRIC_PORT_FAILURE_FLAG_FLAPPING = 4


@dataclass
class zes_fabric_port_id_t:
    fabricId: int
    attachId: int
    portNumber: int


@dataclass
class zes_fabric_port_speed_t:
    bitRate: int
    width: int


@dataclass
class zes_fabric_port_properties_t(ExtensibleProperties):
    model: str
    onSubdevice: bool
    subdeviceId: int
    portId: zes_fabric_port_id_t
    maxRxSpeed: zes_fabric_port_speed_t
    maxTxSpeed: zes_fabric_port_speed_t


@dataclass
class zes_fabric_link_type_t:
    desc: str


@dataclass
class zes_fabric_port_config_t(Descriptor):
    enabled: bool = False
    beaconing: bool = False


@dataclass
class zes_fabric_port_state_t(ExtensibleProperties):
    status: zes_fabric_port_status_t
    qualityIssues: zes_fabric_port_qual_issue_flags_t
    failureReasons: zes_fabric_port_failure_flags_t
    remotePortId: zes_fabric_port_id_t
    rxSpeed: zes_fabric_port_speed_t
    txSpeed: zes_fabric_port_speed_t


@dataclass
class zes_fabric_port_throughput_t:
    timestamp: int
    rxCounter: int
    txCounter: int


@dataclass
class zes_fabric_port_error_counters_t(ExtensibleProperties):
    linkFailureCount: int
    fwCommErrorCount: int
    fwErrorCount: int
    linkDegradeCount: int
