"""A model of the driver's objects: the states that the specification gives them, and nothing of how.

Commands signal events, and the host resets one only when no pending command needs it; memory that a pending or recorded
command uses belongs to the list of that command. So where queues get to does not depend on which of them goes first,
and `settle` can say where they all end up, and what every byte of memory is then.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


@dataclass(eq=False)
class Thing:
    """An object of the application: its handle, what it was made from, and whether it was destroyed.

    Private ones are used by the rule that made them only.
    """

    handle: object
    parent: Thing | None = None
    alive: bool = True
    children: list[Thing] = field(default_factory=list)
    is_private: bool = False

    def __post_init__(self) -> None:
        if self.parent is not None:
            self.parent.children.append(self)

    @property
    def context(self) -> Thing:
        return self if self.parent is None else self.parent.context

    @property
    def is_busy(self) -> bool:
        """Returns whether pending commands keep it from being destroyed."""
        return False

    @property
    def is_destructible(self) -> bool:
        return not self.children and not self.is_busy

    def destroy(self) -> None:
        self.alive = False
        if self.parent is not None:
            self.parent.children.remove(self)


# Events and gates ------------------------------------------------------------------------------------------------


class Signal(Protocol):
    """A state that commands wait for or set."""

    @property
    def signaled(self) -> bool: ...

    def set(self) -> None: ...


@dataclass(eq=False)
class Pool(Thing):
    size: int = 0

    def event_at(self, index: int) -> Event | None:
        return next((event for event in self.children if isinstance(event, Event) and event.index == index), None)


@dataclass(eq=False)
class Event(Thing):
    index: int = 0
    is_set: bool = False
    users: int = 0
    """Commands that are pending."""

    waiting: int = 0
    """Threads that wait. The application must neither reset nor destroy it."""

    @property
    def signaled(self) -> bool:
        return self.is_set

    @property
    def is_busy(self) -> bool:
        return self.users > 0

    def set(self) -> None:
        self.is_set = True

    def issued(self) -> Signal:
        """Returns the signal that one execution of a command sets."""
        return self

    def awaited(self) -> Signal:
        """Returns the signal that one execution of a command waits for."""
        return self

    def publish(self, signal: Signal) -> None:
        """An execution that sets `signal` is submitted."""


@dataclass(eq=False)
class Value:
    """One signal of a counter-based event, which is never set if its submission is dropped."""

    signaled: bool = False
    is_dropped: bool = False

    def set(self) -> None:
        self.signaled = True


@dataclass(eq=False)
class CounterEvent(Event):
    """Signaled when the latest submission that signals it is done; it is its own pool."""

    latest: Value | None = None

    @property
    def signaled(self) -> bool:
        return self.latest is not None and self.latest.signaled

    def issued(self) -> Signal:
        return Value()

    def awaited(self) -> Signal:
        return self if self.latest is None or self.latest.is_dropped else self.latest

    def publish(self, signal: Signal) -> None:
        assert isinstance(signal, Value)
        self.latest = signal


class Gate:
    """A gate in the middle of a kernel, which waits there until the host opens it."""

    def __init__(self) -> None:
        self.opened = threading.Event()

    @property
    def is_open(self) -> bool:
        return self.opened.is_set()


# Memory and commands -----------------------------------------------------------------------------------------------


@dataclass(eq=False)
class Memory(Thing):
    """An allocation, or an array of the host, with the bytes that it should have."""

    data: NDArray[np.uint8] = field(default_factory=lambda: np.zeros(0, np.uint8))
    is_charged: bool = False
    """True if it takes memory of the device."""

    is_array: bool = False

    @property
    def size(self) -> int:
        return len(self.data)

    def operand(self, offset: int) -> object:
        """Returns the operand by which copies name the memory at `offset`."""
        return self.handle[offset:] if self.is_array else self.handle + offset  # type: ignore[index,operator]


@dataclass(eq=False)
class Command:
    """Waits for events, has an effect on memory, resets an event, sets another; whatever of that it was told to."""

    waits: list[Event] = field(default_factory=list)
    signal: Event | None = None
    reset: Event | None = None
    effect: Callable[[], None] | None = None
    memory: tuple[Memory, ...] = ()
    gate: Gate | None = None

    @property
    def events(self) -> list[Event]:
        return [event for event in (*self.waits, self.signal) if event is not None]


@dataclass(eq=False)
class CommandList(Thing):
    """A regular list."""

    in_order: bool = False
    closed: bool = False
    commands: list[Command] = field(default_factory=list)
    executions: int = 0

    @property
    def is_busy(self) -> bool:
        return self.executions > 0

    @property
    def events(self) -> set[Event]:
        return {event for command in self.commands for event in command.events}

    @property
    def memory(self) -> set[Memory]:
        return {memory for command in self.commands for memory in command.memory}

    @property
    def gates(self) -> set[Gate]:
        return {command.gate for command in self.commands if command.gate is not None}


# Execution ---------------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class Execution:
    """One execution of a command."""

    command: Command
    waits: list[Signal]
    signal: Signal | None

    @property
    def can_end(self) -> bool:
        gate = self.command.gate
        return all(signal.signaled for signal in self.waits) and (gate is None or gate.is_open)

    def run(self) -> None:
        if self.command.effect is not None:
            self.command.effect()
        if self.command.reset is not None:
            self.command.reset.is_set = False
        if self.signal is not None:
            self.signal.set()


@dataclass(eq=False)
class Submission:
    executions: deque[Execution]
    lists: Sequence[CommandList] = ()
    is_done: bool = False
    is_dropped: bool = False

    @property
    def is_pending(self) -> bool:
        return not (self.is_done or self.is_dropped)

    def let_go(self, execution: Execution) -> None:
        for event in execution.command.events:
            event.users -= 1

    def end(self, *, is_dropped: bool) -> None:
        for execution in self.executions:
            self.let_go(execution)
            if isinstance(execution.signal, Value):
                execution.signal.is_dropped = is_dropped
        for command_list in self.lists:
            command_list.executions -= 1
        self.is_done, self.is_dropped = not is_dropped, is_dropped


@dataclass(eq=False)
class Queue(Thing):
    """A queue, or an immediate list, which is a queue that takes commands."""

    is_immediate: bool = False
    synchronous: bool = False
    in_order: bool = False
    pending: deque[Submission] = field(default_factory=deque)
    drops: bool = False
    """True if work was dropped and nobody has been told."""

    closed: bool = False

    @property
    def is_busy(self) -> bool:
        return bool(self.pending)

    @property
    def memory(self) -> set[Memory]:
        return {memory for s in self.pending for e in s.executions for memory in e.command.memory}

    def submit(self, commands: Iterable[Command], lists: Sequence[CommandList] = ()) -> Submission:
        issued: dict[Event, Signal] = {}
        executions: deque[Execution] = deque()
        for command in commands:
            waits = [issued.get(event) or event.awaited() for event in command.waits]
            signal = None
            if command.signal is not None:
                signal = issued[command.signal] = command.signal.issued()
            executions.append(Execution(command, waits, signal))
            for event in command.events:
                event.users += 1
        for event, signal in issued.items():
            event.publish(signal)
        for command_list in lists:
            command_list.executions += 1
        submission = Submission(executions, lists)
        self.pending.append(submission)
        return submission

    def step(self) -> bool:
        """Do what can be done next; whether there was something."""
        if not self.pending:
            return False
        head = self.pending[0]
        if head.executions:
            execution = head.executions[0]
            if not execution.can_end:
                return False
            head.executions.popleft()
            execution.run()
            head.let_go(execution)
            return True
        self.pending.popleft().end(is_dropped=False)
        return True

    def drop(self) -> None:
        """The device is lost. Who waits on a synchronous queue is told at once."""
        self.drops = self.drops or (bool(self.pending) and not self.synchronous)
        while self.pending:
            self.pending.popleft().end(is_dropped=True)

    @property
    def left(self) -> int:
        """The commands that are left."""
        return sum(len(submission.executions) or 1 for submission in self.pending)


@dataclass(eq=False)
class Fence(Thing):
    is_set: bool = False
    submission: Submission | None = None

    @property
    def signaled(self) -> bool:
        return self.is_set or (self.submission is not None and self.submission.is_done)

    @property
    def submitted(self) -> bool:
        return self.submission is not None and self.submission.is_pending

    @property
    def is_dropped(self) -> bool:
        return not self.is_set and self.submission is not None and self.submission.is_dropped

    @property
    def is_busy(self) -> bool:
        return self.submitted


@dataclass(eq=False)
class Kernel(Thing):
    name: str = ""


def settle(queues: Sequence[Queue]) -> None:
    """Let all queues go on as far as they can."""
    while any(queue.step() for queue in queues):
        pass
