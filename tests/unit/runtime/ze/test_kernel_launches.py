"""Cooperative and indirect launches, and what a kernel says about itself."""

import mmap
from dataclasses import replace

import numpy as np
import pytest

import zebin
from runtime import ze
from runtime.simulator import Memory
from runtime.ze.driver.modules.surfaces import Surface
from tests.unit.runtime.ze import kernels
from tests.unit.runtime.ze.conftest import SYNCHRONOUS
from tests.unit.runtime.ze.expect import fails
from xegpu.targets import PVC

DEVICE, HOST = ze.ze_device_mem_alloc_desc_t(), ze.ze_host_mem_alloc_desc_t()


def grids(simulator) -> list[tuple[int, int, int]]:
    return [dispatch.group_count for dispatch in simulator.dispatches]


@pytest.fixture
def set_up(context, device, kernel):
    """The kernel `copy` with arguments."""
    memory = ze.zeMemAllocDevice(context, DEVICE, 64, 0, device)
    made = kernel("copy")
    for index, (size, value) in enumerate(((8, memory), (8, memory), (4, 5))):
        ze.zeKernelSetArgumentValue(made, index, size, value)
    return made


class TestCooperative:
    def test_count_follows_from_what_a_group_takes(self, kernel) -> None:
        """Threads of 128 or 256 registers, shared local memory of its own and of arguments."""
        empty, wide, local = kernel("empty"), kernel("wide"), kernel("local")
        assert ze.zeKernelSuggestMaxCooperativeGroupCount(empty) == PVC.xe_cores * 64
        ze.zeKernelSetGroupSize(empty, 64, 1, 1)
        assert ze.zeKernelSuggestMaxCooperativeGroupCount(empty) == PVC.xe_cores
        ze.zeKernelSetGroupSize(wide, 256, 1, 1)
        assert ze.zeKernelSuggestMaxCooperativeGroupCount(wide) == PVC.xe_cores * 2
        ze.zeKernelSetArgumentValue(local, 0, 62 << 10, None)
        assert ze.zeKernelSuggestMaxCooperativeGroupCount(local) == PVC.xe_cores * 2

    def test_launch(self, immediate, kernel, simulator) -> None:
        launched = kernel("empty")
        ze.zeKernelSetGroupSize(launched, 64, 1, 1)
        ze.zeCommandListAppendLaunchCooperativeKernel(immediate, launched, ze.ze_group_count_t(8, 8, 1))
        assert grids(simulator) == [(8, 8, 1)]
        with fails("INVALID_ARGUMENT", "65", "64"):
            ze.zeCommandListAppendLaunchCooperativeKernel(immediate, launched, ze.ze_group_count_t(65))

    def test_only_where_queues_can(self, context, device, kernel) -> None:
        copies = ze.zeCommandListCreate(context, device, ze.ze_command_list_desc_t(1))
        with fails("INVALID_COMMAND_LIST_TYPE"):
            ze.zeCommandListAppendLaunchCooperativeKernel(copies, kernel("empty"), ze.ze_group_count_t(1))

    def test_as_a_parameter(self, immediate, kernel, simulator) -> None:
        launched, many = kernel("empty"), ze.ze_group_count_t(1 << 20)
        ze.zeCommandListAppendLaunchKernelWithParameters(immediate, launched, many, ze.ze_event_desc_t())
        cooperative = ze.ze_command_list_append_launch_kernel_param_cooperative_desc_t(True)
        with fails("INVALID_ARGUMENT"):
            ze.zeCommandListAppendLaunchKernelWithParameters(immediate, launched, many, cooperative)
        ze.zeCommandListAppendLaunchKernelWithParameters(immediate, launched, ze.ze_group_count_t(2), cooperative)
        assert grids(simulator) == [(1 << 20, 1, 1), (2, 1, 1)]


