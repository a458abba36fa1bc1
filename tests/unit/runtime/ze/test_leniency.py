"""The driver takes what real drivers take: what is in use, parents before their children, and any context's objects."""

from __future__ import annotations

import mmap

import numpy as np
import pytest

from runtime import ze
from tests.unit.runtime.ze.conftest import ASYNCHRONOUS
from tests.unit.runtime.ze.expect import fails

BYTES = 256


@pytest.fixture
def memory(context) -> int:
    return ze.zeMemAllocHost(context, ze.ze_host_mem_alloc_desc_t(), BYTES, 0)


def number(context: ze.ze_context_handle_t, address: int) -> int:
    return int(context.machine.memory.find(address).data[0])


@pytest.mark.usefixtures("impatient")
class TestInUse:
    """Destructions do not wait here, so that all happens while the commands are pending."""

    @pytest.fixture
    def gate(self, new_event):
        return new_event()

    @pytest.fixture
    def pending(self, new_list, gate, memory):
        """A closed list that fills memory when the gate is signaled."""
        made = new_list()
        ze.zeCommandListAppendMemoryFill(made, memory, b"\7", 1, BYTES, None, [gate])
        ze.zeCommandListClose(made)
        return made

    def test_commands_of_what_is_destroyed_run(self, context, device, pending, gate, memory) -> None:
        queue = ze.zeCommandQueueCreate(context, device, ASYNCHRONOUS)
        fence = ze.zeFenceCreate(queue, ze.ze_fence_desc_t())
        ze.zeCommandQueueExecuteCommandLists(queue, [pending], fence)
        for destroy, handle in (
            (ze.zeFenceDestroy, fence),
            (ze.zeCommandListDestroy, pending),
            (ze.zeCommandQueueDestroy, queue),
        ):
            destroy(handle)
            with fails("INVALID_ARGUMENT", "already destroyed"):
                destroy(handle)
        assert number(context, memory) == 0
        ze.zeEventHostSignal(gate)
        ze.zeEventDestroy(gate)
        assert context.machine.wait(lambda: number(context, memory) == 7, 10**10)

    def test_immediate_list(self, context, device, gate, memory) -> None:
        commands = ze.zeCommandListCreateImmediate(context, device, ASYNCHRONOUS)
        ze.zeCommandListAppendMemoryFill(commands, memory, b"\7", 1, BYTES, None, [gate])
        ze.zeCommandListDestroy(commands)
        ze.zeEventHostSignal(gate)
        assert context.machine.wait(lambda: number(context, memory) == 7, 10**10)

    def test_list_is_executed_twice_and_reset(self, queue, pending, gate, context, memory) -> None:
        ze.zeCommandQueueExecuteCommandLists(queue, [pending])
        ze.zeCommandQueueExecuteCommandLists(queue, [pending])
        ze.zeCommandListReset(pending)
        ze.zeEventHostSignal(gate)
        ze.zeCommandQueueSynchronize(queue)
        assert number(context, memory) == 7

    def test_reset_fence_is_signaled_nevertheless(self, queue, pending, gate) -> None:
        fence = ze.zeFenceCreate(queue, ze.ze_fence_desc_t())
        ze.zeCommandQueueExecuteCommandLists(queue, [pending], fence)
        ze.zeFenceReset(fence)
        assert ze.zeFenceQueryStatus(fence) == ze.ZE_RESULT_NOT_READY
        ze.zeEventHostSignal(gate)
        assert ze.zeFenceHostSynchronize(fence) == ze.ZE_RESULT_SUCCESS

    def test_context_drops_what_does_not_end(self, driver, device) -> None:
        """Also on a queue that is destroyed and waits still."""
        context = ze.zeContextCreate(driver, ze.ze_context_desc_t())
        pool = ze.zeEventPoolCreate(context, ze.ze_event_pool_desc_t(1, 1))
        gate = ze.zeEventCreate(pool, ze.ze_event_desc_t(0))
        memory = ze.zeMemAllocDevice(context, ze.ze_device_mem_alloc_desc_t(), BYTES, 0, device)
        commands = ze.zeCommandListCreateImmediate(context, device, ASYNCHRONOUS)
        ze.zeCommandListAppendMemoryFill(commands, memory, b"\7", 1, BYTES, None, [gate])
        ze.zeCommandListDestroy(commands)
        ze.zeContextDestroy(context)
        assert not device.processor.streams and driver.machine.memory.live() == ()
        assert device.free_bytes == device.memory_bytes and not device.processor.lost

    def test_shared_events_of_a_pool_that_is_gone(self, context, queue, new_list) -> None:
        flags = ze.ZE_EVENT_POOL_FLAG_IPC | ze.ZE_EVENT_POOL_FLAG_HOST_VISIBLE
        pool = ze.zeEventPoolCreate(context, ze.ze_event_pool_desc_t(flags, 2))
        gate, done = (ze.zeEventCreate(pool, ze.ze_event_desc_t(index)) for index in range(2))
        made = new_list()
        ze.zeCommandListAppendBarrier(made, done, [gate])
        ze.zeCommandListClose(made)
        ze.zeCommandQueueExecuteCommandLists(queue, [made])
        ze.zeEventHostSignal(gate)
        ze.zeEventPoolDestroy(pool)
        assert ze.zeCommandQueueSynchronize(queue) == ze.ZE_RESULT_SUCCESS


