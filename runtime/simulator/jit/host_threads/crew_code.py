"""Machine code that hands a launch to helpers and waits for them, without the interpreter.

Threads that take tasks from Python need the GIL to begin and to end. A task wakes them while another thread holds it,
and the scheduler of the host, which sees them wait for that thread, may leave them all on its core. Helpers wait,
begin and end in this code.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache

from runtime.disk_cache import default_cache
from runtime.llvm import IRFunction, IRModule, Value, constant, integer, machine_code, this_cpu
from runtime.simulator.jit.state.launch_records import Worker
from runtime.simulator.jit.state.routines import load_field, store_field


class CrewRecord(ctypes.Structure):
    """The record that the members of a crew share.

    Attributes:
        run_groups: The code of the kernel, `i32 run_groups(worker)`.
        first: The `HelperRecord` of the first helper.
        done: The lock that the helper which ends last releases.
        pending: The number of helpers that have not ended.
    """

    _fields_ = [
        ("run_groups", ctypes.c_void_p),
        ("first", ctypes.c_void_p),
        ("done", ctypes.c_void_p),
        ("pending", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32),
    ]


class HelperRecord(ctypes.Structure):
    """The record of a helper: the next helper, the worker that it runs, and the lock that it waits for."""

    _fields_ = [("next", ctypes.c_void_p), ("worker", ctypes.c_void_p), ("wake", ctypes.c_void_p)]


_ACQUIRE, _RELEASE = "PyThread_acquire_lock_timed", "PyThread_release_lock"
"""Functions of CPython's locks of the host: any thread may release one, and neither function needs the GIL."""

_LOOKS = 256
"""How often a thread that has worked itself looks whether the others have ended before it sleeps: for about ten
microseconds, less than it takes to wake a thread.
"""

_CREW, _HELPER, _COUNT = Value("ptr", "%crew"), Value("ptr", "%helper"), Value("i32", "%count")
_OWN, _MICROSECONDS = Value("ptr", "%own"), Value("i64", "%microseconds")

_ONE = constant("i32", 1)


def _help(code: IRFunction) -> None:
    """Emits `void help(crew, helper)`: waits for work, does it, and waits again, for ever."""
    with code.loop():
        _acquire(code, load_field(code, _HELPER, HelperRecord, "wake"), integer(-1), is_interruptible=False)
        _work(code, load_field(code, _HELPER, HelperRecord, "worker"))
        before = code.value("i32", f"atomicrmw sub {_pending_field(code)}, {_ONE} acq_rel, align 4")
        with code.if_(code.compare("icmp eq", before, _ONE)):
            code.run(_RELEASE, load_field(code, _CREW, CrewRecord, "done"))
    code.line("unreachable")


def _hand_out(code: IRFunction) -> None:
    """Emits `i32 hand_out(crew, count, own, microseconds)`: wakes `count` helpers, runs the worker `own` unless it is
    null, and returns as `wait` does.
    """
    helper, left = code.variable("ptr", "next_helper", 8), code.variable("i32", "left", 4)
    with code.loop() as draining:  # who had waited for the last launch may have left before its end was told
        done = load_field(code, _CREW, CrewRecord, "done")
        draining.repeat_if(_is_true(code, _acquire(code, done, integer(0), is_interruptible=False)))
    code.line(f"store atomic {_COUNT}, {_pending_field(code)} release, align 4")
    code.store(load_field(code, _CREW, CrewRecord, "first"), helper, 8)
    code.store(_COUNT, left, 4)
    with code.loop() as waking:
        remaining = code.load("i32", left, 4)
        code.jump_unless(_is_true(code, remaining), waking.after)
        current = code.load("ptr", helper, 8)
        code.store(load_field(code, current, HelperRecord, "next"), helper, 8)
        code.store(code.binary("sub", remaining, _ONE), left, 4)
        code.run(_RELEASE, load_field(code, current, HelperRecord, "wake"))
    with code.if_(code.compare("icmp ne", _OWN, constant("ptr", "null"))):
        _work(code, _OWN)
        code.store(constant("i32", _LOOKS), left, 4)
        with code.loop() as looking:
            code.jump_unless(_is_true(code, _pending(code)), looking.after)
            if code.module.cpu.is_x86:
                code.run("llvm.x86.sse2.pause")
            looks = code.binary("sub", code.load("i32", left, 4), _ONE)
            code.store(looks, left, 4)
            looking.repeat_if(_is_true(code, looks))
    _give_end(code)