class TestIndirect:
    def test_the_grid_is_read_when_the_command_runs(self, context, queue, new_list, set_up, simulator) -> None:
        """All else is as it was when the command was appended."""
        buffer = ze.zeMemAllocHost(context, HOST, 12, 0)
        made = new_list()
        ze.zeCommandListAppendMemoryFill(made, buffer, b"\3\0\0\0", 4, 12)
        ze.zeCommandListAppendLaunchKernelIndirect(made, set_up, buffer)
        ze.zeKernelSetArgumentValue(set_up, 2, 4, 9)
        ze.zeKernelSetGroupSize(set_up, 4, 1, 1)
        ze.zeCommandListClose(made)
        ze.zeCommandQueueExecuteCommandLists(queue, [made])
        ze.zeCommandQueueSynchronize(queue)
        (dispatch,) = simulator.dispatches
        assert dispatch.group_count == (3, 3, 3)
        assert dispatch.local_size == (1, 1, 1)
        assert dispatch.cross_thread[16:20] == (5).to_bytes(4, "little")
        assert dispatch.cross_thread[44:56] == (3).to_bytes(4, "little") * 3

    def test_address_is_a_multiple_of_4(self, context, immediate, set_up) -> None:
        buffer = ze.zeMemAllocHost(context, HOST, 64, 0)
        with fails("INVALID_ARGUMENT", "multiple of 4"):
            ze.zeCommandListAppendLaunchKernelIndirect(immediate, set_up, buffer + 2)
        with fails("INVALID_ARGUMENT"):
            ze.zeCommandListAppendLaunchKernelIndirect(immediate, set_up, buffer + 60)

    @pytest.mark.parametrize(("count", "launched"), [(0, 0), (1, 1), (2, 2), (7, 3)])
    def test_several(self, immediate, kernel, new_event, simulator, count: int, launched: int) -> None:
        """As many as memory says, at most all; the event is signaled once."""
        several = [kernel("empty") for _ in range(3)]
        event = new_event()
        numbers = np.array([[1, 2, 3], [4, 5, 6], [7, 8, 9]], np.uint32)
        ze.zeCommandListAppendLaunchMultipleKernelsIndirect(
            immediate, several, np.array([count], np.uint32), numbers, event
        )
        assert grids(simulator) == [tuple(row) for row in numbers[:launched].tolist()]
        assert ze.zeEventQueryStatus(event) == ze.ZE_RESULT_SUCCESS


class TestAbout:
    def test_source_attributes(self, context, device, module, kernel) -> None:
        assert ze.zeKernelGetSourceAttributes(kernel("sized")) == "reqd_work_group_size(16,2,1)"
        assert ze.zeKernelGetSourceAttributes(kernel("empty")) == ""
        binary = zebin.read(kernels.binary(kernels.SIZED))
        assert binary.ze_info is not None
        (info,) = binary.ze_info.kernels
        user = replace(
            info.user_attributes, work_group_size_hint=(1, 1, 1), intel_reqd_sub_group_size=16, vec_type_hint="float4"
        )
        binary.ze_info = replace(binary.ze_info, kernels=[replace(info, user_attributes=user)])
        desc = ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_NATIVE, zebin.write(binary))
        made = ze.zeKernelCreate(ze.zeModuleCreate(context, device, desc)[0], ze.ze_kernel_desc_t("sized"))
        first, second = "reqd_work_group_size(16,2,1) work_group_size_hint(1,1,1)", "intel_reqd_sub_group_size(16)"
        expected = f"{first} {second} vec_type_hint(float4)"
        assert ze.zeKernelGetSourceAttributes(made) == expected
        assert ze.zeKernelGetAttribute(made, ze.ZE_KERNEL_ATTR_SOURCE_ATTRIBUTE) == expected

    def test_attributes_of_the_seed(self, kernel) -> None:
        """The same flags in another form; this one takes them back, too."""
        made = kernel("empty")
        for attribute in list(ze.ze_kernel_attribute_t)[:3]:
            assert ze.zeKernelGetAttribute(made, attribute) is False
            ze.zeKernelSetAttribute(made, attribute, 1, True)
            assert ze.zeKernelGetAttribute(made, attribute) is True
        assert ze.zeKernelGetIndirectAccess(made) == 7
        ze.zeKernelSetAttribute(made, ze.ZE_KERNEL_ATTR_INDIRECT_HOST_ACCESS, 1, False)
        assert ze.zeKernelGetIndirectAccess(made) == 6
        with fails("INVALID_ENUMERATION", "read only"):
            ze.zeKernelSetAttribute(made, ze.ZE_KERNEL_ATTR_SOURCE_ATTRIBUTE, 1, True)

    def test_extended_properties(self, kernel) -> None:
        classes = [ze.ze_kernel_preferred_group_size_properties_t, int, ze.ze_kernel_max_group_size_properties_ext_t]
        preferred, largest = ze.zeKernelGetProperties(kernel("wide"), classes).pNext
        assert (preferred.preferredMultiple, largest.maxGroupSize) == (16, 512)

    def test_hints_and_code(self, kernel) -> None:
        made = kernel("empty")
        for flags in range(8):
            ze.zeKernelSchedulingHintExp(made, ze.ze_scheduling_hint_exp_desc_t(flags))
        assert ze.zeKernelGetBinaryExp(made) == kernels.EMPTY.code


