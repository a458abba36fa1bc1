"""Events and their pools, from the host's side."""

import threading
import time

import pytest

from runtime import ze
from tests.unit.runtime.ze.expect import fails
from tests.unit.runtime.ze.kernels import fault

READY, NOT_READY = ze.ZE_RESULT_SUCCESS, ze.ZE_RESULT_NOT_READY
FOREVER = ze.FOREVER


class TestPool:
    def test_count(self, context) -> None:
        for count in (0, -1):
            with fails("INVALID_SIZE"):
                ze.zeEventPoolCreate(context, ze.ze_event_pool_desc_t(count=count))

    @pytest.mark.usefixtures("validated")
    def test_parameters(self, context) -> None:
        with fails("INVALID_NULL_POINTER"):
            ze.zeEventPoolCreate(context, None)
        with fails("INVALID_ENUMERATION"):
            ze.zeEventPoolCreate(context, ze.ze_event_pool_desc_t(flags=16))

    def test_devices(self, driver, context) -> None:
        devices = ze.zeDeviceGet(driver)
        assert ze.zeEventPoolCreate(context, ze.ze_event_pool_desc_t()).devices == tuple(devices)
        assert ze.zeEventPoolCreate(context, ze.ze_event_pool_desc_t(), devices[1:]).devices == (devices[1],)

    @pytest.mark.usefixtures("validated")
    def test_destroy_after_its_events(self, new_event) -> None:
        event = new_event()
        with fails("HANDLE_OBJECT_IN_USE"):
            ze.zeEventPoolDestroy(event.pool)
        ze.zeEventDestroy(event)
        ze.zeEventPoolDestroy(event.pool)


class TestCreate:
    @pytest.fixture
    def pool(self, context):
        return ze.zeEventPoolCreate(context, ze.ze_event_pool_desc_t(count=2))

    def test_index(self, pool) -> None:
        ze.zeEventCreate(pool, ze.ze_event_desc_t(1))
        for index in (2, -1):
            with fails("INVALID_ARGUMENT", str(index)):
                ze.zeEventCreate(pool, ze.ze_event_desc_t(index))

    def test_a_place_is_taken_until_destroy(self, pool) -> None:
        event = ze.zeEventCreate(pool, ze.ze_event_desc_t(0))
        with fails("INVALID_ARGUMENT", "taken"):
            ze.zeEventCreate(pool, ze.ze_event_desc_t(0))
        ze.zeEventDestroy(event)
        ze.zeEventCreate(pool, ze.ze_event_desc_t(0))

    @pytest.mark.parametrize("scopes", [{"signal": 8}, {"wait": -1}])
    @pytest.mark.usefixtures("validated")
    def test_scopes(self, pool, scopes: dict[str, int]) -> None:
        ze.zeEventCreate(pool, ze.ze_event_desc_t(0, ze.ZE_EVENT_SCOPE_FLAG_HOST, ze.ZE_EVENT_SCOPE_FLAG_DEVICE))
        with fails("INVALID_ENUMERATION"):
            ze.zeEventCreate(pool, ze.ze_event_desc_t(1, **scopes))

    def test_null_descriptor(self, pool) -> None:
        with fails("INVALID_NULL_POINTER"):
            ze.zeEventCreate(pool, None)


class TestState:
    def test_signal_and_reset(self, new_event) -> None:
        """Not signaled at first; both moves may be repeated without effect."""
        event = new_event()
        assert ze.zeEventQueryStatus(event) == NOT_READY
        for _ in range(2):
            ze.zeEventHostSignal(event)
            assert ze.zeEventQueryStatus(event) == READY
            assert ze.zeEventHostSynchronize(event, 0) == READY
        for _ in range(2):
            ze.zeEventHostReset(event)
            assert ze.zeEventQueryStatus(event) == NOT_READY

    def test_only_the_one_that_is_signaled(self, new_event) -> None:
        events = [new_event() for _ in range(10)]
        ze.zeEventHostSignal(events[3])
        assert [ze.zeEventQueryStatus(event) == READY for event in events].index(True) == 3
        assert sum(ze.zeEventQueryStatus(event) == READY for event in events) == 1


