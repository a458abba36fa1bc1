"""Debug information as tools read it, and the registers that kernels leave free."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from runtime import ze, zet
from runtime.ze.declaration import functions
from tests.paths import ROOT
from tests.unit.runtime.ze import kernels, spirv_programs
from tests.unit.runtime.zet.metrics.world import World, kernel_of

DWARF = zet.ZET_MODULE_DEBUG_INFO_FORMAT_ELF_DWARF
FREE, REALLOCATION = zet.ZET_PROFILE_FLAG_FREE_REGISTER_INFO, zet.ZET_PROFILE_FLAG_REGISTER_REALLOCATION
VECTOR_ADD = (ROOT / "examples" / "vector_add.mlir").read_bytes()


def module_of(world: World, data: bytes, flags: str | None = None):
    """A module in the format that its first bytes are of."""
    is_binary = data[0] < ord(" ")
    format = ze.ZE_MODULE_FORMAT_IL_SPIRV if is_binary else ze.ZE_MODULE_FORMAT_MLIR_EXP
    format = ze.ZE_MODULE_FORMAT_NATIVE if data[:4] == b"\x7fELF" else format
    return ze.zeModuleCreate(world.context, world.device, ze.ze_module_desc_t(format, data, pBuildFlags=flags))[0]


def kernel_with(world: World, text: str, flags: str | None = "-zet-profile-flags 0x2", **facts: object):
    module = module_of(world, kernels.binary(kernel_of(text, **facts)), flags)
    return ze.zeKernelCreate(module, ze.ze_kernel_desc_t("k"))


class TestDebugInfo:
    def test_lines_have_addresses(self, machine: World) -> None:
        """Two kernels do not share addresses."""
        text = VECTOR_ADD.decode()
        second = re.search(r"  gpu\.func.*?\n  }\n", text, re.DOTALL)
        assert second is not None
        both = text.replace(second[0], second[0] + second[0].replace("@vector_add", "@another"))
        module = module_of(machine, both.encode())
        data = zet.zetModuleGetDebugInfo(module, DWARF)
        elf = ELFFile(io.BytesIO(data))
        assert elf["e_type"] == "ET_EXEC"
        (table,) = (section for section in elf.iter_sections() if section["sh_type"] == "SHT_SYMTAB")
        starts = {symbol.name: (symbol["st_value"], symbol["st_size"]) for symbol in table.iter_symbols()}
        dwarf = elf.get_dwarf_info(relocate_dwarf_sections=False)
        ranges = {
            die.attributes["DW_AT_name"].value.decode(): die.attributes["DW_AT_low_pc"].value
            for unit in dwarf.iter_CUs()
            for die in unit.iter_DIEs()
            if die.tag == "DW_TAG_subprogram"
        }
        assert ranges == {name: starts[name][0] for name in ("vector_add", "another")}
        (begin, size), (other, _) = starts["vector_add"], starts["another"]
        assert begin > 0 and other >= begin + size
        assert begin == module.code_address("vector_add")
        for unit in dwarf.iter_CUs():
            entries = dwarf.line_program_for_CU(unit).get_entries()
            places = [entry.state.address for entry in entries if entry.state is not None]
            first = unit.get_top_DIE().attributes["DW_AT_low_pc"].value
            assert places[0] == first and places == sorted(places)

    @pytest.mark.parametrize("tool", ["gdb", "readelf"])
    def test_tools_read_it(self, tool: str, machine: World, tmp_path: Path) -> None:
        if shutil.which(tool) is None:
            pytest.skip(f"needs {tool}")
        file = tmp_path / "module.elf"
        module = module_of(machine, VECTOR_ADD)
        file.write_bytes(zet.zetModuleGetDebugInfo(module, DWARF))
        options = {"gdb": ["-nx", "-batch", "-ex", "info line vector_add"], "readelf": ["-W", "-wL"]}[tool]
        done = subprocess.run([tool, *options, str(file)], capture_output=True, text=True, check=True, timeout=60)
        address = hex(module.code_address("vector_add"))
        expected = {"gdb": f"Line 3 of .* starts at address {address} <vector_add>", "readelf": f" 3 +{address} "}[tool]
        assert re.search(expected, done.stdout), done.stdout
        assert done.stderr == ""

    def test_a_module_without(self, machine: World) -> None:
        module = module_of(machine, kernels.binary(kernel_of("eot")))
        assert zet.zetModuleGetDebugInfo(module, DWARF) == b""

    def test_native_code(self, machine: World) -> None:
        """Intel's compiler puts the symbols of its code into another section, and names them after the code."""
        native = (ROOT / "tests/data/zebin/vadd-debug.pvc.zebin").read_bytes()
        elf = ELFFile(io.BytesIO(zet.zetModuleGetDebugInfo(module_of(machine, native), DWARF)))
        dwarf = elf.get_dwarf_info(relocate_dwarf_sections=False)
        (unit,) = dwarf.iter_CUs()
        states = [entry.state for entry in dwarf.line_program_for_CU(unit).get_entries() if entry.state is not None]
        code = elf.get_section_by_name(".text.vadd")
        assert {code["sh_addr"] <= state.address <= code["sh_addr"] + code["sh_size"] for state in states} == {True}


