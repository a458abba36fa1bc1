"""Devices: properties, state, processes and PCI."""

from __future__ import annotations

from enum import IntEnum, IntFlag

from runtime.ze.spec import Descriptor, ExtensibleProperties, ze_device_properties_t
from xegpu.on_demand import dataclass

ZES_STRING_PROPERTY_SIZE = 64
ZES_MAX_UUID_SIZE = 16
ZES_MAX_EXTENSION_NAME = 256


class zes_engine_type_flags_t(IntFlag):
    ZES_ENGINE_TYPE_FLAG_OTHER = 1
    ZES_ENGINE_TYPE_FLAG_COMPUTE = 2
    ZES_ENGINE_TYPE_FLAG_3D = 4
    ZES_ENGINE_TYPE_FLAG_MEDIA = 8
    ZES_ENGINE_TYPE_FLAG_DMA = 16
    ZES_ENGINE_TYPE_FLAG_RENDER = 32


class zes_repair_status_t(IntEnum):
    ZES_REPAIR_STATUS_UNSUPPORTED = 0
    ZES_REPAIR_STATUS_NOT_PERFORMED = 1
    ZES_REPAIR_STATUS_PERFORMED = 2


class zes_reset_reason_flags_t(IntFlag):
    ZES_RESET_REASON_FLAG_WEDGED = 1
    ZES_RESET_REASON_FLAG_REPAIR = 2


class zes_pci_link_status_t(IntEnum):
    ZES_PCI_LINK_STATUS_UNKNOWN = 0
    ZES_PCI_LINK_STATUS_GOOD = 1
    ZES_PCI_LINK_STATUS_QUALITY_ISSUES = 2
    ZES_PCI_LINK_STATUS_STABILITY_ISSUES = 3


class zes_pci_link_qual_issue_flags_t(IntFlag):
    ZES_PCI_LINK_QUAL_ISSUE_FLAG_REPLAYS = 1
    ZES_PCI_LINK_QUAL_ISSUE_FLAG_SPEED = 2


class zes_pci_link_stab_issue_flags_t(IntFlag):
    ZES_PCI_LINK_STAB_ISSUE_FLAG_RETRAINING = 1


class zes_pci_bar_type_t(IntEnum):
    ZES_PCI_BAR_TYPE_MMIO = 0
    ZES_PCI_BAR_TYPE_ROM = 1
    ZES_PCI_BAR_TYPE_MEM = 2


class zes_device_type_t(IntEnum):
    ZES_DEVICE_TYPE_GPU = 1
    ZES_DEVICE_TYPE_CPU = 2
    ZES_DEVICE_TYPE_FPGA = 3
    ZES_DEVICE_TYPE_MCA = 4
    ZES_DEVICE_TYPE_VPU = 5


class zes_device_property_flags_t(IntFlag):
    ZES_DEVICE_PROPERTY_FLAG_INTEGRATED = 1
    ZES_DEVICE_PROPERTY_FLAG_SUBDEVICE = 2
    ZES_DEVICE_PROPERTY_FLAG_ECC = 4
    ZES_DEVICE_PROPERTY_FLAG_ONDEMANDPAGING = 8


class zes_reset_type_t(IntEnum):
    ZES_RESET_TYPE_WARM = 0
    ZES_RESET_TYPE_COLD = 1
    ZES_RESET_TYPE_FLR = 2


@dataclass
class zes_device_state_t(ExtensibleProperties):
    reset: zes_reset_reason_flags_t
    repaired: zes_repair_status_t


@dataclass
class zes_device_properties_t(ExtensibleProperties):
    core: ze_device_properties_t
    numSubdevices: int
    serialNumber: str
    boardNumber: str
    brandName: str
    modelName: str
    vendorName: str
    driverVersion: str


@dataclass
class zes_process_state_t(ExtensibleProperties):
    processId: int
    memSize: int
    sharedSize: int
    engines: zes_engine_type_flags_t


@dataclass
class zes_pci_address_t:
    domain: int
    bus: int
    device: int
    function: int


@dataclass
class zes_pci_speed_t:
    gen: int
    width: int
    maxBandwidth: int


@dataclass
class zes_pci_properties_t(ExtensibleProperties):
    address: zes_pci_address_t
    maxSpeed: zes_pci_speed_t
    haveBandwidthCounters: bool
    havePacketCounters: bool
    haveReplayCounters: bool


@dataclass
class zes_pci_state_t(ExtensibleProperties):
    status: zes_pci_link_status_t
    qualityIssues: zes_pci_link_qual_issue_flags_t
    stabilityIssues: zes_pci_link_stab_issue_flags_t
    speed: zes_pci_speed_t


@dataclass
class zes_pci_bar_properties_t(ExtensibleProperties):
    type: zes_pci_bar_type_t
    index: int
    base: int
    size: int


@dataclass
class zes_pci_bar_properties_1_2_t(ExtensibleProperties):
    type: zes_pci_bar_type_t
    index: int
    base: int
    size: int
    resizableBarSupported: bool
    resizableBarEnabled: bool


@dataclass
class zes_pci_stats_t:
    timestamp: int
    replayCounter: int
    packetCounter: int
    rxCounter: int
    txCounter: int
    speed: zes_pci_speed_t


@dataclass
class zes_uuid_t:
    id: bytes


@dataclass
class zes_device_ext_properties_t(ExtensibleProperties):
    uuid: zes_uuid_t
    type: zes_device_type_t
    flags: zes_device_property_flags_t


@dataclass
class zes_reset_properties_t(Descriptor):
    force: bool = False
    resetType: int = 0


@dataclass
class zes_subdevice_exp_properties_t(ExtensibleProperties):
    subdeviceId: int
    uuid: zes_uuid_t


@dataclass
class zes_pci_link_speed_downgrade_ext_state_t(ExtensibleProperties):
    pciLinkSpeedDowngradeStatus: bool


@dataclass
class zes_pci_link_speed_downgrade_ext_properties_t(ExtensibleProperties):
    pciLinkSpeedUpdateCapable: bool
    maxPciGenSupported: int


@dataclass
class zes_driver_extension_properties_t:
    name: str
    version: int
