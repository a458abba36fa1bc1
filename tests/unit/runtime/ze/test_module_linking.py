"""Modules that refer to each other's variables, functions in modules, and modules from MLIR text."""

import re
from collections.abc import Collection, Sequence

import numpy as np
import pytest

import zebin
from runtime import ze
from tests.unit.runtime.ze import kernels
from tests.unit.runtime.ze.conftest import SYNCHRONOUS
from tests.unit.runtime.ze.expect import fails
from xegpu.isa import assemble
from xegpu.targets import PVC
from zebin.binary.model import Zebin
from zebin.elf.builder import ElfBuilder, RelocatedField
from zebin.elf.constants import (
    COMPAT_NOTE,
    ENTRY_SYMBOL,
    TEXT_PREFIX,
    ZE_INFO,
    RelocationType,
    SectionFlags,
    SectionType,
    SymbolBinding,
    SymbolType,
    SymbolVisibility,
)
from zebin.elf.model import Section

UNDEFINED = Section("", SectionType.NULL)
GLOBAL = SymbolBinding.GLOBAL


def add_data(builder: ElfBuilder, exports: Sequence[str], imports: Sequence[str], hidden: Collection[str]) -> None:
    """A variable of 8 bytes for each export, and one that holds the address, plus 4, of each import."""
    data = b"".join(bytes([number + 1] * 8) for number in range(len(exports))) + b"\4".ljust(8, b"\0") * len(imports)
    section = builder.add_section(".data.global", SectionType.PROGBITS, data, SectionFlags.ALLOC | SectionFlags.WRITE)
    for number, name in enumerate((*exports, *(f"to_{name}" for name in imports))):
        visibility = SymbolVisibility.HIDDEN if name in hidden else SymbolVisibility.DEFAULT
        builder.add_symbol(name, section, SymbolType.OBJECT, 8 * number, 8, GLOBAL, visibility)
    symbols = [builder.add_symbol(name, UNDEFINED, SymbolType.NOTYPE, binding=GLOBAL) for name in imports]
    patches = [
        RelocatedField(8 * (len(exports) + number), RelocationType.SYM_ADDR, symbol)
        for number, symbol in enumerate(symbols)
    ]
    builder.add_patches(section.index, patches)


READ = kernels.compiled("read", [kernels.pointer("target", "memref<2xi32>", 0)])
CODE = """
    (W) mov (1|M0) r4.0:uq 0x1111111122222222:uq
    (W) load.ugm.d32x2t.a64 (1|M0) r6:1 flat[r4]:1
    (W) store.ugm.d32x2t.a64 (1|M0) flat[r1]:1 r6:1
    (W) eot
"""


def module_binary(
    exports: Sequence[str] = (),
    imports: Sequence[str] = (),
    subroutine: str | None = None,
    hidden: Collection[str] = (),
) -> bytes:
    """A ZEBIN with the kernel `empty`, variables, and perhaps a function inside of the kernel."""
    plain = zebin.read(kernels.binary(kernels.EMPTY))
    builder = ElfBuilder()
    code = bytes(plain.kernels["empty"].text)
    text = builder.add_section(
        TEXT_PREFIX + "empty", SectionType.PROGBITS, code, SectionFlags.ALLOC | SectionFlags.EXECUTE
    )
    builder.add_symbol("empty", text, SymbolType.FUNC, size=32)
    builder.add_symbol(ENTRY_SYMBOL, text, SymbolType.NOTYPE, 16)
    if subroutine is not None:
        builder.add_symbol(subroutine, text, SymbolType.FUNC, 16, 16)
    if exports or imports:
        add_data(builder, exports, imports, hidden)
    file = builder.finish([Section(ZE_INFO, SectionType.ZEINFO), Section(COMPAT_NOTE, SectionType.NOTE)])
    return zebin.write(Zebin(file, plain.notes, plain.ze_info))


@pytest.fixture
def create(context, device):
    def make(**contents: object) -> ze.ze_module_handle_t:
        desc = ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_NATIVE, module_binary(**contents))
        return ze.zeModuleCreate(context, device, desc)[0]

    return make


