"""Modules and kernels, and the destruction of everything."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from hypothesis.stateful import rule

from runtime import ze
from tests.unit.runtime.ze.fuzz.application import BINARY, DESTROYERS, destroyer
from tests.unit.runtime.ze.fuzz.drawing import FEW, PICK, needs
from tests.unit.runtime.ze.fuzz.model import CommandList, Event, Fence, Kernel, Memory, Queue, Thing
from tests.unit.runtime.ze.fuzz.queue_rules import QueueRules

EXTENTS = st.sampled_from([1, 2, 7, 64, 1024, 1025, 0, -1])
KINDS = list(DESTROYERS)


class ObjectRules(QueueRules):
    @rule(context=FEW)
    def create_module(self, context: int) -> None:
        if len(self.modules) < 4:
            parent = self.contexts[context % 2]
            desc = ze.ze_module_desc_t(ze.ze_module_format_t.ZE_MODULE_FORMAT_NATIVE, BINARY)
            module, log = ze.zeModuleCreate(parent.handle, self.device, desc)
            ze.zeModuleBuildLogDestroy(log)
            self.modules.append(Thing(module, parent))

    @rule(pick=PICK, name=st.sampled_from(["empty", "work", "work", "broken", "none", ""]))
    def create_kernel(self, pick: int, name: str) -> None:
        if not self.modules:
            return
        module = self.modules[pick % len(self.modules)]

        def call() -> None:
            kernel = ze.zeKernelCreate(module.handle, ze.ze_kernel_desc_t(name))
            self.add(Kernel(kernel, module, name=name))

        self.expect("SUCCESS" if name in ("empty", "broken", "work") else "INVALID_KERNEL_NAME", call)

    @needs(Kernel)
    @rule(pick=PICK, size=st.tuples(EXTENTS, EXTENTS, EXTENTS))
    def set_group_size(self, pick: int, size: tuple[int, int, int]) -> None:
        kernel = self.some(Kernel, pick)
        if kernel is None:
            return
        most = kernel.handle.description.max_group_size  # type: ignore[attr-defined]
        right = all(1 <= extent <= 1024 for extent in size) and np.prod(size) <= most
        expected = "SUCCESS" if right else "INVALID_GROUP_SIZE_DIMENSION"
        self.expect(expected, lambda: ze.zeKernelSetGroupSize(kernel.handle, *size))

    @needs(Kernel)
    @rule(pick=PICK, index=st.sampled_from([-1, 9]), size=st.integers(-1, 9))
    def set_no_argument(self, pick: int, index: int, size: int) -> None:
        kernel = self.some(Kernel, pick)
        if kernel is not None:
            call = lambda: ze.zeKernelSetArgumentValue(kernel.handle, index, size, None)  # noqa: E731
            self.expect("INVALID_KERNEL_ARGUMENT_INDEX", call)

    @rule(pick=PICK)
    def destroy_module(self, pick: int) -> None:
        if not self.modules:
            return
        module = self.modules[pick % len(self.modules)]
        expected = "SUCCESS" if module.is_destructible else "HANDLE_OBJECT_IN_USE"
        self.expect(expected, lambda: ze.zeModuleDestroy(module.handle))
        if expected == "SUCCESS":
            module.destroy()
            self.modules.remove(module)

    @rule(pick=PICK, kind=st.sampled_from(KINDS))
    def destroy(self, pick: int, kind: type[Thing]) -> None:
        """Nothing goes before its children, nor while a pending command needs it; nothing goes twice."""
        thing = self.some(kind, pick, dead=True)
        if thing is None or (isinstance(thing, Event) and thing.waiting):
            return
        right = "SUCCESS" if thing.is_destructible else "HANDLE_OBJECT_IN_USE"
        self.expect(right if thing.alive else "INVALID_ARGUMENT", lambda: destroyer(thing)(thing.handle))
        if thing.alive and thing.is_destructible:
            thing.destroy()

    @rule(pick=PICK)
    def destroy_what_is_busy(self, pick: int) -> None:
        """Or reset it, where that is possible."""
        busy = [thing for thing in self.things if thing.alive and thing.is_busy]
        if not busy:
            return
        thing = busy[pick % len(busy)]
        if isinstance(thing, Queue) and thing.is_immediate:
            self.expect("HANDLE_OBJECT_IN_USE", lambda: ze.zeCommandListDestroy(thing.handle))
            return
        self.expect("HANDLE_OBJECT_IN_USE", lambda: destroyer(thing)(thing.handle))
        if isinstance(thing, Fence):
            self.expect("HANDLE_OBJECT_IN_USE", lambda: ze.zeFenceReset(thing.handle))
        if isinstance(thing, CommandList):
            self.expect("HANDLE_OBJECT_IN_USE", lambda: ze.zeCommandListReset(thing.handle))

    @rule(pick=st.integers(0, 1))
    def destroy_context(self, pick: int) -> None:
        """While there is something in it."""
        context = self.contexts[pick]
        if any(not isinstance(child, Memory) for child in context.children):
            self.expect("HANDLE_OBJECT_IN_USE", lambda: ze.zeContextDestroy(context.handle))

    @rule(kind=st.sampled_from(KINDS), other=PICK)
    def wrong_handle(self, kind: type[Thing], other: int) -> None:
        self.expect("INVALID_NULL_HANDLE", lambda: DESTROYERS[kind](None))
        thing = self.some(Thing, other, dead=True)
        if thing is None or isinstance(thing, kind) or (isinstance(thing, Memory) and thing.is_array):
            return
        if destroyer_of(thing) is not DESTROYERS[kind]:
            self.expect("INVALID_ARGUMENT", lambda: DESTROYERS[kind](thing.handle))


def destroyer_of(thing: Thing) -> object:
    """The function that destroys an object; None for memory."""
    return None if isinstance(thing, Memory) else destroyer(thing)
