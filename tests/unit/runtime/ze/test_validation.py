"""The validation layer: what each check adds to what the driver refuses by itself."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from runtime import ze
from runtime.ze import dispatch, layers
from runtime.ze.driver import Submission
from runtime.ze.layers import Layers, layers_in
from runtime.ze.layers.validation import ValidationCheck, lifetime
from runtime.ze.layers.validation.call import ApiCall, CallChecker, Moment
from runtime.ze.layers.validation.layer import CHECKERS, ValidationLayer
from runtime.ze.spec.results import ze_result_t
from tests.unit.runtime.ze.conftest import ASYNCHRONOUS
from tests.unit.runtime.ze.expect import fails
from tests.unit.runtime.ze.kernels import EMPTY, ScriptedSimulator, binary

HERE = Path(__file__).name
DEVICE_MEMORY = ze.ze_device_mem_alloc_desc_t()


@pytest.fixture
def checked(request: pytest.FixtureRequest) -> Iterator[None]:
    """The layer with the checks of the class, for the time of a test."""
    before = layers.active()
    layers.install(Layers(checks=frozenset(request.cls.CHECKS)))
    yield
    layers.install(before)


class _Watcher(CallChecker):
    """Looks at the end of calls that create something."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def moments(self, name: str) -> tuple[Moment, ...]:
        return (Moment.AFTER, Moment.LEFT) if name == "zeEventPoolCreate" else ()

    def before(self, call: ApiCall) -> None:
        self.seen.append(f"before {call.name}")

    def after(self, call: ApiCall, returned: object) -> None:
        self.seen.append(f"after {call.name}")

    def left(self, call: ApiCall) -> None:
        self.seen.append(f"left {call.name}")


class TestMoments:
    """A call costs the checks that look at its function, and no more: waits are as exact as without the layer."""

    def test_checks_are_told_at_their_moments_only(self, context: ze.ze_context_handle_t) -> None:
        watcher = _Watcher()
        layer = ValidationLayer([watcher])
        pool = layer.wrap("zeEventPoolCreate", ze.zeEventPoolCreate)(context, ze.ze_event_pool_desc_t(1, 1))
        layer.wrap("zeEventPoolDestroy", ze.zeEventPoolDestroy)(pool)
        assert watcher.seen == ["after zeEventPoolCreate", "left zeEventPoolCreate"]

    @pytest.mark.parametrize("wait", [name for name in dispatch.names() if name.endswith("Synchronize")])
    def test_nothing_looks_at_a_wait_when_it_has_ended(self, wait: str) -> None:
        assert {moment for make in CHECKERS.values() for moment in make().moments(wait)} == {Moment.BEFORE}


class TestEnvironment:
    def test_nothing_is_on_by_default(self) -> None:
        assert layers_in({}) == Layers()

    def test_the_layer_alone_checks_nothing(self) -> None:
        assert layers_in({"ZE_ENABLE_VALIDATION_LAYER": "1"}) == Layers()

    def test_checks_need_the_layer(self) -> None:
        assert layers_in({"ZE_ENABLE_MEMORY_TRACKER": "1"}) == Layers()

    @pytest.mark.parametrize(("variable", "check"), layers.CHECK_VARIABLES.items())
    def test_each_variable_is_one_check(self, variable: str, check: ValidationCheck) -> None:
        found = layers_in({"ZE_ENABLE_VALIDATION_LAYER": "1", variable: "1"})
        assert found == Layers(checks=frozenset({check}))

    @pytest.mark.parametrize("value", ["", "0", "true", "yes", "2"])
    def test_only_1_is_on(self, value: str) -> None:
        assert layers_in(dict.fromkeys(("ZE_ENABLE_VALIDATION_LAYER", "ZE_ENABLE_MEMORY_TRACKER"), value)) == Layers()

    def test_is_read_by_a_process(self) -> None:
        """At import, and again by the first zeInit, however the functions were imported."""
        program = """
import os
from runtime.ze import zeInit, zeDriverGet, zeDeviceGet, ze_fence_desc_t, zeContextCreate
for variable in ("ZE_ENABLE_VALIDATION_LAYER", "ZE_ENABLE_PARAMETER_VALIDATION"):
    os.environ[variable] = "1"
zeInit(0)
del os.environ["ZE_ENABLE_VALIDATION_LAYER"]
zeInit(0)
try:
    zeContextCreate(zeDriverGet()[0], ze_fence_desc_t())
except Exception as error:
    print(error)
"""
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
        assert "zeContextCreate, desc is a ze_fence_desc_t, expected ze_context_desc_t" in done.stdout

    def test_without_layers_the_driver_is_called_at_once(self, context, device) -> None:
        with fails("INVALID_NULL_POINTER", "device_desc is null"):
            ze.zeMemAllocDevice(context, None, 1, 0, device)


