"""One of everything, and valid arguments for every function: where tests of single results start from."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np
import pytest

from runtime import ze
from runtime.ze.driver.handle import Handle
from runtime.ze.driver.system.driver import Driver
from tests.unit.runtime.ze import kernels
from tests.unit.runtime.ze.conftest import ASYNCHRONOUS, SYNCHRONOUS
from tests.unit.runtime.ze.kernels import ScriptedSimulator
from xegpu.isa import Variable
from xegpu.targets import ARC, PVC

PAGE = 4096
HOST, DEVICE = ze.ze_host_mem_alloc_desc_t(), ze.ze_device_mem_alloc_desc_t()
FORMAT = ze.ze_image_format_t(ze.ZE_IMAGE_FORMAT_LAYOUT_8, ze.ZE_IMAGE_FORMAT_TYPE_UINT)
IMAGE = ze.ze_image_desc_t(ze.ZE_IMAGE_TYPE_2D, FORMAT, 8, 8)
POOL_FLAGS = ze.ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ze.ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP
ONE_GROUP = ze.ze_group_count_t(1)

Arguments = dict[str, object]


class World:
    """Objects of all kinds, made when first asked for."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.patch = patch
        self.driver = Driver((PVC, ARC), ScriptedSimulator)
        self.device, self.arc = ze.zeDeviceGet(self.driver)
        self.context = ze.zeContextCreate(self.driver, ze.ze_context_desc_t())
        self.machine = self.driver.machine
        self._gates: list[ze.ze_event_handle_t] = []

    def new_context(self) -> ze.ze_context_handle_t:
        return ze.zeContextCreate(self.driver, ze.ze_context_desc_t())

    def foreign_context(self) -> ze.ze_context_handle_t:
        """A context of another driver."""
        return ze.zeContextCreate(Driver((PVC,), ScriptedSimulator), ze.ze_context_desc_t())

    def new_pool(self, flags: int = POOL_FLAGS, context: ze.ze_context_handle_t | None = None):
        return ze.zeEventPoolCreate(context or self.context, ze.ze_event_pool_desc_t(flags, 4))

    def new_event(self, *, signaled: bool = True, flags: int = POOL_FLAGS):
        event = ze.zeEventCreate(self.new_pool(flags), ze.ze_event_desc_t(0))
        if signaled:
            ze.zeEventHostSignal(event)
        return event

    def new_list(self, ordinal: int = 0, *, closed: bool = False, flags: int = 0):
        made = ze.zeCommandListCreate(self.context, self.device, ze.ze_command_list_desc_t(ordinal, flags))
        if closed:
            ze.zeCommandListClose(made)
        return made

    def new_memory(self, size: int = 4 * PAGE) -> int:
        return ze.zeMemAllocDevice(self.context, DEVICE, size, PAGE, self.device)

    def new_image(self):
        return ze.zeImageCreate(self.context, self.arc, IMAGE)

    def new_module(self, *variables: Variable):
        parts = (kernels.COPY, kernels.EMPTY, kernels.LOCAL, kernels.SIZED)
        data = kernels.binary(*parts, kernels.compiled("owner", variables=variables))
        return ze.zeModuleCreate(self.context, self.device, ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_NATIVE, data))[0]

    def blocked(self, queue: ze.ze_command_queue_handle_t, fence: object = None):
        """A list that is in flight on a queue until the end of the test, and the event that it waits for."""
        gate = self.new_event(signaled=False)
        self._gates.append(gate)
        waiting = self.new_list()
        ze.zeCommandListAppendWaitOnEvents(waiting, [gate])
        ze.zeCommandListClose(waiting)
        ze.zeCommandQueueExecuteCommandLists(queue, [waiting], fence)
        return waiting, gate

    def wait_for(self, event: ze.ze_event_handle_t) -> None:
        """Makes a command wait for an event until the end of the test."""
        self._gates.append(event)
        ze.zeCommandListAppendWaitOnEvents(self.asynchronous, [event])

    @cached_property
    def queue(self):
        return ze.zeCommandQueueCreate(self.context, self.device, ASYNCHRONOUS)

    @cached_property
    def immediate(self):
        return ze.zeCommandListCreateImmediate(self.context, self.device, SYNCHRONOUS)

    @cached_property
    def asynchronous(self):
        return ze.zeCommandListCreateImmediate(self.context, self.device, ASYNCHRONOUS)

    @cached_property
    def memory(self) -> int:
        return self.new_memory()

    @cached_property
    def pages(self) -> int:
        """A reservation of four pages, the first of which is mapped."""
        start = ze.zeVirtualMemReserve(self.context, None, 4 * PAGE)
        ze.zeVirtualMemMap(self.context, start, PAGE, self.physical, 0, ze.ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE)
        return start

    @cached_property
    def physical(self):
        return ze.zePhysicalMemCreate(self.context, self.device, ze.ze_physical_mem_desc_t(4 * PAGE))

    @cached_property
    def module(self):
        return self.new_module(Variable("variable", bytes(16), 16, is_constant=False))

    @cached_property
    def kernel(self):
        """The kernel `copy` with all arguments."""
        kernel = ze.zeKernelCreate(self.module, ze.ze_kernel_desc_t("copy"))
        for index, (size, value) in enumerate(((8, self.memory), (8, self.memory), (4, 1))):
            ze.zeKernelSetArgumentValue(kernel, index, size, value)
        return kernel

    @cached_property
    def opened(self) -> int:
        return ze.zeMemOpenIpcHandle(self.context, self.device, ze.zeMemGetIpcHandle(self.context, self.memory))

    @property
    def context_with_fence(self):
        return ze.zeFenceCreate(self.queue, ze.ze_fence_desc_t())

    def lose(self) -> None:
        """Lose both devices."""
        for device in (self.device, self.arc):
            device.processor.lose("lost by the test")

    def end(self) -> None:
        for gate in self._gates:
            if gate.alive:
                ze.zeEventHostSignal(gate)
        for device in (self.device, self.arc):
            for stream in tuple(device.processor.streams):
                stream.close()
        for child in tuple(self.context.children):
            if isinstance(child, ze.ze_event_pool_handle_t) and child.slots is not None:
                child.slots.close(keeps_pages=False)
        for reservation in tuple(self.context.reservations.values()):
            reservation.release()

    def arguments(self, name: str) -> Arguments:
        """Arguments with which a function succeeds."""
        function = getattr(ze, name)
        special = SPECIAL.get(name, {})
        wanted = [
            parameter.name
            for parameter in inspect.signature(function).parameters.values()
            if parameter.default is parameter.empty or parameter.name in special or parameter.name in ALWAYS
        ]
        return {parameter: (special.get(parameter) or VALUES[parameter])(self) for parameter in wanted}


