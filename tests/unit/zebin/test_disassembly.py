"""Listings: instructions with offsets, what tables say of them, and why there are none."""

from __future__ import annotations

import shutil
import stat
from pathlib import Path

import pytest

from tests.unit.zebin.support import DATA, SAMPLES, compiled_kernel
from tools import zebin_dump
from xegpu.isa import assemble
from xegpu.targets import PVC
from zebin import ZebinKernel, build, read
from zebin.binary.disassembly import CodeListing, disassemble, native_platform
from zebin.elf.notes import TargetNotes

NATIVE = read(DATA / "vadd.pvc.zebin")
VADD = NATIVE.kernels["vadd"]
FOREIGN = read(DATA / "vadd.tgllp.zebin")
"""Code of a GPU whose instruction words only `iga64` knows."""


def kernel_of(code: bytes) -> ZebinKernel:
    return read(build(PVC, [compiled_kernel(code=code)]), lenient=True).kernels["gemm"]


def fake_iga(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """A program of that name that does something else."""
    program = folder / "iga64"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{folder}:/bin:/usr/bin")


def test_code_of_the_virtual_instruction_set() -> None:
    text = "L1:\n(W) mov (16|M0) r10.0<1>:ud 0x1:ud\n(W) jmpi (1|M0) L1\neot\n"
    code = assemble(text)
    listing = disassemble(kernel_of(code), TargetNotes())
    assert listing.offsets == [16, 32, 48]
    lines = list(listing.text({32: "back"}))
    assert lines[2:] == [
        "L1:",
        "/* 000010 */  (W) mov (16|M0) r10.0<1>:ud 0x1:ud",
        "// back",
        "/* 000020 */  (W) jmpi (1|M0) L1",
        "/* 000030 */  eot",
    ]
    assert assemble("\n".join(lines) + "\n") == code


def test_illegal_code_is_told_from_code_that_cannot_be_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    illegal = disassemble(kernel_of(assemble("eot\n") + b"\xff" * 16), TargetNotes())
    assert illegal.is_broken
    assert illegal.problem
    assert disassemble(VADD, TargetNotes(gfx_core=0x2300)) == CodeListing(
        problem="native code of a GPU with XE3P core, which neither this program nor iga64 knows"
    )
    monkeypatch.setenv("PATH", "")
    missing = disassemble(FOREIGN.kernels["vadd"], FOREIGN.target)
    assert missing == CodeListing(problem="native code; iga64, which would disassemble it, is not installed")


def test_native_code_is_shown_up_to_an_unknown_word() -> None:
    code = bytes(VADD.code)
    broken = kernel_of(code[:32] + b"\x7f" * 16 + code[48:])
    listing = disassemble(broken, NATIVE.target)
    assert listing.is_broken
    assert listing.problem == "illegal instruction at offset 0x20: xehpc has no opcode 0x7f"
    assert list(listing.offsets) == [0, 16]


def test_code_too_large_for_a_listing() -> None:
    large = kernel_of(assemble("eot\n") + bytes(4 << 20))
    assert disassemble(large, TargetNotes()).problem == "4194336 bytes of code, too many for a listing: at most 4194304"


@pytest.mark.parametrize(
    ("script", "problem", "is_broken"),
    [
        ("exit 3", "it ended with status 3", False),
        ("kill -9 $$", "it ended with status -9", False),
        ("echo 'byte offset 0x0: error: bad' >&2; echo '/* [0000]  */ illegal'; exit 1", "error: bad", True),
        ("exit 0", "it ended with status 0", False),
    ],
)
def test_a_disassembler_that_fails(
    script: str, problem: str, is_broken: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_iga(tmp_path, monkeypatch, script)
    listing = disassemble(FOREIGN.kernels["vadd"], FOREIGN.target)
    assert listing.problem.startswith("native code that iga64 does not understand: ")
    assert problem in listing.problem
    assert listing.is_broken is is_broken


def test_a_disassembler_that_does_not_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_iga(tmp_path, monkeypatch, "exec sleep 30")
    monkeypatch.setattr("zebin.binary.disassembly._TIME_LIMIT", 0.2)
    assert "timed out" in disassemble(FOREIGN.kernels["vadd"], FOREIGN.target).problem


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_native_code_of_the_samples(path: Path) -> None:
    zebin = read(path)
    if native_platform(zebin.target) is None and shutil.which("iga64") is None:
        pytest.skip("iga64 (package libigc-tools) is not installed")
    for kernel in zebin.kernels.values():
        if len(kernel.code) < 6000:
            listing = disassemble(kernel, zebin.target)
            assert not listing.problem
            assert listing.offsets[0] == 0
            assert len(kernel.code) - listing.offsets[-1] in (8, 16)
            assert kernel.entry_offset in listing.offsets


@pytest.mark.parametrize("family", [26, 27, 28], ids=["ICL-LP", "LKF", "EHL/JSL"])
def test_a_core_is_known_by_its_family(family: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_iga(tmp_path, monkeypatch, 'echo "/* [0000]  */ $*"')
    listing = disassemble(VADD, TargetNotes(product_family=family))
    assert "-p=icl " in listing.lines[0].text


def test_relocated_fields_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert zebin_dump.main(["--disassemble", "--kernel", "weigh", str(DATA / "const_table.pvc.zebin")]) == 0
    lines = capsys.readouterr().out.splitlines()
    at = next(index for index, line in enumerate(lines) if line.startswith("/* 0001b0 */"))
    assert lines[at - 1] == "// SYM_ADDR_32 weights at +0xc"
