"""Arithmetic instructions in the interpreter, on numpy arrays."""

from __future__ import annotations

from runtime.simulator.interpreter.alu.operands import raw_reader
from runtime.simulator.interpreter.alu.values import DTYPES, Array, Bools, Bytes, bits_dtype, lane_array

__all__ = [
    "DTYPES",
    "Array",
    "Bools",
    "Bytes",
    "bits_dtype",
    "lane_array",
    "raw_reader",
]