@pytest.mark.usefixtures("checked")
class TestParameters:
    CHECKS = (ValidationCheck.PARAMETERS,)

    def test_null_handle(self, device) -> None:
        with fails("INVALID_NULL_HANDLE", "zeMemAllocDevice, hContext: is null", f"{HERE}:"):
            ze.zeMemAllocDevice(None, None, 0, 3, device)

    def test_null_handle_in_an_array(self, queue) -> None:
        with fails("INVALID_NULL_HANDLE", "phCommandLists: is null"):
            ze.zeCommandQueueExecuteCommandLists(queue, [None])

    def test_optional_handles_may_be_null(self, new_list) -> None:
        assert ze.zeCommandListAppendBarrier(new_list(), None, None) is None

    def test_null_pointer(self, context, device) -> None:
        with fails("INVALID_NULL_POINTER", "zeMemAllocDevice, device_desc: is null"):
            ze.zeMemAllocDevice(context, None, 0, 3, device)
        with fails("INVALID_NULL_POINTER", "zeMemFree, ptr: is null"):
            ze.zeMemFree(context, 0)

    def test_wrong_structure(self, context, device) -> None:
        with fails("INVALID_ARGUMENT", "desc is a ze_context_desc_t, expected ze_command_queue_desc_t"):
            ze.zeCommandQueueCreate(context, device, ze.ze_context_desc_t())

    def test_unknown_structure_behind(self, context, device) -> None:
        desc = ze.ze_device_mem_alloc_desc_t(pNext=object())
        with fails("INVALID_ARGUMENT", "device_desc.pNext is a object, expected a structure of the API"):
            ze.zeMemAllocDevice(context, desc, 64, 0, device)
        relaxed = ze.ze_device_mem_alloc_desc_t(pNext=ze.ze_relaxed_allocation_limits_exp_desc_t())
        ze.zeMemFree(context, ze.zeMemAllocDevice(context, relaxed, 64, 0, device))

    def test_structures_that_follow_each_other(self, context, device) -> None:
        desc = ze.ze_device_mem_alloc_desc_t()
        object.__setattr__(desc, "pNext", desc)
        with fails("INVALID_ARGUMENT", "chain that does not end"):
            ze.zeMemAllocDevice(context, desc, 64, 0, device)

    @pytest.mark.parametrize(
        ("make", "path"),
        [
            (lambda context, device: ze.zeContextCreate(device.parent, ze.ze_context_desc_t(8)), "desc.flags: 8"),
            (
                lambda context, device: ze.zeCommandQueueCreate(
                    context, device, ze.ze_command_queue_desc_t(priority=7)
                ),
                "desc.priority: 7",
            ),
            (
                lambda context, device: ze.zeImageCreate(
                    context, device, ze.ze_image_desc_t(0, ze.ze_image_format_t(0, 9), 1)
                ),
                "desc.format.type: 9",
            ),
        ],
    )
    def test_enumerations(self, context, device, make: Callable[..., object], path: str) -> None:
        with fails("INVALID_ENUMERATION", path):
            make(context, device)

    def test_sizes(self, context, device, queue) -> None:
        with fails("UNSUPPORTED_SIZE", "size: 0 is not a size"):
            ze.zeMemAllocDevice(context, DEVICE_MEMORY, 0, 0, device)
        with fails("UNSUPPORTED_ALIGNMENT", "alignment: 48 is not a power of two"):
            ze.zeMemAllocDevice(context, DEVICE_MEMORY, 1, 48, device)
        with fails("INVALID_SIZE", "phCommandLists: is empty"):
            ze.zeCommandQueueExecuteCommandLists(queue, [])
        with fails("INVALID_SIZE", "desc.count: 0 is less than the minimum of 1"):
            ze.zeEventPoolCreate(context, ze.ze_event_pool_desc_t(count=0))
        with fails("INVALID_SIZE", "desc.pInputModule: is empty"):
            ze.zeModuleCreate(context, device, ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_NATIVE, b""))

    def test_memory_of_another_context(self, driver, context, device, new_list) -> None:
        other = ze.zeContextCreate(driver, ze.ze_context_desc_t())
        foreign = ze.zeMemAllocDevice(other, DEVICE_MEMORY, 64, 0, device)
        with fails("INVALID_ARGUMENT", "dstptr: the memory at", "belongs to <context"):
            ze.zeCommandListAppendMemoryCopy(new_list(), foreign, bytes(8), 8)
        with fails("INVALID_ARGUMENT", "ptr: the memory at", "belongs to <context"):
            ze.zeMemFree(context, foreign)
        source = ze.zeMemAllocDevice(context, DEVICE_MEMORY, 64, 0, device)
        ze.zeCommandListAppendMemoryCopyFromContext(new_list(), source, other, foreign, 64)

    def test_object_of_another_context(self, driver, device, new_list, kernel) -> None:
        other = ze.zeContextCreate(driver, ze.ze_context_desc_t())
        foreign = ze.zeCommandListCreate(other, device, ze.ze_command_list_desc_t())
        with fails("INVALID_ARGUMENT", "hKernel: <kernel 'empty'", "belongs to <context"):
            ze.zeCommandListAppendLaunchKernel(foreign, kernel("empty"), ze.ze_group_count_t(1))

    def test_another_grid_than_the_known_one_is_noted(self, context, device, immediate, capsys) -> None:
        """It is launched all the same, as by real drivers."""
        known = replace(EMPTY, facts=replace(EMPTY.facts, known_grid_size=(4, 2, 1)))
        module, _ = ze.zeModuleCreate(context, device, ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_NATIVE, binary(known)))
        kernel = ze.zeKernelCreate(module, ze.ze_kernel_desc_t("empty"))
        ze.zeCommandListAppendLaunchKernel(immediate, kernel, ze.ze_group_count_t(4, 2))
        assert capsys.readouterr().err == ""
        ze.zeCommandListAppendLaunchKernel(immediate, kernel, ze.ze_group_count_t(4))
        error = capsys.readouterr().err
        assert "Level Zero validation: zeCommandListAppendLaunchKernel, called at" in error
        assert "is launched with (4, 1, 1) work-groups, made for (4, 2, 1) (known_grid_size)" in error

    def test_memory_that_nobody_has_told_of_is_noted(self, context, device, immediate, capsys) -> None:
        reading = replace(EMPTY, facts=replace(EMPTY.facts, indirect_accesses=1))
        desc = ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_NATIVE, binary(reading))
        module, _ = ze.zeModuleCreate(context, device, desc)
        memory = ze.zeMemAllocDevice(context, DEVICE_MEMORY, 64, 0, device)

        def launched(kernel: ze.ze_kernel_handle_t) -> str:
            ze.zeCommandListAppendLaunchKernel(immediate, kernel, ze.ze_group_count_t(1))
            return capsys.readouterr().err

        first, second = (ze.zeKernelCreate(module, ze.ze_kernel_desc_t("empty")) for _ in range(2))
        assert "accesses memory by pointers that it reads from memory" in launched(first)
        ze.zeKernelSetIndirectAccess(first, ze.ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE)
        assert launched(first) == ""
        ze.zeContextMakeMemoryResident(context, device, memory, 64)
        assert launched(second) == ""
        ze.zeContextEvictMemory(context, device, memory, 64)
        assert "accesses memory" in launched(second)

    def test_handles_come_first(self, device) -> None:
        """Then pointers, enumerations, sizes."""
        with fails("INVALID_NULL_HANDLE"):
            ze.zeMemAllocDevice(None, ze.ze_device_mem_alloc_desc_t(64), 0, 3, device)

    def test_fills_have_whole_patterns(self, context, new_list) -> None:
        address = ze.zeMemAllocHost(context, ze.ze_host_mem_alloc_desc_t(), 64, 64)
        ze.zeCommandListAppendMemoryFill(new_list(), address + 4, b"abcd", 4, 8)
        with fails("INVALID_ARGUMENT", "size: 0x6 is not a multiple of 4"):
            ze.zeCommandListAppendMemoryFill(new_list(), address, b"abcd", 4, 6)
        with fails("INVALID_ARGUMENT", "ptr: "):
            ze.zeCommandListAppendMemoryFill(new_list(), address + 2, b"abcd", 4, 8)


