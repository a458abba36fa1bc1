"""The command line: outputs, messages and exit statuses."""

from __future__ import annotations

import io
import re
import subprocess
import sys

import pytest

import zebin
from tests.paths import ROOT
from tools.xe_asm import main
from xegpu.isa import CompiledKernel, KernelFacts, assemble, disassemble
from xegpu.targets import ARC, PVC

TEXT = "add (16|M0) r10:f r11:f r12:f\neot\n"


def kernel(name: str, text: str = TEXT, grf_bytes: int = 64) -> CompiledKernel:
    return CompiledKernel(name, KernelFacts(simd_size=16, grf_count=128), assemble(text, grf_bytes=grf_bytes), 16)


@pytest.fixture
def file(tmp_path):
    def write(content: str | bytes, name: str = "in") -> str:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return write


def test_text_to_code_and_back(file, tmp_path, capsys):
    code = tmp_path / "code"
    assert main([file(TEXT), "-o", str(code)]) == 0
    assert code.read_bytes() == assemble(TEXT)
    assert main(["-d", str(code)]) == 0
    assert capsys.readouterr().out == disassemble(assemble(TEXT))
    text = tmp_path / "text"
    assert main(["-d", str(code), "-o", str(text)]) == 0
    assert text.read_text() == disassemble(assemble(TEXT))


def test_standard_streams(monkeypatch, capsysbinary):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    assert main(["-"]) == 0
    assert capsysbinary.readouterr().out == assemble(TEXT)


def test_a_zebin_shows_all_kernels_or_one(file, capsys):
    binary = file(zebin.build(PVC, [kernel("first"), kernel("second", "eot")]))
    assert main(["-d", binary]) == 0
    text = capsys.readouterr().out
    assert text.index("// kernel 'first'") < text.index("add (16|M0)") < text.index("// kernel 'second'")
    assert main(["-d", binary, "--kernel", "second"]) == 0
    assert assemble(capsys.readouterr().out) == kernel("second", "eot").code
    assert main(["-d", binary, "--kernel", "third"]) == 1
    message = "contains no kernel 'third': expected one of 'first', 'second'"
    assert capsys.readouterr().err == f"{binary}: error: {message}\n"


def test_offsets_are_comments(file, capsys):
    assert main(["-d", file(assemble(TEXT)), "--offsets"]) == 0
    assert "/* 000020 */  eot" in capsys.readouterr().out


def test_the_target_follows_from_the_register_size(file, capsys):
    wide = "dpas.8x8 (16|M0) r8:f r8:f r16:bf r24:bf\n"
    assert main([file(wide), "-o", "/dev/null"]) == 0
    assert main([file(".grf 32\n" + wide), "-o", "/dev/null"]) == 1
    assert "in:2:1: error: dpas: execution size 16, arc has 8" in capsys.readouterr().err
    assert main([file(wide), "--target", "arc", "-o", "/dev/null"]) == 1
    assert "in:1:1: error: dpas: execution size 16, arc has 8" in capsys.readouterr().err
    assert main([file(".grf 64\n" + wide), "--target", "arc", "-o", "/dev/null"]) == 1
    assert "error: code for registers of 64 bytes, arc has 32" in capsys.readouterr().err


def test_every_error_of_the_text_is_shown(file, capsys):
    path = file("frob\nadd (16|M0) r1:f r2:d r3:f\n  jmpi (1|M0) L\n")
    assert main([path, "-o", "/dev/null"]) == 1
    assert capsys.readouterr().err == f"{path}:1:1: error: unknown instruction 'frob'\n"
    path = file("add (16|M0) r1:f r2:d r3:f\nnop\n  cmp (16|M0) null:f r2:f r3:f\n")
    assert main([path, "-o", "/dev/null"]) == 1
    assert capsys.readouterr().err.splitlines() == [
        f"{path}:1:1: error: add mixes integer and float sources: d, f",
        f"{path}:3:3: error: cmp: needs a condition modifier",
    ]


