"""Functions that 0.91 has without a context, its descriptors and its time-outs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from runtime import ze
from runtime.ze import dispatch
from runtime.ze.driver.system.context import time_limit
from tests.unit.runtime.ze import kernels
from tests.unit.runtime.ze.expect import fails

MODULE = ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_NATIVE, kernels.binary(kernels.COPY, kernels.EMPTY))
IMAGE = ze.ze_image_desc_t(
    ze.ZE_IMAGE_TYPE_2D,
    ze.ze_image_format_desc_t(ze.ZE_IMAGE_FORMAT_LAYOUT_8, ze.ZE_IMAGE_FORMAT_TYPE_UNORM),
    16,
    16,
    flags=ze.ZE_IMAGE_FLAG_PROGRAM_READ | ze.ZE_IMAGE_FLAG_BIAS_CACHED,
)
SAMPLER = ze.ze_sampler_desc_t(ze.ZE_SAMPLER_ADDRESS_MODE_CLAMP, ze.ZE_SAMPLER_FILTER_MODE_NEAREST)
ZE_UINT32_MAX = 0xFFFF_FFFF

CREATE: dict[str, tuple[Callable[..., object], str, object]] = {
    "queue": (ze.zeCommandQueueCreate, "desc", ze.ze_command_queue_desc_t()),
    "list": (ze.zeCommandListCreate, "desc", ze.ze_command_list_desc_t()),
    "immediate list": (ze.zeCommandListCreateImmediate, "altdesc", ze.ze_command_queue_desc_t()),
    "image": (ze.zeImageCreate, "desc", IMAGE),
    "module": (ze.zeModuleCreate, "desc", MODULE),
    "sampler": (ze.zeSamplerCreate, "desc", SAMPLER),
}


@pytest.fixture
def card(driver: ze.ze_driver_handle_t) -> ze.ze_device_handle_t:
    """A device with images."""
    return ze.zeDeviceGet(driver)[-1]


def context_of(created: object) -> object:
    return (created[0] if isinstance(created, tuple) else created).context


@pytest.mark.usefixtures("validated")
@pytest.mark.parametrize("what", CREATE)
def test_objects_without_a_context(what, driver, card) -> None:
    """They belong to the default context, whether the handle has a name or not; with a context, to that."""
    create, name, desc = CREATE[what]
    card = driver.devices[0] if what == "module" else card  # whose code the module is
    default = ze.zeDriverGetDefaultContext(driver)
    assert context_of(create(card, desc)) is default
    assert context_of(create(hDevice=card, **{name: desc})) is default
    other = ze.zeContextCreate(driver, ze.ze_context_desc_t())
    assert context_of(create(other, card, desc)) is other
    assert context_of(create(hContext=other, hDevice=card, **{name: desc})) is other


@pytest.mark.parametrize("what", CREATE)
def test_what_a_form_refuses(what, driver, card) -> None:
    create, _, desc = CREATE[what]
    for arguments in ((None, desc), (None, card, desc)):
        with fails("INVALID_NULL_HANDLE"):
            create(*arguments)
    with fails("INVALID_NULL_POINTER"):
        create(card, None)
    with fails("INVALID_ARGUMENT"):
        create(driver, desc)
    with fails("UNSUPPORTED_VERSION", "92"):
        create(card, replace(desc, version=92))


def test_pools_without_a_context(driver, device) -> None:
    desc = ze.ze_event_pool_desc_t(ze.ZE_EVENT_POOL_FLAG_IPC | ze.ZE_EVENT_POOL_FLAG_TIMESTAMP, 2)
    for devices in ((), None, [device]):
        pool = ze.zeEventPoolCreate(driver, desc, devices)
        assert pool.context is ze.zeDriverGetDefaultContext(driver)
        assert list(pool.devices) == ([device] if devices else ze.zeDeviceGet(driver))
    handle = ze.zeEventPoolGetIpcHandle(pool)
    assert len(handle.data) == ze.ZE_MAX_IPC_HANDLE_SIZE
    opened = ze.zeEventPoolOpenIpcHandle(driver, ze.ze_ipc_event_pool_handle_t(handle.data))
    assert opened.context is ze.zeDriverGetDefaultContext(driver)
    ze.zeEventPoolCloseIpcHandle(opened)
    with fails("UNSUPPORTED_VERSION"):
        ze.zeEventPoolCreate(driver, replace(desc, version=92))


def test_pools_of_a_context_for_all_devices(context) -> None:
    """C has a null pointer for the devices then."""
    assert list(ze.zeEventPoolCreate(context, ze.ze_event_pool_desc_t(), None).devices) == list(context.devices)


def test_queues_are_described_by_what_they_do(device) -> None:
    """Their ordinal is the number of an engine; queues and lists that only copy are of one group."""
    properties = ze.zeDeviceGetProperties(device)
    assert (properties.numAsyncComputeEngines, properties.numAsyncCopyEngines) == (1, 1)
    copies = ze.zeCommandQueueCreate(device, ze.ze_command_queue_desc_t(flags=ze.ZE_COMMAND_QUEUE_FLAG_COPY_ONLY))
    only = ze.zeCommandListCreate(device, ze.ze_command_list_desc_t(flags=ze.ZE_COMMAND_LIST_FLAG_COPY_ONLY))
    assert (copies.ordinal, only.ordinal) == (1, 1)
    ze.zeCommandListClose(only)
    ze.zeCommandQueueExecuteCommandLists(copies, [only])
    assert ze.zeCommandListCreate(device, ze.ze_command_list_desc_t()).ordinal == 0
    with fails("INVALID_ARGUMENT", "queue 1 of group 0"):
        ze.zeCommandQueueCreate(device, ze.ze_command_queue_desc_t(ordinal=1))
    flags = ze.ZE_COMMAND_QUEUE_FLAG_LOGICAL_ONLY
    assert ze.zeCommandQueueCreate(device, ze.ze_command_queue_desc_t(ordinal=1, flags=flags)).ordinal == 0


def test_looking_a_function_up_by_name_finds_both_forms(device) -> None:
    assert dispatch.entry_called("zeCommandListCreate") is ze.zeCommandListCreate


def test_the_longest_time_out_has_no_end(driver, context, device) -> None:
    """0.91 counts in 32 bits; objects of a context that 1.x creates have time-outs of 64."""
    default = ze.zeDriverGetDefaultContext(driver)
    assert time_limit(default, ZE_UINT32_MAX) == ze.FOREVER
    assert time_limit(default, ZE_UINT32_MAX - 1) == ZE_UINT32_MAX - 1
    assert time_limit(context, ZE_UINT32_MAX) == ZE_UINT32_MAX


@pytest.mark.parametrize("kind", ["event", "queue", "fence"])
def test_waiting_without_end(kind, driver, device, monkeypatch) -> None:
    """Each function that waits asks for the time that the context has for its time-out."""
    asked = []

    def record(context: object, timeout: int) -> int:
        asked.append((context, timeout))
        return 0

    pool = ze.zeEventPoolCreate(driver, ze.ze_event_pool_desc_t())
    event = ze.zeEventCreate(pool, ze.ze_event_desc_t())
    queue = ze.zeCommandQueueCreate(device, ze.ze_command_queue_desc_t())
    fence = ze.zeFenceCreate(queue, ze.ze_fence_desc_t())
    waits = {
        "event": ("event", lambda: ze.zeEventHostSynchronize(event, ZE_UINT32_MAX)),
        "queue": ("command_queue", lambda: ze.zeCommandQueueSynchronize(queue, ZE_UINT32_MAX)),
        "fence": ("fence", lambda: ze.zeFenceHostSynchronize(fence, ZE_UINT32_MAX)),
    }
    module, wait = waits[kind]
    monkeypatch.setattr(f"runtime.ze.api.commands.{module}.time_limit", record)
    wait()
    assert asked == [(ze.zeDriverGetDefaultContext(driver), ZE_UINT32_MAX)]


def test_members_can_be_assigned(device, kernel) -> None:
    """Structures are the application's own: what it assigns to changes neither the driver nor another answer."""
    desc = ze.ze_command_queue_desc_t()
    desc.version = ze.ZE_COMMAND_QUEUE_DESC_VERSION_CURRENT
    desc.mode = ze.ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS
    queue = ze.zeCommandQueueCreate(device, desc)
    desc.mode = ze.ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS
    assert queue.desc.mode == ze.ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS
    for query in (ze.zeDeviceGetMemoryAccessProperties, ze.zeDeviceGetProperties, ze.zeDeviceGetComputeProperties):
        before, answer = query(device), query(device)
        for name in vars(answer):
            setattr(answer, name, None)
        assert query(device) == before != answer
    groups = ze.zeDeviceGetCommandQueueGroupProperties(device)
    groups[0].numQueues = 77
    assert ze.zeDeviceGetCommandQueueGroupProperties(device)[0].numQueues == 1


