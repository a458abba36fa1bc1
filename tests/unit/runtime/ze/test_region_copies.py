"""Copies of boxes of memory, copies between contexts, and hints."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from runtime import ze
from runtime.ze.driver.system.driver import Driver
from tests.amounts import examples
from tests.unit.runtime.ze.conftest import SYNCHRONOUS
from tests.unit.runtime.ze.expect import fails
from tests.unit.runtime.ze.kernels import ScriptedSimulator
from xegpu.targets import ARC, PVC

DEVICE, HOST = ze.ze_device_mem_alloc_desc_t(), ze.ze_host_mem_alloc_desc_t()
SIDE = 8


@pytest.fixture(scope="module")
def shared_list() -> ze.ze_command_list_handle_t:
    driver = Driver((PVC,), ScriptedSimulator)
    context = ze.zeContextCreate(driver, ze.ze_context_desc_t())
    return ze.zeCommandListCreateImmediate(context, ze.zeDeviceGet(driver)[0], SYNCHRONOUS)


@settings(max_examples=examples(100), deadline=None)
@given(data=st.data())
def test_boxes(shared_list, data: st.DataObject) -> None:
    """Any box goes from any place of one cube of bytes to any place of another one."""
    extent = [data.draw(st.integers(1, SIDE)) for _ in range(3)]
    places = [[data.draw(st.integers(0, SIDE - size)) for size in extent] for _ in range(2)]
    source = np.random.default_rng(0).integers(0, 256, (SIDE, SIDE, SIDE), np.uint8)
    target = np.zeros_like(source)
    to, from_ = (ze.ze_copy_region_t(*place, *extent) for place in places)
    pitches = (SIDE, SIDE * SIDE)
    ze.zeCommandListAppendMemoryCopyRegion(shared_list, target, to, *pitches, source, from_, *pitches)
    expected = np.zeros_like(source)
    boxes = [tuple(slice(place[axis], place[axis] + extent[axis]) for axis in (2, 1, 0)) for place in places]
    expected[boxes[0]] = source[boxes[1]]
    np.testing.assert_array_equal(target, expected)


class TestRegions:
    def test_pitches_may_differ(self, immediate) -> None:
        """And be left out; a depth of 0 is a plane."""
        source = np.arange(12, dtype=np.uint8)
        target = np.zeros(8, np.uint8)
        region = ze.ze_copy_region_t(width=2, height=3)
        ze.zeCommandListAppendMemoryCopyRegion(immediate, target, region, 0, 0, source, region, 4, 0)
        assert target.tolist() == [0, 1, 4, 5, 8, 9, 0, 0]

    def test_an_empty_region_signals(self, immediate, new_event) -> None:
        event = new_event()
        empty = ze.ze_copy_region_t()
        ze.zeCommandListAppendMemoryCopyRegion(immediate, bytearray(1), empty, 0, 0, b"x", empty, 0, 0, event)
        assert ze.zeEventQueryStatus(event) == ze.ZE_RESULT_SUCCESS

    @pytest.mark.parametrize(
        ("shift", "pitch", "overlaps"),
        [(0, 8, True), (4, 8, True), (4, 24, False), (28, 8, True), (44, 8, False), (2, 100, True), (200, 8, False)],
    )
    def test_boxes_of_other_pitches_overlap(
        self, context, device, immediate, shift: int, pitch: int, overlaps: bool
    ) -> None:
        """Rows of 4 bytes, 12 bytes apart, and others from `shift` on."""
        memory = ze.zeMemAllocDevice(context, ze.ze_device_mem_alloc_desc_t(), 1024, 64, device)
        region = ze.ze_copy_region_t(0, 0, 0, 4, 4, 1)
        rows = {12 * row + byte for row in range(4) for byte in range(4)}
        assert overlaps is bool(rows & {shift + pitch * row + byte for row in range(4) for byte in range(4)})
        arguments = (immediate, memory, region, 12, 0, memory + shift, region, pitch, 0)
        if overlaps:
            with fails("OVERLAPPING_REGIONS"):
                ze.zeCommandListAppendMemoryCopyRegion(*arguments)
        else:
            ze.zeCommandListAppendMemoryCopyRegion(*arguments)

    @pytest.mark.parametrize(
        ("shift", "overlaps"), [(0, True), (3, True), (4, False), (8, True), (4 + 8, False), (24, False)]
    )
    def test_overlaps(self, context, device, immediate, shift: int, overlaps: bool) -> None:
        """Boxes of 4 x 3 bytes in rows of 8."""
        memory = ze.zeMemAllocDevice(context, DEVICE, 256, 0, device)
        region = ze.ze_copy_region_t(width=4, height=3)
        arguments = (immediate, memory, region, 8, 0, memory + shift, region, 8, 0)
        if overlaps:
            with fails("OVERLAPPING_REGIONS"):
                ze.zeCommandListAppendMemoryCopyRegion(*arguments)
        else:
            ze.zeCommandListAppendMemoryCopyRegion(*arguments)

    def test_what_does_not_fit(self, immediate) -> None:
        region = ze.ze_copy_region_t(width=4, height=3)
        wider = ze.ze_copy_region_t(width=5, height=3)
        with fails("INVALID_ARGUMENT"):
            ze.zeCommandListAppendMemoryCopyRegion(immediate, bytearray(64), wider, 8, 0, bytes(64), region, 8, 0)
        with fails("INVALID_ARGUMENT", "srcptr"):
            ze.zeCommandListAppendMemoryCopyRegion(immediate, bytearray(64), region, 8, 0, bytes(19), region, 8, 0)
        with fails("INVALID_SIZE", "pitches"):
            ze.zeCommandListAppendMemoryCopyRegion(immediate, bytearray(64), region, 3, 0, bytes(64), region, 8, 0)


class TestContexts:
    @pytest.mark.usefixtures("validated")
    def test_memory_of_another_one(self, driver, context, immediate) -> None:
        other = ze.zeContextCreate(driver, ze.ze_context_desc_t())
        source = ze.zeMemAllocHost(other, HOST, 4, 0)
        ze.zeCommandListAppendMemoryCopyFromContext(immediate, bytearray(4), other, source, 4)
        with fails("INVALID_ARGUMENT", "srcptr"):
            ze.zeCommandListAppendMemoryCopy(immediate, bytearray(4), source, 4)
        with fails("INVALID_ARGUMENT", "another driver"):
            stranger = ze.zeContextCreate(Driver((ARC,), ScriptedSimulator), ze.ze_context_desc_t())
            ze.zeCommandListAppendMemoryCopyFromContext(immediate, bytearray(4), stranger, bytes(4), 4)
        data = bytearray(2)
        ze.zeCommandListAppendMemoryCopyFromContext(immediate, data, None, b"ab", 2)
        assert data == b"ab"


class TestHints:
    def test_they_change_nothing(self, context, device, immediate) -> None:
        memory = ze.zeMemAllocShared(context, DEVICE, HOST, 64, 0, device)
        ze.zeCommandListAppendMemoryFill(immediate, memory, b"\7", 1, 64)
        ze.zeCommandListAppendMemoryPrefetch(immediate, memory + 8, 16)
        for advice in ze.ze_memory_advice_t:
            ze.zeCommandListAppendMemAdvise(immediate, device, memory, 64, advice)
        data = bytearray(64)
        ze.zeCommandListAppendMemoryCopy(immediate, data, memory, 64)
        assert data == b"\7" * 64

    def test_unknown_memory(self, context, device, immediate) -> None:
        memory = ze.zeMemAllocShared(context, DEVICE, HOST, 64, 0, device)
        for address, size in ((memory, 65), (4096, 1)):
            with fails("INVALID_ARGUMENT"):
                ze.zeCommandListAppendMemoryPrefetch(immediate, address, size)
            with fails("INVALID_ARGUMENT"):
                ze.zeCommandListAppendMemAdvise(immediate, device, address, size, 0)
