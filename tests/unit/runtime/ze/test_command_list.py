"""Command lists: states, immediate lists, barriers and events in lists."""

import threading
import time

import pytest

from runtime import ze
from tests.unit.runtime.ze.conftest import ASYNCHRONOUS, SYNCHRONOUS
from tests.unit.runtime.ze.expect import fails

READY, NOT_READY = ze.ZE_RESULT_SUCCESS, ze.ZE_RESULT_NOT_READY


@pytest.fixture
def execute(queue):
    """Closes lists, executes them and waits."""

    def run(*lists: ze.ze_command_list_handle_t) -> None:
        for command_list in lists:
            ze.zeCommandListClose(command_list)
        ze.zeCommandQueueExecuteCommandLists(queue, lists)
        assert ze.zeCommandQueueSynchronize(queue, 10**10) == READY

    return run


class TestCreate:
    @pytest.mark.usefixtures("validated")
    def test_parameters(self, context, device) -> None:
        with fails("INVALID_NULL_POINTER"):
            ze.zeCommandListCreate(context, device, None)
        with fails("INVALID_ENUMERATION"):
            ze.zeCommandListCreate(context, device, ze.ze_command_list_desc_t(flags=64))
        for ordinal in (3, -1):
            with fails("INVALID_ARGUMENT", f"queue group {ordinal}"):
                ze.zeCommandListCreate(context, device, ze.ze_command_list_desc_t(ordinal))

    @pytest.mark.parametrize(
        ("desc", "result"),
        [
            (None, "INVALID_NULL_POINTER"),
            (ze.ze_command_queue_desc_t(flags=8), "INVALID_ENUMERATION"),
            (ze.ze_command_queue_desc_t(mode=3), "INVALID_ENUMERATION"),
            (ze.ze_command_queue_desc_t(priority=3), "INVALID_ENUMERATION"),
            (ze.ze_command_queue_desc_t(ordinal=3), "INVALID_ARGUMENT"),
            (ze.ze_command_queue_desc_t(index=1), "INVALID_ARGUMENT"),
        ],
    )
    @pytest.mark.parametrize("create", [ze.zeCommandListCreateImmediate, ze.zeCommandQueueCreate])
    @pytest.mark.usefixtures("validated")
    def test_queue_descriptors(self, create, context, device, desc, result: str) -> None:
        with fails(result):
            create(context, device, desc)


class TestStates:
    def test_closed_list_takes_no_commands(self, new_list) -> None:
        command_list = new_list()
        ze.zeCommandListAppendBarrier(command_list)
        ze.zeCommandListClose(command_list)
        ze.zeCommandListClose(command_list)
        with fails("INVALID_ARGUMENT", "closed"):
            ze.zeCommandListAppendBarrier(command_list)

    def test_reset_opens_and_empties(self, new_list, new_event, execute) -> None:
        """Nothing that was recorded before a reset happens, everything after it does."""
        command_list, before, after = new_list(), new_event(), new_event()
        ze.zeCommandListAppendSignalEvent(command_list, before)
        ze.zeCommandListClose(command_list)
        ze.zeCommandListReset(command_list)
        ze.zeCommandListAppendSignalEvent(command_list, after)
        execute(command_list)
        assert ze.zeEventQueryStatus(before) == NOT_READY
        assert ze.zeEventQueryStatus(after) == READY

    def test_executes_any_number_of_times(self, new_list, execute, kernel, simulator) -> None:
        command_list = new_list()
        ze.zeCommandListAppendLaunchKernel(command_list, kernel("empty"), ze.ze_group_count_t(1))
        for _ in range(3):
            execute(command_list)
        assert len(simulator.dispatches) == 3

    @pytest.mark.usefixtures("validated")
    def test_in_flight_it_is_left_alone(self, new_list, new_event, queue) -> None:
        """While it executes it is neither reset nor destroyed nor submitted again; afterwards it is."""
        command_list, gate = new_list(), new_event()
        ze.zeCommandListAppendWaitOnEvents(command_list, [gate])
        ze.zeCommandListClose(command_list)
        ze.zeCommandQueueExecuteCommandLists(queue, [command_list])
        for action in (ze.zeCommandListReset, ze.zeCommandListDestroy):
            with fails("HANDLE_OBJECT_IN_USE", "executing"):
                action(command_list)
        with fails("HANDLE_OBJECT_IN_USE"):
            ze.zeCommandQueueExecuteCommandLists(queue, [command_list])
        ze.zeEventHostSignal(gate)
        ze.zeCommandQueueSynchronize(queue)
        ze.zeCommandListReset(command_list)
        ze.zeCommandListDestroy(command_list)

    def test_synchronize_is_for_immediate_lists(self, new_list) -> None:
        with fails("INVALID_ARGUMENT", "not an immediate list"):
            ze.zeCommandListHostSynchronize(new_list(), 0)


