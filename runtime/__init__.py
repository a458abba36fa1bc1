"""Run kernels on simulated Xe GPUs.

>>> from runtime import Device
>>> kernel = Device("pvc").load("gemm.zebin")["gemm"]
kernel[(32, 16)](a, b, c)

`run` runs whole MLIR programs, with their host code.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

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

_HOMES = {
    "ArgumentError": "runtime.host",
    "Buffer": "runtime.api.arrays.buffer",
    "Device": "runtime.api.device",
    "DeviceImage": "runtime.api.arrays.image",
    "DeviceSampler": "runtime.api.arrays.image",
    "Event": "runtime.api.event",
    "Kernel": "runtime.api.kernel",
    "LaunchError": "runtime.api.kernel",
    "LaunchResult": "runtime.api.kernel",
    "MemoryKind": "runtime.api.arrays.buffer",
    "Module": "runtime.api.module",
    "PendingLaunch": "runtime.api.kernel",
    "ProgramError": "runtime.host",
    "Profile": "runtime.simulator.profile",
    "Stream": "runtime.api.stream",
    "ZeError": "runtime.ze",
    "__version__": "xegpu",
    "devices": "runtime.api.device",
    "run": "runtime.host.running",
    "write_profile": "runtime.simulator.profile.output",
}
"""Where the public names are. They are imported when first used, so that each layer can be used without those above."""


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'runtime' has no attribute '{name}'")
    value: object = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value
