"""Every result that the function table lists is produced: by a call with valid arguments but for one thing."""

import inspect
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

import zebin
from runtime import ze
from runtime.ze import layers
from runtime.ze.declaration import Function, callables, functions
from runtime.ze.layers import Layers
from runtime.ze.layers.validation import ValidationCheck
from tests.unit.runtime.ze import kernels, spirv_programs
from tests.unit.runtime.ze.expect import fails
from tests.unit.runtime.ze.provocations import (
    Arguments,
    Change,
    Changes,
    null_handle,
    outcome,
    sets,
    short,
    stale_handle,
)
from tests.unit.runtime.ze.test_module_linking import module_binary
from tests.unit.runtime.ze.test_own_samplers import shifting
from tests.unit.runtime.ze.world import FORMAT, IMAGE, PAGE, World
from xegpu.isa import ImplicitArgument, Variable
from xegpu.targets import ARC, PVC

FUNCTIONS, CALLABLES = functions(), callables()

CHANGES: Changes[World] = Changes()
provokes = CHANGES.provokes


# --- alike for many functions


def lost_device(world: World, arguments: Arguments) -> None:
    world.lose()


def foreign_event(world: World, arguments: Arguments, name: str) -> None:
    pool = world.new_pool(context=world.foreign_context())
    event = ze.zeEventCreate(pool, ze.ze_event_desc_t())
    signals = {"hSignalEvent", "hEvent"} & set(CALLABLE_PARAMETERS[name])
    if "phEvents" in arguments:
        arguments["phEvents"] = [event]
    else:
        arguments[signals.pop()] = event


def _untimed(world: World) -> ze.ze_event_handle_t:
    return world.new_event(flags=ze.ZE_EVENT_POOL_FLAG_HOST_VISIBLE)


def unknown_flags(world: World, arguments: Arguments) -> None:
    name = next(name for name in ("desc", "altdesc", "device_desc", "host_desc") if name in arguments)
    arguments[name] = replace(arguments[name], flags=1 << 20)


CALLABLE_PARAMETERS = {
    name: tuple(inspect.signature(function.implementation).parameters) for name, function in FUNCTIONS.items()
}


def change_for(name: str, result: str) -> Change[World] | None:
    """Returns the change that provokes a result of a function; None if nobody knows one."""
    if (name, result) in CHANGES:
        return CHANGES[name, result]
    if result == "INVALID_SYNCHRONIZATION_OBJECT":
        return lambda world, arguments: foreign_event(world, arguments, name)
    alike = {
        "INVALID_NULL_HANDLE": null_handle,
        "INVALID_ARGUMENT": stale_handle,
        "DEVICE_LOST": lost_device,
    }
    has_flags = {"desc", "altdesc", "device_desc", "host_desc"} & set(CALLABLE_PARAMETERS[name])
    return alike.get(result) or (unknown_flags if result == "INVALID_ENUMERATION" and has_flags else None)


# --- special

provokes("INVALID_ENUMERATION", "zeInit")(sets(flags=8))
provokes("UNINITIALIZED", "zeInit")(sets(flags=2))
provokes("INVALID_ENUMERATION", "zeInitDrivers")(sets(desc=ze.ze_init_driver_type_desc_t(1 | 1 << 20)))
provokes("INVALID_ARGUMENT", "zeInitDrivers")(sets(desc=ze.ze_init_driver_type_desc_t(0)))
provokes("UNINITIALIZED", "zeInitDrivers")(sets(desc=ze.ze_init_driver_type_desc_t(2)))


@provokes("UNINITIALIZED", "zeDriverGet")
def _(world: World, arguments: Arguments) -> None:
    world.patch.setattr("runtime.ze.driver.system.process._drivers", [])


provokes("DEVICE_IS_NOT_VERTEX", "zeDeviceGetFabricVertexExp")(sets())
provokes("UNSUPPORTED_FEATURE", "zeDeviceReserveCacheExt", "zeDeviceSetCacheAdviceExt")(sets())
provokes("UNSUPPORTED_FEATURE", "zeDeviceSetLastLevelCacheConfig")(sets())
provokes("INVALID_ENUMERATION", "zeDeviceSetLastLevelCacheConfig")(sets(CacheConfig=3))
provokes("INVALID_ENUMERATION", "zeDeviceSetCacheAdviceExt")(sets(cacheRegion=3))

