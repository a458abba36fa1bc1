"""Tests of the runner library's functions, which print, fill and compare."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from runtime.host.data.failures import ProgramError
from runtime.host.data.values import Array
from runtime.host.library.formatting import memref_text
from runtime.host.library.functions import table
from tests.paths import ROOT
from tests.unit.runtime.host.support import Program

DECLARED = """
func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}
func.func private @printMemrefI8(memref<*xi8>)
func.func private @print_memref_f64(memref<*xf64>)
func.func private @printAllcloseF16(memref<*xf16>, memref<*xf32>) attributes {llvm.emit_c_interface}
func.func private @allcloseF32(memref<*xf32>, memref<*xf32>) -> i1
func.func private @printMaxErrorF32(memref<*xf32>, memref<*xf32>)
func.func private @fillResource1DBF16(memref<*xbf16>, f32)
func.func private @fillResource1DRandomF16(memref<*xf16>, f32, f32, i1)
func.func private @gemmF16F16F32(memref<*xf16>, memref<*xf16>, memref<*xf32>)
func.func private @verifyMemrefI32(memref<*xi32>, memref<*xi32>) -> i64
func.func private @printF32(f32)
func.func private @printU64(i64)
func.func private @printNewline()
func.func private @printOpen()
func.func private @printClose()
func.func private @printComma()
func.func private @rtclock() -> f64
"""


def calling(body: str, parameters: str = "", results: str = "", returned: str = "") -> Program:
    return Program(f"{DECLARED}\nfunc.func @f({parameters}) {results} {{\n{body}\nreturn {returned}\n}}")


def header(memref: Array, strides: str) -> str:
    place = memref.__array_interface__["data"][0]
    sizes = ", ".join(map(str, memref.shape))
    shape = f"rank = {memref.ndim} offset = 0 sizes = [{sizes}] strides = [{strides}]"
    return f"Unranked Memref base@ = {place:#x} {shape} data = \n"


@pytest.mark.parametrize(
    ("values", "strides", "data"),
    [
        (np.full((2, 3), 1.5, np.float32), "3, 1", "[[1.5,   1.5,   1.5], \n [1.5,   1.5,   1.5]]\n"),
        (
            np.array([7, 0.1, 1e6, 1234567, np.inf, -0.0], np.float32),
            "1",
            "[7,  0.1,  1e+06,  1.23457e+06,  inf,  -0]\n",
        ),
        (np.array(2.5), "", "[2.5]\n"),
        (
            np.arange(8, dtype=np.int32).reshape(2, 2, 2),
            "4, 2, 1",
            "[[[0,    1], \n  [2,    3]], \n [[4,    5], \n  [6,    7]]]\n",
        ),
        (np.array([65, 66], np.int8), "1", "[A,  B]\n"),
    ],
)
def test_memrefs_are_printed_as_the_originals_do(values: Array, strides: str, data: str) -> None:
    assert memref_text(values) == header(values, strides) + data


def test_a_program_prints() -> None:
    program = calling(
        "%u = memref.cast %m : memref<2x2xf32> to memref<*xf32>\ncall @printMemrefF32(%u) : (memref<*xf32>) -> ()\n"
        "%x = arith.constant 0.1 : f32\n%n = arith.constant -1 : i64\ncall @printOpen() : () -> ()\n"
        "call @printF32(%x) : (f32) -> ()\ncall @printComma() : () -> ()\ncall @printU64(%n) : (i64) -> ()\n"
        "call @printClose() : () -> ()\ncall @printNewline() : () -> ()",
        "%m: memref<2x2xf32>",
    )
    memref = np.arange(4, dtype=np.float32).reshape(2, 2)
    program(memref)
    expected = header(memref, "2, 1") + "[[0,   1], \n [2,   3]]\n( 0.1, 18446744073709551615 )\n"
    assert program.output == expected


CLOSE = calling(
    "%a = memref.cast %m : memref<?xf16> to memref<*xf16>\n%b = memref.cast %r : memref<?xf32> to memref<*xf32>\n"
    "call @printAllcloseF16(%a, %b) : (memref<*xf16>, memref<*xf32>) -> ()",
    "%m: memref<?xf16>, %r: memref<?xf32>",
)


@pytest.mark.parametrize(
    ("result", "reference", "is_close"),
    [
        ([1, 2], [1, 2], True),
        ([1, 2.002], [1, 2.0005], True),
        ([1, 2.01], [1, 2], False),
        ([1, np.nan], [1, 2], False),
        ([np.inf, 2], [np.inf, 2], True),
        ([1, 2, 3], [1, 2], True),
    ],
)
def test_results_are_compared(result: list[float], reference: list[float], is_close: bool) -> None:
    CLOSE.printed.clear()
    CLOSE.notes.clear()
    CLOSE(np.array(result, np.float16), np.array(reference, np.float32))
    assert CLOSE.output == f"[ALLCLOSE: {'TRUE' if is_close else 'FALSE'}]\n"
    assert bool(CLOSE.notes) is not is_close


def test_a_mismatch_is_described() -> None:
    CLOSE.notes.clear()
    CLOSE(np.array([1, 2, 4], np.float16), np.array([1, 3, 4], np.float32))
    assert CLOSE.notes[0].splitlines()[:2] == [
        "'result': 1 of 3 elements differ (33.3 %; tolerance 0.001 relative, 0.0001 absolute)",
        "  [1] is 2.0, expected 3.0",
    ]


def test_comparisons_give_results() -> None:
    program = calling(
        "%a = memref.cast %m : memref<?xf32> to memref<*xf32>\n%b = memref.cast %r : memref<?xf32> to memref<*xf32>\n"
        "%c = call @allcloseF32(%a, %b) : (memref<*xf32>, memref<*xf32>) -> i1\n"
        "%i = memref.cast %j : memref<?xi32> to memref<*xi32>\n"
        "%e = call @verifyMemrefI32(%i, %i) : (memref<*xi32>, memref<*xi32>) -> i64\n"
        "call @printMaxErrorF32(%a, %b) : (memref<*xf32>, memref<*xf32>) -> ()",
        "%m: memref<?xf32>, %r: memref<?xf32>, %j: memref<?xi32>",
        "-> (i1, i64)",
        "%c, %e : i1, i64",
    )
    m, r = np.array([1, 4, 8], np.float32), np.array([1, 5, 8], np.float32)
    assert program(m, r, np.zeros(2, np.int32)) == (0, 0)
    assert program.output == "Max absolute error 1 at idx=1\nMax relative error 0.2 at idx=1\n"


def test_memory_is_filled() -> None:
    """Of any rank; random numbers are the same in every run."""
    program = calling(
        "%b = memref.cast %m : memref<3x4xbf16> to memref<*xbf16>\n"
        "%h = memref.cast %n : memref<?xf16> to memref<*xf16>\n"
        "%x = arith.constant 1.3 : f32\n%l = arith.constant -2.0 : f32\n%t = arith.constant true\n"
        "call @fillResource1DBF16(%b, %x) : (memref<*xbf16>, f32) -> ()\n"
        "call @fillResource1DRandomF16(%h, %l, %x, %t) : (memref<*xf16>, f32, f32, i1) -> ()",
        "%m: memref<3x4xbf16>, %n: memref<?xf16>",
    )
    m, n = np.zeros((3, 4), ml_dtypes.bfloat16), np.full(200, 9, np.float16)
    program(m, n)
    assert np.all(m == ml_dtypes.bfloat16(1.3))
    assert set(n.tolist()) == {-1.0, 0.0, 1.0}


def test_products() -> None:
    program = calling(
        "%a = memref.cast %m : memref<3x4xf16> to memref<*xf16>\n"
        "%b = memref.cast %n : memref<4x5xf16> to memref<*xf16>\n"
        "%c = memref.cast %o : memref<3x5xf32> to memref<*xf32>\n"
        "call @gemmF16F16F32(%a, %b, %c) : (memref<*xf16>, memref<*xf16>, memref<*xf32>) -> ()",
        "%m: memref<3x4xf16>, %n: memref<4x5xf16>, %o: memref<3x5xf32>",
    )
    rng = np.random.default_rng(0)
    a, b = rng.integers(-4, 4, (3, 4)).astype(np.float16), rng.integers(-4, 4, (4, 5)).astype(np.float16)
    c = np.ones((3, 5), np.float32)
    program(a, b, c)
    assert np.array_equal(c, 1 + a.astype(np.float32) @ b.astype(np.float32))


def test_parts_of_a_memref_are_printed_with_their_offset() -> None:
    part = "memref<2x2xf32, strided<[4, 2], offset: 4>>"
    program = calling(
        f"%part = memref.subview %m[1, 0] [2, 2] [1, 2] : memref<3x4xf32> to {part}\n"
        f"%u = memref.cast %part : {part} to memref<*xf32>\n"
        "call @printMemrefF32(%u) : (memref<*xf32>) -> ()",
        "%m: memref<3x4xf32>",
    )
    memref = np.arange(12, dtype=np.float32).reshape(3, 4)
    program(memref)
    place = memref.__array_interface__["data"][0]
    assert program.output == (
        f"Unranked Memref base@ = {place:#x} rank = 2 offset = 4 sizes = [2, 2] strides = [4, 2] data = \n"
        "[[4,   6], \n [8,   10]]\n"
    )


def test_other_names_of_functions() -> None:
    """The library also has functions with C interfaces, and with a pointer instead of a memref."""
    declared = """func.func private @_mlir_ciface_printI64(i64)
