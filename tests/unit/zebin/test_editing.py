"""Edits of `.ze_info`: what changes, what stays, and what is refused."""

from __future__ import annotations

import difflib
import tracemalloc
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.unit.zebin.support import DATA, SAMPLES, compiled_kernel, container, sample
from tests.unit.zebin.test_malformed_ze_info import FULL, file_of
from tools import zebin_edit
from xegpu.isa import assemble
from xegpu.isa.code import LineTable
from xegpu.targets import PVC
from zebin import Zebin, ZebinError, build, device_images, disassemble, line_tables, read
from zebin.diff import diff
from zebin.editing import EditError, Editor, assemble_for, edit, parse_value, replace_code, replace_member
from zebin.elf.constants import SectionType
from zebin.elf.model import Section

VADD = sample("vadd.pvc.zebin")
K = "kernels[vadd]."


def changed_lines(editor: Editor, before: str) -> list[str]:
    """The lines that differ, with their signs."""
    lines = difflib.unified_diff(before.splitlines(), editor.text.splitlines(), n=0, lineterm="")
    return [line for line in lines if not line.startswith(("---", "+++", "@@"))]


def others(zebin: Zebin) -> list[tuple[str, bytes, int]]:
    """Everything but `.ze_info`, and how it is aligned."""
    return [(s.name, bytes(s.data), s.offset % 8) for s in zebin.sections if s.type != SectionType.ZEINFO]


def test_a_number_of_the_same_length_changes_these_bytes_only() -> None:
    edited = edit(VADD).set(K + "execution_env.grf_count", 256).binary()
    differing = [at for at, (old, new) in enumerate(zip(VADD, edited, strict=True)) if old != new]
    start = VADD.index(b"grf_count:       128") + len("grf_count:       ")
    assert differing == [start, start + 1, start + 2]
    assert read(edited).kernels["vadd"].execution_env.grf_count == 256


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_what_is_not_edited_stays(path: Path) -> None:
    """A key and a block more, then both taken out again: the file is the old one, byte for byte."""
    data = path.read_bytes()
    before = read(data)
    assert before.ze_info is not None
    name = before.ze_info.kernels[0].name
    env = f"kernels['{name}'].execution_env"
    assert not before.ze_info.kernels[0].execution_env.has_sample
    edited = edit(data).set(f"{env}.has_sample", True).append("functions", {"name": "f", "execution_env": SMALL})
    binary = edited.binary()
    after = read(binary)
    assert after.ze_info is not None
    assert after.ze_info.kernels[0].execution_env.has_sample
    assert [function.name for function in after.ze_info.functions][-1] == "f"
    assert others(after) == others(before)
    restored = edit(binary).delete(f"{env}.has_sample").delete("functions[f]").binary()
    assert restored == data


SMALL = {"grf_count": 128, "simd_size": 16}

TEXT = """\
---
# made by hand
version: '1.61'   # quoted
kernels:
  -
    # the first
    name: "k\\x31"
    execution_env:   # what it needs
      simd_size: 16
      grf_count: 128 # registers

      future_key: [ 1, 2 ]
    payload_arguments:
      - arg_type: local_size
        offset: 0
        size: 12
        # behind the sizes

  # the second
  - name: k2
    execution_env: {ENV}
      grf_count: 128
      simd_size: 16
...
""".replace(" {ENV}", "")


def text_after(*edits: tuple[str, ...], text: str = TEXT) -> str:
    editor = edit(container(text, texts={"k1": bytes(192), "k2": bytes(192)}))
    for operation, path, *value in edits:
        if operation == "delete":
            editor.delete(path)
        else:
            getattr(editor, operation)(path, parse_value(path, value[0]))
    editor.binary(force=True)
    return editor.text


