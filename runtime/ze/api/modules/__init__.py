"""Chapters of modules, kernels and their launch."""
