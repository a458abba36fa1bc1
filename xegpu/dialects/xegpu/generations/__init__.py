"""Spellings and forms of other generations of XeGPU."""