@pytest.mark.parametrize(
    ("change", "old", "new"),
    [
        (("set", "kernels[k1].execution_env.grf_count", "256"), "grf_count: 128 #", "grf_count: 256 #"),
        (("set", "kernels[0].name", "on"), '"k\\x31"', "on"),
        (("set", "version", "1.2"), "'1.61'   #", "'1.2'   #"),
        (("set", "kernels[k1].payload_arguments[0].size", "4"), "size: 12", "size: 4"),
        (
            ("set", "kernels[k1].execution_env.has_dpas", "true"),
            "      grf_count: 128 # registers\n",
            "      grf_count: 128 # registers\n      has_dpas:        true\n",
        ),
        (
            ("set", "kernels[k1].execution_env.barrier_count", "1"),
            "      simd_size: 16\n      grf_count: 128 #",
            "      barrier_count:   1\n      simd_size: 16\n      grf_count: 128 #",
        ),
        (
            ("set", "kernels[k1].user_attributes.reqd_work_group_size", "16,1,1"),
            '    name: "k\\x31"\n',
            '    name: "k\\x31"\n    user_attributes:\n      reqd_work_group_size: [ 16, 1, 1 ]\n',
        ),
        (
            ("set", "kernels[k2].debug_env", '{"sip_surface_bti": 3}'),
            "      grf_count: 128\n      simd_size: 16\n",
            "      grf_count: 128\n      simd_size: 16\n    debug_env:\n      sip_surface_bti: 3\n",
        ),
        (
            ("append", "kernels[k1].payload_arguments", '{"size": 12, "offset": 16, "arg_type": "group_count"}'),
            "        size: 12\n",
            "        size: 12\n      - arg_type:        group_count\n"
            "        offset:          16\n        size:            12\n",
        ),
        (
            ("append", "kernels[k1].binding_table_indices", '{"bti_value": 0, "arg_index": 0}'),
            "        size: 12\n        # behind the sizes\n",
            "        size: 12\n    binding_table_indices:\n      - bti_value:       0\n        arg_index:       0\n"
            "        # behind the sizes\n",
        ),
        (("delete", "kernels[k1].execution_env.future_key"), "      future_key: [ 1, 2 ]\n", ""),
        (("delete", "kernels[k1].execution_env.grf_count"), "      grf_count: 128 # registers\n", ""),
        (
            ("delete", "kernels[k1].payload_arguments[0]"),
            "    payload_arguments:\n      - arg_type: local_size\n        offset: 0\n        size: 12\n",
            "",
        ),
        (("delete", "kernels[k1].payload_arguments[0].arg_type"), "arg_type: local_size\n        offset", "offset"),
        (("delete", "kernels[k2].name"), "  - name: k2\n    execution_env:", "  - execution_env:"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_only_the_lines_of_the_edit_change(change: tuple[str, ...], old: str, new: str) -> None:
    assert TEXT.count(old) == 1
    assert text_after(change) == TEXT.replace(old, new)


def test_line_ends_and_a_missing_last_one_are_kept() -> None:
    text = FULL.replace("\n", "\r\n").removesuffix("...\r\n").removesuffix("\r\n")
    editor = edit(file_of(text))
    editor.set("kernels[k].execution_env.has_dpas", True).set("version", "1.62")
    expected = text.replace("'1.61'", "'1.62'")
    marker = "      grf_count: 128\r\n"
    assert editor.text == expected.replace(marker, marker + "      has_dpas:        true\r\n", 1)


def test_zeros_behind_the_text_are_kept() -> None:
    text = FULL.encode() + b"\0\0\0"
    edited = read(edit(file_of(text)).set("version", "1.6").binary(force=True), lenient=True)
    section = edited.section(".ze_info")
    assert section is not None
    assert bytes(section.data) == text.replace(b"'1.61'", b"'1.6'")


def test_an_alias_is_edited_under_its_own_name() -> None:
    text = TEXT.replace("arg_type:", "argument_type:")
    assert "argument_type: group_count" in text_after(
        ("set", "kernels[0].payload_arguments[0].arg_type", "group_count"), text=text
    )


def test_what_stands_behind_keeps_its_alignment(tmp_path: Path) -> None:
    path = tmp_path / "vadd.zebin"
    path.write_bytes(VADD)
    editor = edit(path)
    for count in range(12):
        binary = editor.set(K + "execution_env.spill_size", 10**count % 2**31).binary()
        after = read(binary)
        assert others(after) == others(read(VADD))
        assert len(binary) % 8 == len(VADD) % 8
    assert path.read_bytes() == VADD


def test_bytes_that_nothing_names_are_kept() -> None:
    zebin = read(VADD)
    section = zebin.section(".ze_info")
    assert section is not None
    gap = section.offset + section.size
    marked = VADD[:gap] + b"\xaa" + VADD[gap + 1 :]
    binary = edit(marked).set(K + "execution_env.has_dpas", True).binary()
    assert binary.count(b"...\n\xaa") == 0
    assert b"\xaa" + VADD[gap + 1 : gap + 40] in binary
    assert others(read(binary)) == others(zebin)


def test_a_file_without_changes_is_the_same() -> None:
    assert edit(VADD).binary() == VADD
    assert edit(VADD).set(K + "execution_env.grf_count", 128).binary() == VADD


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("kernels[vadd].execution_env.grf_coun", 1, "unknown key 'grf_coun'; perhaps 'grf_count'"),
        ("kernels[vadd].execution_env.grf_count", "128", "found '128', expected an integer"),
        ("kernels[vadd].execution_env.grf_count", True, "found True, expected an integer"),
        ("kernels[vadd].execution_env.grf_count", 1 << 31, "does not fit 32 bits"),
        ("kernels[vadd].execution_env.has_dpas", 1, "expected true or false"),
        ("kernels[vadd].execution_env.required_work_group_size", [1, 2], "expected three integers"),
        ("kernels[vadd].execution_env.thread_scheduling_mode", "fast", "expected one of age_based"),
        ("kernels[vadd].execution_env.slm_size.x", 1, "there are no keys below it"),
        ("kernels[vadd].execution_env[0].slm_size", 1, "not a list"),
        ("kernels[vadd].execution_env", 1, "expected keys with values"),
        ("kernels[vadd].execution_env", {}, "expected keys with values"),
        ("kernels[vadd].payload_arguments", [], "expected a list with items"),
        ("kernels[vadd].payload_arguments[99].size", 1, "there are 10 items"),
        ("kernels[vadd].payload_arguments[0]", 1, "an item cannot be set as a whole"),
        ("kernels[vadd].inline_samplers[0].sampler_index", 1, "there is no list 'inline_samplers'"),
        ("kernels[other].name", "x", "no item is called 'other'; there are 'vadd'"),
        ("kernels.name", "x", "choose an item, as in kernels[0]"),
        ("functions[0].name", "x", "there is no list 'functions'"),
        ("", 1, "is not a path"),
        ("kernels[", 1, "is not a path"),
        ("kernels[vadd]name", 1, "expected '.' or its end"),
        ("kernels[vadd].name", ["x"], "expected text"),
    ],
)
def test_wrong_paths_and_values(path: str, value: object, message: str) -> None:
    editor = edit(VADD)
    with pytest.raises(EditError) as caught:
        editor.set(path, value)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 400
    assert editor.binary() == VADD


@pytest.mark.parametrize("path", ["kernels[vadd].debug_env", "kernels[vadd].execution_env.nothing", "nothing"])
def test_what_is_not_there_cannot_be_deleted(path: str) -> None:
    with pytest.raises(EditError):
        edit(VADD).delete(path)


def test_appending_to_what_is_no_list() -> None:
    with pytest.raises(EditError, match="not a list"):
        edit(VADD).append("kernels[vadd].execution_env", {"grf_count": 1})


@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        ("kernels[vadd].execution_env.grf_count", 7, "value.grf"),
        ("kernels[vadd].name", "other", "kernel.no-text"),
        ("version", "2.0", "version.major"),
    ],
)
def test_what_a_driver_would_refuse_is_refused(path: str, value: object, code: str) -> None:
    editor = edit(VADD).set(path, value)
    with pytest.raises(EditError) as caught:
        editor.binary()
    assert code in [finding.code for finding in caught.value.findings]
    with pytest.raises(ZebinError):
        read(editor.binary(force=True))


