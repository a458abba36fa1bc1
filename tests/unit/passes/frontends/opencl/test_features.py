"""Extensions and features: one table, and what each clang lets kernels see."""

from __future__ import annotations

import re

import pytest

from passes.frontends.opencl import EXTENSIONS, FEATURES, REFUSED, Compiler, compile_opencl, find_compiler, translation
from tests.paths import ROOT
from tests.unit.passes.frontends.opencl.test_options import found_compilers
from xegpu.diagnostics import CompileError

needs_clang = pytest.mark.skipif(find_compiler() is None, reason="needs clang, which translates OpenCL C")
SINCE = {
    **dict.fromkeys(("cl_intel_required_subgroup_size", "cl_intel_subgroup_buffer_prefetch"), 16),
    **dict.fromkeys((f"cl_intel_subgroup{name}" for name in ("_local_block_io", "s_char", "s_long")), 16),
    **dict.fromkeys((name for name in FEATURES if "kernel_clock" in name), 20),
}
"""The versions of clang that know macros which older ones do not."""


@needs_clang
@pytest.mark.parametrize("compiler", found_compilers(), ids=lambda compiler: f"clang{compiler.version}")
def test_macros(compiler: Compiler, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels see what the table has, and nothing that is refused."""
    monkeypatch.setattr(translation, "find_compiler", lambda: compiler)
    wanted = [name for name in (*EXTENSIONS, *FEATURES) if compiler.has_whole_header and _knows(compiler, name)]
    text = "".join(
        f"#{test} {name}\n#error {name}\n#endif\n"
        for test, names in (("ifdef", REFUSED), ("ifndef", wanted))
        for name in names
    )
    assert "spir_kernel void @k(" in compile_opencl(f"{text}kernel void k(global int *x) {{ *x = 1; }}")


def _knows(compiler: Compiler, name: str) -> bool:
    return compiler.version >= SINCE.get(name, 0)


@needs_clang
@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("*x = amd_bfe(1u, 2u, 3u);", "amd_bfe"),
        ("*x = arm_dot((uchar4)(1), (uchar4)(2));", "arm_dot"),
    ],
)
def test_functions_of_what_is_refused(text: str, name: str) -> None:
    """The line of the kernel is named, not a symbol."""
    with pytest.raises(CompileError, match=rf"k.cl:1:\d+: error: .*'{name}'"):
        compile_opencl(f"kernel void k(global int *x) {{ {text} }}", "k.cl")


@pytest.mark.docs
def test_page() -> None:
    """The page has the rows of the table."""
    section = re.search(r"## Extensions and features\n(.*?)\n## ", (ROOT / "docs" / "opencl.md").read_text(), re.S)
    assert section is not None
    rows = re.findall(r"`((?:cl_|__opencl_c_)\w+)`", section[1])
    known = [*EXTENSIONS, *FEATURES]
    assert rows[: len(known)] == known
    assert sorted(rows[len(known) :]) == sorted(REFUSED)
