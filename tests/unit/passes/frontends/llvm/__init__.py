"""Tests of the front end for LLVM IR."""
