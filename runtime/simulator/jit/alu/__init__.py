"""Arithmetic instructions as LLVM IR."""
