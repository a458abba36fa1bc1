"""Tests of pointers of the llvm dialect."""
