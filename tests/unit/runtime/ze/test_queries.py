"""Tests of the properties of objects, and of features that devices lack."""

import pytest

from runtime import ze
from tests.unit.runtime.ze.conftest import ASYNCHRONOUS, SYNCHRONOUS
from tests.unit.runtime.ze.expect import fails


def test_queues(context, device) -> None:
    desc = ze.ze_command_queue_desc_t(
        2, 5, ze.ZE_COMMAND_QUEUE_FLAG_EXPLICIT_ONLY, ze.ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 2
    )
    queue = ze.zeCommandQueueCreate(context, device, desc)
    assert ze.zeCommandQueueGetOrdinal(queue) == 2
    assert ze.zeCommandQueueGetIndex(queue) == 5
    assert ze.zeCommandQueueGetFlags(queue) == ze.ZE_COMMAND_QUEUE_FLAG_EXPLICIT_ONLY
    assert ze.zeCommandQueueGetMode(queue) == ze.ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS
    assert ze.zeCommandQueueGetPriority(queue) == ze.ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH


def test_lists(context, device, immediate, new_list) -> None:
    regular = new_list()
    assert [ze.zeCommandListIsImmediate(each) for each in (regular, immediate)] == [False, True]
    links = ze.zeCommandListCreateImmediate(context, device, ze.ze_command_queue_desc_t(2, 3))
    assert (ze.zeCommandListGetOrdinal(links), ze.zeCommandListImmediateGetIndex(links)) == (2, 3)
    with fails("INVALID_ARGUMENT", "not an immediate list"):
        ze.zeCommandListImmediateGetIndex(regular)
    for each in (regular, immediate):
        assert ze.zeCommandListGetDeviceHandle(each) is device
        assert ze.zeCommandListGetContextHandle(each) is context


def test_events(context) -> None:
    flags = ze.ZE_EVENT_POOL_FLAG_HOST_VISIBLE
    pool = ze.zeEventPoolCreate(context, ze.ze_event_pool_desc_t(flags, 2))
    desc = ze.ze_event_desc_t(1, ze.ZE_EVENT_SCOPE_FLAG_HOST, ze.ZE_EVENT_SCOPE_FLAG_DEVICE)
    event = ze.zeEventCreate(pool, desc)
    assert ze.zeEventPoolGetContextHandle(pool) is context
    assert ze.zeEventPoolGetFlags(pool) == flags
    assert ze.zeEventGetEventPool(event) is pool
    assert ze.zeEventGetSignalScope(event) == ze.ZE_EVENT_SCOPE_FLAG_HOST
    assert ze.zeEventGetWaitScope(event) == ze.ZE_EVENT_SCOPE_FLAG_DEVICE


def test_what_devices_have_not(device) -> None:
    """Fabric links, and control of the cache."""
    with fails("EXP_ERROR_DEVICE_IS_NOT_VERTEX", "fabric"):
        ze.zeDeviceGetFabricVertexExp(device)
    for call in (
        lambda: ze.zeDeviceReserveCacheExt(device, 3, 1 << 20),
        lambda: ze.zeDeviceSetCacheAdviceExt(device, 4096, 64, ze.ZE_CACHE_EXT_REGION_ZE_CACHE_RESERVE_REGION),
        lambda: ze.zeDeviceSetLastLevelCacheConfig(device, 2),
    ):
        with fails("UNSUPPORTED_FEATURE", "cache"):
            call()


def test_lists_are_not_mutable(new_list) -> None:
    made, desc = new_list(), object()
    for call in (
        lambda: ze.zeCommandListGetNextCommandIdExp(made, desc),
        lambda: ze.zeCommandListUpdateMutableCommandsExp(made, desc),
        lambda: ze.zeCommandListUpdateMutableCommandSignalEventExp(made, 1, None),
        lambda: ze.zeCommandListUpdateMutableCommandWaitEventsExp(made, 1, None),
    ):
        with fails("UNSUPPORTED_FEATURE", "not mutable"):
            call()


@pytest.mark.parametrize(("width", "element", "pitch"), [(1, 1, 64), (64, 1, 64), (17, 4, 128), (1000, 16, 16000)])
def test_pitch_of_an_image(context, device, width: int, element: int, pitch: int) -> None:
    assert ze.zeMemGetPitchFor2dImage(context, device, width, 10, element) == pitch


class TestClones:
    def test_a_clone_does_the_same(self, context, device, queue) -> None:
        """And knows nothing of what becomes of the original."""
        desc = ze.ze_command_list_desc_t(flags=ze.ZE_COMMAND_LIST_FLAG_EXP_CLONEABLE)
        original = ze.zeCommandListCreate(context, device, desc)
        data = bytearray(4)
        ze.zeCommandListAppendMemoryCopy(original, data, b"abcd", 4)
        ze.zeCommandListClose(original)
        clone = ze.zeCommandListCreateCloneExp(original)
        ze.zeCommandListReset(original)
        ze.zeCommandListDestroy(original)
        ze.zeCommandQueueExecuteCommandLists(queue, [clone])
        ze.zeCommandQueueSynchronize(queue)
        assert data == b"abcd"

    def test_only_closed_lists_that_allow_it(self, new_list, immediate) -> None:
        plain = new_list()
        ze.zeCommandListClose(plain)
        for original in (plain, new_list(), immediate):
            with fails("INVALID_ARGUMENT", "EXP_CLONEABLE"):
                ze.zeCommandListCreateCloneExp(original)


class TestListsOnImmediateLists:
    def append(self, target, data: bytearray, new_list, *, byte: bytes):
        made = new_list()
        ze.zeCommandListAppendMemoryCopy(made, data, byte * len(data), len(data))
        ze.zeCommandListClose(made)
        return made

    @pytest.mark.usefixtures("validated")
    def test_they_run_between_waits_and_signal(self, context, device, new_list, new_event) -> None:
        commands = ze.zeCommandListCreateImmediate(context, device, ASYNCHRONOUS)
        data, gate, done = bytearray(4), new_event(), new_event()
        lists = [self.append(commands, data, new_list, byte=byte) for byte in (b"x", b"y")]
        ze.zeCommandListImmediateAppendCommandListsExp(commands, lists, done, [gate])
        assert ze.zeEventQueryStatus(done) == ze.ZE_RESULT_NOT_READY
        assert data == bytes(4)
        with fails("HANDLE_OBJECT_IN_USE"):
            ze.zeCommandListReset(lists[0])
        ze.zeEventHostSignal(gate)
        assert ze.zeEventHostSynchronize(done) == ze.ZE_RESULT_SUCCESS
        assert ze.zeCommandListHostSynchronize(commands) == ze.ZE_RESULT_SUCCESS
        assert data == b"yyyy"
        ze.zeCommandListReset(lists[0])
        ze.zeCommandListDestroy(commands)

    def test_synchronously(self, context, device, new_list) -> None:
        commands = ze.zeCommandListCreateImmediate(context, device, SYNCHRONOUS)
        data = bytearray(2)
        ze.zeCommandListImmediateAppendCommandListsExp(commands, [self.append(commands, data, new_list, byte=b"z")])
        assert data == b"zz"
