"""Structures that extend properties: functions with a parameter `pNext` add them to their answers.

This is data of the specification. A caller names the classes that it wants, as in C it chains empty structures. A
function leaves out those that it does not know.
"""

from __future__ import annotations

from runtime.ze.spec import enums
from xegpu.records import dataclass


@dataclass(frozen=True)
class ze_eu_count_ext_t:
    numTotalEUs: int


@dataclass(frozen=True)
class ze_device_ip_version_ext_t:
    ipVersion: int


@dataclass(frozen=True)
class ze_float_atomic_ext_properties_t:
    """The atomic operations of each float type."""

    fp16Flags: enums.ze_device_fp_atomic_ext_flags_t
    fp32Flags: enums.ze_device_fp_atomic_ext_flags_t
    fp64Flags: enums.ze_device_fp_atomic_ext_flags_t


@dataclass(frozen=True)
class ze_scheduling_hint_exp_properties_t:
    schedulingHintFlags: enums.ze_scheduling_hint_exp_flags_t


@dataclass(frozen=True)
class ze_device_memory_ext_properties_t:
    """`physicalSize` in bytes, bandwidths in `bandwidthUnit`."""

    type: enums.ze_device_memory_ext_type_t
    physicalSize: int
    readBandwidth: int
    writeBandwidth: int
    bandwidthUnit: enums.ze_bandwidth_unit_t


@dataclass(frozen=True)
class ze_device_p2p_bandwidth_exp_properties_t:
    """Bandwidths and latencies in the units named; a latency that is not known is 0, its unit unknown."""

    logicalBandwidth: int
    physicalBandwidth: int
    bandwidthUnit: enums.ze_bandwidth_unit_t
    logicalLatency: int
    physicalLatency: int
    latencyUnit: enums.ze_latency_unit_t


@dataclass(frozen=True)
class ze_driver_memory_free_ext_properties_t:
    freePolicies: enums.ze_driver_memory_free_policy_ext_flags_t


@dataclass(frozen=True)
class ze_kernel_preferred_group_size_properties_t:
    """The number of which group sizes should be multiples."""

    preferredMultiple: int


@dataclass(frozen=True)
class ze_kernel_max_group_size_properties_ext_t:
    """The largest total group size that the kernel can be launched with."""

    maxGroupSize: int
