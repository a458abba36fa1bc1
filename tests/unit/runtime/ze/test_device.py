"""Device discovery."""

import threading
import time

import pytest

from passes.frontends.spirv.reader import NEWEST_VERSION
from runtime import ze
from tests.unit.runtime.ze import kernels
from tests.unit.runtime.ze.conftest import ASYNCHRONOUS, SYNCHRONOUS
from tests.unit.runtime.ze.expect import fails
from tests.unit.runtime.ze.kernels import fault
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
        assert topology == (2, 64, 8)
        assert properties.numThreadsPerEU == 8
        assert properties.physicalEUSimdWidth == 16
        assert properties.maxMemAllocSize == (4 << 30) - 8192

    def test_devices_differ(self, device, arc) -> None:
        assert ze.zeDeviceGetProperties(device).uuid != ze.zeDeviceGetProperties(arc).uuid
        assert ze.zeDeviceGetProperties(arc).name == "Intel(R) Arc(TM) A770 Graphics"

    def test_compute(self, device, arc) -> None:
        compute = ze.zeDeviceGetComputeProperties(device)
        assert (compute.maxTotalGroupSize, compute.maxGroupSizeX, compute.maxGroupCountX) == (1024, 1024, 0xFFFFFFFF)
        assert compute.maxSharedLocalMemory == PVC.platform.max_slm_bytes
        assert (compute.numSubGroupSizes, compute.subGroupSizes) == (2, (16, 32))
        assert ze.zeDeviceGetComputeProperties(arc).subGroupSizes == (8, 16, 32)

    def test_module(self, device, arc) -> None:
        """Double precision is where the target has it."""
        fp64 = ze.ZE_DEVICE_MODULE_FLAG_FP64
        assert ze.zeDeviceGetModuleProperties(device).flags & fp64
        assert ze.zeDeviceGetModuleProperties(device).fp64flags & ze.ZE_DEVICE_FP_FLAG_FMA
        assert not ze.zeDeviceGetModuleProperties(arc).flags & fp64
        assert ze.zeDeviceGetModuleProperties(arc).fp64flags == 0

    def test_version_of_spirv(self, device) -> None:
        """It is the newest that the front end reads."""
        assert ze.zeDeviceGetModuleProperties(device).spirvVersionSupported == ze.ZE_MAKE_VERSION(*NEWEST_VERSION)

    def test_memory(self, device, arc) -> None:
        (memory,) = ze.zeDeviceGetMemoryProperties(device)
        assert (memory.totalSize, memory.name) == (2 * PVC.memory_bytes, "HBM")
        assert ze.zeDeviceGetMemoryProperties(arc)[0].name == "DDR"
        access = ze.zeDeviceGetMemoryAccessProperties(device)
        assert access.deviceAllocCapabilities & ze.ZE_MEMORY_ACCESS_CAP_FLAG_RW
        assert access.sharedSystemAllocCapabilities == 0
        assert ze.zeDeviceGetCacheProperties(device)[0].cacheSize == 2 * PVC.l2_bytes

    def test_what_there_is_not(self, device) -> None:
        assert ze.zeDeviceGetImageProperties(device).maxImageDims2D == 0
        assert ze.zeDeviceGetExternalMemoryProperties(device).memoryAllocationExportTypes == 0

    def test_queue_groups(self, device) -> None:
        """The first group computes and copies, the others only copy."""
        compute, copy, links = ze.zeDeviceGetCommandQueueGroupProperties(device)
        assert compute.flags & ze.ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE
        assert copy.flags == ze.ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY
        assert (compute.numQueues, copy.numQueues, links.numQueues) == (1, 1, 7)
        assert compute.flags & ze.ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS


