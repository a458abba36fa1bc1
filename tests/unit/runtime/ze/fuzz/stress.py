"""Eight threads of one application at once: own lists and queues, shared events, memory and modules."""

from __future__ import annotations

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from runtime import ze
from runtime.simulator import Memory
from runtime.ze.driver.system.driver import simulated_driver
from tests.unit.runtime.ze import kernels
from xegpu.targets import ARC, PVC

THREADS = 8
SLOTS = 64
"""Numbers in the memory that all threads share, some for each."""

PATIENCE = 60_000_000_000
_SUCCESS = ze.ze_result_t.ZE_RESULT_SUCCESS


def _threads() -> set[threading.Thread]:
    """The threads that there are, without those that execute work-groups, which the process keeps."""
    return {thread for thread in threading.enumerate() if thread.name != "simulator"}


def _done(result: ze.ze_result_t) -> None:
    assert result == _SUCCESS, result


@dataclass
class Shared:
    """The objects that the threads share: a ring of events, each signaled by one thread for the next, and memory."""

    device: ze.ze_device_handle_t
    context: ze.ze_context_handle_t
    pool: ze.ze_event_pool_handle_t
    events: list[ze.ze_event_handle_t]
    memory: int
    module: ze.ze_module_handle_t

    @classmethod
    def make(cls, driver: ze.ze_driver_handle_t) -> Shared:
        device = ze.zeDeviceGet(driver)[0]
        context = ze.zeContextCreate(driver, ze.ze_context_desc_t())
        pool = ze.zeEventPoolCreate(context, ze.ze_event_pool_desc_t(1, THREADS))
        events = [ze.zeEventCreate(pool, ze.ze_event_desc_t(index)) for index in range(THREADS)]
        memory = ze.zeMemAllocShared(
            context, ze.ze_device_mem_alloc_desc_t(), ze.ze_host_mem_alloc_desc_t(), 4 * SLOTS, 0, device
        )
        native = ze.ze_module_format_t.ZE_MODULE_FORMAT_NATIVE
        binary = kernels.binary(kernels.EMPTY, kernels.WIDE)
        module, log = ze.zeModuleCreate(context, device, ze.ze_module_desc_t(native, binary))
        ze.zeModuleBuildLogDestroy(log)
        return cls(device, context, pool, events, memory, module)

    def destroy(self) -> None:
        """All of it; raises for what a thread has left behind."""
        for event in self.events:
            ze.zeEventDestroy(event)
        ze.zeEventPoolDestroy(self.pool)
        ze.zeModuleDestroy(self.module)
        ze.zeMemFree(self.context, self.memory)
        ze.zeContextDestroy(self.context)


class Worker:
    """One thread: records, executes, waits, and checks that its numbers came through its own memory unchanged."""

    def __init__(self, shared: Shared, number: int, seed: int) -> None:
        self.shared = shared
        self.number = number
        self.random = random.Random(seed * THREADS + number)

    def run(self, rounds: int) -> None:
        shared, device = self.shared, self.shared.device
        mode = self.random.choice(list(ze.ze_command_queue_mode_t))
        queue = ze.zeCommandQueueCreate(shared.context, device, ze.ze_command_queue_desc_t(mode=mode))
        fence = ze.zeFenceCreate(queue, ze.ze_fence_desc_t())
        kernel = ze.zeKernelCreate(shared.module, ze.ze_kernel_desc_t(self.random.choice(["empty", "wide"])))
        own = ze.zeMemAllocDevice(shared.context, ze.ze_device_mem_alloc_desc_t(), 4 * SLOTS, 0, device)
        for turn in range(rounds):
            self.turn(turn, queue, fence, kernel, own)
        ze.zeMemFree(shared.context, own)
        ze.zeKernelDestroy(kernel)
        ze.zeFenceDestroy(fence)
        ze.zeCommandQueueDestroy(queue)

    def turn(
        self,
        turn: int,
        queue: ze.ze_command_queue_handle_t,
        fence: ze.ze_fence_handle_t,
        kernel: ze.ze_kernel_handle_t,
        own: int,
    ) -> None:
        """Numbers go from the host to own memory, through shared memory and back, between a wait and a signal."""
        shared, first = self.shared, self.number * (SLOTS // THREADS)
        place, size = shared.memory + 4 * first, 4 * (SLOTS // THREADS)
        source = np.full(SLOTS // THREADS, turn * THREADS + self.number, np.int32)
        target = np.zeros_like(source)
        before, after = shared.events[self.number], shared.events[(self.number + 1) % THREADS]
        commands = ze.zeCommandListCreate(shared.context, shared.device, ze.ze_command_list_desc_t())
        ze.zeCommandListAppendWaitOnEvents(commands, [before])
        ze.zeCommandListAppendEventReset(commands, before)
        ze.zeCommandListAppendMemoryCopy(commands, own, source, size)
        ze.zeCommandListAppendLaunchKernel(commands, kernel, ze.ze_group_count_t(self.random.randint(1, 8)))
        ze.zeCommandListAppendMemoryCopy(commands, place, own, size)
        ze.zeCommandListAppendBarrier(commands)
        ze.zeCommandListAppendMemoryCopy(commands, target, place, size)
        ze.zeCommandListAppendSignalEvent(commands, after)
        ze.zeCommandListClose(commands)
        ze.zeCommandQueueExecuteCommandLists(queue, [commands], fence)
        if self.random.random() < 0.5:
            _done(ze.zeFenceHostSynchronize(fence, PATIENCE))
        _done(ze.zeCommandQueueSynchronize(queue, PATIENCE))
        _done(ze.zeFenceQueryStatus(fence))
        ze.zeFenceReset(fence)
        assert np.array_equal(source, target)
        ze.zeCommandListDestroy(commands)


def stress(rounds: int, seed: int = 0) -> None:
    """Threads pass the turn round the ring, `rounds` times; nothing is left of them in the end."""
    before = _threads()
    driver = simulated_driver((PVC, ARC), threads=1)
    shared = Shared.make(driver)
    memory: Memory = shared.context.machine.memory
    with ThreadPoolExecutor(THREADS) as pool:
        workers = [pool.submit(Worker(shared, number, seed).run, rounds) for number in range(THREADS)]
        ze.zeEventHostSignal(shared.events[0])
        for worker in workers:
            worker.result(PATIENCE / 1e9)
    _done(ze.zeEventQueryStatus(shared.events[0]))
    shared.destroy()
    assert memory.nearest(0) is None
    assert _threads() <= before