@pytest.mark.usefixtures("checked")
class TestLifetime:
    CHECKS = (ValidationCheck.LIFETIME,)

    def test_destroyed_handle(self, context, device) -> None:
        queue = ze.zeCommandQueueCreate(context, device, ASYNCHRONOUS)
        ze.zeCommandQueueDestroy(queue)
        with fails("INVALID_NULL_HANDLE", "is already destroyed, at", f"{HERE}:", "test_destroyed_handle"):
            ze.zeCommandQueueSynchronize(queue, 0)

    def test_wrong_kind(self, context, device) -> None:
        with fails("INVALID_NULL_HANDLE", "hCommandQueue: <device", "is not a command queue handle"):
            ze.zeCommandQueueSynchronize(device, 0)

    def test_execution_of_what_needs_a_destroyed_object(self, queue, new_list, new_event) -> None:
        event, command_list = new_event(), new_list()
        ze.zeCommandListAppendSignalEvent(command_list, event)
        ze.zeCommandListClose(command_list)
        ze.zeEventDestroy(event)
        with fails("INVALID_ARGUMENT", "destroyed at", "for what was appended at"):
            ze.zeCommandQueueExecuteCommandLists(queue, [command_list])
        ze.zeCommandListReset(command_list)
        ze.zeCommandListClose(command_list)
        ze.zeCommandQueueExecuteCommandLists(queue, [command_list])
        ze.zeCommandQueueSynchronize(queue)

    def test_kernel_is_needed_while_a_list_executes(self, queue, new_list, new_event, kernel) -> None:
        """The driver alone lets a kernel go, as it has copied what it needs."""
        gate, empty, command_list = new_event(), kernel("empty"), new_list()
        ze.zeCommandListAppendLaunchKernel(command_list, empty, ze.ze_group_count_t(1), None, [gate])
        ze.zeCommandListClose(command_list)
        ze.zeCommandQueueExecuteCommandLists(queue, [command_list])
        with fails("HANDLE_OBJECT_IN_USE", "which is executing; appended at"):
            ze.zeKernelDestroy(empty)
        ze.zeEventHostSignal(gate)
        ze.zeCommandQueueSynchronize(queue)
        ze.zeKernelDestroy(empty)

    def test_immediate_lists_need_nothing_that_is_done(self, immediate, kernel) -> None:
        empty = kernel("empty")
        ze.zeCommandListAppendLaunchKernel(immediate, empty, ze.ze_group_count_t(1))
        ze.zeKernelDestroy(empty)
        ze.zeCommandListAppendBarrier(immediate)

    def test_asynchronous_immediate_lists_need_what_is_pending(self, context, device, new_event, kernel) -> None:
        """Command by command: what is done needs nothing, though others wait behind it."""
        commands = ze.zeCommandListCreateImmediate(context, device, ASYNCHRONOUS)
        gate, done, first, second = new_event(), new_event(), kernel("empty"), kernel("empty")
        ze.zeCommandListAppendLaunchKernel(commands, first, ze.ze_group_count_t(1), done)
        ze.zeCommandListAppendLaunchKernel(commands, second, ze.ze_group_count_t(1), None, [gate])
        ze.zeEventHostSynchronize(done)
        ze.zeKernelDestroy(first)
        with fails("HANDLE_OBJECT_IN_USE", "which is executing"):
            ze.zeKernelDestroy(second)
        ze.zeEventHostSignal(gate)
        ze.zeCommandListHostSynchronize(commands)
        ze.zeKernelDestroy(second)
        ze.zeCommandListDestroy(commands)

    def test_destroyed_object_in_place_of_bytes(self, context, driver, kernel) -> None:
        arc = ze.zeDeviceGet(driver)[-1]
        sampler = ze.zeSamplerCreate(context, arc, ze.ze_sampler_desc_t(0, 0))
        ze.zeSamplerDestroy(sampler)
        with fails("INVALID_NULL_HANDLE", "pArgValue", "already destroyed"):
            ze.zeKernelSetArgumentValue(kernel("copy"), 0, 8, sampler)


