"""Every instruction format is described once, and everything that goes by format knows all of them."""

from __future__ import annotations

from dataclasses import fields

import pytest

from runtime.simulator.interpreter.handlers import HANDLERS
from xegpu.isa import TABLE, Instruction, InstructionFormat
from xegpu.isa.formats.parts.word import CONTROL
from xegpu.isa.formats.spec import FORMATS


def test_all_formats_are_described():
    assert set(FORMATS) == set(InstructionFormat) == {spec.format for spec in TABLE}


def test_the_interpreter_handles_all_formats():
    assert set(HANDLERS) == set(InstructionFormat)


@pytest.mark.parametrize("format", InstructionFormat)
def test_a_format_names_fields_of_instructions(format: InstructionFormat):
    assert FORMATS[format].fields <= {field.name for field in fields(Instruction)}


@pytest.mark.parametrize("spec", TABLE, ids=lambda spec: spec.mnemonic)
def test_a_row_has_a_layout_that_begins_with_the_shared_fields(spec):
    layout = FORMATS[spec.format].layout(spec, False)
    assert layout is not None
    assert CONTROL.items() <= layout.items()


@pytest.mark.parametrize("spec", TABLE, ids=lambda spec: spec.mnemonic)
def test_the_distances_of_a_row_are_fields_of_its_format(spec):
    assert set(spec.flow.distances) == FORMATS[spec.format].fields & {"join", "target"}
