"""Memory and events that processes share."""

import os
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

from runtime import ze
from tests.unit.runtime.ze.conftest import ASYNCHRONOUS
from tests.unit.runtime.ze.expect import fails

HOST, DEVICE = ze.ze_host_mem_alloc_desc_t(), ze.ze_device_mem_alloc_desc_t()
IPC_POOL = ze.ze_event_pool_desc_t(ze.ZE_EVENT_POOL_FLAG_IPC | ze.ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP, 4)

PROLOGUE = """
import sys
import numpy as np
from runtime import ze
ze.zeInit()
(driver,) = ze.zeDriverGet()
device = ze.zeDeviceGet(driver)[0]
context = ze.zeContextCreate(driver, ze.ze_context_desc_t())
commands = ze.zeCommandListCreateImmediate(context, device, ze.ze_command_queue_desc_t(mode=1))
handle = bytes.fromhex(sys.argv[1])
"""


def child(program: str, handle: bytes) -> subprocess.Popen[str]:
    source = PROLOGUE + textwrap.dedent(program)
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", source, handle.hex()],
        stdout=subprocess.PIPE,
        stdin=subprocess.PIPE,
        text=True,
    )


def finish(process: subprocess.Popen[str]) -> str:
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    return output.strip()


class TestMemory:
    @pytest.mark.parametrize("size", [1, 4096, 100_001, (16 << 20) + 5])
    @pytest.mark.parametrize("kind", ["device", "host"])
    def test_contents_stay_and_are_shared(self, context, device, immediate, size: int, kind: str) -> None:
        """Both addresses show the same bytes, from before and after the handle was made."""
        alloc = ze.zeMemAllocDevice if kind == "device" else ze.zeMemAllocHost
        address = alloc(context, DEVICE, size, 0, device) if kind == "device" else alloc(context, HOST, size, 0)
        data = np.random.default_rng(size).integers(0, 256, size, np.uint8)
        ze.zeCommandListAppendMemoryCopy(immediate, address, data, size)
        handle = ze.zeMemGetIpcHandle(context, address)
        assert len(handle) == 64
        opened = ze.zeMemOpenIpcHandle(context, device, handle)
        found = np.empty_like(data)
        ze.zeCommandListAppendMemoryCopy(immediate, found, opened, size)
        np.testing.assert_array_equal(found, data)
        ze.zeCommandListAppendMemoryFill(immediate, opened, b"\x55", 1, size)
        ze.zeCommandListAppendMemoryCopy(immediate, found, address, size)
        assert (found == 0x55).all()
        assert ze.zeMemGetAddressRange(context, opened) == (opened, size)
        assert ze.zeMemGetIpcHandle(context, address) == handle
        ze.zeMemCloseIpcHandle(context, opened)
        ze.zeMemFree(context, address)

    def test_each_opening_has_its_address(self, context, device) -> None:
        """Opened memory is closed, allocated memory freed; neither takes the other's place."""
        files = len(os.listdir("/proc/self/fd"))
        address = ze.zeMemAllocDevice(context, DEVICE, 4096, 0, device)
        handle = ze.zeMemGetIpcHandle(context, address)
        opened = [ze.zeMemOpenIpcHandle(context, device, handle) for _ in range(3)]
        assert len({address, *opened}) == 4
        with fails("INVALID_ARGUMENT", "opened"):
            ze.zeMemFree(context, opened[0])
        with fails("INVALID_ARGUMENT", "allocated"):
            ze.zeMemCloseIpcHandle(context, address)
        ze.zeMemFree(context, address)
        with fails("INVALID_ARGUMENT", "no longer"):
            ze.zeMemOpenIpcHandle(context, device, handle)
        ze.zeMemPutIpcHandle(context, handle)
        for pointer in opened:
            ze.zeMemCloseIpcHandle(context, pointer)
        assert len(os.listdir("/proc/self/fd")) == files

    def test_another_process_reads_and_writes(self, context, device, immediate) -> None:
        address = ze.zeMemAllocDevice(context, DEVICE, 4000, 0, device)
        data = np.arange(1000, dtype=np.int32)
        ze.zeCommandListAppendMemoryCopy(immediate, address, data, 4000)
        process = child(
            """
            pointer = ze.zeMemOpenIpcHandle(context, device, handle)
            found = np.empty(1000, np.int32)
            ze.zeCommandListAppendMemoryCopy(commands, found, pointer, 4000)
            print((found == np.arange(1000)).all())
            ze.zeCommandListAppendMemoryCopy(commands, pointer, found * 2, 4000)
            ze.zeMemCloseIpcHandle(context, pointer)
            """,
            ze.zeMemGetIpcHandle(context, address),
        )
        assert finish(process) == "True"
        ze.zeCommandListAppendMemoryCopy(immediate, data, address, 4000)
        np.testing.assert_array_equal(data, np.arange(1000) * 2)
        ze.zeMemFree(context, address)

    def test_a_sent_descriptor_takes_the_place_of_the_first(self, context, device) -> None:
        """Programs send the descriptor itself, and put the number that it has then into the handle."""
        address = ze.zeMemAllocDevice(context, DEVICE, 64, 0, device)
        handle = ze.zeMemGetIpcHandle(context, address)
        sent = os.dup(int.from_bytes(handle[:4], "little"))
        opened = ze.zeMemOpenIpcHandle(context, device, sent.to_bytes(4, "little") + handle[4:])
        os.close(sent)
        ze.zeMemCloseIpcHandle(context, opened)
        ze.zeMemFree(context, address)

    def test_what_cannot_be_shared(self, context, device) -> None:
        address = ze.zeMemAllocDevice(context, DEVICE, 64, 0, device)
        with fails("INVALID_ARGUMENT", "inside"):
            ze.zeMemGetIpcHandle(context, address + 8)
        shared = ze.zeMemAllocShared(context, DEVICE, HOST, 64, 0)
        with fails("INVALID_ARGUMENT", "shared"):
            ze.zeMemGetIpcHandle(context, shared)

    @pytest.mark.parametrize("handle", [b"", bytes(64), b"x" * 64, bytes(63)])
    def test_what_is_no_handle(self, context, device, handle: bytes) -> None:
        for call in (
            lambda: ze.zeMemOpenIpcHandle(context, device, handle),
            lambda: ze.zeMemPutIpcHandle(context, handle),
            lambda: ze.zeEventPoolOpenIpcHandle(context, handle),
            lambda: ze.zeEventPoolPutIpcHandle(context, handle),
        ):
            with fails("INVALID_ARGUMENT"):
                call()

    def test_no_command_is_disturbed(self, context, device, kernel, simulator, monkeypatch) -> None:
        """While a kernel runs, its memory is not replaced beneath it: the call waits, and gives up in the end."""
        monkeypatch.setattr("runtime.ze.driver.memory.sharing._PATIENCE_SECONDS", 0.05)
        address = ze.zeMemAllocDevice(context, DEVICE, 64, 0, device)
        go, started = threading.Event(), threading.Event()

        def run(dispatch: object, memory: object) -> None:
            started.set()
            go.wait(10)

        simulator.behaviours["empty"] = run
        commands = ze.zeCommandListCreateImmediate(context, device, ASYNCHRONOUS)
        ze.zeCommandListAppendLaunchKernel(commands, kernel("empty"), ze.ze_group_count_t(1))
        started.wait(10)
        with fails("HANDLE_OBJECT_IN_USE"):
            ze.zeMemGetIpcHandle(context, address)
        monkeypatch.setattr("runtime.ze.driver.memory.sharing._PATIENCE_SECONDS", 10)
        threading.Timer(0.05, go.set).start()
        ze.zeMemGetIpcHandle(context, address)
        assert go.is_set()
        ze.zeCommandListHostSynchronize(commands)
        ze.zeCommandListDestroy(commands)
        ze.zeMemFree(context, address)