provokes("HANDLE_OBJECT_IN_USE", "zeContextDestroy")(sets(hContext=lambda w: w.context if w.queue else None))


@provokes("HANDLE_OBJECT_IN_USE", "zeCommandQueueDestroy")
def _(world: World, arguments: Arguments) -> None:
    ze.zeFenceCreate(world.queue, ze.ze_fence_desc_t())


def _in_flight(world: World) -> ze.ze_command_list_handle_t:
    return world.blocked(world.queue)[0]


def _submitted_fence(world: World) -> ze.ze_fence_handle_t:
    fence = ze.zeFenceCreate(world.queue, ze.ze_fence_desc_t())
    world.blocked(world.queue, fence)
    return fence


_EXECUTIONS = ("zeCommandQueueExecuteCommandLists", "zeCommandListImmediateAppendCommandListsExp")


@provokes("HANDLE_OBJECT_IN_USE", *_EXECUTIONS)
def _(world: World, arguments: Arguments) -> None:
    arguments["phCommandLists"] = [_in_flight(world)]
    if "hCommandListImmediate" in arguments:
        arguments["hCommandListImmediate"] = world.asynchronous


provokes("INVALID_SIZE", *_EXECUTIONS)(sets(phCommandLists=[]))
provokes("INVALID_COMMAND_LIST_TYPE", *_EXECUTIONS)(sets(phCommandLists=lambda w: [w.new_list(1, closed=True)]))
provokes("INVALID_SYNCHRONIZATION_OBJECT", "zeCommandQueueExecuteCommandLists")(
    sets(hFence=lambda w: ze.zeFenceCreate(w.queue, ze.ze_fence_desc_t(1)))
)
provokes("NOT_READY", "zeCommandQueueSynchronize")(sets(hCommandQueue=lambda w: _in_flight(w) and w.queue))
provokes("HANDLE_OBJECT_IN_USE", "zeCommandListDestroy", "zeCommandListReset")(sets(hCommandList=_in_flight))


@provokes("NOT_READY", "zeCommandListHostSynchronize")
def _(world: World, arguments: Arguments) -> None:
    _, gate = world.blocked(world.queue)
    ze.zeCommandListAppendWaitOnEvents(world.asynchronous, [gate])


_MUTABLE = tuple(name for name in FUNCTIONS if "Mutable" in name or "NextCommandId" in name)
provokes("UNSUPPORTED_FEATURE", *_MUTABLE)(sets())
provokes("INVALID_ARGUMENT", "zeCommandListCreateCloneExp")(sets(hCommandList=lambda w: w.new_list(closed=True)))

provokes("INVALID_SIZE", "zeCommandListAppendMemoryRangesBarrier")(sets(pRangeSizes=[1, 2]))
provokes("INVALID_SIZE", "zeCommandListAppendMemoryCopy", "zeCommandListAppendMemoryCopyFromContext")(sets(size=-1))
provokes("INVALID_SIZE", "zeCommandListAppendMemoryFill")(sets(pattern_size=3))
provokes("INVALID_SIZE", "zeCommandListAppendMemoryCopyRegion")(sets(srcPitch=7))
provokes("OVERLAPPING_REGIONS", "zeCommandListAppendMemoryCopyRegion")(sets(srcptr=lambda w: w.memory + 4))
provokes("INVALID_ENUMERATION", "zeCommandListAppendMemAdvise")(sets(advice=10))


@provokes("OVERLAPPING_REGIONS", "zeCommandListAppendImageCopy", "zeCommandListAppendImageCopyRegion")
def _(world: World, arguments: Arguments) -> None:
    arguments["hSrcImage"] = arguments["hDstImage"]


@provokes("DEVICE_LOST", "zeEventPoolCreate")
def _(world: World, arguments: Arguments) -> None:
    arguments["phDevices"] = [world.device]
    world.lose()


