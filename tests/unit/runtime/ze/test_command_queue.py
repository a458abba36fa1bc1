"""Command queues: modes, order, asynchrony, faults."""

import signal
import subprocess
import sys
import threading
import time

import pytest

from runtime import ze
from tests.paths import ROOT
from tests.unit.runtime.ze.conftest import ASYNCHRONOUS, SYNCHRONOUS
from tests.unit.runtime.ze.expect import fails
from tests.unit.runtime.ze.kernels import fault

READY, NOT_READY = ze.ZE_RESULT_SUCCESS, ze.ZE_RESULT_NOT_READY
ONE = ze.ze_group_count_t(1)


@pytest.fixture
def new_queue(context, device):
    """Makes queues; they are closed at the end."""
    queues = []

    def make(desc: ze.ze_command_queue_desc_t = ASYNCHRONOUS) -> ze.ze_command_queue_handle_t:
        queues.append(ze.zeCommandQueueCreate(context, device, desc))
        return queues[-1]

    yield make
    for queue in queues:
        queue.stream.close()


@pytest.fixture
def closed(new_list):
    """Makes closed lists: appends what the given functions say."""

    def make(*appends) -> ze.ze_command_list_handle_t:
        command_list = new_list()
        for append in appends:
            append(command_list)
        ze.zeCommandListClose(command_list)
        return command_list

    return make


def signals(event):
    return lambda command_list: ze.zeCommandListAppendSignalEvent(command_list, event)


def wait(*events):
    return lambda command_list: ze.zeCommandListAppendWaitOnEvents(command_list, events)


def launch(kernel, event=None, waits=None):
    return lambda command_list: ze.zeCommandListAppendLaunchKernel(command_list, kernel, ONE, event, waits)


class TestExecute:
    def test_no_lists(self, queue) -> None:
        with fails("INVALID_NULL_POINTER"):
            ze.zeCommandQueueExecuteCommandLists(queue, None)
        with fails("INVALID_SIZE"):
            ze.zeCommandQueueExecuteCommandLists(queue, [])
        with fails("INVALID_NULL_HANDLE"):
            ze.zeCommandQueueExecuteCommandLists(queue, [None])

    def test_open_list(self, queue, new_list) -> None:
        with fails("INVALID_ARGUMENT", "not closed"):
            ze.zeCommandQueueExecuteCommandLists(queue, [new_list()])

    def test_list_of_another_kind(self, queue, immediate, context, device) -> None:
        copies = ze.zeCommandListCreate(context, device, ze.ze_command_list_desc_t(1))
        ze.zeCommandListClose(copies)
        with fails("INVALID_COMMAND_LIST_TYPE", "of group 1"):
            ze.zeCommandQueueExecuteCommandLists(queue, [copies])
        with fails("INVALID_COMMAND_LIST_TYPE", "is immediate"):
            ze.zeCommandQueueExecuteCommandLists(queue, [immediate])

    @pytest.mark.usefixtures("validated")
    def test_list_of_another_context_or_device(self, queue, driver, context, device) -> None:
        elsewhere = ze.zeContextCreate(driver, ze.ze_context_desc_t())
        for owner, gpu in ((elsewhere, device), (context, ze.zeDeviceGet(driver)[1])):
            foreign = ze.zeCommandListCreate(owner, gpu, ze.ze_command_list_desc_t())
            ze.zeCommandListClose(foreign)
            with fails("INVALID_ARGUMENT", "belongs to <context" if owner is elsewhere else "of another driver"):
                ze.zeCommandQueueExecuteCommandLists(queue, [foreign])

    def test_lists_run_in_order(self, queue, closed, kernel, simulator) -> None:
        """Across the lists of a call, and across calls."""
        order: list[str] = []
        for name in ("empty", "wide", "sized"):
            simulator.behaviours[name] = lambda dispatch, memory, name=name: order.append(name)
        first = closed(launch(kernel("wide")), launch(kernel("empty")))
        second = closed(launch(kernel("sized")))
        ze.zeCommandQueueExecuteCommandLists(queue, [first, second])
        ze.zeCommandQueueSynchronize(queue)
        ze.zeCommandQueueExecuteCommandLists(queue, [second, first])
        ze.zeCommandQueueSynchronize(queue)
        assert order == ["wide", "empty", "sized", "sized", "wide", "empty"]

    def test_empty_list_completes(self, queue, closed) -> None:
        fence = ze.zeFenceCreate(queue, ze.ze_fence_desc_t())
        ze.zeCommandQueueExecuteCommandLists(queue, [closed()], fence)
        assert ze.zeFenceHostSynchronize(fence, 10**10) == READY

    def test_parts_of_a_refused_call_do_not_run(self, queue, closed, new_list, kernel, simulator) -> None:
        good = closed(launch(kernel("empty")))
        with fails("INVALID_ARGUMENT"):
            ze.zeCommandQueueExecuteCommandLists(queue, [good, new_list()])
        ze.zeCommandQueueSynchronize(queue)
        assert simulator.dispatches == []
        ze.zeCommandListDestroy(good)