Value = Callable[[World], object]
ALWAYS = ("timeout",)

VALUES: Mapping[str, Value] = {
    "hDriver": lambda w: w.driver,
    "name": lambda w: "zeDeviceGet",
    "hDevice": lambda w: w.device,
    "hPeerDevice": lambda w: w.arc,
    "hContext": lambda w: w.context,
    "hContextSrc": lambda w: w.context,
    "hCommandQueue": lambda w: w.queue,
    "hCmdQueue": lambda w: w.queue,
    "hCommandList": lambda w: w.new_list(),
    "hCommandListImmediate": lambda w: w.immediate,
    "hEvent": lambda w: w.new_event(),
    "hEventPool": lambda w: w.new_pool(),
    "hFence": lambda w: w.context_with_fence,
    "hImage": lambda w: w.new_image(),
    "hDstImage": lambda w: w.new_image(),
    "hSrcImage": lambda w: w.new_image(),
    "hSampler": lambda w: ze.zeSamplerCreate(w.context, w.arc, ze.ze_sampler_desc_t(0, 0)),
    "hModule": lambda w: w.module,
    "hModuleBuildLog": lambda w: ze.zeModuleDynamicLink([w.module]),
    "hKernel": lambda w: w.kernel,
    "hPhysicalMemory": lambda w: w.physical,
    "phCommandLists": lambda w: [w.new_list(closed=True)],
    "phEvents": lambda w: [w.new_event()],
    "phKernels": lambda w: [w.kernel],
    "phModules": lambda w: [w.module],
    "timeout": lambda w: 0,
    "commandId": lambda w: 1,
    "hSignalEvent": lambda w: w.new_event(),
    "phWaitEvents": lambda w: [w.new_event()],
    "ptr": lambda w: w.memory,
    "dstptr": lambda w: w.memory,
    "srcptr": lambda w: w.memory + PAGE,
    "size": lambda w: 64,
    "alignment": lambda w: 0,
    "pattern": lambda w: b"\1\2",
    "pattern_size": lambda w: 2,
    "pRanges": lambda w: [w.memory],
    "pRangeSizes": lambda w: [64],
    "dstRegion": lambda w: ze.ze_copy_region_t(0, 0, 0, 8, 2),
    "srcRegion": lambda w: ze.ze_copy_region_t(0, 0, 0, 8, 2),
    "dstPitch": lambda w: 16,
    "srcPitch": lambda w: 16,
    "dstSlicePitch": lambda w: 0,
    "srcSlicePitch": lambda w: 0,
    "srcRowPitch": lambda w: 0,
    "destRowPitch": lambda w: 0,
    "destSlicePitch": lambda w: 0,
    "pDstRegion": lambda w: None,
    "pSrcRegion": lambda w: None,
    "advice": lambda w: ze.ZE_MEMORY_ADVICE_SET_READ_MOSTLY,
    "access": lambda w: ze.ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE,
    "offset": lambda w: PAGE,
    "pStart": lambda w: None,
    "flags": lambda w: 1,
    "device_desc": lambda w: DEVICE,
    "host_desc": lambda w: HOST,
    "pMemFreeDesc": lambda w: ze.ze_memory_free_ext_desc_t(1),
    "handle": lambda w: ze.zeMemGetIpcHandle(w.context, w.memory),
    "imageWidth": lambda w: 7,
    "imageHeight": lambda w: 7,
    "elementSizeInBytes": lambda w: 4,
    "altdesc": lambda w: SYNCHRONOUS,
    "attr": lambda w: ze.ZE_KERNEL_ATTR_INDIRECT_HOST_ACCESS,
    "pValue": lambda w: True,
    "argIndex": lambda w: 2,
    "argSize": lambda w: 4,
    "pArgValue": lambda w: 3,
    "groupSizeX": lambda w: 8,
    "groupSizeY": lambda w: 2,
    "groupSizeZ": lambda w: 1,
    "globalSizeX": lambda w: 100,
    "globalSizeY": lambda w: 2,
    "globalSizeZ": lambda w: 1,
    "offsetX": lambda w: 1,
    "offsetY": lambda w: 2,
    "offsetZ": lambda w: 3,
    "pGlobalName": lambda w: "variable",
    "pFunctionName": lambda w: "copy",
    "pHint": lambda w: ze.ze_scheduling_hint_exp_desc_t(1),
    "pInspectDesc": lambda w: ze.ze_linkage_inspection_ext_desc_t(7),
    "pLaunchFuncArgs": lambda w: ONE_GROUP,
    "pGroupCounts": lambda w: ONE_GROUP,
    "groupCounts": lambda w: ONE_GROUP,
    "groupSizes": lambda w: ze.ze_group_size_t(1),
    "pArguments": lambda w: [w.memory, w.memory, 1],
    "pCountBuffer": lambda w: np.ones(1, np.uint32),
    "pLaunchArgumentsBuffer": lambda w: np.ones(3, np.uint32),
    "CacheConfig": lambda w: 1,
    "cacheLevel": lambda w: 3,
    "cacheReservationSize": lambda w: 4096,
    "cacheRegion": lambda w: 0,
    "regionSize": lambda w: 64,
}
"""The values that most functions take, by the name of the parameter."""


