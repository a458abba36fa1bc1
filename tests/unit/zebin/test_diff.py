"""Differences of binaries: what counts as one, and how it is told."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.unit.zebin.support import DATA, SAMPLES, compiled_kernel, sample
from xegpu.isa import assemble
from xegpu.targets import PVC
from zebin import build, read, write
from zebin.diff import Change, diff
from zebin.diff.code import first_difference
from zebin.editing import edit

VADD = sample("vadd.pvc.zebin")


def changes(old: bytes, new: bytes) -> list[tuple[str, str, str | None, str | None]]:
    found = diff(read(old, lenient=True), read(new, lenient=True))
    return [(change.subject, change.key, change.old, change.new) for change in found]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_offsets_in_the_file_are_no_difference(path: Path) -> None:
    """Writing a file moves its sections, and other orders of attributes mean the same."""
    zebin = read(path)
    assert diff(zebin, read(path)) == []
    assert diff(zebin, read(write(zebin))) == []


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_difference_seen_from_both_sides(path: Path) -> None:
    forth, back = changes(VADD, path.read_bytes()), changes(path.read_bytes(), VADD)
    assert sorted((s, k, str(n), str(o)) for s, k, o, n in forth) == sorted(
        (s, k, str(o), str(n)) for s, k, o, n in back
    )
    assert bool(forth) is (path.name != "vadd.pvc.zebin")


def test_keys_are_named_with_both_values() -> None:
    editor = edit(VADD).set("kernels[0].execution_env.grf_count", 256).set("kernels[0].execution_env.slm_size", 64)
    editor.delete("kernels[0].binding_table_indices[1]")
    editor.set("kernels_misc_info[0].args_info[n].type_qualifiers", "const")
    assert changes(VADD, editor.binary()) == [
        ("kernel vadd", "execution_env.grf_count", "128", "256"),
        ("kernel vadd", "execution_env.slm_size", "0", "64"),
        ("kernel vadd", "binding_table_indices[1]", "{bti_value: 1, arg_index: 1}", None),
        ("kernel vadd", "args_info[3].type_qualifiers", "NONE", "const"),
    ]


def test_a_default_that_is_stated_is_no_difference() -> None:
    stated = edit(VADD).set("kernels[0].execution_env.slm_size", 0).binary()
    assert stated != VADD
    assert changes(VADD, stated) == []


def test_items_of_lists_are_known_by_what_they_describe() -> None:
    editor = edit(VADD).delete("kernels[0].payload_arguments[0]")
    editor.set("kernels[0].payload_arguments[0].size", 4)
    assert changes(VADD, editor.binary()) == [
        (
            "kernel vadd",
            "payload_arguments[global_id_offset]",
            "{arg_type: global_id_offset, offset: 0, size: 12}",
            None,
        ),
        ("kernel vadd", "payload_arguments[local_size].size", "12", "4"),
    ]


def test_order_of_kernels() -> None:
    first, second = compiled_kernel("a"), compiled_kernel("b")
    assert changes(build(PVC, [first, second]), build(PVC, [second, first])) == [
        ("ze_info", "order of kernels", "a, b", "b, a")
    ]


def test_kernels_that_only_one_file_has() -> None:
    """Their sections, symbols and information go with them."""
    both, one = build(PVC, [compiled_kernel("a"), compiled_kernel("b")]), build(PVC, [compiled_kernel("a")])
    summary = "SIMD16, 128 registers, 4 arguments, 176 bytes of code"
    assert changes(both, one) == [("kernel b", "", summary, None)]
    assert changes(one, both) == [("kernel b", "", None, summary)]


def code_change(old: str, new: str) -> Change:
    files = [read(build(PVC, [compiled_kernel(code=assemble(text))])) for text in (old, new)]
    found = diff(*files)
    assert [change.key for change in found] == ["code"]
    return found[0]


MOVES = [f"(W) mov (16|M0) r{n}.0<1>:ud 0x{n:x}:ud" for n in range(10, 30)]


def test_instructions_are_compared_one_by_one() -> None:
    changed = [*MOVES[:10], "(W) mov (16|M0) r50.0<1>:ud 0x1:ud", *MOVES[11:]]
    change = code_change("\n".join(MOVES) + "\n", "\n".join(changed) + "\n")
    assert [line.strip() for line in change.lines] == [
        "@@ 0x80 -> 0x80 @@",
        *MOVES[7:10],
        f"-{MOVES[10]}",
        f"+{changed[10]}",
        *MOVES[11:14],
    ]


def test_jumps_over_more_code_are_the_same_jumps() -> None:
    loop = "L1:\n{}\n(W) jmpi (1|M0) L1\n"
    change = code_change(loop.format(MOVES[0]), loop.format("\n".join(MOVES[:2])))
    assert (change.old, change.new) == ("48 bytes", "64 bytes")
    assert [line.strip() for line in change.lines if line[:1] in "+-"] == [f"+{MOVES[1]}"]


def test_very_different_code_is_not_matched() -> None:
    old = "".join(f"(W) mov (16|M0) r10.0<1>:ud 0x{n:x}:ud\n" for n in range(6000))
    new = "".join(f"(W) mov (16|M0) r10.0<1>:ud 0x{n:x}:ud\n" for n in range(6000, 12000))
    assert "too many to match" in code_change(old, new).lines[0]


def test_native_code_without_a_disassembler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert shutil.which("iga64") is None
    data = (DATA / "vadd.tgllp.zebin").read_bytes()
    code = bytes(read(data).kernels["vadd"].code)
    changed = data.replace(code, bytes([code[0] ^ 1, *code[1:]]))
    found = [change for change in diff(read(data), read(changed)) if change.key == "code"]
    assert len(found) == 1
    assert found[0].lines == ["native code; iga64, which would disassemble it, is not installed"]


def test_sections_symbols_and_relocations() -> None:
    found = changes(sample("const_table.pvc.zebin"), sample("global_vars.pvc.zebin"))
    assert ("section .data.const", "contents", "272 bytes", "16 bytes") in found
    assert ("section .data.const.string", "", "PROGBITS, 19 bytes", None) in found
    assert ("symbols", "weights in .data.const", "GLOBAL OBJECT, value 0x0, size 0x100", None) in found
    assert ("relocations of .data.global", "0x28", None, "SYM_ADDR limits") in found
    assert changes(VADD, sample("vadd-noir.pvc.zebin")) == [("section .spv", "", "SPIRV, 1284 bytes", None)]


def test_texts_are_shown() -> None:
    old, new = read(DATA / "slm_reduce-grf256.pvc.zebin"), read(DATA / "slm_reduce-grf256.pvc.zebin")
    section = new.section(".misc.buildOptions")
    assert section is not None
    section.data = b"-cl-std=CL3.0"
    assert [(c.subject, c.key, c.new) for c in diff(old, new)] == [
        ("section .misc.buildOptions", "text", "'-cl-std=CL3.0'")
    ]


def test_target_and_header() -> None:
    found = changes(VADD, sample("vadd-m32.dg2.zebin"))
    assert ("file", "class", "ELF64", "ELF32") in found
    assert ("target", "PRODUCT_FAMILY", "1271 (PVC)", "1270 (DG2)") in found


@pytest.mark.parametrize(("new", "at"), [(b"abcd", 4), (b"abcX", 3), (b"Xbcd", 0), (b"ab", 2), (b"", 0), (b"abcde", 4)])
def test_first_difference(new: bytes, at: int) -> None:
    assert first_difference(b"abcd", new) == at
