"""A driver with a scripted simulator, and the objects that most tests start from."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest

from runtime import ze
from runtime.ze import layers
from runtime.ze.driver.system import ending
from runtime.ze.driver.system.driver import Driver
from runtime.ze.layers import Layers
from runtime.ze.layers.validation import ValidationCheck
from tests.unit.runtime.ze import kernels
from tests.unit.runtime.ze.kernels import ScriptedSimulator
from xegpu.targets import ARC, PVC

ASYNCHRONOUS = ze.ze_command_queue_desc_t(mode=ze.ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS)
SYNCHRONOUS = ze.ze_command_queue_desc_t(mode=ze.ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS)


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    """Every thread that a test starts ends with it; only the simulator's pool lives as long as the process."""
    before = set(threading.enumerate())
    yield
    assert {thread for thread in threading.enumerate() if thread.name != "simulator"} <= before


@pytest.fixture
def validated() -> Iterator[None]:
    """The validation layer with the checks of parameters, for the time of a test."""
    before = layers.active()
    layers.install(Layers(checks=frozenset({ValidationCheck.PARAMETERS})))
    yield
    layers.install(before)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Destructions do not wait for commands."""
    monkeypatch.setattr(ending, "PATIENCE_NS", 0)


@pytest.fixture
def driver() -> ze.ze_driver_handle_t:
    return Driver((PVC, ARC), ScriptedSimulator)


@pytest.fixture
def device(driver: ze.ze_driver_handle_t) -> ze.ze_device_handle_t:
    return ze.zeDeviceGet(driver)[0]


@pytest.fixture
def simulator(device: ze.ze_device_handle_t) -> ScriptedSimulator:
    assert isinstance(device.simulator, ScriptedSimulator)
    return device.simulator


@pytest.fixture
def context(driver: ze.ze_driver_handle_t) -> ze.ze_context_handle_t:
    return ze.zeContextCreate(driver, ze.ze_context_desc_t())


@pytest.fixture
def module(context: ze.ze_context_handle_t, device: ze.ze_device_handle_t) -> ze.ze_module_handle_t:
    data = kernels.binary(kernels.COPY, kernels.EMPTY, kernels.WIDE, kernels.SIZED, kernels.LOCAL)
    return ze.zeModuleCreate(context, device, ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_NATIVE, data))[0]


@pytest.fixture
def kernel(module: ze.ze_module_handle_t) -> Callable[[str], ze.ze_kernel_handle_t]:
    """Makes kernels of the module by name."""
    return lambda name: ze.zeKernelCreate(module, ze.ze_kernel_desc_t(name))


@pytest.fixture
def queue(context: ze.ze_context_handle_t, device: ze.ze_device_handle_t) -> Iterator[ze.ze_command_queue_handle_t]:
    """An asynchronous queue."""
    queue = ze.zeCommandQueueCreate(context, device, ASYNCHRONOUS)
    yield queue
    queue.stream.close()


@pytest.fixture
def immediate(context: ze.ze_context_handle_t, device: ze.ze_device_handle_t) -> ze.ze_command_list_handle_t:
    """An immediate list in synchronous mode."""
    return ze.zeCommandListCreateImmediate(context, device, SYNCHRONOUS)


@pytest.fixture
def new_list(
    context: ze.ze_context_handle_t, device: ze.ze_device_handle_t
) -> Callable[[], ze.ze_command_list_handle_t]:
    """Makes regular lists."""
    return lambda: ze.zeCommandListCreate(context, device, ze.ze_command_list_desc_t())


@pytest.fixture
def new_event(context: ze.ze_context_handle_t) -> Callable[[], ze.ze_event_handle_t]:
    """Makes events, with timestamps."""
    flags = ze.ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ze.ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP
    pool = ze.zeEventPoolCreate(context, ze.ze_event_pool_desc_t(flags, 100))
    return lambda: ze.zeEventCreate(pool, ze.ze_event_desc_t(len(pool.events)))
