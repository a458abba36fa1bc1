"""Copies and fills."""

import ml_dtypes
import numpy as np
import pytest

from runtime import ze
from tests.unit.runtime.ze.expect import fails

DEVICE, HOST = ze.ze_device_mem_alloc_desc_t(), ze.ze_host_mem_alloc_desc_t()
READY = ze.ZE_RESULT_SUCCESS


@pytest.fixture
def memory(context, device):
    """One allocation of each kind, 256 bytes."""
    return {
        "device": ze.zeMemAllocDevice(context, DEVICE, 256, 0, device),
        "host": ze.zeMemAllocHost(context, HOST, 256, 0),
        "shared": ze.zeMemAllocShared(context, DEVICE, HOST, 256, 0, device),
    }


@pytest.fixture(params=[0, 1], ids=["compute", "copy"])
def commands(request: pytest.FixtureRequest, context, device):
    """A synchronous immediate list on each queue group."""
    mode = ze.ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS
    return ze.zeCommandListCreateImmediate(context, device, ze.ze_command_queue_desc_t(request.param, mode=mode))


def contents(context, address: int) -> bytes:
    return bytes(context.usm(address).allocation.view())


class TestCopy:
    @pytest.mark.parametrize("source", ["device", "host", "shared"])
    @pytest.mark.parametrize("target", ["device", "host", "shared"])
    def test_between_allocations(self, commands, context, memory, source: str, target: str) -> None:
        pattern = np.arange(256, dtype=np.uint8)
        ze.zeCommandListAppendMemoryCopy(commands, memory[source], pattern, 256)
        ze.zeCommandListAppendMemoryCopy(commands, memory[target] + 16, memory[source] + 32, 64)
        copied = pattern[32:96].tobytes()
        assert contents(context, memory[target])[16:80] == copied

    def test_host_buffers(self, commands, context, memory) -> None:
        """Anything with contiguous bytes is host memory."""
        ze.zeCommandListAppendMemoryCopy(commands, memory["device"], b"abcdefgh", 8)
        for target in (bytearray(8), memoryview(bytearray(8)), np.empty((2, 2), ml_dtypes.bfloat16)):
            ze.zeCommandListAppendMemoryCopy(commands, target, np.uint64(memory["device"]), 8)
            assert (target.tobytes() if not isinstance(target, bytearray) else bytes(target)) == b"abcdefgh"

    def test_ranges_may_overlap(self, commands, context, memory) -> None:
        pattern = np.arange(256, dtype=np.uint8)
        for offset in (1, -1):
            ze.zeCommandListAppendMemoryCopy(commands, memory["host"], pattern, 256)
            source, target = memory["host"] + 100, memory["host"] + 100 + offset
            ze.zeCommandListAppendMemoryCopy(commands, target, source, 100)
            assert contents(context, memory["host"])[100 + offset : 200 + offset] == pattern[100:200].tobytes()

    def test_reads_when_it_runs(self, queue, new_list, context, memory) -> None:
        source, command_list = bytearray(b"before"), new_list()
        ze.zeCommandListAppendMemoryCopy(command_list, memory["device"], source, 6)
        ze.zeCommandListClose(command_list)
        source[:] = b"after!"
        ze.zeCommandQueueExecuteCommandLists(queue, [command_list])
        ze.zeCommandQueueSynchronize(queue)
        assert contents(context, memory["device"])[:6] == b"after!"

    def test_empty_copy_signals(self, commands, memory, new_event) -> None:
        event = new_event()
        ze.zeCommandListAppendMemoryCopy(commands, memory["device"], memory["host"], 0, event)
        assert ze.zeEventQueryStatus(event) == READY

    def test_waits_and_signals(self, context, device, memory, new_event) -> None:
        commands = ze.zeCommandListCreateImmediate(context, device, ze.ze_command_queue_desc_t())
        gate, done, target = new_event(), new_event(), bytearray(4)
        ze.zeCommandListAppendMemoryFill(commands, memory["device"], b"x", 1, 4, None, [gate])
        ze.zeCommandListAppendMemoryCopy(commands, target, memory["device"], 4, done)
        assert target == bytes(4)
        ze.zeEventHostSignal(gate)
        ze.zeEventHostSynchronize(done)
        assert target == b"xxxx"
        ze.zeCommandListHostSynchronize(commands)
        ze.zeCommandListDestroy(commands)

    def test_null(self, commands, memory) -> None:
        for target, source in ((None, memory["host"]), (memory["host"], None), (0, memory["host"])):
            with fails("INVALID_NULL_POINTER"):
                ze.zeCommandListAppendMemoryCopy(commands, target, source, 1)

    def test_range_must_be_in_one_allocation(self, commands, memory) -> None:
        target = memory["device"]
        for address, size in ((target + 1, 256), (target - 1, 4), (0x1000, 1), (target, 257)):
            with fails("INVALID_ARGUMENT", hex(address)):
                ze.zeCommandListAppendMemoryCopy(commands, address, bytes(512), size)
        with fails("INVALID_SIZE"):
            ze.zeCommandListAppendMemoryCopy(commands, target, bytes(4), -1)

    def test_host_buffer_must_do(self, commands, memory) -> None:
        address = memory["device"]
        with fails("INVALID_ARGUMENT", "srcptr has 4 bytes"):
            ze.zeCommandListAppendMemoryCopy(commands, address, bytes(4), 5)
        with fails("INVALID_ARGUMENT", "dstptr is read-only"):
            ze.zeCommandListAppendMemoryCopy(commands, bytes(8), address, 8)
        with fails("INVALID_ARGUMENT", "not a contiguous array"):
            ze.zeCommandListAppendMemoryCopy(commands, np.zeros((4, 4))[:, 1], address, 32)

    @pytest.mark.usefixtures("validated")
    def test_memory_of_another_context(self, driver, commands) -> None:
        other = ze.zeContextCreate(driver, ze.ze_context_desc_t())
        address = ze.zeMemAllocHost(other, HOST, 16, 0)
        with fails("INVALID_ARGUMENT"):
            ze.zeCommandListAppendMemoryCopy(commands, address, bytes(16), 16)

    def test_memory_freed_in_the_meantime(self, queue, new_list, context, memory) -> None:
        """It is reported instead of touched."""
        command_list = new_list()
        ze.zeCommandListAppendMemoryCopy(command_list, memory["device"], bytes(16), 16)
        ze.zeCommandListClose(command_list)
        ze.zeMemFree(context, memory["device"])
        ze.zeCommandQueueExecuteCommandLists(queue, [command_list])
        with fails("DEVICE_LOST", "freed", hex(memory["device"])):
            ze.zeCommandQueueSynchronize(queue)