def content(immediate, module, name: str) -> int:
    size, address = ze.zeModuleGetGlobalPointer(module, name)
    found = np.zeros(size // 8, np.uint64)
    ze.zeCommandListAppendMemoryCopy(immediate, found, address, size)
    return int(found[0])


class TestDynamicLink:
    def test_imported_variables_are_those_of_the_exporter(self, create) -> None:
        user, owner = create(imports=["a"]), create(exports=["a", "b"])
        with fails("INVALID_MODULE_UNLINKED"):
            ze.zeModuleGetGlobalPointer(user, "a")
        ze.zeModuleDynamicLink([user, owner])
        assert ze.zeModuleGetGlobalPointer(user, "a") == ze.zeModuleGetGlobalPointer(owner, "a")
        with fails("INVALID_GLOBAL_NAME"):
            ze.zeModuleGetGlobalPointer(user, "b")

    def test_a_module_with_imports_waits_for_them(self, create, immediate) -> None:
        user, owner = create(imports=["a"]), create(exports=["a", "b"])
        assert ze.zeModuleGetProperties(user).flags == ze.ZE_MODULE_PROPERTY_FLAG_IMPORTS
        assert ze.zeModuleGetProperties(owner).flags == 0
        assert ze.zeModuleGetKernelNames(user) == ["empty"]
        with fails("INVALID_MODULE_UNLINKED", "a"):
            ze.zeKernelCreate(user, ze.ze_kernel_desc_t("empty"))
        with fails("INVALID_MODULE_UNLINKED"):
            ze.zeModuleGetGlobalPointer(user, "a")
        with fails("INVALID_MODULE_UNLINKED"):
            ze.zeModuleGetFunctionPointer(user, "empty")
        log = ze.zeModuleDynamicLink([user, owner])
        assert ze.zeModuleBuildLogGetString(log) == ""
        assert content(immediate, user, "to_a") == ze.zeModuleGetGlobalPointer(owner, "a")[1] + 4
        ze.zeKernelDestroy(ze.zeKernelCreate(user, ze.ze_kernel_desc_t("empty")))

    def test_cycles(self, create, immediate) -> None:
        """And modules that have nothing to do with it."""
        first = create(exports=["a"], imports=["b"])
        second = create(exports=["b"], imports=["a"])
        ze.zeModuleDynamicLink([first, create(), second])
        assert content(immediate, first, "to_b") == ze.zeModuleGetGlobalPointer(second, "b")[1] + 4
        assert content(immediate, second, "to_a") == ze.zeModuleGetGlobalPointer(first, "a")[1] + 4

    def test_a_linked_module_can_export_again(self, create, immediate) -> None:
        owner, first, second = create(exports=["a"]), create(imports=["a"]), create(imports=["a"])
        ze.zeModuleDynamicLink([owner, first])
        before = content(immediate, first, "to_a")
        ze.zeModuleDynamicLink([first, second, owner])
        assert content(immediate, first, "to_a") == content(immediate, second, "to_a") == before

    def test_what_is_missing_links_nothing(self, create) -> None:
        good, bad, owner = create(imports=["a"]), create(imports=["nowhere"]), create(exports=["a"])
        with pytest.raises(ze.ModuleBuildError) as caught:
            ze.zeModuleDynamicLink([good, bad, owner])
        assert caught.value.result == ze.ZE_RESULT_ERROR_MODULE_LINK_FAILURE
        assert "'nowhere'" in ze.zeModuleBuildLogGetString(caught.value.build_log)
        with fails("INVALID_MODULE_UNLINKED"):
            ze.zeKernelCreate(good, ze.ze_kernel_desc_t("empty"))

    def test_what_is_ambiguous(self, create) -> None:
        with fails("MODULE_LINK_FAILURE", "2 modules"):
            ze.zeModuleDynamicLink([create(imports=["a"]), create(exports=["a"]), create(exports=["a"])])

    def test_a_hidden_variable_belongs_to_its_module(self, create, immediate) -> None:
        """As private variables of MLIR and static ones of C do: others may have the same name."""
        user, hider = create(imports=["a"]), create(exports=["b", "a"], hidden=["a"])
        with fails("MODULE_LINK_FAILURE", "'a'"):
            ze.zeModuleDynamicLink([user, hider])
        owner = create(exports=["a"])
        ze.zeModuleDynamicLink([user, hider, owner])
        _, address = ze.zeModuleGetGlobalPointer(owner, "a")
        assert content(immediate, user, "to_a") == address + 4
        with fails("INVALID_GLOBAL_NAME"):
            ze.zeModuleGetGlobalPointer(hider, "a")

    def test_parameters(self, create, context, device, driver) -> None:
        with fails("INVALID_NULL_POINTER"):
            ze.zeModuleDynamicLink(None)
        with fails("INVALID_SIZE"):
            ze.zeModuleDynamicLink([])
        with fails("INVALID_NULL_HANDLE"):
            ze.zeModuleDynamicLink([None])
        other = ze.zeContextCreate(driver, ze.ze_context_desc_t())
        desc = ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_NATIVE, module_binary())
        with fails("INVALID_ARGUMENT"):
            ze.zeModuleDynamicLink([create(), ze.zeModuleCreate(other, device, desc)[0]])

    def test_addresses_in_code(self) -> None:
        """A real kernel reads another module's variable through an address that linking puts into its code."""
        driver = ze.simulated_driver((PVC,), "interpreter")
        device = ze.zeDeviceGet(driver)[0]
        context = ze.zeContextCreate(driver, ze.ze_context_desc_t())
        commands = ze.zeCommandListCreateImmediate(context, device, SYNCHRONOUS)
        code = assemble(CODE, grf_bytes=PVC.platform.grf_bytes)
        plain = zebin.read(kernels.binary(READ))
        builder = ElfBuilder()
        padded = code + bytes(-len(code) % 64 + 128)
        text = builder.add_section(
            TEXT_PREFIX + "read", SectionType.PROGBITS, padded, SectionFlags.ALLOC | SectionFlags.EXECUTE
        )
        builder.add_symbol("read", text, SymbolType.FUNC, size=len(code))
        builder.add_symbol(ENTRY_SYMBOL, text, SymbolType.NOTYPE, 16)
        wanted = builder.add_symbol("a", UNDEFINED, SymbolType.NOTYPE, binding=GLOBAL)
        offset = code.index(bytes.fromhex("2222222211111111"))
        builder.add_patches(text.index, [RelocatedField(offset, RelocationType.SYM_ADDR, wanted)])
        file = builder.finish([Section(ZE_INFO, SectionType.ZEINFO), Section(COMPAT_NOTE, SectionType.NOTE)])
        binaries = [zebin.write(Zebin(file, plain.notes, plain.ze_info)), module_binary(exports=["a"])]
        user, owner = (
            ze.zeModuleCreate(context, device, ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_NATIVE, binary))[0]
            for binary in binaries
        )
        ze.zeModuleDynamicLink([user, owner])
        kernel = ze.zeKernelCreate(user, ze.ze_kernel_desc_t("read"))
        result = ze.zeMemAllocHost(context, ze.ze_host_mem_alloc_desc_t(), 8, 0)
        ze.zeKernelSetArgumentValue(kernel, 0, 8, result)
        ze.zeCommandListAppendLaunchKernel(commands, kernel, ze.ze_group_count_t(1))
        found = np.zeros(8, np.uint8)
        ze.zeCommandListAppendMemoryCopy(commands, found, result, 8)
        assert found.tolist() == [1] * 8


