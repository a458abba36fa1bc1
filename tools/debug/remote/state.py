"""The state of a kernel that is stopped in another process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from runtime import zet
from runtime.debuggee import INSTRUCTION_BASE
from runtime.debugger import DebugError, ExpressionScope, KernelListing, StoppedThread, call_stack
from runtime.simulator import Memory
from runtime.simulator.interpreter import Execution, Thread
from tools.debug.remote.cards import DebuggedCards
from tools.debug.remote.code import LoadedKernel
from tools.debug.remote.link import ALL, RemoteMemory


class RemoteState:
    """The stopped kernel and its work-group, of which one thread is selected for inspection.

    Attributes:
        places: The stopped threads of the work-group, by number.
        focus: The thread that has stopped; the others wait for it.
    """

    def __init__(self, cards: DebuggedCards) -> None:
        self.places: dict[int, zet.ze_device_thread_t] = {}
        self.focus: zet.ze_device_thread_t | None = None
        self._cards = cards
        self._kernel: LoadedKernel | None = None
        self._selected: zet.ze_device_thread_t | None = None
        self._scope: ExpressionScope | None = None

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

    def kernel_at(self, address: int) -> LoadedKernel | None:
        """Returns the kernel of the program that has an instruction at an address."""
        return self._cards.kernel_at(address)

    @property
    def memory(self) -> RemoteMemory:
        """The memory of the program, as the selected thread sees it."""
        return RemoteMemory(self._cards.link, self._selected or ALL)

    def threads(self) -> list[StoppedThread]:
        """The states of the threads of the stopped work-group, by number."""
        states = [StoppedThread.ELSEWHERE] * self.execution.threads
        for number, place in self.places.items():
            states[number] = StoppedThread.STOPPED if place == self.focus else StoppedThread.HELD
        return states

    def select(self, number: int) -> None:
        """Selects another thread of the stopped work-group. It must have started."""
        states = self.threads()
        if not 0 <= number < len(states):
            raise DebugError(f"there is no thread {number}, the work-group has {len(states)}")
        if number not in self.places:
            raise DebugError(f"thread {number} {states[number].value}")
        self.look_at(self.places[number])

    def backtrace(self) -> list[int]:
        """Returns the call stack of the selected thread, innermost first, as far as its registers tell it."""
        return call_stack(self.execution.executable, self.thread)

    def barriers(self) -> NoReturn:
        """Raises `DebugError`: registers do not show the state of barriers."""
        raise DebugError("the state of barriers of another process is not known")

    def registers_changed(self) -> None:
        """Makes values written into the registers of the selected thread take effect."""
        assert self._selected is not None
        self._cards.link.put(self._selected, self.thread, self.kernel.executable)

    def stop_at(self, places: Sequence[zet.ze_device_thread_t], focus: zet.ze_device_thread_t) -> None:
        """Takes the stopped threads of a work-group, and selects that one that the others wait for."""
        self.places = {self._cards.link.where(place)[3]: place for place in places}
        self.focus = focus
        self.look_at(focus)

    def look_at(self, place: zet.ze_device_thread_t) -> None:
        """Selects a stopped thread."""
        link = self._cards.link
        _, _, instruction, _ = link.control(place)
        base = link.bases(place)[INSTRUCTION_BASE]
        kernel = self._cards.kernel_at(base + instruction)
        if kernel is None:
            raise DebugError(f"no kernel is known at {base + instruction:#x}")
        index = kernel.executable.program.index_of(base + instruction - kernel.address)
        x, y, z, number, threads = link.where(place)
        thread = link.copy(place, kernel.executable)
        thread.index, thread.number = index or 0, number
        execution = Execution(kernel.executable, None, Memory(), thread, (x, y, z), threads)
        self._kernel, self._selected = kernel, place
        self._scope = ExpressionScope(execution, thread, RemoteMemory(link, place))

    def forget(self) -> None:
        """Forgets the kernel, which goes on or has ended."""
        self._kernel = self.focus = self._selected = self._scope = None
        self.places = {}
