"""The scoreboard that is inserted: the checker finds nothing in it, and finds what is taken out of it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.unit.xegpu.isa.native.test_hazards import random_lines
from xegpu.isa.native import (
    NativeInstruction,
    assemble_native,
    encode_native,
    find_hazards,
    native_instructions as decoded,
)
from xegpu.isa.native.encoding.scoreboard import scoreboard_codes, scoreboards
from xegpu.isa.native.scoreboard.insertion import ScoreboardInserter
from xegpu.targets import XE_HPC

HPC = XE_HPC


def inserted(seed: int) -> list[NativeInstruction]:
    code = assemble_native(HPC, "\n".join(random_lines(random.Random(seed))))
    return list(ScoreboardInserter(HPC).block([instruction for _, instruction in decoded(HPC, code)]))


def hazards(instructions: Sequence[NativeInstruction]) -> int:
    return len(find_hazards(HPC, b"".join(map(encode_native, instructions))))


@pytest.mark.parametrize("seed", range(40))
def test_what_is_inserted_is_enough(seed: int) -> None:
    assert hazards(inserted(seed)) == 0


@pytest.mark.parametrize("seed", range(8))
def test_each_wait_is_needed(seed: int) -> None:
    """But for those at the begin and the end of a block, which are for code around it, and those until a message has
    read its registers, which another message to the unit may tell, too.
    """
    _, *instructions, _ = inserted(seed)
    for index, instruction in enumerate(instructions):
        board = scoreboards(instruction.encoding, instruction.opcode.form)[instruction["scoreboard"]]
        without = replace(board, pipe="", distance=None, **({} if not board.kind else {"token": None, "kind": ""}))
        if without == board or board.kind == ".src":
            continue
        code = scoreboard_codes(instruction.encoding, instruction.opcode.form)[without.text]
        changed = replace(instruction, fields={**instruction.fields, "scoreboard": code})
        assert hazards([*instructions[:index], changed, *instructions[index + 1 :]])
