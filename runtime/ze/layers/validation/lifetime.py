"""Handles from creation to destruction (validation: handle lifetime)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from weakref import WeakKeyDictionary

from runtime.concurrency import LockRank, ranked_lock
from runtime.ze.driver.execution.command_list import CommandList
from runtime.ze.driver.handle import Handle
from runtime.ze.driver.modules.build import ModuleBuildLog
from runtime.ze.layers.validation.call import ApiCall, CallChecker, Moment
from runtime.ze.layers.validation.recorded import Recorded, executed_lists
from runtime.ze.layers.validation.report import report
from runtime.ze.layers.validation.site import CallSite
from runtime.ze.spec.results import ze_result_t

CREATES = re.compile(r"ze\w+(Create\w*|OpenIpcHandle)")
DESTROYS = re.compile(r"ze\w+Destroy|zeEventPoolCloseIpcHandle")
_RECORDS = re.compile(r"zeCommandListAppend\w+")
_DROPS = re.compile(r"zeCommandListReset")


class LifetimeChecker(CallChecker):
    """Knows where handles were created and destroyed, and which of them the commands of a list need."""

    def __init__(self) -> None:
        self._lock = ranked_lock(LockRank.VALIDATION)
        self._live: dict[Handle, CallSite] = {}
        self._destroyed: WeakKeyDictionary[Handle, CallSite] = WeakKeyDictionary()
        self._recorded: Recorded[Handle] = Recorded()

    def moments(self, name: str) -> Collection[Moment]:
        changes = any(names.fullmatch(name) for names in (CREATES, DESTROYS, _RECORDS, _DROPS))
        return (Moment.BEFORE, Moment.AFTER) if changes else (Moment.BEFORE,)

    def before(self, call: ApiCall) -> None:
        for parameter, handle in call.handles():
            self._require_live(call, parameter.name, parameter.handle_type or Handle, handle)
        with self._lock:
            if DESTROYS.fullmatch(call.name):
                self._require_unused(call)
            for command_list in executed_lists(call):
                self._require_complete(call, command_list)

    def after(self, call: ApiCall, returned: object) -> None:
        with self._lock:
            if CREATES.fullmatch(call.name) and not call.site.is_managed:
                self._live.update((handle, call.site) for handle in handles_in(returned) if handle not in self._live)
            elif DESTROYS.fullmatch(call.name):
                for _, handle in call.handles():
                    if isinstance(handle, Handle):
                        self._live.pop(handle, None)
                        self._destroyed[handle] = call.site
            elif _RECORDS.fullmatch(call.name):
                handles = (handle for _, handle in call.handles() if isinstance(handle, Handle))
                self._recorded.add(call, (handle for handle in handles if not isinstance(handle, CommandList)))
            elif _DROPS.fullmatch(call.name):
                self._recorded.reset(call)

    def finish(self) -> None:
        """Reports objects that were never destroyed. Build logs do not count, as every module has one."""
        with self._lock:
            left = [item for item in self._live.items() if item[0].alive and not isinstance(item[0], ModuleBuildLog)]
            self._live.clear()
        if left:
            lines = [f"{handle!r}, created at {site}" for handle, site in left]
            report(f"{len(left)} object(s) were never destroyed:", lines)

    def _require_live(self, call: ApiCall, name: str, kind: type[Handle], handle: object) -> None:
        if not isinstance(handle, kind):
            raise call.error(
                ze_result_t.ZE_RESULT_ERROR_INVALID_NULL_HANDLE, name, f"{handle!r} is not a {kind.noun} handle"
            )
        if not handle.alive:
            site = self._destroyed.get(handle)
            where = f", at {site}" if site is not None else ""
            raise call.error(
                ze_result_t.ZE_RESULT_ERROR_INVALID_NULL_HANDLE, name, f"{handle!r} is already destroyed{where}"
            )

    def _require_unused(self, call: ApiCall) -> None:
        """Raises `HANDLE_OBJECT_IN_USE` for a handle that is to be destroyed and that executing commands need."""
        for parameter, handle in call.handles():
            user = self._recorded.user(handle) if isinstance(handle, Handle) else None
            if user is not None:
                raise call.error(
                    ze_result_t.ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE,
                    parameter.name,
                    f"{handle!r} is used by {user[0]!r}, which is executing; appended at {user[1]}",
                )

    def _require_complete(self, call: ApiCall, command_list: CommandList) -> None:
        """Raises `INVALID_ARGUMENT` if a list is executed after a handle that it was recorded with was destroyed."""
        for handle, site in self._recorded.needs(command_list).items():
            if not handle.alive:
                place = self._destroyed.get(handle, "an unknown place")
                raise call.error(
                    ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
                    "phCommandLists",
                    f"{command_list!r} needs {handle!r}, destroyed at {place}, for what was appended at {site}",
                )


def handles_in(returned: object) -> Iterator[Handle]:
    """Yields the handles that a function returned."""
    for value in returned if isinstance(returned, tuple) else (returned,):
        if isinstance(value, Handle):
            yield value
