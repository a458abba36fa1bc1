"""The runner library: functions that MLIR test programs declare and call, under their usual names.

They print the text of the originals, through a function that the program's owner chooses. There are three sets: MLIR's
runner utilities (`printMemrefF32`, `verifyMemRefF32`, `rtclock`), its C runner utilities (`printF32`, `printNewline`),
and those that test programs of XeGPU and XeTile use (`fillResource1DF32`, `printAllcloseF32`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from runtime.api import Tolerance
from runtime.host.data.failures import UnwrittenRead
from runtime.host.data.values import Array, Value, first_unwritten
from runtime.host.library.comparison import ALLCLOSE, EXACT, largest_errors, mismatch
from runtime.host.library.formatting import memref_text, number_text
from xegpu.dialects.upstream.func import FuncOp

Results = Sequence[Value]
_SEED = 0
"""Seed of random values, which are the same in every run."""

ELEMENTS = ("F16", "BF16", "F32", "F64", "I8", "I16", "I32", "I64", "Ind")
"""Suffixes `T` of names for the element types of the memrefs that the functions take."""

_FACTORS = ("F16", "BF16", "F32")
"""The words `A`, `B` and `C` in names for the element types of products."""

_C_INTERFACE = "_mlir_ciface_"
"""The beginning of the names of C interfaces, by which programs may call the functions as well."""


class RunnerLibrary:
    """The functions, for one run of a program; `write` prints to standard output, `note` reports everything else.

    With `finds_unwritten`, they refuse to read memory that nothing has written.
    """

    def __init__(
        self, write: Callable[[str], object], note: Callable[[str], object], *, finds_unwritten: bool = False
    ) -> None:
        self._write = write
        self._note = note
        self._finds_unwritten = finds_unwritten
        self._random = np.random.default_rng(_SEED)
        self.mismatches = 0
        """The number of comparisons that failed."""
        self._functions = {name: function for function in FUNCTIONS for name in function.names()}

    def find(self, declared: FuncOp) -> Callable[..., Results] | None:
        """Returns the function for a declaration, by its name or by that of its C interface."""
        name = declared.sym_name.data.removeprefix(_C_INTERFACE)
        function = self._functions.get(name)
        if function is None:
            return None

        def call(*values: Value) -> Results:
            if self._finds_unwritten and function.reads:
                _must_be_written(name, values)
            return function.call(self, *values)

        return call

    # Printing.

    def _print(self, text: str) -> Results:
        self._write(text)
        return ()

    def _number(self, value: float) -> Results:
        self._write(number_text(value))
        return ()

    def _unsigned(self, value: int) -> Results:
        self._write(str(value & ((1 << 64) - 1)))
        return ()

    def _string(self, text: Array) -> Results:
        """Prints bytes up to the first zero."""
        data = bytes(np.asarray(text, np.uint8).reshape(-1))
        return self._print(data.split(b"\0", 1)[0].decode(errors="replace"))

    def _flops(self, value: float) -> Results:
        self._write(f"{value / 1e9:f} GFLOPS\n")
        return ()

    def _memref(self, memref: Array) -> Results:
        self._write(memref_text(memref))
        return ()

    def _shape(self, memref: Array) -> Results:
        self._write(memref_text(memref, with_data=False))
        return ()

    # Filling.

    def _fill(self, memref: Array, value: float) -> Results:
        with np.errstate(all="ignore"):
            memref[...] = int(value) if memref.dtype.kind in "biu" else np.float32(value)
        return ()

    def _fill_randomly(self, memref: Array, lower: float, upper: float, whole: int) -> Results:
        values = self._random.uniform(lower, upper, memref.shape)
        with np.errstate(all="ignore"):
            memref[...] = np.trunc(values) if whole else values
        return ()

    def _gemm(self, a: Array, b: Array, c: Array) -> Results:
        """Adds a product of matrices to `c`, with sums in f32."""
        c[...] = c.astype(np.float32) + a.astype(np.float32) @ b.astype(np.float32)
        return ()

    # Comparing: a result, and a reference in f32.

    def _allclose(self, result: Array, reference: Array) -> Results:
        return [self._compare("result", result, reference, ALLCLOSE)]

    def _compare(self, name: str, result: Array, reference: Array, tolerance: Tolerance) -> bool:
        """Compares a result with its reference, and notes the differences."""
        text = mismatch(name, result, reference, tolerance)
        if text:
            self.mismatches += 1
            self._note(text)
        return not text

    def _print_allclose(self, result: Array, reference: Array) -> Results:
        (is_close,) = self._allclose(result, reference)
        self._write(f"[ALLCLOSE: {'TRUE' if is_close else 'FALSE'}]\n")
        return ()

    def _print_largest_errors(self, a: Array, b: Array) -> Results:
        for kind, (error, index) in zip(("absolute", "relative"), largest_errors(a, b), strict=True):
            self._write(f"Max {kind} error {number_text(error)} at idx={index}\n")
        return ()

    def _verify(self, actual: Array, expected: Array) -> Results:
        """Returns the number of elements that differ."""
        self._compare("actual", actual, expected, EXACT)
        same = (actual == expected) | ((actual != actual) & (expected != expected))
        return [int(np.count_nonzero(~same))]


def _must_be_written(name: str, values: Sequence[Value]) -> None:
    """Raises `UnwrittenRead` for elements that a function of the library would read, and that nothing has written."""
    for number, value in enumerate(values):
        if isinstance(value, np.ndarray) and (position := first_unwritten(value)) is not None:
            element = ", ".join(map(str, position))
            raise UnwrittenRead(
                f"calls '{name}', which reads element [{element}] of argument {number}: nothing has written it"
            )


@dataclass(frozen=True)
class LibraryFunction:
    """Functions of the library that differ in the types of their operands at most.

    Attributes:
        patterns: The names, with `T` for the type of elements, or `ABC` for those of three matrices.
        does: What they do, for the page about host programs.
        call: The function.
        reads: Whether it reads the memrefs that it gets.

    """

    patterns: tuple[str, ...]
    does: str
    call: Callable[..., Results]
    reads: bool = True

    def names(self) -> Iterator[str]:
        """Yields the names of the functions."""
        for pattern in self.patterns:
            if pattern.endswith("ABC"):
                yield from (pattern.removesuffix("ABC") + "".join(types) for types in product(_FACTORS, repeat=3))
            elif pattern.endswith("_t"):
                yield from (pattern.removesuffix("t") + element.lower() for element in ELEMENTS)
            elif pattern.endswith("T"):
                yield from (pattern.removesuffix("T") + element for element in ELEMENTS)
            else:
                yield pattern


FUNCTIONS = (
    LibraryFunction(
        ("printMemrefT", "print_memref_t"),
        "prints a header with sizes and strides, and the elements in nested brackets",
        RunnerLibrary._memref,
    ),
    LibraryFunction(("printMemrefShapeT",), "prints the header only", RunnerLibrary._shape, reads=False),
    LibraryFunction(("fillResource1DT",), "fills a memref of any rank with a number", RunnerLibrary._fill, reads=False),
    LibraryFunction(
        ("fillResource1DRandomT",),
        "fills a memref of any rank with random numbers of a range, whole ones if the last argument is true; they are "
        "the same in every run",
        RunnerLibrary._fill_randomly,
        reads=False,
    ),
    LibraryFunction(
        ("printAllcloseT",),
        "compares a result with an `f32` reference and prints `[ALLCLOSE: TRUE]` if "
        "`abs(a - b) <= 1e-4 + 1e-3 * abs(b)` everywhere; NaN is close to NaN only",
        RunnerLibrary._print_allclose,
    ),
    LibraryFunction(("allcloseT",), "returns the outcome of that comparison", RunnerLibrary._allclose),
    LibraryFunction(
        ("printMaxErrorT",),
        "prints the largest absolute and relative errors, with their positions",
        RunnerLibrary._print_largest_errors,
    ),
    LibraryFunction(
        ("verifyMemRefT", "verifyMemrefT"), "returns the number of elements that differ", RunnerLibrary._verify
    ),
    LibraryFunction(
        ("gemmABC",), "adds a product of matrices to the last argument, summed up in `f32`", RunnerLibrary._gemm
    ),
    LibraryFunction(
        ("printF16", "printBF16", "printF32", "printF64", "printI64"), "prints a number", RunnerLibrary._number
    ),
    LibraryFunction(("printU64",), "prints a number without a sign", RunnerLibrary._unsigned),
    LibraryFunction(
        ("printString", "printCString"),
        "prints text up to a zero byte, from a memref of bytes or from an `!llvm.ptr`",
        RunnerLibrary._string,
    ),
    LibraryFunction(("printOpen",), "prints `( `", lambda library: library._print("( ")),
    LibraryFunction(("printClose",), "prints ` )`", lambda library: library._print(" )")),
    LibraryFunction(("printComma",), "prints `, `", lambda library: library._print(", ")),
    LibraryFunction(("printNewline",), "ends a line", lambda library: library._print("\n")),
    LibraryFunction(("rtclock",), "returns the time in seconds", lambda _: [time.perf_counter()]),
    LibraryFunction(("nanoTime",), "returns the time in nanoseconds", lambda _: [time.perf_counter_ns()]),
    LibraryFunction(("printFlops",), "prints a rate of operations per second", RunnerLibrary._flops),
)
"""Every function of the library."""


def table() -> str:
    """Returns the functions as a table of Markdown."""
    rows = (f"| {', '.join(f'`{name}`' for name in function.patterns)} | {function.does} |" for function in FUNCTIONS)
    return "\n".join(("| Function | Does |", "|---|---|", *rows)) + "\n"
