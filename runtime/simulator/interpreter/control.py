"""Control flow in the interpreter: branches, joins, calls, barriers and fences."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from runtime.simulator.interpreter.threads.step import END, WAIT, Step
from runtime.simulator.interpreter.threads.thread import Thread
from runtime.simulator.launch.faults import FaultKind
from runtime.simulator.machine.barriers import Problem, problem_text
from runtime.simulator.machine.divergence import TEXTS, Divergence, joins_between, nowhere_text
from runtime.simulator.machine.fault import Fault
from xegpu.isa import Immediate, Instruction, Program, Register
from xegpu.isa.code import return_sites, subroutines


def decode_branch(instruction: Instruction, thread: Thread, program: Program, index: int) -> Step:
    """Returns the step of a uniform jump: unconditional, or by the flag bit of channel 0, whatever the execution
    mask.
    """
    target = program.branch_target(index)
    assert target is not None
    passed = joins_between(program, index, target)

    def step() -> int | None:
        if not thread.predicate(instruction, 1):
            return None
        _refuse(any(thread.parked.get(join) for join in passed), Divergence.JUMP)
        return target

    return step


def decode_goto(instruction: Instruction, thread: Thread, program: Program, index: int) -> Step:
    """Returns the step that parks channels at a join: those that leave, or (`goto.b`) that do not repeat the loop."""
    join, target = program.join_target(index), program.branch_target(index)
    assert join is not None
    assert target is not None
    channels = instruction.exec_size

    def leave() -> int | None:
        leaving = thread.mask & thread.predicate(instruction, channels)
        thread.parked[target] = thread.parked.get(target, 0) | leaving
        thread.mask &= ~leaving
        return None if thread.mask else join

    def repeat() -> int | None:
        repeating = thread.mask & thread.predicate(instruction, channels)
        if not repeating:
            return join
        thread.parked[join] = thread.parked.get(join, 0) | thread.mask & ~repeating
        thread.mask = repeating
        return target

    return repeat if instruction.spec.flow.repeats else leave


def decode_join(instruction: Instruction, thread: Thread, program: Program, index: int) -> Step:
    """Returns the step that enables the channels that are parked at a join."""
    join = program.join_target(index)
    assert join is not None

    def step() -> int | None:
        thread.mask |= thread.parked.pop(index, 0)
        return None if thread.mask else join

    return step


def decode_call(instruction: Instruction, thread: Thread, program: Program, index: int) -> Step:
    """Returns the step of a call, which saves the offset of the next instruction, and the mask."""
    assert instruction.returned is not None
    way_back = _dwords(instruction.returned, thread, 2)
    behind = program.offsets[index + 1]
    find = _callee(instruction, thread, program, index)

    def step() -> int | None:
        if not thread.predicate(instruction, 1):
            return None
        target = find()
        way_back[:] = behind, thread.mask
        return target

    return step


def _callee(instruction: Instruction, thread: Thread, program: Program, index: int) -> Callable[[], int]:
    """Returns the target of a call."""
    if instruction.address is None:
        target = program.branch_target(index)
        assert target is not None
        return lambda: target
    register, found = _dwords(instruction.address, thread, 1), subroutines(program)
    return lambda: _known(int(register[0]), found, instruction)


def _known(offset: int, known: dict[int, int], instruction: Instruction) -> int:
    """Returns the instruction at a byte offset; raises `Fault` if none starts there."""
    if offset not in known:
        raise Fault(FaultKind.BAD_TARGET, nowhere_text(instruction, offset))
    return known[offset]


def decode_return(instruction: Instruction, thread: Thread, program: Program, index: int) -> Step:
    """Returns the step that continues after a call, with the mask of the caller."""
    assert instruction.address is not None
    way_back, sites = _dwords(instruction.address, thread, 2), return_sites(program)

    def step() -> int | None:
        if not thread.predicate(instruction, 1):
            return None
        offset, mask = way_back.tolist()
        target = _known(offset, sites, instruction)
        thread.mask = mask & thread.dispatch_mask
        return target

    return step


def _dwords(register: Register, thread: Thread, count: int) -> NDArray[np.uint32]:
    first = thread.byte(register)
    return thread.registers[first : first + 4 * count].view(np.uint32)


def _refuse(wrong: bool, divergence: Divergence) -> None:
    if wrong:
        raise Fault(FaultKind.DIVERGENCE, TEXTS[divergence])


def decode_fence(instruction: Instruction, thread: Thread) -> Step:
    """Returns the step of a fence, which does nothing: accesses take effect in program order."""
    return _nothing


def decode_barrier(instruction: Instruction, thread: Thread) -> Step:
    """Returns the step of a signal, a wait, or both. A thread that resumes at its wait has signalled already."""
    spec = instruction.spec
    read = signal_payload(instruction, thread)

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


def signal_payload(instruction: Instruction, thread: Thread) -> Callable[[], int]:
    """Returns the payload of a signal or wait; that of the group's barrier is implicit."""
    if not instruction.sources:
        return lambda: thread.barriers.group_payload
    (source,) = instruction.sources
    if isinstance(source, Immediate):
        return lambda: source.bits
    first = thread.byte(source.register)
    held = thread.registers[first : first + source.type.size]
    return lambda: int.from_bytes(held.tobytes(), "little")


def _check(thread: Thread, problem: Problem | None, payload: int) -> None:
    if problem is not None:
        raise Fault(FaultKind.BARRIER, problem_text(problem, payload, len(thread.barriers.states)))


def decode_plain(instruction: Instruction, thread: Thread) -> Step:
    """Returns the step of an instruction without operands."""

    def end() -> int:
        _refuse(any(thread.parked.values()), Divergence.END)
        return END

    return end if instruction.ends_thread else _PLAIN[instruction.mnemonic]


def _nothing() -> None:
    return None


def _illegal() -> None:
    raise Fault(FaultKind.ILLEGAL_INSTRUCTION)


_PLAIN: dict[str, Callable[[], int | None]] = {"nop": _nothing, "illegal": _illegal}
