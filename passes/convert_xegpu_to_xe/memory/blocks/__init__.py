"""Accesses through descriptors: blocks, tiles and rows."""
