"""Level Zero from several threads, and calls that fail: nothing is changed by halves."""

from __future__ import annotations

import threading

import pytest

from runtime import ze
from runtime.ze.driver.execution.event import CounterEvent
from tests.unit.runtime.ze.expect import fails

PAGE = 4096
SECOND = 10**9
IN_ORDER = ze.ze_command_queue_desc_t(
    flags=ze.ZE_COMMAND_QUEUE_FLAG_IN_ORDER, mode=ze.ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS
)
ASYNCHRONOUS = ze.ze_command_queue_desc_t(mode=ze.ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS)
WRITABLE = ze.ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE


class TestCounterEvents:
    """A call that fails does not change them, nor does a list that is not executed."""

    @pytest.fixture
    def in_order(self, context, device):
        return ze.zeCommandListCreateImmediate(context, device, IN_ORDER)

    @pytest.fixture
    def event(self, context, device, in_order) -> CounterEvent:
        event = ze.zeEventCounterBasedCreate(context, device, ze.ze_event_counter_based_desc_t())
        ze.zeCommandListAppendBarrier(in_order, event)
        return event

    def test_lists_that_are_reset_or_closed(self, context, device, event) -> None:
        desc = ze.ze_command_list_desc_t(0, ze.ZE_COMMAND_LIST_FLAG_IN_ORDER)
        recorded = ze.zeCommandListCreate(context, device, desc)
        ze.zeCommandListAppendBarrier(recorded, event)
        assert ze.zeEventQueryStatus(event) == ze.ZE_RESULT_SUCCESS
        ze.zeCommandListReset(recorded)
        ze.zeCommandListClose(recorded)
        with fails("INVALID_ARGUMENT"):
            ze.zeCommandListAppendBarrier(recorded, event)
        assert ze.zeEventQueryStatus(event) == ze.ZE_RESULT_SUCCESS

    def test_a_lost_device(self, device, in_order, event) -> None:
        device.processor.lose("lost by the test")
        with fails("DEVICE_LOST"):
            ze.zeCommandListAppendBarrier(in_order, event)
        device.processor.recover()
        assert ze.zeEventQueryStatus(event) == ze.ZE_RESULT_SUCCESS

    def test_are_not_reset(self, in_order, event) -> None:
        with fails("UNSUPPORTED_FEATURE"):
            ze.zeCommandListAppendEventReset(in_order, event)
        assert ze.zeEventQueryStatus(event) == ze.ZE_RESULT_SUCCESS

    def test_each_execution_of_a_list_signals_anew(self, context, device, event, new_event) -> None:
        gate, desc = new_event(), ze.ze_command_list_desc_t(0, ze.ZE_COMMAND_LIST_FLAG_IN_ORDER)
        recorded, queue = (
            ze.zeCommandListCreate(context, device, desc),
            ze.zeCommandQueueCreate(context, device, ASYNCHRONOUS),
        )
        ze.zeCommandListAppendBarrier(recorded, event, [gate])
        ze.zeCommandListClose(recorded)
        for _ in range(2):
            ze.zeCommandQueueExecuteCommandLists(queue, [recorded])
            assert ze.zeEventQueryStatus(event) == ze.ZE_RESULT_NOT_READY
            ze.zeEventHostSignal(gate)
            assert ze.zeEventHostSynchronize(event, 10 * SECOND) == ze.ZE_RESULT_SUCCESS
            ze.zeCommandQueueSynchronize(queue)
            ze.zeEventHostReset(gate)

    def test_are_awaited_by_later_commands_of_the_same_submission(self, context, device, new_event) -> None:
        """Not the signal behind them."""
        event = ze.zeEventCounterBasedCreate(context, device, ze.ze_event_counter_based_desc_t())
        gates, desc = [new_event(), new_event()], ze.ze_command_list_desc_t(0, ze.ZE_COMMAND_LIST_FLAG_IN_ORDER)
        recorded = ze.zeCommandListCreate(context, device, desc)
        queue = ze.zeCommandQueueCreate(context, device, ASYNCHRONOUS)
        ze.zeCommandListAppendBarrier(recorded, event, gates[:1])
        ze.zeCommandListAppendBarrier(recorded, None, [event])
        ze.zeCommandListAppendBarrier(recorded, event, gates[1:])
        ze.zeCommandListClose(recorded)
        ze.zeCommandQueueExecuteCommandLists(queue, [recorded])
        for gate in gates:
            assert ze.zeEventQueryStatus(event) == ze.ZE_RESULT_NOT_READY
            ze.zeEventHostSignal(gate)
        assert ze.zeCommandQueueSynchronize(queue, 10 * SECOND) == ze.ZE_RESULT_SUCCESS
        assert ze.zeEventQueryStatus(event) == ze.ZE_RESULT_SUCCESS

    def test_are_signaled_anew_for_those_that_wait_when_a_signal_was_dropped(
        self, context, device, in_order, event, new_event
    ) -> None:
        gate = new_event()
        other = ze.zeCommandListCreateImmediate(context, device, ze.ze_command_queue_desc_t(flags=IN_ORDER.flags))
        ze.zeCommandListAppendBarrier(other, event, [gate])
        device.processor.lose("lost by the test")
        device.processor.recover()
        waiting = ze.zeCommandListCreateImmediate(context, device, ASYNCHRONOUS)
        ze.zeCommandListAppendBarrier(waiting, None, [event])
        assert ze.zeCommandListHostSynchronize(waiting, 0) == ze.ZE_RESULT_NOT_READY
        ze.zeCommandListAppendBarrier(in_order, event)
        assert ze.zeCommandListHostSynchronize(waiting, 10 * SECOND) == ze.ZE_RESULT_SUCCESS