class TestWaiting:
    @pytest.mark.parametrize("timeout", [FOREVER, FOREVER - 1, 10**10])
    def test_another_thread_signals(self, new_event, timeout: int) -> None:
        event = new_event()
        timer = threading.Timer(0.02, ze.zeEventHostSignal, [event])
        timer.start()
        assert ze.zeEventHostSynchronize(event, timeout) == READY
        timer.join()

    @pytest.mark.parametrize("milliseconds", [5, 50])
    def test_time_out(self, new_event, milliseconds: int) -> None:
        """Not ready, and not before the time is over."""
        event = new_event()
        start = time.monotonic_ns()
        assert ze.zeEventHostSynchronize(event, milliseconds * 1_000_000) == NOT_READY
        assert time.monotonic_ns() - start >= milliseconds * 1_000_000

    @pytest.mark.parametrize("timeout", [-1, 1 << 64, 0.5])
    def test_no_such_time(self, new_event, timeout: float) -> None:
        with fails("INVALID_ARGUMENT", "timeout"):
            ze.zeEventHostSynchronize(new_event(), timeout)

    def test_many_waiters(self, new_event) -> None:
        """One signal releases every thread that waits, those that poll included."""
        event = new_event()
        results: list[object] = []

        def poll() -> None:
            while ze.zeEventHostSynchronize(event, 0) == NOT_READY:
                time.sleep(0.001)
            results.append(READY)

        def wait() -> None:
            results.append(ze.zeEventHostSynchronize(event, FOREVER))

        threads = [threading.Thread(target=target) for target in (poll, wait) * 4]
        for thread in threads:
            thread.start()
        ze.zeEventHostSignal(event)
        for thread in threads:
            thread.join(10)
        assert results == [READY] * 8

    def test_device_lost_ends_the_wait(self, new_event, context, device, queue, kernel, new_list, simulator) -> None:
        """An event whose signaling command will never run does not hang the host."""

        def break_down(dispatch, memory):
            time.sleep(0.02)
            raise fault("empty")

        simulator.behaviours["empty"] = break_down
        event, command_list = new_event(), new_list()
        ze.zeCommandListAppendLaunchKernel(command_list, kernel("empty"), ze.ze_group_count_t(1), event)
        ze.zeCommandListClose(command_list)
        ze.zeCommandQueueExecuteCommandLists(queue, [command_list])
        with fails("DEVICE_LOST", "out-of-bounds access in kernel 'empty'"):
            ze.zeEventHostSynchronize(event, FOREVER)


class TestTimestamps:
    def test_of_a_kernel(self, new_event, immediate, kernel, device, simulator) -> None:
        """They are those of the device: how long the simulation takes does not matter."""
        simulator.behaviours["empty"] = lambda dispatch, memory: time.sleep(0.01)
        event = new_event()
        ze.zeCommandListAppendLaunchKernel(immediate, kernel("empty"), ze.ze_group_count_t(1), event)
        times = ze.zeEventQueryKernelTimestamp(event)
        resolution = ze.zeDeviceGetProperties(device).timerResolution
        duration = (times.global_.kernelEnd - times.global_.kernelStart) % (1 << 32) * resolution
        assert resolution <= duration < 1_000_000
        assert times.context == times.global_

    def test_commands_differ_in_time(self, new_event, immediate) -> None:
        first, second = new_event(), new_event()
        ze.zeCommandListAppendBarrier(immediate, first)
        ze.zeCommandListAppendBarrier(immediate, second)
        before, after = (ze.zeEventQueryKernelTimestamp(event).global_ for event in (first, second))
        assert 0 < before.kernelStart < before.kernelEnd < after.kernelStart < after.kernelEnd

    def test_need_a_signaled_event(self, new_event) -> None:
        event = new_event()
        with fails("NOT_READY"):
            ze.zeEventQueryKernelTimestamp(event)
        ze.zeEventHostSignal(event)
        ze.zeEventQueryKernelTimestamp(event)
        ze.zeEventHostReset(event)
        with fails("NOT_READY"):
            ze.zeEventQueryKernelTimestamp(event)

    def test_need_a_pool_that_has_them(self, context) -> None:
        event = ze.zeEventCreate(ze.zeEventPoolCreate(context, ze.ze_event_pool_desc_t()), ze.ze_event_desc_t())
        ze.zeEventHostSignal(event)
        with fails("INVALID_SYNCHRONIZATION_OBJECT", "timestamps"):
            ze.zeEventQueryKernelTimestamp(event)

    def test_of_the_device_that_the_command_ran_on(self, driver, device, context, immediate) -> None:
        flags = ze.ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP
        event = ze.zeEventCreate(ze.zeEventPoolCreate(context, ze.ze_event_pool_desc_t(flags)), ze.ze_event_desc_t())
        ze.zeCommandListAppendBarrier(immediate, event)
        other = next(found for found in ze.zeDeviceGet(driver) if found is not device)
        for query in (ze.zeEventQueryTimestampsExp, ze.zeEventQueryKernelTimestampsExt):
            assert [len(query(event, asked)) for asked in (device, other)] == [1, 0]
