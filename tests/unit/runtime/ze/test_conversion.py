"""Arguments of types that C would convert, and of types that it would not take."""

from __future__ import annotations

import array
import dataclasses
from collections.abc import Callable
from contextlib import suppress

import ml_dtypes
import numpy as np
import pytest

from runtime import ze
from runtime.ze.declaration import functions
from tests.unit.runtime.ze.conftest import SYNCHRONOUS
from tests.unit.runtime.ze.expect import fails
from tests.unit.runtime.ze.world import DEVICE, HOST, World

INTEGERS = (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64)


class _Raising:
    def __index__(self) -> int:
        raise RuntimeError("no index")


GARBAGE = (
    *(None, -1, 1 << 32, 1 << 64, 1 << 70, 1.5, float("nan"), 1j, True, "x", b"x", bytearray(b"abc"), ...),
    *([], [None], (), {}, {1}, object(), int, np.int64(1), np.uint64(1), np.array([1, 2]), np.array([]), np.array(1)),
    *(np.array([object()]), np.datetime64("2020"), _Raising()),
)


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch):
    made = World(monkeypatch)
    yield made
    made.end()


class TestIntegers:
    """Integers of numpy are integers, wherever a function takes one."""

    @pytest.mark.parametrize("kind", INTEGERS)
    def test_sizes_and_addresses(self, world: World, kind: type[np.integer]) -> None:
        context, device, commands = world.context, world.device, world.immediate
        for _ in range(2):  # what the first calls leave behind must not harm the second ones
            memory = ze.zeMemAllocDevice(context, DEVICE, kind(64), kind(64), device)
            ze.zeMemFree(context, np.uint64(ze.zeMemAllocHost(context, HOST, kind(64), kind(0))))
            ze.zeCommandListAppendMemoryFill(commands, np.uint64(memory), b"ab", kind(2), kind(64))
            data = bytearray(64)
            ze.zeCommandListAppendMemoryCopy(commands, data, np.uint64(memory), kind(64))
            assert data == b"ab" * 32
            region = ze.ze_copy_region_t(kind(0), kind(0), kind(0), kind(4), kind(4), kind(1))
            ze.zeCommandListAppendMemoryCopyRegion(commands, data, region, kind(8), kind(0), memory, region, kind(8), 0)
            ze.zeMemFree(context, memory)

    @pytest.mark.parametrize("kind", INTEGERS)
    def test_launches(self, world: World, kind: type[np.integer]) -> None:
        commands, kernel = world.immediate, world.kernel
        ze.zeKernelSetGroupSize(kernel, kind(16), kind(1), kind(1))
        ze.zeKernelSetArgumentValue(kernel, kind(0), kind(8), world.memory)
        ze.zeKernelSetGlobalOffsetExp(kernel, kind(1), kind(2), kind(3))
        ze.zeCommandListAppendLaunchKernel(commands, kernel, ze.ze_group_count_t(kind(100)))
        sizes = ze.ze_group_size_t(kind(16), kind(1), kind(1))
        arguments = [np.uint64(world.memory), world.memory, np.int32(1)]
        ze.zeCommandListAppendLaunchKernelWithArguments(
            commands, kernel, ze.ze_group_count_t(kind(1)), sizes, arguments
        )
        assert ze.zeCommandListHostSynchronize(commands, kind(1)) is ze.ZE_RESULT_SUCCESS
        dispatches = world.device.simulator.dispatches
        assert [dispatch.group_count for dispatch in dispatches] == [(100, 1, 1), (1, 1, 1)]
        assert all(type(x) is int for dispatch in dispatches for x in (*dispatch.local_size, *dispatch.group_count))

    @pytest.mark.parametrize("kind", INTEGERS)
    def test_events_and_queues(self, world: World, kind: type[np.integer]) -> None:
        pool = ze.zeEventPoolCreate(world.context, ze.ze_event_pool_desc_t(kind(1), kind(4)))
        event = ze.zeEventCreate(pool, ze.ze_event_desc_t(kind(1)))
        with fails("INVALID_ARGUMENT", "index 1 is taken"):
            ze.zeEventCreate(pool, ze.ze_event_desc_t(1))
        assert ze.zeEventHostSynchronize(event, kind(1)) is ze.ZE_RESULT_NOT_READY
        ze.zeCommandListCreate(world.context, world.device, ze.ze_command_list_desc_t(kind(1)))
        ze.zeCommandQueueCreate(world.context, world.device, dataclasses.replace(SYNCHRONOUS, ordinal=kind(0)))

    def test_behind_the_validation_layer(self, world: World, monkeypatch: pytest.MonkeyPatch, request) -> None:
        from runtime.ze import layers

        request.addfinalizer(layers.follow_environment)
        for name in ("ZE_ENABLE_VALIDATION_LAYER", "ZE_ENABLE_PARAMETER_VALIDATION"):
            monkeypatch.setenv(name, "1")
        layers.follow_environment()
        with fails("UNSUPPORTED_ALIGNMENT", "alignment: 48 is not a power of two"):
            ze.zeMemAllocDevice(world.context, DEVICE, np.uint16(64), np.int8(48), world.device)
        monkeypatch.undo()