def test_blocking_free_waits_for_users_of_the_memory_only(context, device, new_event) -> None:
    commands, gate = ze.zeCommandListCreateImmediate(context, device, ASYNCHRONOUS), new_event()
    desc = ze.ze_device_mem_alloc_desc_t()
    unused, used, other = (ze.zeMemAllocDevice(context, desc, 64, 64, device) for _ in range(3))
    ze.zeCommandListAppendBarrier(commands, None, [gate])
    ze.zeCommandListAppendMemoryCopy(commands, used, other, 64)
    blocking = ze.ze_memory_free_ext_desc_t(ze.ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE)
    ze.zeMemFreeExt(context, blocking, unused)
    assert context.usm(unused) is None
    free = threading.Thread(target=ze.zeMemFreeExt, args=(context, blocking, used))
    free.start()
    free.join(0.05)
    assert free.is_alive() and context.usm(used) is not None
    ze.zeEventHostSignal(gate)
    free.join(10)
    assert not free.is_alive() and context.usm(used) is None


class TestVirtualMemory:
    def test_reservations_of_several_threads(self, context) -> None:
        errors = []

        def reserve() -> None:
            try:
                for _ in range(100):
                    ze.zeVirtualMemFree(context, ze.zeVirtualMemReserve(context, None, 2 * PAGE), 2 * PAGE)
            except BaseException as error:
                errors.append(error)

        threads = [threading.Thread(target=reserve) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert errors == []
        assert context.reservations == {}

    def test_mapping_a_page_never_takes_its_neighbour_away(self, context, device) -> None:
        memory = context.machine.memory
        start = ze.zeVirtualMemReserve(context, None, 2 * PAGE)
        physical = ze.zePhysicalMemCreate(context, device, ze.ze_physical_mem_desc_t(2 * PAGE))
        ze.zeVirtualMemMap(context, start, PAGE, physical, 0, WRITABLE)
        stopped, missing = threading.Event(), []

        def look() -> None:
            while not stopped.is_set():
                if context.usm(start) is None or start not in memory.table().starts:
                    missing.append(start)

        looking = threading.Thread(target=look)
        looking.start()
        try:
            for _ in range(100):
                ze.zeVirtualMemMap(context, start + PAGE, PAGE, physical, PAGE, WRITABLE)
                assert memory.find(start) is memory.find(start + PAGE)
                ze.zeVirtualMemUnmap(context, start + PAGE, PAGE)
        finally:
            stopped.set()
            looking.join()
        assert missing == []
        ze.zeVirtualMemFree(context, start, 2 * PAGE)
        ze.zePhysicalMemDestroy(context, physical)
