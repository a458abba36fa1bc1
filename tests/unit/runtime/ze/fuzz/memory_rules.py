"""Allocations: where they are, what is in them, and how they end."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from hypothesis import strategies as st
from hypothesis.stateful import rule

from runtime import ze
from tests.unit.runtime.ze.fuzz.application import Application
from tests.unit.runtime.ze.fuzz.drawing import FEW, PICK, needs
from tests.unit.runtime.ze.fuzz.model import CommandList, Memory, Thing

ALLOCATORS: Sequence[Callable[[object, object, int, int], int]] = (
    lambda context, device, size, alignment: ze.zeMemAllocDevice(
        context, ze.ze_device_mem_alloc_desc_t(), size, alignment, device
    ),
    lambda context, device, size, alignment: ze.zeMemAllocHost(context, ze.ze_host_mem_alloc_desc_t(), size, alignment),
    lambda context, device, size, alignment: ze.zeMemAllocShared(
        context, ze.ze_device_mem_alloc_desc_t(), ze.ze_host_mem_alloc_desc_t(), size, alignment, device
    ),
)
DEFERRING = ze.ze_driver_memory_free_policy_ext_flags_t.ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE
BLOCKING = ze.ze_driver_memory_free_policy_ext_flags_t.ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE
MOST_ARRAYS = 4
MAX_ALIGNMENT = 2 << 20


class MemoryRules(Application):
    @rule(
        context=FEW,
        kind=st.integers(0, 2),
        size=st.one_of(st.integers(1, 4096), st.sampled_from([0, -1, 1 << 40])),
        alignment=st.one_of(st.sampled_from([0, 1, 64, 4096]), st.sampled_from([3, -8, 1 << 30])),
    )
    def allocate(self, context: int, kind: int, size: int, alignment: int) -> None:
        parent = self.contexts[context % 2]

        def call() -> None:
            address = ALLOCATORS[kind](parent.handle, self.device, size, alignment)
            assert address % max(min(alignment, MAX_ALIGNMENT), 1) == 0
            self.add(Memory(address, parent, data=np.zeros(size, np.uint8), is_charged=kind == 0))

        known = alignment not in (3, -8)
        self.expect(
            "SUCCESS" if 0 < size <= 4096 and known else "UNSUPPORTED_ALIGNMENT" if size > 0 and not known else
            "UNSUPPORTED_SIZE",
            call,
        )  # fmt: skip

    @rule(context=FEW, size=st.integers(1, 300), first=st.integers(0, 255))
    def make_array(self, context: int, size: int, first: int) -> None:
        """An array of the host, for copies from and to it."""
        if sum(memory.is_array for memory in self.all(Memory)) < MOST_ARRAYS:
            array = (np.arange(size) * 7 + first).astype(np.uint8)
            self.add(Memory(array, self.contexts[context % 2], data=array.copy(), is_array=True))

    @needs(Memory)
    @rule(pick=PICK, context=FEW, inside=st.booleans())
    def free(self, pick: int, context: int, inside: bool) -> None:
        memory = self.some(Memory, pick)
        if memory is None or memory.is_array or self.is_used(memory):
            return
        owner = self.contexts[context % 2]
        offset = memory.size // 2 if inside else 0
        right = owner is memory.context and offset == 0
        self.expect(
            "SUCCESS" if right else "INVALID_ARGUMENT", lambda: ze.zeMemFree(owner.handle, memory.handle + offset)
        )
        if right:
            memory.destroy()

    @needs(Memory)
    @rule(pick=PICK, blocks=st.booleans())
    def free_when_unused(self, pick: int, blocks: bool) -> None:
        """Memory that commands of immediate lists use: it ends with the last of these commands."""
        memory = self.some(Memory, pick)
        if memory is None or memory.is_array or any(memory in each.memory for each in self.all(CommandList)):
            return
        users = {
            submission
            for queue in self.queues
            for submission in queue.pending
            if any(
                memory is used or used.is_array  # which may be a view of any memory
                for execution in submission.executions
                for used in execution.command.memory
            )
        }
        if blocks and users:
            return
        desc = ze.ze_memory_free_ext_desc_t(BLOCKING if blocks else DEFERRING)
        self.expect("SUCCESS", lambda: ze.zeMemFreeExt(memory.context.handle, desc, memory.handle))
        memory.destroy()
        self.ending.append((memory, users))
        if users:
            self.expect("INVALID_ARGUMENT", lambda: ze.zeMemFree(memory.context.handle, memory.handle))

    @needs(Memory)
    @rule(pick=PICK, context=FEW, offset=st.floats(0, 1, exclude_max=True))
    def ask_for_memory(self, pick: int, context: int, offset: float) -> None:
        memory = self.some(Memory, pick)
        if memory is None or memory.is_array:
            return
        owner, address = self.contexts[context % 2], memory.handle + int(offset * memory.size)
        properties, _ = ze.zeMemGetAllocProperties(owner.handle, address)
        assert ze.zeMemGetAddressRange(owner.handle, address) == (memory.handle, memory.size)
        assert properties.type != ze.ze_memory_type_t.ZE_MEMORY_TYPE_UNKNOWN

    def usable(self, context: Thing, pick: int, by: Thing | None) -> Memory | None:
        """Some memory of a context that no other list uses."""
        found = [memory for memory in self.all(Memory) if memory.context is context and not self.is_used(memory, by)]
        return found[pick % len(found)] if found else None
