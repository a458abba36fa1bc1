"""Launches: the kernels that they run, their results, and faults that end them."""
