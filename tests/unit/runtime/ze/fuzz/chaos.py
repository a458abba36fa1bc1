"""An application without manners: it destroys, resets and executes whatever it has, whether that is in use or not.

There is no model of what memory has then. The driver takes every call, or refuses it with a result; nothing hangs, and
when the contexts are gone, nothing is left.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from random import Random

import pytest

from runtime import ze
from runtime.ze import layers
from runtime.ze.driver.system import ending
from runtime.ze.driver.system.driver import Driver
from runtime.ze.layers import Layers
from tests.unit.runtime.ze import kernels
from tests.unit.runtime.ze.kernels import ScriptedSimulator
from xegpu.targets import ARC

BYTES = 64

POOL = 8
"""The events of a pool."""

QUEUE = ze.ze_command_queue_desc_t(mode=ze.ze_command_queue_mode_t.ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS)

_IMAGE = ze.ze_image_desc_t(
    ze.ze_image_type_t.ZE_IMAGE_TYPE_2D,
    ze.ze_image_format_t(
        ze.ze_image_format_layout_t.ZE_IMAGE_FORMAT_LAYOUT_8, ze.ze_image_format_type_t.ZE_IMAGE_FORMAT_TYPE_UINT
    ),
    8,
    8,
)

BINARY = kernels.binary(kernels.compiled("empty", target=ARC), target=ARC)


class Chaos:
    """The objects of the application by kinds, those that are destroyed included."""

    def __init__(self, random: Random, patience: int) -> None:
        self.random = random
        self.patience = patience
        self.driver = Driver((ARC,), ScriptedSimulator)
        (self.device,) = ze.zeDeviceGet(self.driver)
        self.contexts = [ze.zeContextCreate(self.driver, ze.ze_context_desc_t()) for _ in range(2)]
        self.things: dict[str, list[object]] = {kind: [] for kind in DESTROYERS}
        self.memory: list[tuple[object, int]] = []

    def call(self, call: Callable[[], object]) -> object:
        """Returns what a call returns; None if the driver refuses it."""
        try:
            return call()
        except ze.ZeError:
            return None

    def one(self, kind: str) -> object:
        """Returns an object of a kind, live or not; None without any."""
        found = self.things[kind]
        return self.random.choice(found) if found else None

    def keep(self, kind: str, made: object) -> None:
        if made is not None:
            self.things[kind].append(made)

    def address(self) -> int:
        """Returns the address of memory that may be freed."""
        return self.random.choice(self.memory)[1] if self.memory else 0

    def events(self) -> list[object]:
        found = [self.one("event") for _ in range(self.random.choice((0, 0, 1, 2)))]
        return [event for event in found if event is not None]

    def create(self) -> None:
        context = self.random.choice(self.contexts)
        kind = self.random.choice([*DESTROYERS, "memory"])
        if kind == "memory":
            found = self.call(lambda: ze.zeMemAllocHost(context, ze.ze_host_mem_alloc_desc_t(), BYTES, 0))
            if isinstance(found, int):
                self.memory.append((context, found))
            return
        self.keep(kind, self.call(lambda: CREATORS[kind](self, context)))

    def append(self) -> None:
        target = self.one(self.random.choice(("list", "immediate")))
        signal, waits = self.one("event") if self.random.random() < 0.5 else None, self.events()
        appenders: list[Callable[[], object]] = [
            lambda: ze.zeCommandListAppendBarrier(target, signal, waits),
            lambda: ze.zeCommandListAppendMemoryFill(target, self.address(), b"abc\1", 4, BYTES, signal, waits),
            lambda: ze.zeCommandListAppendMemoryCopy(target, self.address(), self.address(), BYTES, signal, waits),
            lambda: ze.zeCommandListAppendImageCopyToMemory(target, self.address(), self.one("image"), None, signal),
            lambda: ze.zeCommandListAppendImageCopyFromMemory(target, self.one("image"), self.address(), None, signal),
            lambda: ze.zeCommandListAppendLaunchKernel(
                target, self.one("kernel"), ze.ze_group_count_t(1), signal, waits
            ),
            lambda: ze.zeCommandListAppendEventReset(target, self.one("event")),
        ]
        self.call(self.random.choice(appenders))

    def execute(self) -> None:
        lists = [self.one("list") for _ in range(self.random.choice((1, 1, 2)))]
        for each in lists:
            if self.random.random() < 0.8:
                self.call(lambda each=each: ze.zeCommandListClose(each))
        fence = self.one("fence") if self.random.random() < 0.3 else None
        self.call(lambda: ze.zeCommandQueueExecuteCommandLists(self.one("queue"), lists, fence))

    def signal(self) -> None:
        event = self.one("event")
        self.call(lambda: self.random.choice((ze.zeEventHostSignal, ze.zeEventHostReset))(event))

    def reset(self) -> None:
        self.call(lambda: ze.zeCommandListReset(self.one("list")))
        self.call(lambda: ze.zeFenceReset(self.one("fence")))

    def destroy(self) -> None:
        """Destroys an object; an image seldom, as a list that is executed later would lose the device."""
        kind = self.random.choice([*DESTROYERS])
        if kind == "image" and self.random.random() < 0.8:
            return
        thing = self.one(kind)
        self.call(lambda: DESTROYERS[kind](thing))

    def lose_context(self) -> None:
        """Destroys a context with all that is in it."""
        if self.random.random() < 0.02:
            self.call(lambda: ze.zeContextDestroy(self.contexts.pop(0)))
            self.contexts.append(ze.zeContextCreate(self.driver, ze.ze_context_desc_t()))

    def end(self) -> None:
        """Destroys the contexts; nothing may be left."""
        for context in self.contexts:
            ze.zeContextDestroy(context)
        machine = self.driver.machine
        ended = machine.wait(lambda: machine.memory.live() == () and not machine.executing, self.patience * 10**9)
        left = [allocation.kind for allocation in machine.memory.live()]
        assert ended, f"left: {left}, executing: {machine.executing}"
        assert self.device.free_bytes == self.device.memory_bytes
        assert not self.device.processor.streams


def _module(chaos: Chaos, context: ze.ze_context_handle_t) -> object:
    desc = ze.ze_module_desc_t(ze.ze_module_format_t.ZE_MODULE_FORMAT_NATIVE, BINARY)
    module, log = ze.zeModuleCreate(context, chaos.device, desc)
    ze.zeModuleBuildLogDestroy(log)
    return module


CREATORS: dict[str, Callable[[Chaos, ze.ze_context_handle_t], object]] = {
    "queue": lambda chaos, context: ze.zeCommandQueueCreate(context, chaos.device, QUEUE),
    "immediate": lambda chaos, context: ze.zeCommandListCreateImmediate(context, chaos.device, QUEUE),
    "list": lambda chaos, context: ze.zeCommandListCreate(context, chaos.device, ze.ze_command_list_desc_t()),
    "fence": lambda chaos, _: ze.zeFenceCreate(chaos.one("queue"), ze.ze_fence_desc_t()),
    "pool": lambda _, context: ze.zeEventPoolCreate(context, ze.ze_event_pool_desc_t(1, POOL)),
    "event": lambda chaos, _: ze.zeEventCreate(chaos.one("pool"), ze.ze_event_desc_t(chaos.random.randrange(POOL))),
    "module": _module,
    "kernel": lambda chaos, _: ze.zeKernelCreate(chaos.one("module"), ze.ze_kernel_desc_t("empty")),
    "image": lambda chaos, context: ze.zeImageCreate(context, chaos.device, _IMAGE),
    "sampler": lambda chaos, context: ze.zeSamplerCreate(context, chaos.device, ze.ze_sampler_desc_t(0, 0, False)),
}

DESTROYERS: dict[str, Callable[[object], object]] = {
    "queue": ze.zeCommandQueueDestroy,
    "immediate": ze.zeCommandListDestroy,
    "list": ze.zeCommandListDestroy,
    "fence": ze.zeFenceDestroy,
    "pool": ze.zeEventPoolDestroy,
    "event": ze.zeEventDestroy,
    "module": ze.zeModuleDestroy,
    "kernel": ze.zeKernelDestroy,
    "image": ze.zeImageDestroy,
    "sampler": ze.zeSamplerDestroy,
}

ACTIONS = (
    *("create",) * 8,
    *("append",) * 10,
    *("execute",) * 5,
    *("signal",) * 5,
    *("reset",) * 2,
    *("destroy",) * 4,
    "lose_context",
)


def chaos(seed: int, length: int, patience: int = 20) -> None:
    """Makes random calls without the validation layer, whose destructions do not wait for commands.

    Args:
        seed: The seed of the calls.
        length: Their number.
        patience: The seconds after which what should have ended has not.
    """
    random, before, threads = Random(seed), layers.active(), set(threading.enumerate())
    layers.install(Layers())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ending, "PATIENCE_NS", 0)
        game = Chaos(random, patience)
        try:
            for _ in range(length):
                getattr(game, random.choice(ACTIONS))()
            game.end()
        except Exception as error:
            raise AssertionError(f"seed {seed}: {error!r}") from error
        finally:
            layers.install(before)
    assert game.driver.machine.wait(lambda: set(threading.enumerate()) <= threads, patience * 10**9), "threads are left"
