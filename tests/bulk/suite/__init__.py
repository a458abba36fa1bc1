"""Kernels in OpenCL C in the manner of benchmark suites, on our GPUs and on the CPU."""
