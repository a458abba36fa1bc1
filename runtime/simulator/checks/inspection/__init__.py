"""Inspectors of running kernels, and the findings that they report."""
