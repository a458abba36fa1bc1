"""Lowers memory accesses: block, scattered and memref accesses, atomics and allocations."""