def test_nothing_is_written_when_something_is_wrong(file, tmp_path):
    out = tmp_path / "out"
    assert main([file("frob"), "-o", str(out)]) == 1
    assert not out.exists()


def test_disassembly_warns_of_what_the_target_forbids(file, capsys):
    code = assemble("mov (16|M0) r255:f 1.0:f\neot")
    assert main(["-d", file(code)]) == 0
    assert capsys.readouterr().err == ""
    kernels = [CompiledKernel("k", KernelFacts(simd_size=16, grf_count=128), code, 16)]
    assert main(["-d", file(zebin.build(PVC, kernels))]) == 0
    output = capsys.readouterr()
    assert "in(k): warning: at offset 0x10: mov: 64 bytes from byte 0 of r255 leave the 128 registers" in output.err
    assert "mov (16|M0) r255.0<1>:f 1.0:f" in output.out


@pytest.mark.parametrize(
    ("arguments", "content", "message"),
    [
        ([], b"nop\n  \xff", ":2:3: error: not UTF-8 text (-d disassembles)"),
        (["-d"], b"nop", ": error: no XeVISA header: expected code of the virtual Xe ISA"),
        (["-d"], assemble("nop") + b"\xff" * 16, ": error: illegal instruction at offset 0x20: unknown opcode 0xff"),
        (["-d"], b"\x7fELF", "in: 0x0: error: file is shorter than an ELF header"),
        (["-d", "--kernel", "k"], assemble("nop"), ": error: not a ZEBIN: --kernel requires one"),
        (["-d", "--target", "arc"], assemble("nop"), ": error: code for registers of 64 bytes, arc has 32"),
        (["-o", "/nowhere/out"], b"eot", "/nowhere/out: error: cannot be written: No such file or directory"),
    ],
)
def test_wrong_input_is_one_error_and_status_1(file, capsys, arguments, content, message):
    assert main([file(content), *arguments]) == 1
    output = capsys.readouterr()
    assert message in output.err
    assert output.out == ""
    assert len(output.err.splitlines()) == 1


def test_a_missing_file_and_a_folder(tmp_path, capsys):
    assert main(["-d", str(tmp_path / "none")]) == 1
    assert capsys.readouterr().err.endswith("none: error: cannot be read: No such file or directory\n")
    assert main(["-d", str(tmp_path)]) == 1
    assert capsys.readouterr().err.endswith("error: cannot be read: Is a directory\n")


def test_input_is_bounded(file, monkeypatch, capsys):
    monkeypatch.setattr("tools.asm.driver.MAX_INPUT", 100)
    assert main([file("/" * 101), "-o", "/dev/null"]) == 1
    assert "error: larger than" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [[], ["a", "b"], ["a", "--kernel", "k"], ["a", "--offsets"], ["a", "--target", "xyz"], ["a", "--unknown"]],
)
def test_wrong_usage_is_status_2(arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert re.fullmatch(r"xe-asm: error: .* \(see --help\)\n", capsys.readouterr().err)


def test_code_does_not_go_to_a_terminal(file, monkeypatch, capsys):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    assert main([file(TEXT)]) == 2
    assert "standard output is a terminal" in capsys.readouterr().err


def test_a_closed_pipe_is_no_traceback(file):
    path = file(assemble("nop\n" * 20000))
    command = f"import sys; from tools.xe_asm import main; sys.exit(main(['-d', {path!r}]))"
    with subprocess.Popen(
        [sys.executable, "-c", command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    ) as process:
        process.stdout.close()
        assert process.stderr.read() == b""


def test_arc_code_of_a_zebin(file, capsys):
    binary = file(zebin.build(ARC, [kernel("k", "add (8|M0) r10:f r11:f r12:f\neot", 32)]))
    assert main(["-d", binary]) == 0
    assert ".grf 32\n" in capsys.readouterr().out
