"""Small random programs in large numbers: what Hypothesis draws with care is mixed here, many times as fast.

    source = ProgramSource(PVC, seed)
    assert_engines_agree(source.case())

Some hundred instructions of all rows of the table that touch registers only are drawn once; programs are made of them
by renaming registers, so that instructions feed each other.
"""

from __future__ import annotations

import random
from dataclasses import replace

from hypothesis import HealthCheck, Phase, given, seed as seeded, settings

from tests.unit.runtime.simulator.programs.differential import GRF_COUNT, Case, random_bytes
from tests.unit.xegpu.isa.programs import COMPUTE, instructions, is_legal
from xegpu.isa import BY_MNEMONIC, Instruction, Register, RegisterFile, SourceRegister
from xegpu.targets import Target

PLAIN, SPECIAL = 300, 40
"""The numbers of instructions drawn: those of general registers only, and those of any, which may fault."""

STATES = 16
"""Different contents of registers that programs start with."""

WINDOW = 24
"""Registers that programs use."""

LONGEST = 5

EOT = Instruction(BY_MNEMONIC["eot"])


class ProgramSource:
    """An endless series of programs for a target, on registers from `first` on; the same for the same seed."""

    def __init__(self, target: Target, seed: int, first: int = 0):
        self._rng = random.Random(seed)
        self._first = first
        self._target = target
        self._instructions = [
            *_drawn(target, seed, PLAIN, special=False),
            *_drawn(target, seed, SPECIAL, special=True),
        ]
        self._states = [random_bytes(GRF_COUNT * target.platform.grf_bytes, seed + number) for number in range(STATES)]

    def case(self) -> Case:
        """The next program, with a state to start from."""
        rng = self._rng
        body = [self.instruction() for _ in range(rng.randint(1, LONGEST))]
        flags = tuple(rng.getrandbits(32) for _ in range(self._target.platform.flag_registers))
        mask = rng.choice((0xFFFFFFFF, 0xFFFF, rng.getrandbits(32)))
        return Case(self._target, (*body, EOT), rng.choice(self._states), flags, mask)

    def instruction(self) -> Instruction:
        """A random instruction."""
        while True:
            instruction = self._renamed(self._rng.choice(self._instructions))
            if is_legal(instruction, self._target):
                return instruction

    def _renamed(self, instruction: Instruction) -> Instruction:
        """The instruction with other general registers; they may not suit it."""
        destination = instruction.destination
        if destination is not None:
            destination = replace(destination, register=self._other(destination.register))
        sources = tuple(
            replace(source, register=self._other(source.register)) if isinstance(source, SourceRegister) else source
            for source in instruction.sources
        )
        return replace(instruction, destination=destination, sources=sources)

    def _other(self, register: Register) -> Register:
        if register.file is not RegisterFile.GRF:
            return register
        return replace(register, number=self._first + self._rng.randrange(WINDOW))


def _drawn(target: Target, seed: int, count: int, *, special: bool) -> list[Instruction]:
    """Legal instructions, all rows equally likely."""
    found: list[Instruction] = []

    @seeded(seed)
    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(instructions(target, formats=COMPUTE, special=special))
    def collect(instruction: Instruction) -> None:
        found.append(instruction)

    collect()
    return found
