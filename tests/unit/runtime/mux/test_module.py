"""The life of a module: sources, links, finalisation, binaries, bytes."""

from __future__ import annotations

import contextlib
import hashlib
import json
import random
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import zebin
from passes.frontends.spirv import assemble
from runtime.mux import (
    BuildLog,
    InputHeader,
    Module,
    ModuleState,
    MuxError,
    OptionsMode,
    PassMachinery,
    Result,
    SpirvDeviceInfo,
    compile_source,
)
from runtime.mux.program.serialization import MAGIC
from tests.unit.runtime.mux.support import CALLER, empty, needs_clang, opencl, refused, run, target
from zebin.ze_info import UserAttributes

pytestmark = needs_clang

SQUARES = "kernel void squares(global int *x) { size_t i = get_global_id(0); x[i] *= x[i]; }"
HELPER = "int helper(int a) { return 3 * a + 1; }"
LLVM = """
define spir_kernel void @negate(ptr addrspace(1) %x) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %x, i64 %i
  %a = load i32, ptr addrspace(1) %p
  %b = sub i32 0, %a
  store i32 %b, ptr addrspace(1) %p
  ret void
}
declare spir_func i64 @_Z13get_global_idj(i32)
"""
SPIRV = """
               OpCapability Kernel
               OpCapability Addresses
               OpCapability Linkage
               OpMemoryModel Physical64 OpenCL
               OpEntryPoint Kernel %f "fill"
               OpExecutionMode %f LocalSize 8 1 1
               OpName %x "x"
               OpDecorate %count SpecId 7
       %uint = OpTypeInt 32 0
       %void = OpTypeVoid
        %ptr = OpTypePointer CrossWorkgroup %uint
      %count = OpSpecConstant %uint 42
         %ft = OpTypeFunction %void %ptr
          %f = OpFunction %void None %ft
          %x = OpFunctionParameter %ptr
      %start = OpLabel
               OpStore %x %count Aligned 4
               OpReturn
               OpFunctionEnd
"""