def test_answers_of_devices(card, kernel) -> None:
    """Members that 1.x has as flags, or under another name."""
    properties = ze.zeDeviceGetProperties(card)
    assert properties.version == ze.ZE_DEVICE_PROPERTIES_VERSION_CURRENT == ze.ZE_MAKE_VERSION(0, 91)
    assert (properties.isSubdevice, properties.eccMemorySupported, properties.unifiedMemorySupported) == (False,) * 3
    assert properties.uuid.id == bytes(properties.uuid)
    features = ze.zeDeviceGetKernelProperties(card)
    assert features.fp16Supported and features.int64AtomicsSupported and features.dp4aSupported
    assert not features.fp64Supported and features.doubleFpCapabilities == ze.ZE_FP_CAPS_NONE
    assert features.singleFpCapabilities & ze.ZE_FP_CAPS_FMA
    assert ze.zeDeviceGetImageProperties(card).supported
    peer = ze.zeDeviceGetP2PProperties(card, card)
    assert peer.accessSupported and peer.atomicsSupported
    (cache,) = ze.zeDeviceGetCacheProperties(card)
    assert cache.lastLevelCacheSize == cache.cacheSize > cache.intermediateCacheSize > 0
    assert cache.lastLevelCachelineSize == cache.intermediateCachelineSize == 64
    assert ze.zeKernelGetProperties(kernel("empty")).name == "empty"
    shared = ze.zeDriverGetIPCProperties(card.driver)
    assert shared.memsSupported and shared.eventsSupported