def test_faults_that_were_there_before_do_not_prevent_edits() -> None:
    broken = edit(VADD).set(K + "execution_env.simd_size", 7).binary(force=True)
    binary = edit(broken).set(K + "execution_env.has_dpas", True).binary()
    assert edit(binary).set(K + "execution_env.simd_size", 32).delete(K + "execution_env.has_dpas").binary() == VADD


def test_files_that_cannot_be_edited() -> None:
    with pytest.raises(EditError, match=r"there is no \.ze_info"):
        edit(container())
    with pytest.raises(ZebinError):
        edit(VADD[:100])
    with pytest.raises(EditError, match="cannot be read"):
        edit(container("---\nversion: [\n")).set("version", "1.2")
    with pytest.raises(EditError, match="describes nothing"):
        edit(container("---\n...\n")).set("version", "1.2")
    with pytest.raises(ZebinError, match="UTF-8"):
        edit(container(b"\xff\xfe\xff"))
    with pytest.raises(FileNotFoundError):
        edit(DATA / "missing.zebin")


def test_shared_bytes_are_not_moved() -> None:
    shared = Section(".misc.x", SectionType.MISC, data=b"abcd")
    data = bytearray(container(TEXT, texts={"k1": bytes(192), "k2": bytes(192)}, extra=[shared]))
    zebin = read(data, lenient=True)
    section, ze_info = zebin.section(".misc.x"), zebin.section(".ze_info")
    assert section is not None
    assert ze_info is not None
    header = data.rindex(section.offset.to_bytes(8, "little") + b"\4")
    data[header : header + 8] = (ze_info.offset + 8).to_bytes(8, "little")
    with pytest.raises(EditError, match=r"also belong to '\.misc\.x'"):
        edit(bytes(data)).set("kernels[k2].execution_env.has_dpas", True).binary()