class TestSources:
    def test_a_program_in_opencl_c_becomes_a_binary(self) -> None:
        module = opencl(SQUARES)
        assert module.state is ModuleState.COMPILED_OBJECT
        module.finalize()
        assert module.state is ModuleState.FINALIZED
        assert run(module.create_binary(), "squares") == [i * i for i in range(16)]
        assert module.log == BuildLog()

    def test_binaries_are_the_same_at_every_call(self) -> None:
        module = opencl(SQUARES)
        module.finalize()
        assert module.create_binary() == module.create_binary()

    def test_headers_are_included_by_their_names(self) -> None:
        module = empty()
        headers = [
            InputHeader("#define N 5\n", "n.h"),
            InputHeader('#include "n.h"\nint f(int a) { return a + N; }', "a/f.h"),
        ]
        source = '#include "a/f.h"\nkernel void k(global int *x) { x[get_global_id(0)] = f(N); }'
        module.compile_opencl_c("FULL_PROFILE", source, headers)
        module.finalize()
        assert run(module.create_binary(), "k")[3] == 10

    @pytest.mark.parametrize("name", ["", "../up.h", "/etc/h.h", "a/../../b.h", "."])
    def test_a_header_outside_of_the_program_is_refused(self, name: str) -> None:
        module = empty()
        compile = module.compile_opencl_c
        assert refused(compile, "FULL_PROFILE", SQUARES, [InputHeader("", name)]) is Result.COMPILE_PROGRAM_FAILURE
        assert module.log.num_errors == 1

    @pytest.mark.parametrize(("profile", "value"), [("FULL_PROFILE", 1), ("EMBEDDED_PROFILE", 2)])
    def test_the_profile_is_visible_to_the_program(self, profile: str, value: int) -> None:
        module = empty()
        text = (
            "#ifdef __EMBEDDED_PROFILE__\n#define V 2\n#else\n#define V 1\n#endif\n"
            "kernel void k(global int *x) { *x = V; }"
        )
        module.compile_opencl_c(profile, text)
        module.finalize()
        assert run(module.create_binary(), "k", 1, 1) == [value]

    def test_an_unknown_profile_is_an_invalid_value(self) -> None:
        assert refused(empty().compile_opencl_c, "HALF_PROFILE", SQUARES, match="expected FULL_PROFILE") is (
            Result.INVALID_VALUE
        )

    def test_errors_are_counted_and_logged_and_the_module_stays_empty(self) -> None:
        log = BuildLog()
        module = empty(log=log)
        module.filename = "bad.cl"
        assert refused(module.compile_opencl_c, "FULL_PROFILE", "kernel void k() { a = 1;\n b = 2; }") is (
            Result.COMPILE_PROGRAM_FAILURE
        )
        assert log.num_errors == 2
        assert "bad.cl:1:19: error: use of undeclared identifier 'a'" in log.text
        assert "bad.cl:2:2: error: use of undeclared identifier 'b'" in log.text
        assert module.state is ModuleState.NONE

    def test_warnings_are_logged_and_not_counted(self) -> None:
        module = opencl("#warning careful\nkernel void k() {}")
        assert module.log.num_errors == 0
        assert "warning: careful" in module.log.text

    def test_a_program_in_spirv_tells_its_work_group(self) -> None:
        module = empty()
        info = module.compile_spirv(assemble(SPIRV))
        assert info.work_group_size == (8, 1, 1)
        program = module.finalize()
        assert [(kernel.name, kernel.arguments[0].name) for kernel in program.kernels] == [("fill", "x")]
        assert run(module.create_binary(), "fill")[0] == 42

    def test_constants_of_spirv_are_specialised(self) -> None:
        module = empty()
        module.compile_spirv(np.frombuffer(assemble(SPIRV), np.uint32).tolist(), None, {7: b"\7\0\0\0"})
        module.finalize()
        assert run(module.create_binary(), "fill")[0] == 7

    @pytest.mark.parametrize(
        ("device", "result", "reason"),
        [
            (
                SpirvDeviceInfo(capabilities=["Kernel", "Linkage"]),
                Result.COMPILE_PROGRAM_FAILURE,
                "capability Addresses",
            ),
            (SpirvDeviceInfo(addressing_model="Physical32"), Result.INVALID_VALUE, "addressing model Physical32"),
            (SpirvDeviceInfo(memory_model="Vulkan"), Result.INVALID_VALUE, "memory model Vulkan"),
            (SpirvDeviceInfo(address_bits=32), Result.INVALID_VALUE, "width of addresses 32"),
        ],
    )
    def test_a_device_bounds_what_spirv_uses(self, device: SpirvDeviceInfo, result: Result, reason: str) -> None:
        assert refused(empty().compile_spirv, assemble(SPIRV), device, match=reason) is result

    @pytest.mark.parametrize("code", [b"", b"\3\2\x23\7", assemble(SPIRV)[:-9], [1, 2, 3]])
    def test_broken_spirv_is_refused(self, code: bytes | list[int]) -> None:
        module = empty()
        assert refused(module.compile_spirv, code) is Result.COMPILE_PROGRAM_FAILURE
        assert module.log.num_errors == 1

    def test_unknown_specialization_constants_are_refused(self) -> None:
        compile = empty().compile_spirv
        assert refused(compile, assemble(SPIRV), None, {8: b"\0\0\0\0"}, match="SpecId 8") is (
            Result.COMPILE_PROGRAM_FAILURE
        )

    def test_llvm_ir_is_a_source(self) -> None:
        module = empty()
        module.compile_llvm_ir(LLVM)
        module.finalize()
        assert run(module.create_binary(), "negate") == [-i for i in range(16)]

    @pytest.mark.parametrize(
        "text", ["define", "define void @f() { ret i32 0 }", "\0", "@x = global i32 %y", "; \ud800"]
    )
    def test_broken_llvm_ir_is_refused(self, text: str) -> None:
        module = empty()
        assert refused(module.compile_llvm_ir, text) is Result.COMPILE_PROGRAM_FAILURE
        assert module.log.num_errors == 1

    def test_a_module_without_kernels_is_a_binary_without_kernels(self) -> None:
        module = opencl("int f(int a) { return a; }")
        assert module.finalize().kernels == ()
        assert zebin.read(module.create_binary()).kernels == {}


