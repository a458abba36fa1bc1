"""Arithmetic instructions in the interpreter, on numpy arrays."""
