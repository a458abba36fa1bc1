"""Why threads wait, instruction by instruction."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from tests.amounts import examples
from tests.unit.xegpu.isa.programs import programs
from xegpu.isa import Instruction, assemble, decode_program
from xegpu.isa.code.program import encode_program
from xegpu.isa.cost import StallReason, instruction_cycles, instruction_stalls
from xegpu.targets import PVC

MESSAGE, DEPENDENCY, PIPE, SYNC, CONTROL = StallReason
LOAD = "load.ugm.d32x16t.a64.ca.ca (1|M0) r10:1 flat[r1]:1"
ADD = "add (16|M0) r20:f r20:f r20:f"


def stalls(*lines: str) -> list[dict[StallReason, int]]:
    found = decode_program(assemble("\n".join(lines), grf_bytes=PVC.platform.grf_bytes))
    return [dict(each) for each in instruction_stalls(found, PVC, 128)]


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ((LOAD, "add (16|M0) r20:f r10:f r21:f"), MESSAGE),
        ((LOAD, "mov (16|M0) r10:f r21:f"), MESSAGE),
        (("store.ugm.d32x16t.a64 (1|M0) flat[r1]:1 r10:1", "mov (16|M0) r10:f r21:f"), MESSAGE),
        ((ADD, ADD), DEPENDENCY),
        (("cmp (16|M0) (gt)f0.0 null:f r20:f r21:f", "(f0.0) mov (16|M0) r22:f r23:f"), DEPENDENCY),
        (("add (32|M0) r20:f r30:f r32:f", "add (32|M0) r22:f r30:f r32:f"), PIPE),
    ],
)
def test_waits_before_an_instruction(lines: tuple[str, str], reason: StallReason) -> None:
    first, second, _ = stalls(*lines, "eot")
    assert first == {} and list(second) == [reason]


def test_what_an_instruction_makes_others_wait() -> None:
    timing = PVC.timing
    found = stalls("barrier", "(W) fence.ugm.none.gpu (1|M0)", "(W) jmpi (1|M0) on", "on:", "eot")
    assert found[0] == {SYNC: timing.barrier_latency}
    assert found[1][SYNC] == timing.fence
    assert found[2] == {CONTROL: timing.branch_latency}
    assert found[3] == {CONTROL: timing.launch}


@settings(max_examples=examples(20))
@given(programs(PVC))
def test_stalls_and_one_cycle_to_issue_are_all_cycles(instructions: list[Instruction]) -> None:
    program = decode_program(encode_program(instructions, PVC.platform.grf_bytes))
    found = instruction_stalls(program, PVC, 256)
    assert [1 + sum(each.values()) for each in found] == instruction_cycles(program, PVC, 256)