class TestAllocations:
    def found(self, kernel) -> list[tuple[int, int, int, int]]:
        entries = ze.zeKernelGetAllocationPropertiesExp(kernel)
        return [(entry.base, entry.size, entry.type, entry.argIndex) for entry in entries]

    def test_arguments(self, context, device, kernel) -> None:
        """The whole allocation for a pointer into it; nothing for values, nulls, and memory that is unknown."""
        made = kernel("copy")
        assert ze.zeKernelGetAllocationPropertiesExp(made) == []
        shared = ze.zeMemAllocShared(context, DEVICE, HOST, 1000, 0)
        local = ze.zeMemAllocDevice(context, DEVICE, 300, 0, device)
        ze.zeKernelSetArgumentValue(made, 1, 8, local + 64)
        ze.zeKernelSetArgumentValue(made, 0, 8, shared)
        ze.zeKernelSetArgumentValue(made, 2, 4, 7)
        device_entry = (local, 300, ze.ZE_MEMORY_TYPE_DEVICE, 1)
        assert self.found(made) == [(shared, 1000, ze.ZE_MEMORY_TYPE_SHARED, 0), device_entry]
        ze.zeKernelSetArgumentValue(made, 0, 8, local)
        assert self.found(made) == [(local, 300, ze.ZE_MEMORY_TYPE_DEVICE, 0), device_entry]
        for nothing in (None, 4096):
            ze.zeKernelSetArgumentValue(made, 0, 8, nothing)
            assert self.found(made) == [device_entry]

    def test_memory_of_the_system(self, kernel) -> None:
        """A pointer to it stands for the pages around it."""
        made, data = kernel("copy"), mmap.mmap(-1, 3 * mmap.PAGESIZE)
        address = np.frombuffer(data, np.uint8).ctypes.data
        ze.zeKernelSetArgumentValue(made, 1, 8, address + 5)
        ((base, size, kind, index),) = self.found(made)
        assert base <= address and base + size >= address + 3 * mmap.PAGESIZE
        assert (kind, index) == (ze.ZE_MEMORY_TYPE_UNKNOWN, 1)

    def test_memory_of_the_module(self, context, device) -> None:
        """Constants, variables and scratch space are in the lists of the kernels that use them."""
        text = b"""
gpu.module @m {
  memref.global "private" constant @table : memref<5xi32> = dense<[4, 5, 6, 7, 8]>
  memref.global @counter : memref<3xi32> = dense<0>
  gpu.func @reads(%o: memref<5xi32>) kernel {
    %t = memref.get_global @table : memref<5xi32>
    %i = gpu.thread_id x
    %v = memref.load %t[%i] : memref<5xi32>
    memref.store %v, %o[%i] : memref<5xi32>
    gpu.return
  }
  gpu.func @both(%o: memref<5xi32>) kernel {
    %t = memref.get_global @table : memref<5xi32>
    %c = memref.get_global @counter : memref<3xi32>
    %p = memref.alloca() : memref<5xi32>
    %i = gpu.thread_id x
    %v = memref.load %t[%i] : memref<5xi32>
    %n = memref.load %c[%i] : memref<3xi32>
    %j = index.casts %n : i32 to index
    memref.store %v, %p[%j] : memref<5xi32>
    %w = memref.load %p[%i] : memref<5xi32>
    memref.store %w, %o[%i] : memref<5xi32>
    gpu.return
  }
  gpu.func @neither(%o: memref<5xi32>) kernel {
    gpu.return
  }
}
"""
        module = ze.zeModuleCreate(context, device, ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_MLIR_EXP, text))[0]
        made = {name: ze.zeKernelCreate(module, ze.ze_kernel_desc_t(name)) for name in ("reads", "both", "neither")}
        found = {name: self.found(kernel) for name, kernel in made.items()}
        scratch, constants, variables = found["both"]
        assert (found["reads"], found["neither"]) == ([constants], [])
        assert constants[1:] == (20, ze.ZE_MEMORY_TYPE_UNKNOWN, 0xFFFFFFFF)
        assert variables[:2] == (ze.zeModuleGetGlobalPointer(module, "counter")[1], 12)
        private, threads = ze.zeKernelGetProperties(made["both"]).privateMemSize, device.target.xe_cores * 64
        assert private > 0 and scratch[1] == private * threads
        assert scratch[0] and self.found(made["both"]) == found["both"]

    @pytest.mark.parametrize("ends_first", [False, True])
    def test_buffers_of_launches_at_the_same_time(self, ends_first: bool) -> None:
        """The second one has its own; nothing is left in the end."""
        memory = Memory()
        surface = Surface(memory, "printf", "k", 64)
        assert memory.live() == ()
        kept = surface.reserve(256)
        first, second = surface.take(256), surface.take(256)
        assert first is kept and second is not kept
        if ends_first:
            surface.close()
        surface.give_back(second)
        surface.give_back(first)
        assert memory.live() == (() if ends_first else (kept,))
        larger = surface.take(512)
        assert larger is not kept
        surface.give_back(larger)
        surface.close()
        assert memory.live() == ()


