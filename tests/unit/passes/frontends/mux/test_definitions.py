"""Every builtin of ComputeMux has a definition that LLVM takes, and what a module declares wrongly is refused."""

from __future__ import annotations

import pytest

from passes.frontends.llvm import import_kernels
from passes.frontends.mux import BUILTINS, PASSES, MuxIrError, builtins_module, define_builtins, uses_builtins
from passes.frontends.optimisation import IrError, parsed
from xegpu.diagnostics import CompileError

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
        ("declare i64 @__mux_get_local_id(i32, ...)", "as i64 (i32, ...): expected i64 (i32)"),
        ('declare i64 @"__mux_get local_id"(i32)', "declares '__mux_get local_id', which is no builtin"),
        ("declare i1 @__mux_vec_group_any_v4i1(<8 x i1>)", "expected i1 (<4 x i1>)"),
        (
            "declare i1 @__mux_vec_group_any_nxv4i1(<vscale x 4 x i1>)",
            "takes a scalable vector",
        ),
    ],
)
def test_wrong_declarations_are_refused_with_their_lines(declaration: str, message: str) -> None:
    with pytest.raises(MuxIrError) as refused:
        define_builtins(f"; a module\n{declaration}\n{KERNEL}")
    assert message in str(refused.value)
    assert refused.value.line == 2


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("call i32 @__mux_get_global_id(i32 0)", "calls '__mux_get_global_id' as i32 (i32): expected i64 (i32)"),
        ("call i64 @__mux_get_global_id(i64 0)", "calls '__mux_get_global_id' as i64 (i64): expected i64 (i32)"),
        ("call i64 @__mux_get_global_id()", "calls '__mux_get_global_id' as i64 (): expected i64 (i32)"),
    ],
)
def test_wrong_calls_are_refused_with_their_lines(call: str, message: str) -> None:
    """LLVM takes them, and makes nothing of the function."""
    with pytest.raises(MuxIrError) as refused:
        define_builtins(KERNEL.replace("  store", f"  %wrong = {call}\n  store"))
    assert str(refused.value) == f"line 5: {message}"


def test_functions_of_the_module_win() -> None:
    """A target may bring its own definitions."""
    own = "define i64 @__mux_get_global_id(i32 %i) {\n  ret i64 7\n}"
    defined = define_builtins(KERNEL.replace("declare i64 @__mux_get_global_id(i32)", own))
    assert "ret i64 7" in defined
    assert defined.count("define i64 @__mux_get_global_id") == defined.count("@__mux_get_global_id(i32 %i)") == 1


def test_passes_do_a_part() -> None:
    copy = "declare ptr @__mux_dma_read_1D(ptr addrspace(3), ptr addrspace(1), i64, ptr)\n"
    defined = PASSES["define-mux-dma"](copy + KERNEL)
    assert "define internal spir_func ptr @__mux_dma_read_1D" in defined
    assert "declare i64 @__mux_get_global_id(i32)" in defined
    assert PASSES["check-mux-ir"](copy + KERNEL) == copy + KERNEL
    assert "define spir_kernel void @ids" in PASSES["mark-mux-kernels"](KERNEL)
    assert PASSES["define-mux-builtins"](KERNEL) == define_builtins(KERNEL)


@pytest.mark.parametrize("name", PASSES)
def test_passes_refuse_what_is_no_llvm_ir(name: str) -> None:
    with pytest.raises(IrError):
        PASSES[name]("kernel")


def test_recursion_is_named() -> None:
    text = KERNEL.replace("store i64 %i", "%r = call i64 @f(i64 %i)\n  store i64 %r")
    text += "define i64 @f(i64 %n) {\n  %r = call i64 @f(i64 %n)\n  ret i64 %r\n}\n"
    with pytest.raises(CompileError, match="'f' is no kernel, and was not inlined: it calls itself"):
        import_kernels(text)