def test_edits_of_a_file_with_many_kernels() -> None:
    kernels = "".join(f"  - name: k{n}\n    execution_env:\n      grf_count: 128\n" for n in range(500))
    editor = edit(container(f"version: '1.61'\nkernels:\n{kernels}", texts={}))
    before = editor.text
    editor.set("kernels[k300].execution_env.simd_size", 16).delete("kernels[k499]")
    assert changed_lines(editor, before) == [
        "+      simd_size:       16",
        "-  - name: k499",
        "-    execution_env:",
        "-      grf_count: 128",
    ]
    with pytest.raises(EditError, match="and 489 more"):
        editor.delete("kernels[k]")


def members(data: bytes) -> Sequence[tuple[str, bytes]]:
    return [(member.name, bytes(member.data)) for member in device_images(data)]


def test_members_of_fat_binaries() -> None:
    archive = (DATA / "vadd.fat.ar").read_bytes()
    for index, member in enumerate(device_images(archive)):
        edited = edit(member.data).set(K + "execution_env.slm_size", 4096).binary()
        result = replace_member(archive, member, edited)
        expected = list(members(archive))
        expected[index] = (member.name, edited)
        assert members(result) == expected
        assert all(member.offset and member.offset % 8 == 0 for member in device_images(result))


def test_a_member_may_have_any_size() -> None:
    archive = (DATA / "vadd.fat.ar").read_bytes()
    first, second = device_images(archive)
    result = list(device_images(replace_member(archive, first, b"odd")))
    assert bytes(result[0].data).rstrip(b"\0") == b"odd"
    assert (result[1].name, bytes(result[1].data)) == (second.name, bytes(second.data))


@pytest.mark.parametrize("path", ["kernels[0].execution_env", "kernels[0].payload_arguments", "kernels[0].name"])
def test_values_of_any_depth_and_size(path: str) -> None:
    for text in ("[" * 900 + "]" * 900, "[" * 100_000, "9" * 10_000, '{"a":' * 900 + "1" + "}" * 900):
        with pytest.raises(EditError) as caught:
            edit(VADD).set(path, parse_value(path, text)).binary()
        assert len(str(caught.value)) < 1000