class TestFill:
    @pytest.mark.parametrize("pattern", [b"a", b"ab", b"abcd", b"abcdefgh", b"abcdefghabcdefgh"])
    def test_repeats_the_pattern(self, commands, context, memory, pattern: bytes) -> None:
        size = len(pattern)
        ze.zeCommandListAppendMemoryFill(commands, memory["device"] + size, pattern, size, 64)
        assert contents(context, memory["device"])[size : size + 64] == pattern * (64 // size)

    @pytest.mark.parametrize("pattern", [b"a", b"aa", b"abcd", bytes(range(16))], ids=len)
    def test_long_fills(self, commands, context, device, pattern: bytes) -> None:
        """Longer than the part that is filled at a time, and no multiple of it."""
        size = (200 << 10) + 64
        memory = ze.zeMemAllocDevice(context, ze.ze_device_mem_alloc_desc_t(), size, 64, device)
        ze.zeCommandListAppendMemoryFill(commands, memory + 64, pattern, len(pattern), size - 64)
        data = bytearray(size)
        ze.zeCommandListAppendMemoryCopy(commands, data, memory, size)
        assert data == bytes(64) + pattern * ((size - 64) // len(pattern))

    def test_pattern_is_read_at_append(self, queue, new_list, context, memory) -> None:
        pattern, command_list = bytearray(b"ab"), new_list()
        ze.zeCommandListAppendMemoryFill(command_list, memory["device"], pattern, 2, 4)
        pattern[:] = b"xy"
        ze.zeCommandListClose(command_list)
        ze.zeCommandQueueExecuteCommandLists(queue, [command_list])
        ze.zeCommandQueueSynchronize(queue)
        assert contents(context, memory["device"])[:4] == b"abab"

    def test_empty_fill_signals(self, commands, memory, new_event) -> None:
        event = new_event()
        ze.zeCommandListAppendMemoryFill(commands, memory["device"], b"a", 1, 0, event)
        assert ze.zeEventQueryStatus(event) == READY

    @pytest.mark.parametrize("size", [0, -1, 3, 8])
    def test_pattern_size(self, commands, memory, size: int) -> None:
        with fails("INVALID_SIZE"):
            ze.zeCommandListAppendMemoryFill(commands, memory["device"], b"abcd", size, 24)

    def test_pattern_too_long_for_the_queue_group(self, context, device, memory) -> None:
        copies = ze.zeCommandListCreate(context, device, ze.ze_command_list_desc_t(1))
        with fails("INVALID_SIZE", "up to 16"):
            ze.zeCommandListAppendMemoryFill(copies, memory["device"], bytes(32), 32, 64)
        computes = ze.zeCommandListCreate(context, device, ze.ze_command_list_desc_t(0))
        ze.zeCommandListAppendMemoryFill(computes, memory["device"], bytes(32), 32, 64)

    def test_last_pattern_may_be_cut(self, context, commands, memory) -> None:
        ze.zeCommandListAppendMemoryFill(commands, memory["device"], b"\0", 1, 16)
        ze.zeCommandListAppendMemoryFill(commands, memory["device"] + 1, b"abcd", 4, 7)
        assert contents(context, memory["device"])[:10] == b"\0abcdabc\0\0"
        with fails("INVALID_ARGUMENT"):
            ze.zeCommandListAppendMemoryFill(commands, memory["device"], b"abcd", 4, -4)

    @pytest.mark.parametrize("size", [1 << 16, 1 << 17, (1 << 18) - 3])
    def test_long_patterns(self, context, immediate, size: int) -> None:
        """A compute queue has no limit; the pattern is longer than what is written at a time."""
        pattern = np.random.default_rng(size).integers(0, 256, 1 << 17, np.uint8).tobytes()
        address = ze.zeMemAllocHost(context, ze.ze_host_mem_alloc_desc_t(), size, 0)
        ze.zeCommandListAppendMemoryFill(immediate, address, pattern, len(pattern), size)
        assert bytes(contents(context, address)[:size]) == (2 * pattern)[:size]

    def test_null_and_unknown(self, commands, memory) -> None:
        with fails("INVALID_NULL_POINTER"):
            ze.zeCommandListAppendMemoryFill(commands, memory["device"], None, 1, 4)
        with fails("INVALID_NULL_POINTER"):
            ze.zeCommandListAppendMemoryFill(commands, None, b"a", 1, 4)
        with fails("INVALID_ARGUMENT"):
            ze.zeCommandListAppendMemoryFill(commands, 0x1000, b"a", 1, 4)
