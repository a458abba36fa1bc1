"""Run kernels on simulated Xe GPUs.

>>> from runtime import Device
>>> kernel = Device("pvc").load("gemm.zebin")["gemm"]
kernel[(32, 16)](a, b, c)

`run` runs whole MLIR programs, with their host code.
"""

from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):
    from runtime.api import (
        Buffer as Buffer,
        Device as Device,
        DeviceImage as DeviceImage,
        DeviceSampler as DeviceSampler,
        Event as Event,
        Kernel as Kernel,
        LaunchError as LaunchError,
        LaunchResult as LaunchResult,
        MemoryKind as MemoryKind,
        MissingSizeError as MissingSizeError,
        Module as Module,
        PendingLaunch as PendingLaunch,
        Stream as Stream,
        devices as devices,
    )
    from runtime.host import ArgumentError as ArgumentError, ProgramError as ProgramError, run as run
    from runtime.simulator.profile import Profile as Profile, write_profile as write_profile
    from runtime.ze import ZeError as ZeError
    from xegpu import __version__ as __version__
