"""An application of one driver: its objects beside those of the model, and the comparison of all of them."""

from __future__ import annotations

import gc
import struct
import sys
import threading
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np
from hypothesis.stateful import RuleBasedStateMachine, invariant

from runtime import ze
from runtime.simulator import Dispatch, Memory as DeviceMemory
from runtime.ze import layers
from runtime.ze.driver.system.driver import Driver
from runtime.ze.layers import Layers
from runtime.ze.layers.validation import ValidationCheck
from tests.unit.runtime.ze import kernels
from tests.unit.runtime.ze.fuzz.model import (
    CommandList,
    CounterEvent,
    Event,
    Fence,
    Gate,
    Kernel,
    Memory,
    Pool,
    Queue,
    Submission,
    Thing,
    settle,
)
from tests.unit.runtime.ze.kernels import ScriptedSimulator
from xegpu.targets import PVC

T = TypeVar("T", bound=Thing)

SECOND = 1_000_000_000
PATIENCE = 20
"""Seconds after which what should have happened has not."""

ASYNCHRONOUS = ze.ze_command_queue_mode_t.ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS
SYNCHRONOUS = ze.ze_command_queue_mode_t.ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS

WORK = kernels.compiled(
    "work",
    [
        kernels.pointer("data", "memref<?xi8>", 0),
        kernels.value("count", "i32", 8, 4),
        kernels.value("value", "i32", 12, 4),
        kernels.value("gate", "i32", 16, 4),
    ],
)
"""Multiplies bytes by three and adds a number; between the halves it waits at a gate, if it has one."""

BROKEN = kernels.compiled("broken")
BINARY = kernels.binary(kernels.EMPTY, WORK, BROKEN)
_WORK = struct.Struct("<Q3I")

DESTROYERS: dict[type[Thing], Callable[[object], None]] = {
    Queue: ze.zeCommandQueueDestroy,
    CommandList: ze.zeCommandListDestroy,
    Fence: ze.zeFenceDestroy,
    Event: ze.zeEventDestroy,
    CounterEvent: ze.zeEventDestroy,
    Pool: ze.zeEventPoolDestroy,
    Kernel: ze.zeKernelDestroy,
}

MACHINES: weakref.WeakSet[object] = weakref.WeakSet()
"""The machines of all applications; those that have ended must be garbage."""


def answer(call: Callable[[], object]) -> str:
    """Makes a call and returns the name of its result, without prefixes."""
    try:
        result = call()
    except ze.ZeError as error:
        result = error.result
    name = result.name if isinstance(result, ze.ze_result_t) else "ZE_RESULT_SUCCESS"
    return name.removeprefix("ZE_RESULT_").removeprefix("ERROR_")


class Waiting:
    """A call that another thread makes, and that returns when `outcome` says how."""

    def __init__(self, text: str, call: Callable[[], object], outcome: Callable[[], str | None]) -> None:
        self.text = text
        self.outcome = outcome
        self.found = "nothing"
        self._call = call
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self.found = answer(self._call)
        except BaseException as error:
            self.found = repr(error)

    def is_over(self) -> bool:
        """Returns whether the call is due to have returned; checks that it has, with the right result, or has not."""
        expected = self.outcome()
        if expected is None:
            assert self._thread.is_alive(), f"{self.text} returned {self.found} too early"
            return False
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive(), f"{self.text} does not return, expected {expected}"
        assert self.found == expected, f"{self.text}: {self.found} in place of {expected}"
        return True

    def give_up(self) -> None:
        """Waits for the call, whatever its result."""
        self._thread.join(PATIENCE)


