"""Tests of host code that uses the GPU."""

from __future__ import annotations

import numpy as np
import pytest

from runtime import Device, ProgramError, run
from runtime.host.data.values import Value
from xegpu.diagnostics import CompileError

KERNELS = """
  gpu.module @first {
    gpu.func @scale(%m: memref<?xf32>, %factor: f32) kernel {
      %i = gpu.global_id x
      %c0 = arith.constant 0 : index
      %n = memref.dim %m, %c0 : memref<?xf32>
      %inside = arith.cmpi ult, %i, %n : index
      scf.if %inside {
        %v = memref.load %m[%i] : memref<?xf32>
        %w = arith.mulf %v, %factor : f32
        memref.store %w, %m[%i] : memref<?xf32>
      }
      gpu.return
    }
  }
  gpu.module @second {
    gpu.func @scale(%m: memref<?xf32>, %factor: f32) kernel {
      %i = gpu.global_id x
      %v = memref.load %m[%i] : memref<?xf32>
      %w = arith.subf %v, %factor : f32
      memref.store %w, %m[%i] : memref<?xf32>
      gpu.return
    }
  }
"""


def program(body: str, parameters: str = "%a: memref<?xf32>", results: str = "", returned: str = "") -> str:
    return (
        f"module attributes {{gpu.container_module}} {{\nfunc.func @main({parameters}) {results} {{\n"
        "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c2 = arith.constant 2 : index\n"
        "%c16 = arith.constant 16 : index\n%two = arith.constant 2.0 : f32\n"
        f"{body}\nreturn {returned}\n}}\n{KERNELS}}}"
    )


def call(text: str, *arguments: Value, target: str = "pvc") -> object:
    return run(text, args=arguments, device=Device(target), filename="t.mlir")


LAUNCH = (
    "gpu.launch_func @{}::@scale blocks in (%c2, %c1, %c1) threads in (%c16, %c1, %c1) "
    "args({} : memref<?xf32>, %two : f32)"
)


@pytest.mark.parametrize("target", ["pvc", "arc"])
def test_copies_and_launches_of_several_modules(target: str) -> None:
    """Kernels of the same name in different modules, with memory of the device."""
    a = np.arange(20, dtype=np.float32)
    text = program(
        "%n = memref.dim %a, %c0 : memref<?xf32>\n%d = gpu.alloc (%n) : memref<?xf32>\n"
        "gpu.memcpy %d, %a : memref<?xf32>, memref<?xf32>\n"
        + LAUNCH.format("first", "%d")
        + "\n%t = gpu.wait async\n%u = gpu.memcpy async [%t] %a, %d : memref<?xf32>, memref<?xf32>\ngpu.wait [%u]\n"
        "gpu.dealloc %d : memref<?xf32>"
    )
    call(text, a, target=target)
    assert np.array_equal(a, 2 * np.arange(20))
    b = np.arange(32, dtype=np.float32)
    call(text.replace("@first::", "@second::"), b, target=target)
    assert np.array_equal(b, np.arange(32) - 2)


FILLED = {"f16": "1.5", "i8": "-3", "i64": "-7", "f64": "0.1", "bf16": "2.0"}


def test_memory_is_filled() -> None:
    body = "\n".join(
        f"%m{n} = gpu.alloc host_shared () : memref<3x5x{type}>\n%x{n} = arith.constant {value} : {type}\n"
        f"gpu.memset %m{n}, %x{n} : memref<3x5x{type}>, {type}"
        for n, (type, value) in enumerate(
            [("f16", "1.5"), ("i8", "-3"), ("i64", "-7"), ("f64", "0.1"), ("bf16", "2.0")]
        )
    )
    types = ", ".join(f"memref<3x5x{type}>" for type in FILLED)
    found = call(program(body, "", f"-> ({types})", f"%m0, %m1, %m2, %m3, %m4 : {types}"))
    assert isinstance(found, tuple)
    assert [set(np.ravel(m).tolist()) for m in found] == [{1.5}, {-3}, {-7}, {0.1}, {2.0}]


def test_memory_of_the_host_must_be_registered() -> None:
    a = np.ones(32, np.float32)
    message = (
        r"t\.mlir:8:1: error: 'gpu\.launch_func' op passes argument 0, memory that only the host can use: "
        r"kernel 'scale' needs memory of gpu\.alloc, or gpu\.host_register before the launch"
    )
    with pytest.raises(ProgramError, match=message):
        call(program(LAUNCH.format("first", "%a")), a)
    register = "%u = memref.cast %a : memref<?xf32> to memref<*xf32>\ngpu.host_register %u : memref<*xf32>\n"
    call(program(register + LAUNCH.format("first", "%a")), a)
    assert np.array_equal(a, np.full(32, 2))
    with pytest.raises(ProgramError, match="passes argument 0"):
        call(program(register + "gpu.host_unregister %u : memref<*xf32>\n" + LAUNCH.format("first", "%a")), a)


def test_a_kernel_written_in_place() -> None:
    text = program(
        """%d = gpu.alloc host_shared () : memref<64xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c16, %sy = %c2, %sz = %c1) {
    %g = arith.muli %bx, %c2 : index
    %h = arith.addi %g, %ty : index
    %k = arith.muli %h, %sx : index
    %i = arith.addi %k, %tx : index
    %v = arith.index_cast %i : index to i32
    memref.store %v, %d[%i] : memref<64xi32>
    gpu.terminator
  }""",
        "",
        "-> memref<64xi32>",
        "%d : memref<64xi32>",
    )
    assert np.array_equal(np.asarray(call(text)), np.arange(64))


