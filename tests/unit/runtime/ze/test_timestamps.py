"""Times of commands and of devices, events that count, and priorities of queues."""

import struct
import time

import numpy as np
import pytest

from runtime import ze
from tests.unit.runtime.ze.conftest import ASYNCHRONOUS
from tests.unit.runtime.ze.expect import fails

MAPPED = ze.ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP | ze.ZE_EVENT_POOL_FLAG_KERNEL_MAPPED_TIMESTAMP


class TestTimes:
    def test_one_result_a_device(self, device, immediate, new_event) -> None:
        event = new_event()
        for query in (ze.zeEventQueryTimestampsExp, ze.zeEventQueryKernelTimestampsExt):
            with fails("NOT_READY"):
                query(event, device)
        ze.zeCommandListAppendBarrier(immediate, event)
        plain = ze.zeEventQueryKernelTimestamp(event)
        assert ze.zeEventQueryTimestampsExp(event, device) == [plain]
        (extended,) = ze.zeEventQueryKernelTimestampsExt(event, device)
        assert (extended.kernel, extended.synchronized) == (plain, None)

    def test_mapped_to_the_clock_of_the_host(self, context, device, immediate) -> None:
        pool = ze.zeEventPoolCreate(context, ze.ze_event_pool_desc_t(MAPPED, 1))
        event = ze.zeEventCreate(pool, ze.ze_event_desc_t())
        before = time.monotonic_ns()
        ze.zeCommandListAppendBarrier(immediate, event)
        after = time.monotonic_ns()
        (found,) = ze.zeEventQueryKernelTimestampsExt(event, device)
        times = found.synchronized.global_
        assert before - 1000 <= times.kernelStart <= times.kernelEnd <= after + 1000

    def test_results_in_memory(self, immediate, new_event) -> None:
        """One behind the other, or at offsets; zeros for what has not happened."""
        first, second, never = (new_event() for _ in range(3))
        for event in (first, second):
            ze.zeCommandListAppendBarrier(immediate, event)
        data = np.full(96, 0xFF, np.uint8)
        ze.zeCommandListAppendQueryKernelTimestamps(immediate, [first, second, never], data)
        words = struct.unpack("<12Q", data)
        expected = [ze.zeEventQueryKernelTimestamp(event).global_ for event in (first, second)]
        for number, times in enumerate(expected):
            assert words[4 * number : 4 * number + 4] == (times.kernelStart, times.kernelEnd) * 2
        assert words[8:] == (0, 0, 0, 0)
        data[:] = 0
        ze.zeCommandListAppendQueryKernelTimestamps(immediate, [second, first], data, [64, 0])
        words = struct.unpack("<12Q", data)
        assert (words[0], words[8]) == (expected[0].kernelStart, expected[1].kernelStart)
        for offsets in ([0], [0, 96]):
            with fails("INVALID_SIZE" if len(offsets) == 1 else "INVALID_ARGUMENT"):
                ze.zeCommandListAppendQueryKernelTimestamps(immediate, [first, second], data, offsets)

    def test_device_time_in_memory(self, device, immediate) -> None:
        data = np.zeros(2, np.uint64)
        ze.zeCommandListAppendWriteGlobalTimestamp(immediate, data[:1])
        ze.zeCommandListAppendWriteGlobalTimestamp(immediate, data[1:])
        assert 0 < data[0] < data[1] <= ze.zeDeviceGetGlobalTimestamps(device)[1]


IN_ORDER = ze.ze_command_queue_desc_t(
    flags=ze.ZE_COMMAND_QUEUE_FLAG_IN_ORDER, mode=ze.ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS
)


@pytest.fixture
def in_order(context, device):
    """Makes asynchronous immediate lists that are in order."""
    made = []

    def make():
        made.append(ze.zeCommandListCreateImmediate(context, device, IN_ORDER))
        return made[-1]

    yield make
    for each in made:
        each.stream.close()