func.func private @printString(!llvm.ptr)
func.func private @verifyMemRefI8(memref<*xi8>, memref<*xi8>) -> i64
"""
    body = """%any = memref.cast %m : memref<?xi8> to memref<*xi8>
%wrong = call @verifyMemRefI8(%any, %any) : (memref<*xi8>, memref<*xi8>) -> i64
call @_mlir_ciface_printI64(%wrong) : (i64) -> ()
%text = memref.get_global @text : memref<4xi8>
%address = memref.extract_aligned_pointer_as_index %text : memref<4xi8> -> index
%next = arith.addi %address, %n : index
%number = arith.index_cast %next : index to i64
%pointer = llvm.inttoptr %number : i64 to !llvm.ptr
%global = llvm.addrspacecast %pointer : !llvm.ptr to !llvm.ptr<1>
%back = llvm.addrspacecast %global : !llvm.ptr<1> to !llvm.ptr
call @printString(%back) : (!llvm.ptr) -> ()
%same = llvm.ptrtoint %pointer : !llvm.ptr to i64
%unsigned = builtin.unrealized_conversion_cast %same : i64 to ui64
%signless = builtin.unrealized_conversion_cast %unsigned : ui64 to i64
%distance = arith.subi %signless, %number : i64
return %distance : i64"""
    text = "memref.global constant @text : memref<4xi8> = dense<[65, 66, 67, 0]>\n"
    program = Program(f"{declared}{text}func.func @f(%m: memref<?xi8>, %n: index) -> i64 {{\n{body}\n}}")
    assert program(np.zeros(3, np.int8), 1) == 0
    assert program.output == "0BC"
    with pytest.raises(ProgramError, match=r"printString|which is in no memory that the program has allocated"):
        program(np.zeros(3, np.int8), 1 << 40)


@pytest.mark.docs
def test_the_page_lists_the_functions() -> None:
    assert table() in (ROOT / "docs/host-programs.md").read_text()
