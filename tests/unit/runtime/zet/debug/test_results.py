"""Every result that the table of functions lists is produced: by a call with valid arguments but for one thing."""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Callable
from enum import IntEnum, IntFlag
from pathlib import Path

import pytest

from runtime import ze, zet
from runtime.ze.declaration import function_called, functions
from runtime.zet.debug import spec
from tests.unit.runtime.zet.debug.test_session import FIRST, stopped_at
from tests.unit.runtime.zet.debug.world import DebuggedWorld

FUNCTIONS = {
    name: found for name, found in functions(zet.ToolsChapter).items() if found.chapter is zet.ToolsChapter.DEBUG
}
NAMES = list(FUNCTIONS)
Arguments = dict[str, object]
Change = Callable[[DebuggedWorld, Arguments], None]


@pytest.fixture
def stopped(world: DebuggedWorld) -> DebuggedWorld:
    """A world whose kernel is stopped."""
    stopped_at(world, 3)
    return world


def arguments_of(world: DebuggedWorld, name: str) -> Arguments:
    """Arguments with which a function succeeds in a world whose kernel is stopped."""
    grf = {"type": 1, "start": 10, "count": 1}
    desc = zet.zet_debug_memory_space_desc_t(0, world.memory)
    session: Arguments = {"hDebug": world.session}
    thread = {**session, "thread": FIRST}
    state = {**session, "threadid": 0, "offset": 0}
    given: dict[str, Arguments] = {
        "zetDeviceGetDebugProperties": {"hDevice": world.device},
        "zetDebugAttach": {"hDevice": world.device, "config": zet.zet_debug_config_t(os.getpid())},
        "zetDebugDetach": session,
        "zetDebugReadEvent": {**session, "timeout": 0},
        "zetDebugAcknowledgeEvent": {**session, "event": _load_event(world)},
        "zetDebugInterrupt": thread,
        "zetDebugResume": thread,
        "zetDebugReadMemory": {**thread, "desc": desc, "size": 4},
        "zetDebugWriteMemory": {**thread, "desc": desc, "buffer": b"abcd"},
        "zetDebugGetRegisterSetProperties": {"hDevice": world.device},
        "zetDebugGetThreadRegisterSetProperties": thread,
        "zetDebugReadRegisters": {**thread, **grf},
        "zetDebugWriteRegisters": {**thread, **grf, "pRegisterValues": bytes(64)},
        "zetDebugGetNumThreads": session,
        "zetDebugReadState": {**state, "size": 4},
        "zetDebugWriteState": {**state, "offset": 4096, "buffer": b"abcd"},
    }
    return given[name]


def _load_event(world: DebuggedWorld) -> zet.zet_debug_event_t:
    (module,) = world.cards_modules()
    info = zet.zet_debug_event_info_module_t(0, module.begin, module.end, module.load)
    kind = zet.zet_debug_event_type_t.ZET_DEBUG_EVENT_TYPE_MODULE_LOAD
    return zet.zet_debug_event_t(kind, info=zet.zet_debug_event_info_t(module=info))


def outcome(name: str, arguments: Arguments) -> str:
    try:
        function_called(name).callables[name](**arguments)
    except ze.ZeError as error:
        return error.result.name.removeprefix("ZE_RESULT_").removeprefix("ERROR_")
    return "SUCCESS"


def test_valid_arguments(stopped: DebuggedWorld) -> None:
    """Functions that need another state of the program say so; the attached debugger is the only one."""
    found = {name: outcome(name, arguments_of(stopped, name)) for name in NAMES if name != "zetDebugDetach"}
    others = {name: result for name, result in found.items() if result != "SUCCESS"}
    assert others == {
        "zetDebugAttach": "NOT_AVAILABLE",
        "zetDebugReadEvent": "NOT_READY",
        "zetDebugAcknowledgeEvent": "INVALID_ARGUMENT",
        "zetDebugInterrupt": "NOT_AVAILABLE",
        # after `zetDebugResume`
        **dict.fromkeys(
            [name for name in NAMES[NAMES.index("zetDebugReadMemory") :] if name in others], "NOT_AVAILABLE"
        ),
    }
    assert outcome("zetDebugDetach", arguments_of(stopped, "zetDebugDetach")) == "SUCCESS"
    assert outcome("zetDebugAttach", arguments_of(stopped, "zetDebugAttach")) == "SUCCESS"


@pytest.mark.parametrize("name", NAMES)
def test_handles_and_pointers(stopped: DebuggedWorld, name: str) -> None:
    valid = arguments_of(stopped, name)
    (handle, *_) = valid
    assert outcome(name, {**valid, handle: None}) == "INVALID_NULL_HANDLE"
    assert outcome(name, {**valid, handle: stopped.module}) == "INVALID_ARGUMENT"
    for pointer in FUNCTIONS[name].pointers:
        assert outcome(name, {**valid, pointer: None}) == "INVALID_NULL_POINTER"
    for parameter, value in valid.items():
        for nonsense in (object(), -1, "x", float("nan"), 1 << 70, []):
            assert outcome(name, {**valid, parameter: nonsense}) != "SUCCESS"
        if type(value).__name__.startswith("zet_") and parameter != "hDebug":
            assert outcome(name, {**valid, parameter: ze.ze_context_desc_t()}) == "INVALID_ARGUMENT"


