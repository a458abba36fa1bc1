"""Breakpoints in the code of another process."""

from __future__ import annotations

from collections.abc import Iterator

from runtime.debugger import Breakpoint, Breakpoints, ExpressionScope, KernelBreakpoints, instructions_at
from tools.debug.remote.cards import DebuggedCards
from tools.debug.remote.code import LoadedKernel


class RemoteBreakpoints(KernelBreakpoints):
    """The breakpoints of a debugger by number, which are written into the code of all kernels that have the location.

    Attributes:
        until: The address at which a step ends that includes a subroutine, if there is one.
    """

    def __init__(self, cards: DebuggedCards) -> None:
        self.until: int | None = None
        self._cards = cards
        self._all = Breakpoints()
        self._kernel: LoadedKernel | None = None

    def __getitem__(self, number: int) -> Breakpoint:
        return self._all[number]

    def __iter__(self) -> Iterator[int]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def add(self, location: str, condition: str = "", *, temporary: bool = False) -> Breakpoint:
        """Adds a breakpoint, for all kernels that have the location.

        Raises `DebugError` if all cards have loaded kernels and none has it.
        """
        kernels = self._cards.kernels()
        is_complete = all(card.code.kernels() for card in self._cards)
        if is_complete and not any(kernel.instructions_at(location) for kernel in kernels):
            instructions_at(location, kernels[0].listing)
        self._all.bind(None)
        added = self._all.add(location, condition, temporary=temporary)
        self.bind(self._kernel)
        self.write()
        return added

    def remove(self, number: int) -> None:
        self._all.remove(number)
        self.write()

    def instructions_of(self, breakpoint: Breakpoint) -> frozenset[int]:
        """Returns the instructions at which a breakpoint stops: of the stopped kernel, else of the first one."""
        kernels = self._cards.kernels() if self._kernel is None else [self._kernel]
        found = (kernel.instructions_at(breakpoint.location) for kernel in kernels)
        return next(filter(None, found), frozenset())

    def bind(self, kernel: LoadedKernel | None) -> None:
        """Binds the locations to the kernel that has stopped."""
        self._kernel = kernel
        self._all.bind(None if kernel is None else kernel.listing)

    def hit(self, scope: ExpressionScope, index: int) -> tuple[tuple[Breakpoint, ...], str]:
        """Returns the breakpoints that stop a thread before an instruction of the stopped kernel.

        The text says why a condition could not be evaluated.
        """
        assert self._kernel is not None
        found: tuple[Breakpoint, ...] = ()
        problem = ""
        for number in self._kernel.together(index):
            hit, why = self._all.hit(scope, number)
            found, problem = (*found, *hit), why or problem
        return found, problem

    def write(self) -> None:
        """Makes the code of all kernels have the breakpoints, and no others."""
        for card in self._cards:
            wanted: dict[int, bytes] = {}
            for kernel in card.code.kernels():
                for breakpoint in self.values():
                    for index in kernel.instructions_at(breakpoint.location):
                        wanted[kernel.address_of(index)] = kernel.stopping(index)
                if self.until is not None and kernel.address <= self.until < kernel.end:
                    target = kernel.executable.program.index_of(self.until - kernel.address)
                    assert target is not None
                    wanted[self.until] = kernel.stopping(target)
            card.code.set_breakpoints(wanted)