class TestCountingEvents:
    @pytest.fixture
    def event(self, context, device):
        return ze.zeEventCounterBasedCreate(context, device, ze.ze_event_counter_based_desc_t())

    def test_signaled_again_without_reset(self, event, in_order, new_event) -> None:
        """The host sees the latest signal, a list what was appended before its own command."""
        producer, consumer = in_order(), in_order()
        assert ze.zeEventQueryStatus(event) == ze.ZE_RESULT_NOT_READY
        gate, first, second = (new_event() for _ in range(3))
        ze.zeCommandListAppendSignalEvent(producer, event)
        ze.zeCommandListAppendBarrier(consumer, first, [event])
        ze.zeCommandListAppendWaitOnEvents(producer, [gate])
        ze.zeCommandListAppendSignalEvent(producer, event)
        ze.zeCommandListAppendBarrier(consumer, second, [event])
        assert ze.zeEventHostSynchronize(first) == ze.ZE_RESULT_SUCCESS
        assert ze.zeEventQueryStatus(event) == ze.ZE_RESULT_NOT_READY
        assert ze.zeEventQueryStatus(second) == ze.ZE_RESULT_NOT_READY
        ze.zeEventHostSignal(gate)
        assert ze.zeEventHostSynchronize(event) == ze.ZE_RESULT_SUCCESS
        assert ze.zeEventHostSynchronize(second) == ze.ZE_RESULT_SUCCESS

    def test_two_lists_in_turn(self, context, device, in_order) -> None:
        """Ping-pong over two events that are used again and again."""
        desc = ze.ze_event_counter_based_desc_t()
        ping, pong = (ze.zeEventCounterBasedCreate(context, device, desc) for _ in range(2))
        left, right = in_order(), in_order()
        for _ in range(20):
            ze.zeCommandListAppendSignalEvent(left, ping)
            ze.zeCommandListAppendBarrier(right, pong, [ping])
            ze.zeCommandListAppendWaitOnEvents(left, [pong])
        for each in (left, right):
            assert ze.zeCommandListHostSynchronize(each, 10_000_000_000) == ze.ZE_RESULT_SUCCESS

    def test_regular_lists_run_several_times(self, context, device, queue, new_event) -> None:
        pool = ze.zeEventPoolCreate(
            context, ze.ze_event_pool_desc_t(pNext=ze.ze_event_pool_counter_based_exp_desc_t(3))
        )
        event, gate = ze.zeEventCreate(pool, ze.ze_event_desc_t()), new_event()
        made = ze.zeCommandListCreate(
            context, device, ze.ze_command_list_desc_t(flags=ze.ZE_COMMAND_LIST_FLAG_IN_ORDER)
        )
        ze.zeCommandListAppendBarrier(made, event, [gate])
        ze.zeCommandListAppendWaitOnEvents(made, [event])
        ze.zeCommandListClose(made)
        for _ in range(2):
            ze.zeEventHostReset(gate)
            ze.zeCommandQueueExecuteCommandLists(queue, [made])
            assert ze.zeEventQueryStatus(event) == ze.ZE_RESULT_NOT_READY
            ze.zeEventHostSignal(gate)
            assert ze.zeCommandQueueSynchronize(queue, 10_000_000_000) == ze.ZE_RESULT_SUCCESS
            assert ze.zeEventQueryStatus(event) == ze.ZE_RESULT_SUCCESS

    def test_only_for_lists_that_are_in_order(self, event, immediate) -> None:
        with fails("INVALID_ARGUMENT", "in order"):
            ze.zeCommandListAppendSignalEvent(immediate, event)
        for call in (ze.zeEventHostSignal, ze.zeEventHostReset):
            with fails("UNSUPPORTED_FEATURE"):
                call(event)


class TestPriorities:
    def test_high_goes_first(self, context, device, new_event, kernel, simulator) -> None:
        """Of queues that wait for one event, that of high priority starts before all of low priority."""
        gate, order = new_event(), []
        simulator.behaviours["copy"] = lambda dispatch, memory: order.append(dispatch.group_count[0])
        launched = kernel("copy")
        for index, (size, value) in enumerate(((8, None), (8, None), (4, 0))):
            ze.zeKernelSetArgumentValue(launched, index, size, value)
        low, high = ze.ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW, ze.ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH
        lists = []
        for number, priority in enumerate([low] * 6 + [high]):
            desc = ze.ze_command_queue_desc_t(mode=ze.ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, priority=priority)
            lists.append(ze.zeCommandListCreateImmediate(context, device, desc))
            ze.zeCommandListAppendLaunchKernel(lists[-1], launched, ze.ze_group_count_t(number), None, [gate])
        ze.zeEventHostSignal(gate)
        ze.zeDeviceSynchronize(device)
        assert order[0] == 6
        assert sorted(order) == list(range(7))
        for each in lists:
            ze.zeCommandListDestroy(each)

    def test_low_goes_on_when_high_has_to_wait(self, context, device, new_event) -> None:
        high = ze.ze_command_queue_desc_t(
            mode=ze.ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, priority=ze.ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH
        )
        waiting = ze.zeCommandListCreateImmediate(context, device, high)
        plain = ze.zeCommandListCreateImmediate(context, device, ASYNCHRONOUS)
        gate = new_event()
        ze.zeCommandListAppendWaitOnEvents(waiting, [gate])
        ze.zeCommandListAppendSignalEvent(plain, gate)
        for each in (plain, waiting):
            assert ze.zeCommandListHostSynchronize(each, 10_000_000_000) == ze.ZE_RESULT_SUCCESS
            ze.zeCommandListDestroy(each)
