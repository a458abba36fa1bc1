"""Replays one script of calls from C and from Python, and prints the results of both.

Run with the path of the stand-in. A call from C goes through the library, with the structures and handles of C.
"""

from __future__ import annotations

import ctypes
import json
import sys
from collections.abc import Callable, Iterator

from runtime import ze
from runtime.driver.abi import CParameter, is_handle, layouts, pointee, signatures
from runtime.driver.marshalling import HANDLES, types_of, writer
from runtime.ze.driver import Handle

Answer = tuple[int, object]
Call = Callable[..., object]

TYPES = {kind: number for number, kind in reversed(types_of("ze").items())}


class FromPython:
    """Calls the functions of `runtime.ze`."""

    def __init__(self) -> None:
        self.results: list[tuple[str, int]] = []

    def __call__(self, name: str, *arguments: object) -> object:
        try:
            found = getattr(ze, name)(*arguments)
        except ze.ZeError as error:
            self.results.append((name, int(error.result)))
            return None
        code = int(found) if isinstance(found, ze.ze_result_t) else 0
        self.results.append((name, code))
        return found


class FromC(FromPython):
    """Calls the functions of a library."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self._library = ctypes.CDLL(path)
        self._kept: list[object] = []

    def _words(self, count: int) -> ctypes.Array[ctypes.c_uint64]:
        words = (ctypes.c_uint64 * count)()
        self._kept.append(words)
        return words

    def __call__(self, name: str, *arguments: object) -> object:
        signature = signatures()[name]
        given = list(arguments)
        counts = {parameter.count: parameter for parameter in signature.parameters if parameter.count}
        words: list[int] = []
        outputs: list[tuple[CParameter, ctypes.Array[ctypes.c_uint64]]] = []
        lengths: dict[str, int] = {}
        for parameter in signature.parameters:
            if parameter.name in counts:
                array = given[0] if given else None
                lengths[parameter.name] = len(array) if isinstance(array, list) else 0
                words.append(lengths[parameter.name])
            elif f"*{parameter.name}" in counts:
                place = self._words(1)
                place[0] = 4
                words.append(ctypes.addressof(place))
            elif parameter.is_output:
                place = self._words(64)
                outputs.append((parameter, place))
                words.append(ctypes.addressof(place))
            else:
                words.append(self._word(parameter, given.pop(0) if given else None))
        result = getattr(self._library, name)(*map(ctypes.c_uint64, words)) & 0xFFFF_FFFF
        self.results.append((name, result))
        if result or not outputs:
            return None
        parameter, place = outputs[0]
        found = HANDLES[place[0]] if is_handle(pointee(parameter.type)) else place[0]
        return [found] if parameter.count else found

    def _word(self, parameter: CParameter, value: object) -> int:
        if value is None:
            return 0
        if is_handle(parameter.type):
            assert isinstance(value, Handle)
            return HANDLES.of(value)
        if isinstance(value, list):
            words = self._words(len(value) or 1)
            words[: len(value)] = [HANDLES.of(item) if isinstance(item, Handle) else item for item in value]
            return ctypes.addressof(words)
        if isinstance(value, int):
            return value
        if isinstance(value, str | bytes):
            text = ctypes.create_string_buffer(value.encode() if isinstance(value, str) else value)
            self._kept.append(text)
            return ctypes.addressof(text)
        words = self._words(64)
        layout = layouts()[type(value).__name__]
        if layout.is_extensible:
            words[0] = TYPES[type(value)]
        writer(layout.name)(ctypes.addressof(words), value)
        return ctypes.addressof(words)


def script(call: Call) -> None:
    """Calls functions rightly and wrongly."""
    call("zeInit", 0)
    driver = first(call("zeDriverGet"))
    device = first(call("zeDeviceGet", driver))
    context = call("zeContextCreate", driver, ze.ze_context_desc_t())
    call("zeContextCreate", driver, ze.ze_context_desc_t(7))
    call("zeContextCreate", None, ze.ze_context_desc_t())
    call("zeContextCreate", driver, None)
    call("zeContextCreate", device, ze.ze_context_desc_t())
    call("zeContextGetStatus", context)
    memory = call("zeMemAllocDevice", context, ze.ze_device_mem_alloc_desc_t(), 4096, 64, device)
    for size in (0, 1 << 60):
        call("zeMemAllocDevice", context, ze.ze_device_mem_alloc_desc_t(), size, 0, device)
    call("zeMemAllocHost", context, ze.ze_host_mem_alloc_desc_t(1 << 12), 64, 0)
    call("zeMemFree", context, 12345)
    call("zeMemFree", context, 0)
    pool = call("zeEventPoolCreate", context, ze.ze_event_pool_desc_t(1, 2), [])
    call("zeEventPoolCreate", context, ze.ze_event_pool_desc_t(1, 0), [])
    event = call("zeEventCreate", pool, ze.ze_event_desc_t(0))
    for index in (0, 2):
        call("zeEventCreate", pool, ze.ze_event_desc_t(index))
    call("zeEventQueryStatus", event)
    call("zeEventHostSynchronize", event, 1000)
    call("zeEventHostSignal", event)
    call("zeEventQueryStatus", event)
    call("zeEventQueryKernelTimestamp", event)
    queue = call("zeCommandQueueCreate", context, device, ze.ze_command_queue_desc_t())
    for wrong in ({"ordinal": 9}, {"index": 99}, {"mode": 9}, {"priority": 9}):
        call("zeCommandQueueCreate", context, device, ze.ze_command_queue_desc_t(**wrong))
    commands = call("zeCommandListCreate", context, device, ze.ze_command_list_desc_t())
    fence = call("zeFenceCreate", queue, ze.ze_fence_desc_t())
    call("zeFenceCreate", queue, ze.ze_fence_desc_t(4))
    call("zeCommandQueueExecuteCommandLists", queue, [commands], fence)
    call("zeCommandListAppendBarrier", commands, None, [])
    call("zeCommandListAppendSignalEvent", commands, pool)
    call("zeCommandListAppendSignalEvent", commands, event)
    call("zeCommandListAppendMemAdvise", commands, device, memory, 4096, 77)
    call("zeCommandListAppendMemoryPrefetch", commands, memory, 8192)
    call("zeCommandListClose", commands)
    call("zeCommandListAppendBarrier", commands, None, [])
    call("zeCommandQueueExecuteCommandLists", queue, [], fence)
    call("zeCommandQueueExecuteCommandLists", queue, [commands, commands], fence)
    call("zeFenceHostSynchronize", fence, ze.FOREVER)
    call("zeCommandQueueSynchronize", queue, ze.FOREVER)
    call("zeCommandQueueExecuteCommandLists", queue, [commands], fence)
    call("zeFenceReset", fence)
    call("zeFenceQueryStatus", fence)
    call("zeSamplerCreate", context, device, ze.ze_sampler_desc_t(9, 0))
    call("zeDeviceReserveCacheExt", device, 0, 64)
    call("zeDeviceGetFabricVertexExp", device)
    call("zeVirtualMemReserve", context, 0, 100)
    call("zePhysicalMemCreate", context, device, ze.ze_physical_mem_desc_t(5))
    call("zeContextEvictMemory", context, device, memory, 8192)
    for destroyed in ("zeFenceDestroy", fence), ("zeCommandListDestroy", commands), ("zeCommandQueueDestroy", queue):
        call(*destroyed)
        call(*destroyed)
    call("zeEventDestroy", event)
    call("zeEventPoolDestroy", pool)
    call("zeEventDestroy", pool)
    call("zeMemFree", context, memory)
    call("zeContextDestroy", context)
    call("zeContextDestroy", context)


def first(found: object) -> object:
    return found[0] if isinstance(found, list) else found


def main() -> Iterator[list[tuple[str, int]]]:
    for caller in (FromC(sys.argv[1]), FromPython()):
        script(caller)
        yield caller.results


if __name__ == "__main__":
    print(json.dumps(list(main())))
