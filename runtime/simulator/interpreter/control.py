"""Branches and plain instructions."""

from __future__ import annotations

from collections.abc import Callable

from runtime.simulator.barriers import Problem, problem_text
from runtime.simulator.faults import FaultKind
from runtime.simulator.interpreter.fault import Fault
from runtime.simulator.interpreter.step import END, WAIT, Step
from runtime.simulator.interpreter.thread import Thread
from xegpu.isa import Immediate, Instruction, Program


def decode_branch(instruction: Instruction, thread: Thread, program: Program, index: int) -> Step:
    """A uniform jump: unconditional, or by the flag bit of channel 0. The execution mask plays no part."""
    target = program.branch_target(index)
    assert target is not None
    return lambda: target if thread.predicate(instruction, 1) else None


def decode_fence() -> Step:
    """Accesses take effect in the order of the program: nothing is left to wait for."""
    return _nothing


def decode_barrier(instruction: Instruction, thread: Thread) -> Step:
    """A signal, a wait, or one after the other; when a thread goes on at its wait, the signal is behind it."""
    spec = instruction.spec
    read = _payload(instruction, thread)

    def step() -> int | None:
        payload = read()
        if spec.signals and not thread.goes_on:
            _check(thread, thread.barriers.signal(thread.number, payload), payload)
        thread.goes_on = False
        if not spec.waits:
            return None
        thread.waits_for = payload & 0xFF
        outcome = thread.barriers.wait(thread.number, thread.waits_for)
        if isinstance(outcome, Problem):
            _check(thread, outcome, payload)
        return None if outcome else WAIT

    return step


def _payload(instruction: Instruction, thread: Thread) -> Callable[[], int]:
    """What a signal or wait is about; that of the group's barrier is not written in the instruction."""
    if not instruction.sources:
        return lambda: thread.barriers.group_payload
    (source,) = instruction.sources
    if isinstance(source, Immediate):
        return lambda: source.bits
    first = thread.byte(source.register)
    place = thread.registers[first : first + source.type.size]
    return lambda: int.from_bytes(place.tobytes(), "little")


def _check(thread: Thread, problem: Problem | None, payload: int) -> None:
    if problem is not None:
        raise Fault(FaultKind.BARRIER, problem_text(problem, payload, len(thread.barriers.states)))


def decode_plain(instruction: Instruction) -> Step:
    """Instructions without operands."""
    return _PLAIN[instruction.mnemonic]


def _end() -> int:
    return END


def _nothing() -> None:
    return None


def _illegal() -> None:
    raise Fault(FaultKind.ILLEGAL_INSTRUCTION)


_PLAIN: dict[str, Callable[[], int | None]] = {"eot": _end, "nop": _nothing, "illegal": _illegal}