HOSTILE = {
    "blank lines": "version: '1.61'\nkernels:\n" + "\n" * 100_000 + "  - name: k\n" + " \n" * 100_000,
    "spaces": "version: '1.61'\nkernels:\n  - name: k" + " " * 2_000_000 + "x\n",
    "a deep line": "version: '1.61'\nkernels:\n" + " " * 2_000_000 + "- name: k\n",
    "quotes": "version: '1.61'\nkernels:\n  - name: 'k" + "''" * 1_000_000 + "'\n",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_texts_take_time_in_proportion(text: str) -> None:
    binary = container(text)
    tracemalloc.start()
    try:
        edited = edit(binary).set("kernels[0].name", "other").delete("version").binary(force=True)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(edited) < len(binary) + 100
    assert peak < 4 * len(binary) + 100_000_000


# Code ----------------------------------------------------------------------------------------------------------------


def text_of(data: bytes, kernel: str) -> str:
    binary = read(data, lenient=True)
    return "".join(f"{line}\n" for line in disassemble(binary.kernels[kernel], binary.target).text())


@pytest.mark.parametrize(("file", "kernel"), [("vadd.pvc", "vadd"), ("const_table.pvc", "weigh"), ("vadd.dg2", "vadd")])
def test_code_that_is_put_back_changes_nothing(file: str, kernel: str) -> None:
    data = sample(f"{file}.zebin")
    result, remark = replace_code(data, kernel, assemble_for(read(data), kernel, text_of(data, kernel)))
    assert remark == ""
    assert diff(read(data), read(result)) == []


def test_what_counts_bytes_of_code_follows_its_instructions() -> None:
    data = sample("const_table.pvc.zebin")
    before = read(data)
    lines = text_of(data, "weigh").splitlines()
    nops = "nop\n" * 5
    first = next(index for index, line in enumerate(lines) if line.startswith("/* 0000"))
    longer = "\n".join((*lines[: first + 1], nops, *lines[first + 1 :])) + "\n"
    result = read(replace_code(data, "weigh", assemble_for(before, "weigh", longer)).data)
    old, new = before.kernels["weigh"], result.kernels["weigh"]
    grown = len(new.code) - len(old.code)
    assert grown == 5 * 16
    assert new.entry_offset == old.entry_offset + grown
    assert new.entry is not None and old.entry is not None
    assert new.entry.size == old.entry.size
    skipped = old.execution_env.offset_to_skip_per_thread_data_load
    assert new.execution_env.offset_to_skip_per_thread_data_load == skipped + grown * bool(skipped)

    def places(binary: Zebin) -> list[tuple[int, int]]:
        index = binary.kernels["weigh"].section.index
        tables = (e for i, e in binary.relocations.items() if binary.sections[i].info == index)
        return [(entry.offset, entry.symbol) for entries in tables for entry in entries]

    assert places(before)
    assert places(result) == [(offset + grown, symbol) for offset, symbol in places(before)]
    assert [s.name for s in result.sections] == [s.name for s in before.sections]


def test_lines_stay_with_their_instructions() -> None:
    data = sample("vadd-debug.pvc.zebin")
    before = line_tables(read(data))[0]["vadd"]
    old = disassemble(read(data).kernels["vadd"], read(data).target).offsets
    lines = text_of(data, "vadd").splitlines()
    middle = len(lines) // 2
    longer = "\n".join((*lines[:middle], "nop", *lines[middle:])) + "\n"
    result, remark = replace_code(data, "vadd", assemble_for(read(data), "vadd", longer))
    assert "keep their lines, without columns; other debug information is that of the old code" in remark
    tables, findings = line_tables(read(result))
    assert findings == []
    new = disassemble(read(result).kernels["vadd"], read(result).target).offsets
    at = next(index for index, (was, now) in enumerate(zip(old, new, strict=False)) if was != now)
    added = at - 1 if tables["vadd"].at(new[at - 1]) is None else at

    def line(table: LineTable, offset: int) -> int | None:
        place = table.at(offset)
        return None if place is None else place.line

    kept = [line(tables["vadd"], offset) for index, offset in enumerate(new) if index != added]
    assert kept == [line(before, offset) for offset in old]
    assert tables["vadd"].at(new[added]) is None
    assert len(result) - len(data) in range(17)
    shuffled = "\n".join((lines[0], *("nop\n" + line for line in lines[1:]))) + "\n"
    result, remark = replace_code(data, "vadd", assemble_for(read(data), "vadd", shuffled))
    assert "its lines are gone, for want of room" in remark
    assert not line_tables(read(result))[0]["vadd"].is_known


def test_code_of_the_virtual_instruction_set_is_replaced() -> None:
    data = build(PVC, [compiled_kernel(code=assemble("nop\neot\n"))])
    code = assemble_for(read(data), "gemm", "(W) mov (16|M0) r10.0<1>:ud 0x1:ud\nnop\neot\n")
    result = read(replace_code(data, "gemm", code).data)
    assert bytes(result.kernels["gemm"].code) == code.code
    assert result.findings == read(data).findings


def test_code_that_the_file_cannot_do_without_is_missed() -> None:
    data = sample("const_table.pvc.zebin")
    lines = [line for line in text_of(data, "weigh").splitlines() if not line.startswith("/* 0001b0 */")]
    code = assemble_for(read(data), "weigh", "\n".join(lines) + "\n")
    with pytest.raises(EditError, match=r"relocation SYM_ADDR_32 is at 0x1bc, but the new code does not"):
        replace_code(data, "weigh", code)
    with pytest.raises(EditError, match="no kernel is called 'other', there are: 'weigh'"):
        replace_code(data, "other", code)


def test_the_command_assembles_and_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out, file = tmp_path / "k.asm", tmp_path / "out", str(DATA / "vadd.pvc.zebin")
    source.write_text(text_of(sample("vadd.pvc.zebin"), "vadd"))
    command = [file, "--replace-code", f"vadd={source}", "-o", str(out)]
    assert zebin_edit.main(command) == 0
    assert diff(read(file), read(out)) == []
    source.write_text("nop\nmove it\n")
    assert zebin_edit.main(command) == 1
    assert f"{source}:2:1: error: " in capsys.readouterr().err
    assert zebin_edit.main([file, "--replace-code", "vadd", "-o", str(out)]) == 1
    assert "expected a kernel, '=' and a file" in capsys.readouterr().err
