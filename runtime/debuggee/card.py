"""A card of the debugged program, and the debugger that is attached to it."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from runtime.concurrency import FOREVER, LockRank, Waiters, ranked_lock
from runtime.debuggee.code import LoadedCode
from runtime.debuggee.places import ALL_THREADS, ThreadPlace
from runtime.debuggee.protocol import Notice, NoticeKind
from runtime.simulator import Memory

if TYPE_CHECKING:
    from runtime.debuggee.launch import DebuggedLaunch


class DebuggerChannel(Protocol):
    """The way to an attached debugger."""

    def send(self, notice: Notice) -> None:
        """Sends a notice. Does nothing if the debugger has gone."""


class DebuggedCard:
    """A card: its modules, its queues, the launch that it executes, and its debugger.

    `lock` guards the state of the card; nobody waits while holding it. Whoever waits for the debugger goes on when it
    has gone.

    Attributes:
        debugger: The attached debugger.
        was_debugged: True if a debugger is attached, or was.
        launch: The launch that is executed.
        interrupts: The threads that the debugger wants to stop.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.lock = ranked_lock(LockRank.DEBUGGEE, reentrant=True)
        self.memories: weakref.WeakSet[Memory] = weakref.WeakSet()
        self.modules: list[LoadedCode] = []
        self.debugger: DebuggerChannel | None = None
        self.was_debugged = False
        self.launch: DebuggedLaunch | None = None
        self.interrupts: list[ThreadPlace] = []
        self._queues = 0
        self._unseen: set[int] = set()
        """The addresses of the images of modules that the debugger has not acknowledged."""
        self._waiters = Waiters()

    def wait(self, ready: Callable[[], bool]) -> None:
        """Waits until `ready()`, or until there is no debugger."""
        self._waiters.wait(lambda: self.debugger is None or ready(), FOREVER)

    def changed(self) -> None:
        """Wakes those that wait."""
        self._waiters.notify()

    def tell(self, notice: Notice) -> None:
        """Sends a notice to the debugger, if there is one."""
        if self.debugger is not None:
            self.debugger.send(notice)

    # The debugger

    def attach(self, debugger: DebuggerChannel) -> bool:
        """Attaches a debugger, unless there is one, and tells it the loaded modules. Returns whether it is attached."""
        with self.lock:
            if self.debugger is not None:
                return False
            self.debugger = debugger
            self.was_debugged = True
            if self._queues:
                self.tell(Notice(NoticeKind.PROCESS_ENTRY))
            for module in self.modules:
                self._announce(module)
        self.changed()
        return True

    def detach(self, debugger: DebuggerChannel) -> None:
        """Detaches a debugger: breakpoints go, and all threads go on."""
        with self.lock:
            if self.debugger is not debugger:
                return
            self.debugger = None
            self.interrupts.clear()
            self._unseen.clear()
            for module in self.modules:
                module.clear()
            if self.launch is not None:
                self.launch.forget()
        self.changed()

    def acknowledge(self, begin: int) -> bool:
        """Notes that the debugger has seen a module; returns whether it was waited for."""
        with self.lock:
            found = begin in self._unseen
            self._unseen.discard(begin)
        self.changed()
        return found

    # The program

    def module_loaded(self, module: LoadedCode) -> None:
        """Announces a module, and waits until the debugger has seen it."""
        with self.lock:
            self.modules.append(module)
            self._announce(module)
        self.wait(lambda: module.begin not in self._unseen)

    def module_unloaded(self, module: LoadedCode) -> None:
        """Announces that a module goes away."""
        with self.lock:
            self.modules.remove(module)
            self._unseen.discard(module.begin)
            self.tell(Notice(NoticeKind.MODULE_UNLOAD, ALL_THREADS, module.begin, module.end, module.load))

    def _announce(self, module: LoadedCode) -> None:
        if self.debugger is not None:
            self._unseen.add(module.begin)
            where = module.begin, module.end, module.load
            self.tell(Notice(NoticeKind.MODULE_LOAD, ALL_THREADS, *where, needs_answer=True))

    def queue_made(self) -> None:
        """Counts a queue; the first one is the entry of the process."""
        with self.lock:
            self._queues += 1
            if self._queues == 1:
                self.tell(Notice(NoticeKind.PROCESS_ENTRY))

    def queue_ended(self) -> None:
        """Counts a queue no more; the last one is the exit of the process."""
        with self.lock:
            self._queues -= 1
            if not self._queues:
                self.tell(Notice(NoticeKind.PROCESS_EXIT))

    def launch_started(self, launch: DebuggedLaunch) -> None:
        """Makes a launch the one that the card executes."""
        with self.lock:
            self.launch = launch

    def launch_ended(self) -> None:
        """Notes that nothing is executed any more; threads that were to be stopped are not there."""
        with self.lock:
            self.launch = None
            self.refuse_interrupts()

    def refuse_interrupts(self) -> None:
        """Tells the debugger that the threads are not there that it wants to stop."""
        for place in self.interrupts:
            self.tell(Notice(NoticeKind.THREAD_UNAVAILABLE, place))
        self.interrupts.clear()
