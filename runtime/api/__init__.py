"""The Python API that `runtime` exports: devices, buffers, kernels, streams and events."""

from runtime.api.argument_types import DTYPES as DTYPES, MemRefType as MemRefType
from runtime.api.arrays.array_view import view_array as view_array
from runtime.api.arrays.buffer import Buffer as Buffer, MemoryKind as MemoryKind
from runtime.api.arrays.image import (
    TEXEL_FORMATS as TEXEL_FORMATS,
    DeviceImage as DeviceImage,
    DeviceSampler as DeviceSampler,
    TexelFormat as TexelFormat,
)
from runtime.api.comparison import Tolerance as Tolerance, differences as differences
from runtime.api.device import Device as Device, devices as devices
from runtime.api.event import Event as Event
from runtime.api.kernel import (
    ConfiguredKernel as ConfiguredKernel,
    Kernel as Kernel,
    LaunchResult as LaunchResult,
    PendingLaunch as PendingLaunch,
)
from runtime.api.launch_sizes import LaunchError as LaunchError, MissingSizeError as MissingSizeError
from runtime.api.module import Module as Module
from runtime.api.stream import Stream as Stream
