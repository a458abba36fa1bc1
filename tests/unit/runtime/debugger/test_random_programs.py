"""Traces take every instruction, and do not change what it does."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from runtime.debugger import InstructionTracer
from runtime.simulator import engines
from runtime.simulator.interpreter import Interpreter
from tests.amounts import examples
from tests.unit.runtime.simulator.images.test_differential import image_cases
from tests.unit.runtime.simulator.programs.differential import assert_engines_agree, compute_cases, memory_cases
from xegpu.targets import ARC, PVC, Target

TARGETS = pytest.mark.parametrize("target", [PVC, ARC], ids=lambda t: t.name)
EXAMPLES = settings(max_examples=examples(30), deadline=None, suppress_health_check=list(HealthCheck))


def read(text: str) -> None:
    """Checks that every line of a trace is a JSON object."""
    for line in text.splitlines():
        assert isinstance(json.loads(line), dict)


class TracedInterpreter(Interpreter):
    """An engine whose instructions are written in both forms."""

    def __init__(self) -> None:
        super().__init__((InstructionTracer(read, as_json=True), InstructionTracer(str.splitlines)))


@pytest.fixture(scope="module", autouse=True)
def traced_engine() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engines, "ENGINES", {**engines.ENGINES, "traced": lambda _: TracedInterpreter()})
        yield


@TARGETS
@EXAMPLES
@given(data=st.data())
def test_computations(data: st.DataObject, target: Target) -> None:
    assert_engines_agree(data.draw(compute_cases(target)), ("interpreter", "traced"))


@TARGETS
@EXAMPLES
@given(data=st.data())
def test_messages(data: st.DataObject, target: Target) -> None:
    assert_engines_agree(data.draw(memory_cases(target)), ("interpreter", "traced"))


@EXAMPLES
@given(data=st.data())
def test_images(data: st.DataObject) -> None:
    assert_engines_agree(data.draw(image_cases()), ("interpreter", "traced"))
