"""Launches on host threads: their memory, and the threads that run work-groups or compile kernels."""