def _opened_pool(w: World) -> Handle:
    return ze.zeEventPoolOpenIpcHandle(w.context, _pool_handle(w))


def _pool_handle(w: World) -> bytes:
    return ze.zeEventPoolGetIpcHandle(w.new_pool(ze.ZE_EVENT_POOL_FLAG_IPC))


_NATIVE = ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_NATIVE, kernels.binary(kernels.EMPTY))
_MAPPED: Mapping[str, Value] = {"ptr": lambda w: w.pages, "size": lambda w: PAGE}

SPECIAL: Mapping[str, Mapping[str, Value]] = {
    "zeCommandListGetNextCommandIdExp": {"desc": lambda w: object()},
    "zeCommandListUpdateMutableCommandsExp": {"desc": lambda w: object()},
    "zeInit": {"flags": lambda w: 0},
    "zeInitDrivers": {"desc": lambda w: ze.ze_init_driver_type_desc_t(1)},
    "zeContextCreate": {"desc": lambda w: ze.ze_context_desc_t()},
    "zeContextCreateEx": {"desc": lambda w: ze.ze_context_desc_t()},
    "zeContextDestroy": {"hContext": World.new_context},
    "zeCommandQueueCreate": {"desc": lambda w: ASYNCHRONOUS},
    "zeCommandListCreate": {"desc": lambda w: ze.ze_command_list_desc_t()},
    "zeCommandListHostSynchronize": {"hCommandList": lambda w: w.asynchronous},
    "zeCommandListCreateCloneExp": {
        "hCommandList": lambda w: w.new_list(closed=True, flags=ze.ZE_COMMAND_LIST_FLAG_EXP_CLONEABLE)
    },
    "zeEventPoolCreate": {"desc": lambda w: ze.ze_event_pool_desc_t()},
    "zeEventPoolGetIpcHandle": {"hEventPool": lambda w: w.new_pool(ze.ZE_EVENT_POOL_FLAG_IPC)},
    "zeEventPoolPutIpcHandle": {"hIpc": _pool_handle},
    "zeEventPoolOpenIpcHandle": {"hIpc": _pool_handle},
    "zeEventPoolCloseIpcHandle": {"hEventPool": _opened_pool},
    "zeEventCreate": {"desc": lambda w: ze.ze_event_desc_t()},
    "zeEventCounterBasedCreate": {"desc": lambda w: ze.ze_event_counter_based_desc_t()},
    "zeFenceCreate": {"desc": lambda w: ze.ze_fence_desc_t()},
    "zeFenceHostSynchronize": {"hFence": lambda w: ze.zeFenceCreate(w.queue, ze.ze_fence_desc_t(1))},
    "zeFenceQueryStatus": {"hFence": lambda w: ze.zeFenceCreate(w.queue, ze.ze_fence_desc_t(1))},
    "zeImageGetProperties": {"hDevice": lambda w: w.arc, "desc": lambda w: IMAGE},
    "zeImageCreate": {"hDevice": lambda w: w.arc, "desc": lambda w: IMAGE},
    "zeImageViewCreateExt": {"hDevice": lambda w: w.arc, "desc": lambda w: IMAGE},
    "zeImageViewCreateExp": {"hDevice": lambda w: w.arc, "desc": lambda w: IMAGE},
    "zeSamplerCreate": {"hDevice": lambda w: w.arc, "desc": lambda w: ze.ze_sampler_desc_t(0, 0)},
    "zeMemCloseIpcHandle": {"ptr": lambda w: w.opened},
    "zeModuleCreate": {"desc": lambda w: _NATIVE},
    "zeModuleDestroy": {"hModule": lambda w: w.new_module()},
    "zeKernelCreate": {"desc": lambda w: ze.ze_kernel_desc_t("empty")},
    "zeVirtualMemReserve": {"size": lambda w: PAGE},
    "zeVirtualMemFree": {"ptr": lambda w: w.pages, "size": lambda w: 4 * PAGE},
    "zePhysicalMemCreate": {"desc": lambda w: ze.ze_physical_mem_desc_t(PAGE)},
    "zeVirtualMemMap": {"ptr": lambda w: w.pages + PAGE, "size": lambda w: PAGE},
    "zeVirtualMemUnmap": _MAPPED,
    "zeVirtualMemSetAccessAttribute": _MAPPED,
    "zeVirtualMemGetAccessAttribute": _MAPPED,
    "zeCommandListImmediateAppendCommandListsExp": {"hCommandListImmediate": lambda w: w.immediate},
}
"""The values that a function takes in place of those in `VALUES`."""
