"""The cards of a debugged program, with a session for each: where events come from, and the code of all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from runtime import ZeError, zet
from runtime.ze.driver import Device
from tools.debug.remote.code import LoadedKernel, ProgramCode
from tools.debug.remote.link import ALL, ProgramLink

_Event = zet.zet_debug_event_type_t

_LOOK_MILLISECONDS = 50
"""The longest wait for an event, between which an interrupt is seen."""


_TURN_MILLISECONDS = 4
"""The longest wait for an event of one of several cards."""


@dataclass(frozen=True, eq=False)
class CardSession:
    """The session with a card, and its code."""

    link: ProgramLink
    code: ProgramCode


class DebuggedCards:
    """Sessions with those of some cards that a program uses.

    A program executes one kernel at a time, whichever card it is on.

    Attributes:
        current: The card of the latest event.

    Raises:
        ZeError: The program uses none of them, or cannot be debugged.
    """

    def __init__(self, devices: Sequence[Device], process: int) -> None:
        self._all: list[CardSession] = []
        problem: ZeError | None = None
        for device in devices:
            try:
                link = ProgramLink(device, process)
            except ZeError as error:
                problem = error
            else:
                self._all.append(CardSession(link, ProgramCode(link)))
        if problem is not None and not self._all:
            raise problem
        self.current = self._all[0]
        self._asked: set[CardSession] = set()
        """The cards that have not answered an interrupt."""
        self._is_wanted = False
        """True if the answer of no card to the latest interrupt was that a thread has stopped."""

    @property
    def link(self) -> ProgramLink:
        """The session with the current card, which is that of a stopped kernel."""
        return self.current.link

    def event(self, milliseconds: int | None = None) -> zet.zet_debug_event_t | None:
        """Returns the next event of a card, which becomes the current one; None if there is none in time."""
        patience = _LOOK_MILLISECONDS if milliseconds is None else milliseconds
        turn = patience if len(self._all) == 1 else min(patience, _TURN_MILLISECONDS)
        for _ in range(max(patience // max(turn * len(self._all), 1), 1)):
            for card in (self.current, *(card for card in self._all if card is not self.current)):
                event = card.link.event(turn)
                if event is not None:
                    self.current = card
                    return self._answered(event)
        return None

    def event_of_current(self) -> zet.zet_debug_event_t | None:
        """Returns the next event of the current card, None if there is none in time."""
        event = self.link.event(_LOOK_MILLISECONDS)
        return None if event is None else self._answered(event)

    def _answered(self, event: zet.zet_debug_event_t) -> zet.zet_debug_event_t | None:
        """Returns an event, None for the answer of a card that has no thread to stop if that of another card counts."""
        is_for_all = event.info.thread is not None and event.info.thread.thread == ALL
        was_asked = is_for_all and self.current in self._asked
        if was_asked:
            self._asked.discard(self.current)
        if event.type is _Event.ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED:
            self._is_wanted = False
        elif was_asked and (self._asked or not self._is_wanted):
            return None
        return event

    def interrupt(self) -> None:
        """Asks for all threads of all cards to be stopped."""
        self._asked.update([card for card in self._all if card.link.interrupt()])
        self._is_wanted = True

    def detach(self) -> None:
        """Ends all sessions."""
        for card in self._all:
            card.link.detach()

    def kernels(self) -> list[LoadedKernel]:
        """Returns all kernels."""
        return [kernel for card in self._all for kernel in card.code.kernels()]

    def kernel_at(self, address: int) -> LoadedKernel | None:
        """Returns the kernel that has an instruction at an address: modules of a program share none."""
        return next((found for card in self._all if (found := card.code.kernel_at(address)) is not None), None)

    def __iter__(self) -> Iterator[CardSession]:
        return iter(self._all)
