"""Level Zero over the simulator, with the specification's names.

A function has the name that the specification gives it and works as the specification says; its docstring says what is
particular here. Shared conventions:

Args:
    Handles are objects; the null handle is `None`. Arrays come without their counts, strings as `str`, addresses as
    `int`, and descriptors as the structures of this module. `pNext` of a query takes the classes of the extension
    structures that are wanted; the answer's `pNext` has those that are known.

Returns:
    What C writes through pointers: one value, a tuple of several, or a list where C fills an array. Functions that only
    say whether something is done, or whether a device is lost, return `ze_result_t`.

Raises:
    ZeError: for every other result than success and those answers. `INVALID_NULL_HANDLE` (null), `INVALID_ARGUMENT` (a
        handle that is destroyed or of another kind, or a value of a wrong type) and `INVALID_NULL_POINTER` may come
        from any function; `docs/level-zero.md` lists the other results of each. Docstrings name results without
        `ZE_RESULT_` and `ERROR_`. Functions that are not supported raise `UNSUPPORTED_FEATURE`.

Enumerators are members of their types and names of this module as well: `ze.ZE_MODULE_FORMAT_NATIVE`. Every function
can be called from several threads at once, with the exceptions that the specification makes.
"""

# ruff: noqa: F403 - what the specification and the chapters declare

from __future__ import annotations

from enum import IntEnum, IntFlag

from runtime.ze import layers
from runtime.ze.api import *
from runtime.ze.driver.execution.command_list import CommandList
from runtime.ze.driver.execution.command_queue import CommandQueue
from runtime.ze.driver.execution.event import Event, EventPool
from runtime.ze.driver.execution.fence import Fence
from runtime.ze.driver.images.image import Image
from runtime.ze.driver.images.sampler import Sampler
from runtime.ze.driver.memory.reservation import PhysicalMemory
from runtime.ze.driver.modules.build import ModuleBuildError as ModuleBuildError, ModuleBuildLog
from runtime.ze.driver.modules.kernel import Kernel
from runtime.ze.driver.modules.module import Module
from runtime.ze.driver.system.context import Context
from runtime.ze.driver.system.device import Device
from runtime.ze.driver.system.driver import Driver, simulated_driver as simulated_driver
from runtime.ze.driver.system.machine import FOREVER as FOREVER
from runtime.ze.spec import *
from runtime.ze.spec.enumerators import enumerators
from runtime.ze.unsupported import refusing_functions

ze_command_list_handle_t = CommandList
ze_command_queue_handle_t = CommandQueue
ze_context_handle_t = Context
ze_device_handle_t = Device
ze_driver_handle_t = Driver
ze_event_handle_t = Event
ze_event_pool_handle_t = EventPool
ze_fence_handle_t = Fence
ze_image_handle_t = Image
ze_kernel_handle_t = Kernel
ze_module_handle_t = Module
ze_module_build_log_handle_t = ModuleBuildLog
ze_physical_mem_handle_t = PhysicalMemory
ze_sampler_handle_t = Sampler

# Type checkers take the names from the imports above; a literal list would repeat each of them.
_OTHERS = ("FOREVER", "ModuleBuildError", "ZeError", "simulated_driver")
globals()["__all__"] = [*_OTHERS, *sorted(name for name in globals() if name.startswith("ze"))]

globals().update(refusing_functions())

_ENUMERATORS = enumerators(globals())


def __getattr__(name: str) -> IntEnum | IntFlag:
    try:
        return _ENUMERATORS[name]
    except KeyError:
        raise AttributeError(f"module 'runtime.ze' has no attribute '{name}'") from None


layers.follow_environment()
