"""Runs one program in several engines and compares everything that they leave behind, bit for bit.

    @given(compute_cases(PVC))
    def test_agree(case): assert_engines_agree(case)

A `Case` is a program with the initial state of one thread. `compute_cases` draws programs over registers and flags,
`memory_cases` programs that also load and store: their messages find addresses in registers of their own, most of them
legal, so that faults are compared as well. `kernel` makes an `Executable` of instructions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from hypothesis import strategies as st
from hypothesis.vendor.pretty import RepresentationPrinter
from numpy.typing import NDArray

from runtime.simulator import DeviceFault, Executable, Memory, Simulator, ThreadState
from runtime.simulator.engines import create
from tests.unit.runtime.simulator.described import described
from tests.unit.xegpu.isa.programs import COMPUTE, REGISTERS, messages, programs
from xegpu.isa import BY_MNEMONIC, TABLE, Instruction, InstructionFormat, disassemble, encode_program
from xegpu.isa.formats import address_bytes
from xegpu.isa.model.messages import AddressModel, AddressSize, Unit
from xegpu.isa.model.operands import grf
from xegpu.isa.model.table import MemoryAccessKind
from xegpu.targets import Target

GRF_COUNT = 128
SCRATCH_BYTES = 256
SLM_BYTES = 512
ENGINES = ("interpreter", "jit")

ARENA_BYTES = 8192
READ_ONLY = 2 * ARENA_BYTES
"""Memory of a case: `ARENA_BYTES` that can be written, and from byte `READ_ONLY` on half as many that cannot."""

_MESSAGES = tuple(
    spec.mnemonic
    for spec in TABLE
    if spec.format is InstructionFormat.MESSAGE and spec.access is not MemoryAccessKind.ATOMIC
)
_ATOMICS = tuple(spec.mnemonic for spec in TABLE if spec.access is MemoryAccessKind.ATOMIC)

# Bit patterns that tell float implementations apart: zeros, subnormals, limits, infinities, NaNs with payloads.
_SINGLES = (
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007FFFFF, 0x00800000, 0x3F800000, 0xBF800000, 0x7F7FFFFF,
    0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC01234, 0x7F800001, 0x4F000000, 0x4F800000, 0xCF000001,
)  # fmt: skip
_HALVES = (0x0000, 0x8000, 0x0001, 0x83FF, 0x0400, 0x3C00, 0xBC00, 0x7BFF, 0x7C00, 0xFC00, 0x7E00, 0x7C01, 0x3F80)
_DOUBLES = (0x0000000000000001, 0x3FF0000000000000, 0x7FEFFFFFFFFFFFFF, 0x7FF0000000000000, 0x7FF8000000000001)


@dataclass(frozen=True)
class Case:
    """A program and what its thread starts from.

    `addresses` are pairs of a byte of the register file and an offset from the arena's start: the address of that byte
    of the arena is stored there as a qword before the program runs.
    """

    target: Target
    instructions: tuple[Instruction, ...]
    registers: bytes
    flags: tuple[int, ...]
    mask: int
    arena: bytes = b""
    addresses: tuple[tuple[int, int], ...] = ()

    def _repr_pretty_(self, printer: RepresentationPrinter, cycle: bool) -> None:
        """Prints a failing case for Hypothesis, without the bytes of registers and memory, which are too many."""
        flags = ", ".join(map(hex, self.flags))
        printer.text(f"{self.target.name}, mask {self.mask:#x}, flags {flags}, addresses {self.addresses}\n")
        printer.text(disassemble(encode_program(self.instructions, self.target.platform.grf_bytes), offsets=True))


@dataclass(frozen=True)
class Outcome:
    """The final state and memory of a run, or its fault."""

    state: ThreadState | None
    arena: bytes
    fault: tuple[object, ...] | None


def kernel(
    instructions: Sequence[Instruction],
    target: Target,
    *,
    simd_size: int = 1,
    local_id_dimensions: int = 0,
    cross_thread_size: int = 0,
    scratch_size: int = SCRATCH_BYTES,
) -> Executable:
    """An executable of the instructions."""
    description = described(
        "test",
        encode_program(instructions, target.platform.grf_bytes),
        target,
        simd_size,
        GRF_COUNT,
        local_id_dimensions=local_id_dimensions,
        cross_thread_size=cross_thread_size,
        scratch_size=scratch_size,
        slm_size=SLM_BYTES,
    )
    return Simulator(target, Memory(), "interpreter").load(description)


def _arena() -> tuple[NDArray[np.uint8], Memory]:
    """The bytes of a case's memory, and the allocations in it."""
    space = np.zeros(3 * ARENA_BYTES + 64, np.uint8)
    start = -space.ctypes.data % 64
    arena = space[start : start + 3 * ARENA_BYTES]
    memory = Memory()
    memory.register(arena.ctypes.data, ARENA_BYTES, "device", "arena")
    memory.register(arena.ctypes.data + READ_ONLY, ARENA_BYTES // 2, "device", "constants", writable=False)
    return arena, memory


def run_case(case: Case, engines: Sequence[str] = ENGINES) -> dict[str, Outcome]:
    """Runs a case in each engine, on the same addresses with the same contents."""
    arena, memory = _arena()
    base = arena.ctypes.data
    registers = np.frombuffer(case.registers, np.uint8).copy()
    for place, offset in case.addresses:
        registers[place : place + 8] = np.array([base + offset], np.uint64).view(np.uint8)
    state = ThreadState(registers.tobytes(), case.flags, case.mask)
    executable = kernel(case.instructions, case.target)
    outcomes = {}
    for name in engines:
        arena[: len(case.arena)] = np.frombuffer(case.arena, np.uint8)
        prepared = create(name).prepare(executable)
        try:
            final = prepared.run_thread(state, memory, (3, 2, 1), 5)
        except DeviceFault as fault:
            where = None if fault.address is None else fault.address - base
            facts = (
                fault.kind,
                fault.group,
                fault.subgroup,
                fault.lane,
                fault.offset,
                where,
                fault.size,
                fault.access,
            )
            outcomes[name] = Outcome(None, b"", facts)
        else:
            outcomes[name] = Outcome(final, arena.tobytes(), None)
    return outcomes


def assert_engines_agree(case: Case, engines: Sequence[str] = ENGINES) -> None:
    """Fails, naming the first difference, unless all engines leave the same registers, flags and memory, or fault."""
    first, *others = run_case(case, engines).items()
    for other in others:
        difference = _difference(case.target, first[1], other[1])
        assert difference is None, f"{first[0]} and {other[0]} disagree: {difference}"


def _difference(target: Target, one: Outcome, two: Outcome) -> str | None:
    if one.fault != two.fault:
        return f"faults {one.fault} and {two.fault}"
    if one.state is None or two.state is None:
        return None
    if one.state.registers != two.state.registers:
        return _byte_difference("register file", one.state.registers, two.state.registers, target.platform.grf_bytes)
    if one.state.flags != two.state.flags:
        return f"flags {[hex(f) for f in one.state.flags]} and {[hex(f) for f in two.state.flags]}"
    if one.arena != two.arena:
        return _byte_difference("memory", one.arena, two.arena, 64)
    return None


def _byte_difference(what: str, one: bytes, two: bytes, row: int) -> str:
    first = next(i for i, (a, b) in enumerate(zip(one, two, strict=True)) if a != b)
    line = first // row * row
    return f"{what}, row {first // row} byte {first % row}: {one[line:][:row].hex()} and {two[line:][:row].hex()}"


def random_bytes(size: int, seed: int) -> bytes:
    """Bytes that look like values of all types: random ones, small integers, and special floats of each size."""
    rng = np.random.default_rng(seed)
    data = rng.integers(0, 256, -(-size // 64) * 64, np.uint8)
    for special in (np.array(_HALVES, np.uint16), np.array(_SINGLES, np.uint32), np.array(_DOUBLES, np.uint64)):
        values = data.view(special.dtype)
        chosen = rng.random(len(values)) < 0.15
        values[chosen] = rng.choice(special, int(chosen.sum()))
    words = data.view(np.int32)
    small = rng.random(len(words)) < 0.15
    words[small] = rng.integers(-40, 40, int(small.sum()))
    return data[:size].tobytes()


@st.composite
def _start(draw: st.DrawFn, target: Target, instructions: Sequence[Instruction]) -> Case:
    """A random state in front of a program."""
    registers = random_bytes(GRF_COUNT * target.platform.grf_bytes, draw(st.integers(0, 1 << 32)))
    flags = tuple(draw(st.integers(0, 0xFFFFFFFF)) for _ in range(target.platform.flag_registers))
    mask = draw(st.sampled_from([0xFFFFFFFF, 0xFFFF, 0xFF, 0]) | st.integers(0, 0xFFFFFFFF))
    return Case(target, tuple(instructions), registers, flags, mask)


@st.composite
def compute_cases(draw: st.DrawFn, target: Target, max_size: int = 12) -> Case:
    """Programs of ALU instructions, matrix products and forward jumps."""
    special = draw(st.integers(0, 3)) == 0
    return draw(_start(target, draw(programs(target, formats=COMPUTE, max_size=max_size, special=special))))


@st.composite
def memory_cases(draw: st.DrawFn, target: Target, max_messages: int = 4, *, compute: bool = True) -> Case:
    """Programs of messages, with ALU instructions between them if `compute`."""
    specs = [BY_MNEMONIC[name] for name in _MESSAGES if target.platform.block2d or not BY_MNEMONIC[name].block2d]
    atomics = [BY_MNEMONIC[name] for name in _ATOMICS]
    body: list[Instruction] = []
    patches: list[tuple[int, int]] = []
    constants: list[tuple[int, bytes]] = []
    first = REGISTERS
    for _ in range(draw(st.integers(1, max_messages))):
        message = draw(messages(target, draw(st.sampled_from(specs) | st.sampled_from(atomics))))
        message = replace(message, address=grf(first))
        place = first * target.platform.grf_bytes
        if message.spec.block2d:
            offset, payload = draw(_surface(message, target))
            patches.append((place, offset))
            constants.append((place + 8, payload))
        elif message.message and message.message.model is AddressModel.SCRATCH:
            constants.append((place, draw(_local_addresses(message, SCRATCH_BYTES))))
        elif message.message and message.message.unit is Unit.SLM:
            constants.append((place, draw(_local_addresses(message, SLM_BYTES))))
        else:
            message, lanes = draw(_lane_addresses(message))
            patches += [(place + 8 * lane, offset) for lane, offset in enumerate(lanes)]
        first += -(-address_bytes(message, target) // target.platform.grf_bytes)
        body += draw(programs(target, max_size=2))[:-1] if compute and draw(st.booleans()) else []
        body.append(message)
    case = draw(_start(target, [*body, Instruction(BY_MNEMONIC["eot"])]))
    registers = bytearray(case.registers)
    for place, data in constants:
        registers[place : place + len(data)] = data
    arena = random_bytes(3 * ARENA_BYTES, draw(st.integers(0, 1 << 32)))
    return replace(case, registers=bytes(registers), arena=arena, addresses=tuple(patches))


@st.composite
def _lane_addresses(draw: st.DrawFn, instruction: Instruction) -> tuple[Instruction, list[int]]:
    """Offsets into the arena for the lanes of a message, which is made to take 64-bit addresses."""
    message = instruction.message
    assert message is not None
    size = message.data_size.memory_bytes
    lanes = 1 if message.transposed else instruction.exec_size
    # Immediate offsets shift all lanes; keep most of them small enough to stay inside.
    offset = message.offset if draw(st.integers(0, 9)) == 0 else size * draw(st.integers(-8, 8))
    span = size * message.vector
    writable = instruction.spec.writes
    starts = [0] if writable or draw(st.booleans()) else [0, READ_ONLY]
    limit = (ARENA_BYTES // 2 - span) // size
    rng = np.random.default_rng(draw(st.integers(0, 1 << 32)))
    if draw(st.integers(0, 3)) == 0:  # lanes meet
        limit = 20
    wanted = [int(rng.choice(starts)) + size * int(rng.integers(8, limit - 8)) for _ in range(lanes)]
    if draw(st.integers(0, 5)) == 0:  # something is wrong with one lane
        wrong = draw(st.sampled_from([1, -1 << 40, ARENA_BYTES, ARENA_BYTES - span + size, READ_ONLY + size]))
        wanted[draw(st.integers(0, lanes - 1))] += wrong
    changed = replace(message, address_size=AddressSize.A64, offset=offset)
    return replace(instruction, message=changed), [place - offset for place in wanted]


@st.composite
def _local_addresses(draw: st.DrawFn, instruction: Instruction, available: int) -> bytes:
    """Addresses in memory of that size, as the payload has them: most lanes inside, some out of bounds."""
    message = instruction.message
    assert message is not None
    size = message.data_size.memory_bytes
    lanes = 1 if message.transposed else instruction.exec_size
    limit = max(available - size * message.vector, 0) // size
    rng = np.random.default_rng(draw(st.integers(0, 1 << 32)))
    addresses = size * rng.integers(0, limit + 1, lanes) - message.offset
    if draw(st.integers(0, 5)) == 0:
        addresses[draw(st.integers(0, lanes - 1))] += draw(st.sampled_from([1, available, 1 << 31]))
    return addresses.astype(f"<i{message.address_size.size}").tobytes()


@st.composite
def _surface(draw: st.DrawFn, instruction: Instruction, target: Target) -> tuple[int, bytes]:
    """A surface in the arena and a position around it: the base's offset, and the payload behind the base."""
    message, limits = instruction.message, target.platform.block2d
    assert message is not None
    assert message.block is not None
    assert limits is not None
    block, size = message.block, message.data_size.memory_bytes
    base = 64 * draw(st.integers(0, 8))
    width = draw(st.sampled_from([64, 68, 96, 128, 192]))
    pitch = -(-width // 16) * 16 + 16 * draw(st.integers(0, 2))
    height = draw(st.integers(1, 30))
    columns = block.width * block.count
    step = max(limits.row_bytes_multiple // size, 1)
    x = step * draw(st.integers(-(columns // step) - 1, width // size // step + 1))
    y = draw(st.integers(-block.height - 1, height + 1))
    shape = (block.width - 1) | (block.height - 1) << 8 | (block.count - 1) << 16
    fields = [width - 1, height - 1, pitch - 1, x & 0xFFFFFFFF, y & 0xFFFFFFFF, shape]
    match draw(st.integers(0, 7)):
        case 0:  # one field is wrong, or too large for the allocation
            index = draw(st.integers(0, 5))
            fields[index] = draw(st.sampled_from([fields[index] ^ 1, 4095, 1 << 24, 0xFFFFFFFF]))
        case 1:  # the surface lies across the end of the allocation, or in read-only memory
            base = draw(st.sampled_from([ARENA_BYTES - 256, READ_ONLY]))
    return base, np.array(fields, "<u4").tobytes()
