"""The debugged program: its cards, its modules and queues, and the launches that a debugger observes."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable, Mapping

import zebin
from runtime.concurrency import LockRank, ranked_lock
from runtime.debuggee.card import DebuggedCard
from runtime.debuggee.code import LoadedCode
from runtime.debuggee.launch import DebuggedLaunch
from runtime.simulator import DeviceFault, Executable, Memory
from runtime.simulator.interpreter import Execution, Observer


class DebuggedProgram(Observer):
    """Observes all launches of the process, and knows what is loaded on which card.

    Methods may be called from any thread. Those that announce a module wait until an attached debugger has seen it.
    """

    def __init__(self) -> None:
        self._serial = ranked_lock(LockRank.DEBUGGABLE_LAUNCH)
        self._cards: dict[str, DebuggedCard] = {}
        self._homes: weakref.WeakKeyDictionary[Executable, tuple[DebuggedCard, LoadedCode]] = (
            weakref.WeakKeyDictionary()
        )
        self._launches: dict[Execution, DebuggedLaunch] = {}
        self._modules = itertools.count()

    def card(self, name: str) -> DebuggedCard | None:
        """Returns the card of that name, if the program has it."""
        return self._cards.get(name)

    def cards(self) -> list[DebuggedCard]:
        """Returns all cards that the program has."""
        return list(self._cards.values())

    # What the driver announces

    def has_card(self, name: str, memory: Memory) -> None:
        """Notes that the program has a card, with that memory."""
        self._card(name).memories.add(memory)

    def queue_made(self, name: str, queue: object) -> Callable[[], object]:
        """Notes a queue of a card, which counts as long as it exists, or until what this returns is called."""
        card = self._card(name)
        card.queue_made()
        ended = weakref.finalize(queue, card.queue_ended)
        ended.atexit = False
        return ended

    def module_loaded(self, name: str, binary: zebin.Zebin, kernels: Mapping[str, Executable]) -> LoadedCode:
        """Gives the kernels of a module addresses, and announces it to the debugger."""
        card, module = self._card(name), LoadedCode(name, binary, kernels, next(self._modules))
        for executable in module.executables():
            self._homes[executable] = (card, module)
        card.module_loaded(module)
        return module

    def module_unloaded(self, module: LoadedCode) -> None:
        """Announces that a module goes away."""
        self._card(module.card).module_unloaded(module)

    def _card(self, name: str) -> DebuggedCard:
        found = self._cards.get(name)
        return self._cards.setdefault(name, DebuggedCard(name)) if found is None else found

    # What the interpreter does

    def launch_started(self, execution: Execution) -> None:
        self._serial.acquire()  # one launch at a time: the threads of a card have one number each
        home = self._homes.get(execution.executable)
        if home is not None:
            card, module = home
            self._launches[execution] = launch = DebuggedLaunch(card, module, execution)
            card.launch_started(launch)

    def launch_ended(self, execution: Execution) -> None:
        launch = self._launches.pop(execution, None)
        if launch is not None:
            launch.card.launch_ended()
        self._serial.release()

    def group_started(self, execution: Execution) -> None:
        launch = self._launches.get(execution)
        if launch is not None:
            launch.group_started()

    def thread_resumed(self, execution: Execution) -> None:
        launch = self._launches.get(execution)
        if launch is not None:
            launch.thread_resumed()

    def thread_ended(self, execution: Execution) -> None:
        launch = self._launches.get(execution)
        if launch is not None:
            launch.thread_ended()

    def before(self, execution: Execution, index: int) -> None:
        launch = self._launches.get(execution)
        if launch is not None:
            launch.before(index)

    def faulted(self, execution: Execution, fault: DeviceFault) -> None:
        launch = self._launches.get(execution)
        if launch is not None:
            launch.faulted(fault)
