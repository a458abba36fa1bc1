"""Modules: what is loaded, what is refused and with which words."""

import struct

import pytest

from runtime import ze
from tests.paths import ROOT
from tests.unit.runtime.ze import kernels
from tests.unit.runtime.ze.expect import fails
from xegpu.isa import ImplicitArgument
from xegpu.targets import ARC


def native(data: bytes | None) -> ze.ze_module_desc_t:
    return ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_NATIVE, data)


def failure(context, device, desc: ze.ze_module_desc_t) -> ze.ModuleBuildError:
    with pytest.raises(ze.ModuleBuildError) as caught:
        ze.zeModuleCreate(context, device, desc)
    return caught.value


class TestCreate:
    def test_kernels_in_order(self, module) -> None:
        assert ze.zeModuleGetKernelNames(module) == ["copy", "empty", "wide", "sized", "local"]

    def test_log_of_a_good_module_is_empty(self, context, device) -> None:
        _, log = ze.zeModuleCreate(context, device, native(kernels.binary(kernels.EMPTY)))
        assert ze.zeModuleBuildLogGetString(log) == ""
        ze.zeModuleBuildLogDestroy(log)
        assert not log.alive

    def test_description_comes_from_the_binary(self, module, simulator) -> None:
        """The simulator learns what `.ze_info` says: sizes, registers, local ids."""
        wide = simulator.descriptions[2].facts
        assert simulator.descriptions[2].name == "wide"
        assert (wide.simd_size, wide.grf_count, wide.local_id_dimensions) == (16, 256, 3)
        copy = simulator.descriptions[0]
        assert (copy.facts.simd_size, copy.facts.local_id_dimensions, copy.facts.cross_thread_size) == (1, 0, 96)
        assert copy.code == kernels.COPY.code
        assert simulator.descriptions[3].facts.slm_size == 1024

    def test_native_binary_loads_again(self, context, device, module) -> None:
        data = ze.zeModuleGetNativeBinary(module)
        again, _ = ze.zeModuleCreate(context, device, native(data))
        assert ze.zeModuleGetKernelNames(again) == ze.zeModuleGetKernelNames(module)

    def test_has_no_imports(self, module) -> None:
        assert ze.zeModuleGetProperties(module).flags == 0

    def test_build_flags_do_not_matter(self, context, device) -> None:
        data = kernels.binary(kernels.EMPTY)
        desc = ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_NATIVE, data, pBuildFlags="-ze-opt-disable")
        assert ze.zeModuleCreate(context, device, desc)[0].alive

    def test_input_is_copied(self, context, device) -> None:
        data = bytearray(kernels.binary(kernels.EMPTY))
        module, _ = ze.zeModuleCreate(context, device, native(data))
        data[:] = bytes(len(data))
        assert ze.zeModuleGetNativeBinary(module).startswith(b"\x7fELF")


