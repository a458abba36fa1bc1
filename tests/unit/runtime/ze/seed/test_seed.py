"""The names of specification 0.91."""

import pytest

from runtime import ze, zet

DEVICE, HOST = ze.ze_device_mem_alloc_desc_t(), ze.ze_host_mem_alloc_desc_t()


def test_memory_without_contexts(driver, device) -> None:
    """Allocations belong to the driver's default context."""
    addresses = {
        "DEVICE": ze.zeDriverAllocDeviceMem(driver, DEVICE, 64, 0, device),
        "HOST": ze.zeDriverAllocHostMem(driver, HOST, 64, 0),
        "SHARED": ze.zeDriverAllocSharedMem(driver, DEVICE, HOST, 64, 0),
    }
    for kind, address in addresses.items():
        properties, _ = ze.zeDriverGetMemAllocProperties(driver, address)
        assert properties.type.name == f"ZE_MEMORY_TYPE_{kind}"
        assert ze.zeDriverGetMemAddressRange(driver, address + 8) == (address, 64)
        ze.zeDeviceMakeMemoryResident(device, address, 64)
        ze.zeDeviceEvictMemory(device, address, 64)
        ze.zeDriverFreeMem(driver, address)
    assert ze.zeMemGetAllocProperties(ze.zeDriverGetDefaultContext(driver), addresses["HOST"])[0].id == 0


def test_renamed_queries(driver, device, kernel) -> None:
    assert ze.zeDriverGetIPCProperties(driver) == ze.zeDriverGetIpcProperties(driver)
    assert ze.zeDeviceGetKernelProperties(device) == ze.zeDeviceGetModuleProperties(device)
    ze.zeDeviceSystemBarrier(device)


def test_cache_configurations_have_the_values_of_0_91(kernel) -> None:
    for config in (ze.ZE_CACHE_CONFIG_DEFAULT, ze.ZE_CACHE_CONFIG_LARGE_SLM, ze.ZE_CACHE_CONFIG_LARGE_DATA, 1, 2, 4):
        ze.zeKernelSetIntermediateCacheConfig(kernel("empty"), config)
    for config in (0, 3, 8):
        with pytest.raises(ze.ZeError, match="INVALID_ENUMERATION"):
            ze.zeKernelSetIntermediateCacheConfig(kernel("empty"), config)


def test_timestamps_one_by_one(immediate, new_event) -> None:
    event = new_event()
    ze.zeCommandListAppendBarrier(immediate, event)
    times = ze.zeEventQueryKernelTimestamp(event).global_
    assert [ze.zeEventGetTimestamp(event, kind) for kind in range(4)] == [times.kernelStart, times.kernelEnd] * 2
    with pytest.raises(ze.ZeError, match="INVALID_ENUMERATION"):
        ze.zeEventGetTimestamp(event, 4)


def test_tools_are_initialized_with_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    zet.zetInit(ze.ZE_INIT_FLAG_NONE)
    assert ze.zeDriverGet()
    with pytest.raises(ze.ZeError, match="UNINITIALIZED"):
        zet.zetInit(2)
