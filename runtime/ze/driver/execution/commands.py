"""Commands, and the submissions in which queues receive them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextvars import ContextVar
from enum import Enum, auto
from typing import Protocol

from runtime.concurrency import step
from runtime.ze.driver.system.processor import Epoch
from xegpu.on_demand import dataclass

Work = Callable[[], int | None]
"""The work of a command."""

keeping: ContextVar[object] = ContextVar("keeping", default=None)
"""An owner of resources of the commands that this thread appends: they keep it alive until they are done."""


class Signal(Protocol):
    """An event, or one signal of a counter-based event, that a command waits for or signals."""

    @property
    def timed(self) -> bool:
        """True if the times of the command are asked for."""

    @property
    def signaled(self) -> bool:
        """True if those that wait for it may go on."""

    @property
    def event(self) -> object:
        """The handle that the application has."""

    def complete(self, start: int, end: int) -> None:
        """Becomes signaled by a command that ran from device time `start` to `end`."""

    def issued(self) -> Signal:
        """Returns the synchronization object that one execution of a command signals."""

    def awaited(self) -> Signal:
        """Returns the synchronization object that one execution of a command waits for."""

    def publish(self, submission: Submission) -> None:
        """Becomes the latest signal of its event: the execution that it was issued for is submitted."""


Uses = Callable[[range], bool]
"""Returns whether a command may use the memory at some addresses."""


def uses_nothing(_: range) -> bool:
    """Returns False: the command uses no memory."""
    return False


def uses_operands(*operands: object) -> Uses:
    """Returns the use of memory by a command that accesses it through `operands` only: addresses, or host buffers."""
    addresses = [operand for operand in operands if isinstance(operand, int)]
    if len(addresses) < len(operands):
        return may_use_all  # the buffer may be a view of any memory
    return lambda used: any(address in used for address in addresses)


def may_use_all(_: range) -> bool:
    """Returns True: nothing is known about the memory of the command."""
    return True


@dataclass(frozen=True, slots=True)
class Command:
    """One recorded command: it waits for all of `waits`, does the `work`, then signals `signal`.

    `work` returns the nanoseconds that it takes on the device; None if that is the time that it took on the host.
    """

    work: Work
    signal: Signal | None = None
    waits: tuple[Signal, ...] = ()
    uses: Uses = may_use_all

    def mentions(self, event: object) -> bool:
        """Returns whether the command waits for an event or will signal it."""
        return any(signal.event is event for signal in self.waits) or (
            self.signal is not None and self.signal.event is event
        )

    def may_use(self, addresses: range) -> bool:
        """Returns whether the command may use the memory at some addresses."""
        return self.work is not do_nothing and self.uses(addresses)

    @property
    def is_ready(self) -> bool:
        """True if all events that the command waits for are signaled."""
        return all(event.signaled for event in self.waits)

    def execution(self, issued: dict[Signal, Signal]) -> Command:
        """Returns the command for one execution, and notes the signal that it is issued."""
        waits = tuple(issued.get(event) or event.awaited() for event in self.waits)
        if self.signal is None:
            return Command(self.work, None, waits, self.uses)
        signal = issued[self.signal] = self.signal.issued()
        return Command(self.work, signal, waits, self.uses)


def do_nothing() -> None:
    """Does nothing: the work of a command that only waits or signals."""


_NOTHING = (Command(do_nothing),)


class State(Enum):
    """The states of a submission."""

    PREPARED = auto()
    PENDING = auto()
    DONE = auto()
    ABANDONED = auto()


# Attributes of an enumeration are looked up by a function; steps need plain names.
PREPARED, PENDING, DONE, ABANDONED = State

_NO_EPOCH = Epoch()


class Closable(Protocol):
    """A queue that can be closed."""

    closed: bool


class Submission:
    """Commands handed to a queue together.

    Its state is the only truth about it: lists that execute, fences, and waiting threads look at it. Pending work is
    dropped by the end of its epoch or of its queue, without another change.

    Attributes:
        commands: The commands of this execution.
        uses: Objects that are kept until it has ended.
        state: What the queue and the executing thread have made of it.
        position: The command that is next.
        number: Its number in the queue, from 1 up.
        epoch: The epoch in which it was submitted.
        next: The submission behind it in the queue.
    """

    __slots__ = ("commands", "count", "epoch", "next", "number", "position", "queue", "signals", "state", "uses")

    def __init__(self, commands: Iterable[Command]) -> None:
        signals: dict[Signal, Signal] = {}
        self.commands = (
            tuple(
                command.execution(signals) if command.waits or command.signal is not None else command
                for command in commands
            )
            or _NOTHING
        )
        self.count = len(self.commands)
        self.signals: Sequence[Signal] = tuple(signals.values())
        self.uses: object = keeping.get()
        self.state = PREPARED
        self.position = 0
        self.number = 0
        self.epoch = _NO_EPOCH
        self.queue: Closable | None = None
        self.next: Submission | None = None

    @property
    def head(self) -> Command:
        """The command that is next."""
        return self.commands[self.position]

    @property
    def is_pending(self) -> bool:
        """True if a command is still to be executed, or executes."""
        if self.state is not PENDING or self.epoch.fault is not None:
            return False
        return self.queue is not None and not self.queue.closed

    @property
    def is_done(self) -> bool:
        """True if all commands were executed."""
        return self.state is DONE

    @property
    def is_ending(self) -> bool:
        """True if the last command has signaled its event, and nothing is left but to note that all are executed."""
        commands = self.commands
        signal = commands[-1].signal if commands and self.position == len(commands) - 1 else None
        return signal is not None and signal.signaled

    def mentions(self, event: object) -> bool:
        """Returns whether a command that is left waits for an event or will signal it."""
        return any(command.mentions(event) for command in self.commands[self.position :])

    def may_use(self, addresses: range) -> bool:
        """Returns whether a command that is left may use the memory at some addresses."""
        return any(command.may_use(addresses) for command in self.commands[self.position :])

    @step
    def advance(self) -> bool:
        """Goes on to the next command; returns whether there is one."""
        position = self.position + 1
        if position < self.count:
            self.position = position
            return True
        self.state = DONE
        return False

    def let_go(self) -> None:
        """Keeps nothing alive any more: it has ended."""
        self.commands = ()
        self.signals = ()
        self.uses = None
