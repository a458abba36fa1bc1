"""The runner library: functions that MLIR test programs declare and call, under their usual names.

They print the text of the originals, through a function that the program's owner chooses. There are three sets: MLIR's
runner utilities (`printMemrefF32`, `verifyMemrefF32`, `rtclock`), its C runner utilities (`printF32`, `printNewline`),
and those that test programs of XeGPU and XeTile use (`fillResource1DF32`, `printAllcloseF32`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import product

import numpy as np
from xdsl.dialects.func import FuncOp

from runtime.api import Tolerance
from runtime.host.failures import UnwrittenRead
from runtime.host.library.comparison import ALLCLOSE, EXACT, largest_errors, mismatch
from runtime.host.library.formatting import memref_text, number_text
from runtime.host.values import Array, Value, first_unwritten

Results = Sequence[Value]
_SEED = 0
"""Seed of random values, which are the same in every run."""

_ELEMENTS = ("F16", "BF16", "F32", "F64", "I8", "I16", "I32", "I64", "Ind")
"""Suffixes of names for the element types of the memrefs that the functions take."""


_FACTORS = ("F16", "BF16", "F32")


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
        self._writing: tuple[Callable[..., Results], ...] = (self._fill, self._fill_randomly, self._shape)
        """Functions that do not read what they get."""
        self._random = np.random.default_rng(_SEED)
        self.mismatches = 0
        """The number of comparisons that failed."""
        self._functions: dict[str, Callable[..., Results]] = {}
        for ending in _ELEMENTS:
            self._functions |= self._of_elements(ending)
        for a, b, c in product(_FACTORS, _FACTORS, _FACTORS):
            self._functions[f"gemm{a}{b}{c}"] = self._gemm
        self._functions |= {
            "printF16": self._number,
            "printBF16": self._number,
            "printF32": self._number,
            "printF64": self._number,
            "printI64": self._number,
            "printU64": self._unsigned,
            "printString": self._string,
            "printOpen": self._text("( "),
            "printClose": self._text(" )"),
            "printComma": self._text(", "),
            "printNewline": self._text("\n"),
            "rtclock": lambda: [time.perf_counter()],
            "nanoTime": lambda: [time.perf_counter_ns()],
            "printFlops": self._flops,
        }

    def find(self, declared: FuncOp) -> Callable[..., Results] | None:
        """Returns the function for a declaration, by its name."""
        name = declared.sym_name.data
        function = self._functions.get(name)
        if function is None or not self._finds_unwritten or function in self._writing:
            return function
        return _reading(name, function)

    def _of_elements(self, ending: str) -> dict[str, Callable[..., Results]]:
        old = ending.lower()
        return {
            f"printMemref{ending}": self._memref,
            f"print_memref_{old}": self._memref,
            f"printMemrefShape{ending}": self._shape,
            f"verifyMemref{ending}": self._verify,
            f"fillResource1D{ending}": self._fill,
            f"fillResource1DRandom{ending}": self._fill_randomly,
            f"allclose{ending}": self._allclose,
            f"printAllclose{ending}": self._print_allclose,
            f"printMaxError{ending}": self._print_largest_errors,
        }

    # Printing.

    def _text(self, text: str) -> Callable[..., Results]:
        def print_text() -> Results:
            self._write(text)
            return ()

        return print_text

    def _number(self, value: float) -> Results:
        self._write(number_text(value))
        return ()

    def _unsigned(self, value: int) -> Results:
        self._write(str(value & ((1 << 64) - 1)))
        return ()

    def _string(self, text: Array) -> Results:
        self._write(bytes(np.asarray(text, np.uint8).reshape(-1)).split(b"\0", 1)[0].decode(errors="replace"))
        return ()

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


def _reading(name: str, function: Callable[..., Results]) -> Callable[..., Results]:
    """Returns a function of the library that raises `UnwrittenRead` for elements that nothing has written."""

    def checked(*values: Value) -> Results:
        for number, value in enumerate(values):
            if isinstance(value, np.ndarray) and (position := first_unwritten(value)) is not None:
                element = ", ".join(map(str, position))
                raise UnwrittenRead(
                    f"calls '{name}', which reads element [{element}] of argument {number}: nothing has written it"
                )
        return function(*values)

    return checked
