"""Calls of the API at random, right ones and wrong ones, each with the answer that the model expects."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from runtime import ze
from runtime.ze.driver.system.driver import Driver
from tests.unit.runtime.ze import kernels
from tests.unit.runtime.ze.fuzz.model import (
    Command,
    CommandList,
    Event,
    Fence,
    Kernel,
    Memory,
    Pool,
    Queue,
    Thing,
    settle,
)
from tests.unit.runtime.ze.kernels import ScriptedSimulator
from xegpu.targets import PVC

T = TypeVar("T", bound=Thing)

PICK = st.integers(0, 1 << 16)
FEW = st.integers(0, 3)
SECOND = 1_000_000_000
COMMANDS = st.tuples(PICK, st.lists(PICK, max_size=2), st.integers(0, 4), st.integers(0, 255))
"""What `ApiMachine.append` makes a command of."""

PATIENCE = 30 * SECOND
MOST_QUEUES = 4
BINARY = kernels.binary(kernels.COPY, kernels.EMPTY, kernels.SIZED)
ALLOCATORS: Sequence[Callable[[object, object, int, int], int]] = (
    lambda context, device, size, alignment: ze.zeMemAllocDevice(
        context, ze.ze_device_mem_alloc_desc_t(), size, alignment, device
    ),
    lambda context, device, size, alignment: ze.zeMemAllocHost(context, ze.ze_host_mem_alloc_desc_t(), size, alignment),
    lambda context, device, size, alignment: ze.zeMemAllocShared(
        context, ze.ze_device_mem_alloc_desc_t(), ze.ze_host_mem_alloc_desc_t(), size, alignment, device
    ),
)
DESTROYERS: dict[type[Thing], Callable[[object], None]] = {
    Queue: ze.zeCommandQueueDestroy,
    CommandList: ze.zeCommandListDestroy,
    Fence: ze.zeFenceDestroy,
    Event: ze.zeEventDestroy,
    Pool: ze.zeEventPoolDestroy,
    Kernel: ze.zeKernelDestroy,
}


def needs(kind: type[Thing]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The rule is for when there is, or was, such an object."""
    return precondition(lambda machine: machine.all(kind, dead=True))


def answer(call: Callable[[], object]) -> str:
    """How a call ends: the name of its result, without prefixes."""
    try:
        result = call()
    except ze.ZeError as error:
        result = error.result
    name = result.name if isinstance(result, ze.ze_result_t) else "ZE_RESULT_SUCCESS"
    return name.removeprefix("ZE_RESULT_").removeprefix("ERROR_")


