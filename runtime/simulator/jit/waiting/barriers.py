"""Barriers in compiled code: signals and waits on the state that `runtime.simulator.machine.barriers` describes."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from runtime.llvm import IRBlock, IRFunction, Value, constant, integer
from runtime.simulator.jit.state import routines
from runtime.simulator.jit.state.launch_records import Areas, Frame, LaunchRecord, Worker
from runtime.simulator.jit.state.registers import Registers
from runtime.simulator.jit.state.routines import WORKER, load_field
from runtime.simulator.launch.faults import FaultKind
from runtime.simulator.machine.barriers import CONSUMER, NO_TICKET, PRODUCER, Barrier, Problem, group_barrier
from xegpu.isa import Immediate, Instruction
from xegpu.isa.formats import byte_of
from xegpu.targets import Target

_Build = Callable[[IRFunction, Areas, int], None]

PASSED, WAITS = 0, -1
"""Results of `wait` that are no `Problem`."""

_BARRIER_BYTES, _TICKET_BYTES = 20, 4


class BarrierCode:
    """Emits signals and waits in one function of a kernel with `count` barriers. Faults branch to the block `fault`."""

    def __init__(
        self, code: IRFunction, registers: Registers, target: Target, areas: Areas, count: int, fault: IRBlock
    ):
        self._code = code
        self._registers = registers
        self._target = target
        self._areas = areas
        self._count = count
        self._fault = fault

    def meet(self, frame: Value, last: IRBlock) -> None:
        """Emits the arrival at the only barrier of a kernel; the last thread of the group goes to the block `last`.

        The others go on. The two counts of arrivals are equal and adjacent, and take one access.
        """
        code, state = self._code, _BarrierStateRecord(self._code, self._areas, constant("i32", 0), frame)
        threads = load_field(code, load_field(code, WORKER, Worker, "launch"), LaunchRecord, "threads")
        counts = state.field("arrived_producers")
        arrived = code.binary("add", code.load("i64", counts, 4), integer(1 << 32 | 1))
        fired = code.binary("add", state.load("fired"), constant("i32", 1))
        with code.if_(code.compare("icmp eq", code.cast("trunc", arrived, "i32"), threads)):
            code.store(integer(0), counts, 4)
            code.store(fired, state.field("fired"), 4)
            code.jump(last)
        code.store(arrived, counts, 4)
        code.store(fired, state.ticket, 4)

    def have_met(self, frame: Value) -> Value:
        """Returns whether all threads have arrived at the barrier where this one waits."""
        state = _BarrierStateRecord(self._code, self._areas, constant("i32", 0), frame)
        return self._code.compare("icmp uge", state.load("fired"), self._code.load("i32", state.ticket, 4))

    def payload(self, instruction: Instruction) -> Value:
        """Returns the payload of a signal or wait as an i32."""
        code = self._code
        if not instruction.sources:
            launch = load_field(code, WORKER, Worker, "launch")
            return code.binary(
                "mul", load_field(code, launch, LaunchRecord, "threads"), constant("i32", group_barrier(1))
            )
        (source,) = instruction.sources
        if isinstance(source, Immediate):
            return constant("i32", source.bits)
        raw = self._registers.read(byte_of(source.register, self._target), 1, source.type.bits)
        return code.cast("zext", raw, "i32")

    def signal(self, payload: Value, index: int) -> None:
        """Emits a signal; branches to the fault if it breaks a rule."""
        problem = self._call("signal", _signal, payload)
        self._unless_problem(self._code.compare("icmp ne", problem, constant("i32", 0)), problem, payload, index)

    def wait(self, payload: Value, index: int) -> Value:
        """Emits a wait; returns whether the thread may proceed. Branches to the fault if it must not wait."""
        outcome = self._call("wait", _wait, payload)
        wrong = self._code.compare("icmp sgt", outcome, constant("i32", 0))
        self._unless_problem(wrong, outcome, payload, index)
        return self._code.compare("icmp eq", outcome, constant("i32", PASSED))

    def _call(self, name: str, build: _Build, payload: Value) -> Value:
        areas, count = self._areas, self._count

        def body(code: IRFunction) -> None:
            build(code, areas, count)

        symbol = self._code.module.function(f"barrier.{name}", "i32", "ptr %worker, i32 %payload", body, inline=False)
        return self._code.call(symbol, "i32", WORKER, payload)

    def _unless_problem(self, wrong: Value, problem: Value, payload: Value, index: int) -> None:
        code = self._code
        with code.if_(wrong, rare=True):
            high = code.binary("shl", code.cast("zext", problem, "i64"), integer(32))
            both = code.binary("or", high, code.cast("zext", payload, "i64"))
            routines.record_fault(code, FaultKind.BARRIER, constant("i32", index), address=both)
            code.jump(self._fault)


def only_meet(instructions: Iterable[Instruction]) -> bool:
    """Returns whether all barriers are signal and wait of the whole group, which cannot break a rule of barriers."""
    return all(i.spec.signals and i.spec.waits and not i.sources for i in instructions if i.spec.synchronizes)


def begin_group(code: IRFunction, areas: Areas, count: int, *, meet: bool) -> None:
    """Emits the initial state of the `count` barriers of a work-group; if its threads only `meet`, all take part."""
    code.clear(code.offset(WORKER, areas.barriers), _BARRIER_BYTES * count)
    if meet:
        threads = load_field(code, load_field(code, WORKER, Worker, "launch"), LaunchRecord, "threads")
        for field in (Barrier.producers, Barrier.consumers):
            code.store(threads, code.offset(WORKER, areas.barriers + field.offset), 4)


def _refuse_if(code: IRFunction, condition: Value, problem: Problem) -> None:
    """Returns a problem from the function if a condition holds."""
    with code.if_(condition, rare=True):
        code.give(constant("i32", int(problem)))


class _BarrierStateRecord:
    """Accesses to the fields of a barrier, and to the ticket for it of the thread with a frame."""

    def __init__(self, code: IRFunction, areas: Areas, number: Value, frame: Value):
        self._code = code
        wide = code.cast("zext", number, "i64")
        self._start = code.offset(
            code.offset(WORKER, areas.barriers), code.binary("mul", wide, integer(_BARRIER_BYTES))
        )
        self.ticket = code.offset(code.offset(frame, Frame.TICKETS), code.binary("mul", wide, integer(_TICKET_BYTES)))

    def field(self, name: str) -> Value:
        """Returns the address of a field."""
        return self._code.offset(self._start, getattr(Barrier, name).offset)

    def load(self, name: str) -> Value:
        return self._code.load("i32", self.field(name), 4)


def _number(code: IRFunction, payload: Value, count: int) -> Value:
    number = code.binary("and", payload, constant("i32", 0xFF))
    _refuse_if(code, code.compare("icmp uge", number, constant("i32", count)), Problem.UNKNOWN)
    return number


def _signal(code: IRFunction, areas: Areas, count: int) -> None:
    payload = Value("i32", "%payload")

    def bits(first: int, width: int) -> Value:
        shifted = code.binary("lshr", payload, constant("i32", first))
        return code.binary("and", shifted, constant("i32", (1 << width) - 1))

    def is_not(value: Value, number: int) -> Value:
        return code.compare("icmp ne", value, constant("i32", number))

    number = _number(code, payload, count)
    state = _BarrierStateRecord(code, areas, number, load_field(code, WORKER, Worker, "frame"))
    role, producers, consumers = bits(14, 2), bits(16, 8), bits(24, 8)
    _refuse_if(code, code.compare("icmp ugt", role, constant("i32", CONSUMER)), Problem.ROLE)
    none = code.compare("icmp eq", producers, constant("i32", 0))
    none = code.binary("or", none, code.compare("icmp eq", consumers, constant("i32", 0)))
    _refuse_if(code, none, Problem.ROLE)
    arrived = state.load("arrived_producers"), state.load("arrived_consumers")
    in_use = is_not(code.binary("or", *arrived), 0)
    differs = code.binary(
        "or",
        code.compare("icmp ne", state.load("producers"), producers),
        code.compare("icmp ne", state.load("consumers"), consumers),
    )
    _refuse_if(code, code.binary("and", in_use, differs), Problem.COUNTS)
    code.store(producers, state.field("producers"), 4)
    code.store(consumers, state.field("consumers"), 4)
    fired = state.load("fired")
    with code.if_(is_not(role, PRODUCER)):
        held = code.load("i32", state.ticket, 4)
        _refuse_if(code, is_not(held, NO_TICKET), Problem.TWICE)
        code.store(code.binary("add", fired, constant("i32", 1)), state.ticket, 4)
    counts = [
        code.binary("add", before, code.cast("zext", is_not(role, other), "i32"))
        for before, other in zip(arrived, (CONSUMER, PRODUCER), strict=True)
    ]
    crowd = [code.compare("icmp ugt", now, most) for now, most in zip(counts, (producers, consumers), strict=True)]
    full = [code.compare("icmp eq", now, most) for now, most in zip(counts, (producers, consumers), strict=True)]
    fires = code.binary("and", *full)
    left = [code.select(fires, constant("i32", 0), now) for now in counts]
    code.store(left[0], state.field("arrived_producers"), 4)
    code.store(left[1], state.field("arrived_consumers"), 4)
    code.store(code.binary("add", fired, code.cast("zext", fires, "i32")), state.field("fired"), 4)
    _refuse_if(code, code.binary("or", *crowd), Problem.CROWD)
    code.give(constant("i32", 0))


def _wait(code: IRFunction, areas: Areas, count: int) -> None:
    number = _number(code, Value("i32", "%payload"), count)
    state = _BarrierStateRecord(code, areas, number, load_field(code, WORKER, Worker, "frame"))
    ticket = code.load("i32", state.ticket, 4)
    _refuse_if(code, code.compare("icmp eq", ticket, constant("i32", NO_TICKET)), Problem.NO_SIGNAL)
    with code.if_(code.compare("icmp ult", state.load("fired"), ticket)):
        code.give(constant("i32", WAITS))
    code.store(constant("i32", NO_TICKET), state.ticket, 4)
    code.give(constant("i32", PASSED))
