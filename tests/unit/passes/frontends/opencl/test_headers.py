"""A clang without headers, which takes ours, and functions that its headers do not declare."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from passes.frontends.opencl import Compiler, compile_opencl, find_compiler, own_headers_only, translation
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
    bare = Compiler(_FOUND.path, _FOUND.version, ("-I", OWN_HEADERS))
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


NAMES = ("{path}", "../../../../../../../../../..{path}", "{folder}/../{folder_name}/secret.h")

READS = (
    '#include "{}"\n',
    '#embed "{}"\n',
    '%:include "{}"\n',
    '#define FILE "{}"\n#include FILE\n',
    "#inc\\\nlude <{}>\n",
)


@pytest.mark.sampled(every=4)
@pytest.mark.skipif(_FOUND is None, reason="needs clang, which translates OpenCL C")
def test_sources_that_include_no_files(tmp_path: Path) -> None:
    """A restricted source sees no file of the machine, and works with the compiler's headers."""
    secret = tmp_path / "secret.h"
    secret.write_text("constant char secret[] = SECRET;\n")
    kernel = "kernel void k(global float *a) { a[get_global_id(0)] = cos(a[0]) + intel_sub_group_shuffle(a[1], 0u); }\n"
    names = [name.format(path=secret, folder=tmp_path, folder_name=tmp_path.name) for name in NAMES]
    with own_headers_only():
        assert "define" in compile_opencl(kernel, "k.cl")
        for name, read in itertools.product(names, READS):
            with pytest.raises(CompileError) as caught:
                compile_opencl(read.format(name) + kernel, "k.cl")
            assert "SECRET" not in str(caught.value)
        seen = f'#if __has_include("{secret}")\n#error seen\n#endif\n'
        assert "define" in compile_opencl(seen + kernel, "k.cl")
    with pytest.raises(CompileError, match="SECRET"):
        compile_opencl(READS[0].format(secret) + kernel, "k.cl")
