"""The command line: what it returns and prints for good, wrong and hostile input."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tools import xegpu_opt
from tools.opt.inputs import split
from xegpu.diagnostics import SourceBuffer

GOOD = "func.func private @f()\n"


class Result(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Result]


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Runs the tool in this process. Messages and output are what it wrote."""

    def call(*arguments: str) -> Result:
        capfdbinary.readouterr()
        try:
            code = xegpu_opt.main(arguments)
        except SystemExit as stop:  # argparse
            code = int(stop.code or 0)
        sys.stdout.flush()
        sys.stderr.flush()
        out, err = capfdbinary.readouterr()
        return Result(code, out.decode(), err.decode())

    return call


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str | bytes], str]:
    def write(content: str | bytes) -> str:
        path = tmp_path / "input.mlir"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return write


def test_a_good_module_is_printed(run, file):
    assert run(file(GOOD)) == Result(0, "module {\n  func.func private @f()\n}\n\n", "")


def test_standard_input_is_read(run, monkeypatch):
    for arguments in ((), ("-",)):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GOOD.encode())))
        assert run(*arguments).code == 0


HOSTILE = {
    "binary": bytes(range(256)),
    "executable": Path(sys.executable).read_bytes()[:100_000],
    "not UTF-8": "// é".encode("latin-1"),
    "NUL": b"module {\0}",
    "deep attribute": b"module attributes {a = " + b"[" * 100_000,
    "deep region": b"module {" * 10_000,
    "deep type": b"func.func private @f(" + b"memref<4x" * 50_000,
    "one line": b"x" * 1_000_000,
    "long name": b"%0 = arith.negf %" + b"x" * 1_000_000 + b" : f32",
    "many digits": b"func.func private @f(!xegpu.tensor_desc<" + b"9" * 10_000 + b"xf32>)",
    "huge constant": b"%0 = arith.constant dense<0.0> : vector<99999x99999x99999xf32>",
    "huge integer type": b"func.func private @f(i999999999999)",
    "huge result count": b'%0:99999999999999 = "foo.bar"() : () -> ()',
    "unclosed string": b'module attributes {a = "open',
    "unclosed bracket": b"func.func private @f(!xegpu.tensor_desc<" + b"8x" * 100_000,
    "brackets": b"func.func private @f(" + b"a<b<" * 100_000,
    "bad operands": b'"xegpu.create_nd_tdesc"() <{operandSegmentSizes = array<i32: -1, 5, 0, 0>}> : () -> ()',
    "bad properties": b'"xegpu.dpas"() <{sg_map_a = 3}> : () -> f32',
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_input_is_one_error(run, file, content):
    code, out, err = run(file(content))
    assert code == 1
    assert out == ""
    assert "Traceback" not in err
    assert err.count("error:") == 1
    assert len(err) < 2000


def test_a_million_byte_line_is_read(run, file):
    chain = "".join(f"%{i} = arith.addi %x, %x : i32 " for i in range(3000))
    code, out, _ = run(file(f"func.func @f(%x: i32) {{ {chain} return }} // {'.' * 1_000_000}"))
    assert code == 0
    assert out.count("arith.addi") == 3000


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["-p", "nothing"], 2, "there is no pass 'nothing'"),
        (["-p", "xe-pipelin"], 2, "there is no pass 'xe-pipelin'; did you mean 'xe-pipeline'?"),
        (["-p", "cse{"], 2, "expected '}' at the end of 'cse{'"),
        (["-p", "cse{x"], 2, "expected '}' at the end of 'cse{x'"),
        (["-p", "cse)"], 2, "unexpected ')' after 'cse'"),
        (["-p", "cse dce"], 2, "Error parsing pass pipeline specification"),
        (["-p", "builtin.module(gpu.modul(cse))"], 2, "'gpu.modul' is not an operation that passes can run on"),
        (["-p", "xe-pipeline{x=1}"], 2, "pass 'xe-pipeline' has no option 'x'; its options: target, grf-count, "),
        (["-p", "xe-pipeline{targt=pvc}"], 2, "has no option 'targt'; did you mean 'target'?"),
        (
            ["-p", "xe-pipeline{grf-count=many}"],
            2,
            "pass 'xe-pipeline': expected an integer as option 'grf-count', got many",
        ),
        (["-t", "nothing"], 2, "unknown output format 'nothing': expected one of "),
        (["--nothing"], 2, "unrecognized arguments: --nothing"),
        (["--help-pass", "nothing"], 2, "there is no pass 'nothing'"),
        (["-o", "/nowhere/file"], 1, "/nowhere/file: error: cannot be written: No such file or directory"),
    ],
)
def test_wrong_command_lines(run, file, arguments, code, message):
    result = run(file(GOOD), *arguments)
    assert result.code == code
    assert message in result.err
    assert "Traceback" not in result.err


