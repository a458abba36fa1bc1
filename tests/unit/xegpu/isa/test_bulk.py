"""A small share of the long runs in tests/bulk, always the same."""

from __future__ import annotations

import random

from tests.bulk.isa import check_decoding, check_encoding, random_instruction
from xegpu.isa import TABLE


def test_random_legal_words_survive_the_round_trips() -> None:
    assert check_encoding(random.Random(1), 800) == 800


def test_random_words_are_instructions_or_errors() -> None:
    assert check_decoding(random.Random(2), 5000) == 5000


def test_every_row_of_the_table_is_sampled() -> None:
    rng = random.Random(3)
    for spec in TABLE:
        assert any(random_instruction(rng, spec) for _ in range(40)), spec.mnemonic