class TestImmediate:
    def test_synchronous_append_is_done_on_return(self, immediate, kernel, simulator, new_event) -> None:
        event = new_event()
        ze.zeCommandListAppendLaunchKernel(immediate, kernel("empty"), ze.ze_group_count_t(1), event)
        assert len(simulator.dispatches) == 1
        assert ze.zeEventQueryStatus(event) == READY

    def test_close_and_reset_leave_it_usable(self, immediate, kernel, simulator) -> None:
        for action in (ze.zeCommandListClose, ze.zeCommandListReset):
            action(immediate)
            ze.zeCommandListAppendLaunchKernel(immediate, kernel("empty"), ze.ze_group_count_t(1))
        assert len(simulator.dispatches) == 2

    @pytest.mark.usefixtures("validated")
    def test_asynchronous_append_returns_at_once(self, context, device, new_event) -> None:
        command_list = ze.zeCommandListCreateImmediate(context, device, ASYNCHRONOUS)
        gate, done = new_event(), new_event()
        ze.zeCommandListAppendBarrier(command_list, done, [gate])
        assert ze.zeCommandListHostSynchronize(command_list, 0) == NOT_READY
        assert ze.zeCommandListHostSynchronize(command_list, 5_000_000) == NOT_READY
        with fails("HANDLE_OBJECT_IN_USE"):
            ze.zeCommandListDestroy(command_list)
        ze.zeEventHostSignal(gate)
        assert ze.zeCommandListHostSynchronize(command_list) == READY
        assert ze.zeEventQueryStatus(done) == READY
        ze.zeCommandListDestroy(command_list)

    def test_reset_waits_for_what_was_submitted(self, context, device, kernel, simulator) -> None:
        simulator.behaviours["empty"] = lambda dispatch, memory: time.sleep(0.02)
        command_list = ze.zeCommandListCreateImmediate(context, device, ASYNCHRONOUS)
        ze.zeCommandListAppendLaunchKernel(command_list, kernel("empty"), ze.ze_group_count_t(1))
        ze.zeCommandListReset(command_list)
        assert ze.zeCommandListHostSynchronize(command_list, 0) == READY
        ze.zeCommandListDestroy(command_list)

    def test_synchronous_append_blocks_on_events(self, immediate, new_event) -> None:
        gate = new_event()
        timer = threading.Timer(0.02, ze.zeEventHostSignal, [gate])
        timer.start()
        ze.zeCommandListAppendBarrier(immediate, None, [gate])
        assert ze.zeEventQueryStatus(gate) == READY
        timer.join()

    def test_threads_may_share_one(self, immediate, kernel, simulator) -> None:
        """Appends from many threads each run once."""
        empty = kernel("empty")

        def append() -> None:
            for _ in range(50):
                ze.zeCommandListAppendLaunchKernel(immediate, empty, ze.ze_group_count_t(1))

        threads = [threading.Thread(target=append) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert len(simulator.dispatches) == 400


class TestEvents:
    def test_signal_wait_reset_in_order(self, new_list, new_event, execute, kernel, simulator) -> None:
        """A list that resets its events at the end can be executed again."""
        command_list, event = new_list(), new_event()
        ze.zeCommandListAppendLaunchKernel(command_list, kernel("empty"), ze.ze_group_count_t(1), event)
        ze.zeCommandListAppendWaitOnEvents(command_list, [event])
        ze.zeCommandListAppendBarrier(command_list)
        ze.zeCommandListAppendEventReset(command_list, event)
        for _ in range(2):
            execute(command_list)
            assert ze.zeEventQueryStatus(event) == NOT_READY
        assert len(simulator.dispatches) == 2

    def test_wait_for_several_and_for_the_same_twice(self, immediate, new_event) -> None:
        events = [new_event() for _ in range(3)]
        for event in events:
            ze.zeEventHostSignal(event)
        ze.zeCommandListAppendWaitOnEvents(immediate, [*events, events[0]])
        assert all(ze.zeEventQueryStatus(event) == READY for event in events)

    def test_nothing_to_wait_for(self, new_list) -> None:
        with fails("INVALID_NULL_POINTER"):
            ze.zeCommandListAppendWaitOnEvents(new_list(), None)
        with fails("INVALID_SIZE"):
            ze.zeCommandListAppendWaitOnEvents(new_list(), [])

    @pytest.mark.usefixtures("validated")
    def test_events_of_another_context(self, driver, new_list) -> None:
        other = ze.zeContextCreate(driver, ze.ze_context_desc_t())
        event = ze.zeEventCreate(ze.zeEventPoolCreate(other, ze.ze_event_pool_desc_t()), ze.ze_event_desc_t())
        command_list = new_list()
        for append in (
            lambda: ze.zeCommandListAppendSignalEvent(command_list, event),
            lambda: ze.zeCommandListAppendEventReset(command_list, event),
            lambda: ze.zeCommandListAppendWaitOnEvents(command_list, [event]),
            lambda: ze.zeCommandListAppendBarrier(command_list, event),
            lambda: ze.zeCommandListAppendBarrier(command_list, None, [event]),
        ):
            with fails("INVALID_SYNCHRONIZATION_OBJECT", "belongs to <context"):
                append()
        assert command_list.commands == []

    def test_null_event_in_a_wait_list(self, new_list, new_event) -> None:
        with fails("INVALID_NULL_HANDLE"):
            ze.zeCommandListAppendBarrier(new_list(), None, [new_event(), None])

    @pytest.mark.usefixtures("validated")
    def test_pending_event_is_not_destroyed(self, new_event, queue, new_list) -> None:
        gate, command_list = new_event(), new_list()
        ze.zeCommandListAppendWaitOnEvents(command_list, [gate])
        ze.zeCommandListClose(command_list)
        ze.zeCommandQueueExecuteCommandLists(queue, [command_list])
        with fails("HANDLE_OBJECT_IN_USE", "pending"):
            ze.zeEventDestroy(gate)
        ze.zeEventHostSignal(gate)
        ze.zeCommandQueueSynchronize(queue)
        ze.zeEventDestroy(gate)


class TestBarriers:
    def test_signals_and_waits_even_when_empty(self, immediate, new_event) -> None:
        gate, first, second = new_event(), new_event(), new_event()
        ze.zeEventHostSignal(gate)
        ze.zeCommandListAppendBarrier(immediate)
        ze.zeCommandListAppendBarrier(immediate, first, [gate])
        ze.zeCommandListAppendMemoryRangesBarrier(immediate, [64], [0x1000], second, [first])
        assert ze.zeEventQueryStatus(second) == READY

    def test_ranges(self, immediate) -> None:
        with fails("INVALID_NULL_POINTER", "pRangeSizes"):
            ze.zeCommandListAppendMemoryRangesBarrier(immediate, None, [1])
        with fails("INVALID_NULL_POINTER", "pRanges"):
            ze.zeCommandListAppendMemoryRangesBarrier(immediate, [1], [0])
        with fails("INVALID_SIZE"):
            ze.zeCommandListAppendMemoryRangesBarrier(immediate, [1, 2], [0x1000])


class TestLaunch:
    def test_signals_without_groups(self, immediate, kernel, simulator, new_event) -> None:
        event = new_event()
        ze.zeCommandListAppendLaunchKernel(immediate, kernel("empty"), ze.ze_group_count_t(4, 0, 4), event)
        assert ze.zeEventQueryStatus(event) == READY
        assert simulator.dispatches[-1].group_count == (4, 0, 4)

    @pytest.mark.parametrize("count", [-1, 1 << 32])
    def test_group_count_is_32_bits(self, immediate, kernel, count: int) -> None:
        with fails("INVALID_ARGUMENT", "groupCountY"):
            ze.zeCommandListAppendLaunchKernel(immediate, kernel("empty"), ze.ze_group_count_t(1, count))

    def test_null_group_count(self, immediate, kernel) -> None:
        with fails("INVALID_NULL_POINTER", "pLaunchFuncArgs"):
            ze.zeCommandListAppendLaunchKernel(immediate, kernel("empty"), None)

    def test_copy_only_list(self, context, device, kernel) -> None:
        command_list = ze.zeCommandListCreate(context, device, ze.ze_command_list_desc_t(1))
        with fails("INVALID_COMMAND_LIST_TYPE", "only copies"):
            ze.zeCommandListAppendLaunchKernel(command_list, kernel("empty"), ze.ze_group_count_t(1))

    def test_list_of_another_device(self, driver, context, kernel) -> None:
        other = ze.zeDeviceGet(driver)[1]
        command_list = ze.zeCommandListCreateImmediate(context, other, SYNCHRONOUS)
        with fails("INVALID_ARGUMENT", "of another driver or device"):
            ze.zeCommandListAppendLaunchKernel(command_list, kernel("empty"), ze.ze_group_count_t(1))

    def test_with_arguments(self, immediate, kernel, simulator) -> None:
        """Arguments and size belong to the one launch, and the kernel stays as it was."""
        local = kernel("local")
        counts, sizes = ze.ze_group_count_t(2), ze.ze_group_size_t(4, 2)
        ze.zeCommandListAppendLaunchKernelWithArguments(immediate, local, counts, sizes, [64, b"\0\0\x80\x3f", 64])
        dispatch = simulator.dispatches[-1]
        assert (dispatch.group_count, dispatch.local_size, dispatch.slm_size) == ((2, 1, 1), (4, 2, 1), 1024)
        assert dispatch.cross_thread[16:24] == (64).to_bytes(8, "little")
        assert local.group_size == (1, 1, 1)
        with fails("INVALID_ARGUMENT", "argument 0 ('first')"):
            ze.zeCommandListAppendLaunchKernel(immediate, local, counts)

    def test_with_wrong_arguments(self, immediate, kernel) -> None:
        local, one = kernel("local"), ze.ze_group_count_t(1)
        append = ze.zeCommandListAppendLaunchKernelWithArguments
        with fails("INVALID_SIZE", "3 argument(s), 2 given"):
            append(immediate, local, one, ze.ze_group_size_t(1), [64, 1])
        with fails("INVALID_GROUP_SIZE_DIMENSION"):
            append(immediate, local, one, ze.ze_group_size_t(0), [64, 1, 64])
        for arguments in ((None, ze.ze_group_size_t(1), []), (one, None, []), (one, ze.ze_group_size_t(1), None)):
            with fails("INVALID_NULL_POINTER"):
                append(immediate, local, *arguments)