class TestInspect:
    @pytest.mark.usefixtures("validated")
    def test_lists(self, create) -> None:
        modules = [create(imports=["a", "nowhere"]), create(exports=["a"])]
        everything = ze.ze_linkage_inspection_ext_desc_t(7)
        text = ze.zeModuleBuildLogGetString(ze.zeModuleInspectLinkageExt(everything, modules))
        assert text.splitlines() == [
            *("Imports:", "a", "nowhere"),
            *("Unresolvable imports:", "nowhere"),
            *("Exports:", "to_a", "to_nowhere", "a"),
        ]
        only = ze.ze_linkage_inspection_ext_desc_t(ze.ZE_LINKAGE_INSPECTION_EXT_FLAG_UNRESOLVABLE_IMPORTS)
        assert (
            ze.zeModuleBuildLogGetString(ze.zeModuleInspectLinkageExt(only, modules))
            == "Unresolvable imports:\nnowhere"
        )
        with fails("INVALID_ENUMERATION"):
            ze.zeModuleInspectLinkageExt(ze.ze_linkage_inspection_ext_desc_t(8), modules)


class TestFunctions:
    def test_places_in_code(self, create) -> None:
        module = create(subroutine="helper")
        assert ze.zeModuleGetFunctionPointer(module, "helper") == 16
        assert ze.zeModuleGetFunctionPointer(module, "empty") == 16
        with fails("INVALID_FUNCTION_NAME", "'other'", "'helper'"):
            ze.zeModuleGetFunctionPointer(module, "other")

    def test_a_function_is_no_variable(self, create) -> None:
        with fails("INVALID_GLOBAL_NAME", "'a'"):
            ze.zeModuleGetGlobalPointer(create(exports=["a"]), "empty")


