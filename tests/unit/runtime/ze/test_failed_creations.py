"""Creations that fail leave nothing behind: no child of the context, no memory, no file."""

from __future__ import annotations

import os
import struct

import pytest

from runtime import ze
from runtime.ze.driver.handle import Handle
from tests.unit.runtime.ze.expect import fails
from tests.unit.runtime.ze.world import IMAGE, World


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch):
    made = World(monkeypatch)
    yield made
    made.end()


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


def test_a_constructor_that_fails_makes_no_child() -> None:
    class Failing(Handle):
        noun = "failing"

        def __init__(self, parent: Handle) -> None:
            super().__init__(parent)
            raise ValueError("half-way")

    parent = Handle()
    with pytest.raises(ValueError, match="half-way"):
        Failing(parent)
    parent.retire()


def test_sampler_without_room(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    before = set(world.context.children)
    monkeypatch.setattr(world.machine.memory, "_limit", 0)
    with fails("OUT_OF_DEVICE_MEMORY", "sampler"):
        ze.zeSamplerCreate(world.context, world.arc, ze.ze_sampler_desc_t(0, 0))
    assert world.context.children == before


def test_image_whose_state_has_no_room(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    memory, local, before = world.machine.memory, world.arc.local_bytes, world.machine.memory.live()
    ze.zeImageDestroy(world.new_image())
    size = sum(found.size for found in memory.live() if found.is_owned)
    monkeypatch.setattr(memory, "_limit", size + 8 * 64)
    for _ in range(2):
        with fails("OUT_OF_DEVICE_MEMORY", "no room for an image"):
            ze.zeImageCreate(world.context, world.arc, IMAGE)
        assert (memory.live(), world.arc.local_bytes, world.context.children) == (before, local, set())


@pytest.mark.parametrize("field", [40, 32], ids=["kind of memory", "size"])
def test_damaged_handle_of_memory(world: World, field: int) -> None:
    handle = bytearray(ze.zeMemGetIpcHandle(world.context, world.memory))
    struct.pack_into("<Q", handle, field, 77 if field == 40 else 0)
    files, live = open_files(), world.machine.memory.live()
    for _ in range(3):
        with fails("INVALID_ARGUMENT", "damaged"):
            ze.zeMemOpenIpcHandle(world.context, world.device, handle)
    assert (open_files(), world.machine.memory.live()) == (files, live)


def test_file_that_cannot_grow(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(fd: int, size: int) -> None:
        raise OSError("no room")

    files = open_files()
    monkeypatch.setattr(os, "ftruncate", refuse)
    with fails("OUT_OF_HOST_MEMORY"):
        ze.zeEventPoolCreate(world.context, ze.ze_event_pool_desc_t(ze.ZE_EVENT_POOL_FLAG_IPC, 4))
    assert open_files() == files
