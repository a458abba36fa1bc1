"""A launch that a debugger observes: which of its threads are stopped, and why."""

from __future__ import annotations

from collections.abc import Iterator

from runtime.debuggee.card import DebuggedCard
from runtime.debuggee.code import LoadedCode
from runtime.debuggee.places import ALL_THREADS, ThreadPlace, number_at, place_of
from runtime.debuggee.protocol import Notice, NoticeKind
from runtime.debuggee.sets import ExceptionStatus
from runtime.debuggee.threads import Exceptions, Refused, StoppedState
from runtime.simulator import DeviceFault, FaultKind
from runtime.simulator.interpreter import Execution

_UNMAPPED, _FORBIDDEN = 1, 2

_PAGE_FAULTS = {
    FaultKind.OUT_OF_BOUNDS: _UNMAPPED,
    FaultKind.USE_AFTER_FREE: _UNMAPPED,
    FaultKind.READ_ONLY: _FORBIDDEN,
}
"""The faults that are page faults, and their reasons."""

_PAGE_MASK = 0xFFFF_FFFF_FFFF_F000


class DebuggedLaunch:
    """A launch of a kernel of a card.

    One thread of one work-group runs at a time, and others wait at barriers or have not started. A thread that is
    stopped does not go on before the debugger resumes it; as long as it is the one that runs, no other does.
    """

    def __init__(self, card: DebuggedCard, module: LoadedCode, execution: Execution) -> None:
        self.card = card
        self._module = module
        self._execution = execution
        self._executable = execution.executable
        self._base = module.base_of(execution.executable)
        self._target = execution.executable.description.target
        self._stopped: set[int] = set()
        self._stepping: set[int] = set()
        self._exceptions: dict[int, Exceptions] = {}

    # What the interpreter does, on the thread of the launch

    def group_started(self) -> None:
        """Forgets the threads of the group before."""
        with self.card.lock:
            self._stepping.clear()
            self._exceptions.clear()

    def before(self, index: int) -> None:
        """Stops the thread before an instruction, if it has a breakpoint, was stepped here, or is to be interrupted."""
        card = self.card
        if card.debugger is None or not (self._is_breakpoint(index) or self._stepping or card.interrupts):
            return
        number, arrived = self._execution.thread.number, True
        while True:
            with card.lock:
                self.interrupt()
                exceptions = self._exceptions_of(number)
                if number not in self._stopped and card.debugger is not None:
                    is_step = arrived and number in self._stepping and self._module.is_first(self._executable, index)
                    if is_step or (self._is_breakpoint(index) and not exceptions.suppresses):
                        self._stop(number, ExceptionStatus.BREAKPOINT)
                if number not in self._stopped or card.debugger is None:
                    exceptions.suppresses = False
                    return
            arrived = False
            card.wait(lambda: number not in self._stopped)

    def thread_resumed(self) -> None:
        """Holds a thread that was stopped while it waited."""
        number = self._execution.thread.number
        if number in self._stopped:
            self.card.wait(lambda: number not in self._stopped)
            with self.card.lock:
                self._exceptions_of(number).suppresses = False

    def thread_ended(self) -> None:
        """Tells the debugger that a thread that it has stepped is no more."""
        number = self._execution.thread.number
        if number in self._stepping:
            with self.card.lock:
                self._stepping.discard(number)
                self.card.tell(Notice(NoticeKind.THREAD_UNAVAILABLE, self._place(number)))

    def faulted(self, fault: DeviceFault) -> None:
        """Stops the thread that has faulted; when it is resumed, the launch fails."""
        card, number = self.card, self._execution.thread.number
        with card.lock:
            if card.debugger is None:
                return
            reason = _PAGE_FAULTS.get(fault.kind)
            if reason is not None and fault.address is not None:
                page = fault.address, _PAGE_MASK, reason
                card.tell(Notice(NoticeKind.PAGE_FAULT, self._place(number), *page))
                self._stop(number, ExceptionStatus.PAGE_FAULT)
            elif fault.kind is FaultKind.ILLEGAL_INSTRUCTION:
                self._stop(number, ExceptionStatus.ILLEGAL_INSTRUCTION)
            else:
                self._stop(number, ExceptionStatus.SOFTWARE)
        card.wait(lambda: number not in self._stopped)

    # What the debugger asks for, with the lock of the card

    def interrupt(self) -> None:
        """Stops the threads that are to be interrupted; those that have not started or have ended are not there."""
        card = self.card
        for place in card.interrupts:
            if place == ALL_THREADS:
                for number in self._residents():
                    if number not in self._stopped:
                        self._hold(number, ExceptionStatus.EXTERNAL_HALT)
                card.tell(Notice(NoticeKind.THREAD_STOPPED, ALL_THREADS))
                continue
            found = self._number(place)
            if found is None:
                card.tell(Notice(NoticeKind.THREAD_UNAVAILABLE, place))
            elif found not in self._stopped:
                self._stop(found, ExceptionStatus.EXTERNAL_HALT)
        card.interrupts.clear()

    @property
    def is_held(self) -> bool:
        """True while the thread that would run is stopped."""
        return self._execution.thread.number in self._stopped

    @property
    def is_all_stopped(self) -> bool:
        """True while all threads are stopped that run or wait."""
        return all(number in self._stopped for number in self._residents())

    def resume(self, place: ThreadPlace) -> None:
        """Lets a stopped thread go on, or all. Raises `Refused` if it is not stopped."""
        if place == ALL_THREADS:
            if not self._stopped:
                raise Refused("no thread is stopped")
            for number in tuple(self._stopped):
                self._resume(number)
            return
        self._resume(self._stopped_at(place))

    def state(self, place: ThreadPlace) -> StoppedState:
        """Returns the state of a stopped thread. Raises `Refused` if it is not stopped."""
        number = self._stopped_at(place)
        exceptions = self._exceptions_of(number)
        return StoppedState(self._execution, number, self._module.load, self._base, exceptions)

    def is_stopped(self, place: ThreadPlace) -> bool:
        """Returns whether a thread is stopped."""
        return self._number(place) in self._stopped

    def forget(self) -> None:
        """Lets all threads go on, as the debugger has gone."""
        self._stopped.clear()
        self._stepping.clear()
        self._exceptions.clear()

    def _resume(self, number: int) -> None:
        self._stopped.discard(number)
        exceptions = self._exceptions_of(number)
        self._stepping.discard(number)
        if exceptions.suppresses and exceptions.status & ExceptionStatus.BREAKPOINT:
            self._stepping.add(number)
        exceptions.status = 0

    def _stop(self, number: int, why: ExceptionStatus) -> None:
        self._hold(number, why)
        self.card.tell(Notice(NoticeKind.THREAD_STOPPED, self._place(number)))

    def _hold(self, number: int, why: ExceptionStatus) -> None:
        self._stopped.add(number)
        self._stepping.discard(number)
        exceptions = self._exceptions_of(number)
        exceptions.status, exceptions.suppresses = int(why), False

    def _exceptions_of(self, number: int) -> Exceptions:
        return self._exceptions.setdefault(number, Exceptions())

    def _is_breakpoint(self, index: int) -> bool:
        found = self._module.breakpoints.get(self._executable)
        return found is not None and index in found

    def _residents(self) -> Iterator[int]:
        """Yields the threads of the group that run or wait."""
        yield self._execution.thread.number
        yield from tuple(self._execution.waiting)

    def _stopped_at(self, place: ThreadPlace) -> int:
        number = self._number(place)
        if number is None or number not in self._stopped:
            raise Refused(f"thread {'.'.join(map(str, place))} is not stopped")
        return number

    def _number(self, place: ThreadPlace) -> int | None:
        """Returns the number of the thread at a place that runs or waits."""
        number = number_at(self._target, self._group, place)
        return number if number in set(self._residents()) else None

    def _place(self, number: int) -> ThreadPlace:
        return place_of(self._target, self._group, number)

    @property
    def _group(self) -> int:
        """The number of the work-group in the order of groups."""
        execution = self._execution
        columns, rows, _ = (1, 1, 1) if execution.dispatch is None else execution.dispatch.group_count
        x, y, z = execution.group
        return x + columns * (y + rows * z)
