"""Modules in LLVM IR without debug information tell their own lines."""

from __future__ import annotations

import numpy as np
import pytest

from passes.frontends.llvm import import_kernels
from passes.frontends.llvm.places import with_places
from passes.frontends.optimisation import parsed
from runtime import Device
from runtime.ze import ZeError
from xegpu.diagnostics import CompileError

TEXT = """\
; comments; with "quotes"
@text = private constant [3 x i8] c";\\22a"
declare float @unknown(float)

define spir_kernel void @first() { ret void }
define spir_kernel void @k(ptr addrspace(1) %out,
                           i32 %n)
  #0 {
entry: ; "
  switch i32 %n, label %other [ ; cases
    i32 0, label %"one; label"
    i64 7, label %seven
  ] ; last
"one; label": store i32 1, ptr addrspace(1) %out ; "
  ret void
seven:
  store i32 8, ptr addrspace(1) %out
  ret void
other:
  %far = getelementptr i32, ptr addrspace(1) %out, i64 1000
  store i32 3, ptr addrspace(1) %far, align 4
  ret void
}
attributes #0 = { nounwind }
!llvm.module.flags = !{!4}
!4 = !{i32 1, !"wchar_size", i32 4}
""".replace("i64 7", "i32 7")


def test_instructions_have_the_lines_in_which_they_stand() -> None:
    placed = with_places(TEXT, "k.ll")
    parsed(placed)
    assert [line.partition(", !dbg")[0] for line in placed.split("\n")][9:13] == [*TEXT.split("\n")[9:12], "  ]"]
    text = import_kernels(TEXT, "k.ll").ops.first
    assert text is not None
    places = {op.name: str(op.location) for op in text.walk() if op.name in ("cf.switch", "llvm.getelementptr")}
    assert places == {"cf.switch": 'loc("k.ll":10:3)', "llvm.getelementptr": 'loc("k.ll":20:3)'}


def test_faults_name_the_lines() -> None:
    kernel = Device("pvc").compile(TEXT, filename="k.ll", language="llvm")["k"]
    with pytest.raises(ZeError, match=r"source: k\.ll:21:3"):
        kernel[(1,), (1,)](np.zeros(4, np.int32), np.int32(5))


def test_errors_name_the_lines() -> None:
    call = "  %v = call float @unknown(float 1.0)\n  store float %v, ptr addrspace(1) %out\nseven"
    with pytest.raises(CompileError, match=r"^k\.ll:15:3: error: calls 'unknown'"):
        import_kernels(TEXT.replace("  ret void\nseven", f"{call}", 1).replace("seven:", "  ret void\nseven:"), "k.ll")


@pytest.mark.parametrize(
    ("text", "filename"),
    [
        ("!llvm.dbg.cu = !{}\ndefine void @f() {\n  ret void\n}", "k.ll"),
        ("define void @f() {\n  ret void\n}", 'a"b.ll'),
        ("define void @f() {\n  call\n  void @f()\n  ret void\n}", "k.ll"),
        ("nothing", "k.ll"),
    ],
)
def test_other_modules_stay_as_they_are(text: str, filename: str) -> None:
    """Such have debug information, a name that it cannot hold, or instructions in several lines, or are no LLVM IR."""
    assert with_places(text, filename) == text