provokes("INVALID_SIZE", "zeEventPoolCreate")(sets(desc=ze.ze_event_pool_desc_t(count=0)))
provokes("UNSUPPORTED_FEATURE", "zeEventPoolCreate")(
    sets(desc=ze.ze_event_pool_desc_t(ze.ZE_EVENT_POOL_FLAG_IPC, pNext=ze.ze_event_pool_counter_based_exp_desc_t()))
)
provokes("HANDLE_OBJECT_IN_USE", "zeEventPoolDestroy")(sets(hEventPool=lambda w: w.new_event().pool))
provokes("UNSUPPORTED_FEATURE", "zeEventPoolGetIpcHandle")(sets(hEventPool=lambda w: w.new_pool()))


@provokes("HANDLE_OBJECT_IN_USE", "zeEventPoolCloseIpcHandle")
def _(world: World, arguments: Arguments) -> None:
    event = ze.zeEventCreate(arguments["hEventPool"], ze.ze_event_desc_t())
    world.wait_for(event)


provokes("INVALID_ENUMERATION", "zeCommandQueueCreate")(sets(desc=ze.ze_command_queue_desc_t(mode=9)))
provokes("INVALID_ENUMERATION", "zeCommandListCreateImmediate")(sets(altdesc=ze.ze_command_queue_desc_t(mode=9)))


provokes("INVALID_ENUMERATION", "zeEventCreate")(sets(desc=ze.ze_event_desc_t(signal=8)))
provokes("HANDLE_OBJECT_IN_USE", "zeEventDestroy")(sets(hEvent=lambda w: w.blocked(w.queue)[1]))
provokes("INVALID_SIZE", "zeCommandListAppendWaitOnEvents")(sets(phEvents=[]))


_TIMES = ("zeEventQueryKernelTimestamp", "zeEventQueryTimestampsExp", "zeEventQueryKernelTimestampsExt")
provokes("INVALID_SYNCHRONIZATION_OBJECT", *_TIMES)(sets(hEvent=_untimed))


def _counting(world: World) -> ze.ze_event_handle_t:
    return ze.zeEventCounterBasedCreate(world.context, world.device, ze.ze_event_counter_based_desc_t())


provokes("UNSUPPORTED_FEATURE", "zeEventHostSignal", "zeEventHostReset", "zeCommandListAppendEventReset")(
    sets(hEvent=_counting)
)
provokes(
    "NOT_READY",
    "zeEventHostSynchronize",
    "zeEventQueryStatus",
    "zeEventQueryKernelTimestamp",
    "zeEventQueryTimestampsExp",
    "zeEventQueryKernelTimestampsExt",
)(sets(hEvent=lambda w: w.new_event(signaled=False)))


@provokes("DEVICE_LOST", "zeEventHostSynchronize", "zeEventQueryStatus")
def _(world: World, arguments: Arguments) -> None:
    arguments["hEvent"] = world.new_event(signaled=False)
    world.lose()


@provokes("INVALID_SIZE", "zeCommandListAppendQueryKernelTimestamps")
def _(world: World, arguments: Arguments) -> None:
    arguments["pOffsets"] = [0, 32]


provokes("HANDLE_OBJECT_IN_USE", "zeFenceDestroy", "zeFenceReset")(sets(hFence=_submitted_fence))
provokes("NOT_READY", "zeFenceHostSynchronize", "zeFenceQueryStatus")(sets(hFence=lambda w: w.context_with_fence))

_VIEWS = ("zeImageViewCreateExt", "zeImageViewCreateExp")
_IMAGES = ("zeImageGetProperties", "zeImageCreate", *_VIEWS)


@provokes("OUT_OF_DEVICE_MEMORY", *_VIEWS, "zeSamplerCreate")
def _(world: World, arguments: Arguments) -> None:
    world.patch.setattr(world.machine.memory, "_limit", 0)


provokes("UNSUPPORTED_FEATURE", *_IMAGES, "zeSamplerCreate")(sets(hDevice=lambda w: w.device))
provokes("INVALID_ENUMERATION", *_IMAGES)(sets(desc=replace(IMAGE, type=9)))
provokes("UNSUPPORTED_SIZE", *_IMAGES)(sets(desc=replace(IMAGE, width=1 << 20)))
provokes("UNSUPPORTED_IMAGE_FORMAT", *_IMAGES)(
    sets(desc=replace(IMAGE, format=replace(FORMAT, type=ze.ZE_IMAGE_FORMAT_TYPE_FLOAT)))
)


