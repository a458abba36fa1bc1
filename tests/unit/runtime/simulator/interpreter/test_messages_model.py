"""Random messages, legal and illegal, against loops over lanes, elements and bytes."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from tests.amounts import examples
from tests.unit.runtime.simulator.oracles.message_check import assert_model_agrees
from tests.unit.runtime.simulator.programs.differential import memory_cases
from xegpu.targets import ARC, PVC, Target


@pytest.mark.parametrize("target", [PVC, ARC], ids=lambda t: t.name)
@settings(max_examples=examples(150), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_messages_do_what_the_loops_do(data: st.DataObject, target: Target) -> None:
    assert_model_agrees(data.draw(memory_cases(target, 3, compute=False)))
