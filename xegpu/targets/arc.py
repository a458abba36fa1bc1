"""Arc A770 (Xe-HPG, DG2-512, IP 12.55)."""

from __future__ import annotations

from xegpu.targets.power import ExecutionPower
from xegpu.targets.target import Target
from xegpu.targets.timing import ExecutionTiming
from xegpu.targets.xe_hpg import XE_HPG

GIB = 1 << 30

ARC = Target(
    name="arc",
    title="Intel(R) Arc(TM) A770 Graphics (simulated)",
    platform=XE_HPG,
    chips=("dg2",),
    ocloc_device="dg2",
    product_family=1270,
    product_config=0x030DC008,
    releases=((12, 55), (12, 56), (12, 57), (12, 70), (12, 71), (12, 74)),
    device_id=0x56A0,
    slices=8,
    subslices_per_slice=8,
    eus_per_subslice=8,
    xe_cores=32,
    core_slm_bytes=128 << 10,
    core_clock_mhz=2400,
    memory_bytes=16 * GIB,
    max_allocation_bytes=(4 << 30) - (8 << 10),
    memory_clock_mhz=2188,
    memory_bus_bits=256,
    l1_bytes=192 << 10,
    l2_bytes=16 << 20,
    tiles=1,
    pci_generation=4,
    pci_lanes=16,
    pci_bus=0x03,
    timer_ns=52,
    timing=ExecutionTiming(
        alu_bytes=32,
        float64_bytes=32,
        int64_bytes=32,
        dpas_cycles_per_row=2,
        dpas_latency=(21, 32),
        memory_bandwidth=560_000_000_000,
    ),
    power=ExecutionPower(
        sustained_watts=190,
        least_watts=95,
        burst_watts=228,
        peak_watts=285,
        least_clock_mhz=300,
        efficient_clock_mhz=900,
        least_volts=0.62,
        most_volts=1.05,
        static_watts=35.0,
        cycle_picojoules={
            "integer": 15,
            "float": 25,
            "long": 30,
            "math": 20,
            "dpas": 55,
            "send": 12,
            "control": 3,
        },
        byte_picojoules=45,
        idle_celsius=38.0,
        critical_celsius=100.0,
        heat_joules=25.0,
        cooling_seconds=10.0,
        fan_rpm=3000,
    ),
)
