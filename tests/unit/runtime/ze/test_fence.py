"""Fences."""

import pytest

from runtime import ze
from tests.unit.runtime.ze.conftest import SYNCHRONOUS
from tests.unit.runtime.ze.expect import fails

READY, NOT_READY = ze.ZE_RESULT_SUCCESS, ze.ZE_RESULT_NOT_READY


@pytest.fixture
def fence(queue):
    return ze.zeFenceCreate(queue, ze.ze_fence_desc_t())


@pytest.fixture
def empty(new_list):
    """A closed list without commands."""
    command_list = new_list()
    ze.zeCommandListClose(command_list)
    return command_list


@pytest.fixture
def gated(new_list, new_event):
    """A closed list that waits for an event, and the event."""
    command_list, gate = new_list(), new_event()
    ze.zeCommandListAppendWaitOnEvents(command_list, [gate])
    ze.zeCommandListClose(command_list)
    return command_list, gate


@pytest.mark.usefixtures("validated")
def test_create(queue) -> None:
    with fails("INVALID_NULL_POINTER"):
        ze.zeFenceCreate(queue, None)
    with fails("INVALID_ENUMERATION"):
        ze.zeFenceCreate(queue, ze.ze_fence_desc_t(2))


def test_signaled_from_the_start(queue) -> None:
    fence = ze.zeFenceCreate(queue, ze.ze_fence_desc_t(ze.ZE_FENCE_FLAG_SIGNALED))
    assert ze.zeFenceHostSynchronize(fence) == READY


def test_never_submitted(fence) -> None:
    assert ze.zeFenceQueryStatus(fence) == NOT_READY
    assert ze.zeFenceHostSynchronize(fence, 1_000_000) == NOT_READY


def test_signals_when_all_lists_are_done(queue, fence, empty, gated) -> None:
    command_list, gate = gated
    ze.zeCommandQueueExecuteCommandLists(queue, [empty, command_list], fence)
    assert ze.zeFenceHostSynchronize(fence, 5_000_000) == NOT_READY
    ze.zeEventHostSignal(gate)
    assert ze.zeFenceHostSynchronize(fence) == READY
    assert ze.zeFenceQueryStatus(fence) == READY


def test_on_a_synchronous_queue(context, device, empty) -> None:
    queue = ze.zeCommandQueueCreate(context, device, SYNCHRONOUS)
    fence = ze.zeFenceCreate(queue, ze.ze_fence_desc_t())
    ze.zeCommandQueueExecuteCommandLists(queue, [empty], fence)
    assert ze.zeFenceQueryStatus(fence) == READY


def test_must_be_reset_before_it_is_submitted_again(queue, fence, empty) -> None:
    ze.zeCommandQueueExecuteCommandLists(queue, [empty], fence)
    ze.zeFenceHostSynchronize(fence)
    with fails("INVALID_SYNCHRONIZATION_OBJECT", "reset"):
        ze.zeCommandQueueExecuteCommandLists(queue, [empty], fence)
    ze.zeFenceReset(fence)
    assert ze.zeFenceQueryStatus(fence) == NOT_READY
    ze.zeCommandQueueExecuteCommandLists(queue, [empty], fence)
    assert ze.zeFenceHostSynchronize(fence) == READY


def test_belongs_to_its_queue(context, device, fence, empty) -> None:
    other = ze.zeCommandQueueCreate(context, device, SYNCHRONOUS)
    with fails("INVALID_SYNCHRONIZATION_OBJECT", "another queue"):
        ze.zeCommandQueueExecuteCommandLists(other, [empty], fence)
    ze.zeCommandListDestroy(empty)


@pytest.mark.usefixtures("validated")
def test_in_use(queue, fence, gated, empty) -> None:
    """Between submission and signal it is neither reset nor destroyed nor submitted; its queue outlives it."""
    command_list, gate = gated
    ze.zeCommandQueueExecuteCommandLists(queue, [command_list], fence)
    for action in (ze.zeFenceReset, ze.zeFenceDestroy):
        with fails("HANDLE_OBJECT_IN_USE"):
            action(fence)
    with fails("INVALID_SYNCHRONIZATION_OBJECT"):
        ze.zeCommandQueueExecuteCommandLists(queue, [empty], fence)
    ze.zeEventHostSignal(gate)
    ze.zeFenceHostSynchronize(fence)
    with fails("HANDLE_OBJECT_IN_USE", "fence"):
        ze.zeCommandQueueDestroy(queue)
    ze.zeFenceDestroy(fence)
    ze.zeCommandQueueDestroy(queue)