class TestProgramInfo:
    def test_kernels_have_arguments_as_the_source_declares_them(self) -> None:
        text = (
            "k"
            "e"
            "r"
            "n"
            "e"
            "l"
            " "
            "_"
            "_"
            "a"
            "t"
            "t"
            "r"
            "i"
            "b"
            "ute__((reqd_work_group_size(4, 2, 1))) void k(global const float4 *a, local int *b, uchar c) {}"
        )
        (kernel,) = opencl(text, "-cl-kernel-arg-info").finalize().kernels
        assert [(a.name, a.type_name, a.address_qualifier, a.type_qualifiers) for a in kernel.arguments] == [
            ("a", "float4*", "global", "const"),
            ("b", "int*", "local", ""),
            ("c", "uchar", "private", ""),
        ]
        assert kernel.required_work_group_size == (4, 2, 1)
        assert kernel.has_argument_info

    def test_prints_have_formats_types_and_strings(self) -> None:
        text = 'kernel void k(int a, float b) { printf("%d %s %f\\n", a, "word", b); printf("done\\n"); }'
        calls = opencl(text).finalize().printf_calls
        assert [call.format for call in calls] == ["%d %s %f\n", "done\n"]
        assert calls[0].strings == ("word",)
        assert [calls[0].types[0], calls[0].types[2], len(calls[0].types)] == ["i32", "f64", 3]

    def test_hints_of_work_groups_are_known(self) -> None:
        text = "kernel __attribute__((work_group_size_hint(4, 2, 2))) void k() {}"
        (kernel,) = opencl(text).finalize().kernels
        assert kernel.work_group_size_hint == (4, 2, 2)

    @pytest.mark.parametrize(
        ("written", "hint", "subgroup"),
        [
            ("", (0, 0, 0), 0),
            ("work_group_size_hint(1, 1, 1)", (1, 1, 1), 0),
            ("intel_reqd_sub_group_size(8)", (0, 0, 0), 8),
        ],
    )
    def test_binary_has_the_attributes_of_the_source(
        self, written: str, hint: tuple[int, int, int], subgroup: int
    ) -> None:
        """No others are stated: the subgroup size of other kernels is the choice of the compiler."""
        binary = compile_source(f"kernel __attribute__(({written})) void k(global int *x) {{ *x = 1; }}", "arc", "k.cl")
        info = zebin.read(binary).ze_info
        assert info is not None
        found = info.kernels[0].user_attributes or UserAttributes()
        assert (found.work_group_size_hint, found.intel_reqd_sub_group_size) == (hint, subgroup)


class TestLinking:
    def test_several_modules_become_one(self) -> None:
        module = empty()
        module.link([opencl(CALLER), opencl(HELPER), opencl(SQUARES)])
        assert module.state is ModuleState.EXECUTABLE
        assert {kernel.name for kernel in module.finalize().kernels} == {"call", "squares"}
        assert run(module.create_binary(), "call") == [3 * i + 1 for i in range(16)]

    def test_languages_link_with_each_other(self) -> None:
        negate = empty()
        negate.compile_llvm_ir(LLVM)
        module = empty()
        module.link([opencl(SQUARES), negate])
        module.finalize()
        assert run(module.create_binary(), "negate")[5] == -5

    @pytest.mark.parametrize("size", [12, 8])
    def test_subgroup_sizes_that_the_device_has_not(self, size: int) -> None:
        text = f"__attribute__((intel_reqd_sub_group_size({size}))) kernel void k(global int *a) {{ a[0] = 1; }}"
        assert refused(opencl(text).finalize, match=f"requires subgroups of {size} work-items") is (
            Result.FINALIZE_PROGRAM_FAILURE
        )

    def test_a_library_may_lack_functions_and_lends_its_own(self) -> None:
        library = empty()
        library.parse_options("-create-library", OptionsMode.LINK)
        library.link([opencl("int deeper(int); int helper(int a) { return deeper(a) + 1; }")])
        assert library.state is ModuleState.LIBRARY
        assert refused(library.finalize) is Result.FINALIZE_PROGRAM_FAILURE
        module = empty()
        module.link([opencl(CALLER), library, opencl("int deeper(int a) { return 2 * a; }")])
        module.finalize()
        assert run(module.create_binary(), "call") == [2 * i + 1 for i in range(16)]

    def test_modules_that_are_linked_stay_as_they_were(self) -> None:
        parts = [opencl(CALLER), opencl(HELPER)]
        empty().link(parts)
        second = empty()
        second.link(parts)
        assert [part.state for part in parts] == 2 * [ModuleState.COMPILED_OBJECT]
        second.finalize()

    @pytest.mark.parametrize(
        ("sources", "reason"),
        [
            ([CALLER], "undefined: helper"),
            ([CALLER, HELPER, HELPER], "helper"),
            ([CALLER, "extern constant int table; int helper(int a) { return table; }"], "undefined: table"),
        ],
    )
    def test_what_does_not_fit_is_named(self, sources: list[str], reason: str) -> None:
        module = empty()
        assert refused(module.link, [opencl(source) for source in sources], match=reason) is Result.LINK_PROGRAM_FAILURE
        assert module.log.num_errors == 1
        assert module.state is ModuleState.NONE

    def test_modules_for_another_device_do_not_link(self) -> None:
        assert refused(empty().link, [opencl(SQUARES, gpu="arc")], match="is for arc") is Result.LINK_PROGRAM_FAILURE

    def test_no_module_and_itself_are_invalid_values(self) -> None:
        module = empty()
        assert refused(module.link, []) is Result.INVALID_VALUE
        assert refused(module.link, [module]) is Result.INVALID_VALUE


