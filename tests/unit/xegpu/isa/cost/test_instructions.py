"""Tests of the cost of single instructions: the classes of the timing model, and how they scale."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.unit.xegpu.isa.programs import instructions
from xegpu.isa import Instruction, assemble_program
from xegpu.isa.cost import InstructionCost, Pipe, instruction_cost, traffic
from xegpu.targets import ARC, PVC, Target


def instruction(text: str, target: Target = PVC) -> Instruction:
    return assemble_program(text, grf_bytes=target.platform.grf_bytes).instructions[0]


def cost(text: str, target: Target = PVC) -> InstructionCost:
    return instruction_cost(instruction(text, target), target)


@pytest.mark.parametrize(
    ("text", "pipe", "occupancy", "latency"),
    [
        ("add (1|M0) r2:f r3:f r4:f", Pipe.FLOAT, 1, 10),
        ("add (16|M0) r2:f r3:f r4:f", Pipe.FLOAT, 1, 11),
        ("mad (32|M0) r2:f r4:f r6:f r8:f", Pipe.FLOAT, 2, 13),
        ("add (32|M0) r2:hf r4:hf r6:hf", Pipe.FLOAT, 1, 13),
        ("add (16|M0) r2:df r4:df r6:df", Pipe.LONG, 1, 11),
        ("mov (16|M0) r2:df r4:f", Pipe.LONG, 1, 11),
        ("add (16|M0) r2:q r4:q r6:q", Pipe.LONG, 2, 11),
        ("and (32|M0) r2:d r4:d r6:d", Pipe.INTEGER, 2, 13),
        ("mov (8|M0) r2:w 0x76543210:v", Pipe.INTEGER, 1, 10),
        ("mul (16|M0) r2:d r4:w r6:d", Pipe.INTEGER, 1, 11),
        ("mul (16|M0) r2:d r4:d r6:d", Pipe.INTEGER, 2, 22),
        ("mul (16|M0) r2:d r4:d 100:d", Pipe.INTEGER, 1, 11),
        ("mad (16|M0) r2:d r4:d r6:d r8:d", Pipe.INTEGER, 3, 33),
        ("math.exp (16|M0) r2:f r4:f", Pipe.MATH, 4, 21),
        ("math.sin (8|M0) r2:f r4:f", Pipe.MATH, 4, 17),
        ("mov (16|M0) r2:d r[a0.0, 0]<1,0>:d", Pipe.INTEGER, 16, 11),
    ],
)
def test_alu(text: str, pipe: Pipe, occupancy: int, latency: int) -> None:
    assert cost(text) == InstructionCost(pipe, occupancy, latency)


def test_narrower_units_take_longer() -> None:
    texts = ("add (16|M0) r2:f r4:f r6:f", "dpas.8x8 (%d|M0) r16:f r16:f r32:bf r48:bf")
    assert cost(texts[0], ARC).occupancy == 2 * cost(texts[0], PVC).occupancy
    assert cost(texts[1] % 8, ARC).occupancy == 2 * cost(texts[1] % 16, PVC).occupancy


@pytest.mark.parametrize(("target", "size", "latencies"), [(PVC, 16, (21, 22, 28)), (ARC, 8, (21, 22, 32))])
def test_dpas_by_rows(target: Target, size: int, latencies: tuple[int, int, int]) -> None:
    for rows, latency in zip((1, 2, 8), latencies, strict=True):
        found = cost(f"dpas.8x{rows} ({size}|M0) r16:f r16:f r32:bf r48:bf", target)
        assert found == InstructionCost(Pipe.DPAS, rows * (1 if target is PVC else 2), latency)


@pytest.mark.parametrize(
    ("text", "occupancy", "latency"),
    [
        ("load.ugm.d32.a64 (16|M0) r4:1 flat[r2]:2", 1, 200),
        ("load.ugm.d32x4.a64 (16|M0) r4:4 flat[r2]:2", 4, 200),
        ("load.ugm.d32.a64.ca.ca (16|M0) r4:1 flat[r2]:2", 1, 45),
        ("load.ugm.d32.a64.uc.ca (16|M0) r4:1 flat[r2]:2", 1, 200),
        ("load.ugm.d32.a64.uc.uc (16|M0) r4:1 flat[r2]:2", 1, 550),
        ("load.ugm.d32x64t.a64 (1|M0) r4:4 flat[r2]:1", 4, 200),
        ("load_block2d.ugm.d16.a64.ca.ca (1|M0) r4:8 flat[r2]:1 16x16x1", 8, 45),
        ("store_block2d.ugm.d32.a64 (1|M0) flat[r2]:1 r4:8 16x8x1", 8, 0),
        ("prefetch_block2d.ugm.d16.a64.ca.ca (1|M0) flat[r2] 16x16x1", 8, 0),
        ("load.slm.d32.a32 (16|M0) r4:1 flat[r2]:1", 1, 28),
        ("load.slm.d32.a32 (32|M0) r4:2 flat[r2]:2", 1, 45),
        ("load.slm.d64.a32 (32|M0) r4:4 flat[r2]:2", 2, 45),
        ("atomic_iadd.ugm.d32.a64 (16|M0) r4:1 flat[r2]:2 r6:1", 16, 250),
        ("atomic_iinc.slm.d32.a32 (16|M0) r4:1 flat[r2]:1", 16, 28),
        ("load.ugm.d64x8t.a32 (1|M0) r4:1 ss[r2]:1", 1, 146),
    ],
)
def test_messages(text: str, occupancy: int, latency: int) -> None:
    assert cost(text) == InstructionCost(Pipe.SEND, occupancy, latency)


@pytest.mark.parametrize(
    ("text", "stall"),
    [
        ("(W) jmpi (1|M0) L1\nL1: eot", 23),
        ("L1: (W&f0.0) jmpi (1|M0) L1\neot", 23),
        ("(W&f0.0) jmpi (1|M0) L1\nL1: eot", 0),
        ("(W) fence.ugm.none.group (1|M0)", 35),
        ("(W) fence.slm.none.group (1|M0)", 23),
        ("(W) barrier", 30),
        ("(W) sbarrier.signal", 0),
        ("(W) sbarrier.wait", 30),
        ("eot", 100),
        ("nop", 0),
    ],
)
def test_what_holds_a_thread_up(text: str, stall: int) -> None:
    assert cost(text).stall == stall


@pytest.mark.parametrize("mnemonic", ["add", "mul", "math.exp", "math.sqt"])
@pytest.mark.parametrize("target", [PVC, ARC])
def test_more_channels_never_cost_less(mnemonic: str, target: Target) -> None:
    sources = "r8:f" if mnemonic.startswith("math") else "r8:f r16:f"
    costs = [cost(f"{mnemonic} ({size}|M0) r2:f {sources}", target) for size in (1, 2, 4, 8, 16, 32)]
    assert costs == sorted(costs, key=lambda c: (c.occupancy, c.latency))
    assert costs[0] != costs[-1]


@pytest.mark.parametrize("mnemonic", ["div", "mod", "sqrtm", "pow", "mulh", "lrp"])
def test_emulated_instructions_cost_more_than_one(mnemonic: str) -> None:
    type = "d" if mnemonic in ("mod", "mulh") else "f"
    count = {"sqrtm": 1, "lrp": 3}.get(mnemonic, 2)
    sources = " ".join(f"r{8 * n}:{type}" for n in range(1, count + 1))
    one, many = cost(f"add (16|M0) r2:{type} r8:{type} r16:{type}"), cost(f"{mnemonic} (16|M0) r2:{type} {sources}")
    assert many.occupancy > one.occupancy
    assert many.latency > one.latency


@given(instructions(PVC))
def test_every_legal_instruction_has_a_cost(instruction: Instruction) -> None:
    found = instruction_cost(instruction, PVC)
    assert found.occupancy >= 1
    assert found.latency >= 0
    assert found.stall >= 0
    moved = traffic(instruction)
    assert (moved is None) == (instruction.spec.access is None)
    assert moved is None or moved.bytes > 0
