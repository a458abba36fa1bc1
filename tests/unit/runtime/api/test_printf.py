"""Tests of the output of kernels, and of assertions that fail."""

from __future__ import annotations

import ctypes
import re
import struct

import numpy as np
import pytest

from runtime import Device, ZeError, ze
from runtime.ze.driver.modules.printf import format_text
from runtime.ze.driver.system.properties import PRINTF_BUFFER_BYTES
from xegpu.isa.code.printf import HEADER_BYTES, PrintfType

ENGINES = ["interpreter", "jit"]


def kernel_text(arguments: str, body: str, attributes: str = "") -> str:
    clause = f"attributes {{{attributes}}}" if attributes else ""
    return f"gpu.module @m {{\ngpu.func @k({arguments}) kernel {clause} {{\n{body}\ngpu.return\n}}\n}}\n"


def printed(
    capsys: pytest.CaptureFixture[str],
    text: str,
    *arguments: np.generic | int | float,
    groups: int = 1,
    local: int = 1,
    engine: str = "interpreter",
    target: str = "pvc",
) -> str:
    """Returns the standard output of one launch."""
    kernel = Device(target, engine).compile(text, "k.mlir")["k"]
    kernel[(groups, 1, 1), (local, 1, 1)](*arguments)
    return capsys.readouterr().out


@pytest.mark.parametrize("engine", ENGINES)
def test_in_the_order_of_groups(capsys: pytest.CaptureFixture[str], engine: str) -> None:
    """Work-groups, then subgroups, then what they print one after the other, work-items side by side."""
    body = (
        '%b = gpu.block_id x\n%t = gpu.thread_id x\ngpu.printf "%d:%d a\\0A", %b, %t : index, index\n'
        "%c1 = arith.constant 1 : index\n%bit = arith.andi %t, %c1 : index\n"
        '%odd = arith.cmpi eq, %bit, %c1 : index\nscf.if %odd {\ngpu.printf "%d:%d b\\0A", %b, %t : index, index\n}'
    )
    out = printed(capsys, kernel_text("", body), groups=3, local=20, engine=engine)
    expected = []
    for group in range(3):
        for lanes in (range(16), range(16, 20)):
            expected += [f"{group}:{item} a" for item in lanes]
            expected += [f"{group}:{item} b" for item in lanes if item % 2]
    assert out.splitlines() == expected


def test_whole_subgroups_print_once(capsys: pytest.CaptureFixture[str]) -> None:
    text = kernel_text("", '%t = gpu.thread_id x\ngpu.printf "%d ", %t : index', "VectorComputeFunctionINTEL")
    assert printed(capsys, text, groups=2, local=3) == "0 1 2 0 1 2 "


@pytest.mark.parametrize("target", ["pvc", "arc"])
def test_values_of_every_type(capsys: pytest.CaptureFixture[str], target: str) -> None:
    """Integers are signed as the directive says; narrow ones keep their width."""
    values: dict[str, tuple[np.generic, str, str]] = {
        "i8": (np.int8(-1), "%d %u %x", "-1 255 ff"),
        "i16": (np.int16(-2), "%d %u %o", "-2 65534 177776"),
        "i32": (np.int32(-3), "%d %u %lld", "-3 4294967293 -3"),
        "i64": (np.int64(-(1 << 40)), "%d %lx %lld", "-1099511627776 ffffff0000000000 -1099511627776"),
        "index": (np.int64(1 << 40), "%d %u %p", "1099511627776 1099511627776 0x10000000000"),
        "i1": (np.bool_(True), "%d %u %c", "1 1 \x01"),
        "f16": (np.float16(1.5), "%f %g %e", "1.500000 1.5 1.500000e+00"),
        "f32": (np.float32(0.1), "%f %.10g %G", "0.100000 0.1000000015 0.1"),
    }
    if target == "pvc":
        values["f64"] = (np.float64(0.1), "%f %.20g %E", "0.100000 0.10000000000000000555 1.000000E-01")
    arguments = ", ".join(f"%{name}: {name}" for name in values)
    lines = [
        f'gpu.printf "{name}: {text}\\0A", {", ".join([f"%{name}"] * 3)} : {", ".join([name] * 3)}'
        for name, (_, text, _) in values.items()
    ]
    out = printed(capsys, kernel_text(arguments, "\n".join(lines)), *(v for v, _, _ in values.values()), target=target)
    assert out.split("\n")[:-1] == [f"{name}: {expected}" for name, (_, _, expected) in values.items()]