class TestStates:
    """Each call in each state in which it does not make sense."""

    def in_state(self, state: ModuleState) -> Module:
        if state is ModuleState.NONE:
            return empty()
        if state in (ModuleState.COMPILED_OBJECT, ModuleState.FINALIZED):
            module = opencl(SQUARES)
            if state is ModuleState.FINALIZED:
                module.finalize()
            return module
        module = empty()
        if state is ModuleState.LIBRARY:
            module.parse_options("-create-library", OptionsMode.LINK)
        module.link([opencl(SQUARES)])
        return module

    @pytest.mark.parametrize("state", [state for state in ModuleState if state is not ModuleState.NONE])
    def test_only_an_empty_module_is_compiled_or_linked(self, state: ModuleState) -> None:
        module = self.in_state(state)
        assert module.state is state
        assert refused(module.compile_opencl_c, "FULL_PROFILE", SQUARES) is Result.COMPILE_PROGRAM_FAILURE
        assert refused(module.compile_spirv, assemble(SPIRV)) is Result.COMPILE_PROGRAM_FAILURE
        assert refused(module.compile_llvm_ir, LLVM) is Result.COMPILE_PROGRAM_FAILURE
        assert refused(module.link, [opencl(SQUARES)]) is Result.LINK_PROGRAM_FAILURE
        assert module.state is state
        assert module.log.num_errors == 4

    @pytest.mark.parametrize("state", [ModuleState.NONE, ModuleState.LIBRARY, ModuleState.FINALIZED])
    def test_only_a_program_is_finalised_and_once(self, state: ModuleState) -> None:
        assert refused(self.in_state(state).finalize, match="cannot be finalised") is Result.FINALIZE_PROGRAM_FAILURE

    @pytest.mark.parametrize("state", [state for state in ModuleState if state is not ModuleState.FINALIZED])
    def test_only_a_finalised_module_has_binaries_and_kernels(self, state: ModuleState) -> None:
        module = self.in_state(state)
        assert refused(module.create_binary) is Result.FINALIZE_PROGRAM_FAILURE
        assert refused(lambda: module.program_info) is Result.FINALIZE_PROGRAM_FAILURE
        assert module.finalized_llvm_module is None
        assert module.get_kernel("squares") is None
        assert module.create_kernel("squares") is None

    @pytest.mark.parametrize("state", [ModuleState.NONE, ModuleState.FINALIZED])
    def test_only_what_is_compiled_and_not_finalised_is_linked(self, state: ModuleState) -> None:
        assert refused(empty().link, [self.in_state(state)], match="module 0 is") is Result.LINK_PROGRAM_FAILURE

    def test_an_empty_module_has_no_bytes(self) -> None:
        assert refused(empty().serialize) is Result.INVALID_VALUE
        assert refused(empty().size) is Result.INVALID_VALUE

    @pytest.mark.parametrize("state", ModuleState)
    def test_a_cleared_module_is_like_a_new_one(self, state: ModuleState) -> None:
        module = self.in_state(state)
        refused(module.link, [])
        module.clear()
        assert (module.state, module.llvm_module, module.log) == (ModuleState.NONE, None, BuildLog())
        module.compile_opencl_c("FULL_PROFILE", SQUARES)
        module.finalize()
        assert module.get_kernel("squares") is not None


