"""Programs in LLVM IR: what is wrong in them is told with their lines, also after other modules are linked to them."""

from __future__ import annotations

import pytest

from runtime.mux import Module, Result
from tests.unit.runtime.mux.support import empty, refused

RECURSIVE = """\
define i32 @f(i32 %n) {
  %m = call i32 @f(i32 %n)
  ret i32 %m
}
define void @k(ptr addrspace(1) %out) "mux-kernel"="entry-point" {
  %r = call i32 @f(i32 1)
  store i32 %r, ptr addrspace(1) %out
  ret void
}
"""
UNKNOWN = """\
declare float @unknown(float)
define void @k(ptr addrspace(1) %out) "mux-kernel"="entry-point" {
  %r = call float @unknown(float 1.0)
  store float %r, ptr addrspace(1) %out
  ret void
}
"""
OTHER = "define void @other(ptr addrspace(1) %out) {\n  ret void\n}\n"


def compiled(text: str) -> Module:
    module = empty()
    module.compile_llvm_ir(text)
    return module


@pytest.mark.parametrize(
    ("text", "line", "message"), [(RECURSIVE, 1, "it calls itself"), (UNKNOWN, 3, "calls 'unknown'")]
)
def test_lines_of_the_program(text: str, line: int, message: str) -> None:
    module = compiled(text)
    assert refused(module.finalize, match=message) is Result.FINALIZE_PROGRAM_FAILURE
    assert f":{line}:" in module.log.text


def test_lines_behind_a_link() -> None:
    whole = empty()
    whole.link([compiled(OTHER), compiled(RECURSIVE)])
    assert refused(whole.finalize, match="it calls itself") is Result.FINALIZE_PROGRAM_FAILURE
    assert f"{whole.filename}:1:" in whole.log.text


def test_builtins_with_other_types() -> None:
    call = "declare i64 @__mux_get_global_id(i32)\n" + RECURSIVE.replace("@f(i32 1)", "@__mux_get_global_id(i32 1)")
    module = compiled(call)
    message = r"line 7: calls '__mux_get_global_id' as i32 \(i32\): expected i64 \(i32\)"
    assert refused(module.finalize, match=message) is Result.FINALIZE_PROGRAM_FAILURE
