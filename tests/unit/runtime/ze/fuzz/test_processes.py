"""Two processes that share memory and events, many times over."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np

from runtime import ze
from runtime.ze.driver.system.driver import simulated_driver
from xegpu.targets import PVC

ROUNDS = 50
NUMBERS = 256
PATIENCE = 60_000_000_000

OTHER = """
import sys
import numpy as np
from runtime import ze
from runtime.ze.driver.system.driver import simulated_driver
from xegpu.targets import PVC

memory_handle, pool_handle = map(bytes.fromhex, sys.argv[1:3])
rounds, numbers, patience = map(int, sys.argv[3:])
driver = simulated_driver((PVC,), threads=1)
device = ze.zeDeviceGet(driver)[0]
context = ze.zeContextCreate(driver, ze.ze_context_desc_t())
memory = ze.zeMemOpenIpcHandle(context, device, memory_handle)
pool = ze.zeEventPoolOpenIpcHandle(context, pool_handle)
ping, pong = (ze.zeEventCreate(pool, ze.ze_event_desc_t(index)) for index in range(2))
queue = ze.zeCommandListCreateImmediate(context, device, ze.ze_command_queue_desc_t())
values = np.zeros(numbers, np.int32)
for _ in range(rounds):
    # The device waits for the other process, and answers.
    ze.zeCommandListAppendMemoryCopy(queue, values, memory, values.nbytes, None, [ping])
    ze.zeCommandListAppendEventReset(queue, ping)
    assert ze.zeCommandListHostSynchronize(queue, patience) == ze.ze_result_t.ZE_RESULT_SUCCESS
    values *= 2
    ze.zeCommandListAppendMemoryCopy(queue, memory, values, values.nbytes, pong)
    assert ze.zeCommandListHostSynchronize(queue, patience) == ze.ze_result_t.ZE_RESULT_SUCCESS
ze.zeCommandListDestroy(queue)
for event in (ping, pong):
    ze.zeEventDestroy(event)
ze.zeEventPoolCloseIpcHandle(pool)
ze.zeMemCloseIpcHandle(context, memory)
ze.zeContextDestroy(context)
"""


def test_ping_pong() -> None:
    """Numbers are doubled by the other process; no file is left open in this one."""
    driver = simulated_driver((PVC,), threads=1)
    device = ze.zeDeviceGet(driver)[0]
    device.charged()
    device.processor.recover()  # opens the card's counters, which stay open
    files = len(os.listdir("/proc/self/fd"))
    context = ze.zeContextCreate(driver, ze.ze_context_desc_t())
    memory = ze.zeMemAllocDevice(context, ze.ze_device_mem_alloc_desc_t(), 4 * NUMBERS, 0, device)
    flags = ze.ze_event_pool_flags_t
    desc = ze.ze_event_pool_desc_t(flags.ZE_EVENT_POOL_FLAG_IPC | flags.ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 2)
    pool = ze.zeEventPoolCreate(context, desc)
    ping, pong = (ze.zeEventCreate(pool, ze.ze_event_desc_t(index)) for index in range(2))
    mode = ze.ze_command_queue_mode_t.ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS
    commands = ze.zeCommandListCreateImmediate(context, device, ze.ze_command_queue_desc_t(mode=mode))
    handles = [ze.zeMemGetIpcHandle(context, memory).hex(), ze.zeEventPoolGetIpcHandle(pool).hex()]
    other = subprocess.Popen([sys.executable, "-c", OTHER, *handles, str(ROUNDS), str(NUMBERS), str(PATIENCE)])
    for turn in range(ROUNDS):
        values = np.arange(NUMBERS, dtype=np.int32) + turn
        ze.zeCommandListAppendMemoryCopy(commands, memory, values, values.nbytes)
        ze.zeEventHostSignal(ping)
        assert ze.zeEventHostSynchronize(pong, PATIENCE) == ze.ze_result_t.ZE_RESULT_SUCCESS
        ze.zeEventHostReset(pong)
        answer = np.zeros_like(values)
        ze.zeCommandListAppendMemoryCopy(commands, answer, memory, answer.nbytes)
        assert np.array_equal(answer, 2 * values)
    assert other.wait(60) == 0
    ze.zeCommandListDestroy(commands)
    for event in (ping, pong):
        ze.zeEventDestroy(event)
    ze.zeEventPoolDestroy(pool)
    ze.zeMemFree(context, memory)
    ze.zeContextDestroy(context)
    assert len(os.listdir("/proc/self/fd")) == files
