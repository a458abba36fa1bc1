"""`zebin-dump`: validation, differences, sections, pictures, extraction, fat binaries, streams; `zebin-edit`."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings, strategies as st

from tests.amounts import examples
from tests.unit.zebin.support import DATA, SAMPLES, compiled_kernel, container, sample
from tests.unit.zebin.test_mutations import damaged_files
from tools import zebin_dump, zebin_edit
from xegpu.isa import assemble
from xegpu.isa.native import assemble_native
from xegpu.targets import PVC, XE_HPC
from zebin import build, device_images, disassemble, read
from zebin.dump import Json, as_json, json_chunks
from zebin.pictures import register_lifetimes
from zebin.pictures.control_flow import code_blocks

VADD = str(DATA / "vadd.pvc.zebin")
DEBUG = str(DATA / "vadd-debug.pvc.zebin")
MULTI = str(DATA / "multi.pvc.zebin")
FAT = str(DATA / "vadd.fat.ar")
ROOT = Path(__file__).parents[3]


def run(*arguments: str, stdin: bytes | None = None, tool: str = "zebin_dump") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", f"tools.{tool}", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, check=False, cwd=ROOT)


def give_stdin(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


# Validation ----------------------------------------------------------------------------------------------------------


def test_validation_says_what_is_found_and_a_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    assert zebin_dump.main(["--validate", VADD, str(DATA / "vadd-bindless.pvc.zebin")]) == 0
    output, errors = capsys.readouterr()
    first, *_, last = output.splitlines()
    assert first == f"{VADD}: valid"
    assert last == f"{DATA}/vadd-bindless.pvc.zebin: valid: 1 warning"
    assert errors == ""


def test_a_file_with_nothing_in_it_is_not_valid(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "empty"
    for text in ("---\nversion: '1.61'\nkernels: []\n...\n", "---\n...\n"):
        path.write_bytes(container(text))
        assert zebin_dump.main(["--validate", str(path)]) == 1
        assert "nothing that a driver could load" in capsys.readouterr().out


def test_validation_of_a_broken_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "cut"
    path.write_bytes(sample("vadd.pvc.zebin")[:3000])
    assert zebin_dump.main(["--validate", str(path)]) == 1
    output, errors = capsys.readouterr()
    assert "[elf.shtab-bounds]" in output
    assert output.endswith(f"{path}: invalid: 1 error\n")
    assert errors == ""
    assert zebin_dump.main(["--validate", "--json", str(path)]) == 1
    content = json.loads(capsys.readouterr().out)
    assert list(content) == ["file", "findings"]
    assert content["findings"][0]["code"] == "elf.shtab-bounds"


def test_strict_validation_refuses_unknown_keys(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "new"
    text = "version: '1.61'\nkernels:\n  - name: k\n    execution_env:\n      grf_count: 128\n      simd_size: 16\n"
    path.write_bytes(container(f"{text}      new_key: 1\n"))
    assert zebin_dump.main(["--validate", str(path)]) == 0
    assert zebin_dump.main(["--validate", "--strict", str(path)]) == 1
    assert "[key.unknown]" in capsys.readouterr().out


# Kernels, sections, text ---------------------------------------------------------------------------------------------


def test_only_some_kernels(capsys: pytest.CaptureFixture[str]) -> None:
    assert zebin_dump.main([MULTI, "--kernel", "k_fill", "--kernel", "k_empty"]) == 0
    output = capsys.readouterr().out
    assert "Kernel k_fill, execution_env:" in output
    assert "Kernel k_empty, execution_env:" in output
    assert "k_copy2d" not in output
    assert "Sections:" not in output
    assert zebin_dump.main([MULTI, "--kernel", "k_fill", "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert [kernel["name"] for kernel in content["ze_info"]["kernels"]] == ["k_fill"]
    assert zebin_dump.main([MULTI, "--kernel", "k_fill", "--yaml"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[-1] for line in lines if line.startswith("  - name:")] == ["k_fill", "k_fill"]
    assert zebin_dump.main([MULTI, "--kernel", "k_fill", "--payload"]) == 0
    assert capsys.readouterr().out.count("Payload of kernel") == 1


def test_a_kernel_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert zebin_dump.main([VADD, "--kernel", "nope"]) == 1
    assert capsys.readouterr().err == f"{VADD}: error: no kernel is called 'nope', there are: 'vadd' [dump.kernel]\n"


def test_forms_of_sections(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert zebin_dump.main([DEBUG, "--section", ".misc.buildOptions", "--format", "raw"]) == 0
    section = read(DEBUG).section(".misc.buildOptions")
    assert section is not None
    assert capsysbinary.readouterr().out == bytes(section.data)
    assert zebin_dump.main([DEBUG, "--section", ".strtab", "--format", "text"]) == 0
    lines = capsysbinary.readouterr().out.decode().splitlines()
    assert lines[1:3] == [".text.vadd", ".symtab"]
    assert zebin_dump.main([DEBUG, "-x", "1"]) == 0
    assert capsysbinary.readouterr().out.startswith(b"section 1 '.text.vadd', PROGBITS")


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_yaml_is_exact(path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert zebin_dump.main(["--yaml", str(path)]) == 0
    section = read(path).section(".ze_info")
    assert section is not None
    assert capsysbinary.readouterr().out == bytes(section.data)


def test_yaml_of_a_text_that_cannot_be_read(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    path = tmp_path / "odd"
    path.write_bytes(container(b"\xff{"))
    assert zebin_dump.main(["--yaml", str(path)]) == 1
    output, errors = capsysbinary.readouterr()
    assert output == b"\xff{"
    assert b"[yaml.encoding]" in errors


# Several files, members, streams -------------------------------------------------------------------------------------


def test_several_files(capsys: pytest.CaptureFixture[str]) -> None:
    assert zebin_dump.main([VADD, MULTI]) == 0
    output = capsys.readouterr().out
    assert output.index(f"# {VADD}") < output.index(f"# {MULTI}")
    assert zebin_dump.main([VADD, "--json", MULTI]) == 0
    assert [entry["file"] for entry in json.loads(capsys.readouterr().out)] == [VADD, MULTI]
    assert zebin_dump.main([VADD, "/missing"]) == 1
    output, errors = capsys.readouterr()
    assert "ZEBIN:" in output
    assert errors == "/missing: error: cannot be read: No such file or directory\n"


def test_one_member(capsys: pytest.CaptureFixture[str]) -> None:
    for choice, target in (
        (["--member", "64.12.55.8"], "DG2"),
        (["--target", "pvc"], "PVC"),
        (["--target", "arc"], "DG2"),
        (["--target", "dg2"], "DG2"),
        (["--target", "12.55"], "DG2"),
    ):
        assert zebin_dump.main([FAT, *choice]) == 0
        assert f"  target   {target}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([FAT, "--member", "x"], "no member is called 'x', there are: 64.12.55.8, 64.12.60.7"),
        ([FAT, "--target", "12.71.4"], "[ar.device]"),
        ([FAT, "--target", "tgllp"], "no member for 12.0.0 (TGL): found 2 members"),
        (["--validate", FAT, "--target", "12.71.4"], "[ar.device]"),
        ([FAT, "--target", "?"], "unknown GPU '?'"),
        ([VADD, "--target", "pvc"], "not a fat binary"),
    ],
)
def test_members_that_are_not_there(arguments: Sequence[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert zebin_dump.main(arguments) == 1
    output, errors = capsys.readouterr()
    assert output == ""
    assert message in errors
    assert errors.count("\n") == 1


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    give_stdin(monkeypatch, sample("vadd.pvc.zebin"))
    assert zebin_dump.main(["--validate", "-"]) == 0
    assert capsys.readouterr().out == "<stdin>: valid\n"


def test_the_module_is_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tools.zebin_dump", "--validate", VADD], capture_output=True, check=False, cwd=ROOT
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{VADD}: valid\n".encode(), b"")


@pytest.mark.parametrize("stream", ["/dev/full", "closed pipe"])
def test_output_that_cannot_be_written(stream: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") if stream == "closed pipe" else Path(stream).open("wb") as output:
        command = [sys.executable, "-m", "tools.zebin_dump", "--json", MULTI]
        done = subprocess.run(command, stdout=output, stderr=subprocess.PIPE, check=False, cwd=ROOT)
    said = b"" if stream == "closed pipe" else b"<stdout>: error: cannot be written: No space left on device\n"
    assert (done.returncode, done.stderr) == (141 if stream == "closed pipe" else 1, said)


def test_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert b"\x1b[" in run(VADD, "--color", "always").stdout
    assert b"\x1b[" not in run(VADD, "--color", "never").stdout
    assert b"\x1b[" not in run(VADD).stdout


@pytest.mark.parametrize(
    ("options", "titles"),
    [
        (["--file-header"], ["ZEBIN"]),
        (["--kernels"], ["Kernels"]),
        (["--section-headers"], ["Sections"]),
        (["-n"], ["Notes"]),
        (["--symbols", "--notes"], ["Notes", "Symbols"]),
        (["-sn"], ["Notes", "Symbols"]),
    ],
)
def test_parts_of_the_dump(options: list[str], titles: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert zebin_dump.main([VADD, *options]) == 0
    found = [line for line in capsys.readouterr().out.splitlines() if line and not line.startswith(" ")]
    assert found == [f"{title}:" for title in titles]


def test_parts_with_relocations_and_ze_info(capsys: pytest.CaptureFixture[str]) -> None:
    assert zebin_dump.main([str(DATA / "fn_ptrs.pvc.zebin"), "--relocations"]) == 0
    assert capsys.readouterr().out.startswith("Relocations")
    assert zebin_dump.main([VADD, "--ze-info"]) == 0
    assert capsys.readouterr().out.startswith("Kernel vadd, execution_env:")


@pytest.mark.parametrize(
    "arguments",
    [
        [VADD, "--diff"],
        [VADD, VADD, VADD, "--diff"],
        ["-", "-"],
        [VADD, "--format", "raw"],
        [VADD, "--svg", "x"],
        [VADD, VADD, "--map", "--svg", "x"],
        [VADD, "--map", "--json"],
        [VADD, "--symbols", "--json"],
        [VADD, "--symbols", "--kernel", "vadd"],
        [VADD, "--notes", "--yaml"],
        [VADD, "--map", "--kernel", "vadd"],
        [VADD, "--map", "--payload"],
        [VADD, "--disassemble", "--payload"],
        [FAT, "--member", "a", "--target", "b"],
    ],
)
def test_options_that_do_not_go_together(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        zebin_dump.main(arguments)
    assert caught.value.code == 2
    assert capsys.readouterr().err.startswith("zebin-dump: error: ")


VALUES: Sequence[Json] = (
    {"a": [], "b": {}, "c": [1, 2.5, None, True], "d": 'x"\n'},
    [],
    {},
    "x",
    [[{}]],
    {"a": {"b": ["c"]}},
)


def test_json_is_laid_out_as_usual() -> None:
    for value in VALUES:
        assert "".join(json_chunks(value)) == json.dumps(value, indent=2)
    for path in SAMPLES:
        content = "".join(json_chunks(as_json(read(path))))
        assert json.dumps(json.loads(content), indent=2) == content


# Differences ---------------------------------------------------------------------------------------------------------


def test_status_of_differences(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "broken"
    broken.write_bytes(b"nothing")
    assert zebin_dump.main(["--diff", VADD, VADD]) == 0
    assert capsys.readouterr() == ("", "")
    assert zebin_dump.main(["--diff", VADD, str(DATA / "vadd-noir.pvc.zebin")]) == 1
    output, errors = capsys.readouterr()
    assert output.splitlines() == [
        f"--- {VADD}",
        f"+++ {DATA}/vadd-noir.pvc.zebin",
        "- section .spv: SPIRV, 1284 bytes",
    ]
    assert errors == ""
    assert zebin_dump.main(["--diff", VADD, str(broken)]) == 2
    assert "[file.foreign]" in capsys.readouterr().err
    assert zebin_dump.main(["--diff", VADD, str(tmp_path / "missing")]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_differences_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert zebin_dump.main(["--diff", "--json", VADD, str(DATA / "vadd-noir.pvc.zebin")]) == 1
    assert json.loads(capsys.readouterr().out) == [
        {"subject": "section .spv", "key": "", "old": "SPIRV, 1284 bytes", "new": None, "lines": []}
    ]
    assert zebin_dump.main(["--diff", "--json", VADD, VADD]) == 0
    assert json.loads(capsys.readouterr().out) == []


def test_members_are_compared_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "edited.ar"
    change = "kernels[vadd].execution_env.slm_size=4096"
    assert zebin_edit.main([FAT, "--target", "pvc", "--set", change, "-o", str(path)]) == 0
    assert zebin_dump.main(["--diff", FAT, str(path)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"--- {FAT}(64.12.60.7)",
        f"+++ {path}(64.12.60.7)",
        "kernel vadd:",
        "    execution_env.slm_size: 0 -> 4096",
    ]


# Pictures and extraction ---------------------------------------------------------------------------------------------


def test_pictures_in_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "picture.svg"
    for option in ("--map", "--payload"):
        assert zebin_dump.main([VADD, option, "--svg", str(path)]) == 0
        assert ElementTree.parse(path).getroot().tag.endswith("svg")
        assert capsys.readouterr() == ("", "")
    assert zebin_dump.main([VADD, "--map", "--svg", "-"]) == 0
    assert ElementTree.fromstring(capsys.readouterr().out).tag.endswith("svg")
    assert zebin_dump.main([VADD, "--map", "--svg", str(tmp_path / "no" / "x")]) == 1
    assert "cannot be written: No such file or directory" in capsys.readouterr().err


@pytest.mark.parametrize("path", [*SAMPLES, Path(FAT)], ids=lambda path: path.stem)
def test_extracted_files_are_the_parts_of_the_file(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    folder = tmp_path / "parts"
    assert zebin_dump.main([str(path), "--extract", str(folder)]) == 0
    if path.suffix == ".ar":
        binaries = {folder / member.name: read(member.data) for member in device_images(path.read_bytes())}
    else:
        binaries = {folder: read(path)}
    for root, zebin in binaries.items():
        manifest = json.loads((root / "manifest.json").read_text())
        extracted = {entry["path"] for entry in manifest["files"]}
        assert extracted | {"manifest.json"} == {str(f.relative_to(root)) for f in root.rglob("*") if f.is_file()}
        for entry in manifest["files"]:
            if "section" in entry:
                assert (root / entry["path"]).read_bytes() == bytes(zebin.sections[entry["section"]].data)
            elif entry["path"].endswith(".asm"):
                listing = disassemble(zebin.kernels[entry["kernel"]], zebin.target)
                assert (root / entry["path"]).read_text().splitlines() == list(listing.text())
            else:
                assert (root / entry["path"]).read_bytes() == bytes(zebin.kernels[entry["kernel"]].code)
        assert (root / "ze_info.yaml").read_text().startswith("---\nversion:")


def test_extraction_writes_nowhere_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hostile = tmp_path / "hostile"
    names = ("../../up", "/tmp/x", "..", "a", "A", "a\\b", "x" * 200)
    kernels = "".join(
        f"  - name: '{name}'\n    execution_env:\n      grf_count: 128\n      simd_size: 16\n" for name in names
    )
    hostile.write_bytes(container(f"version: '1.61'\nkernels:\n{kernels}", texts={name: bytes(192) for name in names}))
    folder = tmp_path / "a" / "b" / "parts"
    zebin_dump.main([str(hostile), "--extract", str(folder)])
    outside = [path for path in tmp_path.rglob("*") if path.is_file() and folder not in path.parents]
    assert outside == [hostile]
    codes = [path.name for path in (folder / "code").glob("*.bin")]
    assert len({name.lower() for name in codes}) == len(names)
    capsys.readouterr()
    assert zebin_dump.main([VADD, "--extract", str(folder)]) == 1
    assert capsys.readouterr().err == f"{folder}: error: directory is not empty\n"
    assert zebin_dump.main([VADD, "--extract", str(hostile)]) == 1
    assert "cannot be written" in capsys.readouterr().err


# Editing -------------------------------------------------------------------------------------------------------------


def test_edits_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "edited"
    edits = ["--set", "kernels[vadd].execution_env.has_dpas=true", "--delete", "kernels_misc_info"]
    edits += ["--append", 'kernels[0].per_thread_memory_buffers={"type":"scratch","usage":"single_space","size":64}']
    assert zebin_edit.main([VADD, *edits, "-o", str(path)]) == 0
    assert capsys.readouterr() == ("", "")
    zebin = read(path)
    assert zebin.kernels["vadd"].execution_env.has_dpas
    assert zebin.kernels["vadd"].per_thread_memory_buffers[0].size == 64
    assert not zebin.kernels["vadd"].args_info
    mode = path.stat().st_mode
    path.chmod(0o600)
    assert (
        zebin_edit.main([str(path), "--in-place", "--set", "kernels[0].execution_env.required_work_group_size=8,1,1"])
        == 0
    )
    assert read(path).kernels["vadd"].execution_env.required_work_group_size == (8, 1, 1)
    assert mode & 0o400
    assert path.stat().st_mode & 0o777 == 0o600
    assert [entry.name for entry in tmp_path.iterdir()] == ["edited"]


def test_edits_through_streams() -> None:
    done = run("-", "--set", "version=1.21", "-o", "-", stdin=sample("vadd.pvc.zebin"), tool="zebin_edit")
    assert done.returncode == 0
    assert done.stdout == sample("vadd.pvc.zebin").replace(b"'1.20'", b"'1.21'")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([VADD, "--set", "kernels[0].execution_env.simd_size=7"], "the edited file would have a fault"),
        ([VADD, "--set", "kernels[0].execution_env.simd_size=x"], "found 'x', expected an integer"),
        ([VADD, "--set", "kernels[0].execution_env.simd_size"], "expected a path, '=' and a value"),
        ([VADD, "--set", "kernels[0].execution_env=[[["], "expected keys with values"),
        ([VADD, "--delete", "kernels[1]"], "there are 1 items"),
        ([FAT, "--set", "version=1.20"], "choose one of its members with --member"),
        ([FAT, "--member", "x", "--set", "version=1.20"], "no member is called 'x'"),
        ([VADD, "--target", "pvc", "--set", "version=1.20"], "not a fat binary"),
        (["/missing", "--delete", "version"], "cannot be read"),
        ([__file__, "--delete", "version"], "[file.foreign]"),
    ],
)
def test_edits_that_cannot_be_made(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "out"
    assert zebin_edit.main([*arguments, "-o", str(path)]) == 1
    output, errors = capsys.readouterr()
    assert output == ""
    assert message in errors
    assert not path.exists()


def test_a_refused_edit_can_be_forced(tmp_path: Path) -> None:
    path = tmp_path / "out"
    change = ["--set", "kernels[0].execution_env.simd_size=7", "--force"]
    assert zebin_edit.main([VADD, *change, "-o", str(path)]) == 0
    assert read(path, lenient=True).kernels["vadd"].execution_env.simd_size == 7
    assert zebin_edit.main([VADD, *change, "-o", str(tmp_path / "no" / "out")]) == 1


@pytest.mark.parametrize(
    "arguments",
    [[VADD, "-o", "x"], [VADD, "--delete", "version"], ["-", "--in-place", "--delete", "version"], ["--delete", "a"]],
)
def test_wrong_usage_of_edits(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        zebin_edit.main(arguments)
    assert caught.value.code == 2
    assert capsys.readouterr().err.startswith("zebin-edit: error: ")


# Damaged files -------------------------------------------------------------------------------------------------------

WAYS: Sequence[list[str]] = (
    [],
    ["--json"],
    ["--yaml"],
    ["--validate"],
    ["--map"],
    ["--payload"],
    ["--source"],
    ["--diff", VADD],
)


@settings(max_examples=examples(100), deadline=None)
@given(damaged_files(), st.sampled_from(WAYS))
def test_damaged_files_end_no_command(data: bytes, way: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", "")
        give_stdin(patch, data)
        patch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))
        patch.setattr(sys, "stderr", io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))
        assert zebin_dump.main([*way, "-"]) in (0, 1, 2)


# Code ----------------------------------------------------------------------------------------------------------------


def test_words_stand_beside_a_range_of_instructions(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["-d", "--kernel", "vadd", "--show-raw-insn", VADD]
    assert zebin_dump.main([*command, "--start-address", "0xd0", "--stop-address", "0xe8"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("/* ")]
    code = bytes(read(VADD).kernels["vadd"].code)
    assert [line[3:9] for line in lines] == ["0000d0", "0000d8"]
    words = [bytes.fromhex(word)[::-1] for line in lines for word in line[9:].partition("*/")[0].split()]
    assert b"".join(words) == code[0xD0:0xE8]
    assert zebin_dump.main(command) == 0
    shown = capsys.readouterr().out.splitlines()
    text = "".join(f"{line}\n" for line in shown if line.startswith(("/* ", "L")))
    assert code.startswith(assemble_native(XE_HPC, text))
    with pytest.raises(SystemExit):
        zebin_dump.main(["--show-raw-insn", VADD])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--stop-address", "zz"], "'zz' is not a byte offset, such as 64 or 0x40"),
        (["--start-address", "-5"], "'-5' is not a byte offset"),
        (["--start-address", "24", "--stop-address", "0x10"], "--start-address is not below --stop-address"),
        (["--start-address", "0x1" + "0" * 30], "--start-address is not below --stop-address"),
    ],
)
def test_ranges_without_instructions_are_refused(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        zebin_dump.main(["-d", *arguments, VADD])
    assert message in capsys.readouterr().err


def test_a_name_is_not_empty(capsys: pytest.CaptureFixture[str]) -> None:
    assert zebin_dump.main([""]) == 1
    assert "the name of a file is empty" in capsys.readouterr().err


def test_control_flow_is_a_graph_of_blocks(capsys: pytest.CaptureFixture[str]) -> None:
    assert zebin_dump.main(["--cfg", "--kernel", "vadd", VADD]) == 0
    first, *lines, last = capsys.readouterr().out.splitlines()
    assert (first, last) == ('digraph "vadd" {', "}")
    nodes = {line.split('"')[1] for line in lines if "[label=" in line}
    edges = {tuple(line.split('"')[1::2]) for line in lines if " -> " in line}
    assert {name for edge in edges for name in edge} <= nodes
    code = assemble("L1:\n(W) jmpi (1|M0) L3\nL2:\nL3:\nnop\n(f0.0) jmpi (1|M0) L1\neot\n")
    binary = read(build(PVC, [compiled_kernel(code=code)]), lenient=True)
    blocks = code_blocks(disassemble(binary.kernels["gemm"], binary.target))
    found = [(block.name, len(block.lines), block.successors) for block in blocks]
    loop, join = found[0][0], found[1][0]
    assert [(lines, successors) for _, lines, successors in found] == [(1, [join]), (2, [found[2][0], loop]), (1, [])]


NATIVE = """
(W) mov (16|M0) r3.0<1>:ud 0x1:ud
(W) mov (16|M0) r4.0<1>:ud 0x2:ud
L:
(W) add (16|M0) r3.0<1>:ud r3.0<1;1,0>:ud r4.0<1;1,0>:ud
(W&f0.0) jmpi L
(W) mov (16|M0) r5.0<1>:ud r3.0<1;1,0>:ud
(W&f0.0) mov (16|M0) r5.0<1>:ud 0x0:ud
(W) mov (16|M0) r6.0<1>:ud r5.0<1;1,0>:ud
"""
VIRTUAL = """
(W) mov (16|M0) r3.0<1>:ud 0x1:ud
(W) mov (16|M0) r4.0<1>:ud 0x2:ud
L:
(W) add (16|M0) r3.0<1>:ud r3.0<1>:ud r4.0<1>:ud
(f0.0) jmpi (1|M0) L
(W) mov (16|M0) r5.0<1>:ud r3.0<1>:ud
(W&f0.0) mov (16|M0) r5.0<1>:ud 0x0:ud
(W) mov (16|M0) r6.0<1>:ud r5.0<1>:ud
eot
"""


@pytest.mark.parametrize("code", [assemble(VIRTUAL), assemble_native(XE_HPC, NATIVE)], ids=["virtual", "native"])
def test_registers_live_from_their_write_to_the_last_read(code: bytes) -> None:
    """A loop keeps what it reads again, and a write under a predicate what was there."""
    binary = read(build(PVC, [compiled_kernel(code=code)]), lenient=True)
    kernel = binary.kernels["gemm"]
    listing = disassemble(kernel, binary.target)
    found = register_lifetimes(kernel, binary.target, listing)
    places = {offset: number for number, offset in enumerate((*listing.offsets, len(code)))}
    lives = {r: [(places[each.start], places[each.stop]) for each in ranges] for r, ranges in found.items()}
    assert lives == {3: [(0, 5)], 4: [(1, 4)], 5: [(4, 7)], 6: [(6, 7)]}


def test_lifetimes_are_shown_by_runs_of_registers(capsys: pytest.CaptureFixture[str]) -> None:
    assert zebin_dump.main(["--lifetimes", VADD]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert rows[4][0] == "r2"
    assert " ".join(rows[4][-6:]) == "0x50 to 0x60, 0xc8 to 0xe8"
    assert rows[10][:3] == ["r8", "to", "r9"]


def test_resources_are_those_of_the_kernels(capsys: pytest.CaptureFixture[str]) -> None:
    assert zebin_dump.main(["--kernels", str(DATA / "priv_spill.pvc.zebin")]) == 0
    columns, *rows = [line.split() for line in capsys.readouterr().out.splitlines()[1:] if line]
    for row in rows:
        shown = dict(zip(columns, row, strict=True))
        kernel = read(DATA / "priv_spill.pvc.zebin").kernels[shown["name"]]
        assert int(shown["spill"]) == kernel.spill_size
        assert int(shown["private"]) == kernel.private_size
        assert int(shown["barriers"]) == kernel.execution_env.barrier_count