@provokes("OUT_OF_DEVICE_MEMORY", "zeImageCreate", "zeMemAllocDevice", "zePhysicalMemCreate")
def _(world: World, arguments: Arguments) -> None:
    for device in (world.device, world.arc):
        device.local_bytes = device.memory_bytes


provokes("INVALID_ENUMERATION", "zeSamplerCreate")(sets(desc=ze.ze_sampler_desc_t(5, 0)))


@provokes("OUT_OF_HOST_MEMORY", "zeMemAllocShared", "zeMemAllocHost")
def _(world: World, arguments: Arguments) -> None:
    world.patch.setattr(world.machine.memory, "_limit", 0)


_ALLOCATIONS = ("zeMemAllocShared", "zeMemAllocDevice", "zeMemAllocHost")
provokes("UNSUPPORTED_SIZE", *_ALLOCATIONS)(sets(size=0))
provokes("UNSUPPORTED_ALIGNMENT", *_ALLOCATIONS)(sets(alignment=3))
_EXPORTED = ze.ze_external_memory_export_desc_t(ze.ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF)
provokes("UNSUPPORTED_ENUMERATION", "zeMemAllocShared", "zeMemAllocDevice")(
    sets(device_desc=ze.ze_device_mem_alloc_desc_t(pNext=_EXPORTED))
)
provokes("UNSUPPORTED_ENUMERATION", "zeMemAllocHost")(sets(host_desc=ze.ze_host_mem_alloc_desc_t(pNext=_EXPORTED)))
_IMPORTED = ze.ze_external_memory_import_fd_t(fd=0)
provokes("UNSUPPORTED_FEATURE", "zeMemAllocShared", "zeMemAllocDevice")(
    sets(device_desc=ze.ze_device_mem_alloc_desc_t(pNext=_IMPORTED))
)
provokes("UNSUPPORTED_FEATURE", "zeMemAllocHost")(sets(host_desc=ze.ze_host_mem_alloc_desc_t(pNext=_IMPORTED)))


@provokes("DEVICE_LOST", "zeMemAllocShared")
def _(world: World, arguments: Arguments) -> None:
    arguments["hDevice"] = world.device
    world.lose()


@provokes("OUT_OF_DEVICE_MEMORY", "zeMemAllocShared")
def _(world: World, arguments: Arguments) -> None:
    world.driver.shared_on_device = True
    world.device.local_bytes = world.device.memory_bytes


provokes("INVALID_ENUMERATION", "zeMemFreeExt")(sets(pMemFreeDesc=ze.ze_memory_free_ext_desc_t(4)))


@provokes("OUT_OF_HOST_MEMORY", "zeMemGetIpcHandle")
def _(world: World, arguments: Arguments) -> None:
    def refuse(name: str, flags: int) -> int:
        raise OSError("too many files")

    world.patch.setattr("os.memfd_create", refuse)


@provokes("HANDLE_OBJECT_IN_USE", "zeMemGetIpcHandle")
def _(world: World, arguments: Arguments) -> None:
    world.patch.setattr("runtime.ze.driver.memory.sharing._PATIENCE_SECONDS", 0.01)
    world.machine.executing["a command"] = None


@provokes("OUT_OF_HOST_MEMORY", "zeMemOpenIpcHandle")
def _(world: World, arguments: Arguments) -> None:
    def refuse(*_: object) -> int:
        raise MemoryError("no addresses")

    world.patch.setattr("runtime.ze.driver.linux.mapping.map_file", refuse)


@provokes("INVALID_ENUMERATION", "zeMemOpenIpcHandle")
def _(world: World, arguments: Arguments) -> None:
    arguments["flags"] = 4


