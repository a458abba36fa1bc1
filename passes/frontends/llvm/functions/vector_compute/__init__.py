"""Imports the intrinsics of vector compute (ESIMD), `llvm.genx`, on values of whole subgroups."""
