"""Commands of all kinds, for regular and immediate lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from hypothesis import strategies as st
from hypothesis.stateful import rule

from runtime import ze
from tests.unit.runtime.ze.fuzz.drawing import COMMANDS, FEW, PICK, needs
from tests.unit.runtime.ze.fuzz.event_rules import EventRules
from tests.unit.runtime.ze.fuzz.memory_rules import MemoryRules
from tests.unit.runtime.ze.fuzz.model import Command, CommandList, CounterEvent, Event, Gate, Kernel, Queue

MOST_CLOSED_GATES = 2
ONE_GROUP = ze.ze_group_count_t(1)

Numbers = Sequence[int]
Target = CommandList | Queue
Append = Callable[[], object]
"""Appends a command that is made."""

Maker = Callable[["CommandRules", Target, Command, Numbers], Append | None]
"""Makes a command of numbers; None if the application has not what it takes."""


def handles(command: Command) -> tuple[object, list[object]]:
    """The last arguments of functions that append."""
    signal = None if command.signal is None else command.signal.handle
    return signal, [event.handle for event in command.waits]


class CommandRules(MemoryRules, EventRules):
    @rule(context=FEW, ordinal=st.sampled_from([0, 0, 0, 0, -1, 99]), in_order=st.booleans())
    def create_list(self, context: int, ordinal: int, in_order: bool) -> None:
        parent = self.contexts[context % 2]
        flags = ze.ze_command_list_flags_t.ZE_COMMAND_LIST_FLAG_IN_ORDER if in_order else 0

        def call() -> None:
            desc = ze.ze_command_list_desc_t(ordinal, flags)
            handle = ze.zeCommandListCreate(parent.handle, self.device, desc)
            self.add(CommandList(handle, parent, in_order=in_order))

        self.expect("SUCCESS" if ordinal == 0 else "INVALID_ARGUMENT", call)

    @needs(CommandList)
    @rule(pick=PICK, command=COMMANDS)
    def append_command(self, pick: int, command: tuple[int, list[int], int, Numbers]) -> None:
        target = self.some(CommandList, pick)
        if target is not None:
            self.append(target, *command)

    @rule(pick=PICK, command=COMMANDS)
    def append_at_once(self, pick: int, command: tuple[int, list[int], int, Numbers]) -> None:
        """To an immediate list."""
        targets = [queue for queue in self.all(Queue) if queue.is_immediate]
        if targets:
            self.append(targets[pick % len(targets)], *command)

    def append(self, target: Target, signal: int, waits: list[int], what: int, numbers: Numbers) -> None:
        """Append a command, seldom with events of the wrong context."""
        if isinstance(target, Queue) and target.synchronous and target.pending:
            return  # a thread is in a call with this list
        events = [event for event in self.all(Event) if event.context is target.context or numbers[0] < 8]
        signaled = events[signal % len(events)] if events and signal % 2 else None
        waited = [events[number % len(events)] for number in waits if events]
        if signaled in waited:
            return
        command = Command(waited, signaled)
        call = MAKERS[what](self, target, command, numbers) or barrier(self, target, command, numbers)
        wrong = set()
        if any(event.context is not target.context for event in command.events):
            wrong.add("INVALID_SYNCHRONIZATION_OBJECT")
        if target.closed or (isinstance(command.signal, CounterEvent) and not target.in_order):
            wrong.add("INVALID_ARGUMENT")
        if wrong:
            found = self.call(call)
            assert found in wrong, f"{found} in place of {wrong}"
        elif isinstance(target, Queue):
            self.submit(target, target.submit([command]), call)
        else:
            self.expect("SUCCESS", call)
            target.commands.append(command)

    def closed_gate(self, chance: int) -> int:
        """The number of a new gate that is closed; 0 for none."""
        if chance % 4 or sum(not gate.is_open for gate in self.gates) >= MOST_CLOSED_GATES:
            return 0
        self.gates.append(Gate())
        return len(self.gates)

    @rule(pick=PICK)
    def open_gate(self, pick: int) -> None:
        """A kernel that waits goes on."""
        closed = [gate for gate in self.gates if not gate.is_open]
        if closed:
            closed[pick % len(closed)].opened.set()


def barrier(machine: CommandRules, target: Target, command: Command, numbers: Numbers) -> Append:
    return lambda: ze.zeCommandListAppendBarrier(target.handle, *handles(command))


def signal(machine: CommandRules, target: Target, command: Command, numbers: Numbers) -> Append | None:
    event = command.signal
    if event is None:
        return None
    command.waits = []
    return lambda: ze.zeCommandListAppendSignalEvent(target.handle, event.handle)


def wait(machine: CommandRules, target: Target, command: Command, numbers: Numbers) -> Append | None:
    if not command.waits:
        return None
    command.signal = None
    return lambda: ze.zeCommandListAppendWaitOnEvents(target.handle, handles(command)[1])


def launch_empty(machine: CommandRules, target: Target, command: Command, numbers: Numbers) -> Append | None:
    kernel = _kernel(machine, target, "empty", numbers[1])
    if kernel is None:
        return None
    return lambda: ze.zeCommandListAppendLaunchKernel(target.handle, kernel.handle, ONE_GROUP, *handles(command))


def fill(machine: CommandRules, target: Target, command: Command, numbers: Numbers) -> Append | None:
    memory = machine.usable(target.context, numbers[1], target)
    if memory is None or memory.is_array:
        return None
    unit = 1 << numbers[2] % 4
    offset = numbers[3] % memory.size
    offset += -(memory.handle + offset) % unit  # type: ignore[operator]
    size = max(memory.size - offset, 0) // unit * unit
    if numbers[2] % 3:
        size = min(size, numbers[0] * unit)
    if not size:
        return None
    pattern = bytes((numbers[0] + 3 * index) % 256 for index in range(unit))

    def effect() -> None:
        memory.data[offset : offset + size] = np.frombuffer(pattern * (size // unit), np.uint8)

    command.effect, command.memory = effect, (memory,)
    return lambda: ze.zeCommandListAppendMemoryFill(
        target.handle, memory.operand(offset), pattern, unit, size, *handles(command)
    )


def copy(machine: CommandRules, target: Target, command: Command, numbers: Numbers) -> Append | None:
    """Also within one allocation, where ranges may overlap."""
    to = machine.usable(target.context, numbers[1], target)
    origin = machine.usable(target.context, numbers[2], target)
    if to is None or origin is None:
        return None
    start, first = numbers[3] % to.size, numbers[0] % origin.size
    size = min(to.size - start, origin.size - first)

    def effect() -> None:
        to.data[start : start + size] = origin.data[first : first + size].copy()

    command.effect, command.memory = effect, (to, origin)
    return lambda: ze.zeCommandListAppendMemoryCopy(
        target.handle, to.operand(start), origin.operand(first), size, *handles(command)
    )


def copy_region(machine: CommandRules, target: Target, command: Command, numbers: Numbers) -> Append | None:
    """Rows of bytes from one allocation to another."""
    to = machine.usable(target.context, numbers[1], target)
    origin = machine.usable(target.context, numbers[2], target)
    if to is None or origin is None or to is origin:
        return None
    pitches = (1 + numbers[3] % 32, 1 + numbers[0] % 32)
    x, y = numbers[0] % min(pitches), numbers[3] % 3
    width = min(pitches) - x
    height = min(to.size // pitches[0], origin.size // pitches[1]) - y
    if height < 1:
        return None
    region = ze.ze_copy_region_t(x, y, 0, width, height, 0)

    def effect() -> None:
        for row in range(y, y + height):
            a, b = row * pitches[0] + x, row * pitches[1] + x
            to.data[a : a + width] = origin.data[b : b + width]

    command.effect, command.memory = effect, (to, origin)
    return lambda: ze.zeCommandListAppendMemoryCopyRegion(
        target.handle, to.operand(0), region, pitches[0], 0, origin.operand(0), region, pitches[1], 0, *handles(command)
    )


def launch_work(machine: CommandRules, target: Target, command: Command, numbers: Numbers) -> Append | None:
    """With arguments that are set before, and changed after the launch is appended."""
    memory, kernel = (
        machine.usable(target.context, numbers[1], target),
        _kernel(machine, target, "work", numbers[1]),
    )
    if memory is None or kernel is None or memory.is_array:
        return None
    offset = numbers[2] % memory.size
    count, value, gate = memory.size - offset, numbers[3], machine.closed_gate(numbers[0])
    address = memory.operand(offset)

    def effect() -> None:
        data = memory.data[offset : offset + count]
        data[:] = data * np.uint8(3) + np.uint8(value)

    command.effect, command.memory = effect, (memory,)
    command.gate = machine.gates[gate - 1] if gate else None

    def append() -> None:
        arguments = [(8, address), (4, count), (4, value), (4, gate)]
        for index, (size, argument) in enumerate(arguments):
            ze.zeKernelSetArgumentValue(kernel.handle, index, size, argument)
        try:
            ze.zeCommandListAppendLaunchKernel(target.handle, kernel.handle, ONE_GROUP, *handles(command))
        finally:
            ze.zeKernelSetArgumentValue(kernel.handle, 2, 4, value ^ 0x55)

    def append_with_arguments() -> None:
        ze.zeCommandListAppendLaunchKernelWithArguments(
            target.handle, kernel.handle, ONE_GROUP, ze.ze_group_size_t(1, 1, 1), [address, count, value, gate],
            None, *handles(command),
        )  # fmt: skip

    # A synchronous list may take the call to a thread, which must not have the kernel's settings changed.
    may_wait = isinstance(target, Queue) and target.synchronous
    return append_with_arguments if may_wait or numbers[0] % 3 == 0 else append


def _kernel(machine: CommandRules, target: Target, name: str, pick: int) -> Kernel | None:
    found = [kernel for kernel in machine.all(Kernel) if kernel.context is target.context and kernel.name == name]
    return found[pick % len(found)] if found else None


MAKERS: Sequence[Maker] = (
    barrier, signal, wait, launch_empty, fill, copy, copy_region, launch_work, launch_work, fill,
)  # fmt: skip
