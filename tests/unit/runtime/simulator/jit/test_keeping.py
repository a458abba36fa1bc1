"""What threads that wait store and load: it suffices on every path, and it is little."""

from __future__ import annotations

import random

import pytest

from runtime.simulator.jit.state.registers import RegisterPlan
from runtime.simulator.jit.waiting.keeping import Keeping, KeptPlaces
from tests.amounts import examples
from xegpu.isa import Program, decode_program
from xegpu.isa.code import BasicBlock, basic_blocks
from xegpu.isa.formats import Footprint, footprint
from xegpu.isa.text.assembler import assemble
from xegpu.targets import PVC

REGISTERS = range(10, 16)


class KeptProgram:
    """A program, and what its threads keep; `starts` has the first instruction of each block that a label names."""

    def __init__(self, text: str):
        self.program: Program = decode_program(assemble(text))
        self.footprints: list[Footprint] = [footprint(i, PVC, 128, None) for i in self.program.instructions]
        self.blocks: dict[int, BasicBlock] = {block.start: block for block in basic_blocks(self.program)}
        self.homes = RegisterPlan(self.footprints, PVC, keep_all=False)
        blocks = list(self.blocks.values())
        self.keeping = Keeping(self.program, blocks, self.footprints, self.homes, PVC.platform.flag_registers)

    def at(self, mnemonic: str, number: int = 0) -> int:
        """Returns the start of the block with an instruction of this name."""
        indices = [i for i, instruction in enumerate(self.program.instructions) if instruction.mnemonic == mnemonic]
        return max(start for start in self.blocks if start <= indices[number])


TREE = """
    (W) mov (16|M0) r10.0<1>:ud r3.0<1;1,0>:ud
    (W) mov (16|M0) r11.0<1>:ud r4.0<1;1,0>:ud
    (W) mov (1|M0) r12.0<1>:ud 8:ud
    (W) barrier
loop:
    (W) cmp (1|M0) (gt)f0.0 null<1>:ud r12.0<0;1,0>:ud 4:ud
    (W&~f0.0) jmpi (1|M0) skip
    (W) not (16|M0) r11.0<1>:ud r11.0<1;1,0>:ud
skip:
    (W) barrier
    (W) add (1|M0) (gt)f0.0 r12.0<1>:d r12.0<0;1,0>:d -1:d
    (W&f0.0) jmpi (1|M0) loop
    (W) xor (16|M0) r13.0<1>:ud r10.0<1;1,0>:ud r11.0<1;1,0>:ud
    (W) store.slm.d32.a32 (16|M0) flat[r5] r13
    eot
"""


def test_a_wait_in_a_loop_stores_what_was_written_since() -> None:
    kept = KeptProgram(TREE)
    first, second = kept.at("barrier"), kept.at("barrier", 1)
    assert kept.keeping.stored_after(first) == KeptPlaces(frozenset({5, 10, 11, 12}))
    assert kept.keeping.stored_after(second) == KeptPlaces()
    assert kept.keeping.stored_after(kept.at("not")) == KeptPlaces(frozenset({11}))
    assert kept.keeping.loaded_before(kept.at("add")) == KeptPlaces(frozenset({12}))
    assert kept.keeping.loaded_before(kept.at("xor")) == KeptPlaces(frozenset({5, 10, 11}))


INNER_LOOP = """
    (W) barrier
    (W) mov (1|M0) r12.0<1>:ud 8:ud
loop:
    (W) not (16|M0) r11.0<1>:ud r10.0<1;1,0>:ud
    (W) store.slm.d32.a32 (16|M0) flat[r5] r11
    (W) add (1|M0) (gt)f0.0 r12.0<1>:d r12.0<0;1,0>:d -1:d
    (W&f0.0) jmpi (1|M0) loop
    eot
"""


def test_a_loop_without_waits_loads_nothing() -> None:
    kept = KeptProgram(INNER_LOOP)
    assert kept.keeping.loaded_before(kept.at("not")) == KeptPlaces()
    assert kept.keeping.loaded_after(kept.at("mov")) == KeptPlaces(frozenset({5, 10}))


LEADING_LOOP = """
loop:
    (W) cmp (16|M0) (gt)f0.0 null<1>:ud r10.0<1;1,0>:ud 4:ud
    (W&f0.0) jmpi (1|M0) end
    (W) barrier
    (W) jmpi (1|M0) loop
end:
    (W) store.slm.d32.a32 (16|M0) flat[r5] r11
    eot
"""


def test_a_loop_that_begins_the_program() -> None:
    kept = KeptProgram(LEADING_LOOP)
    assert kept.keeping.stored_first().registers == {5, 10, 11}
    assert kept.keeping.stored_after(kept.at("barrier")) == KeptPlaces()


FLAG = """
    (W) cmp (16|M0) (gt)f1.0 null<1>:ud r10.0<1;1,0>:ud 4:ud
    (W) cmp (16|M0) (gt)f0.1 null<1>:ud r10.0<1;1,0>:ud 4:ud
    (W) barrier
    (W) cmp (1|M0) (gt)f0.0 null<1>:ud r10.0<0;1,0>:ud 4:ud
    (W&f0.0) jmpi (1|M0) end
    (W&f1.0) mov (16|M0) r11.0<1>:ud r10.0<1;1,0>:ud
    (W) store.slm.d32.a32 (16|M0) flat[r5] r11
end:
    eot
"""