class TestRefused:
    def test_parameters(self, context, device) -> None:
        with fails("INVALID_NULL_POINTER"):
            ze.zeModuleCreate(context, device, None)
        with fails("INVALID_NULL_POINTER", "pInputModule"):
            ze.zeModuleCreate(context, device, native(None))
        with fails("INVALID_SIZE"):
            ze.zeModuleCreate(context, device, native(b""))
        with fails("INVALID_ENUMERATION"):
            ze.zeModuleCreate(context, device, ze.ze_module_desc_t(9, b"x"))

    def test_constants_are_for_spirv(self, context, device) -> None:
        constants = ze.ze_module_constants_t([1], [b"\1"])
        desc = ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_NATIVE, kernels.binary(kernels.EMPTY), pConstants=constants)
        with fails("INVALID_ARGUMENT", "constants"):
            ze.zeModuleCreate(context, device, desc)

    def test_spirv(self, context, device) -> None:
        data = (ROOT / "tests/corpus/spirv/structures.clang15.spv").read_bytes()
        module, _ = ze.zeModuleCreate(context, device, ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_IL_SPIRV, data))
        assert ze.zeModuleGetKernelNames(module)
        ze.zeModuleDestroy(module)

    def test_spirv_that_is_wrong(self, context, device) -> None:
        for magic in ("<I", ">I"):
            data = struct.pack(magic, 0x07230203) + bytes(16)
            error = failure(context, device, ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_IL_SPIRV, data))
            assert error.result == ze.ze_result_t.ZE_RESULT_ERROR_MODULE_BUILD_FAILURE

    def test_constants_that_spirv_lacks(self, context, device) -> None:
        data = (ROOT / "tests/corpus/spirv/structures.clang15.spv").read_bytes()
        constants = ze.ze_module_constants_t([77], [b"\1"])
        desc = ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_IL_SPIRV, data, pConstants=constants)
        error = failure(context, device, desc)
        assert "no specialization constant with SpecId 77" in ze.zeModuleBuildLogGetString(error.build_log)

    def test_what_is_called_spirv_and_is_none(self, context, device) -> None:
        error = failure(context, device, ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_IL_SPIRV, b"\x7fELF"))
        assert error.result == ze.ze_result_t.ZE_RESULT_ERROR_MODULE_BUILD_FAILURE
        assert "not SPIR-V" in ze.zeModuleBuildLogGetString(error.build_log)

    @pytest.mark.parametrize("cut", [1, 20, 64, 300])
    def test_broken_binary(self, context, device, cut: int) -> None:
        error = failure(context, device, native(kernels.binary(kernels.EMPTY)[:cut]))
        assert error.result == ze.ze_result_t.ZE_RESULT_ERROR_INVALID_NATIVE_BINARY
        assert ze.zeModuleBuildLogGetString(error.build_log) == error.text

    def test_another_device(self, context, device) -> None:
        arc = kernels.compiled("empty", target=ARC)
        error = failure(context, device, native(kernels.binary(arc, target=ARC)))
        assert error.result == ze.ze_result_t.ZE_RESULT_ERROR_INVALID_NATIVE_BINARY
        assert "the binary is for product family DG2, pvc is PVC" in error.text

    def test_a_file_of_another_format(self, context, device) -> None:
        error = failure(context, device, native(kernels.binary(kernels.EMPTY)[:18] + b"\x3e\0" + bytes(44)))
        assert "x86-64 ELF file without device code, not a ZEBIN" in ze.zeModuleBuildLogGetString(error.build_log)

    def test_native_code(self, context, device) -> None:
        """A kernel in code of the real machine whose words are none is refused when it is created, and no other."""
        data = kernels.binary(kernels.compiled("metal"), kernels.compiled("fine"))
        start = data.index(b"XeVISA\0\0")
        module, _ = ze.zeModuleCreate(context, device, native(data[:start] + bytes(8) + data[start + 8 :]))
        assert ze.zeModuleGetKernelNames(module) == ["metal", "fine"]
        ze.zeKernelDestroy(ze.zeKernelCreate(module, ze.ze_kernel_desc_t("fine")))
        with pytest.raises(ze.ModuleBuildError, match="illegal code in kernel 'metal' at offset 0x10"):
            ze.zeKernelCreate(module, ze.ze_kernel_desc_t("metal"))

    def test_argument_that_nobody_supplies(self, context, device) -> None:
        kernel = kernels.compiled("chatty", implicit=[ImplicitArgument("rt_global_buffer", 0, 8)])
        error = failure(context, device, native(kernels.binary(kernel)))
        assert "kernel 'chatty'" in error.text
        assert "'rt_global_buffer'" in error.text

    def test_group_that_does_not_fit(self, context, device) -> None:
        kernel = kernels.compiled("crowd", simd_size=16, grf_count=256, required_size=(1024, 1, 1))
        assert "(1024, 1, 1)" in failure(context, device, native(kernels.binary(kernel))).text


@pytest.mark.usefixtures("validated")
def test_destroy_after_its_kernels(module, kernel) -> None:
    held = kernel("empty")
    with fails("HANDLE_OBJECT_IN_USE", "kernel"):
        ze.zeModuleDestroy(module)
    ze.zeKernelDestroy(held)
    ze.zeModuleDestroy(module)