provokes("UNSUPPORTED_SIZE", "zeMemGetPitchFor2dImage")(sets(imageWidth=0))
provokes("UNSUPPORTED_SIZE", "zeVirtualMemQueryPageSize", "zeVirtualMemReserve")(sets(size=0))
provokes("OUT_OF_DEVICE_MEMORY", "zeVirtualMemReserve")(sets(size=1 << 56))
_RANGES = (
    "zeVirtualMemFree",
    "zeVirtualMemMap",
    "zeVirtualMemUnmap",
    "zeVirtualMemSetAccessAttribute",
    "zeVirtualMemGetAccessAttribute",
)
provokes("UNSUPPORTED_SIZE", *_RANGES)(sets(size=1))
provokes("UNSUPPORTED_ALIGNMENT", *_RANGES)(sets(ptr=lambda w: w.pages + 1))
provokes("INVALID_ENUMERATION", "zeVirtualMemMap", "zeVirtualMemSetAccessAttribute")(sets(access=3))
provokes("UNSUPPORTED_SIZE", "zePhysicalMemCreate")(sets(desc=ze.ze_physical_mem_desc_t(5)))
provokes("HANDLE_OBJECT_IN_USE", "zePhysicalMemDestroy")(
    sets(hPhysicalMemory=lambda w: w.physical if w.pages else None)
)


def _module(format: int, data: bytes) -> Change[World]:
    return sets(desc=ze.ze_module_desc_t(format, data))


provokes("INVALID_SIZE", "zeModuleCreate")(_module(ze.ZE_MODULE_FORMAT_NATIVE, b""))
provokes("INVALID_ENUMERATION", "zeModuleCreate")(_module(7, b"x"))
provokes("INVALID_NATIVE_BINARY", "zeModuleCreate")(_module(ze.ZE_MODULE_FORMAT_NATIVE, b"x"))
provokes("MODULE_BUILD_FAILURE", "zeModuleCreate")(_module(ze.ZE_MODULE_FORMAT_IL_SPIRV, b"x"))


@provokes("OUT_OF_DEVICE_MEMORY", "zeModuleCreate")
def _(world: World, arguments: Arguments) -> None:
    owner = kernels.compiled("owner", variables=(Variable("variable", bytes(16), 16, is_constant=False),))
    arguments["desc"] = ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_NATIVE, kernels.binary(owner))
    world.patch.setattr(world.machine.memory, "_limit", 0)


provokes("HANDLE_OBJECT_IN_USE", "zeModuleDestroy")(sets(hModule=lambda w: w.kernel.module))
provokes("INVALID_GLOBAL_NAME", "zeModuleGetGlobalPointer")(sets(pGlobalName="copy"))
provokes("INVALID_FUNCTION_NAME", "zeModuleGetFunctionPointer")(sets(pFunctionName="variable"))


def _unlinked(world: World) -> ze.ze_module_handle_t:
    desc = ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_NATIVE, module_binary(imports=["variable"]))
    return ze.zeModuleCreate(world.context, world.device, desc)[0]


def _of_spirv(world: World, data: bytes) -> ze.ze_module_handle_t:
    return ze.zeModuleCreate(world.context, world.device, ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_IL_SPIRV, data))[0]


_BEFORE_LINKING = ("zeModuleGetGlobalPointer", "zeModuleGetFunctionPointer", "zeKernelCreate")
provokes("INVALID_MODULE_UNLINKED", *_BEFORE_LINKING)(sets(hModule=_unlinked))
provokes("INVALID_MODULE_UNLINKED", "zeModuleGetNativeBinary")(
    sets(hModule=lambda w: _of_spirv(w, spirv_programs.user()))
)
_BROKEN = spirv_programs.many(17, broken=3)
provokes("MODULE_BUILD_FAILURE", "zeModuleGetNativeBinary")(sets(hModule=lambda w: _of_spirv(w, _BROKEN)))
provokes("MODULE_BUILD_FAILURE", "zeKernelCreate")(
    sets(hModule=lambda w: _of_spirv(w, _BROKEN), desc=ze.ze_kernel_desc_t("k3"))
)
provokes("MODULE_LINK_FAILURE", "zeModuleDynamicLink")(sets(phModules=lambda w: [_unlinked(w)]))
provokes("INVALID_SIZE", "zeModuleDynamicLink", "zeModuleInspectLinkageExt")(sets(phModules=[]))
provokes("INVALID_ENUMERATION", "zeModuleInspectLinkageExt")(sets(pInspectDesc=ze.ze_linkage_inspection_ext_desc_t(8)))


