"""Kernels in compiled code: threads, control flow, and the loop over work-groups."""
