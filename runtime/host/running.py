"""Runs whole MLIR programs, with host code and kernels, from Python."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from passes.pipelines import read_module
from runtime.api import Device
from runtime.host.data.values import Value
from runtime.host.loading import ProgramOutput, compile_program, load_program
from xegpu.diagnostics import SourceBuffer


def run(
    mlir_text: str,
    entry: str = "main",
    args: Sequence[Value] = (),
    *,
    device: Device | None = None,
    filename: str = "<string>",
) -> Value | tuple[Value, ...] | None:
    """Compiles a program and calls one of its functions, on a device (default: a PVC of its own).

    Numpy arrays are passed for memrefs and used in place, numbers for everything else. Returns the results of the
    function: None, a value, or several; memrefs are copied to arrays, f16 and bf16 become floats, i1 is 0 or 1. Prints
    the output of the program, and failed comparisons to standard error.

    Raises `CompileError` for a program that cannot be compiled, before anything is executed; `ProgramError` for one
    that fails, with the location in `filename`; `ArgumentError`, a `TypeError`, for arguments that do not fit.
    """
    chosen = device or Device()
    context, module = read_module(SourceBuffer(filename, mlir_text))
    program = compile_program(context, module, chosen.target)
    output = ProgramOutput(sys.stdout.write, lambda text: print(text, file=sys.stderr))
    results = load_program(program, chosen, output, entry).host.run(*args)
    return None if not results else results[0] if len(results) == 1 else tuple(results)
