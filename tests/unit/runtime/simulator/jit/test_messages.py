"""Loads and stores whose lanes lie in memory in special ways, against the interpreter."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.unit.runtime.simulator.programs.differential import (
    ARENA_BYTES,
    GRF_COUNT,
    Case,
    assert_engines_agree,
    random_bytes,
)
from xegpu.isa import BY_MNEMONIC, Instruction
from xegpu.isa.model.messages import AddressModel, AddressSize, DataSize, Message, Unit
from xegpu.isa.model.operands import grf
from xegpu.targets import ARC, PVC, Target

EOT = Instruction(BY_MNEMONIC["eot"])
ADDRESSES, DATA = 60, 8
GATHERS = [
    (DataSize.D32, 1),
    (DataSize.D32, 2),
    (DataSize.D32, 3),
    (DataSize.D64, 1),
    (DataSize.D64, 2),
    (DataSize.D8U32, 1),
    (DataSize.D16U32, 1),
]


def case(
    mnemonic: str, size: DataSize, vector: int, offsets: Sequence[int], target: Target = PVC, mask: int = 0xFFFFFFFF
) -> Case:
    """One message whose lanes address these bytes of the arena."""
    message = Message(Unit.UGM, size, vector)
    instruction = Instruction(
        BY_MNEMONIC[mnemonic],
        len(offsets),
        message=message,
        address=grf(ADDRESSES),
        returned=grf(DATA) if mnemonic == "load" else None,
        data=grf(DATA) if mnemonic == "store" else None,
    )
    places = tuple((ADDRESSES * target.platform.grf_bytes + 8 * lane, offset) for lane, offset in enumerate(offsets))
    registers = random_bytes(GRF_COUNT * target.platform.grf_bytes, 1)
    arena = random_bytes(3 * ARENA_BYTES, 2)
    return Case(target, (instruction, EOT), registers, (0,) * target.platform.flag_registers, mask, arena, places)


@pytest.mark.parametrize("target", [PVC, ARC], ids=lambda t: t.name)
@pytest.mark.parametrize("mnemonic", ["load", "store"])
@pytest.mark.parametrize(("size", "vector"), GATHERS, ids=lambda v: getattr(v, "text", v))
@pytest.mark.parametrize("mask", [0xFFFFFFFF, 0xAAAA5555, 0x7FFF, 1, 0])
def test_consecutive_lanes(mnemonic: str, size: DataSize, vector: int, mask: int, target: Target) -> None:
    step = size.memory_bytes * vector
    lanes = 16 if target is PVC else 8
    assert_engines_agree(case(mnemonic, size, vector, [64 + step * lane for lane in range(lanes)], target, mask))


@pytest.mark.parametrize(("size", "vector"), GATHERS, ids=lambda v: getattr(v, "text", v))
@pytest.mark.parametrize(
    "order",
    [
        pytest.param(lambda lane: 0, id="all at one place"),
        pytest.param(lambda lane: lane, id="overlapping upwards"),
        pytest.param(lambda lane: 15 - lane, id="overlapping downwards"),
        pytest.param(lambda lane: lane * 7 % 16, id="mixed"),
        pytest.param(lambda lane: lane // 2, id="in pairs"),
    ],
)
def test_the_highest_lane_wins(size: DataSize, vector: int, order: object) -> None:
    assert callable(order)
    offsets = [64 + size.memory_bytes * order(lane) for lane in range(16)]
    assert_engines_agree(case("store", size, vector, offsets))


@pytest.mark.parametrize("mnemonic", ["load", "store"])
@pytest.mark.parametrize("last", [0, 1], ids=["inside", "one element too far"])
def test_the_end_of_an_allocation(mnemonic: str, last: int) -> None:
    end = ARENA_BYTES - 4 * 16 + 4 * last
    assert_engines_agree(case(mnemonic, DataSize.D32, 1, [end + 4 * lane for lane in range(16)]))


@pytest.mark.parametrize("mask", [0xFFFFFFFF, 0x00FF, 0x8000, 0])
@pytest.mark.parametrize("place", [64, 66, ARENA_BYTES - 4, ARENA_BYTES - 2, ARENA_BYTES], ids=lambda p: f"at {p}")
@pytest.mark.parametrize("size", [DataSize.D32, DataSize.D16U32, DataSize.D8U32], ids=lambda s: s.text)
def test_all_lanes_load_one_element(size: DataSize, place: int, mask: int) -> None:
    """It may be misaligned or outside of memory."""
    assert_engines_agree(case("load", size, 1, [place] * 16, mask=mask))


@pytest.mark.parametrize("mask", [0xFFFFFFFF, 0x00FF, 0xFF00, 0])
@pytest.mark.parametrize("mnemonic", ["load", "store"])
@pytest.mark.parametrize("place", [66, ARENA_BYTES - 32, ARENA_BYTES - 30, -32], ids=lambda p: f"at {p}")
def test_rows_partly_outside(mnemonic: str, place: int, mask: int) -> None:
    """Only the lanes that are on need to lie inside of an allocation."""
    offsets = [place + 4 * lane for lane in range(16)]
    assert_engines_agree(case(mnemonic, DataSize.D32, 1, offsets, mask=mask))


def test_lanes_that_are_off_may_point_anywhere() -> None:
    offsets = [64 + 4 * lane if lane % 2 else (1 << 60) + 1 for lane in range(16)]
    assert_engines_agree(case("load", DataSize.D32, 1, offsets, mask=0xAAAA))


def test_lanes_in_two_allocations() -> None:
    assert_engines_agree(case("load", DataSize.D32, 1, [(lane % 2) * 2 * ARENA_BYTES + 4 * lane for lane in range(16)]))


@pytest.mark.parametrize("size", [DataSize.D32, DataSize.D64], ids=lambda s: s.text)
@pytest.mark.parametrize("vector", [1, 2, 3, 4, 8, 16, 32, 64])
@pytest.mark.parametrize("mnemonic", ["load", "store"])
@pytest.mark.parametrize("model", [AddressModel.FLAT, AddressModel.SCRATCH], ids=lambda m: m.text)
def test_blocks(mnemonic: str, size: DataSize, vector: int, model: AddressModel) -> None:
    registers = bytearray(random_bytes(GRF_COUNT * PVC.platform.grf_bytes, 3))
    place = ADDRESSES * PVC.platform.grf_bytes
    registers[place : place + 8] = (16).to_bytes(8, "little")
    message = Message(Unit.UGM, size, vector, transposed=True, address_size=AddressSize.A64, model=model, offset=-8)
    instruction = Instruction(
        BY_MNEMONIC[mnemonic],
        1,
        message=message,
        address=grf(ADDRESSES),
        returned=grf(DATA) if mnemonic == "load" else None,
        data=grf(DATA) if mnemonic == "store" else None,
    )
    back = Instruction(
        BY_MNEMONIC["load"],
        1,
        message=Message(Unit.UGM, DataSize.D32, 8, transposed=True, model=AddressModel.SCRATCH, offset=-16),
        address=grf(ADDRESSES),
        returned=grf(40),
    )
    places = ((place, 64),) if model is AddressModel.FLAT else ()
    program = (instruction, EOT) if places else (instruction, back, EOT)
    arena = random_bytes(3 * ARENA_BYTES, 4)
    assert_engines_agree(
        Case(PVC, program, bytes(registers), (0,) * PVC.platform.flag_registers, 0xFFFFFFFF, arena, places)
    )
