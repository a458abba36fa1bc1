"""Unified shared memory."""

import threading
from collections.abc import Callable

import pytest

from runtime import ze
from runtime.ze.driver.system.driver import Driver
from tests.unit.runtime.ze.conftest import ASYNCHRONOUS
from tests.unit.runtime.ze.expect import fails
from tests.unit.runtime.ze.kernels import ScriptedSimulator
from xegpu.targets import PVC

DEVICE = ze.ze_device_mem_alloc_desc_t()
HOST = ze.ze_host_mem_alloc_desc_t()
RELAXED = ze.ze_device_mem_alloc_desc_t(pNext=ze.ze_relaxed_allocation_limits_exp_desc_t())

Allocate = Callable[..., int]


@pytest.fixture(params=["device", "host", "shared"])
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def allocate(kind: str, context, device) -> Allocate:
    """Allocates memory of each kind: size, alignment, flags."""

    def make(size: int, alignment: int = 0, flags: int = 0) -> int:
        device_desc, host_desc = ze.ze_device_mem_alloc_desc_t(flags), ze.ze_host_mem_alloc_desc_t(flags)
        if kind == "device":
            return ze.zeMemAllocDevice(context, device_desc, size, alignment, device)
        if kind == "host":
            return ze.zeMemAllocHost(context, host_desc, size, alignment)
        return ze.zeMemAllocShared(context, device_desc, HOST, size, alignment, device)

    return make


class TestAllocation:
    @pytest.mark.parametrize("alignment", [0, 1, 64, 4096, 2 << 20])
    @pytest.mark.parametrize("size", [1, 100, 1 << 20])
    def test_is_aligned_and_writable(self, allocate, context, size: int, alignment: int) -> None:
        address = allocate(size, alignment)
        assert address % max(alignment, 1) == 0
        view = context.usm(address).allocation.view()
        view[:] = bytes([7]) * size
        assert bytes(view) == bytes([7]) * size

    @pytest.mark.parametrize("size", [0, -1, 1 << 40])
    def test_size(self, allocate, size: int) -> None:
        with fails("UNSUPPORTED_SIZE"):
            allocate(size)

    @pytest.mark.parametrize("alignment", [3, 100, 4103, 4 << 20])
    def test_any_alignment(self, allocate, alignment: int) -> None:
        """It is rounded up to a power of two, and down to the largest that there is."""
        assert allocate(64, alignment) % min(1 << alignment.bit_length(), 2 << 20) == 0

    @pytest.mark.parametrize("alignment", [3, 100, -1])
    @pytest.mark.usefixtures("validated")
    def test_wrong_alignment(self, allocate, alignment: int) -> None:
        with fails("UNSUPPORTED_ALIGNMENT"):
            allocate(64, alignment)

    @pytest.mark.usefixtures("validated")
    def test_flags(self, allocate) -> None:
        assert allocate(64, 0, 7)
        with fails("INVALID_ENUMERATION"):
            allocate(64, 0, 16)

    @pytest.mark.usefixtures("validated")
    def test_ordinal(self, context, device) -> None:
        with fails("UNSUPPORTED_ENUMERATION"):
            ze.zeMemAllocDevice(context, ze.ze_device_mem_alloc_desc_t(ordinal=1), 64, 0, device)

    def test_null_descriptor(self, context, device) -> None:
        with fails("INVALID_NULL_POINTER", "device_desc"):
            ze.zeMemAllocDevice(context, None, 64, 0, device)
        with fails("INVALID_NULL_POINTER", "host_desc"):
            ze.zeMemAllocHost(context, None, 64, 0)
        with fails("INVALID_NULL_POINTER", "host_desc"):
            ze.zeMemAllocShared(context, DEVICE, None, 64, 0)

    def test_relaxed_limits(self, context, device) -> None:
        """One allocation may then be as large as the device's memory."""
        size = 5 << 30
        with fails("UNSUPPORTED_SIZE"):
            ze.zeMemAllocDevice(context, DEVICE, size, 0, device)
        address = ze.zeMemAllocDevice(context, RELAXED, size, 0, device)
        assert ze.zeMemGetAddressRange(context, address) == (address, size)
        with fails("UNSUPPORTED_SIZE"):
            ze.zeMemAllocDevice(context, RELAXED, device.memory_bytes + 1, 0, device)

    def test_device_memory_is_limited(self, context, device) -> None:
        """All allocations of a device together fit its memory, and freeing makes room."""
        device.local_bytes = device.memory_bytes - 100
        first = ze.zeMemAllocDevice(context, DEVICE, 64, 0, device)
        with fails("OUT_OF_DEVICE_MEMORY", "64 bytes"):
            ze.zeMemAllocDevice(context, DEVICE, 64, 0, device)
        ze.zeMemFree(context, first)
        assert ze.zeMemAllocDevice(context, DEVICE, 64, 0, device)

    def test_shared_memory_on_a_device(self, context, device) -> None:
        """It takes room of the device then, and can be too much for it."""
        context.driver.shared_on_device = True
        address = ze.zeMemAllocShared(context, DEVICE, HOST, 64, 0, device)
        assert device.local_bytes == 64
        assert ze.zeMemGetAllocProperties(context, address)[0].type == ze.ZE_MEMORY_TYPE_SHARED
        ze.zeMemFree(context, address)
        assert device.local_bytes == 0

    def test_host_memory_is_limited(self, context, device, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*arguments: object, **options: object) -> None:
            raise MemoryError("nothing left")

        monkeypatch.setattr(device.machine.memory, "allocate", refuse)
        with fails("OUT_OF_HOST_MEMORY", "nothing left"):
            ze.zeMemAllocHost(context, HOST, 64, 0)
        with fails("OUT_OF_HOST_MEMORY"):
            ze.zeMemAllocShared(context, DEVICE, HOST, 64, 0)


