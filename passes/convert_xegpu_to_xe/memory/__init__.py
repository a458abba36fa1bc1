"""Lowers memory accesses: of memrefs, atomic ones, allocations, and those through descriptors."""
