"""Random programs written with `if`, loops and `halt`, run in both engines, against each channel on its own."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.unit.runtime.simulator.programs.differential import GRF_COUNT, Case, assert_engines_agree, run_case
from tests.unit.runtime.simulator.programs.divergent import (
    COUNTERS,
    FIRST_REGISTER,
    VARIABLES,
    If,
    Leave,
    Loop,
    Statement,
    Sum,
    run_channel,
    statements,
)
from xegpu.isa import assemble, decode_program
from xegpu.targets import PVC

LANES = 32
SEEDS = 24
LEAVES = {"break": "break", "continue": "cont", "halt": "halt"}


def written(program: list[Statement]) -> list[str]:
    """The program as structured assembly."""
    lines: list[str] = []
    for statement in program:
        match statement:
            case Sum(variable, other, constant):
                target, source = variable_register(variable), variable_register(other)
                lines += [
                    f"mov (32|M0) r50:ud {source}:ud",
                    f"mad (32|M0) {target}:ud {target}:ud r52<0>:ud r50:ud",
                    f"add (32|M0) {target}:ud {target}:ud {constant}:ud",
                ]
            case If(variable, mask, limit, then, otherwise):
                lines += [*compare(variable, mask, "lt", limit), "(f0.0) if (32|M0)", *written(then)]
                lines += ["else (32|M0)", *written(otherwise)] if otherwise else []
                lines.append("endif (32|M0)")
            case Loop():
                lines += written_loop(statement)
            case Leave(how):
                lines.append(f"{LEAVES[how]} (32|M0)")
            case _:
                raise AssertionError(statement)
    return lines


def variable_register(variable: int) -> str:
    return f"r{FIRST_REGISTER + 2 * variable}"


def compare(variable: int, mask: int, condition: str, limit: int) -> list[str]:
    return [
        f"and (32|M0) r50:ud {variable_register(variable)}:ud {mask}:ud",
        f"cmp (32|M0) ({condition})f0.0 null:ud r50:ud {limit}:ud",
    ]


def written_loop(loop: Loop) -> list[str]:
    """Channels that continue wait at `while`, so where there may be some the condition is in front of the body."""
    counter = f"r{COUNTERS + 2 * loop.depth}"
    count = f"add (32|M0) {counter}:ud {counter}:ud 1:ud"
    again = compare(loop.variable, 7, "lt", 6)
    if not continues(loop.body):
        return [
            f"mov (32|M0) {counter}:ud 0:ud",
            "do",
            *written(loop.body),
            count,
            *again,
            f"(f0.0) cmp (32|M0) (lt)f0.0 null:ud {counter}:ud {loop.most}:ud",
            "(f0.0) while (32|M0)",
        ]
    return [
        f"mov (32|M0) {counter}:d -1:d",
        "do",
        count,
        f"cmp (32|M0) (ge)f0.0 null:ud {counter}:ud {loop.most}:ud",
        "(f0.0) break (32|M0)",
        f"cmp (32|M0) (gt)f1.0 null:ud {counter}:ud 0:ud",
        "(f1.0) if (32|M0)",
        *again,
        "(~f0.0) break (32|M0)",
        "endif (32|M0)",
        *written(loop.body),
        "while (32|M0)",
    ]


def continues(body: list[Statement]) -> bool:
    return any(
        (isinstance(s, Leave) and s.how == "continue")
        or (isinstance(s, If) and (continues(s.then) or continues(s.otherwise)))
        for s in body
    )


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize("seed", range(SEEDS))
def test_channels_go_their_own_ways(seed: int) -> None:
    rng = random.Random(5000 + seed)
    program = statements(rng, 10)
    mask = rng.choice([0xFFFFFFFF, 0x0000FFFF, 0x12345678, 1, 0])
    values = np.array([[rng.randrange(1 << 10) for _ in range(LANES)] for _ in range(VARIABLES)], np.uint32)
    registers = np.zeros((GRF_COUNT, 16), np.uint32)
    registers[FIRST_REGISTER : FIRST_REGISTER + 2 * VARIABLES] = values.reshape(2 * VARIABLES, 16)
    registers[52] = 3
    lines = written(program)
    instructions = decode_program(assemble("\n".join([*lines, "eot"]))).instructions
    case = Case(PVC, instructions, registers.tobytes(), (0,) * 4, mask)
    assert_engines_agree(case)
    state = run_case(case, ["interpreter"])["interpreter"].state
    assert state is not None
    assert state.mask == mask
    found = np.frombuffer(state.registers, np.uint32).reshape(GRF_COUNT, 16)
    result = found[FIRST_REGISTER : FIRST_REGISTER + 2 * VARIABLES].reshape(VARIABLES, LANES)
    for lane in range(LANES):
        before = [int(values[variable, lane]) for variable in range(VARIABLES)]
        expected = run_channel(program, before) if mask >> lane & 1 else before
        assert result[:, lane].tolist() == expected, f"lane {lane}"


def test_the_programs_use_every_word() -> None:
    programs = (written(statements(random.Random(5000 + seed), 10)) for seed in range(SEEDS))
    words = {word for program in programs for line in program for word in line.split()}
    assert {"if", "else", "endif", "do", "while", "break", "cont", "halt"} <= words
