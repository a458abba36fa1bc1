"""Tests of the cost of blocks, loops and kernels: in-order issue, waits for operands, and the bounds of a loop."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from tests.unit.xegpu.isa.programs import COMPUTE, programs
from xegpu.isa import Instruction, assemble, decode_program
from xegpu.isa.code.program import Program, encode_program
from xegpu.isa.cost import KernelCost, Pipe, Scoreboard, TripCount, instruction_cycles, kernel_cost
from xegpu.targets import ARC, PVC, Target


def program(text: str, target: Target = PVC) -> Program:
    return decode_program(assemble(text, grf_bytes=target.platform.grf_bytes))


def cost(text: str, target: Target = PVC, trips: dict[int, TripCount] | None = None) -> KernelCost:
    return kernel_cost(program(text, target), target, 256, trips or {})


def cycles(text: str, target: Target = PVC) -> list[int]:
    return instruction_cycles(program(text, target), target, 256)


def loop(body: str) -> str:
    return f"again:\n{body}\n(W&f0.0) jmpi (1|M0) again\neot"


JUMP = 1 + PVC.timing.branch_latency


def test_independent_instructions_are_issued_one_a_cycle() -> None:
    text = "\n".join(f"add (16|M0) r{n}:f r2:f r3:f" for n in range(10, 20))
    assert cycles(text) == [1] * 10


def test_wide_ones_wait_for_their_pipe_and_leave_others_free() -> None:
    wide = [f"add (32|M0) r{n}:f r2:f r4:f" for n in (10, 12, 14)]
    assert cycles("\n".join(wide)) == [1, 2, 2]
    other = [f"add (16|M0) r{n}:d r2:d r4:d" for n in (20, 21, 22)]
    mixed = [line for pair in zip(wide, other, strict=True) for line in pair]
    assert cycles("\n".join(mixed)) == [1] * 6


@pytest.mark.parametrize(
    ("first", "second", "wait"),
    [
        ("add (16|M0) r4:f r2:f r3:f", "add (16|M0) r6:f r4:f r3:f", 11),
        ("add (32|M0) r4:f r2:f r2:f", "add (16|M0) r6:f r5:f r3:f", 13),
        ("add (16|M0) r4:f r2:f r3:f", "add (16|M0) r6:f r5:f r3:f", 1),
        ("math.exp (16|M0) r4:f r2:f", "add (16|M0) r6:f r4:f r3:f", 21),
        ("math.exp (16|M0) r4:f r2:f", "mov (16|M0) r4:f 1.0:f", 10),
        ("load.ugm.d32.a64 (16|M0) r4:1 flat[r2]:2", "add (16|M0) r6:f r4:f r3:f", 200),
        ("load.ugm.d32.a64.ca.ca (16|M0) r4:1 flat[r2]:2", "add (16|M0) r6:f r4:f r3:f", 45),
        ("store.ugm.d32.a64 (16|M0) flat[r2]:2 r4:1", "mov (16|M0) r4:f 1.0:f", 11),
        ("load.ugm.d32.a64 (16|M0) r4:1 flat[r2]:2", "mov (16|M0) r2:f 1.0:f", 10),
        ("cmp (16|M0) (lt)f0.0 null:f r2:f r3:f", "(f0.0) mov (16|M0) r4:f r2:f", 16),
        ("cmp (16|M0) (lt)f0.0 null:f r2:f r3:f", "(f1.0) mov (16|M0) r4:f r2:f", 1),
        ("mov (1|M0) f0.0:ud r2:ud", "(f0.0) mov (16|M0) r4:f r2:f", 16),
        ("mov (1|M0) r4:ud f0.0:ud", "mov (1|M0) r5:ud f0.0:ud", 1),
        ("mov (16|M0) a0.0:uw r2:uw", "mov (16|M0) r4:d r[a0.0, 0]<1,0>:d", 16),
        ("dpas.8x8 (16|M0) r16:f r16:f r32:bf r48:bf", "dpas.8x8 (16|M0) r16:f r16:f r56:bf r48:bf", 8),
        ("dpas.8x8 (16|M0) r16:f r16:f r32:bf r48:bf", "dpas.8x8 (16|M0) r24:f r24:f r56:bf r48:bf", 8),
        ("dpas.8x8 (16|M0) r16:f r16:f r32:bf r48:bf", "add (16|M0) r60:f r16:f r60:f", 28),
        ("dpas.8x8 (16|M0) r16:bf r24:bf r32:bf r48:bf", "dpas.8x8 (16|M0) r60:f r60:f r32:bf r16:bf", 28),
    ],
)
def test_how_long_an_instruction_waits_for_another(first: str, second: str, wait: int) -> None:
    assert cycles(f"{first}\n{second}")[1] == wait


def test_a_loop_of_dpas_costs_about_its_rows() -> None:
    """64 rows of accumulators, one k step: nothing but the matrix engine is busy."""
    count = 16
    body = "\n".join(f"dpas.8x8 (16|M0) r{8 * n}:f r{8 * n}:f r200:bf r208:bf" for n in range(count))
    for text, target in ((loop(body), PVC), (loop(body.replace("16|", "8|")), ARC)):
        (found,) = cost(text, target).loops
        rows = 8 * count * target.timing.dpas_cycles_per_row
        assert found.occupancy[Pipe.DPAS] == rows
        assert rows <= found.cycles <= rows + JUMP


def test_a_loop_of_sums_costs_its_instructions() -> None:
    body = "\n".join(f"add (16|M0) r{n}:f r{n}:f r2:f" for n in range(10, 60))
    (found,) = cost(loop(body)).loops
    assert found.cycles == 50 + JUMP
    assert found.occupancy[Pipe.FLOAT] == 50


def test_a_chain_costs_its_latency() -> None:
    body = "\n".join("add (16|M0) r10:f r10:f r2:f" for _ in range(10))
    (found,) = cost(loop(body)).loops
    assert found.cycles == pytest.approx(10 * 11, abs=JUMP)


def test_a_loop_that_waits_for_memory() -> None:
    body = "load.ugm.d32x64t.a64{} (1|M0) r10:4 flat[r2]:1\nadd (16|M0) r4:f r10:f r4:f\nadd (1|M0) r2:uq r2:uq 256:uq"
    (far,), (near,) = cost(loop(body.format(""))).loops, cost(loop(body.format(".ca.ca"))).loops
    assert far.cycles - near.cycles == PVC.timing.l3_latency - PVC.timing.l1_latency
    assert far.cycles > PVC.timing.l3_latency
    assert far.bytes_loaded == near.bytes_loaded == 256
    assert far.bytes_stored == 0


def test_a_load_that_is_early_enough_costs_its_issue() -> None:
    sums = "\n".join(f"add (16|M0) r{n}:f r{n}:f r2:f" for n in range(20, 90))
    load, use = "load.ugm.d32.a64.ca.ca (16|M0) r10:1 flat[r2]:2", "add (16|M0) r11:f r10:f r11:f"
    early, late = cost(loop(f"{load}\n{sums}\n{use}")).loops[0], cost(loop(f"{sums}\n{load}\n{use}")).loops[0]
    assert early.cycles == 72 + JUMP
    assert late.cycles == early.cycles + PVC.timing.l1_latency - 1


def test_bytes_of_global_memory_only() -> None:
    found = cost(
        "load.ugm.d32x2.a64 (16|M0) r10:2 flat[r2]:2\n"
        "store.ugm.d16u32.a64 (16|M0) flat[r2]:2 r10:1\n"
        "atomic_iadd.ugm.d32.a64 (16|M0) r4:1 flat[r2]:2 r6:1\n"
        "load.slm.d32.a32 (16|M0) r4:1 flat[r2]:1\n"
        "load.ugm.d64x8t.a32 (1|M0) r4:1 ss[r2]:1\n"
        "prefetch_block2d.ugm.d16.a64.ca.ca (1|M0) flat[r2] 16x16x1\n"
        "eot"
    ).outside
    assert found.bytes_loaded == 16 * 8 + 16 * 4
    assert found.bytes_stored == 16 * 2 + 16 * 4


def test_regions_count_for_themselves() -> None:
    text = """
        nop
    outer:
        add (16|M0) r4:f r4:f r5:f
    inner:
        add (16|M0) r6:f r6:f r5:f
        (W&f0.0) jmpi (1|M0) inner
        (W&f0.1) jmpi (1|M0) outer
        eot
    """
    trips = {1: TripCount(7), 3: TripCount(0, 4, 2, 1), 4: TripCount(99)}
    found = cost(text, trips=trips)
    assert (found.outside.children, *(loop.children for loop in found.loops)) == (1, 1, 0)
    assert [loop.trips for loop in found.loops] == [TripCount(7), TripCount(0, 4, 2, 1)]
    assert found.outside.trips is None
    assert [loop.occupancy[Pipe.FLOAT] for loop in found.loops] == [1, 1]


@given(programs(PVC, formats=COMPUTE), st.data())
def test_more_code_is_never_faster(instructions: list[Instruction], data: st.DataObject) -> None:
    """Taking an instruction away from a straight line does not make it slower."""
    left_out = data.draw(st.integers(0, len(instructions) - 1))

    def total(chosen: list[Instruction]) -> int:
        board = Scoreboard(PVC, 128)
        return sum(board.issue(board.work(instruction)) for instruction in chosen)

    assert total(instructions[:left_out] + instructions[left_out + 1 :]) <= total(instructions)


@given(programs(PVC))
def test_every_program_has_a_cost(instructions: list[Instruction]) -> None:
    code = decode_program(encode_program(instructions, PVC.platform.grf_bytes))
    found = instruction_cycles(code, PVC, 128)
    assert len(found) == len(code.instructions)
    assert min(found) >= 1
    assert kernel_cost(code, PVC, 128, {}).outside.cycles >= 1
