"""Members of properties that specification 0.91 has and 1.x has not: most are what 1.x has as a flag."""

from __future__ import annotations

from runtime.ze.spec import enums
from runtime.ze.spec.seed import SEED_VERSION, ze_fp_capabilities_t

_Device = enums.ze_device_property_flags_t
_Module = enums.ze_device_module_flags_t


class OlderProperties:
    """Properties of both specifications, of which 0.91 has the caller say the version."""

    version = SEED_VERSION


class OlderIpcProperties(OlderProperties):
    """Properties of a driver that say what processes can share."""

    flags: enums.ze_ipc_property_flags_t

    @property
    def memsSupported(self) -> bool:
        return bool(self.flags & enums.ze_ipc_property_flags_t.ZE_IPC_PROPERTY_FLAG_MEMORY)

    @property
    def eventsSupported(self) -> bool:
        return bool(self.flags & enums.ze_ipc_property_flags_t.ZE_IPC_PROPERTY_FLAG_EVENT_POOL)


class OlderDeviceProperties(OlderProperties):
    """Flags of devices."""

    flags: enums.ze_device_property_flags_t
    maxHardwareContexts: int

    @property
    def isSubdevice(self) -> bool:
        return bool(self.flags & _Device.ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE)

    @property
    def unifiedMemorySupported(self) -> bool:
        return bool(self.flags & _Device.ZE_DEVICE_PROPERTY_FLAG_INTEGRATED)

    @property
    def eccMemorySupported(self) -> bool:
        return bool(self.flags & _Device.ZE_DEVICE_PROPERTY_FLAG_ECC)

    @property
    def onDemandPageFaultsSupported(self) -> bool:
        return bool(self.flags & _Device.ZE_DEVICE_PROPERTY_FLAG_ONDEMANDPAGING)

    @property
    def maxCommandQueues(self) -> int:
        return self.maxHardwareContexts


class OlderModuleProperties(OlderProperties):
    """Features that modules may use."""

    flags: enums.ze_device_module_flags_t
    fp16flags: enums.ze_device_fp_flags_t
    fp32flags: enums.ze_device_fp_flags_t
    fp64flags: enums.ze_device_fp_flags_t

    @property
    def fp16Supported(self) -> bool:
        return bool(self.flags & _Module.ZE_DEVICE_MODULE_FLAG_FP16)

    @property
    def fp64Supported(self) -> bool:
        return bool(self.flags & _Module.ZE_DEVICE_MODULE_FLAG_FP64)

    @property
    def int64AtomicsSupported(self) -> bool:
        return bool(self.flags & _Module.ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS)

    @property
    def dp4aSupported(self) -> bool:
        return bool(self.flags & _Module.ZE_DEVICE_MODULE_FLAG_DP4A)

    @property
    def halfFpCapabilities(self) -> ze_fp_capabilities_t:
        return ze_fp_capabilities_t(self.fp16flags)

    @property
    def singleFpCapabilities(self) -> ze_fp_capabilities_t:
        return ze_fp_capabilities_t(self.fp32flags)

    @property
    def doubleFpCapabilities(self) -> ze_fp_capabilities_t:
        return ze_fp_capabilities_t(self.fp64flags)


class OlderImageLimits(OlderProperties):
    """Limits of images."""

    maxImageDims2D: int

    @property
    def supported(self) -> bool:
        return self.maxImageDims2D > 0


class OlderPeerProperties(OlderProperties):
    """Properties of two devices that say what one can do with the memory of the other."""

    flags: enums.ze_device_p2p_property_flags_t

    @property
    def accessSupported(self) -> bool:
        return bool(self.flags & enums.ze_device_p2p_property_flags_t.ZE_DEVICE_P2P_PROPERTY_FLAG_ACCESS)

    @property
    def atomicsSupported(self) -> bool:
        return bool(self.flags & enums.ze_device_p2p_property_flags_t.ZE_DEVICE_P2P_PROPERTY_FLAG_ATOMICS)
