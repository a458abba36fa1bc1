"""Calls the functions of the stand-in with arguments drawn at random, and prints how often each result came.

Pointers are null or lead to memory that is there, with numbers and handles in it; everything else is anything.
Run with the seed, the number of calls and a ZEBIN, and the stand-in on LD_LIBRARY_PATH.
"""

from __future__ import annotations

import ctypes
import json
import random
import sys
from collections import Counter
from pathlib import Path

from runtime.driver.abi import CFunction, CParameter, is_handle, layouts, pointee, signatures
from runtime.driver.functions import offered
from runtime.ze import ze_result_t

BLOCKING = {
    *("zeDeviceSynchronize", "zeMemFreeExt", "zeContextDestroy", "zeCommandListReset", "zeFenceReset"),
    *("zesDriverEventListen", "zesDriverEventListenEx"),
}
"""Functions that wait, with reason, for commands that wait for events that never come, and for such events."""

COMPONENTS = {"pwr": "PowerDomains", "freq": "FrequencyDomains", "ras": "RasErrorSets", "sched": "Schedulers"}
"""Components of cards by the names of their handles."""

SMALL = 1 << 12

LAST = object()
"""Stands for the argument that a handle is written to."""


class World:
    """Objects, and memory for everything that pointers lead to."""

    def __init__(self, library: ctypes.CDLL, random: random.Random, binary: bytes) -> None:
        self.binary = binary
        self.library = library
        self.random = random
        self.memory = (ctypes.c_uint64 * SMALL)()
        self.none = [0, 1, ctypes.addressof(self.memory)]
        self.handles: dict[str, list[int]] = {}
        assert library.zeInit(0) == 0
        one = ctypes.byref(ctypes.c_uint32(1))
        driver = self.made("ze_driver_handle_t", "zeDriverGet", one)
        self.device = self.made("ze_device_handle_t", "zeDeviceGet", driver, one)
        self.driver = driver
        assert library.zesInit(0) == 0
        system = self.made("zes_driver_handle_t", "zesDriverGet", one)
        card = self.made("zes_device_handle_t", "zesDeviceGet", system, one)
        for kind, name in COMPONENTS.items():
            self.made(f"zes_{kind}_handle_t", f"zesDeviceEnum{name}", card, one)

    def made(self, kind: str, name: str, *arguments: object) -> int:
        """Returns the handle that a function writes to its last argument, or to the one that is `LAST`."""
        found = ctypes.c_uint64()
        words = [ctypes.c_uint64(word) if isinstance(word, int) else word for word in arguments]
        places = words if LAST in words else [*words, LAST]
        if getattr(self.library, name)(*[ctypes.byref(found) if word is LAST else word for word in places]) == 0:
            self.handles.setdefault(kind, []).append(found.value)
        return found.value

    def more(self) -> None:
        """Makes an object of each kind, in a context of their own."""
        zeros = (ctypes.c_uint64 * 16)()
        empty = ctypes.addressof(zeros)
        context = self.made("ze_context_handle_t", "zeContextCreate", self.driver, empty)
        own = (context, self.device, empty)
        queue = self.made("ze_command_queue_handle_t", "zeCommandQueueCreate", *own)
        self.made("ze_fence_handle_t", "zeFenceCreate", queue, empty)
        self.made("ze_command_list_handle_t", "zeCommandListCreate", *own)
        self.made("ze_command_list_handle_t", "zeCommandListCreateImmediate", *own)
        pool_desc = (ctypes.c_uint32 * 8)(0, 0, 0, 0, 5, 4)
        pool = self.made("ze_event_pool_handle_t", "zeEventPoolCreate", context, ctypes.addressof(pool_desc), 0, 0)
        self.made("ze_event_handle_t", "zeEventCreate", pool, empty)
        code = ctypes.create_string_buffer(self.binary)
        words = (ctypes.c_uint64 * 7)(0, 0, 1, len(self.binary), ctypes.addressof(code), 0, 0)
        module = self.made(
            "ze_module_handle_t", "zeModuleCreate", context, self.device, ctypes.addressof(words), LAST, 0
        )
        name = ctypes.create_string_buffer(b"nothing")
        kernel_desc = (ctypes.c_uint64 * 4)(0, 0, 0, ctypes.addressof(name))
        self.made("ze_kernel_handle_t", "zeKernelCreate", module, ctypes.addressof(kernel_desc))

    def handle(self, kind: str) -> int:
        """Returns a handle, mostly of a kind, and mostly one of the latest."""
        known = self.handles.get(kind, [])
        if known and self.random.randrange(8):
            return self.random.choice(known[-3:])
        return self.random.choice([*self.none, *(self.random.choice(each) for each in self.handles.values())])

    def number(self) -> int:
        return self.random.choice((0, 1, 2, 3, 7, 64, 100, self.random.randrange(SMALL)))

    def word(self) -> int:
        """Returns what the memory behind a pointer holds."""
        kind = self.random.randrange(4)
        if kind == 0:
            return self.handle(self.random.choice([*self.handles]))
        return 0 if kind == 1 else self.number()

    def fill(self, is_zero: bool) -> None:
        """Fills the memory: with zeros, or with numbers, handles and a chain of extensions."""
        if is_zero:
            ctypes.memset(self.memory, 0, ctypes.sizeof(self.memory))
        words = [0 if is_zero else self.word() for _ in range(64)]
        words[1] = self.random.choice((0, ctypes.addressof(self.memory) + 4 * SMALL))
        self.memory[:64] = words

    def argument(self, parameter: CParameter, counts: frozenset[str]) -> object:
        """Returns an argument; that of a parameter in `counts` is no more than the memory has of structures."""
        type = parameter.type
        if parameter.name in counts:
            return ctypes.c_uint64(self.number() % 64)
        if is_handle(type):
            return ctypes.c_uint64(self.handle(type))
        if not type.endswith("*"):
            layout = layouts().get(pointee(type))
            if layout is not None:
                return ctypes.c_char * layout.size
            return ctypes.c_uint64(self.number())
        if self.random.randrange(4) == 0:
            return ctypes.c_uint64(0)
        return ctypes.c_uint64(ctypes.addressof(self.memory))