def test_only_flags_that_are_read_are_stored() -> None:
    kept = KeptProgram(FLAG)
    assert kept.keeping.stored_after(kept.at("barrier")) == KeptPlaces(frozenset({5, 10, 11}), frozenset({1}))
    assert kept.keeping.loaded_before(kept.at("mov")).flags == {1}


def random_program(draw: random.Random) -> str:
    """A program of blocks that jump anywhere, many of which end with a wait."""
    lines = []
    labels = draw.randrange(3, 12)
    region = draw.choice(["<1;1,0>", "<0;1,0>"])  # registers that nobody reads as vectors have variables for scalars
    for label in range(labels):
        lines.append(f"l{label}:")
        for _ in range(draw.randrange(4)):
            to, of = draw.choice(REGISTERS), draw.choice(REGISTERS)
            scalar = f"r{to}.{draw.randrange(3)}"
            lines.append(
                draw.choice(
                    [
                        f"(W) mov (16|M0) r{to}.0<1>:ud r{of}.0{region}:ud",
                        f"(W) mov (16|M0) r{to}.0<1>:ud 7:ud",
                        f"(W) add (1|M0) {scalar}<1>:ud r{of}.1<0;1,0>:ud 1:ud",
                        f"(W) mov (2|M0) r{to}.15<1>:ud r{of}.15<1;1,0>:ud" if to < REGISTERS[-1] else "nop",
                        f"(W) cmp (1|M0) (gt)f1.0 null<1>:ud r{of}.0<0;1,0>:ud 4:ud",
                    ]
                )
            )
        lines.append(
            draw.choice(
                [
                    "(W) barrier",
                    f"(W&f1.0) jmpi (1|M0) l{draw.randrange(labels)}",
                    f"(W&~f1.0) jmpi (1|M0) l{draw.randrange(labels)}",
                    "nop",
                ]
            )
        )
    lines += [f"(W) add (16|M0) r9.0<1>:ud r9.0<1;1,0>:ud r{number}.0{region}:ud" for number in REGISTERS]
    return "\n".join([*lines, "eot"])


Place = tuple[str, int]


class WalkingThread:
    """A thread that walks through a program; values are numbers of what wrote them."""

    def __init__(self, kept: KeptProgram, draw: random.Random):
        self._kept = kept
        self._draw = draw
        self._right: dict[Place, int] = {}
        self._held: dict[Place, int] = {}
        self._frame: dict[Place, int] = {}
        self._writes = 0

    def walk(self, steps: int) -> None:
        keeping, start = self._kept.keeping, 0
        self._store(keeping.stored_first())
        for _ in range(steps):
            block = self._kept.blocks[start]
            self._load(keeping.loaded_before(start))
            for index in range(start, block.end):
                self._execute(index)
            self._store(keeping.stored_after(start))
            if self._kept.program.instructions[block.end - 1].spec.waits and self._draw.randrange(4):
                self._held = {place: -self._draw.randrange(1, 1 << 30) for place in self._all_places()}
            self._load(keeping.loaded_after(start))
            if not block.successors:
                return
            start = self._draw.choice(block.successors)

    def _all_places(self) -> list[Place]:
        return [*(("r", number) for number in range(128)), *(("f", number) for number in range(4))]

    def _execute(self, index: int) -> None:
        instruction, touched = self._kept.program.instructions[index], self._kept.footprints[index]
        read = [("r", number) for span in touched.reads for number in self._kept.homes.numbers(span)]
        if instruction.predicate is not None:
            read.append(("f", instruction.predicate.flag.number))
        for place in read:
            assert self._held.get(place, 0) == self._right.get(place, 0), (index, place)
        for span in touched.writes:
            for number in self._kept.homes.numbers(span):
                self._write(("r", number), whole=number in self._kept.homes.covered(span))
        if instruction.condition is not None and instruction.condition.flag is not None:
            self._write(("f", instruction.condition.flag.number), whole=True)

    def _write(self, place: Place, *, whole: bool) -> None:
        self._writes += 1
        for values in (self._right, self._held):
            values[place] = self._writes if whole else hash((values.get(place, 0), self._writes))

    def _store(self, places: KeptPlaces) -> None:
        for place in self._named(places):
            self._frame[place] = self._held.get(place, 0)

    def _load(self, places: KeptPlaces) -> None:
        for place in self._named(places):
            self._held[place] = self._frame.get(place, 0)

    def _named(self, places: KeptPlaces) -> list[Place]:
        return [*(("r", number) for number in places.registers), *(("f", number) for number in places.flags)]


@pytest.mark.parametrize("seed", range(examples(30)))
def test_every_read_finds_the_value_on_every_path(seed: int) -> None:
    draw = random.Random(seed)
    kept = KeptProgram(random_program(draw))
    for _ in range(10):
        WalkingThread(kept, draw).walk(60)
