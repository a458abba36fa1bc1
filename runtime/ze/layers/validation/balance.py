"""Counts of created and destroyed objects, by kind (validation: basic leak checker)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from runtime.concurrency import LockRank, ranked_lock
from runtime.ze.driver.handle import Handle
from runtime.ze.driver.modules.build import ModuleBuildLog
from runtime.ze.layers.validation.call import ApiCall, CallChecker, Moment
from runtime.ze.layers.validation.lifetime import CREATES, DESTROYS, handles_in
from runtime.ze.layers.validation.memory import ALLOCATES, FREES
from runtime.ze.layers.validation.report import report

_MEMORY = "memory"


class BalanceChecker(CallChecker):
    """Counts objects and keeps nothing else: for programs with too many objects to remember."""

    def __init__(self) -> None:
        self._lock = ranked_lock(LockRank.VALIDATION)
        self._created: Counter[str] = Counter()
        self._destroyed: Counter[str] = Counter()

    def moments(self, name: str) -> Collection[Moment]:
        counts = any(names.fullmatch(name) for names in (ALLOCATES, FREES, CREATES, DESTROYS))
        return (Moment.AFTER,) if counts else ()

    def after(self, call: ApiCall, returned: object) -> None:
        if call.site.is_managed:
            return
        with self._lock:
            if ALLOCATES.fullmatch(call.name):
                self._created[_MEMORY] += 1
            elif FREES.fullmatch(call.name):
                self._destroyed[_MEMORY] += 1
            elif CREATES.fullmatch(call.name):
                # A build log comes with each module, wanted or not.
                wanted = (handle for handle in handles_in(returned) if not isinstance(handle, ModuleBuildLog))
                self._created.update(handle.noun for handle in wanted)
            elif DESTROYS.fullmatch(call.name):
                gone = (handle for _, handle in call.handles() if isinstance(handle, Handle))
                self._destroyed.update(handle.noun for handle in gone if not isinstance(handle, ModuleBuildLog))

    def finish(self) -> None:
        """Reports the kinds of objects of which more were created than destroyed."""
        with self._lock:
            left = self._created - self._destroyed
        if left:
            lines = [f"{kind}: {self._created[kind]} created, {self._destroyed[kind]} destroyed" for kind in left]
            report(f"{left.total()} object(s) were not destroyed:", sorted(lines))