def test_destruction_waits_for_commands(queue, new_list, new_event, kernel, simulator) -> None:
    """A list that was executed and not waited for has been executed when it is destroyed."""
    done = []
    simulator.behaviours["empty"] = lambda *_: done.append(None)
    made = new_list()
    ze.zeCommandListAppendLaunchKernel(made, kernel("empty"), ze.ze_group_count_t(1))
    ze.zeCommandListClose(made)
    ze.zeCommandQueueExecuteCommandLists(queue, [made])
    ze.zeCommandListDestroy(made)
    assert done


def test_children_go_with_their_parents(context, module, kernel, new_event) -> None:
    """They may be destroyed once more, and be used for nothing else."""
    empty, event = kernel("empty"), new_event()
    ze.zeModuleDestroy(module)
    ze.zeEventPoolDestroy(event.pool)
    ze.zeKernelDestroy(empty)
    ze.zeEventDestroy(event)
    with fails("INVALID_ARGUMENT"):
        ze.zeKernelSetGroupSize(empty, 1, 1, 1)
    with fails("INVALID_ARGUMENT"):
        ze.zeModuleDestroy(module)


def test_objects_of_another_context(driver, device, queue, new_event) -> None:
    other = ze.zeContextCreate(driver, ze.ze_context_desc_t())
    address = ze.zeMemAllocHost(other, ze.ze_host_mem_alloc_desc_t(), BYTES, 0)
    made, done = ze.zeCommandListCreate(other, device, ze.ze_command_list_desc_t()), new_event()
    ze.zeCommandListAppendMemoryFill(made, address, b"\5", 1, BYTES, done)
    ze.zeCommandListClose(made)
    ze.zeCommandQueueExecuteCommandLists(queue, [made])
    ze.zeEventHostSynchronize(done)
    assert number(other, address) == 5
    ze.zeMemFree(queue.context, address)


class TestHostMemory:
    """Addresses of the host's own memory are operands; those of no memory are refused, and crash nothing."""

    def test_copies_and_fills(self, immediate, memory) -> None:
        data, back = np.arange(BYTES, dtype=np.uint8), np.zeros(BYTES, np.uint8)
        ze.zeCommandListAppendMemoryCopy(immediate, memory, data.ctypes.data, BYTES)
        ze.zeCommandListAppendMemoryCopy(immediate, back.ctypes.data, memory, BYTES)
        np.testing.assert_array_equal(back, data)
        ze.zeCommandListAppendMemoryFill(immediate, back.ctypes.data, b"\3", 1, BYTES)
        assert set(back) == {3}

    @pytest.mark.parametrize("address", [1, 0x1234, 1 << 46, (1 << 64) - 8])
    def test_wild_addresses(self, immediate, memory, address: int) -> None:
        for to, origin in ((memory, address), (address, memory)):
            with fails("INVALID_ARGUMENT", hex(address), "nor memory of the host"):
                ze.zeCommandListAppendMemoryCopy(immediate, to, origin, 64)

    def test_memory_that_was_freed(self, context, immediate, memory) -> None:
        shared = ze.zeMemAllocShared(
            context, ze.ze_device_mem_alloc_desc_t(), ze.ze_host_mem_alloc_desc_t(), BYTES, 0, None
        )
        ze.zeMemFree(context, shared)
        with fails("INVALID_ARGUMENT"):
            ze.zeCommandListAppendMemoryCopy(immediate, shared, memory, BYTES)

    def test_read_only_memory(self, immediate, memory) -> None:
        pages = np.frombuffer(mmap.mmap(-1, 4096, prot=mmap.PROT_READ), np.uint8)
        constant = pages.ctypes.data
        ze.zeCommandListAppendMemoryCopy(immediate, memory, constant, BYTES)
        with fails("INVALID_ARGUMENT"):
            ze.zeCommandListAppendMemoryCopy(immediate, constant, memory, BYTES)


@pytest.mark.usefixtures("impatient")
def test_physical_memory_that_is_mapped(context, device, immediate) -> None:
    """It stays where it is mapped."""
    start = ze.zeVirtualMemReserve(context, 0, 4096)
    physical = ze.zePhysicalMemCreate(context, device, ze.ze_physical_mem_desc_t(4096))
    ze.zeVirtualMemMap(context, start, 4096, physical, 0, ze.ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE)
    ze.zePhysicalMemDestroy(context, physical)
    ze.zeCommandListAppendMemoryFill(immediate, start, b"\4", 1, 4096)
    assert number(context, start) == 4
    ze.zeVirtualMemUnmap(context, start, 4096)
