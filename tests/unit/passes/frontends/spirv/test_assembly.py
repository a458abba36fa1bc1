"""Text and words of modules: one becomes the other without loss, and what is no module has a line that says why."""

from __future__ import annotations

import struct
import tracemalloc
from pathlib import Path

import pytest

from passes.frontends.spirv import AssemblyError, assemble, disassemble
from tests.paths import ROOT

MODULES = sorted((ROOT / "tests" / "corpus" / "spirv").glob("*.spv"))


def words(data: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(data) // 4}I", data)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_text_of_modules(path: Path) -> None:
    original, again = words(path.read_bytes()), words(assemble(disassemble(path.read_bytes())))
    assert original[1] == again[1]
    assert original[3] >= again[3] > max(0, again[3] - 1)
    assert original[5:] == again[5:]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("%1 = OpTypeInt 16 1\n%2 = OpConstant %1 -2", (0xFFFFFFFE,)),
        ("%1 = OpTypeInt 16 0\n%2 = OpConstant %1 -2", (0xFFFE,)),
        ("%1 = OpTypeInt 64 0\n%2 = OpConstant %1 0x100000002", (2, 1)),
        ("%1 = OpTypeFloat 16\n%2 = OpConstant %1 1.5", (0x3E00,)),
        ("%1 = OpTypeFloat 32\n%2 = OpConstant %1 -0x1p-149", (0x80000001,)),
        ("%1 = OpTypeFloat 64\n%2 = OpConstant %1 1", (0, 0x3FF00000)),
        ("%1 = OpTypeFloat 32\n%2 = OpConstant %1 !0x7fc00001", (0x7FC00001,)),
        ('%name = OpString "a\\"b;c"', (0x62226100 >> 8 | 0x3B000000, 0x63)),
    ],
)
def test_literals(text: str, expected: tuple[int, ...]) -> None:
    assert words(assemble(text))[-len(expected) :] == expected


def test_a_width_costs_no_memory() -> None:
    """A constant of a width that no integer has is printed as it stands, for readers who look for the error."""
    tracemalloc.start()
    data = assemble(f"%1 = OpTypeInt {2**32 - 1} 0\n%2 = OpConstant %1 0xFFFFFFFFFFFFFFFF")
    text = disassemble(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert f"OpConstant %1 {2**64 - 1}" in text
    assert peak < 1 << 20


def test_names_get_numbers_of_their_own() -> None:
    data = words(assemble("%void = OpTypeVoid\n%7 = OpTypeBool ; and a comment\n%other = OpTypeSampler"))
    assert data[3] == 10
    assert data[6::2] == (8, 7, 9)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("OpFoo", "'OpFoo' is no instruction of SPIR-V"),
        ("OpTypeVoid", "OpTypeVoid has a result"),
        ("%1 = OpCapability Kernel", "OpCapability has no result"),
        ("OpCapability", "expected Capability"),
        ("OpCapability Kernel Kernel", "OpCapability has Kernel too much"),
        ("OpCapability Nothing", "Capability has no 'Nothing'"),
        ("%1 = OpTypeInt x 0", "expected a number, got x"),
        ("%1 = OpTypeInt 4294967296 0", "4294967296 does not fit 32 bits"),
        ("%1 = OpConstant %2 5", "the type of its number is not declared before"),
        ("%1 = OpTypeFloat 16\n%2 = OpConstant %1 1e9", "1e9 is no number of 16 bits"),
        ("%99999999999 = OpTypeVoid", "%99999999999 is not between %1 and %4194303"),
        ("% = OpTypeVoid", "expected an id, got %"),
        ('%1 = OpString "open', 'expected a string, got "'),
        ("%1 = OpTypeArray %2", "expected an id"),
        ("=", "'=' is no instruction of SPIR-V"),
        ("%1 =", "expected an instruction"),
        (f"%1 = OpTypeStruct {'%2 ' * 70000}", "OpTypeStruct has 70001 words, at most 65534 are possible"),
    ],
)
def test_what_is_wrong(line: str, message: str) -> None:
    with pytest.raises(AssemblyError) as caught:
        assemble(line)
    assert caught.value.message == message
    assert caught.value.line == 1 + line.count("\n")