@pytest.mark.usefixtures("checked")
class TestMemory:
    CHECKS = (ValidationCheck.MEMORY,)

    @pytest.fixture
    def allocate(self, context, device) -> Callable[[int], int]:
        return lambda size: ze.zeMemAllocDevice(context, DEVICE_MEMORY, size, 0, device)

    def test_overrun(self, new_list, allocate) -> None:
        source, target = allocate(64), allocate(100)
        with fails("INVALID_ARGUMENT", "srcptr: 65 bytes", "end 1 byte(s) behind 64 bytes of device memory", HERE):
            ze.zeCommandListAppendMemoryCopy(new_list(), target, source, 65)

    def test_ranges_of_copies_may_overlap(self, new_list, allocate) -> None:
        memory = allocate(100)
        ze.zeCommandListAppendMemoryCopy(new_list(), memory, memory + 49, 50)

    def test_freed_twice(self, context, allocate) -> None:
        memory = allocate(64)
        ze.zeMemFree(context, memory)
        with fails(
            "INVALID_ARGUMENT", "is not in an allocation of", "there were 64 bytes of device memory", "freed at", HERE
        ):
            ze.zeMemFree(context, memory)

    def test_use_after_free(self, context, new_list, allocate) -> None:
        memory = allocate(64)
        ze.zeMemFree(context, memory)
        with fails("INVALID_ARGUMENT", "ptr:", "there were 64 bytes", "freed at"):
            ze.zeCommandListAppendMemoryFill(new_list(), memory + 8, b"1", 1, 8)

    def test_list_that_uses_freed_memory(self, context, queue, new_list, allocate) -> None:
        memory, command_list = allocate(64), new_list()
        ze.zeCommandListAppendMemoryFill(command_list, memory, b"1", 1, 8)
        ze.zeCommandListClose(command_list)
        ze.zeMemFree(context, memory)
        with fails("INVALID_ARGUMENT", "uses memory that is freed, 64 bytes", "appended at", HERE):
            ze.zeCommandQueueExecuteCommandLists(queue, [command_list])

    def test_free_while_in_use(self, context, queue, new_list, new_event, allocate) -> None:
        memory, command_list, gate = allocate(64), new_list(), new_event()
        ze.zeCommandListAppendMemoryFill(command_list, memory, b"1", 1, 8, None, [gate])
        ze.zeCommandListClose(command_list)
        ze.zeCommandQueueExecuteCommandLists(queue, [command_list])
        with fails("HANDLE_OBJECT_IN_USE", "which is executing; appended at", HERE):
            ze.zeMemFree(context, memory)
        ze.zeEventHostSignal(gate)
        ze.zeCommandQueueSynchronize(queue)
        ze.zeMemFree(context, memory)

    def test_free_with_a_policy(self, context, queue, new_list, new_event, allocate, capsys) -> None:
        """The driver waits itself; and what is freed later is no leak."""
        memory, command_list, gate = allocate(64), new_list(), new_event()
        ze.zeCommandListAppendMemoryFill(command_list, memory, b"1", 1, 8, None, [gate])
        ze.zeCommandListClose(command_list)
        ze.zeCommandQueueExecuteCommandLists(queue, [command_list])
        defer = ze.ze_driver_memory_free_policy_ext_flags_t.ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE
        ze.zeMemFreeExt(context, ze.ze_memory_free_ext_desc_t(defer), memory)
        ze.zeEventHostSignal(gate)
        ze.zeCommandQueueSynchronize(queue)
        for destroy, handle in (
            (ze.zeCommandQueueDestroy, queue),
            (ze.zeCommandListDestroy, command_list),
            (ze.zeEventDestroy, gate),
            (ze.zeEventPoolDestroy, gate.pool),
            (ze.zeContextDestroy, context),
        ):
            destroy(handle)
        assert capsys.readouterr().err == ""

    @pytest.mark.parametrize("in_call", [False, True])
    def test_pointers_of_kernels(self, immediate, kernel, allocate, context, in_call: bool) -> None:
        copy, source, target = kernel("copy"), allocate(64), allocate(64)

        def launch(*values: int) -> None:
            if in_call:
                size, count = ze.ze_group_size_t(1), ze.ze_group_count_t(1)
                ze.zeCommandListAppendLaunchKernelWithArguments(immediate, copy, count, size, values)
                return
            for index, (value, width) in enumerate(zip(values, (8, 8, 4), strict=True)):
                ze.zeKernelSetArgumentValue(copy, index, width, value)
            ze.zeCommandListAppendLaunchKernel(immediate, copy, ze.ze_group_count_t(1))

        launch(source, target + 32, 1)
        launch(source, 0, 1)
        with fails("INVALID_ARGUMENT", "of kernel 'copy'", "is not in an allocation of"):
            launch(source, 0x1234, 1)
        ze.zeMemFree(context, target)
        with fails("INVALID_ARGUMENT", "of kernel 'copy'", "freed at"):
            launch(source, target, 1)

    def test_memory_of_the_host(self, new_list, allocate) -> None:
        """A copy may use it, wherever it is."""
        data = np.zeros(8, np.uint8)
        ze.zeCommandListAppendMemoryCopy(new_list(), data.ctypes.data, allocate(8), 8)

    def test_advice_that_is_not_kept_to(self, context, device, immediate, kernel, capsys) -> None:
        """A kernel writes what is said to be mostly read; advice is taken back that nobody has given."""
        shared = ze.zeMemAllocShared(context, DEVICE_MEMORY, ze.ze_host_mem_alloc_desc_t(), 64, 0, device)
        copy = kernel("copy")

        def advise(advice: int) -> str:
            ze.zeCommandListAppendMemAdvise(immediate, device, shared, 64, advice)
            return capsys.readouterr().err

        def launched(source: int, target: int) -> str:
            for index, (value, width) in enumerate(zip((source, target, 1), (8, 8, 4), strict=True)):
                ze.zeKernelSetArgumentValue(copy, index, width, value)
            ze.zeCommandListAppendLaunchKernel(immediate, copy, ze.ze_group_count_t(1))
            return capsys.readouterr().err

        assert launched(shared, shared + 32) == ""
        assert "takes back ZE_MEMORY_ADVICE_SET_READ_MOSTLY" in advise(ze.ZE_MEMORY_ADVICE_CLEAR_READ_MOSTLY)
        assert advise(ze.ZE_MEMORY_ADVICE_SET_READ_MOSTLY) == ""
        error = launched(shared, shared + 32)
        assert f"writes 64 bytes of shared memory at {shared:#x}" in error and "mostly read" in error
        assert advise(ze.ZE_MEMORY_ADVICE_CLEAR_READ_MOSTLY) == launched(shared, shared + 32) == ""

    def test_hints_for_memory_that_stays(self, immediate, allocate, capsys) -> None:
        ze.zeCommandListAppendMemoryPrefetch(immediate, allocate(64), 64)
        error = capsys.readouterr().err
        assert (
            "zeCommandListAppendMemoryPrefetch, called at" in error and "changes nothing for 64 bytes of dev" in error
        )

    @pytest.mark.parametrize("scope", [0, ze.ZE_EVENT_SCOPE_FLAG_DEVICE, ze.ZE_EVENT_SCOPE_FLAG_HOST])
    def test_events_that_the_host_does_not_see(self, context, device, immediate, allocate, capsys, scope: int) -> None:
        """The scope counts for what the host can read: shared memory, not that of the device."""
        shared = ze.zeMemAllocShared(context, DEVICE_MEMORY, ze.ze_host_mem_alloc_desc_t(), 64, 0, device)
        pool = ze.zeEventPoolCreate(context, ze.ze_event_pool_desc_t(count=2))
        for index, (target, is_seen) in enumerate(((shared, True), (allocate(64), False))):
            event = ze.zeEventCreate(pool, ze.ze_event_desc_t(index, signal=scope))
            ze.zeCommandListAppendMemoryFill(immediate, target, b"a", 1, 64, event)
            assert capsys.readouterr().err == ""
            ze.zeEventHostSynchronize(event)
            error = capsys.readouterr().err
            assert ("has no signal scope of the host" in error) == (is_seen and scope != ze.ZE_EVENT_SCOPE_FLAG_HOST)
            ze.zeEventQueryStatus(event)
            assert capsys.readouterr().err == "", "it is reported once"

    def test_names_of_the_seed(self, driver, device) -> None:
        memory = ze.zeDriverAllocDeviceMem(driver, DEVICE_MEMORY, 64, 0, device)
        ze.zeDriverFreeMem(driver, memory)
        with fails("INVALID_ARGUMENT", "zeDriverFreeMem, ptr", "there were 64 bytes"):
            ze.zeDriverFreeMem(driver, memory)

    def test_leaks_of_a_context(self, driver, device, capsys: pytest.CaptureFixture[str]) -> None:
        context = ze.zeContextCreate(driver, ze.ze_context_desc_t())
        kept = ze.zeMemAllocHost(context, ze.ze_host_mem_alloc_desc_t(), 24, 0)
        ze.zeMemFree(context, ze.zeMemAllocDevice(context, DEVICE_MEMORY, 64, 0, device))
        ze.zeContextDestroy(context)
        report = capsys.readouterr().err
        assert "1 allocation(s) were never freed" in report
        assert f"24 bytes of host memory at {kept:#x}, allocated at" in report
        assert f"{HERE}:" in report and "test_leaks_of_a_context" in report