class TestFinalisation:
    @pytest.mark.parametrize(
        ("source", "reason"),
        [
            (
                "int f(int n); int g(int n) { return n ? f(n - 1) : 0; } int f(int n) { return g(n); }"
                "kernel void k(global int *x) { *x = f(*x); }",
                "not inlined",
            ),
            ("int own(int); kernel void k(global int *x) { *x = own(*x); }", "own"),
            ("int __attribute__((overloadable)) sine(int); kernel void k(global int *x) { *x = sine(*x); }", "sine"),
            ('kernel void k(global int *x) { __asm__("nop"); *x = 1; }', "inline assembly"),
        ],
        ids=["recursion", "function", "builtin", "assembly"],
    )
    def test_what_no_kernel_can_do_is_a_result_and_a_message(self, source: str, reason: str) -> None:
        module = opencl(source)
        assert refused(module.finalize, match=reason) is Result.FINALIZE_PROGRAM_FAILURE
        assert module.log.num_errors == 1
        assert "error: " in module.log.text
        assert module.state is ModuleState.COMPILED_OBJECT

    def test_code_that_does_not_fit_the_device_is_refused_by_name(self) -> None:
        module = opencl(
            "kernel void k(global int *x) { local int a[1 << 20]; a[get_local_id(0)] = *x; barrier(1); *x = a[*x]; }"
        )
        module.finalize()
        assert refused(module.create_binary) is Result.FINALIZE_PROGRAM_FAILURE
        assert module.log.num_errors == 1

    def test_the_fewest_passes_give_the_same_numbers(self) -> None:
        text = (
            "int f(int a) { int s = 0; for (int i = 0; i < a; i++) s += i * i; return s; "
            "} kernel void k(global int *x) { x[get_global_id(0)] = f(get_global_id(0)); }"
        )
        plain, fast = opencl(text, "-cl-opt-disable"), opencl(text)
        for module in (plain, fast):
            module.finalize()
        assert plain.finalized_llvm_module != fast.finalized_llvm_module
        assert run(plain.create_binary(), "k") == run(fast.create_binary(), "k")


class TestBytes:
    @pytest.mark.parametrize("steps", [[], ["finalize"]], ids=["compiled", "finalised"])
    def test_bytes_become_the_module_again(self, steps: list[str]) -> None:
        module = opencl(SQUARES, "--grf-count 256")
        for step in steps:
            getattr(module, step)()
        data = module.serialize()
        assert len(data) == module.size()
        other = empty()
        assert other.deserialize(data)
        assert (other.state, other.options) == (module.state, module.options)
        for each in (module, other):
            if not steps:
                each.finalize()
        assert other.program_info == module.program_info
        assert other.create_binary() == module.create_binary()

    def test_a_linked_module_keeps_its_state(self) -> None:
        module, other = empty(), empty()
        module.link([opencl(CALLER), opencl(HELPER)])
        assert other.deserialize(module.serialize())
        assert other.state is ModuleState.EXECUTABLE

    @pytest.mark.sampled(every=3)
    def test_another_process_runs_it(self, tmp_path: Path) -> None:
        module = opencl(SQUARES)
        module.finalize()
        (tmp_path / "m.bin").write_bytes(module.serialize())
        code = (
            "import sys, pathlib; from runtime.mux import *;"
            "t = get_info('pvc').create_target(Context()); t.init_with_builtins(); m = t.create_module();"
            "assert m.deserialize(pathlib.Path(sys.argv[1]).read_bytes());"
            "pathlib.Path(sys.argv[2]).write_bytes(m.create_binary())"
        )
        subprocess.run([sys.executable, "-c", code, tmp_path / "m.bin", tmp_path / "k.zebin"], check=True)
        assert run((tmp_path / "k.zebin").read_bytes(), "squares")[4] == 16

    def test_hostile_bytes_are_refused_and_change_nothing(self) -> None:
        draw = random.Random(19)
        data = opencl(SQUARES).serialize()
        module = opencl(HELPER)
        text = module.llvm_module
        broken = [b"", data[:8], data[:40], data[:-1], data + b"\0", bytes(len(data))]
        for _ in range(40):
            changed = bytearray(data)
            changed[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
            broken.append(bytes(changed))
        for number, each in enumerate(broken, 1):
            assert not module.deserialize(each)
            assert module.log.num_errors == number
        assert (module.state, module.llvm_module) == (ModuleState.COMPILED_OBJECT, text)

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("target", 3),
            ("target", "gen9"),
            ("state", "NONE"),
            ("state", "ELSEWHERE"),
            ("state", None),
            ("text", ["define"]),
            ("text", "define void @f() { ret i32 0 }"),
            ("options", []),
            ("options", {}),
            ("options", {"device": {"--grf-count": "1e9"}}),
            ("options", {"device": {"--sorcery": ""}}),
            ("options", {"device": {"--no-debug-info": "yes"}}),
            ("options", {"precache_local_sizes": [[1, 1]]}),
            ("options", {"precache_local_sizes": [[0, 1, 1]]}),
            ("options", {"compiler": [1]}),
            ("options", {"is_optimised": 1}),
        ],
    )
    def test_hostile_fields_are_refused(self, field: str, value: object) -> None:
        data = opencl(SQUARES).serialize()
        start = len(MAGIC) + 32
        fields = json.loads(data[start:])
        fields[field] = {**fields[field], **value} if isinstance(value, dict) and value else value
        body = json.dumps(fields).encode()
        module = empty()
        assert not module.deserialize(MAGIC + hashlib.sha256(body).digest() + body)
        assert module.log.num_errors == 1

    @pytest.mark.parametrize("body", [b"", b"[]", b"{}", b"null", b"[" * 100000, b"\xff", b'{"target": "pvc"}'])
    def test_hostile_bodies_are_refused(self, body: bytes) -> None:
        module = empty()
        assert not module.deserialize(MAGIC + hashlib.sha256(body).digest() + body)

    def test_hostile_text_is_refused_or_compiled(self) -> None:
        draw = random.Random(5)
        module = opencl(SQUARES)
        module.finalize()
        data = module.serialize()
        fields = json.loads(data[len(MAGIC) + 32 :])
        text = fields["text"]
        for _ in range(60):
            place, count = draw.randrange(len(text)), draw.randrange(1, 12)
            fields["text"] = text[:place] + draw.choice(["", "i64", "%", "0", text[:count]]) + text[place + count :]
            body = json.dumps(fields).encode()
            other = empty()
            if other.deserialize(MAGIC + hashlib.sha256(body).digest() + body):
                with contextlib.suppress(MuxError):
                    other.create_binary()

    def test_bytes_for_another_device_are_refused(self) -> None:
        module = empty("arc")
        assert not module.deserialize(opencl(SQUARES).serialize())
        assert "is for pvc, not for arc" in module.log.text