@pytest.mark.parametrize("target", ["pvc", "arc"])
def test_floats_that_c_promotes(capsys: pytest.CaptureFixture[str], target: str) -> None:
    """Front ends pass doubles to `printf`, also where the GPU has none."""
    lines = """%wide = arith.extf %a : f32 to f64
        %half = arith.extf %b : f16 to f64
        %third = arith.constant 0.1 : f64
        gpu.printf "%f %g %.17g %g\\0A", %wide, %half, %third, %wide : f64, f64, f64, f64"""
    out = printed(capsys, kernel_text("%a: f32, %b: f16", lines), np.float32(-1e-40), np.float16(3.5), target=target)
    assert out == "-0.000000 3.5 0.10000000000000001 -9.99995e-41\n"


def test_texts_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    """Percent signs, quotes, nothing, and what follows a zero."""
    body = 'gpu.printf "100%% \\22quoted\\22\\0A"\ngpu.printf ""\ngpu.printf "a\\00b"\nvector.print str "50% %d"'
    assert printed(capsys, kernel_text("", body)) == '100% "quoted"\na50% %d'


def test_vectors(capsys: pytest.CaptureFixture[str]) -> None:
    """As MLIR's runtime library prints them."""
    body = (
        "%v = arith.constant dense<[[1.0, -2.5], [3.25, 4.0]]> : vector<2x2xf32>\nvector.print %v : vector<2x2xf32>\n"
        "%w = arith.constant dense<[7, -8]> : vector<2xi8>\n"
        "vector.print %w : vector<2xi8> punctuation <no_punctuation>\n"
        "vector.print punctuation <comma>\n%x = arith.constant dense<true> : vector<i1>\nvector.print %x : vector<i1>\n"
        "%i = arith.constant 9 : index\nvector.print %i : index punctuation <comma>\n"
        "vector.print punctuation <open>\nvector.print punctuation <close>\nvector.print punctuation <newline>"
    )
    out = printed(capsys, kernel_text("", body, "VectorComputeFunctionINTEL"))
    assert out == "( ( 1, -2.5 ), ( 3.25, 4 ) )\n( 7, -8 ), 1\n9, (  )\n"


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("attributes", ["", "VectorComputeFunctionINTEL"])
def test_assertions(capsys: pytest.CaptureFixture[str], engine: str, attributes: str) -> None:
    """One that does not hold stops the launch; what was printed before is there."""
    body = (
        '%t = gpu.thread_id x\n%five = arith.constant 5 : index\ngpu.printf "before "\n'
        '%less = arith.cmpi ult, %t, %five : index\ncf.assert %less, "at most 100% of five"\ngpu.printf "behind "'
    )
    kernel = Device("pvc", engine).compile(kernel_text("", body, attributes), "k.mlir")["k"]
    with pytest.raises(ZeError, match="failed assertion in kernel 'k': at most 100% of five") as caught:
        kernel[(1, 1, 1), (6, 1, 1)]()
    assert "source: k.mlir:7:1" in str(caught.value)
    assert capsys.readouterr().out == ("before behind " * 5 + "before " if attributes else "before " * 6)
    other = Device("pvc", engine).compile(kernel_text("", body, attributes), "k.mlir")["k"]
    other[(1, 1, 1), (5, 1, 1)]()
    each = "before behind " * 5
    assert capsys.readouterr().out == (each if attributes else "before " * 5 + "behind " * 5)