def test_groups_of_a_cooperative_kernel_wait_for_each_other() -> None:
    """A real kernel: each work-group adds one to a counter and waits until all have."""
    text = b"""
gpu.module @m {
  gpu.func @meet(%counter: memref<1xi32>, %all: i32) kernel {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %old = memref.atomic_rmw addi %one, %counter[%c0] : (i32, memref<1xi32>) -> i32
    scf.while (%last = %zero) : (i32) -> () {
      %now = memref.atomic_rmw addi %zero, %counter[%c0] : (i32, memref<1xi32>) -> i32
      %more = arith.cmpi slt, %now, %all : i32
      scf.condition(%more)
    } do {
      scf.yield %zero : i32
    }
    gpu.return
  }
}
"""
    driver = ze.simulated_driver((PVC,), "interpreter")
    device = ze.zeDeviceGet(driver)[0]
    context = ze.zeContextCreate(driver, ze.ze_context_desc_t())
    commands = ze.zeCommandListCreateImmediate(context, device, SYNCHRONOUS)
    module = ze.zeModuleCreate(context, device, ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_MLIR_EXP, text))[0]
    kernel = ze.zeKernelCreate(module, ze.ze_kernel_desc_t("meet"))
    counter = ze.zeMemAllocHost(context, HOST, 4, 0)
    ze.zeCommandListAppendMemoryFill(commands, counter, b"\0", 1, 4)
    ze.zeKernelSetArgumentValue(kernel, 0, 8, counter)
    ze.zeKernelSetArgumentValue(kernel, 1, 4, 5)
    ze.zeCommandListAppendLaunchCooperativeKernel(commands, kernel, ze.ze_group_count_t(5))
    found = np.zeros(1, np.int32)
    ze.zeCommandListAppendMemoryCopy(commands, found, counter, 4)
    assert found[0] == 5
