"""Random programs as launches, where the compiler knows masks and drops what nobody reads; against the interpreter.

A program is put between loads of all its registers and stores of a few of them, whole or only some scalars.
"""

from __future__ import annotations

import struct
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from runtime.simulator import Dispatch, Memory, Simulator
from tests.amounts import examples
from tests.unit.runtime.simulator.described import described
from tests.unit.runtime.simulator.programs.differential import random_bytes
from tests.unit.xegpu.isa.programs import REGISTERS, programs
from xegpu.isa import BY_MNEMONIC, DataType, Destination, Instruction, SourceRegister, encode_program
from xegpu.isa.model.messages import DataSize, Message, Unit
from xegpu.isa.model.operands import SCALAR, grf
from xegpu.targets import ARC, PVC, Feature, Target

POINTER = 100
EOT = Instruction(BY_MNEMONIC["eot"])


def move_pointer(target: Target) -> Instruction:
    """Keeps the buffer's address, which comes behind r0, out of the program's registers."""
    kind = DataType.UQ if target.platform.has(Feature.INT64) else DataType.UD
    lanes = 8 // kind.size
    source = SourceRegister(grf(1), kind) if lanes > 1 else SourceRegister(grf(1), kind, SCALAR)
    return Instruction(
        BY_MNEMONIC["mov"], lanes, no_mask=True, destination=Destination(grf(POINTER), kind), sources=(source,)
    )


def transfer(mnemonic: str, register: int, size: DataSize, vector: int, offset: int) -> Instruction:
    """A block between registers and the buffer."""
    data = grf(register)
    return Instruction(
        BY_MNEMONIC[mnemonic],
        no_mask=True,
        message=Message(Unit.UGM, size, vector, transposed=True, offset=offset),
        address=grf(POINTER),
        returned=data if mnemonic == "load" else None,
        data=data if mnemonic == "store" else None,
    )


@st.composite
def framed(draw: st.DrawFn, target: Target) -> list[Instruction]:
    """A random program with its loads and stores."""
    firsts = range(0, REGISTERS, 512 // target.platform.grf_bytes)
    loads = [transfer("load", first, DataSize.D64, 64, first * target.platform.grf_bytes) for first in firsts]
    before = [move_pointer(target), *loads]
    body = draw(programs(target, max_size=6))[:-1]
    scalars = draw(st.integers(0, 3)) > 0
    seen = draw(st.lists(st.integers(0, REGISTERS - 1), max_size=6))
    written = [i.destination.register.number for i in body if i.destination and not i.destination.register.is_null]
    after = []
    for register in {*seen, *written}:
        offset = (REGISTERS + register) * target.platform.grf_bytes
        words = target.platform.grf_bytes // 4
        if not scalars:
            after.append(transfer("store", register, DataSize.D32, words, offset))
            continue
        # One dword after the other passes through a register of its own.
        for word in draw(st.sets(st.integers(0, words - 1), max_size=3)):
            copy = Instruction(
                BY_MNEMONIC["mov"],
                no_mask=True,
                destination=Destination(grf(POINTER + 2), DataType.UD),
                sources=(SourceRegister(grf(register, 4 * word), DataType.UD, SCALAR),),
            )
            after += [copy, transfer("store", POINTER + 2, DataSize.D32, 1, offset + 4 * word)]
    return [*before, *body, *after, EOT]


@pytest.mark.sampled(every=24)
@pytest.mark.parametrize("target", [PVC, ARC], ids=lambda t: t.name)
@pytest.mark.parametrize("simd_size", [1, 16, 32])
@settings(max_examples=examples(40), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_programs_leave_the_same_memory(data: st.DataObject, simd_size: int, target: Target) -> None:
    program = data.draw(framed(target))
    items = simd_size if simd_size == 1 or data.draw(st.booleans()) else data.draw(st.integers(1, simd_size))
    memory = Memory()
    size = REGISTERS * target.platform.grf_bytes
    buffer = memory.allocate(2 * size)
    description = described(
        "random", encode_program(program, target.platform.grf_bytes), target, simd_size, 128, cross_thread_size=8
    )
    start = random_bytes(size, data.draw(st.integers(0, 1 << 32))) + bytes(size)
    outcomes = []
    for engine in ("interpreter", "jit"):
        buffer.view()[:] = start
        simulator = Simulator(target, memory, engine, 1)
        dispatch = Dispatch((1, 1, 1), (items, 1, 1), struct.pack("<Q", buffer.address))
        statistics = replace(simulator.run(simulator.load(description), dispatch), seconds=0)
        outcomes.append((statistics, bytes(buffer.view())))
    assert outcomes[0][0] == outcomes[1][0]
    for row in range(0, 2 * size, target.platform.grf_bytes):
        place = slice(row, row + target.platform.grf_bytes)
        assert outcomes[0][1][place].hex() == outcomes[1][1][place].hex(), f"row {row // target.platform.grf_bytes}"