def follows_pointers(signature: CFunction) -> bool:
    """Returns whether a function follows pointers in memory, apart from the chain of extensions of one structure."""
    for parameter in signature.parameters:
        layout = layouts().get(pointee(parameter.type))
        if layout is not None and layout.is_extensible and parameter.count:
            return True
        if layout is not None and any(
            member.type.endswith("*") and member.path != "pNext" for member in layout.members
        ):
            return True
        if parameter.type.endswith("**") and (parameter.name in ("pArguments", "pString")):
            return True
    return False


def by_value(size: int) -> object:
    fields = [("data", ctypes.c_uint32 * (size // 4))]
    return type(f"Bytes{size}", (ctypes.Structure,), {"_fields_": fields})()


def main(seed: int, count: int, kernels: str) -> None:
    draw = random.Random(seed)
    library = ctypes.CDLL("libze_loader.so.1")
    world = World(library, draw, Path(kernels).read_bytes())
    names = sorted(name for name in offered() if name not in BLOCKING)
    results: Counter[str] = Counter()
    for call in range(count):
        if call % 50 == 0:
            world.more()
        name = draw.choice(names)
        signature = signatures()[name]
        world.fill(follows_pointers(signature))
        arguments = []
        parameters = signature.parameters
        counts = frozenset(each.count for each in parameters if pointee(each.type) in layouts())
        for parameter in parameters:
            found = world.argument(parameter, counts)
            arguments.append(by_value(ctypes.sizeof(found)) if isinstance(found, type) else found)
        result = getattr(library, name)(*arguments) & 0xFFFF_FFFF
        if signature.result == "ze_result_t":
            results[ze_result_t(result).name] += 1
    print(json.dumps(results))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