class TestBuffers:
    @pytest.mark.parametrize(
        "source",
        [
            b"abcdefgh",
            bytearray(b"abcdefgh"),
            memoryview(b"abcdefgh"),
            array.array("h", b"abcdefgh"),
            np.frombuffer(b"abcdefgh", ml_dtypes.bfloat16),
            np.frombuffer(b"abcdefgh", "M8[s]"),
        ],
    )
    def test_copies_take_any_buffer(self, world: World, source: object) -> None:
        target = array.array("b", bytes(8))
        ze.zeCommandListAppendMemoryCopy(world.immediate, world.memory, source, 8)
        ze.zeCommandListAppendMemoryCopy(world.immediate, target, world.memory, 8)
        assert target.tobytes() == b"abcdefgh"

    @pytest.mark.parametrize("source", [np.array([object()]), np.arange(8)[::2], "abcdefgh", [1, 2], 1.5])
    def test_what_is_no_buffer(self, world: World, source: object) -> None:
        with fails("INVALID_ARGUMENT", "srcptr"):
            ze.zeCommandListAppendMemoryCopy(world.immediate, world.memory, source, 8)


class TestChains:
    def test_structures_follow_each_other(self, world: World) -> None:
        """An extension is found wherever it is in the chain, be it linked as in C or given as a tuple."""
        relaxed, other = ze.ze_relaxed_allocation_limits_exp_desc_t(), ze.ze_event_desc_t
        size = world.device.properties.maxMemAllocSize + 64
        with fails("UNSUPPORTED_SIZE"):
            ze.zeMemAllocDevice(world.context, ze.ze_device_mem_alloc_desc_t(pNext=other()), size, 0, world.device)
        for chain in (relaxed, other(pNext=relaxed), other(pNext=other(pNext=relaxed)), (other(), relaxed), [relaxed]):
            desc = ze.ze_device_mem_alloc_desc_t(pNext=chain)
            with pytest.raises(ze.ZeError) as caught:
                ze.zeMemAllocDevice(world.context, desc, 1 << 62, 0, world.device)
            assert str(world.device.memory_bytes) in caught.value.text

    @pytest.mark.parametrize("chain", [object(), "x", 1, [None], ze.ze_event_desc_t])
    def test_what_is_no_structure(self, world: World, chain: object) -> None:
        with fails("INVALID_ARGUMENT", "device_desc.pNext"):
            desc = ze.ze_device_mem_alloc_desc_t(pNext=chain)
            ze.zeMemAllocDevice(world.context, desc, 64, 0, world.device)


def _replaced(structure: object, member: str, value: object) -> object:
    return dataclasses.replace(structure, **{member: value})


def _cases(arguments: dict[str, object]) -> list[tuple[str, Callable[[object], object]]]:
    """The parameters, and the members of descriptors, with what puts a value there."""
    found: list[tuple[str, Callable[[object], object]]] = []
    for name, argument in arguments.items():
        found.append((name, lambda value: value))
        if dataclasses.is_dataclass(argument) and not isinstance(argument, type):
            found += [
                (
                    name,
                    lambda value, argument=argument, field=field.name: dataclasses.replace(argument, **{field: value}),
                )
                for field in dataclasses.fields(argument)
            ]
    return found


@pytest.mark.parametrize("name", [name for name in functions() if name not in {"zeInit", "zeInitDrivers"}])
def test_garbage(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever stands in the place of an argument or of a member, a call succeeds or raises `ZeError`."""
    world = World(monkeypatch)
    for parameter, put in _cases(world.arguments(name)):
        for value in GARBAGE:
            try:
                arguments = world.arguments(name)
            except ze.ZeError:  # the last call has destroyed something
                world.end()
                world = World(monkeypatch)
                arguments = world.arguments(name)
            with suppress(ze.ZeError):
                getattr(ze, name)(**arguments | {parameter: put(value)})
    world.end()


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (
            lambda world: ze.zeCommandListCreate(world.context, world.device, ze.ze_command_list_desc_t(1.5)),
            "desc.commandQueueGroupOrdinal is 1.5, expected an integer",
        ),
        (lambda world: ze.zeEventCreate(world.new_pool(), ze.ze_event_desc_t(1.5)), "desc.index is 1.5"),
        (
            lambda world: ze.zeCommandListAppendMemoryRangesBarrier(world.immediate, [None], [world.memory]),
            "pRangeSizes[0] is None",
        ),
        (
            lambda world: ze.zeCommandListAppendMemoryRangesBarrier(world.immediate, [-1], [world.memory]),
            "pRangeSizes is -1",
        ),
        (
            lambda world: ze.zeModuleCreate(world.context, world.device, ze.ze_module_desc_t(1, b"x", b"-g")),
            "desc.pBuildFlags is a bytes, expected a str",
        ),
        (
            lambda world: ze.zeModuleCreate(world.context, world.device, ze.ze_module_desc_t(1, "text")),
            "desc.pInputModule is a str, expected bytes",
        ),
    ],
)
def test_what_was_once_accepted_in_silence(world: World, call: Callable[[World], object], text: str) -> None:
    with fails("INVALID_ARGUMENT", text):
        call(world)