class Application(RuleBasedStateMachine):
    """The objects of an application in two contexts, and those of the model. Rules are mixed in.

    The validation layer checks parameters: without it the driver takes most of what is wrong.
    """

    def __init__(self) -> None:
        super().__init__()
        self.layers = layers.active()
        layers.install(Layers(checks=frozenset({ValidationCheck.PARAMETERS})))
        self.threads = set(threading.enumerate())
        self.driver = Driver((PVC,), ScriptedSimulator)
        (self.device,) = ze.zeDeviceGet(self.driver)
        self.devices = set(self.driver.children)
        MACHINES.add(self.driver.machine)
        behaviours = self.device.simulator.behaviours  # type: ignore[attr-defined]
        behaviours["work"] = self.work
        behaviours["broken"] = self.break_down
        self.contexts = [Thing(ze.zeContextCreate(self.driver, ze.ze_context_desc_t())) for _ in range(2)]
        self.things: list[Thing] = []
        self.modules: list[Thing] = []
        self.gates: list[Gate] = []
        self.waiting: list[Waiting] = []
        self.ending: list[tuple[Memory, set[Submission]]] = []
        """Memory that was freed while commands used it, and these."""
        self.problems: list[str] = []
        """The problems found by other threads."""
        self.other: ThreadPoolExecutor | None = None
        """The thread that makes the calls, if it is not this one."""

    # What kernels do -------------------------------------------------------------------------------------------------

    def work(self, dispatch: Dispatch, memory: DeviceMemory) -> None:
        address, count, value, gate = _WORK.unpack_from(dispatch.cross_thread)
        allocation = memory.find(address)
        assert allocation is not None, f"memory at {address:#x} is freed, and a kernel uses it"
        start = address - allocation.address
        data, half = allocation.data[start : start + count], count // 2
        data[:half] = data[:half] * np.uint8(3) + np.uint8(value)
        if gate:
            assert self.gates[gate - 1].opened.wait(2 * PATIENCE), "nobody opens the gate"
        data[half:] = data[half:] * np.uint8(3) + np.uint8(value)

    def break_down(self, *_: object) -> None:
        raise kernels.fault("broken")

    # Helpers ---------------------------------------------------------------------------------------------------------

    def all(self, kind: type[T], *, dead: bool = False) -> list[T]:
        return [
            thing for thing in self.things if isinstance(thing, kind) and (thing.alive or dead) and not thing.is_private
        ]

    def some(self, kind: type[T], pick: int, *, dead: bool = False) -> T | None:
        found = self.all(kind, dead=dead)
        return found[pick % len(found)] if found else None

    def add(self, thing: T) -> T:
        self.things.append(thing)
        return thing

    def call(self, call: Callable[[], object]) -> str:
        """Makes a call in the thread whose turn it is and returns its result."""
        if self.other is None:
            return answer(call)
        return self.other.submit(answer, call).result(PATIENCE)

    def expect(self, expected: str, call: Callable[[], object]) -> None:
        found = self.call(call)
        assert found == expected, f"{found} in place of {expected}"

    @property
    def queues(self) -> list[Queue]:
        """All that execute, private ones included."""
        return [thing for thing in self.things if isinstance(thing, Queue) and thing.alive]

    def settle(self) -> None:
        settle(self.queues)

    def is_used(self, memory: Memory, by: Thing | None = None) -> bool:
        """Returns whether a pending or recorded command of another list needs the memory."""
        users = [thing for thing in self.things if isinstance(thing, Queue | CommandList) and thing.alive]
        return any(memory in user.memory for user in users if user is not by)

    def is_pending(self, memory: Memory) -> bool:
        return any(memory in queue.memory for queue in self.queues)

    # Submission ------------------------------------------------------------------------------------------------------

    def submit(self, queue: Queue, submission: Submission, call: Callable[[], object]) -> None:
        """Make a call that submits what the model has already. A synchronous one may have to wait in a thread."""
        self.settle()
        if submission.is_pending and queue.synchronous:
            stream = queue.handle.stream  # type: ignore[attr-defined]
            before = stream.backlog.submitted

            def outcome() -> str | None:
                return None if submission.is_pending else "SUCCESS" if submission.is_done else "DEVICE_LOST"

            self.waiting.append(Waiting("a synchronous submission", call, outcome))
            assert self.wait(lambda: stream.backlog.submitted > before), "nothing was submitted"
        else:
            self.expect("SUCCESS", call)

    def wait(self, ready: Callable[[], bool]) -> bool:
        return bool(self.driver.machine.wait(ready, PATIENCE * SECOND))

    def flush(self) -> None:
        """Let all queues get as far as they do in the model, and the threads that wait."""
        behind: list[str] = []

        def is_settled() -> bool:
            behind.clear()
            for queue in self.queues:
                left = sum(
                    len(s.commands) - s.position
                    for s in queue.handle.stream.backlog  # type: ignore[attr-defined]
                )
                assert left >= queue.left, f"{left} commands are left on {queue.handle}, there should be {queue.left}"
                if left > queue.left:
                    behind.append(f"{queue.handle}: {left} commands are left, there should be {queue.left}")
            return not behind

        assert self.wait(is_settled), behind
        self.waiting = [waiting for waiting in self.waiting if not waiting.is_over()]

    # Comparison ------------------------------------------------------------------------------------------------------

    @invariant()
    def compare(self) -> None:
        """Everything is as in the model."""
        self.settle()
        self.flush()
        assert not self.problems, self.problems
        self.compare_states()
        self.compare_memory()
        self.compare_handles()

    def compare_states(self) -> None:
        for thing in self.things:
            if not thing.alive:
                continue
            if isinstance(thing, Event):
                expected = "SUCCESS" if thing.signaled else "NOT_READY"
                found = answer(lambda thing=thing: ze.zeEventQueryStatus(thing.handle))
            elif isinstance(thing, Fence):
                expected = self.fence_status(thing)
                found = answer(lambda thing=thing: ze.zeFenceQueryStatus(thing.handle))
            elif isinstance(thing, Queue):
                expected = self.queue_status(thing)
                found = answer(lambda thing=thing: self.synchronize_queue(thing, 0))
            else:
                continue
            assert found == expected, f"{thing.handle}: {found} in place of {expected}"

    def fence_status(self, fence: Fence) -> str:
        if fence.is_dropped:
            if not self.device.processor.lost:  # which is what those are told that wait at that moment
                fence.parent.drops = False  # type: ignore[union-attr]
            return "DEVICE_LOST"
        return "SUCCESS" if fence.signaled else "NOT_READY"

    def queue_status(self, queue: Queue) -> str:
        """Returns the answer that the next one to ask a queue receives."""
        if queue.drops:
            queue.drops = False
            return "DEVICE_LOST"
        return "NOT_READY" if queue.pending else "SUCCESS"

    def synchronize_queue(self, queue: Queue, timeout: int) -> object:
        call = ze.zeCommandListHostSynchronize if queue.is_immediate else ze.zeCommandQueueSynchronize
        return call(queue.handle, timeout)

    def compare_memory(self) -> None:
        """Byte by byte, all that no pending command may change."""
        busy = {memory for queue in self.queues for memory in queue.memory}
        found = self.driver.machine.memory
        for memory in self.things:
            if not isinstance(memory, Memory) or not memory.alive or memory in busy:
                continue
            if memory.is_array:
                data = memory.handle
            else:
                allocation = found.find(memory.handle)
                assert allocation is not None, f"memory at {memory.handle:#x} is gone"
                data = allocation.data
            wrong = np.flatnonzero(data != memory.data)
            assert not len(wrong), (
                f"{len(wrong)} bytes of {memory.size} are wrong, the first is byte {wrong[0]}: "
                f"{data[wrong[0]]} in place of {memory.data[wrong[0]]}"
            )

    def compare_handles(self) -> None:
        """No handle and no byte too many or too few."""
        for thing in (*self.contexts, *self.modules, *self.things):
            if not thing.alive or isinstance(thing, Memory):
                continue
            expected = {id(child.handle) for child in thing.children if not isinstance(child, Memory)}
            children = thing.handle.children  # type: ignore[attr-defined]
            found = {id(_above_pool(handle)) for handle in children}
            assert found == expected, f"{thing.handle} has the objects {children}, there should be {len(expected)}"
        self.ending = [(memory, users) for memory, users in self.ending if any(user.is_pending for user in users)]
        known = [thing for thing in self.things if isinstance(thing, Memory) and thing.alive and not thing.is_array]
        known += [memory for memory, _ in self.ending]
        addresses = sorted(memory.handle for memory in known)

        def is_same() -> bool:
            return [allocation.address for allocation in self.driver.machine.memory.live()] == addresses

        if not is_same():  # who frees memory at the end of a command may need a moment
            assert self.wait(is_same), "the live allocations are not those of the application"
        used = self.device.memory_bytes - self.device.free_bytes
        assert used == sum(memory.size for memory in known if memory.is_charged), f"{used} bytes of the device are used"

    # End -------------------------------------------------------------------------------------------------------------

    def finish(self) -> None:
        """Let all that is held up go on."""
        for gate in self.gates:
            gate.opened.set()
        for event in [thing for thing in self.things if isinstance(thing, Event) and thing.alive]:
            if not isinstance(event, CounterEvent):
                ze.zeEventHostSignal(event.handle)
                event.is_set = True
        self.settle()
        for event in self.all(CounterEvent):
            if not event.signaled:
                flags = ze.ze_command_queue_flags_t.ZE_COMMAND_QUEUE_FLAG_IN_ORDER
                desc = ze.ze_command_queue_desc_t(flags=flags, mode=SYNCHRONOUS)
                commands = ze.zeCommandListCreateImmediate(event.context.handle, self.device, desc)
                ze.zeCommandListAppendBarrier(commands, event.handle)
                ze.zeCommandListDestroy(commands)
                signal = event.issued()
                event.publish(signal)
                signal.set()
                self.settle()

    def teardown(self) -> None:
        """All goes on; then everything can be destroyed, and nothing is left."""
        if isinstance(sys.exc_info()[1], Exception):
            self.give_up()
            return
        try:
            self.destroy_all()
        finally:
            layers.install(self.layers)

    def destroy_all(self) -> None:
        """Everything in its order, so that nothing is in use."""
        self.end_thread()
        self.finish()
        self.compare()
        assert not self.waiting, [waiting.text for waiting in self.waiting]
        for kind in (Fence, Queue, CommandList, Event, Pool, Kernel):
            for thing in [thing for thing in self.things if isinstance(thing, kind) and thing.alive]:
                self.expect("SUCCESS", lambda thing=thing: destroyer(thing)(thing.handle))
                thing.destroy()
        for module in self.modules:
            self.expect("SUCCESS", lambda module=module: ze.zeModuleDestroy(module.handle))
            module.destroy()
        for thing in [thing for thing in self.things if isinstance(thing, Memory) and thing.alive]:
            if not thing.is_array:
                self.expect("SUCCESS", lambda thing=thing: ze.zeMemFree(thing.context.handle, thing.handle))
            thing.destroy()
        self.compare_handles()
        for context in self.contexts:
            self.expect("SUCCESS", lambda context=context: ze.zeContextDestroy(context.handle))
        machine, processor = self.driver.machine, self.device.processor
        assert machine.memory.live() == () and self.device.free_bytes == self.device.memory_bytes
        assert not machine.executing and not machine.pauses and not machine.followers
        assert not processor.streams and self.driver.children == self.devices
        assert self.wait(lambda: set(threading.enumerate()) <= self.threads), "threads are left"

    def end_thread(self) -> None:
        """This thread makes the calls from now on."""
        if self.other is not None:
            self.other.shutdown()
            self.other = None

    def give_up(self) -> None:
        """Ends the threads of an example that has failed."""
        layers.install(self.layers)
        for gate in self.gates:
            gate.opened.set()
        for queue in self.queues:
            queue.handle.stream.backlog.closed = True  # type: ignore[attr-defined]
            queue.handle.stream.close(stops=True)  # type: ignore[attr-defined]
        self.device.processor.lose("the example has failed")  # which those are told that wait
        self.end_thread()
        for waiting in self.waiting:
            waiting.give_up()


def destroyer(thing: Thing) -> Callable[[object], None]:
    """The function that destroys an object."""
    if isinstance(thing, Queue) and thing.is_immediate:
        return ze.zeCommandListDestroy
    return DESTROYERS[type(thing)]


def _above_pool(handle: object) -> object:
    """An event without a pool has one that nobody knows."""
    events = getattr(handle, "events", {})
    is_single = type(handle).__name__ == "SingleEventPool"
    return next(iter(events.values())) if is_single and events else handle


def require_no_garbage() -> None:
    """The machines of applications that have ended are gone."""
    gc.collect()
    left = len(MACHINES)
    assert not left, f"{left} machine(s) are kept alive, whose applications have ended"
