"""Modules in SPIR-V that import functions and variables, programs of several modules, and modules of many kernels."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import zebin
from runtime import Device, ze
from runtime.mux import CodeOptions, SpirvProgram
from runtime.ze import simulated_driver
from tests.paths import ROOT
from tests.unit.runtime.ze import spirv_programs
from tests.unit.runtime.ze.conftest import SYNCHRONOUS
from tests.unit.runtime.ze.expect import fails
from xegpu.targets import PVC

SPIRV = ze.ZE_MODULE_FORMAT_IL_SPIRV


@pytest.fixture
def driver() -> ze.ze_driver_handle_t:
    """A driver whose device runs kernels."""
    return simulated_driver((PVC,))


@pytest.fixture
def create(context, device):
    def make(data: bytes, flags: str | None = None) -> ze.ze_module_handle_t:
        return ze.zeModuleCreate(context, device, ze.ze_module_desc_t(SPIRV, data, flags))[0]

    return make


@pytest.fixture
def run(context, device):
    """Runs a kernel on one number, and returns what it leaves there."""
    commands = ze.zeCommandListCreateImmediate(context, device, SYNCHRONOUS)
    memory = ze.zeMemAllocDevice(context, ze.ze_device_mem_alloc_desc_t(), 4, 4, device)

    def launch(module: ze.ze_module_handle_t, name: str, number: int, *more: int) -> int:
        kernel = ze.zeKernelCreate(module, ze.ze_kernel_desc_t(name))
        ze.zeKernelSetGroupSize(kernel, 1, 1, 1)
        for place, argument in enumerate((memory, *more)):
            ze.zeKernelSetArgumentValue(kernel, place, 8, argument)
        value = np.array([number], np.int32)
        ze.zeCommandListAppendMemoryCopy(commands, memory, value, 4)
        ze.zeCommandListAppendLaunchKernel(commands, kernel, ze.ze_group_count_t(1, 1, 1))
        ze.zeCommandListAppendMemoryCopy(commands, value, memory, 4)
        ze.zeKernelDestroy(kernel)
        return int(value[0])

    return launch


def test_large_register_file(context, device) -> None:
    counts = []
    for flags in (None, "-ze-opt-large-register-file"):
        desc = ze.ze_module_desc_t(SPIRV, spirv_programs.counting(), flags)
        module, log = ze.zeModuleCreate(context, device, desc)
        assert not ze.zeModuleBuildLogGetString(log)
        counts.append(zebin.read(ze.zeModuleGetNativeBinary(module)).kernels["count"].execution_env.grf_count)
    assert counts == [128, 256]


def test_optimisation_disabled(create, run) -> None:
    """The code differs, what it does does not."""
    modules = [create(spirv_programs.dispatcher(), flags) for flags in (None, "-ze-opt-disable")]
    fast, plain = (zebin.read(ze.zeModuleGetNativeBinary(module)).kernels["call"].code for module in modules)
    assert len(plain) > len(fast)
    assert [run(module, "call", 10, 0) for module in modules] == [9, 9]


class TestFunctionPointers:
    def test_the_host_chooses_the_function_that_a_kernel_calls(self, create, run) -> None:
        module = create(spirv_programs.dispatcher())
        increment = ze.zeModuleGetFunctionPointer(module, "increment")
        assert run(module, "call", 10, increment) == 11
        assert run(module, "call", 10, 0) == 9
        with fails("INVALID_FUNCTION_NAME", "expected 'increment', 'call'"):
            ze.zeModuleGetFunctionPointer(module, "decrement")
        with fails("DEVICE_LOST", f"{increment + 1:#x}"):
            run(module, "call", 10, increment + 1)

    def test_a_saved_binary_names_them_too(self, create, context, device, run) -> None:
        saved = ze.zeModuleGetNativeBinary(create(spirv_programs.dispatcher()))
        module, _ = ze.zeModuleCreate(context, device, ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_NATIVE, saved))
        assert run(module, "call", 10, ze.zeModuleGetFunctionPointer(module, "increment")) == 11

    @pytest.mark.parametrize("count", [2, 40])
    def test_kernels_have_places_in_modules_of_any_size(self, create, count: int) -> None:
        module = create(spirv_programs.many(count))
        saved = zebin.read(ze.zeModuleGetNativeBinary(module))
        assert ze.zeModuleGetFunctionPointer(module, "k1") == saved.kernels["k1"].entry_offset
        with fails("INVALID_FUNCTION_NAME", "'k0', 'k1'"):
            ze.zeModuleGetFunctionPointer(module, "k40")


def log_of(error: ze.ModuleBuildError) -> str:
    return ze.zeModuleBuildLogGetString(error.build_log)


class TestLinking:
    def test_functions_and_variables_of_other_modules(self, create, run) -> None:
        modules = [create(make()) for make in (spirv_programs.user, spirv_programs.library, spirv_programs.twice)]
        user, library, twice = modules
        assert [int(ze.zeModuleGetProperties(module).flags) for module in modules] == [1, 1, 0]
        assert ze.zeModuleGetKernelNames(user) == ["k"]
        ze.zeModuleDynamicLink(modules)
        assert run(user, "k", 10) == 20 + 5 + 7
        run(library, "set", 100)
        assert run(user, "k", 10) == 20 + 100 + 7, "the function works on the variable of its own module"
        total = ze.zeModuleGetGlobalPointer(library, "total")
        assert ze.zeModuleGetGlobalPointer(user, "total") == total
        assert total[0] == 4
        ze.zeModuleDynamicLink(modules)
        assert run(user, "k", 1) == 109
        assert ze.zeModuleGetKernelNames(twice) == []

    def test_what_is_missing_is_named(self, create) -> None:
        user, library = create(spirv_programs.user()), create(spirv_programs.library())
        with pytest.raises(ze.ModuleBuildError) as caught:
            ze.zeModuleDynamicLink([user])
        assert caught.value.result == ze.ze_result_t.ZE_RESULT_ERROR_MODULE_LINK_FAILURE
        assert [line.split(",")[0] for line in log_of(caught.value).splitlines()] == [
            "error: 'helper'",
            "error: 'total'",
        ]
        with pytest.raises(ze.ModuleBuildError) as caught:
            ze.zeModuleDynamicLink([user, library])
        assert "error: 'twice', imported by" in log_of(caught.value)
        for function, arguments in (
            (ze.zeKernelCreate, (user, ze.ze_kernel_desc_t("k"))),
            (ze.zeModuleGetNativeBinary, (user,)),
            (ze.zeModuleGetGlobalPointer, (user, "total")),
            (ze.zeModuleGetFunctionPointer, (user, "k")),
        ):
            with fails("INVALID_MODULE_UNLINKED"):
                function(*arguments)

    def test_two_definitions_of_a_name(self, create, run) -> None:
        user, library = create(spirv_programs.user()), create(spirv_programs.library())
        modules = [user, library, create(spirv_programs.twice()), create(spirv_programs.twice())]
        with pytest.raises(ze.ModuleBuildError) as caught:
            ze.zeModuleDynamicLink(modules)
        assert "'twice', imported by" in log_of(caught.value)
        assert "is defined in 2 modules" in log_of(caught.value)
        ze.zeModuleDynamicLink([user, library, *(create(spirv_programs.twice("LinkOnceODR")) for _ in range(2))])
        assert run(user, "k", 10) == 32

    def test_functions_of_two_modules_that_call_each_other(self, create) -> None:
        """Recursion is refused also where no module alone has it, and then nothing is linked."""
        modules = [create(spirv_programs.mutual("f", "g", kernel=True)), create(spirv_programs.mutual("g", "f"))]
        with pytest.raises(ze.ModuleBuildError) as caught:
            ze.zeModuleDynamicLink(modules)
        assert caught.value.result == ze.ze_result_t.ZE_RESULT_ERROR_MODULE_LINK_FAILURE
        assert "'g' is no kernel, and was not inlined: it calls itself" in log_of(caught.value)
        with fails("INVALID_MODULE_UNLINKED"):
            ze.zeKernelCreate(modules[0], ze.ze_kernel_desc_t("k"))

    def test_the_binary_of_linked_modules_runs_elsewhere(self, context, device, run) -> None:
        program = ze.ze_module_program_exp_desc_t(
            [spirv_programs.user(), spirv_programs.library(), spirv_programs.twice()]
        )
        module, log = ze.zeModuleCreate(context, device, ze.ze_module_desc_t(SPIRV, None, pNext=program))
        assert not ze.zeModuleBuildLogGetString(log)
        assert int(ze.zeModuleGetProperties(module).flags) == 0
        assert ze.zeModuleGetKernelNames(module) == ["k", "set"]
        assert run(module, "k", 10) == 32
        loaded = Device().load(ze.zeModuleGetNativeBinary(module))
        value = np.array([3], np.int32)
        loaded["k"][(1,), (1,)](value)
        assert value[0] == 18

    def test_linkage_is_listed(self, create) -> None:
        modules = [create(spirv_programs.user()), create(spirv_programs.twice())]
        log = ze.zeModuleInspectLinkageExt(ze.ze_linkage_inspection_ext_desc_t(7), modules)
        lines = ze.zeModuleBuildLogGetString(log).splitlines()
        assert lines == [
            *("Imports:", "helper", "total"),
            *("Unresolvable imports:", "helper", "total"),
            *("Exports:", "twice"),
        ]


class TestPrograms:
    def test_flags_and_constants_of_each(self, context, device) -> None:
        inputs = [spirv_programs.twice(), spirv_programs.many(1)]
        program = ze.ze_module_program_exp_desc_t(inputs, ["-ze-opt-level=2", None])
        _, log = ze.zeModuleCreate(context, device, ze.ze_module_desc_t(SPIRV, b"ignored", pNext=program))
        assert ze.zeModuleBuildLogGetString(log) == "warning: build flag '-ze-opt-level=2' has no effect"

    @pytest.mark.parametrize(
        ("program", "result"),
        [
            (ze.ze_module_program_exp_desc_t([]), "INVALID_SIZE"),
            (ze.ze_module_program_exp_desc_t([b""]), "INVALID_SIZE"),
            (ze.ze_module_program_exp_desc_t([spirv_programs.twice()], [None, None]), "INVALID_SIZE"),
            (ze.ze_module_program_exp_desc_t([spirv_programs.twice(), b"x"]), "MODULE_BUILD_FAILURE"),
            (ze.ze_module_program_exp_desc_t([spirv_programs.twice(), spirv_programs.twice()]), "MODULE_BUILD_FAILURE"),
        ],
    )
    def test_refused(self, context, device, program, result) -> None:
        with fails(result):
            ze.zeModuleCreate(context, device, ze.ze_module_desc_t(SPIRV, None, pNext=program))


class TestManyKernels:
    def test_each_is_compiled_on_first_use(self, create, run, monkeypatch) -> None:
        compiled: list[object] = []
        original = SpirvProgram.compile

        def compile(program: SpirvProgram, target: str, names: Sequence[str] | None, code: CodeOptions) -> bytes:
            compiled.append(names)
            return original(program, target, names, code)

        monkeypatch.setattr(SpirvProgram, "compile", compile)
        module = create(spirv_programs.many(40))
        assert ze.zeModuleGetKernelNames(module) == [f"k{number}" for number in range(40)]
        assert not compiled
        assert [run(module, name, -1) for name in ("k0", "k39", "k0")] == [0, 39, 0]
        assert compiled == [["k0"], ["k39"]]
        with fails("INVALID_KERNEL_NAME", "k40"):
            ze.zeKernelCreate(module, ze.ze_kernel_desc_t("k40"))
        binary = ze.zeModuleGetNativeBinary(module)
        assert list(Device().load(binary)) == [f"k{number}" for number in range(40)]

    def test_a_kernel_that_does_not_compile_leaves_the_others(self, create, run) -> None:
        module = create(spirv_programs.many(20, broken=7))
        assert run(module, "k6", -1) == 6
        with pytest.raises(ze.ModuleBuildError) as caught:
            ze.zeKernelCreate(module, ze.ze_kernel_desc_t("k7"))
        assert caught.value.result == ze.ze_result_t.ZE_RESULT_ERROR_MODULE_BUILD_FAILURE
        assert "4096" in log_of(caught.value)

    def test_a_module_that_is_wrong_is_refused_as_a_whole(self, create) -> None:
        data = spirv_programs.many(20)
        with fails("MODULE_BUILD_FAILURE"):
            create(data[:-4])


def test_another_process_runs_the_binary(context, device, tmp_path: Path) -> None:
    module, _ = ze.zeModuleCreate(context, device, ze.ze_module_desc_t(SPIRV, spirv_programs.many(3)))
    path = tmp_path / "kernels.zebin"
    path.write_bytes(ze.zeModuleGetNativeBinary(module))
    code = f"""import numpy as np
from runtime import Device
value = np.array([-1], np.int32)
Device().load({str(path)!r})["k2"][(1,), (1,)](value)
print(value[0])"""
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stdout == "2\n"
