"""What a driver's objects should be like: the states that the specification gives them, and nothing of how.

Commands only ever signal events, and the host resets one only when no pending command needs it. So where queues get to
does not depend on which of them goes first, and `Model.settle` can say where they all end up.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field


@dataclass(eq=False)
class Thing:
    """An object of the application: its handle, what it was made from, and whether it was destroyed."""

    handle: object
    parent: Thing | None = None
    alive: bool = True
    children: list[Thing] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.parent is not None:
            self.parent.children.append(self)

    @property
    def context(self) -> Thing:
        return self if self.parent is None else self.parent.context

    @property
    def is_busy(self) -> bool:
        """Whether commands that are pending keep it from being destroyed."""
        return False

    @property
    def is_destructible(self) -> bool:
        return not self.children and not self.is_busy

    def destroy(self) -> None:
        self.alive = False
        if self.parent is not None:
            self.parent.children.remove(self)


@dataclass(eq=False)
class Pool(Thing):
    size: int = 0

    def event_at(self, index: int) -> Event | None:
        return next((event for event in self.children if isinstance(event, Event) and event.index == index), None)


@dataclass(eq=False)
class Event(Thing):
    index: int = 0
    signaled: bool = False
    users: int = 0
    """Commands that are pending."""

    @property
    def is_busy(self) -> bool:
        return self.users > 0


@dataclass(eq=False)
class Memory(Thing):
    """An allocation; `contents` is the byte that it is full of, None before it was filled."""

    size: int = 0
    contents: int | None = None


@dataclass(eq=False)
class Command:
    """Waits for events, fills memory with a byte, signals an event; whatever of that it was told to."""

    waits: list[Event]
    signal: Event | None
    target: Memory | None = None
    value: int = 0

    @property
    def events(self) -> list[Event]:
        return [*self.waits, *([self.signal] if self.signal is not None else [])]


@dataclass(eq=False)
class CommandList(Thing):
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
        return {command.target for command in self.commands if command.target is not None}


@dataclass(eq=False)
class Fence(Thing):
    signaled: bool = False
    submitted: bool = False

    @property
    def is_busy(self) -> bool:
        return self.submitted


@dataclass(eq=False)
class Submission:
    commands: deque[Command]
    lists: list[CommandList]
    fence: Fence | None


@dataclass(eq=False)
class Queue(Thing):
    pending: deque[Submission] = field(default_factory=deque)

    @property
    def is_busy(self) -> bool:
        return bool(self.pending)

    def submit(self, lists: list[CommandList], fence: Fence | None) -> None:
        commands = deque(command for command_list in lists for command in command_list.commands)
        for command in commands:
            for event in command.events:
                event.users += 1
        for command_list in lists:
            command_list.executions += 1
        if fence is not None:
            fence.submitted = True
        self.pending.append(Submission(commands, lists, fence))

    def step(self) -> bool:
        """Do what can be done next; whether there was something."""
        if not self.pending:
            return False
        head = self.pending[0]
        if head.commands:
            command = head.commands[0]
            if not all(event.signaled for event in command.waits):
                return False
            head.commands.popleft()
            if command.target is not None:
                command.target.contents = command.value
            if command.signal is not None:
                command.signal.signaled = True
            for event in command.events:
                event.users -= 1
            return True
        self.pending.popleft()
        for command_list in head.lists:
            command_list.executions -= 1
        if head.fence is not None:
            head.fence.submitted, head.fence.signaled = False, True
        return True


@dataclass(eq=False)
class Kernel(Thing):
    group_size: tuple[int, int, int] = (1, 1, 1)


def settle(queues: list[Queue]) -> None:
    """Let all queues go on as far as they can."""
    while any(queue.step() for queue in queues):
        pass