class TestSubDevices:
    def test_tiles_of_a_card(self, device) -> None:
        """Two tiles with half of everything; they are no devices of the driver, and have no tiles themselves."""
        first, second = ze.zeDeviceGetSubDevices(device)
        for number, tile in enumerate((first, second)):
            properties = ze.zeDeviceGetProperties(tile)
            assert properties.flags == ze.ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE
            assert (properties.subdeviceId, properties.numSlices) == (number, 1)
            assert ze.zeDeviceGetRootDevice(tile) is device
            assert ze.zeDeviceGetSubDevices(tile) == []
            assert ze.zeDeviceGetMemoryProperties(tile)[0].totalSize == PVC.memory_bytes
            assert ze.zeDeviceGetStatus(tile) == ze.ZE_RESULT_SUCCESS
            assert ze.zeDeviceCanAccessPeer(tile, device) and ze.zeDeviceCanAccessPeer(first, tile)
        assert ze.zeDeviceGetProperties(device).flags == 0
        assert ze.zeDeviceGetRootDevice(device) is None
        assert ze.zeDeviceGetSubDevices(device) == [first, second]
        uuids = {ze.zeDeviceGetProperties(each).uuid for each in (device, first, second)}
        assert len(uuids) == 3

    def test_a_single_tile_is_no_sub_device(self, arc) -> None:
        assert ze.zeDeviceGetSubDevices(arc) == []
        assert ze.zeDeviceGetRootDevice(arc) is None

    def test_memory_of_a_tile_is_its_own(self, context, device) -> None:
        """A tile has its half; the card has what is left of both."""
        first, second = ze.zeDeviceGetSubDevices(device)
        first.local_bytes = PVC.memory_bytes - 4096
        with fails("OUT_OF_DEVICE_MEMORY"):
            ze.zeMemAllocDevice(context, ze.ze_device_mem_alloc_desc_t(), 8192, 0, first)
        ze.zeMemAllocDevice(context, ze.ze_device_mem_alloc_desc_t(), 8192, 0, second)
        ze.zeMemAllocDevice(context, ze.ze_device_mem_alloc_desc_t(), 8192, 0, device)
        device.local_bytes = PVC.memory_bytes
        with fails("OUT_OF_DEVICE_MEMORY"):
            ze.zeMemAllocDevice(context, ze.ze_device_mem_alloc_desc_t(), 8192, 0, second)

    def test_objects_of_the_card_work_on_its_tiles(self, context, device, kernel, simulator) -> None:
        """And not the other way round."""
        tile = ze.zeDeviceGetSubDevices(device)[0]
        on_tile = ze.zeCommandListCreateImmediate(context, tile, SYNCHRONOUS)
        ze.zeCommandListAppendLaunchKernel(on_tile, kernel("empty"), ze.ze_group_count_t(1))
        assert len(simulator.dispatches) == 1
        data = kernels.binary(kernels.EMPTY)
        desc = ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_NATIVE, data)
        module = ze.zeModuleCreate(context, tile, desc)[0]
        of_tile = ze.zeKernelCreate(module, ze.ze_kernel_desc_t("empty"))
        ze.zeCommandListAppendLaunchKernel(on_tile, of_tile, ze.ze_group_count_t(1))
        on_card = ze.zeCommandListCreateImmediate(context, device, SYNCHRONOUS)
        with fails("INVALID_ARGUMENT", "device"):
            ze.zeCommandListAppendLaunchKernel(on_card, of_tile, ze.ze_group_count_t(1))

    def test_a_context_of_one_tile_excludes_the_other(self, driver, device) -> None:
        first, second = ze.zeDeviceGetSubDevices(device)
        context = ze.zeContextCreateEx(driver, ze.ze_context_desc_t(), [first])
        ze.zeMemAllocDevice(context, ze.ze_device_mem_alloc_desc_t(), 64, 0, first)
        for other in (second, device):
            with fails("INVALID_ARGUMENT", "not part"):
                ze.zeMemAllocDevice(context, ze.ze_device_mem_alloc_desc_t(), 64, 0, other)

    def test_synchronize_waits_for_its_own_queues(self, context, device, new_event) -> None:
        """Work that is pending on one tile holds up its card, but not its neighbour."""
        first, second = ze.zeDeviceGetSubDevices(device)
        pending = ze.zeCommandListCreateImmediate(context, first, ASYNCHRONOUS)
        event = new_event()
        ze.zeCommandListAppendWaitOnEvents(pending, [event])
        ze.zeDeviceSynchronize(second)
        assert not device.idle and not first.idle
        ze.zeEventHostSignal(event)
        ze.zeDeviceSynchronize(device)
        ze.zeCommandListDestroy(pending)