class TestQueries:
    def test_properties(self, allocate, kind: str, context, device) -> None:
        """Every address of an allocation tells its kind and device."""
        address = allocate(100)
        for offset in (0, 99):
            properties, owner = ze.zeMemGetAllocProperties(context, address + offset)
            assert properties.type.name == f"ZE_MEMORY_TYPE_{kind.upper()}"
            assert properties.id != 0
            assert owner is (None if kind == "host" else device)

    def test_ids_differ(self, allocate, context) -> None:
        ids = {ze.zeMemGetAllocProperties(context, allocate(64))[0].id for _ in range(3)}
        assert len(ids) == 3

    def test_memory_of_another_context(self, allocate, driver) -> None:
        other, address = ze.zeContextCreate(driver, ze.ze_context_desc_t()), allocate(64)
        assert ze.zeMemGetAllocProperties(other, address)[0].type != ze.ZE_MEMORY_TYPE_UNKNOWN
        assert ze.zeMemGetAddressRange(other, address) == (address, 64)

    def test_unknown_memory(self, allocate, driver) -> None:
        """Memory of another driver is not an error, but unknown."""
        other = ze.zeContextCreate(Driver((PVC,), ScriptedSimulator), ze.ze_context_desc_t())
        for address in (allocate(64), 0x1000):
            properties, owner = ze.zeMemGetAllocProperties(other, address)
            assert (properties.type, properties.id, owner) == (ze.ZE_MEMORY_TYPE_UNKNOWN, 0, None)
            with fails("INVALID_ARGUMENT"):
                ze.zeMemGetAddressRange(other, address)

    def test_range(self, allocate, context) -> None:
        address = allocate(100)
        assert ze.zeMemGetAddressRange(context, address) == (address, 100)
        assert ze.zeMemGetAddressRange(context, address + 99) == (address, 100)
        with fails("INVALID_ARGUMENT"):
            ze.zeMemGetAddressRange(context, address + 100)

    @pytest.mark.parametrize("function", [ze.zeMemGetAddressRange, ze.zeMemGetAllocProperties, ze.zeMemFree])
    def test_null_pointer(self, function, context) -> None:
        for null in (0, None):
            with fails("INVALID_NULL_POINTER"):
                function(context, null)