class TestPasses:
    def test_users_add_passes_to_each_step(self) -> None:
        seen: list[str] = []

        class Watched(Module):
            def initialize_pass_machinery_for_frontend(self, machinery: PassMachinery) -> None:
                machinery.register_pass("count-kernels", lambda text: seen.append("front end") or text)
                machinery.pipeline.append("count-kernels")

            def initialize_pass_machinery_for_finalize(self, machinery: PassMachinery) -> None:
                super().initialize_pass_machinery_for_finalize(machinery)
                machinery.after.append(lambda name, text: seen.append(name))

            def get_late_target_passes(self, machinery: PassMachinery) -> Sequence[str]:
                machinery.register_pass("triple", lambda text: text.replace("mul nsw i32", "add nsw i32"))
                return machinery.parse_pass_pipeline("triple, instcombine")

        own = target()
        module = Watched(own, own.context, BuildLog())
        module.compile_opencl_c("FULL_PROFILE", SQUARES)
        assert seen == ["front end"]
        module.finalize()
        assert seen[1:3] == ["define-mux-builtins", "define-builtins"]
        assert seen[-2:] == ["triple", "instcombine"]
        assert run(module.create_binary(), "squares")[7] == 14

    def test_a_pass_that_breaks_the_module_is_a_result(self) -> None:
        class Broken(Module):
            def get_late_target_passes(self, machinery: PassMachinery) -> Sequence[str]:
                machinery.register_pass("break", lambda text: text + "nonsense")
                return ["break"]

        own = target()
        module = Broken(own, own.context, BuildLog())
        module.compile_opencl_c("FULL_PROFILE", SQUARES)
        assert refused(module.finalize) is Result.FINALIZE_PROGRAM_FAILURE
        assert module.log.num_errors == 1


def test_threads_share_a_context() -> None:
    failures: list[object] = []

    def work(number: int) -> None:
        try:
            module = opencl(f"kernel void k(global int *x) {{ x[get_global_id(0)] += {number}; }}")
            module.finalize()
            assert run(module.create_binary(), "k")[3] == 3 + number
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
