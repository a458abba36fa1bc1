"""Every builtin of ComputeMux has a definition that LLVM takes, and what a module declares wrongly is refused."""

from __future__ import annotations

import pytest

from passes.frontends.mux import BUILTINS, MuxError, builtins_module, define_builtins, uses_builtins
from passes.frontends.optimisation import parsed

KERNEL = """\
declare i64 @__mux_get_global_id(i32)
define void @ids(ptr addrspace(1) %out) #0 {
  %i = call i64 @__mux_get_global_id(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %out, i64 %i
  store i64 %i, ptr addrspace(1) %p
  ret void
}
attributes #0 = { "mux-kernel"="entry-point" }
"""


def test_a_module_defines_every_builtin() -> None:
    functions = {f.name: f for f in parsed(builtins_module()).functions}
    wrong = [row for row in BUILTINS.values() if str(functions[row.name].global_value_type) != row.signature]
    assert wrong == []
    assert [name for name, f in functions.items() if name.startswith("__mux_") and f.is_declaration] == []


def test_definitions_take_the_place_of_declarations() -> None:
    defined = define_builtins(KERNEL)
    assert uses_builtins(KERNEL)
    assert "declare i64 @__mux_get_global_id" not in defined
    assert "define internal spir_func i64 @__mux_get_global_id(i32" in defined
    assert "define spir_kernel void @ids(" in defined
    assert define_builtins(defined).count("define internal spir_func i64 @__mux_get_global_id(i32") == 1


def test_other_modules_are_none_of_computemux() -> None:
    assert not uses_builtins("declare void @other()\ndefine spir_kernel void @k() { ret void }")


@pytest.mark.parametrize(
    ("declaration", "message"),
    [
        ("declare i64 @__mux_get_moon_phase(i32)", "line 2: declares '__mux_get_moon_phase', which is no builtin"),
        (
            "declare i32 @__mux_get_local_id(i32)",
            "line 2: declares '__mux_get_local_id' as i32 (i32): expected i64 (i32)",
        ),
        ("declare i32 @__mux_work_group_reduce_add_i32(i32)", "expected i32 (i32, i32)"),
        ("declare i64 @__mux_work_group_reduce_add_i64(i64, i64)", "as i64 (i64, i64): expected i64 (i32, i64)"),
        ("declare float @__mux_sub_group_reduce_add_f32(float)", "which is no builtin of ComputeMux"),
        ("declare i1 @__mux_vec_group_any_v4i1(<8 x i1>)", "expected i1 (<4 x i1>)"),
    ],
)
def test_wrong_declarations_are_refused_with_their_lines(declaration: str, message: str) -> None:
    with pytest.raises(MuxError) as refused:
        define_builtins(f"; a module\n{declaration}\n{KERNEL}")
    assert message in str(refused.value)
    assert refused.value.line == 2
