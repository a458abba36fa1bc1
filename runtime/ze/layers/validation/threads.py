"""Calls that the specification forbids at the same time on the same object (validation: threading)."""

from __future__ import annotations

import re
import threading
from collections.abc import Collection, Hashable

from runtime.concurrency import LockRank, ranked_lock
from runtime.ze.driver.handle import Handle
from runtime.ze.layers.validation.call import ApiCall, CallChecker, Moment
from runtime.ze.spec.results import ze_result_t

EXCLUSIVE = re.compile(
    r"zeCommandList(Append|Immediate)\w+|zeCommandList(Close|Reset)|ze\w+Destroy|zeKernelSet\w+"
    r"|zeEventCreate|zeEventPoolCloseIpcHandle|zeKernelSchedulingHintExp|zeDeviceSetLastLevelCacheConfig"
    r"|ze(Driver)?(Mem)?Free(Mem|Ext)?|ze(Driver)?(Mem)?Close(Mem)?IpcHandle"
)
"""The functions that two threads must not call at the same time with the same object. The names of the specification
tell them. The object is the memory that a function frees, the one that it destroys, which is the last handle
(`zePhysicalMemDestroy`), or the first handle.
"""


class ThreadChecker(CallChecker):
    """Marks objects as busy while a thread is in a call that needs them for itself."""

    def __init__(self) -> None:
        self._lock = ranked_lock(LockRank.VALIDATION)
        self._busy: dict[Hashable, dict[ApiCall, threading.Thread]] = {}
        """The calls that need an object for themselves: several if a thread makes them within each other."""

    def moments(self, name: str) -> Collection[Moment]:
        return (Moment.BEFORE, Moment.LEFT) if EXCLUSIVE.fullmatch(name) else ()

    def before(self, call: ApiCall) -> None:
        key, argument = _object_of(call)
        if key is None:
            return
        thread = threading.current_thread()
        with self._lock:
            calls = self._busy.setdefault(key, {})
            for other in [other for other in calls if other.has_left]:
                del calls[other]
            others = [(other, user) for other, user in calls.items() if user is not thread]
            if not others:
                calls[call] = thread
                return
        other, user = others[0]
        raise call.error(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
            argument,
            f"thread '{thread.name}' uses {_text(key)} while thread '{user.name}' is in {other.name}, "
            f"called at {other.site}; the application must keep them apart",
        )

    def left(self, call: ApiCall) -> None:
        key, _ = _object_of(call)
        if key is None:
            return
        with self._lock:
            calls = self._busy.get(key, {})
            calls.pop(call, None)
            if not calls:
                self._busy.pop(key, None)


def _text(key: Hashable) -> str:
    return f"memory at {key:#x}" if isinstance(key, int) else repr(key)


def _object_of(call: ApiCall) -> tuple[Hashable, str]:
    """Returns the object that a call needs for itself, None if there is none, and the argument that it is."""
    if "ptr" in call.arguments and "hCommandList" not in call.arguments:
        address = call.arguments["ptr"]
        return (address if isinstance(address, int) else None), "ptr"
    handles = list(call.handles())
    if not handles:
        return None, ""
    parameter, handle = handles[-1 if call.name.endswith("Destroy") else 0]
    return (handle if isinstance(handle, Handle) else None), parameter.name
