"""The options of compilations."""

from __future__ import annotations

import pytest

import zebin
from runtime.mux import MuxError, Options, OptionsMode
from runtime.mux.options.parsing import parse_options
from tests.unit.runtime.mux.support import empty, needs_clang, opencl, refused

BUILD, COMPILE, LINK = OptionsMode.BUILD, OptionsMode.COMPILE, OptionsMode.LINK


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("", Options()),
        ("-DN=4 -D M -I include -w -cl-std=CL1.2", Options(("-DN=4", "-DM", "-Iinclude", "-w", "-cl-std=CL1.2"))),
        ("-D 'TEXT=a b'", Options(("-DTEXT=a b",))),
        ("-cl-opt-disable -g", Options(("-g",), is_optimised=False)),
        ("-cl-precache-local-sizes=8,1,1:4,4,2", Options(precache_local_sizes=((8, 1, 1), (4, 4, 2)))),
        (
            "--grf-count=256 --subgroup-size 32 --no-debug-info",
            Options(device={"--grf-count": "256", "--subgroup-size": "32", "--no-debug-info": ""}),
        ),
    ],
)
def test_words_become_options(text: str, options: Options) -> None:
    assert parse_options(text, COMPILE, "pvc") == options
    assert parse_options(text, BUILD, "pvc") == options


def test_linking_has_options_of_its_own() -> None:
    text = "-create-library -enable-link-options -cl-denorms-are-zero"
    assert parse_options(text, LINK, "pvc").create_library
    assert parse_options(text, BUILD, "pvc").create_library


@pytest.mark.parametrize("mode", OptionsMode)
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("-x", "unknown option '-x'"),
        ("word", "unknown option 'word'"),
        ("-o k.ll", "unknown option '-o'"),
        ("-Xclang -load", "unknown option '-Xclang'"),
        ("--grf-size 128", "unknown option '--grf-size'"),
        ("--grf-count 100", "expected 0 or 128 or 256, got '100'"),
        ("--grf-count", "expected 0 or 128 or 256, got ''"),
        ("--subgroup-size=8", "expected 16 or 32, got '8'"),
        ("--no-debug-info=1", "takes no value"),
        ("-D 'a", "No closing quotation"),
    ],
)
def test_words_that_are_wrong_have_the_result_of_their_step(text: str, reason: str, mode: OptionsMode) -> None:
    with pytest.raises(MuxError, match=reason) as caught:
        parse_options(text, mode, "pvc")
    assert caught.value.result is mode.value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("-D", "needs a value"),
        ("-cl-std=CL4.0", "expected CL1.0"),
        ("-cl-precache-local-sizes=", "expected sizes such as"),
        ("-cl-precache-local-sizes=8,8", "expected sizes such as"),
        ("-cl-precache-local-sizes=8,0,1", "no dimension of a work-group is 0"),
        ("-create-library", "unknown option"),
    ],
)
def test_values_that_are_wrong_are_invalid_compiler_options(text: str, reason: str) -> None:
    with pytest.raises(MuxError, match=reason) as caught:
        parse_options(text, COMPILE, "pvc")
    assert caught.value.result is COMPILE.value


def test_compilation_has_no_options_when_linking() -> None:
    assert refused(empty().parse_options, "-DN=4", LINK, match="unknown option '-DN=4'") is LINK.value


@needs_clang
class TestEffects:
    SOURCE = "kernel void k(global int *x) { x[get_global_id(0)] = N; }"

    def binary(self, options: str) -> zebin.Zebin:
        module = opencl(self.SOURCE, f"-DN=7 {options}")
        module.finalize()
        return zebin.read(module.create_binary())

    def test_registers_of_threads_are_chosen(self) -> None:
        assert self.binary("").kernels["k"].execution_env.grf_count == 128
        assert self.binary("--grf-count 256").kernels["k"].execution_env.grf_count == 256

    def test_subgroups_are_chosen(self) -> None:
        assert self.binary("--subgroup-size 32").kernels["k"].execution_env.simd_size == 32

    def test_lines_of_sources_are_left_out(self) -> None:
        assert zebin.line_tables(self.binary(""))[0]["k"]
        assert zebin.line_tables(self.binary("--no-debug-info"))[0] == {}

    def test_the_standard_is_chosen(self) -> None:
        module = empty()
        module.parse_options("-cl-std=CL1.2")
        text = "kernel void k(global int *x) { *x = __OPENCL_C_VERSION__; }"
        module.compile_opencl_c("FULL_PROFILE", text)
        module.finalize()
        assert "store i32 120" in (module.finalized_llvm_module or "")

    def test_warnings_become_errors(self) -> None:
        module = empty()
        module.parse_options("-Werror")
        refused(module.compile_opencl_c, "FULL_PROFILE", "#warning careful\nkernel void k() {}")
        assert module.log.num_errors == 1


def test_an_option_that_only_compilations_keep() -> None:
    assert parse_options("-cl-no-subgroup-ifp", COMPILE, "pvc").compiler == ("-cl-no-subgroup-ifp",)
    assert parse_options("-cl-no-subgroup-ifp", LINK, "pvc").compiler == ()