class TestModes:
    @pytest.mark.parametrize("mode", [0, 2])
    def test_asynchronous_execute_returns_before_the_events(self, new_queue, closed, new_event, mode: int) -> None:
        """Commands in front of a blocked wait run, and their effects show without any call on the queue."""
        queue = new_queue(ze.ze_command_queue_desc_t(mode=mode))
        before, gate, after = new_event(), new_event(), new_event()
        ze.zeCommandQueueExecuteCommandLists(queue, [closed(signals(before), wait(gate), signals(after))])
        assert ze.zeEventHostSynchronize(before, 10**10) == READY
        assert ze.zeEventQueryStatus(after) == NOT_READY
        assert ze.zeCommandQueueSynchronize(queue, 5_000_000) == NOT_READY
        ze.zeEventHostSignal(gate)
        assert ze.zeCommandQueueSynchronize(queue) == READY
        assert ze.zeEventQueryStatus(after) == READY

    def test_synchronous_execute_blocks_until_done(self, new_queue, closed, new_event) -> None:
        queue = new_queue(SYNCHRONOUS)
        before, gate = new_event(), new_event()
        command_list = closed(signals(before), wait(gate))
        thread = threading.Thread(target=ze.zeCommandQueueExecuteCommandLists, args=(queue, [command_list]))
        thread.start()
        assert ze.zeEventHostSynchronize(before, 10**10) == READY
        thread.join(0.02)
        assert thread.is_alive()
        ze.zeEventHostSignal(gate)
        thread.join(10)
        assert not thread.is_alive()
        assert ze.zeCommandQueueSynchronize(queue, 0) == READY

    def test_threads_share_a_synchronous_queue(self, new_queue, closed, kernel, simulator) -> None:
        queue = new_queue(SYNCHRONOUS)
        lists = [closed(*[launch(kernel("empty"))] * 10) for _ in range(8)]
        threads = [
            threading.Thread(target=ze.zeCommandQueueExecuteCommandLists, args=(queue, [command_list]))
            for command_list in lists
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert len(simulator.dispatches) == 80


class TestAcrossQueues:
    def test_the_waiting_queue_is_submitted_first(self, new_queue, closed, new_event, kernel, simulator) -> None:
        order: list[str] = []
        for name in ("empty", "wide"):
            simulator.behaviours[name] = lambda dispatch, memory, name=name: order.append(name)
        event = new_event()
        waiting, signaling = new_queue(), new_queue()
        ze.zeCommandQueueExecuteCommandLists(waiting, [closed(launch(kernel("wide"), None, [event]))])
        ze.zeCommandQueueExecuteCommandLists(signaling, [closed(launch(kernel("empty"), event))])
        ze.zeCommandQueueSynchronize(waiting)
        assert order == ["empty", "wide"]
        ze.zeCommandQueueSynchronize(signaling)

    def test_queues_run_at_the_same_time(self, new_queue, closed, kernel, simulator) -> None:
        """Two kernels on two queues meet, which they could not if one ran after the other."""
        meeting = threading.Barrier(2, timeout=10)
        simulator.behaviours["empty"] = lambda dispatch, memory: meeting.wait()
        queues = [new_queue(), new_queue()]
        for queue in queues:
            ze.zeCommandQueueExecuteCommandLists(queue, [closed(launch(kernel("empty")))])
        for queue in queues:
            assert ze.zeCommandQueueSynchronize(queue) == READY

    def test_event_between_devices(self, driver, context, device, new_event, queue, closed) -> None:
        other = ze.zeDeviceGet(driver)[1]
        there = ze.zeCommandListCreateImmediate(context, other, ASYNCHRONOUS)
        event, reply = new_event(), new_event()
        ze.zeCommandListAppendBarrier(there, reply, [event])
        ze.zeCommandQueueExecuteCommandLists(queue, [closed(signals(event), wait(reply))])
        assert ze.zeCommandQueueSynchronize(queue, 10**10) == READY
        ze.zeCommandListHostSynchronize(there)
        ze.zeCommandListDestroy(there)

    def test_regular_and_immediate_list_take_turns(self, immediate, queue, closed, new_event) -> None:
        first, second = new_event(), new_event()
        ze.zeCommandQueueExecuteCommandLists(queue, [closed(wait(first), signals(second))])
        ze.zeCommandListAppendSignalEvent(immediate, first)
        ze.zeCommandListAppendWaitOnEvents(immediate, [second])
        assert ze.zeCommandQueueSynchronize(queue) == READY

    def test_a_ring_of_queues(self, new_queue, closed, new_event) -> None:
        """A token goes around many queues; nobody deadlocks."""
        events = [new_event() for _ in range(9)]
        queues = [new_queue() for _ in range(8)]
        for queue, ahead, behind in zip(reversed(queues), reversed(events[:-1]), reversed(events[1:]), strict=True):
            ze.zeCommandQueueExecuteCommandLists(queue, [closed(wait(ahead), signals(behind))])
        ze.zeEventHostSignal(events[0])
        assert ze.zeEventHostSynchronize(events[-1], 10**10) == READY
        for queue in queues:
            assert ze.zeCommandQueueSynchronize(queue, 10**10) == READY


class TestDestroy:
    @pytest.mark.usefixtures("validated")
    def test_not_while_it_executes(self, new_queue, closed, new_event) -> None:
        queue, gate = new_queue(), new_event()
        ze.zeCommandQueueExecuteCommandLists(queue, [closed(wait(gate))])
        with fails("HANDLE_OBJECT_IN_USE", "executing"):
            ze.zeCommandQueueDestroy(queue)
        ze.zeEventHostSignal(gate)
        ze.zeCommandQueueSynchronize(queue)
        ze.zeCommandQueueDestroy(queue)

    def test_event_state_survives(self, new_queue, closed, new_event) -> None:
        queue, event = new_queue(), new_event()
        command_list = closed(signals(event))
        ze.zeCommandQueueExecuteCommandLists(queue, [command_list])
        ze.zeCommandQueueSynchronize(queue)
        ze.zeCommandQueueDestroy(queue)
        ze.zeCommandListDestroy(command_list)
        assert ze.zeEventQueryStatus(event) == READY


class TestFault:
    @pytest.fixture(autouse=True)
    def broken_kernel(self, simulator) -> None:
        def break_down(dispatch, memory):
            raise fault("wide")

        simulator.behaviours["wide"] = break_down

    def test_asynchronous(self, queue, closed, kernel, new_event, simulator, driver) -> None:
        """The next synchronize says that the device is lost and why; what came after the fault never ran."""
        after = new_event()
        broken = closed(launch(kernel("wide")), launch(kernel("empty"), after))
        fence = ze.zeFenceCreate(queue, ze.ze_fence_desc_t())
        ze.zeCommandQueueExecuteCommandLists(queue, [broken], fence)
        with fails("DEVICE_LOST", "out-of-bounds access in kernel 'wide'", "nearest allocation"):
            ze.zeCommandQueueSynchronize(queue)
        assert "kernel 'wide'" in ze.zeDriverGetLastErrorDescription(driver)
        assert len(simulator.dispatches) == 1
        for call in (
            lambda: ze.zeFenceHostSynchronize(fence, 0),
            lambda: ze.zeEventHostSynchronize(after),
            lambda: ze.zeCommandQueueExecuteCommandLists(queue, [broken]),
            lambda: ze.zeDeviceSynchronize(queue.device),
        ):
            with fails("DEVICE_LOST", "kernel 'wide'"):
                call()
        ze.zeFenceDestroy(fence)
        ze.zeCommandListDestroy(broken)
        ze.zeCommandQueueDestroy(queue)

    def test_synchronous(self, new_queue, closed, kernel) -> None:
        with fails("DEVICE_LOST", "kernel 'wide'"):
            ze.zeCommandQueueExecuteCommandLists(new_queue(SYNCHRONOUS), [closed(launch(kernel("wide")))])

    def test_immediate(self, immediate, kernel) -> None:
        with fails("DEVICE_LOST", "kernel 'wide'"):
            ze.zeCommandListAppendLaunchKernel(immediate, kernel("wide"), ONE)
        with fails("DEVICE_LOST", "kernel 'wide'"):
            ze.zeCommandListAppendBarrier(immediate)

    def test_abandons_other_queues_of_the_device_only(
        self, driver, context, new_queue, closed, kernel, new_event
    ) -> None:
        gate = new_event()
        blocked = new_queue()
        ze.zeCommandQueueExecuteCommandLists(blocked, [closed(wait(gate))])
        ze.zeCommandQueueExecuteCommandLists(new_queue(), [closed(launch(kernel("wide")))])
        with fails("DEVICE_LOST"):
            ze.zeCommandQueueSynchronize(blocked)
        other = ze.zeCommandListCreateImmediate(context, ze.zeDeviceGet(driver)[1], SYNCHRONOUS)
        ze.zeCommandListAppendSignalEvent(other, gate)
        assert ze.zeEventQueryStatus(gate) == READY

    def test_creation_fails_on_a_lost_device(self, immediate, kernel, context, device, module) -> None:
        with fails("DEVICE_LOST"):
            ze.zeCommandListAppendLaunchKernel(immediate, kernel("wide"), ONE)
        for call in (
            lambda: ze.zeCommandQueueCreate(context, device, ASYNCHRONOUS),
            lambda: ze.zeCommandListCreate(context, device, ze.ze_command_list_desc_t()),
            lambda: ze.zeKernelCreate(module, ze.ze_kernel_desc_t("empty")),
        ):
            with fails("DEVICE_LOST"):
                call()

    def test_error_in_the_runtime_itself_reaches_the_waiter(self, queue, closed, kernel, simulator) -> None:
        """Whatever goes wrong in a worker, the host does not wait forever, and the queue goes on afterwards."""

        def run_out_of_memory(dispatch, memory):
            raise MemoryError("no more")

        simulator.behaviours["empty"] = run_out_of_memory
        ze.zeCommandQueueExecuteCommandLists(queue, [closed(launch(kernel("empty")))])
        with fails("DEVICE_LOST", "no more"):
            ze.zeCommandQueueSynchronize(queue)
        queue.device.processor.recover()
        simulator.behaviours.clear()
        ze.zeCommandQueueExecuteCommandLists(queue, [closed(launch(kernel("empty")))])
        assert ze.zeCommandQueueSynchronize(queue, 10**10) == ze.ZE_RESULT_SUCCESS


class TestInterrupt:
    def test_a_waiting_caller_leaves_nothing_behind(self, immediate, new_event, kernel, simulator) -> None:
        """Ctrl-C in a synchronous append takes the command back, and the list stays usable."""
        gate = new_event()
        before = signal.signal(signal.SIGALRM, signal.default_int_handler)
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(KeyboardInterrupt):
            ze.zeCommandListAppendLaunchKernel(immediate, kernel("empty"), ONE, None, [gate])
        signal.signal(signal.SIGALRM, before)
        ze.zeEventHostSignal(gate)
        ze.zeEventDestroy(gate)
        assert simulator.dispatches == []
        ze.zeCommandListAppendLaunchKernel(immediate, kernel("empty"), ONE)
        assert len(simulator.dispatches) == 1


UNFINISHED = """
from runtime import ze
from runtime.ze.driver.execution.stream import _workers
from runtime.ze.driver.system.driver import Driver
from tests.unit.runtime.ze.kernels import ScriptedSimulator
from xegpu.targets import PVC

driver = Driver((PVC,), ScriptedSimulator)
(device,) = ze.zeDeviceGet(driver)
context = ze.zeContextCreate(driver, ze.ze_context_desc_t())
pool = ze.zeEventPoolCreate(context, ze.ze_event_pool_desc_t())
gate = ze.zeEventCreate(pool, ze.ze_event_desc_t())
for _ in range(4):
    command_list = ze.zeCommandListCreateImmediate(context, device, ze.ze_command_queue_desc_t())
    ze.zeCommandListAppendBarrier(command_list, None, [gate])
device.machine.wait(lambda: len(_workers) == 4, 10**10)
print(len(_workers))
"""


def test_interpreter_exits_with_work_pending() -> None:
    """Queues that wait for an event that never comes do not keep the process alive, and it ends without noise."""
    command = [sys.executable, "-c", UNFINISHED]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, cwd=ROOT)
    assert (done.returncode, done.stdout, done.stderr) == (0, "4\n", "")


def test_stress(new_queue, closed, new_event, kernel, simulator) -> None:
    """Eight host threads, each with its queue, hand a token around many times."""
    count = 8
    lock, total = threading.Lock(), [0]

    def work(dispatch, memory):
        with lock:
            total[0] += 1

    simulator.behaviours["empty"] = work
    events = [[new_event() for _ in range(count)] for _ in range(10)]
    failures: list[BaseException] = []

    def host(number: int) -> None:
        try:
            queue = new_queue()
            for round_events in events:
                mine, next_one = round_events[number], round_events[(number + 1) % count]
                command_list = closed(launch(kernel("empty"), mine), wait(next_one))
                ze.zeCommandQueueExecuteCommandLists(queue, [command_list])
                assert ze.zeCommandQueueSynchronize(queue, 30 * 10**9) == READY
        except BaseException as error:
            failures.append(error)
            raise

    threads = [threading.Thread(target=host, args=(number,)) for number in range(count)]
    start = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert failures == []
    assert total[0] == 80
    assert time.monotonic() - start < 60
