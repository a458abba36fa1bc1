"""Passes on the XeGPU dialect."""
