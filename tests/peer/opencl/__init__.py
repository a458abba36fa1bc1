"""Kernels in OpenCL C, here and on the CPU."""
