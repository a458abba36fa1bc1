"""The native opcodes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum

from xegpu.isa.native.layouts.forms import NativeForm
from xegpu.on_demand import dataclass


class Part(Enum):
    """A part of instructions that not all of them have; the value is its letter in the table."""

    CONDITION = "C"
    MODIFIERS = "M"
    PREDICATE = "P"
    SATURATE = "S"


@dataclass(frozen=True)
class NativeOpcode:
    """An opcode: its mnemonic, its code, the form of its words, the number of sources, and the parts it may have."""

    mnemonic: str
    code: int
    form: NativeForm
    sources: int
    parts: frozenset[Part]

    @property
    def is_branch(self) -> bool:
        return self.form in (NativeForm.JUMP, NativeForm.BRANCH, NativeForm.CALL)

    @property
    def complements(self) -> bool:
        """True if a negated source is its bitwise complement."""
        return self.mnemonic in _COMPLEMENTING


_ROWS: Mapping[NativeForm, tuple[int, str]] = {
    NativeForm.ILLEGAL: (0, "00 illegal"),
    NativeForm.NOP: (0, "60 nop"),
    NativeForm.SYNC: (1, "01 sync"),
    NativeForm.JUMP: (1, "20 jmpi P, 21 brd P, 25 endif, 27 while P, 2D ret P, 2F join P"),
    NativeForm.BRANCH: (2, "22 if P, 23 brc P, 24 else, 28 break P, 29 cont P, 2A halt P, 2E goto P"),
    NativeForm.CALL: (1, "2B calla P, 2C call P"),
    NativeForm.SEND: (2, "31 send P, 32 sendc P"),
    NativeForm.MATH: (1, "38 math MPS"),
    NativeForm.ONE: (
        1,
        "43 frc CMP, 44 rndu CMPS, 45 rndd CMPS, 46 rnde CMPS, 47 rndz CMPS, 4A lzd CMPS, 4B fbh P, 4C fbl P, "
        "4D cbit P, 61 mov CMPS, 64 not CMP, 77 bfrev P",
    ),
    NativeForm.TWO: (
        2,
        "40 add CMPS, 41 mul CMPS, 42 avg CMPS, 48 mac CMPS, 49 mach MP, 4E addc CP, 4F subb CPS, 53 macl MP, "
        "54 srnd S, 62 sel CMPS, 63 movi MPS, 65 and CMP, 66 or CMP, 67 xor CMP, 68 shr CMPS, 69 shl CMPS, "
        "6C asr CMPS, 6E ror CP, 6F rol CP, 70 cmp CMP, 71 cmpn CMP, 79 bfi1 P",
    ),
    NativeForm.THREE: (3, "52 add3 CMPS, 58 dp4a CPS, 5B mad CMPS, 72 csel CMS, 78 bfe P, 7A bfi2 P"),
    NativeForm.MADM: (3, "5D madm MP"),
    NativeForm.BFN: (3, "6B bfn CP"),
    NativeForm.DPAS: (3, "59 dpas, 5A dpasw"),
}
"""Number of sources, and opcodes with their parts, by form."""

_COMPLEMENTING = frozenset({"not", "and", "or", "xor"})


def _opcodes() -> Iterator[NativeOpcode]:
    for form, (sources, row) in _ROWS.items():
        for entry in row.split(", "):
            code, mnemonic, *letters = entry.split()
            parts = frozenset(map(Part, "".join(letters)))
            yield NativeOpcode(mnemonic, int(code, 16), form, sources, parts)


OPCODES = tuple(_opcodes())
BY_MNEMONIC = {op.mnemonic: op for op in OPCODES}


def opcodes_without(*mnemonics: str) -> Mapping[int, NativeOpcode]:
    """Returns the opcodes of a generation that lacks some, by code."""
    return {opcode.code: opcode for opcode in OPCODES if opcode.mnemonic not in mnemonics}