UNAVAILABLE = [
    name for name, found in FUNCTIONS.items() if ze.ze_result_t.ZE_RESULT_ERROR_NOT_AVAILABLE in found.results
]


@pytest.mark.parametrize("name", [name for name in UNAVAILABLE if name != "zetDebugAttach"])
def test_what_has_ended_is_not_available(stopped: DebuggedWorld, name: str) -> None:
    stopped.session.connection.close()
    assert outcome(name, arguments_of(stopped, name)) == "NOT_AVAILABLE"


@pytest.mark.parametrize("name", ["zetDebugReadMemory", "zetDebugWriteMemory"])
def test_memory_spaces(stopped: DebuggedWorld, name: str) -> None:
    valid = arguments_of(stopped, name)
    assert outcome(name, {**valid, "desc": zet.zet_debug_memory_space_desc_t(2, 0)}) == "INVALID_ENUMERATION"


class TestAttach:
    def test_processes(self, world: DebuggedWorld, monkeypatch: pytest.MonkeyPatch) -> None:
        def attach(pid: int) -> str:
            return outcome("zetDebugAttach", {"hDevice": world.device, "config": zet.zet_debug_config_t(pid)})

        assert attach((1 << 22) + 1) == "INVALID_ARGUMENT"
        assert attach(os.getppid()) in ("UNSUPPORTED_FEATURE", "INSUFFICIENT_PERMISSIONS")
        monkeypatch.setattr("os.getuid", lambda: 77_777)
        assert attach(os.getpid()) == "INSUFFICIENT_PERMISSIONS"

    def test_devices(self, world: DebuggedWorld) -> None:
        tile = ze.zeDeviceGetSubDevices(world.device)[0]
        config = zet.zet_debug_config_t(os.getpid())
        assert outcome("zetDebugAttach", {"hDevice": tile, "config": config}) == "UNSUPPORTED_FEATURE"
        assert zet.zetDeviceGetDebugProperties(tile).flags == 0
        assert zet.zetDeviceGetDebugProperties(world.device).flags == zet.ZET_DEVICE_DEBUG_PROPERTY_FLAG_ATTACH
        assert outcome("zetDebugAttach", {"hDevice": world.arc, "config": config}) == "SUCCESS"

    def test_versions_of_the_configuration(self, world: DebuggedWorld) -> None:
        zet.zetDebugDetach(world.session)
        v1 = zet.zet_debug_config_variants_t(zet.zet_debug_config_v1_t(os.getpid()))
        session = zet.zetDebugAttach(world.device, zet.zet_debug_config_t(version=1, variant=v1))
        zet.zetDebugDetach(session)
        config = zet.zet_debug_config_t(os.getpid(), version=2, variant=v1)
        assert outcome("zetDebugAttach", {"hDevice": world.device, "config": config}) == "INVALID_ARGUMENT"


HEADER = Path("/usr/include/level_zero/zet_api.h")


@pytest.mark.skipif(not HEADER.exists(), reason="the headers of Level Zero (libze-dev) are not installed")
class TestHeader:
    def test_enumerators(self) -> None:
        found = re.findall(r"typedef enum _(zet_(?:device_)?debug_\w+)\n\{(.*?)\n\}", HEADER.read_text(), re.DOTALL)
        assert len(found) == 7
        for name, body in found:
            kind = getattr(spec, name.replace("_flag_t", "_flags_t"))
            assert issubclass(kind, IntFlag if "_flag_t" in name else IntEnum)
            for key, text in re.findall(r"(ZET_\w+) = (ZE_BIT\(\d+\)|\d+),? ", body):
                value = 1 << int(text[7:-1]) if text.startswith("ZE_BIT") else int(text)
                assert kind.__members__[key] == value

    def test_structures(self) -> None:
        pattern = r"typedef struct _(zet_(?:device_)?debug_\w+)\n\{(.*?)\n\}"
        found = re.findall(pattern, HEADER.read_text(), re.DOTALL)
        assert len(found) == 9
        for name, body in found:
            members = [
                m for m in re.findall(r"^ +[\w *]+[ *](\w+);", body, re.MULTILINE) if m not in ("stype", "pNext")
            ]
            fields = [field.name for field in dataclasses.fields(getattr(spec, name)) if field.name != "pNext"]
            assert fields[: len(members)] == members, name
            # which 0.91 has with other members
            assert fields == members or name in ("zet_debug_config_t", "zet_debug_event_t")
