"""Sizes and register layouts of messages."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from tests.unit.xegpu.isa.programs import messages
from xegpu.isa import BY_MNEMONIC, Instruction, assemble_program
from xegpu.isa.formats.message import register_counts
from xegpu.isa.model.messages import block_bytes, block_element_offset, data_bytes
from xegpu.targets import ARC, PVC


def one(line: str, grf_bytes: int = 64) -> Instruction:
    return assemble_program(line, grf_bytes=grf_bytes).instructions[0]


@pytest.mark.parametrize(
    ("line", "pvc", "arc"),
    [
        # Data registers and address registers: lanes are padded to 16 on PVC, to 8 on ARC.
        ("load.ugm.d32.a64 (16|M0) r8 flat[r4]", (1, 2), (2, 4)),
        ("load.ugm.d32.a64 (1|M0) r8 flat[r4]", (1, 1), (1, 1)),
        ("load.ugm.d32x4.a64 (8|M0) r8 flat[r4]", (4, 1), (4, 2)),
        ("load.ugm.d64x3.a32 (16|M0) r8 flat[r4]", (6, 1), (12, 2)),
        ("load.ugm.d16u32.a32 (32|M0) r8 flat[r4]", (2, 2), (4, 4)),
        ("load.ugm.d32x16t.a64 (1|M0) r8 flat[r4]", (1, 1), (2, 1)),
        ("load.ugm.d64x64t.a64 (1|M0) r8 flat[r4]", (8, 1), (16, 1)),
        ("load.ugm.d32x1t.a64 (1|M0) r8 flat[r4]", (1, 1), (1, 1)),
    ],
)
def test_register_counts(line, pvc, arc):
    assert register_counts(one(line), PVC.platform.grf_bytes) == (*pvc, 0)
    assert register_counts(one(line, ARC.platform.grf_bytes), ARC.platform.grf_bytes) == (*arc, 0)


@pytest.mark.parametrize(
    ("line", "pvc", "arc"),
    [
        ("store.ugm.d32x2.a32 (16|M0) flat[r4] r8", (2, 1, 2), (4, 2, 4)),
        ("atomic_iinc.ugm.d32.a64 (16|M0) r8 flat[r4]", (1, 2, 0), (2, 4, 0)),
        ("atomic_iadd.ugm.d64.a64 (16|M0) r8 flat[r4] r12", (2, 2, 2), (4, 4, 4)),
        ("atomic_icas.ugm.d16u32.a64 (8|M0) r8 flat[r4] r12", (1, 1, 2), (1, 2, 2)),
    ],
)
def test_register_counts_of_data(line, pvc, arc):
    assert register_counts(one(line), PVC.platform.grf_bytes) == pvc
    assert register_counts(one(line, ARC.platform.grf_bytes), ARC.platform.grf_bytes) == arc


@pytest.mark.parametrize(
    ("line", "registers"),
    [
        ("load_block2d.ugm.d16.a64 (1|M0) r8 flat[r4] 16x8x1", 4),  # A of a bf dpas
        ("load_block2d.ugm.d16.a64 (1|M0) r8 flat[r4] 16x32x2", 32),
        ("load_block2d.ugm.d16v.a64 (1|M0) r8 flat[r4] 16x16x1", 8),  # B of a bf dpas
        ("load_block2d.ugm.d32.a64 (1|M0) r8 flat[r4] 16x8x1", 8),
        ("load_block2d.ugm.d32.a64 (1|M0) r8 flat[r4] 9x8x1", 8),  # rows padded to 16
        ("load_block2d.ugm.d8.a64 (1|M0) r8 flat[r4] 4x1x4", 4),  # each block padded to a register
        ("load_block2d.ugm.d32t.a64 (1|M0) r8 flat[r4] 8x9x1", 8),  # columns padded to 16
    ],
)
def test_block_sizes(line, registers):
    assert register_counts(one(line), 64)[0] == registers


def test_elements_of_a_plain_block():
    message = one("load_block2d.ugm.d32.a64 (1|M0) r8 flat[r4] 5x3x2").message
    rows = [[block_element_offset(message, 64, 0, row, column) for column in range(5)] for row in range(3)]
    assert rows == [[0, 4, 8, 12, 16], [32, 36, 40, 44, 48], [64, 68, 72, 76, 80]]
    assert block_element_offset(message, 64, 1, 0, 0) == 128


def test_elements_of_a_vnni_block():
    pairs = one("load_block2d.ugm.d16v.a64 (1|M0) r8 flat[r4] 16x4x1").message
    assert [block_element_offset(pairs, 64, 0, row, 3) for row in range(4)] == [12, 14, 76, 78]
    quads = one("load_block2d.ugm.d8v.a64 (1|M0) r8 flat[r4] 16x8x1").message
    assert [block_element_offset(quads, 64, 0, row, 1) for row in range(8)] == [4, 5, 6, 7, 68, 69, 70, 71]


def test_elements_of_a_transposed_block():
    message = one("load_block2d.ugm.d32t.a64 (1|M0) r8 flat[r4] 2x3x1").message
    rows = [[block_element_offset(message, 64, 0, row, column) for column in range(2)] for row in range(3)]
    assert rows == [[0, 16], [4, 20], [8, 24]]


@given(messages(PVC, BY_MNEMONIC["load_block2d"]) | messages(PVC, BY_MNEMONIC["store_block2d"]))
def test_elements_of_a_block_have_their_own_bytes_inside_of_it(instruction):
    message = instruction.message
    size, shape = message.data_size.memory_bytes, message.block
    seen = set()
    for block in range(shape.count):
        for row in range(shape.height):
            for column in range(shape.width):
                start = block_element_offset(message, 64, block, row, column)
                assert block * block_bytes(message, 64) <= start
                assert start + size <= (block + 1) * block_bytes(message, 64)
                seen.add(start)
    assert len(seen) == shape.count * shape.height * shape.width
    assert max(seen) + size <= data_bytes(message, 1, 64, 16) <= PVC.platform.block2d.max_load_bytes


@given(st.data())
def test_every_message_fits_the_targets_limits(data):
    for target in (PVC, ARC):
        instruction = data.draw(messages(target, BY_MNEMONIC["load"]))
        used, _, _ = register_counts(instruction, target.platform.grf_bytes)
        assert used * target.platform.grf_bytes <= target.platform.max_message_bytes


def test_block_functions_refuse_other_messages():
    message = one("load.ugm.d32.a64 (16|M0) r8 flat[r4]").message
    with pytest.raises(ValueError, match="not a block-2D message"):
        block_bytes(message, 64)
    with pytest.raises(ValueError, match="not a block-2D message"):
        block_element_offset(message, 64, 0, 0, 0)
