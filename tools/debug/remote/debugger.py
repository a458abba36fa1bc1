"""The debugger of a program in another process, with the interface of `runtime.debugger.Debugger`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from runtime import zet
from runtime.debuggee import ExceptionStatus
from runtime.debugger import DebugError, Stop, StopReason
from runtime.ze.driver import Device
from tools.debug.remote.breakpoints import RemoteBreakpoints
from tools.debug.remote.cards import DebuggedCards
from tools.debug.remote.link import ALL, ProgramLink
from tools.debug.remote.state import RemoteState

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
        breakpoints: All breakpoints, by number.
        state: The stopped kernel, its work-group and the selected thread.
        has_ended: True if the program has ended.
        was_detached: True if the user has detached the debugger.
    """

    def __init__(self, devices: Sequence[Device], process: int) -> None:
        self._cards = DebuggedCards(devices, process)
        self.breakpoints = RemoteBreakpoints(self._cards)
        self.state = RemoteState(self._cards)
        self._plan: _Plan | None = None
        self._is_interrupted = False
        self._seeks = False
        """True after a thread has ended in a step, until another one is stopped."""
        self._waiting: tuple[ProgramLink, zet.zet_debug_event_t] | None = None
        """The load of a module that the program waits to have acknowledged."""
        self._note = ""
        self.has_ended = self.was_detached = False

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
        return None if not self.state.is_stopped and stop.reason is StopReason.INTERRUPT else stop

    def run(self, launch: Callable[[], object]) -> Stop:
        """Raises `DebugError`: the program launches its kernels itself."""
        raise DebugError("the program launches its kernels itself: use continue")

    def resume(self) -> Stop:
        """Continues to the next breakpoint, a fault or the end of the program."""
        return self._go_on(None)

    def step_instruction(self, *, over_calls: bool = False) -> Stop:
        """Executes one instruction of the thread; with `over_calls`, a call includes the whole subroutine."""
        kernel, index, focus = self.state.kernel, self.state.execution.thread.index, self.state.focus
        assert focus is not None
        is_call = kernel.executable.program.instructions[index].spec.flow.calls
        return self._go_on(_Plan(focus, kernel.address_of(index + 1) if over_calls and is_call else None))

    def step_line(self, *, over_calls: bool = False) -> Stop:
        """Continues to code of another source line in the thread; one instruction where no source is known."""
        here = self.state.listing.location(self.state.execution.thread.index)
        start = None if here is None else (here.file, here.line)
        while True:
            stop = self.step_instruction(over_calls=over_calls)
            is_same = stop.source is None or (stop.source.file, stop.source.line) == start
            if stop.reason is not StopReason.STEP or start is None or not is_same:
                return stop

    def finish(self) -> Stop:
        """Continues until the subroutine of the thread returns. Raises `DebugError` if it is in none."""
        kernel, focus = self.state.kernel, self.state.focus
        assert focus is not None
        self.state.look_at(focus)
        calls = self.state.backtrace()[1:]
        if not calls:
            raise DebugError("the thread is in no subroutine: use continue")
        return self._go_on(_Plan(focus, kernel.address_of(calls[0] + 1)))

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

    def _go_on(self, plan: _Plan | None) -> Stop:
        self._follow(plan)
        if plan is not None:
            self.breakpoints.write()
        self._go()
        return self._wait()

    def _follow(self, plan: _Plan | None) -> None:
        self._plan = plan
        self.breakpoints.until = None if plan is None else plan.until

    def _go(self) -> None:
        """Lets the program go on; the thread that has stopped skips the breakpoint at which it is."""
        if self.has_ended:
            raise DebugError("the program has ended")
        self._acknowledge()
        if self.state.focus is None:
            return
        for place in self.state.places.values():
            steps = self._plan is not None and self._plan.until is None and place == self._plan.thread
            if steps or place == self.state.focus:
                self._cards.link.prepare(place, steps=steps)
        self._forget()
        self._cards.link.resume()

    def _forget(self) -> None:
        self.state.forget()
        self.breakpoints.bind(None)

    # Events

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
                self._follow(None)
                self._seeks = self._is_interrupted = False
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
                self.breakpoints.write()
                self._waiting = self._cards.link, event
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
            self._follow(None)
            self._seeks = True
            self._cards.link.interrupt()
        return None

    def _has_stopped(self, thread: zet.ze_device_thread_t) -> Stop | None:
        if thread != ALL:
            self._hold_others()
        places = list(self._cards.link.stopped_threads(None if thread == ALL else thread))
        if not places:
            return None
        self.state.stop_at(places, places[0] if thread == ALL else thread)
        self.breakpoints.bind(self.state.kernel)
        stop = self._stop()
        if stop is None:
            self._go()
        return stop

    def _hold_others(self) -> None:
        """Stops the threads that wait while one has stopped."""
        if self._cards.link.interrupt():
            while True:
                event = self._cards.event_of_current()
                if event is not None and event.info.thread is not None and event.info.thread.thread == ALL:
                    return
                self._take(event)
                if self.has_ended:
                    return

    def _stop(self) -> Stop | None:
        """Returns the stop of the thread that has stopped; None if it should go on."""
        state, plan = self.state, self._plan
        assert state.focus is not None
        kernel, thread = state.kernel, state.thread
        status, index = ExceptionStatus(self._cards.link.control(state.focus)[1]), thread.index
        hit, problem = self.breakpoints.hit(state.scope, index)
        self.breakpoints.write()  # temporary ones are gone
        if status & _FAULTS:
            reason = StopReason.FAULT
        elif hit:
            reason = StopReason.BREAKPOINT
        elif status & ExceptionStatus.EXTERNAL_HALT:
            reason = StopReason.STEP if self._seeks else StopReason.INTERRUPT
        elif plan is not None and plan.thread == state.focus and plan.until in (None, kernel.address_of(index)):
            reason = StopReason.STEP
        else:
            return None
        note = self._note or ("The kernel has failed." if reason is StopReason.FAULT else "")
        offset = kernel.executable.program.offsets[index]
        where = state.execution.group, thread.number, index, offset, kernel.listing.location(index)
        return Stop(reason, *where, hit, problem, note=note)
