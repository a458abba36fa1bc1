"""Compares engines on examples of a row of the instruction table with the models that are no engines."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from runtime.simulator import Memory, ThreadState
from runtime.simulator.engines import create
from tests.unit.runtime.simulator.oracles import alu, dpas
from tests.unit.runtime.simulator.oracles.message_check import assert_model_agrees
from tests.unit.runtime.simulator.programs.differential import (
    ARENA_BYTES,
    GRF_COUNT,
    SCRATCH_BYTES,
    SLM_BYTES,
    Case,
    kernel,
    random_bytes,
)
from tests.unit.runtime.simulator.programs.enumeration import ADDRESSES, RESULT, examples
from xegpu.isa import BY_MNEMONIC, TABLE, Instruction, InstructionFormat, OpSpec, Register
from xegpu.targets import Target

BATCH = 16
"""Instructions of a program; each has registers of its own for its result."""

EOT = Instruction(BY_MNEMONIC["eot"])

COMPUTING = [spec for spec in TABLE if spec.format in (InstructionFormat.ALU, InstructionFormat.DPAS)]
MESSAGES = [spec for spec in TABLE if spec.format is InstructionFormat.MESSAGE]


def moved(instruction: Instruction, place: int) -> Instruction:
    """The instruction with its results in other registers."""

    def shifted(register: Register) -> Register:
        return replace(register, number=register.number + 4 * place)

    assert instruction.destination is not None
    carry = None if instruction.carry is None else shifted(instruction.carry)
    destination = replace(instruction.destination, register=shifted(instruction.destination.register))
    return replace(instruction, destination=destination, carry=carry)


def check(instructions: Sequence[Instruction], target: Target, engines: Sequence[str], seed: int) -> None:
    """Runs a program of them in some engines, and each of them in its model."""
    registers, flags = (
        random_bytes(GRF_COUNT * target.platform.grf_bytes, seed),
        (0x0F3C, 0, 0, 0)[: target.platform.flag_registers],
    )
    executable = kernel([*instructions, EOT], target)
    expected, expected_flags = registers, flags
    for instruction in instructions:
        if instruction.spec.format is InstructionFormat.DPAS:
            expected = dpas.execute(instruction, expected, 0xFFFFFFFF, target)
        else:
            expected, expected_flags = alu.execute(instruction, expected, expected_flags, 0xFFFFFFFF, target)
    for engine in engines:
        state = ThreadState(registers, flags, 0xFFFFFFFF)
        final = create(engine).prepare(executable).run_thread(state, Memory())
        for row in range(GRF_COUNT):
            place = slice(row * target.platform.grf_bytes, (row + 1) * target.platform.grf_bytes)
            assert final.registers[place].hex() == expected[place].hex(), (
                engine,
                f"r{row}",
                _culprit(instructions, row),
            )
        assert final.flags == expected_flags, engine


def check_all(spec: OpSpec, target: Target, most: int | None = None, jit_batches: int | None = None) -> int:
    """Checks the examples of a row, at most so many of them, the first batches in the JIT, too."""
    found = list(examples(spec, target))
    assert found
    random.Random(0).shuffle(found)
    for start in range(0, len(found[:most]), BATCH):
        batch = [moved(instruction, place) for place, instruction in enumerate(found[start : start + BATCH])]
        compiled = jit_batches is None or start < jit_batches * BATCH
        check(batch, target, ["interpreter", "jit"] if compiled else ["interpreter"], start)
    return len(found[:most])


def check_message(instruction: Instruction, target: Target, engines: Sequence[str], seed: int) -> None:
    """Runs a message with random data in some engines, and in its model."""
    message = instruction.message
    assert message is not None
    rng = np.random.default_rng(seed)
    registers = bytearray(random_bytes(GRF_COUNT * target.platform.grf_bytes, seed))
    place, addresses = ADDRESSES * target.platform.grf_bytes, []
    if message.block is not None:
        shape = (message.block.width - 1) | (message.block.height - 1) << 8 | (message.block.count - 1) << 16
        fields = np.array([127, 9, 191, rng.integers(-2, 4) * 4, rng.integers(-4, 8), shape], np.int32)
        registers[place + 8 : place + 32] = fields.tobytes()
        addresses.append((place, 64))
    else:
        size, local = message.data_size.memory_bytes, message.address_size.size == 4
        limit = (min(SCRATCH_BYTES, SLM_BYTES) if local else ARENA_BYTES) - size * message.vector
        offsets = size * rng.integers(0, max(limit, 0) // size + 1, instruction.exec_size)
        if local:
            registers[place : place + 4 * len(offsets)] = offsets.astype(np.uint32).tobytes()
        else:
            addresses += [(place + 8 * lane, int(offset)) for lane, offset in enumerate(offsets)]
    flags = (0,) * target.platform.flag_registers
    arena = random_bytes(3 * ARENA_BYTES, seed)
    case = Case(target, (instruction, EOT), bytes(registers), flags, 0xFFFFFFFF, arena, tuple(addresses))
    for engine in engines:
        assert_model_agrees(case, engine)


def _culprit(instructions: Sequence[Instruction], row: int) -> object:
    return instructions[min(max((row - RESULT) // 4, 0), len(instructions) - 1)]
