"""Contexts and residency."""

import pytest

from runtime import ze
from tests.unit.runtime.ze.expect import fails
from tests.unit.runtime.ze.kernels import fault

DEVICE_DESC = ze.ze_device_mem_alloc_desc_t()


def test_a_context_is_for_all_devices_or_for_those_given(driver, device) -> None:
    other = ze.zeDeviceGet(driver)[1]
    everywhere = ze.zeContextCreate(driver, ze.ze_context_desc_t())
    here = ze.zeContextCreateEx(driver, ze.ze_context_desc_t(), [device])
    assert ze.zeMemAllocDevice(everywhere, DEVICE_DESC, 64, 0, other)
    with fails("INVALID_ARGUMENT", "not part of"):
        ze.zeMemAllocDevice(here, DEVICE_DESC, 64, 0, other)


def test_devices_of_another_driver_are_refused(driver) -> None:
    ze.zeInit()
    foreign = ze.zeDeviceGet(ze.zeDriverGet()[0])
    with fails("INVALID_ARGUMENT"):
        ze.zeContextCreateEx(driver, ze.ze_context_desc_t(), foreign)


@pytest.mark.usefixtures("validated")
def test_null_descriptor_and_unknown_flags(driver) -> None:
    with fails("INVALID_NULL_POINTER"):
        ze.zeContextCreate(driver, None)
    with fails("INVALID_ENUMERATION"):
        ze.zeContextCreate(driver, ze.ze_context_desc_t(flags=2))


@pytest.mark.usefixtures("validated")
def test_destroy_frees_memory_but_not_objects(context, device) -> None:
    """Objects must be destroyed before the context; memory that is left goes with it."""
    address = ze.zeMemAllocDevice(context, DEVICE_DESC, 64, 0, device)
    queue = ze.zeCommandQueueCreate(context, device, ze.ze_command_queue_desc_t())
    with fails("HANDLE_OBJECT_IN_USE", "command queue"):
        ze.zeContextDestroy(context)
    ze.zeCommandQueueDestroy(queue)
    ze.zeContextDestroy(context)
    assert device.machine.memory.find(address) is None
    assert device.local_bytes == 0


def test_status_follows_the_devices(context, device, immediate, kernel, simulator) -> None:
    def break_down(dispatch, memory):
        raise fault("empty")

    assert ze.zeContextGetStatus(context) == ze.ZE_RESULT_SUCCESS
    simulator.behaviours["empty"] = break_down
    with pytest.raises(ze.ZeError):
        ze.zeCommandListAppendLaunchKernel(immediate, kernel("empty"), ze.ze_group_count_t(1))
    assert ze.zeContextGetStatus(context) == ze.ZE_RESULT_ERROR_DEVICE_LOST
    with fails("DEVICE_LOST"):
        ze.zeMemAllocDevice(context, DEVICE_DESC, 64, 0, device)


def test_default_context_is_one_and_comes_back(driver) -> None:
    context = ze.zeDriverGetDefaultContext(driver)
    assert ze.zeDriverGetDefaultContext(driver) is context
    ze.zeContextDestroy(context)
    assert ze.zeDriverGetDefaultContext(driver).alive


class TestResidency:
    @pytest.mark.parametrize("function", [ze.zeContextMakeMemoryResident, ze.zeContextEvictMemory])
    def test_known_memory_only(self, function, context, device) -> None:
        address = ze.zeMemAllocDevice(context, DEVICE_DESC, 128, 0, device)
        function(context, device, address, 128)
        function(context, device, address + 64, 64)
        with fails("INVALID_ARGUMENT"):
            function(context, device, address + 64, 65)
        with fails("INVALID_ARGUMENT"):
            function(context, device, 0x40, 1)
        with fails("INVALID_NULL_POINTER"):
            function(context, device, None, 1)

    def test_system_barrier(self, context, device) -> None:
        assert ze.zeContextSystemBarrier(context, device) is None