def _give_end(code: IRFunction) -> None:
    """Emits the body of `i32 wait(crew, microseconds)`: 1 if all helpers have ended, 0 if the time is up or a signal
    came. It may return 0 too early.
    """
    with code.if_(_is_true(code, _pending(code))):
        _acquire(code, load_field(code, _CREW, CrewRecord, "done"), _MICROSECONDS, is_interruptible=True)
        with code.if_(_is_true(code, _pending(code))):
            code.give(constant("i32", 0))
    code.give(_ONE)


def _acquire(code: IRFunction, lock: Value, microseconds: Value, *, is_interruptible: bool) -> Value:
    """Emits the acquisition of a lock; returns 0 if the time was up, 2 if a signal came."""
    return code.call(_ACQUIRE, "i32", lock, microseconds, constant("i32", int(is_interruptible)))


def _work(code: IRFunction, worker: Value) -> None:
    """Runs work-groups until none is left, and records how that ended."""
    run_groups = load_field(code, _CREW, CrewRecord, "run_groups")
    status = code.value("i32", f"call i32 {run_groups.name}({worker})")
    store_field(code, worker, Worker, "status", status)


def _pending_field(code: IRFunction) -> Value:
    return code.offset(_CREW, CrewRecord.pending.offset)


def _pending(code: IRFunction) -> Value:
    """Returns the number of helpers that have not ended. Everything that the others have written is seen then."""
    return code.value("i32", f"load atomic i32, {_pending_field(code)} acquire, align 4")


def _is_true(code: IRFunction, number: Value) -> Value:
    return code.compare("icmp ne", number, constant("i32", 0))


class CrewCode:
    """The functions of crews. Calls release the GIL."""

    def __init__(self) -> None:
        cpu = this_cpu()
        module = IRModule(cpu)
        module.export("help", "void", "ptr %crew, ptr %helper", _help)
        module.export("hand_out", "i32", "ptr %crew, i32 %count, ptr %own, i64 %microseconds", _hand_out)
        module.export("wait", "i32", "ptr %crew, i64 %microseconds", _give_end)
        imports = {name: _address(name) for name in (_ACQUIRE, _RELEASE)}
        names = ("help", "hand_out", "wait")
        self._code = machine_code(module.text(), names, cpu, default_cache(), imports=imports)
        help, hand_out, wait = (self._code.addresses[name] for name in names)
        self.help: Callable[[int, int], None] = _HELP(help)
        self.hand_out: Callable[[int, int, int | None, int], int] = _HAND_OUT(hand_out)
        self.wait: Callable[[int, int], int] = _WAIT(wait)
        self.new_lock: Callable[[], int | None] = _NEW_LOCK(_address("PyThread_allocate_lock"))
        self.acquire: Callable[[int, int], int] = _TAKE(_address("PyThread_acquire_lock"))


def _address(function: str) -> int:
    return ctypes.cast(getattr(ctypes.pythonapi, function), ctypes.c_void_p).value or 0


_HELP = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
_HAND_OUT = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_int64)
_WAIT = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_int64)
_NEW_LOCK = ctypes.CFUNCTYPE(ctypes.c_void_p)
_TAKE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int)


@cache
def crew_code() -> CrewCode:
    """Returns the functions of crews, which are compiled once."""
    return CrewCode()