class TestProfile:
    def test_without_the_flag(self, machine: World) -> None:
        assert zet.zetKernelGetProfileInfo(kernel_with(machine, "eot", None)) == zet.zet_profile_info_t(0, 0)

    def test_registers(self, machine: World) -> None:
        """The payload is r0 and the argument in r1."""
        text = "(W) mov (16|M0) r10.0<1>:ud r12.0<1;1,0>:ud\n(W) mov (1|M0) r20.7<1>:ud 0x1:ud\neot"
        info = zet.zetKernelGetProfileInfo(kernel_with(machine, text))
        (token,) = info.tokens
        found = [(sequence.start, sequence.count) for sequence in token.sequences]
        assert found == [(2, 8), (11, 1), (13, 7), (21, 107)]
        assert (info.flags, info.numTokens) == (FREE, 1)
        assert (token.type, token.count, token.size) == (zet.ZET_PROFILE_TOKEN_TYPE_FREE_REGISTER, 4, 12 + 4 * 8)

    def test_all_registers(self, machine: World) -> None:
        """An indirect operand may write anywhere."""
        text = "(W) mov (1|M0) a0.0<1>:uw 0x0:uw\n(W) mov (1|M0) r[a0.0]<1>:ud r10.0<0;1,0>:ud\neot"
        (token,) = zet.zetKernelGetProfileInfo(kernel_with(machine, text)).tokens
        assert (token.sequences, token.count, token.size) == ((), 0, 12)

    def test_indirect_reads_are_of_what_is_written(self, machine: World) -> None:
        text = "(W) mov (1|M0) a0.0<1>:uw 0x0:uw\n(W) mov (1|M0) r10.0<1>:ud r[a0.0]<0;1,0>:ud\neot"
        (token,) = zet.zetKernelGetProfileInfo(kernel_with(machine, text)).tokens
        assert [(sequence.start, sequence.count) for sequence in token.sequences] == [(2, 8), (11, 117)]

    @pytest.mark.parametrize(
        ("flags", "expected"),
        [
            ("-zet-profile-flags 0x3", FREE | REALLOCATION),
            ("-g -zet-profile-flags=1", REALLOCATION),
            ("-zet-profile-flags 1 -zet-profile-flags 0x2", FREE | REALLOCATION),
        ],
    )
    def test_flags_of_a_compiled_module(self, machine: World, flags: str, expected: int) -> None:
        kernel = ze.zeKernelCreate(module_of(machine, VECTOR_ADD, flags), ze.ze_kernel_desc_t("vector_add"))
        info = zet.zetKernelGetProfileInfo(kernel)
        assert (info.flags, info.numTokens) == (expected, int(bool(expected & FREE)))

    def test_native_modules_are_as_they_were_built(self, machine: World) -> None:
        assert zet.zetKernelGetProfileInfo(kernel_with(machine, "eot", "-zet-profile-flags 0x3")).flags == FREE

    def test_flags_that_do_not_exist(self, machine: World) -> None:
        with pytest.raises(ze.ModuleBuildError, match="0x8"):
            module_of(machine, VECTOR_ADD, "-zet-profile-flags 0x8")


UNLINKED, BROKEN = spirv_programs.user(), spirv_programs.many(17, broken=3)

RESULTS: dict[tuple[str, str], Callable[[World], object]] = {
    ("zetModuleGetDebugInfo", "INVALID_NULL_HANDLE"): lambda world: zet.zetModuleGetDebugInfo(None, DWARF),
    ("zetModuleGetDebugInfo", "INVALID_ARGUMENT"): lambda world: zet.zetModuleGetDebugInfo(world.device, DWARF),
    ("zetModuleGetDebugInfo", "INVALID_ENUMERATION"): lambda world: zet.zetModuleGetDebugInfo(world.module, 1),
    ("zetModuleGetDebugInfo", "INVALID_MODULE_UNLINKED"): lambda world: zet.zetModuleGetDebugInfo(
        module_of(world, UNLINKED), DWARF
    ),
    ("zetModuleGetDebugInfo", "MODULE_BUILD_FAILURE"): lambda world: zet.zetModuleGetDebugInfo(
        module_of(world, BROKEN), DWARF
    ),
    ("zetKernelGetProfileInfo", "INVALID_NULL_HANDLE"): lambda world: zet.zetKernelGetProfileInfo(None),
    ("zetKernelGetProfileInfo", "INVALID_ARGUMENT"): lambda world: zet.zetKernelGetProfileInfo(world.module),
}


def test_every_result_is_provoked() -> None:
    declared = {
        (function.name, result.name.removeprefix("ZE_RESULT_").removeprefix("ERROR_"))
        for function in functions(zet.ToolsChapter).values()
        if function.chapter is zet.ToolsChapter.INSTRUMENTATION
        for result in function.results
    }
    assert declared == RESULTS.keys()


@pytest.mark.parametrize(("name", "result"), RESULTS)
def test_result(name: str, result: str, world: World) -> None:
    with pytest.raises(ze.ZeError) as caught:
        RESULTS[name, result](world)
    assert caught.value.result.name.endswith(result)
