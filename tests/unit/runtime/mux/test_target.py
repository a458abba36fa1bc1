"""Targets: their builtins, and the messages that they pass on."""

from __future__ import annotations

from passes.frontends.mux import builtins_module
from runtime.mux import NDRangeOptions, Result
from tests.unit.runtime.mux.support import CALLER, empty, needs_clang, refused, run, target

pytestmark = needs_clang


def test_a_target_without_context_is_none() -> None:
    assert target().compiler_info.create_target(None) is None


def test_modules_need_builtins_first() -> None:
    found = target().compiler_info.create_target(target().context)
    assert refused(found.create_module) is Result.FAILURE


def test_builtins_that_are_no_llvm_ir_are_an_invalid_value() -> None:
    found = target().compiler_info.create_target(target().context)
    assert refused(found.init_with_builtins, "int f();") is Result.INVALID_VALUE


def test_modules_may_call_the_builtins_of_their_target() -> None:
    found = target().compiler_info.create_target(target().context)
    found.init_with_builtins("define i32 @helper(i32 %a) {\n  %b = mul i32 %a, 7\n  ret i32 %b\n}")
    part, module = found.create_module(), found.create_module()
    assert part is not None
    assert module is not None
    part.compile_opencl_c("FULL_PROFILE", CALLER.replace("int helper", "int __attribute__((pure)) helper"))
    module.link([part])
    module.finalize()
    assert run(module.create_binary(), "call") == [7 * i for i in range(16)]


def test_the_builtins_of_the_intermediate_representation_are_known() -> None:
    own = """
define void @order(ptr addrspace(1) %x) #0 {
  %i = call i64 @__mux_get_global_id(i32 0)
  %n = call i64 @__mux_get_global_size(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %x, i64 %i
  %last = sub i64 %n, 1
  %back = sub i64 %last, %i
  %value = trunc i64 %back to i32
  store i32 %value, ptr addrspace(1) %p
  ret void
}
declare i64 @__mux_get_global_id(i32)
declare i64 @__mux_get_global_size(i32)
attributes #0 = { "mux-kernel"="entry-point" }
"""
    module = empty()
    module.compile_llvm_ir(own)
    module.finalize()
    assert run(module.create_binary(), "order") == list(range(15, -1, -1))
    kernel = module.get_kernel("order")
    assert kernel is not None
    binary = kernel.create_specialized_kernel(NDRangeOptions((8, 1, 1), (16,), (0,), 1))
    assert run(binary, "order") == list(range(15, -1, -1))


def test_builtins_of_a_target_come_before_those_of_the_compiler() -> None:
    text = """
define spir_kernel void @k(ptr addrspace(1) %x) {
  %b = call i1 @__mux_isftz()
  %v = zext i1 %b to i32
  store i32 %v, ptr addrspace(1) %x
  ret void
}
declare i1 @__mux_isftz()
"""
    for builtins, value in (("define i1 @__mux_isftz() {\n  ret i1 true\n}", 1), (builtins_module(), 0), (None, 0)):
        found = target().compiler_info.create_target(target().context)
        found.init_with_builtins(builtins)
        module = found.create_module()
        assert module is not None
        module.compile_llvm_ir(text)
        module.finalize()
        assert run(module.create_binary(), "k", 1, 1) == [value]


def test_unknown_builtins_are_refused_with_their_line() -> None:
    module = empty()
    module.filename = "k.ll"
    module.compile_llvm_ir(
        "define spir_kernel void @k() {\n  call void @__mux_sorcery()\n  ret void\n}\ndeclare void @__mux_sorcery()"
    )
    assert refused(module.finalize, match="__mux_sorcery") is Result.FINALIZE_PROGRAM_FAILURE
    assert module.log.num_errors == 1


def test_a_callback_takes_all_messages() -> None:
    told: list[str] = []
    found = target().compiler_info.create_target(target().context, lambda message, data: told.append(message))
    found.init_with_builtins()
    module = found.create_module()
    assert module is not None
    refused(module.compile_opencl_c, "FULL_PROFILE", "#warning careful\nkernel void k() { a(); }")
    assert len(told) == 2
    assert "careful" in told[0]
    assert "error" in told[1]
