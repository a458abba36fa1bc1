"""Builds ZEBINs from compiled kernels and the variables of their modules."""
