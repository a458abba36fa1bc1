"""Branches and plain instructions."""

from __future__ import annotations

from collections.abc import Callable

from runtime.simulator.faults import FaultKind
from runtime.simulator.interpreter.fault import Fault
from runtime.simulator.interpreter.step import END, Step
from runtime.simulator.interpreter.thread import Thread
from xegpu.isa import Instruction, Program


def decode_branch(instruction: Instruction, thread: Thread, program: Program, index: int) -> Step:
    """A uniform jump: unconditional, or by the flag bit of channel 0. The execution mask plays no part."""
    target = program.branch_target(index)
    assert target is not None
    return lambda: target if thread.predicate(instruction, 1) else None


def decode_fence() -> Step:
    """Accesses take effect in the order of the program: nothing is left to wait for."""
    return _nothing


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