class ApiMachine(RuleBasedStateMachine):
    """An application that does anything whatever with one driver, in two contexts."""

    def __init__(self) -> None:
        super().__init__()
        self.threads = set(threading.enumerate())
        driver = Driver((PVC,), ScriptedSimulator)
        (self.device,) = ze.zeDeviceGet(driver)
        self.contexts = [Thing(ze.zeContextCreate(driver, ze.ze_context_desc_t())) for _ in range(2)]
        self.things: list[Thing] = []
        self.modules: list[Thing] = []

    @initialize(sizes=st.lists(st.integers(1, 64), min_size=2, max_size=4))
    def begin(self, sizes: list[int]) -> None:
        """Something of everything in both contexts, so that little of a run is spent on making it."""
        for number in range(2):
            self.create_queue(number, 0, 0)
            self.create_fence(number, False)
            self.create_list(number, 0)
            self.create_pool(number, 4)
            self.create_module(number)
            self.create_kernel(number, "empty")
            for index in range(3):
                self.create_event(number, index)
            for size in sizes:
                self.allocate(number, number, size, 0)

    # Helpers ---------------------------------------------------------------------------------------------------------

    def all(self, kind: type[T], *, dead: bool = False) -> list[T]:
        return [thing for thing in self.things if isinstance(thing, kind) and (thing.alive or dead)]

    def some(self, kind: type[T], pick: int, *, dead: bool = False) -> T | None:
        found = self.all(kind, dead=dead)
        return found[pick % len(found)] if found else None

    def expect(self, expected: str, call: Callable[[], object]) -> None:
        found = answer(call)
        assert found == expected, f"{found} in place of {expected}"

    def settle(self) -> None:
        settle(self.all(Queue))

    def add(self, thing: Thing) -> None:
        self.things.append(thing)

    # Memory ----------------------------------------------------------------------------------------------------------

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
            assert address % max(alignment, 1) == 0
            self.add(Memory(address, parent, size=size))

        known = alignment in (0, 1, 64, 4096)
        self.expect(
            "SUCCESS" if 0 < size <= 4096 and known else "UNSUPPORTED_ALIGNMENT" if 0 < size <= 4096 else
            "UNSUPPORTED_SIZE",
            call,
        )  # fmt: skip

    @needs(Memory)
    @rule(pick=PICK, context=FEW, inside=st.booleans())
    def free(self, pick: int, context: int, inside: bool) -> None:
        memory = self.some(Memory, pick)
        if memory is None or self.is_used(memory):
            return
        owner = self.contexts[context % 2]
        offset = memory.size // 2 if inside else 0
        right = owner is memory.context and offset == 0
        self.expect(
            "SUCCESS" if right else "INVALID_ARGUMENT", lambda: ze.zeMemFree(owner.handle, memory.handle + offset)
        )
        if right:
            memory.destroy()

    def is_used(self, memory: Memory) -> bool:
        """Whether a pending or recorded command needs memory, which an application must not free then."""
        return any(memory in command_list.memory for command_list in self.all(CommandList))

    @needs(Memory)
    @rule(pick=PICK, context=FEW, offset=st.floats(0, 1, exclude_max=True))
    def ask_for_memory(self, pick: int, context: int, offset: float) -> None:
        memory = self.some(Memory, pick)
        if memory is None:
            return
        owner, address = self.contexts[context % 2], memory.handle + int(offset * memory.size)
        properties, _ = ze.zeMemGetAllocProperties(owner.handle, address)
        if owner is memory.context:
            assert ze.zeMemGetAddressRange(owner.handle, address) == (memory.handle, memory.size)
            assert properties.type != ze.ze_memory_type_t.ZE_MEMORY_TYPE_UNKNOWN
        else:
            self.expect("INVALID_ARGUMENT", lambda: ze.zeMemGetAddressRange(owner.handle, address))
            assert properties.type == ze.ze_memory_type_t.ZE_MEMORY_TYPE_UNKNOWN

    @needs(Memory)
    @rule(pick=PICK)
    def read(self, pick: int) -> None:
        """What queues have filled memory with is there when they are done with it."""
        memory = self.some(Memory, pick)
        if memory is None or memory.contents is None or self.pending_for(memory):
            return
        data = np.zeros(memory.size, np.uint8)
        mode = ze.ze_command_queue_mode_t.ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS
        commands = ze.zeCommandListCreateImmediate(
            memory.context.handle, self.device, ze.ze_command_queue_desc_t(mode=mode)
        )
        self.flush()
        ze.zeCommandListAppendMemoryCopy(commands, data, memory.handle, memory.size)
        ze.zeCommandListDestroy(commands)
        assert (data == memory.contents).all()

    def pending_for(self, memory: Memory) -> bool:
        return any(
            command.target is memory
            for queue in self.all(Queue)
            for submission in queue.pending
            for command in submission.commands
        )

    # Events ----------------------------------------------------------------------------------------------------------

    @rule(context=FEW, size=st.integers(0, 4))
    def create_pool(self, context: int, size: int) -> None:
        parent = self.contexts[context % 2]

        def call() -> None:
            handle = ze.zeEventPoolCreate(parent.handle, ze.ze_event_pool_desc_t(1, size))
            self.add(Pool(handle, parent, size=size))

        self.expect("SUCCESS" if size else "INVALID_SIZE", call)

    @needs(Pool)
    @rule(pick=PICK, index=st.integers(-1, 4))
    def create_event(self, pick: int, index: int) -> None:
        pool = self.some(Pool, pick)
        if pool is None:
            return
        right = 0 <= index < pool.size and pool.event_at(index) is None

        def call() -> None:
            self.add(Event(ze.zeEventCreate(pool.handle, ze.ze_event_desc_t(index)), pool, index=index))

        self.expect("SUCCESS" if right else "INVALID_ARGUMENT", call)

    @needs(Event)
    @rule(pick=PICK)
    def signal(self, pick: int) -> None:
        event = self.some(Event, pick)
        if event is not None:
            self.expect("SUCCESS", lambda: ze.zeEventHostSignal(event.handle))
            event.signaled = True
            self.settle()

    @needs(Event)
    @rule(pick=PICK)
    def reset(self, pick: int) -> None:
        event = self.some(Event, pick)
        if event is not None and not event.is_busy:
            self.let_finish(event)
            self.expect("SUCCESS", lambda: ze.zeEventHostReset(event.handle))
            event.signaled = False

    @needs(Event)
    @rule(pick=PICK)
    def query_event(self, pick: int) -> None:
        event = self.some(Event, pick)
        if event is not None and event.signaled:
            self.expect("SUCCESS", lambda: ze.zeEventHostSynchronize(event.handle, PATIENCE))
        elif event is not None:
            self.expect("NOT_READY", lambda: ze.zeEventQueryStatus(event.handle))
            self.expect("NOT_READY", lambda: ze.zeEventHostSynchronize(event.handle, 1000))

    # Command lists ---------------------------------------------------------------------------------------------------

    @rule(context=FEW, ordinal=st.sampled_from([0, 0, 0, 0, -1, 99]))
    def create_list(self, context: int, ordinal: int) -> None:
        parent = self.contexts[context % 2]

        def call() -> None:
            desc = ze.ze_command_list_desc_t(ordinal)
            self.add(CommandList(ze.zeCommandListCreate(parent.handle, self.device, desc), parent))

        self.expect("SUCCESS" if ordinal == 0 else "INVALID_ARGUMENT", call)

    @needs(CommandList)
    @rule(pick=PICK, command=COMMANDS)
    def append_command(self, pick: int, command: tuple[int, list[int], int, int]) -> None:
        self.append(pick, *command)

    def append(self, pick: int, signal: int, waits: list[int], what: int, value: int) -> None:
        """Append a barrier, a signal, a wait, a launch or a fill, seldom with events of the wrong context."""
        command_list = self.some(CommandList, pick)
        if command_list is None:
            return
        handle = command_list.handle
        events = [event for event in self.all(Event) if event.context is command_list.context or value < 16]
        signaled = events[signal % len(events)] if events and signal % 2 else None
        waited = [events[number % len(events)] for number in waits if events]
        if signaled in waited:
            return
        memory = self.some(Memory, value)
        kernel = self.some(Kernel, value)
        command = Command(waited, signaled)
        if what == 4 and memory is not None and memory.context is command_list.context and not self.is_used(memory):
            command.target, command.value = memory, value
            arguments = (handle, memory.handle, bytes([value]), 1, memory.size)
            call = lambda: ze.zeCommandListAppendMemoryFill(*arguments, *self.events(command))  # noqa: E731
        elif what == 3 and kernel is not None and kernel.context is command_list.context:
            count = ze.ze_group_count_t(1)
            call = lambda: ze.zeCommandListAppendLaunchKernel(  # noqa: E731
                handle, kernel.handle, count, *self.events(command)
            )
        elif what == 2 and waited:
            command.signal = None
            call = lambda: ze.zeCommandListAppendWaitOnEvents(handle, self.events(command)[1])  # noqa: E731
        elif what == 1 and signaled is not None:
            command.waits = []
            call = lambda: ze.zeCommandListAppendSignalEvent(handle, signaled.handle)  # noqa: E731
        else:
            call = lambda: ze.zeCommandListAppendBarrier(handle, *self.events(command))  # noqa: E731
        foreign = any(event.context is not command_list.context for event in command.events)
        if command_list.closed and foreign:
            assert answer(call) in ("INVALID_ARGUMENT", "INVALID_SYNCHRONIZATION_OBJECT")
            return
        self.expect(
            "INVALID_SYNCHRONIZATION_OBJECT" if foreign else "INVALID_ARGUMENT" if command_list.closed else "SUCCESS",
            call,
        )
        if not foreign and not command_list.closed:
            command_list.commands.append(command)

    def events(self, command: Command) -> tuple[object, list[object]]:
        signal = None if command.signal is None else command.signal.handle
        return signal, [event.handle for event in command.waits]

    @needs(CommandList)
    @rule(pick=PICK)
    def close(self, pick: int) -> None:
        command_list = self.some(CommandList, pick)
        if command_list is not None:
            self.expect("SUCCESS", lambda: ze.zeCommandListClose(command_list.handle))
            command_list.closed = True

    @needs(CommandList)
    @rule(pick=PICK)
    def reset_list(self, pick: int) -> None:
        command_list = self.some(CommandList, pick)
        if command_list is None:
            return
        self.let_finish(command_list)
        busy = command_list.is_busy
        call = lambda: ze.zeCommandListReset(command_list.handle)  # noqa: E731
        self.expect("HANDLE_OBJECT_IN_USE" if busy else "SUCCESS", call)
        if not busy:
            command_list.closed = False
            command_list.commands = []

    def let_finish(self, thing: Thing) -> None:
        """Wait for queues that are done in the model, so that they have let go of `thing`."""
        if thing.is_busy:
            return
        self.flush()

    def flush(self) -> None:
        """Let all queues get as far as they do in the model."""
        for queue in self.all(Queue):
            if not queue.pending:
                self.expect("SUCCESS", lambda queue=queue: ze.zeCommandQueueSynchronize(queue.handle, PATIENCE))
        assert self.device.machine.wait(self.is_settled, PATIENCE)

    def is_settled(self) -> bool:
        return all(
            sum(len(s.commands) - s.position for s in queue.handle.stream.pending())
            == sum(len(s.commands) or 1 for s in queue.pending)
            for queue in self.all(Queue)
        )

    # Queues ----------------------------------------------------------------------------------------------------------

    @rule(context=FEW, ordinal=st.sampled_from([0, 0, 0, 7]), index=st.sampled_from([0, 0, 0, 50]))
    def create_queue(self, context: int, ordinal: int, index: int) -> None:
        if len(self.all(Queue)) == MOST_QUEUES:
            return
        parent = self.contexts[context % 2]
        mode = ze.ze_command_queue_mode_t.ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS

        def call() -> None:
            desc = ze.ze_command_queue_desc_t(ordinal, index, mode=mode)
            self.add(Queue(ze.zeCommandQueueCreate(parent.handle, self.device, desc), parent))

        self.expect("SUCCESS" if ordinal == index == 0 else "INVALID_ARGUMENT", call)

    @needs(Queue)
    @rule(pick=PICK, lists=st.lists(PICK, max_size=3), fence=PICK)
    def execute(self, pick: int, lists: list[int], fence: int) -> None:
        queue = self.some(Queue, pick)
        if queue is None:
            return
        chosen = [found for number in lists if (found := self.some(CommandList, number)) is not None]
        used = self.some(Fence, fence) if fence % 2 else None
        if len(set(chosen)) < len(chosen) or any(self.is_destroyed(found) for found in chosen):
            return
        for thing in (*chosen, *([used] if used else [])):
            self.let_finish(thing)
        call = lambda: ze.zeCommandQueueExecuteCommandLists(  # noqa: E731
            queue.handle, [found.handle for found in chosen], None if used is None else used.handle
        )
        wrong = self.wrong_execution(queue, chosen, used)
        if wrong:
            assert answer(call) in wrong
            return
        self.expect("SUCCESS", call)
        queue.submit(chosen, used)
        self.settle()

    @needs(CommandList)
    @rule(pick=PICK, fence=PICK, commands=st.lists(COMMANDS, max_size=4))
    def record_and_execute(self, pick: int, fence: int, commands: list[tuple[int, list[int], int, int]]) -> None:
        """The usual way, which random calls seldom take."""
        command_list = self.some(CommandList, pick)
        if command_list is None:
            return
        if commands:
            self.reset_list(pick)
        for command in commands:
            self.append(pick, *command)
        self.close(pick)
        queues, lists = self.all(Queue), self.all(CommandList)
        right = [number for number, queue in enumerate(queues) if queue.context is command_list.context]
        if right:
            self.execute(right[pick % len(right)], [lists.index(command_list)], fence)

    def is_destroyed(self, command_list: CommandList) -> bool:
        """Whether a list needs something that is gone, so that nobody knows what executing it does."""
        return not all(thing.alive for thing in (*command_list.events, *command_list.memory))

    def wrong_execution(self, queue: Queue, lists: list[CommandList], fence: Fence | None) -> set[str]:
        found = set()
        if not lists:
            found.add("INVALID_SIZE")
        if any(not one.closed or one.context is not queue.context for one in lists):
            found.add("INVALID_ARGUMENT")
        if any(one.is_busy for one in lists):
            found.add("HANDLE_OBJECT_IN_USE")
        if fence is not None and (fence.parent is not queue or fence.signaled or fence.submitted):
            found.add("INVALID_SYNCHRONIZATION_OBJECT")
        return found

    @needs(Queue)
    @rule(pick=PICK)
    def synchronize(self, pick: int) -> None:
        queue = self.some(Queue, pick)
        if queue is not None:
            expected, timeout = ("NOT_READY", 1000) if queue.pending else ("SUCCESS", PATIENCE)
            self.expect(expected, lambda: ze.zeCommandQueueSynchronize(queue.handle, timeout))

    # Fences ----------------------------------------------------------------------------------------------------------

    @needs(Queue)
    @rule(pick=PICK, signaled=st.booleans())
    def create_fence(self, pick: int, signaled: bool) -> None:
        queue = self.some(Queue, pick)
        if queue is not None:
            handle = ze.zeFenceCreate(queue.handle, ze.ze_fence_desc_t(int(signaled)))
            self.add(Fence(handle, queue, signaled=signaled))

    @needs(Fence)
    @rule(pick=PICK)
    def query_fence(self, pick: int) -> None:
        fence = self.some(Fence, pick)
        if fence is not None:
            expected, timeout = ("SUCCESS", PATIENCE) if fence.signaled else ("NOT_READY", 1000)
            self.expect(expected, lambda: ze.zeFenceHostSynchronize(fence.handle, timeout))

    @needs(Fence)
    @rule(pick=PICK)
    def reset_fence(self, pick: int) -> None:
        fence = self.some(Fence, pick)
        if fence is None:
            return
        self.let_finish(fence)
        self.expect("HANDLE_OBJECT_IN_USE" if fence.is_busy else "SUCCESS", lambda: ze.zeFenceReset(fence.handle))
        if not fence.is_busy:
            fence.signaled = False

    # Modules and kernels ---------------------------------------------------------------------------------------------

    @rule(context=FEW)
    def create_module(self, context: int) -> None:
        if len(self.modules) < 4:
            parent = self.contexts[context % 2]
            desc = ze.ze_module_desc_t(ze.ze_module_format_t.ZE_MODULE_FORMAT_NATIVE, BINARY)
            module, log = ze.zeModuleCreate(parent.handle, self.device, desc)
            ze.zeModuleBuildLogDestroy(log)
            self.modules.append(Thing(module, parent))

    @precondition(lambda self: self.modules)
    @rule(pick=PICK, name=st.sampled_from(["empty", "empty", "copy", "sized", "none", ""]))
    def create_kernel(self, pick: int, name: str) -> None:
        module = self.modules[pick % len(self.modules)]

        def call() -> None:
            kernel = ze.zeKernelCreate(module.handle, ze.ze_kernel_desc_t(name))
            if name == "empty":
                self.add(Kernel(kernel, module))
            else:
                ze.zeKernelDestroy(kernel)

        self.expect("SUCCESS" if name in ("empty", "copy", "sized") else "INVALID_KERNEL_NAME", call)

    @needs(Kernel)
    @rule(pick=PICK, size=st.tuples(*[st.sampled_from([1, 2, 7, 64, 1024, 1025, 0, -1])] * 3))
    def set_group_size(self, pick: int, size: tuple[int, int, int]) -> None:
        kernel = self.some(Kernel, pick)
        if kernel is None:
            return
        right = (
            all(1 <= extent <= 1024 for extent in size) and np.prod(size) <= kernel.handle.description.max_group_size
        )
        expected = "SUCCESS" if right else "INVALID_GROUP_SIZE_DIMENSION"
        self.expect(expected, lambda: ze.zeKernelSetGroupSize(kernel.handle, *size))

    @needs(Kernel)
    @rule(pick=PICK, index=st.integers(-1, 3), size=st.integers(-1, 9))
    def set_argument(self, pick: int, index: int, size: int) -> None:
        kernel = self.some(Kernel, pick)
        if kernel is not None:
            call = lambda: ze.zeKernelSetArgumentValue(kernel.handle, index, size, None)  # noqa: E731
            self.expect("INVALID_KERNEL_ARGUMENT_INDEX", call)

    @precondition(lambda self: self.modules)
    @rule(pick=PICK)
    def destroy_module(self, pick: int) -> None:
        module = self.modules[pick % len(self.modules)]
        expected = "SUCCESS" if module.is_destructible else "HANDLE_OBJECT_IN_USE"
        self.expect(expected, lambda: ze.zeModuleDestroy(module.handle))
        if expected == "SUCCESS":
            module.destroy()
            self.modules.remove(module)

    # Destruction -----------------------------------------------------------------------------------------------------

    @rule(pick=PICK, kind=st.sampled_from(list(DESTROYERS)))
    def destroy(self, pick: int, kind: type[Thing]) -> None:
        """Nothing goes before its children, nor while a pending command needs it; nothing goes twice."""
        thing = self.some(kind, pick, dead=True)
        if thing is None:
            return
        if thing.alive:
            self.let_finish(thing)
        right = "SUCCESS" if thing.is_destructible else "HANDLE_OBJECT_IN_USE"
        self.expect(right if thing.alive else "INVALID_ARGUMENT", lambda: DESTROYERS[kind](thing.handle))
        if thing.alive and thing.is_destructible:
            thing.destroy()

    @precondition(lambda self: any(thing.alive and thing.is_busy for thing in self.things))
    @rule(pick=PICK)
    def destroy_what_is_busy(self, pick: int) -> None:
        """Or reset it, where that is possible."""
        busy = [thing for thing in self.things if thing.alive and thing.is_busy]
        thing = busy[pick % len(busy)]
        self.expect("HANDLE_OBJECT_IN_USE", lambda: DESTROYERS[type(thing)](thing.handle))
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

    @rule(kind=st.sampled_from(list(DESTROYERS)), other=PICK)
    def wrong_handle(self, kind: type[Thing], other: int) -> None:
        self.expect("INVALID_NULL_HANDLE", lambda: DESTROYERS[kind](None))
        thing = self.some(Thing, other, dead=True)
        if thing is not None and not isinstance(thing, kind):
            self.expect("INVALID_ARGUMENT", lambda: DESTROYERS[kind](thing.handle))

    def teardown(self) -> None:
        """All that is held up goes on; then everything can be destroyed, and nothing is left."""
        for event in self.all(Event):
            ze.zeEventHostSignal(event.handle)
            event.signaled = True
        self.settle()
        for queue in self.all(Queue):
            assert not queue.pending
            self.expect("SUCCESS", lambda queue=queue: ze.zeCommandQueueSynchronize(queue.handle, PATIENCE))
        for kind in (Fence, Queue, CommandList, Event, Pool, Kernel):
            for thing in self.all(kind):
                self.expect("SUCCESS", lambda kind=kind, thing=thing: DESTROYERS[kind](thing.handle))
                thing.destroy()
        for module in self.modules:
            ze.zeModuleDestroy(module.handle)
        memory = self.device.machine.memory
        for context in self.contexts:
            ze.zeContextDestroy(context.handle)
        assert memory.nearest(0) is None
        assert set(threading.enumerate()) <= self.threads
