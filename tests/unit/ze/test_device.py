"""Device discovery."""

import threading
import time

import pytest

from runtime import ze
from tests.unit.ze.conftest import ASYNCHRONOUS
from tests.unit.ze.kernels import fault
from xegpu.targets import ARC, PVC


@pytest.fixture
def arc(driver):
    return ze.zeDeviceGet(driver)[1]


class TestProperties:
    def test_identity_and_topology_are_the_targets(self, device) -> None:
        properties = ze.zeDeviceGetProperties(device)
        assert properties.type == ze.ZE_DEVICE_TYPE_GPU
        assert (properties.vendorId, properties.deviceId) == (0x8086, PVC.device_id)
        assert properties.name == "Intel(R) Data Center GPU Max 1550"
        assert properties.coreClockRate == PVC.core_clock_mhz
        topology = (properties.numSlices, properties.numSubslicesPerSlice, properties.numEUsPerSubslice)
        assert topology == (1, 64, 8)
        assert properties.numThreadsPerEU == 8
        assert properties.physicalEUSimdWidth == 16
        assert properties.maxMemAllocSize == (4 << 30) - 8192

    def test_devices_differ(self, device, arc) -> None:
        assert ze.zeDeviceGetProperties(device).uuid != ze.zeDeviceGetProperties(arc).uuid
        assert ze.zeDeviceGetProperties(arc).name == "Intel(R) Arc(TM) A770 Graphics"

    def test_compute(self, device, arc) -> None:
        compute = ze.zeDeviceGetComputeProperties(device)
        assert (compute.maxTotalGroupSize, compute.maxGroupSizeX, compute.maxGroupCountX) == (1024, 1024, 0xFFFFFFFF)
        assert compute.maxSharedLocalMemory == PVC.max_slm_bytes
        assert (compute.numSubGroupSizes, compute.subGroupSizes) == (2, (16, 32))
        assert ze.zeDeviceGetComputeProperties(arc).subGroupSizes == (8, 16, 32)

    def test_module(self, device, arc) -> None:
        """Double precision is where the target has it."""
        fp64 = ze.ZE_DEVICE_MODULE_FLAG_FP64
        assert ze.zeDeviceGetModuleProperties(device).flags & fp64
        assert ze.zeDeviceGetModuleProperties(device).fp64flags & ze.ZE_DEVICE_FP_FLAG_FMA
        assert not ze.zeDeviceGetModuleProperties(arc).flags & fp64
        assert ze.zeDeviceGetModuleProperties(arc).fp64flags == 0

    def test_memory(self, device, arc) -> None:
        (memory,) = ze.zeDeviceGetMemoryProperties(device)
        assert (memory.totalSize, memory.name) == (PVC.memory_bytes, "HBM")
        assert ze.zeDeviceGetMemoryProperties(arc)[0].name == "DDR"
        access = ze.zeDeviceGetMemoryAccessProperties(device)
        assert access.deviceAllocCapabilities & ze.ZE_MEMORY_ACCESS_CAP_FLAG_RW
        assert access.sharedSystemAllocCapabilities == 0
        assert ze.zeDeviceGetCacheProperties(device)[0].cacheSize == PVC.l2_bytes

    def test_what_there_is_not(self, device) -> None:
        assert ze.zeDeviceGetSubDevices(device) == []
        assert ze.zeDeviceGetRootDevice(device) is None
        assert ze.zeDeviceGetImageProperties(device).maxImageDims2D == 0
        assert ze.zeDeviceGetExternalMemoryProperties(device).memoryAllocationExportTypes == 0

    def test_queue_groups(self, device) -> None:
        """The first group computes and copies, the second only copies."""
        compute, copy = ze.zeDeviceGetCommandQueueGroupProperties(device)
        assert compute.flags & ze.ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE
        assert copy.flags == ze.ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY
        assert compute.numQueues >= 1
        assert copy.numQueues >= 1


class TestPeers:
    def test_devices_of_a_driver_access_each_other(self, device, arc) -> None:
        assert ze.zeDeviceCanAccessPeer(device, device)
        assert ze.zeDeviceCanAccessPeer(device, arc)
        assert ze.zeDeviceCanAccessPeer(arc, device)
        assert ze.zeDeviceGetP2PProperties(device, arc).flags & ze.ZE_DEVICE_P2P_PROPERTY_FLAG_ACCESS

    def test_devices_of_other_drivers_do_not(self, device) -> None:
        (other,) = ze.zeDeviceGet(ze.simulated_driver((ARC,), "interpreter"))
        assert not ze.zeDeviceCanAccessPeer(device, other)
        assert ze.zeDeviceGetP2PProperties(device, other).flags == 0


class TestTime:
    def test_host_and_device_time_move_on(self, device) -> None:
        host, ticks = ze.zeDeviceGetGlobalTimestamps(device)
        later_host, later_ticks = ze.zeDeviceGetGlobalTimestamps(device)
        assert later_host > host
        assert later_ticks > ticks

    def test_ticks_have_the_resolution_that_is_reported(self, device) -> None:
        resolution = ze.zeDeviceGetProperties(device).timerResolution
        host, ticks = ze.zeDeviceGetGlobalTimestamps(device)
        time.sleep(0.05)
        later_host, later_ticks = ze.zeDeviceGetGlobalTimestamps(device)
        assert (later_ticks - ticks) * resolution == pytest.approx(later_host - host, rel=0.1)


class TestStatus:
    def test_available_then_lost(self, device, immediate, kernel, simulator) -> None:
        def break_down(dispatch, memory):
            raise fault("empty")

        assert ze.zeDeviceGetStatus(device) == ze.ZE_RESULT_SUCCESS
        simulator.behaviours["empty"] = break_down
        with pytest.raises(ze.ZeError):
            ze.zeCommandListAppendLaunchKernel(immediate, kernel("empty"), ze.ze_group_count_t(1))
        assert ze.zeDeviceGetStatus(device) == ze.ZE_RESULT_ERROR_DEVICE_LOST

    def test_synchronize_waits_for_all_queues(self, context, device, kernel, simulator) -> None:
        """It returns when the work of every asynchronous list is done, and not before."""
        go = threading.Event()
        simulator.behaviours["empty"] = lambda dispatch, memory: go.wait(10)
        lists = [ze.zeCommandListCreateImmediate(context, device, ASYNCHRONOUS) for _ in range(3)]
        for command_list in lists:
            ze.zeCommandListAppendLaunchKernel(command_list, kernel("empty"), ze.ze_group_count_t(1))
        threading.Timer(0.05, go.set).start()
        ze.zeDeviceSynchronize(device)
        assert go.is_set()
        for command_list in lists:
            ze.zeCommandListDestroy(command_list)