def test_what_does_not_fit_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    body = (
        "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
        'scf.for %i = %c0 to %n step %c1 {\ngpu.printf "%d\\0A", %i : index\n}'
    )
    count = PRINTF_BUFFER_BYTES // 36 + 10
    kernel = Device("pvc", "jit").compile(kernel_text("%n: index", body, "VectorComputeFunctionINTEL"))["k"]
    kernel[1](count)
    out, err = capsys.readouterr()
    assert out.splitlines() == [str(n) for n in range((PRINTF_BUFFER_BYTES - 16) // 36)]
    assert re.fullmatch(
        rf"kernel 'k' printed more than its buffer of {PRINTF_BUFFER_BYTES} bytes holds: \d+ more\n", err
    )


def test_every_launch_prints(capsys: pytest.CaptureFixture[str]) -> None:
    kernel = Device("pvc").compile(kernel_text("%x: f32", 'gpu.printf "%g ", %x : f32'))["k"]
    for value in (1, 2.5, 3):
        kernel[(1, 1, 1), (1, 1, 1)](value)
    assert capsys.readouterr().out == "1 2.5 3 "


FLAGS = ["", "-", "+", " ", "0", "#", "+0", "-0", "# ", "+ "]
SIZES = ["", "1", "12", ".0", ".3", "12.5", ".", "20.16"]
INTEGERS = [0, 1, 42, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, 1 << 63, (1 << 64) - 1]
FLOATS = [
    0.0,
    -0.0,
    1.0,
    -1.5,
    0.1,
    1e-7,
    123456789.0,
    1e300,
    float("inf"),
    -float("inf"),
    float("nan"),
    2.5,
    3.5,
    1e-310,
    1.97,
]


def reference(text: str, value: int | float) -> str:
    """Returns the text that the C library formats."""
    library, buffer = ctypes.CDLL(None), ctypes.create_string_buffer(1 << 12)
    number = ctypes.c_double(value) if isinstance(value, float) else ctypes.c_ulonglong(value)
    library.snprintf(buffer, len(buffer), text.encode(), number)
    return buffer.value.decode()


@pytest.mark.parametrize("letter", list("diuoxXfFeEgGaA"))
def test_formats_are_those_of_c(letter: str) -> None:
    is_float = letter.lower() in "efga"
    for flags in FLAGS:
        for size in SIZES:
            text = f"[%{flags}{size}{'' if is_float else 'll'}{letter}]"
            for value in FLOATS if is_float else INTEGERS:
                kind = PrintfType.DOUBLE if is_float else PrintfType.LONG
                assert format_text(text, [(kind, value)]) == reference(text, value), (text, value)


def test_records_that_make_no_sense_are_harmless(capsys: pytest.CaptureFixture[str]) -> None:
    """A kernel may write anything to its buffer; here through the pointer that is its own."""
    assert format_text("%d %d", [(PrintfType.INT, 1)]) == "1 "
    assert format_text("%d", [(PrintfType.DOUBLE, float("nan"))]) == "0"
    assert format_text("%f", [(PrintfType.INT, 7)]) == "7.000000"
    assert format_text("%s", []) == "%s"
    assert struct.calcsize("<6I") == 24


def test_buffer_is_among_the_memory_that_a_kernel_uses(capsys: pytest.CaptureFixture[str]) -> None:
    """Launches use the buffer whose address was told."""
    text = kernel_text("%a: memref<4xi32>", '%b = gpu.block_id x\ngpu.printf "%d\\0A", %b : index')
    (kernel,) = Device("pvc").compile(text).values()
    (entry,) = ze.zeKernelGetAllocationPropertiesExp(kernel._handle)
    assert (entry.size, entry.argIndex) == (PRINTF_BUFFER_BYTES, 0xFFFF_FFFF)
    used = struct.Struct("<Q")
    assert used.unpack(ctypes.string_at(entry.base, used.size)) == (0,)
    kernel[3, 1](np.zeros(4, np.int32))
    assert capsys.readouterr().out.startswith("0\n")
    assert used.unpack(ctypes.string_at(entry.base, used.size)) > (HEADER_BYTES,)
    assert ze.zeKernelGetAllocationPropertiesExp(kernel._handle) == [entry]
