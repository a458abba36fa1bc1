"""Encoding: every legal instruction survives a round trip, every word decodes or raises `DecodeError`."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from tests.unit.isa.programs import instructions
from xegpu.isa import decode, encode, validate
from xegpu.isa.layouts import WORD_BYTES
from xegpu.targets import TARGETS


@pytest.mark.parametrize("target", TARGETS.values(), ids=lambda t: t.name)
def test_a_legal_instruction_survives_the_round_trip(target):
    @given(instructions(target))
    @settings(max_examples=300, deadline=None)
    def check(instruction):
        validate(instruction, target, 128)
        data = encode(instruction)
        assert len(data) == instruction.words * WORD_BYTES
        assert decode(data) == instruction

    check()
