"""Initialization and driver queries."""

import subprocess
import sys

import pytest

from runtime import ze
from tests.unit.runtime.ze.expect import fails
from xegpu.targets import TARGETS

BEFORE_INIT = """
from runtime import ze
try:
    ze.zeDriverGet()
except ze.ZeError as error:
    print(error)
"""

AFTER_FORK = """
import os
from runtime import ze
ze.zeInit()
if os.fork() == 0:
    try:
        ze.zeDriverGet()
    except ze.ZeError as error:
        print(error.result.name, flush=True)
    ze.zeInit()
    print(len(ze.zeDriverGet()), flush=True)
    os._exit(0)
os.wait()
"""


def run(program: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    ).stdout


class TestInit:
    def test_nothing_works_before(self) -> None:
        assert run(BEFORE_INIT) == "ZE_RESULT_ERROR_UNINITIALIZED: zeInit has not been called\n"

    def test_a_forked_child_starts_anew(self) -> None:
        assert run(AFTER_FORK) == "ZE_RESULT_ERROR_UNINITIALIZED\n1\n"

    @pytest.mark.parametrize("flags", [0, 1, 3])
    def test_gives_one_driver_with_every_target(self, flags: int) -> None:
        """However often and with whatever flags it is called, the handles stay the same."""
        ze.zeInit(flags)
        (driver,) = ze.zeDriverGet()
        devices = ze.zeDeviceGet(driver)
        assert [device.target for device in devices] == list(TARGETS.values())
        ze.zeInit()
        assert ze.zeDriverGet() == [driver]
        assert ze.zeDeviceGet(driver) == devices

    def test_there_are_no_vpus(self) -> None:
        with fails("UNINITIALIZED", "VPU"):
            ze.zeInit(ze.ZE_INIT_FLAG_VPU_ONLY)

    def test_by_type(self) -> None:
        """zeInitDrivers needs no zeInit; together with it, it gives the same handles."""
        program = """
from runtime import ze
drivers = ze.zeInitDrivers(ze.ze_init_driver_type_desc_t(ze.ZE_INIT_DRIVER_TYPE_FLAG_GPU))
ze.zeInit()
print(drivers == ze.zeDriverGet(), len(drivers))
"""
        assert run(program) == "True 1\n"
        with fails("UNINITIALIZED", "NPU"):
            ze.zeInitDrivers(ze.ze_init_driver_type_desc_t(ze.ZE_INIT_DRIVER_TYPE_FLAG_NPU))
        with fails("INVALID_ARGUMENT"):
            ze.zeInitDrivers(ze.ze_init_driver_type_desc_t(0))

    @pytest.mark.parametrize("flags", [4, -1, 1 << 40])
    @pytest.mark.usefixtures("validated")
    def test_unknown_flags(self, flags: int) -> None:
        with fails("INVALID_ENUMERATION"):
            ze.zeInit(flags)


class TestQueries:
    def test_version(self, driver) -> None:
        assert ze.zeDriverGetApiVersion(driver) == 0x10004

    def test_properties(self, driver) -> None:
        """The UUID identifies the driver in every process."""
        properties = ze.zeDriverGetProperties(driver)
        assert properties.driverVersion > 0
        assert len(properties.uuid) == 16
        assert ze.zeDriverGetProperties(ze.simulated_driver(())).uuid == properties.uuid

    def test_processes_share_memory_and_events(self, driver) -> None:
        both = ze.ZE_IPC_PROPERTY_FLAG_MEMORY | ze.ZE_IPC_PROPERTY_FLAG_EVENT_POOL
        assert ze.zeDriverGetIpcProperties(driver).flags == both

    def test_extensions_have_versions(self, driver) -> None:
        extensions = {entry.name: entry.version for entry in ze.zeDriverGetExtensionProperties(driver)}
        assert extensions["ZE_experimental_relaxed_allocation_limits"] == 0x10000

    @pytest.mark.parametrize("name", ["zeInit", "zeKernelGetAllocationPropertiesExp", "zeDriverAllocSharedMem"])
    def test_functions_by_name(self, driver, name: str) -> None:
        """Functions of both versions of the API are found."""
        assert ze.zeDriverGetExtensionFunctionAddress(driver, name) is getattr(ze, name)

    def test_no_such_function(self, driver) -> None:
        with fails("INVALID_ARGUMENT", "'zeNothing'"):
            ze.zeDriverGetExtensionFunctionAddress(driver, "zeNothing")

    def test_free_policies(self, driver) -> None:
        (policies,) = ze.zeDriverGetProperties(driver, [ze.ze_driver_memory_free_ext_properties_t]).pNext
        assert policies.freePolicies == 3

    @pytest.mark.usefixtures("validated")
    def test_last_error(self, driver) -> None:
        """The text of the latest error of this thread."""
        with pytest.raises(ze.ZeError) as caught:
            ze.zeInit(4)
        assert ze.zeDriverGetLastErrorDescription(driver) == caught.value.text

    def test_engine_must_exist(self) -> None:
        with pytest.raises(ValueError, match="interpreter"):
            ze.simulated_driver(tuple(TARGETS.values()), engine="steam")