class TestEventPools:
    def test_events_at_one_place_are_one_event(self, context) -> None:
        pool = ze.zeEventPoolCreate(context, IPC_POOL)
        opened = ze.zeEventPoolOpenIpcHandle(context, ze.zeEventPoolGetIpcHandle(pool))
        assert opened is not pool
        first, same = (ze.zeEventCreate(each, ze.ze_event_desc_t(2)) for each in (pool, opened))
        assert ze.zeEventQueryStatus(same) == ze.ZE_RESULT_NOT_READY
        ze.zeEventHostSignal(first)
        assert ze.zeEventQueryStatus(same) == ze.ZE_RESULT_SUCCESS
        late = ze.zeEventCreate(
            ze.zeEventPoolOpenIpcHandle(context, ze.zeEventPoolGetIpcHandle(pool)), ze.ze_event_desc_t(2)
        )
        assert ze.zeEventQueryStatus(late) == ze.ZE_RESULT_SUCCESS
        ze.zeEventHostReset(same)
        assert ze.zeEventQueryStatus(first) == ze.ZE_RESULT_NOT_READY
        with fails("INVALID_ARGUMENT", "close it instead"):
            ze.zeEventPoolDestroy(opened)
        with fails("INVALID_ARGUMENT", "destroy it instead"):
            ze.zeEventPoolCloseIpcHandle(pool)
        ze.zeEventPoolCloseIpcHandle(opened)
        assert not same.alive and first.alive, "the events of this process end with the pool"
        for event in (first, late):
            ze.zeEventDestroy(event)
        ze.zeEventPoolCloseIpcHandle(late.pool)
        ze.zeEventPoolDestroy(pool)

    def test_only_with_the_flag(self, context) -> None:
        pool = ze.zeEventPoolCreate(context, ze.ze_event_pool_desc_t(ze.ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 1))
        with fails("UNSUPPORTED_FEATURE", "IPC"):
            ze.zeEventPoolGetIpcHandle(pool)

    def test_between_processes(self, context, device, immediate) -> None:
        """The child waits for a list of ours, and we for one of the child's; it sees the times of the command."""
        pool = ze.zeEventPoolCreate(context, IPC_POOL)
        ours, theirs = (ze.zeEventCreate(pool, ze.ze_event_desc_t(index)) for index in (0, 1))
        process = child(
            """
            pool = ze.zeEventPoolOpenIpcHandle(context, handle)
            theirs, ours = (ze.zeEventCreate(pool, ze.ze_event_desc_t(index)) for index in (0, 1))
            print("ready", flush=True)
            waiting = ze.zeCommandListCreateImmediate(context, device, ze.ze_command_queue_desc_t(mode=2))
            ze.zeCommandListAppendBarrier(waiting, ours, [theirs])
            ze.zeCommandListHostSynchronize(waiting)
            times = ze.zeEventQueryKernelTimestamp(theirs).global_
            print(times.kernelEnd >= times.kernelStart > 0, ze.zeEventQueryStatus(theirs).name)
            ze.zeCommandListDestroy(waiting)
            ze.zeEventDestroy(ours), ze.zeEventDestroy(theirs)
            ze.zeEventPoolCloseIpcHandle(pool)
            """,
            ze.zeEventPoolGetIpcHandle(pool),
        )
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        assert ze.zeEventHostSynchronize(theirs, 50_000_000) == ze.ZE_RESULT_NOT_READY
        start = time.monotonic()
        ze.zeCommandListAppendBarrier(immediate, ours)
        assert ze.zeEventHostSynchronize(theirs, 30_000_000_000) == ze.ZE_RESULT_SUCCESS
        assert time.monotonic() - start < 20
        assert finish(process) == "True ZE_RESULT_SUCCESS"
        ze.zeEventDestroy(ours)
        ze.zeEventDestroy(theirs)
        ze.zeEventPoolDestroy(pool)
