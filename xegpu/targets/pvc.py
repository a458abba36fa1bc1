"""Data Center GPU Max 1550, one stack (Xe-HPC, IP 12.60)."""

from __future__ import annotations

from xegpu.targets.power import ExecutionPower
from xegpu.targets.target import Fabric, Target
from xegpu.targets.timing import ExecutionTiming
from xegpu.targets.xe_hpc import XE_HPC

GIB = 1 << 30

PVC = Target(
    name="pvc",
    title="Intel(R) Data Center GPU Max 1550 (simulated)",
    platform=XE_HPC,
    chips=("pvc", "bmg"),
    ocloc_device="pvc",
    product_family=1271,
    product_config=0x030F0007,
    releases=((12, 60), (12, 61)),
    device_id=0x0BD5,
    slices=1,
    subslices_per_slice=64,
    eus_per_subslice=8,
    xe_cores=64,
    core_slm_bytes=128 << 10,
    core_clock_mhz=1600,
    memory_bytes=64 * GIB,
    max_allocation_bytes=(4 << 30) - (8 << 10),
    memory_clock_mhz=1600,
    memory_bus_bits=4096,
    l1_bytes=512 << 10,
    l2_bytes=204 << 20,
    tiles=2,
    pci_generation=5,
    pci_lanes=16,
    pci_bus=0x3A,
    timer_ns=80,
    timing=ExecutionTiming(
        alu_bytes=64,
        float64_bytes=128,
        int64_bytes=64,
        dpas_cycles_per_row=1,
        dpas_latency=(21, 28),
        memory_bandwidth=1_638_000_000_000,
    ),
    power=ExecutionPower(
        sustained_watts=300,
        least_watts=100,
        burst_watts=360,
        peak_watts=450,
        least_clock_mhz=600,
        efficient_clock_mhz=900,
        least_volts=0.65,
        most_volts=1.0,
        static_watts=60.0,
        cycle_picojoules={
            "integer": 30,
            "float": 50,
            "long": 60,
            "math": 40,
            "dpas": 120,
            "send": 30,
            "control": 5,
        },
        byte_picojoules=30,
        idle_celsius=34.0,
        critical_celsius=105.0,
        heat_joules=40.0,
        cooling_seconds=8.0,
    ),
    fabric=Fabric("Xe Link", ports=8, lanes=4, bits_per_second=53_125_000_000),
)
