"""`zebin-dump`: what it shows, what it says of broken files, and how it ends."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.zebin.support import DATA, SAMPLES, Image, compiled_kernel, sample
from tests.unit.zebin.test_malformed_ze_info import FULL, file_of
from tools.zebin_dump import main
from xegpu.isa import assemble
from xegpu.targets import PVC
from zebin import build, read
from zebin.dump import Table, hex_lines
from zebin.elf.model import ElfFile, Section
from zebin.ze_info import write_ze_info

VADD = str(DATA / "vadd.pvc.zebin")
FOREIGN = str(DATA / "vadd.tgllp.zebin")
"""Code that only `iga64` disassembles."""


@pytest.fixture
def ours(tmp_path: Path) -> Path:
    path = tmp_path / "ours.zebin"
    path.write_bytes(build(PVC, [compiled_kernel(required_work_group_size=(8, 4, 1))]))
    return path


def test_the_dump_shows_every_part(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([VADD]) == 0
    output, errors = capsys.readouterr()
    assert errors == ""
    for line in (
        "  target   PVC",
        "  PRODUCT_FAMILY   1271 (PVC)",
        "  TARGET_METADATA  0x00270700 (generator IGC, stepping 7 to 7 (not checked))",
        "      1  .text.vadd             PROGBITS  AX       0x40  0x280     0     0",
        "      2  _entry  LOCAL    FUNC    .text.vadd   0xb8  0x128",
        "Kernel vadd, execution_env:",
        "  simd_size                              32",
        "  arg_bypointer            32     8          0  stateless  global     readonly",
        "      3  n     __private          NONE              uint;4     NONE",
    ):
        assert line in output.splitlines()


@pytest.mark.parametrize("options", [[], ["-k", "gemm"]], ids=["everything", "one kernel"])
def test_the_known_grid_size_is_shown(options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "grid.zebin"
    path.write_bytes(build(PVC, [compiled_kernel(known_grid_size=(12, 3, 1)), compiled_kernel("any")]))
    assert main([str(path), *options]) == 0
    lines = capsys.readouterr().out.splitlines()
    start = lines.index("Known grid sizes:")
    assert [line.split() for line in lines[start + 1 : start + 4]] == [
        ["name", "x", "y", "z"],
        ["gemm", "12", "3", "1"],
        [],
    ]
    assert options or "known_grid_size.x.gemm  LOCAL    NOTYPE  ABS" in "\n".join(lines)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_every_sample_is_dumped_without_complaint(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(path)]) == 0
    errors = capsys.readouterr().err
    assert (errors == "") is (path.stem != "vadd-bindless.pvc")
    for name in read(path).kernels:
        assert main([str(path), "--json"]) == 0
        assert name in capsys.readouterr().out


def test_relocations_are_shown_with_their_symbols(capsys: pytest.CaptureFixture[str]) -> None:
    main([str(DATA / "const_table.pvc.zebin")])
    output = capsys.readouterr().out
    assert "Relocations of .text.weigh (.rel.text.weigh):" in output
    assert "   0x1bc  SYM_ADDR_32     weights" in output.splitlines()


def test_json_holds_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--json", VADD]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["target"]["product_family"] == 1271
    assert [section["name"] for section in content["sections"]][1] == ".text.vadd"
    kernel = content["ze_info"]["kernels"][0]
    assert kernel["execution_env"]["simd_size"] == 32
    assert kernel["execution_env"]["has_4gb_buffers"] is True
    assert kernel["payload_arguments"][3]["addrmode"] == "stateless"
    assert content["symbols"][1]["name"] == "vadd"
    assert content["findings"] == []


def test_yaml_is_the_text_of_the_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([VADD, "--yaml"]) == 0
    section = read(VADD).section(".ze_info")
    assert section is not None
    assert capsys.readouterr().out.rstrip("\n") == bytes(section.data).decode().rstrip("\n")


def test_section_shows_its_bytes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([VADD, "--section", ".note.intelgt.compat"]) == 0
    head, first, *_ = capsys.readouterr().out.splitlines()
    assert head == "section 6 '.note.intelgt.compat', NOTE, 0x64 bytes at 0x14e4:"
    assert first == "00000000  08 00 00 00 04 00 00 00  01 00 00 00 49 6e 74 65  ............Inte"


def test_a_section_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([VADD, "--section", ".nope"]) == 1
    assert capsys.readouterr().err == f"{VADD}: error: no section is called '.nope' [dump.section]\n"


def test_native_code_is_named_as_such(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert main([FOREIGN, "--disassemble"]) == 0
    reason = "native code; iga64, which would disassemble it, is not installed"
    assert f"Kernel vadd, code:\n  {reason}\n" in capsys.readouterr().out
    assert main([FOREIGN, "--disassemble", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["disassembly"] == {"vadd": None}


def test_code_of_the_virtual_instruction_set_is_disassembled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = assemble("(W) mov (16|M0) r10.0<1>:ud 0x1:ud\n(W) mov (16|M0) r11.0<1>:f r10.0<1;1,0>:f\n")
    path = tmp_path / "code.zebin"
    path.write_bytes(build(PVC, [compiled_kernel(code=code)]))
    assert main([str(path), "--disassemble"]) == 0
    output = capsys.readouterr().out
    assert "Kernel gemm, code:" in output
    assert "mov (16|M0) r11.0<1>:f r10.0<1;1,0>:f" in output
    assert main([str(path), "--disassemble", "--json"]) == 0
    listing = json.loads(capsys.readouterr().out)["disassembly"]["gemm"]
    assert assemble(listing) == code


def test_code_that_is_no_instruction_is_an_error(ours: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(ours), "--disassemble"]) == 1
    assert "[isa.illegal]" in capsys.readouterr().err


def test_every_member_of_a_fat_binary_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    path = str(DATA / "vadd.fat.ar")
    assert main([path]) == 0
    output = capsys.readouterr().out
    assert f"# {path}(64.12.55.8)" in output
    assert f"# {path}(64.12.60.7)" in output
    assert main([path, "--json"]) == 0
    assert [image["target"]["product_family"] for image in json.loads(capsys.readouterr().out)] == [1270, 1271]


def test_a_truncated_file_gives_one_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "cut.zebin"
    path.write_bytes(sample("vadd.pvc.zebin")[:3000])
    assert main([str(path)]) == 1
    output, errors = capsys.readouterr()
    assert output == ""
    assert errors == (
        f"{path}: 0x28: error: table of 8 section headers at 0x15a9 ends past the file: "
        "found end 0x17a9, expected at most 0xbb8 [elf.shtab-bounds]\n"
    )


def test_what_can_be_read_of_a_broken_file_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "odd.zebin"
    path.write_bytes(Image(sample("vadd.pvc.zebin")).header(type=2).section(".spv", size=1 << 40).bytes)
    assert main([str(path)]) == 1
    output, errors = capsys.readouterr()
    assert "Kernel vadd, execution_env:" in output
    assert [line.rpartition(" ")[2] for line in errors.splitlines()] == ["[elf.type]", "[sec.bounds]", "[spv.magic]"]


@pytest.mark.parametrize("content", [b"", b"text", b"!<arch>\ngarbage", b"\x7fELF"])
@pytest.mark.parametrize("option", [[], ["--json"], ["--yaml"]])
def test_files_of_another_kind(
    content: bytes, option: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    assert main([str(path), *option]) == 1
    assert capsys.readouterr().err.startswith(f"{path}: ")


def test_a_file_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in (tmp_path / "missing", tmp_path):
        assert main([str(path)]) == 1
        assert capsys.readouterr().err.startswith(f"{path}: error: cannot be read: ")


@pytest.mark.parametrize(
    "arguments", [[], [VADD, "--nope"], [VADD, "--json", "--yaml"], [VADD, "--yaml", "--disassemble"]]
)
def test_wrong_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert capsys.readouterr().err.startswith("zebin-dump: error: ")


def test_warnings_do_not_fail(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(DATA / "vadd-bindless.pvc.zebin")]) == 0
    assert "warning: bindless and stateful" in capsys.readouterr().err


def test_all_parts_of_ze_info_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "full.zebin"
    path.write_bytes(file_of(FULL))
    assert main([str(path)]) == 0
    output = capsys.readouterr().out
    for title in (
        "Kernel k, user_attributes:",
        "Kernel k, inline_samplers:",
        "Kernel k, experimental_properties:",
        "Kernel k, debug_env:",
        "Function helper, execution_env:",
        "global_host_access_table:",
        "Kernel k, Kcm_loop_costs:",
    ):
        assert title in output.splitlines()


def test_control_characters_do_not_reach_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    zebin = read(DATA / "vadd.pvc.zebin")
    assert zebin.ze_info is not None
    zebin.ze_info.kernels_misc_info[0].args_info[0].name = "\x1b[31mred"
    section = zebin.section(".ze_info")
    assert section is not None
    path = tmp_path / "red.zebin"
    path.write_bytes(file_of(FULL.replace("name: a", 'name: "\\e[31mred"')))
    assert main([str(path)]) == 0
    output = capsys.readouterr().out
    assert "\x1b" not in output
    assert "\\x1b[31mred" in output
    assert b'"\\e[31mred"' in write_ze_info(zebin.ze_info)


def test_a_reader_that_stops_reading_is_no_error(tmp_path: Path) -> None:
    path = tmp_path / "many.zebin"
    path.write_bytes(build(PVC, [compiled_kernel(f"k{n}") for n in range(200)]))
    process = subprocess.Popen(
        [sys.executable, "-m", "tools.zebin_dump", str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    process.wait()


def test_hex_lines() -> None:
    assert list(hex_lines(bytes(range(60, 80)))) == [
        "00000000  3c 3d 3e 3f 40 41 42 43  44 45 46 47 48 49 4a 4b  <=>?@ABCDEFGHIJK",
        "00000010  4c 4d 4e 4f                                       LMNO",
    ]


def test_table_lines() -> None:
    table = Table("T", ("name", "size"), [("a", "1"), ("long\nname", "22")], frozenset({"size"}))
    assert list(table.lines()) == ["T:", "  name        size", "  a              1", "  long\\nname    22"]


def test_nothing_is_imported_that_the_dump_does_not_need() -> None:
    """Starting is quick because tables and YAML of other people are loaded only where they are used."""
    program = "import sys, tools.zebin_dump; print({'rich', 'yaml', 'elftools', 'numpy', 'xdsl'} & set(sys.modules))"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True)
    assert result.stdout.strip() == "set()"


def test_model_of_an_empty_file() -> None:
    assert ElfFile([Section("", 0)]).find(".text") is None
