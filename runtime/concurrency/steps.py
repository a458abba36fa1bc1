"""Steps: functions that take effect as a whole.

CPython switches threads, runs signal handlers and raises `KeyboardInterrupt` at a few instructions only: at the start
of a function, after a call, and at a backward jump. The garbage collector runs there, too, and before CPython 3.12 also
where a container is created. A function without such instructions between its first and its last effect is therefore
executed as a whole: no thread, no signal handler and no finalizer sees a state in between, and no lock has to be held,
released, or kept from deadlocks. The state that threads of the runtime share changes in such steps only.

A step may load and store attributes and items of plain objects (no properties, no keys with an `__eq__` of their own),
calculate, and jump forward. It may end with the call of a function in C, such as `SimpleQueue.put`, after its effects.
What it replaces must be held by the caller, so that nothing is finalized on the way. A step may not begin at all when a
signal arrives: what must happen is a store in a `finally` clause, which is reached without such an instruction.

`tests/unit/runtime/concurrency/test_steps.py` reads the instructions of all steps.
"""

from __future__ import annotations

import dis
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

STEPS: list[Callable[..., object]] = []
"""All steps."""

_YIELDING = (
    "BEFORE_",
    "BUILD_",
    "CALL",
    "DICT_",
    "FOR_ITER",
    "FORMAT_",
    "GET_",
    "IMPORT_",
    "JUMP_BACKWARD",
    "LIST_",
    "LOAD_BUILD",
    "LOAD_CLOSURE",
    "MAKE_",
    "POP_JUMP_BACKWARD",
    "RAISE_",
    "SEND",
    "SET_",
    "UNPACK_",
    "YIELD_",
)
"""The prefixes of instructions at which a thread may lose control, and of those that create containers."""

_CALLS = ("CALL", "CALL_FUNCTION_EX", "CALL_KW")

_AFTER_THE_LAST_CALL = ("POP_TOP", "LOAD_CONST", "LOAD_GLOBAL", "LOAD_FAST", "RETURN_VALUE", "RETURN_CONST", "CACHE")


def step(function: Callable[P, R]) -> Callable[P, R]:
    """Declares that a function takes effect as a whole."""
    STEPS.append(function)
    return function


def yielding_instructions(function: Callable[..., object]) -> list[str]:
    """Returns the instructions that keep a function from being a step, with their lines."""
    instructions = list(dis.get_instructions(function))
    found, line = [], 0
    for index, instruction in enumerate(instructions):
        line = instruction.starts_line or line
        if instruction.opname.startswith(_YIELDING) and not _is_last_call(instructions[index:]):
            found.append(f"line {int(line)}: {instruction.opname}")
    return found


def _is_last_call(rest: list[dis.Instruction]) -> bool:
    """Returns whether the first of some instructions is a call after which the function only returns."""
    names = [instruction.opname for instruction in rest]
    end = next((index for index, name in enumerate(names) if name.startswith("RETURN_")), None)
    return names[0] in _CALLS and end is not None and set(names[1 : end + 1]) <= set(_AFTER_THE_LAST_CALL)