def test_gpu_dealloc_of_other_memory_is_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    array = np.ones(4, np.float32)
    call(program("gpu.dealloc %a : memref<?xf32>\nmemref.store %two, %a[%c0] : memref<?xf32>"), array)
    assert array[0] == 2
    assert "t.mlir:8:1: warning: 'gpu.dealloc' op does nothing: gpu.alloc has not" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["", "host_shared"])
def test_fresh_memory_of_the_gpu_is_zero(kind: str) -> None:
    """A kernel adds to memory that nothing has written, and that another use has filled before."""
    body = f"%o = gpu.alloc {kind} (%c16) : memref<?xf32>\ngpu.memset %o, %two : memref<?xf32>, f32\n"
    body += f"gpu.dealloc %o : memref<?xf32>\n%d = gpu.alloc {kind} (%c16) : memref<?xf32>\n"
    body += LAUNCH.format("second", "%d").replace("(%c2, %c1, %c1)", "(%c1, %c1, %c1)")
    body += "\n%h = memref.alloc(%c16) : memref<?xf32>\ngpu.memcpy %h, %d : memref<?xf32>, memref<?xf32>"
    text = program(body, "", "-> memref<?xf32>", "%h : memref<?xf32>")
    assert np.array_equal(np.asarray(call(text)), np.full(16, -2))
    with pytest.raises(ProgramError, match="use of uninitialized memory in kernel 'scale'") as error:
        run(text, device=Device(checks="uninitialized"), filename="t.mlir")
    assert str(error.value).startswith("t.mlir:12:1: error: 'gpu.launch_func' op")
    assert "source: t.mlir:35:12" in str(error.value)


def test_what_a_kernel_left_unwritten_is_found_where_the_host_reads_it() -> None:
    body = "%d = gpu.alloc (%c16) : memref<?xf32>\n%h = memref.alloc(%c16) : memref<?xf32>\n"
    body += "gpu.memcpy %h, %d : memref<?xf32>, memref<?xf32>\n%v = memref.load %h[%c2] : memref<?xf32>"
    text = program(body, "", "-> f32", "%v : f32")
    assert call(text) == 0
    with pytest.raises(ProgramError, match=r"t\.mlir:11:6: error: 'memref\.load' op reads memory that nothing has"):
        run(text, device=Device(checks="uninitialized"), filename="t.mlir")


def test_no_groups_at_all() -> None:
    text = program(
        "%d = gpu.alloc host_shared (%c16) : memref<?xf32>\ngpu.memset %d, %two : memref<?xf32>, f32\n"
        + LAUNCH.format("first", "%d").replace("%c2, %c1, %c1", "%c0, %c1, %c1"),
        "",
        "-> memref<?xf32>",
        "%d : memref<?xf32>",
    )
    assert np.array_equal(np.asarray(call(text)), np.full(16, 2))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "%d = gpu.alloc (%c16) : memref<?xf32>\ngpu.dealloc %d : memref<?xf32>\ngpu.dealloc %d : memref<?xf32>",
            "'gpu.dealloc' op frees memory at 0x.*, which was freed before",
        ),
        ("%i = arith.constant 1 : i32\ngpu.set_default_device %i", "op asks for device 1, there is one, device 0"),
        (
            "%d = gpu.alloc (%c16) : memref<?xf32>\n%h = memref.alloc(%c2) : memref<?xf32>\n"
            "gpu.memcpy %d, %h : memref<?xf32>, memref<?xf32>",
            "'gpu.memcpy' op has sizes that differ: 2 and 16 in dimension 0",
        ),
        (
            "%d = gpu.alloc (%c16) : memref<?xf32>\n" + LAUNCH.format("second", "%d"),
            "'gpu.launch_func' op",
        ),
        (
            "%d = gpu.alloc (%c16) : memref<?xf32>\n%m = arith.constant -1 : index\n"
            + LAUNCH.format("first", "%d").replace("(%c16, %c1, %c1)", "(%c16, %m, %c1)"),
            "'gpu.launch_func' op kernel 'scale': block .16, -1, 1., expected",
        ),
        (
            "%d = gpu.alloc (%c16) : memref<?xf32>\n%m = arith.constant 4096 : index\n"
            + LAUNCH.format("first", "%d").replace("(%c16, %c1, %c1)", "(%c16, %m, %c1)"),
            "'gpu.launch_func' op .*GROUP_SIZE",
        ),
    ],
)
def test_wrong_uses(body: str, message: str) -> None:
    """The launch of the second module reads and writes beyond the end of its memory."""
    with pytest.raises(ProgramError, match=f"t\\.mlir:[0-9]+:[0-9]+: error: .*{message}"):
        call(program(body), np.zeros(4, np.float32))


def test_a_fault_of_a_kernel_is_reported_with_its_place() -> None:
    body = "%d = gpu.alloc (%c16) : memref<?xf32>\n" + LAUNCH.format("second", "%d")
    with pytest.raises(ProgramError) as caught:
        call(program(body), np.zeros(4, np.float32))
    text = str(caught.value)
    assert "kernel 'scale'" in text
    assert "out-of-bounds access" in text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (program("", "").replace("memref.load", "memref.lod", 1), "unknown operation 'memref.lod'"),
        (program("%m = gpu.alloc () : memref<4xi7>", ""), "memory with elements of type i7 is not supported"),
        (program("", "").replace("@main", "@start"), "has no function 'main' with a body, there are: 'start'"),
    ],
)
def test_what_is_refused_before_it_runs(text: str, message: str) -> None:
    with pytest.raises(CompileError, match=message):
        call(text)
