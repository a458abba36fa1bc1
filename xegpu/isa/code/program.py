"""The code of one kernel: header word and instructions, as bytes and decoded."""

from __future__ import annotations

import struct
from bisect import bisect_left
from collections.abc import Iterable, Sequence

from xegpu.isa.formats.codec import decode, encode, encode_checked
from xegpu.isa.formats.parts.word import WORD_BYTES, DecodeError
from xegpu.isa.model.instruction import Instruction
from xegpu.on_demand import dataclass
from xegpu.targets import register_sizes

MAGIC = b"XeVISA\0\0"
VERSION = (2, 0)
_HEADER = struct.Struct("<8sHHB3s")


@dataclass(frozen=True)
class Program:
    """Decoded code. `offsets[i]` is the byte offset of `instructions[i]` from the start of the header word."""

    grf_bytes: int
    instructions: tuple[Instruction, ...]
    offsets: tuple[int, ...]

    def index_of(self, offset: int) -> int | None:
        """Returns the index of the instruction at a byte offset; None between or outside instructions."""
        index = bisect_left(self.offsets, offset)
        return index if index < len(self.offsets) and self.offsets[index] == offset else None

    def branch_target(self, index: int) -> int | None:
        """Returns the index of the instruction that the branch at `index` goes to; None when it leaves the program."""
        return self.index_of(self.offsets[index] + self.instructions[index].target)

    def join_target(self, index: int) -> int | None:
        """Returns the index of the instruction where control goes from `index` when no channel is left."""
        return self.index_of(self.offsets[index] + self.instructions[index].join)


def has_header(code: bytes) -> bool:
    """Returns whether the code is of the virtual Xe ISA, of any version, rather than native."""
    return code[: len(MAGIC)] == MAGIC


def encode_header(grf_bytes: int) -> bytes:
    """Returns the header word of code for registers of `grf_bytes` bytes."""
    return _HEADER.pack(MAGIC, *VERSION, grf_bytes, b"\0\0\0")


def encode_program(instructions: Iterable[Instruction], grf_bytes: int) -> bytes:
    """Returns header word and encoded instructions, whose branch targets are distances in bytes."""
    return encode_header(grf_bytes) + b"".join([encode(instruction) for instruction in instructions])


def encode_checked_program(instructions: Iterable[Instruction], grf_bytes: int) -> bytes:
    """Returns the same for instructions that have been validated, but for the distances of branches."""
    return encode_header(grf_bytes) + b"".join([encode_checked(instruction) for instruction in instructions])


def decode_program(code: bytes) -> Program:
    """Decodes a kernel's code (header word first, no padding after the last instruction).

    Raises `DecodeError` naming the offset: no header, another version, an illegal word, or a branch that does not go
    to an instruction of the program.
    """
    if not has_header(code):
        raise DecodeError(0, "no XeVISA header: this is not code of the virtual Xe ISA")
    if len(code) < WORD_BYTES:
        raise DecodeError(0, "the header word is cut short")
    _, major, minor, grf_bytes, reserved = _HEADER.unpack_from(code)
    if major != VERSION[0] or minor > VERSION[1]:
        raise DecodeError(0, f"version {major}.{minor}, this decoder knows {VERSION[0]}.{VERSION[1]}")
    if grf_bytes not in register_sizes() or any(reserved):
        raise DecodeError(0, f"header names registers of {grf_bytes} bytes" if not any(reserved) else "reserved bytes")
    instructions: list[Instruction] = []
    offsets: list[int] = []
    position = WORD_BYTES
    known: dict[bytes, Instruction] = {}
    while position < len(code):
        word = code[position : position + WORD_BYTES]
        instruction = known.get(word)
        words = 1
        if instruction is None:
            instruction = decode(code, position)
            words = instruction.words
            if words == 1:
                known[word] = instruction
        instructions.append(instruction)
        offsets.append(position)
        position += words * WORD_BYTES
    program = Program(grf_bytes, tuple(instructions), tuple(offsets))
    for index, instruction in enumerate(instructions):
        for distance in instruction.distances if instruction.spec.flow.distances else ():
            target = offsets[index] + distance
            if program.index_of(target) is None:
                raise DecodeError(offsets[index], f"branch to {target:#x}, which is not an instruction")
    return program


def instruction_offsets(instructions: Sequence[Instruction]) -> list[int]:
    """Returns the offset in bytes from the first instruction of every instruction, and of the end of the last one."""
    offsets = [0]
    for instruction in instructions:
        offsets.append(offsets[-1] + instruction.words * WORD_BYTES)
    return offsets