def test_a_directory_is_no_input(run, tmp_path):
    result = run(str(tmp_path))
    assert (result.code, result.err) == (1, f"{tmp_path}: error: cannot be read: Is a directory\n")


def test_tracebacks_are_shown_on_demand(run, file):
    path = file("%0 = arith.addf %x, %x : f32")
    assert "Traceback" not in run(path).err
    assert "Traceback" in run(path, "--traceback").err


def test_nothing_is_written_to_the_file_of_a_failed_run(run, file, tmp_path):
    output = tmp_path / "out.mlir"
    output.write_text("old")
    assert run(file("foo.bar"), "-o", str(output)).code == 1
    assert output.read_text() == "old"
    assert run(file(GOOD), "-o", str(output)).code == 0
    assert "func.func private @f()" in output.read_text()


def test_warnings_are_shown_once_and_do_not_fail(run, file):
    text = """func.func @f(%d: !xegpu.tensor_desc<32xf16>) {
  %v = xegpu.load_nd %d <{packed}> : !xegpu.tensor_desc<32xf16> -> vector<32xf16>
  xegpu.store_nd %v, %d : vector<32xf16>, !xegpu.tensor_desc<32xf16>
  return
}"""
    code, _, err = run(file(text), "-p", "cse,dce")
    assert code == 0
    assert err.count("warning: 'xegpu.load_nd' op Invalid Packed Attr.") == 1


def test_what_a_pass_breaks_is_blamed_on_it(run, file, monkeypatch):
    from xdsl.passes import ModulePass

    import passes

    class Break(ModulePass):
        name = "break"

        def apply(self, ctx, op):
            for function in op.body.block.ops:
                function.body.block.erase_op(function.body.block.last_op)

    monkeypatch.setattr(passes, "registry", lambda: {"break": lambda: Break})
    code, _, err = run(file("func.func @f() { return }"), "-p", "break")
    assert code == 1
    assert "note: after pass 'break'" in err


def test_failures_of_a_pass_are_errors_not_tracebacks(run, file, monkeypatch):
    from xdsl.passes import ModulePass

    import passes

    class Fail(ModulePass):
        name = "fail"

        def apply(self, ctx, op):
            raise KeyError("missing")

    monkeypatch.setattr(passes, "registry", lambda: {"fail": lambda: Fail})
    assert run(file(GOOD), "-p", "fail") == Result(1, "", "xegpu-opt: error: pass 'fail' failed: KeyError: 'missing'\n")


def test_expected_messages_are_checked_in_every_piece(run, file):
    text = "// expected-error@+1 {{unknown operation}}\nfoo.bar\n// -----\nfunc.func private @f()\n"
    assert run(file(text), "--split-input-file", "--verify-diagnostics").code == 0
    assert run(file(text + "// expected-error {{x}}\n"), "--split-input-file", "--verify-diagnostics").code == 1


def test_good_pieces_are_printed_with_the_marker_between_them(run, file):
    code, out, _ = run(file(f"{GOOD}// -----\n{GOOD}"), "--split-input-file")
    assert code == 0
    assert [piece.count("@f()") for piece in out.split("// -----\n")] == [1, 1]


def test_splitting_keeps_line_numbers():
    pieces = list(split(SourceBuffer("k", "a\n// -----\n\nb\n  // -----\n// ----- \nc")))
    assert [(piece.text, piece.first_line) for piece in pieces] == [
        ("a", 1),
        ("\nb\n  // -----", 3),
        ("c", 7),
    ]


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version(run, option):
    code, out, err = run(option)
    assert (code, err) == (0, "")
    assert "xegpu-opt" in out
