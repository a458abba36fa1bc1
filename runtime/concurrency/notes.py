"""Notes that finalizers leave.

A finalizer runs wherever an object happens to lose its last reference: in any thread, in the middle of anything. So it
does nothing but leave a note, in C: the callback of a weak reference is `deque.append` itself. The next call of the
runtime works the notes off.
"""

from __future__ import annotations

import sys
import weakref
from collections import deque
from collections.abc import Callable


class FinalizerNote(weakref.ref[object]):
    """A weak reference to an object, with the work that is left when the object is gone."""

    work: Callable[[], None]

    # What notes refer to does not count: each note is one of its own.
    __hash__ = object.__hash__
    __eq__ = object.__eq__


class Notes:
    """Notes about objects: those that are alive, and those that are gone and whose work is to be done."""

    def __init__(self) -> None:
        self._written: dict[FinalizerNote, bool] = {}
        self._left: deque[FinalizerNote | Callable[[], None]] = deque()

    def write(self, subject: object, work: Callable[[], None]) -> FinalizerNote:
        """Notes work for the time after the end of `subject`, to which `work` must not refer."""
        note = FinalizerNote(subject, self._left.append)
        note.work = work
        self._written[note] = True
        return note

    def leave(self, work: Callable[[], None]) -> None:
        """Leaves work for the next call."""
        self._left.append(work)

    def cancel(self, note: FinalizerNote) -> bool:
        """Drops a note, whose work is left to the caller; returns whether it was still to be done."""
        return self._written.pop(note, False)

    def is_written(self, note: FinalizerNote) -> bool:
        """Returns whether the work of a note is still to be done."""
        return note in self._written

    def work_off(self) -> None:
        """Does the work of the objects that are gone.

        When the interpreter ends, there is none: the process takes everything with it, and finalizers of the
        application may use objects whose notes are left already.
        """
        if sys.is_finalizing():
            return
        for _ in range(len(self._left)):
            try:
                left = self._left.popleft()
            except IndexError:
                return  # another thread has it
            if not isinstance(left, FinalizerNote):
                left()
            elif self.cancel(left):
                left.work()
