"""Damaged programs: the tool takes them, or refuses them with located errors. It never fails in any other way."""

from __future__ import annotations

import re
import sys

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from xdsl.dialects.builtin import ModuleOp

from tests.amounts import examples
from tests.unit.xegpu.dialects.corpus import PROGRAMS
from tests.unit.xegpu.dialects.generators.damage import damaged
from tests.unit.xegpu.dialects.support import context, generic
from tools import xegpu_opt
from xegpu.diagnostics import CompileError, SourceBuffer
from xegpu.dialects.upstream.func import signature
from xegpu.mlir import parse_module, verify

TEXTS = [text for path in PROGRAMS if len(text := path.read_text()) < 5000]

_LOCATED = re.compile(r"[^\n]+:\d+:\d+: error: \S")


def read(text: str) -> ModuleOp | CompileError:
    """The module, if the text is one that verifies."""
    try:
        module = parse_module(context(), SourceBuffer("text", text))
        verify(module)
    except CompileError as error:
        return error
    return module


@settings(max_examples=examples(150), derandomize=True)
@given(data=st.data())
def test_damaged_programs_are_refused_with_a_place_or_survive_printing(data):
    module = read(data.draw(damaged(data.draw(st.sampled_from(TEXTS)))))
    if isinstance(module, CompileError):
        assert _LOCATED.match(str(module))
    else:
        assert [str(read(printed)) for printed in (str(module), generic(module))] == [str(module)] * 2


@settings(max_examples=examples(25), derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_the_tool_reports_damage_and_returns_1(data, tmp_path, capfd):
    path = tmp_path / "damaged.mlir"
    path.write_text(data.draw(damaged(data.draw(st.sampled_from(TEXTS)))))
    capfd.readouterr()
    code = xegpu_opt.main([str(path), "-p", "canonicalize,cse"])
    sys.stdout.flush()
    out, err = capfd.readouterr()
    assert "Traceback" not in err
    if code == 0:
        assert out.startswith("module")
    else:
        assert (code, out) == (1, "")
        assert _LOCATED.match(err)


@pytest.mark.parametrize("length", [100, 10_000, 1_000_000])
def test_strings_that_do_not_end_take_linear_time(length):
    text = f'func.func @f() {{\n  "{"x" * length}\n}}'
    assert str(read(text)).startswith("text:2:3: error: expected '\"' at the end of the string")


@pytest.mark.parametrize(
    "function", ["gpu.module @m {{ gpu.func @k({}) kernel {{ gpu.return }} }}", "func.func @f({}) {{ return }}"]
)
def test_functions_with_too_many_arguments_are_not_read_to_their_end(function, monkeypatch):
    monkeypatch.setattr(signature, "MOST_ARGUMENTS", 3)
    for count in (3, 4):
        found = read(function.format(", ".join(f"%a{number}: i32" for number in range(count))))
        assert isinstance(found, ModuleOp) == (count == 3)
    assert "error: a function has at most 3 arguments" in str(found)
