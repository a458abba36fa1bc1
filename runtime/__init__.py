"""Run kernels on simulated Xe GPUs.

>>> from runtime import Device
>>> kernel = Device("pvc").load("gemm.zebin")["gemm"]
kernel[(32, 16)](a, b, c)

`run` runs whole MLIR programs, with their host code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xegpu.on_demand import public_names

if TYPE_CHECKING:
    from runtime.api import (
        Buffer,
        Device,
        DeviceImage,
        DeviceSampler,
        Event,
        Kernel,
        LaunchError,
        LaunchResult,
        MemoryKind,
        Module,
        PendingLaunch,
        Stream,
        devices,
    )
    from runtime.host import ArgumentError, ProgramError, run
    from runtime.simulator.profile import Profile, write_profile
    from runtime.ze import ZeError
    from xegpu import __version__

__all__ = [
    "ArgumentError",
    "Buffer",
    "Device",
    "DeviceImage",
    "DeviceSampler",
    "Event",
    "Kernel",
    "LaunchError",
    "LaunchResult",
    "MemoryKind",
    "Module",
    "PendingLaunch",
    "Profile",
    "ProgramError",
    "Stream",
    "ZeError",
    "__version__",
    "devices",
    "run",
    "write_profile",
]

__getattr__ = public_names(
    __name__,
    {
        ".api.arrays.buffer": "Buffer MemoryKind",
        ".api.arrays.image": "DeviceImage DeviceSampler",
        ".api.device": "Device devices",
        ".api.event": "Event",
        ".api.kernel": "Kernel LaunchError LaunchResult PendingLaunch",
        ".api.module": "Module",
        ".api.stream": "Stream",
        ".host": "ArgumentError ProgramError",
        ".host.running": "run",
        ".simulator.profile": "Profile",
        ".simulator.profile.output": "write_profile",
        ".ze": "ZeError",
        "xegpu": "__version__",
    },
)
