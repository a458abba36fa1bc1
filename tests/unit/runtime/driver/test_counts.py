"""Arrays whose length a program asks for first: every function of C that gives one, whatever room there is for it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from pathlib import Path
from struct import calcsize

import pytest

import runtime.zes
import runtime.zet  # noqa: F401 - declares functions
from runtime import ze, zes
from runtime.driver.abi import CFunction, code_of, is_handle, layouts, pointee, signatures
from runtime.driver.functions import callable_of
from runtime.driver.marshalling import HANDLES
from runtime.ze.declaration import declared
from tests.unit.runtime.ze import world as core_world
from tests.unit.runtime.zes import world as sysman_world
from tests.unit.runtime.zet.metrics import world as metrics_world

Arguments = Callable[[str], dict[str, object]]
SUCCESS, UNSUPPORTED, NULL_POINTER = 0, 0x78000003, 0x78000007
MARK = 0xEE

FUNCTIONS: dict[str, CFunction] = {
    name: found
    for name, found in signatures().items()
    if name in declared()
    and any(each.is_output and each.count == "*pCount" for each in found.parameters)
    and all(is_handle(each.type) or each.is_output or each.name == "pCount" for each in found.parameters)
}


@pytest.fixture
def arguments(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Arguments]:
    """Arguments with which a function succeeds, in a world of its API."""
    worlds: list[core_world.World] = []

    def given(name: str) -> dict[str, object]:
        if name in ("zeDriverGet", "zesDriverGet"):
            (zes.zesInit if name.startswith("zes") else ze.zeInit)()
        if name.startswith("zes"):
            return sysman_world.World(monkeypatch, str(tmp_path)).arguments(name)
        worlds.append((metrics_world if name.startswith("zet") else core_world).World(monkeypatch))
        return worlds[0].arguments(name)

    yield given
    for world in worlds:
        world.end()


def size_of(type: str) -> int:
    """The bytes of what a pointer points to."""
    inner = pointee(type)
    if inner in layouts():
        return layouts()[inner].size
    return 8 if is_handle(inner) or inner.endswith("*") else calcsize(code_of(inner))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_counts(arguments: Arguments, name: str) -> None:
    signature, values, call = FUNCTIONS[name], arguments(name), callable_of(name)
    array = next(each for each in signature.parameters if each.count == "*pCount")
    size, count = size_of(array.type), ctypes.c_uint32()

    def called(room: int, place: int, count_at: int | None = None) -> int:
        count.value = room
        words = {"pCount": ctypes.addressof(count) if count_at is None else count_at, array.name: place}
        return call(
            *(
                words[each.name] if each.name in words else HANDLES.of(values[each.name]) if is_handle(each.type) else 0
                for each in signature.parameters
            )
        )

    assert called(0, 0, 0) in (NULL_POINTER, UNSUPPORTED)
    result = called(0, 0)
    if result == UNSUPPORTED:
        assert declared()[name].note  # which says why
        return
    assert result == SUCCESS
    total = count.value
    for room in {total + 1, total, max(total - 1, 1)}:
        taken = min(room, total)
        data = (ctypes.c_ubyte * ((room + 1) * size))()
        ctypes.memset(ctypes.addressof(data) + taken * size, MARK, (room + 1 - taken) * size)
        assert called(room, ctypes.addressof(data)) == SUCCESS
        assert count.value == taken
        assert bytes(data[taken * size :]) == bytes([MARK]) * ((room + 1 - taken) * size)
        if is_handle(pointee(array.type)):
            assert all(int.from_bytes(data[8 * at : 8 * at + 8], "little") for at in range(taken))
    assert called(total, 0) == SUCCESS and count.value == total
