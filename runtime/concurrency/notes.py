"""Notes that finalizers leave.

A finalizer runs wherever an object happens to lose its last reference: in any thread, in the middle of anything. So it
does nothing but leave a note, in C: the callback of a weak reference is `deque.append` itself. The next call of the
runtime works the notes off.
"""

from __future__ import annotations

import _thread
import sys
import weakref
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from runtime.concurrency.steps import step


class FinalizerNote(weakref.ref[object]):
    """A weak reference to an object, with the work that is left when the object is gone."""

    work: Callable[[], bool]
    worker = 0
    """The thread that does the work."""

    # What notes refer to does not count: each note is one of its own.
    __hash__ = object.__hash__
    __eq__ = object.__eq__


class Notes:
    """Notes about objects: those that are alive, and those that are gone and whose work is to be done."""

    def __init__(self) -> None:
        self._written: dict[FinalizerNote, bool] = {}
        self._left: deque[FinalizerNote] = deque()

    def write(self, subject: object, work: Callable[[], bool]) -> FinalizerNote:
        """Notes work for the time after the end of `subject`, to which `work` must not refer.

        It returns whether it is done; else it is called again later. It may be interrupted, and begins anew then.
        """
        note = FinalizerNote(subject, self._left.append)
        note.work = work
        self._written[note] = True
        return note

    def cancel(self, note: FinalizerNote) -> None:
        """Drops a note, whose work the caller has done."""
        self._written.pop(note, None)

    def is_written(self, note: FinalizerNote) -> bool:
        """Returns whether the work of a note is still to be done."""
        return note in self._written

    def work_off(self) -> None:
        """Does the work of the objects that are gone.

        When the interpreter ends, there is none: the process takes everything with it, and finalizers of the
        application may use objects whose notes are left already.
        """
        if not self._left or sys.is_finalizing():
            return
        thread = _thread.get_ident()
        for note in self._left.copy():
            if self._take(note, thread):
                if note not in self._written or note.work():
                    self.cancel(note)
                    with suppress(ValueError):
                        self._left.remove(note)
                note.worker = 0

    @step
    def _take(self, note: FinalizerNote, thread: int) -> bool:
        """Makes a thread the one that works a note off, unless another one does; returns whether it is.

        The thread may have been interrupted at it before.
        """
        worker = note.worker
        if worker != 0 and worker != thread:
            return False
        note.worker = thread
        return True