class TestExtensions:
    def test_structures_are_chained_on_request(self, device, arc) -> None:
        """Structures that a function does not know are left out."""
        found = ze.zeDeviceGetProperties(device, [ze.ze_device_ip_version_ext_t, int, ze.ze_eu_count_ext_t])
        assert found.pNext == (ze.ze_device_ip_version_ext_t(0x030F0007), ze.ze_eu_count_ext_t(512))
        assert ze.zeDeviceGetProperties(device).pNext == ()
        for each in (device, arc):
            (atomics,) = ze.zeDeviceGetModuleProperties(each, [ze.ze_float_atomic_ext_properties_t]).pNext
            assert atomics.fp16Flags and atomics.fp32Flags and atomics.fp64Flags
        (details,) = ze.zeDeviceGetMemoryProperties(arc, [ze.ze_device_memory_ext_properties_t])[0].pNext
        assert details.type == ze.ZE_DEVICE_MEMORY_EXT_TYPE_GDDR6
        assert details.physicalSize == ARC.memory_bytes
        (bandwidth,) = ze.zeDeviceGetP2PProperties(device, arc, [ze.ze_device_p2p_bandwidth_exp_properties_t]).pNext
        assert bandwidth.logicalBandwidth == 31

    def test_caches_images_and_queues_have_extensions(self, device) -> None:
        wanted = [ze.ze_device_cache_line_size_ext_t, ze.ze_cache_reservation_ext_desc_t]
        (cache,) = ze.zeDeviceGetCacheProperties(device, wanted)
        assert cache.pNext == (ze.ze_device_cache_line_size_ext_t(64), ze.ze_cache_reservation_ext_desc_t(0))
        (pitched,) = ze.zeDeviceGetImageProperties(device, [ze.ze_device_pitched_alloc_exp_properties_t]).pNext
        assert pitched.maxImageLinearWidth == 0
        for group in ze.zeDeviceGetCommandQueueGroupProperties(device, [ze.ze_copy_bandwidth_exp_properties_t]):
            (bandwidth,) = group.pNext
            assert bandwidth.copyBandwidth == PVC.timing.memory_bandwidth // 10**9

    def test_device_lacks(self, device) -> None:
        """The device has neither mutable lists nor ray tracing, and both kinds of kernel timestamps."""
        stamps, lists, rays = ze.zeDeviceGetProperties(
            device,
            [
                ze.ze_event_query_kernel_timestamps_ext_properties_t,
                ze.ze_mutable_command_list_exp_properties_t,
                ze.ze_rtas_device_exp_properties_t,
            ],
        ).pNext
        assert stamps.flags == 3
        assert (lists.mutableCommandFlags, rays.rtasFormat) == (0, 0)
        (tracing,) = ze.zeDeviceGetModuleProperties(device, [ze.ze_device_raytracing_ext_properties_t]).pNext
        assert tracing.maxBVHLevels == 0

    def test_timer_resolution_has_two_forms(self, device) -> None:
        nanoseconds = ze.zeDeviceGetProperties(device).timerResolution
        per_second = ze.zeDeviceGetProperties(device, stype=ze.ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2)
        assert per_second.timerResolution * nanoseconds == 1_000_000_000
        assert per_second.timerResolution != nanoseconds

    def test_pci(self, device, arc) -> None:
        found = ze.zeDevicePciGetPropertiesExt(device)
        assert (found.address.bus, found.maxSpeed.genVersion, found.maxSpeed.width) == (0x3A, 5, 16)
        assert found.maxSpeed.maxBandwidth > ze.zeDevicePciGetPropertiesExt(arc).maxSpeed.maxBandwidth


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


def test_clocks_are_those_of_the_hardware(driver) -> None:
    """12.5 MHz and 19.2 MHz, in whole nanoseconds of a tick."""
    for device, nanoseconds in zip(ze.zeDeviceGet(driver), (80, 52), strict=True):
        assert ze.zeDeviceGetProperties(device).timerResolution == nanoseconds
        (host, ticks), (later, more) = (ze.zeDeviceGetGlobalTimestamps(device) for _ in range(2))
        assert (ticks - host // nanoseconds + (1 << 19)) % (1 << 36) < 1 << 20
        assert ticks < more and host <= later
