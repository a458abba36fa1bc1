"""Arithmetic instructions in the interpreter, on numpy arrays."""

from runtime.simulator.interpreter.alu.operands import raw_reader as raw_reader
from runtime.simulator.interpreter.threads.values import (
    DTYPES as DTYPES,
    Array as Array,
    Bools as Bools,
    Bytes as Bytes,
    bits_dtype as bits_dtype,
    lane_array as lane_array,
)
