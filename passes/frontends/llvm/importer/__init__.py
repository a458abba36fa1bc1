"""Imports kernels in LLVM IR into MLIR."""