MLIR = b"""
gpu.module @m {
  gpu.func @add(%a: memref<16xf32>, %b: f32) kernel {
    %i = gpu.thread_id x
    %x = memref.load %a[%i] : memref<16xf32>
    %y = arith.addf %x, %b : f32
    memref.store %y, %a[%i] : memref<16xf32>
    gpu.return
  }
}
"""

TWICE_ADDED = MLIR.replace(
    b"    gpu.return",
    b"""
    %z = arith.addf %x, %b : f32
    memref.store %z, %a[%i] : memref<16xf32>
    gpu.return""",
)


class TestMlir:
    def build(self, context, device, text: bytes, **options: object):
        return ze.zeModuleCreate(context, device, ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_MLIR_EXP, text, **options))

    def test_text_becomes_a_module(self, context, device) -> None:
        """Its native binary makes the same module."""
        module, log = self.build(context, device, MLIR + b"\0")
        assert ze.zeModuleGetKernelNames(module) == ["add"]
        assert log.text == ""
        native = ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_NATIVE, ze.zeModuleGetNativeBinary(module))
        again = ze.zeModuleCreate(context, device, native)[0]
        assert ze.zeModuleGetKernelNames(again) == ["add"]

    @pytest.mark.parametrize("text", [b"gpu.module {", b"\xff\xfe", b"func.func @f() { return %x }"])
    def test_what_does_not_compile(self, context, device, text: bytes) -> None:
        with pytest.raises(ze.ModuleBuildError) as caught:
            self.build(context, device, text)
        assert caught.value.result == ze.ZE_RESULT_ERROR_MODULE_BUILD_FAILURE
        assert "error" in ze.zeModuleBuildLogGetString(caught.value.build_log)

    def test_build_flags(self, context, device) -> None:
        """Known ones give warnings, as nothing depends on them, apart from those for tools."""
        flags = "-ze-opt-level 2 -ze-opt-large-register-file  -cl-fast-relaxed-math -g"
        flags += " -vc-codegen -Xfinalizer '-printregusage -enableBCR' -disable-finalizer-msg"
        flags += " -w -Wall -DN=4 -D M -I include -Iinclude -UN -zet-profile-flags 0x3 -zet-profile-flags=3"
        log = self.build(context, device, MLIR, pBuildFlags=flags)[1]
        assert re.findall(r"'(.*?)'", log.text) == [
            "-ze-opt-level 2",
            "-cl-fast-relaxed-math",
            "-g",
            *("-vc-codegen", "-Xfinalizer -printregusage -enableBCR", "-disable-finalizer-msg"),
            *("-w", "-Wall", "-DN=4", "-D M", "-I include", "-Iinclude", "-UN"),
        ]
        for wrong in (
            "--fast",
            "-ze-nonsense",
            "-ze-opt-level",
            "-ze-opt-level x",
            "x",
            "-D",
            "-zet-profile-flags=x",
            "'",
        ):
            with fails("MODULE_BUILD_FAILURE", f"'{wrong.split()[0]}'"):
                self.build(context, device, MLIR, pBuildFlags=wrong)

    def test_large_register_file(self, context, device) -> None:
        counts = []
        for flags in ("", "-ze-opt-large-register-file", "-doubleGRF"):
            module, log = self.build(context, device, MLIR, pBuildFlags=flags)
            assert not ze.zeModuleBuildLogGetString(log)
            counts.append(zebin.read(ze.zeModuleGetNativeBinary(module)).kernels["add"].execution_env.grf_count)
        assert counts == [128, 256, 256]

    def test_optimisation_disabled(self, context, device) -> None:
        """A sum that two stores need is made once, or for each of them; the numbers are the same."""
        codes = []
        for flags in ("", "-ze-opt-level=2", "-ze-opt-disable", "-ze-opt-level 0", "-cl-opt-disable"):
            module, log = self.build(context, device, TWICE_ADDED, pBuildFlags=flags)
            assert ("no effect" in log.text) == (flags == "-ze-opt-level=2")
            codes.append(bytes(zebin.read(ze.zeModuleGetNativeBinary(module)).kernels["add"].code))
        fast, plain = codes[:2], codes[2:]
        assert fast[0] == fast[1] and len(set(plain)) == 1
        assert len(plain[0]) > len(fast[0])

    def test_constants(self, context, device) -> None:
        constants = ze.ze_module_constants_t([7], [b"\1"])
        with fails("MODULE_BUILD_FAILURE", "7"):
            self.build(context, device, MLIR, pConstants=constants)
        with fails("INVALID_ARGUMENT"):
            native = ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_NATIVE, module_binary(), pConstants=constants)
            ze.zeModuleCreate(context, device, native)
