"""Every instruction that computes, with every legal combination of types, against the models that are no engines.

The table is enumerated: a new row, or a new type of a row, without a model fails. The interpreter runs all examples of
nearly all rows, the JIT some of each row; `python -m tests.bulk.isa types` runs all in both.
"""

from __future__ import annotations

import pytest

from tests.unit.runtime.simulator.programs.enumeration import examples
from tests.unit.runtime.simulator.programs.every_type import COMPUTING, MESSAGES, check_all, check_message
from xegpu.isa import BY_MNEMONIC, TABLE, InstructionFormat, OpSpec
from xegpu.targets import ARC, PVC

MOST = 1200
"""Examples of a row that are checked: all of nearly all rows. `tests.bulk.isa types` has no limit."""

JIT_BATCHES = 1


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize("spec", COMPUTING, ids=lambda spec: spec.mnemonic)
def test_all_types_are_computed_as_the_model_does(spec: OpSpec) -> None:
    check_all(spec, PVC, MOST, JIT_BATCHES)


def test_matrix_products_of_a_smaller_engine() -> None:
    check_all(BY_MNEMONIC["dpas"], ARC, MOST, JIT_BATCHES)


@pytest.mark.parametrize("spec", MESSAGES, ids=lambda spec: spec.mnemonic)
def test_all_sizes_and_shapes_are_transferred_as_the_model_does(spec: OpSpec) -> None:
    found = list(examples(spec, PVC))
    assert found
    for seed, instruction in enumerate(found):
        check_message(instruction, PVC, ["interpreter", "jit"] if seed % 16 == 0 else ["interpreter"], seed)


def test_what_has_no_model_here_is_control() -> None:
    """Control flow has models of its own: channels that run alone, and threads that meet at barriers."""
    formats = {spec.format for spec in TABLE if spec not in (*COMPUTING, *MESSAGES)}
    control = {
        InstructionFormat.BRANCH,
        InstructionFormat.GOTO,
        InstructionFormat.JOIN,
        InstructionFormat.CALL,
        InstructionFormat.INDIRECT_CALL,
        InstructionFormat.RETURN,
        InstructionFormat.PLAIN,
    }
    assert formats - control == {InstructionFormat.BARRIER, InstructionFormat.FENCE, InstructionFormat.IMAGE}
