"""The debugger of a program in another process, with the interface of `runtime.debugger.Debugger`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

from runtime import zet
from runtime.debuggee import INSTRUCTION_BASE, ExceptionStatus
from runtime.debugger import (
    Breakpoint,
    Breakpoints,
    DebugError,
    ExpressionScope,
    KernelListing,
    Stop,
    StoppedThread,
    StopReason,
    call_stack,
    instructions_at,
)
from runtime.simulator import Memory
from runtime.simulator.interpreter import Execution, Thread
from runtime.ze.driver import Device
from tools.debug.cards import DebuggedCards
from tools.debug.code import LoadedKernel
from tools.debug.link import ALL, ProgramLink, RemoteMemory

_Event = zet.zet_debug_event_type_t

_FAULTS = ExceptionStatus.PAGE_FAULT | ExceptionStatus.ILLEGAL_INSTRUCTION | ExceptionStatus.SOFTWARE


@dataclass(frozen=True)
class _Plan:
    """A thread that executes one instruction, or goes on to an address."""

    thread: zet.ze_device_thread_t
    until: int | None = None


class RemoteDebugger:
    """A debugger that is attached to the cards of a process.

    Whenever a thread stops, all others of its work-group that have started stop, too, and all go on together.

    Attributes:
        has_ended: True if the program has ended.
        was_detached: True if the user has detached the debugger.
    """

    def __init__(self, devices: Sequence[Device], process: int) -> None:
        self._cards = DebuggedCards(devices, process)
        self._breakpoints = Breakpoints()
        self._kernel: LoadedKernel | None = None
        self._threads: dict[int, zet.ze_device_thread_t] = {}
        self._focus: zet.ze_device_thread_t | None = None
        self._selected: zet.ze_device_thread_t | None = None
        self._scope: ExpressionScope | None = None
        self._plan: _Plan | None = None
        self._is_interrupted = False
        self._seeks = False
        """True after a thread has ended in a step, until another one is stopped."""
        self._waiting: tuple[ProgramLink, zet.zet_debug_event_t] | None = None
        """The load of a module that the program waits to have acknowledged."""
        self._note = ""
        self.has_ended = self.was_detached = False

    @property
    def _link(self) -> ProgramLink:
        """The session with the card of the latest event, which is that of the stopped kernel."""
        return self._cards.current.link

    # Running

    def wait_for_module(self) -> bool:
        """Waits until the program loads a module, and waits itself then; returns False if it has ended."""
        while self._waiting is None and not self.has_ended:
            self._take(self._cards.event())
        return not self.has_ended

    def catch(self) -> Stop | None:
        """Stops a program that runs; returns None if it executes no kernel. It loads no further module before it is
        resumed.
        """
        while (event := self._cards.event(0)) is not None:  # what it has loaded before
            self._take(event)
        self._cards.interrupt()
        stop = self._wait(acknowledges=False)
        return None if self._kernel is None and stop.reason is StopReason.INTERRUPT else stop

    def run(self, launch: Callable[[], object]) -> Stop:
        """Raises `DebugError`: the program launches its kernels itself."""
        raise DebugError("the program launches its kernels itself: use continue")

    def resume(self) -> Stop:
        """Continues to the next breakpoint, a fault or the end of the program."""
        self._plan = None
        self._go()
        return self._wait()

    def step_instruction(self, *, over_calls: bool = False) -> Stop:
        """Executes one instruction of the thread; with `over_calls`, a call includes the whole subroutine."""
        kernel, index = self.kernel, self.execution.thread.index
        assert self._focus is not None
        is_call = kernel.executable.program.instructions[index].spec.flow.calls
        self._plan = _Plan(self._focus, kernel.address_of(index + 1) if over_calls and is_call else None)
        self._write_breakpoints()
        self._go()
        return self._wait()

    def step_line(self, *, over_calls: bool = False) -> Stop:
        """Continues to code of another source line in the thread; one instruction where no source is known."""
        here = self.listing.location(self.execution.thread.index)
        start = None if here is None else (here.file, here.line)
        while True:
            stop = self.step_instruction(over_calls=over_calls)
            is_same = stop.source is None or (stop.source.file, stop.source.line) == start
            if stop.reason is not StopReason.STEP or start is None or not is_same:
                return stop

    def finish(self) -> Stop:
        """Continues until the subroutine of the thread returns. Raises `DebugError` if it is in none."""
        kernel, focus = self.kernel, self._focus
        assert focus is not None
        self._look_at(focus)
        calls = self.backtrace()[1:]
        if not calls:
            raise DebugError("the thread is in no subroutine: use continue")
        self._plan = _Plan(focus, kernel.address_of(calls[0] + 1))
        self._write_breakpoints()
        self._go()
        return self._wait()

    def interrupt(self) -> None:
        """Stops a program that runs. May be called from any host thread."""
        self._is_interrupted = True

    def detach(self) -> Stop | None:
        """Detaches for good: breakpoints go, and the program goes on by itself."""
        self.was_detached = True
        self.close()
        return None

    def close(self) -> None:
        """Detaches: breakpoints go, and the program goes on."""
        self._cards.detach()
        self._forget()

    # Breakpoints

    def add_breakpoint(self, location: str, condition: str = "", *, temporary: bool = False) -> Breakpoint:
        """Adds a breakpoint, for all kernels that have the location.

        Raises `DebugError` if all cards have loaded kernels and none has it.
        """
        kernels = self._cards.kernels()
        is_complete = all(card.code.kernels() for card in self._cards)
        if is_complete and not any(kernel.instructions_at(location) for kernel in kernels):
            instructions_at(location, kernels[0].listing)
        self._breakpoints.bind(None)
        added = self._breakpoints.add(location, condition, temporary=temporary)
        self._breakpoints.bind(None if self._kernel is None else self._kernel.listing)
        self._write_breakpoints()
        return added

    def delete_breakpoint(self, number: int) -> None:
        """Removes a breakpoint."""
        self._breakpoints.remove(number)
        self._write_breakpoints()

    @property
    def breakpoints(self) -> Mapping[int, Breakpoint]:
        """All breakpoints, by number."""
        return self._breakpoints

    def instructions_of(self, breakpoint: Breakpoint) -> frozenset[int]:
        """Returns the instructions at which a breakpoint stops: of the stopped kernel, else of the first one."""
        kernels = self._cards.kernels() if self._kernel is None else [self._kernel]
        found = (kernel.instructions_at(breakpoint.location) for kernel in kernels)
        return next(filter(None, found), frozenset())

    def instructions_at(self, location: str) -> frozenset[int]:
        """Returns the instructions of the stopped kernel at a location; raises `DebugError` if it lacks it."""
        return instructions_at(location, self.listing)

    def _write_breakpoints(self) -> None:
        for card in self._cards:
            wanted: dict[int, bytes] = {}
            for kernel in card.code.kernels():
                for breakpoint in self._breakpoints.values():
                    for index in kernel.instructions_at(breakpoint.location):
                        wanted[kernel.address_of(index)] = kernel.stopping(index)
                until = None if self._plan is None else self._plan.until
                if until is not None and kernel.address <= until < kernel.end:
                    target = kernel.executable.program.index_of(until - kernel.address)
                    assert target is not None
                    wanted[until] = kernel.stopping(target)
            card.code.set_breakpoints(wanted)

    # State

    @property
    def listing(self) -> KernelListing:
        """The code of the stopped kernel, or of the only one that there is."""
        kernels = self._cards.kernels()
        return kernels[0].listing if self._kernel is None and len(kernels) == 1 else self.kernel.listing

    @property
    def scope(self) -> ExpressionScope:
        """The selected thread, of whose registers this is a copy."""
        if self._scope is None:
            raise DebugError("no kernel is stopped")
        return self._scope

    @property
    def thread(self) -> Thread:
        """The registers of the selected thread."""
        return self.scope.thread

    @property
    def execution(self) -> Execution:
        """The stopped launch, as far as it is known."""
        return self.scope.execution

    def threads(self) -> list[StoppedThread]:
        """The states of the threads of the stopped work-group, by number."""
        states = [StoppedThread.ELSEWHERE] * self.execution.threads
        for number, place in self._threads.items():
            states[number] = StoppedThread.STOPPED if place == self._focus else StoppedThread.HELD
        return states

    def select(self, number: int) -> None:
        """Selects another thread of the stopped work-group. It must have started."""
        states = self.threads()
        if not 0 <= number < len(states):
            raise DebugError(f"there is no thread {number}, the work-group has {len(states)}")
        if number not in self._threads:
            raise DebugError(f"thread {number} {states[number].value}")
        self._look_at(self._threads[number])

    def backtrace(self) -> list[int]:
        """Returns the call stack of the selected thread, innermost first, as far as its registers tell it."""
        return call_stack(self.execution.executable, self.thread)

    def barriers(self) -> NoReturn:
        """Raises `DebugError`: registers do not show the state of barriers."""
        raise DebugError("the state of barriers of another process is not known")

    def registers_changed(self) -> None:
        """Makes values written into the registers of the selected thread take effect."""
        assert self._selected is not None
        self._link.put(self._selected, self.thread, self.kernel.executable)

    @property
    def is_stopped(self) -> bool:
        """True if a kernel is stopped."""
        return self._kernel is not None

    @property
    def kernel(self) -> LoadedKernel:
        """The stopped kernel."""
        if self._kernel is None:
            raise DebugError("no kernel is stopped")
        return self._kernel

    def kernel_at(self, address: int) -> LoadedKernel | None:
        """Returns the kernel that has an instruction at an address."""
        return self._cards.kernel_at(address)

    @property
    def memory(self) -> RemoteMemory:
        """The memory of the program, as the selected thread sees it."""
        return RemoteMemory(self._link, self._selected or ALL)

    def _forget(self) -> None:
        self._kernel = self._focus = self._selected = self._scope = None
        self._threads = {}
        self._breakpoints.bind(None)

    # Events

    def _go(self) -> None:
        """Lets the program go on; the thread that has stopped skips the breakpoint at which it is."""
        if self.has_ended:
            raise DebugError("the program has ended")
        self._acknowledge()
        if self._focus is None:
            return
        for place in self._threads.values():
            steps = self._plan is not None and self._plan.until is None and place == self._plan.thread
            if steps or place == self._focus:
                self._link.prepare(place, steps=steps)
        self._forget()
        self._link.resume()

    def _acknowledge(self) -> None:
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            link, event = waiting
            link.acknowledge(event)

    def _wait(self, *, acknowledges: bool = True) -> Stop:
        """Takes events until something stops; without acknowledging, the program waits when it has loaded a module."""
        self._note = ""
        while True:
            try:
                event = self._cards.event()
                if self._is_interrupted:
                    self._is_interrupted = False
                    self._cards.interrupt()
                stop = self._take(event)
            except KeyboardInterrupt:
                self.interrupt()
                continue
            if acknowledges:
                self._acknowledge()
            if stop is not None:
                self._plan, self._seeks, self._is_interrupted = None, False, False
                return stop

    def _take(self, event: zet.zet_debug_event_t | None) -> Stop | None:
        """Takes an event; returns the stop that it is, if it is one."""
        if event is None:
            return None
        info, thread = event.info, None if event.info.thread is None else event.info.thread.thread
        match event.type:
            case _Event.ZET_DEBUG_EVENT_TYPE_MODULE_LOAD if info.module is not None:
                self._acknowledge()
                self._cards.current.code.load(info.module)
                self._write_breakpoints()
                self._waiting = self._link, event
            case _Event.ZET_DEBUG_EVENT_TYPE_MODULE_UNLOAD if info.module is not None:
                self._cards.current.code.unload(info.module)
            case _Event.ZET_DEBUG_EVENT_TYPE_DETACHED:
                self.has_ended = True
                self._forget()
                return Stop(StopReason.END, note="The program has ended.")
            case _Event.ZET_DEBUG_EVENT_TYPE_PAGE_FAULT if info.page_fault is not None:
                self._note = f"page fault at {info.page_fault.address:#x}"
            case _Event.ZET_DEBUG_EVENT_TYPE_THREAD_UNAVAILABLE if thread is not None:
                return self._is_not_there(thread)
            case _Event.ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED if thread is not None:
                return self._has_stopped(thread)
        return None

    def _is_not_there(self, thread: zet.ze_device_thread_t) -> Stop | None:
        if thread == ALL:
            return None if self._seeks else Stop(StopReason.INTERRUPT, note="No kernel is running.")
        if self._plan is not None and thread == self._plan.thread:  # it has ended in its step
            self._plan, self._seeks = None, True
            self._link.interrupt()
        return None

    def _has_stopped(self, thread: zet.ze_device_thread_t) -> Stop | None:
        if thread != ALL:
            self._hold_others()
        places = list(self._link.stopped_threads(None if thread == ALL else thread))
        if not places:
            return None
        self._threads = {self._link.where(place)[3]: place for place in places}
        self._focus = places[0] if thread == ALL else thread
        self._look_at(self._focus)
        stop = self._stop()
        if stop is None:
            self._go()
        return stop

    def _hold_others(self) -> None:
        """Stops the threads that wait while one has stopped."""
        if self._link.interrupt():
            while True:
                event = self._cards.event_of_current()
                if event is not None and event.info.thread is not None and event.info.thread.thread == ALL:
                    return
                self._take(event)
                if self.has_ended:
                    return

    def _look_at(self, place: zet.ze_device_thread_t) -> None:
        """Selects a stopped thread."""
        _, _, instruction, _ = self._link.control(place)
        base = self._link.bases(place)[INSTRUCTION_BASE]
        kernel = self._cards.kernel_at(base + instruction)
        if kernel is None:
            raise DebugError(f"no kernel is known at {base + instruction:#x}")
        index = kernel.executable.program.index_of(base + instruction - kernel.address)
        x, y, z, number, threads = self._link.where(place)
        thread = self._link.copy(place, kernel.executable)
        thread.index, thread.number = index or 0, number
        execution = Execution(kernel.executable, None, Memory(), thread, (x, y, z), threads)
        self._kernel, self._selected = kernel, place
        self._scope = ExpressionScope(execution, thread, RemoteMemory(self._link, place))
        self._breakpoints.bind(kernel.listing)

    def _hit(self, index: int) -> tuple[tuple[Breakpoint, ...], str]:
        """Returns the breakpoints that stop the thread, and why a condition could not be evaluated."""
        found: tuple[Breakpoint, ...] = ()
        problem = ""
        for number in self.kernel.together(index):
            hit, why = self._breakpoints.hit(self.scope, number)
            found, problem = (*found, *hit), why or problem
        return found, problem

    def _stop(self) -> Stop | None:
        """Returns the stop of the thread that has stopped; None if it should go on."""
        assert self._focus is not None
        status, index = ExceptionStatus(self._link.control(self._focus)[1]), self.thread.index
        hit, problem = self._hit(index)
        self._write_breakpoints()  # temporary ones are gone
        kernel, plan = self.kernel, self._plan
        if status & _FAULTS:
            reason = StopReason.FAULT
        elif hit:
            reason = StopReason.BREAKPOINT
        elif status & ExceptionStatus.EXTERNAL_HALT:
            reason = StopReason.STEP if self._seeks else StopReason.INTERRUPT
        elif plan is not None and plan.thread == self._focus and plan.until in (None, kernel.address_of(index)):
            reason = StopReason.STEP
        else:
            return None
        note = self._note or ("The kernel has failed." if reason is StopReason.FAULT else "")
        offset = kernel.executable.program.offsets[index]
        where = self.execution.group, self.thread.number, index, offset, kernel.listing.location(index)
        return Stop(reason, *where, hit, problem, note=note)