@provokes("OUT_OF_DEVICE_MEMORY", "zeKernelCreate")
def _(world: World, arguments: Arguments) -> None:
    binary = zebin.build(ARC, [shifting("edge", "clamp_edge")])
    arguments["hModule"] = ze.zeModuleCreate(
        world.context, world.arc, ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_NATIVE, binary)
    )[0]
    arguments["desc"] = ze.ze_kernel_desc_t("edge")
    world.patch.setattr(world.machine.memory, "_limit", 0)


@provokes("OUT_OF_DEVICE_MEMORY", "zeKernelGetAllocationPropertiesExp")
def _(world: World, arguments: Arguments) -> None:
    printing = kernels.compiled("printing", implicit=[ImplicitArgument("printf_buffer", 0, 8)])
    binary = zebin.build(PVC, [printing])
    module = ze.zeModuleCreate(world.context, world.device, ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_NATIVE, binary))[0]
    arguments["hKernel"] = ze.zeKernelCreate(module, ze.ze_kernel_desc_t("printing"))
    world.patch.setattr(world.machine.memory, "_limit", 0)


provokes("INVALID_KERNEL_NAME", "zeKernelCreate")(sets(desc=ze.ze_kernel_desc_t("nobody")))

provokes("INVALID_KERNEL_ARGUMENT_INDEX", "zeKernelSetArgumentValue")(sets(argIndex=3))
provokes("INVALID_KERNEL_ARGUMENT_SIZE", "zeKernelSetArgumentValue")(sets(argSize=0))
provokes("INVALID_GROUP_SIZE_DIMENSION", "zeKernelSetGroupSize")(sets(groupSizeX=0))
provokes("INVALID_GLOBAL_WIDTH_DIMENSION", "zeKernelSuggestGroupSize")(sets(globalSizeY=0))
provokes("INVALID_ENUMERATION", "zeKernelSetIndirectAccess")(sets(flags=8))
provokes("INVALID_ENUMERATION", "zeKernelSetCacheConfig")(sets(flags=4))
provokes("INVALID_ENUMERATION", "zeKernelSetAttribute", "zeKernelGetAttribute")(sets(attr=4))
provokes("INVALID_KERNEL_ATTRIBUTE_VALUE", "zeKernelSetAttribute")(sets(size=1, pValue=2))
provokes("INVALID_SIZE", "zeKernelSetAttribute")(sets(size=4))
provokes("INVALID_ENUMERATION", "zeKernelSchedulingHintExp")(sets(pHint=ze.ze_scheduling_hint_exp_desc_t(8)))

_LAUNCHES = tuple(name for name in FUNCTIONS if "AppendLaunch" in name)
_SET_LAUNCHES = tuple(name for name in _LAUNCHES if not name.endswith("WithArguments"))


def _greedy(world: World) -> ze.ze_kernel_handle_t:
    """A kernel whose arguments take more local memory than there is."""
    kernel = ze.zeKernelCreate(world.module, ze.ze_kernel_desc_t("local"))
    for index, (size, value) in enumerate(((64 << 10, None), (4, 1), (128 << 10, None))):
        ze.zeKernelSetArgumentValue(kernel, index, size, value)
    return kernel


@provokes("OUT_OF_DEVICE_MEMORY", *_LAUNCHES)
def _(world: World, arguments: Arguments) -> None:
    kernel = _greedy(world)
    if "phKernels" in arguments:
        arguments["phKernels"] = [kernel]
    else:
        arguments["hKernel"] = kernel
    if "pArguments" in arguments:
        arguments["pArguments"] = [64 << 10, 1, 128 << 10]


provokes("INVALID_COMMAND_LIST_TYPE", *_LAUNCHES)(sets(hCommandList=lambda w: w.new_list(1)))
provokes("INVALID_SIZE", "zeCommandListAppendLaunchMultipleKernelsIndirect")(sets(phKernels=[]))
_WITH_ARGUMENTS = "zeCommandListAppendLaunchKernelWithArguments"
provokes("INVALID_SIZE", _WITH_ARGUMENTS)(sets(pArguments=[]))
provokes("INVALID_GROUP_SIZE_DIMENSION", _WITH_ARGUMENTS)(sets(groupSizes=ze.ze_group_size_t(0)))
provokes("INVALID_KERNEL_ARGUMENT_SIZE", _WITH_ARGUMENTS)(sets(pArguments=lambda w: [w.memory, w.memory, b"x"]))