@pytest.mark.usefixtures("checked")
class TestEnds:
    CHECKS = tuple(ValidationCheck)

    def test_who_has_waited_for_the_last_event_may_destroy(
        self, context, device, new_event, kernel, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Also in the moment between the signal and the end of the submission."""
        commands = ze.zeCommandListCreateImmediate(context, device, ASYNCHRONOUS)
        done, empty = new_event(), kernel("empty")
        memory = ze.zeMemAllocDevice(context, DEVICE_MEMORY, 64, 64, device)
        advance = Submission.advance

        def slowly(self: Submission) -> bool:
            time.sleep(0.05)
            return advance(self)

        monkeypatch.setattr(Submission, "advance", slowly)
        ze.zeCommandListAppendLaunchKernel(commands, empty, ze.ze_group_count_t(1))
        ze.zeCommandListAppendMemoryFill(commands, memory, b"1", 1, 8, done)
        ze.zeEventHostSynchronize(done)
        ze.zeMemFree(context, memory)
        ze.zeKernelDestroy(empty)
        ze.zeEventDestroy(done)
        ze.zeCommandListDestroy(commands)


@pytest.mark.usefixtures("checked")
class TestThreads:
    CHECKS = (ValidationCheck.THREADS,)

    @pytest.fixture
    def busy(self, checked: None, immediate, kernel, simulator: ScriptedSimulator) -> Iterator[None]:
        """While another thread is in a launch on `immediate`."""
        inside, leave = threading.Event(), threading.Event()

        def wait(*_: object) -> None:
            inside.set()
            assert leave.wait(10)

        simulator.behaviours["empty"] = wait
        empty = kernel("empty")
        arguments = (immediate, empty, ze.ze_group_count_t(1))
        thread = threading.Thread(target=ze.zeCommandListAppendLaunchKernel, args=arguments, name="worker")
        thread.start()
        assert inside.wait(10)
        yield
        leave.set()
        thread.join()

    @pytest.mark.usefixtures("busy")
    def test_one_list_in_two_threads(self, immediate) -> None:
        with fails(
            "INVALID_ARGUMENT",
            "zeCommandListAppendBarrier, hCommandList: thread 'MainThread' uses <command list",
            "while thread 'worker' is in zeCommandListAppendLaunchKernel, called at",
        ):
            ze.zeCommandListAppendBarrier(immediate)

    @pytest.mark.usefixtures("busy")
    def test_other_lists_are_free(self, new_list, immediate) -> None:
        ze.zeCommandListAppendBarrier(new_list())
        assert ze.zeCommandListHostSynchronize(immediate, 0) == ze_result_t.ZE_RESULT_NOT_READY

    @pytest.mark.usefixtures("checked")
    @pytest.mark.parametrize("name", ["zePhysicalMemDestroy", "zeEventCreate", "zeKernelSchedulingHintExp"])
    def test_objects_that_calls_need_for_themselves(
        self, context, device, kernel, monkeypatch: pytest.MonkeyPatch, name: str
    ) -> None:
        """Two calls in the same context, with the same object and with different ones."""
        inside, leave = threading.Event(), threading.Event()
        new_memory = lambda: ze.zePhysicalMemCreate(context, device, ze.ze_physical_mem_desc_t(4096))  # noqa: E731
        new_pool = lambda: ze.zeEventPoolCreate(context, ze.ze_event_pool_desc_t(1, 2))  # noqa: E731
        first, other = {
            "zePhysicalMemDestroy": lambda: ((context, new_memory()), (context, new_memory())),
            "zeEventCreate": lambda: tuple((new_pool(), ze.ze_event_desc_t(1)) for _ in range(2)),
            "zeKernelSchedulingHintExp": lambda: tuple(
                (kernel("copy"), ze.ze_scheduling_hint_exp_desc_t()) for _ in range(2)
            ),
        }[name]()
        module = sys.modules[dispatch.direct(getattr(ze, name)).__module__]
        live = module.live

        def wait(*arguments: object) -> object:
            if threading.current_thread().name == "worker" and not inside.is_set():
                inside.set()
                assert leave.wait(10)
            return live(*arguments)

        monkeypatch.setattr(module, "live", wait)
        worker = threading.Thread(target=getattr(ze, name), args=first, name="worker")
        worker.start()
        assert inside.wait(10)
        with fails("INVALID_ARGUMENT", f"is in {name}, called at"):
            getattr(ze, name)(*first)
        getattr(ze, name)(*other)
        leave.set()
        worker.join()

    def test_one_after_the_other(self, immediate) -> None:
        """Nothing is left behind, by calls that fail neither."""
        for _ in range(2):
            thread = threading.Thread(target=ze.zeCommandListAppendBarrier, args=(immediate,))
            thread.start()
            thread.join()
            with fails("INVALID_NULL_POINTER"):
                ze.zeCommandListAppendMemoryCopy(immediate, None, None, 1)


class TestFinalizers:
    CHECKS = tuple(ValidationCheck)

    @pytest.mark.usefixtures("checked")
    def test_calls_in_the_middle_of_a_check(self, driver, context, monkeypatch: pytest.MonkeyPatch) -> None:
        """Python may collect garbage at any place, and a finalizer may destroy something: that must not block."""

        class Garbage:
            def __init__(self) -> None:
                self.context = ze.zeContextCreate(driver, ze.ze_context_desc_t())

            def __del__(self) -> None:
                ze.zeContextDestroy(self.context)

        garbage = [Garbage()]
        left = garbage[0].context

        def collect(_: object) -> tuple[()]:
            garbage.clear()
            return ()

        monkeypatch.setattr(lifetime, "executed_lists", collect)
        ze.zeContextGetStatus(context)
        assert not left.alive


class TestAtExit:
    PROGRAM = """
import atexit, os
os.environ |= dict.fromkeys((
    "ZE_ENABLE_VALIDATION_LAYER", "ZE_ENABLE_HANDLE_LIFETIME", "ZE_ENABLE_MEMORY_TRACKER"), "1")
from runtime import ze
ze.zeInit()
(driver,) = ze.zeDriverGet()
device = ze.zeDeviceGet(driver)[0]
context = ze.zeContextCreate(driver, ze.ze_context_desc_t())
kept = ze.zeMemAllocDevice(context, ze.ze_device_mem_alloc_desc_t(), 64, 0, device)
"""

    def run(self, more: str, program: str = PROGRAM) -> str:
        command = [sys.executable, "-c", program + more]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stderr

    def test_what_is_left_is_reported(self) -> None:
        report = self.run("")
        assert "1 object(s) were never destroyed:\n  <context #" in report
        assert "created at <string>:9 in <module>" in report
        assert "1 allocation(s) were never freed, 64 bytes:\n  64 bytes of device memory at " in report
        assert "allocated at <string>:10 in <module>" in report

    def test_balance(self) -> None:
        program = self.PROGRAM.replace(
            '"ZE_ENABLE_HANDLE_LIFETIME", "ZE_ENABLE_MEMORY_TRACKER"', '"ZEL_ENABLE_BASIC_LEAK_CHECKER"'
        )
        lines = ["  context: 1 created, 0 destroyed", "  memory: 1 created, 0 destroyed"]
        report = "\n".join(["Level Zero validation: 2 object(s) were not destroyed:", *lines, ""])
        assert self.run("", program) == report
        assert self.run("ze.zeMemFree(context, kept)\nze.zeContextDestroy(context)\n", program) == ""

    def test_nothing_is_left(self) -> None:
        assert self.run("ze.zeMemFree(context, kept)\nze.zeContextDestroy(context)\n") == ""

    def test_the_python_api_looks_after_its_own(self) -> None:
        """Nothing that it makes is the application's to destroy."""
        assert (
            self.run("""
from runtime import Device
kept_too = Device().array([1, 2, 3])
ze.zeMemFree(context, kept)
ze.zeContextDestroy(context)
""")
            == ""
        )
