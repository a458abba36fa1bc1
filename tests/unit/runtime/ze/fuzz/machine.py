"""Calls of the API at random, right ones and wrong ones, each with the answer that the model expects."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule

from runtime import ze, zet
from tests.unit.runtime.ze.fuzz.application import PATIENCE, SECOND, Waiting, destroyer
from tests.unit.runtime.ze.fuzz.command_rules import ONE_GROUP
from tests.unit.runtime.ze.fuzz.drawing import FEW, PICK
from tests.unit.runtime.ze.fuzz.model import Command, Event, Kernel, Memory, Pool, Queue
from tests.unit.runtime.ze.fuzz.object_rules import ObjectRules

TRACED = (
    "EventHostSignal",
    "EventQueryStatus",
    "EventHostReset",
    "CommandListAppendBarrier",
    "CommandListHostSynchronize",
    "CommandListDestroy",
)
"""The functions that `ApiMachine.trace` calls, as registrations of tracers name them."""

STAGES = 3
"""The lists of a pipe."""


class ApiMachine(ObjectRules):
    """An application that does anything whatever with one driver, in two contexts and from several threads."""

    @initialize(sizes=st.lists(st.integers(1, 64), min_size=2, max_size=4))
    def begin(self, sizes: list[int]) -> None:
        """Something of everything in both contexts, so that little of a run is spent on making it."""
        for number in range(2):
            self.create_queue(number, 0, 0, False, 0)
            self.create_fence(number, False)
            self.create_list(number, 0, False)
            self.create_immediate(number, bool(number), True, 0)
            self.create_pool(number, 4)
            self.create_module(number)
            self.create_kernel(number, "work")
            for index in range(3):
                self.create_event(number, index)
            for size in sizes:
                self.allocate(number, number, size, 0)

    @rule(other=st.booleans())
    def change_thread(self, other: bool) -> None:
        """Another thread makes the calls."""
        self.end_thread()
        self.other = ThreadPoolExecutor(1) if other else None

    @rule(context=FEW, value=st.integers(1, 255), size=st.integers(1, 300), order=st.permutations(range(STAGES)))
    def pipe(self, context: int, value: int, size: int, order: list[int]) -> None:
        """Bytes go through memory on several lists, each of which waits for the one before and resets its event.

        The lists receive their commands in any order; all begin when the host signals the first event.
        """
        parent = self.contexts[context % 2]
        handle = ze.zeEventPoolCreate(parent.handle, ze.ze_event_pool_desc_t(1, STAGES + 1))
        pool = self.add(Pool(handle, parent, is_private=True))
        events, memory = [], []
        for index in range(STAGES + 1):
            event = ze.zeEventCreate(pool.handle, ze.ze_event_desc_t(index))
            events.append(self.add(Event(event, pool, is_private=True)))
            address = ze.zeMemAllocHost(parent.handle, ze.ze_host_mem_alloc_desc_t(), size, 64)
            memory.append(self.add(Memory(address, parent, data=np.zeros(size, np.uint8), is_private=True)))
        lists = [self.new_immediate(parent) for _ in range(STAGES)]
        for queue in lists:
            queue.is_private = True
        for number in order:
            self._stage(lists[number], memory[number : number + 2], events[number : number + 2], 0 if number else value)
        self.compare()
        self.expect("SUCCESS", lambda: ze.zeEventHostSignal(events[0].handle))
        events[0].is_set = True
        self.compare()
        assert memory[STAGES].data[-1] == value, "the model"
        for thing in (*lists, *events, pool):
            self.expect("SUCCESS", lambda thing=thing: destroyer(thing)(thing.handle))
            thing.destroy()
        for each in memory:
            self.expect("SUCCESS", lambda each=each: ze.zeMemFree(parent.handle, each.handle))
            each.destroy()

    def _stage(self, queue: Queue, memory: list[Memory], events: list[Event], value: int) -> None:
        """Wait and reset; fill the first memory if there is a value; copy it to the second; signal."""
        (origin, to), (before, after), handle = memory, events, queue.handle

        def fill() -> None:
            origin.data[:] = value

        def copy() -> None:
            to.data[:] = origin.data

        def submit(command: Command, call: Callable[[], object]) -> None:
            self.submit(queue, queue.submit([command]), call)

        submit(Command([before]), lambda: ze.zeCommandListAppendWaitOnEvents(handle, [before.handle]))
        submit(Command(reset=before), lambda: ze.zeCommandListAppendEventReset(handle, before.handle))
        if value:
            submit(
                Command(effect=fill, memory=(origin,)),
                lambda: ze.zeCommandListAppendMemoryFill(handle, origin.handle, bytes([value]), 1, origin.size),
            )
        submit(
            Command([], after, effect=copy, memory=(origin, to)),
            lambda: ze.zeCommandListAppendMemoryCopy(handle, to.handle, origin.handle, to.size, after.handle),
        )

    @rule(pick=PICK)
    def lose_device(self, pick: int) -> None:
        """A kernel faults: all that is pending is dropped, who waits is told, and nothing can be submitted until the
        device is recovered.
        """
        broken = [kernel for kernel in self.all(Kernel) if kernel.name == "broken"]
        if not broken:
            return
        kernel = broken[pick % len(broken)]
        for gate in self.gates:
            gate.opened.set()
        self.compare()
        commands = self.new_immediate(kernel.context)
        commands.is_private = True
        call = lambda: ze.zeCommandListAppendLaunchKernel(commands.handle, kernel.handle, ONE_GROUP)  # noqa: E731
        self.expect("SUCCESS", call)
        assert self.wait(lambda: self.device.processor.lost), "the device is not lost"
        for queue in self.queues:
            queue.drop()
        self.flush()  # those that wait
        self.expect("DEVICE_LOST", call)
        self.expect("DEVICE_LOST", lambda: ze.zeCommandListHostSynchronize(commands.handle, PATIENCE * SECOND))
        desc = ze.ze_command_list_desc_t()
        self.expect("DEVICE_LOST", lambda: ze.zeCommandListCreate(kernel.context.handle, self.device, desc))
        self.device.processor.recover()
        self.expect("SUCCESS", lambda: ze.zeCommandListDestroy(commands.handle))
        commands.destroy()

    @rule(context=FEW)
    def trace(self, context: int) -> None:
        """Callbacks of a tracer, in which another thread makes calls that are traced, too."""
        parent = self.contexts[context % 2]
        pool = ze.zeEventPoolCreate(parent.handle, ze.ze_event_pool_desc_t(1, 1))
        event = ze.zeEventCreate(pool, ze.ze_event_desc_t(0))
        zet.zelEnableTracingLayer()
        tracer = zet.zelTracerCreate(zet.zel_tracer_desc_t(1))
        busy, top = [], []

        def callback(*_: object) -> None:
            if busy or self.problems:
                return  # it is that of the other thread
            busy.append(None)
            top.append(None)
            try:
                Waiting("a call of another thread", lambda: ze.zeEventHostReset(event), lambda: "SUCCESS").is_over()
            except AssertionError as error:
                self.problems.append(f"while a thread is in a callback: {error}")
            busy.clear()

        for name in TRACED:
            for side in zet.zel_tracer_reg_t:
                getattr(zet, f"zelTracer{name}RegisterCallback")(tracer, side, callback)
        zet.zelTracerSetEnabled(tracer, True)
        self.expect("SUCCESS", lambda: ze.zeEventHostSignal(event))
        self.expect("NOT_READY", lambda: ze.zeEventQueryStatus(event))  # the other thread has reset it
        self.expect("SUCCESS", lambda: ze.zeEventHostReset(event))
        commands = ze.zeCommandListCreateImmediate(parent.handle, self.device, ze.ze_command_queue_desc_t())
        self.expect("SUCCESS", lambda: ze.zeCommandListAppendBarrier(commands, event))
        self.expect("SUCCESS", lambda: ze.zeCommandListHostSynchronize(commands, PATIENCE * SECOND))
        self.expect("SUCCESS", lambda: ze.zeCommandListDestroy(commands))
        zet.zelTracerSetEnabled(tracer, False)
        assert len(top) == 2 * len(TRACED) or self.problems, f"{len(top)} callbacks"
        self.expect("SUCCESS", lambda: zet.zelTracerDestroy(tracer))
        zet.zelDisableTracingLayer()
        self.expect("SUCCESS", lambda: ze.zeEventDestroy(event))
        self.expect("SUCCESS", lambda: ze.zeEventPoolDestroy(pool))