# --- the tests


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    world = World(monkeypatch)
    yield world
    monkeypatch.undo()
    world.end()


PAIRS = [
    (name, short(result))
    for name, function in FUNCTIONS.items()
    for result in function.results
    if short(result) != "INVALID_NULL_POINTER"
]
VALIDATED = [(name, short(result)) for name, function in FUNCTIONS.items() for result in function.validated]
FAILS_ALWAYS = [
    name
    for name in FUNCTIONS
    if name.startswith(("zeDeviceReserveCache", "zeDeviceSetCache", "zeDeviceSetLast", "zeDeviceGetFabric"))
    or name in _MUTABLE
]


@pytest.mark.parametrize(("name", "result"), PAIRS)
def test_every_result_is_produced(world: World, name: str, result: str) -> None:
    change = change_for(name, result)
    assert change is not None, f"nothing here provokes {result} of {name}"
    arguments = world.arguments(name)
    change(world, arguments)
    assert outcome(name, arguments) == result


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(("name", "result"), VALIDATED)
def test_the_driver_takes_what_the_layer_reports(world: World, name: str, result: str) -> None:
    change = change_for(name, result)
    assert change is not None, f"nothing here provokes {result} of {name}"
    arguments = world.arguments(name)
    change(world, arguments)
    before = layers.active()
    layers.install(Layers(checks=frozenset({ValidationCheck.PARAMETERS})))
    try:
        with fails(result, f"{name}, "):
            getattr(ze, name)(**arguments)
    finally:
        layers.install(before)
    assert outcome(name, arguments) == "SUCCESS"


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name not in FAILS_ALWAYS])
def test_every_function_succeeds(world: World, name: str) -> None:
    arguments = world.arguments(name)
    if name == "zeKernelSetAttribute":
        arguments["size"] = 1
    if name == "zeDriverGet":
        ze.zeInit()
    assert outcome(name, arguments) == "SUCCESS"


@pytest.mark.parametrize(("name", "pointer"), [(f.name, p) for f in FUNCTIONS.values() for p in f.pointers])
def test_null_pointers(world: World, name: str, pointer: str) -> None:
    arguments = world.arguments(name)
    arguments[pointer] = None
    with pytest.raises(ze.ZeError) as caught:
        CALLABLES[name](**arguments)
    assert caught.value.result == ze.ZE_RESULT_ERROR_INVALID_NULL_POINTER
    assert pointer in caught.value.text


@pytest.mark.parametrize("name", FUNCTIONS)
def test_nonsense_is_refused(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Whatever a parameter is set to, a call ends well or with a `ZeError`."""
    for parameter in CALLABLE_PARAMETERS[name]:
        for nonsense in (object(), -1, "x"):
            world = World(monkeypatch)
            arguments = world.arguments(name)
            arguments[parameter] = nonsense
            outcome(name, arguments)
            world.end()


def test_every_change_is_for_something() -> None:
    assert CHANGES.keys() <= {*PAIRS, *VALIDATED}


def test_table_and_package_have_the_same_functions() -> None:
    exported = {name for name in ze.__all__ if name.startswith("ze") and name[2].isupper()}
    assert exported == set(CALLABLES)


def test_rows_name_their_own_parameters() -> None:
    function: Function
    for function in FUNCTIONS.values():
        assert set(function.pointers) <= set(CALLABLE_PARAMETERS[function.name]), function.name


def test_seed_names_reach_the_same_functions(world: World) -> None:
    """Functions that 0.91 calls otherwise are callable under both names."""
    renamed = {function.seed for function in FUNCTIONS.values() if function.seed not in (None, function.name)}
    assert renamed <= set(CALLABLES)
    data = np.zeros(1, np.uint8)
    pointer = ze.zeDriverAllocHostMem(world.driver, ze.ze_host_mem_alloc_desc_t(), PAGE, 0)
    ze.zeDeviceMakeMemoryResident(world.device, pointer, PAGE)
    assert ze.zeDriverGetMemAddressRange(world.driver, pointer) == (pointer, PAGE)
    ze.zeDriverFreeMem(world.driver, pointer)
    assert data.sum() == 0
