"""The Python API that `runtime` exports: devices, buffers, kernels, streams and events."""

from __future__ import annotations

from runtime.api.argument_types import DTYPES, MemRefType
from runtime.api.arrays.array_view import view_array
from runtime.api.arrays.buffer import Buffer, MemoryKind
from runtime.api.arrays.image import TEXEL_FORMATS, DeviceImage, DeviceSampler, TexelFormat
from runtime.api.comparison import Tolerance, differences
from runtime.api.device import Device, devices
from runtime.api.event import Event
from runtime.api.kernel import ConfiguredKernel, Kernel, LaunchError, LaunchResult, PendingLaunch
from runtime.api.module import Module
from runtime.api.stream import Stream

__all__ = [
    "DTYPES",
    "TEXEL_FORMATS",
    "Buffer",
    "ConfiguredKernel",
    "Device",
    "DeviceImage",
    "DeviceSampler",
    "Event",
    "Kernel",
    "LaunchError",
    "LaunchResult",
    "MemRefType",
    "MemoryKind",
    "Module",
    "PendingLaunch",
    "Stream",
    "TexelFormat",
    "Tolerance",
    "devices",
    "differences",
    "view_array",
]
