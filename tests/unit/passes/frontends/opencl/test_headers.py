"""A clang without headers, which takes ours, and functions that its headers do not declare."""

from __future__ import annotations

import pytest

from passes.frontends.opencl import Compiler, compile_opencl, find_compiler, translation
from passes.frontends.opencl.compilers import OWN_HEADERS
from passes.frontends.opencl.declarations import declarations
from tests.peer.opencl.cases import Case, cases
from xegpu.diagnostics import CompileError

_FOUND = find_compiler()


@pytest.mark.skipif(_FOUND is None, reason="needs clang, which translates OpenCL C")
@pytest.mark.sampled(every=20)
@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_kernels_with_our_header(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _FOUND is not None
    bare = Compiler(_FOUND.path, _FOUND.version, OWN_HEADERS)
    monkeypatch.setattr(translation, "find_compiler", lambda: bare)
    assert f"@{case.name}(" in compile_opencl(case.text)


def test_a_machine_without_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(translation, "find_compiler", lambda: None)
    with pytest.raises(CompileError, match=r"pip install xegpu-toolkit\[opencl\]"):
        compile_opencl("kernel void k() {}", "k.cl")


def test_only_functions_that_a_text_does_not_declare_are_declared() -> None:
    name = "intel_sub_group_f16_f16_matrix_mad_k16"
    use = f"c = {name}(a, b, c);"
    # For subgroups of 16 and of 8, four numbers of rows, and two types of sums.
    assert declarations(use, has_whole_header=True).count(name) == 16
    assert declarations(f"float8 {name}(short8, int8, float8); {use}", has_whole_header=True) == ""
    shuffle = "return intel_sub_group_shuffle_up(a, b, 1);"
    assert declarations(shuffle, has_whole_header=True) == ""
    assert "float4 __attribute__((overloadable, convergent)) intel_sub_group_shuffle_up(float4, float4, uint);" in (
        declarations(shuffle, has_whole_header=False)
    )