class TestFree:
    def test_once(self, allocate, context) -> None:
        address = allocate(64)
        ze.zeMemFree(context, address)
        with fails("INVALID_ARGUMENT"):
            ze.zeMemFree(context, address)

    def test_not_from_inside(self, allocate, context) -> None:
        address = allocate(64)
        with fails("INVALID_ARGUMENT", "inside"):
            ze.zeMemFree(context, address + 8)

    @pytest.mark.usefixtures("validated")
    def test_not_from_another_context(self, allocate, driver) -> None:
        with fails("INVALID_ARGUMENT"):
            ze.zeMemFree(ze.zeContextCreate(driver, ze.ze_context_desc_t()), allocate(64))


class TestFreePolicies:
    @pytest.fixture
    def blocked(self, context, device, new_event):
        """A list that has yet to read memory, and what it waits for."""
        address = ze.zeMemAllocDevice(context, DEVICE, 64, 0, device)
        commands = ze.zeCommandListCreateImmediate(context, device, ASYNCHRONOUS)
        gate, data = new_event(), bytearray(64)
        ze.zeCommandListAppendMemoryFill(commands, address, b"x", 1, 64)
        ze.zeCommandListAppendMemoryCopy(commands, data, address, 64, None, [gate])
        yield address, gate, commands, data
        commands.stream.close()

    def test_deferred(self, context, device, blocked) -> None:
        """The memory stays until the list has read it, but nobody can free it again."""
        address, gate, commands, data = blocked
        ze.zeMemFreeExt(
            context, ze.ze_memory_free_ext_desc_t(ze.ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE), address
        )
        assert device.local_bytes == 64
        with fails("INVALID_ARGUMENT"):
            ze.zeMemFree(context, address)
        ze.zeEventHostSignal(gate)
        ze.zeCommandListHostSynchronize(commands)
        assert data == b"x" * 64
        assert device.local_bytes == 0

    def test_blocking(self, context, device, blocked) -> None:
        address, gate, _, data = blocked
        threading.Timer(0.05, ze.zeEventHostSignal, [gate]).start()
        policy = ze.ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE
        ze.zeMemFreeExt(context, ze.ze_memory_free_ext_desc_t(policy), address)
        assert data == b"x" * 64
        assert device.local_bytes == 0

    @pytest.mark.parametrize("policy", [0, 1, 2])
    def test_unused_memory_goes_at_once(self, context, device, policy: int) -> None:
        address = ze.zeMemAllocDevice(context, DEVICE, 64, 0, device)
        ze.zeMemFreeExt(context, ze.ze_memory_free_ext_desc_t(policy), address)
        assert device.local_bytes == 0


class TestMemoryOfOthers:
    """Extensions that would have the memory be another: they are refused, as fresh memory is not what is asked for."""

    @pytest.mark.parametrize(
        "wanted",
        [
            ze.ze_external_memory_import_fd_t(fd=3),
            ze.ze_external_memory_import_win32_handle_t(),
            ze.ze_external_memmap_sysmem_ext_desc_t(pSystemMemory=0x1000, size=4096),
        ],
        ids=lambda wanted: type(wanted).__name__,
    )
    def test_refused(self, context, device, wanted) -> None:
        with fails("UNSUPPORTED_FEATURE"):
            ze.zeMemAllocDevice(context, ze.ze_device_mem_alloc_desc_t(pNext=wanted), 4096, 0, device)
        with fails("UNSUPPORTED_FEATURE"):
            ze.zeMemAllocHost(context, ze.ze_host_mem_alloc_desc_t(pNext=wanted), 4096, 0)
